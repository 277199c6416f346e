// The interpreter's parallel loops: their order, what an iteration begins with, and the exact order of reductions.
#include "check.h"
#include "ir/interp_testing.h"

TEST(local_arrays_are_cleared_each_iteration) {
    START();
    int32_t out[3] = {0};
    ir_array x = entry_array(WHORL_I32, 3);
    ir_expr two = I(2);
    ir_array w = ir_add_array(u, "w", WHORL_I32, IR_ARRAY_LOCAL, 1, &two, 0);
    ir_var i = var(IR_I32, IR_VAR_DIM);
    ir_stmt body = put(w, I(1), op(IR_ADD, at(w, I(1)), op(IR_ADD, V(i), I(1))));
    add(parfor(i, 3, 0, 0, block(body, put(x, V(i), at(w, I(1))))));
    CHECKED_RUN(out);
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 3);
}

TEST(the_last_dimension_runs_fastest) {
    START();
    int32_t out[7] = {0};
    ir_array x = entry_array(WHORL_I32, 7);
    ir_var i = var(IR_I32, IR_VAR_DIM), j = var(IR_I32, IR_VAR_DIM);
    // out[6] counts; out[count] = 10 * i + j for i = 1, 3; j = 2, 1, 0
    struct ir_dim dims[] = {{i, I(1), I(4), 2}, {j, I(2), I(-1), -1}};
    ir_stmt body = put(x, at(x, I(6)), op(IR_ADD, op(IR_MUL, V(i), I(10)), V(j)));
    body = block(body, put(x, I(6), op(IR_ADD, at(x, I(6)), I(1))));
    ir_stmt s = parfor(i, 1, 0, 0, body);
    u->stmts[s].parfor.dim_count = 2;
    u->stmts[s].parfor.dims = ir_add_dims(u, dims, 2);
    add(s);
    CHECKED_RUN(out);
    const int32_t want[] = {12, 11, 10, 32, 31, 30, 6};
    for (int k = 0; k < 7; k++)
        CHECK_EQ_INT(want[k], out[k]);
}

TEST(iterations_and_shared_passes_may_come_backwards) {
    START();
    int32_t out[2] = {0};
    ir_array x = entry_array(WHORL_I32, 2);
    ir_var i = var(IR_I32, IR_VAR_DIM), k = var(IR_I32, IR_VAR_LOCAL);
    ir_stmt loop = ir_for(u, k, I(3), I(9), 2, put(x, I(1), V(k)), 0);
    u->stmts[loop].flags |= IR_FLAG_LANES;
    add(parfor(i, 5, 0, 0, block(put(x, I(0), V(i)), loop)));
    void *arrays[] = {out};
    size_t sizes[] = {sizeof out};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes};
    for (int backwards = 0; backwards < 2; backwards++) {
        options.backwards = backwards;
        CHECK_EQ_INT(WHORL_OK, ir_interpret(u, &options, &err));
        CHECK_EQ_INT(backwards ? 0 : 4, out[0]);
        CHECK_EQ_INT(backwards ? 3 : 7, out[1]);
    }
}

// The order that ir.h writes down, once more and plainly.
static float reference_sum(const float *x, int n, int most, float old) {
    static float partial[65536];
    float lane[256];
    int blocks = n < most ? n : most, q = (n + blocks - 1) / blocks;
    for (int b = 0; b < blocks; b++) {
        partial[b] = 0;
        for (int i = b * q; i < b * q + q && i < n; i++)
            partial[b] = partial[b] + x[i];
    }
    for (int l = 0; l < 256; l++) {
        lane[l] = 0;
        for (int i = l; i < blocks; i += 256)
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
        ir_array x = entry_array(WHORL_F32, n + 1);
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
    ir_array x = entry_array(WHORL_F32, 301);
    ir_var s = var(IR_F32, IR_VAR_ENTRY);
    add(ir_assign(u, s, F(0.25f), 0));
    ir_stmt c = ir_add_stmt(u, IR_COMBINE, 0);
    u->stmts[c].combine.var = s;
    u->stmts[c].combine.op = IR_ADD;
    u->stmts[c].combine.array = x;
    u->stmts[c].combine.count = 300;
    add(c);
    add(put(x, I(300), V(s)));
    CHECKED_RUN(out);
    CHECK_EQ_INT(base_float_bits(want), base_float_bits(out[300]));
    CHECK_HAS_STR("v.1 = combine add x.1[0 .. 300]", ir_print(u));
}

TEST(combine_of_values_is_that_of_an_array_of_them) {
    START();
    float out[301];
    for (int i = 0; i < 300; i++)
        out[i] = 0.3f / (float)(i + 1);
    ir_array x = entry_array(WHORL_F32, 301);
    ir_var s = var(IR_F32, IR_VAR_ENTRY), k = var(IR_I32, IR_VAR_DIM);
    float halves[300]; // element 299 - k, and a half: the value counts, not where it comes from
    for (int i = 0; i < 300; i++)
        halves[i] = out[299 - i] + 0.5f;
    float want = reference_sum(halves, 300, 16384, 0.25f);
    add(ir_assign(u, s, F(0.25f), 0));
    ir_stmt c = ir_add_stmt(u, IR_COMBINE, 0);
    u->stmts[c].combine.var = s;
    u->stmts[c].combine.op = IR_ADD;
    u->stmts[c].combine.count = 300;
    u->stmts[c].combine.value = op(IR_ADD, at(x, op(IR_SUB, I(299), V(k))), F(0.5f));
    u->stmts[c].combine.index = k;
    add(c);
    add(put(x, I(300), V(s)));
    CHECKED_RUN(out);
    CHECK_EQ_INT(base_float_bits(want), base_float_bits(out[300]));
    CHECK_HAS_STR("v.1 = combine add x.1[299 - v.2] + 0.5 for v.2 in 0 .. 300", ir_print(u));
    struct ir_effects fx = ir_effects_of(u, c);
    CHECK(ir_bit(fx.arrays_read, x) && ir_bit(fx.vars_written, s) && ir_bit(fx.vars_written, k));
    ir_var map[3] = {0, 0, var(IR_I32, IR_VAR_DIM)};
    ir_stmt copy = ir_clone_block(u, c, map, NULL); // with the next statement
    CHECK_HAS_STR("x.1[299 - v.3]", (u->root = copy, ir_print(u)));
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
        ir_array x = entry_array(WHORL_U32, 1);
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
    ir_array x = entry_array(WHORL_F32, 1);
    ir_var i = var(IR_I32, IR_VAR_DIM), s = var(IR_F32, IR_VAR_ENTRY);
    add(ir_assign(u, s, F(2.5f), 0));
    add(parfor(i, -4, IR_MUL, s, ir_assign(u, s, F(0), 0)));
    add(put(x, I(0), V(s)));
    CHECKED_RUN(out);
    CHECK(out[0] == 2.5f);
}
