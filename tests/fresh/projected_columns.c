// projected_columns.c - columns are made orthogonal one after the other: each is taken out of those behind it.
//
// run: -i m=2048 -i n=128
// test: -i m=200 -i n=12
// check: near 1e-3
// dispatches: 1
#include <math.h>

void project(int m, int n, float a[m][n], float v[m], float length[n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = sinf(0.37f * (float)(i * j + i)) + (i % n == j ? 2.0f : 0.0f);
    for (int k = 0; k < n; k++) {
        float squares = 0.0f;
#pragma omp parallel for reduction(+ : squares)
        for (int i = k; i < m; i++)
            squares += a[i][k] * a[i][k];
        length[k] = sqrtf(squares);
#pragma omp parallel for
        for (int i = k; i < m; i++)
            v[i] = a[i][k] / sqrtf(squares);
#pragma omp parallel for
        for (int j = k + 1; j < n; j++) {
            float s = 0.0f;
            for (int i = k; i < m; i++)
                s += v[i] * a[i][j];
            for (int i = k; i < m; i++)
                a[i][j] -= s * v[i];
        }
    }
}
