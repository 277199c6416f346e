// The body of several iterations side by side (jam.c): copies of its statements, with names of their own, and what
// innermost loops load: first of all, each element once, neighbours beside each other.
#include "pass/cost.h"
#include "pass/loops/jam.h"

static struct ir_stmt_node *node_of(const struct jam *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- neighbours -----------------------------------------------------------------------------------------------------

// Where an array is accessed: indices [first, first + n) of unit->args.
struct place {
    uint32_t first, n;
};
static struct place place_of_load(const struct jam *x, ir_expr load) {
    return (struct place){x->u->nodes[load].b, x->u->nodes[load].n};
}

// Neighbours along `var` are neighbours in memory: it stands in the last index alone, once, and `bit` says what depends
// on it.
static bool walks_along(struct jam *x, struct place at, ir_var var, uint8_t bit) {
    if (!var) return false;
    for (uint32_t i = 0; i + 1 < at.n; i++)
        if (jam_depends_on(x, x->u->args[at.first + i]) & bit) return false;
    struct pass_affine f = pass_affine_of(x->sc, x->u->args[at.first + at.n - 1]);
    if (!f.ok || pass_affine_coef(&f, var) != 1) return false;
    for (uint32_t i = 0; i < f.n; i++)
        if (f.vars[i] != var && f.vars[i] < x->var_count && x->depends[f.vars[i]] & bit) return false;
    return true;
}

struct asked {
    const struct jam *x;
    bool computed;
};
static bool ask_computed(void *user, ir_expr e) {
    struct asked *q = user;
    const struct jam *x = q->x;
    const struct ir_node *n = &x->u->nodes[e];
    bool is_local = n->op == IR_VAR && x->u->vars[n->a].klass == IR_VAR_LOCAL;
    q->computed |= n->op == IR_LOAD || (is_local && (n->a >= x->var_count || !x->counts[n->a]));
    return true;
}
// Of dimensions and counters of loops alone: what is proven of one such place is proven of its neighbours.
static bool is_plain(const struct jam *x, struct place at) {
    struct asked q = {x, false};
    for (uint32_t i = 0; i < at.n; i++)
        ir_walk_expr(x->u, x->u->args[at.first + i], ask_computed, &q);
    return !q.computed;
}

// The statement loads or stores one element, of which neighbouring columns have neighbours.
static bool is_of_row(struct jam *x, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(x, s);
    struct place at = {0};
    if (n->kind == IR_ASSIGN && x->u->nodes[n->assign.value].op == IR_LOAD) at = place_of_load(x, n->assign.value);
    if (n->kind == IR_STORE) at = (struct place){n->store.indices, n->store.index_count};
    return at.n && !(n->flags & IR_FLAG_ATOMIC) && walks_along(x, at, x->columns.name, JAM_COLUMNS) && is_plain(x, at);
}

// ---- copies ---------------------------------------------------------------------------------------------------------

static uint32_t copies_along(const struct jam_side *side, uint8_t what, uint8_t bit) {
    return what & bit ? side->count : 1;
}

static ir_var name_of(struct jam *x, ir_var v, uint32_t row, uint32_t column) {
    uint8_t what = x->depends[v];
    uint32_t columns = x->columns.count, at = (what & JAM_ROWS ? row : 0) * columns + (what & JAM_COLUMNS ? column : 0);
    if (at == 0) return v;
    if (!x->names[v]) x->names[v] = base_alloc_array(x->u->cx, x->rows.count * columns, sizeof **x->names);
    if (!x->names[v][at]) {
        const struct ir_var_info info = x->u->vars[v];
        x->names[v][at] = ir_add_var(x->u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
    }
    return x->names[v][at];
}

static ir_expr index_of(struct jam *x, const struct jam_side *side, uint32_t copy) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->parfor)->loc;
    enum ir_type type = (enum ir_type)u->vars[side->name].type;
    uint32_t lo;
    ir_expr at = side->number;
    if (side->count > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, side->count), loc);
    if (copy) at = ir_op2(u, IR_ADD, at, ir_const(u, type, copy), loc);
    return ir_is_const(u, side->first, &lo) && lo == 0 ? at : ir_op2(u, IR_ADD, side->first, at, loc);
}

