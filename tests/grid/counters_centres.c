// Points go to the nearest of a few centres, which then move to the mean of theirs: sums and counts in copies of each
// workgroup. Coordinates are whole numbers, so that sums in any order have the same bits.
// run: -i n=262144 -i centres=16 -i steps=20 -i x=uniform:lo=0,hi=1000,seed=1
// test: -i n=3000 -i centres=4 -i steps=4 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 3 a step
#include <math.h>
#define SIDE 8
void counters_centres(int n, int centres, int steps, const int x[n][SIDE], float centre[centres][SIDE], int label[n]) {
    float sums[centres][SIDE];
    int count[centres];
    int changed;
    for (int c = 0; c < centres; c++)
        for (int d = 0; d < SIDE; d++)
            centre[c][d] = (float)x[c * 7][d];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int c = 0; c < centres; c++)
            for (int d = 0; d < SIDE; d++) {
                sums[c][d] = 0;
                if (d == 0)
                    count[centres - 1 - c] = 0; // of others' rows: a missing barrier shows in any order
            }
        changed = 0;
#pragma omp parallel for reduction(+ : changed)
        for (int i = 0; i < n; i++) {
            float least = 1e30f;
            int best = 0;
            for (int c = 0; c < centres; c++) {
                float far = 0;
                for (int d = 0; d < SIDE; d++) {
                    float by = (float)x[i][d] - centre[c][d];
                    far += by * by;
                }
                if (far < least) {
                    least = far;
                    best = c;
                }
            }
            changed += label[i] != best;
            label[i] = best;
            for (int d = 0; d < SIDE; d++) {
#pragma omp atomic
                sums[best][d] += (float)x[i][d];
            }
#pragma omp atomic
            count[best] += 1;
        }
#pragma omp parallel for collapse(2)
        for (int c = 0; c < centres; c++)
            for (int d = 0; d < SIDE; d++)
                if (count[c] > 0 && changed > 0)
                    centre[c][d] = floorf(sums[c][d] / (float)count[c]);
    }
}
