// Sines and cosines: shared calls, statements written twice for rare angles, the device's own with --fast-math.
#include "check.h"
#include "wgsl/print/emit_testing.h"

// Sine and cosine of one variable are one call, as long as the variable is the same.
TEST(angles) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = local("a", IR_F32), b = local("b", IR_F32),
           t = local("t", IR_I32);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 1, 100, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0);
    ir_stmt body =
        BLOCK(store1(y, V(i), OP1(SIN, V(b))), set(b, OP2(ADD, V(b), OP1(COS, V(b)))), store1(y, V(t), OP1(COS, V(a))));
    parfor(i, 100,
           BLOCK(set(a, load1(x, V(i))), set(b, OP2(MUL, OP1(SIN, V(a)), OP1(COS, V(a)))),
                 store1(y, V(i), OP2(ADD, OP1(COS, V(b)), OP1(SIN, OP2(MUL, V(b), V(b))))),
                 ir_for(U, t, I(0), I(50), 1, body, 0)));
    struct wgsl_output out = emit("angles");
    CHECK_HAS_STR("let t1 = whorl_sincos(v2_a);", out.text);
    CHECK_HAS_STR("= t1.x * t1.y;", out.text);
    CHECK_HAS_STR("let t2 = whorl_sincos(v3_b);", out.text);
    CHECK_HAS_STR("whorl_sin(v3_b * v3_b)", out.text);
    CHECK_HAS_STR("let t3 = whorl_sincos(v3_b);", out.text);
    CHECK_HAS_STR("b1[v4_t] = t1.y;", out.text);
}

// Statements with several angles are written twice: for small ones, then, where one was not, for any from what the
// variables had been.
TEST(rare) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = local("a", IR_F32), b = local("b", IR_F32),
           t = local("t", IR_I32);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 1, 100, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0);
    ir_stmt body = BLOCK(set(b, OP1(SIN, V(a))), set(a, OP2(ADD, V(b), OP1(COS, OP2(ADD, V(a), V(b))))));
    parfor(i, 100,
           BLOCK(set(a, load1(x, V(i))), ir_for(U, t, I(0), I(50), 1, body, 0), store1(y, V(i), V(a)),
                 set(a, OP1(SIN, V(a))), store1(y, V(i), V(a))));
    struct wgsl_output out = emit("rare");
    CHECK_HAS_STR("var t1 = 0u;", out.text);
    CHECK_HAS_STR("let t2 = v2_a;", out.text);
    CHECK_HAS_STR("= whorl_sin_near(v2_a);", out.text);
    CHECK_HAS_STR("t1 |= t3.y;", out.text);
    CHECK_HAS_STR("var v3_b = bitcast<f32>(t3.x);", out.text);
    CHECK_HAS_STR("if (t1 >= whorl_rare) {", out.text);
    CHECK_HAS_STR("    v2_a = t2;", out.text);
    CHECK_HAS_STR("    v3_b = whorl_sin(v2_a);", out.text);
    CHECK_HAS_STR("    v2_a = v3_b + whorl_cos(v2_a + v3_b);", out.text);
    CHECK_HAS_STR("v2_a = whorl_sin(v2_a);", out.text); // one angle alone
}

// --fast-math takes WGSL's own functions, and no statement is written twice for them.
TEST(fast_math) {
    start();
    k.in.fast_math = true;
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = local("a", IR_F32), b = local("b", IR_F32);
    ir_array y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0);
    parfor(i, 100,
           BLOCK(set(a, load1(y, V(i))), set(b, OP2(MUL, OP1(SIN, V(a)), OP1(COS, V(a)))),
                 store1(y, V(i), OP2(ADD, OP1(EXP, V(b)), OP1(TANH, OP1(ASIN, V(a)))))));
    struct wgsl_output out = emit("fast_math");
    CHECK_HAS_STR("sin(v2_a) * cos(v2_a)", out.text);
    CHECK_HAS_STR("whorl_fast_tanh(whorl_asin(v2_a))", out.text);
    CHECK(!strstr(out.text, "whorl_exp") && !strstr(out.text, "whorl_sin"));
}
