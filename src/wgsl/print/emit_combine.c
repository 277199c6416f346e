// COMBINE: all lanes of a workgroup fold an array, or values that they compute, in the order that ir.h fixes. Those in
// a row that do not need each other are made together.
//
// Loads are issued some at a time, before any of them is used: memory's answers overlap.
#include "wgsl/print/emit.h"

enum { AT_ONCE = 8, MOST_LOADS = 16, SIDE = WGSL_FOLD_SIDE, MOST_COMBINES = 5 * WGSL_COMBINES_TOGETHER };

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

// ---- a share --------------------------------------------------------------------------------------------------------

// Of a COMBINE, what an invocation folds: every 256th element or value, in order. Those that are not there are loaded
// and left.
struct share {
    const struct ir_stmt_node *n;
    enum ir_type type;    // of its variable
    const char *row;      // of the workgroup's memory, up to the index
    const char *name;     // what stands behind the names of its variables
    uint32_t some, round; // loads at once; numbers that an invocation's loads are apart by then
    bool full, once;      // all are there; some are all
    const char *there, *at[AT_ONCE];
    struct sure_loads loads; // of values
    const char *index[AT_ONCE], *loaded[AT_ONCE][MOST_LOADS];
};

// What decides about the share, in front of its loop. row, number: its place among the COMBINEs that are made together,
// of those of its type and of all.
static struct share begin_share(struct wgsl_emitter *e, const struct ir_stmt_node *n, uint32_t row, uint32_t number) {
    struct share x = {.n = n, .type = (enum ir_type)e->u->vars[n->combine.var].type, .loads = {.e = e}};
    enum ir_type held = x.type == IR_BOOL ? IR_U32 : x.type; // in memory
    x.row = row ? base_format(e->cx, "lanes_%s[%uu + ", ir_type_name(held), row * IR_COMBINE_WIDTH)
                : base_format(e->cx, "lanes_%s[", ir_type_name(held));
    x.name = number ? base_format(e->cx, "_%u", number) : "";
    uint32_t count = n->combine.count, each = (count + IR_COMBINE_WIDTH - 1) / IR_COMBINE_WIDTH;
    x.some = each < AT_ONCE ? each : AT_ONCE;
    x.round = x.some * IR_COMBINE_WIDTH;
    x.full = count % x.round == 0 && !n->combine.there;
    x.once = x.some == each;
    x.there = base_format(e->cx, "%uu", count);
    if (n->combine.array && n->combine.from) {
        wgsl_begin(e, &n->combine.from, 1);
        wgsl_line(e, "let base%s = u32(%s);", x.name, wgsl_expr(e, n->combine.from));
    }
    if (n->combine.there) {
        wgsl_begin(e, &n->combine.there, 1);
        wgsl_line(e, "let there%s = min(u32(%s), %s);", x.name, wgsl_expr(e, n->combine.there), x.there);
        x.there = base_format(e->cx, "there%s", x.name);
    }
    uint32_t identity = ir_identity((uint8_t)n->combine.op, x.type);
    wgsl_line(e, "var sum%s: %s = %s;", x.name, ir_type_name(held), wgsl_const(e, held, identity));
    for (uint32_t k = 0; k < x.some; k++) {
        const char *i = x.once ? "li" : "i";
        x.at[k] = k ? base_format(e->cx, "%s + %uu", i, k * IR_COMBINE_WIDTH) : i;
        if (!x.full) x.at[k] = base_format(e->cx, "min(%s, %uu)", x.at[k], count - 1);
    }
    if (!n->combine.array) find_loads(&x.loads, n->combine.value);
    return x;
}

// What is loaded whatever the values are. Of elements, these are `let x0` and so on.
static void load_share(struct wgsl_emitter *e, struct share *x) {
    const struct ir_stmt_node *n = x->n;
    const char **index = &e->names[n->combine.index], *name = *index;
    e->in_phase = true; // no barrier stands inside: nothing in it need be uniform
    for (uint32_t k = 0; k < x->some && n->combine.array; k++) {
        const char *at = n->combine.from ? base_format(e->cx, "base%s + %s", x->name, x->at[k]) : x->at[k],
                   *item = wgsl_element(e, n->combine.array, at);
        if (x->type == IR_BOOL) item = base_format(e->cx, "select(0u, 1u, %s)", item);
        wgsl_line(e, "let x%u%s = %s;", k, x->name, item);
    }
    for (uint32_t k = 0; k < x->some && !n->combine.array; k++) {
        *index = x->index[k] = wgsl_temp(e);
        wgsl_line(e, "let %s = i32(%s);", *index, x->at[k]);
        wgsl_begin(e, x->loads.list, x->loads.count);
        for (uint32_t i = 0; i < x->loads.count; i++) {
            x->loaded[k][i] = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", x->loaded[k][i], wgsl_expr(e, x->loads.list[i]));
            wgsl_known(e, x->loads.list[i], x->loaded[k][i]);
        }
    }
    e->in_phase = false;
    *index = name;
}

