// What the interpreter needs before the first statement: parameters, the memory of arrays, and which LOCAL arrays each
// parallel loop has to clear.
#include "base/pairs.h"
#include "ir/interp.h"

static void set_params(struct interp *in, const struct ir_interp_options *options) {
    const struct ir_unit *u = in->u;
    for (uint32_t v = 1; v < u->var_count; v++) {
        const struct ir_var_info *info = &u->vars[v];
        if (info->klass != IR_VAR_PARAM) continue;
        if (info->param >= u->param_count)
            ir_interp_fail(in, WHORL_INTERNAL, info->loc, "%s.%u is parameter %u, which does not exist", info->name, v,
                           info->param);
        ir_interp_set_var(in, v, options->param_bits ? options->param_bits[info->param] : u->params[info->param].bits);
    }
}

// Evaluates the array's dims; *out_bytes is its size.
static void measure_array(struct interp *in, ir_array a, size_t *out_bytes) {
    const struct ir_array_info *info = &in->u->arrays[a];
    struct memory *m = &in->arrays[a];
    size_t bytes = info->klass == IR_ARRAY_TABLE ? 4 : whorl_dtype_size((enum whorl_dtype)info->elem);
    m->elem = info->klass == IR_ARRAY_TABLE ? WHORL_U32 : info->elem;
    m->count = 1;
    for (uint32_t i = 0; i < info->ndims; i++) {
        uint32_t bits = ir_interp_eval(in, info->dims[i]);
        if (in->u->nodes[info->dims[i]].type == IR_I32 && (int32_t)bits < 0)
            ir_interp_fail(in, WHORL_SOURCE, info->loc, "dimension %u of %s.%u is negative", i + 1, info->name, a);
        m->dims[i] = bits;
        if (!base_mul_size(bytes, bits, &bytes))
            ir_interp_fail(in, WHORL_LIMIT, info->loc, "%s.%u is too large", info->name, a);
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
            ir_interp_fail(in, WHORL_INVALID, info->loc, "no data for array %s", info->name);
        if (bytes && !options->arrays[info->param])
            ir_interp_fail(in, WHORL_INVALID, info->loc, "array '%s' has no memory", info->name);
        if (options->size_bytes[info->param] != bytes)
            ir_interp_fail(in, WHORL_INVALID, info->loc, "array %s has %zu bytes, its shape needs %zu", info->name,
                           options->size_bytes[info->param], bytes);
        m->bytes = options->arrays[info->param];
        m->rows = in->u->params[info->param].doubles;
        if ((in->u->params[info->param].is_pair || m->rows.run_count) && bytes) {
            unsigned char *pairs = ir_interp_alloc(in, bytes, 1);
            m->doubles = m->bytes;
            m->bytes = pairs;
            m->owned = true;
            base_split_rows(&m->rows, 0, m->doubles, bytes / 4, pairs);
        }
        break;
    case IR_ARRAY_TABLE:
        if (m->count != info->data_count)
            ir_interp_fail(in, WHORL_INTERNAL, info->loc, "table %s.%u has %u values for %llu elements", info->name, a,
                           info->data_count, (unsigned long long)m->count);
        m->table = info->data;
        break;
    default: m->bytes = ir_interp_alloc(in, bytes, 1); m->owned = true;
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
        if (!larger) ir_interp_fail(in, WHORL_MEMORY, 0, "out of memory");
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
    if (scan->parfor && stmt->kind == IR_STORE) note_array(scan, stmt->store.array);
    if (scan->parfor || stmt->kind != IR_PARFOR) return true;
    struct local_scan inner = {scan->in, s, scan->in->local_count};
    push_local(scan->in, 0);
    scan->in->local_at[s] = inner.start;
    struct ir_visitor visitor = {.on_stmt = note_stmt, .on_node = note_load, .user = &inner};
    ir_walk_block(scan->in->u, stmt->parfor.body, &visitor);
    return false;
}

void ir_interp_setup(struct interp *in, const struct ir_interp_options *options) {
    const struct ir_unit *u = in->u;
    in->vars = ir_interp_alloc(in, u->var_count, sizeof *in->vars);
    in->arrays = ir_interp_alloc(in, u->array_count, sizeof *in->arrays);
    in->local_at = ir_interp_alloc(in, u->stmt_count, sizeof *in->local_at);
    struct local_scan scan = {in, 0, 0};
    struct ir_visitor visitor = {.on_stmt = note_stmt, .on_node = note_load, .user = &scan};
    ir_walk_block(u, u->root, &visitor);
    set_params(in, options);
    for (ir_array a = 1; a < u->array_count; a++)
        set_array(in, a, options);
}
