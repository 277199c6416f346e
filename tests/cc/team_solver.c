// build: -fdouble=pair
// A solver that all threads of a region call: its worksharing loops are orphaned, and what the threads share stands in static variables of
// the function, which last from call to call. A norm has a critical section and a static of its own.
#include <math.h>
#include <stdio.h>

#define N 300
static double a[N][3], x[N + 2], z[N + 2], p[N + 2], q[N + 2], r[N + 2];

struct best {
    double size;
    int at;
};

static void solve(double *norm);
static void largest(double *out);

int main(void) {
    double norm = 0, size = 0;
    for (int i = 0; i < N; i++) {
        a[i][0] = a[i][2] = -1;
        a[i][1] = 4 + 0.1 * (i % 5);
        x[i + 1] = 1 + i % 3;
    }
    for (int t = 0; t < 3; t++) {
#pragma omp parallel // GPU: 3 calls
        {
            solve(&norm);
            largest(&size);
        }
        printf("%.9g %.9g %.9g\n", norm, size, z[7]);
    }
    return 0;
}

static void solve(double *norm) {
    static double d, rho, rho0,
        sum;
    static int calls = 5;
    double alpha, beta;
    int j;
#pragma omp single nowait
    {
        rho = 0.0;
        sum = 0.0;
    }
#pragma omp for
    for (j = 0; j < N + 2; j++) {
        q[j] = 0.0;
        z[j] = 0.0;
        r[j] = x[j];
        p[j] = r[j];
    }
#pragma omp for reduction(+ : rho)
    for (j = 1; j <= N; j++)
        rho += r[j] * r[j];
    for (int it = 0; it < 6; it++) {
#pragma omp barrier
#pragma omp single
        {
            rho0 = rho;
            rho = 0.0;
            d = 0.0;
        }
#pragma omp for reduction(+ : d)
        for (j = 1; j <= N; j++) {
            q[j] = a[j - 1][0] * p[j - 1] + a[j - 1][1] * p[j] + a[j - 1][2] * p[j + 1];
            d += p[j] * q[j];
        }
        alpha = rho0 / d;
#pragma omp for reduction(+ : rho)
        for (j = 1; j <= N; j++) {
            z[j] += alpha * p[j];
            r[j] -= alpha * q[j];
            rho += r[j] * r[j];
        }
        beta = rho / rho0;
#pragma omp for
        for (j = 1; j <= N; j++)
            p[j] = r[j] + beta * p[j];
    }
#pragma omp for reduction(+ : sum)
    for (j = 1; j <= N; j++)
        sum += r[j] * r[j];
#pragma omp single
    {
        calls++;
        *norm = sqrt(sum) + calls;
    }
}

static void largest(double *out) {
    struct best one = {0, 3};
    static double s = 0.0;
    static struct best best;
    double own = 0.0;
#pragma omp for nowait
    for (int j = 1; j <= N; j++)
        own += z[j] * z[j];
#pragma omp critical
    s += own;
#pragma omp barrier
#pragma omp single
    {
        best.size = s;
        best.at += one.at;
        *out = sqrt(best.size / N) + best.at;
        s = 0.0;
    }
}
