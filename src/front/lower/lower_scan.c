// Questions about the tree that the lowering asks before it decides how to write something.
#include <string.h>

#include "front/lower/lower.h"

static void scan_list(const struct front_node *node, bool (*fn)(void *user, const struct front_node *node),
                      void *user) {
    for (; node; node = node->next)
        lower_scan(node, fn, user);
}

// fn sees each node before what is in it; false skips that.
void lower_scan(const struct front_node *node, bool (*fn)(void *user, const struct front_node *node), void *user) {
    if (!node || !fn(user, node)) return;
    scan_list(node->a, fn, user);
    scan_list(node->b, fn, user);
    scan_list(node->c, fn, user);
    scan_list(node->d, fn, user);
    if (node->flags & FRONT_FLAG_HAS_INITS && (node->kind == FRONT_DECL || node->kind == FRONT_COMPOUND))
        for (uint32_t i = 0; i < node->inits->count; i++)
            lower_scan(node->inits->items[i].value, fn, user);
    if (node->kind == FRONT_OMP) lower_scan(node->omp->body, fn, user);
}

struct reach {
    struct lower *lw;
    bool (*fn)(void *user, const struct front_node *node);
    void *user;
    struct front_function **found;
    uint32_t count, cap;
};

static bool reach_node(void *user, const struct front_node *node) {
    struct reach *r = user;
    struct front_function *f = node->kind == FRONT_CALL ? node->symbol->function : NULL;
    bool known = !f;
    for (uint32_t i = 0; i < r->count && !known; i++)
        known = r->found[i] == f;
    if (!known) {
        BASE_RESERVE(r->lw->cx, r->found, r->count, r->cap);
        r->found[r->count++] = f;
    }
    return r->fn(r->user, node);
}

void lower_scan_reached(struct lower *lw, const struct front_node *node,
                        bool (*fn)(void *user, const struct front_node *node), void *user) {
    struct reach r = {.lw = lw, .fn = fn, .user = user};
    lower_scan(node, reach_node, &r);
    for (uint32_t i = 0; i < r.count; i++) // which grow
        lower_scan(r.found[i]->body, reach_node, &r);
}

bool lower_completes(const struct front_node *node) {
    if (!node) return true;
    switch (node->kind) {
    case FRONT_RETURN:
    case FRONT_BREAK:
    case FRONT_CONTINUE: return false;
    case FRONT_BLOCK:
        for (const struct front_node *s = node->a; s; s = s->next)
            if (!lower_completes(s)) return false;
        return true;
    case FRONT_IF: return lower_completes(node->b) || lower_completes(node->c);
    default: return true;
    }
}

struct query {
    const struct front_symbol *symbol;
    const struct front_node *skip;
    bool found;
};

static bool is_written(void *user, const struct front_node *node) {
    struct query *q = user;
    if (node->kind == FRONT_ASSIGN || node->kind == FRONT_ASSIGN_OP) {
        const struct front_node *to = node->a;
        while (to->kind == FRONT_MEMBER)
            to = to->a;
        if (to->kind == FRONT_VAR && to->symbol == q->symbol) q->found = true;
    }
    return !q->found;
}

bool lower_writes(const struct front_node *node, const struct front_symbol *symbol) {
    struct query q = {.symbol = symbol};
    lower_scan(node, is_written, &q);
    return q.found;
}

static const struct front_symbol *root(const struct front_node *node) {
    for (;;) {
        if (node->kind == FRONT_VAR) return node->symbol;
        if (node->kind != FRONT_INDEX && node->kind != FRONT_MEMBER && node->kind != FRONT_CAST &&
            node->kind != FRONT_DEREF && node->kind != FRONT_PTR_ADD && node->kind != FRONT_ADDR)
            return NULL;
        node = node->a;
    }
}

static bool is_array_write(void *user, const struct front_node *node) {
    struct query *q = user;
    if ((node->kind == FRONT_ASSIGN || node->kind == FRONT_ASSIGN_OP) && root(node->a) == q->symbol) q->found = true;
    // Its address goes to a pointer that may write.
    const struct front_node *given = node->kind == FRONT_CALL || node->kind == FRONT_DECL ? node->a
                                     : node->kind == FRONT_ASSIGN                         ? node->b
                                                                                          : NULL;
    for (; given; given = node->kind == FRONT_CALL ? given->next : NULL)
        if (given->type->kind == FRONT_POINTER && !(given->type->base->quals & FRONT_CONST) && root(given) == q->symbol)
            q->found = true;
    return !q->found;
}

bool lower_writes_reached(struct lower *lw, const struct front_node *node, const struct front_symbol *symbol) {
    struct query q = {.symbol = symbol};
    lower_scan_reached(lw, node, is_written, &q);
    return q.found;
}

bool lower_array_written(const struct front_node *node, const struct front_symbol *array) {
    struct query q = {.symbol = array};
    lower_scan(node, is_array_write, &q);
    return q.found;
}

bool lower_changes(const struct front_node *node, const struct front_symbol *symbol) {
    return symbol->address_taken || lower_writes(node, symbol) || lower_array_written(node, symbol);
}

static bool is_filled(void *user, const struct front_node *node) {
    struct query *q = user;
    if (node == q->skip) return false;
    if (node->kind == FRONT_DECL && node->symbol == q->symbol && (node->a || node->flags & FRONT_FLAG_HAS_INITS))
        q->found = true;
    return is_array_write(q, node);
}

