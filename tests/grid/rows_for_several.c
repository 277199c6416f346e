// rows_for_several.c - products of some vectors with the rows of one matrix: a row is loaded once for several vectors, whose
// number a run says, or which is known. `some` leaves the last block of vectors partly empty, `one` is one vector alone.
//
// run: -i n=600 -i m=512 -i many=12 -i some=9 -i one=1 -i steps=3 --uniform some --uniform one
// test: -i n=50 -i m=64 -i many=12 -i some=7 -i one=1 -i steps=2 --uniform some --uniform one
// run: -i w=normal:sd=0.05,seed=1 -i bytes=uniform:lo=-127,hi=128,seed=2 -i scales=uniform:lo=0,hi=0.01,seed=3 -i kinds=uniform:lo=0,hi=3,seed=4
// test: -i w=normal:sd=0.05,seed=1 -i bytes=uniform:lo=-127,hi=128,seed=2 -i scales=uniform:lo=0,hi=0.01,seed=3 -i kinds=uniform:lo=0,hi=3,seed=4
// run: -i x=normal:seed=5
// test: -i x=normal:seed=5
// check: abs 1e-3
// dispatches: 1
#include <math.h>

void rows_for_several(int n, int m, int many, int some, int one, int steps, const float w[n][m],
                      const signed char bytes[m][m], const float scales[m][m / 32], const int kinds[many],
                      float x[many][m], float y[many][n], float z[many][m], float lengths[m]) {
    for (int step = 0; step < steps; step++) {
        // Two sums; what follows differs from vector to vector, and some elements stay as they were.
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int b = 0; b < some; b++) {
                int kind = kinds[b] + step;
                float s = 0.0f, most = (float)kind;
#pragma omp simd reduction(+ : s) reduction(max : most)
                for (int j = 0; j < m; j++) {
                    float e = w[i][j] * x[b][j];
                    s += e;
                    most = fmaxf(most, e);
                }
                if (kind == 1)
                    y[b][i] = s;
                else if (i % 3 != kind)
                    y[b][i] = y[b][i] * 0.5f + most;
            }
            // Numbers with a scale that neighbours share, and two loops in each pass.
#pragma omp parallel for
        for (int i = 0; i < m; i++)
            for (int b = 0; b < some; b++) {
                float s = 0.0f, rest = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < m; j++) {
                    float scale = scales[i][j / 32];
                    s += (float)bytes[i][j] * scale * x[b][j];
                }
                float part = s / (float)(m + b);
#pragma omp simd reduction(+ : rest)
                for (int j = 0; j < m; j++)
                    rest += (float)bytes[i][j] * (x[b][j] - part);
                z[b][i] = part + 1e-4f * rest;
            }
            // One alone, and as many as the arrays have.
#pragma omp parallel for
        for (int i = 0; i < m; i++) {
            float sum = 0.0f;
            for (int b = 0; b < one; b++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < m; j++)
                    s += (float)bytes[i][j] * x[b][j];
                z[b][i] += 1e-3f * s;
            }
            for (int b = 0; b < many; b++) { // each adds to the sum of the one before it: this one stays as it is
                float s = sum;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < m; j++)
                    s += (float)bytes[i][j] * x[b][j];
                sum = 0.5f * s;
            }
            lengths[i] = 1e-3f * sum;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int b = 0; b < 6; b++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < m; j++)
                    s += w[i][j] * z[b][j];
                y[b][i] += s;
            }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < some; b++)
            for (int j = 0; j < m; j++)
                x[b][j] = 0.5f * x[b][j] + 0.1f * z[b][j];
    }
}
