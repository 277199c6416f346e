// Walks over rows of states there and back, each iteration's as long as data say, and no longer than what it stores
// into has rows: behind that they go on without anything to do.
//
// run: -i batch=128 -i frames=200 -i most=64 -i e=normal:seed=1 -i length=uniform:lo=100,hi=400,seed=3 -i words=uniform:lo=-40,hi=64,seed=4
// test: -i batch=9 -i frames=14 -i most=66 -i e=normal:seed=1 -i length=uniform:lo=6,hi=40,seed=3 -i words=uniform:lo=-9,hi=66,seed=4
// check: near 1e-4
// dispatches: 1
#include <math.h>
void own_ends(int batch, int frames, int most, const float e[batch][frames][most], const int length[batch],
              const int words[batch], float there[batch][frames][most], float back[batch][frames][most]) {
#pragma omp parallel for
    for (int b = 0; b < batch; b++) {
        int states = words[b], end = length[b], last = end < frames ? end - 1 : frames - 1;
        for (int s = 0; s < states; s++)
            there[b][0][s] = e[b][0][s];
        for (int t = 1; t < end; t++) {
            int here = t < frames ? states : 0;
            for (int s = 0; s < here; s++)
                there[b][t][s] = e[b][t][s] + fmaxf(there[b][t - 1][s], s > 0 ? there[b][t - 1][s - 1] : 0.0f);
        }
        for (int s = 0; s < states; s++)
            back[b][last][s] = there[b][last][s];
        for (int t = end - 2; t >= 0; t--) {
            int here = t < last ? states : 0;
            for (int s = 0; s < here; s++)
                back[b][t][s] = e[b][t][s] - fminf(back[b][t + 1][s], s > 0 ? back[b][t + 1][s - 1] : 0.0f);
        }
    }
}
