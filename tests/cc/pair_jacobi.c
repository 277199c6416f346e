// build: -fdouble=pair
// args: 34 12
// A stencil of suites in doubles: sizes from the command line, rows of an allocation, a timer around the time loop, and one around single steps.
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static double start_s, spent_s;

static double seconds(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}
static void start(void) { start_s = seconds(); }
static void stop(void) { spent_s += seconds() - start_s; }

static void init(int n, double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = ((double)i * (j + 2) + 2) / n;
            B[i][j] = ((double)i * (j + 3) + 3) / n;
        }
}

static void kernel(int steps, int n, double A[n][n], double B[n][n]) {
    for (int t = 0; t < steps; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 5;
    double(*A)[n] = malloc(sizeof(double[n][n])), (*B)[n] = malloc(sizeof(double[n][n]));
    init(n, A, B);
    start();
    kernel(steps, n, A, B);
    stop();
    double worst = 0, sum = 0;
    for (int k = 0; k < 3; k++) { // GPU
        worst = 0;
#pragma omp parallel for reduction(max : worst) reduction(+ : sum) collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double d = A[i][j] - B[i][j] + k;
                if (d < 0) d = -d;
                if (d > worst) worst = d;
                sum += A[i][j];
            }
    }
    for (int i = 0; i < n; i += 5)
        printf("%.10g %.10g\n", A[i][i], B[i][n - 1 - i]);
    printf("%.10g %.10g %s\n", worst, sum, spent_s < 0 ? "?" : "in time");
    free(A);
    free(B);
    return 0;
}
