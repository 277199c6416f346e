// The interpreter: statements, storage, the exact order of reductions, and every way it ends with an error.
#include "check.h"
#include "ir/ir.h"

static struct base_cx cx;
static struct ir_unit *u;
static base_loc line7;
static struct whorl_error err;

static void start(void) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    line7 = base_add_loc(&cx, base_add_file(&cx, "p.c", "", 0, false), 7, 3);
    u = ir_unit_create(&cx);
}

#define START() \
    start();    \
    if (setjmp(cx.bail) != 0) FAIL("%s", base_render_diags(&cx))

static ir_expr I(int32_t v) { return ir_const_i32(u, v); }
static ir_expr F(float v) { return ir_const_f32(u, v); }
static ir_expr V(ir_var v) { return ir_var_read(u, v, 0); }
static ir_expr op(enum ir_op o, ir_expr a, ir_expr b) { return ir_op2(u, o, a, b, 0); }
static ir_expr at(ir_array a, ir_expr i) { return ir_load(u, a, &i, 1, 0); }
static ir_var var(enum ir_type type, enum ir_var_class klass) { return ir_add_var(u, "v", type, klass, 0); }
static void add(ir_stmt s) { ir_append(u, &u->root, s); }
static ir_stmt put(ir_array a, ir_expr i, ir_expr value) { return ir_store(u, a, &i, 1, value, line7); }
static ir_stmt block(ir_stmt a, ir_stmt b) {
    ir_append(u, &a, b);
    return a;
}

// An entry array of n elements, a parameter.
static ir_array entry_array(enum ir_elem elem, int32_t n) {
    ir_expr size = I(n);
    ir_array a = ir_add_array(u, "x", elem, IR_ARRAY_INOUT, 1, &size, 0);
    BASE_RESERVE(&cx, u->params, u->param_count, u->param_cap);
    u->arrays[a].param = u->param_count;
    u->params[u->param_count++] = (struct ir_param){.name = "x", .is_array = true, .ref = a};
    return a;
}

static ir_stmt parfor(ir_var i, int32_t n, uint8_t op_or_0, ir_var reduced, ir_stmt body) {
    struct ir_dim dim = {i, I(0), I(n), 1};
    struct ir_reduction reduction = {op_or_0, reduced};
    uint32_t dims = ir_add_dims(u, &dim, 1), reductions = op_or_0 ? ir_add_reductions(u, &reduction, 1) : 0;
    ir_stmt s = ir_add_stmt(u, IR_PARFOR, line7);
    u->stmts[s].n = 1;
    u->stmts[s].a = dims;
    u->stmts[s].b = reductions;
    u->stmts[s].c = op_or_0 != 0;
    u->stmts[s].e = body;
    return s;
}

