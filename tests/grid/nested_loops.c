// Loops around loops around phases: bitonic sorting.
// test: -i n=512 -i x=uniform:lo=0,hi=100000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a pass of the inner loop
#include <stdbool.h>

void nested_loops(int n, int x[n], int y[n]) {
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int at = i ^ j;
                bool up = (i & k) == 0, lower = i < at;
                y[i] = (x[i] < x[at]) == (up == lower) ? x[i] : x[at];
            }
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i] = y[i];
        }
}
