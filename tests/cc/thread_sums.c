// Sums and histograms of each thread, found by its number: elements, padded, of structs, rows by a pointer, a loop that
// threads take in turns, a sum that each thread has in a variable, which thread it was.
// build: -fdouble=float
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 32
#define PAD 16
#define MOST 64
typedef struct {
    float sum, weight;
    float pad[14];
} account;
static int key[5000], table[MOST][BINS];
static float x[5000];

static void print(const char *what, const int *list, int count) {
    printf("%s:", what);
    for (int i = 0; i < count; i++)
        printf(" %d", list[i]);
    printf("\n");
}

static void elements(int n, int threads) {
    float part[MOST] = {0}, *padded = calloc((size_t)threads * PAD, sizeof(float)), sum = 0;
    int i, t, owner[100];
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num();
#pragma omp for
        for (i = 0; i < n; i++)
            part[id] += x[i];
    }
#pragma omp parallel for schedule(static) // GPU
    for (i = 2; i < n; i++)
        if (key[i] > 3) padded[omp_get_thread_num() * PAD] -= x[i];
#pragma omp parallel for schedule(static, 3) // GPU
    for (i = 0; i < 100; i++)
        owner[i] = omp_get_thread_num();
    for (t = 0; t < threads; t++)
        sum += part[t] + padded[t * PAD];
    printf("%g\n", sum);
    print("owners", owner, 100);
    free(padded);
}

static void accounts(int n) {
    account of[4];
    float part[4];
#pragma omp parallel num_threads(4) // GPU
    {
        int id = omp_get_thread_num();
        float own = 0;
        of[id].sum = 0;
        of[id].weight = 0;
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (x[i] > 1) {
                of[id].sum += x[i];
                of[id].weight++;
            }
        }
#pragma omp for schedule(static, 5)
        for (int i = 0; i < n; i++)
            own += x[i];
        part[id] = own;
    }
    for (int t = 0; t < 4; t++)
        printf("%g %g %g\n", of[t].sum, of[t].weight, part[t]);
}

static void histograms(int n, int threads) {
    int *all = calloc((size_t)threads * BINS, sizeof(int)), **rows = malloc((size_t)threads * sizeof(int *));
    int sums[BINS] = {0}, b, t, i;
    for (t = 0; t < threads; t++)
        rows[t] = calloc(BINS, sizeof(int));
#pragma omp parallel private(b, t) // GPU
    {
        int *mine = all + omp_get_thread_num() * BINS, count = omp_get_num_threads();
        for (b = 0; b < BINS; b++)
            mine[b] = 0;
#pragma omp for
        for (i = 0; i < n; i++)
            mine[i < n / 2 && key[i] > 1 ? key[i] : 0] += x[i] > 1 ? 2 : 1;
#pragma omp for
        for (b = 0; b < BINS; b++)
            for (t = 0; t < count; t++)
                sums[b] += all[t * BINS + b];
    }
    print("histogram", sums, BINS);
#pragma omp parallel // GPU
    {
        int me = omp_get_thread_num(), quarter = n / 4;
        int *mine = rows[me];
#pragma omp for schedule(static, 16) nowait
        for (int k = 0; k <= quarter; k += 3) {
            int at = key[k];
            mine[at] += 2;
            ++table[me][at];
        }
    }
    for (t = 0; t < threads; t++) {
        print("row", rows[t], BINS);
        print("of table", table[t], BINS);
        free(rows[t]);
    }
    free(rows);
    free(all);
}

// Members, and an element that is read behind its loop.
struct sums {
    float *part, *x;
    int *count, n;
};
static void members(struct sums *s) {
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads();
        s->part[id] = 0;
        for (int i = id; i < s->n; i += threads)
            s->part[id] += s->x[i];
        s->part[id] *= 0.5f;
#pragma omp for
        for (int i = 0; i < s->n; i++)
            s->count[id] += (int)s->x[i];
    }
}

// The integral of a textbook.
static void turns(int steps) {
    double sum[MOST], step = 1.0 / steps, pi = 0;
    int threads = 0;
#pragma omp parallel // GPU
    {
        int i, id, count;
        double at;
        id = omp_get_thread_num();
        count = omp_get_num_threads();
        if (id == 0) threads = count;
        for (i = id, sum[id] = 0.0; i < steps; i += count) {
            at = (i + 0.5) * step;
            sum[id] += 4.0 / (1.0 + at * at);
        }
    }
    for (int i = 0; i < threads; i++)
        pi += sum[i] * step;
    printf("%.3f\n", pi);
}

int main(void) {
    int n = 5000, threads = omp_get_max_threads();
    for (int i = 0; i < n; i++)
        key[i] = (i * 37 + i / 7) % BINS, x[i] = (float)(i % 11) * 0.25f;
    elements(n, threads);
    accounts(n);
    histograms(n, threads);
    turns(n);
    struct sums s = {calloc(MOST, sizeof(float)), x, calloc(MOST, sizeof(int)), n};
    members(&s);
    for (int t = 0; t < threads; t++)
        printf("%g %d\n", s.part[t], s.count[t]);
    free(s.part);
    free(s.count);
    return 0;
}
