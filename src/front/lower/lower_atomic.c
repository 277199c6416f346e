// `#pragma omp atomic`: one update, read or write that no other iteration comes between.
//
// Updates become ATOMIC; a read is a load and a write is a store, of an array that is marked as shared by iterations. A
// scalar of the entry that iterations share this way has to be in memory: the run learns that, and the program is
// lowered again with the scalar as an array of one element.
#include "front/lower/lower_update.h"

static const struct lower_flow on = {.falls = true};

// ---- places ---------------------------------------------------------------------------------------------------------

// Private to the iteration, or its own part of a reduction: no other iteration sees it.
bool lower_atomic_is_private(const struct lower *lw, const struct lower_object *object, const struct lower_slot *slot) {
    if (lower_is_per_thread(object)) return true;
    if (lower_lives_in_memory(object, slot) && slot->ndims + object->words > 0)
        return object->array_class == IR_ARRAY_LOCAL;
    return object->var_class != IR_VAR_ENTRY || (slot->var && lower_is_reduction(lw, slot->var));
}

// Makes the places that iterations share arrays. False: this run has learned that one must be, and another run will
// follow.
bool lower_atomic_prepare(struct lower *lw, const struct lower_ptr *to, base_loc loc) {
    bool ready = true;
    for (uint32_t i = 0; i < to->count; i++) {
        struct lower_object *object = to->targets[i].object;
        if (!object) continue;
        struct lower_slot *slot = &object->slots[to->targets[i].leaf];
        if (slot->leaf->is_union)
            base_unsupported(lw->cx, loc, "an atomic access to a member of a union, '%s'", slot->name);
        if (!front_is_arithmetic(slot->type))
            base_unsupported(lw->cx, loc, "an atomic access to '%s', which is no number", slot->name);
        if (lower_atomic_is_private(lw, object, slot) || lower_lives_in_memory(object, slot)) continue;
        if (lower_learn_per_thread(lw, object)) { // its thread's own
            ready = false;
            continue;
        }
        object->ident->in_memory = true;
        lw->learned = true;
        ready = false;
    }
    return ready;
}

static void mark(struct lower *lw, const struct lower_ptr *to, base_loc loc) {
    for (uint32_t i = 0; i < to->count; i++) {
        const struct lower_place *place = &to->targets[i];
        if (!place->object || lower_atomic_is_private(lw, place->object, &place->object->slots[place->leaf])) continue;
        uint8_t klass = place->object->array_class;
        if (klass == IR_ARRAY_IN || klass == IR_ARRAY_TABLE) continue;
        ir_expr idx[IR_MAX_DIMS + 1];
        uint32_t n;
        ir_array array = lower_element_indices(lw, place, idx, &n, loc);
        lw->u->arrays[array].atomic = true;
    }
}

// ---- updates --------------------------------------------------------------------------------------------------------

static enum ir_op operation(enum front_op op) {
    switch (op) {
    case FRONT_OP_AND: return IR_AND;
    case FRONT_OP_OR: return IR_OR;
    case FRONT_OP_XOR: return IR_XOR;
    case FRONT_OP_MIN: return IR_MIN;
    case FRONT_OP_MAX: return IR_MAX;
    case FRONT_OP_NONE: return IR_SELECT;
    default: return IR_ADD;
    }
}

static void check_types(struct lower *lw, const struct lower_update *up, base_loc loc) {
    enum front_type_kind kind = (enum front_type_kind)up->x->type->kind, calc = (enum front_type_kind)up->calc->kind;
    bool is_float = kind == FRONT_F32, wide = lower_is_wide(up->x->type); // in 32 bits, then: -fint64=int32
    if (kind != FRONT_I32 && kind != FRONT_U32 && kind != FRONT_F32 && !wide)
        base_unsupported(lw->cx, loc, "an atomic update of type '%s': use int, unsigned or float",
                         front_type_name(lw->cx, up->x->type));
    if (is_float && up->expected)
        base_unsupported(lw->cx, loc, "an atomic comparison of floats: compare their bits, in an array of unsigned");
    if (is_float && up->op != FRONT_OP_ADD && up->op != FRONT_OP_SUB && up->op != FRONT_OP_NONE)
        base_unsupported(lw->cx, loc,
                         "an atomic update of a float can only add or subtract; a reduction has min and max");
    if (is_float ? calc != FRONT_F32 : calc != FRONT_I32 && calc != FRONT_U32 && !lower_is_wide(up->calc))
        base_unsupported(lw->cx, loc, "an atomic update of type '%s' by a value of type '%s': cast the value",
                         front_type_name(lw->cx, up->x->type), front_type_name(lw->cx, up->calc));
}

