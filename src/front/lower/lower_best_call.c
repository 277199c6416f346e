// Sections that keep the best of all in functions that a loop's body calls: what a place there is called outside.
#include "front/lower/lower_best.h"

static struct front_node *argument_of(const struct front_node *call, const struct front_symbol *param) {
    const struct front_function *f = call->symbol->function;
    struct front_node *arg = call->a;
    for (uint32_t i = 0; i < f->param_count && arg; i++, arg = arg->next)
        if (f->params[i] == param) return param->written || param->address_taken ? NULL : arg;
    return NULL;
}

static bool is_first(const struct front_node *n) { return n->kind == FRONT_INT && n->integer == 0; }

static struct front_node *say(struct lower *lw, const struct front_node *call, struct front_node *n) {
    bool is_variable = n->kind == FRONT_VAR;
    if (n->kind == FRONT_INT) return n;
    if (is_variable && (n->symbol->kind == FRONT_SYM_GLOBAL || n->symbol->kind == FRONT_SYM_STATIC)) return n;
    if (is_variable) return call ? argument_of(call, n->symbol) : NULL;
    if (n->kind != FRONT_CAST && n->kind != FRONT_MEMBER && n->kind != FRONT_INDEX && n->kind != FRONT_DEREF)
        return NULL;
    struct front_node *a = say(lw, call, n->a), *b = n->b ? say(lw, call, n->b) : NULL;
    if (!a || (n->b && !b)) return NULL;
    if (a->kind == FRONT_ADDR && (n->kind == FRONT_DEREF || (n->kind == FRONT_INDEX && is_first(b)))) return a->a;
    struct front_node *copy = base_alloc(lw->cx, sizeof *copy);
    *copy = *n;
    copy->a = a;
    copy->b = b;
    copy->next = NULL;
    return copy;
}

// Once for all runs of the lowering, in which the text of a place is the name of what belongs to it (lower.h).
struct lower_said {
    const struct front_node *call, *place;
    struct front_node *outside;
    const struct lower_said *next;
};

struct front_node *lower_best_outside(struct lower *lw, const struct front_node *call, struct front_node *n) {
    for (const struct lower_said *s = lw->said; s; s = s->next)
        if (s->call == call && s->place == n) return s->outside;
    struct lower_said *s = base_alloc(lw->cx, sizeof *s);
    *s = (struct lower_said){call, n, say(lw, call, n), lw->said};
    lw->said = s;
    return s->outside;
}

// Where a section names what it keeps by a pointer that the function was handed.
static bool is_same_place(struct lower *lw, const struct lower_place *a, const struct lower_place *b) {
    int64_t x, y;
    if (a->object != b->object || a->n != b->n || a->leaf < b->leaf) return false;
    if (a->leaf + a->leaf_count > b->leaf + b->leaf_count) return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (ir_same_expr(lw->u, a->idx[i], b->idx[i])) continue;
        if (!lower_const_int(lw, a->idx[i], &x) || !lower_const_int(lw, b->idx[i], &y) || x != y) return false;
    }
    return true;
}

struct lower_ptr *lower_best_reached(struct lower *lw, struct lower_ptr *ptr) {
    if (!lw->in_best || !ptr || ptr->count != 1 || !ptr->targets[0].object) return ptr;
    for (uint32_t i = 0; i < lw->bests->count; i++)
        for (uint32_t k = 0; k < lw->bests->items[i].field_count; k++) {
            const struct lower_best_field *f = &lw->bests->items[i].fields[k];
            const struct lower_place *at = &ptr->targets[0];
            if (!is_same_place(lw, at, &f->at)) continue;
            struct lower_place own = lower_whole(f->own);
            own.leaf += at->leaf - f->at.leaf;
            own.leaf_count = at->leaf_count;
            own.type = at->type;
            return lower_ptr_to(lw, own);
        }
    return ptr;
}
