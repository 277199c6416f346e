// The canonical form of OpenMP's loops (OpenMP 5.0, 2.9.1), and default(none).
//
// A canonical loop has a number of iterations that is known before it starts: the variable, its start, the bound and
// the step are taken out of the three parts of the `for`, and the body must leave the variable alone.
#include "front/omp/openmp.h"

#include <string.h>

static struct front_node *strip_casts(struct front_node *n) {
    while (n->kind == FRONT_CAST && front_is_integer(n->type))
        n = n->a;
    return n;
}

static bool is_var(struct front_node *n, const struct front_symbol *var) {
    n = strip_casts(n);
    return n->kind == FRONT_VAR && n->symbol == var;
}

struct use {
    const struct front_symbol *var;
    base_loc read, written;
};

static void find_use(void *user, struct front_node **place) {
    struct use *use = user;
    const struct front_node *n = *place;
    if (n->kind == FRONT_VAR && n->symbol == use->var) use->read = n->loc;
    if ((n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP || n->kind == FRONT_ADDR) && n->a->kind == FRONT_VAR &&
        n->a->symbol == use->var && !use->written)
        use->written = n->loc;
}

static struct use uses_in(struct front_node *n, const struct front_symbol *var) {
    struct use use = {var, 0, 0};
    struct front_node *copy = n;
    front_walk(&copy, find_use, &use);
    return use;
}

static bool check_init(struct front_parser *p, struct front_node *loop, struct front_omp_loop *out) {
    struct front_node *init = loop->a;
    base_loc loc = init ? init->loc : loop->loc;
    if (init && init->kind == FRONT_EMPTY) return false; // an error was said
    if (init && init->kind == FRONT_BLOCK && init->a && init->a->kind == FRONT_DECL && !init->a->next && init->a->a) {
        out->var = init->a->symbol;
        out->lo = init->a->a;
        out->declared = true;
    } else if (init && init->kind == FRONT_EXPR && init->a->kind == FRONT_ASSIGN && init->a->a->kind == FRONT_VAR) {
        out->var = init->a->a->symbol;
        out->lo = init->a->b;
    } else {
        base_error(p->cx, loc, "the first part of an OpenMP loop must be 'var = init' or 'int var = init'");
        return false;
    }
    bool is_own = out->var->threadprivate;
    if (!front_is_integer(out->var->type) || out->var->type->kind == FRONT_BOOL || is_own) {
        base_error(p->cx, loc,
                   "the variable of an OpenMP loop must be an integer, '%s' has type '%s%s': count by an int",
                   out->var->name, is_own ? "threadprivate " : "", front_type_name(p->cx, out->var->type));
        return false;
    }
    return true;
}

static bool check_test(struct front_parser *p, struct front_node *loop, struct front_omp_loop *out) {
    static const uint8_t mirrored[] = {[FRONT_OP_LT] = FRONT_OP_GT,
                                       [FRONT_OP_LE] = FRONT_OP_GE,
                                       [FRONT_OP_GT] = FRONT_OP_LT,
                                       [FRONT_OP_GE] = FRONT_OP_LE,
                                       [FRONT_OP_NE] = FRONT_OP_NE};
    struct front_node *test = loop->b;
    while (test && test->kind == FRONT_CAST && test->type->kind == FRONT_BOOL)
        test = test->a;
    if (test && test->kind == FRONT_BINARY && test->op >= FRONT_OP_NE && test->op <= FRONT_OP_GE) {
        if (is_var(test->a, out->var)) {
            out->relation = test->op;
            out->hi = test->b;
        } else if (is_var(test->b, out->var)) {
            out->relation = mirrored[test->op];
            out->hi = test->a;
        }
    }
    out->test = test;
    if (out->hi) return true;
    if (test && front_is_error(test)) return false;
    base_error(p->cx, test ? test->loc : loop->loc,
               "the condition of an OpenMP loop must compare '%s' with a bound by '<', '<=', '>', '>=' or '!='",
               out->var->name);
    return false;
}

