// Sequential loops. A for loop that counts - its variable written by its step alone, its bound the same in every pass -
// becomes FOR, which passes can reason about; everything else is a LOOP.
#include "front/lower/lower_count.h"

static const struct lower_flow on = {.falls = true};

// ---- bounds ---------------------------------------------------------------------------------------------------------

struct bound_query {
    struct lower *lw;
    const struct lower_count *count;
    struct front_node *body;
    bool calls, same;
};

static bool check_same(void *user, ir_expr e) {
    struct bound_query *q = user;
    const struct ir_unit *u = q->lw->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD && u->arrays[n->a].klass != IR_ARRAY_IN && u->arrays[n->a].klass != IR_ARRAY_TABLE)
        q->same = false;
    if (n->op == IR_VAR && !q->lw->var_stable[n->a]) {
        const struct front_symbol *s = q->lw->var_symbols[n->a];
        bool global = s && (s->kind == FRONT_SYM_GLOBAL || s->kind == FRONT_SYM_STATIC);
        if (!s || s->address_taken || (global && q->calls) || lower_count_writes(q->count, q->body, s)) q->same = false;
    }
    return q->same;
}

static bool same_in_every_pass(struct lower *lw, const struct lower_count *c, ir_expr e, struct front_node *body) {
    struct bound_query q = {lw, c, body, lower_count_calls(c, body), true};
    ir_walk_expr(lw->u, e, check_same, &q);
    return q.same;
}

static bool fits(struct lower_range r, int64_t lo, int64_t hi) { return r.lo >= lo && r.hi <= hi; }

// Takes what the test adds to the variable from the end. False: that might overflow.
static bool shift_end(struct lower *lw, const struct lower_count *c, ir_expr *hi, ir_expr shift, base_loc loc) {
    struct lower_range s = lower_range_of(lw, *hi), d = lower_range_of(lw, shift);
    bool fit = c->shift_down ? fits((struct lower_range){s.lo + d.lo, s.hi + d.hi}, INT32_MIN, INT32_MAX)
                             : fits((struct lower_range){s.lo - d.hi, s.hi - d.lo}, INT32_MIN, INT32_MAX);
    if (!fit) return false;
    *hi = lower_fold2(lw, c->shift_down ? IR_ADD : IR_SUB, *hi, shift, loc);
    return true;
}

// On its way from one value to another, at which the loop ends.
static bool may_wrap(const struct lower_count *c, struct lower_range r, struct lower_range end) {
    const struct front_type *t = c->symbol->type;
    uint32_t bits = front_int_bits(t), own = front_is_unsigned(t) ? bits : bits - 1; // but for the sign
    bool up = c->step > 0;
    if (bits < 32 && (!up || !fits(end, INT32_MIN, (1ll << own) - 1))) return true;
    return c->relation == FRONT_OP_NE && (front_is_unsigned(t) || bits < 32) && (up ? r.hi > end.lo : r.lo < end.hi);
}

// Both bounds in the loop variable's IR type, the end exclusive. False: not a counted loop after all.
static bool normalise(struct lower *lw, const struct lower_count *c, ir_expr *lo, ir_expr *hi, ir_expr shift,
                      enum ir_type *type, base_loc loc) {
    struct front_type *t = c->symbol->type;
    struct lower_range r = lower_range_of(lw, *lo), s = lower_range_of(lw, *hi);
    bool up = c->step > 0;
    *type = lower_carrier(t);
    if (lower_is_wide(t) && !lw->user->int64_as_int32) {
        if (fits(r, INT32_MIN, INT32_MAX) && fits(s, INT32_MIN, INT32_MAX))
            *type = IR_I32;
        else if (fits(r, 0, UINT32_MAX) && fits(s, 0, UINT32_MAX))
            *type = IR_U32;
        else
            return false;
        if (t->kind == FRONT_U64 && !up)
            return false; // runs down to a wrap, or is guarded against it in ways that ranges do not show
    }
    // A test in another type than the variable's: the same only where both sides keep their values.
    bool converted = front_is_unsigned(c->compared) != front_is_unsigned(t) && front_int_bits(t) >= 32;
    if (converted && front_is_unsigned(c->compared) && (r.lo < 0 || !up || !fits(s, 0, INT32_MAX))) return false;
    struct lower_range whole = lower_type_range(*type), end = s;
    if (!fits(s, whole.lo, whole.hi) && lower_ir_type_of(lw, *hi) != *type) return false;
    *lo = lower_as(lw, *lo, *type, loc);
    *hi = lower_as(lw, *hi, *type, loc);
    s = lower_range_of(lw, *hi);
    if (c->offset) {
        if (*type != IR_I32 ||
            !fits(s, whole.lo + (c->offset > 0 ? c->offset : 0), whole.hi + (c->offset < 0 ? c->offset : 0)))
            return false;
        *hi = lower_fold2(lw, IR_SUB, *hi, ir_const_i32(lw->u, c->offset), loc);
        s = lower_range_of(lw, *hi);
    }
    if (shift && (*type != IR_I32 || lower_ir_type_of(lw, shift) != IR_I32 || !shift_end(lw, c, hi, shift, loc)))
        return false;
    if (shift) s = lower_range_of(lw, *hi);
    if (may_wrap(c, r, c->offset || shift ? s : end)) return false;
    ir_expr one = ir_const(lw->u, *type, 1);
    if (c->relation == FRONT_OP_LE) {
        if (s.lo == whole.hi) return false;
        *hi = lower_fold2(lw, IR_ADD, *hi, one, loc);
    } else if (c->relation == FRONT_OP_GE) {
        if (s.lo == whole.lo || *type == IR_U32) return false;
        *hi = lower_fold2(lw, IR_SUB, *hi, one, loc);
    }
    return true;
}

