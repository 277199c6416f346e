// The table of operations against C, at the values where they differ from what one would write in a hurry.
#include "check.h"
#include "ir/eval.h"

static uint32_t value(enum ir_op op, enum ir_type type, uint32_t a, uint32_t b) {
    uint32_t out = 0xdead;
    if (!ir_eval_op(op, type, a, b, 0, &out)) FAIL("%s is not evaluated", ir_ops[op].name);
    return out;
}

static uint32_t bits(float f) { return base_float_bits(f); }

static float of_float(enum ir_op op, float a, float b) { return base_bits_float(value(op, IR_F32, bits(a), bits(b))); }

TEST(every_operation_is_evaluated) {
    for (int op = IR_NEG; op < IR_OP_COUNT; op++) {
        uint32_t out = 0;
        bool any = false;
        for (int type = IR_BOOL; type <= IR_F32; type++)
            any |= ir_eval_op((enum ir_op)op, (enum ir_type)type, 1, 1, 1, &out);
        if (!any) FAIL("%s is not evaluated", ir_ops[op].name);
    }
    uint32_t out;
    CHECK(!ir_eval_op(IR_LOAD, IR_I32, 0, 0, 0, &out) && !ir_eval_op(IR_CONST, IR_F32, 0, 0, 0, &out));
}

TEST(integers_wrap) {
    CHECK_EQ_INT(0x80000000u, value(IR_ADD, IR_I32, INT32_MAX, 1));
    CHECK_EQ_INT(0xfffffffeu, value(IR_MUL, IR_I32, INT32_MAX, 2));
    CHECK_EQ_INT(0x80000000u, value(IR_NEG, IR_I32, 0x80000000u, 0));
    CHECK_EQ_INT(0x80000000u, value(IR_ABS, IR_I32, 0x80000000u, 0));
    CHECK_EQ_INT(0xfffffffeu, value(IR_MULHI, IR_U32, UINT32_MAX, UINT32_MAX));
    CHECK_EQ_INT(2, value(IR_SHL, IR_I32, 1, 33));
    CHECK_EQ_INT((uint32_t)-2, value(IR_SHR, IR_I32, (uint32_t)-7, 2));
    CHECK_EQ_INT(0x3ffffffeu, value(IR_SHR, IR_U32, (uint32_t)-7, 2));
    CHECK_EQ_INT((uint32_t)-7, value(IR_SHR, IR_I32, (uint32_t)-7, 32));
}

TEST(division_is_c_division) {
    uint32_t out;
    CHECK_EQ_INT((uint32_t)-2, value(IR_DIV, IR_I32, (uint32_t)-7, 3));
    CHECK_EQ_INT((uint32_t)-1, value(IR_REM, IR_I32, (uint32_t)-7, 3));
    CHECK_EQ_INT(0x7fffffffu, value(IR_DIV, IR_U32, UINT32_MAX, 2));
    CHECK(!ir_eval_op(IR_DIV, IR_I32, 1, 0, 0, &out) && !ir_eval_op(IR_REM, IR_U32, 1, 0, 0, &out));
    CHECK(!ir_eval_op(IR_REM, IR_I32, 0x80000000u, UINT32_MAX, 0, &out));
    CHECK_EQ_INT(0, value(IR_DIV, IR_U32, 0x80000000u, UINT32_MAX));
    CHECK(isinf(of_float(IR_DIV, 1, 0)));
}

TEST(order_by_type) {
    CHECK_EQ_INT(1, value(IR_LT, IR_I32, (uint32_t)-1, 0));
    CHECK_EQ_INT(0, value(IR_LT, IR_U32, (uint32_t)-1, 0));
    CHECK_EQ_INT((uint32_t)-1, value(IR_MIN, IR_I32, 3, (uint32_t)-1));
    CHECK_EQ_INT(UINT32_MAX, value(IR_MAX, IR_U32, 3, UINT32_MAX));
    CHECK_EQ_INT(1, value(IR_EQ, IR_F32, 0, 0x80000000u));
    CHECK_EQ_INT(0, value(IR_EQ, IR_U32, 0, 0x80000000u));
    for (int op = IR_EQ; op <= IR_GE; op++)
        CHECK_EQ_INT(op == IR_NE, value((enum ir_op)op, IR_F32, bits(NAN), bits(NAN)));
}

