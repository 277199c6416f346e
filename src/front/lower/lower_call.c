// Calls, expanded in place. A function's parameters and variables are made anew for each call; what it returns lands in
// a result object that is read once the body is done.
#include <string.h>

#include "front/lower/lower_omp.h"
#include "front/parse/parse.h"

// Of the IR: beyond this no kernel would compile.
#define MOST_NODES 300000u
#define MOST_CALLS 20000u

static const char *chain_from(struct lower *lw, const struct front_function *first, const char *text) {
    for (const struct lower_call_frame *f = lw->frame; f; f = f->caller) {
        text = base_format(lw->cx, *text ? "%s -> %s" : "%s%s", f->function->symbol->name, text);
        if (f->function == first) break;
    }
    return text;
}

// Calls double with every level of functions that call the next one twice: who stood there most often is named.
static _Noreturn void too_large(struct lower *lw, base_loc loc) {
    const struct front_function *most = lw->ast->functions[0];
    for (uint32_t i = 1; i < lw->ast->function_count; i++)
        if (lw->expansions[lw->ast->functions[i]->symbol->id] > lw->expansions[most->symbol->id])
            most = lw->ast->functions[i];
    uint32_t count = lw->expansions[most->symbol->id];
    if (count < 2)
        base_unsupported(lw->cx, loc, "the program is too large for one kernel: split '%s' into several parallel loops",
                         lw->u->entry);
    base_unsupported(lw->cx, loc,
                     "the program becomes too large when its calls are expanded: '%s' was expanded %u times so far; "
                     "call it from a loop, or keep its value in a variable",
                     most->symbol->name, count);
}

void lower_check_budget(struct lower *lw, base_loc loc) {
    if (lw->u->node_count > MOST_NODES || lw->calls > MOST_CALLS) too_large(lw, loc);
}

static bool is_simple(const struct lower *lw, ir_expr e) {
    const struct ir_node *n = &lw->u->nodes[e];
    return n->op == IR_CONST || (n->op == IR_VAR && lw->var_stable[n->a]) || lower_is_entry_constant(lw, e);
}

// The value of a variable as it comes to life. One that is never written again needs no storage if its value is simple,
// and its range is known.
void lower_bind_value(struct lower *lw, struct front_symbol *symbol, struct lower_value value, base_loc loc) {
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
    struct lower_ptr *frozen = value.ptr && !symbol->written ? lower_freeze(lw, value.ptr, loc) : value.ptr;
    lw->objects[symbol->id] = object;
    struct lower_slot *slot = object->count ? &object->slots[0] : NULL;
    if (symbol->type->kind == FRONT_POINTER && !symbol->written) {
        slot->pointer = frozen;
        return;
    }
    if (front_is_arithmetic(symbol->type) && !symbol->written) {
        ir_expr e = value.e;
        if (lower_is_wide(symbol->type))
            e = lower_ir_type_of(lw, e) == IR_BOOL ? lower_as(lw, e, IR_I32, loc) : e;
        else
            e = lower_as(lw, e, lower_carrier(symbol->type), loc);
        if (lower_is_words(lw, e)) e = lower_words_snapshot(lw, e, loc);
        if (lower_is_words(lw, e) || is_simple(lw, e)) {
            slot->value = e;
            object->region_private = false;
            return;
        }
        slot->var =
            lower_new_var(lw, symbol->name, lower_ir_type_of(lw, e), (enum ir_var_class)object->var_class, symbol->loc);
        lw->var_symbols[slot->var] = symbol;
        lower_set_range(lw, slot->var, lower_range_of(lw, e));
        lower_set_stable(lw, slot->var);
        lower_emit(lw, ir_assign(lw->u, slot->var, e, loc));
        return;
    }
    struct lower_place whole = lower_whole(object);
    value.type = symbol->type;
    lower_store_place(lw, &whole, value, loc);
}

static void check_recursion(struct lower *lw, const struct front_function *function, base_loc loc) {
    for (const struct lower_call_frame *f = lw->frame; f; f = f->caller)
        if (f->function == function)
            base_fatal(lw->cx, loc, "recursion: %s; use a loop, or a stack in a local array",
                       chain_from(lw, function, function->symbol->name));
}

struct lower_value lower_expand(struct lower *lw, struct front_function *function, const void *key,
                                const struct lower_value *values, base_loc loc) {
    struct lower_call_frame frame = {.function = function, .loc = loc, .caller = lw->frame};
    uint64_t h = (lw->frame ? lw->frame->chain : 0) ^ (uint64_t)(uintptr_t)key;
    h *= 0x9E3779B97F4A7C15ull;
    frame.chain = h ^ (h >> 31);
    lw->frame = &frame;
    for (uint32_t i = 0; i < function->param_count; i++)
        lower_bind_value(lw, function->params[i], values[i], loc);
    struct front_type *type = function->symbol->type->base;
    if (type->kind != FRONT_VOID)
        frame.result = lower_object_create(lw, function->symbol->name, NULL, function, type, loc);
    frame.return_target = lower_push_target(lw, LOWER_TO_RETURN, false, loc);
    struct lower_meaning *own;
    uint32_t own_count = lower_share_leave(lw, &own);
    lower_list(lw, function->body->a, NULL);
    lower_share_return(lw, own, own_count);
    lower_pop_target(lw, frame.return_target);
    lw->frame = frame.caller;
    if (type->kind == FRONT_VOID) return (struct lower_value){.type = type};
    if (front_is_arithmetic(type)) { // assigned by this expansion alone, which is over
        struct lower_slot *slot = &frame.result->slots[0];
        lower_set_stable(lw, lower_slot_var(lw, frame.result, slot));
        if (lower_holds_words(lw, frame.result, slot))
            lower_set_stable(lw, lower_slot_var(lw, frame.result, lower_high_slot(lw, slot)));
    }
    return lower_load(lw, lower_ptr_to(lw, lower_whole(frame.result)), type, loc);
}

