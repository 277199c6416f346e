// Few iterations with long sums in the order of C, some of them conditional: lanes share the loops.
//
// test: -i n=70 -i m=700 -i steps=3 -i a=uniform:lo=-1,hi=1,seed=1 -i x=uniform:lo=-1,hi=1,seed=2 -i most=zeros -i count=zeros
// check: abs 1e-4
// check: count exact
// dispatches: 1
#include <math.h>

void sums_of_few(int n, int m, int steps, const float a[n][m], float x[m], float most[n], int count[n]) {
    float y[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0.0f, positive = 0.0f, largest = -1e30f, least = a[i][0];
            int k = 0;
            for (int j = 0; j < m; j++) {
                float term = a[i][j] * x[j];
                sum += term;
                if (a[i][j] > 0.5f) {
                    positive += x[j];
                    k++;
                }
                largest = fmaxf(largest, term);
                if (a[i][j] < least) least = a[i][j];
            }
            y[i] = sum + positive / (float)(k + 1);
            most[i] = largest - least;
            count[i] = k;
        }
#pragma omp parallel for
        for (int j = 0; j < m; j++)
            x[j] = 0.9f * x[j] + y[j % n] / (float)m;
    }
}
