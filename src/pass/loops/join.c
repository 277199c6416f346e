// Loads and stores that jam_body.c has put in a row are marked as one access where they are still neighbours, and begin
// at a multiple of their number: vectors.c makes a vector of them if all accesses of the binding bear it. Late, since
// passes in between may take one of them away.
#include "pass/cost.h"
#include "pass/passes.h"

// The variables that the loads give are not those that name their places.
static bool names_itself(const struct ir_unit *u, ir_stmt s, uint32_t count) {
    uint32_t *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
    ir_stmt t = s;
    for (uint32_t i = 0; i < count; i++, t = u->stmts[t].next) {
        ir_stmt next = u->stmts[t].next;
        u->stmts[t].next = 0;
        pass_count_reads(u, t, reads);
        u->stmts[t].next = next;
    }
    t = s;
    for (uint32_t i = 0; i < count && u->stmts[t].kind == IR_ASSIGN; i++, t = u->stmts[t].next)
        if (reads[u->stmts[t].assign.var]) return true;
    return false;
}

// The last index of what stands in a row, 0: the statement does not, or no longer.
static ir_expr place_of(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (!s || !(n->flags & IR_FLAG_ROW) || ir_run_of(n)) return 0;
    if (n->kind == IR_STORE) return u->args[n->store.indices + n->store.index_count - 1];
    const struct ir_node load = u->nodes[n->assign.value];
    return load.op == IR_LOAD ? u->args[load.b + load.n - 1] : 0;
}

static void set_run(struct ir_stmt_node *n, uint32_t run) {
    *(n->kind == IR_STORE ? &n->store.run : &n->assign.run) = run;
}

// -> statements that are one access now
static uint32_t join_at(struct ir_unit *u, ir_stmt s) {
    for (uint32_t count = PASS_JOIN_MOST; count > 1; count /= 2) {
        ir_stmt last = s;
        for (uint32_t i = 1; i < count && last; i++)
            last = place_of(u, u->stmts[last].next) ? u->stmts[last].next : 0;
        if (!last) continue;
        ir_expr place = place_of(u, s);
        set_run(&u->stmts[s], count);
        if (ir_divisor(u, place) % count == 0 && ir_is_run(u, s) && !names_itself(u, s, count)) return count;
        set_run(&u->stmts[s], 0);
    }
    return 1;
}

static void join_block(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&n, inner), count = ir_run_of(&n);
        for (uint32_t i = 0; i < blocks; i++)
            join_block(u, inner[i]);
        if (count < 2) count = place_of(u, s) ? join_at(u, s) : 1;
        while (--count)
            s = u->stmts[s].next;
    }
}

static void join_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct pass_cx *p = user;
    (void)sc;
    join_block(p->u, p->u->stmts[parfor].parfor.body);
}

void pass_join(struct pass_cx *p) {
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, join_parfor, p);
}
