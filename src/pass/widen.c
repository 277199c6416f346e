// Several passes of a shared loop at once, so that a lane has more loads under way: of elements side by side, which are one access of up
// to 16 bytes where the kernel's bindings allow it, and of several stretches of the range.
//
// The loads that every pass makes come first, into variables: all that is asked of memory is asked before any of it is used. A vector
// that all iterations read comes as late as possible instead, since it is likely to be near. Stores along a row come last. Both may
// move because a shared loop reads nothing that it writes. What passes side by side have in common (pass/group.h) is done once.
#include "pass/group.h"
#include "pass/passes.h"

#include <string.h>

enum { STREAMS = 8, VECTOR_BYTES = 16, MOST_ROWS = 16 };
// Statements of a wide body, and of all of an iteration: some drivers' compilers take very long over long kernels.
enum { MOST_STATEMENTS = 200, MOST_OF_ALL = 600 };

// An access at [...][variable of the loop] that every pass makes.
struct row {
    ir_expr load; // of the first pass that has it; 0: a store
    ir_stmt store;
    ir_array array;
    bool common;  // the same elements in every iteration
    ir_var *vars; // by pass of the wide body
};

struct widener {
    struct ir_unit *u;
    ir_stmt loop;
    ir_var var;
    struct ir_effects body;
    struct row rows[MOST_ROWS];
    uint32_t count;
    uint32_t together, streams, stretch;
    uint32_t pass; // being copied, of together * streams
    struct pass_group group;
    const ir_var *first_names; // by variable: its name in the first pass of the group
};

// ---- rows ----------------------------------------------------------------------------------------------------------------------------

struct index_use {
    const struct widener *x;
    bool varies, iteration; // in the loop; with the iteration
};
static bool on_index(void *user, ir_expr e) {
    struct index_use *use = user;
    const struct ir_unit *u = use->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) use->varies |= ir_bit(use->x->body.arrays_written, n->a);
    if (n->op == IR_LOAD) use->iteration = true;
    if (n->op != IR_VAR) return true;
    use->varies |= n->a == use->x->var || ir_bit(use->x->body.vars_written, n->a);
    use->iteration |= u->vars[n->a].klass == IR_VAR_DIM || u->vars[n->a].klass == IR_VAR_LOCAL;
    return true;
}

static bool is_row(const struct widener *x, ir_array a, uint32_t first, uint32_t n, bool *common) {
    const struct ir_unit *u = x->u;
    uint32_t length;
    if (n == 0 || u->arrays[a].klass == IR_ARRAY_LOCAL || !ir_is_const(u, u->arrays[a].dims[n - 1], &length))
        return false;
    const struct ir_node *last = &u->nodes[u->args[first + n - 1]];
    struct index_use use = {x, false, false};
    for (uint32_t i = 0; i + 1 < n; i++)
        ir_walk_expr(u, u->args[first + i], on_index, &use);
    *common = !use.iteration;
    return last->op == IR_VAR && last->a == x->var && !use.varies;
}

static void add_row(struct widener *x, ir_expr load, ir_stmt store, ir_array a, bool common) {
    for (uint32_t i = 0; load && i < x->count; i++)
        if (x->rows[i].load && ir_same_expr(x->u, x->rows[i].load, load)) return;
    if (x->count < MOST_ROWS) x->rows[x->count++] = (struct row){load, store, a, common, NULL};
}

// Loads that are executed whenever the expression is.
static bool on_load(void *user, ir_expr e) {
    struct widener *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    bool common;
    if (n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR) { // the rest may not be reached
        ir_walk_expr(x->u, n->a, on_load, x);
        return false;
    }
    if (n->op == IR_LOAD && is_row(x, n->a, n->b, n->n, &common)) add_row(x, e, 0, n->a, common);
    return true;
}

static uint32_t stores_to(const struct ir_unit *u, ir_stmt block, ir_array a) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        count += (n->kind == IR_STORE || n->kind == IR_ATOMIC) && n->a == a;
        if (n->kind == IR_IF || n->kind == IR_LOOP) count += stores_to(u, n->b, a);
        if (n->kind == IR_IF) count += stores_to(u, n->c, a);
        if (n->kind == IR_FOR || n->kind == IR_LOOP) count += stores_to(u, n->e, a);
    }
    return count;
}

static void find_rows(struct widener *x) {
    const struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[x->loop].e;
    bool common;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN) ir_walk_expr(u, n.b, on_load, x);
        if (n.kind == IR_IF) ir_walk_expr(u, n.a, on_load, x);
        if (n.kind != IR_STORE) continue;
        ir_walk_expr(u, n.c, on_load, x);
        if (is_row(x, n.a, n.b, n.n, &common) && stores_to(u, body, n.a) == 1) add_row(x, 0, s, n.a, common);
    }
}

