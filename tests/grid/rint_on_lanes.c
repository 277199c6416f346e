// run: -i n=100 -i x=normal:sd=9,seed=1
// test: -i n=100 -i x=normal:sd=9,seed=1
// check: near 1e-4
// dispatches: 1
// The function round of WGSL in a loop that lanes of a workgroup share, in one dispatch.
#include <math.h>

void f(int n, float x[n], float y[n]) {
    for (int k = 0; k < 3; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float t = 0;
            for (int j = 0; j < n; j++) {
                float d = x[i] - x[j];
                t += d - rintf(d);
            }
            y[i] = t;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] += 0.1f * y[i];
    }
}
