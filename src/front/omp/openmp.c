// OpenMP directives: their words, which may be combined and nested, and the statement that they stand for.
//
// Clauses are in openmp_clause.c, the form of loops and the sharing rules in openmp_check.c. What a later version
// brings and what never comes are refused with different words.
#include "front/omp/openmp.h"

#include <string.h>

static const struct {
    const char *word;
    uint32_t construct; // 0: refused
    const char *why;
} directives[] = {
    {"parallel", FRONT_OMP_PARALLEL, NULL},
    {"for", FRONT_OMP_FOR, NULL},
    {"simd", FRONT_OMP_SIMD, NULL},
    {"single", FRONT_OMP_SINGLE, NULL},
    {"master", FRONT_OMP_MASTER, NULL},
    {"masked", FRONT_OMP_MASTER, NULL},
    {"barrier", FRONT_OMP_BARRIER, NULL},
    {"atomic", FRONT_OMP_ATOMIC, NULL},
    {"critical", 0,
     "use a reduction clause, or 'atomic' for one update; for an arg max, the max of the value and then the min of the "
     "index where it is equal"},
    {"ordered", 0, "use a sequential loop around a parallel one"},
    {"task", 0, "use a parallel loop over the pieces of work"},
    {"taskloop", 0, "use 'parallel for'"},
    {"taskgroup", 0, "use a parallel loop over the pieces of work"},
    {"taskwait", 0, "use a parallel loop over the pieces of work: its end waits for all of them"},
    {"taskyield", 0, "leave it out"},
    {"sections", 0, "use a parallel loop with a switch over its index"},
    {"section", 0, "use a parallel loop with a switch over its index"},
    {"flush", 0, "use 'barrier', or leave it out: a parallel loop's end makes all writes visible"},
    {"threadprivate", 0,
     "declare the variable inside the parallel loop, or give each iteration its element of an array"},
    {"scan", 0, "write the prefix sum as a sequential loop, or as log2(n) parallel loops"},
    {"cancel", 0, "let the remaining iterations do nothing"},
    {"cancellation", 0, "let the remaining iterations do nothing"},
    {"allocate", 0, "leave it out"},
    {"tile", 0, "leave it out: the compiler chooses"},
    {"unroll", 0, "leave it out: the compiler chooses"},
    {"scope", 0, "use 'parallel'"},
    {"workshare", 0, "it is for Fortran"},
    {"requires", 0, "leave it out"},
    {"metadirective", 0, "use #if"},
    {"teams", 0, "comes in a later version: use 'parallel for'"},
    {"distribute", 0, "comes in a later version: use 'parallel for'"},
    {"target", 0, "comes in a later version: leave it out, arrays are moved to the device without it"},
    {"loop", 0, "comes in a later version: use 'parallel for'"},
    {"declare", 0, "comes in a later version: leave it out, functions are compiled for the device where they are used"},
    {"end", 0, "comes in a later version: leave it out"},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

static int find_directive(const char *word) {
    for (int i = 0; i < DIRECTIVES; i++)
        if (strcmp(directives[i].word, word) == 0) return i;
    return -1;
}

void front_omp_skip(struct front_parser *p) {
    while (!front_is(p, FRONT_TOK_PRAGMA_END) && !front_is(p, FRONT_TOK_END))
        front_next(p);
}

// The words of the directive, up to its clauses; 0 after an error. *ordered: they stand as OpenMP writes them,
// `parallel for simd`, which is the order of their bits.
static uint32_t parse_words(struct front_parser *p, bool *ordered) {
    uint32_t set = 0;
    *ordered = true;
    for (;;) {
        const struct front_token *t = front_peek(p);
        int i = find_directive(t->text);
        if (i < 0 || (set && front_peek_at(p, 1)->kind == FRONT_P_LPAREN)) break;
        if (!directives[i].construct) {
            if (strcmp(t->text, "ordered") == 0 && set) break; // the clause
            if (strcmp(t->text, "declare") == 0 && strcmp(front_peek_at(p, 1)->text, "reduction") == 0)
                base_unsupported(p->cx, t->loc,
                                 "'#pragma omp declare reduction' is not supported: combine values in a loop");
            base_unsupported(p->cx, t->loc, "'#pragma omp %s' is not supported: %s", t->text, directives[i].why);
        }
        if (set & directives[i].construct) {
            base_error(p->cx, t->loc, "'%s' is given twice", t->text);
            return 0;
        }
        if (set > directives[i].construct) *ordered = false;
        set |= directives[i].construct;
        front_next(p);
    }
    return set;
}

static bool can_combine(uint32_t set) {
    switch (set) {
    case FRONT_OMP_PARALLEL:
    case FRONT_OMP_FOR:
    case FRONT_OMP_SIMD:
    case FRONT_OMP_SINGLE:
    case FRONT_OMP_MASTER:
    case FRONT_OMP_BARRIER:
    case FRONT_OMP_ATOMIC:
    case FRONT_OMP_PARALLEL | FRONT_OMP_FOR:
    case FRONT_OMP_FOR | FRONT_OMP_SIMD:
    case FRONT_OMP_PARALLEL | FRONT_OMP_FOR | FRONT_OMP_SIMD:
    case FRONT_OMP_PARALLEL | FRONT_OMP_MASTER: return true;
    default: return false;
    }
}

static void unknown_directive(struct front_parser *p) {
    const struct front_token *t = front_peek(p);
    const char *best = NULL;
    uint32_t limit = 2;
    for (int i = 0; i < DIRECTIVES; i++) {
        uint32_t d = front_distance(t->text, directives[i].word, limit);
        if (d <= limit && t->len > d && (!best || d < limit)) {
            best = directives[i].word;
            limit = d;
        }
    }
    if (t->kind == FRONT_TOK_PRAGMA_END)
        base_error(p->cx, t->loc, "expected an OpenMP directive after '#pragma omp'");
    else if (best)
        base_error(p->cx, t->loc, "unknown OpenMP directive '%s'; did you mean '%s'?", t->text, best);
    else
        base_error(p->cx, t->loc, "unknown OpenMP directive '%s'", t->text);
}

const char *front_omp_name(struct base_cx *cx, uint32_t set) {
    struct base_text text;
    base_text_init(&text, cx);
    for (int i = 0; i < DIRECTIVES; i++)
        if (directives[i].construct & set && strcmp(directives[i].word, "masked") != 0)
            base_text_format(&text, "%s%s", text.size ? " " : "", directives[i].word);
    return text.data;
}

// The words from a token on up to here, as the program has them.
static const char *words_text(struct front_parser *p, uint32_t first) {
    const char *text = "";
    for (uint32_t i = first; i < p->at; i++)
        text = base_format(p->cx, "%s %s", text, p->tokens[i].text);
    return text;
}

// OpenMP 5.0, 2.20: what may not stand closely inside what.
static void check_nesting(struct front_parser *p, const struct front_omp *omp) {
    const struct front_omp *outer = p->omp_outer;
    uint32_t set = omp->constructs;
    if (!outer) return;
    if (outer->constructs & FRONT_OMP_ATOMIC)
        base_error(p->cx, omp->loc, "'%s' inside the statement of an 'atomic'", front_omp_name(p->cx, set));
    const char *name = front_omp_name(p->cx, set), *around = front_omp_name(p->cx, outer->constructs);
    uint32_t sharing = FRONT_OMP_FOR | FRONT_OMP_SINGLE;
    bool wrong = false;
    if (outer->constructs & FRONT_OMP_SIMD)
        wrong = set != FRONT_OMP_SIMD && set != FRONT_OMP_ATOMIC;
    else if (set & FRONT_OMP_PARALLEL)
        wrong = false;
    else if (set & (sharing | FRONT_OMP_BARRIER))
        wrong = (outer->constructs & (sharing | FRONT_OMP_MASTER)) != 0;
    else if (set & FRONT_OMP_MASTER)
        wrong = (outer->constructs & sharing) != 0;
    if (wrong) {
        base_error(p->cx, omp->loc, "'%s' may not be nested inside '%s': not all threads come here", name, around);
        base_note(p->cx, outer->loc, "the '%s' is here", around);
    }
}

static void parse_body(struct front_parser *p, struct front_omp *omp, base_loc loc) {
    bool loops = omp->constructs & (FRONT_OMP_FOR | FRONT_OMP_SIMD);
    enum front_jump on_break = p->on_break, on_continue = p->on_continue;
    struct front_omp *outer = p->omp_outer, *parallel = p->omp_parallel;
    uint32_t parallel_id = p->parallel_id, first_inner_id = p->ast->symbol_count;
    bool in_switch = p->in_switch;
    p->in_switch = false;
    p->on_break = p->on_continue = FRONT_JUMP_OMP_REGION;
    p->omp_outer = omp;
    if (omp->constructs & FRONT_OMP_PARALLEL) {
        p->omp_parallel = omp;
        p->parallel_id = first_inner_id;
        p->function->has_parallel = true;
    }
    p->omp_depth++;
    if (front_is(p, FRONT_P_RBRACE) || front_is(p, FRONT_TOK_END))
        base_fatal(p->cx, loc, "'%s' needs a statement after it", front_omp_name(p->cx, omp->constructs));
    if (loops && !front_is(p, FRONT_KW_FOR))
        base_fatal(p->cx, front_here(p), "statement after '#pragma omp %s' must be a for loop",
                   front_omp_name(p->cx, omp->constructs));
    p->omp_loops = loops ? omp->collapse : 0;
    omp->body = loops ? front_parse_for(p) : front_parse_statement(p);
    p->omp_depth--;
    p->omp_outer = outer;
    p->omp_parallel = parallel;
    p->parallel_id = parallel_id;
    p->on_break = on_break;
    p->on_continue = on_continue;
    p->in_switch = in_switch;
    if (loops) front_check_loops(p, omp);
    if (omp->default_none && omp->constructs & FRONT_OMP_PARALLEL) front_check_sharing(p, omp, first_inner_id);
}

struct front_node *front_parse_pragma(struct front_parser *p) {
    struct front_node *n = front_node(p, FRONT_OMP, front_next(p));
    uint32_t first = p->at;
    struct front_omp *omp = base_alloc(p->cx, sizeof *omp);
    omp->loc = p->tokens[first].loc;
    omp->collapse = 1;
    bool ordered;
    omp->constructs = parse_words(p, &ordered);
    n->omp = omp;
    n->loc = omp->loc;
    if (!omp->constructs) {
        if (p->at == first) unknown_directive(p);
        front_omp_skip(p);
        front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
        n->kind = FRONT_EMPTY;
        return n;
    }
    if (!can_combine(omp->constructs)) {
        base_error(p->cx, omp->loc, "'%s' is no OpenMP directive: these words cannot be combined",
                   front_omp_name(p->cx, omp->constructs));
        omp->constructs &= FRONT_OMP_PARALLEL | FRONT_OMP_FOR;
        if (!omp->constructs) omp->constructs = FRONT_OMP_BARRIER;
    } else if (!ordered) {
        base_error(p->cx, omp->loc, "'#pragma omp%s' is no OpenMP directive: the words stand in the order '%s'",
                   words_text(p, first), front_omp_name(p->cx, omp->constructs));
    }
    check_nesting(p, omp);
    if (omp->constructs == FRONT_OMP_ATOMIC)
        front_parse_atomic_clauses(p, omp);
    else
        front_parse_clauses(p, omp);
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
    if (strcmp(word, "declare") == 0 &&
        strcmp(front_peek_at(p, 1)->text, "simd") == 0) { // a hint to vectorise the next function
        front_omp_skip(p);
        front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
        return;
    }
    bool ordered;
    uint32_t first = p->at, set = parse_words(p, &ordered);
    if (set)
        base_error(p->cx, loc, "'#pragma omp %s' cannot stand outside a function", word);
    else if (p->at == first)
        unknown_directive(p);
    front_omp_skip(p);
    front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
}
