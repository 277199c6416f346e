// Scalars that a parallel loop sets although its iterations share them. Two kinds of programs may: all iterations that
// set one set it to the same constant and none reads it, as the flag of a search; or one iteration alone touches it,
// behind a test such as `i == 0`, or the thread's number against a constant. Such a scalar is an array of one element,
// as one that atomics share.
//
// All else is refused, for it is a race or may be one. Stores are noted while the loop's body is lowered and judged
// when it stands.
#include <string.h>

#include "front/lower/lower.h"

void lower_shared_error(struct lower *lw, const struct lower_object *object, base_loc loc) {
    const char *name = object->name;
    bool flag = object->type->kind == FRONT_BOOL;
    const char *more = "";
    if (!lw->in_phase && !flag && front_is_integer(object->type))
        more = base_format(lw->cx, ", or linear(%s) where each steps it once", name);
    if (!lw->in_phase && front_is_arithmetic(object->type))
        more = base_format(lw->cx, "%s, or lastprivate(%s) where what the last one sets is wanted behind the loop",
                           more, name);
    base_error(lw->cx, loc,
               "'%s' is shared by all %s, and several of them may write it: declare it inside, or add private(%s), or "
               "reduction(%s : %s) where they %s%s",
               name, lw->in_phase ? "threads of the region" : "iterations of the parallel loop", name,
               flag ? "||" : "+", name, flag ? "set it" : "add to it", more);
    base_note(lw->cx, object->loc, "'%s' is declared here", name);
}

static void place_error(struct lower *lw, const struct lower_object *object, base_loc loc) {
    const char *name = object->name;
    base_error(
        lw->cx, loc,
        "'%s' is shared by all %s, and several of them may take the same place by it: each takes its own by "
        "`#pragma omp atomic capture` before `%s = %s++;`, in any order; a list in order is made by a loop without "
        "`omp`",
        name, lw->in_phase ? "threads of the region" : "iterations of the parallel loop",
        strcmp(name, "k") == 0 ? "at" : "k", name);
    base_note(lw->cx, object->loc, "'%s' is declared here", name);
}

void lower_shared_note(struct lower *lw, const struct lower_object *object, ir_array array, base_loc loc) {
    BASE_RESERVE(lw->cx, lw->shared_stores, lw->shared_count, lw->shared_cap);
    lw->shared_stores[lw->shared_count++] = (struct lower_shared_store){object, array, loc, loc == lw->place_loc};
}

// The tests around a statement that only one iteration passes: one of each counter, or one of the thread.
struct test {
    ir_expr counter, value; // are equal; 0: no test
};
struct guard {
    struct test of_dim[IR_MAX_DIMS], of_thread;
};

struct judge {
    const struct lower *lw;
    const struct ir_unit *u;
    const struct ir_dim *dims;
    uint32_t n;
    ir_var thread; // 0: iterations are not bound to threads
    ir_array array;
    bool touched, alone; // alone: all that touches it stands behind the same test
    struct guard guard;  // the first's
    bool constant, read;
    bool stored;
    uint32_t bits;
};

// ---- who comes there ------------------------------------------------------------------------------------------------

static bool varies(void *user, ir_expr e) {
    struct {
        const struct judge *j;
        bool found;
    } *q = user;
    const struct ir_unit *u = q->j->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_VAR)
        q->found |= (u->vars[n->a].klass != IR_VAR_ENTRY && u->vars[n->a].klass != IR_VAR_PARAM) ||
                    lower_is_reduction(q->j->lw, n->a);
    if (n->op == IR_LOAD) q->found |= u->arrays[n->a].klass != IR_ARRAY_IN && u->arrays[n->a].klass != IR_ARRAY_TABLE;
    return !q->found;
}

// A counter, perhaps with a constant added; 0 otherwise.
static ir_var counter(const struct ir_unit *u, ir_expr e) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t constant;
    if ((n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(u, n->b, &constant)) n = &u->nodes[n->a];
    return n->op == IR_VAR ? n->a : 0;
}

static void add_equal(const struct judge *j, ir_expr side, ir_expr value, struct guard *guard) {
    ir_var var = counter(j->u, side);
    struct {
        const struct judge *j;
        bool found;
    } q = {j, false};
    ir_walk_expr(j->u, value, varies, &q);
    if (!var || q.found) return;
    if (var == j->thread) guard->of_thread = (struct test){side, value};
    for (uint32_t d = 0; d < j->n; d++)
        if (j->dims[d].var == var) guard->of_dim[d] = (struct test){side, value};
}

