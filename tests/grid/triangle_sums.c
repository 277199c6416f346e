// A triangular matrix made column by column, each element a sum over those before it, and then the rows' own sums: loops in loops whose bounds are not constants.
// with --portable: -i n=150 -i columns=140 -i a=normal:seed=1 -i x=normal:seed=2 -i l=const:0 -i y=const:0
// test: -i n=70 -i columns=9 -i a=normal:seed=1 -i x=normal:seed=2 -i l=const:0 -i y=const:0
// check: rel 1e-3
// dispatches: 1
#include <math.h>

void triangle_sums(int n, int columns, const float a[n][columns], const float x[n], float l[n][columns], float y[n]) {
    for (int j = 0; j < columns; j++) {
        float square = 0;
#pragma omp parallel for reduction(+ : square)
        for (int k = 0; k < j; k++)
            square += l[j][k] * l[j][k];
        float diagonal = sqrtf(1.0f + square);
        l[j][j] = 0.5f * diagonal;
#pragma omp parallel for
        for (int i = n - 1; i > j; i--) {
            float sum = 0;
            for (int k = 0; k < j; k++)
                sum += l[i][k] * l[j][k];
            l[i][j] = (a[i][j] - 0.1f * sum) / diagonal - l[j][j];
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k <= (i < columns - 1 ? i : columns - 1); k++)
            sum += l[i][k] * x[k];
        y[i] = sum;
    }
}
