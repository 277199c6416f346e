// What drivers compute as if floats were real numbers: places on borders, by two constants, and sums that carry what
// rounding lost. Multiplications and additions are exact to the last bit in C: which side of a border a place is on is not
// open.
// run: -i n=100000 -i x=uniform:lo=0,hi=1,seed=1
// test: -i n=3000 -i x=uniform:lo=0,hi=1,seed=1
// check: sums near 1e-7
#include <math.h>

void rounded_twice(int n, const float x[n], int side[n], int cell[n], float sums[64], int lost[64]) {
    float width = 256 * 12.5f;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float at = width * ((float)(i % 48) + 0.5f) / 48; // 700 is one of them
        side[i] = fabsf(0.0f - at) > 700.0f;
        cell[i] = (int)((float)i * 3.3f * 7.7f * 64.0f - 2.1f + 0.3f);
    }
#pragma omp parallel for
    for (int k = 0; k < 64; k++) {
        float sum = 0, carry = 0;
        int count = 0;
        for (int i = k; i < n; i += 64) { // W. Kahan, 1965
            float y = x[i] - carry, t = sum + y;
            carry = (t - sum) - y;
            count += carry != 0;
            sum = t;
        }
        sums[k] = sum;
        lost[k] = count > n / 400;
    }
}
