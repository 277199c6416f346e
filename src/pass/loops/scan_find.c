// Which loops scan.c can make in blocks: the law at its head, looked up in a loop of a parallel one's body.
#include "pass/loops/scan.h"

static const struct ir_stmt_node *node_of(const struct scanner *x, ir_stmt s) { return &x->u->stmts[s]; }

void scan_set_level(struct scanner *x, uint32_t level) {
    x->level = level;
    x->r = &x->all.of[level];
}

bool scan_hands(const struct scanner *x, ir_var v) {
    bool is = false;
    for (uint32_t l = 0; l < x->all.levels; l++)
        for (uint32_t j = 0; j < x->all.of[l].count; j++)
            is |= x->all.of[l].handed[j] == v;
    return is;
}

static bool touches_nothing_else(const struct scanner *x) {
    struct ir_effects all = ir_effects_of(x->u, x->n.parfor.body);
    if (pass_is_atomic(x->u, x->n.parfor.body)) return false;
    for (ir_array a = 1; a < x->u->array_count; a++) {
        if ((ir_bit(all.arrays_read, a) || ir_bit(all.arrays_written, a)) && a == x->u->log) return false;
        if (x->u->arrays[a].klass != IR_ARRAY_LOCAL) continue;
        // an iteration's own array is there in one of the loops alone
        if (ir_bit(x->inside.arrays_written, a) || ir_bit(x->in_front.arrays_written, a)) return false;
    }
    return true;
}

// Passes of the loop without its stores to lists touch what no other one writes.
static bool passes_are_apart(struct scanner *x) {
    ir_stmt first = x->u->stmt_count, copy = pass_clone_one(x->u, x->nest.depth ? x->nest.loops[0] : x->loop);
    bool *list = base_alloc_array(x->u->cx, x->u->array_count, sizeof *list), lists = false;
    for (ir_array a = 1; a < x->u->array_count; a++)
        for (uint32_t l = 0; l < x->all.levels && ir_bit(x->inside.arrays_written, a); l++)
            lists |= list[a] |= recurrence_fills(&x->all.of[l], a);
    for (ir_stmt s = first; lists && s < x->u->stmt_count; s++) { // all that was copied
        struct ir_stmt_node *n = &x->u->stmts[s];
        if (n->kind == IR_STORE && list[n->store.array])
            *n = (struct ir_stmt_node){.kind = IR_NOP, .loc = n->loc, .next = n->next};
    }
    return x->nest.depth ? pass_nest_is_apart(&x->nest, &x->sc, copy) : pass_memory_is_apart(&x->sc, copy, NULL, NULL);
}

// The passes of the loop, which may all stand behind a test of their number (with_most_passes).
static ir_stmt passes_of(const struct scanner *x) {
    const struct ir_stmt_node *n = node_of(x, x->loop), *only = node_of(x, n->counted.body);
    if (only->kind != IR_IF || only->next || only->branch.else_block || pass_has_load(x->u, only->branch.cond))
        return n->counted.body;
    for (ir_var v = 1; v < x->r->vars; v++)
        if (v != n->counted.var && ir_bit(x->inside.vars_written, v) && pass_uses_in(x->u, only->branch.cond, v))
            return n->counted.body;
    return only->branch.then_block;
}

// Loads from `first` on are of other elements than the first so many stores.
static bool loads_others(const struct scanner *x, const struct pass_accesses *list, uint32_t first, uint32_t stores) {
    struct ir_effects fx = ir_effects_of(x->u, node_of(x, x->loop)->counted.body);
    for (uint32_t i = first; i < list->count; i++)
        for (uint32_t k = 0; k < stores && list->items[i].load; k++)
            if (list->items[k].store && list->items[i].array == list->items[k].array &&
                !pass_in_other_column(&list->items[i], &list->items[k], fx.vars_written, 0))
                return false;
    return true;
}

