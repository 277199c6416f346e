// How loops inside of a parallel one walk through arrays: down columns, where their passes load words far apart and
// neighbouring iterations neighbours, or along rows of the iteration's own. Lanes side by side that are passes of one
// iteration would ask for a line of the cache for each word of a column.
#include "pass/cost.h"
#include "pass/passes.h"

struct columns {
    const struct pass_scope *sc;
    ir_var counter, neighbour; // of the loop; the dimension that tells neighbouring iterations apart
    bool down, along;          // some load walks down a column, another along a row
};
static bool on_load(void *user, ir_expr e) {
    struct columns *c = user;
    struct ir_unit *u = c->sc->u;
    const struct ir_node n = u->nodes[e];
    if (n.op != IR_LOAD || !ir_in_buffer(u, n.a)) return true;
    int64_t strides[2];
    if (!pass_word_strides(c->sc, n.a, u->args + n.b, n.n, (ir_var[]){c->counter, c->neighbour}, 2, strides))
        return true;
    int64_t pass = strides[0], next = strides[1];
    bool far = pass >= PASS_SECTOR_WORDS || pass <= -PASS_SECTOR_WORDS;
    c->down |= far && next == 1;
    c->along |= pass && !far && next;
    return true;
}

bool pass_walks_columns(struct pass_scope *sc, ir_stmt parfor, const ir_stmt *loops, uint32_t count) {
    struct ir_unit *u = sc->u;
    const struct ir_stmt_node *n = &u->stmts[parfor];
    const struct ir_dim *last = &u->dims[n->parfor.dims + n->parfor.dim_count - 1];
    struct columns c = {.sc = sc, .neighbour = last->var};
    if (pass_most_trips(sc, last->lo, last->hi, last->step) < PASS_SECTOR_WORDS) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t mark = pass_scope_enter(sc);
        pass_scope_loop(sc, loops[i]);
        c.counter = u->stmts[loops[i]].counted.var;
        ir_walk_nodes(u, u->stmts[loops[i]].counted.body, on_load, &c);
        pass_scope_leave(sc, mark);
    }
    return c.down && !c.along;
}
