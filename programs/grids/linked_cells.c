// linked_cells.c - particles that push each other off at short range, found by a grid of cells that is filled anew each step.
//
// Source: R. W. Hockney, J. W. Eastwood, "Computer Simulation Using Particles", 1981: linked cells. Places in a cell are
// counted by atomics; then each cell's particles are put in order, so that sums do not depend on who came first.
//
// run: -i n=20000 -i side=100 -i steps=100 -i x=uniform:lo=0,hi=100,seed=1 -i y=uniform:lo=0,hi=100,seed=2
// test: -i n=200 -i side=9 -i steps=4 -i x=uniform:lo=0,hi=9,seed=1 -i y=uniform:lo=0,hi=9,seed=2
// check: abs 1e-2
// check: inside exact
// check: member exact
// dispatches: 1
// barriers: 4 a step
#include <math.h>

enum { MOST = 32 };

void linked_cells(int n, int side, int steps, float x[n], float y[n], float fx[n], float fy[n], int inside[side * side],
           int member[side * side][MOST]) {
    float width = (float)side;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int c = 0; c < side * side; c++) {
            inside[c] = 0;
            for (int k = 0; k < MOST; k++)
                member[c][k] = -1;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int c = (int)y[i] * side + (int)x[i], place;
#pragma omp atomic capture
            place = inside[c]++;
            if (place < MOST) member[c][place] = i;
        }
#pragma omp parallel for
        for (int c = 0; c < side * side; c++) {
            int count = inside[c] < MOST ? inside[c] : MOST;
            for (int a = 1; a < count; a++) {
                int who = member[c][a], b = a;
                while (b > 0 && member[c][b - 1] > who) {
                    member[c][b] = member[c][b - 1];
                    b--;
                }
                member[c][b] = who;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float px = 0.0f, py = 0.0f;
            int cx = (int)x[i], cy = (int)y[i];
            for (int gy = cy - 1; gy <= cy + 1; gy++)
                for (int gx = cx - 1; gx <= cx + 1; gx++) {
                    if (gx < 0 || gy < 0 || gx >= side || gy >= side) continue;
                    for (int k = 0; k < MOST && member[gy * side + gx][k] >= 0; k++) {
                        int j = member[gy * side + gx][k];
                        float dx = x[i] - x[j], dy = y[i] - y[j], d2 = dx * dx + dy * dy;
                        if (j == i || d2 > 1.0f) continue;
                        float d = sqrtf(d2 + 1e-4f), push = (1.0f - d) / d;
                        px += push * dx;
                        py += push * dy;
                    }
                }
            fx[i] = px;
            fy[i] = py;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            x[i] = fminf(fmaxf(x[i] + 0.1f * fx[i], 0.0f), width - 0.001f);
            y[i] = fminf(fmaxf(y[i] + 0.1f * fy[i], 0.0f), width - 0.001f);
        }
    }
}
