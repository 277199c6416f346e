// Products of matrices of which only a triangle is wanted, as programs write them: by dot products, row by row, with both
// halves filled, and with distances in place of products. All are made in tiles.
// run: -i n=1024 -i d=256 -i a=normal:seed=1 -i c=normal:seed=2
// test: -i n=67 -i d=37 -i a=normal:seed=1 -i c=normal:seed=2
// check: near 1e-3
// dispatches: 1
#include <math.h>

void triangle_products(int n, int d, float a[n][d], float mean[d], float c[n][n], float cov[d][d], float dist[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= 0.5f;
        for (int k = 0; k < d; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += 1.5f * a[i][k] * a[j][k];
    }
#pragma omp parallel for
    for (int j = 0; j < d; j++) {
        mean[j] = 0.0f;
        for (int i = 0; i < n; i++)
            mean[j] += a[i][j];
        mean[j] /= (float)n;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            a[i][j] -= mean[j];
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < d; i++)
        for (int j = i; j < d; j++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++)
                sum += a[k][i] * a[k][j];
            sum /= (float)(n - 1);
            cov[i][j] = sum;
            cov[j][i] = sum;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float sum = 0.0f;
            for (int k = 0; k < d; k++) {
                float e = a[i][k] - a[j][k];
                sum += e * e;
            }
            dist[i][j] = sqrtf(sum);
        }
}