// A 64-bit integer becomes a double, which is a pair of floats: pair.h does that in 32 bits, or by the words.
static struct lower_value pair_of_words(struct lower *lw, const struct front_function *function,
                                        const struct front_node *node, ir_expr e) {
    bool is_signed = function->params[0]->type->kind == FRONT_I64;
    struct front_function *f = front_find_function(lw->ast, is_signed ? "__wp_from_signed_words" : "__wp_from_words");
    struct lower_words w = lower_words_of(lw, e, node->loc);
    struct lower_value values[2] = {
        lower_scalar_value(f->params[0]->type, w.lo),
        lower_scalar_value(f->params[1]->type, lower_as(lw, w.hi, is_signed ? IR_I32 : IR_U32, node->loc))};
    return lower_expand(lw, f, node, values, node->loc);
}

// ---- arguments ------------------------------------------------------------------------------------------------------

enum { CHANGES_NOTHING = 1, CHANGES_SOMETHING, BEING_LOOKED_AT }; // of functions, by symbol; 0: not looked at yet

// The lvalue is a variable of the function's own, or a part of one.
static bool is_own(const struct front_node *n) {
    while (n->kind == FRONT_MEMBER || n->kind == FRONT_INDEX) {
        n = n->a;
        if (n->kind == FRONT_CAST && n->flags & FRONT_FLAG_DECAY) n = n->a;
    }
    return n->kind == FRONT_VAR && (n->symbol->kind == FRONT_SYM_LOCAL || n->symbol->kind == FRONT_SYM_PARAM) &&
           n->type->kind != FRONT_POINTER;
}

struct look {
    struct lower *lw;
    bool own; // in a function, whose own variables do not count
    bool changes;
};
static void on_change(void *user, struct front_node **place) {
    struct look *x = user;
    const struct front_node *n = *place;
    if (n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP) x->changes |= !x->own || !is_own(n->a);
    if (n->kind == FRONT_OMP) x->changes = true;
    if (n->kind != FRONT_CALL || !n->symbol->function) return;
    uint8_t *known = &x->lw->changes[n->symbol->id];
    if (!*known) {
        struct look inside = {x->lw, true, false};
        *known = BEING_LOOKED_AT;
        front_walk(&n->symbol->function->body, on_change, &inside);
        *known = inside.changes ? CHANGES_SOMETHING : CHANGES_NOTHING;
    }
    x->changes |= *known == CHANGES_SOMETHING;
}

bool lower_last_first(struct lower *lw, struct front_node *args) {
    uint32_t count = 0;
    for (struct front_node *arg = args, *next; arg && count < 2; arg = next) {
        struct look x = {lw, false, false};
        struct front_node *one = arg;
        next = arg->next;
        front_walk(&one, on_change, &x);
        count += x.changes;
    }
    return count == 2;
}

ir_expr lower_held(struct lower *lw, ir_expr e, base_loc loc) {
    if (lower_is_words(lw, e)) return lower_words_snapshot(lw, e, loc);
    if (is_simple(lw, e)) return e;
    enum ir_var_class klass = lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY;
    ir_var v = lower_new_var(lw, "argument", lower_ir_type_of(lw, e), klass, loc);
    lower_set_range(lw, v, lower_range_of(lw, e));
    lower_set_stable(lw, v);
    lower_emit(lw, ir_assign(lw->u, v, e, loc));
    return ir_var_read(lw->u, v, loc);
}

// What others change behind it does not reach it.
static struct lower_value held(struct lower *lw, struct lower_value value, base_loc loc) {
    if (value.ptr && value.type->kind == FRONT_POINTER) value.ptr = lower_freeze(lw, value.ptr, loc);
    if (value.e) value.e = lower_held(lw, value.e, loc);
    return value;
}

static struct lower_value argument(struct lower *lw, struct front_node *arg) {
    struct lower_value value = lower_expr(lw, arg);
    if (value.e && !lower_is_wide(arg->type)) value.e = lower_as(lw, value.e, lower_carrier(arg->type), arg->loc);
    return value;
}

static void last_first(struct lower *lw, struct front_node *arg, struct lower_value *out) {
    if (!arg) return;
    last_first(lw, arg->next, out + 1);
    *out = held(lw, argument(lw, arg), arg->loc);
}

struct lower_value lower_call(struct lower *lw, struct front_node *node) {
    struct front_function *function = node->symbol->function;
    if (!function) return lower_library_call(lw, node);
    check_recursion(lw, function, node->loc);
    lw->calls++;
    lw->expansions[function->symbol->id]++;
    lower_check_budget(lw, node->loc);
    uint32_t count = function->param_count;
    struct lower_value *values = base_alloc_array(lw->cx, count + 1, sizeof *values);
    uint32_t given = 0;
    for (const struct front_node *arg = node->a; arg; arg = arg->next)
        given++;
    if (given != count)
        base_unsupported(lw->cx, node->loc, "'%s' takes %u argument%s and is called with %u", node->symbol->name, count,
                         base_s(count), given);
    if (!function->builtin && lower_last_first(lw, node->a)) // those of the headers are operators of pairs, too
        last_first(lw, node->a, values);
    else
        for (struct front_node *arg = node->a; arg; arg = arg->next)
            values[count - given--] = argument(lw, arg);
    if (count == 1 && function->builtin && lower_is_wide(function->params[0]->type) && lower_is_words(lw, values[0].e))
        return pair_of_words(lw, function, node, values[0].e);
    return lower_expand(lw, function, node, values, node->loc);
}
