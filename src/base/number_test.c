// Half floats against the definition for every half and around every rounding boundary; names of statuses and types.
#include "base/base.h"
#include "check.h"

// The value of a half that is no NaN, from the definition.
static double value_of(unsigned half) {
    int exponent = half >> 10 & 31, fraction = half & 0x3ff;
    double magnitude = exponent == 31  ? (double)INFINITY
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000u ? -magnitude : magnitude;
}

static bool is_nan_half(unsigned half) { return (half & 0x7c00u) == 0x7c00u && (half & 0x3ffu) != 0; }

TEST(every_half_is_read_and_written_back) {
    for (unsigned half = 0; half < 0x10000; half++) {
        float f = base_f16_to_f32((uint16_t)half);
        if (is_nan_half(half)) {
            CHECK(isnan(f));
            CHECK(is_nan_half(base_f32_to_f16(f)));
            continue;
        }
        CHECK((double)f == value_of(half));
        CHECK_EQ_INT(half, base_f32_to_f16(f));
    }
}

TEST(rounding_is_to_nearest_even) {
    for (unsigned half = 0; half < 0x7bff; half++) {
        float low = base_f16_to_f32((uint16_t)half), high = base_f16_to_f32((uint16_t)(half + 1));
        float middle = (float)(((double)low + (double)high) / 2);
        unsigned even = half & 1 ? half + 1 : half;
        CHECK_EQ_INT(even, base_f32_to_f16(middle));
        CHECK_EQ_INT(half, base_f32_to_f16(nextafterf(middle, low)));
        CHECK_EQ_INT(half + 1, base_f32_to_f16(nextafterf(middle, high)));
        CHECK_EQ_INT(0x8000u | even, base_f32_to_f16(-middle));
    }
}

TEST(the_ends_of_the_range) {
    CHECK_EQ_INT(0x7bff, base_f32_to_f16(65519.0f));
    CHECK_EQ_INT(0x7c00, base_f32_to_f16(65520.0f)); // halfway to 2^16: even is infinity
    CHECK_EQ_INT(0x7c00, base_f32_to_f16(65536.0f));
    CHECK_EQ_INT(0xfc00, base_f32_to_f16(-INFINITY));
    CHECK_EQ_INT(0x8000, base_f32_to_f16(-0.0f));
    CHECK_EQ_INT(0, base_f32_to_f16(0x1p-25f));
    CHECK_EQ_INT(1, base_f32_to_f16(nextafterf(0x1p-25f, 1.0f)));
    CHECK_EQ_INT(0x3f800000, base_float_bits(1.0f));
    CHECK(base_bits_float(0xc0000000u) == -2.0f);
}

TEST(names_and_sizes) {
    CHECK_EQ_STR("WHORL_OK", whorl_status_name(WHORL_OK));
    CHECK_EQ_STR("WHORL_INTERNAL", whorl_status_name(WHORL_INTERNAL));
    CHECK_EQ_STR("WHORL_?", whorl_status_name((enum whorl_status)99));
    CHECK_EQ_STR("f16", whorl_dtype_name(WHORL_F16));
    CHECK_EQ_INT(2, whorl_dtype_size(WHORL_U16));
    CHECK_EQ_INT(1, whorl_dtype_size(WHORL_BOOL));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", WHORL_VERSION_MAJOR, WHORL_VERSION_MINOR, WHORL_VERSION_PATCH);
    CHECK_EQ_STR(version, whorl_version());
}

TEST(errors_are_filled) {
    struct whorl_error err = {.line = 3, .file = "x"};
    CHECK_EQ_INT(WHORL_IO, base_set_error(&err, WHORL_IO, "a stage with a long name", "no %d", 7));
    CHECK_EQ_STR("no 7", err.message);
    CHECK_EQ_STR("a stage with a ", err.stage);
    CHECK_EQ_STR("", err.file);
    CHECK_EQ_INT(0, err.line);
    CHECK_EQ_INT(WHORL_LIMIT, base_set_error(NULL, WHORL_LIMIT, "x", "unread"));
}
