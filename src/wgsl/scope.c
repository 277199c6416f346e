// Where each variable of the kernel is declared.
//
// A variable is declared at its first assignment when that statement stands in the innermost block that holds all uses: then it
// comes before all of them, in every pass of every loop around. Everything else is a `var` at the start of the iteration. Found by
// one walk in program order that keeps, for each variable, the innermost common block of the uses so far and which statement of
// that block the first use was in.
//
// Beside resume loops, assignments that only repeat what they did (their operands cannot have changed) are executed again when the
// iteration is resumed, outside any guard: hoisted loads are repeated, not saved.
#include "wgsl/emit.h"

struct scope {
    uint32_t parent, depth;
    ir_stmt at; // the statement of the parent that this block is part of
};
struct walk {
    struct wgsl_emitter *e;
    struct scope *scopes;
    uint32_t scope_count, scope_cap;
    uint32_t scope;   // current
    ir_stmt stmt;     // current
    bool in_phase;    // grid: inside a PARFOR
    uint32_t *active; // FOR variables around the current statement: count by variable
};

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// ---- groups ------------------------------------------------------------------------------------------------------------------------

// Fills resume_first and resume_last for the block's statements; returns the block's own range.
static uint32_t number_resume(struct wgsl_emitter *e, ir_stmt block, uint32_t *out_first) {
    uint32_t first = 0, last = 0;
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        uint32_t from = 0, to = 0, f = 0, t = 0;
        bool is_loop = n->kind == IR_FOR || n->kind == IR_LOOP;
        uint8_t point = e->in->grid ? IR_FLAG_GRID : e->in->sequential ? 0 : IR_FLAG_RESUME;
        if (is_loop && (n->flags & point)) from = to = n->resume;
        if (n->kind == IR_IF || n->kind == IR_LOOP) {
            t = number_resume(e, n->b, &f);
            if (t && n->kind == IR_LOOP) base_bug(e->cx, "a resume point in the step of a loop");
        }
        if (t) to = t, from = from ? from : f;
        t = n->kind == IR_IF ? number_resume(e, n->c, &f) : is_loop ? number_resume(e, n->e, &f) : 0;
        if (t) to = t, from = from ? from : f;
        if (to && is_loop && !(n->flags & point)) base_bug(e->cx, "a loop around a resume point is none itself");
        if (to && (from <= last || to < from)) base_bug(e->cx, "resume points are not numbered in program order");
        e->resume_first[s] = from;
        e->resume_last[s] = to;
        if (to) first = first ? first : from, last = to;
    }
    *out_first = first;
    return last;
}

bool wgsl_is_split(const struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next)
        if (e->resume_last[s] || (node_of(e, s)->kind == IR_COMBINE && !e->in->grid)) return true;
    return block == e->body && e->in->sequential;
}

bool wgsl_stands_alone(const struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    return e->resume_last[s] || (n->kind == IR_COMBINE && !e->in->grid) ||
           (n->kind == IR_ASSIGN && e->vars[n->a].repeatable);
}

ir_stmt wgsl_group_end(const struct wgsl_emitter *e, ir_stmt s) {
    do
        s = node_of(e, s)->next;
    while (s && s != e->in->stop && !wgsl_stands_alone(e, s));
    return s;
}

// ---- expressions -------------------------------------------------------------------------------------------------------------------

static void visit(struct wgsl_emitter *e, ir_expr x, void (*fn)(void *user, ir_expr leaf), void *user);

// The index arithmetic of an element reads the sizes of all dimensions but the first.
static void visit_strides(struct wgsl_emitter *e, ir_array a, void (*fn)(void *user, ir_expr leaf), void *user) {
    for (uint32_t d = 1; d < e->u->arrays[a].ndims; d++)
        visit(e, e->u->arrays[a].dims[d], fn, user);
}

static void visit(struct wgsl_emitter *e, ir_expr x, void (*fn)(void *user, ir_expr leaf), void *user) {
    if (x == 0 || e->seen[x] == e->stamp) return;
    e->seen[x] = e->stamp;
    const struct ir_node *n = &e->u->nodes[x];
    if (n->op == IR_CONST) return;
    if (n->op == IR_VAR || n->op == IR_LOAD) fn(user, x);
    if (n->op == IR_LOAD) {
        for (uint32_t i = 0; i < n->n; i++)
            visit(e, e->u->args[n->b + i], fn, user);
        visit_strides(e, n->a, fn, user);
        return;
    }
    if ((n->op == IR_SIN || n->op == IR_COS) && e->u->nodes[n->a].op == IR_VAR)
        e->angle_uses[e->u->nodes[n->a].a] |= n->op == IR_SIN ? 1 : 2;
    uint32_t operands[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; n->op != IR_VAR && i < ir_ops[n->op].arity; i++)
        visit(e, operands[i], fn, user);
}

