// copied_until.c - Jacobi steps that are copied back, until nothing moves by more than a tolerance; the second array is wanted, too.
//
// run: -i n=1024 -i most=1000 -i tolerance=1e-5 -i u=normal:seed=1 -i f=normal:seed=2
// test: -i n=32 -i most=51 -i tolerance=1e-3 -i u=normal:seed=1 -i f=normal:seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
void copied(int n, int most, float tolerance, float u[n][n], const float f[n][n], float v[n][n], int rounds[1]) {
    float moved = 1e9f;
    int round = 0;
    while (moved > tolerance && round < most) {
        moved = 0;
#pragma omp parallel for collapse(2) reduction(max : moved)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                v[y][x] = 0.25f * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] - f[y][x]);
                moved = fmaxf(moved, fabsf(v[y][x] - u[y][x]));
            }
#pragma omp parallel for collapse(2)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                u[y][x] = v[y][x];
        round++;
    }
    rounds[0] = round;
}
