// The clauses of OpenMP directives: one table of what may stand where, one function for each shape of clause.
#include "front/omp/openmp.h"

#include <string.h>

enum shape {
    SHAPE_VARS,
    SHAPE_REDUCTION,
    SHAPE_DEFAULT,
    SHAPE_COLLAPSE,
    SHAPE_SCHEDULE,
    SHAPE_EXPR,
    SHAPE_SIZE,
    SHAPE_FLAG,
    SHAPE_LINEAR,
    SHAPE_HINT, // read over
    SHAPE_REFUSED,
};
#define LOOPS (FRONT_OMP_FOR | FRONT_OMP_SIMD)
#define ANY (~UINT32_C(0))
static const struct {
    const char *word;
    enum shape shape;
    uint32_t where;   // constructs of which one must be there
    uint32_t sharing; // VARS
    const char *why;  // REFUSED
} clauses[] = {
    {"private", SHAPE_VARS, FRONT_OMP_PARALLEL | LOOPS | FRONT_OMP_SINGLE | FRONT_OMP_TARGET, FRONT_OMP_PRIVATE, NULL},
    {"firstprivate", SHAPE_VARS, FRONT_OMP_PARALLEL | FRONT_OMP_FOR | FRONT_OMP_SINGLE | FRONT_OMP_TARGET,
     FRONT_OMP_FIRSTPRIVATE, NULL},
    {"lastprivate", SHAPE_VARS, LOOPS, FRONT_OMP_LASTPRIVATE, NULL},
    {"shared", SHAPE_VARS, FRONT_OMP_PARALLEL, FRONT_OMP_SHARED, NULL},
    {"reduction", SHAPE_REDUCTION, FRONT_OMP_PARALLEL | LOOPS, 0, NULL},
    {"default", SHAPE_DEFAULT, FRONT_OMP_PARALLEL, 0, NULL},
    {"collapse", SHAPE_COLLAPSE, LOOPS, 0, NULL},
    {"schedule", SHAPE_SCHEDULE, FRONT_OMP_FOR, 0, NULL},
    {"num_threads", SHAPE_EXPR, FRONT_OMP_PARALLEL, 0, NULL},
    {"if", SHAPE_EXPR, FRONT_OMP_PARALLEL | FRONT_OMP_SIMD | FRONT_OMP_TARGET, 0, NULL},
    {"nowait", SHAPE_FLAG, FRONT_OMP_FOR | FRONT_OMP_SINGLE | FRONT_OMP_TARGET, 0, NULL},
    {"linear", SHAPE_LINEAR, LOOPS, FRONT_OMP_LINEAR, NULL},
    {"safelen", SHAPE_SIZE, FRONT_OMP_SIMD, 0, NULL},
    {"simdlen", SHAPE_SIZE, FRONT_OMP_SIMD, 0, NULL},
    {"aligned", SHAPE_HINT, FRONT_OMP_SIMD, 0, NULL},
    {"nontemporal", SHAPE_HINT, FRONT_OMP_SIMD, 0, NULL},
    {"proc_bind", SHAPE_HINT, FRONT_OMP_PARALLEL, 0, NULL},
    {"order", SHAPE_HINT, LOOPS, 0, NULL},
    {"ordered", SHAPE_FLAG, FRONT_OMP_FOR, 0, NULL},
    {"copyin", SHAPE_VARS, FRONT_OMP_PARALLEL, FRONT_OMP_COPYIN, NULL},
    {"copyprivate", SHAPE_VARS, FRONT_OMP_SINGLE, FRONT_OMP_COPYPRIVATE, NULL},
    {"allocate", SHAPE_HINT, FRONT_OMP_PARALLEL | LOOPS | FRONT_OMP_SINGLE | FRONT_OMP_TARGET, 0, NULL},
    {"filter", SHAPE_EXPR, FRONT_OMP_MASTER, 0, NULL},
    {"num_teams", SHAPE_EXPR, FRONT_OMP_PARALLEL, 0, NULL},
    {"thread_limit", SHAPE_HINT, ANY, 0, NULL},
    {"dist_schedule", SHAPE_HINT, FRONT_OMP_FOR, 0, NULL},
    {"bind", SHAPE_HINT, FRONT_OMP_FOR, 0, NULL},
    {"map", SHAPE_HINT, ANY, 0, NULL}, // of directives with `target`: arrays are where they are needed
    {"device", SHAPE_HINT, ANY, 0, NULL},
    {"defaultmap", SHAPE_HINT, ANY, 0, NULL},
    {"is_device_ptr", SHAPE_HINT, ANY, 0, NULL},
    {"has_device_addr", SHAPE_HINT, ANY, 0, NULL},
    {"use_device_ptr", SHAPE_HINT, ANY, 0, NULL},
    {"use_device_addr", SHAPE_HINT, ANY, 0, NULL},
    {"uses_allocators", SHAPE_HINT, ANY, 0, NULL},
    {"depend", SHAPE_HINT, ANY, 0, NULL}, // ... : they run in the order of the program
};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

