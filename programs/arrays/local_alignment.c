// local_alignment.c - the best local alignment of a sequence with each of many others, one after the other by columns.
//
// Source: T. F. Smith, M. S. Waterman, "Identification of common molecular subsequences", 1981, with gaps of linear
// cost. Each pair is one iteration; its row of scores is a local array.
//
// run: -i pairs=16384 -i size=96 -i seed=1
// test: -i pairs=7 -i size=96 -i seed=1
// check: exact
// dispatches: 1
#include <stdint.h>

enum { LENGTH = 96, SAME = 3, OTHER = -2, GAP = -2 };

static int letter(uint32_t who, uint32_t place, uint32_t seed) {
    uint32_t r = (who * 0x9e3779b9u) ^ (place * 0x85ebca6bu) ^ seed;
    r ^= r >> 16;
    r *= 0x21f0aaadu;
    r ^= r >> 15;
    r *= 0x735a2d97u;
    return (int)((r ^ (r >> 15)) & 3u);
}

void local_alignment(int pairs, int size, uint32_t seed, int best[pairs], int end[pairs]) {
#pragma omp parallel for
    for (int p = 0; p < pairs; p++) {
        int row[LENGTH + 1];
        for (int j = 0; j <= LENGTH; j++)
            row[j] = 0;
        int most = 0, where = 0;
        for (int i = 1; i <= size; i++) {
            int diagonal = 0, left = 0, mine = letter(0u, (uint32_t)i, seed);
            for (int j = 1; j <= LENGTH; j++) {
                int above = row[j];
                int score = diagonal + (mine == letter((uint32_t)p + 1u, (uint32_t)j, seed) ? SAME : OTHER);
                if (above + GAP > score) score = above + GAP;
                if (left + GAP > score) score = left + GAP;
                if (score < 0) score = 0;
                diagonal = above;
                left = score;
                row[j] = score;
                if (score > most) {
                    most = score;
                    where = j;
                }
            }
        }
        best[p] = most;
        end[p] = where;
    }
}
