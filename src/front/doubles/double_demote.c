// One expression of type double: is it made of floats and constants, and its twin in float.
//
// "Exact" is the idea that keeps honest code free of errors: x > 0.5 and (int)floor(x) have the same value in float
// and in double where x is a float, so only the others are errors where an integer depends on them.
#include "front/doubles/double.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double front_float_constant(struct front_parser *p, uint32_t token, const char **out_text) {
    struct front_token t = p->tokens[token];
    struct front_number number;
    if (t.kind == FRONT_TOK_IDENT) { // __builtin_inf
        *out_text = base_format(p->cx, "%sf", t.text);
        return strcmp(t.text, "__builtin_nan") == 0 ? NAN : INFINITY;
    }
    if (front_parse_number(p->cx, &t, &number) && number.real > 0.0 && number.real < (double)FLT_MIN) {
        *out_text = "1.17549435e-38f"; // it is not 0: DBL_MIN, 1e-300
        return FLT_MIN;
    }
    t.text = *out_text = base_format(p->cx, "%sf", t.text);
    t.len++;
    return front_parse_number(p->cx, &t, &number) ? number.real : 0.0;
}

static int by_name(const void *x, const void *y) {
    return strcmp((*(struct front_symbol *const *)x)->name, (*(struct front_symbol *const *)y)->name);
}

static void find_builtins(struct front_doubles *d) {
    for (uint32_t i = 0; i < d->p->name_cap; i++) {
        const struct front_name *name = d->p->names[i];
        if (!name || !name->symbol || name->symbol->kind != FRONT_SYM_FUNCTION || !name->symbol->builtin) continue;
        BASE_RESERVE(d->p->cx, d->builtins, d->builtin_count, d->builtin_cap);
        d->builtins[d->builtin_count++] = name->symbol;
    }
    qsort(d->builtins, d->builtin_count, sizeof *d->builtins, by_name);
}

// The float form of a function of a built-in header, or NULL.
static struct front_symbol *float_form(struct front_doubles *d, const struct front_symbol *f) {
    if (!f->builtin) return NULL;
    if (!d->builtins) find_builtins(d);
    struct front_symbol want = {.name = base_format(d->p->cx, "%sf", f->name)}, *key = &want;
    struct front_symbol **found = bsearch(&key, d->builtins, d->builtin_count, sizeof *d->builtins, by_name);
    return found ? *found : NULL;
}

