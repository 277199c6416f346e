// Elements in memory: what is loaded is what was stored, as the type has it.
#include "base/dtype.h"
#include "check.h"

#include <math.h>

TEST(every_type_keeps_its_own_numbers) {
    for (int t = 0; t < BASE_DTYPES; t++) {
        enum whorl_dtype dtype = (enum whorl_dtype)t;
        const struct base_dtype_info *info = base_dtype(dtype);
        const double numbers[] = {0, 1, info->lowest, info->highest};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            if (base_dtype_is_long(dtype) && k > 1) break; // no word has their ends
            uint32_t array[6] = {0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a};
            float real = (float)numbers[k];
            uint32_t word = base_dtype_is_float(dtype) ? base_float_bits(real) : (uint32_t)(int64_t)numbers[k];
            base_dtype_store(dtype, array, 1, word);
            CHECK_EQ_INT(word, base_dtype_load(dtype, array, 1));
            CHECK(base_dtype_number(dtype, array, 1) == numbers[k]);
            // its neighbours are left alone
            CHECK_EQ_INT(0x5a, ((unsigned char *)array)[info->bytes - 1]);
            CHECK_EQ_INT(0x5a, ((unsigned char *)array)[2 * info->bytes]);
        }
    }
}

TEST(small_integers_are_cut_and_sign_extended) {
    uint32_t word = 0;
    base_dtype_store(WHORL_I8, &word, 0, 0x1ff);
    CHECK_EQ_INT(UINT32_MAX, base_dtype_load(WHORL_I8, &word, 0));
    CHECK_EQ_INT(255, base_dtype_load(WHORL_U8, &word, 0));
    base_dtype_store(WHORL_I16, &word, 0, 0x18000);
    CHECK_EQ_INT(0xffff8000u, base_dtype_load(WHORL_I16, &word, 0));
    CHECK_EQ_INT(0x8000, base_dtype_load(WHORL_U16, &word, 0));
    base_dtype_store(WHORL_BOOL, &word, 0, 256);
    CHECK_EQ_INT(1, base_dtype_load(WHORL_BOOL, &word, 0));
}

TEST(longs_are_read_whole) {
    const uint64_t array[4] = {UINT64_MAX, (uint64_t)1 << 63, INT64_MAX, 0};
    CHECK(base_dtype_number(WHORL_I64, array, 0) == -1);
    CHECK(base_dtype_number(WHORL_I64, array, 1) == base_dtype(WHORL_I64)->lowest);
    CHECK(base_dtype_number(WHORL_I64, array, 2) == base_dtype(WHORL_I64)->highest);
    CHECK(base_dtype_number(WHORL_U64, array, 0) == base_dtype(WHORL_U64)->highest);
    CHECK(base_dtype_long(array, 2) == INT64_MAX);
    uint64_t made[2];
    base_dtype_store(WHORL_I64, made, 0, UINT32_MAX);
    base_dtype_store(WHORL_U64, made, 1, UINT32_MAX);
    CHECK(made[0] == UINT64_MAX && made[1] == UINT32_MAX);
}

TEST(floats_round_to_what_an_element_can_be) {
    CHECK(base_dtype_round(WHORL_F32, 0.1f) == 0.1f);
    CHECK(base_dtype_round(WHORL_F16, 0.1f) == 0.0999755859375f);
    CHECK(isinf(base_dtype_round(WHORL_F16, 65520)));
    CHECK(isnan(base_dtype_round(WHORL_F16, NAN)));
    CHECK(base_dtype_round(WHORL_I8, 300.5f) == 300.5f); // no type of floats
}

TEST(a_type_that_does_not_exist_has_no_elements) {
    for (int t = -1; t <= BASE_DTYPES; t += BASE_DTYPES + 1) {
        CHECK_EQ_INT(0, (long long)base_dtype((enum whorl_dtype)t)->bytes);
        CHECK(!base_dtype_is_float((enum whorl_dtype)t));
        CHECK(isnan(base_dtype_number((enum whorl_dtype)t, "", 0)));
    }
}
