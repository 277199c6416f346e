// Building, walking, copying, effects and the printer's text, on one unit that has every kind of statement.
#include "check.h"
#include "ir/ir.h"

static struct base_cx cx;

struct sample {
    struct ir_unit *u;
    ir_array x, y, table, local;
    ir_var i, s, t, v;
    ir_stmt parfor, body;
};

static ir_expr read_var(struct sample *m, ir_var v) { return ir_var_read(m->u, v, 0); }

static ir_stmt sample_body(struct sample *m) {
    struct ir_unit *u = m->u;
    ir_expr i = read_var(m, m->i), zero = ir_const_i32(u, 0);
    ir_stmt body = 0, inner = 0, otherwise = 0;
    ir_expr product = ir_op2(u, IR_MUL, ir_load(u, m->x, &i, 1, 0),
                             ir_op2(u, IR_ADD, ir_const_f32(u, 0.5f), ir_load(u, m->table, &zero, 1, 0), 0), 0);
    ir_append(u, &body, ir_assign(u, m->v, product, 0));
    ir_append(u, &body, ir_store(u, m->local, &zero, 1, ir_op1(u, IR_SQRT, read_var(m, m->v), 0), 0));
    ir_append(u, &otherwise, ir_assign(u, m->v, ir_const_f32(u, 1.0f), 0));
    ir_expr small = ir_op2(u, IR_LT, read_var(m, m->v), ir_const_f32(u, 1e-9f), 0);
    ir_append(u, &inner, ir_if(u, small, ir_add_stmt(u, IR_BREAK, 0), otherwise, 0));
    ir_append(u, &body, ir_loop(u, 0, inner, ir_assign(u, m->v, ir_const_f32(u, 2.0f), 0), 0));
    ir_expr sum = ir_op2(u, IR_ADD, read_var(m, m->s), ir_load(u, m->local, &zero, 1, 0), 0);
    ir_append(u, &body, ir_assign(u, m->s, sum, 0));
    return body;
}

static struct sample make_sample(void) {
    struct sample m = {.u = ir_unit_create(&cx)};
    struct ir_unit *u = m.u;
    static const uint32_t table[] = {0x40000000, 0x40400000};
    ir_expr n = ir_const_i32(u, 8), two = ir_const_i32(u, 2);
    u->entry = "sample";
    u->params = base_alloc_array(&cx, 2, sizeof *u->params);
    u->param_count = u->param_cap = 2;
    m.x = ir_add_array(u, "x", WHORL_F16, IR_ARRAY_IN, 1, &n, 0);
    m.y = ir_add_array(u, "y", WHORL_F32, IR_ARRAY_INOUT, 1, &n, 0);
    m.table = ir_add_array(u, "k", WHORL_F32, IR_ARRAY_TABLE, 1, &two, 0);
    m.local = ir_add_array(u, "w", WHORL_F32, IR_ARRAY_LOCAL, 1, &two, 0);
    u->arrays[m.table].data = table;
    u->arrays[m.table].data_count = 2;
    u->arrays[m.y].param = 1;
    u->params[0] = (struct ir_param){.name = "x", .is_array = true, .ref = m.x};
    u->params[1] = (struct ir_param){.name = "y", .is_array = true, .ref = m.y};
    m.i = ir_add_var(u, "i", IR_I32, IR_VAR_DIM, 0);
    m.s = ir_add_var(u, "s", IR_F32, IR_VAR_ENTRY, 0);
    m.t = ir_add_var(u, "t", IR_I32, IR_VAR_ENTRY, 0);
    m.v = ir_add_var(u, "v", IR_F32, IR_VAR_LOCAL, 0);
    struct ir_dim dim = {m.i, ir_const_i32(u, 0), n, 1};
    struct ir_reduction reduction = {IR_ADD, m.s};
    ir_append(u, &u->root, ir_assign(u, m.s, ir_const_f32(u, 0), 0));
    m.parfor = ir_add_stmt(u, IR_PARFOR, 0);
    m.body = sample_body(&m);
    uint32_t dims = ir_add_dims(u, &dim, 1), reductions = ir_add_reductions(u, &reduction, 1);
    u->stmts[m.parfor] = (struct ir_stmt_node){
        .kind = IR_PARFOR,
        .flags = IR_FLAG_NOWAIT,
        .parfor = {.dims = dims, .dim_count = 1, .reductions = reductions, .reduction_count = 1, .body = m.body}};
    ir_append(u, &u->root, ir_for(u, m.t, ir_const_i32(u, 10), ir_const_i32(u, 0), -2, m.parfor, 0));
    ir_expr zero = ir_const_i32(u, 0);
    ir_append(u, &u->root, ir_store(u, m.y, &zero, 1, read_var(&m, m.s), 0));
    return m;
}

