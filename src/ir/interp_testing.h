// Units built by hand and run by the interpreter, for its tests. Included after check.h, once.
#ifndef WHORL_IR_INTERP_TESTING_H
#define WHORL_IR_INTERP_TESTING_H

#include "ir/ir.h"

static struct base_cx cx;
static struct ir_unit *u;
static base_loc line7;
static struct whorl_error err;

static inline void start(void) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    line7 = base_add_loc(&cx, base_add_file(&cx, "p.c", "", 0, false), 7, 3);
    u = ir_unit_create(&cx);
}

#define START() \
    start();    \
    if (setjmp(cx.bail) != 0) FAIL("%s", base_render_diags(&cx))

static inline ir_expr I(int32_t v) { return ir_const_i32(u, v); }
static inline ir_expr F(float v) { return ir_const_f32(u, v); }
static inline ir_expr V(ir_var v) { return ir_var_read(u, v, 0); }
static inline ir_expr op(enum ir_op o, ir_expr a, ir_expr b) { return ir_op2(u, o, a, b, 0); }
static inline ir_expr at(ir_array a, ir_expr i) { return ir_load(u, a, &i, 1, 0); }
static inline ir_var var(enum ir_type type, enum ir_var_class klass) { return ir_add_var(u, "v", type, klass, 0); }
static inline void add(ir_stmt s) { ir_append(u, &u->root, s); }
static inline ir_stmt put(ir_array a, ir_expr i, ir_expr value) { return ir_store(u, a, &i, 1, value, line7); }
static inline ir_stmt block(ir_stmt a, ir_stmt b) {
    ir_append(u, &a, b);
    return a;
}

// An entry array of n elements, a parameter.
static inline ir_array entry_array(enum whorl_dtype elem, int32_t n) {
    ir_expr size = I(n);
    ir_array a = ir_add_array(u, "x", elem, IR_ARRAY_INOUT, 1, &size, 0);
    BASE_RESERVE(&cx, u->params, u->param_count, u->param_cap);
    u->arrays[a].param = u->param_count;
    u->params[u->param_count++] = (struct ir_param){.name = "x", .is_array = true, .ref = a};
    return a;
}

static inline ir_stmt parfor(ir_var i, int32_t n, uint8_t op_or_0, ir_var reduced, ir_stmt body) {
    struct ir_dim dim = {i, I(0), I(n), 1};
    struct ir_reduction reduction = {op_or_0, reduced};
    uint32_t dims = ir_add_dims(u, &dim, 1), reductions = op_or_0 ? ir_add_reductions(u, &reduction, 1) : 0;
    ir_stmt s = ir_add_stmt(u, IR_PARFOR, line7);
    u->stmts[s].parfor.dim_count = 1;
    u->stmts[s].parfor.dims = dims;
    u->stmts[s].parfor.reductions = reductions;
    u->stmts[s].parfor.reduction_count = op_or_0 != 0;
    u->stmts[s].parfor.body = body;
    return s;
}

static inline enum whorl_status run_sized(void *data, size_t size, uint64_t max_steps) {
    void *arrays[] = {data, data};
    size_t sizes[] = {size, size};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes, .max_steps = max_steps};
    memset(&err, 0, sizeof err);
    return ir_interpret(u, &options, &err);
}
#define RUN(data) run_sized(data, sizeof(data), 0)
#define CHECKED_RUN(data)                                   \
    do {                                                    \
        ir_check(u, "test");                                \
        if (RUN(data) != WHORL_OK) FAIL("%s", err.message); \
    } while (0)

#endif
