// The interpreter: statements, values and storage.
#include "check.h"
#include "ir/interp_testing.h"

TEST(loops_break_and_continue) {
    START();
    int32_t out[4] = {0};
    ir_array x = entry_array(WHORL_I32, 4);
    ir_var i = var(IR_I32, IR_VAR_ENTRY), sum = var(IR_I32, IR_VAR_ENTRY), n = var(IR_I32, IR_VAR_ENTRY);
    // for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; sum += i; }
    ir_stmt body = ir_if(u, op(IR_EQ, V(i), I(3)), ir_add_stmt(u, IR_CONTINUE, 0), 0, 0);
    body = block(body, ir_if(u, op(IR_EQ, V(i), I(6)), ir_add_stmt(u, IR_BREAK, 0), 0, 0));
    body = block(body, ir_assign(u, sum, op(IR_ADD, V(sum), V(i)), 0));
    add(ir_assign(u, sum, I(0), 0));
    add(ir_for(u, i, I(0), I(10), 1, body, 0));
    add(put(x, I(0), V(sum)));
    // while (n < 10) { if (n odd) continue; sum += 100; } continuing { n += 1 }
    ir_stmt odd = ir_if(u, op(IR_EQ, op(IR_REM, V(n), I(2)), I(1)), ir_add_stmt(u, IR_CONTINUE, 0), 0, 0);
    ir_stmt loop = block(odd, ir_assign(u, sum, op(IR_ADD, V(sum), I(100)), 0));
    add(ir_assign(u, n, I(0), 0));
    add(ir_loop(u, op(IR_LT, V(n), I(10)), loop, ir_assign(u, n, op(IR_ADD, V(n), I(1)), 0), 0));
    add(put(x, I(1), V(sum)));
    // downwards, and not at all
    add(ir_for(u, i, I(5), I(-5), -3, ir_assign(u, n, V(i), 0), 0));
    add(put(x, I(2), V(n)));
    add(ir_for(u, i, I(5), I(5), 1, ir_assign(u, n, I(77), 0), 0));
    add(put(x, I(3), V(n)));
    CHECKED_RUN(out);
    CHECK_EQ_INT(0 + 1 + 2 + 4 + 5, out[0]);
    CHECK_EQ_INT(12 + 500, out[1]);
    CHECK_EQ_INT(-4, out[2]);
    CHECK_EQ_INT(-4, out[3]);
}

TEST(unsigned_loops_compare_unsigned) {
    START();
    uint32_t out[1] = {0};
    ir_array x = entry_array(WHORL_U32, 1);
    ir_var i = var(IR_U32, IR_VAR_ENTRY);
    ir_expr lo = ir_const(u, IR_U32, 0x7ffffffe), hi = ir_const(u, IR_U32, 0x80000003);
    add(ir_for(u, i, lo, hi, 1, put(x, I(0), V(i)), 0));
    CHECKED_RUN(out);
    CHECK_EQ_INT(0x80000002u, out[0]);
}

TEST(storage_narrows_and_widens) {
    static const struct {
        enum whorl_dtype elem;
        int32_t stored, loaded;
    } cases[] = {{WHORL_I8, 200, -56},
                 {WHORL_U8, -1, 255},
                 {WHORL_I16, 40000, -25536},
                 {WHORL_U16, 65537, 1},
                 {WHORL_I32, -5, -5}};
    for (volatile size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        START();
        unsigned char bytes[12] = {0}; // elements 0 and 1 of the widest, then a guard
        ir_array x = entry_array(cases[k].elem, 2), y;
        ir_expr one = I(1);
        y = ir_add_array(u, "y", WHORL_I32, IR_ARRAY_SCRATCH, 1, &one, 0);
        add(put(x, I(1), I(cases[k].stored)));
        add(put(y, I(0), at(x, I(1))));
        add(put(x, I(0), op(IR_EQ, at(y, I(0)), I(cases[k].loaded))));
        u->stmts[u->stmt_count - 1].store.value =
            ir_op3(u, IR_SELECT, u->stmts[u->stmt_count - 1].store.value, I(42), I(0), 0);
        ir_check(u, "test");
        CHECK_EQ_INT(WHORL_OK, run_sized(bytes, 2 * (uint32_t)whorl_dtype_size(cases[k].elem), 0));
        CHECK_EQ_INT(42, bytes[0]);
        CHECK_EQ_INT(0, bytes[8]);
    }
    START();
    uint16_t half[2] = {0x3555, 0};
    ir_array x = entry_array(WHORL_F16, 2);
    add(put(x, I(1), op(IR_MUL, at(x, I(0)), F(3.0f))));
    CHECKED_RUN(half);
    CHECK_EQ_INT(0x3c00, half[1]); // 0.99976 rounds to 1
    START();
    unsigned char flag[2] = {7, 0};
    x = entry_array(WHORL_BOOL, 2);
    add(put(x, I(1), at(x, I(0))));
    CHECKED_RUN(flag);
    CHECK_EQ_INT(1, flag[1]);
}

TEST(tables_parameters_and_shapes) {
    START();
    float out[3][4] = {{0}};
    static const uint32_t table[] = {1, 0xffffffffu};
    ir_var n = ir_add_var(u, "n", IR_I32, IR_VAR_PARAM, 0);
    ir_expr dims[] = {V(n), I(4)}, two = I(2);
    ir_array x = ir_add_array(u, "x", WHORL_F32, IR_ARRAY_INOUT, 2, dims, 0);
    ir_array t = ir_add_array(u, "t", WHORL_I8, IR_ARRAY_TABLE, 1, &two, 0);
    u->arrays[t].data = table;
    u->arrays[t].data_count = 2;
    u->params = base_alloc_array(&cx, 2, sizeof *u->params);
    u->params[0] = (struct ir_param){.name = "x", .is_array = true, .ref = x};
    u->params[1] = (struct ir_param){.name = "n", .ref = n, .type = IR_I32, .bits = 2};
    u->param_count = u->param_cap = 2;
    u->vars[n].param = 1;
    ir_expr where[] = {op(IR_SUB, V(n), I(1)), I(3)};
    add(ir_store(u, x, where, 2, ir_op1(u, IR_I2F, at(t, I(1)), 0), 0));
    ir_check(u, "test");
    CHECK_EQ_INT(WHORL_INVALID, run_sized(out, sizeof out, 0)); // n is 2: 32 bytes
    CHECK_HAS_STR("array x has 48 bytes, its shape needs 32", err.message);
    uint32_t param_bits[] = {0, 3};
    void *arrays[] = {out, NULL};
    size_t sizes[] = {sizeof out, 0};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes, .param_bits = param_bits};
    CHECK_EQ_INT(WHORL_OK, ir_interpret(u, &options, &err));
    CHECK(out[2][3] == -1.0f && out[1][3] == 0.0f);
}

TEST(lazy_operands_are_not_evaluated) {
    START();
    int32_t out[1] = {0};
    ir_array x = entry_array(WHORL_I32, 1);
    ir_expr bad = op(IR_EQ, at(x, I(5)), I(0)), no = ir_const(u, IR_BOOL, 0), yes = ir_const(u, IR_BOOL, 1);
    ir_expr cond = op(IR_LAND, op(IR_LOR, yes, bad), ir_op1(u, IR_NOT, op(IR_LAND, no, bad), 0));
    add(put(x, I(0), ir_op3(u, IR_SELECT, cond, I(1), at(x, I(9)), 0)));
    CHECKED_RUN(out);
    CHECK_EQ_INT(1, out[0]);
}
