// Statements. Beside resume loops everything stands under a guard: `rp` is 0 while the iteration runs, the number of
// the resume point that it still has to reach when it was continued, and WGSL_PAUSED from a pause to the end.
#include <string.h>

#include "wgsl/print/emit.h"

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

void wgsl_assign(struct wgsl_emitter *e, ir_stmt s, const char *value) {
    const struct ir_stmt_node *n = node_of(e, s);
    ir_var v = n->assign.var;
    const struct wgsl_var *var = &e->k->vars[v];
    const char *name = e->names[v];
    if (!value) wgsl_begin(e, &n->assign.value, 1);
    const char *text = value ? value : wgsl_expr(e, n->assign.value);
    // naga takes a `let` of a constant for a constant, and refuses what it then knows to be out of range
    bool once = e->k->uses.vars[v].writes == 1 && e->u->nodes[n->assign.value].op != IR_CONST;
    const char *how = var->home != WGSL_AT_DEF || var->def != s ? "" : once ? "let " : "var ";
    if (*how && e->rare.text != WGSL_ONE_TEXT && e->indent == e->rare.indent)
        how = e->rare.text == WGSL_FIRST_TEXT ? "var " : ""; // the second text writes to what the first declared
    wgsl_line(e, "%s%s = %s;", how, name, text);
    wgsl_angles_write(e, v);
    if (!once) wgsl_forget_rows(e, name);
    if (!e->in->sequential && wgsl_in_state(e->k, v))
        wgsl_line(e, "b%u[%u] = %s;", e->in->state_slot, e->in->state_words[v],
                  wgsl_to_bits(e, (enum ir_type)e->u->vars[v].type, name));
}

// The expressions of a STORE or ATOMIC.
static void begin_write(struct wgsl_emitter *e, uint32_t indices, uint32_t count, ir_expr value) {
    ir_expr exprs[IR_MAX_DIMS + 1];
    count = count < IR_MAX_DIMS ? count : IR_MAX_DIMS;
    for (uint32_t i = 0; i < count; i++)
        exprs[i] = e->u->args[indices + i];
    exprs[count] = value;
    wgsl_begin(e, exprs, count + 1);
}

static void emit_store(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    bool local = e->array_names[n->store.array] != NULL && !e->u->arrays[n->store.array].lanes;
    const char *guard = local ? NULL : wgsl_store_guard(e, n);
    if (guard) wgsl_open(e, base_format(e->cx, "if (%s)", guard));
    begin_write(e, n->store.indices, n->store.index_count, n->store.value);
    wgsl_store(e, n);
    if (guard) wgsl_close(e);
}

static void emit_atomic(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    const char *guard = wgsl_store_guard(e, n);
    if (guard) wgsl_open(e, base_format(e->cx, "if (%s)", guard));
    begin_write(e, n->atomic.indices, n->atomic.index_count, n->atomic.value);
    wgsl_atomic(e, n);
    if (guard) wgsl_close(e);
}

// The condition of an IF; uniform where a barrier may stand inside.
static const char *emit_condition(struct wgsl_emitter *e, ir_expr cond, bool uniform) {
    wgsl_begin(e, &cond, 1);
    const char *text = wgsl_expr(e, cond);
    return uniform ? wgsl_grid_uniform(e, IR_BOOL, cond, text) : text;
}

static void emit_branches(struct wgsl_emitter *e, const struct ir_stmt_node *n, const char *cond) {
    wgsl_open(e, base_format(e->cx, "if (%s)", cond));
    wgsl_block(e, n->branch.then_block);
    if (n->branch.else_block) {
        wgsl_else(e);
        wgsl_block(e, n->branch.else_block);
    }
    wgsl_close(e);
}

// A branch that holds the resume point is entered again by the point's number.
static void emit_resume_if(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    uint32_t last_then = 0;
    for (ir_stmt t = n->branch.then_block; t; t = node_of(e, t)->next)
        last_then = e->k->resume.last[t] ? e->k->resume.last[t] : last_then;
    const char *take = wgsl_temp(e);
    wgsl_open(e, base_format(e->cx, "if (rp <= %uu)", e->k->resume.last[s]));
    wgsl_line(e, "var %s = (rp <= %uu);", take, last_then);
    wgsl_open(e, "if (rp == 0u)");
    wgsl_line(e, "%s = %s;", take, emit_condition(e, n->branch.cond, wgsl_at_entry_level(e)));
    wgsl_close(e);
    emit_branches(e, n, take);
    wgsl_close(e);
}

static void emit_if(struct wgsl_emitter *e, ir_stmt s) {
    if (e->lane_mode == WGSL_ALL_LANES && ir_has_shared(e->u, s)) {
        wgsl_lanes_if(e, s);
        return;
    }
    const struct ir_stmt_node *n = node_of(e, s);
    if (e->k->resume.last[s]) {
        emit_resume_if(e, s);
        return;
    }
    // for copies of boxes all of a workgroup come together
    bool uniform = wgsl_at_entry_level(e) || ir_copies_boxes(e->u, n->branch.then_block) ||
                   ir_copies_boxes(e->u, n->branch.else_block);
    emit_branches(e, n, emit_condition(e, n->branch.cond, uniform));
}

