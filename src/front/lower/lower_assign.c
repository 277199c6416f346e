// Lvalues, and what assigns to them. An assignment is a statement; its value, where somebody wants it, is what the
// place then holds.
#include "front/lower/lower.h"

static struct lower_ptr *indexed(struct lower *lw, struct front_node *node) {
    struct lower_ptr *ptr = lower_expr(lw, node->a).ptr;
    const struct front_node *by = node->b;
    while (by->kind == FRONT_CAST)
        by = by->a;
    if (by->kind == FRONT_ASSIGN_OP && by->op == FRONT_OP_ADD) lw->place_loc = by->a->loc;
    bool walked = !(node->a->kind == FRONT_CAST && node->a->flags & FRONT_FLAG_DECAY);
    return lower_ptr_add(lw, ptr, lower_int_of(lw, node->b), false, walked, node->loc);
}

// The place that an element of the pointer's type lies at: after a cast from void * the types must meet again.
static void check_target(struct lower *lw, const struct lower_ptr *ptr, const struct front_type *type, base_loc loc) {
    for (uint32_t i = 0; i < ptr->count; i++)
        if (ptr->targets[i].object && ptr->targets[i].type->kind != type->kind)
            base_unsupported(lw->cx, loc, "memory of type '%s' cannot be used as '%s'",
                             front_type_name(lw->cx, ptr->targets[i].type), front_type_name(lw->cx, type));
}

static struct lower_ptr *plain_lvalue(struct lower *lw, struct front_node *node) {
    struct lower_ptr *ptr = NULL;
    switch (node->kind) {
    case FRONT_VAR:
        lower_check_reduced(lw, node->symbol, node->loc);
        if (lower_is_threadprivate(node->symbol)) return lower_threadprivate(lw, node->symbol, node->loc);
        return lower_ptr_to(lw, lower_whole(lower_symbol_object(lw, node->symbol, node->loc)));
    case FRONT_INDEX: ptr = indexed(lw, node); break;
    case FRONT_DEREF: ptr = lower_expr(lw, node->a).ptr; break;
    case FRONT_MEMBER: {
        struct lower_ptr *whole = lower_expr(lw, node->a).ptr;
        struct lower_ptr *part = base_alloc(lw->cx, sizeof *part);
        *part = *whole;
        part->targets = base_alloc_array(lw->cx, whole->count + 1, sizeof *part->targets);
        for (uint32_t i = 0; i < whole->count; i++) {
            part->targets[i] = whole->targets[i];
            if (whole->targets[i].object) part->targets[i] = lower_member(whole->targets[i], node->field);
        }
        return part;
    }
    case FRONT_COMPOUND: {
        struct lower_object *object = lower_object_create(lw, "literal", NULL, node, node->type, node->loc);
        lower_init_object(lw, object, node->inits, node->loc);
        return lower_ptr_to(lw, lower_whole(object));
    }
    default: return lower_expr(lw, node).ptr; // a struct that a call or ?: gave
    }
    check_target(lw, ptr, node->type, node->loc);
    return ptr;
}

struct lower_ptr *lower_lvalue(struct lower *lw, struct front_node *node) {
    if (lw->exchanged && lower_same(node, lw->exchanged)) return lw->exchanged_own;
    struct lower_ptr *ptr = lw->bests ? lower_best_own(lw, node) : NULL;
    if (!ptr && lw->rows && node->kind == FRONT_VAR) ptr = lower_row_of(lw, node->symbol);
    return ptr ? ptr : lower_best_reached(lw, plain_lvalue(lw, node));
}

// ---- assignment -----------------------------------------------------------------------------------------------------

static bool is_variable(const struct lower_ptr *ptr) {
    return ptr->count == 1 && ptr->targets[0].n == 0 && ptr->targets[0].object && !ptr->targets[0].object->words;
}

// Where the text of an lvalue begins.
static base_loc start_of(const struct lower *lw, const struct front_node *node) {
    base_loc first = node->loc;
    for (; node; node = node->a) {
        const struct base_position *p = &lw->cx->locs[node->loc], *q = &lw->cx->locs[first];
        if (p->file == q->file && (p->line < q->line || (p->line == q->line && p->col < q->col))) first = node->loc;
        if (node->kind != FRONT_INDEX && node->kind != FRONT_MEMBER && node->kind != FRONT_CAST &&
            node->kind != FRONT_DEREF)
            break;
    }
    return first;
}

