// build: -fdouble=pair
// Lines of a grid solved one by one in work arrays of each thread, as older programs have them at file scope: set before they are used,
// also by functions, wherever they are used. So it does not matter which threads there are. Others keep what is in them.
#include <stdio.h>

#define N 14
static double u[N][N][N], rhs[N][N][N];
static double lower[N], diagonal[N], upper[N][2], sum;
#pragma omp threadprivate(lower, diagonal, upper, sum)
static double last;
static int rounds;
#pragma omp threadprivate(last, rounds)

static void set_up(double row[N], int n, double value) {
    row[0] = 0;
    for (int i = 1; i < n; i++)
        row[i] = value;
}

static void eliminate(double line[N]) {
    for (int i = 1; i < N; i++) {
        double f = lower[i] / diagonal[i - 1];
        diagonal[i] -= f * upper[i - 1][0];
        line[i] -= f * line[i - 1];
    }
    line[N - 1] /= diagonal[N - 1];
    for (int i = N - 2; i >= 0; i--)
        line[i] = (line[i] - upper[i][0] * line[i + 1]) / diagonal[i];
}

static void solve(void) {
#pragma omp for
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            set_up(lower, N, -0.1 * (k + 1));
            for (int i = 0; i < N; i++) {
                diagonal[i] = 4 + 0.01 * u[k][j][i];
                upper[i][0] = -0.2 * (j + 1) / N;
            }
            eliminate(rhs[k][j]);
        }
}

int main(void) {
    for (int t = 0; t < 3; t++) {
#pragma omp parallel // GPU
        {
#pragma omp for
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++) {
                    sum = 0;
                    for (int i = 0; i < N; i++) {
                        sum += u[k][j][i];
                        rhs[k][j][i] = 1 + (k * 3 + j * 5 + i) % 7;
                    }
                    u[k][j][0] += 0.001 * sum;
                }
            solve();
#pragma omp for
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    for (int i = 0; i < N; i++)
                        u[k][j][i] += rhs[k][j][i];
        }
        printf("%.9g %.9g\n", u[3][4][5], u[N - 1][0][N - 1]);
    }
#pragma omp parallel // GPU
    last = 3;
#pragma omp parallel for // GPU
    for (int k = 0; k < N; k++)
        u[k][0][0] = last;
#pragma omp parallel for // GPU
    for (int k = 0; k < N; k++) {
        if (k % 2 == 0) rounds = k;
        u[k][1][1] = rounds < N;
    }
    printf("%.9g %.9g\n", u[3][0][0], u[3][1][1]);
    return 0;
}
