#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static const float T[] = {0.1, 0.25f, [5] = 3};
static const double unused[] = {1.0};
struct p { float x, y; struct {int a[2];}; };
static float g(float x, int n) { if (x > 0.5) return exp(x * 0.1) / n; return (int)floor(x) + isnan(x); }
void f(int n, const float x[n][4], float y[restrict n]) {
    uint64_t p = (uint64_t)n * 3u;
#pragma omp parallel for collapse(2) schedule(static, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j += 1) {
            struct p q = {.y = 2, .a = {1, 2}};
            uint32_t a = i, b = j;
            uint64_t w = (uint64_t)a * b;
            y[i] = q.x * 0.5 + x[i][j] * (double)y[0] + (uint32_t)(w >> 32) + (uint32_t)w + g(1.0, j) + T[j] * M_PI;
            y[i] *= 1.5;
            switch (j) { case 1: y[i]++; break; case 2 ... 3: default: break; }
        }
}
int main(void) { double t = 0.5 * 3; printf("%f %d\n", t, 3); return 0; }
