// Regions that print: what one thread says of the region's variables, and what iterations say. The device keeps it, and the program prints it
// when the region is done. What each thread prints, and more than there is room for, is for the CPU.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };
static float x[N], y[N];
static int n = N;

static float checked(float v) {
    if (v < 0) printf("negative\n");
    return v + 1;
}

int main(void) {
    int step, i, lines = 0;
    float sum = 0, norm = 0;
    for (i = 0; i < N; i++)
        x[i] = (float)(i % 7 + 1);
#pragma omp parallel default(shared) private(step, i) // GPU: 1 call
    {
        for (step = 1; step <= 5; step++) {
#pragma omp single
            sum = 0;
#pragma omp for reduction(+ : sum)
            for (i = 0; i < n; i++) {
                y[i] = 0.5f * x[i] + (float)step;
                sum += y[i];
            }
#pragma omp master
            {
                norm = sqrtf(sum);
                if (step == 1) puts("  step   norm");
                printf("%6d %12.3f %s %u%%\n", step, norm, "done", 20u * (unsigned)step);
            }
#pragma omp barrier
#pragma omp for
            for (i = 0; i < n; i++)
                x[i] = y[i] / norm;
        }
    }
    printf("%.3f\n", x[3]);
    for (int k = 0; k < 3; k++) { // CPU, the loop: `printf` stays on the CPU: it prints between the loop's regions
#pragma omp parallel for          // GPU: 3 calls
        for (int j = 0; j < N; j++) {
            x[j] = x[j] * 2 + (float)k;
            if (x[j] > 100) printf("too large: %d\n", j);
        }
        printf("pass %d\n", k);
    }
    x[7] = 200;
#pragma omp parallel for reduction(+ : lines) schedule(static, N) // GPU
    for (int j = 0; j < N; j++) {
        y[j] = x[j] * 2;
        if (y[j] > 100) {
            printf("too large: %d %ld %5.1f", j, 5000000000L + j, y[j]);
            putchar('\n');
            lines++;
        }
    }
    printf("%d\n", lines);
#pragma omp parallel for schedule(static, N) // CPU at run time: it prints more than there is room for
    for (int j = 0; j < N; j++)
        for (int k = 0; k < 700; k++)
            printf("%d%c", (j + k) % 10, k == 699 ? '\n' : ' ');
#pragma omp parallel // CPU: `puts` stays on the CPU
    {
#pragma omp for
        for (int j = 0; j < N; j++)
            x[j] += 1;
        puts("each thread");
    }
#pragma omp parallel for // GPU
    for (int j = 0; j < N; j++)
        x[j] = checked(x[j]);
#pragma omp parallel for schedule(static, N) reduction(+ : lines) // CPU: `printf` stays on the CPU here: print by a statement of an iteration
    for (int j = 0; j < N; j++)
        if (x[j] > 100) lines += printf("%g\n", x[j]);
    printf("%d %.3f\n", lines, x[N - 1]);
    return 0;
}
