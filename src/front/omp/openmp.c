// OpenMP directives: their words, which may be combined and nested, and the statement that they stand for.
//
// Clauses are in openmp_clause.c, the form of loops and the sharing rules in openmp_check.c. What a later version
// brings and what never comes are refused with different words.
#include "front/omp/openmp.h"

#include <string.h>

void front_omp_skip(struct front_parser *p) {
    while (!front_is(p, FRONT_TOK_PRAGMA_END) && !front_is(p, FRONT_TOK_END))
        front_next(p);
}

// (name), hint(...)
static void parse_lock(struct front_parser *p, struct front_omp *omp) {
    omp->lock = "";
    if (front_accept(p, FRONT_P_LPAREN)) {
        if (!front_is(p, FRONT_TOK_IDENT)) front_syntax_error(p, "the name of a critical section");
        omp->lock = p->tokens[front_next(p)].text;
        front_expect(p, FRONT_P_RPAREN, "the name of a critical section");
    }
    front_accept(p, FRONT_P_COMMA);
    if (strcmp(front_peek(p)->text, "hint") == 0) front_omp_skip(p);
    for (const struct front_omp *outer = p->omp_outer; outer; outer = outer->outer)
        if (outer->constructs == FRONT_OMP_CRITICAL && strcmp(outer->lock, omp->lock) == 0)
            base_error(p->cx, omp->loc, "this critical section waits for the one around it for ever");
}

// `threads` and `simd` change nothing where iterations run in order; order between several loops is another thing.
static void parse_ordered(struct front_parser *p, struct front_omp *omp) {
    const struct front_omp *loop = p->omp_outer;
    omp->lock = " ordered"; // no name of a critical section
    while (loop && !(loop->constructs & (FRONT_OMP_FOR | FRONT_OMP_SIMD)))
        loop = loop->outer;
    if (strcmp(front_peek(p)->text, "depend") == 0 || strcmp(front_peek(p)->text, "doacross") == 0)
        base_unsupported(p->cx, front_here(p),
                         "'ordered depend' is not supported: use a sequential loop around a parallel one");
    if (loop && !loop->in_order && !(loop->constructs & FRONT_OMP_SIMD))
        base_error(p->cx, omp->loc, "'ordered' needs the clause 'ordered' at the loop around it");
    front_omp_skip(p);
}

// OpenMP 5.0, 2.20: what may not stand closely inside what.
static void check_nesting(struct front_parser *p, const struct front_omp *omp) {
    const struct front_omp *outer = p->omp_outer;
    uint32_t set = omp->constructs;
    if (!outer) return;
    if (outer->constructs & FRONT_OMP_ATOMIC)
        base_error(p->cx, omp->loc, "'%s' inside the statement of an 'atomic'", omp->words);
    const char *name = omp->words, *around = outer->words;
    uint32_t sharing = FRONT_OMP_FOR | FRONT_OMP_SINGLE;
    bool wrong = false;
    if (outer->constructs & FRONT_OMP_SIMD)
        wrong = set != FRONT_OMP_SIMD && set != FRONT_OMP_ATOMIC && set != FRONT_OMP_ORDERED;
    else if (set & FRONT_OMP_PARALLEL || omp->is_loop)
        wrong = false;
    else if (set & (sharing | FRONT_OMP_BARRIER))
        wrong = (outer->constructs & (sharing | FRONT_OMP_MASTER | FRONT_OMP_CRITICAL)) != 0;
    else if (set & FRONT_OMP_MASTER)
        wrong = (outer->constructs & sharing) != 0;
    if (set & FRONT_OMP_PARALLEL && outer->is_teams && outer->constructs == FRONT_OMP_PARALLEL)
        base_unsupported(p->cx, omp->loc,
                         "each team would run this '%s': share the loop by 'distribute parallel for', or have one team "
                         "by num_teams(1)",
                         name);
    if (wrong) {
        base_error(p->cx, omp->loc, "'%s' may not be nested inside '%s': not all threads come here", name, around);
        base_note(p->cx, outer->loc, "the '%s' is here", around);
    }
}

