// Which rounds of a loop exchange elements among few iterations alone, found by playing their bodies with numbers of
// which only the bits are known (analysis/bits.h), in each pass that the loop makes in the program. First with all bits
// of an iteration's number open: that gives the bits in which the elements of an iteration differ, and step by step, to
// and fro between the rounds, the iterations and elements that belong together. Then with those bits set: each access
// must now go to a known element of the group. Only this is relied on.
#include "pass/analysis/array_uses.h"
#include "pass/loops/butterfly.h"

#include <string.h>

struct run { // passes of the loop, from lo to hi
    int32_t values[BUTTERFLY_COUNTERS];
    int64_t lo, hi;
};

// The places of all accesses of a round to one array: as the first one has them, and the bits in which others differ.
struct pattern {
    bool loads, stores, seen;
    struct pass_bits first;
    uint32_t differ, inputs; // inputs: bits of the iteration's number that only some of them have
};

// Which bits belong to the group, in one pass.
struct closure {
    uint32_t numbers[PASS_BUTTERFLY_ROUNDS], places[2 * BUTTERFLY_ARRAYS];
};

struct finder {
    struct butterfly *b;
    struct ir_unit *u;
    uint8_t *slot; // as of struct pass_bits_env: counters, indices, whole numbers that bodies assign
    uint32_t slots;
    struct run runs[PASS_BUTTERFLY_RUNS];
    uint32_t run_count;
    uint64_t played;
    struct butterfly_group *group;
    uint32_t first_round;
    struct closure *closures; // [passes that are looked at]
    uint32_t closure_count;

    // of one walk
    struct pattern *patterns; // by array, where all bits are open; else NULL
    const struct butterfly_round *round;
    const struct butterfly_copy *copy;
    const struct closure *closure;
    uint32_t depth;                    // of branches that are open
    uint32_t surely[BUTTERFLY_ARRAYS]; // elements that the round stores, by array, as a set
    bool wrong;
};

uint32_t butterfly_array(const struct butterfly *b, ir_array a) {
    for (uint32_t k = 0; k < b->array_count; k++)
        if (b->arrays[k] == a) return k + 1;
    return 0;
}

