// perhaps_none.c - searches for the best that begin with no place at all: pointers that are NULL, in iterations
// and in sequential code.
//
// test: -i n=60 -i x=uniform:lo=0,hi=100,seed=3
// check: exact
#include <stddef.h>

void perhaps_none(int n, const int x[n], int y[n], int z[n], int out[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int *best = NULL;
        for (int k = 0; k < n; k++)
            if (x[k] % 7 == i % 9 && (!best || x[k] > *best)) best = &x[k];
        y[i] = best ? (int)(best - x) : -1;
        const int *low = NULL;
        for (int k = 0; k < n; k++)
            if (x[k] % 11 == i % 13 && (!low || x[k] <= *low)) low = x + k;
        z[i] = low ? (int)(low - x) : -1;
    }
    for (int part = 0; part < 2; part++) {
        const int *least = NULL;
        for (int k = part; k < n; k += 2)
            if (y[k] > 5 && (!least || x[k] < *least)) least = x + k;
        out[part] = least ? (int)(least - x) : -1;
    }
}
