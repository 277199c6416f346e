// Memory of the program's own between its loops.
// test: -i n=600 -i steps=5 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
#include <stdlib.h>

void allocated_scratch(int n, int steps, int x[n]) {
    int *between = malloc(sizeof(int) * (size_t)n);
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            between[i] = x[i] * 3 + t;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = (between[n - 1 - i] + between[(i + 300) % n]) % 1009;
    }
    free(between);
}
