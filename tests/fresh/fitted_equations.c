// fitted_equations.c - curves through the points of each group: sums of 6 x 6 equations that an elimination then solves.
//
// Lanes share the loop over the points: it has sums of its own, as the elimination chooses elements by loops that are
// not unrolled.
//
// run: -i groups=32 -i points=4096
// test: -i groups=3 -i points=70
// check: rel 1e-3
// check: used exact
// dispatches: 1
#include <math.h>

#define N 6

static void solve(float a[N][N], float b[N]) {
    for (int k = 0; k < N; k++) {
        float inverse = 1.0f / a[k][k];
        for (int i = k + 1; i < N; i++) {
            float f = a[i][k] * inverse;
            for (int j = k; j < N; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k + 1; j < N; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

void fitted_equations(int groups, int points, float curve[groups][N], int used[groups]) {
#pragma omp parallel for
    for (int g = 0; g < groups; g++) {
        float a[N][N] = {{0}}, b[N] = {0};
        int count = 0;
        for (int p = 0; p < points; p++) {
            float x = (float)(p * 37 % points) / (float)points;
            if (p % 7 == g % 7) continue;
            float value = sinf(3.0f * x + (float)g), row[N];
            for (int i = 0; i < N; i++)
                row[i] = cosf(2.0f * (float)i * x);
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < N; j++)
                    a[i][j] += row[i] * row[j];
                b[i] += row[i] * value;
            }
            count++;
        }
        for (int i = 0; i < N; i++)
            a[i][i] += 0.05f * (float)count;
        solve(a, b);
        for (int i = 0; i < N; i++)
            curve[g][i] = b[i];
        used[g] = count;
    }
}
