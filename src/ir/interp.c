// The interpreter: the judge of every pass, by the meaning that ir.h and ops.def write down and nothing else.
//
// It walks the trees. Every value is 32 bits, so every operation rounds once whatever the host's compiler would
// contract. Reading what was never written is an error: a variable carries the number of the iteration that set it, so
// that nothing has to be cleared when an iteration ends. A plain copy (x = y, also through SELECT) of an unset value is
// fine and stays unset, because that is what copying a struct with a hole does.
#include <stdio.h>
#include <string.h>

#include "base/pairs.h"
#include "ir/interp.h"

_Noreturn void ir_interp_fail(struct interp *in, enum whorl_status status, base_loc loc, const char *format, ...) {
    const struct base_cx *cx = in->u->cx;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (in->at && in->u->stmts[in->at].loc) loc = in->u->stmts[in->at].loc;
    bool has_place = status == WHORL_SOURCE && loc;
    in->status = base_set_error(in->err, status, "interp", "%s%s%s", has_place ? base_place(in->u->cx, loc) : "",
                                has_place ? ": " : "", message);
    if (in->err && loc && loc < cx->loc_count) {
        struct base_position position = cx->locs[loc];
        if (position.file < cx->file_count)
            snprintf(in->err->file, sizeof in->err->file, "%s", cx->files[position.file].path);
        in->err->line = position.line;
        in->err->col = position.col;
    }
    longjmp(in->leave, 1);
}

void *ir_interp_alloc(struct interp *in, uint64_t count, size_t each_bytes) {
    size_t size_bytes;
    void *p = NULL;
    if (count <= SIZE_MAX && base_mul_size((size_t)count, each_bytes, &size_bytes)) p = base_heap_alloc(size_bytes);
    if (!p) ir_interp_fail(in, WHORL_MEMORY, 0, "out of memory");
    memset(p, 0, size_bytes);
    return p;
}

static void assign(struct interp *in, ir_var var, ir_expr e) {
    while (in->u->nodes[e].op == IR_SELECT)
        e = ir_interp_eval(in, in->u->nodes[e].a) ? in->u->nodes[e].b : in->u->nodes[e].c;
    const struct ir_node *node = &in->u->nodes[e];
    if (node->op == IR_VAR && in->vars[node->a].set_in < in->iteration)
        in->vars[var].set_in = 0;
    else
        ir_interp_set_var(in, var, ir_interp_eval(in, e));
}

void ir_interp_tell(struct interp *in, enum ir_event event, ir_stmt s, ir_array a, uint64_t number) {
    if (in->follower) in->follower->on_event(in->follower, event, s, a, number);
}

void ir_interp_step(struct interp *in) {
    if (++in->steps > in->max_steps)
        ir_interp_fail(in, WHORL_LIMIT, 0, "more than %llu steps: an endless loop?", (unsigned long long)in->max_steps);
}

static enum ir_flow run_for(struct interp *in, ir_stmt s) {
    const struct ir_stmt_node *stmt = &in->u->stmts[s];
    uint32_t lo = ir_interp_eval(in, stmt->counted.lo), hi = ir_interp_eval(in, stmt->counted.hi);
    uint64_t trips = ir_interp_trips(in->u, stmt->counted.var, lo, hi, stmt->counted.step);
    bool looks = ir_interp_begin_passes(in, stmt), backwards = in->backwards && stmt->flags & IR_FLAG_LANES;
    for (uint64_t i = 0; i < trips; i++) {
        uint64_t pass = backwards ? trips - 1 - i : i;
        uint32_t at = lo + (uint32_t)pass * (uint32_t)stmt->counted.step;
        in->at = s;
        ir_interp_step(in);
        ir_interp_tell(in, IR_EVENT_PASS, s, 0, pass);
        if (looks) ir_interp_pass(in, at);
        ir_interp_set_var(in, stmt->counted.var, at);
        if (ir_interp_block(in, stmt->counted.body) == IR_FLOW_BREAK) break;
    }
    if (looks) ir_interp_end_passes(in);
    ir_interp_tell(in, IR_EVENT_END, s, 0, 0);
    in->vars[stmt->counted.var].set_in = 0;
    return IR_FLOW_NEXT;
}

