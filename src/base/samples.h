// Samples of one quantity, of which the middle one is told.
#ifndef WHORL_BASE_SAMPLES_H
#define WHORL_BASE_SAMPLES_H

#include <stddef.h>
#include <stdlib.h>

static inline int base_compare_samples(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void base_sort_samples(double *samples, size_t count) {
    if (count) qsort(samples, count, sizeof *samples, base_compare_samples);
}

// Of sorted ones; of an even number the mean of the two in the middle. 0: there are none.
static inline double base_median(const double *sorted, size_t count) {
    if (!count) return 0;
    return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

#endif