// What the variable holds when the loop is over.
ir_expr lower_final_value(struct lower *lw, ir_expr lo, ir_expr hi, int32_t step, base_loc loc) {
    enum ir_type type = lower_ir_type_of(lw, lo);
    bool up = step > 0;
    uint32_t size = up ? (uint32_t)step : 0u - (uint32_t)step;
    if (size == 1) return lower_fold2(lw, up ? IR_MAX : IR_MIN, lo, hi, loc);
    ir_expr width = ir_const(lw->u, type, size), less = ir_const(lw->u, type, size - 1);
    ir_expr span = up ? lower_fold2(lw, IR_SUB, hi, lo, loc) : lower_fold2(lw, IR_SUB, lo, hi, loc);
    ir_expr steps = lower_fold2(lw, IR_DIV, lower_fold2(lw, IR_ADD, span, less, loc), width, loc);
    ir_expr way = lower_fold2(lw, IR_MUL, steps, width, loc);
    ir_expr end = lower_fold2(lw, up ? IR_ADD : IR_SUB, lo, way, loc);
    ir_expr runs = lower_fold2(lw, up ? IR_LT : IR_GT, lo, hi, loc);
    return lower_fold3(lw, IR_SELECT, runs, end, lo, loc);
}

// Iterations of a parallel loop, or threads of a region, that all step one variable race. A directive's own loops have
// counters of their own.
static void check_counter(struct lower *lw, const struct front_node *node, const struct front_symbol *symbol) {
    const struct lower_object *object = lw->objects[symbol->id];
    const struct front_omp *own = lw->own_loops;
    for (uint32_t d = 0; own && own->loops && d < own->collapse; d++)
        if (own->loops[d].node == node) return;
    if (!object || !lower_is_shared(lw, object)) return;
    base_error(lw->cx, node->a->loc,
               "'%s' counts this loop and is shared by all %s, which all step it: add private(%s), or declare it in "
               "the loop, as in 'for (int %s = ...'",
               symbol->name, lw->in_region ? "threads of the region" : "iterations of the parallel loop", symbol->name,
               symbol->name);
    base_note(lw->cx, object->loc, "'%s' is declared here", symbol->name);
}

// ---- counted --------------------------------------------------------------------------------------------------------

// One pass. What the step does beside counting comes last, also where the body goes on with the next pass.
static void count_body(struct lower *lw, struct front_node *node, const struct lower_count *c) {
    uint32_t next = lower_push_target(lw, LOWER_TO_CONTINUE, c->beside_count == 0, node->loc);
    struct lower_flow flow = lower_statement(lw, node->d);
    bool goes_on = flow.falls || (flow.pending & 1ull << next);
    lower_pop_target(lw, next);
    for (uint32_t i = 0; i < c->beside_count && goes_on; i++)
        lower_discard(lw, c->beside[i]);
}

