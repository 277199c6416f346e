// The one 64-bit idiom of 32-bit code: the product of two 32-bit words, of which the high and the low half are used.
//
// Counter-based generators write (uint32_t)(((uint64_t)a * b) >> 32), or keep the product in a local. The high half
// becomes MULHI, the low half arithmetic on 32 bits; a local that is used for its halves alone becomes two.
// Truncation is pushed through every operation whose low bits depend on low bits alone. What stays 64 bits wide is
// the lowering's to prove or refuse.
#include "front/parse/parse.h"

static bool is_u64(const struct front_type *type) { return type->kind == FRONT_U64; }

static struct front_node *to_u32(struct front_parser *p, struct front_node *n) {
    return front_convert(p, n, front_basic_type(FRONT_U32));
}

// A U64 value that is an unsigned 32-bit one, converted: that one, else NULL.
static struct front_node *word_of(struct front_parser *p, struct front_node *n) {
    if (n->kind == FRONT_INT && is_u64(n->type) && n->integer <= UINT32_MAX)
        return front_int_node(p, FRONT_U32, n->integer, n->token);
    while (n->kind == FRONT_CAST && is_u64(n->type)) {
        n = n->a;
        if (front_is_integer(n->type) && (front_is_unsigned(n->type) && front_int_bits(n->type) <= 32))
            return to_u32(p, n);
    }
    return NULL;
}

static bool is_product(struct front_parser *p, struct front_node *n, struct front_node **a, struct front_node **b) {
    if (n->kind != FRONT_BINARY || n->op != FRONT_OP_MUL || !is_u64(n->type)) return false;
    *a = word_of(p, n->a);
    *b = word_of(p, n->b);
    return *a && *b;
}

static struct front_node *binary(struct front_parser *p, enum front_op op, struct front_node *a, struct front_node *b,
                                 const struct front_node *at) {
    struct front_node *n = front_expr(p, FRONT_BINARY, at->token, front_basic_type(FRONT_U32), a, b);
    n->op = (uint8_t)op;
    n->loc = at->loc;
    front_fold(p, n);
    return n;
}

// The low 32 bits of a 64-bit expression without 64-bit arithmetic, or NULL.
static struct front_node *low_half(struct front_parser *p, struct front_node *n) {
    struct front_node *a, *b;
    if (front_is_integer(n->type) && front_int_bits(n->type) <= 32) return to_u32(p, n);
    if (n->kind == FRONT_INT && front_is_integer(n->type)) return front_int_node(p, FRONT_U32, n->integer, n->token);
    if (n->kind == FRONT_CAST && front_is_integer(n->type) && front_is_integer(n->a->type)) return low_half(p, n->a);
    if (n->kind != FRONT_BINARY) return NULL;
    switch (n->op) {
    case FRONT_OP_ADD:
    case FRONT_OP_SUB:
    case FRONT_OP_MUL:
    case FRONT_OP_AND:
    case FRONT_OP_OR:
    case FRONT_OP_XOR:
        a = low_half(p, n->a);
        b = a ? low_half(p, n->b) : NULL;
        return b ? binary(p, n->op, a, b, n) : NULL;
    case FRONT_OP_SHL:
        if (n->b->kind != FRONT_INT || n->b->integer >= 32 || !(a = low_half(p, n->a))) return NULL;
        return binary(p, FRONT_OP_SHL, a, n->b, n);
    default: return NULL;
    }
}

// Statement by statement, children first: the tree below *place is done.
static void rewrite(void *user, struct front_node **place) {
    struct front_parser *p = user;
    struct front_node *n = *place, *a, *b, *word;
    if (n->kind == FRONT_BINARY && n->op == FRONT_OP_SHR && n->b->kind == FRONT_INT && n->b->integer >= 32 &&
        n->b->integer < 64 && is_product(p, n->a, &a, &b)) {
        word = front_expr(p, FRONT_MULHI, n->token, front_basic_type(FRONT_U32), a, b);
        word->loc = n->loc;
        if (n->b->integer > 32)
            word = binary(p, FRONT_OP_SHR, word, front_int_node(p, FRONT_I32, n->b->integer - 32, n->b->token), n);
        *place = front_convert(p, word, n->type);
    } else if (n->kind == FRONT_CAST && front_is_integer(n->type) && n->type->kind != FRONT_BOOL &&
               front_int_bits(n->type) <= 32 && front_is_integer(n->a->type) && front_int_bits(n->a->type) == 64) {
        if ((word = low_half(p, n->a)) != NULL) *place = front_convert(p, word, n->type);
    } else if (n->kind == FRONT_BINARY && n->op == FRONT_OP_AND && is_u64(n->type) && n->b->kind == FRONT_INT &&
               n->b->integer <= UINT32_MAX) {
        if ((word = low_half(p, n->a)) != NULL)
            *place = front_convert(
                p, binary(p, FRONT_OP_AND, word, front_int_node(p, FRONT_U32, n->b->integer, n->b->token), n), n->type);
    }
}

// ---- uint64_t product = (uint64_t)a * b; ----------------------------------------------------------------------------

