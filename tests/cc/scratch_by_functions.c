// Functions that do nothing but allocate or free, as for malloc that may not fail, and vectors that count from 1, called by iterations and
// by threads; and those that do more.
// build: -fdouble=pair
#include <assert.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int live;
static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}
static void *need(size_t bytes) {
    void *p = malloc(bytes);
    if (p == NULL) stop("no memory");
    return p;
}
static void *zeroed(size_t count, size_t size) {
    void *p;
    p = calloc(count, size);
    assert(p != NULL);
    return (p);
}
static float *vector(long low, long high) {
    float *v = (float *)need((size_t)(high - low + 1) * sizeof *v);
    return v - low;
}
static float *line(int n) { return need(n * sizeof(float)); }
static float *counted(int n) { // it does more
    live++;
    return malloc((size_t)n * sizeof(float));
}
static float *filled(int n) { // and so does this
    float *p = malloc((size_t)n * sizeof(float));
    for (int i = 0; i < n; i++)
        p[i] = 3;
    return p;
}
static float *other(int n, int which) { // two
    if (which) return malloc((size_t)n * sizeof(float));
    return malloc(4 * sizeof(float));
}
static void done(void *p) { free(p); }
static void free_vector(float *v, long low, long high) {
    (void)high;
    free((char *)(v + low));
}
static void drop_vector(float *v, long low) { free((char *)(v + low)); }
static float turned(const float *x, int n) {
    float *t = vector(1, n), s = 0;
    for (int k = 1; k <= n; k++)
        t[k] = x[n - k] * 2;
    for (int k = 1; k <= n; k++)
        s += t[k] * (float)k;
    drop_vector(t, 1);
    return s;
}

int main(void) {
    int n = 40;
    float s = 0, x[100], *y = malloc(100 * sizeof *y);
    for (int i = 0; i < 100; i++)
        x[i] = (float)(i % 7), y[i] = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < 60; i++)
        y[i] = turned(x + i, n);
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++) {
        int *found = zeroed(8, sizeof *found);
        float *t = line(n);
        for (int k = 0; k < n; k++)
            t[k] = x[(i + k) % 100], found[(int)t[k]]++;
        for (int k = 0; k < 7; k++)
            y[i] += (float)found[k] * t[k];
        free(found);
        done(t);
    }
#pragma omp parallel reduction(+ : s) // GPU
    {
        float *t = vector(1, n);
#pragma omp for
        for (int i = 0; i < 100; i++) {
            for (int k = 1; k <= n; k++)
                t[k] = x[i] + (float)k;
            s += t[n] + t[1 + i % n];
        }
        drop_vector(t, 1);
    }
#pragma omp parallel // GPU
    {
        int *own = zeroed((size_t)n, sizeof *own);
#pragma omp for
        for (int i = 0; i < 100; i++)
            own[(int)x[i]] += i;
#pragma omp critical
        for (int k = 0; k < n; k++)
            y[k] += (float)own[k];
        free(own);
    }
    double total = 0;
#pragma omp parallel reduction(+ : total) // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads(), *seen;
        float *t;
        seen = (int *)need((size_t)n * sizeof(int));
        t = line(n);
        for (int k = 0; k < n; k++)
            seen[k] = -1, t[k] = 0;
        for (int i = 0; i < 100; i++) { // every other one
            if (i % threads != id) continue;
            seen[(int)x[i]] = i;
            t[i % n] += x[i];
            total += t[i % n] * 0.5 + seen[3];
        }
        free(seen);
        free(t);
    }
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < 100; i++) {
        float *t = counted(n);
        t[3] = y[i];
        y[i] = t[3] + 1;
        free(t);
    }
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < 100; i++) {
        float *t = filled(n);
        y[i] += t[i % n];
        free(t);
    }
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < 100; i++) {
        float *t = other(n, i % 2);
        t[1] = y[i];
        y[i] += t[1];
        free(t);
    }
    float *u = vector(1, n);
    u[1] = 1;
    free_vector(u, 1, n);
    for (int i = 0; i < 100; i++)
        s += y[i] * (float)(i % 3);
    printf("%g %d %.9g\n", (double)s, live > 0, total);
    free(y);
    return 0;
}