// One invocation of the workgroup loads, and tells the others.
static void assign_told(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    enum ir_type type = (enum ir_type)e->u->vars[n->assign.var].type;
    const char *bits = wgsl_temp(e);
    wgsl_line(e, "var %s = 0u;", bits);
    wgsl_open(e, "if (li == 0u)");
    e->in_phase = true; // nothing in it need be uniform
    wgsl_begin(e, &n->assign.value, 1);
    wgsl_line(e, "%s = %s;", bits, wgsl_to_bits(e, type, wgsl_expr(e, n->assign.value)));
    e->in_phase = false;
    wgsl_close(e);
    wgsl_forget_rows(e, NULL); // what has a name in there
    wgsl_assign(e, s, wgsl_from_bits(e, type, base_format(e->cx, "whorl_uniform(li, %s)", bits)));
}

static void emit_kind(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    switch (n->kind) {
    case IR_NOP:
        if (n->nop.mark == IR_MARK_MEET) wgsl_lanes_meet(e, s);
        break;
    case IR_ASSIGN:
        if (n->flags & IR_FLAG_GROUP && wgsl_at_entry_level(e))
            assign_told(e, s);
        else
            wgsl_assign(e, s, NULL);
        break;
    case IR_STORE: emit_store(e, s); break;
    case IR_ATOMIC: emit_atomic(e, s); break;
    case IR_IF: emit_if(e, s); break;
    case IR_FOR: e->k->resume.last[s] ? wgsl_resume_for(e, s) : wgsl_for(e, s); break;
    case IR_LOOP: e->k->resume.last[s] ? wgsl_resume_loop(e, s) : wgsl_loop_stmt(e, s); break;
    case IR_BREAK:
        if (*e->loop->on_break) wgsl_line(e, "%s", e->loop->on_break);
        wgsl_line(e, "break;");
        break;
    case IR_CONTINUE: wgsl_line(e, "continue;"); break;
    case IR_PARFOR: wgsl_grid_phase(e, s); break;
    case IR_STAGE:
        if (n->stage.origin_count) wgsl_boxes(e, s); // of whole arrays the phase makes the copies
        break;
    case IR_TURN: wgsl_boxes(e, s); break;
    case IR_BARRIER:
        if (e->in->grid) wgsl_grid_barrier(e, s); // in a fallback's stretch the dispatch's end is the barrier
        break;
    case IR_AGREE: (void)wgsl_agree(e, s, n->next); break;
    default: base_bug(e->cx, "statement kind %d cannot stand here in a kernel", n->kind);
    }
}

void wgsl_statement(struct wgsl_emitter *e, ir_stmt s) {
    bool solo = wgsl_at_entry_level(e) && (node_of(e, s)->flags & IR_FLAG_SOLO);
    if (solo) {
        wgsl_open(e, "if (first)");
        e->in_phase = true; // one invocation: nothing in it need be uniform
    }
    if (!wgsl_together(e, s)) emit_kind(e, s);
    if (node_of(e, s)->kind != IR_ASSIGN && node_of(e, s)->kind != IR_STORE) wgsl_forget_rows(e, NULL);
    if (solo) {
        e->in_phase = false;
        wgsl_close(e);
    }
}

// Condition of a store that is printed by itself; NULL: it has none, or is another statement.
static const char *guard_of(const struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    if (n->kind != IR_STORE || e->k->twice[s] || e->k->vectors.batch[s] ||
        (e->array_names[n->store.array] && !e->u->arrays[n->store.array].lanes))
        return NULL;
    return wgsl_at_entry_level(e) ? NULL : wgsl_store_guard(e, n);
}

// Stores in a row that are made under one condition, which is tested once; returns what comes after.
static ir_stmt emit_guarded(struct wgsl_emitter *e, ir_stmt s, ir_stmt end, const char *guard) {
    wgsl_open(e, base_format(e->cx, "if (%s)", guard));
    do {
        const struct ir_stmt_node *n = node_of(e, s);
        begin_write(e, n->store.indices, n->store.index_count, n->store.value);
        wgsl_store(e, n);
        s = n->next;
    } while (s && s != end && guard_of(e, s) && strcmp(guard_of(e, s), guard) == 0);
    wgsl_close(e);
    return s;
}

// The statement, and those that are written twice, exchanged or guarded with it, but not `end`; returns what comes
// after.
static ir_stmt emit_next(struct wgsl_emitter *e, ir_stmt s, ir_stmt end) {
    const struct wgsl_twice *twice = e->k->twice[s];
    if (node_of(e, s)->kind == IR_AGREE && !twice) {
        wgsl_forget_rows(e, NULL);
        return wgsl_agree(e, s, end);
    }
    if (node_of(e, s)->kind == IR_COMBINE) {
        wgsl_forget_rows(e, NULL);
        return wgsl_combines(e, s, end);
    }
    if (node_of(e, s)->kind == IR_NEIGHBOUR) {
        wgsl_forget_rows(e, NULL);
        return wgsl_neighbours(e, s);
    }
    if (guard_of(e, s)) return emit_guarded(e, s, end, guard_of(e, s));
    if (twice)
        wgsl_write_twice(e, s);
    else
        wgsl_statement(e, s);
    return twice ? twice->end : node_of(e, s)->next;
}

void wgsl_block(struct wgsl_emitter *e, ir_stmt block) {
    bool split = wgsl_is_split(e->k, block);
    for (ir_stmt s = block; s && s != e->in->stop;) {
        if (!split || wgsl_stands_alone(e->k, s)) {
            uint8_t kind = node_of(e, s)->kind;
            s = emit_next(e, s, e->in->stop);
            if (kind == IR_BREAK || kind == IR_CONTINUE) return; // what follows is never reached
            continue;
        }
        wgsl_open(e, "if (rp == 0u)");
        for (ir_stmt end = wgsl_group_end(e->k, s); s != end;)
            s = emit_next(e, s, end);
        wgsl_close(e);
    }
}
