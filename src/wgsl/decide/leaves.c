// What an expression reads: its variables and loads, those of array sizes in its index arithmetic too.
#include "wgsl/decide/kernel.h"

struct wgsl_leaves {
    uint32_t stamp;
    uint32_t *seen; // by node: stamp of the last walk that came to it
};

struct wgsl_leaves *wgsl_leaves_create(struct base_cx *cx, const struct ir_unit *u) {
    struct wgsl_leaves *l = base_alloc(cx, sizeof *l);
    *l = (struct wgsl_leaves){.seen = base_alloc_array(cx, u->node_count + 1, sizeof *l->seen)};
    return l;
}

struct visit {
    const struct wgsl_kernel *k;
    void (*fn)(void *user, ir_expr node);
    void *user;
    bool leaves; // alone
};

static void visit(const struct visit *v, ir_expr x);

// The index arithmetic of an element reads the sizes of all dimensions but the first.
static void visit_strides(const struct visit *v, ir_array a) {
    const struct ir_array_info *info = &v->k->u->arrays[a];
    for (uint32_t d = 1; d < info->ndims; d++)
        visit(v, info->dims[d]);
}

static void visit(const struct visit *v, ir_expr x) {
    const struct ir_unit *u = v->k->u;
    struct wgsl_leaves *l = v->k->leaves;
    if (x == 0 || l->seen[x] == l->stamp) return;
    l->seen[x] = l->stamp;
    const struct ir_node *n = &u->nodes[x];
    if (n->op == IR_VAR || n->op == IR_LOAD || !v->leaves) v->fn(v->user, x);
    if (n->op == IR_LOAD) {
        for (uint32_t i = 0; i < n->n; i++)
            visit(v, u->args[n->b + i]);
        visit_strides(v, n->a);
        return;
    }
    uint32_t operands[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++)
        visit(v, operands[i]);
}

static void walk(const struct visit *v, ir_expr x, ir_array strides) {
    v->k->leaves->stamp++;
    visit(v, x);
    if (strides) visit_strides(v, strides);
}

void wgsl_visit_nodes(const struct wgsl_kernel *k, ir_expr x, void (*fn)(void *user, ir_expr node), void *user) {
    walk(&(struct visit){k, fn, user, false}, x, 0);
}

void wgsl_visit_leaves(const struct wgsl_kernel *k, ir_expr x, void (*fn)(void *user, ir_expr leaf), void *user) {
    walk(&(struct visit){k, fn, user, true}, x, 0);
}

void wgsl_visit_strides(const struct wgsl_kernel *k, ir_array a, void (*fn)(void *user, ir_expr leaf), void *user) {
    walk(&(struct visit){k, fn, user, true}, 0, a);
}

struct steady {
    const struct wgsl_kernel *k;
    bool with_dims, holds;
};
static void on_leaf(void *user, ir_expr leaf) {
    struct steady *s = user;
    const struct ir_node *n = &s->k->u->nodes[leaf];
    const struct ir_var_info *v = n->op == IR_VAR ? &s->k->u->vars[n->a] : NULL;
    const struct wgsl_use *use = v ? &s->k->uses.vars[n->a] : NULL;
    s->holds &= v && (v->klass == IR_VAR_PARAM || (s->with_dims && v->klass == IR_VAR_DIM) ||
                      (use->headers && use->writes == 0));
}

bool wgsl_is_steady(const struct wgsl_kernel *k, ir_expr x, bool with_dims) {
    struct steady s = {k, with_dims, true};
    wgsl_visit_leaves(k, x, on_leaf, &s);
    return s.holds;
}
