// The double policy: C computes 0.5 * x in double where x is a float; the program is made to mean float, in the tree
// and, by edits of the printed C, for the CPU that judges it.
//
// Only what the entry reaches counts: main may time itself in doubles. The walk goes down to each largest expression
// of type double and looks at what becomes of its value; double_demote.c looks inside.
#include "front/doubles/double.h"

#include <string.h>

#define ADVICE "declare it float, or compile with -fdouble=float or -fdouble=pair"

// ---- declarations ---------------------------------------------------------------------------------------------------

static void check_record(struct front_doubles *d, const struct front_record *record);

static bool holds_double(struct front_doubles *d, const struct front_type *type) {
    while (type->kind == FRONT_POINTER || type->kind == FRONT_ARRAY)
        type = type->base;
    if (type->kind == FRONT_STRUCT) check_record(d, type->record);
    return type->kind == FRONT_F64;
}

static void check_record(struct front_doubles *d, const struct front_record *record) {
    if (d->seen_records[record->id]) return;
    d->seen_records[record->id] = true;
    for (uint32_t i = 0; i < record->count; i++)
        if (holds_double(d, record->fields[i].type))
            base_error(d->p->cx, record->fields[i].loc, "member '%s' is a double, which the GPU does not have: " ADVICE,
                       record->fields[i].name);
}

