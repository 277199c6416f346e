// Resume points: what a paused iteration keeps, what it does again.
#include "check.h"
#include "wgsl/print/emit_testing.h"

static ir_stmt resume(ir_stmt s, uint32_t number) {
    U->stmts[s].flags |= IR_FLAG_RESUME;
    ir_set_resume_point(&U->stmts[s], number);
    if (U->stmts[s].kind == IR_FOR)
        U->stmts[s].counted.tick_passes = 1;
    else
        U->stmts[s].loop.tick_passes = 1;
    return s;
}

// for (t < 50) { s = s * a + x[i]; if (s > 1e6) break; }
TEST(resume_leaf) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_I32), s = local("s", IR_F32),
           a = local("a", IR_F32), d = local("d", IR_F32);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 1, 200, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 200, 0);
    ir_stmt body =
        BLOCK(set(d, OP2(MUL, V(s), V(a))), set(s, OP2(ADD, V(d), load1(x, OP2(REM, OP2(ADD, V(i), V(t)), I(200))))),
              ir_if(U, OP2(GT, V(s), F(900)), BLOCK(ir_add_stmt(U, IR_BREAK, 0)), 0, 0));
    ir_stmt loop = resume(ir_for(U, t, I(0), I(50), 1, body, 0), 1);
    parfor(i, 200, BLOCK(set(a, OP2(ADD, load1(x, V(i)), F(0.5f))), set(s, F(0)), loop, store1(y, V(i), V(s))));
    struct wgsl_output out = emit("resume_leaf");
    CHECK_EQ_INT(3, out.resume_words); // number, t, s: a is loaded again, d does not cross a pass
    CHECK_HAS_STR("let v4_a = b0[v1_i] + 0.5f;", out.text);
    CHECK_HAS_STR("let v5_d = v3_s * v4_a;", out.text);
    CHECK_HAS_STR("saved[0u * params[0].y + k] = next_rp;", out.text);
}

// Nested points of every kind, with state of all types, a local array, a bound that the loop changes, and a branch.
TEST(resume_nested) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_I32), r = local("r", IR_U32),
           w = local("w", IR_I32), s = local("s", IR_F32), odd = local("odd", IR_BOOL), n = local("n", IR_I32),
           base = local("base", IR_F32), q = local("q", IR_U32);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 1, 100, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0),
             h = array("h", WHORL_F32, IR_ARRAY_LOCAL, 1, 4, 0);
    // 2: for (r = 0; r < 7; r += 2) h[r & 3] += base * s
    ir_expr slot = OP2(AND, V(r), ir_const(U, IR_U32, 3));
    ir_stmt leaf = resume(
        ir_for(U, r, ir_const(U, IR_U32, 0), ir_const(U, IR_U32, 7), 2,
               BLOCK(store1(h, slot, OP2(ADD, load1(h, slot), OP2(MUL, V(base), V(s)))), set(q, OP2(ADD, V(q), V(r)))),
               0),
        2);
    // 3: while (w < t + 3) { s += 0.25; w++ }
    ir_stmt loop = resume(ir_loop(U, OP2(LT, V(w), OP2(ADD, V(t), I(3))), BLOCK(set(s, OP2(ADD, V(s), F(0.25f)))),
                                  BLOCK(set(w, OP2(ADD, V(w), I(1)))), 0),
                          3);
    // 4: for (;;) with a loop inside: 5
    ir_var z = local("z", IR_I32);
    ir_stmt deep = resume(ir_for(U, z, V(n), OP2(SUB, V(n), I(3)), -1, BLOCK(set(s, OP2(SUB, V(s), F(0.125f)))), 0), 5);
    ir_stmt forever =
        resume(ir_loop(U, 0,
                       BLOCK(deep, ir_if(U, OP2(GT, V(w), I(20)), BLOCK(ir_add_stmt(U, IR_BREAK, 0)), 0, 0),
                             set(w, OP2(ADD, V(w), I(4)))),
                       0, 0),
               4);
    ir_stmt branch = ir_if(U, V(odd), BLOCK(set(w, I(0)), loop), BLOCK(set(w, V(t)), forever), 0);
    // 1: for (t = 0; t < n; t++) { odd = !odd; base = x[t]; ...; n = n (changes inside) }
    ir_stmt outer = resume(ir_for(U, t, I(0), V(n), 1,
                                  BLOCK(set(odd, OP1(NOT, V(odd))), set(base, load1(x, V(t))), leaf, branch,
                                        ir_if(U, OP2(EQ, V(t), I(5)), BLOCK(set(n, I(2))), 0, 0)),
                                  0),
                           1);
    ir_expr total = V(s);
    for (int e = 0; e < 4; e++)
        total = OP2(ADD, total, load1(h, I(e)));
    parfor(i, 100,
           BLOCK(set(n, OP2(ADD, OP2(REM, V(i), I(9)), I(1))), set(s, OP1(I2F, V(i))),
                 set(odd, OP2(EQ, OP2(REM, V(i), I(2)), I(0))), set(q, ir_const(U, IR_U32, 0)),
                 ir_for(U, z, I(0), I(4), 1, BLOCK(store1(h, V(z), F(0))), 0), outer,
                 store1(y, V(i), OP2(ADD, total, OP1(U2F, V(q))))));
    struct wgsl_output out = emit("resume_nested");
    CHECK_HAS_STR("var limit1: i32;", out.text);
    CHECK_HAS_STR("if (rp == 0xfffffffeu) {", out.text);
    CHECK_HAS_STR("saved[", out.text);
    CHECK_EQ_INT(1 + 8 + 1 + 4, out.resume_words); // t r w s odd n z q, limit1, h; base is loaded again
}
