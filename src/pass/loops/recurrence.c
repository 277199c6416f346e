// What a stretch of a loop's passes makes of the values that it is handed, found without knowing them.
//
//   k = k * 5 + a[i];  y = 0.9f * y1 - 0.2f * y2 + x[i], y2 = y1, y1 = y;  top = top < a[i] ? a[i] : top;
//
// The first two are linear: behind any number of passes each value is a sum of those at the beginning, times factors
// that the data alone decide, and of something more. So a pass is made with these parts in place of the values. Of the
// third, passes that begin with what changes nothing leave what is then combined. (G. E. Blelloch, "Prefix sums and
// their applications", 1990, sections 1.4 and 1.5.) Numbers of 32 bits wrap in both ways alike.
#include "pass/loops/recurrence.h"

#include <string.h>

#define EACH_BIT(i, set)                            \
    for (uint32_t i = 0; i < PASS_SCAN_HANDED; i++) \
        if ((set) >> i & 1)

// ---- what is handed on? ---------------------------------------------------------------------------------------------

static bool keeps(uint8_t op) {
    return op == IR_MIN || op == IR_MAX || op == IR_FMIN || op == IR_FMAX || op == IR_AND || op == IR_OR ||
           op == IR_XOR;
}

static bool add_handed(struct recurrence *x, ir_var v, uint32_t inside) {
    const struct ir_var_info *info = &x->u->vars[v];
    uint32_t uses = 0;
    uint8_t op = pass_accumulates(x->u, x->u->stmts[x->loop].counted.body, v, &uses);
    bool order = info->type == IR_F32 && x->ordered;
    if (info->type == IR_BOOL || info->klass != IR_VAR_LOCAL) return false;
    if (op != IR_CONST && uses == inside && (keeps(op) || op == IR_ADD || op == IR_MUL)) {
        if (x->sum_count == PASS_RFACTOR_SUMS || (order && !keeps(op))) return false;
        x->sums[x->sum_count++] = (struct ir_reduction){op, v};
        return true;
    }
    if (x->count == PASS_SCAN_HANDED || (order && !keeps(op))) return false;
    x->op[x->count] = keeps(op) ? op : IR_CONST;
    x->kept[v] = keeps(op);
    x->handed[x->count++] = v;
    return true;
}

// ---- what it needs --------------------------------------------------------------------------------------------------

struct condition {
    const struct condition *outer;
    ir_expr e;
};
struct need {
    struct recurrence *x;
    bool changed;
};

static bool need_node(void *user, ir_expr e) {
    struct need *k = user;
    const struct ir_node *n = &k->x->u->nodes[e];
    if (n->op == IR_VAR && !k->x->needed[n->a]) k->x->needed[n->a] = k->changed = true;
    return true;
}
static void need_expr(struct need *k, ir_expr e) {
    if (e) ir_walk_expr(k->x->u, e, need_node, k);
}
static void need_block(struct need *k, ir_stmt block, const struct condition *outer) {
    const struct ir_unit *u = k->x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        struct condition first = {outer, 0}, second = {&first, 0};
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        bool wanted = n->kind == IR_ASSIGN && k->x->needed[n->assign.var];
        if (n->kind == IR_IF) first.e = n->branch.cond;
        if (n->kind == IR_FOR) first.e = n->counted.lo, second.e = n->counted.hi;
        if (n->kind == IR_LOOP) first.e = n->loop.cond;
        if (wanted) need_expr(k, n->assign.value);
        for (const struct condition *c = outer; c && wanted; c = c->outer)
            need_expr(k, c->e);
        for (uint32_t b = 0; b < blocks; b++)
            need_block(k, inner[b], &second);
    }
}

// ---- what it is made of ---------------------------------------------------------------------------------------------

struct use {
    const struct recurrence *x;
    uint32_t made_of;
    ir_var own; // a kept value that may be read
    bool kept;  // another one is
};
static bool use_node(void *user, ir_expr e) {
    struct use *k = user;
    const struct ir_node *n = &k->x->u->nodes[e];
    if (n->op != IR_VAR || n->a >= k->x->vars) return true;
    k->made_of |= k->x->made_of[n->a];
    k->kept |= k->x->kept[n->a] && n->a != k->own;
    return true;
}
static struct use use_of(const struct recurrence *x, ir_expr e, ir_var own) {
    struct use k = {.x = x, .own = own};
    if (e) ir_walk_expr(x->u, e, use_node, &k);
    return k;
}
static uint32_t made_of(const struct recurrence *x, ir_expr e) { return use_of(x, e, 0).made_of; }
// Its value is known though nothing is known of what is handed on.
static bool is_free(const struct recurrence *x, ir_expr e) {
    struct use k = use_of(x, e, 0);
    return !k.made_of && !k.kept;
}

