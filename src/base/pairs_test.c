// Doubles as pairs of floats: what comes back, and what a pair cannot hold.
#include "base/pairs.h"
#include "check.h"

#include <float.h>
#include <math.h>

static double there_and_back(double value) { return base_pair_value(base_pair_of(value)); }

TEST(numbers_of_48_bits_come_back) {
    static const double numbers[] = {0.5, 1, 3, -1, 16777217, 4294967295.0, 0x1.000000000001p0, -0x1.ffffffffffp20};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        CHECK(there_and_back(numbers[i]) == numbers[i]);
    CHECK(fabs(there_and_back(0.1) - 0.1) <= 0x1p-49 * 0.1);
    CHECK(there_and_back(FLT_MAX) == (double)FLT_MAX);
}

TEST(zeros_infinities_and_nan_stay) {
    CHECK(there_and_back(0.0) == 0.0 && !signbit(there_and_back(0.0)));
    CHECK(there_and_back(-0.0) == 0.0 && signbit(there_and_back(-0.0)));
    CHECK(isinf(there_and_back(INFINITY)) && there_and_back(-INFINITY) < 0);
    CHECK(isnan(there_and_back(NAN)));
}

TEST(what_is_beyond_the_floats_is_infinite_or_zero) {
    CHECK(isinf(there_and_back(1e300)));
    CHECK(there_and_back(1e-300) == 0);
    CHECK(base_pair_of(1e300).low == 0.0f);
}

TEST(arrays_need_no_alignment) {
    double numbers[3] = {0.1, -2.5, 1e10}, back[3];
    unsigned char bytes[25], moved[25];
    memcpy(bytes + 1, numbers, sizeof numbers);
    base_split_doubles(bytes + 1, 3, moved + 1);
    base_join_doubles(moved + 1, 3, bytes + 1);
    memcpy(back, bytes + 1, sizeof back);
    for (int i = 0; i < 3; i++)
        CHECK(back[i] == there_and_back(numbers[i]));
}
