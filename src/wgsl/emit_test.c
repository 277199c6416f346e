// Kernels from IR built by hand: the lines that matter. With WHORL_WGSL_DUMP=FOLDER every text is written there too, for
// tests/wgsl_check.mjs and other compilers.
#include "check.h"
#include "wgsl/wgsl.h"

struct kernel {
    struct base_cx cx;
    struct ir_unit *u;
    struct wgsl_place places[16];
    struct wgsl_binding bindings[16];
    uint32_t param_words[256], state_words[256];
    struct wgsl_input in;
};
static struct kernel k;
#define U k.u
#define V(v) ir_var_read(U, v, 0)
#define I(n) ir_const_i32(U, n)
#define F(x) ir_const_f32(U, x)
#define OP1(op, a) ir_op1(U, IR_##op, a, 0)
#define OP2(op, a, b) ir_op2(U, IR_##op, a, b, 0)

static void start(void) {
    base_cx_init(&k.cx);
    U = ir_unit_create(&k.cx);
    k.in = (struct wgsl_input){.unit = U,
                               .workgroup_size = 64,
                               .places = k.places,
                               .bindings = k.bindings,
                               .param_words = k.param_words,
                               .state_words = k.state_words,
                               .state_slot = WGSL_NONE,
                               .total_param_words = 12};
    for (int i = 0; i < 256; i++)
        k.param_words[i] = k.state_words[i] = WGSL_NONE;
}

static ir_array array(const char *name, enum ir_elem elem, enum ir_array_class klass, uint32_t n, int d0, int d1) {
    ir_expr dims[] = {I(d0), n > 1 ? I(d1) : 0};
    ir_array a = ir_add_array(U, name, elem, klass, n, dims, 0);
    if (klass == IR_ARRAY_LOCAL) return a;
    uint32_t slot = k.in.binding_count++;
    k.places[a] = (struct wgsl_place){.slot = slot};
    k.bindings[slot] =
        (struct wgsl_binding){.elem = elem <= IR_ELEM_U32 ? elem : IR_ELEM_U32, .writable = klass != IR_ARRAY_IN};
    return a;
}
static ir_var local(const char *name, enum ir_type type) { return ir_add_var(U, name, type, IR_VAR_LOCAL, 0); }
static ir_expr load1(ir_array a, ir_expr i) { return ir_load(U, a, &i, 1, 0); }
static ir_stmt store1(ir_array a, ir_expr i, ir_expr value) { return ir_store(U, a, &i, 1, value, 0); }
static ir_stmt set(ir_var v, ir_expr value) { return ir_assign(U, v, value, 0); }
static ir_stmt list(int n, const ir_stmt *items) {
    ir_stmt head = 0;
    for (int i = 0; i < n; i++)
        ir_append(U, &head, items[i]);
    return head;
}
#define BLOCK(...) list((int)(sizeof((ir_stmt[]){__VA_ARGS__}) / sizeof(ir_stmt)), (ir_stmt[]){__VA_ARGS__})

static ir_stmt parfor(ir_var var, int n, ir_stmt body) {
    struct ir_dim dim = {var, I(0), I(n), 1};
    ir_stmt s = ir_add_stmt(U, IR_PARFOR, 0);
    U->stmts[s].n = 1;
    U->stmts[s].a = ir_add_dims(U, &dim, 1);
    U->stmts[s].e = body;
    k.in.stmt = s;
    return s;
}
static ir_stmt resume(ir_stmt s, uint32_t number) {
    U->stmts[s].flags |= IR_FLAG_RESUME;
    U->stmts[s].resume = number;
    U->stmts[s].weight = 1;
    return s;
}

