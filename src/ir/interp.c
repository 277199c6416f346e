// The interpreter: the judge of every pass, by the meaning that ir.h and ops.def write down and nothing else.
//
// It walks the trees. Every value is 32 bits, so every operation rounds once whatever the host's compiler would
// contract. Reading what was never written is an error: a variable carries the number of the iteration that set it, so
// that nothing has to be cleared when an iteration ends. A plain copy (x = y, also through SELECT) of an unset value is
// fine and stays unset, because that is what copying a struct with a hole does.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "ir/eval.h"
#include "ir/ir.h"
#include "ir/shadow.h"

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE };

#define ALWAYS_SET UINT64_MAX // above every iteration's number

struct cell {
    uint32_t bits;
    uint64_t set_in; // 0: unset; a LOCAL: the iteration that set it
};

struct memory {
    unsigned char *bytes;
    const uint32_t *table; // instead of bytes
    bool owned;
    uint8_t elem;
    uint64_t dims[IR_MAX_DIMS];
    uint64_t count;
};

struct interp {
    const struct ir_unit *u;
    struct cell *vars;
    struct memory *arrays;
    uint32_t *local_lists; // LOCAL arrays that each PARFOR's body names: count, then handles
    uint32_t *local_at;    // by statement: where its list starts
    uint32_t local_count, local_cap;
    uint32_t *partials;
    uint64_t partial_cap;
    uint64_t iteration; // from 1; ENTRY code runs as iteration 1
    uint64_t last_iteration;
    uint64_t steps, max_steps;
    ir_stmt at; // the statement that runs
    struct ir_races *races;
    struct ir_access access; // of the parallel loop around; parfor is 0 outside of one
    struct whorl_error *err;
    enum whorl_status status;
    jmp_buf leave;
};

static _Noreturn void fail(struct interp *in, enum whorl_status status, base_loc loc, const char *format, ...)
    BASE_PRINTF(4, 5);

static _Noreturn void fail(struct interp *in, enum whorl_status status, base_loc loc, const char *format, ...) {
    const struct base_cx *cx = in->u->cx;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    in->status = base_set_error(in->err, status, "interp", "%s", message);
    if (in->at && in->u->stmts[in->at].loc) loc = in->u->stmts[in->at].loc;
    if (in->err && loc && loc < cx->loc_count) {
        struct base_position position = cx->locs[loc];
        if (position.file < cx->file_count)
            snprintf(in->err->file, sizeof in->err->file, "%s", cx->files[position.file].path);
        in->err->line = position.line;
        in->err->col = position.col;
    }
    longjmp(in->leave, 1);
}

static void *allocate(struct interp *in, uint64_t count, size_t each_bytes) {
    size_t size_bytes;
    void *p = NULL;
    if (count <= SIZE_MAX && base_mul_size((size_t)count, each_bytes, &size_bytes)) p = base_heap_alloc(size_bytes);
    if (!p) fail(in, WHORL_MEMORY, 0, "out of memory");
    memset(p, 0, size_bytes);
    return p;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static uint32_t eval(struct interp *in, ir_expr e);

static uint32_t read_var(struct interp *in, const struct ir_node *node) {
    const struct cell *cell = &in->vars[node->a];
    if (cell->set_in < in->iteration)
        fail(in, WHORL_SOURCE, node->loc, "%s.%u is read before it is set", in->u->vars[node->a].name, node->a);
    return cell->bits;
}

// The element's number, row-major.
static uint64_t element(struct interp *in, ir_array array, uint32_t first, uint32_t n, base_loc loc) {
    const struct ir_unit *u = in->u;
    const struct memory *m = &in->arrays[array];
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        ir_expr e = u->args[first + i];
        uint32_t bits = eval(in, e);
        int64_t index = u->nodes[e].type == IR_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
        if (index < 0 || (uint64_t)index >= m->dims[i])
            fail(in, WHORL_SOURCE, loc, "index %lld of %s.%u is outside [0, %llu) (dimension %u of %u)",
                 (long long)index, u->arrays[array].name, array, (unsigned long long)m->dims[i], i + 1, n);
        at = at * m->dims[i] + (uint64_t)index;
    }
    return at;
}

