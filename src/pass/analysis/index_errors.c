// Indices that certainly leave their array: `for (i = 0; i <= n; i++) x[i]`, for the sizes that were given.
//
// The program is played once, each loop in its first and in its last pass alone: where an index is a sum of loop
// variables it is largest and smallest at these corners. Scalars are known or unknown and loads are unknown; what
// stands under a condition that is not known, or behind something that may have left the loop, is not looked at. So
// what is found does happen.
#include "ir/eval.h"
#include "pass/analysis/depend.h"
#include "pass/cost.h"
#include "pass/pass.h"
#include "pass/passes.h"

struct value {
    uint32_t bits;
    bool known;
};
struct loop {
    ir_var var;
    base_loc loc;
};
struct corners {
    struct ir_unit *u;
    struct value *vars;
    struct loop loops[PASS_CORNERS_LOOPS]; // around, innermost last
    uint32_t loop_count;
    uint32_t work, depth;
    base_loc loc; // of the statement
    bool maybe;   // where we are may not be reached
    bool left;    // the pass at hand of the innermost loop is over
    bool done;    // something was found, or it took too long
};
static const struct value unknown = {0, false};

static bool spend(struct corners *c) {
    if (++c->work > PASS_CORNERS_WORK) c->done = true;
    return !c->done;
}

static int64_t number(const struct value *v, enum ir_type type) {
    return type == IR_U32 ? (int64_t)v->bits : (int64_t)(int32_t)v->bits;
}

static void set_var(struct corners *c, ir_var v, struct value value) { c->vars[v] = c->maybe ? unknown : value; }

// ---- indices --------------------------------------------------------------------------------------------------------

static const char *iteration(const struct corners *c) {
    const char *text = "";
    for (uint32_t i = 0; i < c->loop_count; i++) {
        const struct ir_var_info *var = &c->u->vars[c->loops[i].var];
        text = base_format(c->u->cx, "%s%s%s = %lld", text, *text ? ", " : ": reached with ", var->name,
                           (long long)number(&c->vars[c->loops[i].var], (enum ir_type)var->type));
    }
    return text;
}

