// moved_between.c - Jacobi steps on rows in one dimension: a loop that writes, one that adds up how far all have moved, one that
// copies back, until the sum is small.
//
// run: -i n=1024 -i most=1000 -i tolerance=1e-2 -i u=normal:seed=1 -i f=normal:seed=2
// test: -i n=32 -i most=50 -i tolerance=1e-2 -i u=normal:seed=1 -i f=normal:seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
void moved_between(int n, int most, float tolerance, float u[n * n], const float f[n * n], int rounds[1]) {
    float v[n * n], moved;
    int round;
    for (round = 0; round < most; round++) {
#pragma omp parallel for
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = y * n + x;
                v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]);
            }
        moved = 0;
#pragma omp parallel for reduction(+ : moved)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                moved += fabsf(v[y * n + x] - u[y * n + x]);
#pragma omp parallel for
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                u[y * n + x] = v[y * n + x];
        if (moved < tolerance) break;
    }
    rounds[0] = round;
}
