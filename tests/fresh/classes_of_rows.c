// classes_of_rows.c - for each row, sums by the classes of its columns, the spread of those sums, and how its values
// lie in bins.
//
// run: -i rows=2048 -i n=8192 -i kind=uniform:lo=0,hi=6,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// test: -i rows=7 -i n=300 -i kind=uniform:lo=0,hi=6,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// check: spread near 1e-3
// check: bins exact
// dispatches: 1
#include <math.h>
#define KINDS 6

void classes(int rows, int n, const int kind[n], const float x[rows][n], float spread[rows], int bins[rows][10]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        float sum[KINDS] = {0.0f};
        int of[KINDS] = {0}, bin[10] = {0};
        for (int j = 0; j < n; j++) {
            sum[kind[j]] += x[r][j];
            of[kind[j]]++;
        }
        for (int j = 0; j < n; j++)
            if (x[r][j] > -0.9f) bin[(int)(4.999f * (x[r][j] + 1.0f))]++;
        float least = INFINITY, most = -INFINITY;
        for (int k = 0; k < KINDS; k++) {
            float mean = sum[k] / (float)of[k];
            least = fminf(least, mean);
            most = fmaxf(most, mean);
        }
        spread[r] = most - least;
        for (int b = 0; b < 10; b++)
            bins[r][b] = bin[b];
    }
}