// The statement as iteration (row, column) has it.
static ir_stmt copy_of(struct jam *x, ir_stmt s, uint32_t row, uint32_t column) {
    struct ir_unit *u = x->u;
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    for (ir_var v = 1; v < x->var_count; v++)
        if (x->assigned[v]) map[v] = name_of(x, v, row, column);
    ir_stmt next = u->stmts[s].next;
    u->stmts[s].next = 0;
    ir_stmt copy = ir_clone_block(u, s, map, NULL);
    u->stmts[s].next = next;
    if (x->rows.name) pass_substitute(u, copy, x->rows.name, index_of(x, &x->rows, row));
    if (x->columns.name) pass_substitute(u, copy, x->columns.name, index_of(x, &x->columns, column));
    return copy;
}

// A copy for each iteration that the statement tells apart.
static void append_copies(struct jam *x, ir_stmt *head, ir_stmt s, uint8_t what) {
    bool of_row = is_of_row(x, s);
    for (uint32_t row = 0; row < copies_along(&x->rows, what, JAM_ROWS); row++)
        for (uint32_t column = 0; column < copies_along(&x->columns, what, JAM_COLUMNS); column++) {
            ir_stmt copy = copy_of(x, s, row, column);
            if (of_row) node_of(x, copy)->flags |= IR_FLAG_ROW;
            ir_append(x->u, head, copy);
        }
}

// ---- loads of an innermost loop -------------------------------------------------------------------------------------

// Loads that each pass surely makes, whose indices are known when it begins.
struct loads {
    struct jam *x;
    ir_stmt loop;
    const struct ir_effects *inside;
    ir_expr load[PASS_JAM_LOADS];
    ir_var name[PASS_JAM_LOADS];
    uint32_t count;
    bool late; // an index is assigned in the pass
};
static bool reads_inside(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_node *n = &l->x->u->nodes[e];
    if (n->op == IR_VAR && n->a != node_of(l->x, l->loop)->counted.var)
        l->late |= ir_bit(l->inside->vars_written, n->a);
    l->late |= n->op == IR_LOAD;
    return true;
}
static void take_load(struct loads *l, ir_expr e) {
    struct ir_unit *u = l->x->u;
    const struct ir_node n = u->nodes[e];
    l->late = !ir_in_buffer(u, n.a);
    for (uint32_t i = 0; i < n.n; i++)
        ir_walk_expr(u, u->args[n.b + i], reads_inside, l);
    for (uint32_t i = 0; i < l->count; i++)
        l->late |= ir_same_expr(u, l->load[i], e);
    if (!l->late && l->count < PASS_JAM_LOADS) l->load[l->count++] = e;
}
static bool on_load(void *user, ir_expr e) {
    struct loads *l = user;
    const struct ir_node *n = &l->x->u->nodes[e];
    if (n->op == IR_LOAD) take_load(l, e);
    return n->op != IR_LOAD && n->op != IR_SELECT && n->op != IR_LAND && n->op != IR_LOR;
}

// Passes that are made at once, so that loads along the loop are vectors.
static uint32_t passes_at_once(const struct loads *l) {
    const struct ir_stmt_node *n = node_of(l->x, l->loop);
    uint64_t trips;
    uint32_t lo, most = 1;
    if (n->counted.step != 1 || !ir_is_const(l->x->u, n->counted.lo, &lo) || lo != 0 ||
        !ir_const_trips(l->x->u, l->loop, &trips))
        return 1;
    for (uint32_t i = 0; i < l->count; i++)
        if (walks_along(l->x, place_of_load(l->x, l->load[i]), n->counted.var, JAM_PASSES)) most = PASS_JAM_SIDE;
    while (trips % most)
        most /= 2;
    return most;
}

