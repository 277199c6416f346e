// Labels spread along a ring until none changes.
// test: -i n=300 -i label=uniform:lo=0,hi=100000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a pass
#include <stdbool.h>

void changed_flag(int n, int label[n], int next[n], int passes[1]) {
    bool changed = true;
    int count = 0;
    while (changed) {
        changed = false;
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int best = label[i];
            for (int k = -10; k <= 10; k++) {
                int at = i + k < 0 ? 0 : i + k >= n ? n - 1 : i + k;
                best = label[at] < best ? label[at] : best;
            }
            next[i] = best;
        }
#pragma omp parallel for reduction(|| : changed)
        for (int i = 0; i < n; i++) {
            changed = changed || next[i] != label[i];
            label[i] = next[i];
        }
        count++;
    }
    passes[0] = count;
}