void wgsl_visit_leaves(struct wgsl_emitter *e, ir_expr x, void (*fn)(void *user, ir_expr leaf), void *user) {
    e->stamp++;
    visit(e, x, fn, user);
}

// ---- the walk ----------------------------------------------------------------------------------------------------------------------

static uint32_t open_scope(struct walk *w) {
    uint32_t before = w->scope;
    BASE_RESERVE(w->e->cx, w->scopes, w->scope_count, w->scope_cap);
    w->scopes[w->scope_count] = (struct scope){before, before ? w->scopes[before].depth + 1 : 0, w->stmt};
    w->scope = w->scope_count++;
    return before;
}

static void touch(struct walk *w, ir_var v, bool own) {
    struct wgsl_var *var = &w->e->vars[v];
    if (var->block == 0) {
        var->block = w->scope;
        var->first = w->stmt;
        var->direct = own;
        return;
    }
    uint32_t a = var->block, b = w->scope;
    ir_stmt first = var->first;
    bool moved = false;
    while (a != b) {
        if (w->scopes[a].depth >= w->scopes[b].depth) {
            first = w->scopes[a].at;
            a = w->scopes[a].parent;
            moved = true;
        } else {
            b = w->scopes[b].parent;
        }
    }
    var->block = a;
    var->first = first;
    var->direct = var->direct && !moved;
}

static void on_leaf(void *user, ir_expr leaf) {
    struct walk *w = user;
    const struct ir_node *n = &w->e->u->nodes[leaf];
    if (n->op != IR_VAR) return;
    struct wgsl_var *var = &w->e->vars[n->a];
    var->reads++;
    if (!w->active[n->a]) var->outside = true;
    touch(w, n->a, false);
}

static void read_expr(struct walk *w, ir_expr x) { wgsl_visit_leaves(w->e, x, on_leaf, w); }

static void read_args(struct walk *w, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        read_expr(w, w->e->u->args[first + i]);
}

static void write_var(struct walk *w, ir_var v, bool own) {
    w->e->vars[v].writes++;
    w->e->vars[v].outside = true;
    w->e->vars[v].entry_level |= w->e->in->grid && !w->in_phase;
    touch(w, v, own);
}

static void walk_block(struct walk *w, ir_stmt block);

static void read_in_own_scope(struct walk *w, ir_expr x) {
    uint32_t before = open_scope(w);
    read_expr(w, x);
    w->scope = before;
}

static void walk_stmt(struct walk *w, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(w->e, s);
    w->stmt = s;
    switch (n->kind) {
    case IR_NOP:
    case IR_BREAK:
    case IR_CONTINUE: break;
    case IR_ASSIGN:
        read_expr(w, n->b);
        write_var(w, n->a, true);
        break;
    case IR_STORE:
    case IR_ATOMIC:
        read_args(w, n->b, n->n);
        read_expr(w, n->c);
        w->e->stamp++;
        visit_strides(w->e, n->a, on_leaf, w);
        w->e->array_written[n->a] = true;
        if (n->kind == IR_ATOMIC && n->e) write_var(w, n->e, false);
        break;
    case IR_IF:
        read_expr(w, n->a);
        walk_block(w, n->b);
        w->stmt = s;
        walk_block(w, n->c);
        break;
    case IR_FOR:
        read_expr(w, n->b);
        read_expr(w, n->c);
        w->e->vars[n->a].headers++;
        touch(w, n->a, false);
        w->active[n->a]++;
        walk_block(w, n->e);
        w->active[n->a]--;
        break;
    case IR_LOOP:
        read_in_own_scope(w, n->a);
        w->stmt = s;
        walk_block(w, n->e);
        w->stmt = s;
        walk_block(w, n->b);
        break;
    case IR_COMBINE:
        if (n->e) read_expr(w, n->e);
        write_var(w, n->a, false);
        w->e->vars[n->a].reads++;
        w->e->lanes[w->e->u->vars[n->a].type == IR_BOOL ? IR_U32 : w->e->u->vars[n->a].type] = true;
        break;
    case IR_AGREE:
        write_var(w, n->a, false);
        w->e->vars[n->a].reads++;
        break;
    case IR_STAGE:
    case IR_BARRIER: break;
    case IR_PARFOR: // a phase of a grid kernel
        for (uint32_t d = 0; d < n->n; d++) {
            read_expr(w, w->e->u->dims[n->a + d].lo);
            read_expr(w, w->e->u->dims[n->a + d].hi);
            w->e->vars[w->e->u->dims[n->a + d].var].reads++;
        }
        w->in_phase = true;
        walk_block(w, n->e);
        w->in_phase = false;
        break;
    default: base_bug(w->e->cx, "statement kind %d inside a kernel", n->kind);
    }
    w->stmt = s;
}