struct front_omp_var *front_omp_find(struct front_omp *omp, const struct front_symbol *symbol) {
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (omp->vars[i].symbol == symbol) return &omp->vars[i];
    return NULL;
}

// In a worksharing construct inside a parallel one, what is reduced, copied in or copied out must be shared by the
// threads: private there, each thread would have another variable to begin with or to leave the result in.
static void check_shared_outside(struct front_parser *p, const struct front_omp *omp, const struct front_symbol *s,
                                 uint32_t sharing, base_loc loc) {
    const char *word = sharing & FRONT_OMP_REDUCTION      ? "reduction"
                       : sharing & FRONT_OMP_LINEAR       ? "linear"
                       : sharing & FRONT_OMP_LASTPRIVATE  ? "lastprivate"
                       : sharing & FRONT_OMP_FIRSTPRIVATE ? "firstprivate"
                                                          : NULL;
    if (!word || !p->omp_parallel || (omp->constructs & FRONT_OMP_PARALLEL) ||
        !(omp->constructs & (FRONT_OMP_FOR | FRONT_OMP_SINGLE)))
        return;
    struct front_omp_var *outer = front_omp_find(p->omp_parallel, s);
    if (s->kind == FRONT_SYM_LOCAL && s->id > p->parallel_id) {
        base_error(p->cx, loc,
                   "%s variable '%s' must be shared in the parallel region around it, where each thread has its own: "
                   "declare it before the region",
                   word, s->name);
    } else if (outer && outer->sharing & FRONT_OMP_REDUCTION) {
        base_error(p->cx, loc, "%s variable '%s' must be shared in the parallel region around it, which reduces it: %s",
                   word, s->name,
                   sharing & FRONT_OMP_REDUCTION ? "say so once, leave the clause out here or there"
                                                 : "use another variable here");
        base_note(p->cx, outer->loc, "the region's reduction is here");
    } else if (outer && !(outer->sharing & FRONT_OMP_SHARED)) {
        base_error(p->cx, loc,
                   "%s variable '%s' must be shared in the parallel region around it: take it out of the region's own "
                   "clause",
                   word, s->name);
        base_note(p->cx, outer->loc, "it is private here");
    }
}