static uint32_t bytes_of(const struct ir_unit *u, ir_array a) {
    const struct ir_array_info *info = &u->arrays[a];
    return info->klass == IR_ARRAY_IN ? ir_elem_size((enum ir_elem)info->elem) : 4;
}

static uint32_t length_of(const struct ir_unit *u, ir_array a) {
    uint32_t length = 0;
    (void)ir_is_const(u, u->arrays[a].dims[u->arrays[a].ndims - 1], &length); // is_row has seen it
    return length;
}

// ---- how many passes -------------------------------------------------------------------------------------------------------------------

// Elements of 16 bytes: of the widest ones among the rows that differ between iterations, since those are most of what is read.
static uint32_t choose_together(const struct widener *x, uint64_t trips) {
    uint32_t together = 0;
    for (int common = 0; common < 2 && !together; common++)
        for (uint32_t i = 0; i < x->count; i++) {
            uint32_t elements = VECTOR_BYTES / bytes_of(x->u, x->rows[i].array);
            if (x->rows[i].common == (common == 1) && (!together || elements < together)) together = elements;
        }
    while (together > 1 && trips % together)
        together /= 2;
    return together ? together : 1;
}

// As many stretches as the text bears, if the lanes come out about even at their ends.
static uint32_t choose_streams(const struct widener *x, uint64_t vectors, uint32_t lanes, uint32_t left) {
    uint64_t statements = ((uint64_t)pass_size(x->u, x->u->stmts[x->loop].e) + x->count) * x->together;
    uint32_t most = left < MOST_STATEMENTS ? left : MOST_STATEMENTS;
    for (uint32_t streams = STREAMS; streams > 1; streams /= 2) {
        uint64_t each = vectors / streams, rounds = (each + lanes - 1) / lanes;
        if (vectors % streams == 0 && each >= lanes && rounds * lanes * 7 <= each * 8 && statements * streams <= most)
            return streams;
    }
    return 1;
}

// ---- the wide body ---------------------------------------------------------------------------------------------------------------------

// Value of the loop's variable in a pass.
static ir_expr place_of(const struct widener *x, uint32_t pass) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    enum ir_type type = (enum ir_type)u->vars[x->var].type;
    uint32_t constant = pass / x->together * x->stretch + pass % x->together;
    ir_expr at = ir_var_read(u, x->var, loc);
    if (x->together > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, x->together), loc);
    return constant ? ir_op2(u, IR_ADD, at, ir_const(u, type, constant), loc) : at;
}

static ir_expr replace_load(void *user, ir_expr e) {
    struct widener *x = user;
    if (x->u->nodes[e].op != IR_LOAD) return e;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->rows[i].load && x->rows[i].vars && ir_same_expr(x->u, x->rows[i].load, e))
            return ir_var_read(x->u, x->rows[i].vars[x->pass], x->u->nodes[e].loc);
    return e;
}

// The stores of a row give their values to variables instead.
static void keep_values(struct widener *x, ir_stmt body, ir_stmt copy) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = body, t = copy; s; s = u->stmts[s].next, t = u->stmts[t].next)
        for (uint32_t i = 0; i < x->count; i++)
            if (x->rows[i].store == s && x->rows[i].vars) {
                struct ir_stmt_node *n = &u->stmts[t];
                ir_expr value = n->c;
                n->kind = IR_ASSIGN;
                n->a = x->rows[i].vars[x->pass];
                n->b = value;
                n->c = n->n = 0;
            }
}

// Worth a word: more than an assignment of what is known before the loop.
static bool has_common(const struct widener *x) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = u->stmts[x->loop].e; s && x->together > 1; s = u->stmts[s].next)
        if (x->group.same[s] && (u->stmts[s].kind != IR_ASSIGN || ir_ops[u->nodes[u->stmts[s].b].op].arity > 0))
            return true;
    return false;
}

// Takes out of the copy what the first pass of the group has done.
static ir_stmt without_common(struct widener *x, ir_stmt body, ir_stmt copy) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = body, t = copy, next; s; s = u->stmts[s].next, t = next) {
        next = u->stmts[t].next;
        u->stmts[t].next = 0;
        if (!x->group.same[s]) ir_append(u, &out, t);
    }
    return out;
}

// A pass of the body, with names of its own for what is private to it.
static ir_stmt copy_pass(struct widener *x, const uint32_t *exposed) {
    struct ir_unit *u = x->u;
    uint32_t count = u->var_count, place = x->pass % x->together;
    ir_stmt body = u->stmts[x->loop].e;
    ir_var *map = base_alloc_array(u->cx, count, sizeof *map);
    for (ir_var v = 1; v < count; v++)
        if (v / 32 < x->body.var_words && ir_bit(x->body.vars_written, v) && !ir_bit(exposed, v) &&
            u->vars[v].klass == IR_VAR_LOCAL)
            map[v] = place && !x->group.varies[v]
                         ? x->first_names[v]
                         : ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    if (!place) x->first_names = map;
    ir_stmt copy = ir_clone_block(u, body, map, NULL);
    keep_values(x, body, copy);
    if (place) copy = without_common(x, body, copy);
    ir_map_block(u, copy, replace_load, x);
    pass_group_parts(&x->group, copy, place);
    pass_substitute(u, copy, x->var, place_of(x, x->pass));
    return copy;
}

