// COMBINE: all lanes of a workgroup fold an array, or values that they compute, in the order that ir.h fixes.
//
// Loads are issued some at a time, before any of them is used: memory's answers overlap.
#include "wgsl/print/emit.h"

enum { AT_ONCE = 8, MOST_LOADS = 16, SIDE = WGSL_FOLD_SIDE };

// ---- values in the place of elements --------------------------------------------------------------------------------

struct sure_loads {
    struct wgsl_emitter *e;
    ir_expr list[MOST_LOADS];
    uint32_t count;
};

// Loads that are made whatever the values are; those that others' indices need come first.
static void find_loads(struct sure_loads *l, ir_expr x) {
    const struct ir_unit *u = l->e->u;
    const struct ir_node *n = &u->nodes[x];
    if (n->op == IR_CONST || n->op == IR_VAR) return;
    if (n->op == IR_LOAD) {
        for (uint32_t i = 0; i < n->n; i++)
            find_loads(l, u->args[n->b + i]);
        for (uint32_t i = 0; i < l->count; i++)
            if (l->list[i] == x) return;
        if (l->count < MOST_LOADS) l->list[l->count++] = x;
        return;
    }
    bool lazy = n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR;
    find_loads(l, n->a);
    if (ir_ops[n->op].arity > 1 && !lazy) find_loads(l, n->b);
    if (ir_ops[n->op].arity > 2 && !lazy) find_loads(l, n->c);
}

// `let x0` and so on: the values for the numbers in `at`.
static void compute_values(struct wgsl_emitter *e, const struct ir_stmt_node *n, enum ir_type type,
                           const char *const *at, uint32_t some) {
    const char **index = &e->names[n->combine.index];
    struct sure_loads loads = {.e = e};
    const char *name = *index, *names[AT_ONCE], *loaded[AT_ONCE][MOST_LOADS];
    find_loads(&loads, n->combine.value);
    e->in_phase = true; // no barrier stands inside: nothing in it need be uniform
    for (uint32_t k = 0; k < some; k++) {
        *index = names[k] = wgsl_temp(e);
        wgsl_line(e, "let %s = i32(%s);", *index, at[k]);
        wgsl_begin(e, loads.list, loads.count);
        for (uint32_t i = 0; i < loads.count; i++) {
            loaded[k][i] = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", loaded[k][i], wgsl_expr(e, loads.list[i]));
            wgsl_known(e, loads.list[i], loaded[k][i]);
        }
    }
    for (uint32_t k = 0; k < some; k++) {
        *index = names[k];
        wgsl_begin(e, &n->combine.value, 1);
        for (uint32_t i = 0; i < loads.count; i++)
            wgsl_known(e, loads.list[i], loaded[k][i]);
        const char *value = wgsl_expr(e, n->combine.value);
        if (type == IR_BOOL) value = base_format(e->cx, "select(0u, 1u, %s)", value);
        bool product = type == IR_F32 && e->u->nodes[n->combine.value].op != IR_LOAD;
        wgsl_line(e, product ? "let x%u = bitcast<f32>(bitcast<u32>(%s) | " WGSL_ZERO ");" : "let x%u = %s;", k, value);
    }
    e->in_phase = false;
    *index = name;
}

// ---- the fold -------------------------------------------------------------------------------------------------------

static void load_elements(struct wgsl_emitter *e, const struct ir_stmt_node *n, enum ir_type type,
                          const char *const *at, uint32_t some) {
    for (uint32_t k = 0; k < some; k++) {
        const char *index = n->combine.from ? base_format(e->cx, "base + %s", at[k]) : at[k];
        const char *item = wgsl_element(e, n->combine.array, index);
        if (type == IR_BOOL) item = base_format(e->cx, "select(0u, 1u, %s)", item);
        wgsl_line(e, "let x%u = %s;", k, item);
    }
}

