// How many elements a pointer parameter has that no size was given for, where the program says: all it does with it is
// `*p` and `p[0]`, `p[3]`, as with a result of its own.
#include "front/lower/lower.h"
#include "front/parse/parse.h"

struct uses {
    const struct front_symbol *symbol;
    uint32_t all, known; // of the parameter; as elements whose number is a constant
    uint64_t length;     // what the latter need
};

static bool is_symbol(const struct uses *x, const struct front_node *n) {
    while (n->kind == FRONT_CAST && n->flags & FRONT_FLAG_IMPLICIT)
        n = n->a;
    return n->kind == FRONT_VAR && n->symbol == x->symbol;
}

static void on_use(void *user, struct front_node **place) {
    struct uses *x = user;
    const struct front_node *n = *place;
    struct front_constant index = {.integer = 0};
    x->all += n->kind == FRONT_VAR && n->symbol == x->symbol;
    bool element = n->kind == FRONT_DEREF || (n->kind == FRONT_INDEX && front_evaluate(n->b, false, &index));
    if (!element || !is_symbol(x, n->a) || index.is_float || index.integer >= LOWER_MOST_NAMED) return;
    x->known++;
    if (x->length <= index.integer) x->length = index.integer + 1;
}

uint64_t lower_elements_used(struct front_function *entry, const struct front_symbol *symbol) {
    struct uses x = {.symbol = symbol};
    front_walk(&entry->body, on_use, &x);
    return x.all == x.known ? x.length : 0;
}