static const struct ir_stmt_node *node_of(const struct finder *x, ir_stmt s) { return &x->u->stmts[s]; }
static uint32_t ones(uint32_t x) {
    uint32_t n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

// ---- the counters and the passes that they make ---------------------------------------------------------------------

static bool constant(const struct finder *x, struct pass_bits *values, ir_expr e, int32_t *out) {
    struct pass_bits_env env = {x->u, x->slot, values};
    struct pass_bits bits = pass_bits_of(&env, e);
    uint32_t word = 0;
    bool known = pass_bits_are_const(&bits, &word);
    *out = (int32_t)word;
    return known;
}

// The loop's passes for all values of the counters around, from the `at`-th on.
static bool list_runs(struct finder *x, struct pass_bits *values, struct run *now, uint32_t at) {
    const struct butterfly *b = x->b;
    int32_t lo, hi;
    if (at + 1 == b->counter_count) {
        if (x->run_count == PASS_BUTTERFLY_RUNS || !constant(x, values, node_of(x, b->loop)->counted.lo, &lo) ||
            !constant(x, values, node_of(x, b->loop)->counted.hi, &hi))
            return false;
        now->lo = lo;
        now->hi = hi;
        x->runs[x->run_count++] = *now;
        return true;
    }
    for (uint32_t k = 0; k < b->outer_count; k++) {
        const struct ir_stmt_node *n = node_of(x, b->outer[k]);
        if (n->counted.var != b->counters[at]) continue;
        if (n->counted.step < 1 || !constant(x, values, n->counted.lo, &lo) || !constant(x, values, n->counted.hi, &hi))
            return false;
        for (int64_t v = lo; v < hi; v += n->counted.step) {
            now->values[at] = (int32_t)v;
            values[at] = pass_bits_const((uint32_t)v);
            if (!list_runs(x, values, now, at + 1)) return false;
        }
        return true;
    }
    return false;
}

static bool find_counters(struct finder *x) {
    struct butterfly *b = x->b;
    uint32_t *reads = base_alloc_array(x->u->cx, x->u->var_count, sizeof *reads);
    ir_stmt next = node_of(x, b->loop)->next;
    x->u->stmts[b->loop].next = 0;
    pass_count_reads(x->u, b->loop, reads);
    x->u->stmts[b->loop].next = next;
    for (uint32_t k = 0; k < b->outer_count; k++) {
        ir_var v = node_of(x, b->outer[k])->counted.var;
        if (!reads[v]) continue;
        if (b->counter_count + 1 == BUTTERFLY_COUNTERS) return false;
        b->counters[b->counter_count++] = v;
    }
    b->counters[b->counter_count++] = node_of(x, b->loop)->counted.var;
    for (uint32_t k = 0; k < b->counter_count; k++)
        x->slot[b->counters[k]] = (uint8_t)(k + 1);
    x->slots = b->counter_count;
    return true;
}

// ---- the form -------------------------------------------------------------------------------------------------------

static bool new_slot(struct finder *x, ir_var v) {
    if (x->slot[v]) return true;
    if (x->slots == PASS_BUTTERFLY_VALUES) return false;
    x->slot[v] = (uint8_t)++x->slots;
    return true;
}

// A power of two, up to 2^30: which one.
static bool log_of(const struct ir_unit *u, ir_expr e, uint32_t *out) {
    uint32_t bits;
    if (!ir_is_const(u, e, &bits) || !bits || bits >> 31 || (bits & (bits - 1))) return false;
    for (*out = 0; bits >> *out > 1;)
        ++*out;
    return true;
}

static bool is_array(struct finder *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    bool words = info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32;
    uint32_t bits;
    for (uint32_t d = 1; d < info->ndims; d++)
        if (!log_of(x->u, info->dims[d], &bits)) return false;
    return ir_in_buffer(x->u, a) && words && !info->atomic && a != x->u->log;
}

struct form {
    struct finder *x;
    bool ok;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct form *f = user;
    struct finder *x = f->x;
    struct butterfly *b = x->b;
    const struct ir_stmt_node *n = node_of(x, s);
    f->ok &= (n->kind == IR_ASSIGN || n->kind == IR_STORE || n->kind == IR_IF) && !(n->flags & IR_FLAG_ATOMIC);
    if (!f->ok) return false;
    if (n->kind == IR_STORE && !butterfly_array(b, n->store.array)) {
        f->ok &= is_array(x, n->store.array) && b->array_count < BUTTERFLY_ARRAYS;
        if (f->ok) b->arrays[b->array_count++] = n->store.array;
    }
    if (n->kind == IR_ASSIGN && x->u->vars[n->assign.var].type != IR_F32)
        f->ok &= x->u->vars[n->assign.var].klass == IR_VAR_LOCAL && new_slot(x, n->assign.var);
    return f->ok;
}
static bool on_local(void *user, ir_expr e) {
    struct form *f = user;
    const struct ir_node *n = &f->x->u->nodes[e];
    f->ok &= n->op != IR_LOAD || f->x->u->arrays[n->a].klass != IR_ARRAY_LOCAL;
    return f->ok;
}

static bool has_form(struct finder *x) {
    struct butterfly *b = x->b;
    struct ir_unit *u = x->u;
    if (!find_counters(x)) return false;
    for (ir_stmt s = node_of(x, b->loop)->counted.body; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node *n = node_of(x, s);
        if (n->kind != IR_PARFOR || n->parfor.reduction_count || n->flags & IR_FLAG_LANES ||
            b->parfor_count == BUTTERFLY_PARFORS)
            return false;
        uint32_t *bits = &b->bits[b->parfor_count], lo, more;
        b->parfors[b->parfor_count++] = s;
        for (uint32_t d = 0; d < n->parfor.dim_count; d++, *bits += more) {
            const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
            if (dim->step != 1 || !ir_is_const(u, dim->lo, &lo) || lo || !log_of(u, dim->hi, &more) ||
                !new_slot(x, dim->var))
                return false;
        }
        struct form f = {.x = x, .ok = *bits <= 30};
        if (f.ok) ir_walk_stmts(u, n->parfor.body, on_stmt, &f);
        if (f.ok) ir_walk_nodes(u, n->parfor.body, on_local, &f);
        if (!f.ok) return false;
    }
    return b->array_count > 0;
}

// ---- a walk through a body ------------------------------------------------------------------------------------------

static struct pass_bits place_of(const struct finder *x, struct pass_bits *values, ir_array a,
                                 const uint32_t *indices) {
    const struct ir_array_info *info = &x->u->arrays[a];
    struct pass_bits_env env = {x->u, x->slot, values};
    struct pass_bits at = pass_bits_of(&env, indices[info->ndims - 1]);
    uint32_t from = 0, bits = 0;
    for (uint32_t d = info->ndims - 1; d > 0; d--) {
        if (!log_of(x->u, info->dims[d], &bits)) return at;
        struct pass_bits outer = pass_bits_of(&env, indices[d - 1]);
        for (uint32_t i = from + bits; i < 32; i++) {
            if (at.bit[i] != PASS_BIT_0) at.bit[0] = PASS_BIT_UNKNOWN; // beyond the row
            at.bit[i] = outer.bit[i - from - bits];
        }
        from += bits;
    }
    return at;
}

static void note_pattern(struct finder *x, struct pattern *p, const struct pass_bits *at, bool store) {
    p->stores |= store;
    p->loads |= !store;
    if (!p->seen) p->first = *at;
    p->seen = true;
    for (uint32_t i = 0; i < 32; i++) {
        uint8_t one = p->first.bit[i], other = at->bit[i];
        x->wrong |= one == PASS_BIT_UNKNOWN || other == PASS_BIT_UNKNOWN;
        if (one == other) continue;
        p->differ |= 1u << i;
        if (one >= PASS_BIT_INPUT) p->inputs |= 1u << (one - PASS_BIT_INPUT) / 2;
        if (other >= PASS_BIT_INPUT) p->inputs |= 1u << (other - PASS_BIT_INPUT) / 2;
    }
}

// Which element of the group it is, 1 + its number.
static uint8_t element_at(struct finder *x, const struct pass_bits *at, uint32_t places) {
    uint32_t element = 0, known = 0, open = 0;
    for (uint32_t i = 0; i < 32; i++) {
        if (places >> i & 1) {
            x->wrong |= at->bit[i] > PASS_BIT_1;
            element |= (uint32_t)(at->bit[i] & 1) << known++;
        } else {
            x->wrong |= at->bit[i] != (open < x->group->bits ? PASS_BIT_INPUT + 2 * open : PASS_BIT_0);
            open++;
        }
    }
    return (uint8_t)(element + 1);
}

static void access(struct finder *x, struct pass_bits *values, ir_array a, const uint32_t *indices, uint8_t *fact,
                   bool store) {
    uint32_t k = butterfly_array(x->b, a);
    if (!k || x->wrong) return;
    struct pass_bits at = place_of(x, values, a, indices);
    if (x->patterns) {
        note_pattern(x, &x->patterns[k - 1], &at, store);
        return;
    }
    uint8_t element = element_at(x, &at, x->closure->places[x->round->version[k - 1] - 1]);
    x->wrong |= *fact && *fact != element;
    *fact = element;
    if (store && !x->depth) x->surely[k - 1] |= 1u << (element - 1);
}

struct loads {
    struct finder *x;
    struct pass_bits *values;
};
static bool on_node(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_node *n = &l->x->u->nodes[e];
    if (n->op == IR_LOAD)
        access(l->x, l->values, n->a, &l->x->u->args[n->b], l->x->patterns ? NULL : &l->x->copy->load[e], false);
    return true;
}
static void loads_of(struct finder *x, struct pass_bits *values, ir_expr e) {
    struct loads l = {x, values};
    if (e) ir_walk_expr(x->u, e, on_node, &l);
}

// The condition holds or does not: where it is a bit of the number, that bit is known, too.
static void assume(const struct finder *x, struct pass_bits *values, ir_expr e, bool holds) {
    struct pass_bits_env env = {x->u, x->slot, values};
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_NOT) assume(x, values, n->a, !holds);
    if (n->op == (holds ? IR_LAND : IR_LOR)) {
        assume(x, values, n->a, holds);
        assume(x, values, n->b, holds);
    }
    uint8_t cond = pass_bits_of(&env, e).bit[0];
    if (cond < PASS_BIT_INPUT || !x->patterns) return;
    for (uint32_t k = 0; k < x->slots; k++)
        for (uint32_t i = 0; i < 32; i++)
            if (values[k].bit[i] >> 1 == cond >> 1 && values[k].bit[i] >= PASS_BIT_INPUT)
                values[k].bit[i] = holds == (values[k].bit[i] == cond) ? PASS_BIT_1 : PASS_BIT_0;
}

