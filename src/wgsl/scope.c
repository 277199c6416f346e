// Where each variable of the kernel is declared.
//
// A variable is declared at its first assignment when that statement stands in the innermost block that holds all uses:
// then it comes before all of them, in every pass of every loop around. Everything else is a `var` at the start of the
// iteration. Found by one walk in program order that keeps, for each variable, the innermost common block of the uses
// so far and which statement of that block the first use was in.
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

static void read_dims(struct walk *w, const struct ir_stmt_node *parfor) {
    for (uint32_t d = 0; d < parfor->parfor.dim_count; d++) {
        const struct ir_dim *dim = &w->e->u->dims[parfor->parfor.dims + d];
        read_expr(w, dim->lo);
        read_expr(w, dim->hi);
        w->e->vars[dim->var].reads++;
    }
}

static void write_element(struct walk *w, ir_array a, uint32_t indices, uint32_t count, ir_expr value) {
    read_args(w, indices, count);
    read_expr(w, value);
    w->e->stamp++;
    visit_strides(w->e, a, on_leaf, w);
    w->e->array_written[a] = true;
}

static void write_var(struct walk *w, ir_var v, bool own) {
    w->e->vars[v].writes++;
    w->e->vars[v].outside = true;
    w->e->vars[v].entry_level |= w->e->in->grid && !w->in_phase;
    touch(w, v, own);
}

static void update_var(struct walk *w, ir_var v) {
    write_var(w, v, false);
    w->e->vars[v].reads++;
}

static void walk_block(struct walk *w, ir_stmt block);

static void read_in_own_scope(struct walk *w, ir_expr x) {
    uint32_t before = open_scope(w);
    read_expr(w, x);
    w->scope = before;
}

static void walk_for(struct walk *w, const struct ir_stmt_node *n) {
    ir_var v = n->counted.var;
    read_expr(w, n->counted.lo);
    read_expr(w, n->counted.hi);
    w->e->vars[v].headers++;
    touch(w, v, false);
    w->active[v]++;
    walk_block(w, n->counted.body);
    w->active[v]--;
}

static void walk_combine(struct walk *w, const struct ir_stmt_node *n) {
    uint8_t type = w->e->u->vars[n->combine.var].type;
    read_expr(w, n->combine.from);
    read_expr(w, n->combine.there);
    read_expr(w, n->combine.value); // its values are made in braces of their own, but assign nothing
    update_var(w, n->combine.var);
    w->e->lanes[type == IR_BOOL ? IR_U32 : type] = true;
}

