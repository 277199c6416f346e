// -fdouble=pair: in the tree every double becomes a struct of two floats, and what is done with doubles becomes calls
// of include/whorl/pair.h. From here on nobody knows of doubles: the lowering splits structs into their leaves and
// expands calls. The C for the CPU keeps its doubles, so that it judges with real ones.
//
// Constants come first, while they are doubles (pair_constant.c); then each expression, its operands before it, in
// place: other lists, of OpenMP's loops, have the same nodes.
#include "front/doubles/pair.h"

#include <math.h>
#include <string.h>

#define OPERATION "__wp_"

// ---- types ----------------------------------------------------------------------------------------------------------

static void change_record(struct front_pairs *d, struct front_record *record) {
    if (d->seen_records[record->id]) return;
    d->seen_records[record->id] = true;
    for (uint32_t i = 0; i < record->count; i++)
        record->fields[i].type = front_pair_type(d, record->fields[i].type);
}

struct front_type *front_pair_type(struct front_pairs *d, struct front_type *type) {
    if (type->kind == FRONT_F64) return front_qualified(d->p, d->pair, type->quals);
    if (type->kind == FRONT_STRUCT) {
        change_record(d, type->record);
    } else if (type->kind == FRONT_POINTER || type->kind == FRONT_ARRAY) {
        struct front_type *base = front_pair_type(d, type->base);
        if (base != type->base) type->base = base; // whoever shares the type has the same to change
    }
    return type;
}

// ---- calls ----------------------------------------------------------------------------------------------------------

static struct front_symbol *find_operation(struct front_pairs *d, const char *name) {
    const char *full = base_format(d->p->cx, OPERATION "%s", name);
    for (uint32_t i = 0; i < d->p->name_cap; i++) {
        const struct front_name *n = d->p->names[i];
        if (n && n->symbol && n->symbol->kind == FRONT_SYM_FUNCTION && n->symbol->builtin && !strcmp(n->text, full))
            return n->symbol;
    }
    return NULL;
}

static struct front_symbol *operation(struct front_pairs *d, const char *name) {
    struct front_symbol *s = find_operation(d, name);
    if (!s) base_bug(d->p->cx, "pair.h has no %s", name);
    return s;
}

static struct front_node *moved(struct front_pairs *d, const struct front_node *n) {
    struct front_node *copy = base_alloc(d->p->cx, sizeof *copy);
    *copy = *n;
    copy->next = NULL;
    return copy;
}

// The node becomes a call with these operands; b may be NULL.
static void become_call(struct front_node *n, struct front_symbol *f, struct front_node *a, struct front_node *b) {
    n->kind = FRONT_CALL;
    n->op = FRONT_OP_NONE;
    n->flags &= FRONT_FLAG_PAREN;
    n->symbol = f;
    n->type = f->type->base;
    n->a = a;
    n->b = n->c = n->d = NULL;
    a->next = b;
    f->used = true;
}

static struct front_node *call_of(struct front_pairs *d, const char *name, struct front_node *a, struct front_node *b) {
    struct front_node *n = moved(d, a);
    become_call(n, operation(d, name), a, b);
    return n;
}

static struct front_node *part_of(struct front_pairs *d, struct front_node *a, uint32_t which) {
    struct front_node *n = front_expr(d->p, FRONT_MEMBER, a->token, front_basic_type(FRONT_F32), a, NULL);
    n->field = &d->pair->record->fields[which];
    n->loc = a->loc;
    return n;
}
static struct front_node *high_of(struct front_pairs *d, struct front_node *a) { return part_of(d, a, 0); }

// ---- conversions ----------------------------------------------------------------------------------------------------

static const char *from_name(const struct front_type *type) {
    if (front_is_float(type)) return "from_float";
    if (type->kind == FRONT_I64) return "from_long";
    if (type->kind == FRONT_U64) return "from_unsigned_long";
    return type->kind == FRONT_U32 ? "from_unsigned" : "from_int";
}

