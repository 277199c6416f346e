// Blocks of `target data`: one with nothing but regions in it, and loops of them, is moved as a whole; one that prints, allocates or
// has a loop of the host's own stays, and what is in it moves one by one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };
static float a[N], b[N];

static void start(void) {
    for (int i = 0; i < N; i++)
        a[i] = (float)(i % 17);
}

static int relax(float tolerance, int most) {
    float error = tolerance + 1;
    int steps = 0;
#pragma omp target data map(tofrom : a) map(alloc : b)
    while (error > tolerance && steps < most) {
        error = 0;
#pragma omp target teams distribute parallel for reduction(max : error) map(tofrom : error) // GPU
        for (int i = 1; i < N - 1; i++) {
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
            error = fmaxf(error, fabsf(b[i] - a[i]));
        }
#pragma omp target teams distribute parallel for // GPU
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i];
        if (steps % 10 == 0) printf("%d %.4f\n", steps, (double)error);
        steps++;
    }
    return steps;
}

static void blocks(int steps) {
#pragma omp target data map(tofrom : a) if (steps > 9) // GPU: GPU, 1 call
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
        for (int t = 0; t < steps; t++) {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                a[i] = 0.75f * a[i] + (float)t;
        }
    }
#pragma omp target data map(tofrom : a)
    {
        float *own = malloc(N * sizeof *own), most = 0;
#pragma omp target teams distribute parallel for map(from : own[:N]) // GPU
        for (int i = 0; i < N; i++)
            own[i] = a[i] * 0.25f;
        for (int i = 0; i < N; i++) // the host's
            most = own[i] > most ? own[i] : most;
        for (int t = 0; t < steps; t++) { // GPU: GPU, 1 call
#pragma omp target teams distribute parallel for map(to : own[:N])
            for (int i = 0; i < N; i++)
                a[i] = a[i] * 0.5f + own[i] + most;
        }
        free(own);
    }
}

int main(void) {
    double sum = 0;
    start();
    int steps = relax(0.05f, 40);
    blocks(6);
    for (int i = 0; i < N; i++)
        sum += (double)a[i];
    printf("%d %.1f\n", steps, sum);
    return 0;
}