static void walk(struct finder *x, struct pass_bits *values, ir_stmt block);

static void walk_branch(struct finder *x, struct pass_bits *values, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(x, s);
    struct pass_bits_env env = {x->u, x->slot, values};
    uint8_t way = pass_bits_of(&env, n->branch.cond).bit[0];
    loads_of(x, values, n->branch.cond);
    if (x->copy)
        x->copy->branch[s] |= way == PASS_BIT_1 ? BUTTERFLY_THEN : way == PASS_BIT_0 ? BUTTERFLY_ELSE : BUTTERFLY_OPEN;
    if (way <= PASS_BIT_1) {
        walk(x, values, way ? n->branch.then_block : n->branch.else_block);
        return;
    }
    struct pass_bits begin[2][PASS_BUTTERFLY_VALUES], end[2][PASS_BUTTERFLY_VALUES];
    x->depth++;
    for (uint32_t k = 0; k < 2; k++) {
        memcpy(begin[k], values, x->slots * sizeof *values);
        assume(x, begin[k], n->branch.cond, k == 0);
        memcpy(end[k], begin[k], x->slots * sizeof *values);
        walk(x, end[k], k == 0 ? n->branch.then_block : n->branch.else_block);
    }
    x->depth--;
    for (uint32_t k = 0; k < x->slots; k++) {
        bool same = memcmp(&begin[0][k], &end[0][k], sizeof *values) == 0 &&
                    memcmp(&begin[1][k], &end[1][k], sizeof *values) == 0;
        if (same) continue; // none of the two assigns it
        values[k] = end[0][k];
        pass_bits_meet(&values[k], &end[1][k]);
    }
}

