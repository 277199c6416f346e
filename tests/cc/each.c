// build: -fdouble=pair
// build, too: -fdouble=float
// Arrays of structs that hold pointers, of which iterations go through members: numbers, arrays, rows; through another name, behind pointers
// to structs, and handed to functions by value and by pointer. Rows in one allocation and of their own, arrays at file scope and on the stack,
// a pointer into the middle, unset structs behind the last; and what stays on the CPU, or does at a call.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float weight;
    float *coord;
    long assign;
    double cost[2];
} Point;
typedef struct {
    long num;
    int dim;
    Point *p;
} Points;
struct nuclide {
    int count;
    char kind;
    struct {
        double low, high;
    } range;
    double *energy, *sigma;
};

static struct nuclide global[12];

static float dist(Point a, Point b, int dim) {
    float sum = 0;
    for (int d = 0; d < dim; d++)
        sum += (a.coord[d] - b.coord[d]) * (a.coord[d] - b.coord[d]);
    return sum * a.weight;
}
static double look(const struct nuclide *n, double e) {
    int low = 0, high = n->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (n->energy[middle] > e)
            high = middle;
        else
            low = middle;
    }
    return n->sigma[low] * (n->range.high - n->range.low) + n->kind;
}

static double assign(Points *points, const int *center, int k) {
    double total = 0;
#pragma omp parallel for reduction(+ : total) // GPU: 2 calls
    for (int i = 0; i < points->num; i++) {
        float best = 1e30f;
        int at = 0;
        for (int c = 0; c < k; c++) {
            float d = dist(points->p[i], points->p[center[c]], points->dim);
            if (d < best) best = d, at = center[c];
        }
        points->p[i].assign = at;
        points->p[i].cost[1] = best + points->p[i].cost[0];
        total += best;
    }
    return total;
}
static void move(Points *points) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 0; i < points->num; i++) {
        Point *own = points->p + (i + 1) - 1;
        for (int d = 0; d < points->dim; d++)
            own->coord[d] += 0.125f * own->weight;
        own->weight *= 1.5f;
        own->cost[0] += own->cost[1];
    }
}
static void spread(struct nuclide *list, int n, int m, double *out) {
#pragma omp parallel for // GPU
    for (int i = 0; i < m; i++) {
        double e = (i * 37 % m) / (double)m, sum = 0;
        for (int k = 0; k < n; k++) {
            const struct nuclide *own = &list[k];
            sum += look(own, e) + look(&list[k], e / 2);
        }
        out[i] = sum;
    }
}
static void count_up(int n) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        global[i].count += i;
        global[i].range.low = global[i].energy[0] / 2;
        for (int k = 0; k < 40; k++)
            global[i].sigma[k] = global[i].energy[k] + global[(i + 1) % n].range.high;
    }
}
static long exchange(Points *points) { // its pointers change
    long sum = 0;
#pragma omp parallel for reduction(+ : sum) // CPU:
    for (int i = 0; i < 8; i += 2) {
        float *other = points->p[i].coord;
        points->p[i].coord = points->p[i + 1].coord;
        points->p[i + 1].coord = other;
        sum += points->p[i].assign;
    }
    return sum;
}
static double whole(const struct nuclide *list, int n) { // one as a whole
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++) {
        struct nuclide own = list[i];
        sum += own.energy[1];
    }
    return sum;
}
static double some(const Points *points, const int *map, int n) { // rows are not known for all structs of the array
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // CPU at run time: 1 call: whether indices stay inside
    for (int i = 0; i < n; i++)
        sum += points->p[map[i]].coord[2];
    return sum;
}
static void two_names(struct nuclide *a, struct nuclide *b, int n) { // which are one array
#pragma omp parallel for // CPU at run time: share memory
    for (int i = 0; i < n; i++) {
        a[i].count = b[(i + 1) % 2 * 0 + i].count + 1;
        a[i].energy[0] += 1;
    }
}
// The array goes to functions, which go through it, and on to others.
static double at_index(const struct nuclide *all, int k, int i) {
    const struct nuclide *own = all + k;
    return own->energy[i] * all[k].sigma[i + 1] + own->range.high;
}
static double summed(const struct nuclide *all, int n, int i) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += at_index(all, k, i % all[k].count) + all[(k + 1) % n].kind;
    return sum;
}
static double handed(const struct nuclide *all, int n) {
    double sum = 0;
    struct nuclide few[3] = {all[1], all[2], all[5]};
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < 64; i++)
        sum += summed(all, n, i) - summed(few, 3, i);
    return sum;
}
// Critical sections and threads' shares in such structs.
static long counted(struct nuclide *list, int n, int *order) {
    long sum = 0;
    int count = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < 500; i++) {
#pragma omp critical
        {
            order[count] = i;
            count++;
            list[i * 7 % n].range.high += 1;
            list[i % n].count++;
        }
    }
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num() % n;
#pragma omp for
        for (int i = 0; i < 500; i++) {
            list[id].kind = 3;
            list[id].sigma[i % 8] += order[i] * 0.5;
        }
    }
    for (int i = 0; i < count; i++)
        sum += order[i] + list[i % n].count;
    return sum;
}
static double on_stack(void) {
    double rows[5][16], sum = 0;
    struct nuclide few[5];
    for (int i = 0; i < 5; i++) {
        few[i].sigma = rows[i];
        few[i].energy = NULL;
        few[i].count = 16;
        for (int k = 0; k < 16; k++)
            rows[i][k] = i * k;
    }
#pragma omp parallel for reduction(+ : sum) // CPU at run time: where the rows
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < few[i].count; k++)
            sum += few[i].sigma[k];
    return sum;
}