// As C has it, elements of rows are one behind the other: an index may leave its row, but not the array.
static void check(struct corners *c, ir_array array, uint32_t first, uint32_t n, base_loc loc,
                  const struct value *index) {
    const struct ir_array_info *a = &c->u->arrays[array];
    int64_t at = 0, total = 1, wrong = 0;
    uint32_t wrong_dim = UINT32_MAX, wrong_extent = 0;
    if (c->maybe || c->done || array == c->u->log) return;
    for (uint32_t d = 0; d < n; d++) {
        uint32_t extent;
        if (!index[d].known || !ir_is_const(c->u, a->dims[d], &extent)) return;
        int64_t i = number(&index[d], (enum ir_type)c->u->nodes[c->u->args[first + d]].type);
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
    base_error(c->u->cx, loc ? loc : c->loc, "index %lld is outside of '%s', which has %u elements%s%s",
               (long long)wrong, a->name, wrong_extent, n > 1 ? " there" : "", iteration(c));
    if (c->loop_count) base_note(c->u->cx, c->loops[c->loop_count - 1].loc, "the loop that reaches it is here");
    c->done = true;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static struct value value_of(struct corners *c, ir_expr e);

static struct value value_if(struct corners *c, ir_expr e, bool sure) {
    bool outer = c->maybe;
    c->maybe = outer || !sure;
    struct value v = value_of(c, e);
    c->maybe = outer;
    return v;
}

static void indices_of(struct corners *c, ir_array array, uint32_t first, uint32_t n, base_loc loc) {
    struct value index[IR_MAX_DIMS];
    for (uint32_t d = 0; d < n; d++)
        index[d] = value_of(c, c->u->args[first + d]);
    check(c, array, first, n, loc, index);
}

static struct value value_of_choice(struct corners *c, const struct ir_node *n) {
    struct value a = value_of(c, n->a);
    if (n->op == IR_SELECT) {
        struct value b = !a.known || a.bits ? value_if(c, n->b, a.known) : unknown;
        struct value other = !a.known || !a.bits ? value_if(c, n->c, a.known) : unknown;
        return !a.known ? unknown : a.bits ? b : other;
    }
    if (a.known && !a.bits == (n->op == IR_LAND)) return a;
    struct value b = value_if(c, n->b, a.known);
    bool decides = b.known && !b.bits == (n->op == IR_LAND); // whatever the first is
    return a.known || decides ? b : unknown;
}

static struct value value_of(struct corners *c, ir_expr e) {
    const struct ir_node n = c->u->nodes[e];
    struct value v[3] = {{0, true}, {0, true}, {0, true}}, out = unknown;
    if (!spend(c) || c->depth > PASS_PLAYED_DEPTH) return unknown;
    if (n.op == IR_CONST) return (struct value){n.a, true};
    if (n.op == IR_VAR) return c->vars[n.a];
    c->depth++;
    if (n.op == IR_LOAD) {
        indices_of(c, n.a, n.b, n.n, n.loc);
    } else if (n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR) {
        out = value_of_choice(c, &n);
    } else {
        const ir_expr operands[3] = {n.a, n.b, n.c};
        for (uint32_t i = 0; i < ir_ops[n.op].arity; i++)
            v[i] = value_of(c, operands[i]);
        if (v[0].known && v[1].known && v[2].known)
            out.known = ir_eval_op((enum ir_op)n.op, (enum ir_type)c->u->nodes[n.a].type, v[0].bits, v[1].bits,
                                   v[2].bits, &out.bits);
    }
    c->depth--;
    return out;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static void play(struct corners *c, ir_stmt block);

// What the block may write is unknown from here on.
static void forget(struct corners *c, ir_stmt block) {
    c->work += c->u->var_count / 16 + 1;
    struct ir_effects effects = ir_effects_of(c->u, block);
    for (uint32_t v = 1; v < c->u->var_count; v++)
        if (ir_bit(effects.vars_written, v)) c->vars[v] = unknown;
}

struct header {
    int64_t first, last;
    uint64_t trips;
};

// False where the bounds are not known.
static bool read_header(struct corners *c, ir_var var, ir_expr lo, ir_expr hi, int32_t step, struct header *out) {
    enum ir_type type = (enum ir_type)c->u->vars[var].type;
    struct value from = value_of(c, lo), to = value_of(c, hi);
    if (!from.known || !to.known || c->done) return false;
    int64_t distance = number(&to, type) - number(&from, type), by = step;
    if (by < 0) {
        distance = -distance;
        by = -by;
    }
    out->trips = distance > 0 ? (uint64_t)((distance + by - 1) / by) : 0;
    out->first = number(&from, type);
    out->last = out->first + (int64_t)(out->trips - 1) * step;
    return true;
}

static void play_pass(struct corners *c, ir_stmt body) {
    bool outer = c->maybe;
    forget(c, body);
    play(c, body);
    c->left = false;
    c->maybe = outer;
}

static bool open_loop(struct corners *c, ir_var var, base_loc loc) {
    if (c->loop_count == PASS_CORNERS_LOOPS) return false;
    c->loops[c->loop_count++] = (struct loop){var, loc};
    return true;
}

static void play_for(struct corners *c, const struct ir_stmt_node *n) {
    struct header h;
    if (read_header(c, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step, &h) && h.trips &&
        open_loop(c, n->counted.var, n->loc)) {
        set_var(c, n->counted.var, (struct value){(uint32_t)h.first, true});
        play_pass(c, n->counted.body);
        if (h.trips > 1 && !pass_leaves_loop(c->u, n->counted.body)) {
            set_var(c, n->counted.var, (struct value){(uint32_t)h.last, true});
            play_pass(c, n->counted.body);
        }
        c->loop_count--;
    }
    forget(c, n->counted.body);
    c->vars[n->counted.var] = unknown;
}

static void play_parfor(struct corners *c, const struct ir_stmt_node *n) {
    struct header h[IR_MAX_DIMS];
    uint32_t opened = 0;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &c->u->dims[n->parfor.dims + d];
        if (!read_header(c, dim->var, dim->lo, dim->hi, dim->step, &h[d]) || !h[d].trips) return;
    }
    while (opened < n->parfor.dim_count && open_loop(c, c->u->dims[n->parfor.dims + opened].var, n->loc))
        opened++;
    for (uint32_t corner = 0; opened == n->parfor.dim_count && corner < 1u << n->parfor.dim_count && !c->done;
         corner++) {
        bool is_new = true;
        for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
            bool last = corner >> d & 1;
            is_new = is_new && !(last && h[d].trips == 1);
            set_var(c, c->u->dims[n->parfor.dims + d].var,
                    (struct value){(uint32_t)(last ? h[d].last : h[d].first), true});
        }
        if (is_new) play_pass(c, n->parfor.body);
    }
    c->loop_count -= opened;
}

static void play_if(struct corners *c, const struct ir_stmt_node *n) {
    struct value condition = value_of(c, n->branch.cond);
    if (condition.known) {
        play(c, condition.bits ? n->branch.then_block : n->branch.else_block);
        return;
    }
    forget(c, n->branch.then_block);
    forget(c, n->branch.else_block);
    if (pass_leaves_loop(c->u, n->branch.then_block) || pass_leaves_loop(c->u, n->branch.else_block)) c->maybe = true;
}

// The first pass, where it is sure to be made.
static void play_while(struct corners *c, const struct ir_stmt_node *n) {
    struct value condition = n->loop.cond ? value_of(c, n->loop.cond) : (struct value){1, true};
    if (condition.known && !condition.bits) return;
    bool outer = c->maybe;
    if (condition.known) play(c, n->loop.body);
    c->left = false;
    c->maybe = outer;
    forget(c, n->loop.body);
    forget(c, n->loop.continuing);
}

static void play(struct corners *c, ir_stmt block) {
    for (ir_stmt s = block; s && !c->left && spend(c); s = c->u->stmts[s].next) {
        const struct ir_stmt_node n = c->u->stmts[s];
        c->loc = n.loc;
        switch (n.kind) {
        case IR_ASSIGN: set_var(c, n.assign.var, value_of(c, n.assign.value)); break;
        case IR_STORE:
            value_of(c, n.store.value);
            indices_of(c, n.store.array, n.store.indices, n.store.index_count, n.loc);
            break;
        case IR_ATOMIC:
            value_of(c, n.atomic.value);
            indices_of(c, n.atomic.array, n.atomic.indices, n.atomic.index_count, n.loc);
            if (n.atomic.old) c->vars[n.atomic.old] = unknown;
            break;
        case IR_IF: play_if(c, &n); break;
        case IR_FOR: play_for(c, &n); break;
        case IR_LOOP: play_while(c, &n); break;
        case IR_PARFOR:
            play_parfor(c, &n);
            forget(c, n.parfor.body);
            for (uint32_t i = 0; i < n.parfor.reduction_count; i++)
                c->vars[c->u->reductions[n.parfor.reductions + i].var] = unknown;
            break;
        case IR_BREAK:
        case IR_CONTINUE: c->left = true; break;
        default: break;
        }
    }
}

void pass_check_indices(struct ir_unit *u) {
    struct corners c = {.u = u};
    c.vars = base_alloc_array(u->cx, u->var_count, sizeof *c.vars);
    play(&c, u->root);
}
