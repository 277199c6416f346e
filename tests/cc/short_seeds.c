// Random numbers of glibc's erand48 and nrand48, whose state is the caller's: for each row, for each thread.
// build: -fdouble=pair
// build, too: -fdouble=float
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { W = 24, H = 40, N = 4000 };
static float picture[H][W];
static long places[H];

int main(void) {
    int inside = 0;
#pragma omp parallel for schedule(dynamic, 1) // GPU
    for (int y = 0; y < H; y++) {
        unsigned short seed[3] = {0, 0, (unsigned short)(y * y * y)};
        for (int x = 0; x < W; x++) {
            double sum = 0;
            for (int s = 0; s < 4; s++) {
                double u = 2 * erand48(seed), v = erand48(seed);
                sum += u < 1 ? u * v : (2 - u) * v;
            }
            picture[y][x] = (float)sum;
        }
        places[y] = nrand48(seed) % 1000;
    }
    double all = 0;
    long at = 0;
    for (int y = 0; y < H; y++) {
        at += places[y] * y;
        for (int x = 0; x < W; x++)
            all += (double)picture[y][x] * (x + 1);
    }
    printf("%.1f %ld\n", all, at);
#pragma omp parallel reduction(+ : inside) num_threads(2) // GPU
    {
        unsigned short seed[3] = {1, 2, (unsigned short)omp_get_thread_num()};
#pragma omp for
        for (int i = 0; i < N; i++)
            inside += nrand48(seed) % 3 == 0;
    }
    printf("%d\n", inside);
    return 0;
}
