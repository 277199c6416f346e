// A small network for each row: both layers are loops over rows and units, which need each other within a row only.
// run: -i rows=256 -i size=128 -i hidden=256 -i steps=30 -i x=normal:seed=1 -i w1=normal:sd=0.1,seed=2 -i w2=normal:sd=0.1,seed=3
// test: -i rows=19 -i size=40 -i hidden=70 -i steps=3 -i x=normal:seed=1 -i w1=normal:sd=0.1,seed=2 -i w2=normal:sd=0.1,seed=3
// check: abs 1e-4
// dispatches: 1
#include <math.h>

void row_mlp(int rows, int size, int hidden, int steps, float x[rows][size], const float w1[size][hidden], const float w2[hidden][size]) {
    float h[rows][hidden];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < hidden; k++) {
                float sum = 0.0f;
                for (int j = 0; j < size; j++)
                    sum += x[i][j] * w1[j][k];
                h[i][k] = tanhf(sum);
            }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < size; j++) {
                float sum = 0.0f;
                for (int k = 0; k < hidden; k++)
                    sum += h[i][k] * w2[k][j];
                x[i][j] = 0.9f * x[i][j] + 0.1f * sum;
            }
    }
}
