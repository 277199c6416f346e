// Local arrays of iterations that are few, in memory, so that lanes can share the loops that fill and read them:
//
//   parallel for (f) { float x[N]; for (i < N) x[i] = ...; for (l) { for (i < N - l) s += x[i] * x[i + l]; ... } }
//
// Lanes have no part in each other's local arrays, so one lane would make the whole iteration, with the array in memory
// that the driver gives each invocation, where most of a device has nothing to do. With x[f][N] all lanes fill it and
// read what the others wrote (lanes.c, meet.c). This is array expansion (P. Feautrier, "Array expansion", ICS 1988).
//
// The law: in C the array belongs to the iteration, and nothing of it is there before or behind. It is done where
// sharing loops (share.c) spares time, or where the arrays are more than an invocation should have for itself: an H100
// was lost when a kernel with 16 KiB of them was made. Where lanes do not come in the end, for what else they must not
// do, arrays become local again (pass_contract).
#include "pass/cost.h"
#include "pass/expansion.h"

uint64_t pass_local_words(struct ir_unit *u, ir_stmt parfor) {
    struct ir_effects fx = ir_effects_of_one(u, parfor);
    uint64_t words = 0;
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].klass == IR_ARRAY_LOCAL && (ir_bit(fx.arrays_written, a) || ir_bit(fx.arrays_read, a)))
            words += pass_elements(u, a, 0, PASS_MOST_SPREAD);
    return words;
}

// All of so many elements at least, but those of `except`, by array (NULL: none); false: there is none, or no room.
static bool expand_in(struct pass_cx *p, const struct pass_scope *sc, ir_stmt parfor, uint32_t least,
                      const bool *except) {
    struct ir_unit *u = p->u;
    struct ir_effects fx = ir_effects_of_one(u, parfor);
    struct pass_expansion x;
    bool any = false;
    pass_expansion_begin(&x, u, p->target, sc, parfor);
    for (ir_array a = 1; a < x.array_cap; a++) {
        if (u->arrays[a].klass != IR_ARRAY_LOCAL || !ir_bit(fx.arrays_written, a) ||
            pass_elements(u, a, 0, PASS_MOST_SPREAD) < least || (except && except[a]))
            continue;
        if (!pass_expand_array(&x, a)) return false;
        u->arrays[x.to[a]].expanded = (uint8_t)u->stmts[parfor].parfor.dim_count;
        any = true;
    }
    pass_expand_accesses(&x, u->stmts[parfor].parfor.body);
    return any;
}

// Lanes at least, so that so many words of each iteration find room in the memory of a workgroup; 0: they never do.
uint32_t pass_near_lanes(const struct pass_cx *p, uint64_t words) {
    uint64_t room = pass_near_room(p);
    uint32_t lanes = 1;
    if (words > room) return 0;
    while (lanes < PASS_WORKGROUP && words * (PASS_WORKGROUP / lanes) > room)
        lanes *= 2;
    return lanes;
}

// Of one iteration nothing is left of the arrays once its loops are unrolled.
static bool are_scalars(const struct pass_cx *p, ir_stmt parfor, uint64_t words) {
    if (words > p->target->register_budget) return false;
    struct pass_cx copy = pass_copy(p);
    pass_unroll(&copy);
    pass_scalarise(&copy);
    return pass_local_words(copy.u, parfor) == 0;
}

// Lanes take the iteration in the end, with the arrays of so many elements in memory: what else has a say in that is
// tried on a copy. Stages of a transform are loops for them once they are unrolled (staged), as the text grows.
static bool has_lanes(const struct pass_cx *p, const struct pass_scope *sc, ir_stmt parfor, bool staged,
                      uint32_t least) {
    struct pass_cx copy = pass_copy(p);
    if ((staged && !pass_unroll_stages(&copy, parfor)) || !expand_in(&copy, sc, parfor, least, NULL)) return false;
    pass_fold(&copy);
    pass_share(&copy);
    pass_unroll(&copy);
    pass_scalarise(&copy);
    pass_reduce(&copy);                                            // lanes have no part in what all iterations add to
    if (copy.u->stmts[parfor].flags & IR_FLAG_LANES) return false; // they make iterations side by side
    pass_lanes(&copy);
    return copy.u->stmts[parfor].flags & IR_FLAG_LANES;
}

// What lanes would share with the arrays of so many elements in memory.
static struct pass_sharing sharing_of(const struct pass_cx *p, const struct pass_scope *sc, ir_stmt parfor,
                                      uint64_t words, bool staged, uint32_t least) {
    struct pass_cx with = pass_copy(p);
    if (!expand_in(&with, sc, parfor, least, NULL)) return (struct pass_sharing){0};
    if (staged) {
        (void)pass_unroll_stages(&with, parfor);
        pass_fold(&with);
    }
    return pass_weigh_sharing(&with, parfor, pass_near_lanes(p, words));
}

// An array that is too short to be worth it by itself.
static bool has_short(const struct pass_cx *p, ir_stmt parfor) {
    struct ir_unit *u = p->u;
    struct ir_effects fx = ir_effects_of_one(u, parfor);
    for (ir_array a = 1; a < u->array_count; a++) {
        uint64_t elements = u->arrays[a].klass == IR_ARRAY_LOCAL && ir_bit(fx.arrays_written, a)
                                ? pass_elements(u, a, 0, PASS_MOST_SPREAD)
                                : 0;
        if (elements >= PASS_EXPAND_SHORT && elements < PASS_EXPAND_LEAST) return true;
    }
    return false;
}

