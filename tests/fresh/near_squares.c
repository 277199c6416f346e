// Products of small matrices that each iteration has to itself, and bytes beside them: lanes share the nests, whose
// loops alone are too short for them. How often a matrix is squared differs from iteration to iteration.
//
// run: -i m=4096 -i a=normal:sd=0.3,seed=3
// test: -i m=37 -i a=normal:sd=0.3,seed=3
// check: e near 1e-4
// check: signs exact
// dispatches: 1
#include <math.h>
#include <stdint.h>
enum { D = 9 };

static void mul(float c[D][D], float a[D][D], float b[D][D]) {
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            float s = 0;
            for (int k = 0; k < D; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

void near_squares(int m, const float a[m][D][D], float e[m][D][D], int signs[m]) {
#pragma omp parallel for
    for (int q = 0; q < m; q++) {
        float x[D][D], t[D][D];
        uint8_t negative[D * D];
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) {
                x[i][j] = a[q][i][j] * 0.2f;
                negative[i * D + j] = a[q][i][j] < 0;
            }
        for (int s = 0; s < q % 5; s++) {
            mul(t, x, x);
            for (int i = 0; i < D; i++)
                for (int j = 0; j < D; j++)
                    x[i][j] = t[i][j] * 2;
        }
        int count = 0;
        for (int i = 0; i < D * D; i++)
            count += negative[i] * (i + 1);
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                e[q][i][j] = x[i][j];
        signs[q] = count;
    }
}
