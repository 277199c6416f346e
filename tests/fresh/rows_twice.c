// Small matrices times vectors, two passes of which the second one is another: with every loop copied and arrays left in memory, one driver took
// gigabytes to compile it.
//
// run: -i batch=8192 -i a=normal:sd=0.2,seed=1
// test: -i batch=20 -i a=normal:sd=0.2,seed=1
// check: near 1e-3
#include <math.h>
enum { N = 12, M = 48 };
void rows_twice(int batch, const float a[batch][M][N], float best[batch][N]) {
#pragma omp parallel for
    for (int p = 0; p < batch; p++) {
        float x[N], s[M], z[M], rp[M], rc[M], dx[N], ds[M], dz[M];
        for (int i = 0; i < N; i++)
            x[i] = 0.0f;
        for (int i = 0; i < M; i++)
            s[i] = z[i] = 1.0f;
        for (int it = 0; it < 5; it++) {
            for (int i = 0; i < M; i++) {
                rp[i] = s[i] - 1.0f;
                for (int j = 0; j < N; j++)
                    rp[i] += a[p][i][j] * x[j];
            }
            for (int pass = 0; pass < 2; pass++) {
                for (int i = 0; i < M; i++)
                    rc[i] = pass == 0 ? s[i] * z[i] : s[i] * z[i] + 0.1f * ds[i] * dz[i];
                for (int i = 0; i < N; i++) {
                    dx[i] = 0.0f;
                    for (int l = 0; l < M; l++)
                        dx[i] -= 0.1f * a[p][l][i] * (z[l] * rp[l] - rc[l]) / s[l];
                }
                for (int i = 0; i < M; i++) {
                    ds[i] = -rp[i];
                    for (int j = 0; j < N; j++)
                        ds[i] -= a[p][i][j] * dx[j];
                    dz[i] = -(rc[i] + z[i] * ds[i]) / s[i];
                }
            }
            for (int i = 0; i < N; i++)
                x[i] += 0.05f * dx[i];
            for (int i = 0; i < M; i++) {
                s[i] = fmaxf(s[i] + 0.05f * ds[i], 0.1f);
                z[i] = fmaxf(z[i] + 0.05f * dz[i], 0.1f);
            }
        }
        for (int i = 0; i < N; i++)
            best[p][i] = x[i];
    }
}