static void parse_body(struct front_parser *p, struct front_omp *omp, base_loc loc) {
    bool loops = omp->constructs & (FRONT_OMP_FOR | FRONT_OMP_SIMD) && !omp->sections;
    enum front_jump on_break = p->on_break, on_continue = p->on_continue;
    struct front_omp *outer = p->omp_outer, *parallel = p->omp_parallel;
    uint32_t parallel_id = p->parallel_id, first_inner_id = p->ast->symbol_count;
    bool in_switch = p->in_switch;
    p->in_switch = false;
    p->on_break = p->on_continue = FRONT_JUMP_OMP_REGION;
    omp->outer = p->omp_outer;
    p->omp_outer = omp;
    if (omp->constructs & FRONT_OMP_PARALLEL) {
        p->omp_parallel = omp;
        p->parallel_id = first_inner_id;
        p->function->has_parallel = true;
    }
    p->omp_depth++;
    if (front_is(p, FRONT_P_RBRACE) || front_is(p, FRONT_TOK_END))
        base_fatal(p->cx, loc, "'%s' needs a statement after it", omp->words);
    if (loops && !front_is(p, FRONT_KW_FOR))
        base_fatal(p->cx, front_here(p), "statement after '#pragma omp %s' must be a for loop", omp->words);
    p->omp_loops = loops ? omp->collapse : 0;
    omp->body = loops           ? front_parse_for(p)
                : omp->sections ? front_parse_section_blocks(p, omp)
                                : front_parse_statement(p);
    p->omp_depth--;
    p->omp_outer = outer;
    p->omp_parallel = parallel;
    p->parallel_id = parallel_id;
    p->on_break = on_break;
    p->on_continue = on_continue;
    p->in_switch = in_switch;
    if (loops) front_check_loops(p, omp);
    if (omp->is_target) front_check_target(p, omp, first_inner_id);
    if (omp->default_none && omp->constructs & FRONT_OMP_PARALLEL) front_check_sharing(p, omp, first_inner_id);
}

// gcc 12 loses what a loop with `simd` reduces in an array's section that begins behind its first element. The word
// says nothing of results, so the CPU's text leaves it out of loops that reduce arrays, unless a clause belongs to it.
static void drop_simd(struct front_parser *p, const struct front_omp *omp, uint32_t first) {
    bool arrays = false;
    for (uint32_t i = 0; i < omp->var_count; i++)
        arrays |= omp->vars[i].sharing & FRONT_OMP_REDUCTION && !front_is_arithmetic(omp->vars[i].symbol->type);
    uint32_t word = 0;
    for (uint32_t i = p->at; i-- > first;) {
        const char *text = p->tokens[i].text;
        if (strcmp(text, "simd") == 0) word = i;
        arrays &= strcmp(text, "safelen") && strcmp(text, "simdlen") && strcmp(text, "aligned") &&
                  strcmp(text, "nontemporal");
    }
    if (arrays && omp->constructs & FRONT_OMP_FOR) p->ast->edits[word] = "";
}

struct front_node *front_parse_pragma(struct front_parser *p) {
    struct front_node *n = front_node(p, FRONT_OMP, front_next(p));
    uint32_t first = p->at;
    struct front_omp *omp = base_alloc(p->cx, sizeof *omp);
    omp->loc = p->tokens[first].loc;
    omp->collapse = 1;
    if (strcmp(front_peek(p)->text, "scan") == 0 && !(p->omp_outer && p->omp_outer->scans))
        base_error(p->cx, front_here(p), "'scan' stands in the body of a loop with reduction(inscan, ...)");
    if (front_parse_declared_reduction(p) || front_skip_data_directive(p) || front_parse_threadprivate(p)) {
        n->kind = FRONT_EMPTY;
        return n;
    }
    front_parse_words(p, omp);
    n->omp = omp;
    n->loc = omp->loc;
    if (!omp->constructs) {
        if (p->at == first) front_unknown_directive(p);
        front_omp_skip(p);
        front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
        n->kind = FRONT_EMPTY;
        return n;
    }
    check_nesting(p, omp);
    if (omp->constructs == FRONT_OMP_ATOMIC)
        front_parse_atomic_clauses(p, omp);
    else if (omp->constructs == FRONT_OMP_CRITICAL)
        parse_lock(p, omp);
    else if (omp->constructs == FRONT_OMP_ORDERED)
        parse_ordered(p, omp);
    else
        front_parse_clauses(p, omp);
    if (omp->is_teams && omp->one_team && omp->constructs == FRONT_OMP_PARALLEL) omp->constructs = FRONT_OMP_TARGET;
    if (omp->constructs & FRONT_OMP_SIMD) drop_simd(p, omp, first);
    base_loc end = front_here(p);
    if (!front_accept(p, FRONT_TOK_PRAGMA_END)) base_fatal(p->cx, end, "expected the end of the line");
    uint32_t body = p->at;
    if (omp->constructs != FRONT_OMP_BARRIER) parse_body(p, omp, omp->loc);
    if (omp->atomic & FRONT_ATOMIC_COMPARE) {
        BASE_RESERVE(p->cx, p->ast->compares, p->ast->compare_count, p->ast->compare_cap);
        p->ast->compares[p->ast->compare_count++] = (struct front_range){body, p->at};
    }
    front_set_height(p, n);
    return n;
}

void front_parse_file_pragma(struct front_parser *p) {
    front_next(p);
    base_loc loc = front_here(p);
    const char *word = front_peek(p)->text;
    if (front_parse_declared_reduction(p) || front_parse_threadprivate(p)) return;
    if (front_skip_data_directive(p)) return; // functions are compiled for the device where they are called
    struct front_omp omp = {.loc = loc};
    uint32_t first = p->at;
    front_parse_words(p, &omp);
    if (omp.constructs)
        base_error(p->cx, loc, "'#pragma omp %s' cannot stand outside a function", word);
    else if (p->at == first)
        front_unknown_directive(p);
    front_omp_skip(p);
    front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
}
