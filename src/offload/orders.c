// In which order an array's elements come is open where iterations get their places by a counter (`atomic capture`, or
// a `critical` section that appends: src/cc/append.c), or where they keep the numbers themselves. WHORL=check compares
// such arrays as sets, and no others.
// What each thread has of a loop whose iterations are dealt out to those that have time is open altogether: elements
// that are found by a thread's number, or are one, are not compared.
//
// Where a loop around parallel ones sets the counter to 0 again, what stands behind it is left of an earlier pass,
// whose order was open, too. So such a list is compared up to what its counter has counted in the end, if that can be
// told: the counter is a variable that comes back, and the list begins where its pointer points.
#include "ir/ir.h"
#include "offload/offload.h"
#include "plan/program.h"

enum { NEVER, ZERO, OTHER }; // what a counter is set to in a loop around parallel ones
static const ir_stmt several = UINT32_MAX;

struct orders {
    const struct ir_unit *u;
    // By variable, and by array, of those of which each iteration or thread has its own: the ATOMIC whose old value it
    // is; `several`: it follows from such values; 0.
    ir_stmt *from, *in_array;
    ir_stmt found; // of an expression
    bool changed;
    uint8_t *set;    // by array
    bool *is_thread; // by variable: the number of a thread that gets what is open
    bool found_thread;
    uint32_t asked;  // conditions around that ask what a counter was
    bool is_any_set; // a counter's is not NEVER
    struct offload_order *out;
    int count;
};

static bool on_node(void *user, ir_expr e) {
    struct orders *o = user;
    const struct ir_node *n = &o->u->nodes[e];
    ir_stmt from = n->op == IR_VAR ? o->from[n->a] : n->op == IR_LOAD ? o->in_array[n->a] : 0;
    o->found_thread |= n->op == IR_VAR && o->is_thread[n->a];
    if (from) o->found = o->found && o->found != from ? several : from;
    return true;
}

static ir_stmt source_of(struct orders *o, ir_expr e) {
    o->found = 0;
    ir_walk_expr(o->u, e, on_node, o);
    return o->found;
}

static bool is_place(const struct ir_unit *u, ir_expr e) {
    return u->nodes[e].op == IR_VAR || u->nodes[e].op == IR_LOAD;
}

static bool spread(void *user, ir_stmt s) {
    struct orders *o = user;
    const struct ir_unit *u = o->u;
    const struct ir_stmt_node *stmt = &u->stmts[s];
    const struct ir_array_info *array = stmt->kind == IR_STORE ? &u->arrays[stmt->store.array] : NULL;
    bool is_own = array && (array->klass == IR_ARRAY_LOCAL || array->of_thread);
    ir_stmt *to = is_own ? &o->in_array[stmt->store.array] : &o->from[ir_written_var(stmt)];
    ir_expr value = stmt->kind == IR_ASSIGN ? stmt->assign.value : is_own ? stmt->store.value : 0;
    ir_stmt from = 0;
    if (stmt->kind == IR_ATOMIC && stmt->atomic.op == IR_ADD && stmt->atomic.old) from = s;
    if (value) from = source_of(o, value);
    if (from && value && !is_place(u, value)) from = several;
    if (!from || *to == from || *to == several) return true;
    *to = *to ? several : from;
    o->changed = true;
    return true;
}

static bool is_first(const struct ir_unit *u, uint32_t indices, uint32_t count) {
    uint32_t bits;
    return count == 1 && ir_is_const(u, u->args[indices], &bits) && bits == 0;
}

static int param_of(const struct orders *o, ir_array array) {
    for (int i = 0; i < o->count && (uint32_t)i < o->u->param_count; i++)
        if (o->u->params[i].is_array && o->u->params[i].ref == array) return i;
    return -1;
}

// The parameter whose first element has the counter's value in the end; -1: none.
static int counter_of(const struct orders *o, ir_array array) {
    const struct ir_unit *u = o->u;
    int last = param_of(o, array);
    for (ir_stmt s = u->root; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *stmt = &u->stmts[s];
        const struct ir_node *value = stmt->kind == IR_STORE ? &u->nodes[stmt->store.value] : NULL;
        if (value && value->op == IR_LOAD && value->a == array && is_first(u, value->b, value->n) &&
            is_first(u, stmt->store.indices, stmt->store.index_count))
            last = param_of(o, stmt->store.array);
    }
    return last;
}

// Where the list begins, in the array's outermost elements, if a place in it is exactly what the counter was.
static bool list_begins(const struct ir_unit *u, ir_expr place, ir_stmt from, long long *out) {
    const struct ir_node *n = &u->nodes[place];
    uint32_t bits = 0;
    if (from == several || !is_first(u, u->stmts[from].atomic.indices, u->stmts[from].atomic.index_count)) return false;
    bool is_sum = n->op == IR_ADD && (ir_is_const(u, n->a, &bits) || ir_is_const(u, n->b, &bits));
    *out = (int32_t)bits;
    return is_place(u, place) || (is_sum && is_place(u, ir_is_const(u, n->a, &bits) ? n->b : n->a));
}