// One linear value plus something that is free.
static bool shifts(const struct recurrence *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    switch (n->op) {
    case IR_VAR: return n->a < x->vars && x->made_of[n->a] && x->shifted[n->a];
    case IR_ADD: return made_of(x, n->a) ? shifts(x, n->a) && !made_of(x, n->b) : shifts(x, n->b);
    case IR_SUB: return shifts(x, n->a) && !made_of(x, n->b);
    case IR_SELECT: return !made_of(x, n->a) && shifts(x, n->b) && shifts(x, n->c);
    case IR_I2U:
    case IR_U2I: return shifts(x, n->a);
    default: return false;
    }
}

struct spread {
    struct recurrence *x;
    bool changed, shifts; // which of the two is looked at
};
static bool spread_stmt(void *user, ir_stmt s) {
    struct spread *k = user;
    struct recurrence *x = k->x;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_ASSIGN || !x->needed[n->assign.var] || x->kept[n->assign.var]) return true;
    ir_var v = n->assign.var;
    uint32_t all = x->made_of[v] | made_of(x, n->assign.value);
    bool shifted = x->shifted[v] && !(all & (all - 1)) && (!all || shifts(x, n->assign.value));
    k->changed |= k->shifts ? shifted != x->shifted[v] : all != x->made_of[v];
    if (k->shifts)
        x->shifted[v] = shifted;
    else
        x->made_of[v] = all;
    return true;
}
static void find_makings(struct recurrence *x, ir_stmt body) {
    memset(x->shifted, true, x->vars * sizeof *x->shifted);
    for (int shifted = 0; shifted < 2; shifted++)
        for (struct spread k = {x, true, shifted}; k.changed;) {
            struct ir_visitor visitor = {.on_stmt = spread_stmt, .user = &k};
            k.changed = false;
            ir_walk_block(x->u, body, &visitor);
        }
}

bool recurrence_find(struct recurrence *x, struct ir_unit *u, ir_stmt loop, bool ordered) {
    ir_stmt body = u->stmts[loop].counted.body;
    uint32_t vars = u->var_count, *inside = base_alloc_array(u->cx, vars, sizeof *inside);
    struct ir_effects fx = ir_effects_of(u, body);
    const uint32_t *exposed = pass_exposed(u, body);
    *x = (struct recurrence){.u = u, .loop = loop, .ordered = ordered, .vars = vars};
    x->needed = base_alloc_array(u->cx, vars, sizeof *x->needed);
    x->shifted = base_alloc_array(u->cx, vars, sizeof *x->shifted);
    x->kept = base_alloc_array(u->cx, vars, sizeof *x->kept);
    x->made_of = base_alloc_array(u->cx, vars, sizeof *x->made_of);
    pass_count_reads(u, body, inside);
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(fx.vars_written, v) && ir_bit(exposed, v) && !add_handed(x, v, inside[v])) return false;
    if (!x->count) return false;
    for (uint32_t j = 0; j < x->count; j++) {
        x->needed[x->handed[j]] = true;
        if (x->op[j] == IR_CONST) x->made_of[x->handed[j]] = 1u << j;
    }
    for (struct need k = {x, true}; k.changed;) {
        k.changed = false;
        need_block(&k, body, NULL);
    }
    find_makings(x, body);
    for (uint32_t j = 0; j < x->count; j++)
        EACH_BIT(i, x->made_of[x->handed[j]])
    if (u->vars[x->handed[i]].type != u->vars[x->handed[j]].type) return false;
    x->parts = base_alloc_array(u->cx, vars, sizeof *x->parts);
    return true;
}

// ---- sums of what is handed on --------------------------------------------------------------------------------------

// of[0] + of[1] * handed[0] + of[2] * handed[1] ...; 0: no such part.
struct linear {
    ir_expr of[1 + PASS_SCAN_HANDED];
};

