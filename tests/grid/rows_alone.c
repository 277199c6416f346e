// Rows that need no other row for some steps, and then their neighbours: the steps within a row are one iteration each, and the loops that need
// other rows stay apart.
// run: -i rows=2048 -i columns=768 -i steps=5 -i rounds=4 -i x=normal:seed=1 -i gain=normal:seed=2
// test: -i rows=67 -i columns=131 -i steps=3 -i rounds=2 -i x=normal:seed=1 -i gain=normal:seed=2
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a step
#include <math.h>

void rows_alone(int rows, int columns, int steps, int rounds, float x[rows][columns], const float gain[columns]) {
    float y[rows][columns], mean[rows], scale[rows];
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < steps; t++) {
#pragma omp parallel for
            for (int i = 0; i < rows; i++) {
                float sum = 0.0f, square = 0.0f;
                for (int j = 0; j < columns; j++)
                    sum += x[i][j];
                mean[i] = sum / (float)columns;
                for (int j = 0; j < columns; j++)
                    square += (x[i][j] - mean[i]) * (x[i][j] - mean[i]);
                scale[i] = 1.0f / sqrtf(square / (float)columns + 1e-5f);
            }
#pragma omp parallel for collapse(2)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    y[i][j] = tanhf(gain[j] * (x[i][j] - mean[i]) * scale[i]);
#pragma omp parallel for collapse(2)
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    x[i][j] += 0.1f * (y[i][j] + y[i][j > 0 ? j - 1 : columns - 1] + y[i][columns - 1 - j]);
        }
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float sum = 0.0f;
            for (int j = 0; j < columns; j++)
                sum += x[i][j];
            mean[i] = sum / (float)columns;
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                x[i][j] = 0.5f * x[i][j] + 0.25f * (mean[i] + mean[i > 0 ? i - 1 : rows - 1]);
    }
}
