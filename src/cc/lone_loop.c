// Sequential loops of a region: one thread of the GPU would run them, far slower than the CPU. Of a loop that is moved
// as a whole no such loop may be a part, in the functions that it calls, either.
#include "cc/lone_loop.h"

// What each function holds, found once: one that calls itself has been asked for already.
struct held {
    const struct front_function *function;
    const struct front_node *loop; // see lone_loop
    bool parallel;
};
struct loop_search {
    struct base_cx *cx;
    struct held *list;
    uint32_t count, cap;
};

static const struct front_node *lone_loop(struct loop_search *x, const struct front_node *list, bool *io_parallel);

static const struct front_node *lone_loop_of(struct loop_search *x, const struct front_function *f, bool *io_parallel) {
    uint32_t at = 0;
    while (at < x->count && x->list[at].function != f)
        at++;
    if (at == x->count) {
        bool parallel = false;
        BASE_RESERVE(x->cx, x->list, x->count, x->cap);
        x->list[x->count++] = (struct held){.function = f};
        const struct front_node *loop = lone_loop(x, f->body, &parallel);
        x->list[at].loop = loop;
        x->list[at].parallel = parallel;
    }
    *io_parallel |= x->list[at].parallel;
    return x->list[at].loop;
}

// `do { ... } while (0)`, as macros have it, is none.
static bool is_loop(const struct front_node *n) {
    if (n->kind != FRONT_DO) return n->kind == FRONT_FOR || n->kind == FRONT_WHILE;
    const struct front_node *test = n->a;
    while (test->kind == FRONT_CAST)
        test = test->a;
    return test->kind != FRONT_INT || test->integer != 0;
}

// Of one node and what is below it: see lone_loop.
static const struct front_node *lone_loop_in(struct loop_search *x, const struct front_node *n, bool *io_parallel) {
    bool parallel = false;
    const struct front_node *found = NULL;
    if (n->kind == FRONT_OMP && n->omp->constructs & FRONT_OMP_PARALLEL) {
        *io_parallel = true;
        return NULL;
    }
    const struct front_node *const below[] = {n->a, n->b, n->c, n->d, n->kind == FRONT_OMP ? n->omp->body : NULL};
    for (size_t i = 0; i < sizeof below / sizeof *below && !found; i++)
        found = lone_loop(x, below[i], &parallel);
    const struct front_function *f = n->kind == FRONT_CALL ? n->symbol->function : NULL;
    if (!found && f && f->body) found = lone_loop_of(x, f, &parallel);
    if (!found && is_loop(n) && !parallel) found = n;
    *io_parallel = *io_parallel || parallel;
    return found;
}

// The first loop outside of parallel regions that has none inside: one thread of the GPU would run it, far slower than
// the CPU. *io_parallel: there is a parallel region.
static const struct front_node *lone_loop(struct loop_search *x, const struct front_node *list, bool *io_parallel) {
    for (; list; list = list->next) {
        const struct front_node *found = lone_loop_in(x, list, io_parallel);
        if (found) return found;
    }
    return NULL;
}

const struct front_node *cc_lone_loop(struct base_cx *cx, const struct front_node *list) {
    struct loop_search x = {.cx = cx};
    bool parallel = false;
    return lone_loop(&x, list, &parallel);
}
