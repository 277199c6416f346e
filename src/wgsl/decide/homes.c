// Where each variable of the kernel is declared: at its first assignment where that comes before every use, everything
// else as a `var` at the start of the iteration.
#include "wgsl/decide/kernel.h"

bool wgsl_is_fixed(const struct wgsl_kernel *k, ir_var v) {
    const struct ir_var_info *info = &k->u->vars[v];
    const struct wgsl_use *use = &k->uses.vars[v];
    if (info->klass == IR_VAR_PARAM || info->klass == IR_VAR_DIM) return true;
    bool kept = use->writes == 0 && use->headers == 0;
    if (k->in->param_words && k->in->param_words[v] != WGSL_NONE && kept) return true;
    return info->klass == IR_VAR_ENTRY && !k->in->sequential && !k->in->grid && kept;
}

bool wgsl_in_state(const struct wgsl_kernel *k, ir_var v) {
    return k->u->vars[v].klass == IR_VAR_ENTRY && k->in->state_words && k->in->state_words[v] != WGSL_NONE;
}

struct find {
    ir_var var;
    const struct ir_unit *u;
    bool hit;
};
static void find_var(void *user, ir_expr leaf) {
    struct find *f = user;
    const struct ir_node *n = &f->u->nodes[leaf];
    f->hit |= n->op == IR_VAR && n->a == f->var;
}
static bool reads_itself(const struct wgsl_kernel *k, const struct ir_stmt_node *assign) {
    struct find f = {assign->assign.var, k->u, false};
    wgsl_visit_leaves(k, assign->assign.value, find_var, &f);
    return f.hit;
}

struct wgsl_var wgsl_home_of(const struct wgsl_kernel *k, ir_var v) {
    const struct wgsl_use *use = &k->uses.vars[v];
    if (use->reads + use->writes + use->headers == 0) return (struct wgsl_var){WGSL_UNUSED, 0};
    if (wgsl_is_fixed(k, v)) {
        if (use->writes || use->headers)
            base_bug(k->cx, "variable %s (%u) cannot be written in a kernel", k->u->vars[v].name, v);
        return (struct wgsl_var){WGSL_FIXED, 0};
    }
    bool saved = k->saved.vars && k->saved.vars[v];
    if (use->entry_level || saved) return (struct wgsl_var){WGSL_TOP, 0}; // kept when the program pauses
    if (use->headers) return (struct wgsl_var){use->outside ? WGSL_TOP : WGSL_HEADER, 0};
    const struct ir_stmt_node *first = &k->u->stmts[use->first];
    if (use->direct && first->kind == IR_ASSIGN && first->assign.var == v && !wgsl_in_state(k, v) &&
        !reads_itself(k, first))
        return (struct wgsl_var){WGSL_AT_DEF, use->first};
    return (struct wgsl_var){WGSL_TOP, 0};
}

const struct wgsl_var *wgsl_choose_homes(const struct wgsl_kernel *k) {
    struct wgsl_var *vars = base_alloc_array(k->cx, k->u->var_count + 1, sizeof *vars);
    for (ir_var v = 1; v < k->u->var_count; v++)
        vars[v] = wgsl_home_of(k, v);
    return vars;
}
