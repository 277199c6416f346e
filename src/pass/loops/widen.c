// Several passes of a loop at once, so that an invocation has more loads under way, and does once what neighbouring
// passes have in common (pass/loops/shared_passes.h). Of loops whose passes lanes share: elements side by side, which
// are one access of up to 16 bytes where the kernel's bindings allow it, and several stretches of the range. Loops that
// one invocation runs are in serial.c.
//
// The loads that every pass makes come first, into variables: all that is asked of memory is asked before any of it is
// used. A vector that all iterations read comes as late as possible instead, since it is likely to be near. Stores
// along a row come last. Both may move because a shared loop reads nothing that it writes.
#include "pass/loops/widen.h"
#include "pass/cost.h"

#include <string.h>

#include "pass/passes.h"

enum { VECTOR_BYTES = 16 };

static uint32_t bytes_of(const struct ir_unit *u, ir_array a) {
    const struct ir_array_info *info = &u->arrays[a];
    return info->klass == IR_ARRAY_IN ? (uint32_t)whorl_dtype_size((enum whorl_dtype)info->elem) : 4;
}

static uint32_t length_of(const struct ir_unit *u, ir_array a) {
    uint32_t length = 0;
    (void)ir_is_const(u, u->arrays[a].dims[u->arrays[a].ndims - 1], &length); // is_row has seen it
    return length;
}

// ---- how many passes ------------------------------------------------------------------------------------------------

// The passes of 16 bytes, of the widest elements of all rows: an access of a lane is then beside its neighbours'. Where
// a lane's passes are several accesses, neighbours' are that far apart, and memory near answers them one after the
// other (banks of workgroup memory, lines of a cache). A body that is as long as a wide one already stays as it is.
// Where passes share elements they are many: so many that all lanes have some, and that the text bears.
static uint32_t choose_together(const struct pass_widener *x, uint64_t trips, uint32_t size, uint32_t lanes) {
    uint32_t together = 0, each = 1;
    if (size > PASS_WIDE_STATEMENTS) return 1;
    for (uint32_t i = 0; i < x->count; i++) {
        const struct pass_row *row = &x->rows[i];
        uint32_t passes = VECTOR_BYTES / bytes_of(x->u, row->array) * row->each;
        if (together && passes >= together) continue;
        together = passes;
        each = row->each;
    }
    while (each > 1 && together > VECTOR_BYTES &&
           (trips / together < lanes / 2 || (uint64_t)size * together > PASS_WIDE_OF_ALL))
        together /= 2;
    while (together > 1 && trips % together)
        together /= 2;
    return together ? together : 1;
}

// As many stretches as the text bears, if the lanes come out about even at their ends.
// Branches are what drivers need long for.
static uint32_t choose_streams(const struct pass_widener *x, uint64_t vectors, uint32_t lanes, uint32_t left) {
    ir_stmt body = x->u->stmts[x->loop].counted.body;
    uint64_t branches = (uint64_t)pass_text_of(x->u, body, NULL).branches * x->together;
    uint64_t statements = ((uint64_t)pass_size(x->u, body) + x->count) * x->together;
    uint32_t most = left < PASS_WIDE_STATEMENTS ? left : PASS_WIDE_STATEMENTS;
    for (uint32_t streams = PASS_WIDE_STREAMS; streams > 1; streams /= 2) {
        uint64_t each = vectors / streams, rounds = (each + lanes - 1) / lanes;
        if (vectors % streams == 0 && each >= lanes && rounds * lanes * PASS_WIDE_EVEN_EIGHTHS <= each * 8 &&
            statements * streams <= most && branches * streams <= PASS_UNROLL_MOST_BRANCHES)
            return streams;
    }
    return 1;
}

// ---- the wide body --------------------------------------------------------------------------------------------------

// The loop's variable becomes its value in a pass.
static void put_place(struct pass_widener *x, ir_stmt copy, uint32_t pass) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    enum ir_type type = (enum ir_type)u->vars[x->var].type;
    uint32_t constant = pass / x->together * x->stretch + pass % x->together;
    ir_expr at = ir_var_read(u, x->var, loc);
    if (x->together > 1) at = ir_op2(u, IR_MUL, at, ir_const(u, type, x->together), loc);
    if (constant) at = ir_op2(u, IR_ADD, at, ir_const(u, type, constant), loc);
    pass_substitute(u, copy, x->var, at);
    if (!x->serial && x->together > 1) pass_divide_place(u, copy, at, x->var, x->together, constant);
}

