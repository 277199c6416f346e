// The statements that `#pragma omp atomic` takes (OpenMP 5.2, section 15.8.4), recognised by their form.
#include "front/lower/lower_update.h"

static struct front_node *plain(struct front_node *node) { // without the casts that keep all bits of a 32-bit integer
    while (node->kind == FRONT_CAST && front_is_integer(node->type) && front_is_integer(node->a->type) &&
           front_int_bits(node->type) == 32 && front_int_bits(node->a->type) == 32)
        node = node->a;
    return node;
}

// ... that keep so many of its low bits, which is all that sums and combinations of them need.
static struct front_node *low(struct front_node *node, uint32_t bits) {
    while (node->kind == FRONT_CAST && front_is_integer(node->type) && front_is_integer(node->a->type) &&
           front_int_bits(node->type) >= bits && front_int_bits(node->a->type) >= bits)
        node = node->a;
    return node;
}

// Casts that change nothing, which `float` in place of `double` leaves.
static const struct front_node *without_idle_casts(const struct front_node *n) {
    while (n->kind == FRONT_CAST && front_is_arithmetic(n->type) && n->a->type->kind == n->type->kind)
        n = n->a;
    return n;
}

// The same text, as far as it can name a place or a value.
bool lower_same(const struct front_node *a, const struct front_node *b) {
    if (!a || !b) return a == b;
    a = without_idle_casts(a);
    b = without_idle_casts(b);
    if (a->kind != b->kind || a->op != b->op) return false;
    switch (a->kind) {
    case FRONT_VAR: return a->symbol == b->symbol;
    case FRONT_INT: return a->integer == b->integer;
    case FRONT_FLOAT: return a->real == b->real;
    case FRONT_CALL: { // how often it is called, OpenMP leaves open
        const struct front_node *x = a->a, *y = b->a;
        while (x && lower_same(x, y)) {
            x = x->next;
            y = y->next;
        }
        return a->symbol == b->symbol && !x && !y;
    }
    case FRONT_MEMBER: return a->field == b->field && lower_same(a->a, b->a);
    case FRONT_CAST: return a->type->kind == b->type->kind && lower_same(a->a, b->a);
    case FRONT_INDEX:
    case FRONT_DEREF:
    case FRONT_ADDR:
    case FRONT_UNARY:
    case FRONT_BINARY:
    case FRONT_LOGIC:
    case FRONT_MULHI:
    case FRONT_PTR_DIFF:
    case FRONT_PTR_ADD: return lower_same(a->a, b->a) && lower_same(a->b, b->b);
    case FRONT_COMPOUND: { // a double's constant as a pair
        bool same = a->type->record == b->type->record && a->inits->count == b->inits->count;
        for (uint32_t i = 0; same && i < a->inits->count; i++)
            same = a->inits->items[i].offset_bytes == b->inits->items[i].offset_bytes &&
                   lower_same(a->inits->items[i].value, b->inits->items[i].value);
        return same;
    }
    case FRONT_COND: return lower_same(a->a, b->a) && lower_same(a->b, b->b) && lower_same(a->c, b->c);
    default: return false;
    }
}

static bool can_update(enum front_op op) {
    return op == FRONT_OP_ADD || op == FRONT_OP_SUB || op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR;
}

// `a relation b` picks the larger or the smaller of x and e when it says that e replaces x.
static bool read_order(struct front_node *test, struct front_node *x, struct front_node *e, struct lower_update *out) {
    test = test->kind == FRONT_CAST ? test->a : test;
    if (test->kind != FRONT_BINARY || test->a->type->kind != x->type->kind) return false;
    bool less = test->op == FRONT_OP_LT || test->op == FRONT_OP_LE;
    if (!less && test->op != FRONT_OP_GT && test->op != FRONT_OP_GE) return false;
    if (lower_same(plain(test->a), x) && lower_same(plain(test->b), plain(e)))
        out->op = less ? FRONT_OP_MAX : FRONT_OP_MIN;
    else if (lower_same(plain(test->b), x) && lower_same(plain(test->a), plain(e)))
        out->op = less ? FRONT_OP_MIN : FRONT_OP_MAX;
    else
        return false;
    out->x = x;
    out->e = e;
    out->calc = x->type;
    return true;
}