static void walk(struct finder *x, struct pass_bits *values, ir_stmt block) {
    for (ir_stmt s = block; s && !x->wrong; s = node_of(x, s)->next) {
        const struct ir_stmt_node *n = node_of(x, s);
        if (n->kind == IR_IF) {
            walk_branch(x, values, s);
        } else if (n->kind == IR_ASSIGN) {
            struct pass_bits_env env = {x->u, x->slot, values};
            loads_of(x, values, n->assign.value);
            uint8_t slot = x->slot[n->assign.var];
            if (slot) values[slot - 1] = pass_bits_of(&env, n->assign.value);
        } else {
            loads_of(x, values, n->store.value);
            access(x, values, n->store.array, &x->u->args[n->store.indices], x->patterns ? NULL : &x->copy->store[s],
                   true);
        }
    }
}

// A round's body, in a group whose first pass is `first`, for the iteration with that number.
static void play(struct finder *x, const struct run *r, int64_t first, const struct butterfly_round *round,
                 const struct pass_bits *number) {
    struct pass_bits values[PASS_BUTTERFLY_VALUES];
    const struct butterfly *b = x->b;
    const struct ir_stmt_node *n = node_of(x, b->parfors[round->parfor]);
    memset(values, PASS_BIT_UNKNOWN, sizeof values);
    for (uint32_t k = 0; k + 1 < b->counter_count; k++)
        values[k] = pass_bits_const((uint32_t)r->values[k]);
    int64_t pass = first + (int64_t)round->pass * node_of(x, b->loop)->counted.step;
    values[b->counter_count - 1] = pass_bits_const((uint32_t)pass);
    uint32_t from = 0, bits = 0;
    for (uint32_t d = n->parfor.dim_count; d-- > 0; from += bits) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        log_of(x->u, dim->hi, &bits);
        struct pass_bits *index = &values[x->slot[dim->var] - 1];
        for (uint32_t i = 0; i < 32; i++)
            index->bit[i] = i < bits ? number->bit[from + i] : PASS_BIT_0;
    }
    x->round = round;
    x->depth = 0;
    x->played++;
    walk(x, values, n->parfor.body);
}

// ---- what belongs together ------------------------------------------------------------------------------------------

typedef bool look_fn(struct finder *x, const struct run *r, int64_t first);
static bool each_pass(struct finder *x, look_fn *fn) {
    int64_t step = node_of(x, x->b->loop)->counted.step;
    for (uint32_t k = 0; k < x->run_count; k++)
        for (int64_t at = x->runs[k].lo; at + (x->b->passes - 1) * step < x->runs[k].hi; at += x->b->passes * step)
            if (x->played > PASS_BUTTERFLY_PLAYED || !fn(x, &x->runs[k], at)) return false;
    return true;
}

