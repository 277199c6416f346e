// Layer norm of each row and a residual step: a loop over rows, then one over their elements.
// run: -i rows=2048 -i columns=768 -i steps=50 -i x=normal:seed=1 -i gain=normal:seed=2
// test: -i rows=37 -i columns=70 -i steps=3 -i x=normal:seed=1 -i gain=normal:seed=2
// check: abs 1e-4
// dispatches: 1
#include <math.h>

void layer_norm_residual(int rows, int columns, int steps, float x[rows][columns], const float gain[columns]) {
    float mean[rows], scale[rows];
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
                x[i][j] += 0.1f * tanhf(gain[j] * (x[i][j] - mean[i]) * scale[i]);
    }
}