static bool check_step(struct front_parser *p, struct front_node *loop, struct front_omp_loop *out) {
    struct front_node *step = loop->c;
    if (step && step->kind == FRONT_ASSIGN_OP && is_var(step->a, out->var) &&
        (step->op == FRONT_OP_ADD || step->op == FRONT_OP_SUB)) {
        out->step = step->b;
        out->down = step->op == FRONT_OP_SUB;
    } else if (step && step->kind == FRONT_ASSIGN && is_var(step->a, out->var)) {
        struct front_node *sum = strip_casts(step->b);
        bool adds = sum->kind == FRONT_BINARY && (sum->op == FRONT_OP_ADD || sum->op == FRONT_OP_SUB);
        if (adds && is_var(sum->a, out->var))
            out->step = sum->b;
        else if (adds && sum->op == FRONT_OP_ADD && is_var(sum->b, out->var))
            out->step = sum->a;
        out->down = adds && sum->op == FRONT_OP_SUB;
    }
    if (!step && p->cx->error_count) return false; // perhaps it was wrong
    if (!out->step || !front_is_integer(out->step->type)) {
        base_error(p->cx, step ? step->loc : loop->loc,
                   "the last part of an OpenMP loop must add to or subtract from '%s'", out->var->name);
        return false;
    }
    if (out->step->kind == FRONT_INT) {
        bool is_signed = !front_is_unsigned(out->step->type);
        if (is_signed && (int64_t)out->step->integer < 0) {
            out->step = front_int_node(p, out->step->type->kind, 0 - out->step->integer, out->step->token);
            out->down = !out->down;
        }
        bool up = out->relation == FRONT_OP_LT || out->relation == FRONT_OP_LE;
        if (out->step->integer == 0 || (out->relation != FRONT_OP_NE && up == out->down)) {
            base_error(p->cx, step->loc, "the last part must cause '%s' to %s on each iteration of the OpenMP loop",
                       out->var->name, up ? "increase" : "decrease");
            return false;
        }
        if (out->relation == FRONT_OP_NE && out->step->integer != 1) {
            base_error(p->cx, step->loc, "with '!=' the step of an OpenMP loop must be 1 or -1");
            return false;
        }
    }
    return true;
}

static bool check_loop(struct front_parser *p, struct front_omp *omp, struct front_node *loop,
                       struct front_omp_loop *out) {
    *out = (struct front_omp_loop){.node = loop};
    if (!check_init(p, loop, out) || !check_test(p, loop, out) || !check_step(p, loop, out)) return false;
    struct front_node *const fixed[] = {out->lo, out->hi, out->step};
    for (size_t i = 0; i < 3; i++)
        if (fixed[i] != NULL && uses_in(fixed[i], out->var).read) {
            base_error(p->cx, fixed[i]->loc,
                       "the bounds and the step of an OpenMP loop cannot depend on its variable '%s'", out->var->name);
            return false;
        }
    struct use use = uses_in(loop->d, out->var);
    if (use.written) {
        base_error(p->cx, use.written, "the body of an OpenMP loop cannot change its variable '%s'", out->var->name);
        base_note(p->cx, loop->loc, "the loop is here");
        return false;
    }
    struct front_omp_var *var = front_omp_find(omp, out->var);
    if (var && var->sharing & (FRONT_OMP_SHARED | FRONT_OMP_REDUCTION | FRONT_OMP_FIRSTPRIVATE)) {
        base_error(p->cx, var->loc, "the loop variable '%s' is private: it cannot be shared, firstprivate or reduced",
                   out->var->name);
        return false;
    }
    return true;
}

