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
        if (n->combine.from) read_expr(w, n->combine.from);
        if (n->combine.value)
            read_expr(w, n->combine.value); // its values are made in braces of their own, but assign nothing
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
    if (var->direct && first->kind == IR_ASSIGN && first->a == v && !kept_in_state(e, v) &&
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
    struct find f = {node_of(e, s)->a, e->u, false};
    wgsl_visit_leaves(e, node_of(e, s)->b, find_var, &f);
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
