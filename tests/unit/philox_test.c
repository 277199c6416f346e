// philox_test.c - programs/lib/philox.h against the published known answers, and the quality of its conversions.
//
//   cc -std=c11 -O2 -Itests -Iprograms/lib tests/unit/philox_test.c -lm -o build/philox_test && build/philox_test
//
// The known answers are those that the authors of Philox publish with their library (philox4x32, 10 rounds).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#include "philox.h"

static void expect(int holds, const char *what) {
    if (!holds) FAIL("%s", what);
}

static const struct {
    uint32_t counter[4], key[2], block[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
    {{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
     {0xffffffffu, 0xffffffffu},
     {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
    {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
     {0xa4093822u, 0x299f31d0u},
     {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
};

TEST(known_answers) {
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint32_t *c = known[i].counter, *k = known[i].key;
        struct philox got = philox4x32(c[0], c[1], c[2], c[3], k[0], k[1]);
        uint32_t block[4] = {got.x, got.y, got.z, got.w};
        expect(!memcmp(block, known[i].block, sizeof block), "known-answer vector");
    }
}

TEST(uniform) {
    expect(philox_uniform01(0) == 0.0f, "uniform01 of the smallest word is 0");
    expect(philox_uniform01(0xffu) == 0.0f, "uniform01 drops the low 8 bits");
    expect(philox_uniform01(0x80000000u) == 0.5f, "uniform01 of half the range is 1/2");
    expect(philox_uniform01(0xffffffffu) == 1.0f - 0x1p-24f, "uniform01 of the largest word is 1 - 2^-24");
}

// z > 0 with P(Z > z) = p, by Newton on log P.
static double upper_quantile(double p) {
    double z = sqrt(-2.0 * log(2.0 * p));
    for (int i = 0; i < 50; i++)
        z += (log(0.5 * erfc(z / sqrt(2.0))) - log(p)) * 0.5 * erfc(z / sqrt(2.0)) * sqrt(8.0 * atan(1.0)) *
             exp(0.5 * z * z);
    return z;
}

// Every octave of the tail, 1024 places in each.
TEST(normal_error) {
    double worst_value = 0, worst_cdf = 0;
    for (unsigned octave = 0; octave < 31; octave++)
        for (unsigned place = 0; place < 1024; place++) {
            uint32_t v = (uint32_t)((1024.0 + place) * exp2(20.0 - octave));
            double p = (2.0 * v + 1.0) * 0x1p-33;
            double z = upper_quantile(p), got = philox_normal01(v);
            double cdf_error = fabs(0.5 * erfc(got / sqrt(2.0)) - p);
            worst_value = fmax(worst_value, fabs(got - z));
            worst_cdf = fmax(worst_cdf, cdf_error);
        }
    printf("philox_test: normal01: largest error of the value %.2e, of the distribution function %.2e\n", worst_value,
           worst_cdf);
    expect(worst_value <= 4.0e-7, "normal01 is within 4.0e-7 of the exact quantile");
    expect(worst_cdf <= 1.3e-7, "normal01's distribution function is within 1.3e-7");
}

TEST(normal_shape) {
    int ordered = 1, odd = 1;
    float last = INFINITY;
    for (uint32_t v = 0; v < 0x80000000u;
         v += 4093) { // falls as the tail probability grows, across cells and octaves too
        float z = philox_normal01(v);
        ordered &= z <= last && z >= 0.0f;
        odd &= philox_normal01(v | 0x80000000u) == -z;
        last = z;
    }
    for (uint32_t v = 1; v < 300000; v++)
        ordered &= philox_normal01(v) <= philox_normal01(v - 1);
    expect(ordered, "normal01 is monotonic");
    expect(odd, "normal01 is symmetric");
    expect(philox_normal01(0) < 6.34f && philox_normal01(0) > 6.33f, "normal01's largest value is about 6.34");

    double sum = 0, square = 0, fourth = 0;
    const uint32_t blocks = 1u << 20;
    for (uint32_t i = 0; i < blocks; i++) {
        struct philox r = philox4x32(i, 0, 0, 0, 7, 0);
        uint32_t words[4] = {r.x, r.y, r.z, r.w};
        for (int k = 0; k < 4; k++) {
            double z = philox_normal01(words[k]);
            sum += z;
            square += z * z;
            fourth += z * z * z * z;
        }
    }
    double n = 4.0 * blocks; // five standard errors each: sd 1, sqrt 2, sqrt 96
    expect(fabs(sum / n) < 5 / sqrt(n), "normal01 has mean 0");
    expect(fabs(square / n - 1) < 5 * sqrt(2 / n), "normal01 has variance 1");
    expect(fabs(fourth / n - 3) < 5 * sqrt(96 / n), "normal01 has fourth moment 3");
}
