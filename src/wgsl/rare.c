// Rare cases of a run of statements, noticed together.
//
// Sine and cosine of an angle within +-12,800 are a few multiplications; of a larger one, of infinity and of NaN a long
// computation that hardly ever runs. A branch for each of them costs more than the function: nothing is scheduled
// across it. So statements that follow each other without a loop or a store between them are written twice. The first
// text takes every angle for a small one and gathers what would say otherwise in one word; after the last statement
// that word decides whether the second text, with the functions that are right everywhere, does all of it again from
// the values that the variables had before.
//
// The first text may compute anything from a wrong sine; it writes to variables only, and those are written again.
//
// A phase of a grid kernel that runs once beside others in loops has one text: drivers make slow code of kernels that
// are long.
#include "wgsl/emit.h"

enum { MIN_ANGLES = 2, MAX_STATEMENTS = 600 };

struct run {
    struct wgsl_emitter *e;
    uint32_t angles, statements;
    ir_var *written; // declared before the run and written in it: to be put back
    uint32_t written_count, written_cap;
};

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// ---- what may stand in a run --------------------------------------------------------------------------------------------------------

static bool block_fits(const struct wgsl_emitter *e, ir_stmt block, uint32_t *size);

static bool fits(const struct wgsl_emitter *e, ir_stmt s, uint32_t *size) {
    const struct ir_stmt_node *n = node_of(e, s);
    if (++*size > MAX_STATEMENTS) return false;
    switch (n->kind) {
    case IR_NOP: return true;
    case IR_ASSIGN: // of a variable that lives in memory: a store
        return !wgsl_in_state(e->k, n->assign.var);
    case IR_IF:
        return !e->k->resume.last[s] && block_fits(e, n->branch.then_block, size) &&
               block_fits(e, n->branch.else_block, size);
    default: return false;
    }
}

static bool block_fits(const struct wgsl_emitter *e, ir_stmt block, uint32_t *size) {
    for (ir_stmt s = block; s; s = node_of(e, s)->next)
        if (!fits(e, s, size)) return false;
    return true;
}

// The end of the run that starts at s: s itself if it cannot be in one.
static ir_stmt end_of_run(const struct wgsl_emitter *e, ir_stmt s, ir_stmt stop) {
    uint32_t size = 0;
    while (s && s != stop && s != e->in->stop && fits(e, s, &size))
        s = node_of(e, s)->next;
    return s;
}

// ---- what is in it ------------------------------------------------------------------------------------------------------------------

static bool count_angle(void *user, ir_expr x) {
    struct run *r = user;
    const struct ir_node *n = &r->e->u->nodes[x];
    bool pair = (n->op == IR_SIN || n->op == IR_COS) && r->e->u->nodes[n->a].op == IR_VAR &&
                r->e->k->uses.vars[r->e->u->nodes[n->a].a].angles == 3;
    if (n->op == IR_SIN || (n->op == IR_COS && !pair)) r->angles++; // one of a pair counts
    return true;
}

static void note_write(struct run *r, ir_stmt s) {
    struct wgsl_emitter *e = r->e;
    ir_var v = node_of(e, s)->assign.var;
    if (e->k->vars[v].home == WGSL_AT_DEF && e->k->vars[v].def == s) e->rare_stamps[v] = e->rare_stamp; // declared here
    if (e->rare_stamps[v] == e->rare_stamp) return;
    e->rare_stamps[v] = e->rare_stamp;
    BASE_RESERVE(e->cx, r->written, r->written_count, r->written_cap);
    r->written[r->written_count++] = v;
}

static void survey(struct run *r, ir_stmt s, ir_stmt end) {
    for (; s && s != end; s = node_of(r->e, s)->next) {
        const struct ir_stmt_node *n = node_of(r->e, s);
        if (n->kind == IR_ASSIGN) {
            ir_walk_expr(r->e->u, n->assign.value, count_angle, r);
            note_write(r, s);
        } else if (n->kind == IR_IF) {
            ir_walk_expr(r->e->u, n->branch.cond, count_angle, r);
            survey(r, n->branch.then_block, 0);
            survey(r, n->branch.else_block, 0);
        }
    }
}

// ---- the two texts ------------------------------------------------------------------------------------------------------------------

static void statements(struct wgsl_emitter *e, ir_stmt s, ir_stmt end) {
    uint32_t mark = wgsl_angles_mark(e);
    for (; s && s != end; s = node_of(e, s)->next)
        wgsl_statement(e, s);
    wgsl_angles_leave(e, mark); // a pair belongs to its text
}

ir_stmt wgsl_run(struct wgsl_emitter *e, ir_stmt s, ir_stmt stop) {
    if (e->in->fast_math || e->rare_text != WGSL_NO_RUN || wgsl_at_entry_level(e) || e->runs_once) return s;
    ir_stmt end = end_of_run(e, s, stop);
    if (end == s) return s;
    struct run r = {.e = e};
    e->rare_stamp++;
    survey(&r, s, end);
    if (r.angles >= MIN_ANGLES) {
        const char *rare = wgsl_temp(e);
        const char **kept = base_alloc_array(e->cx, r.written_count + 1, sizeof *kept);
        wgsl_line(e, "var %s = 0u;", rare);
        for (uint32_t i = 0; i < r.written_count; i++) {
            kept[i] = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", kept[i], e->names[r.written[i]]);
        }
        e->rare_name = rare;
        e->rare_indent = e->indent;
        e->rare_text = WGSL_FIRST_TEXT;
        statements(e, s, end);
        // Lanes of an iteration must keep the same bits, and the two texts may be rounded differently: all of them or
        // none.
        bool spread = e->lane_mode == WGSL_SUBGROUP;
        if (spread && e->lane_count > e->subgroup) e->subgroup = e->lane_count;
        wgsl_open(e, base_format(e->cx, spread ? "if (subgroupAny(%s >= whorl_rare))" : "if (%s >= whorl_rare)", rare));
        for (uint32_t i = 0; i < r.written_count; i++)
            wgsl_line(e, "%s = %s;", e->names[r.written[i]], kept[i]);
        e->rare_indent = e->indent;
        e->rare_text = WGSL_SECOND_TEXT;
        statements(e, s, end);
        wgsl_close(e);
        e->rare_text = WGSL_NO_RUN;
        return end;
    }
    for (; s != end; s = node_of(e, s)->next)
        wgsl_statement(e, s);
    return end;
}
