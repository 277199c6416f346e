// gray_scott.c - two substances that react and spread until they form patterns: v eats u and makes more v.
//
// Source: P. Gray, S. K. Scott 1983; J. E. Pearson, "Complex patterns in a simple system", Science 261, 1993, with the
// rates of spots that divide. Explicit Euler steps of 1, five-point Laplacian on a torus, cells of size 1. At the
// start u = 1 and v = 0 but for 16 small squares that the seed places, where u = 1/2 and v = 1/4. `u`, `v` are the
// result; u2, v2 the other half of the pair of buffers.
//
// A step reads what neighbours wrote in the step before, and overwrites what they read in it: one barrier for both.
//
// run: -i n=512 -i steps=4000 -i seed=1 -i feed=0.0367 -i kill=0.0649
// test: -i n=32 -i steps=9 -i seed=1 -i feed=0.0367 -i kill=0.0649
// check: abs 5e-4
// dispatches: 1
// barriers: 1 a step
#include <stdbool.h>

#include "../lib/philox.h"

#define SPREAD_U 0.16f
#define SPREAD_V 0.08f
#define SQUARES 16
#define SIDE 12 // of a square, cells

// Is cell (i, j) in a square?
static bool seeded(int n, int i, int j, uint32_t seed) {
    bool in = false;
    for (int s = 0; s < SQUARES; s++) {
        struct philox r = philox4x32((uint32_t)s, 0, 0, 0, seed, 0);
        int top = (int)philox_mulhi(r.x, (uint32_t)n), left = (int)philox_mulhi(r.y, (uint32_t)n);
        in = in || ((i - top + n) % n < SIDE && (j - left + n) % n < SIDE);
    }
    return in;
}

void gray_scott(int n, int steps, uint32_t seed, float feed, float kill, float u[n][n], float v[n][n], float u2[n][n],
                float v2[n][n]) {
    float(*u_now)[n] = u, (*u_next)[n] = u2, (*v_now)[n] = v, (*v_next)[n] = v2;

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool in = seeded(n, i, j, seed);
            u[i][j] = in ? 0.5f : 1.0f;
            v[i][j] = in ? 0.25f : 0.0f;
        }

    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int up = i > 0 ? i - 1 : n - 1, down = i < n - 1 ? i + 1 : 0;
                int left = j > 0 ? j - 1 : n - 1, right = j < n - 1 ? j + 1 : 0;
                float a = u_now[i][j], b = v_now[i][j];
                float bend_u = u_now[up][j] + u_now[down][j] + u_now[i][left] + u_now[i][right] - 4.0f * a;
                float bend_v = v_now[up][j] + v_now[down][j] + v_now[i][left] + v_now[i][right] - 4.0f * b;
                float eaten = a * b * b;
                u_next[i][j] = a + SPREAD_U * bend_u - eaten + feed * (1.0f - a);
                v_next[i][j] = b + SPREAD_V * bend_v + eaten - (feed + kill) * b;
            }
        float(*old)[n] = u_now;
        u_now = u_next;
        u_next = old;
        old = v_now;
        v_now = v_next;
        v_next = old;
    }

    if (steps % 2 == 1) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                u[i][j] = u2[i][j];
                v[i][j] = v2[i][j];
            }
    }
}