// What an update is made with, evaluated once.
struct operands {
    ir_expr e, expected; // expected: 0 where there is none
    bool wants_old;
};

static ir_expr updated(struct lower *lw, const struct lower_update *up, const struct operands *with, ir_expr old,
                       base_loc loc) {
    if (up->op != FRONT_OP_NONE) return lower_fold2(lw, operation(up->op), old, with->e, loc);
    if (!with->expected) return with->e;
    return lower_fold3(lw, IR_SELECT, lower_fold2(lw, IR_EQ, old, with->expected, loc), with->e, old, loc);
}

// A field of a struct with fields of several types, whose words are of another type than the field: the new value takes
// the place of the old one as soon as no other iteration came between. Returns the old value.
static ir_expr update_bits(struct lower *lw, struct lower_try *t, const struct lower_update *up,
                           const struct operands *with, enum ir_type type, base_loc loc) {
    struct ir_unit *u = lw->u;
    struct operands once = {.e = lower_snapshot(lw, with->e, loc)};
    ir_expr was = lower_try_begin(lw, t, loc);
    ir_expr value = type == IR_F32 ? ir_op1(u, IR_BITS_U2F, was, loc) : lower_as(lw, was, type, loc);
    ir_expr next = updated(lw, up, &once, value, loc);
    lower_try_end(lw, t, type == IR_F32 ? ir_op1(u, IR_BITS_F2U, next, loc) : next, loc);
    return value;
}

// One place; returns its old value, 0 where it is not wanted.
static ir_expr update_place(struct lower *lw, const struct lower_place *place, const struct lower_update *up,
                            const struct operands *with, base_loc loc) {
    struct lower_object *object = place->object;
    enum ir_type type = lower_ir_type_of(lw, with->e);
    enum ir_op op = operation(up->op);
    if (lower_atomic_is_private(lw, object, &object->slots[place->leaf])) {
        ir_expr old = lower_load_place(lw, place, loc);
        if (with->wants_old) old = lower_snapshot(lw, old, loc);
        struct lower_value value = {.type = up->x->type, .e = updated(lw, up, with, old, loc)};
        lower_store_place(lw, place, value, loc);
        return with->wants_old ? old : 0;
    }
    if (object->array_class == IR_ARRAY_IN || object->array_class == IR_ARRAY_TABLE || object->is_const) {
        base_error(lw->cx, loc, "'%s' is const", object->name);
        return with->wants_old ? with->e : 0;
    }
    struct lower_try t;
    t.array = lower_element_indices(lw, place, t.idx, &t.n, loc);
    enum whorl_dtype elem = (enum whorl_dtype)lw->u->arrays[t.array].elem;
    enum ir_type have = ir_elem_type(elem);
    bool ordered = op == IR_MIN || op == IR_MAX;
    if (elem == WHORL_U32 && have != type && (type == IR_F32 || ordered))
        return update_bits(lw, &t, up, with, type, loc);
    if (!ir_atomic_allowed(op, elem) || (have != type && (have == IR_F32 || ordered)))
        base_unsupported(lw->cx, loc,
                         "this atomic update of a field of '%s': the struct's fields must have 32 bits; keep what is "
                         "updated in an array of its own",
                         object->name);
    ir_var old = with->wants_old ? lower_new_var(lw, "old", have, IR_VAR_LOCAL, loc) : 0;
    ir_stmt s = ir_atomic(lw->u, t.array, t.idx, t.n, op, lower_as(lw, with->e, have, loc), old, loc);
    if (with->expected) lw->u->stmts[s].atomic.expected = lower_as(lw, with->expected, have, loc);
    if (lw->updated_array && have == IR_F32) lw->u->stmts[s].flags |= IR_FLAG_FIXED;
    lower_emit(lw, s);
    return old ? lower_as(lw, ir_var_read(lw->u, old, loc), type, loc) : 0;
}

static bool is_integer_sum(enum front_op op) {
    return op == FRONT_OP_ADD || op == FRONT_OP_SUB || op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR;
}

