// Kernels from IR built by hand: the lines that matter.
#include "check.h"
#include "wgsl/print/emit_testing.h"

TEST(element_wise) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = ir_add_var(U, "a", IR_F32, IR_VAR_PARAM, 0),
           t = local("t", IR_F32);
    k.param_words[a] = 8;
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 1, 1000, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 1000, 0);
    parfor(i, 1000, BLOCK(set(t, OP2(ADD, OP2(MUL, V(a), load1(x, V(i))), load1(y, V(i)))), store1(y, V(i), V(t))));
    struct wgsl_output out = emit("element_wise");
    CHECK_EQ_INT(0, out.resume_words);
    CHECK_HAS_STR("@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 3>;", out.text);
    CHECK_HAS_STR("@group(0) @binding(2) var<storage, read> b0: array<f32>;", out.text);
    CHECK_HAS_STR("@group(0) @binding(3) var<storage, read_write> b1: array<f32>;", out.text);
    CHECK_HAS_STR("let k = (wg.y * params[1].x + wg.x) * 64u + li;", out.text);
    CHECK_HAS_STR("let v2_a = bitcast<f32>(params[2].x);", out.text);
    CHECK_HAS_STR("let v3_t = v2_a * b0[v1_i] + b1[v1_i];", out.text);
    CHECK_HAS_STR("b1[v1_i] = v3_t;", out.text);
    CHECK_HAS_STR("atomicAdd(&control[0], 1u);", out.text);
}

TEST(rounds) {
    start();
    k.in.rounds = 4;
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    ir_array y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 1000, 0);
    parfor(i, 1000, store1(y, V(i), F(1)));
    struct wgsl_output out = emit("rounds");
    CHECK_EQ_INT(4, out.rounds);
    CHECK_HAS_STR("for (var turn = 0u; turn < 4u; turn += 1u) {", out.text);
    CHECK_HAS_STR("let k = ((wg.y * params[1].x + wg.x) * 4u + turn) * 64u + li;", out.text);
}

TEST(two_dimensions) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), j = ir_add_var(U, "j", IR_I32, IR_VAR_DIM, 0),
           n = ir_add_var(U, "n", IR_I32, IR_VAR_PARAM, 0);
    k.param_words[n] = 9;
    ir_array y = array("y", WHORL_I32, IR_ARRAY_INOUT, 2, 10, 163);
    k.places[y].offset_elems = 64;
    struct ir_dim dims[] = {{i, I(2), I(10), 2}, {j, V(n), I(0), -3}};
    ir_expr at[] = {V(i), OP2(ADD, V(j), I(1))}, fixed[] = {I(1), I(7)};
    ir_stmt s = parfor(i, 1, BLOCK(ir_store(U, y, at, 2, OP2(MUL, V(i), ir_load(U, y, fixed, 2, 0)), 0)));
    U->stmts[s].parfor.dims = ir_add_dims(U, dims, 2);
    U->stmts[s].parfor.dim_count = 2;
    struct wgsl_output out = emit("two_dimensions");
    CHECK_HAS_STR("let t1 = select(0u, (u32(v3_n) - 0u - 1u) / 3u + 1u, (0 < v3_n));", out.text);
    CHECK_HAS_STR("let v2_j = v3_n - i32(t2 * 3u);", out.text);
    CHECK_HAS_STR("let v1_i = 2 + i32(t3 * 2u);", out.text);
    CHECK_HAS_STR("b0[u32(v1_i) * 163u + u32(v2_j) + 65u] = v1_i * b0[234u];", out.text);
}

TEST(narrow_elements) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    ir_array y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0),
             flags = array("flags", WHORL_BOOL, IR_ARRAY_IN, 1, 100, 0);
    ir_expr sum = F(0.5f);
    for (int t = 0; t < BASE_DTYPES; t++) {
        enum ir_type type = ir_elem_type((enum whorl_dtype)t);
        if (whorl_dtype_size((enum whorl_dtype)t) >= 4 || type == IR_BOOL) continue;
        ir_array a = array("a", (enum whorl_dtype)t, IR_ARRAY_IN, 1, 100, 0);
        ir_expr change = OP2(SUB, load1(a, V(i)), load1(a, I(3)));
        sum = OP2(ADD, sum, type == IR_F32 ? change : OP1(I2F, change));
    }
    parfor(i, 100, BLOCK(ir_if(U, load1(flags, V(i)), BLOCK(store1(y, V(i), sum)), 0, 0)));
    struct wgsl_output out = emit("narrow_elements");
    CHECK_HAS_STR("unpack2x16float(b2[", out.text);
    CHECK_HAS_STR("extractBits(bitcast<i32>(b3[1u]), 16u, 16u)", out.text);
    CHECK_HAS_STR("!= 0u)", out.text);
}

