// Which rounds of a loop exchange elements among few iterations alone, found by playing their bodies in each pass that
// the loop makes in the program (analysis/bit_places.h). First with all bits of an iteration's number open: that gives
// the bits in which the elements of an iteration differ, and step by step, to and fro between the rounds, the
// iterations and elements that belong together. Then with those bits set: each access must now go to a known element
// of the group. Only this is relied on.
#include "pass/loops/butterfly.h"

#include <string.h>

#include "pass/analysis/array_uses.h"

// Which bits belong to the group, in one pass.
struct closure {
    uint32_t numbers[PASS_BUTTERFLY_ROUNDS], places[2 * BUTTERFLY_ARRAYS];
};
#define WORDS (sizeof(struct closure) / sizeof(uint32_t))

struct finder {
    struct butterfly *b;
    struct ir_unit *u;
    uint64_t played;
    struct butterfly_group *group;
    struct closure *closures; // [passes that are looked at]
    uint32_t closure_count;
    struct pass_bit_pattern first[PASS_BUTTERFLY_ROUNDS][BUTTERFLY_ARRAYS]; // as the first of them has them

    // of one walk
    struct pass_bit_pattern *patterns; // by array, where all bits are open; else NULL
    const struct butterfly_round *round;
    const struct butterfly_copy *copy;
    const struct closure *closure;
    uint32_t surely[BUTTERFLY_ARRAYS]; // elements that the round stores, by array, as a set
    bool wrong;
};

uint32_t butterfly_array(const struct butterfly *b, ir_array a) {
    for (uint32_t k = 0; k < b->array_count; k++)
        if (b->arrays[k] == a) return k + 1;
    return 0;
}

static const struct ir_stmt_node *node_of(const struct finder *x, ir_stmt s) { return &x->u->stmts[s]; }
static uint32_t ones(uint32_t x) { return (uint32_t)__builtin_popcount(x); }

// ---- the form -------------------------------------------------------------------------------------------------------

static bool on_store(void *user, ir_stmt s) {
    struct finder *x = user;
    const struct ir_stmt_node *n = node_of(x, s);
    if (n->kind != IR_STORE || butterfly_array(x->b, n->store.array)) return true;
    x->wrong |= x->b->array_count == BUTTERFLY_ARRAYS;
    if (!x->wrong) x->b->arrays[x->b->array_count++] = n->store.array;
    return true;
}

static bool has_form(struct finder *x) {
    struct butterfly *b = x->b;
    struct ir_unit *u = x->u;
    for (ir_stmt s = node_of(x, b->player.loop)->counted.body; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node *n = node_of(x, s);
        if (n->kind != IR_PARFOR || n->parfor.reduction_count || n->flags & IR_FLAG_LANES ||
            b->parfor_count == BUTTERFLY_PARFORS)
            return false;
        uint32_t *bits = &b->bits[b->parfor_count], lo, hi, more;
        b->parfors[b->parfor_count++] = s;
        for (uint32_t d = 0; d < n->parfor.dim_count; d++, *bits += more) {
            const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
            if (dim->step != 1 || !ir_is_const(u, dim->lo, &lo) || lo || !ir_is_const(u, dim->hi, &hi) ||
                !pass_bits_log(hi, &more))
                return false;
        }
        if (*bits > 30) return false;
    }
    if (!b->parfor_count || !pass_bits_begin(&b->player)) return false;
    for (uint32_t k = 0; k < b->parfor_count; k++) {
        const struct ir_stmt_node *n = node_of(x, b->parfors[k]);
        for (uint32_t d = 0; d < n->parfor.dim_count; d++)
            if (!pass_bits_slot(&b->player, u->dims[n->parfor.dims + d].var)) return false;
        if (!pass_bits_admit(&b->player, n->parfor.body)) return false;
        ir_walk_stmts(u, n->parfor.body, on_store, x);
    }
    return b->array_count > 0 && !x->wrong;
}

// ---- a round --------------------------------------------------------------------------------------------------------

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

static void on_access(void *user, ir_array a, const struct pass_bits *at, const struct pass_bits *here, ir_expr load,
                      ir_stmt s, bool surely) {
    struct finder *x = user;
    uint32_t k = butterfly_array(x->b, a);
    if (!k) return;
    if (x->patterns) {
        struct pass_bit_pattern *p = &x->patterns[k - 1];
        pass_bits_note(p, at, here, !load);
        x->wrong |= p->unknown;
    } else {
        uint8_t *fact = load ? &x->copy->load[load] : &x->copy->store[s];
        uint8_t element = element_at(x, at, x->closure->places[x->round->version[k - 1] - 1]);
        x->wrong |= *fact && *fact != element;
        *fact = element;
        if (!load && surely) x->surely[k - 1] |= 1u << (element - 1);
    }
    x->b->player.stopped = x->wrong;
}