static enum ir_flow run_loop(struct interp *in, ir_stmt s) {
    const struct ir_stmt_node *stmt = &in->u->stmts[s];
    for (;;) {
        in->at = s;
        ir_interp_step(in);
        if (stmt->loop.cond && !ir_interp_eval(in, stmt->loop.cond)) break;
        if (ir_interp_block(in, stmt->loop.body) == IR_FLOW_BREAK) break;
        ir_interp_block(in, stmt->loop.continuing);
    }
    return IR_FLOW_NEXT;
}

// A struct with a hole may be kept in memory of the program's own too; an output must be set.
static void run_store(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct ir_node *value = &in->u->nodes[stmt->store.value];
    uint64_t at = ir_interp_element(in, stmt->store.array, stmt->store.indices, stmt->store.index_count, stmt->loc);
    bool unset = value->op == IR_VAR && in->vars[value->a].set_in < in->iteration;
    bool is_output = in->u->arrays[stmt->store.array].klass == IR_ARRAY_INOUT;
    const struct memory *m = &in->arrays[stmt->store.array];
    uint32_t bits = unset && !is_output ? 0 : ir_interp_eval(in, stmt->store.value),
             before = in->races ? ir_interp_load(m, at) : 0;
    ir_interp_tell(in, IR_EVENT_WRITE, in->at, stmt->store.array, at);
    ir_interp_store(m, at, bits);
    if (in->races)
        ir_interp_look(in, stmt->store.array, at, IR_TOUCH_WRITE, stmt->flags & IR_FLAG_ATOMIC,
                       ir_interp_load(m, at) != before);
}

static void run_atomic(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct memory *m = &in->arrays[stmt->atomic.array];
    uint64_t at = ir_interp_element(in, stmt->atomic.array, stmt->atomic.indices, stmt->atomic.index_count, stmt->loc);
    uint32_t value = ir_interp_eval(in, stmt->atomic.value), old = ir_interp_load(m, at);
    bool stays = stmt->atomic.expected && ir_interp_eval(in, stmt->atomic.expected) != old;
    uint32_t now = stays ? old
                   : stmt->atomic.op == IR_SELECT
                       ? value
                       : ir_interp_fold((uint8_t)stmt->atomic.op, ir_elem_type((enum whorl_dtype)m->elem), old, value);
    ir_interp_tell(in, IR_EVENT_UPDATE, in->at, stmt->atomic.array, at);
    ir_interp_store(m, at, now);
    ir_interp_look(in, stmt->atomic.array, at, IR_TOUCH_UPDATE, true, now != old);
    if (stmt->atomic.old) ir_interp_set_var(in, stmt->atomic.old, old);
}

static void run_stage(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct memory *to = &in->arrays[stmt->stage.to], *from = &in->arrays[stmt->stage.from];
    const struct ir_array_info *box = &in->u->arrays[stmt->stage.to];
    int64_t origin[IR_MAX_DIMS];
    if (!box->is_box) {
        for (uint64_t at = 0; at < to->count; at++)
            ir_interp_tell(in, IR_EVENT_READ, in->at, stmt->stage.from, at);
        memcpy(to->bytes, from->bytes, 4 * to->count);
        return;
    }
    for (uint32_t d = 0; d < box->ndims; d++)
        origin[d] = (int32_t)ir_interp_eval(in, in->u->args[stmt->stage.origins + d]);
    for (uint64_t at = 0; at < to->count; at++) {
        uint64_t rest = at, source = 0, apart = 1;
        for (uint32_t d = box->ndims; d-- > 0; rest /= to->dims[d]) {
            int64_t index = origin[d] + (int64_t)(rest % to->dims[d]), last = (int64_t)from->dims[d] - 1;
            source += (uint64_t)(index < 0 ? 0 : index > last ? last : index) * apart;
            apart *= from->dims[d];
        }
        if (from->count) ir_interp_store(to, at, ir_interp_load(from, source));
    }
}