struct split {
    struct front_node *decl;
    struct front_symbol *lo, *hi;
    uint32_t uses, halves;
};
struct splits {
    struct front_parser *p;
    struct split *of; // by symbol id
    uint32_t count;
    bool found;
};

static struct split *split_of(struct splits *s, const struct front_node *var) {
    if (var->kind != FRONT_VAR || var->symbol->id >= s->count) return NULL;
    struct split *split = &s->of[var->symbol->id];
    return split->decl ? split : NULL;
}

// The variable of which this node takes a half, and which.
static struct split *half_of(struct splits *s, struct front_node *n, bool *out_high) {
    *out_high = n->kind == FRONT_BINARY && n->op == FRONT_OP_SHR && n->b->kind == FRONT_INT && n->b->integer >= 32 &&
                n->b->integer < 64;
    bool low = n->kind == FRONT_CAST && front_is_integer(n->type) && n->type->kind != FRONT_BOOL &&
               front_int_bits(n->type) <= 32;
    bool mask =
        n->kind == FRONT_BINARY && n->op == FRONT_OP_AND && n->b->kind == FRONT_INT && n->b->integer <= UINT32_MAX;
    return *out_high || low || mask ? split_of(s, n->a) : NULL;
}

static void find_products(void *user, struct front_node **place) {
    struct splits *s = user;
    struct front_node *n = *place, *a, *b;
    if (n->kind == FRONT_DECL && n->a && !(n->flags & FRONT_FLAG_HAS_INITS) && is_u64(n->symbol->type) &&
        !n->symbol->written && is_product(s->p, n->a, &a, &b) && !front_has_effects(n->a)) {
        s->of[n->symbol->id].decl = n;
        s->found = true;
    }
}

static void count_uses(void *user, struct front_node **place) {
    struct splits *s = user;
    bool high;
    struct split *whole = split_of(s, *place), *half = half_of(s, *place, &high);
    if (whole) whole->uses++;
    if (half) half->halves++;
}

static struct front_node *var_node(struct front_parser *p, struct front_symbol *symbol, const struct front_node *at) {
    struct front_node *n = front_expr(p, FRONT_VAR, at->token, symbol->type, NULL, NULL);
    n->symbol = symbol;
    n->loc = at->loc;
    n->flags = FRONT_FLAG_LVALUE;
    return n;
}

static void use_halves(void *user, struct front_node **place) {
    struct splits *s = user;
    struct front_node *n = *place, *word;
    bool high;
    struct split *split = half_of(s, n, &high);
    if (!split || split->uses != split->halves) return;
    word = var_node(s->p, high ? split->hi : split->lo, n->a);
    if (high && n->b->integer > 32)
        word = binary(s->p, FRONT_OP_SHR, word, front_int_node(s->p, FRONT_I32, n->b->integer - 32, n->b->token), n);
    else if (!high && n->kind == FRONT_BINARY)
        word = binary(s->p, FRONT_OP_AND, word, front_int_node(s->p, FRONT_U32, n->b->integer, n->b->token), n);
    *place = front_convert(s->p, word, n->type);
}

// The operands are read twice: they have no effects, and nothing happens between the two declarations.
static void declare_halves(struct front_parser *p, struct split *split) {
    struct front_node *decl = split->decl, *a = NULL, *b = NULL, *a2 = NULL, *b2 = NULL;
    is_product(p, front_copy(p, decl->a), &a2, &b2);
    is_product(p, decl->a, &a, &b);
    struct front_type *word = front_basic_type(FRONT_U32);
    const char *name = decl->symbol->name;
    split->lo = front_new_symbol(p, FRONT_SYM_LOCAL, base_format(p->cx, "%s.lo", name), word, decl->symbol->token);
    split->hi = front_new_symbol(p, FRONT_SYM_LOCAL, base_format(p->cx, "%s.hi", name), word, decl->symbol->token);
    struct front_node *high = front_node(p, FRONT_DECL, decl->token);
    high->symbol = split->hi;
    high->a = front_expr(p, FRONT_MULHI, decl->a->token, word, a2, b2);
    high->next = decl->next;
    decl->symbol = split->lo;
    decl->a = binary(p, FRONT_OP_MUL, a, b, decl->a);
    decl->next = high;
}

static void split_locals(struct front_parser *p) {
    struct front_ast *ast = p->ast;
    struct splits s = {.p = p, .count = ast->symbol_count + 1};
    s.of = base_alloc_array(p->cx, s.count, sizeof *s.of);
    for (uint32_t i = 0; i < ast->function_count; i++)
        front_walk(&ast->functions[i]->body, find_products, &s);
    if (!s.found) return;
    for (uint32_t i = 0; i < ast->function_count; i++)
        front_walk(&ast->functions[i]->body, count_uses, &s);
    for (uint32_t i = 0; i < s.count; i++)
        if (s.of[i].decl && s.of[i].uses == s.of[i].halves) declare_halves(p, &s.of[i]);
    for (uint32_t i = 0; i < ast->function_count; i++)
        front_walk(&ast->functions[i]->body, use_halves, &s);
}

void front_wide_products(struct front_parser *p) {
    split_locals(p);
    for (uint32_t i = 0; i < p->ast->function_count; i++)
        front_walk(&p->ast->functions[i]->body, rewrite, p);
}
