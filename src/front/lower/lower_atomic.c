// `#pragma omp atomic`: one update, read or write that no other iteration comes between.
//
// Updates become ATOMIC; a read is a load and a write is a store, of an array that is marked as shared by iterations. A
// scalar of the entry that iterations share this way has to be in memory: the run learns that, and the program is
// lowered again with the scalar as an array of one element.
#include "front/lower/lower.h"

static const struct lower_flow on = {.falls = true};

struct update {
    struct front_node *x; // what is updated
    struct front_node *e; // by what; NULL with MIN and MAX that no one sees
    enum front_op op;     // ADD SUB AND OR XOR MIN MAX
    struct front_type *calc;
    struct front_node *v; // takes the old or the new value; NULL: nobody
    bool takes_new;
};

// ---- recognising ----------------------------------------------------------------------------------------------------

static struct front_node *plain(struct front_node *node) { // without the casts that keep all bits of a 32-bit integer
    while (node->kind == FRONT_CAST && front_is_integer(node->type) && front_is_integer(node->a->type) &&
           front_int_bits(node->type) == 32 && front_int_bits(node->a->type) == 32)
        node = node->a;
    return node;
}

// The same text, as far as it can name a place or a value.
bool lower_same(const struct front_node *a, const struct front_node *b) {
    if (!a || !b) return a == b;
    if (a->kind != b->kind || a->op != b->op) return false;
    switch (a->kind) {
    case FRONT_VAR: return a->symbol == b->symbol;
    case FRONT_INT: return a->integer == b->integer;
    case FRONT_FLOAT: return a->real == b->real;
    case FRONT_CALL: { // how often it is called, OpenMP leaves open
        const struct front_node *x = a->a, *y = b->a;
        while (x && lower_same(x, y)) {
            x = x->next;
            y = y->next;
        }
        return a->symbol == b->symbol && !x && !y;
    }
    case FRONT_MEMBER: return a->field == b->field && lower_same(a->a, b->a);
    case FRONT_CAST: return a->type->kind == b->type->kind && lower_same(a->a, b->a);
    case FRONT_INDEX:
    case FRONT_DEREF:
    case FRONT_ADDR:
    case FRONT_UNARY:
    case FRONT_BINARY:
    case FRONT_LOGIC:
    case FRONT_MULHI:
    case FRONT_PTR_DIFF:
    case FRONT_PTR_ADD: return lower_same(a->a, b->a) && lower_same(a->b, b->b);
    case FRONT_COND: return lower_same(a->a, b->a) && lower_same(a->b, b->b) && lower_same(a->c, b->c);
    default: return false;
    }
}

static bool can_update(enum front_op op) {
    return op == FRONT_OP_ADD || op == FRONT_OP_SUB || op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR;
}

// `a relation b` picks the larger or the smaller of x and e when it says that e replaces x.
static bool read_order(struct front_node *test, struct front_node *x, struct front_node *e, struct update *out) {
    test = test->kind == FRONT_CAST ? test->a : test;
    if (test->kind != FRONT_BINARY || test->a->type->kind != x->type->kind) return false;
    bool less = test->op == FRONT_OP_LT || test->op == FRONT_OP_LE;
    if (!less && test->op != FRONT_OP_GT && test->op != FRONT_OP_GE) return false;
    if (lower_same(plain(test->a), x) && lower_same(plain(test->b), plain(e)))
        out->op = less ? FRONT_OP_MAX : FRONT_OP_MIN;
    else if (lower_same(plain(test->b), x) && lower_same(plain(test->a), plain(e)))
        out->op = less ? FRONT_OP_MIN : FRONT_OP_MAX;
    else
        return false;
    out->x = x;
    out->e = e;
    out->calc = x->type;
    return true;
}

// x op= e; x++; x = x op e; x = x < e ? e : x.
static bool read_update(struct front_node *node, struct update *out) {
    if (node->kind == FRONT_ASSIGN_OP) {
        out->x = node->a;
        out->e = node->b;
        out->op = (enum front_op)node->op;
        out->calc = node->calc;
        return can_update(out->op);
    }
    if (node->kind != FRONT_ASSIGN) return false;
    struct front_node *x = node->a, *value = plain(node->b);
    if (value->kind == FRONT_COND) {
        if (lower_same(plain(value->c), x)) return read_order(value->a, x, value->b, out);
        if (!lower_same(plain(value->b), x)) return false;
        if (!read_order(value->a, x, value->c, out)) return false;
        out->op = out->op == FRONT_OP_MAX ? FRONT_OP_MIN : FRONT_OP_MAX; // x stays where the test holds
        return true;
    }
    if (value->kind != FRONT_BINARY || !can_update((enum front_op)value->op)) return false;
    out->x = x;
    out->op = (enum front_op)value->op;
    out->calc = value->type;
    if (lower_same(plain(value->a), x))
        out->e = value->b;
    else if (value->op != FRONT_OP_SUB && lower_same(plain(value->b), x))
        out->e = value->a;
    else
        return false;
    return true;
}