static struct wgsl_output emit(const char *name) {
    static char kept[1 << 18];
    if (setjmp(k.cx.bail)) {
        FAIL("%s", base_render_diags(&k.cx));
    }
    struct wgsl_output out = wgsl_emit(&k.cx, &k.in);
    snprintf(kept, sizeof kept, "%s", out.text);
    out.text = kept;
    const char *folder = getenv("WHORL_WGSL_DUMP");
    if (folder) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.wgsl", folder, name);
        FILE *f = fopen(path, "w");
        if (f) {
            fputs(kept, f);
            fclose(f);
        }
    }
    base_cx_deinit(&k.cx);
    return out;
}

TEST(element_wise) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = ir_add_var(U, "a", IR_F32, IR_VAR_PARAM, 0),
           t = local("t", IR_F32);
    k.param_words[a] = 8;
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 1, 1000, 0),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 1000, 0);
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

TEST(two_dimensions) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), j = ir_add_var(U, "j", IR_I32, IR_VAR_DIM, 0),
           n = ir_add_var(U, "n", IR_I32, IR_VAR_PARAM, 0);
    k.param_words[n] = 9;
    ir_array y = array("y", IR_ELEM_I32, IR_ARRAY_INOUT, 2, 10, 163);
    k.places[y].offset_elems = 64;
    struct ir_dim dims[] = {{i, I(2), I(10), 2}, {j, V(n), I(0), -3}};
    ir_expr at[] = {V(i), OP2(ADD, V(j), I(1))}, fixed[] = {I(1), I(7)};
    ir_stmt s = parfor(i, 1, BLOCK(ir_store(U, y, at, 2, OP2(MUL, V(i), ir_load(U, y, fixed, 2, 0)), 0)));
    U->stmts[s].n = 2;
    U->stmts[s].a = ir_add_dims(U, dims, 2);
    struct wgsl_output out = emit("two_dimensions");
    CHECK_HAS_STR("let t1 = select(0u, (u32(v3_n) - 0u + 2u) / 3u, (0 < v3_n));", out.text);
    CHECK_HAS_STR("let v2_j = v3_n - i32(t2 * 3u);", out.text);
    CHECK_HAS_STR("let v1_i = 2 + i32(t3 * 2u);", out.text);
    CHECK_HAS_STR("b0[u32(v1_i) * 163u + u32(v2_j) + 65u] = v1_i * b0[234u];", out.text);
}

TEST(narrow_elements) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0);
    static const enum ir_elem elems[] = {IR_ELEM_F16, IR_ELEM_I16, IR_ELEM_U16, IR_ELEM_I8, IR_ELEM_U8};
    ir_array y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0),
             flags = array("flags", IR_ELEM_BOOL, IR_ARRAY_IN, 1, 100, 0);
    ir_expr sum = F(0.5f);
    for (int e = 0; e < 5; e++) {
        ir_array a = array("a", elems[e], IR_ARRAY_IN, 1, 100, 0);
        ir_expr item = load1(a, V(i)), first = load1(a, I(3));
        sum = OP2(ADD, sum, e ? OP1(I2F, OP2(SUB, item, first)) : OP2(SUB, item, first));
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
    ir_array y = array("y", IR_ELEM_U32, IR_ARRAY_INOUT, 1, 1000, 0),
             x = array("x", IR_ELEM_U32, IR_ARRAY_IN, 1, 1000, 0);
    ir_stmt body = 0;
    int at = 0;
    static const uint32_t wild[] = {0, 1, 0x80000000u, 0x7f800000u, 0xffffffffu, 0x7fffffffu, 0x00000001u, 0x7fc00000u};
    for (int op = IR_NEG; op < IR_OP_COUNT; op++) {
        for (int type = IR_BOOL; type <= IR_F32; type++) {
            bool logical = op == IR_NOT || op == IR_LAND || op == IR_LOR, bits = op >= IR_BITNOT && op <= IR_CTZ;
            bool floats = (op >= IR_FMIN && op <= IR_SIGNBIT) || op == IR_ROUND_F16 || op == IR_F2I || op == IR_F2U ||
                          op == IR_BITS_F2U;
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

TEST(constants) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), v = local("v", IR_I32);
    ir_array y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0),
             h = array("h", IR_ELEM_F32, IR_ARRAY_LOCAL, 1, 4, 0);
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

// A choice with a load stays a branch; a shared node is computed once; what costs little needs no && or ||, which are branches.
TEST(choices) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_F32);
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 1, 100, 0),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0);
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