static void check_symbol(struct front_doubles *d, const struct front_symbol *s, const char *what) {
    if (holds_double(d, s->type))
        base_error(d->p->cx, s->loc, "%s '%s' has type '%s', and the GPU has no doubles: " ADVICE, what, s->name,
                   front_type_name(d->p->cx, s->type));
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static void count(struct front_doubles *d, const struct front_double_info *info, base_loc loc) {
    if (info->exact || d->silent) return;
    if (!d->demoted++) d->first = loc;
}

static void integer_error(struct front_doubles *d, base_loc loc, const char *what) {
    if (!d->silent)
        base_error(d->p->cx, loc,
                   "a value that C computes in double is %s, where rounding it as a float can change the result: "
                   "compute it in integers, write the constants with the suffix f, or compile with -fdouble=float",
                   what);
}

// A constant of doubles has the value that C gives it; nothing is rewritten.
static bool fold_constant(struct front_node *n) {
    struct front_constant c;
    if (!front_evaluate(n, false, &c)) return false;
    n->a = n->b = n->c = NULL;
    n->flags &= FRONT_FLAG_PAREN;
    if (c.is_float) {
        n->kind = FRONT_FLOAT;
        n->real = c.real;
    } else {
        n->kind = FRONT_INT;
        n->integer = c.integer;
    }
    return true;
}

// CAST of a double to something else.
static void visit_cast(struct front_doubles *d, struct front_node *n) {
    struct front_double_info info = front_inspect_double(d, n->a);
    if (info.blocked) return;
    if (info.pure && n->type->kind != FRONT_VOID) {
        if (!fold_constant(n))
            base_error(d->p->cx, n->loc, "this constant has no value in type '%s'", front_type_name(d->p->cx, n->type));
        return;
    }
    if (front_is_integer(n->type) && n->type->kind != FRONT_BOOL && !info.exact)
        integer_error(d, n->loc, "converted to an integer");
    count(d, &info, n->a->loc);
    front_demote(d, n->a);
}

static void visit_compare(struct front_doubles *d, struct front_node *n) {
    struct front_double_info a = front_inspect_double(d, n->a), b = front_inspect_double(d, n->b);
    if (a.blocked || b.blocked) return;
    if (a.pure && b.pure && fold_constant(n)) return;
    if ((a.only_integer && !b.exact) || (b.only_integer && !a.exact))
        integer_error(d, n->loc, "compared with an integer");
    if (!a.exact || !b.exact) count(d, a.exact ? &b : &a, n->loc);
    front_demote(d, n->a);
    front_demote(d, n->b);
}

static void visit_assign_op(struct front_doubles *d, struct front_node *n) {
    struct front_double_info info = front_inspect_double(d, n->b);
    front_visit_doubles(d, &n->a);
    if (info.blocked) return;
    if (front_is_integer(n->type) && n->type->kind != FRONT_BOOL) integer_error(d, n->loc, "converted to an integer");
    info.exact = false;
    count(d, &info, n->loc);
    front_demote(d, n->b);
    n->calc = front_basic_type(FRONT_F32);
}

// lround(x) and the like: an integer from a double.
static bool visit_integer_call(struct front_doubles *d, struct front_node *n) {
    const struct front_type *type = n->symbol->type;
    bool doubles = false;
    for (uint32_t i = 0; i < type->param_count; i++)
        doubles = doubles || type->params[i]->kind == FRONT_F64;
    if (!doubles || !n->symbol->builtin) return false;
    // as a cast of a call to the float form would be: demote the call, keep its result
    struct front_type *result = n->type;
    struct front_double_info info = front_inspect_double(d, n);
    if (info.blocked) return true;
    bool exact = true;
    for (struct front_node *arg = n->a; arg; arg = arg->next)
        if (arg->type->kind == FRONT_F64) exact = exact && front_inspect_double(d, arg).exact;
    if (!exact) integer_error(d, n->loc, "converted to an integer");
    front_demote(d, n);
    n->type = result;
    return true;
}

static void visit_list(struct front_doubles *d, struct front_node **place) {
    for (; *place; place = &(*place)->next)
        front_visit_doubles(d, place);
}

static void visit_inits(struct front_doubles *d, struct front_inits *inits) {
    for (uint32_t i = 0; i < inits->count; i++)
        if (inits->items[i].value) front_visit_doubles(d, &inits->items[i].value);
}

static void visit_children(struct front_doubles *d, struct front_node *n) {
    visit_list(d, &n->a);
    visit_list(d, &n->b);
    visit_list(d, &n->c);
    visit_list(d, &n->d);
    if (n->flags & FRONT_FLAG_HAS_INITS) visit_inits(d, n->inits);
    if (n->kind == FRONT_OMP) {
        struct front_omp *omp = n->omp;
        struct front_node **const places[] = {&omp->num_threads, &omp->if_expr, &omp->chunk, &omp->body};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            visit_list(d, places[i]);
    }
}

void front_visit_doubles(struct front_doubles *d, struct front_node **place) {
    struct front_node *n = *place;
    bool is_expr = n->kind < FRONT_BLOCK;
    if (is_expr && n->type->kind == FRONT_F64) { // its value goes nowhere, or to a double that was reported
        struct front_double_info info = front_inspect_double(d, n);
        if (!info.blocked) {
            count(d, &info, n->loc);
            front_demote(d, n);
        }
    } else if (n->kind == FRONT_CAST && n->a->type->kind == FRONT_F64) {
        visit_cast(d, n);
    } else if (n->kind == FRONT_BINARY && n->a->type->kind == FRONT_F64) {
        visit_compare(d, n);
    } else if (n->kind == FRONT_ASSIGN_OP && n->calc->kind == FRONT_F64) {
        visit_assign_op(d, n);
    } else if (n->kind == FRONT_CALL && visit_integer_call(d, n)) {
        return;
    } else {
        if (n->kind == FRONT_DECL) check_symbol(d, n->symbol, "variable");
        visit_children(d, n);
    }
}

// ---- what the entry reaches -----------------------------------------------------------------------------------------

struct reach {
    struct front_parser *p;
    bool *seen; // by symbol id
    struct front_function **work;
    uint32_t count, cap;
    struct front_symbol **globals;
    uint32_t global_count, global_cap;
};

static void reach_function(struct reach *r, struct front_function *f) {
    if (r->seen[f->symbol->id]) return;
    r->seen[f->symbol->id] = true;
    BASE_RESERVE(r->p->cx, r->work, r->count, r->cap);
    r->work[r->count++] = f;
}

static void reach_node(void *user, struct front_node **place) {
    struct reach *r = user;
    struct front_symbol *s = (*place)->symbol;
    if ((*place)->kind == FRONT_CALL && s->function) reach_function(r, s->function);
    if ((*place)->kind == FRONT_VAR && (s->kind == FRONT_SYM_GLOBAL || s->kind == FRONT_SYM_STATIC) &&
        !r->seen[s->id]) {
        r->seen[s->id] = true;
        BASE_RESERVE(r->p->cx, r->globals, r->global_count, r->global_cap);
        r->globals[r->global_count++] = s;
    }
}

// The functions that the entry calls, itself first. Where the entry is not clear: everything with a parallel loop, or
// everything.
static void find_reachable(struct reach *r, const char *entry) {
    struct front_ast *ast = r->p->ast;
    struct front_function *f = entry ? front_find_function(ast, entry) : NULL;
    if (f) reach_function(r, f);
    for (uint32_t pass = 0; pass < 2 && !r->count; pass++)
        for (uint32_t i = 0; i < ast->function_count; i++)
            if (!ast->functions[i]->builtin && (pass || ast->functions[i]->has_parallel) &&
                strcmp(ast->functions[i]->symbol->name, "main"))
                reach_function(r, ast->functions[i]);
    for (uint32_t i = 0; i < r->count; i++)
        front_walk(&r->work[i]->body, reach_node, r);
}

static void visit_function(struct front_doubles *d, struct front_function *f) {
    if (holds_double(d, f->symbol->type->base))
        base_error(d->p->cx, f->loc, "function '%s' returns '%s', and the GPU has no doubles: " ADVICE, f->symbol->name,
                   front_type_name(d->p->cx, f->symbol->type->base));
    for (uint32_t i = 0; i < f->param_count; i++)
        check_symbol(d, f->params[i], "parameter");
    front_visit_doubles(d, &f->body);
}

void front_double_policy(struct front_parser *p, const struct whorl_compile_options *options) {
    struct reach r = {.p = p};
    struct front_doubles d = {.p = p, .silent = p->double_as_float};
    r.seen = base_alloc_array(p->cx, p->ast->symbol_count + 1, sizeof *r.seen);
    d.seen_records = base_alloc_array(p->cx, p->record_count + 1, sizeof *d.seen_records);
    find_reachable(&r, options ? options->entry : NULL);
    for (uint32_t i = 0; i < r.global_count; i++) {
        check_symbol(&d, r.globals[i], "variable");
        visit_inits(&d, &r.globals[i]->inits);
    }
    for (uint32_t i = 0; i < r.count; i++)
        visit_function(&d, r.work[i]);
    if (p->cx->error_count) return;
    const struct front_node *cut = d.silent ? front_find_many_digits(p->ast) : NULL;
    if (cut)
        base_warn(p->cx, cut->loc,
                  "a double is taken apart here that has more than the 24 bits of a float: with -fdouble=float its "
                  "lower part is another one; compile with -fdouble=pair");
    if (d.demoted == 1)
        base_note(p->cx, d.first,
                  "this is double arithmetic on floats in C, computed in float; constants with the suffix f say so");
    else if (d.demoted)
        base_note(p->cx, d.first,
                  "this and %u more expression%s double arithmetic on floats in C, computed in float; constants with "
                  "the suffix f say so",
                  d.demoted - 1, d.demoted == 2 ? " are" : "s are");
}
