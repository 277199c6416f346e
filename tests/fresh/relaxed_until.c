// relaxed_until.c - Poisson's equation by Jacobi steps on rows in one dimension, whose arrays are swapped until nothing moves
// by more than a tolerance.
//
// run: -i n=1024 -i most=1000 -i tolerance=1e-5 -i u=normal:seed=1 -i f=normal:seed=2
// test: -i n=32 -i most=50 -i tolerance=1e-3 -i u=normal:seed=1 -i f=normal:seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
#include <string.h>
void relaxed(int n, int most, float tolerance, float u[n * n], const float f[n * n], int rounds[1]) {
    float v[n * n], *a = u, *b = v, moved = 1e9f;
    int round = 0;
    memcpy(v, u, sizeof v);
    while (moved > tolerance && round < most) {
        moved = 0;
#pragma omp parallel for collapse(2) reduction(max : moved)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = y * n + x;
                b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] - f[i]);
                moved = fmaxf(moved, fabsf(b[i] - a[i]));
            }
        float *t = a;
        a = b;
        b = t;
        round++;
    }
    if (a != u) memcpy(u, v, sizeof v);
    rounds[0] = round;
}