static void walk_block(struct walk *w, ir_stmt block) {
    struct wgsl_emitter *e = w->e;
    uint32_t before = open_scope(w);
    bool split = wgsl_is_split(e, block);
    for (ir_stmt s = block; s && s != e->in->stop;) {
        if (!split || wgsl_stands_alone(e, s)) {
            walk_stmt(w, s);
            s = node_of(e, s)->next;
            continue;
        }
        w->stmt = s;
        uint32_t outer = open_scope(w);
        for (ir_stmt end = wgsl_group_end(e, s); s != end; s = node_of(e, s)->next)
            walk_stmt(w, s);
        w->scope = outer;
    }
    w->scope = before;
}

// ---- verdicts ----------------------------------------------------------------------------------------------------------------------

static bool reads_itself(struct wgsl_emitter *e, ir_stmt s);

static bool fixed(const struct wgsl_emitter *e, ir_var v) {
    const struct ir_var_info *info = &e->u->vars[v];
    if (info->klass == IR_VAR_PARAM || info->klass == IR_VAR_DIM) return true;
    if (e->in->param_words && e->in->param_words[v] != WGSL_NONE && e->vars[v].writes == 0 && e->vars[v].headers == 0)
        return true;
    return info->klass == IR_VAR_ENTRY && !e->in->sequential && !e->in->grid && e->vars[v].writes == 0 &&
           e->vars[v].headers == 0;
}

static bool kept_in_state(const struct wgsl_emitter *e, ir_var v) {
    return e->u->vars[v].klass == IR_VAR_ENTRY && e->in->state_words && e->in->state_words[v] != WGSL_NONE;
}

static enum wgsl_home home_of(struct wgsl_emitter *e, ir_var v) {
    struct wgsl_var *var = &e->vars[v];
    if (var->reads + var->writes + var->headers == 0) return WGSL_UNUSED;
    if (fixed(e, v)) {
        if (var->writes || var->headers)
            base_bug(e->cx, "variable %s (%u) cannot be written in a kernel", e->u->vars[v].name, v);
        return WGSL_FIXED;
    }
    if (var->entry_level) return WGSL_TOP; // kept when the program pauses
    if (var->headers) return var->outside || var->saved ? WGSL_TOP : WGSL_HEADER;
    const struct ir_stmt_node *first = node_of(e, var->first);
    if (var->direct && first->kind == IR_ASSIGN && first->a == v && !kept_in_state(e, v) &&
        !reads_itself(e, var->first)) {
        var->def = var->first;
        return WGSL_AT_DEF;
    }
    return WGSL_TOP;
}

struct find {
    struct wgsl_emitter *e;
    ir_var var;
    const uint32_t *loops; // active FOR variables
    bool hit;
};
static void find_var(void *user, ir_expr leaf) {
    struct find *f = user;
    const struct ir_node *n = &f->e->u->nodes[leaf];
    f->hit |= n->op == IR_VAR && n->a == f->var;
}
static bool reads_itself(struct wgsl_emitter *e, ir_stmt s) {
    struct find f = {e, node_of(e, s)->a, NULL, false};
    wgsl_visit_leaves(e, node_of(e, s)->b, find_var, &f);
    return f.hit;
}

// Sets `hit` where the leaf may have another value when the iteration is resumed.
static void find_changing(void *user, ir_expr leaf) {
    struct find *f = user;
    const struct ir_node *n = &f->e->u->nodes[leaf];
    if (n->op == IR_LOAD)
        f->hit |= f->e->array_names[n->a] || f->e->array_written[n->a];
    else
        f->hit |= !fixed(f->e, n->a) && !f->e->vars[n->a].repeatable && !f->loops[n->a];
}

// Marks assignments beside resume loops as repeatable, in program order, so that each finds its operands marked.
static void mark_repeatable(struct wgsl_emitter *e, ir_stmt block, uint32_t *loops, const bool *never) {
    if (!wgsl_is_split(e, block)) return;
    for (ir_stmt s = block; s; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (n->kind == IR_ASSIGN && e->vars[n->a].writes == 1 && e->vars[n->a].headers == 0 && !never[n->a] &&
            e->u->vars[n->a].klass == IR_VAR_LOCAL) {
            struct find f = {e, 0, loops, false};
            wgsl_visit_leaves(e, n->b, find_changing, &f);
            e->vars[n->a].repeatable = !f.hit;
        }
        if (!e->resume_last[s]) continue;
        if (n->kind == IR_IF) {
            mark_repeatable(e, n->b, loops, never);
            mark_repeatable(e, n->c, loops, never);
        } else {
            if (n->kind == IR_FOR) loops[n->a]++;
            mark_repeatable(e, n->e, loops, never);
            if (n->kind == IR_FOR) loops[n->a]--;
        }
    }
}

