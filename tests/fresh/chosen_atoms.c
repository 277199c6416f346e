// Lanes in a loop that data end, around loops that end at its counter with sums in them (a row of a factor, element by element): each signal by its
// best fitting atoms.
//
// run: -i batch=8192 -i atoms=512 -i tol=0.1 -i d=normal:sd=0.125,seed=1 -i y=normal:seed=2
// test: -i batch=40 -i atoms=96 -i tol=0.1 -i d=normal:sd=0.125,seed=1 -i y=normal:seed=2
// check: near 1e-3 except 1%
#include <math.h>
#define M 64
#define S 12
void chosen_atoms(int batch, int atoms, float tol, const float d[atoms][M], const float y[batch][M], float coef[batch][S], float left[batch]) {
#pragma omp parallel for
    for (int b = 0; b < batch; b++) {
        float r[M], l[S][S], rhs[S], z[S], x[S], norm = 0.0f;
        int at[S];
        for (int m = 0; m < M; m++) {
            r[m] = y[b][m];
            norm += r[m] * r[m];
        }
        float stop = tol * tol * norm;
        int k = 0;
        while (k < S && norm > stop) {
            int best = 0;
            float most = -1.0f;
            for (int a = 0; a < atoms; a++) {
                float dot = 0.0f;
                for (int m = 0; m < M; m++)
                    dot += d[a][m] * r[m];
                if (fabsf(dot) > most) {
                    most = fabsf(dot);
                    best = a;
                }
            }
            at[k] = best;
            float own = 0.0f, proj = 0.0f;
            for (int m = 0; m < M; m++) {
                own += d[best][m] * d[best][m];
                proj += d[best][m] * y[b][m];
            }
            rhs[k] = proj;
            for (int i = 0; i < k; i++) {
                float s = 0.0f;
                for (int m = 0; m < M; m++)
                    s += d[at[i]][m] * d[best][m];
                for (int j = 0; j < i; j++)
                    s -= l[i][j] * l[k][j];
                l[k][i] = s / l[i][i];
                own -= l[k][i] * l[k][i];
            }
            l[k][k] = sqrtf(fmaxf(own, 1e-6f));
            k++;
            for (int i = 0; i < k; i++)
                z[i] = rhs[i];
            for (int i = k - 1; i >= 0; i--)
                x[i] = z[i];
            norm = 0.0f;
            for (int m = 0; m < M; m++) {
                float s = y[b][m];
                for (int i = 0; i < k; i++)
                    s -= x[i] * d[at[i]][m];
                r[m] = s;
                norm += s * s;
            }
        }
        for (int i = 0; i < S; i++)
            coef[b][i] = i < k ? x[i] : 0.0f;
        left[b] = sqrtf(norm);
    }
}
