// lstm.c - a sequence goes through one layer of long short-term memory.
//
// Source: S. Hochreiter, J. Schmidhuber 1997, with the forget gate of F. Gers, J. Schmidhuber, F. Cummins 2000. Gates
// in the order input, forget, cell, output: g = W x + U h + b; c = sigmoid(g1) c + sigmoid(g0) tanh(g2), h =
// sigmoid(g3) tanh(c). h[t] is the output before step t, h[0] the start; c the cells at the start and at the end. A
// parallel iteration is one unit with its four gates; steps follow each other.
//
// One barrier a step: it reads all that the step before wrote. Each step writes a row of its own, so nothing is
// overwritten, and a cell belongs to its unit.
//
// run: -i steps=512 -i inputs=128 -i units=512 -i x=normal:seed=1 -i w=normal:sd=0.088,seed=2 -i u=normal:sd=0.044,seed=3 -i b=const:0
// test: -i steps=8 -i inputs=16 -i units=48 -i x=normal:seed=1 -i w=normal:sd=0.25,seed=2 -i u=normal:sd=0.14,seed=3 -i b=const:0
// check: abs 1e-5
// dispatches: 1
// barriers: 1 a step
#include <math.h>

enum { INPUT, FORGET, CELL, OUTPUT, GATES };

static float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }

void lstm(int steps, int inputs, int units, const float x[steps][inputs], const float w[GATES][units][inputs],
          const float u[GATES][units][units], const float b[GATES][units], float h[steps + 1][units], float c[units]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < units; i++) {
            float in = b[INPUT][i], forget = b[FORGET][i], cell = b[CELL][i], out = b[OUTPUT][i];
#pragma omp simd reduction(+ : in, forget, cell, out)
            for (int k = 0; k < inputs; k++) {
                in += w[INPUT][i][k] * x[t][k];
                forget += w[FORGET][i][k] * x[t][k];
                cell += w[CELL][i][k] * x[t][k];
                out += w[OUTPUT][i][k] * x[t][k];
            }
#pragma omp simd reduction(+ : in, forget, cell, out)
            for (int k = 0; k < units; k++) {
                in += u[INPUT][i][k] * h[t][k];
                forget += u[FORGET][i][k] * h[t][k];
                cell += u[CELL][i][k] * h[t][k];
                out += u[OUTPUT][i][k] * h[t][k];
            }
            c[i] = sigmoid(forget) * c[i] + sigmoid(in) * tanhf(cell);
            h[t + 1][i] = sigmoid(out) * tanhf(c[i]);
        }
    }
}
