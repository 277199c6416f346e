// adopted.c - a field with sources, of which one moves and one ends, and a line of cells that is written in one place:
// an iteration that has the element anyway stores it.
//
// test: -i n=40 -i steps=9 -i p=uniform:lo=-1,hi=1,seed=1 -i k=uniform:lo=0.01,hi=0.1,seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
void adopted(int n, int steps, float p[n][n], float v[n][n], const float k[n][n], float line[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] += k[i][j] * (p[i + 1][j] + p[i - 1][j] + p[i][j + 1] + p[i][j - 1] - 4 * p[i][j]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                p[i][j] += v[i][j];
        float source = sinf(0.3f * t) * k[2][3];
        p[n / 2][n / 3] += source;
        p[3 + t][n - 2] = p[3 + t][n - 2] * 0.5f + 1.0f;
        if (t < 4)
            p[5][5] = 2.0f;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            line[i] = line[i] * 0.5f + p[i][n / 2];
        line[t * 5 % n] -= 0.25f;
    }
}
