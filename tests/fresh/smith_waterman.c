// The Smith-Waterman local alignment score, with affine gaps, of pairs of DNA sequences, one pair an iteration; where the best alignment
// ends; and the edit distance of the same pair.
// run: -i pairs=20000 -i a=uniform:lo=0,hi=4,seed=1 -i b=uniform:lo=0,hi=4,seed=2 -i length=uniform:lo=20,hi=65,seed=3
// test: -i pairs=40 -i a=uniform:lo=0,hi=4,seed=1 -i b=uniform:lo=0,hi=4,seed=2 -i length=uniform:lo=20,hi=65,seed=3
// check: exact
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#define MAXLEN 64
#define GAP_OPEN 5
#define GAP_EXTEND 1
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// Transitions (A-G, C-T) cost less than transversions.
static const int8_t substitution[4][4] = {
    {5, -4, -1, -4},
    {-4, 5, -4, -1},
    {-1, -4, 5, -4},
    {-4, -1, -4, 5},
};

typedef struct {
    int score;
    int end_a, end_b;
} hit_t;

static int max2(int a, int b) { return a > b ? a : b; }

static hit_t smith_waterman(const uint8_t *a, int na, const uint8_t *b, int nb) {
    hit_t best = {0, -1, -1};
    short h[MAXLEN + 1], e[MAXLEN + 1];
    for (int j = 0; j <= nb; j++) {
        h[j] = 0;
        e[j] = -1000;
    }
    for (int i = 1; i <= na; i++) {
        const int8_t *row = substitution[a[i - 1] & 3];
        int diagonal = 0, f = -1000;
        h[0] = 0;
        for (int j = 1; j <= nb; j++) {
            e[j] = (short)max2(e[j] - GAP_EXTEND, h[j] - GAP_OPEN);
            f = max2(f - GAP_EXTEND, h[j - 1] - GAP_OPEN);
            int score = diagonal + row[b[j - 1] & 3];
            score = max2(max2(score, 0), max2(e[j], f));
            diagonal = h[j];
            h[j] = (short)score;
            if (score > best.score)
                best = (hit_t){score, i - 1, j - 1};
        }
    }
    return best;
}

// Two rows of the table, swapped.
static int edit_distance(const uint8_t *a, int na, const uint8_t *b, int nb) {
    int rows[2][MAXLEN + 1];
    int *previous = rows[0], *current = rows[1];
    for (int j = 0; j <= nb; ++j)
        previous[j] = j;
    for (int i = 0; i < na; ++i) {
        current[0] = i + 1;
        for (int j = 0; j < nb; ++j) {
            int replace = previous[j] + (a[i] != b[j]);
            int gap = MIN(previous[j + 1], current[j]) + 1;
            current[j + 1] = MIN(replace, gap);
        }
        int *swap = previous;
        previous = current;
        current = swap;
    }
    return previous[nb];
}

void align(int pairs, const uint8_t a[pairs][MAXLEN], const uint8_t b[pairs][MAXLEN], const uint8_t length[pairs][2],
           hit_t hit[pairs], int distance[pairs], int summary[4]) {
    int highest = INT_MIN, lowest = INT_MAX;
    unsigned digest = 0;
#pragma omp parallel for default(shared) reduction(max : highest) reduction(min : lowest) reduction(^ : digest)
    for (int p = 0; p < pairs; p++) {
        const int na = length[p][0], nb = length[p][1];
        hit[p] = smith_waterman(a[p], na, b[p], nb);
        distance[p] = edit_distance(a[p], na, b[p], nb);
        highest = max2(highest, hit[p].score);
        lowest = MIN(lowest, distance[p] - abs(na - nb));
        digest ^= ((unsigned)hit[p].score << 16 | (unsigned)distance[p]) * 2654435761u + (unsigned)p;
    }
    summary[0] = highest;
    summary[1] = lowest;
    summary[2] = (int)(digest >> 16);
    summary[3] = (int)(digest & 0xffff);
}
