// Which for loops count: their variable is written by their step alone, and the test compares it with something else.
// The step, and the expression that begins the loop, may do more: `for (i = 0, k = 0; i < n; i++, k += 2)`.
#include "front/lower/lower_count.h"

const struct front_node *lower_through_casts(const struct front_node *node) {
    while (node->kind == FRONT_CAST && front_is_integer(node->type) && front_is_integer(node->a->type))
        node = node->a;
    return node;
}

static struct front_symbol *variable(const struct front_node *node) {
    node = lower_through_casts(node);
    return node->kind == FRONT_VAR ? node->symbol : NULL;
}

static bool constant_step(const struct front_node *node, int64_t *out) {
    node = lower_through_casts(node);
    if (node->kind == FRONT_UNARY && node->op == FRONT_OP_NEG && constant_step(node->a, out)) {
        *out = -*out;
        return true;
    }
    if (node->kind != FRONT_INT) return false;
    *out = (int64_t)node->integer;
    if (front_int_bits(node->type) == 32)
        *out = node->type->kind == FRONT_U32 ? (int64_t)(uint32_t)*out : (int64_t)(int32_t)*out;
    return true;
}

// `a, b, c` in its parts, in order; more than there is room for are one.
static uint32_t split(struct front_node *e, struct front_node *parts[LOWER_BESIDE + 1]) {
    struct front_node *turned[LOWER_BESIDE + 1];
    uint32_t count = 0;
    while (e->kind == FRONT_COMMA && count < LOWER_BESIDE) {
        turned[count++] = e->b;
        e = e->a;
    }
    turned[count++] = e;
    for (uint32_t i = 0; i < count; i++)
        parts[i] = turned[count - 1 - i];
    return count;
}

static bool find_step(const struct front_node *inc, struct lower_count *c) {
    int64_t step;
    enum front_op op;
    if (!inc) return false;
    if (inc->kind == FRONT_ASSIGN_OP) {
        c->symbol = inc->a->kind == FRONT_VAR ? inc->a->symbol : NULL;
        op = (enum front_op)inc->op;
        if (!constant_step(inc->b, &step)) return false;
    } else if (inc->kind == FRONT_ASSIGN && inc->a->kind == FRONT_VAR) {
        c->symbol = inc->a->symbol;
        const struct front_node *sum = lower_through_casts(inc->b);
        if (sum->kind != FRONT_BINARY) return false;
        op = (enum front_op)sum->op;
        if (variable(sum->a) == c->symbol && constant_step(sum->b, &step)) {
        } else if (op == FRONT_OP_ADD && variable(sum->b) == c->symbol && constant_step(sum->a, &step)) {
        } else {
            return false;
        }
    } else {
        return false;
    }
    if (!c->symbol || (op != FRONT_OP_ADD && op != FRONT_OP_SUB) || step == 0 || step > INT32_MAX || step < -INT32_MAX)
        return false;
    c->step = (int32_t)(op == FRONT_OP_SUB ? -step : step);
    return true;
}

static enum front_op mirrored(enum front_op op) {
    switch (op) {
    case FRONT_OP_LT: return FRONT_OP_GT;
    case FRONT_OP_LE: return FRONT_OP_GE;
    case FRONT_OP_GT: return FRONT_OP_LT;
    case FRONT_OP_GE: return FRONT_OP_LE;
    default: return op;
    }
}

// One side of the test is the variable, or an int that it and something else add up to (which may not overflow).
static bool is_counter(const struct front_node *side, struct lower_count *c) {
    int64_t offset;
    c->offset = 0;
    c->shift = NULL;
    if (variable(side) == c->symbol) return true;
    if (side->kind != FRONT_BINARY || side->type->kind != FRONT_I32 ||
        (side->op != FRONT_OP_ADD && side->op != FRONT_OP_SUB))
        return false;
    struct front_node *counter = side->a, *other = side->b;
    if (side->op == FRONT_OP_ADD && variable(counter) != c->symbol) counter = side->b, other = side->a;
    if (variable(counter) != c->symbol || counter->type->kind != FRONT_I32 || other->type->kind != FRONT_I32)
        return false;
    c->shift_down = side->op == FRONT_OP_SUB;
    if (!constant_step(other, &offset))
        c->shift = other;
    else if (offset < -INT32_MAX || offset > INT32_MAX)
        return false;
    else
        c->offset = (int32_t)(c->shift_down ? -offset : offset);
    return true;
}

