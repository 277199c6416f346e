// Random program 345, shrunk: GPU, single in slices.
// WHORL_UNSUPPORTED: 345.c:31:13: error: this loop touches too many large arrays: the device binds 8 buffers, and what is left does not fit together into 128 MiB, or has a size that is known only at run time (--uniform); split the loop or make arrays smaller
// run: -i n=5 -i m=7 -i steps=8 -i shift=-5 -i key=3.88603574e+09 -i gain=1.9375

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UNIT 16.0f
enum { LEAST = -1024, MOST = 1023 };

struct t0 {
    int a;
    int b;
    int c;
    int d;
};

static const float table0[4] = {2.2500f, 5.4375f, -1.8750f, 7.8125f};

void entry_345(int n, int m, int steps, int shift, unsigned key, float gain, const uint32_t a4[steps][n], float b5[n * m][4]) {
    struct t0 tmp6[n][4];
#pragma omp parallel for collapse(2)
    for (int i7 = 0; i7 < n; i7++)
        for (int j8 = 0; j8 < 4; j8++) {
        tmp6[i7][j8].a = 1;
        tmp6[i7][j8].b = 1;
        tmp6[i7][j8].c = 1;
        tmp6[i7][j8].d = 1;
    }
    for (int t35 = 0; t35 < 1; t35++) {
        int k39 = 2;
        unsigned acc44 = 0;
#pragma omp parallel for collapse(2) reduction(min:acc44)
        for (int i42 = 0; i42 < 2 * n; i42++)
            for (uint32_t j43 = 0; j43 < (uint32_t)(4); j43++) {
            float f45 = table0[(i42 & n) & 3];
            if (table0[(tmp6[~(-1)][(896972568u | j43) % 4u].c ^ tmp6[m - 3][n - 3].a) < 0 ? 0 : (tmp6[~(-1)][(896972568u | j43) % 4u].c ^ tmp6[m - 3][n - 3].a) > 3 ? 3 : tmp6[~(-1)][(896972568u | j43) % 4u].c ^ tmp6[m - 3][n - 3].a] * table0[(tmp6[4][n - 3].c - k39) & 3] + ((f45 != f45) ? f45 : b5[i42][j43]) < fabsf(f45) - (b5[i42][j43] + -29.5000f)) {
                for (unsigned i46 = 0; i46 < 7u; i46++) {
                    f45 = 1.5f;
                }
            } else {
            }
            const unsigned t50 = (a4[m][m - 3] << (a4[1][m - 3] & 31u)) / 63u;
            acc44 = t50 < acc44 ? t50 : acc44;
        }
    }
}
