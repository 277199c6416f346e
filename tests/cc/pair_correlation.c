// build: -fdouble=pair
// Correlation of columns: means, deviations by sqrt, a symmetric matrix written above and below its diagonal.
#include <math.h>
#include <stdio.h>

#define M 28
#define N 32
typedef double DATA;

static DATA data[N][M], corr[M][M], mean[M], stddev[M];

static void init(DATA *float_n) {
    *float_n = (DATA)N;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (DATA)(i * j) / M + (i * 7 + j * 3) % 11;
}

static void correlate(int m, int n, DATA float_n) {
    int i, j, k;
    DATA eps = 0.1;
#pragma omp parallel private(i, j, k) // GPU
    {
#pragma omp for
        for (j = 0; j < m; j++) {
            mean[j] = 0.0;
            for (i = 0; i < n; i++)
                mean[j] += data[i][j];
            mean[j] /= float_n;
        }
#pragma omp for
        for (j = 0; j < m; j++) {
            stddev[j] = 0.0;
            for (i = 0; i < n; i++)
                stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
            stddev[j] /= float_n;
            stddev[j] = sqrt(stddev[j]);
            stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
        }
#pragma omp for
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++) {
                data[i][j] -= mean[j];
                data[i][j] /= sqrt(float_n) * stddev[j];
            }
#pragma omp for
        for (i = 0; i < m - 1; i++) {
            corr[i][i] = 1.0;
            for (j = i + 1; j < m; j++) {
                corr[i][j] = 0.0;
                for (k = 0; k < n; k++)
                    corr[i][j] += data[k][i] * data[k][j];
                corr[j][i] = corr[i][j];
            }
        }
    }
    corr[m - 1][m - 1] = 1.0;
}

int main(void) {
    DATA float_n;
    init(&float_n);
    correlate(M, N, float_n);
    for (int i = 0; i < M; i += 3) {
        for (int j = 0; j < M; j += 5)
            printf("%.9f ", corr[i][j]);
        printf("\n");
    }
    return 0;
}