static ir_expr replace_load(void *user, ir_expr e) {
    struct pass_widener *x = user;
    if (x->u->nodes[e].op != IR_LOAD && x->u->nodes[e].op != IR_SELECT) return e;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->rows[i].load && x->rows[i].vars && ir_same_expr(x->u, x->rows[i].load, e))
            return ir_var_read(x->u, x->rows[i].vars[x->pass - x->pass % x->rows[i].each], x->u->nodes[e].loc);
    return e;
}

// The stores of a row give their values to variables instead. Branches that only store wait for the end of the wide
// body as they are: what they store stays.
static void keep_values(struct pass_widener *x, ir_stmt body, ir_stmt copy) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = body, t = copy; s; s = u->stmts[s].next, t = u->stmts[t].next)
        for (uint32_t i = 0; i < x->count; i++) {
            const struct pass_row *row = &x->rows[i];
            if (row->store != s || (!row->vars && !row->late)) continue;
            ir_stmt late = row->late ? ir_add_stmt(u, IR_IF, u->stmts[t].loc) : 0;
            struct ir_stmt_node *n = &u->stmts[t];
            if (late) {
                ir_stmt next = n->next;
                u->stmts[late] = *n;
                u->stmts[late].next = 0;
                row->late[x->pass] = late;
                *n = (struct ir_stmt_node){.kind = IR_NOP, .loc = n->loc, .next = next};
            } else {
                ir_make_assign(n, row->vars[x->pass], n->store.value);
            }
        }
}

// Worth a word: more than an assignment of what is known before the loop.
static bool has_common(const struct pass_widener *x) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = u->stmts[x->loop].counted.body; s && x->together > 1; s = u->stmts[s].next)
        if (x->group.same[s] &&
            (u->stmts[s].kind != IR_ASSIGN || ir_ops[u->nodes[u->stmts[s].assign.value].op].arity > 0))
            return true;
    return false;
}

// Takes out of the copy what the first pass of the group has done, and what is left of branches that come later.
static ir_stmt without_common(struct pass_widener *x, ir_stmt body, ir_stmt copy) {
    struct ir_unit *u = x->u;
    bool first = x->pass % x->together == 0;
    ir_stmt out = 0;
    for (ir_stmt s = body, t = copy, next; s; s = u->stmts[s].next, t = next) {
        next = u->stmts[t].next;
        u->stmts[t].next = 0;
        if ((first || !x->group.same[s]) && u->stmts[t].kind != IR_NOP) ir_append(u, &out, t);
    }
    return out;
}

// What is copied becomes that of the pass.
static void adapt(struct pass_widener *x, ir_stmt copy) {
    ir_map_block(x->u, copy, replace_load, x);
    pass_group_parts(&x->group, copy, x->pass % x->together);
    put_place(x, copy, x->pass);
}

// A pass of the body, with names of its own for what is private to it.
static ir_stmt copy_pass(struct pass_widener *x, const uint32_t *exposed) {
    struct ir_unit *u = x->u;
    uint32_t count = u->var_count, place = x->pass % x->together;
    ir_stmt body = u->stmts[x->loop].counted.body;
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
    copy = without_common(x, body, copy);
    adapt(x, copy);
    for (uint32_t i = 0; i < x->count; i++)
        if (x->rows[i].late) adapt(x, x->rows[i].late[x->pass]);
    return copy;
}

// A load into the variable. Of a choice, only what is chosen is loaded.
static ir_stmt load_into(struct ir_unit *u, ir_var var, ir_expr load) {
    const struct ir_node n = u->nodes[load];
    if (n.op == IR_LOAD) return ir_assign(u, var, load, n.loc);
    ir_stmt first = load_into(u, var, n.b), second = load_into(u, var, n.c);
    return ir_if(u, n.a, first, second, n.loc);
}