static uint32_t load(const struct memory *m, uint64_t at) {
    const unsigned char *p = m->bytes;
    uint16_t half;
    uint32_t word;
    if (m->table) return m->table[at];
    switch (m->elem) {
    case IR_ELEM_F16: memcpy(&half, p + 2 * at, 2); return base_float_bits(base_f16_to_f32(half));
    case IR_ELEM_I16: memcpy(&half, p + 2 * at, 2); return half & 0x8000u ? half | 0xffff0000u : half;
    case IR_ELEM_U16: memcpy(&half, p + 2 * at, 2); return half;
    case IR_ELEM_I8: return p[at] & 0x80u ? p[at] | 0xffffff00u : p[at];
    case IR_ELEM_U8: return p[at];
    case IR_ELEM_BOOL: return p[at] != 0;
    default: memcpy(&word, p + 4 * at, 4); return word;
    }
}

static void store(const struct memory *m, uint64_t at, uint32_t bits) {
    unsigned char *p = m->bytes;
    uint16_t half = (uint16_t)bits;
    switch (m->elem) {
    case IR_ELEM_F16:
        half = base_f32_to_f16(base_bits_float(bits));
        memcpy(p + 2 * at, &half, 2);
        break;
    case IR_ELEM_I16:
    case IR_ELEM_U16: memcpy(p + 2 * at, &half, 2); break;
    case IR_ELEM_I8:
    case IR_ELEM_U8:
    case IR_ELEM_BOOL: p[at] = (unsigned char)bits; break;
    default: memcpy(p + 4 * at, &bits, 4); break;
    }
}

// Looks for a race, where somebody wants to know.
static void look(struct interp *in, ir_array array, uint64_t element, bool writes, bool changes) {
    const struct ir_array_info *info = &in->u->arrays[array];
    bool shared = info->klass == IR_ARRAY_INOUT || info->klass == IR_ARRAY_SCRATCH;
    if (!in->races || !in->access.parfor || !shared || info->atomic) return;
    struct ir_access a = in->access;
    a.u = in->u;
    a.at = in->at;
    a.iteration = in->iteration;
    a.array = array;
    a.dims = in->arrays[array].dims;
    a.count = in->arrays[array].count;
    a.element = element;
    if (!(writes ? ir_shadow_write(in->races, &a, changes) : ir_shadow_read(in->races, &a)))
        fail(in, WHORL_MEMORY, 0, "out of memory for the race check");
}

static uint32_t eval_load(struct interp *in, const struct ir_node *node) {
    uint64_t at = element(in, node->a, node->b, node->n, node->loc);
    look(in, node->a, at, false, false);
    return load(&in->arrays[node->a], at);
}