static void mark_loop_vars(struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (!e->resume_last[s]) continue;
        if (n->kind == IR_FOR && (n->flags & (IR_FLAG_RESUME | IR_FLAG_GRID))) e->vars[n->a].saved = true;
        if (n->kind == IR_IF)
            mark_loop_vars(e, n->b), mark_loop_vars(e, n->c);
        else
            mark_loop_vars(e, n->e);
    }
}

static void walk_kernel(struct wgsl_emitter *e, uint32_t *active) {
    for (ir_var v = 1; v < e->u->var_count; v++) {
        struct wgsl_var *var = &e->vars[v];
        var->reads = var->writes = var->headers = var->block = 0;
        var->direct = var->outside = false;
    }
    struct walk w = {.e = e, .scope_count = 1, .active = active};
    w.scope_cap = 64;
    w.scopes = base_alloc_array(e->cx, w.scope_cap, sizeof *w.scopes);
    if (e->in->guard) read_expr(&w, e->in->guard);
    if (!e->in->sequential && !e->in->grid) {
        const struct ir_stmt_node *parfor = node_of(e, e->in->stmt);
        for (uint32_t d = 0; d < parfor->n; d++) {
            const struct ir_dim *dim = &e->u->dims[parfor->a + d];
            read_expr(&w, dim->lo);
            read_expr(&w, dim->hi);
            e->vars[dim->var].reads++;
        }
    }
    walk_block(&w, e->body);
}

static void on_array(void *user, ir_expr leaf) {
    struct wgsl_emitter *e = user;
    const struct ir_node *n = &e->u->nodes[leaf];
    if (n->op == IR_LOAD && e->u->arrays[n->a].klass == IR_ARRAY_LOCAL && !e->array_names[n->a])
        e->array_names[n->a] = wgsl_clean_name(e->cx, 'a', n->a, e->u->arrays[n->a].name);
}
static void name_arrays(struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        ir_expr exprs[3] = {0};
        if (n->kind == IR_ASSIGN)
            exprs[0] = n->b;
        else if (n->kind == IR_IF || n->kind == IR_LOOP)
            exprs[0] = n->a;
        else if (n->kind == IR_FOR)
            exprs[0] = n->b, exprs[1] = n->c;
        else if (n->kind == IR_STORE || n->kind == IR_ATOMIC) {
            exprs[0] = n->c;
            for (uint32_t i = 0; i < n->n; i++)
                wgsl_visit_leaves(e, e->u->args[n->b + i], on_array, e);
            if (e->u->arrays[n->a].klass == IR_ARRAY_LOCAL && !e->array_names[n->a])
                e->array_names[n->a] = wgsl_clean_name(e->cx, 'a', n->a, e->u->arrays[n->a].name);
        }
        for (int i = 0; i < 3; i++)
            wgsl_visit_leaves(e, exprs[i], on_array, e);
        if (n->kind == IR_IF || n->kind == IR_LOOP) name_arrays(e, n->b);
        if (n->kind == IR_IF) name_arrays(e, n->c);
        if (n->kind == IR_FOR || n->kind == IR_LOOP || n->kind == IR_PARFOR) name_arrays(e, n->e);
    }
}

void wgsl_place_vars(struct wgsl_emitter *e) {
    uint32_t first;
    e->resume_points = number_resume(e, e->body, &first);
    name_arrays(e, e->body);
    uint32_t *active = base_alloc_array(e->cx, e->u->var_count + 1, sizeof *active);
    bool *never = base_alloc_array(e->cx, e->u->var_count + 1, sizeof *never);
    if (e->resume_points) mark_loop_vars(e, e->body);
    walk_kernel(e, active);
    // A repeatable assignment must come before all reads; where it does not, it is none, nor are those that relied on it.
    for (bool again = e->resume_points != 0 && !e->in->grid; again;) {
        again = false;
        for (ir_var v = 1; v < e->u->var_count; v++)
            e->vars[v].repeatable = false;
        mark_repeatable(e, e->body, active, never);
        walk_kernel(e, active);
        for (ir_var v = 1; v < e->u->var_count; v++)
            if (e->vars[v].repeatable && home_of(e, v) != WGSL_AT_DEF) again = never[v] = true;
    }
    for (ir_var v = 1; v < e->u->var_count; v++)
        e->vars[v].home = (uint8_t)home_of(e, v);
}