// One invocation's share: every 256th element, in order, of those that are there. Others are loaded and left.
static void fold_share(struct wgsl_emitter *e, const struct ir_stmt_node *n, enum ir_type type) {
    uint32_t count = n->combine.count, each = (count + IR_COMBINE_WIDTH - 1) / IR_COMBINE_WIDTH,
             some = each < AT_ONCE ? each : AT_ONCE;
    uint32_t round = some * IR_COMBINE_WIDTH;
    bool full = count % round == 0 && !n->combine.there, once = some == each;
    const char *there = base_format(e->cx, "%uu", count);
    if (n->combine.there) {
        wgsl_begin(e, &n->combine.there, 1);
        wgsl_line(e, "let there = min(u32(%s), %s);", wgsl_expr(e, n->combine.there), there);
        there = "there";
    }
    if (once)
        wgsl_line(e, "let i = li;");
    else
        wgsl_open(e, base_format(e->cx, "for (var i = li; i < %s; i += %uu)", there, round));
    const char *at[AT_ONCE] = {0};
    for (uint32_t k = 0; k < some; k++) {
        at[k] = k ? base_format(e->cx, "i + %uu", k * IR_COMBINE_WIDTH) : "i";
        if (!full) at[k] = base_format(e->cx, "min(%s, %uu)", at[k], count - 1);
    }
    if (n->combine.array)
        load_elements(e, n, type, at, some);
    else
        compute_values(e, n, type, at, some);
    for (uint32_t k = 0; k < some; k++) {
        if (!full) wgsl_open(e, base_format(e->cx, "if (i + %uu < %s)", k * IR_COMBINE_WIDTH, there));
        wgsl_line(e, "sum = %s;", wgsl_fold(e, (uint8_t)n->combine.op, type, "sum", base_format(e->cx, "x%u", k)));
        if (!full) wgsl_close(e);
    }
    if (!once) wgsl_close(e);
}

// An expression: word `at` of 16 that stand `stride` apart in workgroup memory, `first` in front of each index, folded
// with those `step`, 2 * step, ... behind it as ir.h's tree does: halves against each other.
static const char *fold_words(struct wgsl_emitter *e, uint8_t op, enum ir_type type, const char *first, uint32_t stride,
                              uint32_t at, uint32_t step) {
    if (step == SIDE) return base_format(e->cx, "%s%uu]", first, at * stride);
    const char *a = fold_words(e, op, type, first, stride, at, 2 * step),
               *b = fold_words(e, op, type, first, stride, at + step, 2 * step);
    return base_format(e->cx, "(%s)", wgsl_fold(e, op, type, a, b));
}

void wgsl_fold_columns(struct wgsl_emitter *e, uint8_t op, enum ir_type type, const char *row) {
    wgsl_line(e, "%sli] = %s;", row, fold_words(e, op, type, base_format(e->cx, "%sli + ", row), SIDE, 0, 1));
}

const char *wgsl_fold_column(struct wgsl_emitter *e, uint8_t op, enum ir_type type, const char *row) {
    const char *result = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", result, fold_words(e, op, type, row, 1, 0, 1));
    return result;
}

// All invocations of the workgroup fold the array in the order that ir.h fixes; invocation 0 takes the result, in a
// grid every one. The first barrier makes what invocation 0 wrote visible to them.
void wgsl_combine(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = &e->u->stmts[s];
    uint8_t op = (uint8_t)n->combine.op;
    enum ir_type type = (enum ir_type)e->u->vars[n->combine.var].type, held = type == IR_BOOL ? IR_U32 : type;
    if (e->in->workgroup_size != IR_COMBINE_WIDTH)
        base_bug(e->cx, "COMBINE in a workgroup of %u", e->in->workgroup_size);
    if (!n->combine.array && !e->in->grid) base_bug(e->cx, "COMBINE of values where one invocation has the variables");
    const char *row = base_format(e->cx, "lanes_%s[", ir_type_name(held));
    if (!e->in->grid) { // there the grid's barrier stands before
        wgsl_line(e, "storageBarrier();");
        wgsl_line(e, "workgroupBarrier();");
    }
    wgsl_open(e, "");
    if (n->combine.array && n->combine.from) {
        wgsl_begin(e, &n->combine.from, 1);
        wgsl_line(e, "let base = u32(%s);", wgsl_expr(e, n->combine.from));
    }
    uint32_t identity = ir_identity(op, type);
    wgsl_line(e, "var sum: %s = %s;", ir_type_name(held), wgsl_const(e, held, identity));
    fold_share(e, n, type);
    wgsl_line(e, "%sli] = sum;", row);
    wgsl_line(e, "workgroupBarrier();");
    wgsl_open(e, base_format(e->cx, "if (li < %uu)", SIDE));
    wgsl_fold_columns(e, op, type, row);
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();");
    const char *result = wgsl_fold_column(e, op, type, row);
    if (!e->in->grid) wgsl_open(e, "if (go)");
    const char *name = e->names[n->combine.var];
    if (type == IR_BOOL)
        wgsl_line(e, "%s = (%s) != 0u;", name,
                  wgsl_fold(e, op, type, base_format(e->cx, "select(0u, 1u, %s)", name), result));
    else
        wgsl_line(e, "%s = %s;", name, wgsl_fold(e, op, type, name, result));
    if (!e->in->grid) wgsl_close(e);
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();");
}