static void add_var(struct front_parser *p, struct front_omp *omp, struct front_symbol *s, uint32_t sharing,
                    enum front_op op, base_loc loc) {
    struct front_omp_var *old = front_omp_find(omp, s);
    if (old) {
        uint32_t both = old->sharing | sharing;
        if (both == (FRONT_OMP_FIRSTPRIVATE | FRONT_OMP_LASTPRIVATE) && old->sharing != sharing) {
            old->sharing = (uint8_t)both;
        } else {
            base_error(p->cx, loc, "'%s' is named by more than one clause", s->name);
            base_note(p->cx, old->loc, "the first time here");
        }
        return;
    }
    if ((s->type->quals & FRONT_CONST) &&
        sharing & (FRONT_OMP_PRIVATE | FRONT_OMP_LASTPRIVATE | FRONT_OMP_REDUCTION | FRONT_OMP_LINEAR))
        base_error(p->cx, loc, "'%s' is const: it can only be shared or firstprivate", s->name);
    front_check_threadprivate(p, s, sharing, loc);
    check_shared_outside(p, omp, s, sharing, loc);
    if (sharing & (FRONT_OMP_LASTPRIVATE | FRONT_OMP_REDUCTION | FRONT_OMP_LINEAR)) s->written = true;
    s->used = true;
    BASE_RESERVE(p->cx, omp->vars, omp->var_count, omp->var_cap);
    omp->vars[omp->var_count++] =
        (struct front_omp_var){.symbol = s, .sharing = (uint8_t)sharing, .op = (uint8_t)op, .loc = loc};
}

static bool check_reduction(struct front_parser *p, const struct front_symbol *s, enum front_op op, base_loc loc) {
    bool bits = op == FRONT_OP_AND || op == FRONT_OP_OR || op == FRONT_OP_XOR;
    if (s->type->kind == FRONT_ARRAY || s->type->kind == FRONT_POINTER) return front_check_reduced_array(p, s, op, loc);
    if (!front_is_arithmetic(s->type) || (bits && !front_is_integer(s->type))) {
        base_error(p->cx, loc, "'%s' of type '%s' cannot be reduced with '%s'", s->name,
                   front_type_name(p->cx, s->type), front_op_text(op));
        return false;
    }
    return true;
}

// `own`: what the name means to numbers, as `+` and `min` do.
static void check_declared(struct front_parser *p, struct front_omp_var *v, const char *name, enum front_op own) {
    const struct front_declared_reduction *r = front_find_reduction(p, name, front_unqualified(p, v->symbol->type));
    if (!r && own) { // declared for other types
        if (check_reduction(p, v->symbol, own, v->loc)) v->op = (uint8_t)own;
        return;
    }
    if (!r)
        base_fatal(p->cx, v->loc, "reduction '%s' is not declared for type '%s', which '%s' has", name,
                   front_type_name(p->cx, v->symbol->type), v->symbol->name);
    v->combine = r->combine;
    v->begin = r->begin;
}

// The names up to ')'. For LINEAR also `: step`. op of a REDUCTION NONE: a declared one.
static void parse_vars(struct front_parser *p, struct front_omp *omp, uint32_t sharing, enum front_op op,
                       const char *clause) {
    do {
        if (!front_is(p, FRONT_TOK_IDENT))
            front_syntax_error(p, base_format(p->cx, "the name of a variable in clause '%s'", clause));
        uint32_t token = front_next(p);
        const char *name = p->tokens[token].text;
        base_loc loc = p->tokens[token].loc;
        struct front_symbol *s = front_lookup(p, name);
        bool sections = front_is(p, FRONT_P_LBRACKET);
        if (sections && !(sharing & FRONT_OMP_REDUCTION))
            base_unsupported(p->cx, loc, "clause '%s' takes whole variables, not sections of arrays", clause);
        if (sections) front_parse_sections(p, s);
        if (!s) {
            const char *similar = front_similar_name(p, name);
            base_error(p->cx, loc, "use of undeclared identifier '%s'%s%s%s", name, similar ? "; did you mean '" : "",
                       similar ? similar : "", similar ? "'?" : "");
        } else if (s->type == p->error_type) {
            continue;
        } else if (s->kind == FRONT_SYM_FUNCTION || s->kind == FRONT_SYM_TYPEDEF || s->kind == FRONT_SYM_ENUM) {
            base_error(p->cx, loc, "'%s' is not a variable", name);
        } else if (!sections && sharing & FRONT_OMP_REDUCTION && s->type->kind == FRONT_POINTER) {
            base_error(p->cx, loc, "'%s' is a pointer: say which elements are reduced, %s[:count]", name, name);
        } else if (!(sharing & FRONT_OMP_REDUCTION) || !op || check_reduction(p, s, op, loc)) {
            add_var(p, omp, s, sharing, op, loc);
        }
    } while (front_accept(p, FRONT_P_COMMA));
}