static bool grow(uint32_t *set, uint32_t more) {
    uint32_t before = *set;
    *set |= more;
    return *set != before;
}

// The bits of places and numbers that come along with those that are in already.
static bool spread(const struct pattern *p, uint32_t *places, uint32_t *numbers) {
    bool more = grow(places, p->differ) | grow(numbers, p->inputs);
    for (uint32_t i = 0; i < 32; i++) {
        if (p->first.bit[i] < PASS_BIT_INPUT) continue;
        uint32_t input = (p->first.bit[i] - PASS_BIT_INPUT) / 2u;
        if (*places >> i & 1) more |= grow(numbers, 1u << input);
        if (*numbers >> input & 1) more |= grow(places, 1u << i);
    }
    return more;
}

// Bits that are the same in all places of a round: other rounds touch the elements in which they differ.
static void note_fixed(struct pattern *p) {
    bool inside = false;
    for (uint32_t i = 32; i-- > 0;) {
        uint8_t bit = p->first.bit[i];
        if (bit == PASS_BIT_1 || (bit == PASS_BIT_0 && inside)) p->differ |= 1u << i;
        inside |= bit != PASS_BIT_0 || p->differ >> i & 1;
    }
}

// Bits of the number that no place has: what differs in them alone touches the same elements.
static uint32_t without_place(const struct finder *x, const struct pattern *patterns, uint32_t parfor) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < x->b->array_count; k++)
        for (uint32_t i = 0; i < 32 && patterns[k].seen; i++)
            if (patterns[k].first.bit[i] >= PASS_BIT_INPUT)
                found |= 1u << (patterns[k].first.bit[i] - PASS_BIT_INPUT) / 2;
    return ((1u << x->b->bits[parfor]) - 1) & ~found;
}

// A round begins another version of an array that it stores and does not load.
static bool find_versions(struct finder *x, struct pattern (*patterns)[BUTTERFLY_ARRAYS]) {
    struct butterfly_group *g = x->group;
    uint8_t now[BUTTERFLY_ARRAYS] = {0}; // 1 + the version
    g->version_count = 0;
    for (uint32_t r = 0; r < x->b->rounds; r++)
        for (uint32_t k = 0; k < x->b->array_count; k++) {
            const struct pattern *p = &patterns[r][k];
            if (p->seen && (!now[k] || !p->loads)) {
                if (g->version_count == 2 * BUTTERFLY_ARRAYS) return false;
                g->versions[g->version_count] = (struct butterfly_version){.array = k, .loaded = p->loads, .first = r};
                now[k] = (uint8_t)++g->version_count;
            }
            if (p->stores) g->versions[now[k] - 1].written = true;
            g->rounds[r].version[k] = now[k];
        }
    return true;
}

static bool close_sets(struct finder *x, const struct run *run, int64_t first) {
    const struct butterfly *b = x->b;
    struct pattern patterns[PASS_BUTTERFLY_ROUNDS][BUTTERFLY_ARRAYS];
    struct closure *c = &x->closures[x->closure_count];
    memset(patterns, 0, sizeof patterns);
    memset(c, 0, sizeof *c);
    struct pass_bits number;
    for (uint32_t i = 0; i < 32; i++)
        number.bit[i] = (uint8_t)(PASS_BIT_INPUT + 2 * i);
    for (uint32_t r = 0; r < b->rounds; r++) {
        x->patterns = patterns[r];
        x->copy = NULL;
        play(x, run, first, &x->group->rounds[r], &number);
        x->patterns = NULL;
        if (x->wrong) return false;
        for (uint32_t k = 0; k < b->array_count; k++)
            if (patterns[r][k].seen) note_fixed(&patterns[r][k]);
        c->numbers[r] = without_place(x, patterns[r], x->group->rounds[r].parfor);
    }
    if (!x->closure_count && !find_versions(x, patterns)) return false;
    bool more;
    do {
        more = false;
        for (uint32_t r = 0; r < b->rounds; r++)
            for (uint32_t k = 0; k < b->array_count; k++)
                if (patterns[r][k].seen)
                    more |= spread(&patterns[r][k], &c->places[x->group->rounds[r].version[k] - 1], &c->numbers[r]);
    } while (more);
    for (uint32_t r = 0; r < b->rounds; r++)
        if (ones(c->numbers[r]) > BUTTERFLY_BITS) return false;
    for (uint32_t v = 0; v < x->group->version_count; v++)
        if (ones(c->places[v]) > BUTTERFLY_BITS) return false;
    x->closure_count++;
    return true;
}

