// normal_table.c - prints programs/lib/normal_table.h, the table behind philox_normal01().
//
//   cc -std=c11 -O2 tools/normal_table.c -lm -o build/normal_table && build/normal_table > programs/lib/normal_table.h
//
// The tail probability p in (0, 1/2) is cut into 32 octaves [2^-(e+2), 2^-(e+1)), each into 8 equal cells. In a cell,
// with t in [0, 1) growing with p, z = -InverseCDF(p) is the cubic that meets it at the four Chebyshev nodes:
//     z = c0 - t (c1 - t (c2 - t c3)),   all four positive, in units of 2^-28.
// The inverse is found by Newton steps on erfcl in long double; rounding the coefficients is the only other error.
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { OCTAVES = 32, CELLS = 8 };

static const long double PI = 3.141592653589793238462643383279502884L;

// z > 0 with P(Z > z) = p, for 0 < p < 1/2.
static long double upper_quantile(long double p) {
    long double z =
        sqrtl(-2.0L * logl(2.0L * p)); // good enough to start from: Newton on log P converges from anywhere here
    for (int i = 0; i < 60; i++) {
        long double tail = 0.5L * erfcl(z / sqrtl(2.0L));
        long double density = expl(-0.5L * z * z) / sqrtl(2.0L * PI);
        z += (logl(tail) - logl(p)) * tail / density;
    }
    return z;
}

int main(void) {
    printf("// normal_table.h - written by tools/normal_table.c, which says what the numbers are. Do not edit.\n"
           "#ifndef NORMAL_TABLE_H\n#define NORMAL_TABLE_H\n\n#include <stdint.h>\n\n"
           "static const uint32_t normal_table[%d][4] = {\n",
           OCTAVES * CELLS);
    for (int e = 0; e < OCTAVES; e++)
        for (int cell = 0; cell < CELLS; cell++) {
            long double octave = ldexpl(1.0L, -(e + 2)), width = octave / CELLS, low = octave + cell * width;
            long double t[4], d[4];
            for (int k = 0; k < 4; k++) {
                t[k] = 0.5L - 0.5L * cosl(PI * (2 * k + 1) / 8.0L);
                long double p = low + t[k] * width;
                d[k] = p < 0.5L ? upper_quantile(p) : 0.0L;
            }
            for (int order = 1; order < 4; order++) // divided differences: Newton's form of the interpolating cubic
                for (int k = 3; k >= order; k--)
                    d[k] = (d[k] - d[k - 1]) / (t[k] - t[k - order]);
            long double c[4] = {d[3], 0, 0, 0}; // to powers of t, from the innermost bracket out
            for (int k = 2; k >= 0; k--) {
                for (int power = 3; power > 0; power--)
                    c[power] = c[power - 1] - t[k] * c[power];
                c[0] = d[k] - t[k] * c[0];
            }
            printf("    {");
            for (int k = 0; k < 4; k++) {
                long double fixed = roundl(ldexpl(k % 2 ? -c[k] : c[k], 28));
                if (fixed < 0 || fixed > 4294967295.0L) {
                    fprintf(stderr, "normal_table: coefficient %d of octave %d cell %d is out of range\n", k, e, cell);
                    return 1;
                }
                printf("%uu%s", (unsigned)fixed, k < 3 ? ", " : "");
            }
            printf("},\n");
        }
    printf("};\n\n#endif\n");
    return 0;
}
