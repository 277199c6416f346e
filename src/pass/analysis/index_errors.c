// Indices that certainly leave their array: `for (i = 0; i <= n; i++) x[i]`, for the sizes that were given.
//
// The program is played once, each loop in its first and in its last pass alone: where an index is a sum of loop
// variables it is largest and smallest at these corners. What stands under a condition that is not known, or behind
// something that may have left the loop, is not looked at (play.h). So what is found does happen.
#include "pass/analysis/depend.h"
#include "pass/analysis/play.h"
#include "pass/cost.h"
#include "pass/passes.h"

struct loop {
    ir_var var;
    base_loc loc;
};
struct corners {
    struct ir_unit *u;
    struct pass_play play;
    struct loop loops[PASS_CORNERS_LOOPS]; // around, innermost last
    uint32_t loop_count;
    bool done; // something was found
};
static const struct pass_value unknown = {0, false};

// ---- indices --------------------------------------------------------------------------------------------------------

static const char *iteration(const struct corners *c) {
    const char *text = "";
    for (uint32_t i = 0; i < c->loop_count; i++) {
        const struct ir_var_info *var = &c->u->vars[c->loops[i].var];
        text = base_format(c->u->cx, "%s%s%s = %lld", text, *text ? ", " : ": reached with ", var->name,
                           (long long)pass_value_number(c->play.vars[c->loops[i].var], (enum ir_type)var->type));
    }
    return text;
}

// As C has it, elements of rows are one behind the other: an index may leave its row, but not the array.
static void check(struct corners *c, ir_array array, uint32_t first, uint32_t n, base_loc loc,
                  const struct pass_value *index) {
    const struct ir_array_info *a = &c->u->arrays[array];
    int64_t at = 0, total = 1, wrong = 0;
    uint32_t wrong_dim = UINT32_MAX, wrong_extent = 0;
    if (c->play.maybe || c->done || array == c->u->log) return;
    for (uint32_t d = 0; d < n; d++) {
        uint32_t extent;
        if (!index[d].known || !ir_is_const(c->u, a->dims[d], &extent)) return;
        int64_t i = pass_value_number(index[d], (enum ir_type)c->u->nodes[c->u->args[first + d]].type);
        if (__builtin_mul_overflow(at, (int64_t)extent, &at) || __builtin_add_overflow(at, i, &at) ||
            __builtin_mul_overflow(total, (int64_t)extent, &total))
            return;
        if (wrong_dim == UINT32_MAX && (i < 0 || i >= (int64_t)extent)) {
            wrong_dim = d;
            wrong = i;
            wrong_extent = extent;
        }
    }
    if (at >= 0 && at < total) return;
    base_error(c->u->cx, loc, "index %lld is outside of '%s', which has %u element%s%s%s", (long long)wrong, a->name,
               wrong_extent, base_s(wrong_extent), n > 1 ? " there" : "", iteration(c));
    if (c->loop_count) base_note(c->u->cx, c->loops[c->loop_count - 1].loc, "the loop that reaches it is here");
    c->done = true;
    pass_play_stop(&c->play);
}

static void on_load(struct pass_play *p, ir_expr e, const struct pass_value *index) {
    const struct ir_node *n = &p->u->nodes[e];
    check(p->user, n->a, n->b, n->n, n->loc ? n->loc : p->u->stmts[p->stmt].loc, index);
}

static void on_write(struct pass_play *p, ir_stmt s, const struct pass_value *index, struct pass_value value) {
    struct ir_write w = ir_write_of(&p->u->stmts[s]);
    (void)value;
    check(p->user, w.array, w.indices, w.index_count, p->u->stmts[s].loc, index);
}

// ---- loops ----------------------------------------------------------------------------------------------------------

static void play_pass(struct pass_play *p, ir_stmt body) {
    bool outer = p->maybe;
    pass_play_block(p, body);
    p->broke = p->continued = false;
    p->maybe = outer;
}