// gcc 12 makes no pass of a loop that counts down over an unsigned variable where the schedule gives out iterations as
// the run goes on (dynamic, guided, runtime). No result may depend on that clause, so the CPU's text leaves it out
// there; elsewhere it stays, for speed.
static void drop_schedule(struct front_parser *p, const struct front_omp *omp) {
    if (!omp->schedule || strcmp(omp->schedule, "static") == 0 || strcmp(omp->schedule, "auto") == 0) return;
    bool wrong = false;
    for (uint32_t i = 0; i < omp->collapse; i++) {
        const struct front_omp_loop *l = &omp->loops[i];
        bool down = l->relation == FRONT_OP_GT || l->relation == FRONT_OP_GE || (l->relation == FRONT_OP_NE && l->down);
        wrong |= down && front_is_unsigned(l->var->type);
    }
    for (uint32_t i = omp->schedule_from; wrong && i < omp->schedule_to; i++)
        p->ast->edits[i] = "";
}

// gcc 12 counts threads in the counter's type, too, and divides by the 0 that is left of 256 of them in 8 bits. In the
// CPU's text such a counter is an int, as which C computes with it anyway; what it begins with keeps its type.
static void widen_counters(struct front_parser *p, const struct front_omp *omp) {
    for (uint32_t i = 0; i < omp->collapse; i++) {
        const struct front_symbol *var = omp->loops[i].var;
        if (!omp->loops[i].declared || front_int_bits(var->type) != 8) continue;
        uint32_t at = omp->loops[i].node->token + 2, end = var->token + 1; // behind `for (`; `=`
        for (p->ast->edits[at] = "int"; ++at < var->token;)
            p->ast->edits[at] = "";
        p->ast->edits[end] = front_is_unsigned(var->type) ? "= (unsigned char)(" : "= (signed char)(";
        while (p->tokens[end].kind != FRONT_P_SEMI)
            end++;
        p->ast->edits[end] = ");";
    }
}

static void check_loops(struct front_parser *p, struct front_omp *omp) {
    struct front_node *loop = omp->body;
    omp->loops = base_alloc_array(p->cx, omp->collapse, sizeof *omp->loops);
    for (uint32_t i = 0; i < omp->collapse; i++) {
        if (i) { // the next one must be all that the body is
            struct front_node *inner = loop->d;
            while (inner->kind == FRONT_BLOCK && inner->a && !inner->a->next)
                inner = inner->a;
            if (inner->kind != FRONT_FOR) {
                base_error(p->cx, inner->loc,
                           "collapse(%u) needs %u loops with nothing between them: expected a for loop here",
                           omp->collapse, omp->collapse);
                omp->collapse = i;
                return;
            }
            loop = inner;
        }
        if (!check_loop(p, omp, loop, &omp->loops[i])) {
            omp->collapse = i ? i : 1;
            return;
        }
    }
}

void front_check_loops(struct front_parser *p, struct front_omp *omp) {
    size_t errors = p->cx->error_count;
    check_loops(p, omp);
    if (p->cx->error_count != errors) return;
    drop_schedule(p, omp);
    widen_counters(p, omp);
}

// ---- default(none) --------------------------------------------------------------------------------------------------

struct sharing {
    struct front_parser *p;
    struct front_omp *omp;
    uint32_t first_inner_id;
};

static void check_name(struct sharing *c, struct front_symbol *s, base_loc loc) {
    bool variable = s->kind <= FRONT_SYM_STATIC && !s->threadprivate;
    if (!variable || s->id > c->first_inner_id || front_omp_find(c->omp, s)) return;
    for (uint32_t i = 0; c->omp->loops && i < c->omp->collapse; i++)
        if (c->omp->loops[i].var == s) return;
    base_error(c->p->cx, loc, "variable '%s' must have explicitly specified data sharing attributes", s->name);
    base_note(c->p->cx, c->omp->loc,
              "because of default(none) here: name it in shared(...), private(...) or firstprivate(...)");
    BASE_RESERVE(c->p->cx, c->omp->vars, c->omp->var_count, c->omp->var_cap); // said once
    c->omp->vars[c->omp->var_count++] = (struct front_omp_var){.symbol = s, .sharing = FRONT_OMP_SHARED, .loc = loc};
}