TEST(loops) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_I32), s = local("s", IR_F32),
           w = local("w", IR_I32);
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 2, 100, 16),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0);
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
    ir_array part = array("part", IR_ELEM_F32, IR_ARRAY_SCRATCH, 1, 600, 0),
             some = array("some", IR_ELEM_BOOL, IR_ARRAY_SCRATCH, 1, 600, 0),
             out_array = array("out", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 4, 0);
    k.in.state_slot = k.in.binding_count++;
    k.bindings[k.in.state_slot] = (struct wgsl_binding){.elem = IR_ELEM_U32, .writable = true};
    k.state_words[n] = 0;
    k.state_words[best] = 1;
    k.state_words[any] = 2;
    ir_stmt combine = ir_add_stmt(U, IR_COMBINE, 0), combine2 = ir_add_stmt(U, IR_COMBINE, 0);
    U->stmts[combine] = (struct ir_stmt_node){.kind = IR_COMBINE, .a = best, .b = IR_FMAX, .c = part, .d = 600};
    U->stmts[combine2] = (struct ir_stmt_node){.kind = IR_COMBINE, .a = any, .b = IR_LOR, .c = some, .d = 600};
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
    CHECK_HAS_STR("lanes_f32[li] = whorl_fmax(lanes_f32[li], lanes_f32[li + s]);", out.text);
    CHECK_HAS_STR("v2_best = whorl_fmax(v2_best, lanes_f32[0]);", out.text);
    CHECK_HAS_STR("b3[2] = select(0u, 1u, v3_any);", out.text);
    CHECK(!strstr(out.text, "4711"));
}

// for (t < 50) { s = s * a + x[i]; if (s > 1e6) break; }
TEST(resume_leaf) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), t = local("t", IR_I32), s = local("s", IR_F32),
           a = local("a", IR_F32), d = local("d", IR_F32);
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 1, 200, 0),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 200, 0);
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
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 1, 100, 0),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0),
             h = array("h", IR_ELEM_F32, IR_ARRAY_LOCAL, 1, 4, 0);
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

// Sine and cosine of one variable are one call, as long as the variable is the same.
TEST(angles) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = local("a", IR_F32), b = local("b", IR_F32),
           t = local("t", IR_I32);
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 1, 100, 0),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0);
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

// Statements with several angles are written twice: for small ones, then, where one was not, for any from what the variables had been.
TEST(rare) {
    start();
    ir_var i = ir_add_var(U, "i", IR_I32, IR_VAR_DIM, 0), a = local("a", IR_F32), b = local("b", IR_F32),
           t = local("t", IR_I32);
    ir_array x = array("x", IR_ELEM_F32, IR_ARRAY_IN, 1, 100, 0),
             y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0);
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
    ir_array y = array("y", IR_ELEM_F32, IR_ARRAY_INOUT, 1, 100, 0);
    parfor(i, 100,
           BLOCK(set(a, load1(y, V(i))), set(b, OP2(MUL, OP1(SIN, V(a)), OP1(COS, V(a)))),
                 store1(y, V(i), OP2(ADD, OP1(EXP, V(b)), OP1(TANH, OP1(ASIN, V(a)))))));
    struct wgsl_output out = emit("fast_math");
    CHECK_HAS_STR("sin(v2_a) * cos(v2_a)", out.text);
    CHECK_HAS_STR("whorl_fast_tanh(whorl_asin(v2_a))", out.text);
    CHECK(!strstr(out.text, "whorl_exp") && !strstr(out.text, "whorl_sin"));
}
