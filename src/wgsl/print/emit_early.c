// Loads that are asked for early (early.c). They wait in variables of the kernel, which phases use one after the other:
// a lane always holds there what its next pass begins with.
#include "wgsl/print/emit.h"

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

void wgsl_declare_early(struct wgsl_emitter *e) {
    for (int type = 0; type < 5; type++)
        for (uint32_t words = 1; words <= WGSL_WIDEST; words++)
            for (uint32_t i = 0; i < e->k->early.most[type][words]; i++) {
                const char *element = ir_type_name((enum ir_type)type);
                if (words > 1) element = base_format(e->cx, "vec%u<%s>", words, element);
                wgsl_line(e, "var %s: %s;", wgsl_early_name(e, (enum ir_type)type, words, i), element);
            }
}

static const char *lane_of(const struct wgsl_emitter *e, const struct ir_stmt_node *loop) {
    return e->u->vars[loop->counted.var].type == IR_I32 ? "i32(lane)" : "lane";
}
static const char *suffix_of(const struct wgsl_emitter *e, const struct ir_stmt_node *loop) {
    return e->u->vars[loop->counted.var].type == IR_I32 ? "" : "u";
}

// The loads of pass `pass`, a name.
static void load_pass(struct wgsl_emitter *e, const struct wgsl_early *x, const char *pass) {
    const struct ir_stmt_node *n = node_of(e, x->loop);
    const char *own = e->names[n->counted.var];
    e->names[n->counted.var] = pass;
    wgsl_keep_batch(e, wgsl_load_batch(e, n->counted.body));
    e->names[n->counted.var] = own;
}

// Those of the first pass of iteration `it`, which is in scope.
static void load_first(struct wgsl_emitter *e, const struct wgsl_early *x) {
    const struct ir_stmt_node *n = node_of(e, x->loop);
    const char **own = base_alloc_array(e->cx, x->def_count + 1, sizeof *own), *pass = wgsl_temp(e);
    wgsl_emit_dims(e, node_of(e, x->parfor));
    for (uint32_t i = 0; i < x->def_count; i++) {
        const struct ir_stmt_node *def = node_of(e, x->defs[i]);
        const char *name = wgsl_temp(e);
        wgsl_begin(e, &def->assign.value, 1);
        wgsl_line(e, "let %s = %s;", name, wgsl_expr(e, def->assign.value));
        own[i] = e->names[def->assign.var];
        e->names[def->assign.var] = name;
    }
    wgsl_line(e, "let %s = min(%s, %u%s);", pass, lane_of(e, n), x->trips - 1, suffix_of(e, n));
    load_pass(e, x, pass);
    for (uint32_t i = 0; i < x->def_count; i++)
        e->names[node_of(e, x->defs[i])->assign.var] = own[i];
}

void wgsl_early_first(struct wgsl_emitter *e, const struct wgsl_early *x) {
    const struct ir_stmt_node *parfor = node_of(e, x->parfor);
    bool was_in_phase = e->in_phase;
    e->in_phase = true; // nothing in it need be uniform
    wgsl_open(e, "");
    wgsl_line(e, "let lane = %s;", wgsl_lane_text(e, parfor));
    wgsl_line(e, "let it = %s;", wgsl_grid_iteration(e, parfor));
    wgsl_open(e, base_format(e->cx, "if (it < %uu)", x->total));
    load_first(e, x);
    wgsl_close(e);
    wgsl_close(e);
    e->in_phase = was_in_phase;
}

static void load_next_iteration(struct wgsl_emitter *e, const struct wgsl_early *x) {
    wgsl_open(e, "if (k + abreast < total)");
    wgsl_line(e, "let it = k + abreast;");
    load_first(e, x);
    wgsl_close(e);
}

ir_stmt wgsl_early_pass(struct wgsl_emitter *e, const struct wgsl_early *x) {
    const struct ir_stmt_node *n = node_of(e, x->loop);
    const char *suffix = suffix_of(e, n), *next = wgsl_temp(e);
    ir_stmt first = n->counted.body, rest = first;
    const struct wgsl_batch *batch = wgsl_kept_batch(e, first);
    if (x->trips > e->lane_count) {
        wgsl_line(e, "let %s = %s + %u%s;", next, e->names[n->counted.var], e->lane_count, suffix);
        wgsl_open(e, base_format(e->cx, "if (%s < %u%s)", next, x->trips, suffix));
        load_pass(e, x, next);
        wgsl_else(e);
        load_next_iteration(e, x);
        wgsl_close(e);
    } else {
        load_next_iteration(e, x);
    }
    wgsl_assign_batch(e, batch);
    while (rest && e->k->vectors.batch[rest] == first)
        rest = node_of(e, rest)->next;
    return rest;
}

void wgsl_early_loop(struct wgsl_emitter *e, const struct wgsl_early *x) {
    const struct ir_stmt_node *n = node_of(e, x->loop);
    const char *var = e->names[n->counted.var], *suffix = suffix_of(e, n);
    wgsl_stage_settle(e);
    wgsl_open(e, "");
    wgsl_line(e, "%s%s = select(%u%s, %s, %s);", e->k->vars[n->counted.var].home == WGSL_HEADER ? "var " : "", var,
              x->trips, suffix, lane_of(e, n), e->live);
    wgsl_open(e,
              base_format(e->cx, "for (; %s < %u%s; %s += %u%s)", var, x->trips, suffix, var, e->lane_count, suffix));
    wgsl_loop_body(e, wgsl_early_pass(e, x), "");
    wgsl_close(e);
    wgsl_open(e, base_format(e->cx, "if (%s < %u%s)", var, x->trips, suffix));
    wgsl_failure(e);
    wgsl_close(e);
    wgsl_close(e);
}