int main(void) {
    enum { N = 300, DIM = 6 };
    Points points = {N, DIM, malloc(N * sizeof(Point))};
    float *block = malloc(N * DIM * sizeof *block);
    for (int i = 0; i < N; i++) {
        points.p[i] = (Point){1 + i % 3, block + i * DIM, -1, {0, 0}};
        for (int d = 0; d < DIM; d++)
            points.p[i].coord[d] = (i * 31 + d * 17) % 64;
    }
    int center[4] = {3, 77, 120, 250};
    for (int t = 0; t < 2; t++) {
        printf("%g\n", assign(&points, center, 4));
        move(&points);
    }
    long at = 0;
    double cost = 0;
    for (int i = 0; i < N; i++)
        at = (at * 7 + points.p[i].assign) % 1000003, cost += points.p[i].cost[0] + points.p[i].weight;
    printf("%ld %.6g %g\n", at, cost, (double)block[100]);
    struct nuclide *list = malloc(14 * sizeof *list);
    for (int i = 0; i < 14; i++) {
        list[i] = (struct nuclide){40 + i, (char)i, {i, i + 2}, malloc(60 * sizeof(double)), malloc(60 * sizeof(double))};
        for (int k = 0; k < 60; k++)
            list[i].energy[k] = (k + 0.37) / 60, list[i].sigma[k] = i + k;
    }
    double out[100], sum = 0;
    spread(list + 2, 12, 100, out);
    for (int i = 0; i < 100; i++)
        sum += out[i];
    for (int i = 0; i < 12; i++)
        global[i] = list[i];
    count_up(12);
    two_names(list, list, 14);
    for (int i = 0; i < 12; i++)
        sum += global[i].count + global[i].range.low + list[i].sigma[39] + list[i].energy[0] + list[i].count;
    printf("%.6g %ld %g\n", sum, exchange(&points), on_stack());
    for (int i = 200; i < N; i++)
        points.p[i].coord = NULL;
    printf("%.6g\n", handed(list, 14));
    static int order[500];
    printf("%ld %g\n", counted(list, 14, order), list[3].range.high);
    printf("%g %g\n", some(&points, center, 3), whole(list, 14));
    printf("%g %g\n", (double)points.p[0].coord[2], (double)points.p[1].coord[3]);
    return 0;
}