// Lanes run one after the other: each takes its own row.
static void run_turn(struct interp *in, const struct ir_stmt_node *stmt) {
    ir_array box = ir_box_of(in->u, stmt);
    bool into = box == stmt->turn.to;
    const struct memory *rows = &in->arrays[box], *other = &in->arrays[into ? stmt->turn.from : stmt->turn.to];
    uint64_t row = ir_interp_var(in, stmt->turn.lane, stmt->loc) * rows->dims[1];
    for (uint32_t k = 0; k + 1 < rows->dims[1]; k++) {
        ir_interp_set_var(in, stmt->turn.index, k);
        if (stmt->turn.there && !ir_interp_eval(in, stmt->turn.there)) continue;
        uint64_t at = ir_interp_element(in, into ? stmt->turn.from : stmt->turn.to, stmt->turn.indices,
                                        stmt->turn.index_count, stmt->loc);
        if (into)
            ir_interp_store(rows, row + k, ir_interp_load(other, at));
        else
            ir_interp_store(other, at, ir_interp_load(rows, row + k));
    }
}

enum ir_flow ir_interp_block(struct interp *in, ir_stmt block) {
    for (ir_stmt s = block; s; s = in->u->stmts[s].next) {
        const struct ir_stmt_node *stmt = &in->u->stmts[s];
        enum ir_flow flow = IR_FLOW_NEXT;
        in->at = s;
        ir_interp_step(in);
        ir_interp_tell(in, IR_EVENT_STATEMENT, s, 0, 0);
        switch (stmt->kind) {
        case IR_NOP: ir_interp_mark(in, stmt); break;
        case IR_ASSIGN:
            in->reads_atomically = stmt->flags & IR_FLAG_ATOMIC;
            assign(in, stmt->assign.var, stmt->assign.value);
            in->reads_atomically = false;
            break;
        case IR_STORE: run_store(in, stmt); break;
        case IR_ATOMIC: run_atomic(in, stmt); break;
        case IR_IF:
            flow = ir_interp_block(in, ir_interp_eval(in, stmt->branch.cond) ? stmt->branch.then_block
                                                                             : stmt->branch.else_block);
            break;
        case IR_FOR: run_for(in, s); break;
        case IR_LOOP: run_loop(in, s); break;
        case IR_BREAK: return IR_FLOW_BREAK;
        case IR_CONTINUE: return IR_FLOW_CONTINUE;
        case IR_PARFOR: ir_interp_parfor(in, s); break;
        case IR_COMBINE: ir_interp_combine(in, stmt); break;
        case IR_AGREE:
            ir_interp_fail(in, WHORL_INTERNAL, stmt->loc, "lanes of a subgroup do not run one after the other");
        case IR_STAGE: run_stage(in, stmt); break;
        case IR_TURN: run_turn(in, stmt); break;
        case IR_NEIGHBOUR: return IR_FLOW_NEIGHBOUR;
        default: break;
        }
        if (flow != IR_FLOW_NEXT) return flow;
    }
    return IR_FLOW_NEXT;
}

// Apart, so that `in` is no local of the function that longjmp returns to.
static void run_guarded(struct interp *in, const struct ir_interp_options *options) {
    if (setjmp(in->leave) != 0) return;
    ir_interp_setup(in, options);
    (void)ir_interp_block(in, in->u->root);
}

enum whorl_status ir_interpret(const struct ir_unit *u, const struct ir_interp_options *options,
                               struct whorl_error *err) {
    struct interp in = {.u = u, .iteration = 1, .last_iteration = 1, .err = err, .races = options->races};
    in.follower = options->follower;
    in.backwards = options->backwards;
    in.max_steps = options->max_steps ? options->max_steps : 10000000000u;
    run_guarded(&in, options);
    for (ir_array a = 1; in.arrays && a < u->array_count; a++)
        if (in.arrays[a].doubles && u->arrays[a].klass == IR_ARRAY_INOUT)
            base_join_rows(&in.arrays[a].rows, 0, in.arrays[a].bytes, in.arrays[a].count, in.arrays[a].doubles);
    for (ir_array a = 1; in.arrays && a < u->array_count; a++)
        if (in.arrays[a].owned) base_heap_free(in.arrays[a].bytes);
    base_heap_free(in.arrays);
    base_heap_free(in.entry_vars ? in.entry_vars : in.vars);
    base_heap_free(in.team_vars);
    base_heap_free(in.local_lists);
    base_heap_free(in.local_at);
    base_heap_free(in.partials);
    return in.status;
}
