// What a stretch of a loop's passes makes of the values that it is handed, found without knowing them.
//
//   k = k * 5 + a[i];  y = 0.9f * y1 - 0.2f * y2 + x[i], y2 = y1, y1 = y;  top = top < a[i] ? a[i] : top;
//
// The first two are linear: behind any number of passes each value is a sum of those at the beginning, times factors
// that the data alone decide, and of something more. So a pass is made with these parts in place of the values. Of the
// third, passes that begin with what changes nothing leave what is then combined. (G. E. Blelloch, "Prefix sums and
// their applications", 1990, sections 1.4 and 1.5.) Numbers of 32 bits wrap in both ways alike.
//
//   if (where < 0 && keep(a[i])) where = i;
//
// Where the test of the value itself does not hold, passes change nothing. So they are made as if it held: until the
// value is set, whatever it was, and then by what it was set to. All that is assigned behind the test is read there
// alone, or is handed on and put in place only if the test held in front of the passes.
#include "pass/loops/recurrence.h"

#include <string.h>

#define EACH_BIT(i, set)                            \
    for (uint32_t i = 0; i < PASS_SCAN_HANDED; i++) \
        if ((set) >> i & 1)

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

// Something is assigned in the block that is needed.
static bool assigned_stmt(void *user, ir_stmt s) {
    struct need *k = user;
    const struct ir_stmt_node *n = &k->x->u->stmts[s];
    k->changed |= n->kind == IR_ASSIGN && k->x->needed[n->assign.var];
    return !k->changed;
}
static bool is_wanted(struct recurrence *x, ir_stmt block) {
    struct need k = {x, false};
    ir_walk_stmts(x->u, block, assigned_stmt, &k);
    return k.changed;
}

// jumps: those of the loop around are needed, too.
static void need_block(struct need *k, ir_stmt block, const struct condition *outer, bool jumps) {
    const struct ir_unit *u = k->x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        struct condition first = {outer, 0}, second = {&first, 0};
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        bool wanted = n->kind == IR_ASSIGN && k->x->needed[n->assign.var];
        bool loops = n->kind == IR_FOR || n->kind == IR_LOOP;
        if (n->kind == IR_IF) first.e = n->branch.cond;
        if (n->kind == IR_FOR) first.e = n->counted.lo, second.e = n->counted.hi;
        if (n->kind == IR_LOOP) first.e = n->loop.cond;
        if (wanted) need_expr(k, n->assign.value);
        wanted |= jumps && (n->kind == IR_BREAK || n->kind == IR_CONTINUE);
        for (const struct condition *c = outer; c && wanted; c = c->outer)
            need_expr(k, c->e);
        bool inside = loops ? is_wanted(k->x, inner[0]) || (blocks > 1 && is_wanted(k->x, inner[1])) : jumps;
        for (uint32_t b = 0; b < blocks; b++)
            need_block(k, inner[b], &second, inside);
    }
}
static void find_needs(struct recurrence *x) {
    for (struct need k = {x, true}; k.changed;) {
        k.changed = false;
        need_block(&k, x->u->stmts[x->loop].counted.body, NULL, false);
    }
}

// ---- what it is made of ---------------------------------------------------------------------------------------------