static void check_words(struct lower *lw, const struct lower_update *up, base_loc loc) {
    const char *type = front_type_name(lw->cx, up->x->type);
    if (up->v || up->r || up->expected || up->wants_old || !is_integer_sum(up->op))
        base_unsupported(
            lw->cx, loc,
            "this atomic update of type '%s': no device updates two words at once, so it can add, subtract "
            "and combine by & | ^, and capture nothing but the places of a variable that goes by 1 and is used for "
            "nothing else; use int or unsigned, or an element for each iteration that a second loop goes through",
            type);
    if (!front_is_integer(up->calc))
        base_unsupported(lw->cx, loc, "an atomic update of type '%s' by a value of type '%s': cast the value", type,
                         front_type_name(lw->cx, up->calc));
}

static ir_expr chosen(struct lower *lw, ir_expr selector, uint32_t index, base_loc loc) {
    return lower_fold2(lw, IR_EQ, selector, ir_const_i32(lw->u, (int32_t)index), loc);
}

// What becomes of the old value.
static void capture(struct lower *lw, const struct lower_update *up, const struct operands *with, ir_expr old,
                    base_loc loc) {
    ir_expr equal = with->expected ? lower_fold2(lw, IR_EQ, old, with->expected, loc) : 0;
    if (up->r) {
        const struct front_type *int_type = front_basic_type(FRONT_I32);
        ir_expr one = lower_fold3(lw, IR_SELECT, equal, ir_const_i32(lw->u, 1), ir_const_i32(lw->u, 0), loc);
        struct lower_value r = {.type = up->r->type, .e = lower_convert(lw, one, int_type, up->r->type, loc)};
        lower_store(lw, lower_lvalue(lw, up->r), r, loc);
    }
    if (!up->v) return;
    if (up->takes_new) old = updated(lw, up, with, old, loc);
    struct lower_block block = {0, 0};
    struct lower_block *before = up->takes_if_other ? lower_enter(lw, &block) : NULL;
    struct lower_value value = {.type = up->v->type, .e = lower_convert(lw, old, up->x->type, up->v->type, loc)};
    lower_store(lw, lower_lvalue(lw, up->v), value, loc);
    if (!up->takes_if_other) return;
    lower_leave(lw, before);
    lower_emit(lw, ir_if(lw->u, lower_fold1(lw, IR_NOT, equal, loc), block.head, 0, loc));
}

// One place of a 64-bit integer. An array of the program's own has two words from the next run on.
static void update_wide_place(struct lower *lw, const struct lower_place *place, enum front_op op, ir_expr value,
                              base_loc loc) {
    struct lower_object *object = place->object;
    struct lower_slot *slot = &object->slots[place->leaf];
    if (lower_atomic_is_private(lw, object, slot)) {
        ir_expr e = lower_arith(lw, op, lower_load_place(lw, place, loc), value, place->type, loc);
        lower_store_place(lw, place, (struct lower_value){.type = place->type, .e = e}, loc);
    } else if (object->array_class == IR_ARRAY_IN || object->array_class == IR_ARRAY_TABLE || object->is_const) {
        base_error(lw->cx, loc, "'%s' is const", object->name);
    } else if (!lower_holds_words(lw, object, slot)) {
        object->ident->two_words = lw->learned = true;
    } else {
        lower_update_words(lw, place, operation(op), value, loc);
    }
}

static void update_wide(struct lower *lw, const struct lower_update *up, base_loc loc) {
    check_words(lw, up, loc);
    struct front_type *type = up->x->type;
    struct lower_ptr *to = lower_lvalue(lw, up->x);
    if (!lower_atomic_prepare(lw, to, loc)) return;
    ir_expr e = lower_convert(lw, lower_scalar(lw, up->e), up->e->type, up->calc, loc);
    e = lower_convert(lw, e, up->calc, type, loc);
    enum front_op op = up->op;
    if (op == FRONT_OP_SUB) {
        e = lower_words_binary(lw, op, lower_words_constant(lw, 0, type, loc), e, type, loc);
        op = FRONT_OP_ADD;
    }
    e = lower_words_snapshot(lw, e, loc);
    ir_stmt rest = 0;
    for (uint32_t i = to->count; i-- > 0;) {
        if (!to->targets[i].object) continue;
        if (to->count == 1) {
            update_wide_place(lw, &to->targets[i], op, e, loc);
            return;
        }
        struct lower_block block = {0, 0};
        struct lower_block *before = lower_enter(lw, &block);
        update_wide_place(lw, &to->targets[i], op, e, loc);
        lower_leave(lw, before);
        rest = rest ? ir_if(lw->u, chosen(lw, to->selector, i, loc), block.head, rest, loc) : block.head;
    }
    lower_emit(lw, rest);
}