static enum whorl_status run_sized(void *data, size_t size, uint64_t max_steps) {
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

TEST(loops_break_and_continue) {
    START();
    int32_t out[4] = {0};
    ir_array x = entry_array(IR_ELEM_I32, 4);
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
    ir_array x = entry_array(IR_ELEM_U32, 1);
    ir_var i = var(IR_U32, IR_VAR_ENTRY);
    ir_expr lo = ir_const(u, IR_U32, 0x7ffffffe), hi = ir_const(u, IR_U32, 0x80000003);
    add(ir_for(u, i, lo, hi, 1, put(x, I(0), V(i)), 0));
    CHECKED_RUN(out);
    CHECK_EQ_INT(0x80000002u, out[0]);
}

TEST(storage_narrows_and_widens) {
    static const struct {
        enum ir_elem elem;
        int32_t stored, loaded;
    } cases[] = {{IR_ELEM_I8, 200, -56},
                 {IR_ELEM_U8, -1, 255},
                 {IR_ELEM_I16, 40000, -25536},
                 {IR_ELEM_U16, 65537, 1},
                 {IR_ELEM_I32, -5, -5}};
    for (volatile size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        START();
        unsigned char bytes[12] = {0}; // elements 0 and 1 of the widest, then a guard
        ir_array x = entry_array(cases[k].elem, 2), y;
        ir_expr one = I(1);
        y = ir_add_array(u, "y", IR_ELEM_I32, IR_ARRAY_SCRATCH, 1, &one, 0);
        add(put(x, I(1), I(cases[k].stored)));
        add(put(y, I(0), at(x, I(1))));
        add(put(x, I(0), op(IR_EQ, at(y, I(0)), I(cases[k].loaded))));
        u->stmts[u->stmt_count - 1].c = ir_op3(u, IR_SELECT, u->stmts[u->stmt_count - 1].c, I(42), I(0), 0);
        ir_check(u, "test");
        CHECK_EQ_INT(WHORL_OK, run_sized(bytes, 2 * ir_elem_size(cases[k].elem), 0));
        CHECK_EQ_INT(42, bytes[0]);
        CHECK_EQ_INT(0, bytes[8]);
    }
    START();
    uint16_t half[2] = {0x3555, 0};
    ir_array x = entry_array(IR_ELEM_F16, 2);
    add(put(x, I(1), op(IR_MUL, at(x, I(0)), F(3.0f))));
    CHECKED_RUN(half);
    CHECK_EQ_INT(0x3c00, half[1]); // 0.99976 rounds to 1
    START();
    unsigned char flag[2] = {7, 0};
    x = entry_array(IR_ELEM_BOOL, 2);
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
    ir_array x = ir_add_array(u, "x", IR_ELEM_F32, IR_ARRAY_INOUT, 2, dims, 0);
    ir_array t = ir_add_array(u, "t", IR_ELEM_I8, IR_ARRAY_TABLE, 1, &two, 0);
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

TEST(local_arrays_are_cleared_each_iteration) {
    START();
    int32_t out[3] = {0};
    ir_array x = entry_array(IR_ELEM_I32, 3);
    ir_expr two = I(2);
    ir_array w = ir_add_array(u, "w", IR_ELEM_I32, IR_ARRAY_LOCAL, 1, &two, 0);
    ir_var i = var(IR_I32, IR_VAR_DIM);
    ir_stmt body = put(w, I(1), op(IR_ADD, at(w, I(1)), op(IR_ADD, V(i), I(1))));
    add(parfor(i, 3, 0, 0, block(body, put(x, V(i), at(w, I(1))))));
    CHECKED_RUN(out);
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 3);
}

TEST(the_last_dimension_runs_fastest) {
    START();
    int32_t out[7] = {0};
    ir_array x = entry_array(IR_ELEM_I32, 7);
    ir_var i = var(IR_I32, IR_VAR_DIM), j = var(IR_I32, IR_VAR_DIM);
    // out[6] counts; out[count] = 10 * i + j for i = 1, 3; j = 2, 1, 0
    struct ir_dim dims[] = {{i, I(1), I(4), 2}, {j, I(2), I(-1), -1}};
    ir_stmt body = put(x, at(x, I(6)), op(IR_ADD, op(IR_MUL, V(i), I(10)), V(j)));
    body = block(body, put(x, I(6), op(IR_ADD, at(x, I(6)), I(1))));
    ir_stmt s = parfor(i, 1, 0, 0, body);
    u->stmts[s].n = 2;
    u->stmts[s].a = ir_add_dims(u, dims, 2);
    add(s);
    CHECKED_RUN(out);
    const int32_t want[] = {12, 11, 10, 32, 31, 30, 6};
    for (int k = 0; k < 7; k++)
        CHECK_EQ_INT(want[k], out[k]);
}

// The order that ir.h writes down, once more and plainly.
static float reference_sum(const float *x, int n, int most, float old) {
    static float partial[65536];
    float lane[256];
    int blocks = n < most ? n : most, q = (n + blocks - 1) / blocks, per_lane = (blocks + 255) / 256;
    for (int b = 0; b < blocks; b++) {
        partial[b] = 0;
        for (int i = b * q; i < b * q + q && i < n; i++)
            partial[b] = partial[b] + x[i];
    }
    for (int l = 0; l < 256; l++) {
        lane[l] = 0;
        for (int i = l * per_lane; i < (l + 1) * per_lane && i < blocks; i++)
            lane[l] = lane[l] + partial[i];
    }
    for (int s = 128; s > 0; s /= 2)
        for (int l = 0; l < s; l++)
            lane[l] = lane[l] + lane[l + s];
    return old + lane[0];
}

static float values[70001];

TEST(float_sums_have_one_order) {
    static const int sizes[] = {1, 2, 255, 257, 1000, 16384, 16385, 20000, 40000, 65535, 65537, 70000};
    for (volatile size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k / 2];
        bool is_long = k % 2;
        START();
        uint32_t seed = 1;
        for (int i = 0; i < n; i++, seed = seed * 1664525 + 1013904223)
            values[i] = (float)(seed >> 8) * 0x1p-24f * (seed & 128 ? 1e4f : 1e-4f);
        float want = reference_sum(values, n, is_long ? 65536 : 16384, 0.3f);
        ir_array x = entry_array(IR_ELEM_F32, n + 1);
        ir_var i = var(IR_I32, IR_VAR_DIM), s = var(IR_F32, IR_VAR_ENTRY);
        add(ir_assign(u, s, F(0.3f), 0));
        ir_stmt loop = parfor(i, n, IR_ADD, s, ir_assign(u, s, op(IR_ADD, V(s), at(x, V(i))), 0));
        if (is_long) u->stmts[loop].flags |= IR_FLAG_LONG;
        add(loop);
        add(put(x, I(n), V(s)));
        ir_check(u, "test");
        CHECK_EQ_INT(WHORL_OK, run_sized(values, ((size_t)n + 1) * 4, 0));
        CHECK_EQ_INT(base_float_bits(want), base_float_bits(values[n]));
    }
}