static void on_branch(void *user, ir_stmt s, uint8_t way) {
    struct finder *x = user;
    if (x->copy)
        x->copy->branch[s] |= way == PASS_BIT_1 ? BUTTERFLY_THEN : way == PASS_BIT_0 ? BUTTERFLY_ELSE : BUTTERFLY_OPEN;
}

// A round's body, in a group whose first pass is `first`, for the iteration with that number.
static void play(struct finder *x, const struct pass_bit_run *run, int64_t first, const struct butterfly_round *round,
                 const struct pass_bits *number) {
    struct pass_bit_state state;
    struct pass_bit_player *p = &x->b->player;
    const struct ir_stmt_node *n = node_of(x, x->b->parfors[round->parfor]);
    pass_bits_enter(p, run, first + (int64_t)round->pass * node_of(x, p->loop)->counted.step, &state);
    uint32_t from = 0, bits = 0, size = 0;
    for (uint32_t d = n->parfor.dim_count; d-- > 0; from += bits) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        ir_is_const(x->u, dim->hi, &size);
        pass_bits_log(size, &bits);
        pass_bits_set(p, &state, dim->var, pass_bits_part(number, from, bits));
    }
    x->round = round;
    x->wrong |= ++x->played > PASS_BUTTERFLY_PLAYED;
    p->user = x;
    p->access = on_access;
    p->branch = on_branch;
    p->stopped = x->wrong;
    p->depth = 0;
    pass_bits_walk(p, &state, n->parfor.body);
}

// ---- what belongs together ------------------------------------------------------------------------------------------

static bool grow(uint32_t *set, uint32_t more) {
    uint32_t before = *set;
    *set |= more;
    return *set != before;
}

// The bits of places and numbers that come along with those that are in already.
static bool spread(const struct pass_bit_pattern *p, uint32_t *places, uint32_t *numbers) {
    bool more = grow(places, p->differ);
    more |= grow(numbers, p->inputs);
    for (uint32_t i = 0; i < 32; i++) {
        if (p->first.bit[i] < PASS_BIT_INPUT) continue;
        uint32_t input = (p->first.bit[i] - PASS_BIT_INPUT) / 2u;
        if (*places >> i & 1) more |= grow(numbers, 1u << input);
        if (*numbers >> input & 1) more |= grow(places, 1u << i);
    }
    return more;
}

// Bits that are the same in all places of a round: other rounds touch the elements in which they differ.
static void note_fixed(struct pass_bit_pattern *p) {
    bool inside = false;
    for (uint32_t i = 32; i-- > 0;) {
        uint8_t bit = p->first.bit[i];
        if (bit == PASS_BIT_1 || (bit == PASS_BIT_0 && inside)) p->differ |= 1u << i;
        inside |= bit != PASS_BIT_0 || p->differ >> i & 1;
    }
}

// Bits of the number that no place has: what differs in them alone touches the same elements.
static uint32_t without_place(const struct finder *x, const struct pass_bit_pattern *patterns, uint32_t parfor) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < x->b->array_count; k++)
        found |= pass_bits_inputs(&patterns[k], 0);
    return ((1u << x->b->bits[parfor]) - 1) & ~found;
}