// ---- places that move with the counters -----------------------------------------------------------------------------

static uint32_t nth(uint32_t set, uint32_t n) {
    for (; n > 0; n--)
        set &= set - 1;
    uint32_t at = 0;
    while (at < 32 && !(set >> at & 1))
        at++;
    return at;
}

static int64_t at_counters(const struct finder *x, const struct butterfly_bit *bit, const struct run *r,
                           int64_t first) {
    const struct butterfly *b = x->b;
    int64_t place = bit->offset + bit->slopes[b->counter_count - 1] * first;
    for (uint32_t k = 0; k + 1 < b->counter_count; k++)
        place += (int64_t)bit->slopes[k] * r->values[k];
    return place;
}

// The n-th bit of a set moves by these slopes in all passes.
static bool moves_so(const struct finder *x, struct butterfly_bit *bit, size_t set, uint32_t n) {
    int64_t step = node_of(x, x->b->loop)->counted.step;
    uint32_t at = 0;
    for (uint32_t k = 0; k < x->run_count; k++)
        for (int64_t p = x->runs[k].lo; p + (x->b->passes - 1) * step < x->runs[k].hi; p += x->b->passes * step, at++) {
            uint32_t place = nth(*(const uint32_t *)((const char *)&x->closures[at] + set), n);
            if (!at) bit->offset = (int32_t)(place - at_counters(x, bit, &x->runs[k], p));
            if (at_counters(x, bit, &x->runs[k], p) != place) return false;
        }
    return true;
}

// Doubling and halving move a bit by one place a pass: slopes are -1, 0 or 1.
static bool find_slopes(const struct finder *x, struct butterfly_bit *bit, size_t set, uint32_t n) {
    uint32_t all = 1;
    for (uint32_t k = 0; k < x->b->counter_count; k++)
        all *= 3;
    for (uint32_t guess = 0; guess < all; guess++) {
        uint32_t rest = guess;
        for (uint32_t k = 0; k < x->b->counter_count; k++, rest /= 3)
            bit->slopes[k] = rest % 3 == 2 ? -1 : (int32_t)(rest % 3);
        bit->offset = 0;
        if (moves_so(x, bit, set, n)) return true;
    }
    return false;
}

static bool find_set(const struct finder *x, struct butterfly_set *out, size_t set) {
    const uint32_t *of = (const uint32_t *)((const char *)x->closures + set);
    out->count = ones(*of);
    for (uint32_t c = 1; c < x->closure_count; c++)
        if (ones(*(const uint32_t *)((const char *)&x->closures[c] + set)) != out->count) return false;
    for (uint32_t n = 0; n < out->count; n++)
        if (!find_slopes(x, &out->bits[n], set, n)) return false;
    return true;
}

static bool find_sets(struct finder *x) {
    struct butterfly_group *g = x->group;
    for (uint32_t r = 0; r < x->b->rounds; r++)
        if (!find_set(x, &g->rounds[r].numbers, offsetof(struct closure, numbers) + r * sizeof(uint32_t))) return false;
    for (uint32_t v = 0; v < g->version_count; v++)
        if (!find_set(x, &g->versions[v].places, offsetof(struct closure, places) + v * sizeof(uint32_t))) return false;
    return true;
}

// ---- the proof ------------------------------------------------------------------------------------------------------

// Every access of every copy goes to a known element of the group.
static bool is_closed(struct finder *x, const struct run *run, int64_t first) {
    const struct butterfly *b = x->b;
    x->closure = &x->closures[x->closure_count++];
    for (uint32_t r = 0; r < b->rounds; r++) {
        const struct butterfly_round *round = &x->group->rounds[r];
        memset(x->surely, 0, sizeof x->surely);
        for (uint32_t c = 0; c < 1u << round->numbers.count; c++) {
            struct pass_bits number = pass_bits_const(0);
            uint32_t set = 0, open = 0;
            for (uint32_t i = 0; i < b->bits[round->parfor]; i++)
                number.bit[i] =
                    x->closure->numbers[r] >> i & 1 ? c >> set++ & 1 : (uint8_t)(PASS_BIT_INPUT + 2 * open++);
            x->copy = &round->copies[c];
            play(x, run, first, round, &number);
            if (x->wrong) return false;
        }
        for (uint32_t v = 0; v < x->group->version_count; v++) {
            const struct butterfly_version *version = &x->group->versions[v];
            uint64_t all = ((uint64_t)1 << (1u << version->places.count)) - 1;
            if (version->first == r && !version->loaded && x->surely[version->array] != all) return false;
        }
    }
    return true;
}

