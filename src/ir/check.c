// The law of the IR, checked after every pass in tests and debug builds. It asks for more than the interpreter needs,
// so that a pass which breaks something is named at once and not three passes later by a wrong number.
//
// Acyclic by construction: operands have smaller handles than their users, and each statement is met at most once,
// which also rules out a statement that two blocks share.
#include "ir/checker.h"

_Noreturn void ir_check_broken(const struct checker *c, const char *format, ...) {
    struct base_cx *cx = c->u->cx;
    va_list args;
    va_start(args, format);
    const char *what = base_vformat(cx, format, args);
    va_end(args);
    base_loc loc = c->at ? c->u->stmts[c->at].loc : 0;
    uint32_t line = loc < cx->loc_count ? cx->locs[loc].line : 0;
    base_bug(cx, "after %s: statement %u (line %u): %s", c->after, c->at, line, what);
}

// Passes write a statement's lists in place, so a copy that still shares one would change with it. Expressions are
// never written.
void ir_check_list(const struct checker *c, ir_stmt *owners, ir_stmt owner, uint32_t first, uint32_t n, uint32_t count,
                   const char *what) {
    if (n == 0) return;
    if (first == 0 || first >= count || n > count - first)
        ir_check_broken(c, "%s [%u, +%u) are outside the unit's lists", what, first, n);
    for (uint32_t i = first; i < first + n; i++) {
        if (owners[i] && owners[i] != owner)
            ir_check_broken(c, "%s [%u, +%u) also belong to %s", what, first, n,
                            owner == UINT32_MAX || owners[i] == UINT32_MAX ? "an expression" : "another statement");
        owners[i] = owner;
    }
}

// ---- statements -----------------------------------------------------------------------------------------------------

static void check_block(struct checker *c, ir_stmt block);

static void check_written_var(const struct checker *c, ir_var var) {
    ir_check_var_place(c, var);
    const struct ir_var_info *info = &c->u->vars[var];
    if (info->klass == IR_VAR_PARAM || info->klass == IR_VAR_DIM)
        ir_check_broken(c, "%s.%u is read only", info->name, var);
    if (c->var_locked[var]) ir_check_broken(c, "%s.%u is written inside its own loop", info->name, var);
    if (info->klass == IR_VAR_ENTRY && c->parfor && !c->reduced[var])
        ir_check_broken(c, "entry variable %s.%u is written inside a parallel loop that does not reduce it", info->name,
                        var);
}

static void check_assign(struct checker *c, const struct ir_stmt_node *stmt) {
    check_written_var(c, stmt->assign.var);
    ir_check_typed(c, stmt->assign.value, (enum ir_type)c->u->vars[stmt->assign.var].type, "the assigned value");
    if (stmt->flags & IR_FLAG_GROUP && c->parfor)
        ir_check_broken(c, "in an iteration, what a workgroup is told: %s.%u", c->u->vars[stmt->assign.var].name,
                        stmt->assign.var);
}

