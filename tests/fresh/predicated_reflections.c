// QR of many small matrices by Householder's reflections, then the solution from behind: columns that are 0 already are
// left alone, loops go down as well as up, and end where others are.
//
// run: -i m=2048 -i a=normal:seed=5 -i b=normal:seed=6
// test: -i m=19 -i a=normal:seed=5 -i b=normal:seed=6
// check: near 2e-3
// dispatches: 1
#include <math.h>
enum { R = 80, C = 5 };
void predicated_reflections(int m, const float a[m][R][C], const float b[m][R], float x[m][C]) {
#pragma omp parallel for
    for (int s = 0; s < m; s++) {
        float q[R][C], y[R];
        for (int i = 0; i < R; i++) {
            for (int j = 0; j < C; j++)
                q[i][j] = j == 2 && s % 3 == 0 ? (float)(i == 2) : a[s][i][j];
            y[i] = b[s][i];
        }
        for (int k = 0; k < C; k++) {
            float norm = 0;
            for (int i = k + 1; i < R; i++)
                norm += q[i][k] * q[i][k];
            if (norm > 1e-12f) {
                float alpha = -copysignf(sqrtf(norm + q[k][k] * q[k][k]), q[k][k]), v0 = q[k][k] - alpha;
                float beta = 2 / (v0 * v0 + norm);
                for (int j = k + 1; j < C; j++) {
                    float dot = v0 * q[k][j];
                    for (int i = k + 1; i < R; i++)
                        dot += q[i][k] * q[i][j];
                    q[k][j] -= beta * dot * v0;
                    for (int i = k + 1; i < R; i++)
                        q[i][j] -= beta * dot * q[i][k];
                }
                float dot = v0 * y[k];
                for (int i = k + 1; i < R; i++)
                    dot += q[i][k] * y[i];
                y[k] -= beta * dot * v0;
                for (int i = k + 1; i < R; i++)
                    y[i] -= beta * dot * q[i][k];
                q[k][k] = alpha;
            }
        }
        for (int k = C - 1; k >= 0; k--) {
            float t = y[k];
            for (int j = k + 1; j < C; j++)
                t -= q[k][j] * x[s][j];
            x[s][k] = t / q[k][k];
        }
    }
}
