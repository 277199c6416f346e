// Three dense layers, again and again: products of matrices behind barriers, whose inputs other workgroups wrote.
//
// test: -i n=136 -i m=68 -i rounds=2 -i w=uniform:lo=-0.2,hi=0.2,seed=1 -i v=uniform:lo=-0.2,hi=0.2,seed=2 -i x=uniform:lo=-1,hi=1,seed=3 -i h=zeros
// check: abs 1e-4
// dispatches: 1
#include <math.h>

void layers(int n, int m, int rounds, const float w[m][m], const float v[m][m], float x[n][m], float h[n][m]) {
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s = 0.1f;
                for (int k = 0; k < m; k++)
                    s += x[i][k] * w[k][j];
                h[i][j] = fmaxf(s, 0.0f);
            }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s = 0.0f;
                for (int k = 0; k < m; k++)
                    s += h[i][k] * v[j][k];
                x[i][j] += 0.5f * s;
            }
    }
}