static enum front_op reduction_op(struct front_parser *p) {
    const struct front_token *t = front_peek(p);
    switch (t->kind) {
    case FRONT_P_PLUS:
    case FRONT_P_MINUS: return FRONT_OP_ADD;
    case FRONT_P_STAR: return FRONT_OP_MUL;
    case FRONT_P_AMP: return FRONT_OP_AND;
    case FRONT_P_PIPE: return FRONT_OP_OR;
    case FRONT_P_CARET: return FRONT_OP_XOR;
    case FRONT_P_ANDAND: return FRONT_OP_LAND;
    case FRONT_P_OROR: return FRONT_OP_LOR;
    default: break;
    }
    if (strcmp(t->text, "min") == 0) return FRONT_OP_MIN;
    if (strcmp(t->text, "max") == 0) return FRONT_OP_MAX;
    if (strcmp(t->text, "task") == 0)
        base_unsupported(p->cx, t->loc, "the reduction modifier '%s' is not supported: use a plain reduction", t->text);
    base_fatal(p->cx, t->loc,
               "unknown reduction operator '%s': it is one of + * - & | ^ && || min max, or a name of 'declare "
               "reduction'",
               t->text);
}

static void parse_default(struct front_parser *p, struct front_omp *omp) {
    const struct front_token *t = front_peek(p);
    if (strcmp(t->text, "none") == 0)
        omp->default_none = true;
    else if (strcmp(t->text, "private") == 0 || strcmp(t->text, "firstprivate") == 0)
        base_unsupported(p->cx, t->loc, "default(%s) is not supported: name the variables in %s(...)", t->text,
                         t->text);
    else if (strcmp(t->text, "shared") != 0)
        base_fatal(p->cx, t->loc, "expected 'none' or 'shared' in clause 'default'");
    front_next(p);
}

static bool is_word(const struct front_token *t, const char *const *words) {
    for (; *words; words++)
        if (strcmp(t->text, *words) == 0) return true;
    return false;
}

static const char positive[] = "argument to '%s' clause must be a strictly positive integer value";

static void check_positive(struct front_parser *p, const struct front_node *n, const char *word) {
    struct front_constant value;
    bool is_known = !front_is_error(n) && front_is_integer(n->type) && front_evaluate(n, false, &value);
    if (is_known && (!value.integer || (!front_is_unsigned(n->type) && (int64_t)value.integer < 0)))
        base_error(p->cx, n->loc, positive, word);
}

static void parse_schedule(struct front_parser *p, struct front_omp *omp) {
    static const char *const modifiers[] = {"monotonic", "nonmonotonic", "simd", NULL};
    static const char *const kinds[] = {"static", "dynamic", "guided", "auto", "runtime", NULL};
    while (is_word(front_peek(p), modifiers)) {
        front_next(p);
        if (!front_accept(p, FRONT_P_COMMA)) front_expect(p, FRONT_P_COLON, "the modifier");
    }
    if (!is_word(front_peek(p), kinds))
        base_fatal(p->cx, front_here(p),
                   "expected 'static', 'dynamic', 'guided', 'auto' or 'runtime' in clause 'schedule'");
    omp->schedule = front_peek(p)->text;
    front_next(p);
    if (front_accept(p, FRONT_P_COMMA)) {
        omp->chunk = front_value(p, front_parse_assign(p));
        if (!front_is_error(omp->chunk) && !front_is_integer(omp->chunk->type))
            base_error(p->cx, omp->chunk->loc, "the chunk of a schedule must be an integer");
        check_positive(p, omp->chunk, "schedule");
    }
}

