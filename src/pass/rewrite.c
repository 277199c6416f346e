// One walk for passes that put statements in front of others or replace them.
#include "pass/passes.h"

static bool has_parts(uint8_t kind) { return kind == IR_IF || kind == IR_FOR || kind == IR_LOOP; }

static bool enters(const struct pass_rewriter *w, ir_stmt s) {
    const struct ir_stmt_node *n = &w->u->stmts[s];
    if (!has_parts(n->kind)) return false;
    if (w->phases && n->kind != IR_IF && !pass_has_parallel(w->u, ir_body_of(n))) return false;
    return !w->enters || w->enters(w->user, s);
}

// The blocks of an IF, a FOR or a LOOP. The statement's node may move while they are rewritten.
static void rewrite_parts(const struct pass_rewriter *w, ir_stmt s,
                          ir_stmt (*rewrite)(const struct pass_rewriter *w, ir_stmt block)) {
    struct ir_unit *u = w->u;
    ir_stmt inner;
    switch (u->stmts[s].kind) {
    case IR_IF:
        inner = rewrite(w, u->stmts[s].branch.then_block);
        u->stmts[s].branch.then_block = inner;
        inner = rewrite(w, u->stmts[s].branch.else_block);
        u->stmts[s].branch.else_block = inner;
        break;
    case IR_FOR:
    case IR_LOOP: {
        uint32_t mark = w->sc ? pass_scope_enter(w->sc) : 0;
        if (w->sc) pass_scope_loop(w->sc, s);
        inner = rewrite(w, ir_body_of(&u->stmts[s]));
        ir_set_body(&u->stmts[s], inner);
        if (w->sc) pass_scope_leave(w->sc, mark);
        break;
    }
    default: break;
    }
}

ir_stmt pass_rewrite_block(const struct pass_rewriter *w, ir_stmt block) {
    struct ir_unit *u = w->u;
    ir_stmt done = 0, last = 0; // the last one that came: the search for the end of `done` begins there
    uint32_t mark = w->sc ? pass_scope_enter(w->sc) : 0;
    for (ir_stmt s = block, next, more; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (w->sc && u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(w->sc, s);
        if (w->before && (more = w->before(w->user, s))) {
            ir_append(u, last ? &last : &done, more);
            last = more;
        }
        if (enters(w, s)) rewrite_parts(w, s, pass_rewrite_block);
        more = w->replace ? w->replace(w->user, done, s) : s;
        ir_append(u, last ? &last : &done, more);
        if (more) last = more;
    }
    if (w->sc) pass_scope_leave(w->sc, mark);
    return done;
}

ir_stmt pass_rewrite_linked(const struct pass_rewriter *w, ir_stmt block) {
    struct ir_unit *u = w->u;
    ir_stmt head = block, previous = 0;
    uint32_t mark = w->sc ? pass_scope_enter(w->sc) : 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        if (w->sc && u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(w->sc, s);
        if (enters(w, s)) rewrite_parts(w, s, pass_rewrite_linked);
        ir_stmt first = w->replace(w->user, 0, s), last = first;
        while (u->stmts[last].next && u->stmts[last].next != next)
            last = u->stmts[last].next;
        u->stmts[last].next = next;
        *(previous ? &u->stmts[previous].next : &head) = first;
        previous = last;
    }
    if (w->sc) pass_scope_leave(w->sc, mark);
    return head;
}

static void rewrite_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    const struct pass_rewriter *w = user;
    const struct ir_stmt_node *n = &w->u->stmts[parfor];
    if (n->flags & IR_FLAG_LANES && !(w->lanes && !n->parfor.lane_var)) return;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    if (w->replace) w->replace(w->user, 0, parfor);
    ir_stmt body = pass_rewrite_block(w, w->u->stmts[parfor].parfor.body);
    w->u->stmts[parfor].parfor.body = body;
    pass_scope_leave(sc, mark);
}

void pass_rewrite_iterations(const struct pass_rewriter *w) {
    struct pass_rewriter copy = *w;
    pass_scope_init(w->sc, w->u);
    pass_each_parfor(w->sc, rewrite_parfor, &copy);
}

void pass_rewrite_all(const struct pass_rewriter *w) {
    struct pass_scope sc;
    struct pass_rewriter iterations = *w, around = *w;
    iterations.sc = &sc;
    around.sc = NULL;
    pass_rewrite_iterations(&iterations);
    w->u->root = pass_rewrite_block(&around, w->u->root);
}