// x op= e; x++; x = x op e; x = x < e ? e : x.
static bool read_expression(struct front_node *node, struct lower_update *out) {
    if (node->kind == FRONT_ASSIGN_OP) {
        out->x = node->a;
        out->e = node->b;
        out->op = (enum front_op)node->op;
        out->calc = node->calc;
        return can_update(out->op);
    }
    if (node->kind != FRONT_ASSIGN) return false;
    struct front_node *x = node->a, *value = plain(node->b);
    if (value->kind == FRONT_COND) {
        if (lower_same(plain(value->c), x)) return read_order(value->a, x, value->b, out);
        if (!lower_same(plain(value->b), x)) return false;
        if (!read_order(value->a, x, value->c, out)) return false;
        out->op = out->op == FRONT_OP_MAX ? FRONT_OP_MIN : FRONT_OP_MAX; // x stays where the test holds
        return true;
    }
    bool whole = front_is_integer(x->type) && x->type->kind != FRONT_BOOL;
    uint32_t bits = whole ? front_int_bits(x->type) : UINT32_MAX;
    value = low(node->b, bits);
    if (value->kind != FRONT_BINARY || !can_update((enum front_op)value->op)) return false;
    out->x = x;
    out->op = (enum front_op)value->op;
    out->calc = value->type;
    if (lower_same(low(value->a, bits), x))
        out->e = value->b;
    else if (value->op != FRONT_OP_SUB && lower_same(low(value->b, bits), x))
        out->e = value->a;
    else
        return false;
    return true;
}

struct front_node *lower_expression_of(struct front_node *statement) {
    while (statement && statement->kind == FRONT_BLOCK && statement->a && !statement->a->next)
        statement = statement->a;
    return statement && statement->kind == FRONT_EXPR ? statement->a : NULL;
}

// if (x < e) x = e;
static bool read_if(struct front_node *node, struct lower_update *out) {
    struct front_node *set = node->kind == FRONT_IF && !node->c ? lower_expression_of(node->b) : NULL;
    return set && set->kind == FRONT_ASSIGN && read_order(node->a, set->a, set->b, out);
}

bool lower_read_update(struct front_node *node, struct lower_update *out) {
    struct front_node *e = lower_expression_of(node);
    return e ? read_expression(e, out) : read_if(node, out);
}

// ---- exchanges ------------------------------------------------------------------------------------------------------

static struct front_node *uncast(struct front_node *node) {
    while (node->kind == FRONT_CAST)
        node = node->a;
    return node;
}

const struct front_symbol *lower_base_of(const struct front_node *x) {
    while (x && x->kind != FRONT_VAR)
        x = x->a;
    return x ? x->symbol : NULL;
}

static bool mentions_base(const struct front_node *e, const struct front_node *x) {
    const struct front_symbol *base = lower_base_of(x);
    return !base || lower_mentions(e, base);
}

static void set_exchange(struct front_node *x, struct front_node *e, struct lower_update *out) {
    out->x = x;
    out->e = e;
    out->op = FRONT_OP_NONE;
    out->calc = x->type;
}

// x == expected
static bool read_equality(struct front_node *test, struct front_node *x, struct lower_update *out) {
    test = uncast(test);
    if (test->kind != FRONT_BINARY || test->op != FRONT_OP_EQ) return false;
    bool first = lower_same(plain(test->a), x);
    if (!first && !lower_same(plain(test->b), x)) return false;
    out->expected = first ? test->b : test->a;
    return true;
}

