// What each thread has for itself, of which only a part is cleared, or to which memset gives a pointer, keeps what is in
// it: a loop around stays where it is.
#include <stdio.h>
#include <string.h>

enum { N = 1000, M = 32 };
static float a[N][M], b[N], sums[M];
static int hist[M], begun[M] = {[30] = 5}, all[M], more[M];
#pragma omp threadprivate(hist, begun, sums)

static void parts(void) {
#pragma omp parallel // GPU
    {
        memset(hist, 0, sizeof(hist) / 2);
#pragma omp for
        for (int i = 0; i < N; i++)
            hist[(int)b[i] & (M - 1)]++;
        for (int k = 0; k < M; k++)
#pragma omp atomic
            all[k] += hist[k];
    }
#pragma omp parallel // GPU
    {
        memset(begun, 0, sizeof(begun) - 16);
#pragma omp for
        for (int i = 0; i < N; i++)
            begun[(int)b[i] & (M - 1)]++;
        for (int k = 0; k < M; k++)
#pragma omp atomic
            more[k] += begun[k];
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        b[i] = (float)(i * 7 % 31);
        for (int j = 0; j < M; j++)
            a[i][j] = (float)(i + j);
    }
    for (int t = 0; t < 3; t++) // CPU, the loop: depends on how many threads there are
        parts();
    for (int k = 0; k < M; k++)
        printf("%d %d\n", all[k], more[k]);
    float *p = memset(sums, 0, sizeof sums);
#pragma omp parallel for schedule(static) // GPU
    for (int i = 0; i < N; i++) {
        memset(sums, 0, sizeof sums);
        for (int j = 0; j < M; j++)
            sums[(j * 5) % M] += a[i][j];
        b[i] = sums[3] + sums[7] * 0.5f;
    }
    printf("%g %g\n", b[5] + b[999], p[3]);
}