// The accesses of one row in the passes of one stream.
static ir_stmt make_run(struct widener *x, const struct row *row, uint32_t stream) {
    struct ir_unit *u = x->u;
    ir_stmt run = 0;
    for (uint32_t c = 0; c < x->together; c++) {
        uint32_t pass = stream * x->together + c;
        base_loc loc = row->load ? u->nodes[row->load].loc : u->stmts[row->store].loc;
        ir_stmt s;
        if (row->load) {
            s = ir_assign(u, row->vars[pass], row->load, loc);
        } else {
            const struct ir_stmt_node n = u->stmts[row->store];
            uint32_t indices[IR_MAX_DIMS];
            memcpy(indices, u->args + n.b, n.n * sizeof *indices);
            s = ir_store(u, n.a, indices, n.n, ir_var_read(u, row->vars[pass], loc), loc);
        }
        pass_substitute(u, s, x->var, place_of(x, pass));
        ir_append(u, &run, s);
    }
    if (x->together > 1) u->stmts[run].d = x->together;
    return run;
}

static void append_runs(struct widener *x, ir_stmt *body, uint32_t stream, bool loads, bool common) {
    for (uint32_t i = 0; i < x->count; i++) {
        const struct row *row = &x->rows[i];
        if (row->vars && (row->load != 0) == loads && (!loads || row->common == common))
            ir_append(x->u, body, make_run(x, row, stream));
    }
}

static void make_vars(struct widener *x) {
    struct ir_unit *u = x->u;
    for (uint32_t i = 0; i < x->count; i++) {
        struct row *row = &x->rows[i];
        if (length_of(u, row->array) % x->together) continue;
        const struct ir_array_info info = u->arrays[row->array];
        row->vars = base_alloc_array(u->cx, x->together * x->streams, sizeof *row->vars);
        for (uint32_t p = 0; p < x->together * x->streams; p++)
            row->vars[p] = ir_add_var(u, info.name, ir_elem_type((enum ir_elem)info.elem), IR_VAR_LOCAL, info.loc);
    }
}

// `left`: statements that the iteration may still get.
static void widen_loop(struct pass_cx *p, ir_stmt s, uint32_t lanes, uint32_t *left) {
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips = 0;
    uint32_t lo;
    if ((int32_t)n.d != 1 || !ir_is_const(u, n.b, &lo) || lo != 0 || !pass_const_trips(u, s, &trips)) return;
    pass_group_inline(u, s);
    struct widener x = {.u = u, .loop = s, .var = n.a, .body = ir_effects_of(u, n.e)};
    find_rows(&x);
    x.together = choose_together(&x, trips);
    x.streams = choose_streams(&x, trips / x.together, lanes, *left);
    x.stretch = (uint32_t)(trips / x.streams);
    if (x.together * x.streams == 1) return;
    uint32_t *exposed = pass_exposed(u, n.e);
    x.group = pass_group_of(u, s, x.together, exposed);
    make_vars(&x);
    ir_stmt body = 0;
    for (uint32_t k = 0; k < x.streams; k++)
        append_runs(&x, &body, k, true, false);
    for (x.pass = 0; x.pass < x.together * x.streams; x.pass++) {
        if (x.pass % x.together == 0) append_runs(&x, &body, x.pass / x.together, true, true);
        ir_append(u, &body, copy_pass(&x, exposed));
    }
    for (uint32_t k = 0; k < x.streams; k++)
        append_runs(&x, &body, k, false, false);
    uint32_t size = pass_size(u, body);
    *left -= size < *left ? size : *left;
    base_text_format(p->explain,
                     "widen: a lane makes %u passes of the loop at line %u at once, %u of them side by side%s\n",
                     x.together * x.streams, u->cx->locs[n.loc].line, x.together,
                     has_common(&x) ? "; what these have in common is done once" : "");
    u->stmts[s].e = body;
    u->stmts[s].c = ir_const(u, (enum ir_type)u->vars[n.a].type, x.stretch / x.together);
}

static void widen_block(struct pass_cx *p, ir_stmt block, uint32_t lanes, uint32_t *left) {
    struct ir_unit *u = p->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_FOR) continue;
        if (u->stmts[s].flags & IR_FLAG_LANES)
            widen_loop(p, s, lanes, left);
        else
            widen_block(p, u->stmts[s].e, lanes, left);
    }
}

void pass_widen(struct pass_cx *p, ir_stmt block, uint32_t lanes) {
    uint32_t left = MOST_OF_ALL;
    widen_block(p, block, lanes, &left);
}