static struct front_node *expression(struct front_node *statement) {
    while (statement && statement->kind == FRONT_BLOCK && statement->a && !statement->a->next)
        statement = statement->a;
    return statement && statement->kind == FRONT_EXPR ? statement->a : NULL;
}

// if (x < e) x = e;
static bool read_if(struct front_node *node, struct update *out) {
    struct front_node *set = node->kind == FRONT_IF && !node->c ? expression(node->b) : NULL;
    return set && set->kind == FRONT_ASSIGN && read_order(node->a, set->a, set->b, out);
}

static bool read_change(struct front_node *node, struct update *out) {
    struct front_node *e = expression(node);
    return e ? read_update(e, out) : read_if(node, out);
}

// v = x++; { v = x; x += e; } { x += e; v = x; }
static bool read_capture(struct front_node *node, struct update *out) {
    struct front_node *e = expression(node);
    if (e) {
        if (e->kind != FRONT_ASSIGN) return false;
        struct front_node *value = plain(e->b);
        out->v = e->a;
        out->takes_new = !(value->kind == FRONT_ASSIGN_OP && value->flags & FRONT_FLAG_POST);
        return read_update(value, out);
    }
    if (node->kind != FRONT_BLOCK || !node->a || !node->a->next || node->a->next->next) return false;
    struct front_node *first = expression(node->a), *second = expression(node->a->next);
    if (first && first->kind == FRONT_ASSIGN && read_change(node->a->next, out) &&
        lower_same(plain(first->b), out->x)) {
        out->v = first->a;
        return true;
    }
    *out = (struct update){.takes_new = true};
    if (!second || second->kind != FRONT_ASSIGN || !read_change(node->a, out) || !lower_same(plain(second->b), out->x))
        return false;
    out->v = second->a;
    return true;
}

// ---- places ---------------------------------------------------------------------------------------------------------

// Private to the iteration, or its own part of a reduction: no other iteration sees it.
static bool is_private(const struct lower *lw, const struct lower_object *object, const struct lower_slot *slot) {
    if (lower_is_per_thread(object)) return true;
    if (lower_lives_in_memory(object, slot) && slot->ndims + object->words > 0)
        return object->array_class == IR_ARRAY_LOCAL;
    return object->var_class != IR_VAR_ENTRY || (slot->var && lower_is_reduction(lw, slot->var));
}

// Makes the places that iterations share arrays. False: this run has learned that one must be, and another run will
// follow.
static bool prepare(struct lower *lw, const struct lower_ptr *to, base_loc loc) {
    bool ready = true;
    for (uint32_t i = 0; i < to->count; i++) {
        struct lower_object *object = to->targets[i].object;
        if (!object) continue;
        struct lower_slot *slot = &object->slots[to->targets[i].leaf];
        if (!front_is_arithmetic(slot->type))
            base_unsupported(lw->cx, loc, "an atomic access to '%s', which is no number", slot->name);
        if (is_private(lw, object, slot) || lower_lives_in_memory(object, slot)) continue;
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
        if (!place->object || is_private(lw, place->object, &place->object->slots[place->leaf])) continue;
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
    default: return IR_ADD;
    }
}

static void check_types(struct lower *lw, const struct update *up, base_loc loc) {
    enum front_type_kind kind = (enum front_type_kind)up->x->type->kind, calc = (enum front_type_kind)up->calc->kind;
    bool is_float = kind == FRONT_F32;
    if (kind != FRONT_I32 && kind != FRONT_U32 && kind != FRONT_F32)
        base_unsupported(lw->cx, loc, "an atomic update of type '%s': use int, unsigned or float",
                         front_type_name(lw->cx, up->x->type));
    if (is_float && up->op != FRONT_OP_ADD && up->op != FRONT_OP_SUB)
        base_unsupported(lw->cx, loc,
                         "an atomic update of a float can only add or subtract; a reduction has min and max");
    if (is_float ? calc != FRONT_F32 : calc != FRONT_I32 && calc != FRONT_U32)
        base_unsupported(lw->cx, loc, "an atomic update of type '%s' by a value of type '%s': cast the value",
                         front_type_name(lw->cx, up->x->type), front_type_name(lw->cx, up->calc));
}

