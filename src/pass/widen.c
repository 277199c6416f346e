// Several passes of a shared loop at once: a lane then has more loads under way. They are of elements that share a word, and of several
// stretches of the range.
#include "pass/passes.h"

enum { STREAMS = 4, MOST_STATEMENTS = 96 };

struct narrow {
    const struct ir_unit *u;
    uint32_t elements; // of the narrowest array read along its rows, in one word
    ir_var var;
};
static bool narrow_node(void *user, ir_expr e) {
    struct narrow *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || x->u->arrays[n->a].klass != IR_ARRAY_IN) return true;
    const struct ir_node *last = &x->u->nodes[x->u->args[n->b + n->n - 1]];
    uint32_t elements = 4 / ir_elem_size((enum ir_elem)x->u->arrays[n->a].elem);
    if (last->op == IR_VAR && last->a == x->var && elements > x->elements) x->elements = elements;
    return true;
}
static void narrow_expr(void *user, ir_stmt s, ir_expr e) {
    (void)s;
    struct narrow *x = user;
    ir_walk_expr(x->u, e, narrow_node, x);
}

// A body's copy with the loop's variable replaced and names of its own for what is private to it.
static ir_stmt copy_body(struct ir_unit *u, ir_stmt body, ir_var var, ir_expr value) {
    struct ir_effects fx = ir_effects_of(u, body);
    uint32_t *exposed = pass_exposed(u, body), count = u->var_count;
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    for (ir_var v = 1; v < count; v++)
        if (ir_bit(fx.vars_written, v) && !ir_bit(exposed, v) && u->vars[v].klass == IR_VAR_LOCAL)
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    ir_stmt copy = ir_clone_block(u, body, map, NULL);
    pass_substitute(u, copy, var, value);
    return copy;
}

static void widen_loop(struct ir_unit *u, ir_stmt s, uint32_t lanes) {
    struct ir_stmt_node n = u->stmts[s];
    uint64_t trips = 0;
    uint32_t lo;
    struct narrow x = {u, 1, n.a};
    struct ir_visitor visitor = {.on_expr = narrow_expr, .user = &x};
    ir_walk_block(u, n.e, &visitor);
    if ((int32_t)n.d != 1 || !ir_is_const(u, n.b, &lo) || lo != 0 || !pass_const_trips(u, s, &trips)) return;
    uint32_t together = trips % (x.elements * (uint64_t)lanes) ? 1 : x.elements, streams = STREAMS;
    while (streams > 1 &&
           (trips % ((uint64_t)together * streams * lanes) || pass_size(u, n.e) * together * streams > MOST_STATEMENTS))
        streams /= 2;
    if (together * streams == 1) return;
    enum ir_type type = (enum ir_type)u->vars[n.a].type;
    uint32_t stretch = (uint32_t)(trips / streams);
    ir_stmt body = 0;
    for (uint32_t k = 0; k < streams; k++)
        for (uint32_t c = 0; c < together; c++) {
            ir_expr at = ir_var_read(u, n.a, n.loc);
            if (together > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, together), n.loc);
            if (k * stretch + c) at = ir_op2(u, IR_ADD, at, ir_const(u, type, k * stretch + c), n.loc);
            ir_append(u, &body, copy_body(u, n.e, n.a, at));
        }
    u->stmts[s].e = body;
    u->stmts[s].c = ir_const(u, type, stretch / together);
}

void pass_widen(struct ir_unit *u, ir_stmt block, uint32_t lanes) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_FOR) continue;
        if (u->stmts[s].flags & IR_FLAG_LANES)
            widen_loop(u, s, lanes);
        else
            pass_widen(u, u->stmts[s].e, lanes);
    }
}