// `let x0` and so on, of values.
static void compute_values(struct wgsl_emitter *e, const struct share *x) {
    const struct ir_stmt_node *n = x->n;
    const char **index = &e->names[n->combine.index], *name = *index;
    e->in_phase = true;
    for (uint32_t k = 0; k < x->some; k++) {
        *index = x->index[k];
        wgsl_begin(e, &n->combine.value, 1);
        for (uint32_t i = 0; i < x->loads.count; i++)
            wgsl_known(e, x->loads.list[i], x->loaded[k][i]);
        const char *value = wgsl_expr(e, n->combine.value);
        if (x->type == IR_BOOL) value = base_format(e->cx, "select(0u, 1u, %s)", value);
        bool product = x->type == IR_F32 && e->u->nodes[n->combine.value].op != IR_LOAD;
        wgsl_line(e, product ? "let x%u%s = bitcast<f32>(bitcast<u32>(%s) | " WGSL_ZERO ");" : "let x%u%s = %s;", k,
                  x->name, value);
    }
    e->in_phase = false;
    *index = name;
}

static void fold_share(struct wgsl_emitter *e, const struct share *x) {
    if (!x->n->combine.array) compute_values(e, x);
    const char *sum = base_format(e->cx, "sum%s", x->name);
    for (uint32_t k = 0; k < x->some; k++) {
        if (!x->full)
            wgsl_open(e,
                      base_format(e->cx, "if (%s + %uu < %s)", x->once ? "li" : "i", k * IR_COMBINE_WIDTH, x->there));
        wgsl_line(e, "%s = %s;", sum,
                  wgsl_fold(e, (uint8_t)x->n->combine.op, x->type, sum, base_format(e->cx, "x%u%s", k, x->name)));
        if (!x->full) wgsl_close(e);
    }
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

// The shares of all: what is loaded once comes first.
static void fold_shares(struct wgsl_emitter *e, struct share *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].once) load_share(e, &list[i]);
    for (uint32_t i = 0; i < count; i++) {
        struct share *x = &list[i];
        if (!x->once) {
            wgsl_open(e, base_format(e->cx, "for (var i = li; i < %s; i += %uu)", x->there, x->round));
            load_share(e, x);
        }
        fold_share(e, x);
        if (!x->once) wgsl_close(e);
        wgsl_line(e, "%sli] = sum%s;", x->row, x->name);
    }
}

static void take_result(struct wgsl_emitter *e, const struct share *x) {
    uint8_t op = (uint8_t)x->n->combine.op;
    const char *result = wgsl_fold_column(e, op, x->type, x->row), *name = e->names[x->n->combine.var];
    if (!e->in->grid) wgsl_open(e, "if (go)");
    if (x->type == IR_BOOL)
        wgsl_line(e, "%s = (%s) != 0u;", name,
                  wgsl_fold(e, op, x->type, base_format(e->cx, "select(0u, 1u, %s)", name), result));
    else
        wgsl_line(e, "%s = %s;", name, wgsl_fold(e, op, x->type, name, result));
    if (!e->in->grid) wgsl_close(e);
}

// All invocations of the workgroup fold what each COMBINE takes in the order that ir.h fixes; invocation 0 takes the
// results, in a grid every one. The first barrier makes what invocation 0 wrote visible to them.
ir_stmt wgsl_combines(struct wgsl_emitter *e, ir_stmt s, ir_stmt stop) {
    ir_stmt end = wgsl_combines_end(e->k, s, stop);
    struct share list[MOST_COMBINES];
    uint32_t count = 0, rows[5] = {0};
    if (e->in->workgroup_size != IR_COMBINE_WIDTH)
        base_bug(e->cx, "COMBINE in a workgroup of %u", e->in->workgroup_size);
    if (!e->in->grid) { // there the grid's barrier stands before
        wgsl_line(e, "storageBarrier();");
        wgsl_line(e, "workgroupBarrier();");
    }
    wgsl_open(e, "");
    for (; s != end; s = e->u->stmts[s].next) {
        const struct ir_stmt_node *n = &e->u->stmts[s];
        uint8_t type = e->u->vars[n->combine.var].type;
        if (!n->combine.array && !e->in->grid)
            base_bug(e->cx, "COMBINE of values where one invocation has the variables");
        list[count] = begin_share(e, n, rows[type == IR_BOOL ? IR_U32 : type]++, count);
        count++;
    }
    fold_shares(e, list, count);
    wgsl_line(e, "workgroupBarrier();");
    wgsl_open(e, base_format(e->cx, "if (li < %uu)", SIDE));
    for (uint32_t i = 0; i < count; i++)
        wgsl_fold_columns(e, (uint8_t)list[i].n->combine.op, list[i].type, list[i].row);
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();");
    for (uint32_t i = 0; i < count; i++)
        take_result(e, &list[i]);
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();");
    return end;
}
