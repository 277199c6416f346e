// Copies of statements, with variables of their own, and expressions put in the place of others.
#include "pass/passes.h"

#include <string.h>

#include "ir/eval.h"

struct exchange {
    const struct ir_unit *u;
    ir_expr from, to;
};
static ir_expr exchange_node(void *user, ir_expr e) {
    const struct exchange *k = user;
    return ir_same_expr(k->u, e, k->from) ? k->to : e;
}
ir_expr pass_exchanged(struct ir_unit *u, ir_expr e, ir_expr from, ir_expr to) {
    struct exchange k = {u, from, to};
    return ir_map_expr(u, e, exchange_node, &k);
}

struct pass_privates pass_privates_of(struct ir_unit *u, ir_stmt block, const uint32_t *total_reads,
                                      uint32_t total_count) {
    uint32_t count = u->var_count;
    struct ir_effects fx = ir_effects_of(u, block);
    uint32_t *exposed = pass_exposed(u, block);
    uint32_t *inside = base_alloc_array(u->cx, count, sizeof *inside);
    pass_count_reads(u, block, inside);
    struct pass_privates p = {.map = base_alloc_array(u->cx, count, sizeof *p.map)};
    p.vars = inside; // entries up to v are not needed any more when v is put in
    for (ir_var v = 1; v < count; v++) {
        if (!ir_bit(fx.vars_written, v) || ir_bit(exposed, v) || u->vars[v].klass != IR_VAR_LOCAL) continue;
        if (v < total_count && total_reads[v] != inside[v]) continue; // somebody else reads it
        p.vars[p.count++] = v;
    }
    return p;
}

ir_stmt pass_clone_private(struct ir_unit *u, ir_stmt block, const struct pass_privates *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct ir_var_info v = u->vars[p->vars[i]];
        p->map[p->vars[i]] = ir_add_var(u, v.name, (enum ir_type)v.type, IR_VAR_LOCAL, v.loc);
    }
    return ir_clone_block(u, block, p->map, NULL);
}

ir_stmt pass_clone_one(struct ir_unit *u, ir_stmt s) {
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_stmt copy = ir_clone_block(u, s, NULL, NULL);
    u->stmts[s].next = next;
    return copy;
}

ir_stmt pass_clone_until(struct ir_unit *u, ir_stmt first, ir_stmt end) {
    ir_stmt out = 0;
    for (ir_stmt s = first; s != end; s = u->stmts[s].next)
        ir_append(u, &out, pass_clone_one(u, s));
    return out;
}

ir_stmt pass_clone_inside(struct ir_unit *u, ir_stmt block) {
    struct ir_effects fx = ir_effects_of(u, block);
    uint32_t count = u->var_count;
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    for (ir_var v = 1; v < count; v++)
        if (ir_bit(fx.vars_written, v) && u->vars[v].klass == IR_VAR_ENTRY)
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    return ir_clone_block(u, block, map, NULL);
}

// A loop around parallel loops has a counter that is its own: the host keeps one for each such loop of the program.
static void own_counters(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = n.kind == IR_PARFOR ? 0 : ir_blocks_of(&n, inner);
        for (uint32_t k = 0; k < blocks; k++)
            own_counters(u, inner[k]);
        if (n.kind != IR_FOR || u->vars[n.counted.var].klass != IR_VAR_ENTRY) continue;
        const struct ir_var_info info = u->vars[n.counted.var];
        ir_var own = ir_add_var(u, info.name, (enum ir_type)info.type, IR_VAR_ENTRY, info.loc);
        pass_substitute(u, n.counted.body, n.counted.var, ir_var_read(u, own, n.loc));
        u->stmts[s].counted.var = own;
    }
}