static bool find_test(const struct front_node *test, struct lower_count *c) {
    if (!test) return false;
    test = lower_through_casts(test);
    if (test->kind != FRONT_BINARY || !front_is_integer(test->a->type)) return false;
    c->relation = (enum front_op)test->op;
    c->compared = test->a->type;
    if (is_counter(test->a, c)) {
        c->hi = test->b;
    } else if (is_counter(test->b, c)) {
        c->hi = test->a;
        c->relation = mirrored(c->relation);
    } else {
        return false;
    }
    bool up = c->step > 0;
    return (up ? c->relation == FRONT_OP_LT || c->relation == FRONT_OP_LE
               : c->relation == FRONT_OP_GT || c->relation == FRONT_OP_GE) ||
           (c->relation == FRONT_OP_NE && (c->step == 1 || c->step == -1));
}

static bool find_start(struct front_node *init, struct lower_count *c) {
    if (!init) return false;
    if (init->kind == FRONT_EXPR) {
        struct front_node *parts[LOWER_BESIDE + 1];
        uint32_t count = split(init->a, parts);
        for (uint32_t i = 0; i < count; i++) {
            struct front_node *e = parts[i];
            if (e->kind == FRONT_ASSIGN && e->a->kind == FRONT_VAR && e->a->symbol == c->symbol && !c->lo) {
                c->lo = e->b;
                c->also_before = c->also_count;
            } else if (lower_mentions(e, c->symbol)) {
                return false;
            } else {
                c->also[c->also_count++] = e;
            }
        }
        return c->lo != NULL;
    }
    for (struct front_node *d = init->kind == FRONT_BLOCK ? init->a : init; d; d = d->next)
        if (d->kind == FRONT_DECL && d->symbol == c->symbol && d->a) {
            c->lo = d->a;
            c->declaration = d;
            return true;
        }
    return false;
}

bool lower_count_writes(const struct lower_count *c, const struct front_node *body, const struct front_symbol *symbol) {
    bool writes = lower_writes(body, symbol);
    for (uint32_t i = 0; i < c->beside_count; i++)
        writes = writes || lower_writes(c->beside[i], symbol);
    return writes;
}

bool lower_count_calls(const struct lower_count *c, const struct front_node *body) {
    bool calls = lower_has_call(body);
    for (uint32_t i = 0; i < c->beside_count; i++)
        calls = calls || lower_has_call(c->beside[i]);
    return calls;
}

// Part `which` of the step counts, and nothing else has to do with its variable.
static bool counts(struct lower *lw, struct front_node *node, struct front_node *const *parts, uint32_t part_count,
                   uint32_t which, struct lower_count *c) {
    *c = (struct lower_count){0};
    if (!find_step(parts[which], c) || !front_is_integer(c->symbol->type) || c->symbol->type->kind == FRONT_BOOL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        if (i == which) continue;
        if (lower_mentions(parts[i], c->symbol)) return false;
        c->beside[c->beside_count++] = parts[i];
    }
    if (c->symbol->kind != FRONT_SYM_LOCAL && c->symbol->kind != FRONT_SYM_PARAM) return false;
    if (c->symbol->address_taken || !find_test(node->b, c) || !find_start(node->a, c)) return false;
    if (lower_writes(node->d, c->symbol) || lower_mentions(c->hi, c->symbol)) return false;
    if (c->shift && lower_mentions(c->shift, c->symbol)) return false;
    bool outside = !c->declaration && lower_read_outside(lw->frame->function->body, node, c->symbol);
    return !(outside && lower_has_break(node->d));
}

bool lower_find_count(struct lower *lw, struct front_node *node, struct lower_count *out) {
    struct front_node *parts[LOWER_BESIDE + 1];
    uint32_t count = node->c ? split(node->c, parts) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (counts(lw, node, parts, count, i, out)) return true;
    return false;
}
