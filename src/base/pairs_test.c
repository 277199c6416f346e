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

TEST(rows_have_doubles_among_other_words) {
    // struct { int a, b; double x, y; int c, d; double z; }, from the middle of one to the middle of the next
    static const uint32_t runs[] = {2, 2, 8, 1};
    const struct base_pair_rows rows = {10, runs, 2};
    struct row {
        int32_t a, b;
        double x, y;
        int32_t c, d;
        double z;
    } all[2] = {{1, 2, 0.1, 0.2, 3, 4, 0.3}, {-1, -2, 1e300, -0.0, 0x7fc00001, 6, 1 / 3.0}}, device[2], back[2];
    base_split_rows(&rows, 0, all, 20, device);
    CHECK(device[0].a == 1 && device[0].d == 4 && device[1].c == 0x7fc00001);
    struct base_pair pair, wanted = base_pair_of(0.3);
    memcpy(&pair, &device[0].z, sizeof pair);
    CHECK(pair.high == wanted.high && pair.low == wanted.low);
    memset(back, 0, sizeof back);
    base_join_rows(&rows, 4, (char *)device + 16, 10, (char *)back + 16);
    CHECK(back[0].x == 0 && back[0].y == there_and_back(0.2) && back[0].c == 3 && back[0].z == there_and_back(0.3));
    CHECK(back[1].a == -1 && isinf(back[1].x) && back[1].y == 0 && back[1].c == 0);
    base_join_rows(&rows, 0, device, 20, device); // in place
    CHECK(device[1].z == there_and_back(1 / 3.0) && device[1].b == -2);
}

TEST(without_runs_every_word_is_half_a_double) {
    const struct base_pair_rows rows = {3, NULL, 0};
    double numbers[3] = {0.1, 2, -3}, back[3];
    base_split_rows(&rows, 6, numbers, 6, back);
    base_join_rows(&rows, 6, back, 6, back);
    for (int i = 0; i < 3; i++)
        CHECK(back[i] == there_and_back(numbers[i]));
}