static void check_store(struct checker *c, const struct ir_stmt_node *stmt) {
    const struct ir_write w = ir_write_of(stmt);
    ir_check_array_place(c, w.array);
    const struct ir_array_info *array = &c->u->arrays[w.array];
    if (stmt->flags & IR_FLAG_GROUP && (stmt->kind != IR_ATOMIC || !c->parfor))
        ir_check_broken(c, "an update in a copy of %s.%u that no workgroup has", array->name, w.array);
    if (stmt->kind == IR_ATOMIC) {
        if (!array->atomic || array->klass == IR_ARRAY_LOCAL)
            ir_check_broken(c, "an atomic on %s.%u, which is not marked so", array->name, stmt->atomic.array);
        if (stmt->atomic.op >= IR_OP_COUNT ||
            !ir_atomic_allowed((uint8_t)stmt->atomic.op, (enum whorl_dtype)array->elem))
            ir_check_broken(c, "no atomic operation %u on elements of %s.%u", stmt->atomic.op, array->name,
                            stmt->atomic.array);
        if (stmt->atomic.expected && (stmt->atomic.op != IR_SELECT || array->elem == WHORL_F32))
            ir_check_broken(c, "a comparison before an atomic update of %s.%u that is no exchange of integers",
                            array->name, stmt->atomic.array);
        if (stmt->atomic.expected)
            ir_check_typed(c, stmt->atomic.expected, ir_elem_type((enum whorl_dtype)array->elem), "the expected value");
        if (stmt->atomic.old) check_written_var(c, stmt->atomic.old);
        if (stmt->atomic.old && c->u->vars[stmt->atomic.old].type != ir_elem_type((enum whorl_dtype)array->elem))
            ir_check_broken(c, "the old value of %s.%u goes into a variable of another type", array->name,
                            stmt->atomic.array);
    }
    if (array->klass == IR_ARRAY_IN || array->klass == IR_ARRAY_TABLE)
        ir_check_broken(c, "store to %s.%u, which is read only", array->name, w.array);
    ir_check_indices(c, w.array, w.indices, w.index_count, 0);
    for (uint32_t i = 0; i < w.index_count; i++)
        ir_walk_expr(c->u, c->u->args[w.indices + i], ir_check_place, c);
    ir_check_typed(c, w.value, ir_elem_type((enum whorl_dtype)array->elem), "the stored value");
}

// The form that pass_canonicalise promises of loops around parallel loops; `parallels`: what was counted before the
// loop.
static void check_canonical(const struct checker *c, const struct ir_stmt_node *stmt, uint32_t parallels) {
    const struct ir_unit *u = c->u;
    if (!u->canonical_loops || c->parfor || c->parallels == parallels) return;
    if (c->jumps) ir_check_broken(c, "a loop around parallel loops is left by a jump");
    if (stmt->kind == IR_LOOP && (stmt->loop.continuing || !stmt->loop.cond || u->nodes[stmt->loop.cond].op != IR_VAR ||
                                  u->vars[u->nodes[stmt->loop.cond].a].klass != IR_VAR_ENTRY))
        ir_check_broken(c, "a loop around parallel loops does not run on a flag");
}

static void check_reduced_var(const struct checker *c, uint8_t op, ir_var var);

static void check_searched(const struct checker *c, const struct ir_reduction *list, uint32_t count) {
    const struct ir_unit *u = c->u;
    uint8_t place = count > 1 ? list[1].op : IR_CONST;
    for (uint32_t i = 0; i < count; i++) {
        check_written_var(c, list[i].var);
        if (u->vars[list[i].var].type == IR_BOOL)
            ir_check_broken(c, "a search keeps %s.%u of type bool", u->vars[list[i].var].name, list[i].var);
    }
    if (place != IR_MIN && place != IR_MAX) ir_check_broken(c, "a search without a place");
    check_reduced_var(c, place, list[1].var);
}

static void check_for(struct checker *c, ir_stmt s, const struct ir_stmt_node *stmt) {
    check_written_var(c, stmt->counted.var);
    uint32_t reduced = stmt->flags & IR_FLAG_LANES ? stmt->counted.reduction_count : 0;
    if (stmt->flags & IR_FLAG_LANES)
        ir_check_list(c, c->reduction_owner, s, stmt->counted.reductions, reduced, c->u->reduction_count, "reductions");
    for (uint32_t i = 0, together; i < reduced; i += together) {
        const struct ir_reduction *list = c->u->reductions + stmt->counted.reductions + i;
        together = ir_reduced_together(list, reduced - i);
        if (together == 1 && list->op != IR_LT && list->op != IR_GT)
            check_reduced_var(c, list->op, list->var);
        else
            check_searched(c, list, together);
    }
    enum ir_type type = (enum ir_type)c->u->vars[stmt->counted.var].type;
    if (type != IR_I32 && type != IR_U32) ir_check_broken(c, "a loop counts in %s", ir_type_name(type));
    ir_check_typed(c, stmt->counted.lo, type, "the loop's first value");
    ir_check_typed(c, stmt->counted.hi, type, "the loop's end");
    if (stmt->counted.step == 0) ir_check_broken(c, "a loop with step 0");
    uint32_t parallels = c->parallels, jumps = c->jumps;
    c->jumps = 0;
    c->var_locked[stmt->counted.var] = 1;
    c->loop_depth++;
    check_block(c, stmt->counted.body);
    c->loop_depth--;
    c->var_locked[stmt->counted.var] = 0;
    if (!c->parfor && c->parallels != parallels && c->counting[stmt->counted.var]++)
        ir_check_broken(c, "%s.%u counts two loops around parallel loops", c->u->vars[stmt->counted.var].name,
                        stmt->counted.var);
    check_canonical(c, stmt, parallels);
    c->jumps = jumps;
}

