// Statements. A list is lowered with what comes after it at hand, so that the rest of a function can move into the
// branch of an IF that goes on while the other one returns: most early returns need no flag then.
#include "front/lower/lower.h"

void lower_emit(struct lower *lw, ir_stmt s) {
    if (!s) return;
    struct lower_block *block = lw->block;
    if (block->tail)
        lw->u->stmts[block->tail].next = s;
    else
        block->head = s;
    while (lw->u->stmts[s].next)
        s = lw->u->stmts[s].next;
    block->tail = s;
}

// For those who look for races; taken out of what is compiled (lower.c).
void lower_mark(struct lower *lw, enum ir_mark mark, uint32_t value, base_loc loc) {
    ir_stmt s = ir_add_stmt(lw->u, IR_NOP, loc);
    lw->u->stmts[s].nop.mark = mark;
    lw->u->stmts[s].nop.value = value;
    lower_emit(lw, s);
}

struct lower_block *lower_enter(struct lower *lw, struct lower_block *block) {
    struct lower_block *before = lw->block;
    lw->block = block;
    return before;
}

void lower_leave(struct lower *lw, struct lower_block *before) { lw->block = before; }

static const struct lower_flow on = {.falls = true};

void lower_declare(struct lower *lw, struct front_node *node) {
    struct front_symbol *symbol = node->symbol;
    if (lower_thread_declaration(lw, node)) return;
    if (node->flags & FRONT_FLAG_HAS_INITS) {
        struct lower_object *object = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
        lw->objects[symbol->id] = object;
        lower_init_object(lw, object, node->inits, node->loc);
    } else if (node->a) {
        lw->allocation_name = symbol->name;
        struct lower_value value = lower_expr(lw, node->a);
        lower_bind_value(lw, symbol, value, node->loc);
    } else {
        lw->objects[symbol->id] = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
    }
}

static struct lower_flow jump_out(struct lower *lw, enum lower_target_kind kind, base_loc loc) {
    for (uint32_t i = lw->target_count; i-- > 0;)
        if (lw->targets[i].kind == kind) return lower_jump(lw, i, loc);
    base_fatal(lw->cx, loc, "%s outside of a loop", kind == LOWER_TO_BREAK ? "break" : "continue");
}

static struct lower_flow return_from(struct lower *lw, struct front_node *node) {
    struct lower_call_frame *frame = lw->frame;
    if (node->a) {
        struct lower_value value = lower_expr(lw, node->a);
        if (frame->result) {
            struct lower_place whole = lower_whole(frame->result);
            value.type = frame->result->type;
            lower_store_place(lw, &whole, value, node->loc);
        }
    }
    return lower_jump(lw, frame->return_target, node->loc);
}

// ---- if -------------------------------------------------------------------------------------------------------------

static struct lower_flow branch(struct lower *lw, struct front_node *node, const struct lower_frame *rest,
                                struct lower_block *block) {
    struct lower_block *before = lower_enter(lw, block);
    struct lower_flow flow = on;
    if (rest) {
        const struct lower_frame mine = {node, rest, true};
        flow = lower_list(lw, NULL, &mine); // `node` alone, then the rest
    } else if (node) {
        flow = lower_statement(lw, node);
    }
    lower_leave(lw, before);
    return flow;
}

// *took_rest: the rest went into one of the branches.
static struct lower_flow lower_if(struct lower *lw, struct front_node *node, const struct lower_frame *rest,
                                  bool *took_rest) {
    *took_rest = false;
    if (lower_update_reduced(lw, node)) return on;
    ir_expr cond = lower_condition(lw, node->a);
    int64_t known;
    if (lower_const_int(lw, cond, &known)) {
        struct front_node *taken = known ? node->b : node->c;
        return taken ? lower_statement(lw, taken) : on;
    }
    bool yes_on = lower_completes(node->b), no_on = lower_completes(node->c);
    *took_rest = rest && yes_on != no_on;
    struct lower_block yes = {0, 0}, no = {0, 0};
    struct lower_flow a = branch(lw, node->b, *took_rest && yes_on ? rest : NULL, &yes);
    struct lower_flow b = branch(lw, node->c, *took_rest && no_on ? rest : NULL, &no);
    if (!yes.head && no.head) {
        cond = lower_fold1(lw, IR_NOT, cond, node->loc);
        yes = no;
        no.head = 0;
    }
    if (yes.head || no.head) lower_emit(lw, ir_if(lw->u, cond, yes.head, no.head, node->loc));
    return (struct lower_flow){a.falls || b.falls, a.pending | b.pending};
}

// ---- lists ----------------------------------------------------------------------------------------------------------

static struct lower_flow guarded(struct lower *lw, lower_targets pending, struct front_node *node,
                                 const struct lower_frame *rest, base_loc loc) {
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    struct lower_flow flow = lower_list(lw, node, rest);
    lower_leave(lw, before);
    if (block.head) {
        ir_expr clear = lower_fold1(lw, IR_NOT, lower_flags(lw, pending, loc), loc);
        lower_emit(lw, ir_if(lw->u, clear, block.head, 0, loc));
    }
    flow.pending |= pending;
    return flow;
}

