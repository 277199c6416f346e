// softmax_rows.c - softmax of each row, and a small step of the rows towards it: the middle of an attention layer.
//
// No row needs another one, so all steps of a row are one iteration, without a barrier across the grid.
//
// Source: the largest element is subtracted first, so that no exponential overflows (the usual stable form).
//
// run: -i rows=4096 -i columns=1024 -i steps=20 -i x=normal:sd=2,seed=1
// test: -i rows=67 -i columns=131 -i steps=3 -i x=normal:sd=2,seed=1
// check: abs 1e-5
// dispatches: 1
#include <math.h>

void softmax_rows(int rows, int columns, int steps, float x[rows][columns], float p[rows][columns]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float most = x[i][0], sum = 0.0f;
            for (int j = 1; j < columns; j++)
                if (x[i][j] > most) most = x[i][j];
            for (int j = 0; j < columns; j++) {
                p[i][j] = expf(x[i][j] - most);
                sum += p[i][j];
            }
            for (int j = 0; j < columns; j++)
                p[i][j] /= sum;
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                x[i][j] = 0.99f * x[i][j] - p[i][j];
    }
}