// Every operation, with variables and with constants only: no compiler may refuse a constant expression.
TEST(operations) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    ir_array y = array("y", WHORL_U32, IR_ARRAY_INOUT, 1, 1000, 0), x = array("x", WHORL_U32, IR_ARRAY_IN, 1, 1000, 0);
    ir_stmt body = 0;
    int at = 0;
    static const uint32_t wild[] = {0, 1, 0x80000000u, 0x7f800000u, 0xffffffffu, 0x7fffffffu, 0x00000001u, 0x7fc00000u};
    for (int op = IR_NEG; op < IR_OP_COUNT; op++) {
        for (int type = IR_BOOL; type <= IR_F32; type++) {
            bool logical = op == IR_NOT || op == IR_LAND || op == IR_LOR, bits = op >= IR_BITNOT && op <= IR_CTZ;
            bool makes_float = op == IR_I2F || op == IR_U2F || op == IR_BITS_U2F;
            bool floats = (ir_ops[op].rule == IR_RULE_F32 && !makes_float) || op == IR_F2I || op == IR_F2U ||
                          op == IR_BITS_F2U || op == IR_ISNAN || op == IR_ISINF || op == IR_ISFINITE ||
                          op == IR_SIGNBIT;
            bool both = (op >= IR_NEG && op <= IR_DIV) || (op >= IR_EQ && op <= IR_GE);
            if (logical != (type == IR_BOOL) &&
                !(type == IR_BOOL && (op == IR_EQ || op == IR_XOR || op == IR_AND || op == IR_SELECT)))
                continue;
            if (floats && type != IR_F32) continue;
            if (!floats && !both && op != IR_SELECT && type == IR_F32) continue;
            if ((op == IR_MULHI || op == IR_U2F || op == IR_U2I || op == IR_BITS_U2F) && type != IR_U32) continue;
            if ((op == IR_I2F || op == IR_I2U || op == IR_ABS) && type != IR_I32) continue;
            (void)bits;
            for (int how = 0; how < 10; how++) {
                ir_expr operands[3];
                for (int o = 0; o < 3; o++) {
                    bool is_bool = type == IR_BOOL || (op == IR_SELECT && o == 0);
                    enum ir_type want = is_bool ? IR_BOOL : (enum ir_type)type;
                    if ((op == IR_SHL || op == IR_SHR) && o == 1) want = IR_U32;
                    if (op == IR_LDEXP && o == 1) want = IR_I32;
                    ir_expr word = load1(x, OP2(ADD, V(i), I(o)));
                    operands[o] = want == IR_BOOL  ? OP2(EQ, word, ir_const(U, IR_U32, 3))
                                  : want == IR_I32 ? OP1(U2I, word)
                                  : want == IR_F32 ? OP1(BITS_U2F, word)
                                                   : word;
                    if (how > 1 || (how == 1 && o == 1))
                        operands[o] =
                            ir_const(U, want, want == IR_BOOL ? (uint32_t)how & 1 : wild[(how + (o ? o : 7)) & 7]);
                }
                ir_expr r = ir_ops[op].arity == 1 ? ir_op1(U, (enum ir_op)op, operands[0], 0)
                            : ir_ops[op].arity == 2
                                ? ir_op2(U, (enum ir_op)op, operands[0], operands[1], 0)
                                : ir_op3(U, (enum ir_op)op, operands[0], operands[1], operands[2], 0);
                enum ir_type rt = (enum ir_type)U->nodes[r].type;
                if (rt == IR_BOOL)
                    r = ir_op3(U, IR_SELECT, r, ir_const(U, IR_U32, 1), ir_const(U, IR_U32, 0), 0);
                else
                    r = rt == IR_F32 ? OP1(BITS_F2U, r) : rt == IR_I32 ? OP1(I2U, r) : r;
                ir_append(U, &body, store1(y, I(at++ % 1000), r));
            }
        }
    }
    parfor(i, 100, body);
    struct wgsl_output out = emit("operations");
    CHECK_HAS_STR("whorl_exp", out.text);
}

