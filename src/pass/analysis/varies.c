// Loops that the lanes of a subgroup may make differently often: what each does by itself in an iteration that all of
// them run (spread.c). A kernel cannot stop there, since the others would go on without it to where all meet.
//
// A variable varies where it is made of the lane's number, or under a condition that does, until lanes agree on it; a
// local array, where anything that is stored in it does. Elements of memory are the same for all.
#include "pass/passes.h"

#include <string.h>

struct variance {
    const struct ir_unit *u;
    uint32_t *vars;    // a bit each: differs by lane, where the walk is
    uint32_t *arrays;  // a bit each: local ones, anywhere
    bool *loops;       // by statement
    uint32_t words;    // of `vars`
    bool apart;        // not all lanes come here together
    ir_stmt innermost; // loop around
    bool grows;        // something was found that the walk before did not know
};

static bool varying_node(void *user, ir_expr e) {
    struct variance *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->grows |= (n->op == IR_VAR && ir_bit(x->vars, n->a)) || (n->op == IR_LOAD && ir_bit(x->arrays, n->a));
    return !x->grows;
}
static bool varies(const struct variance *x, ir_expr e) {
    struct variance asked = *x;
    asked.grows = false;
    if (e) ir_walk_expr(x->u, e, varying_node, &asked);
    return asked.grows;
}

static void set_var(struct variance *x, ir_var v, bool varying) {
    if (!v) return;
    x->vars[v / 32] &= ~(1u << v % 32);
    x->vars[v / 32] |= (uint32_t)varying << v % 32;
}

static void store(struct variance *x, const struct ir_stmt_node *n) {
    bool varying = x->apart || varies(x, n->store.value);
    for (uint32_t d = 0; d < n->store.index_count; d++)
        varying |= varies(x, x->u->args[n->store.indices + d]);
    if (!varying || x->u->arrays[n->store.array].klass != IR_ARRAY_LOCAL || ir_bit(x->arrays, n->store.array)) return;
    x->arrays[n->store.array / 32] |= 1u << n->store.array % 32;
    x->grows = true;
}

static void note_loop(struct variance *x, ir_stmt loop) {
    x->grows |= loop && !x->loops[loop];
    x->loops[loop] = true;
}

static void walk(struct variance *x, ir_stmt block);

static uint32_t *copy_vars(const struct variance *x) {
    uint32_t *copy = base_alloc_array(x->u->cx, x->words, sizeof *copy);
    memcpy(copy, x->vars, x->words * sizeof *copy);
    return copy;
}
// -> one of them was not there.
static bool add_vars(struct variance *x, const uint32_t *others) {
    bool more = false;
    for (uint32_t w = 0; w < x->words; w++) {
        more |= (others[w] & ~x->vars[w]) != 0;
        x->vars[w] |= others[w];
    }
    return more;
}

static void walk_branch(struct variance *x, const struct ir_stmt_node *n) {
    bool around = x->apart;
    uint32_t *before = copy_vars(x), *after;
    x->apart |= varies(x, n->branch.cond);
    walk(x, n->branch.then_block);
    after = x->vars;
    x->vars = before;
    walk(x, n->branch.else_block);
    add_vars(x, after);
    x->apart = around;
}

static void walk_loop(struct variance *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    const bool apart = x->apart;
    const ir_stmt around = x->innermost;
    bool is_for = n->kind == IR_FOR;
    if (apart || (is_for && (varies(x, n->counted.lo) || varies(x, n->counted.hi)))) note_loop(x, s);
    if (is_for) set_var(x, n->counted.var, apart || varies(x, n->counted.lo));
    for (bool more = true; more;) { // what a pass leaves, the next one begins with
        uint32_t *before = copy_vars(x);
        if (!is_for && varies(x, n->loop.cond)) note_loop(x, s);
        x->innermost = s;
        x->apart = apart || x->loops[s];
        walk(x, ir_body_of(n));
        if (!is_for) walk(x, n->loop.continuing);
        uint32_t *after = x->vars;
        x->vars = before;
        more = add_vars(x, after);
    }
    x->apart = apart;
    x->innermost = around;
}

static void walk(struct variance *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        switch (n->kind) {
        case IR_ASSIGN: set_var(x, n->assign.var, x->apart || varies(x, n->assign.value)); break;
        case IR_AGREE: set_var(x, n->agree.var, false); break;
        case IR_ATOMIC: set_var(x, n->atomic.old, true); break;
        case IR_STORE: store(x, n); break;
        case IR_IF: walk_branch(x, n); break;
        case IR_FOR:
        case IR_LOOP: walk_loop(x, s); break;
        case IR_BREAK:
        case IR_CONTINUE:
            if (x->apart) note_loop(x, x->innermost);
            break;
        default: break;
        }
    }
}

const bool *pass_varying_loops(const struct ir_unit *u, ir_stmt parfor) {
    const struct ir_stmt_node *n = &u->stmts[parfor];
    if (!(n->flags & IR_FLAG_LANES) || !n->parfor.lane_var) return NULL;
    struct variance x = {.u = u, .words = u->var_count / 32 + 1};
    x.loops = base_alloc_array(u->cx, u->stmt_count, sizeof *x.loops);
    x.arrays = base_alloc_array(u->cx, u->array_count / 32 + 1, sizeof *x.arrays);
    do {
        struct base_scratch scratch = base_scratch_begin(u->cx); // sets of variables, for each branch
        x.vars = base_alloc_array(u->cx, x.words, sizeof *x.vars);
        x.grows = x.apart = false;
        set_var(&x, n->parfor.lane_var, true);
        walk(&x, n->parfor.body);
        base_scratch_end(u->cx, &scratch);
    } while (x.grows); // arrays, and loops that something in them ends
    return x.loops;
}
