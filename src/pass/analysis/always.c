// Ranges that variables keep at every place of a program: what all their assignments keep them in. Nothing is asked of
// where the assignments stand, so this holds of variables that are assigned more than once, as the largest of some:
//
//   longest = 0; for (...) longest = t > longest ? t : longest;
//
// Assignments that read their own variable are looked at by induction: a range that is taken for granted has to hold of
// what they assign then. It begins as what all others give, and grows by what these add, some times. 0 is in each
// range, since a variable may be read before it has a value.
#include "pass/analysis/affine.h"
#include "pass/cost.h"

enum { ROUNDS = 3 };

struct finder {
    struct pass_scope *sc;
    struct pass_range *always;
    bool *open; // by variable: not only assignments give it its values
    struct assign {
        ir_stmt stmt;
        bool reads;    // its own variable
        uint32_t next; // of the same variable, from the last to the first; 0: no more
    } * assigns;       // from 1 on
    uint32_t count, cap;
    uint32_t *last; // by variable
};

static bool is_whole(const struct ir_unit *u, ir_var v) {
    return u->vars[v].type == IR_I32 || u->vars[v].type == IR_U32;
}

static bool on_stmt(void *user, ir_stmt s) {
    struct finder *x = user;
    const struct ir_unit *u = x->sc->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    ir_var written = ir_written_var(n);
    if (n->kind == IR_ASSIGN && is_whole(u, n->assign.var)) {
        BASE_RESERVE(u->cx, x->assigns, x->count, x->cap);
        x->assigns[x->count] = (struct assign){s, ir_mentions(u, u->stmts[s].assign.value, u->stmts[s].assign.var),
                                               x->last[n->assign.var]};
        x->last[n->assign.var] = x->count++;
    } else if (written) {
        x->open[written] = true;
    }
    if (n->kind == IR_PARFOR)
        for (uint32_t r = 0; r < n->parfor.reduction_count; r++)
            x->open[u->reductions[n->parfor.reductions + r].var] = true;
    return true;
}

static struct pass_range both(struct pass_range a, struct pass_range b) {
    if (!a.known || !b.known) return (struct pass_range){0, 0, false};
    return (struct pass_range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, true};
}

// What the assignments give that read the variable, or those that do not; of others as far as they are known by now.
static struct pass_range given_by(struct finder *x, ir_var v, bool reads, struct pass_range out) {
    const struct ir_unit *u = x->sc->u;
    for (uint32_t i = x->last[v]; i && out.known; i = x->assigns[i].next)
        if (x->assigns[i].reads == reads)
            out = both(out, pass_range_of(x->sc, u->stmts[x->assigns[i].stmt].assign.value));
    return out;
}

static struct pass_range find_range(struct finder *x, ir_var v) {
    struct pass_range now = given_by(x, v, false, (struct pass_range){0, 0, true});
    for (int round = 0; round < ROUNDS && now.known; round++) {
        x->always[v] = now; // taken for granted
        struct pass_range then = given_by(x, v, true, now);
        if (then.known && then.lo == now.lo && then.hi == now.hi) return now;
        now = then;
    }
    return (struct pass_range){0, 0, false};
}

struct pass_range *pass_find_always(struct pass_scope *sc) {
    struct ir_unit *u = sc->u;
    struct finder x = {.sc = sc};
    x.always = base_alloc_array(u->cx, sc->var_cap, sizeof *x.always);
    x.open = base_alloc_array(u->cx, sc->var_cap, sizeof *x.open);
    x.last = base_alloc_array(u->cx, sc->var_cap, sizeof *x.last);
    BASE_RESERVE(u->cx, x.assigns, x.count, x.cap);
    x.count = 1;
    ir_walk_stmts(u, u->root, on_stmt, &x);
    sc->always = x.always;
    sc->anywhere = true;
    for (uint32_t i = 1; i < x.count; i++) {
        ir_var v = u->stmts[x.assigns[i].stmt].assign.var;
        if (x.last[v] == i && !x.open[v]) x.always[v] = find_range(&x, v);
    }
    sc->anywhere = false;
    return x.always;
}
