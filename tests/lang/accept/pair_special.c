// Doubles as pairs of floats: infinities, NaN, signs of zero, halves, the ends of integers, sums that cancel.
// test: -fdouble=pair -i n=20
// check: rel 1e-13
#include <math.h>

static int sign(double v) { return signbit(v) ? -1 : 1; }

void special(int n, double sums[n][n], double products[n][n], double quotients[n][n], double whole[n][5],
             int kinds[n][n], int signs[n][n], int integers[n], unsigned words[n], double roots[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double a[20] = {0,         -0.0,       INFINITY,     -INFINITY,       NAN,
                              1,         -1,         3e38,         -3e38,           0.5,
                              -2.5,      3.5,        2147483647.0, 1e-20,           4294967295,
                              1 + 1e-10, -1e-10 - 1, 16777217,     0.4999999999999, -2147483648.0};
        double v = a[i];
        for (int j = 0; j < n; j++) {
            double w = a[j];
            int beyond = fabs(v) > 1e38 || fabs(w) > 1e38; // a pair has a float's exponents
            sums[i][j] = beyond ? 0 : v + w;
            products[i][j] = beyond && fabs(v * w) > 3e38 ? 0 : v * w;
            quotients[i][j] = beyond || fabs(w) < 1e-20 ? v : v / w;
            kinds[i][j] = (v < w) + 2 * (v <= w) + 4 * (v == w) + 8 * (v != w) + 16 * (v > w) + 32 * (v >= w) +
                          64 * (fmin(v, w) == v) + 128 * (fmax(v, w) == v);
            signs[i][j] =
                isnan(v) || isnan(w) || isnan(v + w) || isnan(v * w) ? 0 : sign(v + w) + 2 * sign(v * w) + 4 * sign(-v);
        }
        whole[i][0] = floor(v);
        whole[i][1] = ceil(v);
        whole[i][2] = trunc(v);
        whole[i][3] = round(v);
        whole[i][4] = rint(v);
        integers[i] = v >= -2147483648.0 && v <= 2147483647.0 ? (int)v : 7;
        words[i] = v >= 0 && v <= 4294967295.0 ? (unsigned)v : 7;
        roots[i] = sqrt(v);
    }
}