// What the slice reads of arrays that the loop writes, it reads before they are written in a pass.
static bool reads_before(struct scanner *x) {
    struct ir_effects so_far = ir_effects_empty(x->u);
    struct pass_accesses list = {0};
    struct pass_scope sc;
    pass_scope_init(&sc, x->u);
    pass_scope_parfor(&sc, x->parfor);
    pass_scope_loop(&sc, x->loop);
    for (ir_stmt s = passes_of(x); s; s = node_of(x, s)->next) {
        struct ir_effects fx = ir_effects_of_one(x->u, s);
        const uint32_t *reads = recurrence_reads(x->r, s);
        uint32_t first = list.count;
        uint8_t kind = node_of(x, s)->kind;
        bool alone = kind == IR_ASSIGN || kind == IR_STORE;
        pass_collect(&sc, pass_clone_one(x->u, s), &list);
        if (!alone) ir_add_effects_of_one(x->u, s, &so_far);
        if (ir_sets_meet(reads, so_far.arrays_written, fx.array_words) &&
            !loads_others(x, &list, first, alone ? first : list.count))
            return false;
        ir_add_effects_of_one(x->u, s, &so_far);
    }
    return true;
}

// The slices read no element that what is in front of the loop, but for the copies, stores.
static bool slices_read_others(struct scanner *x, ir_stmt not_made) {
    struct pass_accesses in_front = {0};
    ir_stmt read = 0;
    for (uint32_t l = 0; l < x->all.levels; l++)
        ir_append(x->u, &read, ir_clone_block(x->u, x->all.of[l].slice, NULL, NULL));
    ir_stmt loop = pass_clone_one(x->u, x->loop);
    x->u->stmts[loop].counted.body = read;
    pass_collect(&x->sc, not_made, &in_front);
    return pass_loads_are_apart(&x->sc, loop, &in_front);
}

// Copies of the assignments in front of the loop stand for all that is in front of it: what else is assigned there, or
// made of that, nobody may want who has the copies alone.
static bool find_front(struct scanner *x) {
    struct ir_unit *u = x->u;
    ir_stmt dropped = 0;
    struct ir_effects stale = ir_effects_empty(u); // vars_written: whose values the copies do not make
    x->pure = 0;
    for (ir_stmt s = x->n.parfor.body; s != x->loop; s = node_of(x, s)->next) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        bool plain = node_of(x, s)->kind == IR_ASSIGN, handed = plain && scan_hands(x, node_of(x, s)->assign.var);
        bool made = plain && !handed && !ir_sets_meet(fx.vars_read, stale.vars_written, fx.var_words);
        ir_append(u, plain && !handed ? &x->pure : &dropped, pass_clone_one(u, s));
        for (uint32_t w = 0; w < fx.var_words; w++)
            stale.vars_written[w] =
                made ? stale.vars_written[w] & ~fx.vars_written[w] : stale.vars_written[w] | fx.vars_written[w];
    }
    struct ir_effects made = ir_effects_of(u, x->pure), whole = ir_effects_of(u, x->n.parfor.body);
    const uint32_t *before = pass_exposed(u, x->pure);
    for (ir_var v = 1; v < x->r->vars; v++)
        x->must_be_cut |= ir_bit(before, v) && scan_hands(x, v);
    before = pass_exposed(u, x->loop);
    for (ir_var v = 1; v < x->r->vars; v++)
        x->must_be_cut |= ir_bit(before, v) && ir_bit(stale.vars_written, v) && !scan_hands(x, v);
    x->must_be_cut |=
        ir_sets_meet(made.arrays_read, whole.arrays_written, made.array_words) || !slices_read_others(x, dropped);
    return !x->must_be_cut;
}

// What stands behind the nest does not read its counters.
static bool counters_are_own(const struct scanner *x, ir_stmt loop) {
    const uint32_t *wanted = pass_exposed(x->u, node_of(x, loop)->next);
    bool unread = true;
    for (uint32_t d = 0; d < x->nest.depth; d++)
        unread &= !ir_bit(wanted, node_of(x, x->nest.loops[d])->counted.var);
    return unread;
}

// What blocks leave of values that feed each other are as many parts as pairs of them. Where passes choose floats, each
// is a branch, and a software driver's time to compile doubles with some of them.
static bool is_much(const struct scanner *x) {
    bool much = false;
    for (uint32_t l = 0; l < x->all.levels; l++) {
        const struct recurrence *r = &x->all.of[l];
        uint32_t parts = 0;
        for (uint32_t j = 0; j < r->count; j++)
            for (uint32_t k = 0; k <= r->count; k++)
                parts += recurrence_part(r, j, k) != 0;
        much |= r->chooses && parts > PASS_SCAN_CHOSEN;
    }
    return much;
}