struct unrolled {
    struct jam *x;
    ir_var counter;
    uint32_t at_once;
};
static ir_expr pass_number(const struct unrolled *p, uint32_t pass) {
    struct ir_unit *u = p->x->u;
    enum ir_type type = (enum ir_type)u->vars[p->counter].type;
    base_loc loc = u->vars[p->counter].loc;
    ir_expr at = ir_var_read(u, p->counter, loc);
    if (p->at_once > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, p->at_once), loc);
    return pass ? ir_op2(u, IR_ADD, at, ir_const(u, type, pass), loc) : at;
}

// names[pass] of what one load gives; depends on JAM_PASSES where they differ.
static void append_loads(struct loads *l, const struct unrolled *p, uint32_t i, const ir_var *names, ir_stmt *head) {
    struct jam *x = l->x;
    struct ir_unit *u = x->u;
    uint8_t what = x->depends[l->name[i]];
    struct place at = place_of_load(x, l->load[i]);
    bool along_columns = walks_along(x, at, x->columns.name, JAM_COLUMNS);
    bool along_passes = !along_columns && walks_along(x, at, p->counter, JAM_PASSES);
    uint32_t passes = what & JAM_PASSES ? p->at_once : 1, rows = copies_along(&x->rows, what, JAM_ROWS);
    uint32_t columns = copies_along(&x->columns, what, JAM_COLUMNS);
    uint32_t total = passes * rows * columns;
    bool of_row = is_plain(x, at);
    for (uint32_t k = 0; k < total; k++) {
        // What makes neighbours counts fastest.
        uint32_t column = along_passes ? k / passes % columns : k % columns;
        uint32_t pass = along_passes ? k % passes : k / columns % passes, row = k / (columns * passes);
        ir_stmt one = ir_assign(u, names[pass], l->load[i], u->nodes[l->load[i]].loc);
        ir_stmt copy = copy_of(x, one, row, column);
        pass_substitute(u, copy, p->counter, pass_number(p, pass));
        if (of_row) u->stmts[copy].flags |= IR_FLAG_ROW;
        ir_append(u, head, copy);
    }
}

static ir_var add_name(struct jam *x, ir_expr load) {
    const struct ir_node n = x->u->nodes[load];
    return ir_add_var(x->u, x->u->arrays[n.a].name, (enum ir_type)n.type, IR_VAR_LOCAL, n.loc);
}

// Tables by variable have room for more.
static void grow(struct jam *x) {
    uint32_t count = x->u->var_count;
    uint8_t *depends = base_alloc_array(x->u->cx, count, sizeof *depends);
    bool *assigned = base_alloc_array(x->u->cx, count, sizeof *assigned);
    bool *counts = base_alloc_array(x->u->cx, count, sizeof *counts);
    ir_var **names = base_alloc_array(x->u->cx, count, sizeof *names);
    for (ir_var v = 0; v < x->var_count; v++) {
        depends[v] = x->depends[v];
        assigned[v] = x->assigned[v];
        counts[v] = x->counts[v];
        names[v] = x->names[v];
    }
    x->depends = depends;
    x->assigned = assigned;
    x->counts = counts;
    x->names = names;
    x->var_count = count;
}