// if (x == expected) x = e; x = x == expected ? e : x;
static bool read_comparison(struct front_node *node, struct lower_update *out) {
    struct front_node *e = lower_expression_of(node);
    if (node->kind == FRONT_IF && !node->c) {
        struct front_node *set = lower_expression_of(node->b);
        if (!set || set->kind != FRONT_ASSIGN || !read_equality(node->a, set->a, out)) return false;
        set_exchange(set->a, set->b, out);
        return true;
    }
    struct front_node *value = e && e->kind == FRONT_ASSIGN ? plain(e->b) : NULL;
    if (!value || value->kind != FRONT_COND || !lower_same(plain(value->c), e->a)) return false;
    if (!read_equality(value->a, e->a, out)) return false;
    set_exchange(e->a, value->b, out);
    return true;
}

// else v = x;
static bool read_else(struct front_node *branch, struct lower_update *out) {
    struct front_node *set = lower_expression_of(branch);
    if (!set || set->kind != FRONT_ASSIGN || !lower_same(plain(set->b), out->x)) return false;
    out->v = set->a;
    out->takes_if_other = true;
    return true;
}

// if (x == expected) x = e; else v = x;
static bool read_comparison_else(struct front_node *node, struct lower_update *out) {
    if (node->kind != FRONT_IF || !node->c) return false;
    struct front_node alone = *node;
    alone.c = NULL;
    return read_comparison(&alone, out) && read_else(node->c, out);
}

// { r = x == expected; if (r) x = e; } with or without else v = x;
static bool read_result(struct front_node *first, struct front_node *branch, struct lower_update *out) {
    if (!first || first->kind != FRONT_ASSIGN || branch->kind != FRONT_IF) return false;
    struct front_node *set = lower_expression_of(branch->b);
    if (!set || set->kind != FRONT_ASSIGN || !lower_same(uncast(branch->a), first->a)) return false;
    if (!read_equality(first->b, set->a, out)) return false;
    set_exchange(set->a, set->b, out);
    out->r = first->a;
    return !branch->c || read_else(branch->c, out);
}

// ---- captures -------------------------------------------------------------------------------------------------------

static bool read_change(struct front_node *node, bool compares, struct lower_update *out) {
    return (compares && read_comparison(node, out)) || lower_read_update(node, out);
}

// x = e; behind v = x;
static bool read_exchange(struct front_node *node, struct lower_update *out) {
    struct front_node *e = lower_expression_of(node);
    if (!e || e->kind != FRONT_ASSIGN || mentions_base(e->b, e->a)) return false;
    set_exchange(e->a, e->b, out);
    return true;
}

// { v = x; x += e; } { x += e; v = x; }
static bool read_pair(struct front_node *one, struct front_node *two, bool compares, struct lower_update *out) {
    struct front_node *first = lower_expression_of(one), *second = lower_expression_of(two);
    if (first && first->kind == FRONT_ASSIGN && (read_change(two, compares, out) || read_exchange(two, out)) &&
        lower_same(plain(first->b), out->x)) {
        out->v = first->a;
        return true;
    }
    *out = (struct lower_update){.takes_new = true};
    if (!second || second->kind != FRONT_ASSIGN || !read_change(one, compares, out)) return false;
    out->v = second->a;
    return lower_same(plain(second->b), out->x);
}

// v = x++; and the pairs
static bool read_capture(struct front_node *node, bool compares, struct lower_update *out) {
    struct front_node *e = lower_expression_of(node);
    if (e) {
        if (e->kind != FRONT_ASSIGN) return false;
        struct front_node *value = plain(e->b);
        out->v = e->a;
        out->takes_new = !(value->kind == FRONT_ASSIGN_OP && value->flags & FRONT_FLAG_POST);
        return read_expression(value, out);
    }
    while (node->kind == FRONT_BLOCK && node->a && !node->a->next)
        node = node->a;
    if (compares && read_comparison_else(node, out)) return true;
    if (node->kind != FRONT_BLOCK || !node->a || !node->a->next || node->a->next->next) return false;
    if (compares && read_result(lower_expression_of(node->a), node->a->next, out)) return true;
    *out = (struct lower_update){0};
    return read_pair(node->a, node->a->next, compares, out);
}

bool lower_read_atomic(struct front_node *node, bool compares, bool captures, struct lower_update *out) {
    *out = (struct lower_update){0};
    return captures ? read_capture(node, compares, out) : read_change(node, compares, out);
}
