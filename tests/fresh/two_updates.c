// two_updates.c - a sum with an update in each branch: a selection of two sums is the sum of a selection (pass_choose),
// so that lanes share the walks.
//
// run: -i n=512 -i walks=512
// test: -i n=9 -i walks=40
// check: near 1e-3
// dispatches: 1
#include <stdint.h>

void two_updates(int n, int walks, float mean[n], float worth[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0.0f, product = 1.0f;
        for (int w = 0; w < walks; w++) {
            uint32_t s = (uint32_t)(i * walks + w) * 2654435769u;
            float x = 0.0f;
            for (int k = 0; k < 100; k++) {
                s = s * 747796405u + 2891336453u;
                if (x > 5.0f) {
                    if (s & 1u)
                        sum += x * x;
                    else
                        sum = 1.0f + sum;
                    break;
                }
                x += (float)(s >> 8) / 16777216.0f;
            }
            if (s & 2u)
                product *= 1.0f + 1e-4f * x;
            else
                product *= 0.9996f;
        }
        mean[i] = sum / (float)walks;
        worth[i] = product;
    }
}