static struct lower_flow count_loop(struct lower *lw, struct front_node *node, const struct lower_count *c, ir_expr lo,
                                    ir_expr hi, enum ir_type type, bool simd) {
    base_loc loc = node->loc;
    struct front_symbol *symbol = c->symbol;
    bool up = c->step > 0;
    if (!c->declaration) check_counter(lw, node, symbol);
    lo = lower_snapshot(lw, lo, loc);
    struct lower_range r = lower_range_of(lw, lo), s = lower_range_of(lw, hi);
    ir_expr final = 0;
    if (!c->declaration && lower_read_outside(lw->frame->function->body, node, symbol)) {
        hi = lower_snapshot(lw, hi, loc);
        final = lower_final_value(lw, lo, hi, c->step, loc);
    }
    struct lower_object *outer = lw->objects[symbol->id];
    struct lower_flow flow = on;
    if (!(up ? r.lo >= s.hi : r.hi <= s.lo)) {
        ir_var var = lower_new_var(lw, symbol->name, type, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, symbol->loc);
        lower_set_range(lw, var, up ? (struct lower_range){r.lo, s.hi - 1} : (struct lower_range){s.lo + 1, r.hi});
        lower_set_stable(lw, var);
        struct lower_object *object = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
        object->slots[0].value = ir_var_read(lw->u, var, loc);
        object->region_private = false;
        lw->objects[symbol->id] = object;

        uint32_t broke = lower_push_target(lw, LOWER_TO_BREAK, true, loc);
        lw->targets[broke].depth++;
        lower_open_loop(lw, loc);
        lower_log_enter_for(lw, var, c->step);
        struct lower_block body = {0, 0};
        struct lower_block *before = lower_enter(lw, &body);
        ir_var around = lw->pass;
        if (lw->in_parfor) lw->pass = var;
        count_body(lw, node, c);
        lw->pass = around;
        lower_leave(lw, before);
        lower_log_leave(lw);
        ir_stmt loop = ir_for(lw->u, var, lo, hi, c->step, body.head, loc);
        if (simd) lw->u->stmts[loop].flags |= IR_FLAG_SIMD;
        lower_emit(lw, loop);
        lower_came_round(lw, loop);
        flow.pending = lower_close_loop(lw, loc);
        lower_pop_target(lw, broke);
        lw->objects[symbol->id] = outer;
    }
    if (final) {
        struct lower_place whole = lower_whole(lower_symbol_object(lw, symbol, loc));
        lower_store_place(lw, &whole, (struct lower_value){.type = symbol->type, .e = final}, loc);
    }
    return flow;
}

// ---- any ------------------------------------------------------------------------------------------------------------

static void leave_unless(struct lower *lw, ir_expr cond, base_loc loc) {
    ir_expr over = lower_fold1(lw, IR_NOT, cond, loc);
    lower_emit(lw, ir_if(lw->u, over, ir_add_stmt(lw->u, IR_BREAK, loc), 0, loc));
}

static struct lower_flow do_once(struct lower *lw, struct front_node *node) {
    uint32_t broke = lower_push_target(lw, LOWER_TO_BREAK, false, node->loc);
    uint32_t next = lower_push_target(lw, LOWER_TO_CONTINUE, false, node->loc);
    struct lower_flow flow = lower_statement(lw, node->b);
    lower_targets mine = 1ull << broke | 1ull << next;
    if (flow.pending & mine) flow.falls = true;
    flow.pending &= ~mine;
    lower_pop_target(lw, next);
    lower_pop_target(lw, broke);
    return flow;
}

