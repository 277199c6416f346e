// A sequential loop that stores an element in each pass, as prefix sums do, by one iteration for each element:
//
//   before = first; for (b = 1; b < n; b++) { before = before + count[b]; below[b] = before; }      becomes
//   parallel for (b = 1; b < n; b++) {
//       before = first; for (k = 1; k < n; k++) { t = before + count[k]; before = k <= b ? t : before; }
//       below[b] = before;
//   }
//
// Each iteration makes all passes again, up to its own, in C's order and with the same bits. That is more work, but
// nobody waits: one invocation alone has each of its stores of neighbours go to memory by itself, and in one dispatch
// each of its loads, too, where these lanes store neighbours together and read what is in workgroup memory (stage.c).
//
// The law: passes only compute, load what nothing here stores, and store one element of their own.
#include "pass/cost.h"
#include "pass/passes.h"

struct replayer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_array array; // that the loop stores
    ir_stmt loop, store;
    uint32_t lo, hi; // of the loop
};

// The statements in front of the loop: assignments, and stores to elements that the loop does not store.
static bool is_front(const struct replayer *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t at;
    if (n->kind == IR_ASSIGN) return !n->flags && !n->assign.run;
    return n->kind == IR_STORE && !n->flags && n->store.array == x->array &&
           ir_is_const(u, u->args[n->store.indices], &at) && (at < x->lo || at >= x->hi);
}

// What a front statement loads is what one before it stored: then nothing is loaded.
static void forward(struct replayer *x, ir_stmt front) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = front; s != x->loop; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_ASSIGN) continue;
        const struct ir_node *value = &u->nodes[u->stmts[s].assign.value];
        ir_expr found = 0;
        if (value->op != IR_LOAD || value->a != x->array) continue;
        struct pass_range at = pass_range_of(x->sc, u->args[value->b]);
        for (ir_stmt t = front; t != s; t = u->stmts[t].next) {
            uint32_t stored;
            if (u->stmts[t].kind == IR_ASSIGN) found = 0; // it may change what the value is made of
            if (u->stmts[t].kind == IR_STORE && ir_is_const(u, u->args[u->stmts[t].store.indices], &stored) &&
                at.known && at.lo == at.hi && at.lo == (int64_t)stored)
                found = u->stmts[t].store.value;
        }
        if (found) u->stmts[s].assign.value = found;
    }
}

// A pass of the loop only computes and stores one variable, as it is at its end.
static bool is_pass(struct replayer *x) {
    const struct ir_unit *u = x->u;
    ir_var counter = u->stmts[x->loop].counted.var, stored = 0;
    x->store = x->array = 0;
    for (ir_stmt s = u->stmts[x->loop].counted.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_ASSIGN && !n->flags && !n->assign.run && n->assign.var != stored) continue;
        if (n->kind != IR_STORE || n->flags || x->store || n->store.index_count != 1) return false;
        const struct ir_node *at = &u->nodes[u->args[n->store.indices]], *value = &u->nodes[n->store.value];
        if (at->op != IR_VAR || at->a != counter || value->op != IR_VAR || value->a == counter) return false;
        x->store = s;
        x->array = n->store.array;
        stored = value->a;
    }
    return x->store && ir_in_buffer(u, x->array) && !u->arrays[x->array].atomic && x->array != u->log &&
           whorl_dtype_size((enum whorl_dtype)u->arrays[x->array].elem) == 4;
}

static bool takes(struct replayer *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[parfor];
    uint64_t iterations, trips;
    ir_stmt front = n->parfor.body;
    if (!ir_const_iterations(u, parfor, &iterations) || iterations != 1 || n->flags || n->parfor.reduction_count)
        return false;
    for (x->loop = front; x->loop && u->stmts[x->loop].next; x->loop = u->stmts[x->loop].next)
        ;
    const struct ir_stmt_node *loop = &u->stmts[x->loop];
    if (!x->loop || loop->kind != IR_FOR || loop->flags || loop->counted.step != 1 ||
        !ir_const_trips(u, x->loop, &trips) || trips < PASS_REPLAY_LEAST || trips > PASS_REPLAY_MOST ||
        pass_size(u, loop->counted.body) > PASS_REPLAY_STATEMENTS || u->vars[loop->counted.var].type != IR_I32)
        return false;
    (void)ir_is_const(u, loop->counted.lo, &x->lo);
    (void)ir_is_const(u, loop->counted.hi, &x->hi);
    if ((int32_t)x->lo < 0 || !is_pass(x)) return false;
    for (ir_stmt s = front; s != x->loop; s = u->stmts[s].next)
        if (!is_front(x, s)) return false;
    forward(x, front);
    return !ir_bit(ir_effects_of(u, front).arrays_read, x->array);
}

static void replay(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct replayer *x = user;
    struct ir_unit *u = x->u;
    x->sc = sc;
    if (!takes(x, parfor)) return;
    const struct ir_stmt_node loop = u->stmts[x->loop], store = u->stmts[x->store];
    base_loc loc = loop.loc;
    ir_var own = ir_add_var(u, u->vars[loop.counted.var].name, IR_I32, IR_VAR_DIM, loc);
    ir_stmt front = 0, stores = 0, passes = 0;
    for (ir_stmt s = u->stmts[parfor].parfor.body, next; s != x->loop; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_append(u, u->stmts[s].kind == IR_STORE ? &stores : &front, s);
    }
    for (ir_stmt s = loop.counted.body; s; s = u->stmts[s].next) {
        if (s == x->store) continue;
        const struct ir_stmt_node n = u->stmts[s];
        ir_var now =
            ir_add_var(u, u->vars[n.assign.var].name, (enum ir_type)u->vars[n.assign.var].type, IR_VAR_LOCAL, n.loc);
        ir_expr mine = ir_op2(u, IR_LE, ir_var_read(u, loop.counted.var, loc), ir_var_read(u, own, loc), loc);
        ir_expr value =
            ir_op3(u, IR_SELECT, mine, ir_var_read(u, now, n.loc), ir_var_read(u, n.assign.var, n.loc), n.loc);
        ir_append(u, &passes, ir_assign(u, now, n.assign.value, n.loc));
        ir_append(u, &passes, ir_assign(u, n.assign.var, value, n.loc));
    }
    u->stmts[x->loop].counted.body = passes;
    ir_append(u, &front, x->loop);
    ir_expr at = ir_var_read(u, own, loc), first = ir_op2(u, IR_EQ, at, loop.counted.lo, loc);
    ir_append(u, &front, ir_store(u, x->array, &at, 1, store.store.value, store.loc));
    if (stores) ir_append(u, &front, ir_if(u, first, stores, 0, loc));
    struct ir_dim dim = {own, loop.counted.lo, loop.counted.hi, 1};
    uint32_t dims = ir_add_dims(u, &dim, 1);
    u->stmts[parfor].parfor.dims = dims;
    u->stmts[parfor].parfor.dim_count = 1;
    u->stmts[parfor].parfor.body = front;
    base_text_format(x->p->explain, "replay: each element that the loop at line %u stores has an iteration\n",
                     u->cx->locs[loc].line);
}

void pass_replay(struct pass_cx *p) {
    struct replayer x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, replay, &x);
}