// An expression of type `to` from one of another type, either of them a pair.
static struct front_node *converted(struct front_pairs *d, struct front_node *a, struct front_type *to) {
    struct front_parser *p = d->p;
    if (front_is_pair(to)) {
        if (front_is_pair(a->type)) return a;
        const struct front_symbol *f = operation(d, from_name(a->type));
        return call_of(d, f->name + strlen(OPERATION), front_convert(p, a, f->type->params[0]), NULL);
    }
    if (front_is_float(to)) return front_convert(p, high_of(d, a), to);
    if (to->kind == FRONT_BOOL) return front_convert(p, high_of(d, a), to);
    if (front_int_bits(to) == 64 && !d->int64_as_int32)
        return call_of(d, to->kind == FRONT_U64 ? "to_unsigned_long" : "to_long", a, NULL);
    return front_convert(
        p, call_of(d, to->kind == FRONT_U32 || to->kind == FRONT_U64 ? "to_unsigned" : "to_int", a, NULL), to);
}

static void change_cast(struct front_pairs *d, struct front_node *n) {
    struct front_type *to = front_pair_type(d, n->type), *from = n->a->type;
    if (to->kind == FRONT_VOID || front_is_pair(to) == front_is_pair(from)) {
        n->type = to;
        return;
    }
    struct front_node *next = n->next;
    *n = *converted(d, n->a, to);
    n->next = next;
}

// ---- assignments ----------------------------------------------------------------------------------------------------

static const char *arithmetic(enum front_op op) {
    return op == FRONT_OP_ADD ? "add" : op == FRONT_OP_SUB ? "sub" : op == FRONT_OP_MUL ? "mul" : "div";
}

// The float that a pair is, where its low half is surely 0: a constant, or what was a float.
static struct front_node *as_float(struct front_pairs *d, struct front_node *n) {
    if (n->kind == FRONT_CALL && n->symbol == operation(d, "from_float")) return n->a;
    bool is_constant = n->kind == FRONT_COMPOUND && front_is_pair(n->type) && n->inits->count == 2;
    return is_constant && n->inits->items[1].value->real == 0 ? n->inits->items[0].value : NULL;
}

static bool is_power_of_two(const struct front_node *n) {
    int exponent;
    return n->kind == FRONT_FLOAT && fabs(frexp(n->real, &exponent)) == 0.5;
}

// A product of which a factor is a float takes two thirds of the operations, and two if that is a power of two.
static bool become_product(struct front_pairs *d, struct front_node *n) {
    struct front_node *a = n->a, *b = as_float(d, n->b);
    if (n->op == FRONT_OP_DIV && b && is_power_of_two(b) && fabs(b->real) <= 0x1p100 && fabs(b->real) >= 0x1p-100)
        b->real = 1 / b->real;
    else if (n->op != FRONT_OP_MUL)
        return false;
    if (!b && as_float(d, a)) {
        b = as_float(d, a);
        a = n->b;
    }
    if (!b) return false;
    become_call(n, operation(d, is_power_of_two(b) ? "scale" : "times"), a, b);
    b->next = NULL;
    return true;
}

static struct front_node *address(struct front_pairs *d, struct front_node *a) {
    return front_expr(d->p, FRONT_ADDR, a->token, front_pointer_to(d->p, front_unqualified(d->p, a->type), a->loc), a,
                      NULL);
}

// a op= b is a = a op b, where naming `a` twice does nothing twice.
static void change_update(struct front_pairs *d, struct front_node *n) {
    struct front_node *a = n->a, *b = n->b, *next = n->next;
    const char *name = arithmetic((enum front_op)n->op);
    bool is_pair = front_is_pair(a->type), post = n->flags & FRONT_FLAG_POST, effects = front_has_effects(a);
    if (is_pair && (post || effects)) {
        const char *form = base_format(d->p->cx, post ? "post_%s" : "set_%s", name);
        become_call(n, operation(d, form), address(d, a), b);
        return;
    }
    if (effects || post)
        base_unsupported(d->p->cx, n->loc,
                         "an update in double of what is none, through an operand with effects: write them as two "
                         "statements");
    struct front_node *old = converted(d, front_copy(d->p, a), d->pair);
    struct front_node *value = moved(d, n);
    value->a = old;
    value->b = b;
    if (!become_product(d, value)) become_call(value, operation(d, name), old, b);
    value = converted(d, value, is_pair ? d->pair : a->type);
    n->kind = FRONT_ASSIGN;
    n->op = FRONT_OP_NONE;
    n->calc = NULL;
    n->a = a;
    n->b = value;
    n->type = front_unqualified(d->p, a->type);
    n->next = next;
}