static void check_node(void *user, struct front_node **place) {
    const struct front_node *n = *place;
    if (n->kind == FRONT_VAR) check_name(user, n->symbol, n->loc);
    if (n->kind == FRONT_OMP)
        for (uint32_t i = 0; i < n->omp->var_count; i++) {
            struct front_node *step = n->omp->vars[i].step;
            check_name(user, n->omp->vars[i].symbol, n->omp->vars[i].loc);
            if (step) front_walk(&step, check_node, user);
        }
}

void front_check_sharing(struct front_parser *p, struct front_omp *omp, uint32_t first_inner_id) {
    struct sharing c = {p, omp, first_inner_id};
    front_walk(&omp->body, check_node, &c);
}

// ---- target ---------------------------------------------------------------------------------------------------------

static bool is_copy(const struct sharing *c, const struct front_symbol *s) {
    struct front_omp *omp = c->omp;
    if (s->kind > FRONT_SYM_STATIC || s->threadprivate) return false;
    if (!front_is_arithmetic(s->type) || s->id > c->first_inner_id || front_omp_find(omp, s)) return false;
    for (uint32_t i = 0; omp->loops && i < omp->collapse; i++)
        if (omp->loops[i].var == s) return false;
    for (uint32_t i = 0; i < omp->mapped_count; i++)
        if (omp->mapped[i] == s) return false;
    return true;
}

static void leave_out(struct sharing *c, const struct front_symbol *s) {
    BASE_RESERVE(c->p->cx, c->omp->mapped, c->omp->mapped_count, c->omp->mapped_cap);
    c->omp->mapped[c->omp->mapped_count++] = s;
}

// Variables of which directives inside make copies.
static void note_copies(void *user, struct front_node **place) {
    if ((*place)->kind != FRONT_OMP) return;
    const struct front_omp *inner = (*place)->omp;
    for (uint32_t i = 0; i < inner->var_count; i++)
        if (inner->vars[i].sharing == FRONT_OMP_PRIVATE || inner->vars[i].sharing == FRONT_OMP_FIRSTPRIVATE)
            leave_out(user, inner->vars[i].symbol);
    for (uint32_t i = 0; inner->loops && i < inner->collapse; i++)
        leave_out(user, inner->loops[i].var);
}

static void check_changed(void *user, struct front_node **place) {
    struct sharing *c = user;
    const struct front_node *n = *place;
    bool alone = c->omp->constructs == FRONT_OMP_TARGET;
    if (n->kind != FRONT_ASSIGN && n->kind != FRONT_ASSIGN_OP && !(alone && n->kind == FRONT_ADDR)) return;
    if (n->a->kind != FRONT_VAR || !is_copy(c, n->a->symbol)) return;
    struct front_symbol *s = n->a->symbol;
    bool perhaps = s->kind >= FRONT_SYM_GLOBAL; // by `declare target`, which is not looked at
    if (!alone || perhaps) {
        base_error(c->p->cx, n->loc, "'%s' %s under '%s'", s->name,
                   perhaps ? "may stand on the device" : "is a copy, whose value nobody gets,", c->omp->words);
        base_note(c->p->cx, c->omp->loc, "to have it back, add map(tofrom : %s) here", s->name);
    }
    BASE_RESERVE(c->p->cx, c->omp->vars, c->omp->var_count, c->omp->var_cap); // said once
    c->omp->vars[c->omp->var_count++] =
        (struct front_omp_var){.symbol = s, .sharing = FRONT_OMP_FIRSTPRIVATE, .loc = n->loc};
}

// A scalar that no clause of `target` names is a copy there: what the block makes of it is gone behind it.
void front_check_target(struct front_parser *p, struct front_omp *omp, uint32_t first_inner_id) {
    struct sharing c = {p, omp, first_inner_id};
    if (omp->maps_scalars) return;
    if (omp->constructs != FRONT_OMP_TARGET) front_walk(&omp->body, note_copies, &c);
    front_walk(&omp->body, check_changed, &c);
}
