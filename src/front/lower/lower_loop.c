// Sequential loops. A for loop that counts - its variable written by its step alone, its bound the same in every pass -
// becomes FOR, which passes can reason about; everything else is a LOOP.
#include "front/lower/lower.h"

static const struct lower_flow on = {.falls = true};

static const struct front_node *through_casts(const struct front_node *node) {
    while (node->kind == FRONT_CAST && front_is_integer(node->type) && front_is_integer(node->a->type))
        node = node->a;
    return node;
}

// ---- recognising ----------------------------------------------------------------------------------------------------

struct count {
    struct front_symbol *symbol;
    struct front_node *lo;
    struct front_node *hi;          // the other side of the test
    struct front_node *declaration; // the DECL of the variable, or NULL
    enum front_op relation;         // the variable on the left
    struct front_type *compared;    // the type the test compares in
    int32_t offset;                 // what the test adds to the variable: `i + 1 < n`
    int32_t step;
};

static struct front_symbol *variable(const struct front_node *node) {
    node = through_casts(node);
    return node->kind == FRONT_VAR ? node->symbol : NULL;
}

static bool constant_step(const struct front_node *node, int64_t *out) {
    node = through_casts(node);
    if (node->kind == FRONT_UNARY && node->op == FRONT_OP_NEG && constant_step(node->a, out)) {
        *out = -*out;
        return true;
    }
    if (node->kind != FRONT_INT) return false;
    *out = (int64_t)node->integer;
    if (front_int_bits(node->type) == 32)
        *out = node->type->kind == FRONT_U32 ? (int64_t)(uint32_t)*out : (int64_t)(int32_t)*out;
    return true;
}

static bool find_step(const struct front_node *inc, struct count *c) {
    int64_t step;
    enum front_op op;
    if (!inc) return false;
    if (inc->kind == FRONT_ASSIGN_OP) {
        c->symbol = inc->a->kind == FRONT_VAR ? inc->a->symbol : NULL;
        op = (enum front_op)inc->op;
        if (!constant_step(inc->b, &step)) return false;
    } else if (inc->kind == FRONT_ASSIGN && inc->a->kind == FRONT_VAR) {
        c->symbol = inc->a->symbol;
        const struct front_node *sum = through_casts(inc->b);
        if (sum->kind != FRONT_BINARY) return false;
        op = (enum front_op)sum->op;
        if (variable(sum->a) == c->symbol && constant_step(sum->b, &step)) {
        } else if (op == FRONT_OP_ADD && variable(sum->b) == c->symbol && constant_step(sum->a, &step)) {
        } else {
            return false;
        }
    } else {
        return false;
    }
    if (!c->symbol || (op != FRONT_OP_ADD && op != FRONT_OP_SUB) || step == 0 || step > INT32_MAX || step < -INT32_MAX)
        return false;
    c->step = (int32_t)(op == FRONT_OP_SUB ? -step : step);
    return true;
}

static enum front_op mirrored(enum front_op op) {
    switch (op) {
    case FRONT_OP_LT: return FRONT_OP_GT;
    case FRONT_OP_LE: return FRONT_OP_GE;
    case FRONT_OP_GT: return FRONT_OP_LT;
    case FRONT_OP_GE: return FRONT_OP_LE;
    default: return op;
    }
}

// One side of the test is the variable, or an int that it and a constant add up to (which may not overflow).
static bool is_counter(const struct front_node *side, struct count *c) {
    int64_t offset;
    c->offset = 0;
    if (variable(side) == c->symbol) return true;
    if (side->kind != FRONT_BINARY || side->type->kind != FRONT_I32 || variable(side->a) != c->symbol ||
        side->a->type->kind != FRONT_I32 || !constant_step(side->b, &offset) || offset < -INT32_MAX ||
        offset > INT32_MAX || (side->op != FRONT_OP_ADD && side->op != FRONT_OP_SUB))
        return false;
    c->offset = (int32_t)(side->op == FRONT_OP_SUB ? -offset : offset);
    return true;
}

static bool find_test(const struct front_node *test, struct count *c) {
    if (!test) return false;
    test = through_casts(test);
    if (test->kind != FRONT_BINARY || !front_is_integer(test->a->type)) return false;
    c->relation = (enum front_op)test->op;
    c->compared = test->a->type;
    if (is_counter(test->a, c)) {
        c->hi = test->b;
    } else if (is_counter(test->b, c)) {
        c->hi = test->a;
        c->relation = mirrored(c->relation);
    } else {
        return false;
    }
    bool up = c->step > 0;
    return (up ? c->relation == FRONT_OP_LT || c->relation == FRONT_OP_LE
               : c->relation == FRONT_OP_GT || c->relation == FRONT_OP_GE) ||
           (c->relation == FRONT_OP_NE && (c->step == 1 || c->step == -1));
}

