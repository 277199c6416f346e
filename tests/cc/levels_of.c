// build: -fdouble=pair
// Structs with pointers in arrays, where the region says which one by numbers that stay what they are: levels of grids, layers of a network, behind
// pointers, beside each other, handed to a function; one that two names lead to; and an index that changes.
#include <stdio.h>
#include <stdlib.h>

enum { L = 4 };
struct level {
    int n;
    double h, *u, *f;
};
typedef struct {
    int in, out;
    double *w, *a;
} Layer;
typedef struct {
    int count;
    Layer *layers;
    struct level *level[L];
} Net;
static struct level grid[L];
static int current;

static double at(const struct level *v, int i) { return v->u[i] * v->h + v->f[i]; }
static int moves(int i) { return current += i > 1000; }

static void smooth(struct level *v, int k) {
    for (int s = 0; s < 2; s++) // GPU
#pragma omp parallel for
        for (int i = 1 + s; i < v[k].n - 1; i += 2)
            v[k].u[i] = 0.5 * (v[k].u[i - 1] + v[k].u[i + 1] + v[k].h * v[k].f[i]);
}

static void both(struct level *a, int k, int m) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 0; i < 5; i++)
        a[k].u[i] += a[m].f[i];
}

static void forward(Net *net) {
    for (int l = 1; l < net->count; l++) {
#pragma omp parallel for // GPU
        for (int j = 0; j < net->layers[l].out; j++) {
            double s = 0;
            for (int i = 0; i < net->layers[l].in; i++)
                s += net->layers[l].w[j * net->layers[l].in + i] * net->layers[(l - 1) * 1].a[i];
            net->layers[l].a[j] = s / (1 + s * s);
        }
#pragma omp parallel for // GPU
        for (int i = 0; i < net->level[l]->n; i++)
            net->level[l]->u[i] += at(net->level[l], i) + at(&grid[l - 1], 2 * i);
    }
}

int main(void) {
    Net net = {3, calloc(3, sizeof(Layer)), {NULL}};
    for (int k = 0; k < L; k++) {
        grid[k] = (struct level){(32 >> k) + 1, 1.0 / (32 >> k), calloc(40, sizeof(double)), calloc(40, sizeof(double))};
        for (int i = 0; i < grid[k].n; i++)
            grid[k].f[i] = i % 5;
        net.level[k] = &grid[k];
        smooth(grid, k);
    }
    both(grid, 1, 2);
    both(grid, 1, 1);
    for (int l = 0; l < 3; l++) {
        Layer *own = &net.layers[l];
        *own = (Layer){8 - l, 7 - l, malloc(64 * sizeof(double)), calloc(8, sizeof(double))};
        for (int i = 0; i < 64; i++)
            own->w[i] = i % 7 * 0.1;
        own->a[0] = own->a[3] = 1;
    }
    forward(&net);
    double sum = 0;
    current = 1;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < 5; i++)
        sum += grid[i % L].u[i];
#pragma omp parallel for reduction(+ : sum) // CPU: 'current' is shared by all iterations
    for (int i = 0; i < 5; i++)
        sum += grid[current].u[i] + moves(i);
    for (int k = 0; k < L; k++)
        sum += grid[k].u[3] * k + net.layers[k % 3].a[2];
    printf("%.9g\n", sum);
    return 0;
}
