// volatility.c - how likely few series of returns are under models whose variance follows from the day before, and the
// largest surprise of each.
//
// run: -i n=1024 -i days=800 -i r=normal:sd=0.02,seed=3
// test: -i n=6 -i days=90 -i r=normal:sd=0.02,seed=3
// check: likely rel 1e-3
// check: worst exact except 2%
// dispatches: 1
#include <math.h>
#include <stdint.h>

void volatility(int n, int days, const float r[n][days], float likely[n], int worst[n], uint32_t tosses[n]) {
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        float a = 0.02f + 0.001f * (k % 40), b = 0.9f - 0.002f * (k % 17), h = 4e-4f, sum = 0, most = -1;
        uint32_t s = 9u + k, heads = 0;
        int at = -1;
        for (int t = 0; t < days; t++) {
            float surprise = r[k][t] * r[k][t] / h;
            sum += logf(h) + surprise + expf(-surprise) * 0.01f;
            if (surprise > most) {
                most = surprise;
                at = t;
            }
            h = 4e-4f * (1 - a - b) + a * r[k][t] * r[k][t] + b * h;
        }
        for (int t = 0; t < days; t++) {
            s = s * 1664525u + 1013904223u;
            uint32_t v = s ^ (uint32_t)t;
            for (int i = 0; i < 12; i++)
                v = v * v + (v >> 7);
            heads += v >> 31;
        }
        likely[k] = -0.5f * sum / days;
        worst[k] = at;
        tosses[k] = heads ^ s;
    }
}