static void parse_number_clause(struct front_parser *p, struct front_omp *omp, const char *word) {
    base_loc loc = front_here(p);
    int64_t value = front_parse_constant(p, base_format(p->cx, "the argument of '%s'", word));
    if (value <= 0) {
        base_error(p->cx, loc, positive, word);
        value = 1;
    }
    if (strcmp(word, "collapse") == 0) {
        if (value > 8) {
            base_error(p->cx, loc, "at most 8 loops can be collapsed");
            value = 1;
        }
        omp->collapse = (uint32_t)value;
    } else if (strcmp(word, "safelen") == 0) {
        omp->safelen = (uint64_t)value;
    } else {
        omp->simdlen = (uint64_t)value;
    }
}

static void parse_expr_clause(struct front_parser *p, struct front_omp *omp, const char *word) {
    bool is_if = strcmp(word, "if") == 0, of_target = strcmp(front_peek(p)->text, "target") == 0;
    if (is_if && front_peek_at(p, 1)->kind == FRONT_P_COLON) { // if(parallel: x)
        front_next(p);
        front_next(p);
    }
    struct front_node *n = front_parse_expr(p);
    if (is_if) {
        n = front_condition(p, n, "clause 'if'");
        if (!of_target && omp->constructs != FRONT_OMP_TARGET) omp->if_expr = n; // the other says where it runs
        return;
    }
    n = front_value(p, n);
    if (!front_is_error(n) && !front_is_integer(n->type))
        base_error(p->cx, n->loc, "the argument of '%s' must be an integer", word);
    if (strcmp(word, "filter") != 0) check_positive(p, n, word);
    if (strcmp(word, "num_threads") == 0)
        omp->num_threads = n;
    else if (strcmp(word, "filter") == 0)
        omp->filter = n;
    else
        omp->one_team = n->kind == FRONT_INT && n->integer == 1;
}

// Every name of `map` counts: one that only stands in the bounds of a section is no scalar that the block changes.
static void note_mapped(struct front_parser *p, struct front_omp *omp) {
    struct front_symbol *s = front_is(p, FRONT_TOK_IDENT) ? front_lookup(p, front_peek(p)->text) : NULL;
    if (!s) return;
    BASE_RESERVE(p->cx, omp->mapped, omp->mapped_count, omp->mapped_cap);
    omp->mapped[omp->mapped_count++] = s;
}

static void skip_argument(struct front_parser *p, struct front_omp *omp, const char *word) {
    bool maps = strcmp(word, "map") == 0;
    omp->maps_scalars |= strcmp(word, "defaultmap") == 0 && strcmp(front_peek(p)->text, "tofrom") == 0;
    for (uint32_t open = 1; !front_is(p, FRONT_TOK_PRAGMA_END) && !front_is(p, FRONT_TOK_END); front_next(p)) {
        open += front_is(p, FRONT_P_LPAREN);
        open -= front_is(p, FRONT_P_RPAREN);
        if (!open) return;
        if (maps) note_mapped(p, omp);
    }
}

