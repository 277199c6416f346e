// build: -fdouble=pair
// Variables that nobody names but a region, which a loop around it, or a goto, comes to again: each call goes on with what the last one left. Of
// those that the loop's body declares none does.
#include <stdio.h>
#include <stdlib.h>

static int enough(int n, double x) { return n > 4 && x > 0; }

static double factors(double *x, int n) {
    double omega = 1, limit = 0.25;
    int odd = 0, k;
    for (k = 0; k < 30; k++) {
        double fresh = 0;
        for (int pass = 0; pass < 2; pass++) { // GPU: 6 calls
#pragma omp parallel for
            for (int i = odd; i < n; i += 2)
                x[i] = x[i] * 0.5 + omega + fresh;
            odd = 1 - odd;
            fresh += 0.5;
            omega = 1 / (1 - limit * omega);
        }
        if (enough(k, x[0])) return k + x[1];
    }
    return -1;
}
static double by_goto(double *x, int n) {
    double weight = 0.5;
    int rounds = 0;
again:
#pragma omp parallel // GPU: 4 calls
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] += weight;
#pragma omp single
        weight = weight * 0.5 + 1;
    }
    if (++rounds < 4) goto again;
    return x[0];
}
static double by_head(float *a, float *b, int n) {
    double sum = 0;
    for (float *from = a, *to = b, *t; sum < 100; sum += 20) {
#pragma omp parallel // GPU
        {
#pragma omp for
            for (int i = 0; i < n; i++)
                to[i] = from[i] * 0.5f + (float)i;
#pragma omp single
            {
                t = from;
                from = to;
                to = t;
            }
        }
        printf("%.4f ", (double)(a[n - 1] - b[n - 1]));
    }
    return sum;
}

int main(void) {
    enum { N = 100 };
    double *x = calloc(N, sizeof *x);
    float *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
    double first = factors(x, N), second = by_goto(x, N), third = by_head(a, b, N);
    printf("%.9g %.9g %.9g %.9g\n", first, second, third, x[N - 1]);
    return 0;
}
