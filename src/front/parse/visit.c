// One walk over the tree for every pass that looks at all of it.
#include "front/parse/parse.h"

static void walk_list(struct front_node **place, front_visit fn, void *user) {
    for (; *place; place = &(*place)->next)
        front_walk(place, fn, user);
}

static void walk_inits(struct front_inits *inits, front_visit fn, void *user) {
    for (uint32_t i = 0; i < inits->count; i++)
        if (inits->items[i].value) front_walk(&inits->items[i].value, fn, user);
}

static void walk_omp(struct front_omp *omp, front_visit fn, void *user) {
    struct front_node **const places[] = {&omp->num_threads, &omp->if_expr, &omp->chunk, &omp->filter, &omp->body};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (*places[i]) front_walk(places[i], fn, user);
}

void front_walk(struct front_node **place, front_visit fn, void *user) {
    struct front_node *n = *place;
    walk_list(&n->a, fn, user);
    walk_list(&n->b, fn, user);
    walk_list(&n->c, fn, user);
    walk_list(&n->d, fn, user);
    if (n->flags & FRONT_FLAG_HAS_INITS) walk_inits(n->inits, fn, user);
    if (n->kind == FRONT_OMP) walk_omp(n->omp, fn, user);
    if (n->kind == FRONT_DECL || n->kind == FRONT_CAST)
        for (struct front_type *t = n->kind == FRONT_DECL ? n->symbol->type : n->type; t; t = t->base)
            if (t->kind == FRONT_ARRAY && t->length_expr) front_walk(&t->length_expr, fn, user);
    struct front_node *next = n->next;
    fn(user, place);
    (*place)->next = next;
}
