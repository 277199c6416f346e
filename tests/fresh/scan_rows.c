// scan_rows.c - recurrences of rows, which blocks of a row begin in the middle of: running means, a filter of the second
// order, a random number from the one before, a hash, the largest so far and the deepest fall from it, sums that begin
// anew.
//
// test: -i n=1601 -i m=3 -i x=uniform:lo=-1,hi=1,seed=1 -i key=uniform:lo=0,hi=9,seed=2 -i seed=7
// check: abs 1e-4
#include <math.h>
#include <stdint.h>

void scan_rows(int n, int m, uint32_t seed, const float x[m][n], const int key[m][n], float mean[m][n], float y[m][n],
               float top[m][n], float fall[m], int inside[m], int last[m][n], int run[m][n], uint32_t hash[m][3]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        float e = x[r][0], y1 = 0, y2 = 0;
        for (int t = 0; t < n; t++) {
            e = 0.3f * x[r][t] + 0.7f * e;
            float v = e + 0.5f * y1 - 0.2f * y2;
            y2 = y1;
            y1 = v;
            mean[r][t] = e;
            y[r][t] = v;
        }
        float peak = x[r][0], worst = 0;
        for (int t = 1; t < n; t++) {
            if (x[r][t] > peak) peak = x[r][t];
            top[r][t] = peak;
            worst = fmaxf(worst, peak - x[r][t]);
        }
        fall[r] = worst;
    }
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        uint32_t s = seed + (uint32_t)r * 977u;
        int count = 0;
        for (int t = 0; t < n; t++) {
            s = s * 1664525u + 1013904223u;
            float u = (float)(s >> 8) * 0x1p-24f;
            s = s * 1664525u + 1013904223u;
            float v = (float)(s >> 8) * 0x1p-24f;
            count += u * u + v * v < 1 ? 1 : 0;
        }
        inside[r] = count;
        hash[r][2] = s;
    }
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        uint32_t h = 5381, f = 1;
        int seen = -1, length = 0;
        for (int t = n - 1; t >= 0; t--) {
            h = (h << 5) + h + (uint32_t)key[r][t];
            for (int k = 0; k < 3; k++)
                f = f * 31u - (uint32_t)(key[r][t] >> k);
            if (key[r][t] > 6) seen = t;
            if (key[r][t] == 0)
                length = 0;
            else
                length += key[r][t] & 3;
            last[r][t] = seen;
            run[r][t] = length;
        }
        hash[r][0] = h;
        hash[r][1] = f;
    }
}