static uint32_t eval(struct interp *in, ir_expr e) {
    const struct ir_node *node = &in->u->nodes[e];
    switch (node->op) {
    case IR_CONST: return node->a;
    case IR_VAR: return read_var(in, node);
    case IR_LOAD: return eval_load(in, node);
    case IR_LAND: return eval(in, node->a) && eval(in, node->b);
    case IR_LOR: return eval(in, node->a) || eval(in, node->b);
    case IR_SELECT: return eval(in, eval(in, node->a) ? node->b : node->c);
    default: break;
    }
    uint32_t arity = ir_ops[node->op].arity, result = 0;
    enum ir_type type = (enum ir_type)in->u->nodes[node->a].type;
    uint32_t a = eval(in, node->a);
    uint32_t b = arity > 1 ? eval(in, node->b) : 0;
    uint32_t c = arity > 2 ? eval(in, node->c) : 0;
    if (!ir_eval_op((enum ir_op)node->op, type, a, b, c, &result))
        fail(in, WHORL_SOURCE, node->loc,
             b ? "integer division overflows: -2147483648 / -1" : "integer division by zero");
    return result;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static enum flow run_block(struct interp *in, ir_stmt block);

static void set_var(struct interp *in, ir_var var, uint32_t bits) {
    struct cell *cell = &in->vars[var];
    cell->bits = bits;
    cell->set_in = in->u->vars[var].klass == IR_VAR_LOCAL ? in->iteration : ALWAYS_SET;
}

static void assign(struct interp *in, ir_var var, ir_expr e) {
    while (in->u->nodes[e].op == IR_SELECT)
        e = eval(in, in->u->nodes[e].a) ? in->u->nodes[e].b : in->u->nodes[e].c;
    const struct ir_node *node = &in->u->nodes[e];
    if (node->op == IR_VAR && in->vars[node->a].set_in < in->iteration)
        in->vars[var].set_in = 0;
    else
        set_var(in, var, eval(in, e));
}

static void count_step(struct interp *in) {
    if (++in->steps > in->max_steps)
        fail(in, WHORL_LIMIT, 0, "more than %llu steps: an endless loop?", (unsigned long long)in->max_steps);
}

static enum flow run_for(struct interp *in, ir_stmt s) {
    const struct ir_stmt_node *stmt = &in->u->stmts[s];
    bool is_signed = in->u->vars[stmt->a].type == IR_I32, up = (int32_t)stmt->d > 0;
    // Order of i32 is the order of u32 after flipping the sign bit.
    uint32_t flip = is_signed ? 0x80000000u : 0, at = eval(in, stmt->b), end = eval(in, stmt->c) ^ flip;
    for (; up ? (at ^ flip) < end : (at ^ flip) > end; at += stmt->d) {
        in->at = s;
        count_step(in);
        set_var(in, stmt->a, at);
        if (run_block(in, stmt->e) == FLOW_BREAK) break;
    }
    in->vars[stmt->a].set_in = 0;
    return FLOW_NEXT;
}

static enum flow run_loop(struct interp *in, ir_stmt s) {
    const struct ir_stmt_node *stmt = &in->u->stmts[s];
    for (;;) {
        in->at = s;
        count_step(in);
        if (stmt->a && !eval(in, stmt->a)) break;
        if (run_block(in, stmt->e) == FLOW_BREAK) break;
        run_block(in, stmt->b);
    }
    return FLOW_NEXT;
}

static uint32_t fold(uint8_t op, enum ir_type type, uint32_t a, uint32_t b) {
    uint32_t result = 0;
    (void)ir_eval_op((enum ir_op)op, type, a, b, 0, &result); // no reduction divides
    return result;
}

static uint32_t combine(uint8_t op, enum ir_type type, const uint32_t *items, uint64_t n) {
    uint32_t lanes[IR_COMBINE_WIDTH];
    uint64_t q = (n + IR_COMBINE_WIDTH - 1) / IR_COMBINE_WIDTH;
    for (uint64_t l = 0; l < IR_COMBINE_WIDTH; l++) {
        lanes[l] = ir_identity(op, type);
        for (uint64_t i = l * q; i < (l + 1) * q && i < n; i++)
            lanes[l] = fold(op, type, lanes[l], items[i]);
    }
    for (uint32_t s = IR_COMBINE_WIDTH / 2; s > 0; s /= 2)
        for (uint32_t l = 0; l < s; l++)
            lanes[l] = fold(op, type, lanes[l], lanes[l + s]);
    return lanes[0];
}

// Room for the values that a reduction folds. PARFOR and COMBINE do not nest, so there is one.
static uint32_t *partials_of(struct interp *in, uint64_t count) {
    if (count > in->partial_cap || !in->partials) {
        base_heap_free(in->partials);
        in->partials = NULL;
        in->partial_cap = 0;
        in->partials = allocate(in, count, sizeof *in->partials);
        in->partial_cap = count;
    }
    return in->partials;
}

// var = var OP items. `old` is the value before the loop.
static void finish_reduction(struct interp *in, uint8_t op, ir_var var, uint32_t old, const uint32_t *items,
                             uint64_t n) {
    enum ir_type type = (enum ir_type)in->u->vars[var].type;
    set_var(in, var, fold(op, type, old, combine(op, type, items, n)));
}

static uint32_t value_of(struct interp *in, ir_var var, base_loc loc) {
    struct ir_node read = {.op = IR_VAR, .a = var, .loc = loc};
    return read_var(in, &read);
}

static void run_combine(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct memory *m = &in->arrays[stmt->c];
    uint32_t first = stmt->e ? eval(in, stmt->e) : 0;
    if (first > m->count || stmt->d > m->count - first)
        fail(in, WHORL_SOURCE, stmt->loc, "%u elements of %s.%u are combined, it has %llu", stmt->d,
             in->u->arrays[stmt->c].name, stmt->c, (unsigned long long)m->count);
    uint32_t *items = partials_of(in, stmt->d);
    for (uint32_t i = 0; i < stmt->d; i++)
        items[i] = load(m, first + i);
    finish_reduction(in, (uint8_t)stmt->b, stmt->a, value_of(in, stmt->a, stmt->loc), items, stmt->d);
}

struct space {
    uint64_t total, trips[IR_MAX_DIMS];
    uint32_t lo[IR_MAX_DIMS];
};

static struct space space_of(struct interp *in, const struct ir_stmt_node *stmt) {
    struct space space = {.total = 1};
    if (stmt->n > IR_MAX_DIMS)
        fail(in, WHORL_INTERNAL, stmt->loc, "a parallel loop of %u dimensions", (unsigned)stmt->n);
    for (uint32_t i = 0; i < stmt->n; i++) {
        const struct ir_dim *dim = &in->u->dims[stmt->a + i];
        uint32_t lo = eval(in, dim->lo), hi = eval(in, dim->hi);
        bool is_signed = in->u->vars[dim->var].type == IR_I32;
        int64_t from = is_signed ? (int64_t)(int32_t)lo : (int64_t)lo;
        int64_t to = is_signed ? (int64_t)(int32_t)hi : (int64_t)hi;
        int64_t span = dim->step > 0 ? to - from : from - to;
        int64_t stride = dim->step > 0 ? dim->step : -(int64_t)dim->step;
        space.lo[i] = lo;
        space.trips[i] = span > 0 ? (uint64_t)((span + stride - 1) / stride) : 0;
        if (space.trips[i] && space.total > UINT64_MAX / space.trips[i])
            fail(in, WHORL_LIMIT, stmt->loc, "a parallel loop has more than 2^64 iterations");
        space.total *= space.trips[i];
    }
    return space;
}

static void run_iteration(struct interp *in, const struct ir_stmt_node *stmt, const struct space *space,
                          uint64_t index) {
    const struct ir_unit *u = in->u;
    for (uint32_t i = stmt->n; i-- > 0;) {
        const struct ir_dim *dim = &u->dims[stmt->a + i];
        set_var(in, dim->var, space->lo[i] + (uint32_t)(index % space->trips[i]) * (uint32_t)dim->step);
        index /= space->trips[i];
    }
    const uint32_t *locals = in->local_lists + in->local_at[stmt - u->stmts];
    for (uint32_t i = 1; i <= locals[0]; i++) {
        struct memory *m = &in->arrays[locals[i]];
        memset(m->bytes, 0, (size_t)m->count * ir_elem_size((enum ir_elem)m->elem));
    }
    in->iteration = ++in->last_iteration;
    run_block(in, stmt->e);
}

static uint32_t identity_of(const struct ir_unit *u, const struct ir_reduction *reduction) {
    return ir_identity(reduction->op, (enum ir_type)u->vars[reduction->var].type);
}

// The partials of one reduction stand together, after the values that the variables had: old[c], then
// partials[c][blocks].
static void run_parfor(struct interp *in, ir_stmt s) {
    const struct ir_unit *u = in->u;
    const struct ir_stmt_node *stmt = &u->stmts[s];
    const struct ir_reduction *reductions = &u->reductions[stmt->b];
    struct space space = space_of(in, stmt);
    uint64_t entry_iteration = in->iteration;
    uint32_t blocks = stmt->c ? ir_reduce_blocks(space.total, stmt->flags) : space.total > 0;
    uint64_t q = blocks ? (space.total + blocks - 1) / blocks : 0;
    in->access = (struct ir_access){.parfor = s, .lo = space.lo, .trips = space.trips, .start = in->last_iteration};
    uint32_t *old = partials_of(in, stmt->c + (uint64_t)stmt->c * blocks), *partials = old + stmt->c;
    for (uint32_t r = 0; r < stmt->c; r++)
        old[r] = value_of(in, reductions[r].var, stmt->loc);
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t r = 0; r < stmt->c; r++)
            set_var(in, reductions[r].var, identity_of(u, &reductions[r]));
        for (uint64_t i = b * q; i < (b + 1) * q && i < space.total; i++) {
            in->at = s;
            count_step(in);
            run_iteration(in, stmt, &space, i);
        }
        for (uint32_t r = 0; r < stmt->c; r++)
            partials[(uint64_t)r * blocks + b] = in->vars[reductions[r].var].bits;
    }
    in->iteration = entry_iteration;
    in->access.parfor = 0;
    if (in->races) in->races->iterations += space.total;
    in->at = s;
    for (uint32_t i = 0; i < stmt->n; i++)
        in->vars[u->dims[stmt->a + i].var].set_in = 0;
    for (uint32_t r = 0; r < stmt->c; r++)
        finish_reduction(in, reductions[r].op, reductions[r].var, old[r], partials + (uint64_t)r * blocks, blocks);
}

