// The functions of 64-bit integers in two words as C has them here, against the compiler's own 64 bits: on the ends of
// all ranges in pairs, and on random numbers. What the lowering makes of operators: tests/lang/accept/long_*.c.
#include "check.h"

#include <math.h>

#include "front/include/whorl/words.h"

static const uint64_t ends[] = {0,
                                1,
                                2,
                                3,
                                10,
                                0xffff,
                                0x10000,
                                0x10001,
                                0x7fffffff,
                                0x80000000,
                                0x80000001,
                                0xffffffff,
                                0x100000000,
                                0x100000001,
                                0x1ffffffff,
                                0x7fffffffffffffff,
                                0x8000000000000000,
                                0x8000000000000001,
                                0x8000000080000000,
                                0x80000000ffffffff,
                                0xffffffff00000000,
                                0xfffffffffffffffe,
                                0xffffffffffffffff};
enum { ENDS = sizeof ends / sizeof *ends, NUMBERS = 200000 };

static uint64_t state = 1;
static uint64_t any(void) { // of any size
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t bits = state ^ state >> 29;
    return bits >> (state >> 58);
}
static uint64_t whole(struct __whorl_words w) { return (uint64_t)w.hi << 32 | w.lo; }
static uint32_t low(uint64_t x) { return (uint32_t)x; }
static uint32_t high(uint64_t x) { return (uint32_t)(x >> 32); }

static void check_division(uint64_t a, uint64_t b) {
    if (!b) return; // undefined
    uint64_t q = whole(__ww_quotient(low(a), high(a), low(b), high(b)));
    uint64_t r = whole(__ww_rest(low(a), high(a), low(b), high(b)));
    if (q != a / b || r != a % b)
        check_end(1, __FILE__, __LINE__, "%llx / %llx gives %llx, %llx", (unsigned long long)a, (unsigned long long)b,
                  (unsigned long long)q, (unsigned long long)r);
}

TEST(quotients_and_rests_are_exact) {
    for (int i = 0; i < ENDS; i++)
        for (int k = 0; k < ENDS; k++) {
            check_division(ends[i], ends[k]);
            check_division(ends[i] + 3 * ends[k], ends[k]);
            check_division(ends[i] * ends[k] - 1, ends[k]);
        }
    for (int i = 0; i < NUMBERS; i++)
        check_division(any(), any());
}

static void check_float(uint64_t x) {
    float size = __ww_to_float(low(x), high(x)); // ties to even, as this CPU converts
    if (size != (float)x) check_end(1, __FILE__, __LINE__, "%llx gives %a", (unsigned long long)x, (double)size);
    if (size < 0x1p64f) CHECK(whole(__ww_from_float(size)) == (uint64_t)size);
    float number = (float)(int64_t)x;
    if (number < 0x1p63f) CHECK((int64_t)whole(__ww_from_float_signed(number)) == (int64_t)number);
    if (number < 0x1p40f && number > -0x1p40f) {
        CHECK((int64_t)whole(__ww_from_float_signed(number * 0.0009f)) == (int64_t)(number * 0.0009f));
    }
}

TEST(floats_are_the_nearest_and_exact) {
    for (int i = 0; i < ENDS; i++)
        check_float(ends[i]);
    for (int i = 0; i < NUMBERS; i++) {
        check_float(any());
        check_float(0 - any());
        check_float((any() & 0x7fffff) << 40 | 1ull << 63 | (uint64_t)(i % 3) << 38 | (uint64_t)(i % 2)); // near ties
    }
}

TEST(floats_beyond_the_range_become_its_end) {
    CHECK(whole(__ww_from_float(0x1p64f)) == UINT64_MAX);
    CHECK(whole(__ww_from_float(INFINITY)) == UINT64_MAX);
    CHECK((int64_t)whole(__ww_from_float_signed(0x1p63f)) == INT64_MAX);
    CHECK((int64_t)whole(__ww_from_float_signed(-0x1p63f)) == INT64_MIN);
    CHECK((int64_t)whole(__ww_from_float_signed(-1e30f)) == INT64_MIN);
    CHECK(whole(__ww_from_float_signed(-0.9f)) == 0);
}
