// Comparisons of floats: with NaN all are false but !=, infinities are ordered, -0 equals 0.
// test: -i n=25
// check: exact
#include <math.h>

void compare(int n, int out[n][8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float values[5] = {NAN, INFINITY, -0.0f, 0.0f, 1.5f};
        float a = values[i / 5 % 5], b = values[i % 5];
        out[i][0] = a < b;
        out[i][1] = a <= b;
        out[i][2] = a > b;
        out[i][3] = a >= b;
        out[i][4] = a == b;
        out[i][5] = a != b;
        out[i][6] = !(a < b) + 2 * (a != a) + 4 * !a;
        out[i][7] = isnan(a) + 2 * (isinf(b) != 0) + 4 * (isfinite(a) != 0) + 8 * (signbit(b) != 0);
    }
}
