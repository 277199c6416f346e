// Rows read and written by simd loops, of every element type: lengths that are whole vectors and such that are not, columns beside rows,
// rows under a condition, an array that is stored twice, and one that is only stored now and then.
// test: -i n=5 -i a=uniform:lo=-100,hi=100,seed=1 -i b=uniform:lo=0,hi=200,seed=2 -i c=uniform:lo=-100,hi=100,seed=3 -i d=uniform:lo=0,hi=200,seed=4 -i h=uniform:lo=-60,hi=60,seed=5 -i f=uniform:lo=-60,hi=60,seed=6 -i w=uniform:lo=0,hi=1000,seed=7 -i odd=uniform:lo=0,hi=50,seed=8 -i cube=uniform:lo=0,hi=50,seed=9
// check: exact
#include <stdint.h>

enum { LONG = 256, ODD = 90, SIDE = 64 };

void rows(int n, const int8_t a[n][LONG], const uint8_t b[n][LONG], const int16_t c[n][LONG], const uint16_t d[n][LONG],
          const _Float16 h[n][LONG], const float f[n][LONG], const unsigned w[LONG], const int odd[n][ODD],
          const int cube[n][3][SIDE], int sums[n][8], int out[n][LONG], float halves[n][LONG], int shorter[n][ODD],
          unsigned twice[n][SIDE], int some[n][SIDE]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int s0 = 0, s1 = 0, s2 = 0, s3 = 0, s5 = 0, s6 = 0, most = -1000;
        unsigned s4 = 0;
#pragma omp simd reduction(+ : s0)
        for (int k = 0; k < LONG; k++)
            s0 += a[i][k] * a[i][k] - a[i][k];
#pragma omp simd reduction(+ : s1, s4)
        for (int k = 0; k < LONG; k++) {
            s1 += b[i][k] * k;
            s4 += w[k] * (unsigned)(i + 1) + d[i][k];
        }
#pragma omp simd reduction(+ : s2) reduction(max : most)
        for (int k = 0; k < LONG; k++) {
            s2 += c[i][k] + d[i][k] * 3;
            most = c[i][k] > most ? c[i][k] : most;
        }
#pragma omp simd reduction(+ : s3)
        for (int k = 0; k < LONG; k++)
            s3 += (int)((float)h[i][k] * 4.0f) + (int)f[i][k];
#pragma omp simd reduction(+ : s5)
        for (int k = 0; k < ODD; k++)
            s5 += odd[i][k] * odd[k % n][i] + (k < ODD - 1 ? odd[i][k + 1] : 0);
#pragma omp simd reduction(+ : s6)
        for (int k = 0; k < SIDE; k++)
            s6 += cube[i][1][k] * cube[(i + 1) % n][2][k] - cube[i][i % 3][SIDE - 1 - k];
#pragma omp simd
        for (int k = 0; k < LONG; k++) {
            out[i][k] = b[i][k] + (a[i][k] > 0 ? c[i][k] : (int)d[i][k]);
            halves[i][k] = (float)h[i][k] * 0.5f + f[i][k];
        }
#pragma omp simd
        for (int k = 0; k < ODD; k++)
            shorter[i][k] = odd[i][k] - k;
#pragma omp simd
        for (int k = 0; k < SIDE; k++) {
            twice[i][k] = w[k];
            if (cube[i][0][k] > 25) twice[i][k] = (unsigned)cube[i][2][k];
        }
#pragma omp simd
        for (int k = 0; k < SIDE; k++)
            if (a[i][k] > 0) some[i][k] = a[i][k];
        sums[i][0] = s0;
        sums[i][1] = s1;
        sums[i][2] = s2;
        sums[i][3] = s3;
        sums[i][4] = (int)(s4 & 0xffffff);
        sums[i][5] = s5;
        sums[i][6] = s6;
        sums[i][7] = most;
    }
}
