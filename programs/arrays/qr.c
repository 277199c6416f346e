// qr.c - the QR decomposition of a tall matrix by modified Gram-Schmidt.
//
// Source: A. Bjorck, "Solving linear least squares problems by Gram-Schmidt orthogonalization", 1967.
//
// run: -i rows=4096 -i columns=256 -i q=normal:seed=1
// test: -i rows=50 -i columns=12 -i q=normal:seed=1
// check: q abs 1e-4
// check: r abs 1e-3
// dispatches: 1
// barriers: 4 a column
#include <math.h>

void qr(int rows, int columns, float q[rows][columns], float r[columns][columns]) {
    for (int k = 0; k < columns; k++) {
        float square = 0.0f;
#pragma omp parallel for reduction(+ : square)
        for (int i = 0; i < rows; i++)
            square += q[i][k] * q[i][k];
        float length = sqrtf(square);
        r[k][k] = length;
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            q[i][k] /= length;
#pragma omp parallel for
        for (int j = k + 1; j < columns; j++) {
            float dot = 0.0f;
            for (int i = 0; i < rows; i++)
                dot += q[i][k] * q[i][j];
            r[k][j] = dot;
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = k + 1; j < columns; j++)
                q[i][j] -= q[i][k] * r[k][j];
    }
}
