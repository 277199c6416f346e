// What sequential code stores in an element and others read in the same pass is told, as a variable that every
// invocation has:
//
//   d[k] = a[k][k];                                t = a[k][k];  d[k] = t;
//   for (i, parallel) a[i][k] /= d[k];        ->   for (i, parallel) a[i][k] /= t;
//
// In one dispatch all invocations run the sequential code around parallel loops, and one of them stores. Who reads what
// it stored waits at a barrier for it; who has the value need not. The law: nothing in between stores to the element,
// or sets what its index is made of.
//
// Where the code reads the array that it stores to (x[k] /= a[k][k]) one invocation would run it alone. If nothing else
// of the pass touches the element, it is stored at the end of the pass instead, behind a barrier that stands there
// for other reasons.
//
// That is tried on a copy, and taken where it saves barriers.
#include <string.h>

#include "pass/grid/sync.h"

struct teller {
    struct pass_syncer sync; // the phases of the unit as it is
    struct ir_unit *u;
    ir_stmt store;
    ir_var told;
    uint32_t count; // elements that are told
};

static bool is_it(const struct teller *x, ir_expr e) { return pass_loads_stored(x->u, e, &x->u->stmts[x->store]); }

static ir_expr as_told(void *user, ir_expr e) {
    struct teller *x = user;
    return is_it(x, e) ? ir_var_read(x->u, x->told, x->u->nodes[e].loc) : e;
}

struct asked {
    const struct ir_unit *u;
    const struct ir_effects *fx;
    bool loads, set;
};
static bool on_index(void *user, ir_expr e) {
    struct asked *q = user;
    const struct ir_node *n = &q->u->nodes[e];
    q->loads |= n->op == IR_LOAD;
    q->set |= q->fx && n->op == IR_VAR && ir_bit(q->fx->vars_written, n->a);
    return true;
}
static struct asked ask(const struct teller *x, const struct ir_effects *fx) {
    const struct ir_stmt_node *s = &x->u->stmts[x->store];
    struct asked q = {x->u, fx, false, false};
    for (uint32_t d = 0; d < s->store.index_count; d++)
        ir_walk_expr(x->u, x->u->args[s->store.indices + d], on_index, &q);
    return q;
}

static const struct pass_phase *phase_of(const struct teller *x, ir_stmt s) {
    return x->sync.phase_of[s] ? &x->sync.phases[x->sync.phase_of[s] - 1] : NULL;
}

// The access that the STORE makes.
static const struct pass_access *own_access(const struct pass_phase *ph) {
    for (uint32_t i = 0; i < ph->list.count; i++)
        if (ph->list.items[i].store) return &ph->list.items[i];
    return NULL;
}

// Of the statement's accesses to the array: some stores may meet the element; some loads may, that are not exactly of
// it.
static void meets(struct teller *x, const struct pass_access *p, ir_stmt s, bool *out_stored, bool *out_loaded) {
    const struct pass_phase *ph = phase_of(x, s);
    for (uint32_t i = 0; ph && i < ph->list.count; i++) {
        const struct pass_access *q = &ph->list.items[i];
        if (q->array != p->array || pass_apart_in_pass(&x->sync, p, q)) continue;
        if (q->store)
            *out_stored = true;
        else if (!q->load || !is_it(x, q->load))
            *out_loaded = true;
    }
}

static bool reads_array(struct ir_unit *u, const struct ir_stmt_node *s) {
    struct ir_effects fx = ir_effects_empty(u);
    ir_expr_effects(u, s->store.value, &fx);
    return ir_bit(fx.arrays_read, s->store.array);
}

static bool may_tell(const struct teller *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE || n->flags || n->store.run || !phase_of(x, s)) return false;
    const struct ir_array_info *a = &x->u->arrays[n->store.array];
    bool word = a->elem == WHORL_F32 || a->elem == WHORL_I32 || a->elem == WHORL_U32;
    return word && ir_in_buffer(x->u, n->store.array) && !a->atomic;
}

