// The law: one good unit, and for each rule a change that breaks it, which must be named.
#include "check.h"
#include "ir/ir.h"

static struct base_cx cx;
static struct ir_unit *u;
static ir_array x, in, scratch, local;
static ir_var n, i, s, t, k, v;
static ir_stmt set_s, parfor, set_v, inner, store, outer;

// s = 0; for (k = 0; k < 3; k++) { parfor i in 0 .. 4 reduce(add s) { v = in[i]; for (t ..) { s = s + v; } x[i] = v } }
static void build(void) {
    u = ir_unit_create(&cx);
    ir_expr zero = ir_const_i32(u, 0), four = ir_const_i32(u, 4);
    x = ir_add_array(u, "x", WHORL_F32, IR_ARRAY_INOUT, 1, &four, 0);
    in = ir_add_array(u, "in", WHORL_F32, IR_ARRAY_IN, 1, &four, 0);
    scratch = ir_add_array(u, "scratch", WHORL_F32, IR_ARRAY_SCRATCH, 1, &four, 0);
    local = ir_add_array(u, "local", WHORL_F32, IR_ARRAY_LOCAL, 1, &four, 0);
    n = ir_add_var(u, "n", IR_I32, IR_VAR_PARAM, 0);
    i = ir_add_var(u, "i", IR_I32, IR_VAR_DIM, 0);
    s = ir_add_var(u, "s", IR_F32, IR_VAR_ENTRY, 0);
    t = ir_add_var(u, "t", IR_I32, IR_VAR_LOCAL, 0);
    k = ir_add_var(u, "k", IR_I32, IR_VAR_ENTRY, 0);
    v = ir_add_var(u, "v", IR_F32, IR_VAR_LOCAL, 0);
    u->params = base_alloc_array(&cx, 3, sizeof *u->params);
    u->params[0] = (struct ir_param){.name = "x", .is_array = true, .ref = x};
    u->params[1] = (struct ir_param){.name = "in", .is_array = true, .ref = in};
    u->params[2] = (struct ir_param){.name = "n", .ref = n, .type = IR_I32, .bits = 4};
    u->param_count = u->param_cap = 3;
    u->arrays[in].param = 1;
    u->vars[n].param = 2;
    ir_expr ii = ir_var_read(u, i, 0), vv = ir_var_read(u, v, 0);
    ir_stmt body = 0;
    set_v = ir_assign(u, v, ir_load(u, in, &ii, 1, 0), 0);
    ir_expr sum = ir_op2(u, IR_ADD, ir_var_read(u, s, 0), vv, 0);
    inner = ir_for(u, t, zero, ir_var_read(u, n, 0), 1, ir_assign(u, s, sum, 0), 0);
    store = ir_store(u, x, &ii, 1, vv, 0);
    ir_append(u, &body, set_v);
    ir_append(u, &body, inner);
    ir_append(u, &body, store);
    struct ir_dim dim = {i, zero, four, 1};
    struct ir_reduction reduction = {IR_ADD, s};
    parfor = ir_add_stmt(u, IR_PARFOR, 0);
    uint32_t dims = ir_add_dims(u, &dim, 1), reductions = ir_add_reductions(u, &reduction, 1);
    u->stmts[parfor] = (struct ir_stmt_node){
        .kind = IR_PARFOR,
        .parfor = {.dims = dims, .dim_count = 1, .reductions = reductions, .reduction_count = 1, .body = body}};
    set_s = ir_assign(u, s, ir_const_f32(u, 0), 0);
    outer = ir_for(u, k, zero, ir_const_i32(u, 3), 1, parfor, 0);
    ir_append(u, &u->root, set_s);
    ir_append(u, &u->root, outer);
}

// What ir_check says after `change`; "" where it is content.
static const char *verdict(void (*change)(void)) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail) == 0) {
        build();
        change();
        ir_check(u, "change");
        return "";
    }
    CHECK_EQ_INT(WHORL_INTERNAL, cx.status);
    return base_render_diags(&cx);
}

static void change_nothing(void) {}
TEST(the_good_unit_passes) { CHECK_EQ_STR("", verdict(change_nothing)); }

