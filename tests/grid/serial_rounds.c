// Serial loops whose passes are apart, with blocks of four numbers that neighbouring passes share, on rows that the step before wrote and
// that are swapped; beside them what keeps passes from being made at once: a start that is no multiple of four, fewer passes than four,
// a value that goes from pass to pass, an element of the pass before, one that others read.
// test: -i n=300 -i steps=3 -i a=uniform:lo=-50,hi=50,seed=1 -i b=uniform:lo=-50,hi=50,seed=2
// check: exact
// dispatches: 1
// barriers: 5 in the three steps
#include <stdint.h>

enum { ROW = 99, ROUNDS = 12 };

static unsigned mixed(unsigned place, unsigned row, unsigned step) {
    unsigned x = place * 0x9E3779B9u + row, y = step;
    for (int r = 0; r < ROUNDS; r++) {
        y ^= x >> 7;
        x = x * 0x85EBCA6Bu + y;
    }
    return x;
}

void serial_rounds(int n, int steps, int a[n][ROW], int b[n][ROW], int out[n]) {
    for (int t = 0; t < steps; t++) {
        int best = 0;
#pragma omp parallel for reduction(max : best)
        for (int i = 0; i < n; i++) {
            int sum = 0, far = (i + 150) % n; // another workgroup's
            for (int k = 0; k < ROW; k++)
                sum = (sum * 3 + (t % 2 ? b[far][k] : a[far][k])) % 1009;
            best = sum * n + i > best ? sum * n + i : best;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            const int odd = t % 2, mother = best % n, father = (i + t + 1) % n;
            int w[ROW], late[ROW], sum = 0, last = 0;
            int16_t few[ROW];
            for (int k = 0; k < ROW; k++) { // read back from w; the block of k / 4
                unsigned word = mixed((unsigned)k / 4u, (unsigned)i, (unsigned)t) >> 5 * (k % 4);
                int one = odd ? b[mother][k] : a[mother][k], other = odd ? b[father][k] : a[father][k];
                w[k] = (word & 1u ? one : other) + (int)(word >> 1 & 7u) - 3;
                if (odd)
                    a[i][k] = w[k];
                else
                    b[i][k] = w[k];
            }
            for (unsigned k = 4; k < ROW; k++) { // from another start; few keeps half of the bits
                few[k] = (int16_t)(mixed(k >> 2, (unsigned)i, 7u) + k);
                late[ROW - 1 - k] = few[k] + w[k];
            }
            for (int k = 2; k < ROW; k++) // a round would begin between two blocks
                w[k] += (int)(mixed((unsigned)k / 4u, (unsigned)i, 9u) & 15u);
            for (int k = 0; k < 3; k++)
                w[k] ^= (int)(mixed((unsigned)k / 4u, 1u, 1u) & 3u);
            for (int k = 0; k < ROW; k++) { // goes on from pass to pass
                last = (last + (int)(mixed((unsigned)k / 4u, 2u, 2u) & 31u)) % 61;
                w[k] += last;
            }
            for (int k = 1; k < ROW; k++)
                w[k] += w[k - 1] % 5 + (int)(mixed((unsigned)(k & ~3), 3u, 3u) & 7u);
            for (int k = 4; k < ROW - 4; k++)
                sum = (sum * 5 + w[k] + late[k]) % 997;
            out[i] = sum + w[ROW - 1] % 97 + late[0];
        }
    }
}
