// `#pragma omp threadprivate(list)`: variables of file scope, and static ones, of which each thread has its own.
#include "front/omp/openmp.h"

#include <string.h>

static void take_name(struct front_parser *p) {
    if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of a variable");
    const struct front_token *t = &p->tokens[front_next(p)];
    struct front_symbol *s = front_lookup(p, t->text);
    bool lasts = s && (s->kind == FRONT_SYM_GLOBAL || s->kind == FRONT_SYM_STATIC);
    if (lasts && s->scope == p->scope && (!s->used || s->threadprivate))
        s->threadprivate = p->ast->has_threadprivate = true;
    else
        base_error(
            p->cx, t->loc,
            "'threadprivate' names static variables, or those of file scope, in the block that declares them and "
            "before their first use: '%s' is none",
            t->text);
}

bool front_parse_threadprivate(struct front_parser *p) {
    if (strcmp(front_peek(p)->text, "threadprivate") != 0) return false;
    front_next(p);
    front_expect(p, FRONT_P_LPAREN, "'threadprivate'");
    do
        take_name(p);
    while (front_accept(p, FRONT_P_COMMA));
    front_expect(p, FRONT_P_RPAREN, "'threadprivate'");
    front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
    return true;
}

void front_check_threadprivate(struct front_parser *p, const struct front_symbol *s, uint32_t sharing, base_loc loc) {
    if (s->threadprivate != (sharing == FRONT_OMP_COPYIN))
        base_error(p->cx, loc, "'%s' is %sthreadprivate: copyin takes such variables, and other clauses do not",
                   s->name, s->threadprivate ? "" : "not ");
}
