// Arrays whose elements follow from their places: what is made from the place alone is made where it is read.
//
//   parallel for (t < 64) from[t] = t * 100;      x = from[k];      becomes      x = k * 100;
//
// The share of a thread that a region deals out by hand (per, from, to), numbers that begin as 0, 1, 2, ...: what a
// region's threads keep from one worksharing part to the next is an array here, with an element for each of them. Made
// again it is no memory, and how far a loop from there goes can be seen.
//
// The law: one statement of the program stores to the array, at the index of the parallel loop around alone, whatever
// the iteration; what it stores is made of that index, constants and scalars of the run. An element that is read
// before, or that it does not store to, has no value in C, where nothing else has given it one.
#include "pass/passes.h"

struct follower {
    struct ir_unit *u;
    uint32_t *stores; // by array: statements of the unit that write it
    ir_expr *value;   // by array: of its elements; 0: they do not follow
    ir_var *place;    // ... from this variable
    ir_var index;     // of the question under way
    bool plain, replaced;
    bool *gone; // by array: it is made where it is read
};

static bool on_write(void *user, ir_stmt s) {
    struct follower *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_array a = ir_write_of(n).array;
    if (a) x->stores[a] += n->kind == IR_STORE && !n->flags ? 1 : 2;
    return true;
}

static bool on_part(void *user, ir_expr e) {
    struct follower *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->plain &= n->type != IR_F32 && n->op != IR_LOAD &&
                (n->op != IR_VAR || n->a == x->index || x->u->vars[n->a].klass == IR_VAR_PARAM);
    return x->plain;
}

// Cheap enough to be made wherever it is read.
static bool follows(struct follower *x, ir_expr e, ir_var index) {
    struct pass_weight w = pass_weight_of(x->u, e);
    if (w.work > PASS_FOLLOW_WORK || w.nodes > PASS_FOLLOW_NODES) return false;
    x->index = index;
    x->plain = true;
    ir_walk_expr(x->u, e, on_part, x);
    return x->plain;
}

static bool on_parfor(void *user, ir_stmt s) {
    struct follower *x = user;
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind != IR_PARFOR || n->parfor.dim_count != 1) return true;
    ir_var t = u->dims[n->parfor.dims].var;
    for (ir_stmt b = n->parfor.body; b; b = u->stmts[b].next) {
        const struct ir_stmt_node *store = &u->stmts[b];
        ir_array a = store->kind == IR_STORE ? store->store.array : 0;
        if (!a || x->stores[a] != 1 || u->arrays[a].zeroed || u->arrays[a].klass != IR_ARRAY_SCRATCH ||
            u->arrays[a].ndims != 1 || (u->arrays[a].elem != WHORL_I32 && u->arrays[a].elem != WHORL_U32) ||
            !pass_is_var(u, u->args[store->store.indices], t) || !follows(x, store->store.value, t))
            continue;
        x->value[a] = store->store.value;
        x->place[a] = t;
    }
    return true;
}

struct at_place {
    const struct follower *x;
    ir_var var;
    ir_expr index;
};
static ir_expr put_index(void *user, ir_expr e) {
    const struct at_place *p = user;
    return pass_is_var(p->x->u, e, p->var) ? p->index : e;
}

static ir_expr made_again(void *user, ir_expr e) {
    struct follower *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || !x->value[n.a]) return e;
    struct at_place p = {x, x->place[n.a], x->u->args[n.b]};
    if (x->u->nodes[p.index].op != IR_VAR && x->u->nodes[p.index].op != IR_CONST) return e;
    x->replaced = x->gone[n.a] = true;
    return ir_map_expr(x->u, x->value[n.a], put_index, &p);
}

// Again, as elements may follow from others.
void pass_follow(struct pass_cx *p) {
    struct ir_unit *u = p->u;
    struct follower x = {.u = u, .replaced = true};
    bool any = false;
    x.stores = base_alloc_array(u->cx, u->array_count, sizeof *x.stores);
    x.value = base_alloc_array(u->cx, u->array_count, sizeof *x.value);
    x.place = base_alloc_array(u->cx, u->array_count, sizeof *x.place);
    x.gone = base_alloc_array(u->cx, u->array_count, sizeof *x.gone);
    ir_walk_stmts(u, u->root, on_write, &x);
    while (x.replaced) {
        x.replaced = false;
        ir_walk_stmts(u, u->root, on_parfor, &x);
        ir_map_block(u, u->root, made_again, &x);
        any |= x.replaced;
    }
    if (!any) return;
    const char *before = "follow: the elements of ";
    for (ir_array a = 1; a < u->array_count; a++) {
        if (!x.gone[a]) continue;
        base_text_format(p->explain, "%s'%s'", before, u->arrays[a].name);
        before = ", ";
    }
    base_text_put(p->explain, " are made where they are read\n");
    pass_fold(p);
}