// What the condition says of the counters where it holds, or where it does not.
static void add_test(const struct judge *j, ir_expr cond, bool holds, struct guard *guard) {
    const struct ir_node *n = &j->u->nodes[cond];
    if (n->op == IR_NOT) add_test(j, n->a, !holds, guard);
    if (n->op == (holds ? IR_LAND : IR_LOR)) {
        add_test(j, n->a, holds, guard);
        add_test(j, n->b, holds, guard);
    }
    if (n->op == (holds ? IR_EQ : IR_NE)) {
        add_equal(j, n->a, n->b, guard);
        add_equal(j, n->b, n->a, guard);
    }
}

static bool same_test(const struct judge *j, const struct test *a, const struct test *b) {
    return a->counter && ir_same_expr(j->u, a->counter, b->counter) && ir_same_expr(j->u, a->value, b->value);
}

// Both let the same one iteration pass.
static bool same_one(const struct judge *j, const struct guard *a, const struct guard *b) {
    if (same_test(j, &a->of_thread, &b->of_thread)) return true;
    for (uint32_t d = 0; d < j->n; d++)
        if (!same_test(j, &a->of_dim[d], &b->of_dim[d])) return false;
    return true;
}

// ---- what it does there ---------------------------------------------------------------------------------------------

static void touch(struct judge *j, const struct guard *guard) {
    if (!j->touched) j->guard = *guard;
    j->alone = (!j->touched || j->alone) && same_one(j, &j->guard, guard);
    j->touched = true;
}

static bool find_load(void *user, ir_expr e) {
    struct judge *j = user;
    const struct ir_node *n = &j->u->nodes[e];
    if (n->op == IR_LOAD && n->a == j->array) j->read = true;
    return true;
}

static void read_expr(struct judge *j, ir_expr e, const struct guard *guard) {
    bool before = j->read;
    if (!e) return;
    j->read = false;
    ir_walk_expr(j->u, e, find_load, j);
    if (j->read) touch(j, guard);
    j->read |= before;
}

static void walk(struct judge *j, ir_stmt block, const struct guard *guard) {
    for (ir_stmt s = block; s; s = j->u->stmts[s].next) {
        const struct ir_stmt_node *n = &j->u->stmts[s];
        struct guard yes = *guard, no = *guard;
        uint32_t bits = 0;
        switch (n->kind) {
        case IR_ASSIGN: read_expr(j, n->assign.value, guard); break;
        case IR_STORE:
        case IR_ATOMIC: {
            struct ir_write w = ir_write_of(n);
            for (uint32_t i = 0; i < w.index_count; i++)
                read_expr(j, j->u->args[w.indices + i], guard);
            read_expr(j, w.value, guard);
            if (w.array != j->array) break;
            touch(j, guard);
            j->constant &= n->kind == IR_STORE && ir_is_const(j->u, w.value, &bits) && (!j->stored || bits == j->bits);
            if (j->constant) j->bits = bits;
            j->stored = true;
            break;
        }
        case IR_IF:
            read_expr(j, n->branch.cond, guard);
            add_test(j, n->branch.cond, true, &yes);
            walk(j, n->branch.then_block, &yes);
            add_test(j, n->branch.cond, false, &no);
            walk(j, n->branch.else_block, &no);
            break;
        case IR_FOR:
            read_expr(j, n->counted.lo, guard);
            read_expr(j, n->counted.hi, guard);
            walk(j, n->counted.body, guard);
            break;
        case IR_LOOP:
            read_expr(j, n->loop.cond, guard);
            walk(j, n->loop.body, guard);
            walk(j, n->loop.continuing, guard);
            break;
        default: break;
        }
    }
}

void lower_shared_check(struct lower *lw, ir_stmt body, const struct ir_dim *dims, uint32_t n, ir_var thread) {
    const struct guard everyone = {0};
    for (uint32_t i = 0; i < lw->shared_count; i++) {
        const struct lower_shared_store *s = &lw->shared_stores[i];
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again |= lw->shared_stores[k].array == s->array;
        if (again) continue;
        struct judge j = {.lw = lw, .u = lw->u, .dims = dims, .n = n, .thread = thread, .array = s->array};
        j.constant = true;
        walk(&j, body, &everyone);
        if (!j.alone && (!j.constant || j.read))
            (s->takes_place ? place_error : lower_shared_error)(lw, s->object, s->loc);
    }
    lw->shared_count = 0;
    lower_sections_check(lw);
}
