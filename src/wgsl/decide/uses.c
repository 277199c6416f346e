// What a kernel does with each variable, and in which block.
//
// A variable is declared at its first assignment when that statement stands in the innermost block that holds all uses:
// then it comes before all of them, in every pass of every loop around (homes.c). Found by one walk in program order
// that keeps, for each variable, the innermost common block of the uses so far and which statement of that block the
// first use was in.
#include "wgsl/decide/kernel.h"

struct scope {
    uint32_t parent, depth;
    ir_stmt at; // the statement of the parent that this block is part of
};
struct walk {
    struct wgsl_kernel k;  // its uses: those below
    struct wgsl_use *vars; // by handle
    bool *arrays, *arrays_written;
    struct scope *scopes;
    uint32_t scope_count, scope_cap;
    uint32_t scope;   // current
    ir_stmt stmt;     // current
    bool in_phase;    // grid: inside a PARFOR
    uint32_t *active; // FOR variables around the current statement: count by variable
};

static const struct ir_stmt_node *node_of(const struct walk *w, ir_stmt s) { return &w->k.u->stmts[s]; }

static uint32_t open_scope(struct walk *w) {
    uint32_t before = w->scope;
    BASE_RESERVE(w->k.cx, w->scopes, w->scope_count, w->scope_cap);
    w->scopes[w->scope_count] = (struct scope){before, before ? w->scopes[before].depth + 1 : 0, w->stmt};
    w->scope = w->scope_count++;
    return before;
}

static void touch(struct walk *w, ir_var v, bool own) {
    struct wgsl_use *var = &w->vars[v];
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

static void on_node(void *user, ir_expr node) {
    struct walk *w = user;
    const struct ir_node *n = &w->k.u->nodes[node];
    if (n->op == IR_LOAD) w->arrays[n->a] = true;
    if ((n->op == IR_SIN || n->op == IR_COS) && w->k.u->nodes[n->a].op == IR_VAR)
        w->vars[w->k.u->nodes[n->a].a].angles |= n->op == IR_SIN ? 1 : 2;
    if (n->op != IR_VAR) return;
    struct wgsl_use *var = &w->vars[n->a];
    var->reads++;
    if (!w->active[n->a]) var->outside = true;
    touch(w, n->a, false);
}

static void read_expr(struct walk *w, ir_expr x) { wgsl_visit_nodes(&w->k, x, on_node, w); }

static void read_args(struct walk *w, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        read_expr(w, w->k.u->args[first + i]);
}

static void read_dims(struct walk *w, const struct ir_stmt_node *parfor) {
    for (uint32_t d = 0; d < parfor->parfor.dim_count; d++) {
        const struct ir_dim *dim = &w->k.u->dims[parfor->parfor.dims + d];
        read_expr(w, dim->lo);
        read_expr(w, dim->hi);
        w->vars[dim->var].reads++;
    }
}

static void write_element(struct walk *w, ir_array a, uint32_t indices, uint32_t count, ir_expr value) {
    read_args(w, indices, count);
    read_expr(w, value);
    wgsl_visit_strides(&w->k, a, on_node, w);
    w->arrays[a] = w->arrays_written[a] = true;
}

static void write_var(struct walk *w, ir_var v, bool own) {
    w->vars[v].writes++;
    w->vars[v].outside = true;
    w->vars[v].entry_level |= w->k.in->grid && !w->in_phase;
    touch(w, v, own);
}

static void update_var(struct walk *w, ir_var v) {
    write_var(w, v, false);
    w->vars[v].reads++;
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
    w->vars[v].headers++;
    touch(w, v, false);
    w->active[v]++;
    walk_block(w, n->counted.body);
    w->active[v]--;
}

static void walk_combine(struct walk *w, const struct ir_stmt_node *n) {
    read_expr(w, n->combine.from);
    read_expr(w, n->combine.there);
    read_expr(w, n->combine.value); // its values are made in braces of their own, but assign nothing
    update_var(w, n->combine.var);
}

static void walk_stmt(struct walk *w, ir_stmt s);

static void walk_each(struct walk *w, ir_stmt around, ir_stmt block) {
    for (ir_stmt s = block; s; s = node_of(w, s)->next) {
        w->stmt = around;
        uint32_t before = open_scope(w);
        walk_stmt(w, s);
        w->scope = before;
    }
}

static void walk_stmt(struct walk *w, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(w, s);
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
        if (ir_has_shared(w->k.u, s)) { // each statement is written in braces of its own (wgsl_lanes_if)
            walk_each(w, s, n->branch.then_block);
            break;
        }
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
    case IR_NEIGHBOUR:
        read_expr(w, n->neighbour.value);
        write_var(w, n->neighbour.var, false);
        break;
    case IR_STAGE: read_args(w, n->stage.origins, n->stage.origin_count); break;
    case IR_TURN: {
        ir_array other = ir_in_buffer(w->k.u, n->turn.to) ? n->turn.to : n->turn.from;
        read_args(w, n->turn.indices, n->turn.index_count);
        read_expr(w, n->turn.there);
        wgsl_visit_strides(&w->k, other, on_node, w);
        w->arrays[n->turn.to] = w->arrays[n->turn.from] = w->arrays_written[n->turn.to] = true;
        break;
    }
    case IR_BARRIER: break;
    case IR_PARFOR: // a phase of a grid kernel
        read_dims(w, n);
        w->in_phase = true;
        walk_block(w, n->parfor.body);
        w->in_phase = false;
        break;
    default: base_bug(w->k.cx, "statement kind %d inside a kernel", n->kind);
    }
    w->stmt = s;
}

