// Passes of counted loops, up and down, and what counts as long.
#include "check.h"
#include "ir/ir.h"

static struct base_cx cx;

static struct ir_unit *u;

static ir_stmt counted(enum ir_type type, uint32_t lo, uint32_t hi, int32_t step, ir_stmt body) {
    ir_var v = ir_add_var(u, "k", type, IR_VAR_LOCAL, 0);
    return ir_for(u, v, ir_const(u, type, lo), ir_const(u, type, hi), step, body, 0);
}

TEST(counted_loops) {
    static const struct {
        enum ir_type type;
        int64_t lo, hi;
        int32_t step;
        uint64_t trips;
    } cases[] = {
        {IR_I32, 0, 31, 1, 31},
        {IR_I32, 31, 0, -1, 31},
        {IR_I32, 100, 0, -1, 100},
        {IR_I32, 0, 100, -1, 0},
        {IR_I32, -5, 5, 3, 4},
        {IR_I32, 5, -5, -3, 4},
        {IR_I32, 0, 64, 4, 16},
        {IR_I32, INT32_MIN, INT32_MAX, 1, UINT32_MAX},
        {IR_U32, 0, 4294967295, 1, UINT32_MAX},
        {IR_U32, 4294967295, 4294967200, -1, 95},
    };
    base_cx_init(&cx);
    if (setjmp(cx.bail) != 0) FAIL("%s", base_render_diags(&cx));
    u = ir_unit_create(&cx);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint64_t trips = 12345;
        ir_stmt s = counted(cases[k].type, (uint32_t)cases[k].lo, (uint32_t)cases[k].hi, cases[k].step, 0);
        CHECK(ir_const_trips(u, s, &trips));
        CHECK_EQ_INT(cases[k].trips, trips);
        CHECK_EQ_INT(cases[k].trips >= IR_LONG_TRIPS, ir_is_long(u, s));
    }
    base_cx_deinit(&cx);
}

TEST(what_is_long) {
    base_cx_init(&cx);
    if (setjmp(cx.bail) != 0) FAIL("%s", base_render_diags(&cx));
    u = ir_unit_create(&cx);
    uint64_t trips;
    ir_var n = ir_add_var(u, "n", IR_I32, IR_VAR_PARAM, 0), k = ir_add_var(u, "k", IR_I32, IR_VAR_LOCAL, 0);
    ir_expr zero = ir_const_i32(u, 0), yes = ir_const(u, IR_BOOL, 1);
    ir_stmt unknown = ir_for(u, k, zero, ir_var_read(u, n, 0), 1, 0, 0);
    CHECK(!ir_const_trips(u, unknown, &trips) && ir_is_long(u, unknown));
    ir_stmt loop = ir_loop(u, yes, 0, 0, 0);
    CHECK(!ir_const_trips(u, loop, &trips) && ir_is_long(u, loop));
    CHECK(!ir_is_long(u, 0));
    CHECK(!ir_is_long(u, counted(IR_I32, 0, 31, 1, counted(IR_I32, 0, 31, 1, 0))));
    CHECK(ir_is_long(u, counted(IR_I32, 0, 2, 1, counted(IR_I32, 40, 0, -1, 0)))); // inside of a short one
    CHECK(ir_is_long(u, ir_if(u, yes, 0, counted(IR_I32, 0, 32, 1, 0), 0)));
    base_cx_deinit(&cx);
}