struct use {
    const struct recurrence *x;
    uint32_t made_of;
    ir_var own;              // a kept value that may be read
    bool kept;               // another one is
    bool changes, reads_own; // passes change something else; it reads `own`
};
static void note_place(uint8_t *place, uint8_t behind) { *place = !*place || *place == behind ? behind : UINT8_MAX; }
static bool use_node(void *user, ir_expr e) {
    struct use *k = user;
    const struct ir_node *n = &k->x->u->nodes[e];
    k->changes |= n->op == IR_LOAD;
    if (n->op != IR_VAR || n->a >= k->x->vars) return true;
    k->reads_own |= n->a == k->own;
    k->changes |= n->a != k->own && ir_bit(k->x->inside.vars_written, n->a);
    if (k->x->read && n->a != k->own) note_place(&k->x->read[n->a], k->x->behind);
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

// No pass makes it of what it was.
static bool set_stmt(void *user, ir_stmt s) {
    struct recurrence *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    for (uint32_t j = 0; j < x->count && n->kind == IR_ASSIGN; j++)
        x->sets[j] &= n->assign.var != x->handed[j] || is_free(x, n->assign.value);
    return true;
}

static ir_stmt slice_block(struct recurrence *x, ir_stmt block);

// What is assigned behind a test is read there alone, as is what is tested set.
static bool tests_hold(const struct recurrence *x) {
    for (uint32_t j = 0; j < x->count; j++)
        if (x->tests[j] && (!x->sets[j] || x->assigned[x->handed[j]] != 2 + j)) return false;
    for (ir_var v = 1; v < x->vars; v++)
        if (x->assigned[v] > 1 && (x->assigned[v] == UINT8_MAX || (x->read[v] && x->read[v] != x->assigned[v])))
            return false;
    return true;
}

// What each of them is made of behind one pass, if every pass does the same with them.
static bool find_pass(struct recurrence *x, ir_stmt body, uint32_t *out) {
    struct ir_unit *u = x->u;
    uint32_t *now = base_alloc_array(u->cx, x->vars, sizeof *now);
    for (uint32_t j = 0; j < x->count; j++)
        now[x->handed[j]] = x->made_of[x->handed[j]] & 1u << j;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        struct ir_effects fx = ir_effects_of_one(u, s);
        uint32_t made = 0;
        for (ir_var v = 1; v < x->vars; v++) {
            bool linear = x->needed[v] && x->made_of[v];
            if (linear && ir_bit(fx.vars_read, v)) made |= now[v];
            if (linear && ir_bit(fx.vars_written, v) && n->kind != IR_ASSIGN) return false;
        }
        if (n->kind == IR_ASSIGN) now[n->assign.var] = made;
    }
    for (uint32_t j = 0; j < x->count; j++)
        out[j] = now[x->handed[j]];
    return true;
}

// A pass that drops what another keeps (x1 = x[i], x2 = x1) leaves the same of it behind every long stretch.
static void find_rests(struct recurrence *x, ir_stmt body) {
    uint32_t one[PASS_SCAN_HANDED], now[PASS_SCAN_HANDED], next[PASS_SCAN_HANDED] = {0};
    if (x->chooses || !find_pass(x, body, one)) return;
    memcpy(now, one, sizeof now);
    for (uint32_t passes = 1; passes <= PASS_SCAN_LEAST_BLOCK && !x->settles; passes++) {
        bool same = true;
        for (uint32_t j = 0; j < x->count; j++) {
            next[j] = 0;
            EACH_BIT(i, one[j]) next[j] |= now[i];
            same &= next[j] == now[j];
        }
        if (same) x->settles = passes;
        memcpy(now, next, sizeof now);
    }
    memcpy(x->rests, now, sizeof now);
    for (uint32_t j = 0; j < x->count && x->settles; j++)
        if (x->op[j] == IR_CONST && !now[j]) x->sets[j] = false; // by every pass: there is nothing to ask
}

void recurrence_make(struct recurrence *x) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[x->loop].counted.body;
    uint32_t vars = x->vars = u->var_count;
    x->needed = base_alloc_array(u->cx, vars, sizeof *x->needed);
    x->shifted = base_alloc_array(u->cx, vars, sizeof *x->shifted);
    x->kept = base_alloc_array(u->cx, vars, sizeof *x->kept);
    x->made_of = base_alloc_array(u->cx, vars, sizeof *x->made_of);
    x->parts = base_alloc_array(u->cx, vars, sizeof *x->parts);
    x->assigned = base_alloc_array(u->cx, vars, sizeof *x->assigned);
    for (uint32_t j = 0; j < x->count; j++) {
        ir_var v = x->handed[j];
        x->needed[v] = true;
        x->kept[v] = x->op[j];
        x->sets[j] = !x->kept[v];
        if (x->sets[j]) x->made_of[v] = 1u << j;
    }
    find_needs(x);
    find_makings(x, body);
    ir_walk_stmts(u, body, set_stmt, x);
    for (uint32_t j = 0; j < x->count; j++) {
        enum ir_type type = (enum ir_type)u->vars[x->handed[j]].type;
        EACH_BIT(i, x->made_of[x->handed[j]])
        x->failed |= u->vars[x->handed[i]].type != type;
        x->failed |= type == IR_F32 && x->ordered && x->op[j] == IR_CONST && !x->sets[j];
    }
    x->read = base_alloc_array(u->cx, vars, sizeof *x->read);
    x->behind = 1;
    x->slice = slice_block(x, body);
    if (x->scales && x->drops && !x->failed) find_rests(x, body);
    if (x->scales && x->drops && !x->failed && !x->settles) { // 0 times no number is no number: say what is dropped
        x->stays = base_alloc_array(u->cx, vars, sizeof *x->stays);
        x->slice = slice_block(x, body);
    }
    for (uint32_t j = 0; j < x->count && x->slice; j++) // else a factor says as much
        x->sets[j] &= x->assigned[x->handed[j]] > 1 || u->vars[x->handed[j]].type == IR_F32;
    if (x->failed || !tests_hold(x)) x->slice = 0;
}

