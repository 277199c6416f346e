// nan_choices.c - choices between two floats where one is no number: the comparison is false, which says what is chosen. A driver
// that makes a minimum or maximum of such a choice gives the number instead.
//
// test: -i n=4096 -i x=uniform:lo=-1,hi=1,seed=3 -i y=uniform:lo=-1,hi=1,seed=4
// check: exact
#include <math.h>

void nan_choices(int n, const float x[n], const float y[n], float out[14][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = x[i] < 0 ? NAN : x[i], b = y[i] < 0 ? NAN : y[i];
        out[0][i] = a > b ? a : b;
        out[1][i] = a < b ? a : b;
        out[2][i] = a >= b ? b : a;
        out[3][i] = !(a < b) ? a : b;
        out[4][i] = a < 0.5f ? 0.5f : a;
        out[5][i] = a < -1 ? -1 : a > 0.25f ? 0.25f : a;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = x[i] < 0 ? NAN : x[i], b = y[i] < 0 ? NAN : y[i], t = a, both = a;
        if (b > t) t = b;
        if (b > both && i > 2) both = b;
        out[6][i] = t;
        out[7][i] = both;
        if (a > b) t = a;
        else t = b;
        out[8][i] = t;
        int larger = a > b;
        out[9][i] = larger ? a : b;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float first = x[i] < 0 ? NAN : x[i], least = first, most = first;
        int place = 0;
        for (int k = 0; k < 20; k++) {
            float v = y[(i + k) % n];
            if (v < least) least = v, place = k;
            most = v > most ? v : most;
        }
        out[10][i] = least;
        out[11][i] = most;
        out[12][i] = (float)place;
        out[13][i] = fminf(first, y[i]);
    }
}
