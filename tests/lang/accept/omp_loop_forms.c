// The loops that a directive takes: < <= > >= !=, the variable on either side, every way to step, int, unsigned, long, size_t.
// test: -i n=40
// check: exact
#include <stddef.h>
#include <stdint.h>

void forms(int n, int out[n][10]) {
#pragma omp parallel for
    for (int i = 0; i <= n - 1; i++)
        out[i][0] = i + 1;
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        out[i][1] = i + 2;
#pragma omp parallel for
    for (int i = n - 1; i > 2; i -= 3)
        out[i][2] = i;
#pragma omp parallel for
    for (int i = 1; n > i; i = i + 4)
        out[i][3] = i;
#pragma omp parallel for
    for (int i = 0; i != n; ++i)
        out[i][4] = i;
#pragma omp parallel for
    for (unsigned u = 0; u < (unsigned)n; u = 2u + u)
        out[u][5] = (int)u;
#pragma omp parallel for
    for (long l = 3; l < n; l += 5)
        out[l][6] = (int)l * 2;
#pragma omp parallel for
    for (size_t k = 0; k < (size_t)n / 2; k++)
        out[k * 2][7] = (int)k;
    int step = 3;
#pragma omp parallel for
    for (int i = 0; i < n; i += step)
        out[i][8] = i;
    int i;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        out[i][9] = -i;
}
