// The largest of values that begins with what is no number: no comparison with it is true, so it stays, however many
// take part; in sequential code, in iterations, with its place, nested, and of the smallest. With `fmaxf` it goes.
//
// test: -i n=4099
// check: exact
#include <math.h>

void largest_none(int n, float x[n], float y[8], float rows[n / 8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i % 8 == 0 && i % 3 == 0 ? NAN : (float)(i * 7919 % 1000);
    float top = x[0], least = x[0], other = x[0], number = x[1];
    for (int i = 1; i < n; i++)
        if (x[i] > top) top = x[i];
    for (int i = 0; i < n; i++)
        least = x[i] < least ? x[i] : least;
    for (int i = 1; i < n; i++)
        other = fmaxf(other, x[i]);
    for (int i = 1; i < n; i++)
        if (number < x[i]) number = x[i];
    float best = x[24];
    int who = -1;
    for (int i = 1; i < n; i++)
        if (x[i] > best) {
            best = x[i];
            who = i;
        }
    y[0] = isnan(top) ? 1.0f : top;
    y[1] = isnan(least) ? 1.0f : least;
    y[2] = other;
    y[3] = number;
    y[4] = isnan(best) ? 1.0f : best;
    y[5] = (float)who;
#pragma omp parallel for
    for (int r = 0; r < n / 8; r++) {
        float most = x[r * 8];
        for (int k = 0; k < 2; k++)
            for (int j = 1; j < 200; j++)
                if (x[(r * 8 + j * 5 + k) % n] > most) most = x[(r * 8 + j * 5 + k) % n];
        rows[r] = isnan(most) ? -1.0f : most;
    }
}
