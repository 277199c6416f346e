// `#pragma omp threadprivate(list)`: variables of file scope, and static ones, of which each thread has its own.
#include "front/omp/openmp.h"

#include <string.h>

static bool is_const(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY && !(type->quals & FRONT_CONST))
        type = type->base;
    return type->quals & FRONT_CONST;
}

static void take_name(struct front_parser *p) {
    if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of a variable in 'threadprivate'");
    const struct front_token *t = &p->tokens[front_next(p)];
    struct front_symbol *s = front_lookup(p, t->text);
    if (!s)
        base_error(p->cx, t->loc, "use of undeclared identifier '%s'", t->text);
    else if (s->kind != FRONT_SYM_GLOBAL && s->kind != FRONT_SYM_STATIC)
        base_error(p->cx, t->loc, "'%s' cannot be threadprivate: it is neither static nor declared at file scope",
                   s->name);
    else if (s->scope != p->scope)
        base_error(p->cx, t->loc, "'threadprivate(%s)' must stand in the block that declares '%s'", s->name, s->name);
    else if (s->used && !s->threadprivate)
        base_error(p->cx, t->loc, "'threadprivate(%s)' must stand before the first use of '%s'", s->name, s->name);
    else if (is_const(s->type))
        base_unsupported(p->cx, t->loc, "'%s' is const, the same for all threads: leave 'threadprivate' out", s->name);
    else
        s->threadprivate = p->ast->has_threadprivate = true;
}

bool front_parse_threadprivate(struct front_parser *p) {
    if (strcmp(front_peek(p)->text, "threadprivate") != 0) return false;
    front_next(p);
    front_expect(p, FRONT_P_LPAREN, "'threadprivate'");
    do
        take_name(p);
    while (front_accept(p, FRONT_P_COMMA));
    front_expect(p, FRONT_P_RPAREN, "the variables of 'threadprivate'");
    front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
    return true;
}

void front_check_threadprivate(struct front_parser *p, const struct front_symbol *s, uint32_t sharing, base_loc loc) {
    if (sharing & FRONT_OMP_COPYIN && !s->threadprivate)
        base_error(p->cx, loc, "'%s' is not threadprivate: copyin takes such variables alone; use firstprivate",
                   s->name);
    if (!s->threadprivate || sharing & FRONT_OMP_COPYIN) return;
    if (sharing & FRONT_OMP_COPYPRIVATE)
        base_unsupported(p->cx, loc,
                         "copyprivate of '%s', which is threadprivate: set it in 'master', and begin the next region "
                         "with copyin(%s)",
                         s->name, s->name);
    base_error(p->cx, loc, "'%s' is threadprivate: it can only be named by copyin and copyprivate", s->name);
}