// The statements from `node` on, then those of `rest`.
struct lower_flow lower_list(struct lower *lw, struct front_node *node, const struct lower_frame *rest) {
    bool single = false;
    for (;;) {
        if (!node) {
            if (!rest) return on;
            node = rest->list;
            single = rest->single;
            rest = rest->next;
            if (!node) continue;
        }
        struct front_node *next = single || node->next == lw->stop ? NULL : node->next;
        single = false;
        if (node->kind == FRONT_BLOCK && !(node->flags & FRONT_FLAG_PARTS)) {
            const struct lower_frame after = {next, rest, false};
            return lower_list(lw, node->a, next || rest ? &after : NULL);
        }
        struct lower_flow flow;
        if (node->kind == FRONT_IF && !lower_is_thread_statement(lw, node)) {
            const struct lower_frame after = {next, rest, false};
            bool took_rest;
            flow = lower_if(lw, node, next || rest ? &after : NULL, &took_rest);
            if (took_rest) return flow;
        } else {
            flow = lower_statement(lw, node);
        }
        if (!flow.falls) return flow; // what follows is never reached
        if (flow.pending) return next || rest ? guarded(lw, flow.pending, next, rest, node->loc) : flow;
        node = next;
    }
}

// ---- switch ---------------------------------------------------------------------------------------------------------

struct group { // cases that start at one statement
    struct front_node *first, *end;
    ir_expr cond;
    bool is_default;
};

static ir_expr case_condition(struct lower *lw, ir_expr value, const struct front_type *of,
                              const struct front_case *c) {
    if (lower_is_words(lw, value)) {
        ir_expr from = lower_words_constant(lw, (uint64_t)c->lo, of, c->loc);
        if (c->lo == c->hi) return lower_words_compare(lw, FRONT_OP_EQ, value, from, of, c->loc);
        ir_expr to = lower_words_constant(lw, (uint64_t)c->hi, of, c->loc);
        ir_expr above =
            lower_words_compare(lw, FRONT_OP_GE, value, from, of, c->loc); // names its words: before the next
        ir_expr below = lower_words_compare(lw, FRONT_OP_LE, value, to, of, c->loc);
        return lower_fold2(lw, IR_LAND, above, below, c->loc);
    }
    enum ir_type type = lower_ir_type_of(lw, value);
    ir_expr lo = ir_const(lw->u, type, (uint32_t)c->lo);
    if (c->lo == c->hi) return lower_fold2(lw, IR_EQ, value, lo, c->loc);
    return lower_fold2(lw, IR_LAND, lower_fold2(lw, IR_GE, value, lo, c->loc),
                       lower_fold2(lw, IR_LE, value, ir_const(lw->u, type, (uint32_t)c->hi), c->loc), c->loc);
}

static uint32_t find_groups(struct lower *lw, struct front_node *node, ir_expr value, struct group *groups) {
    uint32_t count = 0;
    for (struct front_node *s = node->b; s; s = s->next)
        for (uint32_t i = 0; i < node->case_count; i++) {
            const struct front_case *c = &node->cases[i];
            if (c->first != s) continue;
            if (count == 0 || groups[count - 1].first != s)
                groups[count++] = (struct group){.first = s, .cond = lower_bool(lw, false)};
            struct group *g = &groups[count - 1];
            if (c->is_default)
                g->is_default = true;
            else
                g->cond = lower_fold2(lw, IR_LOR, g->cond, case_condition(lw, value, node->a->type, c), c->loc);
        }
    for (uint32_t i = 0; i + 1 < count; i++)
        groups[i].end = groups[i + 1].first;
    return count;
}

static bool falls_through(const struct group *g) {
    for (const struct front_node *s = g->first; s != g->end; s = s->next)
        if (!lower_completes(s)) return false;
    return g->end != NULL;
}

static struct lower_flow group_list(struct lower *lw, struct group *g) {
    const struct front_node *stop = lw->stop;
    lw->stop = g->end;
    struct lower_flow flow = lower_list(lw, g->first, NULL);
    lw->stop = stop;
    return flow;
}

static ir_expr no_other(struct lower *lw, const struct group *groups, uint32_t count, base_loc loc) {
    ir_expr any = lower_bool(lw, false);
    for (uint32_t i = 0; i < count; i++)
        any = lower_fold2(lw, IR_LOR, any, groups[i].cond, loc);
    return lower_fold1(lw, IR_NOT, any, loc);
}

