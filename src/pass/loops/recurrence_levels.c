// What a loop hands on, in levels: values that need nothing but themselves, those that need these, and so on.
//
//   h = h * 257 + a[i];  if (h == key) { n++;  if (where < 0) where = i; }      h first, then n and where
//   cum += r[i];  if (cum > peak) { peak = cum; day = i; }  fall = max(fall, peak - cum)      one after the other
//
// The law: a value needs another one where it is assigned from that, or under a condition on it; those that need each
// other in a circle are of one level. What is of an earlier level is known to the passes of a later one, which make it
// again from what was handed on. (R. Allen, K. Kennedy, "Automatic translation of Fortran programs to vector form",
// 1987.) A level is as large as can be made, so that there are few.
#include "pass/loops/recurrence.h"

enum { CANDIDATES = PASS_SCAN_HANDED + PASS_RFACTOR_SUMS }; // law: a bit each
struct candidates {
    struct ir_unit *u;
    ir_stmt loop, body;
    bool ordered;
    struct ir_effects inside; // of the loop
    uint32_t count, sums;     // sums: bits
    ir_var vars[CANDIDATES];
    uint8_t op[CANDIDATES];
};

static bool keeps(uint8_t op) {
    return op == IR_MIN || op == IR_MAX || op == IR_FMIN || op == IR_FMAX || op == IR_AND || op == IR_OR ||
           op == IR_XOR;
}

// ---- what is handed on? ---------------------------------------------------------------------------------------------

// The operator of `if (x > v) { v = x; ... }`, if there is such a statement.
struct picks {
    const struct ir_unit *u;
    ir_var v;
    uint8_t op;
};
static bool pick_stmt(void *user, ir_stmt s) {
    struct picks *k = user;
    const struct ir_stmt_node *n = &k->u->stmts[s], *set;
    for (ir_stmt t = n->kind == IR_IF ? n->branch.then_block : 0; t; t = set->next) {
        set = &k->u->stmts[t];
        if (set->kind == IR_ASSIGN && set->assign.var == k->v)
            recurrence_pick(k->u, n->branch.cond, set->assign.value, k->v, &k->op);
    }
    return true;
}

static bool add_candidate(struct candidates *c, ir_var v, uint32_t inside) {
    const struct ir_var_info *info = &c->u->vars[v];
    uint32_t uses = 0, j = c->count;
    uint8_t op = pass_accumulates(c->u, c->body, v, &uses);
    struct picks k = {c->u, v, op};
    bool sum = op != IR_CONST && uses == inside && (keeps(op) || op == IR_ADD || op == IR_MUL);
    if (info->type == IR_BOOL || info->klass != IR_VAR_LOCAL || j == CANDIDATES) return false;
    if (sum && info->type == IR_F32 && c->ordered && !keeps(op)) return false;
    if (op == IR_CONST) ir_walk_stmts(c->u, c->body, pick_stmt, &k);
    c->vars[j] = v;
    c->op[j] = sum || keeps(k.op) ? k.op : IR_CONST;
    if (sum) c->sums |= 1u << j;
    c->count++;
    return true;
}

// wanted: what is read behind the loop.
static bool find_candidates(struct candidates *c, const uint32_t *wanted) {
    struct ir_unit *u = c->u;
    uint32_t vars = u->var_count, *inside = base_alloc_array(u->cx, vars, sizeof *inside);
    const uint32_t *exposed = pass_exposed(u, c->body);
    pass_count_reads(u, c->body, inside);
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(c->inside.vars_written, v) && (ir_bit(exposed, v) || ir_bit(wanted, v)) &&
            v != u->stmts[c->loop].counted.var && !add_candidate(c, v, inside[v]))
            return false;
    return true;
}

// ---- levels ---------------------------------------------------------------------------------------------------------

// A level of these values, and of others that they need and that are not placed in an earlier one.
static bool make_level(const struct candidates *c, struct recurrence *x, uint32_t placed, uint32_t *set) {
    for (uint32_t before = 0; before != *set;) {
        before = *set;
        *x = (struct recurrence){.u = c->u, .loop = c->loop, .inside = c->inside, .ordered = c->ordered};
        for (uint32_t j = 0; j < c->count; j++) {
            if (!(*set >> j & 1)) continue;
            if (x->count == PASS_SCAN_HANDED) return false;
            x->handed[x->count] = c->vars[j];
            x->op[x->count++] = c->op[j];
        }
        recurrence_make(x);
        for (uint32_t j = 0; j < c->count; j++)
            if (x->needed[c->vars[j]]) *set |= 1u << j & ~placed;
    }
    return x->slice;
}

// As many of the values as one level can have; 0: none.
static uint32_t find_level(const struct candidates *c, struct recurrence *x, uint32_t placed, uint32_t rest) {
    uint32_t set = 0, more = rest;
    if (make_level(c, x, placed, &more)) return more;
    for (uint32_t j = 0; j < c->count; j++) {
        more = set | 1u << j;
        if (rest & ~set & 1u << j && make_level(c, x, placed, &more)) set = more;
    }
    return set && make_level(c, x, placed, &set) ? set : 0;
}

bool recurrences_find(struct recurrences *x, struct ir_unit *u, ir_stmt loop, bool ordered, bool stores,
                      const uint32_t *wanted) {
    struct candidates c = {.u = u, .loop = loop, .body = u->stmts[loop].counted.body, .ordered = ordered};
    uint32_t placed = 0, set = 0;
    c.inside = ir_effects_of_one(u, loop);
    x->levels = x->sum_count = 0;
    if (!find_candidates(&c, wanted)) return false;
    uint32_t all = (c.count == 32 ? 0 : 1u << c.count) - 1;
    for (placed = 0; placed != (all & ~c.sums); placed |= set) {
        if (x->levels == PASS_SCAN_LEVELS) return false;
        set = find_level(&c, &x->of[x->levels++], placed, all & ~c.sums & ~placed);
        if (!set) return false;
    }
    if (!x->levels) return false;
    // sums that need nothing more than the last level does are made with it, if no pass is made behind it
    struct recurrence with_sums;
    set |= c.sums;
    if (!stores && c.sums && make_level(&c, &with_sums, placed & ~set, &set)) {
        x->of[x->levels - 1] = with_sums;
        return true;
    }
    for (uint32_t j = 0; j < c.count; j++)
        if (c.sums >> j & 1) x->sums[x->sum_count++] = (struct ir_reduction){c.op[j], c.vars[j]};
    return x->sum_count <= PASS_RFACTOR_SUMS;
}
