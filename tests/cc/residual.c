// build: -fdouble=pair
// What WHORL=check must not take for a difference: a sum that nobody asks for afterwards, and what is left where a sum's terms cancel
// each other, alone in its array.
#include <math.h>
#include <stdio.h>

enum { N = 3000, M = 40 };
static double x[N], y[N], left[N], w[N][M];

int main(void) {
    double sum = 0, rest = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 1 + 0.001 * (i % 77);
        for (int k = 0; k < M; k++)
            w[i][k] = 0.1 * ((i + k) % 7);
    }
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < N; i++) {
        sum = 0.0;
        for (int k = 0; k < M; k++)
            sum += w[i][k] * x[(i + k) % N];
        y[i] = 1 / (1 + exp(-sum));
    }
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += y[i];
    printf("%.9g\n", sum);
#pragma omp parallel for reduction(+ : rest) // GPU
    for (int i = 0; i < N; i++) {
        double root = sqrt(x[i]) / 3;
        left[i] = x[i] - 9 * root * root;
        rest += left[i] * left[i];
    }
    printf("%d\n", rest < 1e-20);
    return 0;
}
