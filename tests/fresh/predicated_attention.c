// Attention with a window, written with a running maximum: loops over the elements of a head stand under conditions, in
// a loop of which each row makes passes of its own.
//
// run: -i n=512 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3 -i keep=uniform:lo=0,hi=4,seed=4
// test: -i n=50 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3 -i keep=uniform:lo=0,hi=4,seed=4
// check: near 1e-3
// dispatches: 1
#include <math.h>
enum { H = 48, W = 24 };
void predicated_attention(int n, const float q[n][H], const float k[n][H], const float v[n][H], const int keep[n],
                          float out[n][H], int rescaled[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float acc[H] = {0}, most = -INFINITY, sum = 0;
        int from = i - W + 1 > 0 ? i - W + 1 : 0, times = 0;
        for (int j = from; j <= i; j++) {
            if (keep[j] == 0 && j != i) continue;
            float s = 0;
            for (int d = 0; d < H; d++)
                s += q[i][d] * k[j][d];
            s *= 0.1f;
            if (s > most) {
                float f = expf(most - s);
                sum *= f;
                times++;
                for (int d = 0; d < H; d++)
                    acc[d] *= f;
                most = s;
            }
            float p = expf(s - most);
            sum += p;
            for (int d = 0; d < H; d++)
                acc[d] += p * v[j][d];
        }
        for (int d = 0; d < H; d++)
            out[i][d] = acc[d] / sum;
        rescaled[i] = times;
    }
}
