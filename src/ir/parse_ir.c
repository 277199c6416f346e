// The IR's text, as ir_print writes it, back into a unit. Variables and arrays keep the handles that stand in their
// names; numbers in between, which nobody names, become variables that nobody reads.
#include <string.h>

#include "ir/parse_ir.h"

static void next_line(struct ir_parser *p) {
    if (!ir_parse_take(p, "\n")) ir_parse_fail(p, "the line should end here");
    p->line++;
    p->line_start = p->at;
}

// ---- declarations ---------------------------------------------------------------------------------------------------

static void add_param(struct ir_unit *u, struct ir_param param) {
    BASE_RESERVE(u->cx, u->params, u->param_count, u->param_cap);
    u->params[u->param_count++] = param;
}

static void staged(struct ir_parser *p, struct ir_array_info *info) {
    ir_parse_need(p, "of");
    info->source = ir_parse_array(p);
    info->is_box = ir_parse_word(p, "box");
    ir_parse_need(p, "row");
    info->row = ir_parse_count(p);
    ir_parse_need(p, "at");
    info->data_count = ir_parse_count(p);
    if (ir_parse_word(p, "skew")) info->skew = ir_parse_count(p);
    if (!ir_parse_take(p, "window")) return;
    int32_t *offsets = base_alloc_array(p->cx, IR_PARSE_DEPTH, sizeof *offsets);
    info->window = ir_parse_count(p);
    info->offsets = offsets;
    for (; !ir_parse_take(p, "\n"); info->offset_count++) {
        if (info->offset_count == IR_PARSE_DEPTH) ir_parse_fail(p, "too many offsets");
        offsets[info->offset_count] = ir_parse_int(p);
    }
    p->at--; // the end of the line
}

static void of_lanes(struct ir_parser *p, struct ir_array_info *info) {
    info->lanes = ir_parse_count(p);
    ir_parse_need(p, "row");
    info->row = ir_parse_count(p);
    ir_parse_need(p, "at");
    info->data_count = ir_parse_count(p);
}

static void table(struct ir_parser *p, struct ir_array_info *info) {
    uint64_t count = 1;
    uint32_t bits, given = 0;
    for (uint32_t d = 0; d < info->ndims; d++) {
        if (!ir_is_const(p->u, info->dims[d], &bits)) ir_parse_fail(p, "a table has constant dimensions");
        count *= bits;
        if (count > IR_PARSE_HANDLES) ir_parse_fail(p, "the table is too large");
    }
    uint32_t *data = base_alloc_array(p->cx, (size_t)count + 1, sizeof *data);
    info->data = data;
    info->data_count = (uint32_t)count;
    if (!ir_parse_take(p, "=")) return;
    for (ir_expr value; given < count && ir_parse_const(p, &value); given++)
        data[given] = p->u->nodes[value].a;
    if (given < count) ir_parse_fail(p, "fewer values than the table has room for");
}

static void declare_array(struct ir_parser *p, uint8_t klass, enum whorl_dtype elem) {
    struct ir_array_info info = {.elem = (uint8_t)elem, .klass = klass, .loc = ir_parse_loc(p)};
    uint32_t handle;
    if (!ir_parse_name(p, &info.name, &handle) || handle != p->u->array_count)
        ir_parse_fail(p, "the next array is missing here");
    while (ir_parse_take(p, "[")) {
        if (info.ndims == IR_MAX_DIMS) ir_parse_fail(p, "too many dimensions");
        info.dims[info.ndims++] = ir_parse_expr(p);
        ir_parse_need(p, "]");
    }
    if (info.ndims == 0) ir_parse_fail(p, "an array without dimensions");
    info.atomic = ir_parse_word(p, "atomic");
    info.shared = ir_parse_word(p, "shared");
    info.alternates = ir_parse_word(p, "alternates");
    if (klass == IR_ARRAY_STAGED) staged(p, &info);
    if (klass == IR_ARRAY_LOCAL && ir_parse_word(p, "lanes")) of_lanes(p, &info);
    if (klass == IR_ARRAY_TABLE) table(p, &info);
    info.param = p->u->param_count;
    ir_array a = ir_add_array(p->u, info.name, elem, klass, info.ndims, info.dims, info.loc);
    p->u->arrays[a] = info;
    if (klass <= IR_ARRAY_INOUT) add_param(p->u, (struct ir_param){.name = info.name, .is_array = true, .ref = a});
}

