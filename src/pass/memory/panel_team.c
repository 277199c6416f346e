// A parallel loop whose iterations a workgroup makes together: its last dimensions become the lanes of a team, and what
// belongs to iterations that do not exist goes under a condition, but for copies, for which all come together.
#include "pass/memory/panel.h"

static struct ir_stmt_node *node_of(const struct panel *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- iterations that do not exist -----------------------------------------------------------------------------------

// Those without an iteration have values, too: what they compute is of no use, but it is not undefined. Variables begin
// so where the iteration does: further down they may have values that are wanted.
static bool on_assign(void *user, ir_stmt s) {
    struct panel *x = user;
    struct ir_unit *u = x->u;
    ir_var v = ir_written_var(&u->stmts[s]);
    if (!v || v >= x->var_cap || u->stmts[s].kind == IR_FOR || u->vars[v].klass != IR_VAR_LOCAL || ir_bit(x->zeroed, v))
        return true;
    x->zeroed[v / 32] |= 1u << v % 32;
    ir_expr zero = ir_const(u, (enum ir_type)u->vars[v].type, 0);
    ir_append(u, &x->zeros, ir_assign(u, v, zero, u->stmts[s].loc));
    return true;
}

static void append_guarded(struct panel *x, ir_stmt *out, ir_expr exists, ir_stmt guarded, bool more) {
    if (!guarded) return;
    if (more) ir_walk_stmts(x->u, guarded, on_assign, x);
    ir_append(x->u, out, ir_if(x->u, exists, guarded, 0, x->u->stmts[guarded].loc));
}

static bool on_risk(void *user, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool found;
    } *x = user;
    uint8_t op = x->u->nodes[e].op;
    x->found |= op == IR_LOAD || op == IR_DIV || op == IR_REM;
    return !x->found;
}

// May be evaluated without an iteration.
static bool is_harmless(const struct panel *x, ir_expr value) {
    struct {
        const struct ir_unit *u;
        bool found;
    } risk = {x->u, false};
    if (x->sc) return pass_is_safe_anywhere(x->sc, value);
    ir_walk_expr(x->u, value, on_risk, &risk);
    return !risk.found;
}

ir_stmt panel_guarded(struct panel *x, ir_expr exists, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, guarded = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        bool plain = u->stmts[s].kind == IR_ASSIGN && is_harmless(x, u->stmts[s].assign.value);
        if (!plain && !ir_copies_boxes(u, s)) {
            ir_append(u, &guarded, s);
            continue;
        }
        append_guarded(x, &out, exists, guarded, true);
        guarded = 0;
        ir_append(u, &out, s);
    }
    append_guarded(x, &out, exists, guarded, false);
    return out;
}

// ---- lanes ----------------------------------------------------------------------------------------------------------

uint32_t panel_lane_dims(const struct panel *x, const struct ir_stmt_node *n) {
    uint64_t lanes = 1, trips;
    for (uint32_t d = n->parfor.dim_count; d-- > 1;) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        uint32_t lo;
        if (dim->step != 1 || !ir_is_const(x->u, dim->lo, &lo) || lo != 0 || x->u->vars[dim->var].type != IR_I32 ||
            !pass_trip_count(x->sc, dim->lo, dim->hi, 1, &trips))
            return 0;
        lanes *= trips;
        if (lanes == PASS_WORKGROUP) return n->parfor.dim_count - d;
        if (lanes > PASS_WORKGROUP || (trips & (trips - 1))) return 0;
    }
    return 0;
}

static bool on_store(void *user, ir_stmt s) {
    struct ir_unit *u = user;
    if (u->stmts[s].kind == IR_STORE) u->stmts[s].flags |= IR_FLAG_OWN;
    return true;
}

void panel_close_team(struct panel *x, ir_var lane, uint32_t dims, ir_stmt head) {
    struct ir_unit *u = x->u;
    ir_append(u, &head, x->zeros);
    ir_append(u, &head, node_of(x, x->parfor)->parfor.body);
    struct ir_stmt_node *parfor = node_of(x, x->parfor);
    parfor->parfor.body = head;
    parfor->parfor.dim_count = dims;
    parfor->parfor.lanes = PASS_WORKGROUP;
    parfor->parfor.lane_var = lane;
    parfor->flags |= IR_FLAG_LANES | IR_FLAG_TEAM;
    ir_walk_stmts(u, head, on_store, u);
}

void panel_make_team(struct panel *x, uint32_t lane_dims_count) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->parfor);
    uint32_t kept = n.parfor.dim_count - lane_dims_count, apart = 1;
    ir_var lane = ir_add_var(u, "lane", IR_I32, IR_VAR_DIM, n.loc);
    ir_stmt head = 0;
    for (uint32_t d = n.parfor.dim_count; d-- > kept;) {
        const struct ir_dim dim = u->dims[n.parfor.dims + d];
        uint32_t trips = 0;
        ir_is_const(u, dim.hi, &trips);
        ir_expr number = ir_var_read(u, lane, n.loc);
        if (apart > 1) number = ir_op2(u, IR_DIV, number, ir_const_i32(u, (int32_t)apart), n.loc);
        if (d > kept) number = ir_op2(u, IR_REM, number, ir_const_i32(u, (int32_t)trips), n.loc);
        u->vars[dim.var].klass = IR_VAR_LOCAL;
        ir_append(u, &head, ir_assign(u, dim.var, number, n.loc));
        apart *= trips;
    }
    panel_close_team(x, lane, kept, head);
}