// A round begins another version of an array that it stores and does not load.
static bool find_versions(struct finder *x, struct pass_bit_pattern (*patterns)[BUTTERFLY_ARRAYS]) {
    struct butterfly_group *g = x->group;
    uint8_t now[BUTTERFLY_ARRAYS] = {0}; // 1 + the version
    g->version_count = 0;
    for (uint32_t r = 0; r < x->b->rounds; r++)
        for (uint32_t k = 0; k < x->b->array_count; k++) {
            const struct pass_bit_pattern *p = &patterns[r][k];
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

// Versions are made of what the first pass does with the arrays; so all passes have to do it.
static bool same_accesses(const struct finder *x, struct pass_bit_pattern (*patterns)[BUTTERFLY_ARRAYS]) {
    for (uint32_t r = 0; r < x->b->rounds; r++)
        for (uint32_t k = 0; k < x->b->array_count; k++) {
            const struct pass_bit_pattern *one = &x->first[r][k], *p = &patterns[r][k];
            if (one->seen != p->seen || one->loads != p->loads || one->stores != p->stores) return false;
        }
    return true;
}

static bool close_sets(void *user, const struct pass_bit_run *run, int64_t first) {
    struct finder *x = user;
    const struct butterfly *b = x->b;
    struct pass_bit_pattern patterns[PASS_BUTTERFLY_ROUNDS][BUTTERFLY_ARRAYS];
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
    if (!x->closure_count) {
        memcpy(x->first, patterns, sizeof patterns);
        if (!find_versions(x, patterns)) return false;
    }
    if (!same_accesses(x, patterns)) return false;
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

static uint32_t nth(uint32_t set, uint32_t n) { // which has more than n
    for (; n > 0; n--)
        set &= set - 1;
    return (uint32_t)__builtin_ctz(set);
}

// A set that is one word of the closures.
static bool find_set(const struct finder *x, struct butterfly_set *out, uint32_t word) {
    const uint32_t *of = (const uint32_t *)x->closures + word;
    uint32_t *places = base_alloc_array(x->u->cx, x->closure_count, sizeof *places);
    out->count = ones(*of);
    for (uint32_t c = 1; c < x->closure_count; c++)
        if (ones(of[c * WORDS]) != out->count) return false;
    for (uint32_t n = 0; n < out->count; n++) {
        for (uint32_t c = 0; c < x->closure_count; c++)
            places[c] = nth(of[c * WORDS], n);
        if (!pass_bits_moving(&x->b->player, x->b->passes, places, &out->bits[n])) return false;
    }
    return true;
}

static bool find_sets(struct finder *x) {
    struct butterfly_group *g = x->group;
    for (uint32_t r = 0; r < x->b->rounds; r++)
        if (!find_set(x, &g->rounds[r].numbers, r)) return false;
    for (uint32_t v = 0; v < g->version_count; v++)
        if (!find_set(x, &g->versions[v].places, PASS_BUTTERFLY_ROUNDS + v)) return false;
    return true;
}

// ---- the proof ------------------------------------------------------------------------------------------------------

// Every access of every copy goes to a known element of the group.
static bool is_closed(void *user, const struct pass_bit_run *run, int64_t first) {
    struct finder *x = user;
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
    bool any = false; // iterations that become one: else nothing is exchanged (interchange.c has that in one dispatch)
    g->bits = b->bits[g->rounds[0].parfor] - g->rounds[0].numbers.count;
    for (uint32_t r = 0; r < b->rounds; r++) {
        const struct butterfly_round *round = &g->rounds[r];
        uint32_t words = 0;
        any |= round->numbers.count > 0;
        if (round->numbers.count > b->bits[round->parfor] || b->bits[round->parfor] - round->numbers.count != g->bits)
            return false;
        for (uint32_t k = 0; k < b->array_count; k++)
            if (round->version[k]) words += 1u << g->versions[round->version[k] - 1].places.count;
        if (words > PASS_BUTTERFLY_WORDS) return false;
    }
    for (uint32_t v = 0; v < g->version_count; v++) {
        uint32_t bits = g->bits + g->versions[v].places.count;
        uint64_t size = pass_elements(x->u, b->arrays[g->versions[v].array], 0, PASS_MOST_INDEXED);
        if (bits > 30 || size == UINT64_MAX || size < (uint64_t)1 << bits) return false;
    }
    return any;
}

// Statements that a copy keeps, without branches that it never takes.
static uint32_t kept(const struct finder *x, const struct butterfly_copy *copy, ir_stmt block) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node *n = node_of(x, s);
        count++;
        if (n->kind != IR_IF) continue;
        if (copy->branch[s] != BUTTERFLY_ELSE) count += kept(x, copy, n->branch.then_block);
        if (copy->branch[s] != BUTTERFLY_THEN) count += kept(x, copy, n->branch.else_block);
    }
    return count;
}

static bool is_short(const struct finder *x) {
    uint32_t statements = 0;
    for (uint32_t r = 0; r < x->b->rounds; r++) {
        const struct butterfly_round *round = &x->group->rounds[r];
        ir_stmt body = node_of(x, x->b->parfors[round->parfor])->parfor.body;
        for (uint32_t c = 0; c < 1u << round->numbers.count; c++)
            statements += kept(x, &round->copies[c], body);
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
    if (!pass_bits_each(&b->player, b->passes, close_sets, x) || !x->closure_count || !find_sets(x) || !is_allowed(x))
        return false;
    make_copies(x);
    x->closure_count = 0;
    return pass_bits_each(&b->player, b->passes, is_closed, x) && is_short(x);
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
        uint32_t inside = pass_uses_of(x->u, node_of(x, b->player.loop)->counted.body, 0).all[a];
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
    for (uint32_t k = 0; k < b->player.run_count; k++) {
        int64_t span = b->player.runs[k].hi - b->player.runs[k].lo, step = node_of(x, b->player.loop)->counted.step;
        uint64_t all = span > 0 ? (uint64_t)((span + step - 1) / step) : 0;
        sum += all / passes * passes * b->parfor_count / rounds + all % passes * b->parfor_count;
    }
    return sum;
}

bool butterfly_find(struct butterfly *io) {
    struct ir_unit *u = io->player.u;
    struct finder *x = base_alloc_array(u->cx, 1, sizeof *x);
    x->b = io;
    x->u = u;
    if (!has_form(x)) return false;
    uint64_t passes = loops_left(x, 1);
    if (passes > PASS_BITS_PASSES) return false;
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
