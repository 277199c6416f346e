// The lowering's driver: the entry function, again and again until a run learns nothing new about pointers (lower.h).
#include <string.h>

#include "front/lower/lower.h"

#define MOST_RUNS 64

static void start_run(struct lower *lw, struct front_function *entry) {
    lw->u = ir_unit_create(lw->cx);
    lw->u->entry = entry->symbol->name;
    memset(lw->objects, 0, (lw->ast->symbol_count + 1) * sizeof(struct lower_object *));
    for (uint32_t i = 0; lw->ident_mask && i <= lw->ident_mask; i++)
        for (struct lower_ident *x = lw->idents[i]; x; x = x->hash_next)
            x->object = NULL;
    lw->prologue = (struct lower_block){0, 0};
    lw->frame = NULL;
    lw->target_count = lw->loop_depth = lw->reduction_count = lw->region_reduction_count = 0;
    lw->in_parfor = lw->in_region = lw->in_single = lw->in_atomic = lw->in_phase = lw->in_nested = lw->in_turn = false;
    lw->in_best = lw->in_critical = lw->in_passes = false;
    lw->usual_team = lw->set_alone_count = lw->varied_count = 0;
    lw->learned = false;
    lw->team_region = NULL;
    lw->own_loops = NULL;
    lw->bests = NULL;
    lw->rows = NULL;
    lw->implied_count = 0;
    lw->team = lw->thread = 0;
    lw->allocation_name = NULL;
    lw->stop = NULL;
    lw->node_cap = lw->var_cap = lw->sum_count = lw->shared_count = lw->calls = 0;
    lw->section_count = lw->touched_count = 0;
    lw->exchanged = NULL;
    memset(lw->expansions, 0, (lw->ast->symbol_count + 1) * sizeof *lw->expansions);
    lower_log_start(lw);
}

// The entry begins by setting a variable at file scope, which nothing else sets: that is its value.
static struct front_node *bind_globals(struct lower *lw, struct front_node *n) {
    for (; n && n->kind == FRONT_EXPR && n->a->kind == FRONT_ASSIGN; n = n->next) {
        struct front_symbol *g = n->a->a->kind == FRONT_VAR ? n->a->a->symbol : NULL;
        const struct front_node *from = n->a->b;
        while (from->kind == FRONT_CAST)
            from = from->a;
        bool is_param = from->kind == FRONT_VAR && from->symbol->kind == FRONT_SYM_PARAM && !from->symbol->written;
        if (!is_param || !g || g->kind != FRONT_SYM_GLOBAL || g->written_again || g->address_taken ||
            g->threadprivate || !front_is_arithmetic(g->type) || front_is_pair(g->type))
            break;
        struct lower_value value = lower_expr(lw, n->a->b);
        g->written = false;
        lower_bind_value(lw, g, value, n->loc);
    }
    return n;
}

static void lower_body(struct lower *lw, struct front_function *entry) {
    struct lower_block params = {0, 0}, body = {0, 0};
    struct lower_call_frame frame = {.function = entry, .loc = entry->loc, .chain = 1};
    lw->frame = &frame;
    lower_enter(lw, &params);
    lower_entry_params(lw, entry);
    base_check_errors(lw->cx);
    lower_enter(lw, &body);
    lw->entry_block = &body;
    frame.return_target = lower_push_target(lw, LOWER_TO_RETURN, false, entry->loc);
    lower_list(lw, bind_globals(lw, entry->body->a), NULL);
    lower_pop_target(lw, frame.return_target);
    struct lower_block root = {0, 0};
    lower_enter(lw, &root);
    lower_emit(lw, lw->prologue.head);
    lower_emit(lw, params.head);
    lower_emit(lw, body.head);
    lw->u->root = root.head;
    lower_leave(lw, NULL);
    lw->frame = NULL;
}

// Takes out marks, and the places where flags could have been cleared.
static ir_stmt without_nops(struct ir_unit *u, ir_stmt block) {
    while (block && u->stmts[block].kind == IR_NOP)
        block = u->stmts[block].next;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node *n = &u->stmts[s];
        while (n->next && u->stmts[n->next].kind == IR_NOP)
            n->next = u->stmts[n->next].next;
        switch (n->kind) {
        case IR_IF:
            n->branch.then_block = without_nops(u, n->branch.then_block);
            n->branch.else_block = without_nops(u, n->branch.else_block);
            break;
        case IR_LOOP:
            n->loop.continuing = without_nops(u, n->loop.continuing);
            n->loop.body = without_nops(u, n->loop.body);
            break;
        case IR_FOR:
        case IR_PARFOR: ir_set_body(n, without_nops(u, ir_body_of(n))); break;
        default: break;
        }
    }
    return block;
}

struct ir_unit *lower_unit(struct base_cx *cx, const struct front_ast *ast, const struct whorl_compile_options *user,
                           struct front_function *entry, bool inspect, struct ir_unit **out_marked) {
    struct lower *lw = base_alloc(cx, sizeof *lw);
    lw->cx = cx;
    lw->ast = ast;
    lw->user = user;
    lw->objects = base_alloc_array(cx, ast->symbol_count + 1, sizeof(struct lower_object *));
    lw->expansions = base_alloc_array(cx, ast->symbol_count + 1, sizeof *lw->expansions);
    lw->changes = base_alloc_array(cx, ast->symbol_count + 1, sizeof *lw->changes);
    lower_find_function_facts(lw);
    if (inspect) {
        start_run(lw, entry);
        lower_inspect_params(lw, entry);
        base_check_errors(cx);
        return lw->u;
    }
    uint32_t diags = cx->diag_count, errors = cx->error_count;
    for (uint32_t run = 0;; run++) {
        if (run == MOST_RUNS)
            base_unsupported(cx, entry->loc,
                             "where the pointers of '%s' point to, or which of its 64-bit integers need 64 bits, could "
                             "not be found out",
                             entry->symbol->name);
        cx->diag_count = diags; // what a run says before it knows everything does not count
        cx->error_count = errors;
        start_run(lw, entry);
        lower_body(lw, entry);
        if (!lw->learned) lower_sum_check(lw);
        if (!lw->learned) break;
    }
    lower_log_end(lw);
    base_check_errors(cx);
    if (out_marked) *out_marked = ir_unit_clone(lw->u);
    lw->u->root = without_nops(lw->u, lw->u->root);
    return lw->u;
}
