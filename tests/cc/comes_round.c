// A loop that stays on the CPU comes round from a region to uses of its variables that stand before it.
#include <stdio.h>

enum { N = 1000 };
static int a[N];

int main(void) {
    int sum, before, rounds;
    float change;
    float *from, *to;
    static float x[N], y[N];
    for (int i = 0; i < N; i++) {
        a[i] = i % 3;
        x[i] = (float)(i % 8);
    }
    sum = 0;
    for (int t = 0; t < 3; t++) {
        printf("%d\n", sum);
#pragma omp parallel for reduction(+ : sum) // GPU: 3 calls
        for (int i = 0; i < N; i++)
            sum += a[i];
    }
    change = 1;
    rounds = 0;
    while (change > 0.1f && rounds++ < 50) {
        printf("%g\n", (double)change);
#pragma omp parallel // GPU: 4 calls
        {
#pragma omp single
            change *= 0.5f;
#pragma omp for
            for (int i = 0; i < N; i++)
                x[i] += change;
        }
    }
    sum = 0;
    do {
        before = sum;
#pragma omp parallel for reduction(+ : sum) // GPU: 4 calls
        for (int i = 0; i < N; i++)
            sum += a[i];
        printf("%d\n", before);
    } while (sum < 3500);
    for (sum = 0; sum < 2500;) {
#pragma omp parallel for reduction(+ : sum) // GPU: 3 calls
        for (int i = 0; i < N; i++)
            sum += a[i];
        puts("again");
    }
    from = x;
    to = y;
    for (int t = 0; t < 3; t++) {
        printf("%g %g\n", (double)from[5], (double)to[5]);
#pragma omp parallel // GPU: 3 calls
        {
#pragma omp for
            for (int i = 0; i < N; i++)
                to[i] = from[i] + 1;
#pragma omp single
            {
                float *old = from;
                from = to;
                to = old;
            }
        }
    }
    return 0;
}