static const char sample_text[] = "unit sample\n"
                                  "in f16 x.1[8]\n"
                                  "inout f32 y.2[8]\n"
                                  "table f32 k.3[2] = 2.0 3.0\n"
                                  "local f32 w.4[2]\n"
                                  "entry f32 s.2\n"
                                  "entry i32 t.3\n"
                                  "dim i32 i.1\n"
                                  "local f32 v.4\n"
                                  "{\n"
                                  "    s.2 = 0.0\n"
                                  "    for t.3 = 10 .. 0 step -2 {\n"
                                  "        parfor i.1 in 0 .. 8 reduce(add s.2) nowait {\n"
                                  "            v.4 = x.1[i.1] * (0.5 + k.3[0])\n"
                                  "            w.4[0] = sqrt(v.4)\n"
                                  "            loop {\n"
                                  "                if (v.4 < 9.99999972e-10) {\n"
                                  "                    break\n"
                                  "                } else {\n"
                                  "                    v.4 = 1.0\n"
                                  "                }\n"
                                  "            } continuing {\n"
                                  "                v.4 = 2.0\n"
                                  "            }\n"
                                  "            s.2 = s.2 + w.4[0]\n"
                                  "        }\n"
                                  "    }\n"
                                  "    y.2[0] = s.2\n"
                                  "}\n";

#define IN_COMPILE()     \
    base_cx_deinit(&cx); \
    base_cx_init(&cx);   \
    if (setjmp(cx.bail) != 0) FAIL("%s", base_render_diags(&cx))

TEST(prints_every_statement) {
    IN_COMPILE();
    struct sample m = make_sample();
    CHECK_EQ_STR(sample_text, ir_print(m.u));
    ir_check(m.u, "build");
}

static const char *text_of(struct ir_unit *u, ir_expr e) {
    struct base_text out;
    base_text_init(&out, &cx);
    ir_print_expr(u, e, &out);
    return out.data;
}

TEST(parentheses_only_where_c_needs_them) {
    IN_COMPILE();
    struct ir_unit *u = ir_unit_create(&cx);
    ir_expr a = ir_var_read(u, ir_add_var(u, "a", IR_I32, IR_VAR_ENTRY, 0), 0), one = ir_const_i32(u, -1);
    ir_expr minus = ir_op2(u, IR_SUB, a, one, 0);
    CHECK_EQ_STR("a.1 - -1 - (a.1 - -1)", text_of(u, ir_op2(u, IR_SUB, minus, minus, 0)));
    CHECK_EQ_STR("(a.1 - -1) * a.1", text_of(u, ir_op2(u, IR_MUL, minus, a, 0)));
    CHECK_EQ_STR("-(a.1 - -1) / a.1", text_of(u, ir_op2(u, IR_DIV, ir_op1(u, IR_NEG, minus, 0), a, 0)));
    ir_expr below = ir_op2(u, IR_LT, a, one, 0);
    ir_expr chosen = ir_op3(u, IR_SELECT, ir_op2(u, IR_LAND, below, ir_op1(u, IR_NOT, below, 0), 0), a, one, 0);
    CHECK_EQ_STR("a.1 < -1 && !(a.1 < -1) ? a.1 : -1", text_of(u, chosen));
    CHECK_EQ_STR("(a.1 < -1 && !(a.1 < -1) ? a.1 : -1) + a.1", text_of(u, ir_op2(u, IR_ADD, chosen, a, 0)));
    CHECK_EQ_STR("min(u32(a.1), 7u)",
                 text_of(u, ir_op2(u, IR_MIN, ir_op1(u, IR_I2U, a, 0), ir_const(u, IR_U32, 7), 0)));
    CHECK_EQ_STR("inf", text_of(u, ir_const_f32(u, INFINITY)));
    CHECK_EQ_STR("0.100000001", text_of(u, ir_const_f32(u, 0.1f)));
    CHECK_EQ_STR("1e+10", text_of(u, ir_const_f32(u, 1e10f)));
    CHECK_EQ_STR("true", text_of(u, ir_const(u, IR_BOOL, 1)));
}

TEST(a_clone_is_independent) {
    IN_COMPILE();
    struct sample m = make_sample();
    struct ir_unit *copy = ir_unit_clone(m.u);
    ir_append(m.u, &m.u->stmts[m.parfor].parfor.body, ir_assign(m.u, m.v, ir_const_f32(m.u, 9), 0));
    m.u->params[0].name = "other";
    CHECK_EQ_STR(sample_text, ir_print(copy));
    CHECK_EQ_STR("x", copy->params[0].name);
    CHECK(strcmp(sample_text, ir_print(m.u)) != 0);
}