static void declare_var(struct ir_parser *p, uint8_t klass, enum ir_type type) {
    struct ir_unit *u = p->u;
    base_loc loc = ir_parse_loc(p);
    const char *name;
    uint32_t v;
    if (!ir_parse_name(p, &name, &v)) ir_parse_fail(p, "a name is missing here");
    while (u->var_count <= v)
        ir_add_var(u, "", IR_VOID, IR_VAR_LOCAL, 0);
    if (u->vars[v].type != IR_VOID) ir_parse_fail(p, "the variable is there already");
    u->vars[v] =
        (struct ir_var_info){.name = name, .type = (uint8_t)type, .klass = klass, .param = u->param_count, .loc = loc};
    if (klass == IR_VAR_PARAM) add_param(u, (struct ir_param){.name = name, .ref = v, .type = (uint8_t)type});
}

static bool take_dtype(struct ir_parser *p, enum whorl_dtype *out) {
    for (int k = 0; k < BASE_DTYPES; k++)
        if (ir_parse_word(p, whorl_dtype_name((enum whorl_dtype)k))) {
            *out = (enum whorl_dtype)k;
            return true;
        }
    return false;
}

static enum ir_type type_of(struct ir_parser *p, enum whorl_dtype dtype) {
    for (int type = IR_BOOL; type <= IR_F32; type++)
        if (strcmp(whorl_dtype_name(dtype), ir_type_name((enum ir_type)type)) == 0) return (enum ir_type)type;
    ir_parse_fail(p, "no variable has this type");
}

