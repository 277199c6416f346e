// Draws from distributions of many values: sums until they are more than what was drawn, upwards and downwards, over
// values that some passes leave out, of either sign, and sums that never come so far.
// run: -i rows=96 -i n=20000 -i w=normal:seed=1 -i u=uniform:lo=0,hi=1,seed=2
// test: -i rows=7 -i n=3001 -i w=normal:seed=1 -i u=uniform:lo=0,hi=1,seed=2
// check: left near 1e-3
// check: up abs 3
// check: down abs 3
// check: walk abs 3 except 20%
// check: never exact
#include <math.h>

void drawn(int rows, int n, const float w[rows][n], const float u[rows], int up[rows], int down[rows], int walk[rows], int never[rows], float left[rows][2]) {
#pragma omp parallel for
    for (int b = 0; b < rows; b++) {
        float z = 0, most = 0;
        for (int i = 0; i < n; i++) {
            z += expf(0.5f * w[b][i]);
            most = fmaxf(most, fabsf(w[b][i]));
        }
        float goal = u[b] * z, c = 0;
        int pick = n - 1;
        for (int i = 0; i < n; i++) {
            float p = expf(0.5f * w[b][i]);
            c += p;
            if (c >= goal) {
                pick = i;
                break;
            }
        }
        up[b] = pick;
        left[b][0] = c;
        float rest = 0.25f * goal;
        int at = -1;
        for (int i = 5; i < n; i++) {
            float p = w[b][i];
            if (p < 0.5f) continue;
            rest -= p;
            if (0 >= rest) {
                at = i;
                break;
            }
        }
        down[b] = at;
        left[b][1] = at < 0 ? 0 : rest < 0 ? -1 : 1;
        float height = 0;
        int crossed = n;
        for (int i = 0; i < n; i++) { // up and down
            height = height + (w[b][i] + 0.02f);
            if (40 * u[b] + 20 < height) {
                crossed = i;
                break;
            }
        }
        walk[b] = crossed;
        float sum = 0;
        int found = 0;
        for (int i = 0; i < n; i++) {
            sum += fabsf(w[b][i]);
            if (sum > most * n + 1) {
                found = i + 1;
                break;
            }
        }
        never[b] = found;
    }
}