// A loop of assignments alone: first all loads, then what is made of them, pass by pass.
static void jam_innermost(struct jam *x, ir_stmt loop, ir_stmt *out_body) {
    struct ir_unit *u = x->u;
    ir_stmt body = node_of(x, loop)->counted.body;
    struct ir_effects inside = ir_effects_of(u, body);
    struct loads l = {.x = x, .loop = loop, .inside = &inside};
    struct unrolled p = {x, node_of(x, loop)->counted.var, 1};
    for (ir_stmt s = body; s; s = u->stmts[s].next)
        ir_walk_expr(u, u->stmts[s].assign.value, on_load, &l);
    x->depends[p.counter] |= JAM_PASSES;
    p.at_once = passes_at_once(&l);
    ir_var *names = base_alloc_array(u->cx, l.count * p.at_once + 1, sizeof *names);
    uint8_t *what = base_alloc_array(u->cx, l.count + 1, sizeof *what);
    for (uint32_t i = 0; i < l.count; i++) {
        what[i] = 0;
        for (uint32_t k = 0; k < u->nodes[l.load[i]].n; k++)
            what[i] |= jam_depends_on(x, u->args[u->nodes[l.load[i]].b + k]);
        for (uint32_t pass = 0; pass < p.at_once; pass++)
            names[i * p.at_once + pass] =
                pass && !(what[i] & JAM_PASSES) ? names[i * p.at_once] : add_name(x, l.load[i]);
    }
    x->depends[p.counter] &= (uint8_t)~JAM_PASSES;
    grow(x);
    x->depends[p.counter] |= JAM_PASSES;
    for (uint32_t i = 0; i < l.count; i++) {
        l.name[i] = names[i * p.at_once];
        for (uint32_t pass = 0; pass < p.at_once; pass++) {
            x->depends[names[i * p.at_once + pass]] = what[i];
            x->assigned[names[i * p.at_once + pass]] = true;
        }
        append_loads(&l, &p, i, names + i * p.at_once, out_body);
    }
    x->depends[p.counter] &= (uint8_t)~JAM_PASSES;
    ir_var *now = base_alloc_array(u->cx, l.count + 1, sizeof *now);
    for (uint32_t pass = 0; pass < p.at_once; pass++) {
        ir_stmt copy = ir_clone_block(u, body, NULL, NULL);
        for (uint32_t i = 0; i < l.count; i++)
            now[i] = names[i * p.at_once + pass];
        pass_replace_loads(u, copy, l.load, now, l.count);
        pass_substitute(u, copy, p.counter, pass_number(&p, pass));
        for (ir_stmt s = copy; s; s = u->stmts[s].next)
            append_copies(x, out_body, s, x->depends[u->stmts[s].assign.var]);
    }
    if (p.at_once > 1) {
        uint64_t trips;
        (void)ir_const_trips(u, loop, &trips);
        node_of(x, loop)->counted.hi =
            ir_const(u, (enum ir_type)u->vars[p.counter].type, (uint32_t)(trips / p.at_once));
        uint32_t steps = node_of(x, loop)->counted.unroll;
        node_of(x, loop)->counted.unroll = (steps ? steps : 1) * p.at_once;
    }
}

static bool is_innermost(const struct jam *x, ir_stmt loop) {
    for (ir_stmt s = node_of(x, loop)->counted.body; s; s = node_of(x, s)->next)
        if (node_of(x, s)->kind != IR_ASSIGN) return false;
    return node_of(x, loop)->counted.body != 0;
}

ir_stmt jam_copies_of(struct jam *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        if (u->stmts[s].kind == IR_ASSIGN) {
            append_copies(x, &out, s, x->depends[u->stmts[s].assign.var]);
        } else if (jam_is_common(x, &u->stmts[s]) && u->stmts[s].kind == IR_IF) {
            ir_stmt then_block = jam_copies_of(x, u->stmts[s].branch.then_block);
            ir_stmt else_block = jam_copies_of(x, u->stmts[s].branch.else_block);
            u->stmts[s].next = 0;
            u->stmts[s].branch.then_block = then_block;
            u->stmts[s].branch.else_block = else_block;
            ir_append(u, &out, s);
        } else if (jam_is_common(x, &u->stmts[s])) {
            ir_stmt body = 0;
            u->stmts[s].flags &= (uint16_t)~IR_FLAG_SIMD;
            u->stmts[s].next = 0;
            if (is_innermost(x, s))
                jam_innermost(x, s, &body);
            else
                body = jam_copies_of(x, u->stmts[s].counted.body);
            u->stmts[s].counted.body = body;
            ir_append(u, &out, s);
        } else {
            append_copies(x, &out, s, JAM_ROWS | JAM_COLUMNS);
        }
    }
    return out;
}
