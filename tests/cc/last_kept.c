// lastprivate(conditional: x): the value from the last iteration that sets it, or the one from before if none does.
// build: -fdouble=pair
#include <stdio.h>

enum { N = 5000 };
static int key[N];
static double x[N], at_last = -2;
static long long wide = 7;

int main(void) {
    int last = -1, none = 41, steps = 0, k;
    float value = 0.5f;
    for (int i = 0; i < N; i++) {
        key[i] = i * 7919 % 1000;
        x[i] = (double)i / 3;
    }
#pragma omp parallel for lastprivate(conditional : last, value) // GPU
    for (int i = 0; i < N; i++)
        if (key[i] < 40) {
            last = i;
            value = (float)key[i];
        }
    printf("%d %g\n", last, value);
#pragma omp parallel for lastprivate(conditional : none) reduction(+ : steps) private(k) // GPU
    for (int i = 0; i < N; i++) {
        if (key[i] > 2000) none = i;
        for (k = 0; k < key[i] % 5; k++)
            steps++;
    }
    printf("%d %d\n", none, steps);
#pragma omp parallel // GPU
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            x[i] += key[i];
#pragma omp for lastprivate(conditional : at_last, wide)
        for (int i = 0; i < N; i++)
            if (x[i] > 600 && x[i] < 700) {
                at_last = x[i];
                wide = 3000000000LL * i;
            }
    }
    printf("%.9f %lld\n", at_last, wide);
    return 0;
}