static void check_loop(struct checker *c, const struct ir_stmt_node *stmt) {
    if (stmt->loop.cond) ir_check_typed(c, stmt->loop.cond, IR_BOOL, "the loop's condition");
    uint32_t depth = c->loop_depth, parallels = c->parallels, jumps = c->jumps;
    c->jumps = 0;
    c->loop_depth++;
    check_block(c, stmt->loop.body);
    c->loop_depth = 0; // the continuing block leaves no loop around it
    check_block(c, stmt->loop.continuing);
    c->loop_depth = depth;
    check_canonical(c, stmt, parallels);
    c->jumps = jumps;
}

static bool reduces(uint8_t op, enum ir_type type) {
    switch (op) {
    case IR_ADD:
    case IR_MUL: return type == IR_I32 || type == IR_U32 || type == IR_F32;
    case IR_MIN:
    case IR_MAX:
    case IR_AND:
    case IR_OR:
    case IR_XOR: return type == IR_I32 || type == IR_U32;
    case IR_FMIN:
    case IR_FMAX: return type == IR_F32;
    case IR_LAND:
    case IR_LOR: return type == IR_BOOL;
    default: return false;
    }
}

static void check_reduced_var(const struct checker *c, uint8_t op, ir_var var) {
    check_written_var(c, var);
    const struct ir_var_info *info = &c->u->vars[var];
    if (op >= IR_OP_COUNT || !reduces(op, (enum ir_type)info->type))
        ir_check_broken(c, "%s.%u of type %s is reduced by %s", info->name, var, ir_type_name((enum ir_type)info->type),
                        op < IR_OP_COUNT ? ir_ops[op].name : "?");
}