static bool find_start(struct front_node *init, struct count *c) {
    if (!init) return false;
    if (init->kind == FRONT_EXPR) {
        struct front_node *e = init->a;
        if (e->kind != FRONT_ASSIGN || e->a->kind != FRONT_VAR || e->a->symbol != c->symbol) return false;
        c->lo = e->b;
        return true;
    }
    for (struct front_node *d = init->kind == FRONT_BLOCK ? init->a : init; d; d = d->next)
        if (d->kind == FRONT_DECL && d->symbol == c->symbol && d->a) {
            c->lo = d->a;
            c->declaration = d;
            return true;
        }
    return false;
}

static bool find_count(struct lower *lw, struct front_node *node, struct count *c) {
    if (!find_step(node->c, c) || !front_is_integer(c->symbol->type) || c->symbol->type->kind == FRONT_BOOL)
        return false;
    if (c->symbol->kind != FRONT_SYM_LOCAL && c->symbol->kind != FRONT_SYM_PARAM) return false;
    if (c->symbol->address_taken || !find_test(node->b, c) || !find_start(node->a, c)) return false;
    if (lower_writes(node->d, c->symbol) || lower_mentions(c->hi, c->symbol)) return false;
    bool outside = !c->declaration && lower_read_outside(lw->frame->function->body, node, c->symbol);
    return !(outside && lower_has_break(node->d));
}

// ---- bounds ---------------------------------------------------------------------------------------------------------

struct bound_query {
    struct lower *lw;
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
        if (!s || s->address_taken || (global && q->calls) || lower_writes(q->body, s)) q->same = false;
    }
    return q->same;
}

static bool same_in_every_pass(struct lower *lw, ir_expr e, struct front_node *body) {
    struct bound_query q = {lw, body, lower_has_call(body), true};
    ir_walk_expr(lw->u, e, check_same, &q);
    return q.same;
}

static bool fits(struct lower_range r, int64_t lo, int64_t hi) { return r.lo >= lo && r.hi <= hi; }

// Both bounds in the loop variable's IR type, the end exclusive. False: not a counted loop after all.
static bool normalise(struct lower *lw, const struct count *c, ir_expr *lo, ir_expr *hi, enum ir_type *type,
                      base_loc loc) {
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
    } else if (front_int_bits(t) < 32) {
        int64_t most = (1ll << (front_is_unsigned(t) ? front_int_bits(t) : front_int_bits(t) - 1)) - 1;
        if (!up || !fits(s, INT32_MIN, most)) return false; // the variable might wrap
    }
    if (c->relation == FRONT_OP_NE && (front_is_unsigned(t) || front_int_bits(t) < 32) &&
        (up ? r.hi > s.lo : r.lo < s.hi))
        return false; // it may wrap on its way to the end
    // A test in another type than the variable's: the same only where both sides keep their values.
    bool converted = front_is_unsigned(c->compared) != front_is_unsigned(t) && front_int_bits(t) >= 32;
    if (converted && front_is_unsigned(c->compared) && (r.lo < 0 || !up || !fits(s, 0, INT32_MAX))) return false;
    struct lower_range whole = lower_type_range(*type);
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

static struct lower_flow count_loop(struct lower *lw, struct front_node *node, const struct count *c, ir_expr lo,
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
        uint32_t next = lower_push_target(lw, LOWER_TO_CONTINUE, true, loc);
        lower_statement(lw, node->d);
        lower_pop_target(lw, next);
        lower_leave(lw, before);
        lower_log_leave(lw);
        ir_stmt loop = ir_for(lw->u, var, lo, hi, c->step, body.head, loc);
        if (simd) lw->u->stmts[loop].flags |= IR_FLAG_SIMD;
        lower_emit(lw, loop);
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
    if (is_do && through_casts(test)->kind == FRONT_INT && through_casts(test)->integer == 0) return do_once(lw, node);
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
    lower_emit(lw, ir_loop(lw->u, cond, body.head, cont.head, loc));
    struct lower_flow flow = {.falls = ends || lw->targets[broke].used};
    flow.pending = lower_close_loop(lw, loc);
    lower_pop_target(lw, broke);
    return flow;
}

struct lower_flow lower_loop(struct lower *lw, struct front_node *node, bool simd) {
    struct count c = {0};
    if (node->kind != FRONT_FOR || !find_count(lw, node, &c)) return any_loop(lw, node);
    // Bounds are lowered on trial: effects, or a bound that changes, make it an ordinary loop.
    struct lower_block trial = {0, 0};
    struct lower_block *before = lower_enter(lw, &trial);
    if (c.declaration)
        for (struct front_node *d = node->a->kind == FRONT_BLOCK ? node->a->a : node->a; d; d = d->next)
            if (d != c.declaration) lower_declare(lw, d);
    ir_expr lo = lower_scalar(lw, c.lo);
    struct lower_block test = {0, 0};
    lower_enter(lw, &test);
    ir_expr hi = lower_scalar(lw, c.hi);
    lower_leave(lw, before);
    enum ir_type type;
    if (test.head || !same_in_every_pass(lw, hi, node->d) || !normalise(lw, &c, &lo, &hi, &type, node->loc))
        return any_loop(lw, node);
    lower_emit(lw, trial.head);
    return count_loop(lw, node, &c, lo, hi, type, simd);
}
