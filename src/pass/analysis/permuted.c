// Loops that fill an array in an order of their own: bit reversal, zigzags, steps that go around. Which elements a pass
// touches is no simple function of its number, but it follows from that alone.
//
//   for (i < 512) { r = 0; for (b < 9) r |= (i >> b & 1) << (8 - b); x[r] = y[i]; }
//
// The law: the passes are played one by one (play.h), with all that they compute; no element that one of them writes is
// touched by another one. Where an index is not known it has to be a variable that the loop does not change, the same
// for all accesses to the array: the row of it that all passes work on.
#include "pass/analysis/play.h"
#include "pass/cost.h"
#include "pass/passes.h"

enum { NOBODY, MANY = UINT32_MAX };

struct touched {               // an array that the loop writes
    uint32_t *reader, *writer; // by element of the known dimensions: 1 + the pass, NOBODY, or MANY
    ir_var row[IR_MAX_DIMS];   // by dimension: the variable that is its index, 0: it is known
};

struct permutation {
    struct pass_play play;
    struct ir_unit *u;
    struct ir_effects inside;
    struct touched *arrays; // by array
    uint64_t words;         // of all of them
    uint32_t pass;
    bool wrong;
};

static void stop(struct permutation *x) {
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

static const struct pass_player player = {.load = on_load, .write = on_write, .loop = on_loop, .forget = on_forget};

static bool play_all(struct permutation *x, ir_stmt loop) {
    const struct ir_stmt_node n = x->u->stmts[loop];
    struct pass_counter c;
    pass_play_init(&x->play, x->u, &player, x, PASS_PERMUTED_WORK);
    if (!pass_play_counter(&x->play, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, &c) ||
        c.trips > PASS_PERMUTED_WORK)
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

bool pass_is_permuted(struct ir_unit *u, ir_stmt loop) {
    uint64_t trips;
    if (pass_has_updates(u, u->stmts[loop].counted.body) || !ir_const_trips(u, loop, &trips) || trips < 2) return false;
    struct base_scratch scratch = base_scratch_begin(u->cx);
    struct permutation x = {.u = u, .inside = ir_effects_of(u, u->stmts[loop].counted.body)};
    x.arrays = base_alloc_array(u->cx, u->array_count, sizeof *x.arrays);
    bool permuted = play_all(&x, loop);
    base_scratch_end(u->cx, &scratch);
    return permuted;
}
