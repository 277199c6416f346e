// What a C library does by calling a function of the program.
// error: 8:5: 'qsort' is not supported, as it calls a function by its address: write it as loops of this program
#include <stdlib.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

void sort_function(int n, int x[n]) {
    qsort(x, n, sizeof x[0], by_value);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i]++;
}