static bool is_allowed(struct finder *x) {
    const struct butterfly *b = x->b;
    struct butterfly_group *g = x->group;
    uint32_t statements = 0;
    g->bits = b->bits[g->rounds[0].parfor] - g->rounds[0].numbers.count;
    for (uint32_t r = 0; r < b->rounds; r++) {
        const struct butterfly_round *round = &g->rounds[r];
        uint32_t words = 0;
        if (round->numbers.count > b->bits[round->parfor] || b->bits[round->parfor] - round->numbers.count != g->bits)
            return false;
        for (uint32_t k = 0; k < b->array_count; k++)
            if (round->version[k]) words += 1u << g->versions[round->version[k] - 1].places.count;
        statements += pass_size(x->u, node_of(x, b->parfors[round->parfor])->parfor.body) << round->numbers.count;
        if (words > PASS_BUTTERFLY_WORDS) return false;
    }
    for (uint32_t v = 0; v < g->version_count; v++) {
        uint32_t bits = g->bits + g->versions[v].places.count;
        uint64_t size = pass_elements(x->u, b->arrays[g->versions[v].array], 0, PASS_MOST_INDEXED);
        if (bits > 30 || size == UINT64_MAX || size < (uint64_t)1 << bits) return false;
    }
    return statements <= PASS_BUTTERFLY_STATEMENTS;
}

static void make_copies(struct finder *x) {
    struct base_cx *cx = x->u->cx;
    for (uint32_t r = 0; r < x->b->rounds; r++) {
        struct butterfly_round *round = &x->group->rounds[r];
        round->copies = base_alloc_array(cx, (size_t)1 << round->numbers.count, sizeof *round->copies);
        for (uint32_t c = 0; c < 1u << round->numbers.count; c++) {
            round->copies[c].load = base_alloc_array(cx, x->u->node_count, 1);
            round->copies[c].store = base_alloc_array(cx, x->u->stmt_count, 1);
            round->copies[c].branch = base_alloc_array(cx, x->u->stmt_count, 1);
        }
    }
}

static bool find_group(struct finder *x, uint32_t number) {
    struct butterfly *b = x->b;
    x->group = &b->groups[number];
    x->group->rounds = base_alloc_array(x->u->cx, b->rounds, sizeof *x->group->rounds);
    for (uint32_t r = 0; r < b->rounds; r++) {
        uint32_t round = number * b->rounds + r;
        x->group->rounds[r].parfor = round % b->parfor_count;
        x->group->rounds[r].pass = round / b->parfor_count;
    }
    x->wrong = false;
    x->closure_count = 0;
    if (!each_pass(x, close_sets) || !x->closure_count || !find_sets(x) || !is_allowed(x)) return false;
    make_copies(x);
    x->closure_count = 0;
    return each_pass(x, is_closed);
}

// ---- what the arrays themselves must hold ---------------------------------------------------------------------------

// Nobody loads, behind the group, what its last round left in the array: the next that touches it stores all of it.
static bool is_dead(const struct finder *x, uint32_t number, uint32_t k) {
    const struct butterfly *b = x->b;
    ir_array a = b->arrays[k];
    uint32_t all = b->group_count * b->rounds;
    for (uint32_t round = (number + 1) * b->rounds; round < all + b->parfor_count; round++) {
        ir_stmt parfor = b->parfors[round % b->parfor_count];
        struct pass_uses uses = pass_uses_of(x->u, node_of(x, parfor)->parfor.body, 0);
        if (!uses.all[a]) continue;
        if (uses.all[a] != uses.stores[a] || !pass_covers(b->covered, parfor, a)) return false;
        if (round < all) return true;
        // behind the groups comes the same loop again, or what follows it
        ir_stmt next = node_of(x, b->loop)->next;
        x->u->stmts[b->loop].next = 0;
        uint32_t inside = pass_uses_of(x->u, b->loop, 0).all[a];
        x->u->stmts[b->loop].next = next;
        return x->u->arrays[a].klass == IR_ARRAY_SCRATCH && pass_uses_of(x->u, x->u->root, 0).all[a] == inside;
    }
    return false;
}