// The accesses of one row in the passes of one stream. Those of serial loops are not marked as a run: if they were one
// access of a vector, all other accesses to the array would be parts of vectors.
static ir_stmt make_run(struct pass_widener *x, const struct pass_row *row, uint32_t stream) {
    struct ir_unit *u = x->u;
    ir_stmt run = 0;
    for (uint32_t c = 0; c < x->together; c += row->each) {
        uint32_t pass = stream * x->together + c;
        ir_stmt s;
        if (row->load) {
            s = load_into(u, row->vars[pass], row->load);
        } else if (row->late) {
            s = row->late[pass];
        } else {
            const struct ir_stmt_node n = u->stmts[row->store];
            uint32_t indices[IR_MAX_DIMS];
            memcpy(indices, u->args + n.store.indices, n.store.index_count * sizeof *indices);
            s = ir_store(u, n.store.array, indices, n.store.index_count, ir_var_read(u, row->vars[pass], n.loc), n.loc);
            u->stmts[s].flags = n.flags;
        }
        if (!row->late) put_place(x, s, pass);
        ir_append(u, &run, s);
    }
    uint32_t accesses = x->together / row->each;
    if (accesses > 1 && !x->serial)
        *(u->stmts[run].kind == IR_STORE ? &u->stmts[run].store.run : &u->stmts[run].assign.run) = accesses;
    return run;
}

// Loads that are one element for all of the passes come last, so that runs follow each other.
static void append_runs(struct pass_widener *x, ir_stmt *body, uint32_t stream, bool loads, bool common) {
    for (int last = 0; last < 2; last++)
        for (uint32_t i = 0; i < x->count; i++) {
            const struct pass_row *row = &x->rows[i];
            bool single = row->each > 1 && row->each == x->together;
            if ((row->vars || row->late) && (row->load != 0) == loads && (!loads || row->common == common) &&
                single == (last == 1))
                ir_append(x->u, body, make_run(x, row, stream));
        }
}

// Neighbouring branches under one condition, which none of them changes, become one.
static void join_branches(struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_IF) continue;
        for (ir_stmt t;
             (t = n->next) && u->stmts[t].kind == IR_IF && ir_same_expr(u, u->stmts[t].branch.cond, n->branch.cond);) {
            n->next = u->stmts[t].next;
            ir_append(u, &n->branch.then_block, u->stmts[t].branch.then_block);
            ir_append(u, &n->branch.else_block, u->stmts[t].branch.else_block);
        }
        join_branches(u, n->branch.then_block);
        join_branches(u, n->branch.else_block);
    }
}

static void make_vars(struct pass_widener *x) {
    struct ir_unit *u = x->u;
    uint32_t passes = x->together * x->streams;
    for (uint32_t i = 0; i < x->count; i++) {
        struct pass_row *row = &x->rows[i];
        if (row->store && !row->array) {
            row->late = base_alloc_array(u->cx, passes, sizeof *row->late);
            continue;
        }
        uint32_t accesses = x->together / row->each;
        if (!x->serial && (accesses == 0 || length_of(u, row->array) % accesses)) continue;
        const struct ir_node load = u->nodes[row->load];
        const char *name = row->array ? u->arrays[row->array].name : "chosen";
        base_loc loc = row->array ? u->arrays[row->array].loc : load.loc;
        enum ir_type type =
            row->array ? ir_elem_type((enum whorl_dtype)u->arrays[row->array].elem) : (enum ir_type)load.type;
        row->vars = base_alloc_array(u->cx, passes, sizeof *row->vars);
        for (uint32_t p = 0; p < passes; p++)
            row->vars[p] = ir_add_var(u, name, type, IR_VAR_LOCAL, loc);
    }
}

ir_stmt pass_wide_body(struct pass_widener *x, const uint32_t *exposed) {
    struct ir_unit *u = x->u;
    ir_stmt body = 0, last = 0;
    make_vars(x);
    for (uint32_t k = 0; k < x->streams; k++)
        append_runs(x, &body, k, true, false);
    join_branches(u, body);
    for (x->pass = 0; x->pass < x->together * x->streams; x->pass++) {
        if (x->pass % x->together == 0) append_runs(x, &body, x->pass / x->together, true, true);
        ir_append(u, &body, copy_pass(x, exposed));
    }
    for (uint32_t k = 0; k < x->streams; k++)
        append_runs(x, &last, k, false, false);
    join_branches(u, last);
    ir_append(u, &body, last);
    return body;
}

struct wide {
    struct pass_cx *p;
    bool *counts, *assigned; // by variable: it counts a loop and is nothing else; an assignment changes it
    bool *near;              // by array: pass_is_near
    uint32_t var_cap;
};

// ---- loops whose passes lanes share ---------------------------------------------------------------------------------

