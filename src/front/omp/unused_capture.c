// A value that `atomic capture` takes in a statement expression, and nobody uses: __sync_fetch_and_add(&total, x); as a
// statement, or
//
//     ({ long old;
//        #pragma omp atomic capture
//        { old = total; total += x; }
//        old; });
//
// Without the capture it is an update, which there is for more types, and costs less.
#include "front/omp/openmp.h"

struct uses {
    const struct front_symbol *symbol;
    uint32_t count;
};
static void count_use(void *user, struct front_node **place) {
    struct uses *u = user;
    u->count += (*place)->kind == FRONT_VAR && (*place)->symbol == u->symbol;
}

// `old = total;`
static bool is_taken(const struct front_node *n, const struct front_symbol *symbol) {
    const struct front_node *e = n->kind == FRONT_EXPR ? n->a : NULL;
    return e && e->kind == FRONT_ASSIGN && e->a->kind == FRONT_VAR && e->a->symbol == symbol;
}

static bool is_update(const struct front_node *n) { return n->kind == FRONT_EXPR && n->a->kind == FRONT_ASSIGN_OP; }

// The update beside what is taken; NULL: it is none.
static struct front_node *update_of(struct front_node *section, const struct front_symbol *symbol) {
    struct front_node *one = section->kind == FRONT_BLOCK ? section->a : NULL, *two = one ? one->next : NULL;
    if (!two || two->next) return NULL;
    if (is_taken(one, symbol) && is_update(two)) return two;
    return is_taken(two, symbol) && is_update(one) ? one : NULL;
}

static void drop(struct front_node *block, struct front_node *value) {
    struct front_node *last = block->a;
    while (last && last->next)
        last = last->next;
    if (!last || last->kind != FRONT_OMP || last->omp->atomic != FRONT_ATOMIC_CAPTURE || value->kind != FRONT_VAR)
        return;
    struct uses u = {.symbol = value->symbol};
    front_walk(&block, count_use, &u);
    struct front_node *update = u.count == 1 ? update_of(last->omp->body, value->symbol) : NULL;
    if (!update) return;
    update->next = NULL;
    last->omp->atomic = FRONT_ATOMIC_UPDATE;
    last->omp->body = update;
}

void front_drop_captures(struct front_node *value) {
    if (value->kind == FRONT_CAST && value->type->kind == FRONT_VOID) front_drop_captures(value->a);
    if (value->kind != FRONT_COMMA) return;
    if (value->a->kind == FRONT_BLOCK) {
        drop(value->a, value->b);
    } else {
        front_drop_captures(value->a);
        front_drop_captures(value->b);
    }
}