bool butterfly_same_set(const struct butterfly_set *a, const struct butterfly_set *b) {
    return a->count == b->count && memcmp(a->bits, b->bits, a->count * sizeof *a->bits) == 0;
}

// What a group loads from an array it may store there only if it is of the same elements: others load the rest.
static bool settle_memory(struct finder *x, uint32_t number) {
    const struct butterfly *b = x->b;
    struct butterfly_group *g = &b->groups[number];
    for (uint32_t k = 0; k < b->array_count; k++) {
        struct butterfly_version *first = NULL, *last = NULL;
        for (uint32_t v = 0; v < g->version_count; v++) {
            if (g->versions[v].array != k) continue;
            uint64_t stored = (uint64_t)1 << (g->bits + g->versions[v].places.count);
            bool whole = pass_elements(x->u, b->arrays[k], 0, PASS_MOST_INDEXED) == stored;
            if (last && last->written && !whole) return false; // some of the one before would be left
            if (!first) first = &g->versions[v];
            last = &g->versions[v];
        }
        if (!first || !last->written || is_dead(x, number, k)) continue;
        last->stored = true;
        if (first->loaded && !butterfly_same_set(&first->places, &last->places)) return false;
    }
    return true;
}

// ---- how many rounds ------------------------------------------------------------------------------------------------

static uint32_t passes_for(const struct butterfly *b, uint32_t rounds) {
    uint32_t passes = 1;
    while (passes * b->parfor_count % rounds)
        passes++;
    return passes;
}

static bool try_rounds(struct finder *x, uint32_t rounds) {
    struct butterfly *b = x->b;
    b->rounds = rounds;
    b->passes = passes_for(b, rounds);
    b->group_count = b->passes * b->parfor_count / rounds;
    b->groups = base_alloc_array(x->u->cx, b->group_count, sizeof *b->groups);
    for (uint32_t n = 0; n < b->group_count; n++)
        if (!find_group(x, n)) return false;
    for (uint32_t n = 0; n < b->group_count; n++)
        if (!settle_memory(x, n)) return false;
    return true;
}

// Parallel loops that are left of all passes.
static uint64_t loops_left(const struct finder *x, uint32_t rounds) {
    const struct butterfly *b = x->b;
    uint64_t sum = 0, passes = passes_for(b, rounds);
    for (uint32_t k = 0; k < x->run_count; k++) {
        int64_t span = x->runs[k].hi - x->runs[k].lo, step = node_of(x, b->loop)->counted.step;
        uint64_t all = span > 0 ? (uint64_t)((span + step - 1) / step) : 0;
        sum += all / passes * passes * b->parfor_count / rounds + all % passes * b->parfor_count;
    }
    return sum;
}

bool butterfly_find(struct butterfly *io) {
    struct ir_unit *u = io->u;
    struct finder *x = base_alloc_array(u->cx, 1, sizeof *x);
    struct pass_bits values[PASS_BUTTERFLY_VALUES];
    struct run now = {0};
    x->b = io;
    x->u = u;
    x->slot = base_alloc_array(u->cx, u->var_count, 1);
    memset(values, PASS_BIT_UNKNOWN, sizeof values);
    if (node_of(x, io->loop)->counted.step < 1 || !has_form(x) || !list_runs(x, values, &now, 0)) return false;
    uint64_t passes = loops_left(x, 1);
    if (passes > PASS_BUTTERFLY_PASSES) return false;
    x->closures = base_alloc_array(u->cx, passes, sizeof *x->closures);
    bool tried[PASS_BUTTERFLY_ROUNDS + 1] = {0};
    for (uint32_t n = 2; n <= PASS_BUTTERFLY_ROUNDS; n++) {
        uint32_t best = 0; // the fewest loops first
        for (uint32_t rounds = 2; rounds <= PASS_BUTTERFLY_ROUNDS; rounds++)
            if (!tried[rounds] && (!best || loops_left(x, rounds) < loops_left(x, best))) best = rounds;
        tried[best] = true;
        if (loops_left(x, best) < passes && try_rounds(x, best)) return true;
    }
    return false;
}
