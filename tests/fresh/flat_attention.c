// flat_attention.c - causal attention of several heads, every array in one dimension.
//
// run: -i s=512 -i hd=64 -i nh=8 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3
// test: -i s=16 -i hd=8 -i nh=2 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3
// check: near 1e-3
// dispatches: 1
#include <math.h>
void attention(int s, int hd, int nh, const float q[s * nh * hd], const float k[s * nh * hd],
               const float v[s * nh * hd], float o[s * nh * hd]) {
    float w[nh * s * s];
#pragma omp parallel for
    for (int t = 0; t < nh * s * s; t++) {
        int j = t % s, r = t / s, i = r % s, h = r / s;
        float x = 0;
        for (int d = 0; d < hd; d++)
            x += q[i * nh * hd + h * hd + d] * k[j * nh * hd + h * hd + d];
        w[t] = j <= i ? x / sqrtf(hd) : -1e30f;
    }
#pragma omp parallel for
    for (int r = 0; r < nh * s; r++) {
        float m = -1e30f, z = 0;
        for (int j = 0; j < s; j++)
            m = fmaxf(m, w[r * s + j]);
        for (int j = 0; j < s; j++)
            z += w[r * s + j] = expf(w[r * s + j] - m);
        for (int j = 0; j < s; j++)
            w[r * s + j] /= z;
    }
#pragma omp parallel for
    for (int t = 0; t < s * nh * hd; t++) {
        int i = t / (nh * hd), c = t % (nh * hd), h = c / hd;
        float x = 0;
        for (int j = 0; j < s; j++)
            x += w[(h * s + i) * s + j] * v[j * nh * hd + c];
        o[t] = x;
    }
}
