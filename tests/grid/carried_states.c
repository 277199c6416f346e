// States that few iterations carry from step to step, each of which has an element of its own in all loops: lanes of a
// subgroup have them in registers, nobody has asked for that. There and back, with sums, copies and atomic updates.
//
// run: -i batch=24 -i length=128 -i dim=32 -i u=normal:seed=1 -i in=normal:sd=0.3,seed=2 -i out=normal:seed=3 -i a=uniform:lo=0.5,hi=4,seed=4
// test: -i batch=3 -i length=17 -i dim=5 -i u=normal:seed=1 -i in=normal:sd=0.3,seed=2 -i out=normal:seed=3 -i a=uniform:lo=0.5,hi=4,seed=4
// check: near 1e-3
// check: above exact except 1%
// barriers: 1
// dispatches: 1
#include <math.h>
enum { N = 6 };
void carried_states(int batch, int length, int dim, const float u[batch][length][dim], const float in[batch][length][N],
                    const float out[batch][length][N], const float a[dim][N], float y[batch][length][dim],
                    int above[batch][length][N], float da[batch][dim][N], float error[1]) {
    float h[batch][length][dim][N], sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int b = 0; b < batch; b++)
        for (int d = 0; d < dim; d++) {
            float state[N];
            for (int n = 0; n < N; n++)
                state[n] = 0;
            for (int t = 0; t < length; t++) {
                float x = u[b][t][d], dt = 0.1f + x * x, s = 0.5f * x;
                for (int n = 0; n < N; n++) {
                    state[n] = expf(-dt * a[d][n]) * state[n] + in[b][t][n] * x * dt;
                    h[b][t][d][n] = state[n];
                    s += out[b][t][n] * state[n];
                }
                y[b][t][d] = s;
                sum += s * s;
            }
        }
    error[0] = sum;
#pragma omp parallel for collapse(2)
    for (int b = 0; b < batch; b++)
        for (int d = 0; d < dim; d++) {
            float g[N], ga[N];
            for (int n = 0; n < N; n++)
                g[n] = ga[n] = 0;
            for (int t = length - 1; t >= 0; t--) {
                float x = u[b][t][d], dt = 0.1f + x * x, e = y[b][t][d];
                for (int n = 0; n < N; n++) {
                    float before = t > 0 ? h[b][t - 1][d][n] : 0, keep = expf(-dt * a[d][n]);
                    g[n] += e * out[b][t][n];
#pragma omp atomic
                    above[b][t][n] += g[n] * dt > 0;
                    ga[n] -= g[n] * dt * keep * before;
                    g[n] *= keep;
                }
            }
            for (int n = 0; n < N; n++)
                da[b][d][n] = ga[n];
        }
}
