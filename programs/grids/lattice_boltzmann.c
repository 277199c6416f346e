// lattice_boltzmann.c - a square cavity full of fluid whose lid slides to the right: a vortex fills it.
//
// Source: D2Q9 lattice with the single-time relaxation of Y. Qian, D. d'Humieres, P. Lallemand 1992; walls half a cell
// outside of the outermost cells, where particles bounce back, with the lid's push added (A. Ladd 1994). f[q][i][j] is
// the share of cell (row i from the lid, column j) that moves in direction q. Each cell pulls the nine shares that
// arrive, collides, and writes its new ones: one loop a step, between two sets of arrays. `speed` is the lid's, in
// cells a step (below 0.1: the scheme's fluid is slightly compressible), `omega` = 1 / (3 viscosity + 0.5). The
// default is a Reynolds number of speed n / viscosity = 1000. rho, right, down are density and velocity at the end.
//
// A step reads what neighbours wrote in the step before, and overwrites what they read in it: one barrier for both.
//
// run: -i n=256 -i steps=4000 -i speed=0.08 -i omega=1.7806
// test: -i n=32 -i steps=8 -i speed=0.08 -i omega=1.7806
// check: abs 2e-5
// dispatches: 1
// barriers: 1 a step
#include <stdbool.h>

enum { Q = 9 };

// Directions: rest, right, up, left, down, then the diagonals from upper right, counter-clockwise. Rows count
// downwards.
static const int step_right[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int step_down[Q] = {0, 0, -1, 0, 1, -1, -1, 1, 1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const float weight[Q] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                                1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

struct flow {
    float rho, right, down;
};

static struct flow flow_of(const float share[Q]) {
    struct flow m = {0.0f, 0.0f, 0.0f};
    for (int q = 0; q < Q; q++) {
        m.rho += share[q];
        m.right += (float)step_right[q] * share[q];
        m.down += (float)step_down[q] * share[q];
    }
    m.right /= m.rho;
    m.down /= m.rho;
    return m;
}

// The shares of a fluid in equilibrium.
static float at_rest(int q, struct flow m) {
    float along = 3.0f * ((float)step_right[q] * m.right + (float)step_down[q] * m.down);
    return weight[q] * m.rho * (1.0f + along + 0.5f * along * along - 1.5f * (m.right * m.right + m.down * m.down));
}

void lattice_boltzmann(int n, int steps, float speed, float omega, float f[Q][n][n], float f2[Q][n][n], float rho[n][n],
                       float right[n][n], float down[n][n]) {
    float(*now)[n][n] = f, (*next)[n][n] = f2;

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int q = 0; q < Q; q++)
                f[q][i][j] = weight[q];

    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float share[Q];
                for (int q = 0; q < Q; q++) {
                    int from_i = i - step_down[q], from_j = j - step_right[q];
                    bool wall = (unsigned)from_i >= (unsigned)n || (unsigned)from_j >= (unsigned)n;
                    float push = from_i < 0 ? 6.0f * weight[q] * (float)step_right[q] * speed : 0.0f;
                    share[q] = now[wall ? opposite[q] : q][wall ? i : from_i][wall ? j : from_j] + push;
                }
                struct flow m = flow_of(share);
                for (int q = 0; q < Q; q++)
                    next[q][i][j] = share[q] + omega * (at_rest(q, m) - share[q]);
            }
        float(*old)[n][n] = now;
        now = next;
        next = old;
    }

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float share[Q];
            for (int q = 0; q < Q; q++)
                share[q] = now[q][i][j];
            struct flow m = flow_of(share);
            rho[i][j] = m.rho;
            right[i][j] = m.right;
            down[i][j] = m.down;
        }
}
