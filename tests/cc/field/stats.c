#include "sim.h"
#include <float.h>
#include <omp.h>
#include <string.h>
void stats(const grid_t *g, stats_t *s) {
    long size = (long)g->n * g->m;
    double lo = DBL_MAX, hi = -DBL_MAX, sum = 0;
    static long part[64][16];
    int threads = omp_get_max_threads();
    memset(part, 0, sizeof part);
    memset(s, 0, sizeof *s);
#pragma omp parallel for reduction(min : lo) reduction(max : hi) reduction(+ : sum) // GPU
    for (long i = 0; i < size; i++) {
        double v = g->cur[i];
        if (v < lo) lo = v;
        if (v > hi) hi = v;
        sum += v;
    }
#pragma omp parallel // GPU
    {
        long *mine = part[omp_get_thread_num()];
#pragma omp for
        for (long i = 0; i < size; i++) {
            int b = (int)(g->cur[i] * 15.999);
            mine[b < 0 ? 0 : b > 15 ? 15 : b]++;
        }
    }
    for (int t = 0; t < threads; t++)
        for (int b = 0; b < 16; b++)
            s->hist[b] += part[t][b];
    s->min = lo;
    s->max = hi;
    s->mean = sum / size;
}