// `left`: statements that the iteration may still get.
static void widen_loop(struct wide *w, ir_stmt s, uint32_t lanes, uint32_t *left) {
    struct pass_cx *p = w->p;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t trips = 0;
    uint32_t lo;
    if (n.counted.step != 1 || !ir_is_const(u, n.counted.lo, &lo) || lo != 0 || !ir_const_trips(u, s, &trips)) return;
    pass_group_inline(u, s);
    struct pass_widener x = {.u = u, .loop = s, .var = n.counted.var, .body = ir_effects_of(u, n.counted.body)};
    x.again = w->near;
    x.counts = w->counts;
    x.counts_cap = w->var_cap;
    pass_find_rows(&x);
    x.together = choose_together(&x, trips, pass_size(u, n.counted.body), lanes);
    // Passes with long loops in them are work for other lanes.
    bool is_long = pass_passes_of(u, n.counted.body) >= PASS_SHARE_LEAST_PASSES;
    while (x.together > 1 && is_long && trips < (uint64_t)x.together * lanes)
        x.together /= 2;
    x.streams = choose_streams(&x, trips / x.together, lanes, *left);
    x.stretch = (uint32_t)(trips / x.streams);
    if (x.together * x.streams == 1) return;
    uint32_t *exposed = pass_exposed(u, n.counted.body);
    for (uint32_t i = 0; i < n.counted.reduction_count; i++) { // also what a search sets and never reads: it is one
        ir_var v = u->reductions[n.counted.reductions + i].var;
        exposed[v / 32] |= 1u << v % 32;
    }
    x.group = pass_group_of(u, s, x.together, exposed);
    ir_stmt body = pass_wide_body(&x, exposed);
    uint32_t size = pass_size(u, body);
    *left -= size < *left ? size : *left;
    base_text_format(p->explain,
                     "widen: a lane makes %u passes of the loop at line %u at once, %u of them side by side%s\n",
                     x.together * x.streams, u->cx->locs[n.loc].line, x.together,
                     has_common(&x) ? "; what these have in common is done once" : "");
    u->stmts[s].counted.body = body;
    u->stmts[s].counted.hi = ir_const(u, (enum ir_type)u->vars[n.counted.var].type, x.stretch / x.together);
}

static void widen_block(struct wide *w, ir_stmt block, uint32_t lanes, uint32_t *left) {
    struct ir_unit *u = w->p->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind == IR_IF && ir_has_shared(u, s))
            widen_block(w, u->stmts[s].branch.then_block, lanes, left);
        if (u->stmts[s].kind == IR_LOOP && ir_has_shared(u, s)) widen_block(w, u->stmts[s].loop.body, lanes, left);
        if (u->stmts[s].kind != IR_FOR) continue;
        if (u->stmts[s].flags & IR_FLAG_OWN) continue; // its lanes would make other passes than those of another loop
        if (u->stmts[s].flags & IR_FLAG_LANES)
            widen_loop(w, s, lanes, left);
        else
            widen_block(w, u->stmts[s].counted.body, lanes, left);
    }
}

static void widen_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct wide *w = user;
    struct pass_cx *p = w->p;
    const struct ir_stmt_node n = p->u->stmts[parfor];
    uint32_t left = PASS_WIDE_OF_ALL;
    if ((n.flags & IR_FLAG_LANES) && !n.parfor.lane_var) widen_block(w, n.parfor.body, n.parfor.lanes, &left);
    pass_widen_serial(p, sc, parfor, &left);
}

// Counters are of loops, or of loops and assignments.
static bool on_counter(void *user, ir_stmt s) {
    struct wide *w = user;
    const struct ir_stmt_node *n = &w->p->u->stmts[s];
    ir_var v = ir_written_var(n);
    if (n->kind == IR_FOR) w->counts[v] = !w->assigned[v];
    if (n->kind == IR_FOR || !v) return true;
    w->counts[v] = false;
    w->assigned[v] = true;
    return true;
}

void pass_widen(struct pass_cx *p) {
    struct pass_scope sc;
    struct wide w = {.p = p, .var_cap = p->u->var_count};
    w.counts = base_alloc_array(p->u->cx, w.var_cap, sizeof *w.counts);
    w.assigned = base_alloc_array(p->u->cx, w.var_cap, sizeof *w.assigned);
    w.near = base_alloc_array(p->u->cx, p->u->array_count, sizeof *w.near);
    for (ir_array a = 1; a < p->u->array_count; a++)
        w.near[a] = pass_is_near(p, a);
    ir_walk_stmts(p->u, p->u->root, on_counter, &w);
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, widen_parfor, &w);
}