static void note(struct orders *o, ir_stmt s) {
    const struct ir_unit *u = o->u;
    struct ir_write w = ir_write_of(&u->stmts[s]);
    int i = w.array ? param_of(o, w.array) : -1;
    if (i < 0) return;
    struct offload_order *order = &o->out[i];
    o->found_thread = false;
    for (uint32_t k = 0; k < w.index_count; k++)
        source_of(o, u->args[w.indices + k]);
    if (u->stmts[s].kind == IR_STORE) source_of(o, w.value);
    order->is_cut |= o->found_thread;
    ir_stmt from = 0;
    uint32_t at = 0;
    while (at < w.index_count && (from = source_of(o, u->args[w.indices + at])) == 0)
        at++;
    bool is_index = from != 0;
    if (!is_index) from = source_of(o, w.value);
    if (!from) return;
    ir_array counter = from == several ? 0 : u->stmts[from].atomic.array;
    bool is_anew = counter ? o->set[counter] != NEVER : o->is_any_set;
    long long begin = 0;
    bool is_list = is_index && at == 0 && list_begins(u, u->args[w.indices], from, &begin);
    int known = is_list && o->set[counter] == ZERO ? counter_of(o, counter) : -1;
    uint32_t depth = is_index ? at + 1 : UINT32_MAX;
    if (!order->is_open) *order = (struct offload_order){true, is_anew, order->is_cut, known, begin, depth};
    if (order->counter != known || order->begin != begin) order->counter = -1;
    if (order->depth != depth) order->depth = UINT32_MAX;
    order->is_anew |= is_anew;
    order->is_cut |= is_index && o->asked;
}

// A list that stands in a branch by itself may be one of several, of which pointers say which it is.
static void walk(struct orders *o, ir_stmt block, bool is_branch) {
    const struct ir_unit *u = o->u;
    bool has_counter = false;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *stmt = &u->stmts[s];
        ir_stmt blocks[2];
        uint32_t count = ir_blocks_of(stmt, blocks);
        has_counter |= stmt->kind == IR_ATOMIC;
        int i = stmt->kind == IR_STORE ? param_of(o, stmt->store.array) : -1;
        note(o, s);
        if (i >= 0 && is_branch && !has_counter) o->out[i].counter = -1;
        bool asks = stmt->kind == IR_IF && source_of(o, stmt->branch.cond);
        o->asked += asks;
        for (uint32_t k = 0; k < count; k++)
            walk(o, blocks[k], stmt->kind == IR_IF);
        o->asked -= asks;
    }
}

// Counters that loops around parallel ones set.
static void find_set(struct orders *o, ir_stmt block, bool in_loop) {
    const struct ir_unit *u = o->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *stmt = &u->stmts[s];
        ir_stmt blocks[2];
        uint32_t count = ir_blocks_of(stmt, blocks), bits;
        if (in_loop && stmt->kind == IR_STORE) {
            bool is_zero = ir_is_const(u, stmt->store.value, &bits) && bits == 0;
            uint8_t *set = &o->set[stmt->store.array];
            *set = is_zero && *set != OTHER ? ZERO : OTHER;
        }
        bool loops = in_loop || stmt->kind == IR_FOR || stmt->kind == IR_LOOP;
        for (uint32_t k = 0; k < count && (in_loop || stmt->kind != IR_PARFOR); k++)
            find_set(o, blocks[k], loops);
    }
}

// Variables of parallel loops over threads.
static void find_numbers(struct orders *o, ir_stmt block) {
    const struct ir_unit *u = o->u;
    bool are_threads = false;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *stmt = &u->stmts[s];
        ir_stmt blocks[2];
        uint32_t count = stmt->kind == IR_PARFOR ? 0 : ir_blocks_of(stmt, blocks);
        for (uint32_t k = 0; k < count; k++)
            find_numbers(o, blocks[k]);
        if (stmt->kind == IR_PARFOR && are_threads) o->is_thread[u->dims[stmt->parfor.dims].var] = true;
        are_threads = stmt->kind == IR_NOP ? are_threads || stmt->nop.mark == IR_MARK_THREADS : false;
    }
}

static bool is_set(void *user, ir_stmt s) {
    struct orders *o = user;
    const struct ir_stmt_node *stmt = &o->u->stmts[s];
    bool counts = stmt->kind == IR_ATOMIC && stmt->atomic.op == IR_ADD && stmt->atomic.old;
    o->is_any_set |= counts && o->set[stmt->atomic.array] != NEVER;
    return true;
}

bool offload_find_orders(const whorl_program *program, bool is_dealt, struct offload_order *out, int count) {
    const struct ir_unit *u = program->unit;
    if (!u || setjmp(program->cx->bail) != 0) return false;
    struct orders o = {.u = u, .out = out, .count = count, .changed = true};
    o.from = base_alloc_array(program->cx, u->var_count, sizeof *o.from);
    o.is_thread = base_alloc_array(program->cx, u->var_count, sizeof *o.is_thread);
    o.in_array = base_alloc_array(program->cx, u->array_count, sizeof *o.in_array);
    o.set = base_alloc_array(program->cx, u->array_count, sizeof *o.set);
    for (int i = 0; i < count; i++)
        out[i] = (struct offload_order){.counter = -1};
    while (o.changed) {
        o.changed = false;
        ir_walk_stmts(u, u->root, spread, &o);
    }
    if (is_dealt) find_numbers(&o, u->root);
    find_set(&o, u->root, false);
    ir_walk_stmts(u, u->root, is_set, &o);
    walk(&o, u->root, false);
    return true;
}
