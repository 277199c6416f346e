// Provable races: two iterations of a parallel loop that surely touch one element, at least one of them writing a value
// that the other would not have written. Only what certainly happens counts (unconditional accesses, at least two
// iterations), so that a clean loop is never accused.
#include "pass/analysis/race_example.h"

static bool depends_on_space(const struct pass_affine *f, const struct pass_space *space) {
    for (uint32_t i = 0; i < space->n; i++)
        if (pass_affine_coef(f, space->vars[i])) return true;
    return false;
}

// All subscripts are known and the same in every iteration (inner loop variables may take part: each iteration runs
// them all; what an iteration assigns itself, from a load or an atomic, may differ).
static bool same_everywhere(const struct pass_scope *sc, const struct pass_access *a, const struct pass_space *space) {
    for (uint32_t d = 0; d < a->n; d++) {
        if (!a->sub[d].ok || depends_on_space(&a->sub[d], space)) return false;
        for (uint32_t i = 0; i < a->sub[d].n; i++)
            if (sc->u->vars[a->sub[d].vars[i]].klass == IR_VAR_LOCAL && sc->assign_count[a->sub[d].vars[i]])
                return false;
    }
    return true;
}

struct value_search {
    const struct ir_unit *u;
    ir_array array;
    bool loads_array;
};

static bool value_node(void *user, ir_expr e) {
    struct value_search *v = user;
    const struct ir_node *n = &v->u->nodes[e];
    if (n->op == IR_LOAD && n->a == v->array) v->loads_array = true;
    return true;
}

// Different iterations store values of their own: the index itself up to an injective conversion and scaling, or what
// stands at it in an array. Not what a comparison or a division makes of it, which may be one value for all.
static bool value_differs(struct pass_scope *sc, ir_expr value, const struct pass_space *space) {
    const struct ir_node *n = &sc->u->nodes[value];
    if (n->op == IR_I2F || n->op == IR_U2F || n->op == IR_I2U || n->op == IR_U2I) return value_differs(sc, n->a, space);
    if (n->op == IR_LOAD) {
        for (uint32_t d = 0; d < sc->u->arrays[n->a].ndims; d++)
            if (value_differs(sc, sc->u->args[n->b + d], space)) return true;
        return false;
    }
    struct pass_affine f = pass_affine_of(sc, value);
    return f.ok && depends_on_space(&f, space);
}

static bool many(const struct pass_space *space) {
    for (uint32_t i = 0; i < space->n; i++)
        if (space->extents[i] > 1 && space->extents[i] != UINT32_MAX) return true;
    return false;
}

// The form is the same in all iterations of the loop: scalars of the entry level, counters of loops around among them,
// but what it reduces.
static bool fixed(const struct ir_unit *u, const struct pass_affine *f, ir_stmt parfor) {
    const struct ir_stmt_node *loop = &u->stmts[parfor];
    for (uint32_t i = 0; i < f->n; i++) {
        uint8_t klass = u->vars[f->vars[i]].klass;
        if (klass != IR_VAR_ENTRY && klass != IR_VAR_PARAM) return false;
        for (uint32_t r = 0; r < loop->parfor.reduction_count; r++)
            if (u->reductions[loop->parfor.reductions + r].var == f->vars[i]) return false;
    }
    return true;
}

// load X[i + c1] against store X[i + c2], c1 != c2, in one dimension; equal in the others.
static int64_t shifted(const struct ir_unit *u, const struct pass_access *load, const struct pass_access *store,
                       const struct pass_space *space, ir_stmt parfor) {
    int64_t shift = 0;
    for (uint32_t d = 0; d < store->n; d++) {
        if (!load->sub[d].ok || !store->sub[d].ok) return 0;
        if (pass_affine_equal(&load->sub[d], &store->sub[d])) {
            // With the loop's own variable in it other iterations are elsewhere in this dimension; a further variable
            // in the same place need not have the same value.
            if (!fixed(u, &load->sub[d], parfor)) return 0;
            continue;
        }
        if (shift || !pass_affine_distinct(&load->sub[d], &store->sub[d]) || load->sub[d].n != 1 || space->n != 1 ||
            load->sub[d].vars[0] != space->vars[0])
            return 0;
        int64_t coef = load->sub[d].coefs[0] * space->steps[0], delta = load->sub[d].constant - store->sub[d].constant;
        if (coef == 0 || delta % coef) return 0;
        shift = delta / coef;
    }
    return shift;
}

static bool check_parfor(struct pass_scope *sc, struct witness *witness, ir_stmt parfor, bool first) {
    if (witness && pass_witness_race(witness, parfor)) return true;
    if (!first) return false;
    struct ir_unit *u = sc->u;
    struct pass_accesses list = {0};
    struct pass_space space;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    pass_collect(sc, u->stmts[parfor].parfor.body, &list);
    pass_space_of(sc, parfor, &space);
    bool reported = false;
    for (uint32_t k = 0; many(&space) && k < list.count && !reported; k++) {
        const struct pass_access *store = &list.items[k];
        const struct ir_stmt_node *s = &u->stmts[store->stmt];
        if (!store->store || store->conditional || s->kind == IR_ATOMIC || s->flags & IR_FLAG_ATOMIC) continue;
        const char *name = u->arrays[store->array].name;
        if (same_everywhere(sc, store, &space)) {
            struct value_search v = {u, store->array, false};
            ir_walk_expr(u, s->store.value, value_node, &v);
            if (v.loads_array) {
                base_error(u->cx, s->loc, "data race: every iteration reads and writes the same element of '%s'", name);
                base_note(u->cx, u->stmts[parfor].loc,
                          "in this parallel loop; use `reduction(op:x)` on a scalar, and store it after the loop");
                reported = true;
            } else if (value_differs(sc, s->store.value, &space)) {
                base_error(u->cx, s->loc,
                           "data race: every iteration writes the same element of '%s', with a value of its own", name);
                base_note(u->cx, u->stmts[parfor].loc, "in this parallel loop; index '%s' by the loop's variable",
                          name);
                reported = true;
            }
            continue;
        }
        for (uint32_t j = 0; j < list.count && !reported; j++) {
            const struct pass_access *load = &list.items[j];
            if (load->store || load->array != store->array || load->conditional) continue;
            int64_t shift = shifted(u, load, store, &space, parfor);
            uint64_t far = (uint64_t)(shift < 0 ? -shift : shift);
            if (shift && far < space.extents[0]) {
                base_error(u->cx, s->loc,
                           "data race: an iteration writes '%s' where the iteration %lld away from it reads", name,
                           (long long)-shift);
                base_note(u->cx, u->nodes[load->load].loc, "read here; write to a second array instead");
                reported = true;
            }
        }
    }
    pass_scope_leave(sc, mark);
    return reported;
}

static bool check_without_examples(struct pass_scope *sc, struct witness *witness, ir_stmt parfor, bool first) {
    (void)witness;
    return check_parfor(sc, NULL, parfor, first);
}

void pass_check_races(struct ir_unit *u, bool examples) {
    pass_race_walk(u, examples ? check_parfor : check_without_examples);
}