// A struct with a hole may be kept in memory of the program's own too; an output must be set.
static void run_store(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct ir_node *value = &in->u->nodes[stmt->c];
    uint64_t at = element(in, stmt->a, stmt->b, stmt->n, stmt->loc);
    bool unset = value->op == IR_VAR && in->vars[value->a].set_in < in->iteration;
    bool is_output = in->u->arrays[stmt->a].klass == IR_ARRAY_INOUT;
    const struct memory *m = &in->arrays[stmt->a];
    uint32_t bits = unset && !is_output ? 0 : eval(in, stmt->c), before = in->races ? load(m, at) : 0;
    store(m, at, bits);
    if (in->races) look(in, stmt->a, at, true, load(m, at) != before);
}

static void run_atomic(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct memory *m = &in->arrays[stmt->a];
    uint64_t at = element(in, stmt->a, stmt->b, stmt->n, stmt->loc);
    uint32_t value = eval(in, stmt->c), old = load(m, at);
    store(m, at, fold((uint8_t)stmt->d, ir_elem_type((enum ir_elem)m->elem), old, value));
    if (stmt->e) set_var(in, stmt->e, old);
}

static enum flow run_block(struct interp *in, ir_stmt block) {
    for (ir_stmt s = block; s; s = in->u->stmts[s].next) {
        const struct ir_stmt_node *stmt = &in->u->stmts[s];
        enum flow flow = FLOW_NEXT;
        in->at = s;
        count_step(in);
        switch (stmt->kind) {
        case IR_ASSIGN: assign(in, stmt->a, stmt->b); break;
        case IR_STORE: run_store(in, stmt); break;
        case IR_ATOMIC: run_atomic(in, stmt); break;
        case IR_IF: flow = run_block(in, eval(in, stmt->a) ? stmt->b : stmt->c); break;
        case IR_FOR: run_for(in, s); break;
        case IR_LOOP: run_loop(in, s); break;
        case IR_BREAK: return FLOW_BREAK;
        case IR_CONTINUE: return FLOW_CONTINUE;
        case IR_PARFOR: run_parfor(in, s); break;
        case IR_COMBINE: run_combine(in, stmt); break;
        case IR_AGREE: fail(in, WHORL_INTERNAL, stmt->loc, "lanes of a subgroup do not run one after the other");
        case IR_STAGE:
            memcpy(in->arrays[stmt->a].bytes, in->arrays[stmt->b].bytes, 4 * in->arrays[stmt->a].count);
            break;
        default: break;
        }
        if (flow != FLOW_NEXT) return flow;
    }
    return FLOW_NEXT;
}

