// chosen_until.c - Jacobi steps whose number says which array is read, until a sum of squares is small.
//
// run: -i n=1024 -i most=1000 -i tolerance=1e-2 -i u=normal:seed=1 -i f=normal:seed=2
// test: -i n=32 -i most=51 -i tolerance=1e-2 -i u=normal:seed=1 -i f=normal:seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
void chosen(int n, int most, float tolerance, float u[n][n], float v[n][n], const float f[n][n], int rounds[1]) {
    int round;
#pragma omp parallel for collapse(2)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            v[y][x] = u[y][x];
    for (round = 0; round < most; round++) {
        const float(*a)[n] = round % 2 ? v : u;
        float(*b)[n] = round % 2 ? u : v, sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                b[y][x] = 0.25f * (a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x] - f[y][x]);
                sum += (b[y][x] - a[y][x]) * (b[y][x] - a[y][x]);
            }
        if (sqrtf(sum) < tolerance) break;
    }
    rounds[0] = round;
}