// ---- sums of what is handed on --------------------------------------------------------------------------------------

// of[0] + of[1] * handed[0] + of[2] * handed[1] ...; 0: no such part. stays: as of the recurrence.
struct linear {
    ir_expr of[1 + PASS_SCAN_HANDED], stays[PASS_SCAN_HANDED];
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

static ir_var stays_of(struct recurrence *x, ir_var v, uint32_t i) {
    if (!x->stays[v][i]) x->stays[v][i] = ir_add_var(x->u, "stays", IR_F32, IR_VAR_LOCAL, x->u->vars[v].loc);
    return x->stays[v][i];
}
static bool has_stays(const struct recurrence *x, ir_var v) {
    return x->stays && x->u->vars[v].type == IR_F32 && !x->shifted[v];
}

static struct linear linear_var(struct recurrence *x, ir_var v, base_loc loc) {
    struct linear out = {.of = {ir_var_read(x->u, part_of(x, v, 0), loc)}};
    ir_expr one = one_of_type(x, (enum ir_type)x->u->vars[v].type);
    EACH_BIT(i, x->made_of[v]) {
        out.of[1 + i] = x->shifted[v] ? one : ir_var_read(x->u, part_of(x, v, 1 + i), loc);
        if (x->stays) out.stays[i] = has_stays(x, v) ? ir_var_read(x->u, stays_of(x, v, i), loc) : one;
    }
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
    x->scales = true;
    for (uint32_t k = 0; k <= x->count; k++)
        if (out->of[k])
            out->of[k] =
                n->op == IR_MUL && is_one(x, out->of[k]) ? by : ir_op2(x->u, (enum ir_op)n->op, out->of[k], by, n->loc);
    return true;
}
static bool add_forms(struct recurrence *x, const struct ir_node *n, ir_expr a, ir_expr b, struct linear *out) {
    struct linear more;
    struct ir_node either = *n;
    if (!linear_of(x, a, out) || !linear_of(x, b, &more)) return false;
    for (uint32_t k = 0; k <= x->count; k++) {
        x->chooses |= k && n->op == IR_SELECT && n->type == IR_F32 && !out->of[k] != !more.of[k];
        out->of[k] = combine_parts(x, n, out->of[k], more.of[k]);
    }
    x->drops |= x->chooses;
    if (n->op != IR_SELECT) either.op = IR_FMAX;
    for (uint32_t i = 0; i < x->count && x->stays; i++)
        if (n->op == IR_SELECT || (out->stays[i] && more.stays[i]))
            out->stays[i] = combine_parts(x, &either, out->stays[i], more.stays[i]);
        else if (!out->stays[i])
            out->stays[i] = more.stays[i];
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

// ---- conditions -----------------------------------------------------------------------------------------------------

ir_expr recurrence_pick(const struct ir_unit *u, ir_expr cond, ir_expr x, ir_var v, uint8_t *op) {
    const struct ir_node *n = &u->nodes[cond];
    if (n->op != IR_LAND) {
        uint8_t picked = pass_picks(u, cond, x, v);
        if (picked != IR_CONST) *op = picked;
        return picked != IR_CONST ? cond : 0;
    }
    ir_expr left = recurrence_pick(u, n->a, x, v, op);
    return left ? left : recurrence_pick(u, n->b, x, v, op);
}

// A part of the condition, if that `holds`, or does not, is a test of a value that is handed on: 2 + its number. 0:
// there is none.
static uint8_t find_test(struct recurrence *x, ir_expr e, bool holds) {
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_NOT) return find_test(x, n->a, !holds);
    if (n->op == (holds ? IR_LAND : IR_LOR)) {
        uint8_t left = find_test(x, n->a, holds);
        return left ? left : find_test(x, n->b, holds);
    }
    for (uint32_t j = 0; j < x->count; j++) {
        struct use k = use_of(x, e, x->handed[j]);
        if (x->op[j] != IR_CONST || k.changes || !k.reads_own) continue;
        if (x->tests[j] && (x->when[j] != holds || !ir_same_expr(x->u, x->tests[j], e))) return 0;
        x->tests[j] = e;
        x->when[j] = holds;
        return (uint8_t)(2 + j);
    }
    return 0;
}

// The condition of passes that do not know handed[j]: it was not yet set, or the test is of what it was set to.
static ir_expr settled(struct recurrence *x, ir_expr cond, uint32_t j, base_loc loc) {
    struct ir_unit *u = x->u;
    ir_var v = x->handed[j];
    ir_expr is_old = ir_var_read(u, part_of(x, v, 1 + j), loc), now = ir_var_read(u, part_of(x, v, 0), loc);
    ir_expr test = pass_exchanged(u, x->tests[j], ir_var_read(u, v, loc), now);
    test = ir_op3(u, IR_SELECT, ir_op2(u, IR_EQ, is_old, zero_of(x, is_old), loc), test,
                  ir_const(u, IR_BOOL, x->when[j]), loc);
    return pass_exchanged(u, cond, x->tests[j], test);
}

// ---- the slice ------------------------------------------------------------------------------------------------------

static ir_expr or_zero(const struct recurrence *x, ir_var v, ir_expr e) {
    return e ? e : ir_const(x->u, (enum ir_type)x->u->vars[v].type, 0);
}
static void assign_later(struct recurrence *x, ir_var to, ir_expr e, base_loc loc, ir_stmt *first, ir_stmt *last) {
    const struct ir_var_info info = x->u->vars[to];
    ir_var now = ir_add_var(x->u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, loc);
    ir_append(x->u, first, ir_assign(x->u, now, e, loc));
    ir_append(x->u, last, ir_assign(x->u, to, ir_var_read(x->u, now, loc), loc));
}

// A linear value: all parts are computed before the first is assigned, as they are made of each other.
static ir_stmt assign_parts(struct recurrence *x, ir_var v, ir_expr value, base_loc loc) {
    struct linear parts;
    ir_stmt out = 0, last = 0;
    if (!linear_of(x, value, &parts)) return x->failed = true, 0;
    for (uint32_t k = 0; k <= x->count; k++) {
        if (k && (x->shifted[v] || !(x->made_of[v] >> (k - 1) & 1))) continue;
        ir_var part = part_of(x, v, k);
        if (x->shifted[v]) return ir_assign(x->u, part, or_zero(x, v, parts.of[k]), loc);
        x->drops |= k && !parts.of[k] && x->u->vars[v].type == IR_F32;
        assign_later(x, part, or_zero(x, v, parts.of[k]), loc, &out, &last);
        if (k && has_stays(x, v))
            assign_later(x, stays_of(x, v, k - 1), or_zero(x, v, parts.stays[k - 1]), loc, &out, &last);
    }
    ir_append(x->u, &out, last);
    return out;
}

static ir_stmt slice_assign(struct recurrence *x, ir_stmt s) {
    const struct ir_stmt_node n = x->u->stmts[s];
    ir_var v = n.assign.var;
    if (!x->needed[v]) return 0;
    note_place(&x->assigned[v], x->behind);
    if (x->made_of[v]) return assign_parts(x, v, n.assign.value, n.loc);
    struct use k = use_of(x, n.assign.value, x->kept[v] ? v : 0);
    ir_stmt copy = pass_clone_one(x->u, s);
    uint32_t uses;
    x->failed |=
        k.made_of || k.kept || (x->kept[v] && s != x->picks && pass_accumulates(x->u, copy, v, &uses) != x->kept[v]);
    return copy;
}

static ir_stmt slice_if(struct recurrence *x, const struct ir_stmt_node *n) {
    uint8_t outer = x->behind, op;
    ir_expr cond = n->branch.cond, rest = cond, pick = 0;
    bool holds = is_wanted(x, n->branch.then_block), any = holds || is_wanted(x, n->branch.else_block);
    uint8_t *read = x->read;
    x->read = NULL; // what is tested is no read
    uint8_t test = any ? find_test(x, cond, holds) : 0;
    x->read = read;
    if (test) x->behind = outer == 1 || outer == test ? test : UINT8_MAX;
    for (ir_stmt s = n->branch.then_block; s && !pick; s = x->u->stmts[s].next) { // `if (x > v) v = x`, where v is kept
        const struct ir_stmt_node *set = &x->u->stmts[s];
        if (set->kind != IR_ASSIGN || !x->kept[set->assign.var]) continue;
        pick = recurrence_pick(x->u, cond, set->assign.value, set->assign.var, &op);
        if (pick && op == x->kept[set->assign.var]) x->picks = s;
    }
    ir_stmt then_block = slice_block(x, n->branch.then_block), else_block = slice_block(x, n->branch.else_block);
    x->behind = outer;
    if (!then_block && !else_block) return 0;
    if (pick) rest = pass_exchanged(x->u, rest, pick, ir_const(x->u, IR_BOOL, 1));
    if (test) rest = pass_exchanged(x->u, rest, x->tests[test - 2], ir_const(x->u, IR_BOOL, 1));
    if (test) cond = settled(x, cond, test - 2u, n->loc);
    x->failed |= !is_free(x, rest) || (pick && (else_block || x->u->stmts[then_block].next)) ||
                 (test && (holds ? else_block : then_block));
    return ir_if(x->u, cond, then_block, else_block, n->loc);
}

static ir_stmt slice_statement(struct recurrence *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt inside, last;
    switch (n.kind) {
    case IR_ASSIGN: return slice_assign(x, s);
    case IR_IF: return slice_if(x, &n);
    case IR_FOR:
        if (!is_wanted(x, n.counted.body)) return 0;
        inside = slice_block(x, n.counted.body);
        x->failed |= !is_free(x, n.counted.lo) || !is_free(x, n.counted.hi);
        return ir_for(u, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, inside, n.loc);
    case IR_LOOP:
        if (!is_wanted(x, n.loop.body) && !is_wanted(x, n.loop.continuing)) return 0;
        inside = slice_block(x, n.loop.body);
        last = slice_block(x, n.loop.continuing);
        // one that nobody may begin where the test is not met is not begun
        x->failed |= (n.loop.cond && !is_free(x, n.loop.cond)) || x->behind > 1;
        return ir_loop(u, n.loop.cond, inside, last, n.loc);
    case IR_BREAK:
    case IR_CONTINUE: x->failed |= x->behind > 1; return pass_clone_one(u, s);
    default: return 0;
    }
}
static ir_stmt slice_block(struct recurrence *x, ir_stmt block) {
    ir_stmt out = 0;
    for (ir_stmt s = block; s && !x->failed; s = x->u->stmts[s].next)
        ir_append(x->u, &out, slice_statement(x, s));
    return out;
}

const uint32_t *recurrence_reads(struct recurrence *x, ir_stmt s) {
    return ir_effects_of(x->u, slice_statement(x, s)).arrays_read;
}

ir_var recurrence_part(const struct recurrence *x, uint32_t j, uint32_t k) {
    ir_var v = x->handed[j];
    if (x->kept[v]) return k ? 0 : v;
    return k && x->shifted[v] ? 0 : x->parts[v][k];
}

bool recurrence_leaves(const struct recurrence *x, uint32_t j, uint32_t k) {
    bool dropped = k && x->settles && x->u->vars[x->handed[j]].type == IR_F32 && !(x->rests[j] >> (k - 1) & 1);
    return recurrence_part(x, j, k) && !dropped;
}

ir_var recurrence_stays(const struct recurrence *x, uint32_t j, uint32_t k) {
    return k && has_stays(x, x->handed[j]) ? x->stays[x->handed[j]][k - 1] : 0;
}

ir_expr recurrence_start(const struct recurrence *x, uint32_t j, uint32_t k) {
    enum ir_type type = (enum ir_type)x->u->vars[x->handed[j]].type;
    if (x->op[j] != IR_CONST) return ir_const(x->u, type, ir_identity(x->op[j], type));
    return k == 1 + j ? one_of_type(x, type) : ir_const(x->u, type, 0);
}
