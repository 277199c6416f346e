// Integers of many digits in doubles. Generators of random numbers, as of the NAS benchmarks, compute modulo 2^46 in
// doubles, in halves that they take by
//
//     t1 = r23 * x;    x1 = (int)t1;    x2 = x - t23 * x1;
//
// with r23 = 2^-23. What is left of a number when it is divided by so large a power of two and cut off is not nothing
// only where the number has more digits than that, and a float has 24 in all. So where doubles are floats, its numbers
// would be others: a warning says so, and `whorl cc` leaves such a region on the CPU. So it is with r23 that is made by
// `r23 = 0.5 * r23` in a loop, however often.
#include <math.h>
#include <string.h>

#include "front/doubles/double.h"

enum { MOST_HIGH = 32, LEAST_BITS = 20 };

struct digits {
    const struct front_symbol *high[MOST_HIGH]; // variables that take the high digits of a number
    uint32_t count;
    const struct front_node *constants[MOST_HIGH]; // declarations of variables in functions that keep their values
    uint32_t constant_count;
    struct power { // variables that begin with a power of two and are only multiplied by such
        const struct front_symbol *symbol;
        bool is_scaled, is_other;
    } powers[MOST_HIGH];
    uint32_t power_count;
    const struct front_node *found; // where these are cut off
};

static const struct front_node *uncast(const struct front_node *n) {
    while (n->kind == FRONT_CAST && front_is_float(n->type) && front_is_float(n->a->type))
        n = n->a;
    return n;
}

// Of a constant, or of a variable that is one; 0: it is none.
static double value_of(const struct digits *d, const struct front_node *n) {
    struct front_constant c;
    n = uncast(n);
    for (uint32_t i = 0; n->kind == FRONT_VAR && i < d->constant_count; i++)
        if (d->constants[i]->symbol == n->symbol) return value_of(d, d->constants[i]->a);
    if (n->kind == FRONT_VAR && front_is_float(n->type) && !n->symbol->written && n->symbol->has_init &&
        n->symbol->inits.count == 1)
        return value_of(d, n->symbol->inits.items[0].value);
    if (n->kind == FRONT_BINARY && (n->op == FRONT_OP_MUL || n->op == FRONT_OP_DIV)) {
        double a = value_of(d, n->a), b = value_of(d, n->b);
        return n->op == FRONT_OP_MUL ? a * b : b != 0 ? a / b : 0;
    }
    return n->kind == FRONT_FLOAT && front_evaluate(n, false, &c) && c.is_float ? c.real : 0;
}

static bool is_power(double value, bool divides) {
    int exponent;
    double part = frexp(value, &exponent);
    return part == 0.5 && (divides ? exponent - 1 >= LEAST_BITS : 1 - exponent >= LEAST_BITS);
}

static bool is_any_power(const struct digits *d, const struct front_node *n) {
    struct front_constant c;
    int exponent;
    double value = value_of(d, n);
    if (n->kind == FRONT_ASSIGN && n->b) return is_any_power(d, n->b); // x = y = 1
    if (value == 0 && front_evaluate(n, false, &c)) value = c.is_float ? c.real : (double)c.integer;
    return frexp(value, &exponent) == 0.5;
}

static bool is_power_variable(const struct digits *d, const struct front_node *n) {
    n = uncast(n);
    for (uint32_t i = 0; n->kind == FRONT_VAR && i < d->power_count; i++)
        if (d->powers[i].symbol == n->symbol) return d->powers[i].is_scaled && !d->powers[i].is_other;
    return false;
}