static void walk_stmt(struct walk *w, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(w->e, s);
    w->stmt = s;
    switch (n->kind) {
    case IR_NOP:
    case IR_BREAK:
    case IR_CONTINUE: break;
    case IR_ASSIGN:
        read_expr(w, n->assign.value);
        write_var(w, n->assign.var, true);
        break;
    case IR_STORE: write_element(w, n->store.array, n->store.indices, n->store.index_count, n->store.value); break;
    case IR_ATOMIC:
        write_element(w, n->atomic.array, n->atomic.indices, n->atomic.index_count, n->atomic.value);
        if (n->atomic.old) write_var(w, n->atomic.old, false);
        break;
    case IR_IF:
        read_expr(w, n->branch.cond);
        walk_block(w, n->branch.then_block);
        w->stmt = s;
        walk_block(w, n->branch.else_block);
        break;
    case IR_FOR: walk_for(w, n); break;
    case IR_LOOP:
        read_in_own_scope(w, n->loop.cond);
        w->stmt = s;
        walk_block(w, n->loop.body);
        w->stmt = s;
        walk_block(w, n->loop.continuing);
        break;
    case IR_COMBINE: walk_combine(w, n); break;
    case IR_AGREE: update_var(w, n->agree.var); break;
    case IR_STAGE:
    case IR_BARRIER: break;
    case IR_PARFOR: // a phase of a grid kernel
        read_dims(w, n);
        w->in_phase = true;
        walk_block(w, n->parfor.body);
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

bool wgsl_is_fixed(const struct wgsl_emitter *e, ir_var v) {
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
    if (wgsl_is_fixed(e, v)) {
        if (var->writes || var->headers)
            base_bug(e->cx, "variable %s (%u) cannot be written in a kernel", e->u->vars[v].name, v);
        return WGSL_FIXED;
    }
    if (var->entry_level) return WGSL_TOP; // kept when the program pauses
    if (var->headers) return var->outside || var->saved ? WGSL_TOP : WGSL_HEADER;
    const struct ir_stmt_node *first = node_of(e, var->first);
    if (var->direct && first->kind == IR_ASSIGN && first->assign.var == v && !kept_in_state(e, v) &&
        !reads_itself(e, var->first)) {
        var->def = var->first;
        return WGSL_AT_DEF;
    }
    return WGSL_TOP;
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
static bool reads_itself(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    struct find f = {n->assign.var, e->u, false};
    wgsl_visit_leaves(e, n->assign.value, find_var, &f);
    return f.hit;
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
    if (!e->in->sequential && !e->in->grid) read_dims(&w, node_of(e, e->in->stmt));
    walk_block(&w, e->body);
}

static void name_array(struct wgsl_emitter *e, ir_array a) {
    if (e->u->arrays[a].klass == IR_ARRAY_LOCAL && !e->array_names[a])
        e->array_names[a] = wgsl_clean_name(e->cx, 'a', a, e->u->arrays[a].name);
}
static void on_array(void *user, ir_expr leaf) {
    struct wgsl_emitter *e = user;
    const struct ir_node *n = &e->u->nodes[leaf];
    if (n->op == IR_LOAD) name_array(e, n->a);
}
static void name_in_expr(struct wgsl_emitter *e, ir_expr x) { wgsl_visit_leaves(e, x, on_array, e); }

static void name_written(struct wgsl_emitter *e, ir_array a, uint32_t indices, uint32_t count, ir_expr value) {
    for (uint32_t i = 0; i < count; i++)
        name_in_expr(e, e->u->args[indices + i]);
    name_in_expr(e, value);
    name_array(e, a);
}
static void name_arrays(struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        switch (n->kind) {
        case IR_ASSIGN: name_in_expr(e, n->assign.value); break;
        case IR_STORE: name_written(e, n->store.array, n->store.indices, n->store.index_count, n->store.value); break;
        case IR_ATOMIC:
            name_written(e, n->atomic.array, n->atomic.indices, n->atomic.index_count, n->atomic.value);
            break;
        case IR_IF: name_in_expr(e, n->branch.cond); break;
        case IR_LOOP: name_in_expr(e, n->loop.cond); break;
        case IR_FOR:
            name_in_expr(e, n->counted.lo);
            name_in_expr(e, n->counted.hi);
            break;
        default: break;
        }
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            name_arrays(e, inner[i]);
    }
}

void wgsl_place_vars(struct wgsl_emitter *e) {
    wgsl_number_resume(e);
    name_arrays(e, e->body);
    uint32_t *active = base_alloc_array(e->cx, e->u->var_count + 1, sizeof *active);
    bool *never = base_alloc_array(e->cx, e->u->var_count + 1, sizeof *never);
    walk_kernel(e, active);
    // A repeatable assignment must come before all reads; where it does not, it is none, nor are those that relied on
    // it.
    for (bool again = e->resume_points != 0 && !e->in->grid; again;) {
        again = false;
        for (ir_var v = 1; v < e->u->var_count; v++)
            e->vars[v].repeatable = false;
        wgsl_mark_repeatable(e, e->body, active, never);
        walk_kernel(e, active);
        for (ir_var v = 1; v < e->u->var_count; v++)
            if (e->vars[v].repeatable && home_of(e, v) != WGSL_AT_DEF) again = never[v] = true;
    }
    for (ir_var v = 1; v < e->u->var_count; v++)
        e->vars[v].home = (uint8_t)home_of(e, v);
}
