// Loops that fill an array in an order of their own: bit reversal, zigzags, steps that go around. Which elements a pass
// touches is no simple function of its number, but it follows from that alone.
//
//   for (i < 512) { r = 0; for (b < 9) r |= (i >> b & 1) << (8 - b); x[r] = y[i]; }
//
// The law: the passes are played one by one (play.h), with all that they compute; no element that one of them writes is
// touched by another one. Where an index is not known it has to be a variable that the loop does not change, the same
// for all accesses to the array: the row of it that all passes work on. Counters of loops around that few passes move,
// as those of a transform's stages, are given all their values, one after the other.
#include "pass/analysis/play.h"
#include "pass/cost.h"
#include "pass/passes.h"

enum { NOBODY, MANY = UINT32_MAX };

struct touched {               // an array that the loop writes
    uint32_t *reader, *writer; // by element of the known dimensions: 1 + the pass, NOBODY, or MANY
    ir_var row[IR_MAX_DIMS];   // by dimension: the variable that is its index, 0: it is known
};

enum { COUNTERS = 3, COUNTER_VALUES = 64 }; // guess: of loops around; values of all of them together

struct permutation {
    struct pass_play play;
    struct ir_unit *u;
    const struct pass_scope *sc; // in front of the loop
    ir_var counters[COUNTERS];   // of loops around that say what its passes touch
    struct pass_value values[COUNTERS];
    uint32_t counter_count;
    struct pass_value *derived; // by variable: what follows from them, once somebody asked
    bool *is_derived;
    struct ir_effects inside;
    struct touched *arrays; // by array
    uint64_t words;         // of all of them
    uint32_t pass, worked;  // worked: until it was wrong
    bool wrong;
};

static void stop(struct permutation *x) {
    if (!x->wrong) x->worked = x->play.work;
    x->wrong = true;
    pass_play_stop(&x->play);
}

// The element's number among those of the known dimensions; false: nobody knows.
static bool element_of(struct permutation *x, ir_array a, const uint32_t *args, const struct pass_value *index,
                       uint64_t *out, uint64_t *all) {
    const struct ir_array_info *info = &x->u->arrays[a];
    struct touched *t = &x->arrays[a];
    bool first = !t->writer;
    *out = 0;
    *all = 1;
    for (uint32_t d = 0; d < info->ndims; d++) {
        const struct ir_node *n = &x->u->nodes[args[d]];
        uint32_t extent;
        ir_var row = index[d].known ? 0 : n->op == IR_VAR && !ir_bit(x->inside.vars_written, n->a) ? n->a : UINT32_MAX;
        if (row == UINT32_MAX || (!first && row != t->row[d])) return false;
        t->row[d] = row;
        if (row) continue;
        if (!ir_is_const(x->u, info->dims[d], &extent) || index[d].bits >= extent) return false;
        *out = *out * extent + index[d].bits;
        *all *= extent;
    }
    return true;
}

static void touch(struct permutation *x, ir_array a, const uint32_t *args, const struct pass_value *index, bool write) {
    struct touched *t = &x->arrays[a];
    uint64_t at, all;
    uint32_t me = x->pass + 1;
    if (x->wrong || !ir_bit(x->inside.arrays_written, a)) return;
    if (!element_of(x, a, args, index, &at, &all)) {
        stop(x);
        return;
    }
    if (!t->writer) {
        x->words += all;
        if (x->words > PASS_PERMUTED_WORDS) {
            stop(x);
            return;
        }
        t->writer = base_alloc_array(x->u->cx, all, sizeof *t->writer);
        t->reader = base_alloc_array(x->u->cx, all, sizeof *t->reader);
    }
    bool others = t->writer[at] != NOBODY && t->writer[at] != me;
    if (others || (write && t->reader[at] != NOBODY && t->reader[at] != me)) {
        stop(x);
        return;
    }
    if (write)
        t->writer[at] = me;
    else
        t->reader[at] = t->reader[at] == NOBODY || t->reader[at] == me ? me : MANY;
}

static void on_load(struct pass_play *p, ir_expr e, const struct pass_value *index) {
    const struct ir_node *n = &p->u->nodes[e];
    touch(p->user, n->a, p->u->args + n->b, index, false);
}