static void check_parfor(struct checker *c, ir_stmt s, const struct ir_stmt_node *stmt) {
    const struct ir_unit *u = c->u;
    if (c->parfor) ir_check_broken(c, "a parallel loop inside parallel loop %u", c->parfor);
    c->parallels++;
    if (stmt->parfor.dim_count < 1 || stmt->parfor.dim_count > IR_MAX_DIMS)
        ir_check_broken(c, "a parallel loop of %u dimensions", stmt->parfor.dim_count);
    ir_check_list(c, c->dim_owner, s, stmt->parfor.dims, stmt->parfor.dim_count, u->dim_count, "dimensions");
    ir_check_list(c, c->reduction_owner, s, stmt->parfor.reductions, stmt->parfor.reduction_count, u->reduction_count,
                  "reductions");
    const struct ir_dim *dims = &u->dims[stmt->parfor.dims];
    const struct ir_reduction *reductions = &u->reductions[stmt->parfor.reductions];
    for (uint32_t i = 0; i < stmt->parfor.dim_count; i++) {
        if (dims[i].var == 0 || dims[i].var >= u->var_count || u->vars[dims[i].var].klass != IR_VAR_DIM)
            ir_check_broken(c, "dimension %u has variable %u, which is no index variable", i, dims[i].var);
        enum ir_type type = (enum ir_type)u->vars[dims[i].var].type;
        if (type != IR_I32 && type != IR_U32) ir_check_broken(c, "a parallel loop counts in %s", ir_type_name(type));
        ir_check_typed(c, dims[i].lo, type, "the parallel loop's first value");
        ir_check_typed(c, dims[i].hi, type, "the parallel loop's end");
        if (dims[i].step == 0) ir_check_broken(c, "a parallel loop with step 0");
    }
    for (uint32_t i = 0; i < stmt->parfor.reduction_count; i++) {
        check_reduced_var(c, reductions[i].op, reductions[i].var);
        if (c->reduced[reductions[i].var]++)
            ir_check_broken(c, "%s.%u is reduced twice", u->vars[reductions[i].var].name, reductions[i].var);
    }
    for (uint32_t i = 0; i < stmt->parfor.dim_count; i++)
        if (c->dim_active[dims[i].var]++)
            ir_check_broken(c, "two dimensions share %s.%u", u->vars[dims[i].var].name, dims[i].var);
    ir_var lane = stmt->flags & IR_FLAG_LANES ? stmt->parfor.lane_var : 0;
    if (lane) {
        if (lane >= u->var_count || u->vars[lane].klass != IR_VAR_DIM || u->vars[lane].type != IR_I32 ||
            c->dim_active[lane]++)
            ir_check_broken(c, "the number of a lane cannot be in variable %u", lane);
        uint32_t lanes = stmt->parfor.lanes;
        if (lanes < 2 || (lanes & (lanes - 1))) ir_check_broken(c, "%u lanes", lanes);
    }
    uint32_t depth = c->loop_depth;
    if (stmt->flags & IR_FLAG_TEAM && !lane) ir_check_broken(c, "a team without the number of a lane");
    c->lanes = lane && !(stmt->flags & IR_FLAG_TEAM);
    c->team = (stmt->flags & IR_FLAG_TEAM) != 0;
    c->parfor = s;
    c->loop_depth = 0;
    check_block(c, stmt->parfor.body);
    const char *wrong = ir_privates_of(u, s).wrong;
    if (wrong) ir_check_broken(c, "a parallel loop %s", wrong);
    c->parfor = 0;
    c->lanes = c->team = false;
    c->loop_depth = depth;
    if (lane) c->dim_active[lane] = 0;
    for (uint32_t i = 0; i < stmt->parfor.dim_count; i++)
        c->dim_active[dims[i].var] = 0;
    for (uint32_t i = 0; i < stmt->parfor.reduction_count; i++)
        c->reduced[reductions[i].var] = 0;
}

static void check_combined_values(struct checker *c, const struct ir_stmt_node *stmt) {
    ir_var index = stmt->combine.index;
    if (index == 0 || index >= c->u->var_count || c->u->vars[index].klass != IR_VAR_DIM ||
        c->u->vars[index].type != IR_I32)
        ir_check_broken(c, "the values of a combine are counted by variable %u", index);
    if (!stmt->combine.value || !stmt->combine.count) ir_check_broken(c, "a combine of nothing");
    c->dim_active[index]++;
    ir_check_typed(c, stmt->combine.value, (enum ir_type)c->u->vars[stmt->combine.var].type, "what is combined");
    c->dim_active[index]--;
}

static bool check_count_node(void *user, ir_expr e) {
    struct checker *c = user;
    const struct ir_node *n = &c->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && c->u->vars[n->a].klass != IR_VAR_PARAM))
        ir_check_broken(c, "how many are combined may change");
    return true;
}

static void check_combine(struct checker *c, const struct ir_stmt_node *stmt) {
    if (c->parfor) ir_check_broken(c, "a combine inside a parallel loop");
    c->parallels++;
    check_reduced_var(c, (uint8_t)(stmt->combine.op < IR_OP_COUNT ? stmt->combine.op : IR_OP_COUNT), stmt->combine.var);
    if (stmt->combine.there) {
        ir_check_typed(c, stmt->combine.there, IR_I32, "how many are combined");
        if (stmt->combine.array) ir_walk_expr(c->u, stmt->combine.there, check_count_node, c);
    }
    if (!stmt->combine.array) {
        check_combined_values(c, stmt);
        return;
    }
    ir_check_array_place(c, stmt->combine.array);
    const struct ir_array_info *array = &c->u->arrays[stmt->combine.array];
    uint32_t size;
    if (array->ndims != 1 || ir_elem_type((enum whorl_dtype)array->elem) != c->u->vars[stmt->combine.var].type)
        ir_check_broken(c, "%s.%u cannot be combined into %s.%u", array->name, stmt->combine.array,
                        c->u->vars[stmt->combine.var].name, stmt->combine.var);
    if (stmt->combine.from) ir_check_typed(c, stmt->combine.from, IR_I32, "the first element");
    if (ir_is_const(c->u, array->dims[0], &size) && stmt->combine.count > size)
        ir_check_broken(c, "%u elements of %s.%u are combined, it has %u", stmt->combine.count, array->name,
                        stmt->combine.array, size);
}