TEST(bits_are_counted) {
    CHECK_EQ_INT(32, value(IR_CLZ, IR_U32, 0, 0));
    CHECK_EQ_INT(32, value(IR_CTZ, IR_U32, 0, 0));
    for (uint32_t v = 1; v < 0xf0000000u; v = v * 3 + (v >> 7)) {
        CHECK_EQ_INT(__builtin_clz(v), value(IR_CLZ, IR_U32, v, 0));
        CHECK_EQ_INT(__builtin_ctz(v), value(IR_CTZ, IR_I32, v, 0));
        CHECK_EQ_INT(__builtin_popcount(v), value(IR_POPCOUNT, IR_U32, v, 0));
    }
}

TEST(conversions_saturate) {
    const struct {
        float f;
        int32_t i;
        uint32_t u;
    } cases[] = {
        {1.9f, 1, 1},
        {-1.9f, -1, 0},
        {NAN, 0, 0},
        {-0.5f, 0, 0},
        {3e9f, INT32_MAX, 3000000000u},
        {INFINITY, INT32_MAX, UINT32_MAX},
        {-INFINITY, INT32_MIN, 0},
        {-2147483648.0f, INT32_MIN, 0},
        {-2147483904.0f, INT32_MIN, 0},
        {2147483520.0f, 2147483520, 2147483520u},
        {4294967040.0f, INT32_MAX, 4294967040u},
        {4294967296.0f, INT32_MAX, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_EQ_INT((uint32_t)cases[i].i, value(IR_F2I, IR_F32, bits(cases[i].f), 0));
        CHECK_EQ_INT(cases[i].u, value(IR_F2U, IR_F32, bits(cases[i].f), 0));
    }
    CHECK_EQ_INT(bits(-1.0f), value(IR_I2F, IR_I32, UINT32_MAX, 0));
    CHECK_EQ_INT(bits(4294967296.0f), value(IR_U2F, IR_U32, UINT32_MAX, 0));
    CHECK_EQ_INT(bits(16777216.0f), value(IR_I2F, IR_I32, 16777217, 0));
    CHECK_EQ_INT(0x3f800000, value(IR_BITS_F2U, IR_F32, bits(1.0f), 0));
    CHECK_EQ_INT(bits(1.0f), value(IR_BITS_U2F, IR_U32, 0x3f800000, 0));
    CHECK(of_float(IR_ROUND_F16, 65520.0f, 0) == INFINITY);
}

TEST(floats_follow_math_h) {
    CHECK(of_float(IR_ROUND, 2.5f, 0) == 3.0f && of_float(IR_RINT, 2.5f, 0) == 2.0f);
    CHECK(of_float(IR_FMOD, -7.0f, 0.1f) == fmodf(-7.0f, 0.1f));
    CHECK(of_float(IR_TANH, 100.0f, 0) == 1.0f);
    CHECK(of_float(IR_POW, -2.0f, 3.0f) == -8.0f && isnan(of_float(IR_POW, -2.0f, 0.5f)));
    CHECK(of_float(IR_FMIN, NAN, 2.0f) == 2.0f);
    CHECK_EQ_INT(1, value(IR_SIGNBIT, IR_F32, bits(-0.0f), 0));
    CHECK_EQ_INT(0x80000000u, value(IR_NEG, IR_F32, 0, 0));
    CHECK_EQ_INT(bits(0.75f), value(IR_LDEXP, IR_F32, bits(3.0f), (uint32_t)-2));
    uint32_t fused = 0, a = bits(1.0f + 0x1p-12f), c = bits(-1.0f - 0x1p-11f);
    CHECK(ir_eval_op(IR_FMA, IR_F32, a, a, c, &fused));
    CHECK(base_bits_float(fused) == 0x1p-24f); // which a product rounded first would lose
    CHECK(of_float(IR_ADD, of_float(IR_MUL, 1.0f + 0x1p-12f, 1.0f + 0x1p-12f), -1.0f - 0x1p-11f) == 0.0f);
}