// ---- functions ------------------------------------------------------------------------------------------------------

static bool takes_pair(const struct front_node *call) {
    for (const struct front_node *arg = call->a; arg; arg = arg->next)
        if (front_is_pair(arg->type)) return true;
    return false;
}

// It may be computed twice: it stores nothing, and calls nothing but the library.
static bool is_repeatable(const struct front_node *n) {
    if (n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP) return false;
    if (n->kind == FRONT_CALL && !(n->symbol && n->symbol->builtin)) return false;
    const struct front_node *const children[] = {n->a, n->b, n->c, n->d};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        for (const struct front_node *c = children[i]; c; c = c->next)
            if (!is_repeatable(c)) return false;
    return true;
}

// printf gets both floats of a double, as two arguments (lower_log.c).
static void print_pairs(struct front_pairs *d, struct front_node *call) {
    for (struct front_node **place = &call->a; *place; place = &(*place)->next) {
        struct front_node *arg = *place, *next = arg->next, *low;
        if (!front_is_pair(arg->type)) continue;
        if (!is_repeatable(arg))
            base_unsupported(d->p->cx, arg->loc,
                             "printf of a double as a pair of floats that a function returns, or that is stored here: "
                             "keep it in a variable first");
        arg->next = NULL;
        low = part_of(d, front_copy(d->p, arg), 1);
        *place = high_of(d, arg);
        (*place)->next = low;
        low->next = next;
        place = &(*place)->next;
    }
}

// What C's library computes in double has a twin in pairs; what takes a float, as isnan, gets the nearest.
static void change_call(struct front_pairs *d, struct front_node *n) {
    struct front_type *result = n->type;
    bool gives = result->kind == FRONT_F64;
    if (!n->symbol->builtin || (!gives && !takes_pair(n))) {
        n->type = front_pair_type(d, n->type);
        return;
    }
    const char *name = n->symbol->name;
    if (strncmp(name, "__builtin_", 10) == 0) name += 10;
    struct front_symbol *f = find_operation(d, name);
    if (f) {
        struct front_node *next = n->next;
        n->symbol = f;
        n->type = f->type->base;
        f->used = true;
        if (front_is_integer(result) && result->kind != n->type->kind) *n = *front_convert(d->p, moved(d, n), result);
        n->next = next;
        return;
    }
    if (strcmp(name, "printf") == 0 || strcmp(name, "fprintf") == 0) {
        print_pairs(d, n);
        return;
    }
    if (gives || !n->symbol->type->variadic)
        base_unsupported(d->p->cx, n->loc, "'%s' is not computed in pairs of floats: %s", n->symbol->name,
                         n->symbol->type->param_count ? "docs/double.md has those that are" : FRONT_NO_CLOCK);
    for (struct front_node **arg = &n->a; *arg; arg = &(*arg)->next)
        if (front_is_pair((*arg)->type)) {
            struct front_node *next = (*arg)->next;
            *arg = high_of(d, *arg);
            (*arg)->next = next;
        }
}

// ---- all nodes ------------------------------------------------------------------------------------------------------

static const char *operator_name(const struct front_node *n) {
    switch (n->op) {
    case FRONT_OP_EQ: return "eq";
    case FRONT_OP_NE: return "ne";
    case FRONT_OP_LT: return "lt";
    case FRONT_OP_LE: return "le";
    case FRONT_OP_GT: return "gt";
    case FRONT_OP_GE: return "ge";
    default: return arithmetic((enum front_op)n->op);
    }
}