// Not made of the lane's number itself. (What variables and memory hold is not looked at.)
static bool on_alike(void *user, ir_expr e) {
    struct {
        const struct ir_unit *u;
        ir_var lane;
        bool alike;
    } *q = user;
    const struct ir_node *n = &q->u->nodes[e];
    if (n->op == IR_VAR) q->alike &= n->a != q->lane;
    return q->alike;
}
static bool is_alike(const struct checker *c, ir_expr e) {
    struct {
        const struct ir_unit *u;
        ir_var lane;
        bool alike;
    } q = {c->u, c->u->stmts[c->parfor].parfor.lane_var, true};
    if (c->team) ir_walk_expr(c->u, e, on_alike, &q);
    return q.alike;
}

static void check_stage(struct checker *c, const struct ir_stmt_node *stmt) {
    const struct ir_array_info *to = &c->u->arrays[stmt->stage.to];
    if (to->klass != IR_ARRAY_STAGED || to->source != stmt->stage.from || !ir_in_buffer(c->u, stmt->stage.from) ||
        (to->is_box ? !c->team : c->parfor != 0))
        ir_check_broken(c, "a copy into workgroup memory that is none");
    if (stmt->stage.origin_count != (to->is_box ? to->ndims : 0))
        ir_check_broken(c, "%u origins of a copy into workgroup memory", stmt->stage.origin_count);
    if (!to->is_box) return;
    ir_check_indices(c, stmt->stage.from, stmt->stage.origins, stmt->stage.origin_count, 0);
    for (uint32_t i = 0; i < stmt->stage.origin_count; i++)
        ir_walk_expr(c->u, c->u->args[stmt->stage.origins + i], ir_check_place, c);
}

// What a lane takes for another one is made of the lane's number and of what all have alike.
static bool on_turned(void *user, ir_expr e) {
    const struct checker *c = user;
    const struct ir_node *n = &c->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && c->u->vars[n->a].klass == IR_VAR_LOCAL && !c->var_locked[n->a]))
        ir_check_broken(c, "a word of another lane's row at a place that lanes may not agree on");
    return ir_check_place(user, e);
}

static void check_turn(struct checker *c, const struct ir_stmt_node *stmt) {
    const struct ir_unit *u = c->u;
    const struct ir_stmt_node *team = &u->stmts[c->parfor];
    ir_array box = ir_box_of(u, stmt), other = box == stmt->turn.to ? stmt->turn.from : stmt->turn.to;
    const struct ir_array_info *rows = &u->arrays[box];
    ir_var index = stmt->turn.index;
    uint8_t klass = u->arrays[stmt->turn.to].klass;
    uint32_t lanes = 0, words = 0;
    if (!c->team || !rows->is_box || rows->ndims != 2 || !ir_in_buffer(u, other) || klass == IR_ARRAY_IN ||
        klass == IR_ARRAY_TABLE || !ir_is_const(u, rows->dims[0], &lanes) || lanes != team->parfor.lanes ||
        !ir_is_const(u, rows->dims[1], &words) || words < 2 || stmt->turn.lane != team->parfor.lane_var || index == 0 ||
        index >= u->var_count || u->vars[index].klass != IR_VAR_DIM || u->vars[index].type != IR_I32)
        ir_check_broken(c, "rows of lanes that are none");
    c->dim_active[index]++;
    ir_check_indices(c, other, stmt->turn.indices, stmt->turn.index_count, 0);
    for (uint32_t i = 0; i < stmt->turn.index_count; i++)
        ir_walk_expr(u, u->args[stmt->turn.indices + i], on_turned, c);
    if (stmt->turn.there) ir_check_typed(c, stmt->turn.there, IR_BOOL, "where a row has a word");
    ir_walk_expr(u, stmt->turn.there, on_turned, c);
    c->dim_active[index]--;
}