// while, do and for loops as LOOP.
static struct lower_flow any_loop(struct lower *lw, struct front_node *node) {
    base_loc loc = node->loc;
    bool is_do = node->kind == FRONT_DO, is_for = node->kind == FRONT_FOR;
    struct front_node *test = is_for ? node->b : node->a, *body_node = is_for ? node->d : node->b;
    int64_t known;
    if (is_do && test->kind == FRONT_INT && test->integer == 0) return do_once(lw, node);
    if (is_do && lower_through_casts(test)->kind == FRONT_INT && lower_through_casts(test)->integer == 0)
        return do_once(lw, node);
    if (is_for && node->a) lower_list(lw, node->a->kind == FRONT_BLOCK ? node->a->a : node->a, NULL);
    uint32_t broke = lower_push_target(lw, LOWER_TO_BREAK, true, loc);
    lw->targets[broke].depth++;
    ir_var again = 0;
    if (is_do) {
        again = lower_new_var(lw, "again", IR_BOOL, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
        lower_emit(lw, ir_assign(lw->u, again, lower_bool(lw, true), loc));
    }
    lower_open_loop(lw, loc);
    lower_log_enter_while(lw, loc);
    struct lower_block body = {0, 0}, cont = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    ir_expr cond = 0;
    if (!is_do && test) {
        cond = lower_condition(lw, test);
        if (lower_const_int(lw, cond, &known)) {
            if (!known) {
                leave_unless(lw, cond, loc);
                lw->targets[broke].used = true;
            }
            cond = 0;
        } else if (body.head) { // the test has effects: it is part of the body
            leave_unless(lw, cond, loc);
            cond = 0;
            lw->targets[broke].used = true;
        }
    }
    bool ends = cond != 0 || is_do;
    uint32_t next = lower_push_target(lw, LOWER_TO_CONTINUE, true, loc);
    lower_log_while_body(lw, loc);
    struct lower_flow inside = lower_statement(lw, body_node);
    bool goes_on = inside.falls || lw->targets[next].used;
    lower_pop_target(lw, next);
    if (goes_on) {
        lower_enter(lw, &cont);
        if (is_for && node->c) lower_discard(lw, node->c);
        if (is_do) lower_emit(lw, ir_assign(lw->u, again, lower_condition(lw, test), loc));
        lower_enter(lw, &body);
    }
    lower_leave(lw, before);
    lower_log_leave(lw);
    if (is_do) cond = ir_var_read(lw->u, again, loc);
    ir_stmt loop = ir_loop(lw->u, cond, body.head, cont.head, loc);
    lower_emit(lw, loop);
    lower_came_round(lw, loop);
    struct lower_flow flow = {.falls = ends || lw->targets[broke].used};
    flow.pending = lower_close_loop(lw, loc);
    lower_pop_target(lw, broke);
    return flow;
}

// Lowers what is declared beside the counter. -> the counter's first value. Where that is asked for, as in
// `int i = a, end = i + 2`, the counter is a variable of its own until the loop begins.
static ir_expr first_value(struct lower *lw, struct front_node *node, const struct lower_count *c) {
    if (!c->declaration) {
        for (uint32_t i = 0; i < c->also_before; i++)
            lower_discard(lw, c->also[i]);
        ir_expr first = lower_scalar(lw, c->lo);
        if (c->also_before < c->also_count) first = lower_snapshot(lw, first, node->loc);
        for (uint32_t i = c->also_before; i < c->also_count; i++)
            lower_discard(lw, c->also[i]);
        return first;
    }
    struct front_node *first = node->a->kind == FRONT_BLOCK ? node->a->a : node->a;
    bool asked = false;
    for (struct front_node *d = first; d; d = d->next)
        asked |= d != c->declaration && d->a && lower_mentions(d->a, c->symbol);
    for (struct front_node *d = first; d; d = d->next)
        if (asked || d != c->declaration) lower_declare(lw, d);
    if (!asked) return lower_scalar(lw, c->lo);
    struct lower_place whole = lower_whole(lower_symbol_object(lw, c->symbol, node->loc));
    return lower_load_place(lw, &whole, node->loc);
}

struct lower_flow lower_loop(struct lower *lw, struct front_node *node, bool simd) {
    struct lower_count c = {0};
    if (node->kind != FRONT_FOR || !lower_find_count(lw, node, &c) || (simd && c.beside_count))
        return any_loop(lw, node);
    // Bounds are lowered on trial: effects, or a bound that changes, make it an ordinary loop.
    struct lower_block trial = {0, 0};
    struct lower_block *before = lower_enter(lw, &trial);
    ir_expr lo = first_value(lw, node, &c);
    struct lower_block test = {0, 0};
    lower_enter(lw, &test);
    ir_expr hi = lower_scalar(lw, c.hi), shift = c.shift ? lower_scalar(lw, c.shift) : 0;
    lower_leave(lw, before);
    enum ir_type type;
    if (test.head || !same_in_every_pass(lw, &c, hi, node->d) ||
        (shift && !same_in_every_pass(lw, &c, shift, node->d)) || !normalise(lw, &c, &lo, &hi, shift, &type, node->loc))
        return any_loop(lw, node);
    lower_emit(lw, trial.head);
    return count_loop(lw, node, &c, lo, hi, type, simd);
}