// One place; returns its old value, 0 where it is not wanted.
static ir_expr update_place(struct lower *lw, const struct lower_place *place, const struct update *up, ir_expr e,
                            base_loc loc) {
    struct lower_object *object = place->object;
    enum ir_type type = lower_ir_type_of(lw, e);
    enum ir_op op = operation(up->op);
    if (is_private(lw, object, &object->slots[place->leaf])) {
        ir_expr old = lower_load_place(lw, place, loc);
        if (up->v) old = lower_snapshot(lw, old, loc);
        lower_store_place(lw, place, (struct lower_value){.type = up->x->type, .e = lower_fold2(lw, op, old, e, loc)},
                          loc);
        return up->v ? old : 0;
    }
    if (object->array_class == IR_ARRAY_IN || object->array_class == IR_ARRAY_TABLE || object->is_const) {
        base_error(lw->cx, loc, "'%s' is const", object->name);
        return up->v ? e : 0;
    }
    ir_expr idx[IR_MAX_DIMS + 1];
    uint32_t n;
    ir_array array = lower_element_indices(lw, place, idx, &n, loc);
    enum whorl_dtype elem = (enum whorl_dtype)lw->u->arrays[array].elem;
    enum ir_type have = ir_elem_type(elem);
    bool ordered = op == IR_MIN || op == IR_MAX;
    if (!ir_atomic_allowed(op, elem) || (have != type && (type == IR_F32 || have == IR_F32 || ordered)))
        base_unsupported(lw->cx, loc, "this atomic update of a field of '%s': the struct's fields must be of one type",
                         object->name);
    ir_var old = up->v ? lower_new_var(lw, "old", have, IR_VAR_LOCAL, loc) : 0;
    lower_emit(lw, ir_atomic(lw->u, array, idx, n, op, lower_as(lw, e, have, loc), old, loc));
    return old ? lower_as(lw, ir_var_read(lw->u, old, loc), type, loc) : 0;
}

static ir_expr chosen(struct lower *lw, ir_expr selector, uint32_t index, base_loc loc) {
    return lower_fold2(lw, IR_EQ, selector, ir_const_i32(lw->u, (int32_t)index), loc);
}

static void update(struct lower *lw, const struct update *up, base_loc loc) {
    check_types(lw, up, loc);
    struct lower_ptr *to = lower_lvalue(lw, up->x);
    if (!prepare(lw, to, loc)) return;
    enum ir_type type = lower_carrier(up->x->type);
    ir_expr e = lower_convert(lw, lower_scalar(lw, up->e), up->e->type, up->calc, loc);
    e = lower_as(lw, e, type, loc);
    if (up->op == FRONT_OP_SUB)
        e = type == IR_U32 ? lower_fold2(lw, IR_SUB, ir_const(lw->u, IR_U32, 0), e, loc)
                           : lower_fold1(lw, IR_NEG, e, loc);
    if (up->v || to->count > 1) e = lower_snapshot(lw, e, loc);
    ir_expr old = 0;
    ir_var taken = 0;
    ir_stmt rest = 0;
    if (to->count > 1 && up->v) taken = lower_new_var(lw, "old", type, IR_VAR_LOCAL, loc);
    for (uint32_t i = to->count; i-- > 0;) {
        if (!to->targets[i].object) continue;
        if (to->count == 1) {
            old = update_place(lw, &to->targets[i], up, e, loc);
            break;
        }
        struct lower_block block = {0, 0};
        struct lower_block *before = lower_enter(lw, &block);
        old = update_place(lw, &to->targets[i], up, e, loc);
        if (taken) lower_emit(lw, ir_assign(lw->u, taken, old, loc));
        lower_leave(lw, before);
        rest = rest ? ir_if(lw->u, chosen(lw, to->selector, i, loc), block.head, rest, loc) : block.head;
    }
    lower_emit(lw, rest);
    if (taken) old = ir_var_read(lw->u, taken, loc);
    if (!up->v || !old) return;
    if (up->takes_new) old = lower_fold2(lw, operation(up->op), old, e, loc);
    struct lower_value value = {.type = up->v->type, .e = lower_convert(lw, old, up->x->type, up->v->type, loc)};
    lower_store(lw, lower_lvalue(lw, up->v), value, loc);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void read_or_write(struct lower *lw, struct front_node *body, bool writes, base_loc loc) {
    struct front_node *e = expression(body);
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
    if (!prepare(lw, place, loc)) return;
    mark(lw, place, loc);
    ir_expr value = lower_scalar(lw, e->b);
    if (writes) {
        lw->in_atomic = true;
        lower_store(lw, place, (struct lower_value){.type = e->a->type, .e = value}, e->loc);
        lw->in_atomic = false;
        return;
    }
    ir_expr now = lower_snapshot(lw, value, loc);
    if (now != value) lw->u->stmts[lw->block->tail].flags |= IR_FLAG_ATOMIC;
    lower_store(lw, lower_lvalue(lw, e->a), (struct lower_value){.type = e->a->type, .e = now}, loc);
}

struct lower_flow lower_atomic(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    base_loc loc = omp->loc;
    if (!lw->in_parfor) { // one thread, in order
        return lower_statement(lw, omp->body);
    }
    if (omp->atomic & (FRONT_ATOMIC_READ | FRONT_ATOMIC_WRITE)) {
        read_or_write(lw, omp->body, omp->atomic & FRONT_ATOMIC_WRITE, loc);
        return on;
    }
    struct update up = {0};
    bool known = omp->atomic & FRONT_ATOMIC_CAPTURE ? read_capture(omp->body, &up) : read_change(omp->body, &up);
    if (!known)
        base_unsupported(lw->cx, loc,
                         "this statement under 'atomic' is not supported: it can add, subtract, combine by & | ^, take "
                         "the smaller or larger of two, and 'capture' the value before or after");
    update(lw, &up, loc);
    return on;
}
