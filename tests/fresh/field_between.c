// field_between.c - charges move in the field that sequential code sums up between two parallel loops.
//
// run: -i n=512 -i steps=200
// test: -i n=150 -i steps=6
// check: near 1e-3
// dispatches: 1
#include <math.h>

void charges(int n, int steps, float rho[n], float field[n], float total[steps]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        rho[i] = 1.0f + 0.3f * cosf(6.2831853f * (float)i / (float)n);
    for (int t = 0; t < steps; t++) {
        float sum = 0.0f, all = 0.0f;
        for (int i = 0; i < n; i++) {
            float half = 0.5f * (rho[i] - 1.0f) / (float)n;
            sum += half;
            field[i] = sum;
            sum += half;
            all += field[i];
        }
        total[t] = all;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            rho[i] += 0.2f * (field[i] - all / (float)n) * (1.0f + field[n - 1 - i]) / (1.0f + rho[i]);
    }
}
