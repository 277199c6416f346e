// Unrolls short counted loops whose bodies touch arrays, innermost first, so that local arrays get constant indices (and become
// scalars) and loads of a policy's weights become loop-invariant. Time and layer loops are long and stay. With the statements that are
// left, loops of a few passes that only compute follow, rounds of a random number for one: what changes by the pass becomes a constant
// there, and the loop's own work, which a WebGPU library doubles by counting passes, goes away.
#include "pass/passes.h"

#define MAX_TRIPS 64
#define MAX_LOOP_STATEMENTS 1024 // one loop, unrolled
#define MAX_COMPUTING_TRIPS 16
#define MAX_COMPUTING_STATEMENTS 256
#define MAX_KERNEL_STATEMENTS 1600 // one parallel loop's body: kernels stay under 2,000 lines
// Of a program that becomes one kernel with barriers, when loops that only compute have been unrolled: lanes may make four of each
// statement later (widen.c).
#define MAX_GRID_STATEMENTS 400

struct unroller {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t size;  // of the current parallel loop's body
    uint32_t rest;  // of the unit outside of it, if all becomes one kernel with barriers; else 0
    bool computing; // second walk: loops without arrays
    uint32_t unrolled, skipped;
};

static bool has_access(void *user, ir_expr e) {
    void **pair = user;
    const struct ir_unit *u = pair[0];
    if (u->nodes[e].op == IR_LOAD) *(bool *)pair[1] = true;
    return true;
}

static bool access_stmt(void *user, ir_stmt s) {
    void **pair = user;
    const struct ir_unit *u = pair[0];
    if (u->stmts[s].kind == IR_STORE || u->stmts[s].kind == IR_ATOMIC) *(bool *)pair[1] = true;
    return true;
}

static bool touches_arrays(struct ir_unit *u, ir_stmt block) {
    bool found = false;
    void *pair[2] = {u, &found};
    struct ir_visitor v = {.on_stmt = access_stmt, .on_node = has_access, .user = pair};
    ir_walk_block(u, block, &v);
    return found;
}

static ir_stmt expand(struct unroller *x, ir_stmt s, uint64_t trips) {
    struct ir_unit *u = x->u;
    uint32_t *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads), read_count = u->var_count, lo = 0;
    pass_count_reads(u, u->root, reads);
    ir_is_const(u, u->stmts[s].b, &lo);
    ir_stmt out = 0;
    for (uint64_t k = 0; k < trips; k++) {
        ir_stmt copy = pass_clone_private(u, u->stmts[s].e, reads, read_count);
        ir_var var = u->stmts[s].a;
        uint32_t value = lo + (uint32_t)k * u->stmts[s].d;
        pass_substitute(u, copy, var, ir_const(u, u->vars[var].type, value));
        ir_append(u, &out, copy);
    }
    return out;
}

// The block stays linked into the unit while it changes: what is private to a loop's body is decided by reads elsewhere.
static ir_stmt unroll_block(struct unroller *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt head = block, previous = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        ir_stmt body, last = s;
        uint64_t trips;
        switch (u->stmts[s].kind) {
        case IR_IF:
            body = unroll_block(x, u->stmts[s].b);
            u->stmts[s].b = body;
            body = unroll_block(x, u->stmts[s].c);
            u->stmts[s].c = body;
            break;
        case IR_LOOP:
            body = unroll_block(x, u->stmts[s].e);
            u->stmts[s].e = body;
            break;
        case IR_FOR: {
            body = unroll_block(x, u->stmts[s].e);
            u->stmts[s].e = body;
            if (!body || pass_for_lanes(u, s) || !pass_const_trips(u, s, &trips) || trips == 0 || trips > MAX_TRIPS ||
                pass_leaves_loop(u, body) || touches_arrays(u, body) == x->computing)
                break;
            uint32_t size = pass_size(u, body), grown = size * (uint32_t)trips;
            if (x->computing && (trips > MAX_COMPUTING_TRIPS || grown > MAX_COMPUTING_STATEMENTS)) break;
            if (x->computing && x->rest && x->rest + x->size + grown - size > MAX_GRID_STATEMENTS) {
                x->skipped++;
                break;
            }
            if (grown > MAX_LOOP_STATEMENTS || x->size + grown - size > MAX_KERNEL_STATEMENTS) {
                x->skipped++;
                break;
            }
            x->size += grown - size;
            x->unrolled++;
            ir_stmt copies = expand(x, s, trips);
            for (last = copies; u->stmts[last].next;)
                last = u->stmts[last].next;
            u->stmts[last].next = next;
            if (previous)
                u->stmts[previous].next = copies;
            else
                head = copies;
            break;
        }
        default: break;
        }
        previous = last;
    }
    return head;
}

static void unroll_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)sc;
    struct unroller *x = user;
    x->size = pass_size(x->u, x->u->stmts[parfor].e);
    x->rest = x->p->one_kernel && pass_needs_grid(x->u) ? pass_size(x->u, x->u->root) - x->size : 0;
    for (int walk = 0; walk < 2; walk++) {
        x->computing = walk == 1;
        ir_stmt body = unroll_block(x, x->u->stmts[parfor].e);
        x->u->stmts[parfor].e = body;
    }
}

void pass_unroll(struct pass_cx *p) {
    struct unroller x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, unroll_parfor, &x);
    if (x.unrolled) base_text_format(p->explain, "unroll: %u short loops\n", x.unrolled);
    if (x.skipped)
        base_text_format(p->explain, "unroll: %u loops left as loops, a kernel would pass %u statements\n", x.skipped,
                         MAX_KERNEL_STATEMENTS);
    if (x.unrolled) pass_fold(p);
}
