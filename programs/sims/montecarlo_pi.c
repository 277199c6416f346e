// montecarlo_pi.c - pi by counting random points of the unit square that lie in the quarter disc, one worker a parallel
// iteration.
//
// A point is one word of Philox: its halves, made odd, are the midpoints x, y = 1, 3 .. 65535 of a 2^15 x 2^15 grid
// over the square of side 2^16. x^2 + y^2 < 2^32 is then decided exactly by the carry of a 32-bit sum, so the counts
// are the same everywhere; the grid moves pi by about 1e-7, far below the statistical error of 1.64 / sqrt(points). A
// block of Philox is four points.
//
// run: -i workers=4096 -i blocks=25000 -i seed=1
// test: -i workers=64 -i blocks=250 -i seed=1
// check: count exact
// check: estimate rel 1e-6
// dispatches: 1
#include "../lib/philox.h"

// 1 if the point of this word is in the disc.
static uint32_t inside(uint32_t word) {
    uint32_t x = (word >> 16) | 1u, y = (word & 0xffffu) | 1u;
    return x * x + y * y >= x * x ? 1u : 0u;
}

void montecarlo_pi(int workers, int blocks, uint32_t seed, uint32_t count[workers], float estimate[workers]) {
#pragma omp parallel for
    for (int i = 0; i < workers; i++) {
        uint32_t hits = 0;
        for (int b = 0; b < blocks; b++) {
            struct philox r = philox4x32((uint32_t)b, (uint32_t)i, 0, 0, seed, 0);
            hits += inside(r.x) + inside(r.y) + inside(r.z) + inside(r.w);
        }
        count[i] = hits;
        estimate[i] = (float)hits / (float)blocks; // 4 hits / (4 blocks)
    }
}
