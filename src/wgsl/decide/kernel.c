// The decisions about a kernel, in their order.
#include "wgsl/decide/kernel.h"

uint32_t wgsl_array_count(const struct wgsl_kernel *k, ir_array a) {
    const struct ir_array_info *info = &k->u->arrays[a];
    uint64_t count = 1;
    for (uint32_t d = 0; d < info->ndims; d++) {
        uint32_t bits;
        if (!ir_is_const(k->u, info->dims[d], &bits))
            base_bug(k->cx, "a local array with an unknown dimension: %s", info->name);
        count *= bits;
        if (count > 1u << 24)
            base_unsupported(k->cx, info->loc, "local array '%s' is too large for one iteration", info->name);
    }
    return count ? (uint32_t)count : 1;
}

bool wgsl_is_packed(const struct wgsl_kernel *k, ir_array a) {
    const struct ir_array_info *info = &k->u->arrays[a];
    return (info->klass == IR_ARRAY_IN || info->klass == IR_ARRAY_INOUT) && !k->in->places[a].wide &&
           whorl_dtype_size((enum whorl_dtype)info->elem) < 4;
}

bool wgsl_one_pass(const struct wgsl_kernel *k, ir_stmt loop, uint32_t lanes) {
    const struct ir_stmt_node *n = &k->u->stmts[loop];
    uint32_t lo, hi;
    if (!ir_is_const(k->u, n->counted.lo, &lo) || !ir_is_const(k->u, n->counted.hi, &hi)) return false;
    return n->counted.step == 1 && lo == 0 && hi == lanes;
}

bool wgsl_has_lanes(const struct wgsl_kernel *k, ir_stmt parfor) {
    const struct ir_stmt_node *n = &k->u->stmts[parfor];
    return n->kind == IR_PARFOR && (n->flags & IR_FLAG_LANES) && !n->parfor.lane_var;
}

bool wgsl_is_spread(const struct wgsl_kernel *k, ir_stmt parfor) {
    const struct ir_stmt_node *n = &k->u->stmts[parfor];
    return n->kind == IR_PARFOR && (n->flags & IR_FLAG_LANES) && n->parfor.lane_var && !(n->flags & IR_FLAG_TEAM);
}

bool wgsl_is_team(const struct wgsl_kernel *k, ir_stmt parfor) {
    const struct ir_stmt_node *n = &k->u->stmts[parfor];
    return n->kind == IR_PARFOR && (n->flags & IR_FLAG_TEAM);
}

const struct wgsl_kernel *wgsl_decide(struct base_cx *cx, const struct wgsl_input *in) {
    struct wgsl_kernel *k = base_alloc(cx, sizeof *k);
    const struct ir_stmt_node *first = &in->unit->stmts[in->stmt];
    if (!in->sequential && !in->grid && (first->kind != IR_PARFOR || first->parfor.reduction_count != 0))
        base_bug(cx, "a kernel needs a PARFOR without reductions");
    *k = (struct wgsl_kernel){.cx = cx, .in = in, .u = in->unit};
    k->body = in->sequential || in->grid ? in->stmt : first->parfor.body;
    k->leaves = wgsl_leaves_create(cx, in->unit);
    k->resume = wgsl_number_resume(k);
    k->uses = wgsl_find_uses(k);
    k->saved = wgsl_choose_saved(k);
    k->vars = wgsl_choose_homes(k);
    k->vectors = wgsl_choose_vectors(k);
    k->phases = wgsl_choose_phases(k);
    k->early = wgsl_choose_early(k);
    k->sent = wgsl_count_sent(k);
    k->memory = wgsl_choose_memory(k);
    k->twice = wgsl_choose_twice(k);
    k->subgroup = wgsl_choose_subgroup(k);
    return k;
}