// x = 1, x = 0.5 * x, x *= 0.5: what makes a power of two of it; else it is none.
static void find_powers(void *user, struct front_node **place) {
    struct digits *d = user;
    const struct front_node *n = *place;
    bool declares = n->kind == FRONT_DECL && n->a, updates = n->kind == FRONT_ASSIGN_OP;
    if (!declares && !updates && n->kind != FRONT_ASSIGN) return;
    const struct front_symbol *set = declares ? n->symbol : n->a->kind == FRONT_VAR ? n->a->symbol : NULL;
    const struct front_node *value = declares ? n->a : n->b ? uncast(n->b) : NULL;
    if (!set || !front_is_float(set->type)) return;
    uint32_t i = 0;
    while (i < d->power_count && d->powers[i].symbol != set)
        i++;
    if (i == MOST_HIGH) return;
    if (i == d->power_count)
        d->powers[d->power_count++] = (struct power){.symbol = set, .is_other = set->address_taken};
    struct power *p = &d->powers[i];
    bool scales = updates && n->op == FRONT_OP_MUL && value && is_any_power(d, value);
    if (!updates && value && value->kind == FRONT_BINARY && value->op == FRONT_OP_MUL) {
        const struct front_node *a = uncast(value->a), *b = uncast(value->b);
        scales = (a->kind == FRONT_VAR && a->symbol == set && is_any_power(d, b)) ||
                 (b->kind == FRONT_VAR && b->symbol == set && is_any_power(d, a));
    }
    p->is_scaled = p->is_scaled || scales;
    p->is_other = p->is_other || (!scales && (updates || !value || !is_any_power(d, value)));
}

static bool is_number(const struct front_node *n) { // none of an integer's own digits
    n = uncast(n);
    return !(n->kind == FRONT_CAST && front_is_integer(n->a->type)) && n->kind != FRONT_FLOAT;
}

// x * 2^-23, x / 2^23
static bool are_high_digits(const struct digits *d, const struct front_node *n) {
    n = uncast(n);
    for (uint32_t i = 0; n->kind == FRONT_VAR && i < d->count; i++)
        if (d->high[i] == n->symbol) return true;
    if (n->kind != FRONT_BINARY || !front_is_float(n->type)) return false;
    bool is_a = is_power_variable(d, n->a), is_b = is_power_variable(d, n->b);
    if (n->op == FRONT_OP_DIV) return (is_b || is_power(value_of(d, n->b), true)) && is_number(n->a);
    return n->op == FRONT_OP_MUL && (((is_a || is_power(value_of(d, n->a), false)) && is_number(n->b)) ||
                                     ((is_b || is_power(value_of(d, n->b), false)) && is_number(n->a)));
}

static void find_variable(void *user, struct front_node **place) {
    struct digits *d = user;
    const struct front_node *n = *place;
    const struct front_symbol *set = n->kind == FRONT_DECL && n->a                                ? n->symbol
                                     : n->kind == FRONT_ASSIGN && n->a->kind == FRONT_VAR && n->b ? n->a->symbol
                                                                                                  : NULL;
    if (!set || !front_is_float(set->type) || d->count == MOST_HIGH || d->constant_count == MOST_HIGH) return;
    if (n->kind == FRONT_DECL && !set->written && value_of(d, n->a) != 0)
        d->constants[d->constant_count++] = n;
    else if (are_high_digits(d, n->kind == FRONT_DECL ? n->a : n->b))
        d->high[d->count++] = set;
}

static void find_cut(void *user, struct front_node **place) {
    static const char *const functions[] = {"floor", "floorf", "trunc", "truncf"};
    struct digits *d = user;
    const struct front_node *n = *place;
    bool cuts = n->kind == FRONT_CAST && front_is_integer(n->type) && front_is_float(n->a->type);
    for (size_t i = 0; n->kind == FRONT_CALL && n->a && i < sizeof functions / sizeof *functions; i++)
        cuts = cuts || (n->symbol->builtin && strcmp(n->symbol->name, functions[i]) == 0);
    if (cuts && !d->found && are_high_digits(d, n->a)) d->found = n;
}

const struct front_node *front_find_many_digits(const struct front_ast *ast) {
    struct digits d = {.count = 0};
    void (*const finds[])(void *user, struct front_node **place) = {find_powers, find_variable, find_cut};
    for (size_t k = 0; k < sizeof finds / sizeof *finds; k++)
        for (uint32_t i = 0; i < ast->function_count && !d.found; i++) {
            struct front_function *f = ast->functions[i];
            if (f->body && !f->builtin) front_walk(&f->body, finds[k], &d);
        }
    return d.found;
}
