// An assert that fails in several iterations at several steps: the smallest iteration is named, at its first failure.
// run: -i n=64 -i steps=4 -i lim=30
#include <assert.h>
void f(int n, int steps, int lim, int x[n][4]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 4; j++) {
            x[i][j] += i + t + j;
            assert(x[i][j] / (t + 1) < lim && "too large");
        }
    }
}