static void on_write(struct pass_play *p, ir_stmt s, const struct pass_value *index, struct pass_value value) {
    struct ir_write w = ir_write_of(&p->u->stmts[s]);
    (void)value;
    touch(p->user, w.array, p->u->args + w.indices, index, true);
}

// What it may touch is not seen.
static void on_forget(struct pass_play *p, const struct ir_effects *effects) {
    struct permutation *x = p->user;
    if (ir_sets_meet(x->inside.arrays_written, effects->arrays_read, effects->array_words) ||
        ir_sets_meet(x->inside.arrays_written, effects->arrays_written, effects->array_words))
        stop(x);
}

static void on_loop(struct pass_play *p, ir_stmt s) {
    struct permutation *x = p->user;
    const struct ir_stmt_node n = p->u->stmts[s];
    struct pass_counter c;
    if (n.kind != IR_FOR || !pass_play_counter(p, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, &c)) {
        stop(x);
        return;
    }
    for (uint64_t k = 0; k < c.trips && !p->broke && !x->wrong; k++) {
        pass_play_set(p, n.counted.var, (struct pass_value){(uint32_t)(c.first + (int64_t)k * n.counted.step), true});
        pass_play_block(p, n.counted.body);
        p->continued = false;
        if (!pass_play_spend(p)) return;
    }
    p->broke = false;
}

// What is set in front of the loop: counters of loops around, and what follows from them.
static struct pass_value on_unset(struct pass_play *p, ir_var v) {
    const struct permutation *x = p->user;
    for (uint32_t k = 0; k < x->counter_count; k++)
        if (x->counters[k] == v) return x->values[k];
    if (!x->counter_count || v >= x->sc->var_cap || !x->sc->definition[v] || !pass_play_spend(p))
        return (struct pass_value){0, false};
    if (!x->is_derived[v]) {
        x->is_derived[v] = true; // what is loaded is not known
        if (!pass_has_load(p->u, x->sc->definition[v])) x->derived[v] = pass_play_expr(p, x->sc->definition[v]);
    }
    return x->derived[v];
}

static const struct pass_player player = {
    .unset = on_unset, .load = on_load, .write = on_write, .loop = on_loop, .forget = on_forget};

static bool play_all(struct permutation *x, ir_stmt loop, uint32_t work) {
    const struct ir_stmt_node n = x->u->stmts[loop];
    struct pass_counter c;
    pass_play_init(&x->play, x->u, &player, x, work);
    if (!pass_play_counter(&x->play, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, &c) || c.trips > work)
        return false;
    for (x->pass = 0; x->pass < c.trips && !x->wrong; x->pass++) {
        int64_t at = c.first + (int64_t)x->pass * n.counted.step;
        pass_play_again(&x->play);
        pass_play_set(&x->play, n.counted.var, (struct pass_value){(uint32_t)at, true});
        pass_play_block(&x->play, n.counted.body);
        if (!pass_play_spend(&x->play)) return false;
    }
    return !x->wrong;
}

// ---- loops around ---------------------------------------------------------------------------------------------------

// Variables that say where a pass stores and loads, and which way it goes.
struct deciding {
    const struct ir_unit *u;
    bool *decides; // by variable
    bool more;
};
static bool on_deciding(void *user, ir_expr e) {
    struct deciding *q = user;
    const struct ir_node *n = &q->u->nodes[e];
    if (n->op != IR_VAR || q->decides[n->a]) return true;
    q->decides[n->a] = q->more = true;
    return true;
}
static bool on_index(void *user, ir_expr e) {
    struct deciding *q = user;
    const struct ir_node *n = &q->u->nodes[e];
    for (uint32_t d = 0; n->op == IR_LOAD && d < n->n; d++)
        ir_walk_expr(q->u, q->u->args[n->b + d], on_deciding, q);
    return true;
}
static bool on_stmt(void *user, ir_stmt s) {
    struct deciding *q = user;
    const struct ir_stmt_node *n = &q->u->stmts[s];
    if (n->kind == IR_ASSIGN && q->decides[n->assign.var]) ir_walk_expr(q->u, n->assign.value, on_deciding, q);
    if (n->kind == IR_IF) ir_walk_expr(q->u, n->branch.cond, on_deciding, q);
    if (n->kind == IR_FOR) {
        ir_walk_expr(q->u, n->counted.lo, on_deciding, q);
        ir_walk_expr(q->u, n->counted.hi, on_deciding, q);
    }
    for (uint32_t d = 0; n->kind == IR_STORE && d < n->store.index_count; d++)
        ir_walk_expr(q->u, q->u->args[n->store.indices + d], on_deciding, q);
    return true;
}
static const bool *find_deciding(const struct ir_unit *u, ir_stmt body) {
    struct deciding q = {u, base_alloc_array(u->cx, u->var_count, sizeof *q.decides), true};
    ir_walk_nodes(u, body, on_index, &q);
    for (q.more = true; q.more;) {
        q.more = false;
        ir_walk_stmts(u, body, on_stmt, &q);
    }
    return q.decides;
}

