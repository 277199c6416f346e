// Unsuffixed constants and the double functions of math.h on floats are computed in float, with one note.
// test: -i n=64 -i x=uniform:lo=0.1,hi=4,seed=1
// check: rel 1e-5
#include <math.h>

void doubles(int n, const float x[n], float y[n][5]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i][0] = 0.5 * x[i] + 1.0 / 3.0;
        y[i][1] = exp(-x[i]) * 2.0;
        y[i][2] = x[i] > 0.75 ? sqrt(x[i]) : 1e-3;
        y[i][3] = (float)(x[i] * 1.5) + fabs(x[i] - 2.0);
        float v = 2.0;
        v *= 1.1;
        v -= 3.14159265358979323846;
        y[i][4] = v + pow(x[i], 2.0) + 4.0;
    }
}