// ---- set-up ---------------------------------------------------------------------------------------------------------

static void set_params(struct interp *in, const struct ir_interp_options *options) {
    const struct ir_unit *u = in->u;
    for (uint32_t v = 1; v < u->var_count; v++) {
        const struct ir_var_info *info = &u->vars[v];
        if (info->klass != IR_VAR_PARAM) continue;
        if (info->param >= u->param_count)
            fail(in, WHORL_INTERNAL, info->loc, "%s.%u is parameter %u, which does not exist", info->name, v,
                 info->param);
        set_var(in, v, options->param_bits ? options->param_bits[info->param] : u->params[info->param].bits);
    }
}

// Evaluates the array's dims; *out_bytes is its size.
static void measure_array(struct interp *in, ir_array a, size_t *out_bytes) {
    const struct ir_array_info *info = &in->u->arrays[a];
    struct memory *m = &in->arrays[a];
    size_t bytes = info->klass == IR_ARRAY_TABLE ? 4 : ir_elem_size((enum ir_elem)info->elem);
    m->elem = info->klass == IR_ARRAY_TABLE ? IR_ELEM_U32 : info->elem;
    m->count = 1;
    for (uint32_t i = 0; i < info->ndims; i++) {
        uint32_t bits = eval(in, info->dims[i]);
        if (in->u->nodes[info->dims[i]].type == IR_I32 && (int32_t)bits < 0)
            fail(in, WHORL_SOURCE, info->loc, "dimension %u of %s.%u is negative", i + 1, info->name, a);
        m->dims[i] = bits;
        if (!base_mul_size(bytes, bits, &bytes)) fail(in, WHORL_LIMIT, info->loc, "%s.%u is too large", info->name, a);
        m->count *= bits;
    }
    *out_bytes = bytes;
}