static bool keeps_exact(const char *name) {
    static const char *const names[] = {"floor",     "ceil", "trunc", "round", "rint",
                                        "nearbyint", "fabs", "fmax",  "fmin",  "copysign"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static struct front_double_info both(struct front_double_info a, struct front_double_info b) {
    return (struct front_double_info){a.pure && b.pure, a.exact && b.exact, a.blocked || b.blocked, false};
}

static struct front_double_info blocked(void) { return (struct front_double_info){.blocked = true}; }

static struct front_double_info inspect_constant(const struct front_node *n) {
    double value = fabs(n->real);
    bool normal = value == 0.0 || !isfinite(value) || (value >= (double)FLT_MIN && value <= (double)FLT_MAX);
    return (struct front_double_info){.pure = true, .exact = normal && (isnan(value) || (double)(float)value == value)};
}

static struct front_double_info inspect_cast(struct front_doubles *d, struct front_node *n) {
    const struct front_type *from = n->a->type;
    if (from->kind == FRONT_F64) return front_inspect_double(d, n->a);
    if (n->a->kind == FRONT_INT) {
        double value = front_is_unsigned(from) ? (double)n->a->integer : (double)(int64_t)n->a->integer;
        return (struct front_double_info){.pure = true, .exact = (double)(float)value == value};
    }
    return (struct front_double_info){.exact = true, .only_integer = front_is_integer(from)};
}

static struct front_double_info inspect_call(struct front_doubles *d, struct front_node *n) {
    const struct front_type *type = n->symbol->type;
    struct front_double_info info = {.pure = true, .exact = keeps_exact(n->symbol->name)};
    if (!float_form(d, n->symbol)) {
        if (n->symbol->builtin && !d->p->cx->error_count)
            base_error(d->p->cx, n->loc, "'%s' computes in double and has no float form; %s", n->symbol->name,
                       type->param_count ? "write what it does in float" : FRONT_NO_CLOCK); // there are no others
        return blocked();
    }
    struct front_node *arg = n->a;
    for (uint32_t i = 0; arg; arg = arg->next, i++)
        if (i < type->param_count && type->params[i]->kind == FRONT_F64)
            info = both(info, front_inspect_double(d, arg));
    info.pure = false; // computed when it runs
    return info;
}

struct front_double_info front_inspect_double(struct front_doubles *d, struct front_node *n) {
    struct front_double_info info;
    switch (n->kind) {
    case FRONT_FLOAT: return inspect_constant(n);
    case FRONT_CAST: return inspect_cast(d, n);
    case FRONT_CALL: return inspect_call(d, n);
    case FRONT_UNARY: return front_inspect_double(d, n->a);
    case FRONT_COMMA:
        info = front_inspect_double(d, n->b);
        info.pure = info.only_integer = false;
        return info;
    case FRONT_COND:
        info = both(front_inspect_double(d, n->b), front_inspect_double(d, n->c));
        info.pure = info.pure && n->a->kind == FRONT_INT;
        return info;
    case FRONT_BINARY:
        info = both(front_inspect_double(d, n->a), front_inspect_double(d, n->b));
        info.exact = false;
        return info;
    default: // a double object
        if (!d->p->cx->error_count)
            base_error(d->p->cx, n->loc, "this is a double: use float, or compile with -fdouble=float");
        return blocked();
    }
}

// ---- rewriting ------------------------------------------------------------------------------------------------------

// (double) becomes (float); whatever else the parentheses hold goes.
static void edit_cast(struct front_parser *p, uint32_t open) {
    uint32_t at = open + 1, depth = 0;
    for (bool first = true; at < p->count && (depth || p->tokens[at].kind != FRONT_P_RPAREN); at++, first = false) {
        depth += p->tokens[at].kind == FRONT_P_LPAREN;
        depth -= p->tokens[at].kind == FRONT_P_RPAREN;
        p->ast->edits[at] = first ? "float" : "";
    }
}

static void demote_constant(struct front_doubles *d, struct front_node *n) {
    const char *text;
    double value = fabs(n->real);
    if (!d->silent && isfinite(value) && value != 0.0 && !(value >= (double)FLT_MIN && value <= (double)FLT_MAX))
        base_error(d->p->cx, n->loc,
                   "this constant is outside of float's range, and the program's doubles are computed in float: "
                   "-fdouble=float computes it anyway");
    n->real = front_float_constant(d->p, n->token, &text);
    d->p->ast->edits[n->token] = text;
}

static void demote_cast(struct front_doubles *d, struct front_node *n) {
    if (!(n->flags & FRONT_FLAG_IMPLICIT) && d->p->tokens[n->token].kind == FRONT_P_LPAREN) edit_cast(d->p, n->token);
    if (n->a->type->kind == FRONT_F64) {
        front_demote(d, n->a);
        return;
    }
    const struct front_type *from = n->a->type;
    if (!front_is_integer(from)) {
        front_visit_doubles(d, &n->a);
        return;
    }
    if (n->a->kind == FRONT_INT) {
        double value = front_is_unsigned(from) ? (double)n->a->integer : (double)(int64_t)n->a->integer;
        if (!d->silent && (double)(float)value != value)
            base_error(d->p->cx, n->loc,
                       "this integer does not fit a float, and the program's doubles are computed in float: "
                       "-fdouble=float rounds it");
        return;
    }
    if (!d->silent && front_int_bits(from) > 16) n->flags |= FRONT_FLAG_DEMOTED;
    front_visit_doubles(d, &n->a);
}

static void demote_call(struct front_doubles *d, struct front_node *n) {
    const struct front_type *type = n->symbol->type;
    struct front_node **place = &n->a;
    for (uint32_t i = 0; *place; place = &(*place)->next, i++) {
        if (i < type->param_count && type->params[i]->kind == FRONT_F64)
            front_demote(d, *place);
        else
            front_visit_doubles(d, place);
    }
    n->symbol = float_form(d, n->symbol);
    n->symbol->used = true;
    d->p->ast->edits[n->token] = n->symbol->name;
}

void front_demote(struct front_doubles *d, struct front_node *n) {
    if (n->type->kind == FRONT_F64) n->type = front_basic_type(FRONT_F32);
    n->flags |= FRONT_FLAG_DOUBLE;
    switch (n->kind) {
    case FRONT_FLOAT: demote_constant(d, n); break;
    case FRONT_CAST: demote_cast(d, n); break;
    case FRONT_CALL: demote_call(d, n); break;
    case FRONT_UNARY: front_demote(d, n->a); break;
    case FRONT_COMMA:
        front_visit_doubles(d, &n->a);
        front_demote(d, n->b);
        break;
    case FRONT_COND:
        front_visit_doubles(d, &n->a);
        front_demote(d, n->b);
        front_demote(d, n->c);
        break;
    default: front_demote(d, n->a); front_demote(d, n->b);
    }
}