// A line that is good for some devices only calls functions, too: they stand in the text of every device.
TEST(library_of_some_devices) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    ir_array y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0);
    parfor(i, 100, BLOCK(store1(y, V(i), ir_op1(U, IR_TANH, load1(y, V(i)), 0))));
    struct wgsl_output out = emit("library_of_some_devices");
    for (const char *at = out.text; (at = strstr(at, "//! "));) {
        char name[60];
        const char *call = strstr(at, "whorl_"), *end = strchr(at, '\n');
        at = end;
        if (!call || call > end) continue;
        snprintf(name, sizeof name, "fn %.*s(", (int)strcspn(call, "("), call);
        CHECK_HAS_STR(name, out.text);
    }
    CHECK_HAS_STR("return whorl_tanh_by_exp2(x);", out.text);
}

TEST(constants) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), v = local("v", IR_I32);
    ir_array y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0), h = array("h", WHORL_F32, IR_ARRAY_LOCAL, 1, 4, 0);
    static const uint32_t bits[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x80000000u,
                                    1,           0x7f7fffffu, 0x3dcccccdu, 0x4b800000u};
    ir_stmt body = 0;
    for (int b = 0; b < 8; b++)
        ir_append(U, &body, store1(y, V(i), ir_const(U, IR_F32, bits[b])));
    ir_append(U, &body, set(v, I(INT32_MIN)));
    ir_append(
        U, &body,
        ir_if(U, OP2(GT, V(v), V(i)), BLOCK(store1(h, I(9), OP1(I2F, V(v))), store1(y, I(0), load1(h, V(v)))), 0, 0));
    parfor(i, 100, body);
    struct wgsl_output out = emit("constants");
    CHECK_HAS_STR("bitcast<f32>(0x7f800000u | params[1].w)", out.text);
    CHECK_HAS_STR("= 0.1f;", out.text);
    CHECK_HAS_STR("= bitcast<f32>(0x7f7fffffu);", out.text);
    CHECK_HAS_STR("(-2147483647 - 1)", out.text);
    CHECK_HAS_STR("a2_h[9u + params[1].w]", out.text);
}

// A prefix of a variable needs no temporary where it stands several times, but parentheses under a second prefix.
TEST(prefixes) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_F32), v = local("v", IR_I32),
           c = local("c", IR_BOOL);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0), y = array("y", WHORL_I32, IR_ARRAY_INOUT, 1, 100, 0);
    ir_expr less = OP1(NEG, V(t)), minus = OP1(NEG, V(v)), flipped = OP1(BITNOT, V(v)), unless = OP1(NOT, V(c));
    ir_expr sides[] = {OP2(ADD, OP2(MUL, less, OP1(NEG, less)), OP2(SUB, less, less)),
                       OP2(ADD, OP2(MUL, minus, OP1(NEG, minus)), OP2(SUB, minus, OP1(BITNOT, minus))),
                       OP2(ADD, OP2(MUL, flipped, OP1(BITNOT, flipped)), OP1(NEG, OP1(NEG, I(-1))))};
    ir_stmt body = BLOCK(set(t, load1(x, V(i))), set(v, load1(y, V(i))), set(c, OP2(LT, V(v), I(3))),
                         store1(x, V(i), sides[0]), store1(y, V(i), sides[1]), store1(y, V(i), sides[2]));
    ir_append(U, &body,
              ir_if(U, OP2(LOR, OP2(LAND, unless, OP2(EQ, V(v), I(4))), OP2(EQ, unless, OP1(NOT, unless))),
                    BLOCK(store1(x, V(i), F(-1))), 0, 0));
    parfor(i, 100, body);
    struct wgsl_output out = emit("prefixes");
    static const char *const twice[] = {"--", "!!", "~~", "-~", "~-", "!-", "-!"};
    for (size_t p = 0; p < sizeof twice / sizeof *twice; p++)
        CHECK(!strstr(strstr(out.text, "fn main"), twice[p]));
}

