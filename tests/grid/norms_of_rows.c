// norms_of_rows.c - rows that are made of length 1 and mixed, step after step: each step's norms are short reductions,
// one after the other as written.
//
// run: -i rows=8 -i n=1024 -i steps=20
// test: -i rows=5 -i n=70 -i steps=4
// run: -i x=normal:seed=1
// test: -i x=normal:seed=1
// check: abs 1e-5
// dispatches: 1
// barriers: 2 a step
#include <math.h>

void norms_of_rows(int rows, int n, int steps, float x[rows][n], float most[rows]) {
    float y[rows][n], scale[rows];
    for (int step = 0; step < steps; step++) {
        for (int b = 0; b < rows; b++) {
            float square = 0.0f, top = 0.0f;
#pragma omp parallel for reduction(+ : square)
            for (int i = 0; i < n; i++)
                square += x[b][i] * x[b][i];
#pragma omp parallel for reduction(max : top)
            for (int i = 0; i < n; i++)
                top = fmaxf(top, fabsf(x[b][i]));
            scale[b] = 1.0f / sqrtf(square);
            most[b] = top * scale[b];
        }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < rows; b++)
            for (int i = 0; i < n; i++)
                y[b][i] = x[b][i] * scale[b] + 0.01f * x[(b + 1) % rows][(i + 1) % n] * most[b];
#pragma omp parallel for collapse(2)
        for (int b = 0; b < rows; b++)
            for (int i = 0; i < n; i++)
                x[b][i] = y[b][i] + 0.001f * (float)step;
    }
}