// Returns the old value; 0: it is not wanted, or this run has learned that another one will follow.
static ir_expr update(struct lower *lw, const struct lower_update *up, base_loc loc) {
    if (lower_is_wide(up->x->type) && !lw->user->int64_as_int32) {
        ir_expr taken = up->v || up->wants_old ? lower_take(lw, up, loc) : 0;
        if (!taken) update_wide(lw, up, loc);
        return taken;
    }
    check_types(lw, up, loc);
    struct lower_ptr *to = lower_lvalue(lw, up->x);
    if (!lower_atomic_prepare(lw, to, loc)) return 0;
    enum ir_type type = lower_carrier(up->x->type);
    ir_expr e = lower_convert(lw, lower_scalar(lw, up->e), up->e->type, up->calc, loc);
    struct operands with = {.e = lower_as(lw, e, type, loc), .wants_old = up->v || up->r || up->wants_old};
    if (up->op == FRONT_OP_SUB)
        with.e = type == IR_U32 ? lower_fold2(lw, IR_SUB, ir_const(lw->u, IR_U32, 0), with.e, loc)
                                : lower_fold1(lw, IR_NEG, with.e, loc);
    if (with.wants_old || to->count > 1) with.e = lower_snapshot(lw, with.e, loc);
    if (up->expected) {
        ir_expr expected = lower_convert(lw, lower_scalar(lw, up->expected), up->expected->type, up->calc, loc);
        with.expected = lower_snapshot(lw, lower_as(lw, expected, type, loc), loc);
    }
    ir_expr old = 0;
    ir_var taken = 0;
    ir_stmt rest = 0;
    if (to->count > 1 && with.wants_old) taken = lower_new_var(lw, "old", type, IR_VAR_LOCAL, loc);
    for (uint32_t i = to->count; i-- > 0;) {
        if (!to->targets[i].object) continue;
        if (to->count == 1) {
            old = update_place(lw, &to->targets[i], up, &with, loc);
            break;
        }
        struct lower_block block = {0, 0};
        struct lower_block *before = lower_enter(lw, &block);
        old = update_place(lw, &to->targets[i], up, &with, loc);
        if (taken) lower_emit(lw, ir_assign(lw->u, taken, old, loc));
        lower_leave(lw, before);
        rest = rest ? ir_if(lw->u, chosen(lw, to->selector, i, loc), block.head, rest, loc) : block.head;
    }
    lower_emit(lw, rest);
    if (taken) old = ir_var_read(lw->u, taken, loc);
    if (with.wants_old && old) capture(lw, up, &with, old, loc);
    return old;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void read_or_write(struct lower *lw, struct front_node *body, bool writes, base_loc loc) {
    struct front_node *e = lower_expression_of(body);
    if (!e || e->kind != FRONT_ASSIGN)
        base_fatal(lw->cx, loc, "the statement of 'atomic %s' must be %s", writes ? "write" : "read",
                   writes ? "'x = value;'" : "'value = x;'");
    struct front_node *shared = writes ? e->a : e->b;
    while (!writes && shared->kind == FRONT_CAST)
        shared = shared->a;
    if (shared->kind != FRONT_VAR && shared->kind != FRONT_INDEX && shared->kind != FRONT_DEREF &&
        shared->kind != FRONT_MEMBER)
        base_fatal(lw->cx, loc, "the statement of 'atomic read' must be 'value = x;'");
    struct lower_ptr *place = lower_lvalue(lw, shared);
    if (!lower_atomic_prepare(lw, place, loc)) return;
    mark(lw, place, loc);
    ir_expr value = lower_scalar(lw, e->b);
    if (writes) {
        lw->in_atomic = true;
        lower_store(lw, place, (struct lower_value){.type = e->a->type, .e = value}, e->loc);
        lw->in_atomic = false;
        return;
    }
    if (lower_is_words(lw, value))
        base_unsupported(lw->cx, loc,
                         "an atomic read of a 64-bit integer that may not fit in 32 bits: no device reads two words at "
                         "once; use an element for each iteration, or int or unsigned");
    ir_expr now = lower_snapshot(lw, value, loc);
    if (now != value) lw->u->stmts[lw->block->tail].flags |= IR_FLAG_ATOMIC;
    lower_store(lw, lower_lvalue(lw, e->a), (struct lower_value){.type = e->a->type, .e = now}, loc);
}

static bool is_small(const struct front_type *type) {
    return front_is_integer(type) && type->kind != FRONT_BOOL && front_int_bits(type) < 32;
}

// x op= e, x = x op e, x = e op x, by whatever operator.
static bool is_operation(struct front_node *body) {
    const struct front_node *set = lower_expression_of(body), *value = set && set->kind == FRONT_ASSIGN ? set->b : NULL;
    while (value && value->kind == FRONT_CAST)
        value = value->a;
    if (value && value->kind == FRONT_BINARY) return lower_same(value->a, set->a) || lower_same(value->b, set->a);
    return set && set->kind == FRONT_ASSIGN_OP;
}

struct lower_flow lower_atomic(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    base_loc loc = omp->loc;
    if (!lw->in_parfor) { // one thread, in order
        return lower_statement(lw, omp->body);
    }
    if (lower_is_implied(lw, omp->body)) return lower_statement(lw, omp->body);
    const uint32_t other = FRONT_ATOMIC_READ | FRONT_ATOMIC_WRITE | FRONT_ATOMIC_CAPTURE;
    if (!(omp->atomic & other) && lower_is_row_update(lw, omp->body)) {
        lower_row_update(lw, omp->body);
        return on;
    }
    if (omp->atomic_pair && lw->user->target.cpu_only) return lower_locked(lw, omp->body, "atomic", loc);
    if (!(omp->atomic & other) && omp->atomic_pair && lower_row_update_by_place(lw, omp->body)) return on;
    if (omp->atomic_pair)
        base_unsupported(lw->cx, loc,
                         "two floats cannot be updated by one atomic operation: use a reduction of the variable, or of "
                         "the array, as in reduction(+ : a[:n]), or an element for each iteration that a second loop "
                         "adds up");
    if (omp->atomic & (FRONT_ATOMIC_READ | FRONT_ATOMIC_WRITE)) {
        read_or_write(lw, omp->body, omp->atomic & FRONT_ATOMIC_WRITE, loc);
        return on;
    }
    struct lower_update up;
    bool compares = omp->atomic & FRONT_ATOMIC_COMPARE, captures = omp->atomic & FRONT_ATOMIC_CAPTURE;
    bool reads = lower_read_atomic(omp->body, compares, captures, &up);
    bool is_other = !compares && !captures && (reads ? is_small(up.x->type) : is_operation(omp->body));
    if (is_other && lw->user->target.cpu_only) return lower_locked(lw, omp->body, "atomic", loc);
    if (is_other && lower_exchange(lw, omp)) return on;
    if (!reads)
        base_unsupported(lw->cx, loc,
                         "this statement under 'atomic' is not supported: it can add, subtract, combine by & | ^, take "
                         "the smaller or larger of two, exchange a value where it is as expected ('compare'), and "
                         "'capture' the value before or after");
    if (lower_is_wide(up.x->type) && lw->user->target.cpu_only) return lower_locked(lw, omp->body, "atomic", loc);
    update(lw, &up, loc);
    return on;
}

// ---- critical -------------------------------------------------------------------------------------------------------

static bool has_atomic(const struct lower_update *up) {
    if (!up->calc) return false; // of a pair
    enum front_type_kind kind = (enum front_type_kind)up->x->type->kind, calc = (enum front_type_kind)up->calc->kind;
    if (kind == FRONT_F32) return calc == FRONT_F32 && (up->op == FRONT_OP_ADD || up->op == FRONT_OP_SUB);
    if (lower_is_wide(up->x->type)) return front_is_integer(up->calc) && is_integer_sum(up->op);
    bool low = lower_is_wide(up->calc) && is_integer_sum(up->op); // the low half of what is computed is enough
    return (kind == FRONT_I32 || kind == FRONT_U32) && (calc == FRONT_I32 || calc == FRONT_U32 || low);
}

// Of the subscripts, not of the array itself.
static bool place_mentions(const struct front_node *x, const struct front_symbol *symbol) {
    for (; x && x->kind != FRONT_VAR; x = x->a)
        if (x->b && lower_mentions(x->b, symbol)) return true;
    return false;
}

static bool read_any_update(struct front_node *statement, struct lower_update *out) {
    return lower_read_pair_update(statement, out) || lower_read_update(statement, out);
}

// Nothing in the section but updates, none of which sees what another one changes: nobody can tell in which order they
// were made, so each may be an atomic one.
bool lower_is_updates(const struct lower *lw, struct front_node *body) {
    struct front_node *first = body->kind == FRONT_BLOCK ? body->a : body;
    if (!first) return true;
    for (struct front_node *s = first; s; s = body->kind == FRONT_BLOCK ? s->next : NULL) {
        struct lower_update up = {0};
        if (lower_is_implied(lw, s)) continue; // nobody else sees what it changes
        bool row = lower_is_row_update(lw, s), reads = read_any_update(s, &up);
        if (!row && (!reads || !has_atomic(&up))) return false;
        for (struct front_node *t = first; t; t = body->kind == FRONT_BLOCK ? t->next : NULL) {
            struct lower_update other = {0};
            if (lower_is_implied(lw, t)) continue;
            const struct front_symbol *changed = read_any_update(t, &other) ? lower_base_of(other.x) : NULL;
            if (!changed || lower_mentions(up.e, changed) || place_mentions(up.x, changed)) return false;
            if (changed == lower_base_of(up.x) && operation(other.op) != operation(up.op) &&
                !lower_are_apart(other.x, up.x))
                return false; // which came first matters
        }
    }
    return true;
}

void lower_updates(struct lower *lw, struct front_node *body) {
    for (struct front_node *s = body->kind == FRONT_BLOCK ? body->a : body; s;
         s = body->kind == FRONT_BLOCK ? s->next : NULL) {
        struct lower_update up = {0};
        if (lower_is_implied(lw, s))
            lower_statement(lw, s);
        else if (lower_is_row_update(lw, s))
            lower_row_update(lw, s);
        else if (lower_read_update(s, &up))
            update(lw, &up, s->loc);
    }
}

// The section runs with the counter as it was, which one atomic update has moved on.
void lower_append(struct lower *lw, const struct front_omp *section) {
    const struct front_node *step = section->append;
    const struct front_symbol *counter = step->a->symbol;
    base_loc loc = step->loc;
    struct lower_update up = {
        .x = step->a, .e = step->b, .op = (enum front_op)step->op, .calc = step->calc, .wants_old = true};
    ir_expr old = update(lw, &up, loc);
    if (!old) return;
    struct lower_object *shared = lw->objects[counter->id],
                        *own = lower_object_create(lw, counter->name, NULL, &step->op, step->a->type, loc);
    struct lower_place place = lower_whole(own);
    lower_store_place(lw, &place, (struct lower_value){.type = step->a->type, .e = old}, loc);
    lw->objects[counter->id] = own;
    lower_statement(lw, section->body);
    lw->objects[counter->id] = shared;
}

// ---- arrays that a loop reduces -------------------------------------------------------------------------------------

// The array that the place is in, where one is named.
static const struct front_symbol *array_of(const struct front_node *x) {
    while (x->kind == FRONT_INDEX || x->kind == FRONT_DEREF || x->kind == FRONT_PTR_ADD || x->kind == FRONT_CAST)
        x = x->a;
    return x->kind == FRONT_VAR ? x->symbol : NULL;
}

static const struct front_omp_var *reduction_of(const struct lower *lw, const struct front_symbol *symbol) {
    for (uint32_t i = 0; symbol && i < lw->reduced_array_count; i++)
        if (lw->reduced_arrays[i]->symbol == symbol) return lw->reduced_arrays[i];
    return NULL;
}

void lower_check_reduced(struct lower *lw, const struct front_symbol *symbol, base_loc loc) {
    if (symbol == lw->updated_array || !reduction_of(lw, symbol)) return;
    base_unsupported(lw->cx, loc,
                     "'%s' is reduced: this loop can only update its elements, in statements like '%s[k] += value' or "
                     "'if (%s[k] < value) %s[k] = value'",
                     symbol->name, symbol->name, symbol->name, symbol->name);
}

bool lower_update_reduced(struct lower *lw, struct front_node *node) {
    struct lower_update up = {0};
    if (!lw->reduced_array_count || !lw->in_parfor || !lower_read_update(node, &up)) return false;
    const struct front_omp_var *v = reduction_of(lw, array_of(up.x));
    if (!v) return false;
    if (lower_mentions(up.e, v->symbol) || place_mentions(up.x, v->symbol))
        lower_check_reduced(lw, v->symbol, node->loc);
    if (operation(up.op) != operation((enum front_op)v->op))
        base_error(lw->cx, node->loc, "'%s' is reduced by '%s', this statement updates it by another operator",
                   v->symbol->name, front_op_text((enum front_op)v->op));
    lw->updated_array = v->symbol;
    update(lw, &up, node->loc);
    lw->updated_array = NULL;
    return true;
}
