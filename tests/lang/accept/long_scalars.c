// Entry scalars of 64-bit types, as long as their values fit in 32 bits.
// test: -i n=12 -i rows=3 -i shift=-5
// check: exact
#include <stddef.h>
#include <stdint.h>
void scalars(int64_t n, size_t rows, long shift, int y[rows][n]) {
#pragma omp parallel for collapse(2)
    for (size_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < n; i++)
            y[r][i] = (int)(i + shift) * (int)(r + 1);
}