static bool fits_loop(struct scanner *x, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(x, s);
    uint32_t lo;
    x->loop = s;
    x->must_be_cut = false;
    if (n->kind != IR_FOR || !ir_const_trips(x->u, s, &x->trips) || x->trips < PASS_SCAN_LEAST_PASSES ||
        x->trips > INT32_MAX || n->flags & (IR_FLAG_SIMD | IR_FLAG_LANES) || !ir_is_const(x->u, n->counted.lo, &lo) ||
        x->u->vars[n->counted.var].type != IR_I32 || pass_leaves_loop(x->u, n->counted.body))
        return false;
    x->inside = ir_effects_of_one(x->u, s);
    if (!pass_hands_on(x->u, n->counted.body)) return false;
    ir_stmt front = pass_clone_until(x->u, x->n.parfor.body, s);
    x->in_front = ir_effects_of(x->u, front);
    x->behind = ir_effects_of(x->u, node_of(x, s)->next);
    const uint32_t *wanted = pass_exposed(x->u, node_of(x, s)->next);
    if (!touches_nothing_else(x) ||
        !recurrences_find(&x->all, x->u, s, x->p->target->keep_order, ir_writes_arrays(&x->inside), wanted) ||
        is_much(x))
        return false;
    for (uint32_t l = x->all.levels; l-- > 0;) {
        scan_set_level(x, l);
        if (!reads_before(x)) return false;
    }
    return passes_are_apart(x) && find_front(x);
}

// Blocks of equal length, where the passes can be dealt out so.
static bool find_blocks(struct scanner *x, uint64_t iterations) {
    uint64_t inner = pass_passes_of(x->u, node_of(x, x->loop)->counted.body), busy = x->p->target->busy_invocations;
    uint64_t work = inner == UINT64_MAX ? PASS_UNKNOWN_TRIPS : inner + 1, least;
    uint64_t levels = x->all.levels, lanes = 1; // that would share the loops inside of a pass
    uint32_t settles = 0;
    for (uint32_t l = 0; l < levels; l++)
        work = x->all.of[l].count > work ? x->all.of[l].count : work; // each value has its own loads, if it has any
    least = PASS_SCAN_BLOCK / work;
    if (levels > 1 && inner != UINT64_MAX && inner >= PASS_SHARE_LEAST_PASSES)
        lanes = inner < PASS_WORKGROUP ? inner : PASS_WORKGROUP;
    if (busy < PASS_GPU_INVOCATIONS || iterations * lanes * PASS_SCAN_FEW * levels > busy ||
        x->trips < PASS_SCAN_LEAST_PASSES * levels)
        return false;
    if (least < PASS_SCAN_LEAST_BLOCK) least = PASS_SCAN_LEAST_BLOCK;
    if (x->trips * iterations > least * busy) least = x->trips * iterations / busy;
    x->each = least;
    uint64_t rows[] = {x->nest.depth ? x->nest.trips[x->nest.depth - 1] : 0, x->trips}; // blocks best lie in a row each
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t each = 2 * least; each-- > least && rows[i];)
            if (rows[i] % each == 0) x->each = each;
    for (uint32_t l = 0; l < levels; l++)
        settles = x->all.of[l].settles > settles ? x->all.of[l].settles : settles;
    while (x->trips % x->each && x->trips % x->each < settles)
        x->each++; // the last block, too, leaves what others leave
    x->blocks = (uint32_t)((x->trips + x->each - 1) / x->each);
    return x->blocks > 1;
}

// Passes at most of a loop of this iteration, by its bounds or by what it indexes. The scope is in front of the
// parallel loop.
static uint64_t most_passes(struct scanner *x, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(x, loop);
    uint32_t mark = pass_scope_enter(&x->sc);
    pass_scope_parfor(&x->sc, x->parfor);
    for (ir_stmt s = x->n.parfor.body; s != loop; s = node_of(x, s)->next)
        if (node_of(x, s)->kind == IR_ASSIGN) pass_scope_assign(&x->sc, s);
    uint64_t most = pass_most_trips(&x->sc, n->counted.lo, n->counted.hi, 1);
    struct pass_range first = pass_range_of(&x->sc, n->counted.lo);
    pass_scope_leave(&x->sc, mark);
    uint32_t indexed = pass_most_from_0(x->u, n->counted.body, n->counted.var);
    if (indexed && first.known && first.lo >= 0 && indexed < most) most = indexed;
    return first.known && most <= INT32_MAX && first.hi + (int64_t)most <= INT32_MAX ? most : UINT64_MAX;
}

