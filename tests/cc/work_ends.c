// Systems of five diagonals along the lines of a grid, in work arrays of each thread. That all of a line is set before
// it is used follows from numbers that only a call knows, which are asked for over and over.
// build: -fdouble=pair
#include <stdio.h>

#define N 12
static int points[3] = {N, N, N}, inner = N - 2;
static double rhs[N][N][N][2], speed[N][N][N], dt = 0.1;
static double left[N + 1][N + 1][5], right[N + 1][N + 1][5];
#pragma omp threadprivate(left, right)

void begin(int ni, int nj) {
    for (int j = 1; j <= nj; j++) {
        for (int m = 0; m < 5; m++) {
            left[j][0][m] = right[j][0][m] = 0;
            left[j][ni][m] = 0;
            right[j][ni][m] = 0;
        }
        left[j][0][2] = right[j][0][2] = 1;
        left[j][ni][2] = 1;
        right[j][ni][2] = 1;
    }
}

static void solve(void) {
    int i, j, k, i1, i2, m;
    double f, g;
#pragma omp parallel for private(i, j, k, i1, i2, m, f, g) // GPU: 3 calls, 3 dispatches
    for (k = 1; k <= inner; k++) {
        begin(inner + 1, inner);
        for (j = 1; j <= inner; j++) {
            for (i = 1; i <= inner; i++) {
                left[j][i][0] = left[j][i][4] = 0.01;
                left[j][i][1] = -dt * speed[k][j][i - 1];
                left[j][i][2] = 1 + 2 * dt;
                left[j][i][3] = dt * speed[k][j][i + 1];
                for (m = 0; m < 5; m++)
                    right[j][i][m] = left[j][i][m] * (m == 2 ? 1.5 : 0.5);
            }
        }
        for (j = 1; j <= inner; j++) {
            for (i = 0; i <= points[0] - 3; i++) {
                i1 = i + 1;
                i2 = i + 2;
                f = 1 / left[j][i][2];
                left[j][i][3] = f * left[j][i][3];
                left[j][i][4] = f * left[j][i][4];
                rhs[k][j][i][0] = f * rhs[k][j][i][0];
                left[j][i1][2] = left[j][i1][2] - left[j][i1][1] * left[j][i][3];
                left[j][i1][3] = left[j][i1][3] - left[j][i1][1] * left[j][i][4];
                rhs[k][j][i1][0] = rhs[k][j][i1][0] - left[j][i1][1] * rhs[k][j][i][0];
                left[j][i2][1] = left[j][i2][1] - left[j][i2][0] * left[j][i][3];
                left[j][i2][2] = left[j][i2][2] - left[j][i2][0] * left[j][i][4];
                rhs[k][j][i2][0] = rhs[k][j][i2][0] - left[j][i2][0] * rhs[k][j][i][0];
                g = 1 / right[j][i][2];
                right[j][i][3] = g * right[j][i][3];
                right[j][i][4] = g * right[j][i][4];
                rhs[k][j][i][1] = g * rhs[k][j][i][1];
                right[j][i1][2] = right[j][i1][2] - right[j][i1][1] * right[j][i][3];
                right[j][i1][3] = right[j][i1][3] - right[j][i1][1] * right[j][i][4];
                rhs[k][j][i1][1] = rhs[k][j][i1][1] - right[j][i1][1] * rhs[k][j][i][1];
            }
        }
        for (j = 1; j <= inner; j++) {
            i = points[0] - 2;
            i1 = points[0] - 1;
            f = 1 / left[j][i][2];
            left[j][i][3] = f * left[j][i][3];
            left[j][i][4] = f * left[j][i][4];
            rhs[k][j][i][0] = f * rhs[k][j][i][0];
            left[j][i1][2] = left[j][i1][2] - left[j][i1][1] * left[j][i][3];
            left[j][i1][3] = left[j][i1][3] - left[j][i1][1] * left[j][i][4];
            rhs[k][j][i1][0] = rhs[k][j][i1][0] - left[j][i1][1] * rhs[k][j][i][0];
            rhs[k][j][i1][0] = rhs[k][j][i1][0] / left[j][i1][2];
            rhs[k][j][i1][1] = rhs[k][j][i1][1] / right[j][i1][2];
        }
        for (j = 1; j <= inner; j++)
            for (i = points[0] - 3; i >= 0; i--) {
                i1 = i + 1;
                i2 = i + 2;
                rhs[k][j][i][0] -= left[j][i][3] * rhs[k][j][i1][0] + left[j][i][4] * rhs[k][j][i2][0];
                rhs[k][j][i][1] -= right[j][i][3] * rhs[k][j][i1][1];
            }
    }
}

int main(void) {
    double sum = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                speed[k][j][i] = 0.5 + (i * 3 + j * 5 + k * 7) % 11 * 0.1;
                rhs[k][j][i][0] = (i + j + k) % 5;
                rhs[k][j][i][1] = (i * j + k) % 7;
            }
    for (int t = 0; t < 3; t++)
        solve();
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                sum += rhs[k][j][i][0] * (i + 1) + rhs[k][j][i][1] * (j + 1);
    printf("%.9g\n", sum);
    return 0;
}