static ir_expr zero_of(const struct recurrence *x, ir_expr like) {
    return ir_const(x->u, (enum ir_type)x->u->nodes[like].type, 0);
}
static ir_expr one_of_type(const struct recurrence *x, enum ir_type type) {
    return type == IR_F32 ? ir_const_f32(x->u, 1.0f) : ir_const(x->u, type, 1);
}
static bool is_one(const struct recurrence *x, ir_expr e) {
    uint32_t bits;
    return e && ir_is_const(x->u, e, &bits) && bits == (x->u->nodes[e].type == IR_F32 ? 0x3f800000u : 1u);
}

static ir_var part_of(struct recurrence *x, ir_var v, uint32_t k) {
    if (!x->parts[v][k]) {
        const struct ir_var_info info = x->u->vars[v];
        x->parts[v][k] = ir_add_var(x->u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
    }
    return x->parts[v][k];
}

static struct linear linear_var(struct recurrence *x, ir_var v, base_loc loc) {
    struct linear out = {.of = {ir_var_read(x->u, part_of(x, v, 0), loc)}};
    EACH_BIT(i, x->made_of[v])
    out.of[1 + i] =
        x->shifted[v] ? one_of_type(x, (enum ir_type)x->u->vars[v].type) : ir_var_read(x->u, part_of(x, v, 1 + i), loc);
    return out;
}

static ir_expr combine_parts(const struct recurrence *x, const struct ir_node *n, ir_expr a, ir_expr b) {
    struct ir_unit *u = x->u;
    if (n->op == IR_SELECT) {
        if (!a && !b) return 0;
        if (is_one(x, a) && is_one(x, b)) return a;
        if (!a) a = zero_of(x, b);
        if (!b) b = zero_of(x, a);
        return ir_op3(u, IR_SELECT, n->a, a, b, n->loc);
    }
    if (a && b) return ir_op2(u, (enum ir_op)n->op, a, b, n->loc);
    if (!b || n->op == IR_ADD) return a ? a : b;
    return ir_op2(u, IR_SUB, zero_of(x, b), b, n->loc);
}

static bool linear_of(struct recurrence *x, ir_expr e, struct linear *out);

// Each part of `a` becomes `a` OP `by`.
static bool scale(struct recurrence *x, const struct ir_node *n, ir_expr a, ir_expr by, struct linear *out) {
    if (!is_free(x, by) || !linear_of(x, a, out)) return false;
    for (uint32_t k = 0; k <= x->count; k++)
        if (out->of[k])
            out->of[k] =
                n->op == IR_MUL && is_one(x, out->of[k]) ? by : ir_op2(x->u, (enum ir_op)n->op, out->of[k], by, n->loc);
    return true;
}
static bool add_forms(struct recurrence *x, const struct ir_node *n, ir_expr a, ir_expr b, struct linear *out) {
    struct linear more;
    if (!linear_of(x, a, out) || !linear_of(x, b, &more)) return false;
    for (uint32_t k = 0; k <= x->count; k++)
        out->of[k] = combine_parts(x, n, out->of[k], more.of[k]);
    return true;
}

static bool linear_of(struct recurrence *x, ir_expr e, struct linear *out) {
    const struct ir_node n = x->u->nodes[e];
    struct ir_node product = n;
    *out = (struct linear){.of = {e}};
    if (is_free(x, e)) return true;
    switch (n.op) {
    case IR_VAR:
        if (!x->made_of[n.a]) return false;
        *out = linear_var(x, n.a, n.loc);
        return true;
    case IR_ADD:
    case IR_SUB: return add_forms(x, &n, n.a, n.b, out);
    case IR_SELECT: return is_free(x, n.a) && add_forms(x, &n, n.b, n.c, out);
    case IR_MUL: return made_of(x, n.a) ? scale(x, &n, n.a, n.b, out) : scale(x, &n, n.b, n.a, out);
    case IR_DIV: return n.type == IR_F32 && scale(x, &n, n.a, n.b, out);
    case IR_SHL: return scale(x, &n, n.a, n.b, out);
    case IR_FMA: product.op = IR_ADD; return add_forms(x, &product, ir_op2(x->u, IR_MUL, n.a, n.b, n.loc), n.c, out);
    case IR_NEG:
    case IR_I2U:
    case IR_U2I:
        if (!linear_of(x, n.a, out)) return false;
        for (uint32_t k = 0; k <= x->count; k++)
            if (out->of[k] && !(n.op != IR_NEG && is_one(x, out->of[k])))
                out->of[k] = ir_op1(x->u, (enum ir_op)n.op, out->of[k], n.loc);
            else if (out->of[k])
                out->of[k] = one_of_type(x, (enum ir_type)n.type);
        return true;
    default: return false;
    }
}

// ---- the slice ------------------------------------------------------------------------------------------------------

static ir_stmt slice_block(struct recurrence *x, ir_stmt block);

// A linear value: all parts are computed before the first is assigned, as they are made of each other.
static ir_stmt assign_parts(struct recurrence *x, ir_var v, ir_expr value, base_loc loc) {
    struct linear parts;
    ir_stmt out = 0, last = 0;
    if (!linear_of(x, value, &parts)) return x->failed = true, 0;
    for (uint32_t k = 0; k <= x->count; k++) {
        if (k && (x->shifted[v] || !(x->made_of[v] >> (k - 1) & 1))) continue;
        ir_var part = part_of(x, v, k);
        ir_expr e = parts.of[k] ? parts.of[k] : ir_const(x->u, (enum ir_type)x->u->vars[v].type, 0);
        if (x->shifted[v]) return ir_assign(x->u, part, e, loc);
        ir_var now = ir_add_var(x->u, x->u->vars[v].name, (enum ir_type)x->u->vars[v].type, IR_VAR_LOCAL, loc);
        ir_append(x->u, &out, ir_assign(x->u, now, e, loc));
        ir_append(x->u, &last, ir_assign(x->u, part, ir_var_read(x->u, now, loc), loc));
    }
    ir_append(x->u, &out, last);
    return out;
}

static ir_stmt slice_assign(struct recurrence *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    ir_var v = n.assign.var;
    if (!x->needed[v]) return 0;
    if (x->made_of[v]) return assign_parts(x, v, n.assign.value, n.loc);
    struct use k = use_of(x, n.assign.value, x->kept[v] ? v : 0);
    x->failed |= k.made_of || k.kept;
    return pass_clone_one(x->u, s);
}

static ir_stmt slice_if(struct recurrence *x, const struct ir_stmt_node *n) {
    ir_stmt then_block = slice_block(x, n->branch.then_block), else_block = slice_block(x, n->branch.else_block);
    if (!then_block && !else_block) return 0;
    // `if (x > v) v = x`, where v is kept
    const struct ir_stmt_node *only = &x->u->stmts[n->branch.then_block];
    bool guards = only->kind == IR_ASSIGN && !only->next && !n->branch.else_block && x->kept[only->assign.var];
    struct use k = use_of(x, n->branch.cond, guards ? only->assign.var : 0);
    x->failed |= k.made_of || k.kept;
    return ir_if(x->u, n->branch.cond, then_block, else_block, n->loc);
}

static ir_stmt slice_statement(struct recurrence *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt inside;
    switch (n.kind) {
    case IR_ASSIGN: return slice_assign(x, s);
    case IR_IF: return slice_if(x, &n);
    case IR_FOR:
        if (!(inside = slice_block(x, n.counted.body))) return 0;
        x->failed |= pass_leaves_loop(u, n.counted.body) || !is_free(x, n.counted.lo) || !is_free(x, n.counted.hi);
        return ir_for(u, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, inside, n.loc);
    case IR_LOOP: x->failed |= slice_block(x, n.loop.body) || slice_block(x, n.loop.continuing); return 0;
    default: return 0;
    }
}
static ir_stmt slice_block(struct recurrence *x, ir_stmt block) {
    ir_stmt out = 0;
    for (ir_stmt s = block; s && !x->failed; s = x->u->stmts[s].next)
        ir_append(x->u, &out, slice_statement(x, s));
    return out;
}

ir_stmt recurrence_slice(struct recurrence *x) {
    ir_stmt out = slice_block(x, x->u->stmts[x->loop].counted.body);
    return x->failed ? 0 : out;
}

const uint32_t *recurrence_reads(struct recurrence *x, ir_stmt s) {
    return ir_effects_of(x->u, slice_statement(x, s)).arrays_read;
}

ir_var recurrence_part(const struct recurrence *x, uint32_t j, uint32_t k) {
    ir_var v = x->handed[j];
    if (x->kept[v]) return k ? 0 : v;
    return k && x->shifted[v] ? 0 : x->parts[v][k];
}

ir_expr recurrence_start(const struct recurrence *x, uint32_t j, uint32_t k) {
    enum ir_type type = (enum ir_type)x->u->vars[x->handed[j]].type;
    if (x->op[j] != IR_CONST) return ir_const(x->u, type, ir_identity(x->op[j], type));
    return k == 1 + j ? one_of_type(x, type) : ir_const(x->u, type, 0);
}