// A choice with a load stays a branch; a shared node is computed once; what costs little needs no && or ||, which are
// branches.
TEST(choices) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_F32);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 1, 100, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0);
    ir_expr inside = OP2(GT, V(i), I(0)), shared = OP1(EXP, load1(x, V(i)));
    ir_expr left = ir_op3(U, IR_SELECT, inside, load1(x, OP2(SUB, V(i), I(1))), F(0), 0);
    ir_expr both = OP2(LAND, inside, OP2(GT, OP2(MUL, load1(x, V(i)), left), F(1)));
    ir_expr far = OP2(LAND, OP2(LOR, inside, OP2(LT, V(i), I(-5))), OP2(GT, load1(x, OP2(ADD, V(i), I(1))), F(2)));
    ir_stmt body = BLOCK(set(t, OP2(MUL, shared, OP2(ADD, shared, left))),
                         ir_if(U, both, BLOCK(store1(y, V(i), V(t))), BLOCK(store1(y, V(i), OP1(NEG, V(t)))), 0),
                         ir_if(U, far, BLOCK(store1(y, V(i), F(3))), 0, 0));
    parfor(i, 100, body);
    struct wgsl_output out = emit("choices");
    CHECK_HAS_STR("= whorl_exp(", out.text);
    CHECK(!strstr(strstr(strstr(out.text, "fn main"), "whorl_exp(") + 1, "whorl_exp("));
    CHECK_HAS_STR("} else {", out.text);
    CHECK_HAS_STR("if (((v1_i > 0) | (v1_i < (-5))) && (b0[u32(v1_i) + 1u] > 2.0f)) {", out.text);
}

// What the left side has computed costs the right side nothing more, and a call that it has not made stays behind it.
TEST(right_sides_that_share_with_the_left) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    ir_array x = array("x", WHORL_I32, IR_ARRAY_IN, 1, 100, 0), y = array("y", WHORL_I32, IR_ARRAY_INOUT, 1, 100, 0);
    ir_expr product = OP2(MUL, V(i), I(40)), before = load1(x, V(i)), after = load1(x, OP2(ADD, V(i), I(9)));
    ir_expr shares = OP2(LAND, OP2(GT, load1(x, product), I(0)), OP2(NE, OP2(ADD, product, I(7)), I(0)));
    ir_expr loaded = OP2(LOR, OP2(GT, before, I(3)), OP2(LT, OP2(ADD, before, I(1)), I(2)));
    ir_expr own = OP2(LAND, OP2(GT, V(i), I(2)), OP2(LT, after, OP2(MUL, after, I(5))));
    parfor(i, 100,
           BLOCK(ir_if(U, shares, BLOCK(store1(y, V(i), I(1))), 0, 0),
                 ir_if(U, loaded, BLOCK(store1(y, V(i), I(2))), 0, 0),
                 ir_if(U, own, BLOCK(store1(y, V(i), I(3))), 0, 0)));
    struct wgsl_output out = emit("sharing");
    CHECK_HAS_STR("] > 0) & ((t1 + 7) != 0)) {", out.text);
    CHECK_HAS_STR("> 3) | ((", out.text);
    CHECK(!strstr(out.text, " || "));
    CHECK(strstr(out.text, "v1_i > 2;") || strstr(out.text, "v1_i > 2) &&"));
}

// y[i] = the sum of two elements of a table's row, the row's number being an element of another array; `column` of the
// second.
static const char *table_text(uint32_t columns, int column, bool whole, bool written) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), row = local("row", IR_I32), t = local("t", IR_F32);
    ir_array x = array("x", WHORL_I32, IR_ARRAY_IN, 1, 100, 0), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0),
             table = array("table", WHORL_F32, written ? IR_ARRAY_INOUT : IR_ARRAY_IN, 2, 100, (int)columns);
    k.bindings[k.places[table].slot].in_vectors = whole;
    k.places[table].offset_elems = 8;
    ir_expr first[] = {V(row), I(1)}, second[] = {OP2(ADD, V(row), I(0)), column < 0 ? V(i) : I(column)},
            above[] = {V(row), I(0)};
    ir_stmt body = BLOCK(set(row, load1(x, V(i))), set(t, ir_load(U, table, first, 2, 0)),
                         set(t, OP2(ADD, V(t), ir_load(U, table, second, 2, 0))), set(row, OP2(ADD, V(row), I(2))),
                         set(t, ir_op3(U, IR_SELECT, OP2(GT, V(i), I(5)), ir_load(U, table, above, 2, 0), V(t), 0)),
                         store1(y, V(i), OP2(ADD, V(t), ir_load(U, table, above, 2, 0))));
    parfor(i, 100, body);
    return emit("table").text;
}

