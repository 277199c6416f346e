// args:
// A function that calls itself several times, around a region: what it holds is asked for once, not once for each way to come there.
#include <omp.h>
#include <stdio.h>

enum { N = 4096 };
static float x[N];

static float walk(int n, int deep) {
    float s = 0;
    if (deep == 0) {
#pragma omp parallel for reduction(+ : s) // GPU
        for (int i = 0; i < n; i++)
            s += x[i];
        return s;
    }
    return walk(n, deep - 1) + walk(n, deep - 1) - walk(n, deep - 1) + walk(n, deep - 1) - walk(n, deep - 1);
}

int main(void) {
    float sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 7);
    for (int t = 0; t < 3; t++) {
        omp_set_num_threads(2);
        sum += walk(N, 2);
    }
    for (int t = 0; t < 3; t++)
        sum += walk(N, 1);
    printf("%g\n", sum);
    return 0;
}
