// Arrays of each thread that hold nothing when a loop begins, where the first iteration of a thread knows that it is the first, and one where
// each iteration sets what it reads, as far as it goes.
#include <stdio.h>
#include <string.h>

enum { N = 64 };
static int x[N], y[N], z[N], w[N];

int main(int argc, char **argv) {
    (void)argv;
    int own[4], most = 3 + argc;
#pragma omp parallel // GPU
    {
        int held[4];
#pragma omp for schedule(monotonic : static, 16)
        for (int i = 0; i < N; i++) {
            if (i % 16 == 0) memset(held, 0, sizeof held);
            held[i % 4] += i;
            x[i] = held[i % 4];
        }
    }
#pragma omp parallel for schedule(static, 16) private(own) // GPU
    for (int i = 0; i < N; i++) {
        own[0] = i;
        for (int k = 1; k < 4; k++)
            own[k] = i % 16 ? own[k] : i;
        own[i % 4] += i;
        y[i] = own[i % 4];
    }
#pragma omp parallel for num_threads(4) private(own) // GPU
    for (int i = 0; i < N; i++) {
        if (i % (N / 4) == 0) memset(own, 0, sizeof own);
        own[i % 4] += i;
        z[i] = own[i % 4];
    }
#pragma omp parallel // GPU
    {
        int held[4];
#pragma omp for schedule(static, 16)
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < most; k++)
                held[k] = i + k;
            w[i] = held[most - 1] - held[i % most];
        }
    }
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 3 + x[i] + y[i] * 5 + z[i] * 7 + w[i];
    printf("%d\n", sum);
    return 0;
}