static void unknown_clause(struct front_parser *p, const struct front_token *t, const struct front_omp *omp) {
    const char *best = NULL;
    uint32_t limit = 3;
    for (int i = 0; i < CLAUSES; i++) {
        uint32_t d = front_distance(t->text, clauses[i].word, limit);
        if (d <= limit && t->len > d + 1 && (!best || d < limit)) {
            best = clauses[i].word;
            limit = d;
        }
    }
    base_error(p->cx, t->loc, "unknown clause '%s' of '#pragma omp %s'%s%s%s", t->text, omp->words,
               best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
}

static void parse_linear_step(struct front_parser *p, struct front_omp *omp, uint32_t first) {
    struct front_node *step = front_value(p, front_parse_assign(p));
    if (!front_is_error(step) && !front_is_integer(step->type))
        base_error(p->cx, step->loc, "the step of a linear variable must be an integer");
    for (uint32_t i = first; i < omp->var_count; i++)
        omp->vars[i].step = step;
}

static void parse_argument(struct front_parser *p, struct front_omp *omp, int clause) {
    const char *word = clauses[clause].word;
    uint32_t first = omp->var_count;
    switch (clauses[clause].shape) {
    case SHAPE_VARS:
        if (clauses[clause].sharing == FRONT_OMP_LASTPRIVATE && strcmp(front_peek(p)->text, "conditional") == 0 &&
            front_peek_at(p, 1)->kind == FRONT_P_COLON) {
            front_next(p);
            front_next(p);
            omp->in_order = omp->conditional = true;
        }
        parse_vars(p, omp, clauses[clause].sharing, FRONT_OP_NONE, word);
        break;
    case SHAPE_LINEAR:
        parse_vars(p, omp, FRONT_OMP_LINEAR, FRONT_OP_NONE, word);
        if (front_accept(p, FRONT_P_COLON)) parse_linear_step(p, omp, first);
        break;
    case SHAPE_REDUCTION: {
        if (strcmp(front_peek(p)->text, "default") == 0 && front_peek_at(p, 1)->kind == FRONT_P_COMMA) {
            front_next(p);
            front_next(p);
        }
        if (strcmp(front_peek(p)->text, "inscan") == 0 && front_peek_at(p, 1)->kind == FRONT_P_COMMA) {
            front_next(p);
            front_next(p);
            omp->in_order = omp->scans = true;
        }
        const char *name = front_peek(p)->text;
        bool declared = front_find_reduction(p, name, NULL), is_own = !front_is(p, FRONT_TOK_IDENT);
        is_own = is_own || !declared || strcmp(name, "min") == 0 || strcmp(name, "max") == 0;
        enum front_op own = is_own ? reduction_op(p) : FRONT_OP_NONE;
        front_next(p);
        front_expect(p, FRONT_P_COLON, "the reduction operator");
        parse_vars(p, omp, FRONT_OMP_REDUCTION, declared ? FRONT_OP_NONE : own, word);
        for (uint32_t i = first; declared && i < omp->var_count; i++)
            check_declared(p, &omp->vars[i], name, own);
        break;
    }
    case SHAPE_DEFAULT: parse_default(p, omp); break;
    case SHAPE_SCHEDULE: parse_schedule(p, omp); break;
    case SHAPE_COLLAPSE:
    case SHAPE_SIZE: parse_number_clause(p, omp, word); break;
    case SHAPE_EXPR: parse_expr_clause(p, omp, word); break;
    default: skip_argument(p, omp, word);
    }
}

void front_parse_clauses(struct front_parser *p, struct front_omp *omp) {
    uint64_t seen = 0;
    while (!front_is(p, FRONT_TOK_PRAGMA_END)) {
        if (front_accept(p, FRONT_P_COMMA)) continue;
        const struct front_token *t = front_peek(p);
        int clause = 0;
        while (clause < CLAUSES && strcmp(clauses[clause].word, t->text) != 0)
            clause++;
        if (t->kind != FRONT_TOK_IDENT && clause == CLAUSES) {
            base_error(p->cx, t->loc, "expected a clause of '#pragma omp %s'", omp->words);
            front_omp_skip(p);
            return;
        }
        uint32_t first_token = front_next(p);
        if (clause == CLAUSES) {
            unknown_clause(p, t, omp);
            if (front_accept(p, FRONT_P_LPAREN)) {
                skip_argument(p, omp, "");
                front_accept(p, FRONT_P_RPAREN);
            }
            continue;
        }
        if (clauses[clause].shape == SHAPE_REFUSED)
            base_unsupported(p->cx, t->loc, "clause '%s' is not supported: %s", t->text, clauses[clause].why);
        bool is_flag = clauses[clause].shape == SHAPE_FLAG, nowait = strcmp(t->text, "nowait") == 0;
        bool belongs = clauses[clause].where == ANY ? omp->is_target || strcmp(t->text, "thread_limit") == 0
                                                    : clauses[clause].where & omp->constructs;
        if (!belongs || (nowait && omp->constructs & FRONT_OMP_PARALLEL && !omp->is_target))
            base_error(p->cx, t->loc, "clause '%s' does not belong to '#pragma omp %s'", t->text, omp->words);
        bool repeats = clauses[clause].shape == SHAPE_VARS || clauses[clause].shape == SHAPE_REDUCTION ||
                       clauses[clause].shape == SHAPE_LINEAR || clauses[clause].shape == SHAPE_HINT;
        if (!repeats && seen & (UINT64_C(1) << clause))
            base_error(p->cx, t->loc, "clause '%s' is given twice", t->text);
        seen |= UINT64_C(1) << clause;
        if (is_flag && !nowait && front_is(p, FRONT_P_LPAREN))
            base_unsupported(p->cx, t->loc,
                             "'ordered' with a number of loops is not supported: use a sequential loop around a "
                             "parallel one");
        if (is_flag) {
            omp->in_order |= !nowait;
            if (nowait) omp->nowait = !omp->is_target; // who waits for a target is the host
            continue;
        }
        front_expect(p, FRONT_P_LPAREN, base_format(p->cx, "'%s'", t->text));
        parse_argument(p, omp, clause);
        front_expect(p, FRONT_P_RPAREN, base_format(p->cx, "the argument of '%s'", t->text));
        if (clauses[clause].shape == SHAPE_SCHEDULE) {
            omp->schedule_from = first_token;
            omp->schedule_to = p->at;
        }
    }
}

// ---- atomic ---------------------------------------------------------------------------------------------------------

static const struct {
    const char *word;
    // 0: an order of memory, which a device's relaxed atomics and the loop's end give as far as programs can see
    uint32_t bit;
    bool argument;
} atomic_clauses[] = {
    {"read", FRONT_ATOMIC_READ, false},
    {"write", FRONT_ATOMIC_WRITE, false},
    {"update", FRONT_ATOMIC_UPDATE, false},
    {"capture", FRONT_ATOMIC_CAPTURE, false},
    {"compare", FRONT_ATOMIC_COMPARE, false},
    {"relaxed", 0, false},
    {"acquire", 0, false},
    {"release", 0, false},
    {"acq_rel", 0, false},
    {"seq_cst", 0, false},
    {"hint", 0, true},
    {"fail", 0, true},
    {"weak", 0, false},
};

void front_parse_atomic_clauses(struct front_parser *p, struct front_omp *omp) {
    enum { COUNT = sizeof atomic_clauses / sizeof *atomic_clauses };
    while (!front_is(p, FRONT_TOK_PRAGMA_END)) {
        if (front_accept(p, FRONT_P_COMMA)) continue;
        const struct front_token *t = front_peek(p);
        int i = 0;
        while (i < COUNT && strcmp(atomic_clauses[i].word, t->text) != 0)
            i++;
        if (i == COUNT) {
            base_error(p->cx, t->loc, "unknown clause '%s' of '#pragma omp atomic'", t->text);
            front_omp_skip(p);
            return;
        }
        if (omp->atomic & atomic_clauses[i].bit) base_error(p->cx, t->loc, "clause '%s' is given twice", t->text);
        omp->atomic |= atomic_clauses[i].bit;
        front_next(p);
        if (!atomic_clauses[i].argument) continue;
        front_expect(p, FRONT_P_LPAREN, base_format(p->cx, "'%s'", t->text));
        skip_argument(p, omp, "");
        front_expect(p, FRONT_P_RPAREN, base_format(p->cx, "the argument of '%s'", t->text));
    }
    uint32_t alone = omp->atomic & (FRONT_ATOMIC_READ | FRONT_ATOMIC_WRITE);
    if (alone && (alone != omp->atomic || alone & (alone - 1)))
        base_error(p->cx, omp->loc, "'read' and 'write' stand alone in '#pragma omp atomic'");
    if (!omp->atomic) omp->atomic = FRONT_ATOMIC_UPDATE;
}