TEST(combine_is_the_second_half_of_a_sum) {
    START();
    float out[301];
    for (int i = 0; i < 300; i++)
        out[i] = 1.0f / (float)(i + 1);
    float want = reference_sum(out, 300, 16384, 0.25f); // 300 blocks of one element
    ir_array x = entry_array(IR_ELEM_F32, 301);
    ir_var s = var(IR_F32, IR_VAR_ENTRY);
    add(ir_assign(u, s, F(0.25f), 0));
    ir_stmt c = ir_add_stmt(u, IR_COMBINE, 0);
    u->stmts[c].a = s;
    u->stmts[c].b = IR_ADD;
    u->stmts[c].c = x;
    u->stmts[c].d = 300;
    add(c);
    add(put(x, I(300), V(s)));
    CHECKED_RUN(out);
    CHECK_EQ_INT(base_float_bits(want), base_float_bits(out[300]));
    CHECK_HAS_STR("v.1 = combine add x.1[0 .. 300]", ir_print(u));
}

TEST(every_reduction_operation) {
    static const struct {
        uint8_t op, type;
        uint32_t old, want; // over 1..100
    } cases[] = {
        {IR_ADD, IR_I32, 5, 5055},
        {IR_MIN, IR_I32, 50, 1},
        {IR_MIN, IR_I32, (uint32_t)-3, (uint32_t)-3},
        {IR_MAX, IR_I32, 3, 100},
        {IR_MAX, IR_U32, UINT32_MAX, UINT32_MAX},
        {IR_AND, IR_U32, 12, 0},
        {IR_OR, IR_U32, 256, 383},
        {IR_XOR, IR_U32, 1, 101},
        {IR_MUL, IR_U32, 3, 0},
        {IR_FMIN, IR_F32, 0x40000000, 0x3f800000},
        {IR_FMAX, IR_F32, 0, 0x42c80000},
        {IR_LAND, IR_BOOL, 1, 0},
        {IR_LOR, IR_BOOL, 0, 1},
    };
    for (volatile size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        START();
        uint32_t out[1] = {0};
        ir_array x = entry_array(IR_ELEM_U32, 1);
        enum ir_type type = (enum ir_type)cases[k].type;
        ir_var i = var(IR_I32, IR_VAR_DIM), s = var(type, IR_VAR_ENTRY);
        ir_expr item = op(IR_ADD, V(i), I(1));
        if (type == IR_U32)
            item = ir_op1(u, IR_I2U, item, 0);
        else if (type == IR_F32)
            item = ir_op1(u, IR_I2F, item, 0);
        else if (type == IR_BOOL)
            item = op(IR_EQ, item, I(50));
        add(ir_assign(u, s, ir_const(u, type, cases[k].old), 0));
        add(parfor(i, 100, cases[k].op, s, ir_assign(u, s, op((enum ir_op)cases[k].op, V(s), item), 0)));
        ir_expr result = V(s);
        if (type == IR_I32)
            result = ir_op1(u, IR_I2U, result, 0);
        else if (type == IR_F32)
            result = ir_op1(u, IR_BITS_F2U, result, 0);
        else if (type == IR_BOOL)
            result = ir_op3(u, IR_SELECT, result, ir_const(u, IR_U32, 1), ir_const(u, IR_U32, 0), 0);
        add(put(x, I(0), result));
        CHECKED_RUN(out);
        if (out[0] != cases[k].want)
            FAIL("case %zu (%s): want %u, got %u", k, ir_ops[cases[k].op].name, cases[k].want, out[0]);
    }
}

TEST(an_empty_loop_keeps_the_old_value) {
    START();
    float out[1] = {0};
    ir_array x = entry_array(IR_ELEM_F32, 1);
    ir_var i = var(IR_I32, IR_VAR_DIM), s = var(IR_F32, IR_VAR_ENTRY);
    add(ir_assign(u, s, F(2.5f), 0));
    add(parfor(i, -4, IR_MUL, s, ir_assign(u, s, F(0), 0)));
    add(put(x, I(0), V(s)));
    CHECKED_RUN(out);
    CHECK(out[0] == 2.5f);
}