// Behind the STORE, the first statement of its block at which the element, or what its index is made of, may change; 0:
// none. *out_loaded: one in front of that may load the element without saying so.
static ir_stmt first_change(struct teller *x, const struct pass_access *p, bool *out_loaded) {
    struct ir_unit *u = x->u;
    ir_stmt s = u->stmts[x->store].next;
    for (bool changes = false; s; s = u->stmts[s].next) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        bool touches = ir_bit(fx.arrays_read, p->array) || ir_bit(fx.arrays_written, p->array);
        changes |= ask(x, &fx).set || (touches && !pass_is_leaf(u, s));
        meets(x, p, s, &changes, out_loaded);
        if (changes) break;
    }
    return s;
}

// What the STORE, which stands in the block, stores is told to those behind it. -> what now stands in its place. *end:
// where what is stored at the end of the pass is put
static ir_stmt tell(struct teller *x, ir_stmt s, ir_stmt *end) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    const struct pass_access *p = own_access(phase_of(x, s));
    x->store = s;
    if (!p || ask(x, NULL).loads) return s;
    bool loaded = false;
    ir_stmt last = first_change(x, p, &loaded);
    x->told = ir_add_var(u, "told", u->nodes[n.store.value].type, IR_VAR_ENTRY, n.loc);
    for (ir_stmt t = n.next; t != last; t = u->stmts[t].next) {
        ir_stmt next = u->stmts[t].next;
        u->stmts[t].next = 0;
        ir_map_block(u, t, as_told, x);
        u->stmts[t].next = next;
    }
    ir_stmt set = ir_assign(u, x->told, n.store.value, n.loc);
    u->stmts[s].store.value = ir_var_read(u, x->told, n.loc);
    x->count++;
    if (!last && !loaded && reads_array(u, &n) && !pass_leaves_loop(u, n.next)) {
        u->stmts[s].next = 0;
        ir_append(u, end, s);
        u->stmts[set].next = n.next;
    } else {
        u->stmts[set].next = s;
    }
    return set;
}

static ir_stmt tell_in(struct teller *x, ir_stmt block, bool in_loop) {
    struct ir_unit *u = x->u;
    ir_stmt first = 0, before = 0, end = 0;
    for (ir_stmt s = block, next; s; s = next) {
        ir_stmt at = s;
        if (in_loop && may_tell(x, s)) {
            at = tell(x, s, &end);
        } else if (!pass_is_leaf(u, s)) {
            ir_stmt inner;
            if (u->stmts[s].kind == IR_IF) {
                inner = tell_in(x, u->stmts[s].branch.then_block, false);
                u->stmts[s].branch.then_block = inner;
                inner = tell_in(x, u->stmts[s].branch.else_block, false);
                u->stmts[s].branch.else_block = inner;
            } else {
                inner = tell_in(x, ir_body_of(&u->stmts[s]), true);
                ir_set_body(&u->stmts[s], inner);
            }
        }
        if (before)
            u->stmts[before].next = at;
        else
            first = at;
        before = at != s && u->stmts[at].next == s ? s : at;
        next = u->stmts[before].next;
    }
    ir_append(u, &first, end);
    return first;
}

static uint32_t tell_all(struct pass_cx *p) {
    struct teller x = {.u = p->u};
    pass_find_phases(&x.sync, p);
    ir_stmt root = tell_in(&x, p->u->root, false);
    p->u->root = root;
    return x.count;
}

// What becomes of barriers. false: nothing is told
static bool try(const struct pass_cx *p, bool tells, struct pass_trial *out) {
    struct base_scratch scratch = base_scratch_begin(p->u->cx);
    struct pass_cx copy = pass_copy(p);
    bool any = !tells || tell_all(&copy);
    if (any) pass_try_sync(&copy, p->u->array_count, out);
    base_scratch_end(p->u->cx, &scratch);
    return any;
}

void pass_tell(struct pass_cx *p) {
    struct pass_trial now = pass_trial_begin(p->u), then = pass_trial_begin(p->u);
    if (!try(p, true, &then) || !try(p, false, &now) || !pass_trial_pays(p->u, &now, &then)) return;
    uint32_t count = tell_all(p);
    base_text_format(p->explain,
                     "tell: of %u element%s that sequential code stores, who reads them is told: fewer barriers\n",
                     count, base_s(count));
}