TEST(effects_of_the_loop) {
    IN_COMPILE();
    struct sample m = make_sample();
    struct ir_effects e = ir_effects_of(m.u, m.parfor);
    CHECK(ir_bit(e.arrays_read, m.x) && !ir_bit(e.arrays_written, m.x));
    CHECK(ir_bit(e.arrays_read, m.table) && ir_bit(e.arrays_read, m.local) && ir_bit(e.arrays_written, m.local));
    CHECK(!ir_bit(e.arrays_read, m.y) && !ir_bit(e.arrays_written, m.y));
    CHECK(ir_bit(e.vars_written, m.i) && ir_bit(e.vars_read, m.i));
    CHECK(ir_bit(e.vars_written, m.s) && ir_bit(e.vars_read, m.s));
    CHECK(!ir_bit(e.vars_written, m.t) && !ir_bit(e.vars_read, m.t));
    e = ir_effects_of(m.u, m.u->root);
    CHECK(ir_bit(e.arrays_written, m.y) && ir_bit(e.vars_written, m.t));
    e = ir_effects_empty(m.u);
    ir_expr_effects(m.u, m.u->stmts[m.body].assign.value, &e);
    CHECK(ir_bit(e.arrays_read, m.x) && ir_bit(e.vars_read, m.i) && !ir_bit(e.vars_written, m.v));
}

static ir_expr doubled(void *user, ir_expr e) { // every float constant times two
    struct ir_unit *u = user;
    uint32_t bits;
    if (!ir_is_const(u, e, &bits) || u->nodes[e].type != IR_F32) return e;
    return ir_const_f32(u, 2 * base_bits_float(bits));
}

TEST(mapping_rebuilds_only_what_changes) {
    IN_COMPILE();
    struct sample m = make_sample();
    ir_expr before = m.u->stmts[m.body].assign.value, load = m.u->nodes[before].a;
    ir_map_block(m.u, m.parfor, doubled, m.u);
    ir_expr after = m.u->stmts[m.body].assign.value;
    CHECK(after != before && m.u->nodes[after].a == load);
    CHECK_EQ_STR("x.1[i.1] * (0.5 + k.3[0])", text_of(m.u, before));
    CHECK_EQ_STR("x.1[i.1] * (1.0 + k.3[0])", text_of(m.u, after));
    CHECK_HAS_STR("v.4 = 4.0", ir_print(m.u));
    ir_check(m.u, "map");
}

TEST(copies_are_renamed_whole) {
    IN_COMPILE();
    struct sample m = make_sample();
    struct ir_unit *u = m.u;
    ir_expr two = ir_const_i32(u, 2);
    ir_var *vars = base_alloc_array(&cx, u->var_count, sizeof *vars);
    ir_array *arrays = base_alloc_array(&cx, u->array_count, sizeof *arrays);
    vars[m.i] = ir_add_var(u, "i", IR_I32, IR_VAR_DIM, 0);
    vars[m.v] = ir_add_var(u, "v", IR_F32, IR_VAR_LOCAL, 0);
    arrays[m.local] = ir_add_array(u, "w", WHORL_F32, IR_ARRAY_LOCAL, 1, &two, 0);
    ir_stmt copy = ir_clone_block(u, m.parfor, vars, arrays);
    ir_append(u, &u->root, copy);
    struct ir_effects e = ir_effects_of(u, copy);
    CHECK(!ir_bit(e.vars_written, m.i) && !ir_bit(e.vars_read, m.i) && ir_bit(e.vars_read, vars[m.i]));
    CHECK(!ir_bit(e.vars_written, m.v) && !ir_bit(e.vars_read, m.v) && ir_bit(e.vars_written, vars[m.v]));
    CHECK(!ir_bit(e.arrays_read, m.local) && !ir_bit(e.arrays_written, m.local) && ir_bit(e.arrays_read, m.x));
    CHECK(ir_bit(e.vars_written, m.s));
    ir_check(u, "copy"); // no statement is shared
    ir_stmt plain = ir_clone_block(u, m.parfor, NULL, NULL);
    ir_append(u, &u->root, plain);
    ir_check(u, "plain copy");
    u->stmts[m.parfor].parfor.body = 0;
    CHECK_HAS_STR("v.4 = x.1[i.1] * (0.5 + k.3[0])", ir_print(u));
    base_cx_deinit(&cx);
}