static ir_expr f(float value) { return ir_const_f32(u, value); }
static ir_expr read_of(ir_var var) { return ir_var_read(u, var, 0); }
static void at_entry(ir_stmt stmt) { ir_append(u, &u->root, stmt); }
static void in_body(ir_stmt stmt) { ir_append(u, &u->stmts[parfor].parfor.body, stmt); }
static ir_stmt loop_of(ir_stmt body, ir_stmt cont) { return ir_loop(u, 0, body, cont, 0); }

#define BREAKS(name, part, ...)                      \
    static void change_##name(void) { __VA_ARGS__; } \
    TEST(name) {                                     \
        const char *said = verdict(change_##name);   \
        CHECK_HAS_STR("after change: ", said);       \
        CHECK_HAS_STR(part, said);                   \
    }
#define KEEPS(name, ...)                             \
    static void change_##name(void) { __VA_ARGS__; } \
    TEST(name) { CHECK_EQ_STR("", verdict(change_##name)); }

// types
BREAKS(assign_type, "the assigned value has type i32, must be f32", u->stmts[set_s].assign.value = ir_const_i32(u, 0))
BREAKS(store_type, "the stored value has type i32", u->stmts[store].store.value = read_of(t))
BREAKS(condition_type, "the condition has type i32", at_entry(ir_if(u, ir_const_i32(u, 1), 0, 0, 0)))
BREAKS(operands_differ, "(ADD): operands of types f32 and i32",
       u->stmts[set_s].assign.value = ir_op2(u, IR_ADD, f(1), ir_const_i32(u, 1), 0))
BREAKS(float_operand, "(XOR): operand 0 has type f32", u->stmts[set_s].assign.value = ir_op2(u, IR_XOR, f(1), f(1), 0))
BREAKS(signed_shift_count, "(SHL): operand 1 has type i32",
       at_entry(ir_assign(u, k, ir_op2(u, IR_SHL, read_of(n), ir_const_i32(u, 1), 0), 0)))
BREAKS(result_type, "(ADD): has type i32, must be f32", u->stmts[set_s].assign.value = ir_op2(u, IR_ADD, f(1), f(1), 0);
       u->nodes[u->stmts[set_s].assign.value].type = IR_I32)
BREAKS(select_type, "(SELECT): operands of types f32 and i32",
       u->stmts[set_s].assign.value = ir_op3(u, IR_SELECT, ir_const(u, IR_BOOL, 1), f(1), ir_const_i32(u, 1), 0))
BREAKS(loop_type, "the loop's end has type f32", u->stmts[outer].counted.hi = f(3))
BREAKS(loop_counts_floats, "a loop counts in f32", u->stmts[outer].counted.var = s)
BREAKS(index_type, "an index of x.1 has type f32", u->args[u->stmts[store].store.indices] = f(0))
BREAKS(unsigned_minus, "(NEG): operand 0 has type u32",
       at_entry(ir_assign(u, k, ir_op1(u, IR_U2I, ir_op1(u, IR_NEG, ir_const(u, IR_U32, 1), 0), 0), 0)))
KEEPS(mixed_types_where_allowed, at_entry(ir_assign(u, s, ir_op2(u, IR_LDEXP, f(1), ir_const_i32(u, 1), 0), 0));
      at_entry(ir_assign(u, k, ir_op2(u, IR_SHR, read_of(n), ir_const(u, IR_U32, 1), 0), 0)))

// runs of neighbours
static ir_stmt store_at(int32_t index) {
    ir_expr at = ir_const_i32(u, index);
    return ir_store(u, x, &at, 1, f(1), 0);
}
static void run_of(int32_t first, int32_t second, uint32_t count) {
    ir_stmt head = store_at(first);
    u->stmts[head].store.run = count;
    in_body(head);
    in_body(store_at(second));
}
KEEPS(run, run_of(2, 3, 2))
BREAKS(run_with_a_gap, "2 accesses that are not of neighbours", run_of(1, 3, 2))
BREAKS(run_backwards, "2 accesses that are not of neighbours", run_of(3, 2, 2))
BREAKS(run_too_short, "3 accesses that are not of neighbours", run_of(2, 3, 3))
BREAKS(run_of_other_statements, "accesses that are not of neighbours", u->stmts[set_v].assign.run = 2)

// handles
BREAKS(missing_value, "node 0 does not exist", u->stmts[set_s].assign.value = 0)
BREAKS(missing_variable, "variable 99 does not exist", u->stmts[set_s].assign.var = 99)
BREAKS(expression_cycle, "operand 1 is node", u->stmts[set_s].assign.value = ir_op2(u, IR_ADD, f(1), f(1), 0);
       u->nodes[u->stmts[set_s].assign.value].b = u->stmts[set_s].assign.value)
BREAKS(load_cycle, "index 0 is node", u->args[u->nodes[u->stmts[set_v].assign.value].b] = u->stmts[set_v].assign.value)
BREAKS(index_count, "1 indices for x.1 of 2 dimensions", u->arrays[x].ndims = 2;
       u->arrays[x].dims[1] = ir_const_i32(u, 1))
BREAKS(list_cycle, "its list has a cycle", u->stmts[outer].next = set_s)
BREAKS(shared_statement, "stands in two places", at_entry(ir_if(u, ir_const(u, IR_BOOL, 1), set_v, 0, 0)))
BREAKS(shared_indices, "also belong to another statement", ir_expr ii = read_of(i);
       ir_stmt twin = ir_store(u, x, &ii, 1, read_of(v), 0); in_body(twin);
       u->stmts[twin].store.indices = u->stmts[store].store.indices)
BREAKS(indices_of_a_load, "also belong to an expression",
       u->stmts[store].store.indices = u->nodes[u->stmts[set_v].assign.value].b)
BREAKS(shared_dimensions, "dimensions [1, +1) also belong to another statement",
       ir_stmt copy = ir_clone_block(u, parfor, NULL, NULL);
       at_entry(copy); u->stmts[copy].parfor.dims = u->stmts[parfor].parfor.dims)
BREAKS(shared_reductions, "reductions [1, +1) also belong to another statement", u->stmts[inner].flags = IR_FLAG_LANES;
       u->stmts[inner].counted.reduction_count = 1;
       u->stmts[inner].counted.reductions = u->stmts[parfor].parfor.reductions)
KEEPS(copy_with_its_own_lists, at_entry(ir_clone_block(u, parfor, NULL, NULL)))
BREAKS(unknown_kind, "unknown kind 77", u->stmts[set_s].kind = 77)

// where things may stand
BREAKS(parfor_in_parfor, "a parallel loop inside parallel loop", ir_stmt copy = ir_clone_block(u, parfor, NULL, NULL);
       in_body(copy))
BREAKS(break_at_entry, "break outside a loop", at_entry(ir_add_stmt(u, IR_BREAK, 0)))
BREAKS(break_out_of_parfor, "break outside a loop", in_body(ir_add_stmt(u, IR_BREAK, 0)))
BREAKS(continue_in_continuing, "continue outside a loop", at_entry(loop_of(0, ir_add_stmt(u, IR_CONTINUE, 0))))
KEEPS(break_in_a_loop, at_entry(loop_of(ir_add_stmt(u, IR_BREAK, 0), 0)))
BREAKS(local_at_entry, "local variable v.6 at entry level", at_entry(ir_assign(u, v, f(0), 0)))
BREAKS(local_read_at_entry, "local variable v.6 at entry level", u->stmts[set_s].assign.value = read_of(v))
BREAKS(local_array_at_entry, "local array local.4 at entry level", ir_expr zero = ir_const_i32(u, 0);
       u->stmts[set_s].assign.value = ir_load(u, local, &zero, 1, 0))
BREAKS(index_outside, "index variable i.2 outside its parallel loop", at_entry(ir_assign(u, k, read_of(i), 0)))
BREAKS(index_in_its_own_bounds, "index variable i.2 outside", u->dims[u->stmts[parfor].parfor.dims].hi = read_of(i))
BREAKS(combine_in_parfor, "a combine inside a parallel loop", in_body(ir_add_stmt(u, IR_COMBINE, 0)))

// who writes what
BREAKS(for_writes_its_variable, "k.5 is written inside its own loop",
       ir_append(u, &u->stmts[outer].counted.body, ir_assign(u, k, ir_const_i32(u, 1), 0)))
BREAKS(nested_for_of_one_variable, "t.4 is written inside its own loop",
       ir_append(u, &u->stmts[inner].counted.body, ir_for(u, t, read_of(n), read_of(n), 1, 0, 0)))
BREAKS(two_loops_of_one_variable, "k.5 counts two loops around parallel loops",
       ir_stmt copy = ir_clone_block(u, parfor, NULL, NULL);
       at_entry(ir_for(u, k, read_of(n), read_of(n), 1, copy, 0)))
KEEPS(two_plain_loops_of_one_variable, at_entry(ir_for(u, k, read_of(n), read_of(n), 1, 0, 0)))
BREAKS(index_is_written, "i.2 is read only", in_body(ir_assign(u, i, ir_const_i32(u, 1), 0)))
BREAKS(parameter_is_written, "n.1 is read only", at_entry(ir_assign(u, n, ir_const_i32(u, 1), 0)))
BREAKS(entry_variable_in_parfor, "entry variable s.3 is written inside a parallel loop that does not reduce it",
       u->stmts[parfor].parfor.reduction_count = 0)
BREAKS(input_is_stored, "store to in.2, which is read only", u->stmts[store].store.array = in)
BREAKS(step_zero, "a loop with step 0", u->stmts[outer].counted.step = 0)
BREAKS(parallel_step_zero, "a parallel loop with step 0", u->dims[u->stmts[parfor].parfor.dims].step = 0)
BREAKS(reduction_type, "s.3 of type f32 is reduced by XOR",
       u->reductions[u->stmts[parfor].parfor.reductions].op = IR_XOR)
BREAKS(reduced_twice, "s.3 is reduced twice", struct ir_reduction two[2] = {{IR_ADD, s}, {IR_ADD, s}};
       u->stmts[parfor].parfor.reductions = ir_add_reductions(u, two, 2); u->stmts[parfor].parfor.reduction_count = 2)

static void search(uint8_t op, enum ir_type type, uint32_t count) {
    ir_var at = ir_add_var(u, "at", type, IR_VAR_LOCAL, 0), with = ir_add_var(u, "with", IR_U32, IR_VAR_LOCAL, 0);
    struct ir_reduction list[3] = {{IR_LT, v}, {op, at}, {IR_SELECT, with}};
    u->stmts[inner].flags = IR_FLAG_LANES;
    u->stmts[inner].counted.reductions = ir_add_reductions(u, list, count);
    u->stmts[inner].counted.reduction_count = count;
}
KEEPS(searched, search(IR_MAX, IR_I32, 3))
BREAKS(searched_without_place, "a search without a place", search(IR_MAX, IR_I32, 1))
BREAKS(searched_with_another, "a search without a place", search(IR_ADD, IR_I32, 2))
BREAKS(searched_with_truth, "a search keeps at.7 of type bool", search(IR_MIN, IR_BOOL, 2))
BREAKS(searched_place_of_floats, "at.7 of type f32 is reduced by MIN", search(IR_MIN, IR_F32, 2))

// declarations
BREAKS(size_of_variable, "depends on more than parameters", u->arrays[scratch].dims[0] = read_of(k))
BREAKS(local_size, "local.4 must have constant dimensions", u->arrays[local].dims[0] = read_of(n))
KEEPS(size_of_parameter, u->arrays[scratch].dims[0] = ir_op2(u, IR_MUL, read_of(n), ir_const_i32(u, 2), 0))
BREAKS(table_without_data, "table scratch.3 holds 0 values", u->arrays[scratch].klass = IR_ARRAY_TABLE)
BREAKS(parameter_mismatch, "do not name each other", u->params[1].ref = x)

static void combine_well(void) {
    ir_stmt c = ir_add_stmt(u, IR_COMBINE, 0);
    u->stmts[c] =
        (struct ir_stmt_node){.kind = IR_COMBINE, .combine = {.var = s, .op = IR_ADD, .array = scratch, .count = 4}};
    at_entry(c);
}
KEEPS(combine, combine_well())
BREAKS(combine_too_many, "5 elements of scratch.3 are combined, it has 4", combine_well();
       u->stmts[u->stmt_count - 1].combine.count = 5)

static struct ir_stmt_node *combine_values(void) {
    ir_stmt c = ir_add_stmt(u, IR_COMBINE, 0);
    ir_expr index = read_of(i);
    u->stmts[c] =
        (struct ir_stmt_node){.kind = IR_COMBINE, .combine = {.var = s, .op = IR_ADD, .count = 4, .index = i}};
    ir_expr value = ir_op2(u, IR_MUL, ir_load(u, in, &index, 1, 0), read_of(s), 0);
    u->stmts[c].combine.value = value;
    at_entry(c);
    return &u->stmts[c];
}
KEEPS(combine_of_values, combine_values())
BREAKS(combine_of_values_by_a_variable, "the values of a combine are counted by variable 5",
       combine_values()->combine.index = k)
BREAKS(combine_of_values_by_none, "the values of a combine are counted by variable 0",
       combine_values()->combine.index = 0)
BREAKS(combine_of_no_values, "a combine of nothing", combine_values()->combine.count = 0)
BREAKS(combine_of_values_type, "what is combined has type i32, must be f32", ir_expr one = ir_const_i32(u, 1);
       combine_values()->combine.value = one)
BREAKS(combine_leaves_its_index, "index variable i.2 outside its parallel loop", combine_values();
       at_entry(ir_assign(u, k, read_of(i), 0)))

static ir_stmt told(ir_var var) {
    ir_stmt stmt = ir_assign(u, var, ir_const_f32(u, 1), 0);
    u->stmts[stmt].flags |= IR_FLAG_GROUP;
    return stmt;
}
KEEPS(workgroup_is_told, at_entry(told(s)))
BREAKS(iteration_is_told, "in an iteration, what a workgroup is told: v.", in_body(told(v)))

// updates in copies of workgroups
static ir_stmt update(enum ir_op op, bool in_copy) {
    ir_expr at = read_of(i);
    ir_stmt stmt = ir_atomic(u, scratch, &at, 1, op, ir_const_i32(u, 1), 0, 0);
    if (in_copy) u->stmts[stmt].flags |= IR_FLAG_GROUP;
    return stmt;
}
static void counters(void) {
    u->arrays[scratch].elem = WHORL_I32;
    u->arrays[scratch].dims[0] = ir_const_i32(u, 4);
    in_body(update(IR_ADD, true));
}
KEEPS(copy, counters(); in_body(update(IR_ADD, true)))
BREAKS(copy_by_nobody, "an update in a copy of scratch.3 that no workgroup has", counters();
       at_entry(update(IR_ADD, true)))
BREAKS(copy_by_two_operators, "updates a copy by two operators", counters(); in_body(update(IR_OR, true)))
BREAKS(copy_and_memory, "writes an array that it updates in copies", counters(); in_body(update(IR_ADD, false)))
BREAKS(copy_that_is_read, "reads an array that it updates in copies", counters(); ir_expr at = read_of(i);
       in_body(ir_assign(u, t, ir_load(u, scratch, &at, 1, 0), 0)))
BREAKS(copy_of_unknown_size, "updates a copy of an array of unknown size", counters();
       u->arrays[scratch].dims[0] = read_of(n))
BREAKS(copy_with_tiles, "has copies, and tiles", counters(); u->stmts[parfor].parfor.tile_rows = 4)

// boxes in workgroup memory
static ir_stmt box(uint32_t origins) {
    ir_expr size = ir_const_i32(u, 4), zero[] = {size, size};
    ir_array to = ir_add_array(u, "box", WHORL_F32, IR_ARRAY_STAGED, 1, &size, 0);
    u->arrays[to].source = in;
    u->arrays[to].row = 1;
    u->arrays[to].is_box = true;
    ir_stmt stage = ir_add_stmt(u, IR_STAGE, 0);
    u->stmts[stage].stage.to = to;
    u->stmts[stage].stage.from = in;
    u->stmts[stage].stage.origins = ir_add_args(u, zero, origins);
    u->stmts[stage].stage.origin_count = origins;
    return stage;
}
static void team(void) {
    u->stmts[parfor].flags |= IR_FLAG_LANES | IR_FLAG_TEAM;
    u->stmts[parfor].parfor.lanes = 256;
    u->stmts[parfor].parfor.lane_var = ir_add_var(u, "lane", IR_I32, IR_VAR_DIM, 0);
}
KEEPS(box_of_a_team, team(); in_body(box(1)))
BREAKS(box_of_no_team, "a copy into workgroup memory that is none", in_body(box(1)))
BREAKS(box_outside, "a copy into workgroup memory that is none", team(); at_entry(box(1)))
BREAKS(box_under_a_condition, "a copy into workgroup memory that is none", team();
       in_body(ir_if(u, ir_op2(u, IR_LT, read_of(u->stmts[parfor].parfor.lane_var), ir_const_i32(u, 9), 0), box(1), 0,
                     0)))
KEEPS(box_under_a_common_condition, team();
      in_body(ir_if(u, ir_op2(u, IR_LT, read_of(i), ir_const_i32(u, 9), 0), box(1), 0, 0)))
BREAKS(box_without_origin, "0 origins of a copy", team(); in_body(box(0)))
BREAKS(box_of_another_array, "a copy into workgroup memory that is none", team(); ir_stmt b = box(1);
       u->stmts[b].stage.from = x; in_body(b))
BREAKS(team_without_lane, "a team without the number of a lane", team(); u->stmts[parfor].parfor.lane_var = 0)

// rows of lanes
static ir_stmt turn(void) {
    ir_expr dims[] = {ir_const_i32(u, 256), ir_const_i32(u, 5)};
    ir_array box = ir_add_array(u, "box", WHORL_F32, IR_ARRAY_STAGED, 2, dims, 0);
    u->arrays[box].row = 1;
    u->arrays[box].is_box = true;
    ir_var word = ir_add_var(u, "word", IR_I32, IR_VAR_DIM, 0);
    ir_expr at = ir_op2(u, IR_ADD, read_of(i), read_of(word), 0);
    ir_stmt stmt = ir_add_stmt(u, IR_TURN, 0);
    u->stmts[stmt].turn.to = box;
    u->stmts[stmt].turn.from = in;
    u->stmts[stmt].turn.indices = ir_add_args(u, &at, 1);
    u->stmts[stmt].turn.index_count = 1;
    u->stmts[stmt].turn.index = word;
    u->stmts[stmt].turn.lane = u->stmts[parfor].parfor.lane_var;
    return stmt;
}
KEEPS(turn_of_a_team, team(); in_body(turn()))
BREAKS(turn_of_no_team, "rows of lanes that are none", in_body(turn()))
BREAKS(turn_by_another_variable, "rows of lanes that are none", team(); ir_stmt b = turn(); u->stmts[b].turn.lane = i;
       in_body(b))
BREAKS(turn_under_a_condition, "rows of lanes that are none", team();
       in_body(ir_if(u, ir_op2(u, IR_LT, read_of(u->stmts[parfor].parfor.lane_var), ir_const_i32(u, 9), 0), turn(), 0,
                     0)))
BREAKS(turn_to_what_is_read_only, "rows of lanes that are none", team(); ir_stmt b = turn();
       u->stmts[b].turn.from = u->stmts[b].turn.to; u->stmts[b].turn.to = in; in_body(b))
BREAKS(turn_by_a_local, "at a place that lanes may not agree on", team(); ir_stmt b = turn();
       ir_var own = ir_add_var(u, "own", IR_I32, IR_VAR_LOCAL, 0); u->args[u->stmts[b].turn.indices] = read_of(own);
       in_body(b))

// values of other lanes
static ir_stmt neighbour(void) {
    ir_var side = ir_add_var(u, "side", IR_F32, IR_VAR_LOCAL, 0);
    ir_stmt made = ir_add_stmt(u, IR_NEIGHBOUR, 0);
    ir_expr one = ir_const_f32(u, 1);
    u->stmts[made].neighbour.var = side;
    u->stmts[made].neighbour.value = one;
    u->stmts[made].neighbour.by = 1;
    return made;
}
KEEPS(neighbour_of_a_team, team(); in_body(neighbour()))
BREAKS(neighbour_of_no_team, "where a team does not come together", in_body(neighbour()))
BREAKS(neighbour_outside, "where a team does not come together", team(); at_entry(neighbour()))
BREAKS(neighbour_under_a_condition, "where a team does not come together", team();
       in_body(ir_if(u, ir_op2(u, IR_LT, read_of(i), ir_const_i32(u, 9), 0), neighbour(), 0, 0)))
BREAKS(neighbour_of_another_type, "a value of another lane", team(); ir_stmt b = neighbour();
       u->stmts[b].neighbour.value = ir_const_i32(u, 1); in_body(b))
BREAKS(neighbour_far_away, "a value of a lane", team(); ir_stmt b = neighbour(); u->stmts[b].neighbour.slot = 1 << 20;
       in_body(b))

TEST(tear_down) { base_cx_deinit(&cx); }
