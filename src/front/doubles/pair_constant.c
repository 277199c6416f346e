// Constants of -fdouble=pair: computed in double, as C does, and split into two floats.
#include <float.h>
#include <math.h>

#include "base/pairs.h"
#include "front/doubles/pair.h"

static void check_range(struct front_pairs *d, double value, base_loc loc) {
    double size = fabs(value);
    if (size != 0.0 && isfinite(size) && (isinf((float)size) || size < (double)FLT_MIN))
        base_error(
            d->p->cx, loc,
            "this constant is outside of the range of a pair of floats, 1.2e-38 to 3.4e38 in size: -fdouble=pair "
            "has a float's exponents; take one in that range, as 1e-37 for 1e-300");
}

static struct front_node *float_node(struct front_pairs *d, double value, const struct front_node *at) {
    struct front_node *n = front_expr(d->p, FRONT_FLOAT, at->token, front_basic_type(FRONT_F32), NULL, NULL);
    n->real = value;
    n->loc = at->loc;
    return n;
}

// The initialiser of a double as two of its floats.
static void add_halves(struct front_pairs *d, struct front_inits *out, const struct front_init *init, double value) {
    struct base_pair pair = base_pair_of(value);
    for (uint32_t i = 0; i < 2; i++) {
        struct front_init half = *init;
        half.path = base_alloc_array(d->p->cx, init->depth + 1, sizeof *half.path);
        for (uint32_t k = 0; k < init->depth; k++)
            half.path[k] = init->path[k];
        half.path[half.depth++] = (struct front_step){.field = &d->pair->record->fields[i]};
        half.offset_bytes += 4 * i;
        half.value = float_node(d, (double)(i ? pair.low : pair.high), init->value);
        BASE_RESERVE(d->p->cx, out->items, out->count, out->cap);
        out->items[out->count++] = half;
    }
}

void front_pair_inits(struct front_pairs *d, struct front_inits *inits, bool demanded) {
    struct front_inits out = {0};
    for (uint32_t i = 0; i < inits->count; i++) {
        const struct front_init *init = &inits->items[i];
        struct front_constant c;
        if (init->value && init->value->type->kind == FRONT_F64 && front_evaluate(init->value, demanded, &c)) {
            double value = c.is_float ? c.real : (double)(int64_t)c.integer;
            check_range(d, value, init->value->loc);
            add_halves(d, &out, init, value);
            continue;
        }
        if (demanded && init->value && init->value->type->kind == FRONT_F64)
            base_error(d->p->cx, init->value->loc, "initializer element is not a compile-time constant");
        BASE_RESERVE(d->p->cx, out.items, out.count, out.cap);
        out.items[out.count++] = *init;
    }
    *inits = out;
}

// An operation on doubles that are constants is one; so is what a conversion or a comparison makes of them.
static void fold(struct front_node *n) {
    struct front_constant c;
    bool operates = n->kind == FRONT_BINARY || n->kind == FRONT_UNARY || n->kind == FRONT_CAST;
    bool doubles = n->type->kind == FRONT_F64 || (operates && n->a->type->kind == FRONT_F64);
    if (!(operates || n->kind == FRONT_COND) || !doubles || n->type->kind == FRONT_VOID ||
        !front_is_arithmetic(n->type) || !front_evaluate(n, false, &c))
        return;
    n->a = n->b = n->c = NULL;
    n->flags &= FRONT_FLAG_PAREN;
    n->kind = c.is_float ? FRONT_FLOAT : FRONT_INT;
    if (c.is_float)
        n->real = c.real;
    else
        n->integer = c.integer;
}

void front_pair_fold(void *user, struct front_node **place) {
    struct front_node *n = *place;
    if (n->kind < FRONT_BLOCK) fold(n);
    if (n->flags & FRONT_FLAG_HAS_INITS && (n->kind == FRONT_DECL || n->kind == FRONT_COMPOUND))
        front_pair_inits(user, n->inits, false);
}

void front_pair_constant(struct front_pairs *d, struct front_node *n) {
    double value = n->real;
    check_range(d, value, n->loc);
    struct front_inits *inits = base_alloc(d->p->cx, sizeof *inits);
    struct front_init whole = {.value = n};
    add_halves(d, inits, &whole, value);
    n->kind = FRONT_COMPOUND;
    n->flags = (uint16_t)((n->flags & FRONT_FLAG_PAREN) | FRONT_FLAG_LVALUE | FRONT_FLAG_HAS_INITS);
    n->inits = inits;
    n->type = d->pair;
}
