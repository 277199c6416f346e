// Searches that begin with numbers beyond a float's range, DBL_MAX and its like, by name and as constants, in functions, too; what is stored
// of them is the CPU's to say.
// build: -fdouble=pair
// build, too: -fdouble=float
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { N = 600 };
static double x[N], y[N];
static int at[N];

static double nearest(int i, double to, int *out_at) {
    double best = DBL_MAX;
    *out_at = -1;
    for (int k = 0; k < 50; k++) {
        double d = fabs(x[(i + k * 7) % N] - to);
        if (d < best) best = d, *out_at = k;
    }
    return best;
}

int main(void) {
    double all = DBL_MAX, sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 % 101) * 0.5;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = nearest(i, 20.25, &at[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        double best = -DBL_MAX;
        for (int k = 0; k < i % 3 && i + k < N; k++)
            if (x[i + k] > best) best = x[i + k];
        y[i] += best > -DBL_MAX ? best : 0.25;
    }
    for (int t = 0; t < 3; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            double least = 1e100;
            for (int k = 0; k < N; k += 50)
                if (x[(i + k) % N] < least) least = x[(i + k) % N];
            if (fabs(least) < DBL_EPSILON) least = 1;
            y[i] += least < 1e99 ? least : 1e20;
        }
    }
#pragma omp parallel for reduction(min : all) // GPU
    for (int i = 0; i < N; i++)
        if (y[i] < all) all = y[i];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        x[i] = i % 10 ? x[i] : DBL_MAX;
    for (int i = 0; i < N; i++)
        sum += y[i] + at[i] + (x[i] < 1e30 ? x[i] : 3);
    printf("%g %g\n", sum, all);
    return 0;
}