static void set_array(struct interp *in, ir_array a, const struct ir_interp_options *options) {
    const struct ir_array_info *info = &in->u->arrays[a];
    struct memory *m = &in->arrays[a];
    size_t bytes;
    measure_array(in, a, &bytes);
    switch (info->klass) {
    case IR_ARRAY_IN:
    case IR_ARRAY_INOUT:
        if (info->param >= in->u->param_count || !options->arrays || !options->size_bytes)
            fail(in, WHORL_INVALID, info->loc, "no data for array %s", info->name);
        if (options->size_bytes[info->param] != bytes || (bytes && !options->arrays[info->param]))
            fail(in, WHORL_INVALID, info->loc, "array %s has %zu bytes, its shape needs %zu", info->name,
                 options->arrays[info->param] ? options->size_bytes[info->param] : (size_t)0, bytes);
        m->bytes = options->arrays[info->param];
        break;
    case IR_ARRAY_TABLE:
        if (m->count != info->data_count)
            fail(in, WHORL_INTERNAL, info->loc, "table %s.%u has %u values for %llu elements", info->name, a,
                 info->data_count, (unsigned long long)m->count);
        m->table = info->data;
        break;
    default: m->bytes = allocate(in, bytes, 1); m->owned = true;
    }
}

struct local_scan {
    struct interp *in;
    ir_stmt parfor; // 0 outside
    uint32_t start; // of its list
};

static void push_local(struct interp *in, uint32_t item) {
    if (in->local_count == in->local_cap) {
        uint32_t cap = in->local_cap ? in->local_cap * 2 : 64;
        uint32_t *larger = base_heap_realloc(in->local_lists, cap * sizeof *larger);
        if (!larger) fail(in, WHORL_MEMORY, 0, "out of memory");
        in->local_lists = larger;
        in->local_cap = cap;
    }
    in->local_lists[in->local_count++] = item;
}

static void note_array(struct local_scan *scan, ir_array a) {
    struct interp *in = scan->in;
    if (in->u->arrays[a].klass != IR_ARRAY_LOCAL) return;
    for (uint32_t i = scan->start + 1; i < in->local_count; i++)
        if (in->local_lists[i] == a) return;
    push_local(in, a);
    in->local_lists[scan->start]++;
}

static bool note_load(void *user, ir_expr e) {
    struct local_scan *scan = user;
    const struct ir_node *node = &scan->in->u->nodes[e];
    if (scan->parfor && node->op == IR_LOAD) note_array(scan, node->a);
    return true;
}

static bool note_stmt(void *user, ir_stmt s) {
    struct local_scan *scan = user;
    const struct ir_stmt_node *stmt = &scan->in->u->stmts[s];
    if (scan->parfor && stmt->kind == IR_STORE) note_array(scan, stmt->a);
    if (scan->parfor || stmt->kind != IR_PARFOR) return true;
    struct local_scan inner = {scan->in, s, scan->in->local_count};
    push_local(scan->in, 0);
    scan->in->local_at[s] = inner.start;
    struct ir_visitor visitor = {.on_stmt = note_stmt, .on_node = note_load, .user = &inner};
    ir_walk_block(scan->in->u, stmt->e, &visitor);
    return false;
}

static void run_unit(struct interp *in, const struct ir_interp_options *options) {
    const struct ir_unit *u = in->u;
    in->vars = allocate(in, u->var_count, sizeof *in->vars);
    in->arrays = allocate(in, u->array_count, sizeof *in->arrays);
    in->local_at = allocate(in, u->stmt_count, sizeof *in->local_at);
    struct local_scan scan = {in, 0, 0};
    struct ir_visitor visitor = {.on_stmt = note_stmt, .on_node = note_load, .user = &scan};
    ir_walk_block(u, u->root, &visitor);
    set_params(in, options);
    for (ir_array a = 1; a < u->array_count; a++)
        set_array(in, a, options);
    run_block(in, u->root);
}

// Apart, so that `in` is no local of the function that longjmp returns to.
static void run_guarded(struct interp *in, const struct ir_interp_options *options) {
    if (setjmp(in->leave) == 0) run_unit(in, options);
}

enum whorl_status ir_interpret(const struct ir_unit *u, const struct ir_interp_options *options,
                               struct whorl_error *err) {
    struct interp in = {.u = u, .iteration = 1, .last_iteration = 1, .err = err, .races = options->races};
    in.max_steps = options->max_steps ? options->max_steps : 10000000000u;
    run_guarded(&in, options);
    for (ir_array a = 1; in.arrays && a < u->array_count; a++)
        if (in.arrays[a].owned) base_heap_free(in.arrays[a].bytes);
    base_heap_free(in.arrays);
    base_heap_free(in.vars);
    base_heap_free(in.local_lists);
    base_heap_free(in.local_at);
    base_heap_free(in.partials);
    return in.status;
}