static bool open_loop(struct corners *c, ir_var var, base_loc loc) {
    if (c->loop_count == PASS_CORNERS_LOOPS) return false;
    c->loops[c->loop_count++] = (struct loop){var, loc};
    return true;
}

static void play_for(struct corners *c, const struct ir_stmt_node *n) {
    struct pass_play *p = &c->play;
    struct pass_counter h;
    if (pass_play_counter(p, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step, &h) && h.trips &&
        open_loop(c, n->counted.var, n->loc)) {
        pass_play_forget(p, n->counted.body);
        pass_play_set(p, n->counted.var, (struct pass_value){(uint32_t)h.first, true});
        play_pass(p, n->counted.body);
        if (h.trips > 1 && !pass_leaves_loop(c->u, n->counted.body)) {
            pass_play_forget(p, n->counted.body);
            pass_play_set(p, n->counted.var, (struct pass_value){(uint32_t)h.last, true});
            play_pass(p, n->counted.body);
        }
        c->loop_count--;
    }
    pass_play_forget(p, n->counted.body);
    pass_play_set(p, n->counted.var, unknown);
}

// Every corner of the iteration space.
static void play_corners(struct corners *c, const struct ir_stmt_node *n) {
    struct pass_play *p = &c->play;
    struct pass_counter h[IR_MAX_DIMS];
    uint32_t opened = 0, dims = n->parfor.dim_count;
    for (uint32_t d = 0; d < dims; d++) {
        const struct ir_dim *dim = &c->u->dims[n->parfor.dims + d];
        if (!pass_play_counter(p, dim->var, dim->lo, dim->hi, dim->step, &h[d]) || !h[d].trips) return;
    }
    while (opened < dims && open_loop(c, c->u->dims[n->parfor.dims + opened].var, n->loc))
        opened++;
    for (uint32_t corner = 0; opened == dims && corner < 1u << dims && !c->done; corner++) {
        bool is_new = true;
        pass_play_forget(p, n->parfor.body);
        for (uint32_t d = 0; d < dims; d++) {
            bool last = corner >> d & 1;
            int64_t at = last ? h[d].last : h[d].first;
            is_new = is_new && !(last && h[d].trips == 1);
            pass_play_set(p, c->u->dims[n->parfor.dims + d].var, (struct pass_value){(uint32_t)at, true});
        }
        if (is_new) play_pass(p, n->parfor.body);
    }
    c->loop_count -= opened;
}

static void play_parfor(struct corners *c, const struct ir_stmt_node *n) {
    play_corners(c, n);
    pass_play_forget(&c->play, n->parfor.body);
    for (uint32_t i = 0; i < n->parfor.reduction_count; i++)
        pass_play_set(&c->play, c->u->reductions[n->parfor.reductions + i].var, unknown);
}

// The first pass, where it is sure to be made.
static void play_while(struct corners *c, const struct ir_stmt_node *n) {
    struct pass_play *p = &c->play;
    struct pass_value condition = n->loop.cond ? pass_play_expr(p, n->loop.cond) : (struct pass_value){1, true};
    if (condition.known && !condition.bits) return;
    if (condition.known) play_pass(p, n->loop.body);
    pass_play_forget(p, n->loop.body);
    pass_play_forget(p, n->loop.continuing);
}

static void on_loop(struct pass_play *p, ir_stmt s) {
    const struct ir_stmt_node n = p->u->stmts[s];
    switch (n.kind) {
    case IR_FOR: play_for(p->user, &n); break;
    case IR_LOOP: play_while(p->user, &n); break;
    default: play_parfor(p->user, &n); break;
    }
}

static const struct pass_player player = {.load = on_load, .write = on_write, .loop = on_loop};

void pass_check_indices(struct ir_unit *u) {
    struct corners c = {.u = u};
    pass_play_init(&c.play, u, &player, &c, PASS_CORNERS_WORK);
    pass_play_block(&c.play, u->root);
}
