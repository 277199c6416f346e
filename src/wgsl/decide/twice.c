// Which statements are written twice: rare cases of a run of them, noticed together.
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
#include "wgsl/decide/kernel.h"

enum { MIN_ANGLES = 2, MAX_STATEMENTS = 600 };

struct walk {
    const struct wgsl_kernel *k;
    const struct wgsl_twice **twice; // by statement
    uint32_t *stamps, stamp;         // by variable handle: of the last run that declares or keeps it
    bool spread;                     // in a loop whose iterations run on lanes of a subgroup
};
struct run {
    struct walk *w;
    uint32_t angles;
    ir_var *written; // declared before the run and written in it: to be put back
    uint32_t written_count, written_cap;
};

static const struct ir_stmt_node *node_of(const struct wgsl_kernel *k, ir_stmt s) { return &k->u->stmts[s]; }

// ---- what may stand in a run ----------------------------------------------------------------------------------------

static bool block_fits(const struct wgsl_kernel *k, ir_stmt block, uint32_t *size);

static bool fits(const struct wgsl_kernel *k, ir_stmt s, uint32_t *size) {
    const struct ir_stmt_node *n = node_of(k, s);
    if (++*size > MAX_STATEMENTS) return false;
    switch (n->kind) {
    case IR_NOP: return n->nop.mark != IR_MARK_MEET;
    case IR_ASSIGN: return !wgsl_in_state(k, n->assign.var); // of a variable that lives in memory: a store
    case IR_IF:
        return !k->resume.last[s] && block_fits(k, n->branch.then_block, size) &&
               block_fits(k, n->branch.else_block, size);
    default: return false;
    }
}

static bool block_fits(const struct wgsl_kernel *k, ir_stmt block, uint32_t *size) {
    for (ir_stmt s = block; s; s = node_of(k, s)->next)
        if (!fits(k, s, size)) return false;
    return true;
}

// The end of the run that starts at s: s itself if it cannot be in one.
static ir_stmt end_of_run(const struct wgsl_kernel *k, ir_stmt s, ir_stmt stop) {
    uint32_t size = 0;
    while (s && s != stop && s != k->in->stop && fits(k, s, &size))
        s = node_of(k, s)->next;
    return s;
}

// ---- what is in it --------------------------------------------------------------------------------------------------

static bool count_angle(void *user, ir_expr x) {
    struct run *r = user;
    const struct wgsl_kernel *k = r->w->k;
    const struct ir_node *n = &k->u->nodes[x];
    bool pair = (n->op == IR_SIN || n->op == IR_COS) && k->u->nodes[n->a].op == IR_VAR &&
                k->uses.vars[k->u->nodes[n->a].a].angles == 3;
    if (n->op == IR_SIN || (n->op == IR_COS && !pair)) r->angles++; // one of a pair counts
    return true;
}

static void note_write(struct run *r, ir_stmt s) {
    struct walk *w = r->w;
    ir_var v = node_of(w->k, s)->assign.var;
    const struct wgsl_var *var = &w->k->vars[v];
    if (var->home == WGSL_AT_DEF && var->def == s) w->stamps[v] = w->stamp; // declared here
    if (w->stamps[v] == w->stamp) return;
    w->stamps[v] = w->stamp;
    BASE_RESERVE(w->k->cx, r->written, r->written_count, r->written_cap);
    r->written[r->written_count++] = v;
}

static void survey(struct run *r, ir_stmt s, ir_stmt end) {
    const struct wgsl_kernel *k = r->w->k;
    for (; s && s != end; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        if (n->kind == IR_ASSIGN) {
            ir_walk_expr(k->u, n->assign.value, count_angle, r);
            note_write(r, s);
        } else if (n->kind == IR_IF) {
            ir_walk_expr(k->u, n->branch.cond, count_angle, r);
            survey(r, n->branch.then_block, 0);
            survey(r, n->branch.else_block, 0);
        }
    }
}