// Code of a region is lowered once for all of its threads: that they set what they share to one value is seen by
// nobody, that each of them changes it is a race.
static void check_change(struct lower *lw, const struct front_node *to, const struct lower_ptr *ptr) {
    const struct lower_object *object = ptr->count == 1 ? ptr->targets[0].object : NULL;
    if (!object || lw->in_parfor || !lower_is_shared(lw, object)) return;
    const char *name = object->name;
    base_error(
        lw->cx, start_of(lw, to),
        "'%s' is shared by all threads of the region, and each of them changes it here: put it under 'atomic' or "
        "'single'%s",
        name,
        object->slots[0].ndims || object->words
            ? ""
            : base_format(lw->cx, ", or name it in private(...) or reduction(... : %s)", name));
    base_note(lw->cx, object->loc, "'%s' is declared here", name);
}

struct mention {
    const struct front_node *place;
    bool found;
};

static bool find_place(void *user, const struct front_node *node) {
    struct mention *m = user;
    m->found |= lower_same(node, m->place);
    return !m->found;
}

struct lower_value lower_assign(struct lower *lw, struct front_node *node, bool want) {
    struct lower_ptr *to = lower_lvalue(lw, node->a);
    struct mention changed = {node->a, false};
    if (lw->in_region) lower_scan(node->b, find_place, &changed);
    if (changed.found) check_change(lw, node->a, to);
    lw->allocation_name = node->a->kind == FRONT_VAR ? node->a->symbol->name : NULL;
    struct lower_value value = lower_expr(lw, node->b);
    value.type = node->a->type;
    if (want && value.e && !is_variable(to)) {
        value.e = lower_is_wide(value.type) ? value.e : lower_as(lw, value.e, lower_carrier(value.type), node->loc);
        value.e = lower_snapshot(lw, value.e, node->loc);
    }
    if (want && value.type->kind == FRONT_POINTER) value.ptr = lower_freeze(lw, value.ptr, node->loc);
    lower_store(lw, to, value, start_of(lw, node->a));
    if (want && (value.type->kind == FRONT_STRUCT || (value.e && is_variable(to))))
        return lower_load(lw, to, node->type, node->loc);
    return value;
}

struct lower_value lower_assign_op(struct lower *lw, struct front_node *node, bool want) {
    struct lower_ptr *to = lower_lvalue(lw, node->a);
    struct front_type *type = node->a->type;
    bool post = node->flags & FRONT_FLAG_POST;
    check_change(lw, node->a, to);
    if (type->kind == FRONT_POINTER) {
        ir_expr delta = lower_int_of(lw, node->b);
        struct lower_ptr *old = lower_load(lw, to, type, node->loc).ptr;
        if (want) old = lower_freeze(lw, old, node->loc);
        struct lower_ptr *sum = lower_ptr_add(lw, old, delta, node->op == FRONT_OP_SUB, true, node->loc);
        if (want) sum = lower_freeze(lw, sum, node->loc);
        lower_store(lw, to, lower_pointer_value(type, sum), start_of(lw, node->a));
        return lower_pointer_value(node->type, post ? old : sum);
    }
    ir_expr b = lower_scalar(lw, node->b);
    ir_expr old = lower_load(lw, to, type, node->loc).e;
    if (want && post) old = lower_snapshot(lw, old, node->loc);
    ir_expr a = lower_convert(lw, old, type, node->calc, node->loc);
    ir_expr sum = lower_arith(lw, (enum front_op)node->op, a, b, node->calc, node->loc);
    sum = lower_convert(lw, sum, node->calc, type, node->loc);
    if (want && !post && !is_variable(to)) sum = lower_snapshot(lw, sum, node->loc);
    lower_store(lw, to, lower_scalar_value(type, sum), start_of(lw, node->a));
    if (!want) return lower_scalar_value(node->type, sum);
    if (post) return lower_scalar_value(node->type, old);
    return is_variable(to) ? lower_load(lw, to, node->type, node->loc) : lower_scalar_value(node->type, sum);
}