static void change_binary(struct front_pairs *d, struct front_node *n) {
    if (become_product(d, n)) return;
    struct front_node *a = n->a, *b = n->b;
    bool compares = n->type->kind != FRONT_F64;
    become_call(n, operation(d, operator_name(n)), a, b);
    if (compares) { // of type int
        struct front_node *next = n->next;
        *n = *front_convert(d->p, moved(d, n), front_basic_type(FRONT_I32));
        n->next = next;
    }
}

static void check_omp(const struct front_node *n) {
    if (!(n->omp->constructs & FRONT_OMP_ATOMIC) || !n->omp->body) return;
    const struct front_node *s = n->omp->body; // one statement, or a block of two
    for (s = s->kind == FRONT_BLOCK ? s->a : s; s; s = s->next)
        if (s->kind == FRONT_EXPR && s->a && front_is_pair(s->a->type)) n->omp->atomic_pair = true;
}

static void change(void *user, struct front_node **place) {
    struct front_pairs *d = user;
    struct front_node *n = *place;
    if (n->kind == FRONT_OMP) check_omp(n);
    if (n->kind == FRONT_DECL) n->symbol->type = n->symbol->declared = front_pair_type(d, n->symbol->type);
    if (n->kind >= FRONT_BLOCK) return;
    switch (n->kind) {
    case FRONT_FLOAT:
        if (n->type->kind == FRONT_F64) front_pair_constant(d, n);
        break;
    case FRONT_CAST: change_cast(d, n); break;
    case FRONT_CALL: change_call(d, n); break;
    case FRONT_BINARY:
        if (front_is_pair(n->a->type)) change_binary(d, n);
        break;
    case FRONT_UNARY:
        if (n->type->kind == FRONT_F64) become_call(n, operation(d, "neg"), n->a, NULL);
        break;
    case FRONT_ASSIGN_OP:
        if (n->calc->kind == FRONT_F64) change_update(d, n);
        break;
    default: break;
    }
    n->type = front_pair_type(d, n->type);
}

// ---- the unit -------------------------------------------------------------------------------------------------------

static void change_function(struct front_pairs *d, struct front_function *f) {
    struct front_type *type = f->symbol->type;
    type->base = front_pair_type(d, type->base);
    for (uint32_t i = 0; i < type->param_count; i++)
        type->params[i] = front_pair_type(d, type->params[i]);
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct front_symbol *s = f->params[i];
        bool same = s->declared == s->type;
        s->type = front_pair_type(d, s->type);
        s->declared = same ? s->type : front_pair_type(d, s->declared);
    }
    front_walk(&f->body, change, d);
}

void front_pair_doubles(struct front_parser *p, const struct whorl_compile_options *options) {
    struct front_pairs d = {.p = p, .int64_as_int32 = options->int64_as_int32};
    const struct front_symbol *make = operation(&d, "make");
    d.pair = front_unqualified(p, make->type->base);
    d.pair->record->is_pair = true;
    d.pair->record->align = 8; // as a double's
    d.seen_records = base_alloc_array(p->cx, p->record_count + 1, sizeof *d.seen_records);
    d.seen_records[d.pair->record->id] = true;
    struct front_ast *ast = p->ast;
    for (uint32_t i = 0; i < ast->global_count; i++)
        front_pair_inits(&d, &ast->globals[i]->inits, true);
    for (uint32_t i = 0; i < ast->function_count; i++)
        if (!ast->functions[i]->builtin) front_walk(&ast->functions[i]->body, front_pair_fold, &d);
    base_check_errors(p->cx);
    for (uint32_t i = 0; i < ast->global_count; i++)
        ast->globals[i]->type = ast->globals[i]->declared = front_pair_type(&d, ast->globals[i]->type);
    for (uint32_t i = 0; i < ast->function_count; i++)
        if (!ast->functions[i]->builtin) change_function(&d, ast->functions[i]);
}