// `local` and what else may begin with the word: an array's declaration, or one of variables.
static bool declaration(struct ir_parser *p) {
    uint8_t array_class = 0, var_class = 0;
    enum whorl_dtype dtype;
    const char *start = p->at;
    while (array_class < IR_ARRAY_CLASSES && !ir_parse_word(p, ir_array_class_names[array_class]))
        array_class++;
    p->at = start;
    while (var_class < IR_VAR_CLASSES && !ir_parse_word(p, ir_var_class_names[var_class]))
        var_class++;
    if (array_class == IR_ARRAY_CLASSES && var_class == IR_VAR_CLASSES) return false;
    if (var_class == IR_VAR_CLASSES) ir_parse_need(p, ir_array_class_names[array_class]);
    if (!take_dtype(p, &dtype)) ir_parse_fail(p, "a type is missing here");
    if (array_class < IR_ARRAY_CLASSES && ir_parse_see_element(p)) {
        declare_array(p, array_class, dtype);
    } else {
        if (var_class == IR_VAR_CLASSES) ir_parse_fail(p, "dimensions are missing here");
        do
            declare_var(p, var_class, type_of(p, dtype));
        while (ir_parse_take(p, ","));
    }
    next_line(p);
    return true;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static ir_stmt body(struct ir_parser *p);

static void reduction(struct ir_parser *p, uint32_t *first, uint32_t *count) {
    struct ir_reduction r;
    ir_parse_need(p, "(");
    r.op = ir_parse_op(p);
    r.var = ir_parse_var(p);
    ir_parse_need(p, ")");
    uint32_t at = ir_add_reductions(p->u, &r, 1);
    if ((*count)++ == 0) *first = at;
}

static uint32_t in_brackets(struct ir_parser *p) {
    ir_parse_need(p, "(");
    uint32_t value = ir_parse_count(p);
    ir_parse_need(p, ")");
    return value;
}

static void lanes(struct ir_parser *p, struct ir_stmt_node *n) {
    n->flags |= IR_FLAG_LANES;
    if (n->kind != IR_PARFOR) return;
    n->parfor.lanes = in_brackets(p);
    if (ir_parse_word(p, "as")) n->parfor.lane_var = ir_parse_var(p);
}

static void resume(struct ir_parser *p, struct ir_stmt_node *n) {
    if (n->kind != IR_FOR && n->kind != IR_LOOP) ir_parse_fail(p, "only loops have resume points");
    ir_parse_need(p, "(");
    ir_set_resume_point(n, ir_parse_count(p));
    bool in_iteration = ir_parse_word(p, "passes");
    n->flags |= in_iteration ? IR_FLAG_RESUME : IR_FLAG_GRID;
    if (in_iteration) *(n->kind == IR_FOR ? &n->counted.tick_passes : &n->loop.tick_passes) = ir_parse_count(p);
    ir_parse_need(p, ")");
}

// The words behind a statement, or between its head and its body.
static void flags(struct ir_parser *p, ir_stmt s) {
    struct ir_stmt_node *n = &p->u->stmts[s];
    for (;;) {
        unsigned k = 0;
        while (k < IR_FLAG_NAMES && !ir_parse_word(p, ir_flag_names[k].name))
            k++;
        if (k < IR_FLAG_NAMES)
            n->flags |= ir_flag_names[k].flag;
        else if (ir_parse_word(p, "lanes"))
            lanes(p, n);
        else if (ir_parse_word(p, "resume"))
            resume(p, n);
        else if (n->kind == IR_FOR && ir_parse_word(p, "reduce"))
            reduction(p, &n->counted.reductions, &n->counted.reduction_count);
        else if (n->kind == IR_PARFOR && ir_parse_word(p, "reduce"))
            reduction(p, &n->parfor.reductions, &n->parfor.reduction_count);
        else if ((n->kind == IR_FOR || n->kind == IR_LOOP) && ir_parse_word(p, "steps"))
            ir_set_unroll(n, in_brackets(p));
        else if (n->kind == IR_PARFOR && ir_parse_word(p, "tiles"))
            n->parfor.tile_rows = in_brackets(p);
        else if (n->kind == IR_PARFOR && ir_parse_word(p, "turns"))
            n->parfor.turns = true;
        else
            return;
    }
}

static int32_t range(struct ir_parser *p, ir_expr *lo, ir_expr *hi) {
    *lo = ir_parse_expr(p);
    ir_parse_need(p, "..");
    *hi = ir_parse_expr(p);
    return ir_parse_word(p, "step") ? ir_parse_int(p) : 1;
}

static ir_stmt parse_if(struct ir_parser *p, base_loc loc) {
    ir_parse_need(p, "(");
    ir_stmt s = ir_if(p->u, ir_parse_expr(p), 0, 0, loc), otherwise = 0;
    ir_parse_need(p, ")");
    flags(p, s);
    ir_stmt then = body(p);
    if (ir_parse_word(p, "else")) {
        ir_parse_enter(p);
        otherwise = ir_parse_word(p, "if") ? parse_if(p, ir_parse_loc(p)) : body(p);
        p->depth--;
    }
    p->u->stmts[s].branch.then_block = then;
    p->u->stmts[s].branch.else_block = otherwise;
    return s;
}

static ir_stmt parse_for(struct ir_parser *p, base_loc loc) {
    ir_expr lo, hi;
    ir_var var = ir_parse_var(p);
    ir_parse_need(p, "=");
    int32_t step = range(p, &lo, &hi);
    ir_stmt s = ir_for(p->u, var, lo, hi, step, 0, loc);
    flags(p, s);
    ir_stmt inner = body(p);
    p->u->stmts[s].counted.body = inner;
    return s;
}

static ir_stmt parse_loop(struct ir_parser *p, base_loc loc) {
    ir_expr cond = 0;
    if (ir_parse_take(p, "(")) {
        cond = ir_parse_expr(p);
        ir_parse_need(p, ")");
    }
    ir_stmt s = ir_loop(p->u, cond, 0, 0, loc);
    flags(p, s);
    ir_stmt inner = body(p);
    p->u->stmts[s].loop.body = inner;
    inner = ir_parse_word(p, "continuing") ? body(p) : 0;
    p->u->stmts[s].loop.continuing = inner;
    return s;
}

static ir_stmt parse_parfor(struct ir_parser *p, base_loc loc) {
    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t n = 0;
    do {
        if (n == IR_MAX_DIMS) ir_parse_fail(p, "too many dimensions");
        struct ir_dim *dim = &dims[n++];
        dim->var = ir_parse_var(p);
        ir_parse_need(p, "in");
        dim->step = range(p, &dim->lo, &dim->hi);
    } while (ir_parse_take(p, ","));
    ir_stmt s = ir_add_stmt(p->u, IR_PARFOR, loc);
    uint32_t first = ir_add_dims(p->u, dims, n);
    p->u->stmts[s].parfor.dims = first;
    p->u->stmts[s].parfor.dim_count = n;
    flags(p, s);
    ir_stmt inner = body(p);
    p->u->stmts[s].parfor.body = inner;
    return s;
}

static ir_stmt parse_atomic(struct ir_parser *p, ir_var old, base_loc loc) {
    ir_expr indices[IR_MAX_DIMS];
    ir_array array;
    uint8_t op = ir_parse_op(p);
    uint32_t n = ir_parse_element(p, &array, indices);
    ir_parse_need(p, ",");
    ir_expr value = ir_parse_expr(p), expected = ir_parse_word(p, "if") ? ir_parse_expr(p) : 0;
    ir_stmt s = ir_atomic(p->u, array, indices, n, op, value, old, loc);
    p->u->stmts[s].atomic.expected = expected;
    return s;
}

// Elements of an array, or values for a variable.
static ir_stmt parse_combine(struct ir_parser *p, ir_var var, base_loc loc) {
    struct ir_stmt_node n = {.kind = IR_COMBINE, .combine = {.var = var, .op = ir_parse_op(p)}, .loc = loc};
    const char *start = p->at, *name;
    uint32_t handle;
    bool elements = ir_parse_name(p, &name, &handle) && ir_parse_take(p, "[0 .. ");
    p->at = start;
    if (elements) {
        n.combine.array = ir_parse_array(p);
        ir_parse_need(p, "[0 ..");
        n.combine.count = ir_parse_count(p);
        ir_parse_need(p, "]");
    } else {
        n.combine.value = ir_parse_expr(p);
        ir_parse_need(p, "for");
        n.combine.index = ir_parse_var(p);
        ir_parse_need(p, "in 0 ..");
        n.combine.count = ir_parse_count(p);
    }
    if (ir_parse_word(p, "up")) {
        ir_parse_need(p, "to");
        n.combine.there = ir_parse_expr(p);
    }
    if (elements && ir_parse_word(p, "from")) n.combine.from = ir_parse_expr(p);
    ir_stmt s = ir_add_stmt(p->u, IR_COMBINE, loc);
    p->u->stmts[s] = n;
    return s;
}

static uint32_t together(struct ir_parser *p) {
    if (!ir_parse_take(p, "(")) return 0;
    uint32_t run = ir_parse_count(p);
    ir_parse_need(p, "together)");
    return run;
}

static ir_stmt to_var(struct ir_parser *p, base_loc loc) {
    ir_var var = ir_parse_var(p);
    ir_parse_need(p, "=");
    if (ir_parse_word(p, "atomic")) return parse_atomic(p, var, loc);
    if (ir_parse_word(p, "combine")) return parse_combine(p, var, loc);
    if (ir_parse_word(p, "agree")) {
        ir_stmt s = ir_add_stmt(p->u, IR_AGREE, loc);
        p->u->stmts[s].agree.var = var;
        p->u->stmts[s].agree.op = ir_parse_op(p);
        return s;
    }
    if (ir_parse_word(p, "lane")) {
        ir_stmt s = ir_add_stmt(p->u, IR_NEIGHBOUR, loc);
        int32_t sign = ir_parse_take(p, "-") ? -1 : 1;
        if (sign > 0) ir_parse_need(p, "+");
        int32_t by = sign * (int32_t)ir_parse_count(p);
        ir_parse_need(p, "of");
        ir_expr value = ir_parse_expr(p);
        p->u->stmts[s].neighbour.var = var;
        p->u->stmts[s].neighbour.value = value;
        p->u->stmts[s].neighbour.by = by;
        ir_parse_need(p, "slot");
        p->u->stmts[s].neighbour.slot = ir_parse_count(p);
        return s;
    }
    ir_stmt s = ir_assign(p->u, var, ir_parse_expr(p), loc);
    p->u->stmts[s].assign.run = together(p);
    return s;
}

static ir_stmt to_array(struct ir_parser *p, base_loc loc) {
    ir_expr indices[IR_MAX_DIMS];
    ir_array array;
    uint32_t n = ir_parse_element(p, &array, indices);
    ir_parse_need(p, "=");
    ir_stmt s = ir_store(p->u, array, indices, n, ir_parse_expr(p), loc);
    p->u->stmts[s].store.run = together(p);
    return s;
}

static ir_stmt parse_stage(struct ir_parser *p, base_loc loc) {
    ir_stmt s = ir_add_stmt(p->u, IR_STAGE, loc);
    p->u->stmts[s].stage.to = ir_parse_array(p);
    ir_parse_need(p, "=");
    p->u->stmts[s].stage.from = ir_parse_array(p);
    if (!ir_parse_word(p, "from")) return s;
    ir_expr origins[IR_MAX_DIMS];
    uint32_t n = 0;
    while (ir_parse_take(p, "[")) {
        if (n == IR_MAX_DIMS) ir_parse_fail(p, "too many origins");
        origins[n++] = ir_parse_expr(p);
        ir_parse_need(p, "]");
    }
    p->u->stmts[s].stage.origins = ir_add_args(p->u, origins, n);
    p->u->stmts[s].stage.origin_count = n;
    return s;
}

static ir_stmt parse_turn(struct ir_parser *p, base_loc loc) {
    ir_expr indices[IR_MAX_DIMS];
    ir_array array;
    uint32_t n = ir_parse_element(p, &array, indices);
    bool into = ir_parse_word(p, "into");
    if (!into) ir_parse_need(p, "from");
    ir_array box = ir_parse_array(p);
    struct ir_stmt_node turn = {.kind = IR_TURN, .loc = loc, .turn = {.to = into ? box : array}};
    turn.turn.from = into ? array : box;
    turn.turn.indices = ir_add_args(p->u, indices, n);
    turn.turn.index_count = n;
    ir_parse_need(p, "for");
    turn.turn.index = ir_parse_var(p);
    ir_parse_need(p, "of");
    turn.turn.lane = ir_parse_var(p);
    turn.turn.meets = ir_parse_word(p, "meets");
    if (ir_parse_word(p, "where")) turn.turn.there = ir_parse_expr(p);
    ir_stmt s = ir_add_stmt(p->u, IR_TURN, loc);
    p->u->stmts[s] = turn;
    return s;
}

static ir_stmt parse_barrier(struct ir_parser *p, base_loc loc) {
    ir_stmt s = ir_add_stmt(p->u, IR_BARRIER, loc);
    ir_parse_need(p, "for");
    p->u->stmts[s].barrier.array = ir_parse_array(p);
    return s;
}

static ir_stmt statement(struct ir_parser *p) {
    base_loc loc = ir_parse_loc(p);
    if (ir_parse_word(p, "if")) return parse_if(p, loc); // these take the words before their bodies
    if (ir_parse_word(p, "for")) return parse_for(p, loc);
    if (ir_parse_word(p, "loop")) return parse_loop(p, loc);
    if (ir_parse_word(p, "parfor")) return parse_parfor(p, loc);
    ir_stmt s;
    bool meets = ir_parse_word(p, "meet");
    if (meets || ir_parse_word(p, "nop")) {
        s = ir_add_stmt(p->u, IR_NOP, loc);
        if (meets) p->u->stmts[s].nop.mark = IR_MARK_MEET;
        if (meets && ir_parse_word(p, "expanded")) p->u->stmts[s].nop.value = 1;
    } else if (ir_parse_word(p, "break"))
        s = ir_add_stmt(p->u, IR_BREAK, loc);
    else if (ir_parse_word(p, "continue"))
        s = ir_add_stmt(p->u, IR_CONTINUE, loc);
    else if (ir_parse_word(p, "stage"))
        s = parse_stage(p, loc);
    else if (ir_parse_word(p, "turn"))
        s = parse_turn(p, loc);
    else if (ir_parse_word(p, "barrier"))
        s = parse_barrier(p, loc);
    else if (ir_parse_word(p, "atomic"))
        s = parse_atomic(p, 0, loc);
    else
        s = ir_parse_see_element(p) ? to_array(p, loc) : to_var(p, loc);
    flags(p, s);
    return s;
}

// { statements, each on a line of its own }
static ir_stmt body(struct ir_parser *p) {
    ir_stmt head = 0, last = 0;
    ir_parse_enter(p);
    ir_parse_need(p, "{");
    next_line(p);
    while (!ir_parse_take(p, "}")) {
        ir_stmt s = statement(p);
        next_line(p);
        *(last ? &p->u->stmts[last].next : &head) = s;
        last = s;
    }
    p->depth--;
    return head;
}

struct ir_unit *ir_parse(struct base_cx *cx, const char *text) {
    uint32_t file = base_add_file(cx, "ir", text, strlen(text), false);
    struct ir_parser p = {.cx = cx, .u = ir_unit_create(cx), .at = text, .line_start = text, .file = file, .line = 1};
    ir_parse_need(&p, "unit");
    ir_parse_take(&p, " ");
    size_t size = strcspn(p.at, " \n");
    p.u->entry = base_strndup(cx, p.at, size);
    p.at += size;
    p.u->canonical_loops = ir_parse_word(&p, "canonical");
    p.u->proves_bounds = ir_parse_word(&p, "bounded");
    const char *name;
    uint32_t log = 0;
    if (ir_parse_word(&p, "log") && !ir_parse_name(&p, &name, &log)) ir_parse_fail(&p, "an array is missing here");
    next_line(&p);
    while (declaration(&p))
        continue;
    if (log >= p.u->array_count) ir_parse_fail(&p, "the array of the log is not declared");
    p.u->log = log;
    ir_stmt root = body(&p);
    p.u->root = root;
    next_line(&p);
    if (*p.at) ir_parse_fail(&p, "the text should end here");
    for (ir_var v = 1; v < p.u->var_count; v++)
        if (p.u->vars[v].type == IR_VOID) p.u->vars[v].type = IR_I32;
    return p.u;
}
