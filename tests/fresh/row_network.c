// A network applied to each row by itself, with its hidden units in a local array, and values of the row that go from
// one layer to the next: two products of matrices, which get parallel loops of their own.
// run: -i rows=4096 -i size=128 -i hidden=256 -i classes=16 -i x=normal:seed=1 -i w1=normal:sd=0.1,seed=2 -i w2=normal:sd=0.1,seed=3 -i b=normal:seed=4
// test: -i rows=83 -i size=20 -i hidden=44 -i classes=12 -i x=normal:seed=1 -i w1=normal:sd=0.1,seed=2 -i w2=normal:sd=0.1,seed=3 -i b=normal:seed=4
// check: near 1e-3
// dispatches: 1
#include <math.h>

void row_network(int rows, int size, int hidden, int classes, const float x[rows][size], const float w1[size][hidden],
                 const float w2[hidden][classes], const float b[hidden], float y[rows][classes], int best[rows]) {
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float unit[hidden], norm = 0.0f;
        for (int k = 0; k < size; k++)
            norm += x[i][k] * x[i][k];
        float scale = 1.0f / sqrtf(norm / (float)size + 1e-5f);
        for (int j = 0; j < hidden; j++) {
            float sum = 0.0f;
            for (int k = 0; k < size; k++)
                sum += x[i][k] * w1[k][j];
            unit[j] = fmaxf(sum * scale + b[j], 0.0f);
        }
        float most = -1e30f, all = 0.0f;
        for (int j = 0; j < classes; j++) {
            float sum = 0.0f;
            for (int k = 0; k < hidden; k++)
                sum += unit[k] * w2[k][j];
            y[i][j] = sum;
            if (sum > most) {
                most = sum;
                best[i] = j;
            }
        }
        for (int j = 0; j < classes; j++) {
            y[i][j] = expf(y[i][j] - most);
            all += y[i][j];
        }
        for (int j = 0; j < classes; j++)
            y[i][j] /= all;
    }
}
