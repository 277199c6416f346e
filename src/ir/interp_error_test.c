// Every way in which the interpreter ends with an error.
#include "check.h"
#include "ir/interp_testing.h"

static void wants_error(enum whorl_status status, const char *part) {
    int32_t out[4] = {0};
    ir_check(u, "test");
    CHECK_EQ_INT(status, run_sized(out, sizeof out, 100000));
    CHECK_EQ_INT(status, err.status);
    CHECK_HAS_STR(part, err.message);
}

TEST(wrong_indices_name_the_line) {
    START();
    ir_array x = entry_array(WHORL_I32, 4);
    add(put(x, I(4), I(0)));
    wants_error(WHORL_SOURCE, "index 4 of x is outside [0, 4)");
    CHECK_EQ_STR("p.c", err.file);
    CHECK_EQ_INT(7, err.line);
    CHECK_EQ_INT(3, err.col);
    START();
    x = entry_array(WHORL_I32, 4);
    add(put(x, I(0), at(x, I(-1))));
    wants_error(WHORL_SOURCE, "index -1 of x is outside [0, 4)");
    START(); // each index against its own dimension
    x = entry_array(WHORL_I32, 2);
    u->arrays[x].ndims = 2;
    u->arrays[x].dims[1] = I(2);
    ir_expr where[] = {I(0), I(2)};
    add(ir_store(u, x, where, 2, I(0), line7));
    wants_error(WHORL_SOURCE, "index 2 of x is outside [0, 2) (dimension 2 of 2)");
}

TEST(arithmetic_that_c_leaves_open) {
    START();
    ir_array x = entry_array(WHORL_I32, 4);
    add(put(x, I(0), op(IR_REM, I(1), at(x, I(0)))));
    wants_error(WHORL_SOURCE, "integer division by zero");
    START();
    x = entry_array(WHORL_I32, 4);
    add(put(x, I(0), op(IR_DIV, I(INT32_MIN), op(IR_SUB, at(x, I(0)), I(1)))));
    wants_error(WHORL_SOURCE, "integer division overflows");
}

TEST(endless_loops_end) {
    START();
    entry_array(WHORL_I32, 4);
    add(ir_loop(u, 0, 0, 0, line7));
    wants_error(WHORL_LIMIT, "an endless loop?");
    CHECK_EQ_INT(7, err.line);
    START();
    entry_array(WHORL_I32, 4);
    add(parfor(var(IR_I32, IR_VAR_DIM), 1 << 30, 0, 0, 0));
    wants_error(WHORL_LIMIT, "more than 100000 steps");
}

TEST(what_was_never_set) {
    START();
    ir_array x = entry_array(WHORL_I32, 4);
    ir_var a = var(IR_I32, IR_VAR_ENTRY), b = var(IR_I32, IR_VAR_ENTRY);
    add(ir_assign(u, b, V(a), 0)); // a copy is fine
    add(put(x, I(0), op(IR_ADD, V(b), I(1))));
    wants_error(WHORL_SOURCE, "v is read before it is set");
    START(); // set in the first iteration only
    x = entry_array(WHORL_I32, 4);
    ir_var i = var(IR_I32, IR_VAR_DIM), t = var(IR_I32, IR_VAR_LOCAL);
    ir_stmt body = ir_if(u, op(IR_EQ, V(i), I(0)), ir_assign(u, t, I(1), 0), 0, 0);
    add(parfor(i, 2, 0, 0, block(body, put(x, V(i), V(t)))));
    wants_error(WHORL_SOURCE, "v is read before it is set");
    START(); // a loop's variable after the loop
    x = entry_array(WHORL_I32, 4);
    a = var(IR_I32, IR_VAR_ENTRY);
    add(ir_for(u, a, I(0), I(3), 1, 0, 0));
    add(put(x, I(0), V(a)));
    wants_error(WHORL_SOURCE, "v is read before it is set");
}

TEST(failed_allocations) {
    for (volatile uint64_t n = 1;; n++) {
        START();
        int32_t out[4] = {0};
        ir_array x = entry_array(WHORL_I32, 4);
        ir_expr two = I(2);
        ir_array w = ir_add_array(u, "w", WHORL_I32, IR_ARRAY_LOCAL, 1, &two, 0);
        ir_var i = var(IR_I32, IR_VAR_DIM), s = var(IR_I32, IR_VAR_ENTRY);
        ir_stmt body = put(w, I(0), V(i));
        add(ir_assign(u, s, I(0), 0));
        add(parfor(i, 4, IR_ADD, s, block(body, ir_assign(u, s, op(IR_ADD, V(s), at(w, I(0))), 0))));
        add(put(x, I(0), V(s)));
        base_heap_fail_at(n);
        enum whorl_status status = RUN(out);
        base_heap_fail_at(0);
        if (status == WHORL_OK) {
            CHECK_EQ_INT(6, out[0]);
            CHECK(n > 5);
            break;
        }
        CHECK_EQ_INT(WHORL_MEMORY, status);
        CHECK_EQ_STR("out of memory", err.message);
    }
    base_cx_deinit(&cx);
}