TEST(lazy_operands_are_not_evaluated) {
    START();
    int32_t out[1] = {0};
    ir_array x = entry_array(IR_ELEM_I32, 1);
    ir_expr bad = op(IR_EQ, at(x, I(5)), I(0)), no = ir_const(u, IR_BOOL, 0), yes = ir_const(u, IR_BOOL, 1);
    ir_expr cond = op(IR_LAND, op(IR_LOR, yes, bad), ir_op1(u, IR_NOT, op(IR_LAND, no, bad), 0));
    add(put(x, I(0), ir_op3(u, IR_SELECT, cond, I(1), at(x, I(9)), 0)));
    CHECKED_RUN(out);
    CHECK_EQ_INT(1, out[0]);
}

static void wants_error(enum whorl_status status, const char *part) {
    int32_t out[4] = {0};
    ir_check(u, "test");
    CHECK_EQ_INT(status, run_sized(out, sizeof out, 100000));
    CHECK_EQ_INT(status, err.status);
    CHECK_HAS_STR(part, err.message);
}

TEST(wrong_indices_name_the_line) {
    START();
    ir_array x = entry_array(IR_ELEM_I32, 4);
    add(put(x, I(4), I(0)));
    wants_error(WHORL_SOURCE, "index 4 of x.1 is outside [0, 4)");
    CHECK_EQ_STR("p.c", err.file);
    CHECK_EQ_INT(7, err.line);
    CHECK_EQ_INT(3, err.col);
    START();
    x = entry_array(IR_ELEM_I32, 4);
    add(put(x, I(0), at(x, I(-1))));
    wants_error(WHORL_SOURCE, "index -1 of x.1 is outside [0, 4)");
    START(); // each index against its own dimension
    x = entry_array(IR_ELEM_I32, 2);
    u->arrays[x].ndims = 2;
    u->arrays[x].dims[1] = I(2);
    ir_expr where[] = {I(0), I(2)};
    add(ir_store(u, x, where, 2, I(0), line7));
    wants_error(WHORL_SOURCE, "index 2 of x.1 is outside [0, 2) (dimension 2 of 2)");
}

TEST(arithmetic_that_c_leaves_open) {
    START();
    ir_array x = entry_array(IR_ELEM_I32, 4);
    add(put(x, I(0), op(IR_REM, I(1), at(x, I(0)))));
    wants_error(WHORL_SOURCE, "integer division by zero");
    START();
    x = entry_array(IR_ELEM_I32, 4);
    add(put(x, I(0), op(IR_DIV, I(INT32_MIN), op(IR_SUB, at(x, I(0)), I(1)))));
    wants_error(WHORL_SOURCE, "integer division overflows");
}

TEST(endless_loops_end) {
    START();
    entry_array(IR_ELEM_I32, 4);
    add(ir_loop(u, 0, 0, 0, line7));
    wants_error(WHORL_LIMIT, "an endless loop?");
    CHECK_EQ_INT(7, err.line);
    START();
    entry_array(IR_ELEM_I32, 4);
    add(parfor(var(IR_I32, IR_VAR_DIM), 1 << 30, 0, 0, 0));
    wants_error(WHORL_LIMIT, "more than 100000 steps");
}

TEST(what_was_never_set) {
    START();
    ir_array x = entry_array(IR_ELEM_I32, 4);
    ir_var a = var(IR_I32, IR_VAR_ENTRY), b = var(IR_I32, IR_VAR_ENTRY);
    add(ir_assign(u, b, V(a), 0)); // a copy is fine
    add(put(x, I(0), op(IR_ADD, V(b), I(1))));
    wants_error(WHORL_SOURCE, "v.2 is read before it is set");
    START(); // set in the first iteration only
    x = entry_array(IR_ELEM_I32, 4);
    ir_var i = var(IR_I32, IR_VAR_DIM), t = var(IR_I32, IR_VAR_LOCAL);
    ir_stmt body = ir_if(u, op(IR_EQ, V(i), I(0)), ir_assign(u, t, I(1), 0), 0, 0);
    add(parfor(i, 2, 0, 0, block(body, put(x, V(i), V(t)))));
    wants_error(WHORL_SOURCE, "v.2 is read before it is set");
    START(); // a loop's variable after the loop
    x = entry_array(IR_ELEM_I32, 4);
    a = var(IR_I32, IR_VAR_ENTRY);
    add(ir_for(u, a, I(0), I(3), 1, 0, 0));
    add(put(x, I(0), V(a)));
    wants_error(WHORL_SOURCE, "v.1 is read before it is set");
}

TEST(failed_allocations) {
    for (volatile uint64_t n = 1;; n++) {
        START();
        int32_t out[4] = {0};
        ir_array x = entry_array(IR_ELEM_I32, 4);
        ir_expr two = I(2);
        ir_array w = ir_add_array(u, "w", IR_ELEM_I32, IR_ARRAY_LOCAL, 1, &two, 0);
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
