// Threadprivate variables: arrays with an element for each thread of the largest team that uses them. Outside of
// regions the element is thread 0's, in nested ones that of the thread of the region around. So values stay from region
// to region, whatever the teams are, and a pointer to such a variable goes on meaning the element of who took it.
#include "front/lower/lower_omp.h"

bool lower_is_threadprivate(const struct front_symbol *symbol) {
    return symbol->threadprivate && !lower_type_is_const(symbol->type);
}

struct front_type *lower_threadprivate_type(struct lower *lw, struct front_symbol *symbol) {
    uint32_t team = lower_ident_of(lw, symbol)->team;
    struct front_type *type = base_alloc(lw->cx, sizeof *type);
    *type = (struct front_type){.kind = FRONT_ARRAY, .base = symbol->type, .length = team ? team : 1};
    return type;
}

struct lower_ptr *lower_threadprivate(struct lower *lw, struct front_symbol *symbol, base_loc loc) {
    ir_expr thread = lw->team_region ? lw->thread : ir_const_i32(lw->u, 0);
    if (!thread)
        base_unsupported(lw->cx, loc,
                         "'%s' is threadprivate: use it in 'master' instead of 'single', and not to decide whether "
                         "threads come to a worksharing loop",
                         symbol->name);
    struct lower_object *object = lower_symbol_object(lw, symbol, loc);
    if (lw->team_region && lw->team > object->ident->team) {
        object->ident->team = lw->team;
        lw->learned = true;
    }
    return lower_ptr_to(lw, lower_element(lw, lower_whole(object), thread, loc));
}

bool lower_copies_in(const struct front_omp *omp) {
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (omp->vars[i].sharing & FRONT_OMP_COPYIN) return true;
    return false;
}

void lower_copyin(struct lower *lw, const struct front_omp *omp) {
    // The CPU's threads keep their values from one region to the next where both have as many.
    if (lw->ast->has_threadprivate && lw->team) lower_team_used(lw);
    if (!lower_copies_in(omp) || lw->team == 1) return;
    struct lower_phase phase;
    lower_phase_begin(lw, &phase, 1, omp->loc);
    for (uint32_t i = 0; i < omp->var_count; i++) {
        const struct front_omp_var *v = &omp->vars[i];
        if (!(v->sharing & FRONT_OMP_COPYIN) || !lower_is_threadprivate(v->symbol)) continue;
        struct lower_place to = lower_threadprivate(lw, v->symbol, v->loc)->targets[0];
        struct lower_place from = lower_whole(to.object);
        from = lower_element(lw, from, ir_const_i32(lw->u, 0), v->loc);
        if (v->symbol->type->kind == FRONT_ARRAY)
            lower_copy(lw, &to, &from, v->loc);
        else
            lower_store_place(lw, &to, lower_load(lw, lower_ptr_to(lw, from), v->symbol->type, v->loc), v->loc);
    }
    lower_phase_end(lw, &phase, NULL, 0, omp->loc);
    if (lw->in_region) lower_mark(lw, IR_MARK_BARRIER, 0, omp->loc);
}