// Groups one after the other: each is entered at its case or by falling through from the one before.
static struct lower_flow chain_groups(struct lower *lw, struct group *groups, uint32_t at, uint32_t count,
                                      ir_var inside, base_loc loc) {
    struct lower_flow all = on;
    for (uint32_t i = at; i < count; i++) {
        ir_expr entered = lower_fold2(lw, IR_LOR, ir_var_read(lw->u, inside, loc), groups[i].cond, loc);
        struct lower_block block = {0, 0};
        struct lower_block *before = lower_enter(lw, &block);
        lower_emit(lw, ir_assign(lw->u, inside, lower_bool(lw, true), loc));
        struct lower_flow flow = group_list(lw, &groups[i]);
        lower_leave(lw, before);
        lower_emit(lw, ir_if(lw->u, entered, block.head, 0, loc));
        all.pending |= flow.pending;
        if (flow.pending && i + 1 < count) {
            struct lower_block rest = {0, 0};
            before = lower_enter(lw, &rest);
            struct lower_flow after = chain_groups(lw, groups, i + 1, count, inside, loc);
            lower_leave(lw, before);
            ir_expr clear = lower_fold1(lw, IR_NOT, lower_flags(lw, flow.pending, loc), loc);
            lower_emit(lw, ir_if(lw->u, clear, rest.head, 0, loc));
            all.pending |= after.pending;
            break;
        }
    }
    return all;
}

static struct lower_flow lower_switch(struct lower *lw, struct front_node *node) {
    base_loc loc = node->loc;
    ir_expr value = lower_snapshot(lw, lower_scalar(lw, node->a), loc);
    struct group *groups = base_alloc_array(lw->cx, node->case_count + 1, sizeof *groups);
    uint32_t count = find_groups(lw, node, value, groups);
    uint32_t target = lower_push_target(lw, LOWER_TO_BREAK, false, loc);
    bool simple = true;
    uint32_t fallback = count;
    for (uint32_t i = 0; i < count; i++) {
        simple = simple && !falls_through(&groups[i]);
        if (groups[i].is_default) fallback = i;
    }
    struct lower_flow all = {0};
    if (simple) {
        ir_stmt rest = 0;
        if (fallback < count) {
            struct lower_block block = {0, 0};
            struct lower_block *before = lower_enter(lw, &block);
            all = group_list(lw, &groups[fallback]);
            lower_leave(lw, before);
            rest = block.head;
        } else {
            all = on;
        }
        for (uint32_t i = count; i-- > 0;) {
            if (i == fallback) continue; // cases beside default need no test
            struct lower_block block = {0, 0};
            struct lower_block *before = lower_enter(lw, &block);
            struct lower_flow flow = group_list(lw, &groups[i]);
            lower_leave(lw, before);
            int64_t known;
            if (lower_const_int(lw, groups[i].cond, &known))
                rest = known ? block.head : rest;
            else
                rest = ir_if(lw->u, groups[i].cond, block.head, rest, loc);
            all.falls = all.falls || flow.falls;
            all.pending |= flow.pending;
        }
        lower_emit(lw, rest);
    } else {
        if (fallback < count) {
            ir_expr other = no_other(lw, groups, count, loc);
            groups[fallback].cond = lower_fold2(lw, IR_LOR, groups[fallback].cond, other, loc);
        }
        ir_var inside = lower_new_var(lw, "inside", IR_BOOL, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
        lower_emit(lw, ir_assign(lw->u, inside, lower_bool(lw, false), loc));
        all = chain_groups(lw, groups, 0, count, inside, loc);
    }
    if (all.pending >> target & 1) all.falls = true;
    all.pending &= ~(1ull << target);
    lower_pop_target(lw, target);
    return all;
}

// ---- one statement --------------------------------------------------------------------------------------------------

struct lower_flow lower_statement(struct lower *lw, struct front_node *node) {
    lower_check_budget(lw, node->loc);
    bool ignored;
    if (node->kind != FRONT_DECL && lower_is_thread_statement(lw, node) && !lower_is_taken_apart(lw, node)) {
        lower_thread_statement(lw, node);
        return on;
    }
    if (node->kind == FRONT_EXPR && lower_update_reduced(lw, node)) return on;
    switch (node->kind) {
    case FRONT_BLOCK: return node->flags & FRONT_FLAG_PARTS ? lower_parts(lw, node) : lower_list(lw, node->a, NULL);
    case FRONT_DECL: lower_declare(lw, node); return on;
    case FRONT_EXPR: lower_discard(lw, node->a); return on;
    case FRONT_IF: return lower_if(lw, node, NULL, &ignored);
    case FRONT_WHILE:
    case FRONT_DO:
    case FRONT_FOR: return lower_loop(lw, node, false);
    case FRONT_SWITCH: return lower_switch(lw, node);
    case FRONT_BREAK: return jump_out(lw, LOWER_TO_BREAK, node->loc);
    case FRONT_CONTINUE: return jump_out(lw, LOWER_TO_CONTINUE, node->loc);
    case FRONT_RETURN: return return_from(lw, node);
    case FRONT_EMPTY: return on;
    case FRONT_OMP: return lower_omp(lw, node);
    default: base_bug(lw->cx, "expression %u where a statement should be", node->kind);
    }
}
