// forest.c - many samples go down the trees of a decision forest, and the forest's votes are counted.
//
// Source: L. Breiman, "Random forests", 2001. Trees are complete and stand in arrays: the children of node k are
// 2 k + 1 and 2 k + 2.
//
// run: -i samples=262144 -i trees=100 -i seed=1 -i x=uniform:lo=0,hi=1,seed=1
// test: -i samples=100 -i trees=7 -i seed=1 -i x=uniform:lo=0,hi=1,seed=1
// check: exact
// dispatches: 1
// barriers: 1 in all
#include <stdint.h>

#include "../lib/integer_hash.h"

enum { DEPTH = 10, INNER = (1 << DEPTH) - 1, FEATURES = 16, CLASSES = 4 };

void forest(int samples, int trees, uint32_t seed, const float x[samples][FEATURES], int feature[trees][INNER],
            float threshold[trees][INNER], int leaf[trees][INNER + 1], int label[samples]) {
#pragma omp parallel for collapse(2)
    for (int t = 0; t < trees; t++)
        for (int k = 0; k <= INNER; k++) {
            uint32_t r = integer_hash(seed + (uint32_t)(t * (INNER + 1) + k));
            leaf[t][k] = (int)(r >> 28) % CLASSES;
            if (k < INNER) {
                feature[t][k] = (int)(r % FEATURES);
                threshold[t][k] = (float)((r >> 8) & 0xffffu) / 65536.0f;
            }
        }
#pragma omp parallel for
    for (int i = 0; i < samples; i++) {
        int votes[CLASSES] = {0};
        for (int t = 0; t < trees; t++) {
            int node = 0;
            for (int d = 0; d < DEPTH; d++)
                node = 2 * node + (x[i][feature[t][node]] < threshold[t][node] ? 1 : 2);
            votes[leaf[t][node - INNER]]++;
        }
        int most = 0;
        for (int c = 1; c < CLASSES; c++)
            if (votes[c] > votes[most]) most = c;
        label[i] = most;
    }
}
