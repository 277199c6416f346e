// small_systems.c - symmetric systems of each iteration's own, by Cholesky, whose loops are triangles of a few passes, and
// the solution's parts in order, by bubbles: places in the arrays are constants, when all loops are unrolled.
//
// test: -i n=77 -i m=normal:seed=1
// check: near 1e-3
// check: order exact
// dispatches: 1
#include <math.h>
enum { N = 5 };
void small_systems(int n, const float m[n][N], float x[n][N], int order[n][N]) {
#pragma omp parallel for
    for (int t = 0; t < n; t++) {
        float a[N][N], b[N];
        for (int i = 0; i < N; i++) {
            b[i] = m[t][i] + i;
            for (int j = 0; j < N; j++)
                a[i][j] = m[t][i] * m[t][j] + (i == j) * 2.0f;
        }
        for (int i = 0; i < N; i++) {
            for (int j = 0; j <= i; j++) {
                float s = a[i][j];
                for (int k = 0; k < j; k++)
                    s -= a[i][k] * a[j][k];
                a[i][j] = i == j ? sqrtf(s) : s / a[j][j];
            }
            for (int k = 0; k < i; k++)
                b[i] -= a[i][k] * b[k];
            b[i] /= a[i][i];
        }
        for (int i = N - 1; i >= 0; i--) {
            for (int k = N - 1; k > i; k--)
                b[i] -= a[k][i] * b[k];
            b[i] /= a[i][i];
            x[t][i] = b[i];
        }
        int rank[N];
        for (int i = 0; i < N; i++)
            rank[i] = (int)floorf(m[t][i] * 4.0f) * 8 + i;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N - 1 - i; j++)
                if (rank[j] > rank[j + 1]) {
                    int q = rank[j];
                    rank[j] = rank[j + 1];
                    rank[j + 1] = q;
                }
        for (int i = 0; i < N; i++)
            order[t][i] = rank[i];
    }
}