static void check_neighbour(struct checker *c, ir_stmt s, const struct ir_stmt_node *stmt) {
    ir_stmt at = c->team ? c->u->stmts[c->parfor].parfor.body : 0;
    while (at && at != s)
        at = c->u->stmts[at].next;
    if (!at) ir_check_broken(c, "a value of another lane where a team does not come together");
    check_written_var(c, stmt->neighbour.var);
    if (stmt->neighbour.slot >= IR_MOST_SLOTS) ir_check_broken(c, "a value of a lane in slot %u", stmt->neighbour.slot);
    ir_check_typed(c, stmt->neighbour.value, (enum ir_type)c->u->vars[stmt->neighbour.var].type,
                   "a value of another lane");
}

static void check_stmt(struct checker *c, ir_stmt s) {
    const struct ir_stmt_node *stmt = &c->u->stmts[s];
    if (ir_run_of(stmt) && !ir_is_run(c->u, s))
        ir_check_broken(c, "%u accesses that are not of neighbours", ir_run_of(stmt));
    switch (stmt->kind) {
    case IR_NOP: break;
    case IR_STAGE: check_stage(c, stmt); break;
    case IR_TURN: check_turn(c, stmt); break;
    case IR_BARRIER:
        if (c->parfor) ir_check_broken(c, "a barrier inside a parallel loop");
        break;
    case IR_ASSIGN: check_assign(c, stmt); break;
    case IR_STORE:
    case IR_ATOMIC: check_store(c, stmt); break;
    case IR_IF: {
        bool team = c->team;
        ir_check_typed(c, stmt->branch.cond, IR_BOOL, "the condition");
        c->team &= is_alike(c, stmt->branch.cond); // else not all of them may come here
        check_block(c, stmt->branch.then_block);
        check_block(c, stmt->branch.else_block);
        c->team = team;
        break;
    }
    case IR_FOR: check_for(c, s, stmt); break;
    case IR_LOOP: check_loop(c, stmt); break;
    case IR_BREAK:
    case IR_CONTINUE:
        c->jumps++;
        if (!c->loop_depth) ir_check_broken(c, "%s outside a loop", stmt->kind == IR_BREAK ? "break" : "continue");
        break;
    case IR_PARFOR: check_parfor(c, s, stmt); break;
    case IR_COMBINE: check_combine(c, stmt); break;
    case IR_NEIGHBOUR: check_neighbour(c, s, stmt); break;
    case IR_AGREE:
        if (!c->lanes) ir_check_broken(c, "lanes of a subgroup where there are none");
        check_reduced_var(c, (uint8_t)(stmt->agree.op < IR_OP_COUNT ? stmt->agree.op : IR_OP_COUNT), stmt->agree.var);
        break;
    default: ir_check_broken(c, "unknown kind %u", (unsigned)stmt->kind);
    }
}

static void check_block(struct checker *c, ir_stmt block) {
    ir_stmt around = c->at;
    for (ir_stmt s = block; s; s = c->u->stmts[s].next) {
        if (s >= c->u->stmt_count) ir_check_broken(c, "statement %u does not exist", s);
        c->at = s;
        if (c->stmt_seen[s]++) ir_check_broken(c, "stands in two places, or its list has a cycle");
        check_stmt(c, s);
    }
    c->at = around;
}

// ---- declarations ---------------------------------------------------------------------------------------------------

static bool only_params(void *user, ir_expr e) {
    struct checker *c = user;
    const struct ir_node *node = &c->u->nodes[e];
    if (node->op == IR_LOAD || (node->op == IR_VAR && c->u->vars[node->a].klass != IR_VAR_PARAM))
        ir_check_broken(c, "the size of an array depends on more than parameters (node %u)", e);
    return true;
}

