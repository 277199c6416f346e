// Loops over rows and columns that the program calls `simd`, and that store into local arrays: lanes cannot have parts of those, so other loops are
// shared, or these with their arrays in memory.
//
// run: -i pairs=512 -i eps=0.02 -i x=uniform:lo=0,hi=1,seed=1 -i y=uniform:lo=0,hi=1,seed=2
// test: -i pairs=3 -i eps=0.05 -i x=uniform:lo=0,hi=1,seed=1 -i y=uniform:lo=0,hi=1,seed=2
// check: near 1e-3
#include <math.h>
#define N 128
void asked_in_vain(int pairs, float eps, const float x[pairs][N], const float y[pairs][N], float f[pairs][N], int count[pairs]) {
#pragma omp parallel for
    for (int q = 0; q < pairs; q++) {
        float u[N], v[N];
        for (int i = 0; i < N; i++)
            u[i] = v[i] = 0.0f;
        int it = 0;
        for (;;) {
            float error = 0.0f;
#pragma omp simd reduction(+ : error)
            for (int i = 0; i < N; i++) {
                float sum = 0.0f;
                for (int j = 0; j < N; j++)
                    sum += expf((v[j] - (x[q][i] - y[q][j]) * (x[q][i] - y[q][j])) / eps);
                float next = -eps * logf(sum);
                error += fabsf(next - u[i]);
                u[i] = next;
            }
            if (error < 1e-3f || it >= 200)
                break;
#pragma omp simd
            for (int j = 0; j < N; j++) {
                float sum = 0.0f;
                for (int i = 0; i < N; i++)
                    sum += expf((u[i] - (x[q][i] - y[q][j]) * (x[q][i] - y[q][j])) / eps);
                v[j] = -eps * logf(sum);
            }
            it++;
        }
        count[q] = it;
        for (int i = 0; i < N; i++)
            f[q][i] = u[i];
    }
}