// A loop whose bounds the iteration alone knows, as the last thread's share may be shorter than others, makes as many
// passes as any may make, of which those beyond its end do nothing: for (k < most) if (lo + k < hi) body. 0: there is
// no such bound.
static ir_stmt with_most_passes(struct scanner *x, ir_stmt loop) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, loop);
    uint64_t trips;
    uint32_t lo;
    bool known = n.kind == IR_FOR && ir_const_trips(u, loop, &trips); // from a place that the iteration alone knows
    if (n.kind != IR_FOR || n.counted.step != 1 || u->vars[n.counted.var].type != IR_I32 ||
        n.flags & (IR_FLAG_SIMD | IR_FLAG_LANES) || (known && ir_is_const(u, n.counted.lo, &lo)) ||
        pass_has_load(u, n.counted.lo) || pass_has_load(u, n.counted.hi) || pass_leaves_loop(u, n.counted.body))
        return 0;
    struct ir_effects body = ir_effects_of(u, n.counted.body);
    if (ir_mentions_any(u, n.counted.lo, body.vars_written) || ir_mentions_any(u, n.counted.hi, body.vars_written))
        return 0;
    uint64_t most = known ? trips : most_passes(x, loop);
    if (most < PASS_SCAN_LEAST_PASSES || most == UINT64_MAX) return 0;
    ir_var k = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    ir_expr at = ir_op2(u, IR_ADD, n.counted.lo, ir_var_read(u, k, n.loc), n.loc);
    ir_stmt pass = ir_clone_block(u, n.counted.body, NULL, NULL);
    pass_substitute(u, pass, n.counted.var, at);
    if (!known) pass = ir_if(u, ir_op2(u, IR_LT, at, n.counted.hi, n.loc), pass, 0, n.loc);
    return ir_for(u, k, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)most), 1, pass, n.loc);
}

// `one` in place of the loop is in x->n.
static void put_in_place(struct scanner *x, ir_stmt loop, ir_stmt one) {
    ir_stmt body = pass_clone_until(x->u, x->n.parfor.body, loop);
    ir_append(x->u, &body, one);
    ir_append(x->u, &body, pass_clone_until(x->u, node_of(x, loop)->next, 0));
    x->n.parfor.body = body;
}

bool scan_find(struct scanner *x, ir_stmt loop, uint64_t iterations) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = x->n;
    x->nest.depth = 0;
    if (fits_loop(x, loop) && find_blocks(x, iterations)) return true;
    bool cut = x->must_be_cut && find_blocks(x, iterations);
    ir_stmt most = cut ? 0 : with_most_passes(x, loop);
    if (most) {
        put_in_place(x, loop, most);
        struct pass_scope around = x->sc;
        pass_scope_init(&x->sc, u); // with the variable that was made
        bool fits = fits_loop(x, most) && find_blocks(x, iterations);
        x->sc = around;
        if (fits) return true;
        // from memory nobody would know how far apart the bounds are
        cut = x->must_be_cut && !ir_mentions_any(u, node_of(x, loop)->counted.lo, x->in_front.vars_written) &&
              !ir_mentions_any(u, node_of(x, loop)->counted.hi, x->in_front.vars_written) && find_blocks(x, iterations);
        x->n = n;
    }
    for (uint32_t depth = 2; !cut && pass_nest_find(&x->nest, u, loop, depth) && x->nest.depth == depth; depth++) {
        if (!counters_are_own(x, loop)) break;
        ir_stmt one = pass_nest_make(&x->nest);
        put_in_place(x, loop, one);
        if (fits_loop(x, one) && find_blocks(x, iterations)) return true;
        cut = x->must_be_cut && find_blocks(x, iterations);
        x->n = n;
    }
    x->nest.depth = 0;
    x->loop = loop;
    x->must_be_cut = cut;
    return false;
}
