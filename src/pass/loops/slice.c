// Resume points: the long sequential loops of an iteration, at whose heads a kernel can stop when its tick budget is
// used up and go on in the next dispatch. A loop is marked if it may run long; then all loops around it are marked too
// (design: a resume point's ancestors are re-entered by number). Inner loops that are not marked count as the weight of
// one pass.
#include "pass/cost.h"
#include "pass/passes.h"

struct slicer {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t number; // resume points so far, this kernel
    uint32_t points;
    const bool *varies; // by statement: lanes of an iteration make this loop differently often; NULL: none
};

#define UNKNOWN UINT64_MAX

static uint64_t saturated_mul(uint64_t a, uint64_t b) {
    if (a == UNKNOWN || b == UNKNOWN) return UNKNOWN;
    return a && b > (UNKNOWN - 1) / a ? UNKNOWN - 1 : a * b;
}

static uint64_t own_trips(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips;
    if (n->flags & IR_FLAG_LONGEST && n->kind == IR_LOOP) return n->loop.tick_passes;
    if (n->flags & IR_FLAG_LONGEST && n->kind == IR_FOR && n->counted.tick_passes) return n->counted.tick_passes;
    return n->kind == IR_FOR && ir_const_trips(u, s, &trips) ? trips : UNKNOWN;
}

uint64_t pass_passes_of_lane(const struct ir_unit *u, ir_stmt block, uint32_t lanes, const uint64_t *taken) {
    uint64_t sum = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t here = 0;
        if (n->kind == IR_IF) {
            uint64_t a = pass_passes_of_lane(u, n->branch.then_block, lanes, taken),
                     b = pass_passes_of_lane(u, n->branch.else_block, lanes, taken);
            here = a > b ? a : b;
        } else if (n->flags & IR_FLAG_RESUME) {
            continue;
        } else if (n->kind == IR_FOR || n->kind == IR_LOOP) {
            uint64_t inner = pass_passes_of_lane(u, ir_body_of(n), lanes, taken), trips = own_trips(u, s);
            if (trips == UNKNOWN && taken && taken[s]) trips = taken[s];
            if (n->flags & IR_FLAG_FREE && trips != UNKNOWN) trips = (trips + lanes - 1) / lanes;
            here = saturated_mul(trips, inner == UNKNOWN ? UNKNOWN : inner + 1);
        }
        sum = here == UNKNOWN || sum == UNKNOWN ? UNKNOWN : sum + here;
    }
    return sum;
}

// Marked loops, which spend the budget themselves, count nothing.
uint64_t pass_passes_of(const struct ir_unit *u, ir_stmt block) { return pass_passes_of_lane(u, block, 1, NULL); }

uint64_t pass_length_of(const struct ir_unit *u, ir_stmt block) {
    uint64_t sum = 0, plain = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inside[2];
        uint64_t most = 0;
        for (uint32_t b = ir_blocks_of(n, inside); b-- > 0;) {
            uint64_t length = pass_length_of(u, inside[b]);
            most = length > most ? length : most;
        }
        bool loops = n->kind == IR_FOR || n->kind == IR_LOOP;
        uint64_t here = loops ? saturated_mul(own_trips(u, s), most == UNKNOWN ? UNKNOWN : most + 1) : most;
        plain += !loops;
        sum = here == UNKNOWN || sum == UNKNOWN ? UNKNOWN : sum + here;
    }
    return sum == UNKNOWN ? UNKNOWN : sum + plain / PASS_LANES_STATEMENTS;
}

static bool mark_block(struct slicer *x, ir_stmt block, uint64_t threshold);

// Marks the loop if it or one inside it is long. Numbers are in program order, outer before inner.
static bool mark_loop(struct slicer *x, ir_stmt s, uint64_t threshold) {
    struct ir_unit *u = x->u;
    uint64_t trips = own_trips(u, s), inner = pass_passes_of(u, ir_body_of(&u->stmts[s]));
    uint64_t all = saturated_mul(trips, inner == UNKNOWN ? UNKNOWN : inner + 1);
    if ((all != UNKNOWN && all < threshold) || (x->varies && x->varies[s])) return false;
    u->stmts[s].flags |= IR_FLAG_RESUME;
    ir_set_resume_point(&u->stmts[s], ++x->number);
    mark_block(x, ir_body_of(&u->stmts[s]), PASS_RESUME_INNER_PASSES);
    uint64_t passes = pass_passes_of(u, ir_body_of(&u->stmts[s]));
    uint32_t tick_passes = passes >= UINT32_MAX ? UINT32_MAX : (uint32_t)passes + 1;
    if (u->stmts[s].kind == IR_FOR)
        u->stmts[s].counted.tick_passes = tick_passes;
    else
        u->stmts[s].loop.tick_passes = tick_passes;
    return true;
}

static bool mark_block(struct slicer *x, ir_stmt block, uint64_t threshold) {
    bool any = false;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        if (n.kind == IR_FOR || n.kind == IR_LOOP) any |= mark_loop(x, s, threshold);
        if (n.kind == IR_IF) {
            any |= mark_block(x, n.branch.then_block, threshold);
            any |= mark_block(x, n.branch.else_block, threshold);
        }
    }
    return any;
}

static uint64_t private_words(struct ir_unit *u, ir_stmt body) {
    struct ir_effects fx = ir_effects_of(u, body);
    uint64_t words = 0;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (u->arrays[a].klass != IR_ARRAY_LOCAL || !ir_bit(fx.arrays_written, a)) continue;
        uint64_t size = 1;
        for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
            uint32_t dim = 1;
            ir_is_const(u, u->arrays[a].dims[d], &dim);
            size *= dim;
        }
        words += size;
    }
    return words;
}

static void slice_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)sc;
    struct slicer *x = user;
    const struct ir_stmt_node *loop = &x->u->stmts[parfor];
    bool lanes = loop->flags & IR_FLAG_LANES;
    if (lanes && (!loop->parfor.lane_var || loop->flags & IR_FLAG_TEAM))
        return; // they would have to pause together, as only those of a subgroup do
    uint64_t words = private_words(x->u, loop->parfor.body) * (lanes ? loop->parfor.lanes : 1);
    if (words > (lanes ? PASS_RESUME_LANES * PASS_RESUME_WORDS : PASS_RESUME_WORDS)) {
        base_text_format(
            x->p->explain,
            "slice: the loop at line %u cannot stop inside an iteration, its local arrays are too large to save\n",
            x->u->cx->locs[x->u->stmts[parfor].loc].line);
        return;
    }
    x->number = 0;
    x->varies = pass_varying_loops(x->u, parfor);
    mark_block(x, x->u->stmts[parfor].parfor.body, PASS_RESUME_PASSES);
    x->points += x->number;
}

void pass_slice(struct pass_cx *p) {
    struct slicer x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, slice_parfor, &x);
    if (x.points)
        base_text_format(p->explain, "slice: %u resume point%s inside iterations\n", x.points, base_s(x.points));
}
