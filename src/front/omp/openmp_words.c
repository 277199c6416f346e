// The words of a directive. OpenMP has many, and a persistent kernel few meanings: `target` adds nothing where arrays
// are moved anyway, `teams distribute` shares iterations as `parallel for` does, `loop` and `sections` are `for`. So
// words become a set of constructs (enum front_omp_construct), and who comes later knows those alone.
#include <string.h>

#include "front/omp/openmp.h"

enum { // constructs by their words, in the order in which OpenMP writes them
    TARGET = 1,
    DATA = 2,
    TEAMS = 4,
    DISTRIBUTE = 8,
    PARALLEL = 16,
    FOR = 32,
    LOOP = 64,
    SECTIONS = 128,
    MASTER = 256,
    SIMD = 512,
    ALONE = 1024, // all that cannot be combined
};
static const struct {
    const char *word;
    uint32_t construct; // of enum front_omp_construct
    uint32_t part;      // 0: refused
    const char *why;
} directives[] = {
    {"target", FRONT_OMP_TARGET, TARGET, NULL},
    {"teams", FRONT_OMP_PARALLEL, TEAMS, NULL},
    {"distribute", FRONT_OMP_FOR, DISTRIBUTE, NULL},
    {"parallel", FRONT_OMP_PARALLEL, PARALLEL, NULL},
    {"for", FRONT_OMP_FOR, FOR, NULL},
    {"loop", FRONT_OMP_FOR, LOOP, NULL},
    {"sections", FRONT_OMP_FOR, SECTIONS, NULL},
    {"simd", FRONT_OMP_SIMD, SIMD, NULL},
    {"single", FRONT_OMP_SINGLE, ALONE, NULL},
    {"master", FRONT_OMP_MASTER, MASTER, NULL},
    {"masked", FRONT_OMP_MASTER, MASTER, NULL},
    {"barrier", FRONT_OMP_BARRIER, ALONE, NULL},
    {"atomic", FRONT_OMP_ATOMIC, ALONE, NULL},
    {"critical", FRONT_OMP_CRITICAL, ALONE, NULL},
    {"data", FRONT_OMP_TARGET, DATA, NULL},
    {"ordered", FRONT_OMP_ORDERED, ALONE, NULL},
    {"task", 0, 0, "use a parallel loop over the pieces of work"},
    {"taskloop", 0, 0, "use 'parallel for'"},
    {"taskgroup", 0, 0, "use a parallel loop over the pieces of work"},
    {"taskyield", 0, 0, "leave it out"},
    {"section", 0, 0, "it stands directly in the block of 'sections'"},
    {"flush", 0, 0, "use 'barrier', or leave it out: a parallel loop's end makes all writes visible"},
    {"threadprivate", 0, 0, "it stands alone, with its variables in parentheses"},
    {"cancel", 0, 0, "let the remaining iterations do nothing"},
    {"cancellation", 0, 0, "let the remaining iterations do nothing"},
    {"allocate", 0, 0, "leave it out"},
    {"tile", 0, 0, "leave it out: the compiler chooses"},
    {"unroll", 0, 0, "leave it out: the compiler chooses"},
    {"scope", 0, 0, "use 'parallel'"},
    {"workshare", 0, 0, "it is for Fortran"},
    {"metadirective", 0, 0, "use #if"},
    {"declare", 0, 0, "leave it out, functions are compiled for the device where they are used"},
    {"interop", 0, 0, "leave it out"},
    {"dispatch", 0, 0, "call the function by its name"},
    {"end", 0, 0, "leave it out"},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

static int find_directive(const char *word) {
    for (int i = 0; i < DIRECTIVES; i++)
        if (strcmp(directives[i].word, word) == 0) return i;
    return -1;
}

static bool is_one_of(uint32_t set, const uint32_t *sets, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (sets[i] == set) return true;
    return false;
}
#define IS_ONE_OF(set, ...) \
    is_one_of(set, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static bool can_combine(uint32_t set) {
    uint32_t rest = set & ~(uint32_t)TARGET;
    if (set & TARGET &&
        IS_ONE_OF(rest, 0, DATA, SIMD, PARALLEL, PARALLEL | FOR, PARALLEL | FOR | SIMD, PARALLEL | LOOP))
        return true;
    if (rest & TEAMS && IS_ONE_OF(rest, TEAMS, TEAMS | LOOP)) return true;
    if (rest & DISTRIBUTE && (!(set & TARGET) || set & TEAMS)) {
        rest &= ~(uint32_t)(TEAMS | DISTRIBUTE);
        return IS_ONE_OF(rest, 0, SIMD, PARALLEL | FOR, PARALLEL | FOR | SIMD);
    }
    return IS_ONE_OF(set, PARALLEL, FOR, SIMD, LOOP, SECTIONS, MASTER, ALONE, PARALLEL | FOR, FOR | SIMD,
                     PARALLEL | FOR | SIMD, PARALLEL | LOOP, PARALLEL | SECTIONS, PARALLEL | MASTER);
}

// What the words mean together.
static void take_meaning(struct front_omp *omp, uint32_t parts) {
    omp->sections = parts & SECTIONS;
    omp->is_target = parts & TARGET;
    omp->maps_scalars = parts & DATA; // its block is the host's
    omp->is_teams = parts & TEAMS;
    omp->is_loop = parts & LOOP;
    if (parts & DISTRIBUTE && !(parts & TEAMS)) omp->constructs &= ~(uint32_t)FRONT_OMP_PARALLEL; // in that of `teams`
    if (omp->constructs != FRONT_OMP_TARGET) omp->constructs &= ~(uint32_t)FRONT_OMP_TARGET;
}

static void refuse(struct front_parser *p, const struct front_token *t, int directive) {
    base_unsupported(p->cx, t->loc, "'#pragma omp %s' is not supported: %s", t->text, directives[directive].why);
}

void front_parse_words(struct front_parser *p, struct front_omp *omp) {
    uint32_t parts = 0, first = p->at;
    bool ordered = true;
    omp->constructs = 0;
    for (;;) {
        const struct front_token *t = front_peek(p);
        int i = find_directive(t->text);
        if (i < 0 || (parts && front_peek_at(p, 1)->kind == FRONT_P_LPAREN)) break;
        if (strcmp(t->text, "ordered") == 0 && parts) break; // the clause
        if (!directives[i].part) refuse(p, t, i);
        if (parts & directives[i].part) {
            base_error(p->cx, t->loc, "'%s' is given twice", t->text);
            omp->constructs = 0;
            return;
        }
        ordered &= parts < directives[i].part;
        parts |= directives[i].part;
        omp->constructs |= directives[i].construct;
        front_next(p);
    }
    const char *text = "", *right = "";
    for (uint32_t i = first; i < p->at; i++)
        text = base_format(p->cx, "%s%s%s", text, i == first ? "" : " ", p->tokens[i].text);
    omp->words = text;
    if (!parts) return;
    if (!can_combine(parts)) {
        base_error(p->cx, omp->loc, "'%s' is no OpenMP directive: these words cannot be combined", text);
        omp->constructs &= FRONT_OMP_PARALLEL | FRONT_OMP_FOR;
        if (!omp->constructs) omp->constructs = FRONT_OMP_BARRIER;
    } else if (!ordered) {
        for (int i = 0; i < DIRECTIVES; i++)
            if (directives[i].part & parts && strcmp(directives[i].word, "masked") != 0)
                right = base_format(p->cx, "%s%s%s", right, *right ? " " : "", directives[i].word);
        base_error(p->cx, omp->loc, "'#pragma omp %s' is no OpenMP directive: the words stand in the order '%s'", text,
                   right);
    }
    take_meaning(omp, parts);
}

// Directives that say where data are, and nothing of what is computed: `target data` has a block, these have none.
// There is nothing to wait for at `taskwait`, as each `target` is done before the program goes on. Nor does `scan`
// change anything where iterations are made in order, as they are in loops with a reduction that has `inscan`. What
// `requires` asks of devices, memory that is seen from both sides above all, is so here.
bool front_skip_data_directive(struct front_parser *p) {
    static const char *const lists[][3] = {
        {"target", "enter", "data"}, {"target", "exit", "data"},   {"target", "update", ""},
        {"declare", "target", ""},   {"end", "declare", "target"}, {"begin", "declare", "target"},
        {"declare", "simd", ""},     {"taskwait", "", ""},         {"scan", "", ""},
        {"requires", "", ""},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        bool same = true;
        for (uint32_t k = 0; k < 3; k++)
            same &= !*lists[i][k] || strcmp(front_peek_at(p, k)->text, lists[i][k]) == 0;
        if (!same) continue;
        front_omp_skip(p);
        front_expect(p, FRONT_TOK_PRAGMA_END, NULL);
        return true;
    }
    return false;
}

void front_unknown_directive(struct front_parser *p) {
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
