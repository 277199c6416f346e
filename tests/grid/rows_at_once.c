// Rows that lanes share, each making several of its passes at once: the largest from the second element on, a row that replaces itself and is summed, and one
// that the next loop divides; some passes are left at the end of each.
// run: -i rows=4096 -i length=1000 -i steps=10 -i x=normal:seed=1 -i p=zeros -i sums=zeros
// test: -i rows=9 -i length=1000 -i steps=3 -i x=normal:seed=1 -i p=zeros -i sums=zeros
// check: rel 1e-4
// dispatches: 1
#include <math.h>

void rows_at_once(int rows, int length, int steps, float x[rows][length], float p[rows][length], float sums[rows]) {
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float most = x[i][0], sum = 0.0f;
            for (int j = 1; j < length; j++)
                if (x[i][j] > most) most = x[i][j];
            for (int j = 0; j < length; j++) {
                p[i][j] = p[i][j] * 0.5f + expf(x[i][j] - most);
                sum += p[i][j];
            }
            for (int j = 0; j < length; j++)
                p[i][j] /= sum;
            sums[i] += sum;
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < length; j++)
                x[i][j] = 0.5f * x[i][j] - p[i][length - 1 - j] + 0.01f * (float)(i + j);
    }
}