static void check_array(struct checker *c, ir_array a) {
    const struct ir_array_info *info = &c->u->arrays[a];
    uint64_t count = 1;
    if (whorl_dtype_size((enum whorl_dtype)info->elem) == 0 || info->elem >= WHORL_F64 ||
        info->klass > IR_ARRAY_STAGED || info->ndims < 1 || info->ndims > IR_MAX_DIMS)
        ir_check_broken(c, "array %s.%u: element %u, class %u, %u dimensions", info->name, a, (unsigned)info->elem,
                        (unsigned)info->klass, (unsigned)info->ndims);
    for (uint32_t i = 0; i < info->ndims; i++) {
        enum ir_type type = ir_check_expr(c, info->dims[i]);
        uint32_t bits = 0;
        if (type != IR_I32 && type != IR_U32)
            ir_check_broken(c, "a dimension of %s.%u has type %s", info->name, a, ir_type_name(type));
        ir_walk_expr(c->u, info->dims[i], only_params, c);
        bool is_const = ir_is_const(c->u, info->dims[i], &bits);
        if (!is_const && (info->klass == IR_ARRAY_LOCAL || info->klass == IR_ARRAY_TABLE))
            ir_check_broken(c, "%s.%u must have constant dimensions", info->name, a);
        if (is_const && bits && count > UINT64_MAX / bits)
            ir_check_broken(c, "%s.%u has more than 2^64 elements", info->name, a);
        count *= is_const ? bits : 1;
    }
    if (info->klass == IR_ARRAY_TABLE && (!info->data || info->data_count != count))
        ir_check_broken(c, "table %s.%u holds %u values, its shape %llu", info->name, a, info->data_count,
                        (unsigned long long)count);
    if (info->klass > IR_ARRAY_INOUT) return;
    if (info->param >= c->u->param_count || !c->u->params[info->param].is_array || c->u->params[info->param].ref != a)
        ir_check_broken(c, "array %s.%u and parameter %u do not name each other", info->name, a, info->param);
}

static void check_var(struct checker *c, ir_var v) {
    const struct ir_var_info *info = &c->u->vars[v];
    if (info->type < IR_BOOL || info->type > IR_F32 || info->klass > IR_VAR_DIM)
        ir_check_broken(c, "variable %s.%u: type %u, class %u", info->name, v, (unsigned)info->type,
                        (unsigned)info->klass);
    if (info->klass != IR_VAR_PARAM) return;
    if (info->param >= c->u->param_count || c->u->params[info->param].is_array || c->u->params[info->param].ref != v ||
        c->u->params[info->param].type != info->type)
        ir_check_broken(c, "variable %s.%u and parameter %u do not name each other", info->name, v, info->param);
}

static unsigned char *flags(const struct ir_unit *u, uint32_t count) { return base_alloc_array(u->cx, count, 1); }

void ir_check(const struct ir_unit *u, const char *after) {
    struct checker c = {.u = u, .after = after};
    struct base_scratch scratch = base_scratch_begin(u->cx); // it comes behind every pass
    c.node_ok = flags(u, u->node_count);
    c.stmt_seen = flags(u, u->stmt_count);
    c.var_locked = flags(u, u->var_count);
    c.counting = flags(u, u->var_count);
    c.dim_active = flags(u, u->var_count);
    c.reduced = flags(u, u->var_count);
    c.arg_owner = base_alloc_array(u->cx, u->arg_count, sizeof *c.arg_owner);
    c.dim_owner = base_alloc_array(u->cx, u->dim_count, sizeof *c.dim_owner);
    c.reduction_owner = base_alloc_array(u->cx, u->reduction_count, sizeof *c.reduction_owner);
    for (ir_var v = 1; v < u->var_count; v++)
        check_var(&c, v);
    for (ir_array a = 1; a < u->array_count; a++)
        check_array(&c, a);
    check_block(&c, u->root);
    base_scratch_end(u->cx, &scratch);
}