ir_stmt pass_copy_phases(struct ir_unit *u, ir_stmt block) {
    uint32_t count = u->var_count;
    struct ir_effects fx = ir_effects_of(u, block);
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    ir_array *arrays = base_alloc_array(u->cx, u->array_count, sizeof *arrays);
    for (ir_var v = 1; v < count; v++)
        if (ir_bit(fx.vars_written, v) && (u->vars[v].klass == IR_VAR_LOCAL || u->vars[v].klass == IR_VAR_DIM))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, (enum ir_var_class)u->vars[v].klass,
                                u->vars[v].loc);
    for (ir_array a = 1, n = u->array_count; a < n; a++)
        if (ir_bit(fx.arrays_written, a) && u->arrays[a].klass == IR_ARRAY_LOCAL) {
            const struct ir_array_info info = u->arrays[a];
            arrays[a] = ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_LOCAL, info.ndims, info.dims,
                                     info.loc);
            u->arrays[arrays[a]].pass = info.pass && map[info.pass] ? map[info.pass] : info.pass;
        }
    ir_stmt copy = ir_clone_block(u, block, map, arrays);
    own_counters(u, copy);
    return copy;
}

bool pass_is_var(const struct ir_unit *u, ir_expr e, ir_var v) {
    return u->nodes[e].op == IR_VAR && u->nodes[e].a == v;
}

ir_expr pass_set_to(const struct ir_unit *u, ir_stmt block, ir_var v) {
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_ASSIGN && u->stmts[s].assign.var == v) return u->stmts[s].assign.value;
    return 0;
}

struct substitution {
    struct ir_unit *u;
    ir_var var;
    ir_expr value;
};

static ir_expr substitute_node(void *user, ir_expr e) {
    struct substitution *s = user;
    const struct ir_node *n = &s->u->nodes[e];
    return n->op == IR_VAR && n->a == s->var ? s->value : e;
}

void pass_substitute(struct ir_unit *u, ir_stmt block, ir_var var, ir_expr value) {
    struct substitution s = {u, var, value};
    ir_map_block(u, block, substitute_node, &s);
}

struct pass_cx pass_copy(const struct pass_cx *p) {
    struct pass_cx copy = *p;
    copy.u = ir_unit_clone(p->u);
    copy.explain = base_alloc(p->u->cx, sizeof *copy.explain);
    base_text_init(copy.explain, p->u->cx);
    return copy;
}

bool pass_evaluate(const struct ir_unit *u, ir_expr e, bool (*value)(void *user, ir_var v, uint32_t *out), void *user,
                   uint32_t *out) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t operands[] = {n->a, n->b, n->c}, x[3] = {0};
    if (n->op == IR_VAR) return value(user, n->a, out);
    if (n->op == IR_LOAD) return false;
    if (n->op == IR_CONST) {
        *out = n->a;
        return true;
    }
    for (uint32_t k = 0; k < ir_ops[n->op].arity; k++)
        if (!pass_evaluate(u, operands[k], value, user, &x[k])) return false;
    return ir_eval_op((enum ir_op)n->op, (enum ir_type)u->nodes[n->a].type, x[0], x[1], x[2], out);
}

static bool value_of_var(void *user, ir_var v, uint32_t *out) {
    const uint32_t *var_and_value = user;
    *out = var_and_value[1];
    return v == var_and_value[0];
}
bool pass_evaluate_at(const struct ir_unit *u, ir_expr e, ir_var v, uint32_t value, uint32_t *out) {
    return pass_evaluate(u, e, value_of_var, (uint32_t[]){v, value}, out);
}

struct load_renaming {
    struct ir_unit *u;
    ir_array from, to;
};

static ir_expr rename_load(void *user, ir_expr e) {
    struct load_renaming *r = user;
    const struct ir_node n = r->u->nodes[e];
    if (n.op != IR_LOAD || n.a != r->from) return e;
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n.n; i++)
        indices[i] = r->u->args[n.b + i];
    return ir_load(r->u, r->to, indices, n.n, n.loc);
}

void pass_rename_loads(struct ir_unit *u, ir_stmt block, ir_array from, ir_array to) {
    struct load_renaming r = {u, from, to};
    ir_map_block(u, block, rename_load, &r);
}