TEST(rows_as_vectors) {
    const char *text = table_text(4, 3, true, false);
    CHECK_HAS_STR("b2: array<vec4<f32>>;", text);
    CHECK_HAS_STR("let t1 = b2[u32(v2_row) + 2u];\n", text);
    CHECK_HAS_STR("v3_t = t1.y;\n", text);
    CHECK_HAS_STR("v3_t = v3_t + t1.w;\n", text);                    // the same row: not loaded again
    CHECK_HAS_STR("        let t3 = b2[u32(v2_row) + 2u];\n", text); // another one, since `row` was assigned
    CHECK_HAS_STR("    let t4 = b2[u32(v2_row) + 2u];\n", text);     // the one before was loaded in a branch
    CHECK_HAS_STR("v3_t + t4.x;", text);
    CHECK_HAS_STR("b2: array<vec2<f32>>;", table_text(2, 0, true, false));
    CHECK_HAS_STR("b2: array<f32>;", table_text(3, 0, true, false));
    CHECK_HAS_STR("b2: array<f32>;", table_text(4, -1, true, false)); // a column that is not known
    CHECK_HAS_STR("b2: array<f32>;", table_text(4, 3, false, false)); // not whole vectors
    CHECK_HAS_STR("b2: array<f32>;", table_text(4, 3, true, true));   // it is written
}

// Two elements of a row of 16, or of a flat array, from `first` and `second` words behind a place that `step` divides.
static const char *points_text(bool flat, int step, int first, int second, bool apart) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_F32);
    ir_array y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0),
             x = flat ? array("x", WHORL_F32, IR_ARRAY_IN, 1, 6400, 0) : array("x", WHORL_F32, IR_ARRAY_IN, 2, 100, 16);
    k.bindings[k.places[x].slot].in_vectors = true;
    ir_expr from[2] = {flat ? OP2(ADD, OP2(MUL, V(i), I(step)), I(first)) : V(i), I(first)},
            and[2] = {flat ? OP2(ADD, OP2(MUL, V(i), I(step)), I(second)) : V(i), I(second)};
    uint32_t n = flat ? 1 : 2;
    ir_stmt more = set(t, OP2(ADD, V(t), ir_load(U, x, and, n, 0)));
    parfor(i, 100,
           BLOCK(set(t, ir_load(U, x, from, n, 0)), apart ? ir_if(U, OP2(GT, V(i), I(5)), more, 0, 0) : more,
                 store1(y, V(i), V(t))));
    return emit("points").text;
}

TEST(parts_of_rows_as_vectors) {
    const char *text = points_text(false, 0, 9, 10, false);
    CHECK_HAS_STR("b1: array<vec4<f32>>;", text);
    CHECK_HAS_STR("= b1[(u32(v1_i)) * 4u + 2u];\n", text);
    CHECK_HAS_STR(".y;\n", text);
    CHECK_HAS_STR(".z;\n", text);
    CHECK_HAS_STR("b1: array<f32>;", points_text(false, 0, 7, 8, false)); // of two vectors
    CHECK_HAS_STR("b1: array<f32>;", points_text(false, 0, 9, 10, true)); // the other is not wanted then
    text = points_text(true, 12, 1, 2, false);
    CHECK_HAS_STR("b1: array<vec4<f32>>;", text);
    CHECK_HAS_STR("= b1[bitcast<u32>(bitcast<i32>(u32(v1_i * 12)) >> 2u)];\n", text);
    CHECK_HAS_STR("b1: array<vec2<f32>>;", points_text(true, 6, 2, 3, false));
    CHECK_HAS_STR("b1: array<f32>;", points_text(true, 6, 1, 2, false));
    CHECK_HAS_STR("b1: array<f32>;", points_text(true, 3, 0, 1, false));
    text = points_text(true, 4, -3, -4, false); // words behind a place below zero
    CHECK_HAS_STR(" >> 2u) + 4294967295u];\n", text);
    CHECK_HAS_STR(".y;\n", text);
}