bool lower_holds(const struct front_node *region, const struct front_node *loop, const struct front_symbol *array) {
    struct query q = {.symbol = array, .skip = loop};
    if (region != loop) lower_scan(region, is_filled, &q);
    for (uint32_t i = 0; i < region->omp->var_count; i++) // each thread's begins with what the array had
        if (region->omp->vars[i].symbol == array && region->omp->vars[i].sharing & FRONT_OMP_FIRSTPRIVATE)
            q.found = true;
    return q.found || array->address_taken;
}

static bool is_call(void *user, const struct front_node *node) {
    struct query *q = user;
    q->found = q->found || (node->kind == FRONT_CALL && node->symbol->function);
    return !q->found;
}

bool lower_has_call(const struct front_node *node) {
    struct query q = {0};
    lower_scan(node, is_call, &q);
    return q.found;
}

static bool is_mention(void *user, const struct front_node *node) {
    struct query *q = user;
    q->found = q->found || (node->kind == FRONT_VAR && node->symbol == q->symbol);
    return !q->found;
}

bool lower_mentions(const struct front_node *node, const struct front_symbol *symbol) {
    struct query q = {.symbol = symbol};
    lower_scan(node, is_mention, &q);
    return q.found;
}

static bool is_return(void *user, const struct front_node *node) {
    struct query *q = user;
    q->found = q->found || node->kind == FRONT_RETURN;
    return !q->found;
}

static bool leaves_by_break(void *user, const struct front_node *node) {
    struct query *q = user;
    if (node->kind == FRONT_BREAK) q->found = true;
    bool inner =
        node->kind == FRONT_WHILE || node->kind == FRONT_DO || node->kind == FRONT_FOR || node->kind == FRONT_SWITCH;
    return !q->found && !inner;
}

static bool leaves_by_continue(void *user, const struct front_node *node) {
    struct query *q = user;
    if (node->kind == FRONT_CONTINUE) q->found = true;
    return !q->found && node->kind != FRONT_WHILE && node->kind != FRONT_DO && node->kind != FRONT_FOR;
}

bool lower_jumps_out(const struct front_node *node) {
    struct query q = {0};
    lower_scan(node, is_return, &q);
    if (!q.found) lower_scan(node, leaves_by_break, &q);
    if (!q.found) lower_scan(node, leaves_by_continue, &q);
    return q.found;
}

bool lower_has_break(const struct front_node *body) {
    struct query q = {0};
    lower_scan(body, is_return, &q);
    if (!q.found) lower_scan(body, leaves_by_break, &q);
    return q.found;
}

static bool is_first_set(const struct front_node *node, const struct front_symbol *symbol) {
    if (node->kind != FRONT_FOR || !node->a || node->a->kind != FRONT_EXPR) return false;
    const struct front_node *e = node->a->a;
    while (e && e->kind == FRONT_COMMA)
        e = e->a;
    return e && e->kind == FRONT_ASSIGN && e->a->kind == FRONT_VAR && e->a->symbol == symbol;
}

static bool is_read(void *user, const struct front_node *node) {
    struct query *q = user;
    if (node == q->skip || is_first_set(node, q->symbol)) return false;
    if (node->kind == FRONT_ASSIGN && node->a->kind == FRONT_VAR && node->a->symbol == q->symbol) {
        lower_scan(node->b, is_read, q);
        return false;
    }
    if (node->kind == FRONT_VAR && node->symbol == q->symbol) q->found = true;
    return !q->found;
}

bool lower_read_outside(const struct front_node *node, const struct front_node *loop,
                        const struct front_symbol *symbol) {
    struct query q = {.symbol = symbol, .skip = loop};
    lower_scan(node, is_read, &q);
    return q.found;
}

struct mentions {
    const struct front_symbol *symbol;
    uint32_t count;
};

static bool count_mention(void *user, const struct front_node *n) {
    struct mentions *q = user;
    q->count += n->kind == FRONT_VAR && n->symbol == q->symbol;
    return true;
}

uint32_t lower_count_mentions(const struct front_node *node, const struct front_symbol *symbol) {
    struct mentions q = {symbol, 0};
    lower_scan(node, count_mention, &q);
    return q.count;
}

uint32_t lower_count_reached(struct lower *lw, const struct front_node *node, const struct front_symbol *symbol) {
    struct mentions q = {symbol, 0};
    lower_scan_reached(lw, node, count_mention, &q);
    return q.count;
}

static bool find_declaration(void *user, const struct front_node *n) {
    struct query *q = user;
    q->found |= n->kind == FRONT_DECL && n->symbol == q->symbol;
    return !q->found;
}

bool lower_is_from_outside(const struct front_omp *omp, const struct front_node *body,
                           const struct front_symbol *symbol) {
    if (symbol->threadprivate) return false;
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (omp->vars[i].symbol == symbol && omp->vars[i].sharing & ~(unsigned)FRONT_OMP_SHARED) return false;
    for (uint32_t d = 0; d < omp->collapse; d++)
        if (omp->loops[d].var == symbol) return false;
    struct query q = {.symbol = symbol};
    lower_scan(body, find_declaration, &q);
    return !q.found;
}