struct around {
    struct permutation *x;
    uint32_t combinations, depth; // of values; of definitions that are looked into
};
static bool on_read(void *user, ir_expr e);
static void look_at(struct around *q, ir_var v) {
    struct permutation *x = q->x;
    struct pass_range r = x->sc->range[v];
    uint64_t values = r.known ? (uint64_t)(r.hi - r.lo) + 1 : 0;
    for (uint32_t k = 0; k < x->counter_count; k++)
        if (x->counters[k] == v) return;
    if (values && x->u->vars[v].klass != IR_VAR_DIM && values * q->combinations <= COUNTER_VALUES &&
        x->counter_count < COUNTERS) {
        x->counters[x->counter_count++] = v;
        q->combinations *= (uint32_t)values;
    } else if (x->sc->definition[v] && q->depth < PASS_PERMUTED_DEPTH) {
        q->depth++;
        ir_walk_expr(x->u, x->sc->definition[v], on_read, q);
        q->depth--;
    }
}
static bool on_read(void *user, ir_expr e) {
    struct around *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    if (n->op == IR_VAR && n->a < q->x->sc->var_cap) look_at(q, n->a);
    return true;
}

static bool play_once(const struct permutation *form, ir_stmt loop, uint32_t *io_work) {
    struct base_scratch scratch = base_scratch_begin(form->u->cx);
    struct permutation x = *form;
    x.arrays = base_alloc_array(x.u->cx, x.u->array_count, sizeof *x.arrays);
    x.derived = base_alloc_array(x.u->cx, x.sc->var_cap, sizeof *x.derived);
    x.is_derived = base_alloc_array(x.u->cx, x.sc->var_cap, sizeof *x.is_derived);
    bool permuted = play_all(&x, loop, *io_work);
    uint32_t worked = x.wrong ? x.worked : x.play.work;
    *io_work -= worked < *io_work ? worked : *io_work; // (the last step of it may be too much)
    base_scratch_end(form->u->cx, &scratch);
    return permuted;
}

bool pass_is_permuted(const struct pass_scope *sc, ir_stmt loop) {
    struct ir_unit *u = sc->u;
    uint64_t trips;
    if (pass_has_updates(u, u->stmts[loop].counted.body) || !ir_const_trips(u, loop, &trips) || trips < 2) return false;
    struct permutation x = {.u = u, .sc = sc, .inside = ir_effects_of(u, u->stmts[loop].counted.body)};
    struct around around = {&x, 1, 0};
    uint32_t work = PASS_PERMUTED_WORK;
    if (play_once(&x, loop, &work)) return true;
    const bool *decides = find_deciding(u, u->stmts[loop].counted.body);
    for (ir_var v = 1; v < sc->var_cap; v++)
        if (decides[v] && !ir_bit(x.inside.vars_written, v)) look_at(&around, v);
    if (!x.counter_count) return false;
    uint32_t most = *sc->played < PASS_PERMUTED_STAGES ? *sc->played : PASS_PERMUTED_STAGES;
    work = most;
    bool permuted = true;
    for (uint32_t which = 0; which < around.combinations && permuted; which++) {
        uint32_t rest = which;
        for (uint32_t k = 0; k < x.counter_count; k++) {
            struct pass_range r = sc->range[x.counters[k]];
            uint32_t values = (uint32_t)(r.hi - r.lo) + 1;
            x.values[k] = (struct pass_value){(uint32_t)(r.lo + rest % values), true};
            rest /= values;
        }
        permuted = play_once(&x, loop, &work);
    }
    *sc->played -= most - work;
    return permuted;
}