// ---- where runs start -----------------------------------------------------------------------------------------------

static void walk_block(struct walk *w, ir_stmt block);

static void walk_inner(struct walk *w, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(w->k, s);
    ir_stmt inner[2];
    uint32_t blocks = ir_blocks_of(n, inner);
    if (w->k->phases.stores[s] == WGSL_STORE_INSIDE) { // the batch that stands first is apart
        const ir_stmt *batch = w->k->vectors.batch;
        for (ir_stmt first = inner[0]; inner[0] && batch[inner[0]] == first;)
            inner[0] = node_of(w->k, inner[0])->next;
    }
    for (uint32_t i = 0; i < blocks; i++)
        walk_block(w, inner[i]);
}

// What follows s: the end of the run that starts there, else the next statement.
static ir_stmt walk_next(struct walk *w, ir_stmt s, ir_stmt stop) {
    ir_stmt end = end_of_run(w->k, s, stop);
    if (end == s) {
        walk_inner(w, s);
        return node_of(w->k, s)->next;
    }
    struct run r = {.w = w};
    w->stamp++;
    survey(&r, s, end);
    if (r.angles < MIN_ANGLES) return end;
    struct wgsl_twice *twice = base_alloc(w->k->cx, sizeof *twice);
    // Lanes of an iteration must keep the same bits, and the two texts may be rounded differently: all of them or none.
    *twice = (struct wgsl_twice){end, r.written, r.written_count, w->spread};
    w->twice[s] = twice;
    return end;
}

static void walk_block(struct walk *w, ir_stmt block) {
    const struct wgsl_kernel *k = w->k;
    bool split = wgsl_is_split(k, block);
    for (ir_stmt s = block; s && s != k->in->stop;) {
        if (split && wgsl_stands_alone(k, s)) {
            walk_inner(w, s);
            s = node_of(k, s)->next;
            continue;
        }
        ir_stmt stop = split ? wgsl_group_end(k, s) : 0;
        do
            s = walk_next(w, s, stop);
        while (s && s != stop && s != k->in->stop);
    }
}

// The iterations of a parallel loop. On lanes of a workgroup, what all of them run has one text.
static void walk_parfor(struct walk *w, ir_stmt parfor) {
    ir_stmt s = node_of(w->k, parfor)->parfor.body;
    w->spread = wgsl_is_spread(w->k, parfor);
    if (wgsl_has_lanes(w->k, parfor)) {
        ir_stmt rest = node_of(w->k, ir_last_shared(w->k->u, node_of(w->k, parfor)->parfor.body))->next;
        for (; s && s != rest; s = node_of(w->k, s)->next)
            walk_inner(w, s);
    }
    walk_block(w, s);
    w->spread = false;
}

// The entry level has one text, but for what one invocation runs alone.
static void walk_entry(struct walk *w, ir_stmt block) {
    const struct wgsl_kernel *k = w->k;
    for (ir_stmt s = block; s && s != k->in->stop; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        if (n->kind == IR_PARFOR) {
            if (!k->phases.of[s]->runs_once) walk_parfor(w, s);
        } else if (k->in->sequential || (n->flags & IR_FLAG_SOLO)) {
            walk_inner(w, s);
        } else {
            ir_stmt inner[2];
            uint32_t blocks = ir_blocks_of(n, inner);
            for (uint32_t i = 0; i < blocks; i++)
                walk_entry(w, inner[i]);
        }
    }
}

const struct wgsl_twice *const *wgsl_choose_twice(const struct wgsl_kernel *k) {
    struct walk w = {.k = k, .twice = base_alloc_array(k->cx, k->u->stmt_count + 1, sizeof *w.twice)};
    w.stamps = base_alloc_array(k->cx, k->u->var_count + 1, sizeof *w.stamps);
    if (k->in->fast_math) return w.twice;
    if (k->in->sequential || k->in->grid)
        walk_entry(&w, k->body);
    else
        walk_parfor(&w, k->in->stmt);
    return w.twice;
}
