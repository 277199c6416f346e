// A triangular matrix made column by column, each element a sum over those before it, and then the rows' own sums: loops in loops whose bounds are not constants.
// test: -i n=150 -i a=normal:seed=1 -i x=normal:seed=2 -i l=const:0 -i y=const:0
// check: rel 1e-3
// dispatches: 1
#include <math.h>

void triangle_sums(int n, const float a[n][n], const float x[n], float l[n][n], float y[n]) {
    for (int j = 0; j < n; j++) {
        float square = 0;
#pragma omp parallel for reduction(+ : square)
        for (int k = 0; k < j; k++)
            square += l[j][k] * l[j][k];
        float diagonal = sqrtf(fabsf(4.0f * (float)n - square));
        l[j][j] = diagonal;
#pragma omp parallel for
        for (int i = j + 1; i < n; i++) {
            float sum = 0;
            for (int k = 0; k < j; k++)
                sum += l[i][k] * l[j][k];
            l[i][j] = (a[i][j] - sum) / diagonal;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k <= i; k++)
            sum += l[i][k] * x[k];
        y[i] = sum;
    }
}
