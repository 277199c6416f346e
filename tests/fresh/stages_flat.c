// stages_flat.c - transforms of rows whose stages number their butterflies in one loop: lanes share it, as no two of its
// passes meet in any of the stages. In one of the two, distances double, in the other one they halve.
//
// test: -i n=6 -i a=normal:seed=1 -i b=normal:seed=2
// check: near 1e-4
// dispatches: 1
#include <math.h>
#define G 128
#define LOG 7
#define PI 3.14159265f
void stages_flat(int n, const float a[n][G], const float b[n][G], float x[n][G], float y[n][G], int z[n][G]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float re[G], im[G];
        int sums[G];
        for (int j = 0; j < G; j++) {
            re[j] = a[i][j];
            im[j] = b[i][j];
            sums[j] = (int)(8.0f * a[i][j]);
        }
        for (int half = 1; half < G; half *= 2)
            for (int k = 0; k < G / 2; k++) {
                int low = k / half * 2 * half + k % half, high = low + half;
                float w = -PI * (k % half) / half, c = cosf(w), s = sinf(w);
                float tr = c * re[high] - s * im[high], ti = c * im[high] + s * re[high];
                re[high] = re[low] - tr;
                im[high] = im[low] - ti;
                re[low] += tr;
                im[low] += ti;
            }
        for (int bit = LOG - 1; bit >= 0; bit--)
            for (int k = 0; k < G / 2; k++) {
                int low = (k >> bit << (bit + 1)) | (k & ((1 << bit) - 1)), high = low ^ (1 << bit);
                int both = sums[low] + sums[high];
                sums[high] = sums[low] - sums[high];
                sums[low] = both;
            }
        for (int j = 0; j < G; j++) {
            x[i][j] = re[j];
            y[i][j] = im[j];
            z[i][j] = sums[j];
        }
    }
}