// Lanes share more than they would of the iteration as it is, and all of them together spare time. Where single
// invocations have the arrays in registers, or would keep a good part of the device busy, lanes have to spare much;
// little where the arrays of single invocations are more than the nearest cache holds. *least: of how many elements.
static bool pays(const struct pass_cx *p, const struct pass_scope *sc, ir_stmt parfor, uint64_t words,
                 uint64_t iterations, bool staged, uint32_t *least) {
    struct pass_cx without = pass_copy(p);
    double busy = p->target->busy_invocations;
    struct pass_sharing shared = sharing_of(p, sc, parfor, words, staged, *least),
                        alone = pass_weigh_sharing(&without, parfor, 0);
    if (!shared.loops) return false;
    if (has_short(p, parfor)) { // it may be what keeps lanes from loops that use the others, or be in their way itself
        struct pass_sharing more = sharing_of(p, sc, parfor, words, staged, PASS_EXPAND_SHORT);
        if (more.loops > shared.loops && more.time < shared.time &&
            has_lanes(p, sc, parfor, staged, PASS_EXPAND_SHORT)) {
            shared = more;
            *least = PASS_EXPAND_SHORT;
        }
    }
    bool fast = !alone.loops && ((double)iterations >= busy / PASS_EXPAND_BUSY || are_scalars(p, parfor, words));
    bool spills = (double)words * (double)iterations * alone.lanes > busy * PASS_NEAREST_WORDS,
         more = shared.loops > alone.loops;
    double slower = spills && !fast ? PASS_EXPAND_SPILLED : 1, gain = fast ? PASS_EXPAND_GAIN : 1;
    if (alone.loops && more) return shared.time * gain <= alone.time * slower;
    // Fewer loops may be those around the others: then they have to be worth the change.
    double spared = more ? 0 : alone.least_time / PASS_EXPAND_OTHERS;
    return shared.least_time * gain <= (alone.least_time - spared) * slower;
}

// Of one iteration.
static uint64_t words_of_arrays(const struct ir_unit *u, const bool *arrays) {
    uint64_t words = 0;
    for (ir_array a = 1; a < u->array_count; a++)
        if (arrays[a]) words += pass_elements(u, a, 0, PASS_MOST_SPREAD);
    return words;
}

struct expander {
    struct pass_cx *p;
    bool *staged; // by statement: PARFORs whose stages are to be unrolled
    bool any;
};

static void expand_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct expander *x = user;
    struct pass_cx *p = x->p;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    const bool *scalars = NULL;
    uint64_t iterations, words = pass_local_words(u, parfor);
    if (words < PASS_EXPAND_LEAST || n.flags & IR_FLAG_LANES || !pass_has_plain_dims(u, &n) ||
        !pass_iterations(sc, parfor, &iterations))
        return;
    bool few =
        !p->eager && iterations * PASS_EXPAND_FEW <= p->target->busy_invocations && !pass_has_simd(u, n.parfor.body);
    struct base_scratch scratch = base_scratch_begin(u->cx);
    uint32_t least = PASS_EXPAND_LEAST;
    bool staged = few && has_lanes(p, sc, parfor, true, PASS_EXPAND_LEAST),
         worth = few && pays(p, sc, parfor, words, iterations, staged, &least);
    base_scratch_end(u->cx, &scratch);
    if (!worth && words > PASS_LOCAL_WORDS) {
        scalars = pass_scalars_of(u, parfor, NULL);
        words -= words_of_arrays(u, scalars);
    }
    if ((!worth && words <= PASS_LOCAL_WORDS) || !expand_in(p, sc, parfor, least, scalars)) return;
    x->any |= x->staged[parfor] = staged;
    base_text_format(p->explain, "expand: the local arrays of the loop at line %u are in memory\n",
                     u->cx->locs[n.loc].line);
}

static bool unask(void *user, ir_stmt s) {
    struct ir_stmt_node *n = &((struct ir_unit *)user)->stmts[s];
    if (n->kind == IR_FOR) n->flags &= (uint16_t)~IR_FLAG_SIMD;
    return true;
}

// Where the program says `simd` of loops that lanes cannot share as they stand, as those that store into local arrays,
// it is as if it had not: then other loops may be shared, or these with their arrays in memory.
static void forget_simd(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct pass_cx *p = user;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    (void)sc;
    if (n.flags & IR_FLAG_LANES || n.parfor.reduction_count || !pass_has_simd(u, n.parfor.body)) return;
    struct base_scratch scratch = base_scratch_begin(u->cx);
    struct pass_cx copy = pass_copy(p);
    pass_keep(&copy);
    pass_spread(&copy);
    pass_jam(&copy);
    pass_unroll(&copy);
    pass_scalarise(&copy);
    pass_lanes(&copy);
    bool asked = copy.u->stmts[parfor].flags & IR_FLAG_LANES;
    base_scratch_end(u->cx, &scratch);
    if (asked) return;
    ir_walk_stmts(u, n.parfor.body, unask, u);
    base_text_format(p->explain, "expand: lanes cannot share the `simd` loops of the loop at line %u as they stand\n",
                     u->cx->locs[n.loc].line);
}

void pass_expand(struct pass_cx *p) {
    struct pass_scope sc;
    uint32_t stmts = p->u->stmt_count;
    struct expander x = {.p = p, .staged = base_alloc_array(p->u->cx, stmts, sizeof *x.staged)};
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    pass_scope_init(&sc, p->u);
    if (!p->target->keep_order && !p->target->lanes) pass_each_parfor(&sc, forget_simd, p);
    pass_each_parfor(&sc, expand_parfor, &x);
    if (!x.any) return;
    for (ir_stmt s = 1; s < stmts; s++)
        if (x.staged[s]) (void)pass_unroll_stages(p, s);
    pass_fold(p);
}