TEST(loops) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_I32), s = local("s", IR_F32),
           w = local("w", IR_I32);
    ir_array x = array("x", WHORL_F32, IR_ARRAY_IN, 2, 100, 16), y = array("y", WHORL_F32, IR_ARRAY_INOUT, 1, 100, 0);
    ir_expr at[] = {V(i), V(t)};
    ir_stmt inner = ir_for(U, t, I(0), I(16), 1, BLOCK(set(s, OP2(ADD, V(s), ir_load(U, x, at, 2, 0)))), 0);
    ir_stmt down = ir_for(U, t, V(w), I(0), -1,
                          BLOCK(ir_if(U, OP2(GT, V(s), F(100)), BLOCK(ir_add_stmt(U, IR_BREAK, 0)), 0, 0),
                                set(s, OP2(MUL, V(s), F(1.5f)))),
                          0);
    ir_stmt outer =
        ir_loop(U, OP2(LT, V(w), V(i)),
                BLOCK(inner, down, ir_if(U, OP2(EQ, V(w), I(3)), BLOCK(ir_add_stmt(U, IR_CONTINUE, 0)), 0, 0),
                      set(s, OP2(ADD, V(s), F(1)))),
                BLOCK(set(w, OP2(ADD, V(w), I(1)))), 0);
    ir_stmt forever = ir_loop(
        U, 0,
        BLOCK(set(w, OP2(ADD, V(w), I(1))), ir_if(U, OP2(GT, V(w), I(9)), BLOCK(ir_add_stmt(U, IR_BREAK, 0)), 0, 0)), 0,
        0);
    parfor(i, 100, BLOCK(set(s, F(0)), set(w, I(0)), outer, forever, store1(y, V(i), V(s))));
    struct wgsl_output out = emit("loops");
    CHECK_HAS_STR("for (var v2_t = 0; v2_t < 16; v2_t += 1) {", out.text);
    CHECK_HAS_STR("for (; v2_t > 0; v2_t -= 1) {", out.text);
    CHECK_HAS_STR("continuing {", out.text);
    CHECK_HAS_STR("atomicAdd(&control[2], 1u);", out.text);
}

TEST(sequential) {
    start();
    ir_var n = ir_add_var(U, "n", IR_I32, IR_VAR_ENTRY, 0), best = ir_add_var(U, "best", IR_F32, IR_VAR_ENTRY, 0),
           any = ir_add_var(U, "any", IR_BOOL, IR_VAR_ENTRY, 0);
    ir_array part = array("part", WHORL_F32, IR_ARRAY_SCRATCH, 1, 600, 0),
             some = array("some", WHORL_BOOL, IR_ARRAY_SCRATCH, 1, 600, 0),
             out_array = array("out", WHORL_F32, IR_ARRAY_INOUT, 1, 4, 0);
    k.in.state_slot = k.in.binding_count++;
    k.bindings[k.in.state_slot] = (struct wgsl_binding){.elem = WHORL_U32, .writable = true};
    k.state_words[n] = 0;
    k.state_words[best] = 1;
    k.state_words[any] = 2;
    ir_stmt combine = ir_add_stmt(U, IR_COMBINE, 0), combine2 = ir_add_stmt(U, IR_COMBINE, 0);
    U->stmts[combine] =
        (struct ir_stmt_node){.kind = IR_COMBINE, .combine = {.var = best, .op = IR_FMAX, .array = part, .count = 600}};
    U->stmts[combine2] =
        (struct ir_stmt_node){.kind = IR_COMBINE, .combine = {.var = any, .op = IR_LOR, .array = some, .count = 600}};
    ir_stmt stop = set(n, I(4711));
    k.in.stmt = BLOCK(set(n, OP2(ADD, V(n), I(1))), set(best, F(-1e30f)), combine, combine2,
                      store1(out_array, V(n), V(best)), stop);
    k.in.stop = stop;
    k.in.sequential = true;
    k.in.workgroup_size = 256;
    k.in.guard = OP2(LT, V(n), I(10));
    struct wgsl_output out = emit("sequential");
    CHECK_HAS_STR("v1_n = bitcast<i32>(b3[0]);", out.text);
    CHECK_HAS_STR("let go = (v1_n < 10) && (li == 0u);", out.text);
    CHECK_HAS_STR("(whorl_fmax(lanes_f32[li + 0u], lanes_f32[li + 128u]))", out.text); // 16 lanes fold 16 words
    CHECK_HAS_STR("(whorl_fmax(lanes_f32[0u], lanes_f32[8u]))", out.text);             // then all the 16 results
    CHECK_HAS_STR("v2_best = whorl_fmax(v2_best, ", out.text);
    CHECK_HAS_STR("b3[2] = select(0u, 1u, v3_any);", out.text);
    const char *loads = strstr(out.text, "let x2 = "), *others = strstr(out.text, "let x0_1 = ");
    CHECK(loads && others && others < strstr(out.text, "sum = whorl_fmax(sum, x0);")); // of both, before any is used
    CHECK_EQ_INT(5, check_times("workgroupBarrier();", out.text)); // one in front of both, three for both, the end
    CHECK(!strstr(out.text, "4711"));
}
