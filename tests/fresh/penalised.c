// Before the values of a row are summed by many lanes, some of them are changed one after the other, each by what is
// there then; what that leaves in variables the sums need, too. And again between two loops of a few rounds.
// run: -i rows=48 -i vocab=20000 -i x=normal:seed=1 -i recent=uniform:lo=0,hi=20000,seed=2
// test: -i rows=5 -i vocab=900 -i x=normal:seed=1 -i recent=uniform:lo=0,hi=900,seed=2
// check: near 1e-4
#include <math.h>
#include <stdint.h>
#define RECENT 96

void penalised(int rows, int vocab, float x[rows][vocab], const int recent[rows][RECENT], float mass[rows], int changed[rows], float least[rows]) {
#pragma omp parallel for
    for (int b = 0; b < rows; b++) {
        float *l = x[b], worst = 0;
        uint32_t seen = 0;
        int count = 0;
        for (int k = 0; k < RECENT; k++) {
            int i = recent[b][k];
            if (seen >> (i & 31) & 1 && l[i] < 1) continue;
            seen |= 1u << (i & 31);
            if (l[(i + 7) % vocab] > 0) {
                l[i] = 0.5f * l[(i + 7) % vocab] - 0.25f;
                count++;
                worst = fminf(worst, l[i]);
            }
        }
        float top = worst;
        for (int i = 0; i < vocab; i++)
            top = fmaxf(top, l[i]);
        float z = 0;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < vocab; i++)
                z += expf(l[i] - top);
            if (l[round] > 0.25f) { // of what was stored in the round before, too
                l[round + 1] = l[round] * 0.5f;
                count += 100;
            }
        }
        mass[b] = z / 3;
        changed[b] = count;
        least[b] = worst;
    }
}
