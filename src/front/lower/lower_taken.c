// 64-bit counters by which iterations take places, `at = count++` under `atomic capture`, `list[count++] = i` under
// `critical`. No device updates two words at once. So what is taken is counted from 0, in 32 bits; a place is the
// counter and that, and behind the loop the counter is put forward. It is used for nothing else in the loop.
#include "front/lower/lower_omp.h"
#include "front/lower/lower_update.h"

struct search {
    struct lower_taken found[LOWER_MOST_TAKEN];
    uint32_t count, seen[LOWER_MOST_TAKEN]; // how often the takes name it
};

bool lower_can_take(const struct front_node *x, const struct front_node *by, enum front_op op) {
    while (by && by->kind == FRONT_CAST)
        by = by->a;
    bool steps = (op == FRONT_OP_ADD || op == FRONT_OP_SUB) && by && by->kind == FRONT_INT && by->integer == 1;
    return steps && x->kind == FRONT_VAR && lower_is_wide(x->type);
}

static bool find_takes(void *user, const struct front_node *n) {
    struct search *s = user;
    struct lower_update up = {0};
    const struct front_node *step = n->kind == FRONT_OMP ? n->omp->append : NULL;
    if (step)
        up = (struct lower_update){.x = step->a, .e = step->b, .op = (enum front_op)step->op};
    else if (n->kind != FRONT_OMP || !(n->omp->constructs & FRONT_OMP_ATOMIC) ||
             !(n->omp->atomic & FRONT_ATOMIC_CAPTURE) || !lower_read_atomic(n->omp->body, false, true, &up))
        return true;
    if (!up.x || !lower_can_take(up.x, up.e, up.op)) return true;
    uint32_t i = 0;
    while (i < s->count && s->found[i].counter != up.x->symbol)
        i++;
    if (i == LOWER_MOST_TAKEN) return true;
    if (i == s->count) s->found[s->count++] = (struct lower_taken){.counter = up.x->symbol, .op = up.op};
    if (s->found[i].op == up.op) s->seen[i] += lower_count_mentions(n->omp->body, up.x->symbol);
    return true;
}

void lower_taken_begin(struct lower *lw, struct front_omp *omp, const struct front_node *body) {
    struct search s = {.count = 0};
    lw->taken_count = 0;
    if (lw->user->target.cpu_only || lw->user->int64_as_int32) return;
    lower_scan_reached(lw, body, find_takes, &s);
    for (uint32_t i = 0; i < s.count; i++) {
        struct front_symbol *counter = s.found[i].counter;
        if (counter->address_taken || !lower_is_from_outside(omp, body, counter) ||
            lower_count_reached(lw, body, counter) != s.seen[i])
            continue;
        const struct lower_object *object = lower_symbol_object(lw, counter, omp->loc);
        if (object->var_class != IR_VAR_ENTRY || object->region_private) continue;
        struct lower_object *own =
            lower_object_create(lw, "taken", NULL, (const char *)counter + 1, front_basic_type(FRONT_U32), omp->loc);
        own->ident->in_memory = true;
        s.found[i].object = own;
        lw->taken[lw->taken_count++] = s.found[i];
        struct lower_place place = lower_whole(own);
        struct lower_value none = {.type = front_basic_type(FRONT_U32), .e = ir_const(lw->u, IR_U32, 0)};
        lower_store_place(lw, &place, none, omp->loc);
    }
}

static ir_expr moved_by(struct lower *lw, const struct lower_taken *t, ir_expr from, ir_expr taken, base_loc loc) {
    struct front_type *type = t->counter->type;
    return lower_arith(lw, t->op, from, lower_convert(lw, taken, front_basic_type(FRONT_U32), type, loc), type, loc);
}

ir_expr lower_take(struct lower *lw, const struct lower_update *up, base_loc loc) {
    const struct lower_taken *t = lw->taken;
    while (t < lw->taken + lw->taken_count && (up->x->kind != FRONT_VAR || t->counter != up->x->symbol))
        t++;
    if (t == lw->taken + lw->taken_count) return 0;
    struct lower_place place = lower_whole(t->object);
    ir_expr idx[IR_MAX_DIMS + 1], one = ir_const(lw->u, IR_U32, 1);
    uint32_t n;
    ir_array array = lower_element_indices(lw, &place, idx, &n, loc);
    ir_var got = lower_new_var(lw, "taken", IR_U32, IR_VAR_LOCAL, loc);
    lower_emit(lw, ir_atomic(lw->u, array, idx, n, IR_ADD, one, got, loc));
    ir_expr old = ir_var_read(lw->u, got, loc);
    if (up->takes_new) old = lower_fold2(lw, IR_ADD, old, one, loc);
    ir_expr e = moved_by(lw, t, lower_scalar(lw, up->x), old, loc);
    if (!up->v) return e;
    struct lower_value value = {.type = up->v->type, .e = lower_convert(lw, e, up->x->type, up->v->type, loc)};
    lower_store(lw, lower_lvalue(lw, up->v), value, loc);
    return e;
}

void lower_taken_end(struct lower *lw, base_loc loc) {
    for (uint32_t i = 0; i < lw->taken_count; i++) {
        const struct lower_taken *t = &lw->taken[i];
        struct lower_place taken = lower_whole(t->object),
                           counter = lower_whole(lower_symbol_object(lw, t->counter, loc));
        ir_expr e = moved_by(lw, t, lower_load_place(lw, &counter, loc), lower_load_place(lw, &taken, loc), loc);
        lower_store_place(lw, &counter, (struct lower_value){.type = t->counter->type, .e = e}, loc);
    }
    lw->taken_count = 0;
}
