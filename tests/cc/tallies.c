// Critical sections of several updates: counters and sums together, under conditions, in loops, beside a list and the best of all.
// build: -fdouble=float
// build, too: -fdouble=pair
#include <stdio.h>
#include <stdlib.h>

enum { DIM = 3, GROUPS = 5 };
struct stats {
    int count;
    float total, most;
    double squares;
};
static int hits, misses;
static float centre[GROUPS][DIM];

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int n = 2000, found = 0, evens = 0, at = -1, tried = 0;
    float *x = malloc((size_t)n * DIM * sizeof *x), weight = 0, most = -1;
    int *list = malloc((size_t)n * sizeof *list), size[GROUPS] = {0};
    struct stats stats = {0, 0, 0, 0};
    double sum = 0;
    for (int i = 0; i < n * DIM; i++)
        x[i] = (float)(i * 37 % 64) * 0.5f;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        int g = i * 7 % GROUPS;
#pragma omp critical
        {
            for (int d = 0; d < DIM; d++)
                centre[g][d] += x[i * DIM + d];
            size[g]++;
        }
        float v = x[i * DIM];
#pragma omp critical(count)
        {
            if (v > 16) {
                hits++;
                sum += v;
            } else {
                misses++;
            }
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        float v = x[i * DIM + 1];
        if (v > 8) {
#pragma omp critical
            {
                list[found++] = i;
                weight += v;
                if (i % 2 == 0) evens += 2;
            }
        }
#pragma omp critical(stats)
        {
            stats.count++;
            stats.total += v;
        }
#pragma omp critical(best)
        {
            tried++;
            if (v > most || (v == most && i < at)) {
                most = v;
                at = i;
            }
        }
    }
    qsort(list, (size_t)found, sizeof *list, compare);
    unsigned hash = 0;
    for (int k = 0; k < found; k++)
        hash = hash * 31 + (unsigned)list[k];
    for (int g = 0; g < GROUPS; g++)
        printf("%d %g %g %g\n", size[g], centre[g][0], centre[g][1], centre[g][2]);
    printf("%d %d %g\n%d %u %g %d\n%d %g\n%d %g %d\n", hits, misses, sum, found, hash, weight, evens, stats.count,
           stats.total, tried, most, at);
    return 0;
}