static void walk_block(struct walk *w, ir_stmt block) {
    uint32_t before = open_scope(w);
    bool split = wgsl_is_split(&w->k, block);
    for (ir_stmt s = block; s && s != w->k.in->stop;) {
        if (!split || wgsl_stands_alone(&w->k, s)) {
            walk_stmt(w, s);
            s = node_of(w, s)->next;
            continue;
        }
        w->stmt = s;
        uint32_t outer = open_scope(w);
        for (ir_stmt end = wgsl_group_end(&w->k, s); s != end; s = node_of(w, s)->next)
            walk_stmt(w, s);
        w->scope = outer;
    }
    w->scope = before;
}

static void walk_kernel(struct walk *w) {
    const struct wgsl_kernel *k = &w->k;
    for (ir_var v = 1; v < k->u->var_count; v++) {
        struct wgsl_use *var = &w->vars[v];
        var->reads = var->writes = var->headers = var->block = 0;
        var->direct = var->outside = false;
    }
    w->scope_count = 1;
    w->scope = 0;
    if (k->in->guard) read_expr(w, k->in->guard);
    if (!k->in->sequential && !k->in->grid) read_dims(w, node_of(w, k->in->stmt));
    walk_block(w, k->body);
}

struct wgsl_uses wgsl_find_uses(const struct wgsl_kernel *k) {
    const struct ir_unit *u = k->u;
    struct walk w = {.k = *k, .scope_cap = 64};
    w.vars = base_alloc_array(k->cx, u->var_count + 1, sizeof *w.vars);
    w.arrays = base_alloc_array(k->cx, u->array_count + 1, sizeof *w.arrays);
    w.arrays_written = base_alloc_array(k->cx, u->array_count + 1, sizeof *w.arrays_written);
    w.scopes = base_alloc_array(k->cx, w.scope_cap, sizeof *w.scopes);
    w.active = base_alloc_array(k->cx, u->var_count + 1, sizeof *w.active);
    w.k.uses = (struct wgsl_uses){.vars = w.vars, .arrays = w.arrays, .arrays_written = w.arrays_written};
    bool *never = base_alloc_array(k->cx, u->var_count + 1, sizeof *never);
    walk_kernel(&w);
    // A repeatable assignment must come before all reads; where it does not, it is none, nor are those that relied on
    // it.
    for (bool again = k->resume.points != 0 && !k->in->grid; again;) {
        again = false;
        for (ir_var v = 1; v < u->var_count; v++)
            w.vars[v].repeatable = false;
        wgsl_mark_repeatable(&w.k, w.vars, w.active, never);
        walk_kernel(&w);
        for (ir_var v = 1; v < u->var_count; v++)
            if (w.vars[v].repeatable && wgsl_home_of(&w.k, v).home != WGSL_AT_DEF) again = never[v] = true;
    }
    return w.k.uses;
}
