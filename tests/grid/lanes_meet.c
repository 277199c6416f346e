// Lanes of an iteration that read what others of them wrote: a row of weights that a loop replaces element by element, from an index on that is not where
// the loop before began, and that the next loop reads as a whole; then what is left, by one lane.
// run: -i rows=512 -i length=300 -i size=64 -i steps=4 -i weight=normal:seed=1 -i value=normal:seed=2 -i y=zeros -i last=zeros
// test: -i rows=20 -i length=70 -i size=40 -i steps=3 -i weight=normal:seed=1 -i value=normal:seed=2 -i y=zeros -i last=zeros
// check: abs 1e-4
// dispatches: 1
#include <math.h>

void lanes_meet(int rows, int length, int size, int steps, float weight[rows][length], float value[length][size], float y[rows][size], float last[rows]) {
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float most = weight[i][0], sum = 0.0f;
            for (int s = 1; s < length; s++)
                most = fmaxf(most, weight[i][s]);
            for (int s = 0; s < length; s++) {
                weight[i][s] = expf(weight[i][s] - most);
                sum += weight[i][s];
            }
            for (int d = 0; d < size; d++) {
                float mix = 0.0f;
                for (int s = 0; s < length; s++)
                    mix += weight[i][s] * value[s][d];
                y[i][d] = mix / sum;
            }
            last[i] += y[i][size - 1] + weight[i][length - 1] * 0.125f;
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int s = 0; s < length; s++)
                weight[i][s] = weight[i][s] * 0.5f + y[(i + 1) % rows][s % size] * 0.1f;
    }
}
