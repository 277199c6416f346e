// Expressions and statements as play.h says; loops are played by who looks for something.
#include "pass/analysis/play.h"
#include "pass/cost.h"

#include "ir/eval.h"
#include "pass/passes.h"

static const struct pass_value unknown = {0, false};

void pass_play_init(struct pass_play *p, struct ir_unit *u, const struct pass_player *player, void *user,
                    uint32_t most_work) {
    *p = (struct pass_play){.u = u, .player = player, .user = user, .most_work = most_work};
    p->vars = base_alloc_array(u->cx, u->var_count, sizeof *p->vars);
    p->set = base_alloc_array(u->cx, u->var_count, sizeof *p->set);
    p->touched = base_alloc_array(u->cx, u->var_count, sizeof *p->touched);
}

void pass_play_again(struct pass_play *p) {
    while (p->touched_count)
        p->set[p->touched[--p->touched_count]] = false;
    p->maybe = p->broke = p->continued = false;
}

bool pass_play_spend(struct pass_play *p) { return p->work < p->most_work && (p->work++, true); }

void pass_play_stop(struct pass_play *p) { p->work = p->most_work; }

void pass_play_set(struct pass_play *p, ir_var v, struct pass_value value) {
    if (!p->set[v]) {
        p->set[v] = true;
        p->touched[p->touched_count++] = v;
    }
    p->vars[v] = p->maybe ? unknown : value;
}

int64_t pass_value_number(struct pass_value v, enum ir_type type) {
    return type == IR_U32 ? (int64_t)v.bits : (int64_t)(int32_t)v.bits;
}

bool pass_value_element(const struct ir_unit *u, ir_array array, const struct pass_value *index, uint64_t *out) {
    uint64_t at = 0;
    for (uint32_t d = 0; d < u->arrays[array].ndims; d++) {
        uint32_t extent;
        if (!index[d].known || !ir_is_const(u, u->arrays[array].dims[d], &extent) || index[d].bits >= extent)
            return false;
        at = at * extent + index[d].bits;
    }
    *out = at;
    return true;
}

// ---- expressions ---------------------------------------------------------------------------------------------------

static struct pass_value play_if(struct pass_play *p, ir_expr e, bool sure) {
    bool outer = p->maybe;
    p->maybe = outer || !sure;
    struct pass_value v = pass_play_expr(p, e);
    p->maybe = outer;
    return v;
}

struct pass_value pass_play_unsure(struct pass_play *p, ir_expr e) {
    return play_if(p, e, false);
}

static void play_indices(struct pass_play *p, uint32_t first, uint32_t n, struct pass_value *out) {
    for (uint32_t d = 0; d < n; d++)
        out[d] = pass_play_expr(p, p->u->args[first + d]);
}

static struct pass_value play_load(struct pass_play *p, ir_expr e) {
    const struct ir_node n = p->u->nodes[e];
    const struct ir_array_info *a = &p->u->arrays[n.a];
    struct pass_value index[IR_MAX_DIMS];
    uint64_t at;
    play_indices(p, n.b, n.n, index);
    if (p->player->load) p->player->load(p, e, index);
    if (a->klass != IR_ARRAY_TABLE || !pass_value_element(p->u, n.a, index, &at) || at >= a->data_count) return unknown;
    return (struct pass_value){a->data[at], true};
}

// Only the side that is chosen is played, if that is known.
static struct pass_value play_choice(struct pass_play *p, const struct ir_node *n) {
    struct pass_value a = pass_play_expr(p, n->a);
    if (n->op == IR_SELECT) {
        struct pass_value b = !a.known || a.bits ? play_if(p, n->b, a.known) : unknown;
        struct pass_value c = !a.known || !a.bits ? play_if(p, n->c, a.known) : unknown;
        return !a.known ? unknown : a.bits ? b : c;
    }
    if (a.known && !a.bits == (n->op == IR_LAND)) return a;
    struct pass_value b = play_if(p, n->b, a.known);
    bool decides = b.known && !b.bits == (n->op == IR_LAND); // whatever the first is
    return a.known || decides ? b : unknown;
}

static struct pass_value play_op(struct pass_play *p, const struct ir_node *n) {
    const ir_expr operands[3] = {n->a, n->b, n->c};
    struct pass_value v[3] = {{0, true}, {0, true}, {0, true}}, out = unknown;
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++)
        v[i] = pass_play_expr(p, operands[i]);
    if (v[0].known && v[1].known && v[2].known)
        out.known = ir_eval_op((enum ir_op)n->op, (enum ir_type)p->u->nodes[n->a].type, v[0].bits, v[1].bits, v[2].bits,
                               &out.bits);
    return out;
}

struct pass_value pass_play_expr(struct pass_play *p, ir_expr e) {
    const struct ir_node n = p->u->nodes[e];
    struct pass_value out;
    if (p->depth > PASS_PLAYED_DEPTH || !pass_play_spend(p)) return unknown;
    if (n.op == IR_CONST) return (struct pass_value){n.a, true};
    if (n.op == IR_VAR && p->set[n.a]) return p->vars[n.a];
    p->depth++;
    switch (n.op) {
    case IR_VAR: out = p->player->unset ? p->player->unset(p, n.a) : unknown; break;
    case IR_LOAD: out = play_load(p, e); break;
    case IR_SELECT:
    case IR_LAND:
    case IR_LOR: out = play_choice(p, &n); break;
    default: out = play_op(p, &n); break;
    }
    p->depth--;
    return out;
}

// ---- statements ----------------------------------------------------------------------------------------------------

struct pass_written {
    struct ir_effects effects;
    uint32_t var_count;
    ir_var vars[];
};

static const struct pass_written *written_in(struct pass_play *p, ir_stmt block) {
    struct ir_unit *u = p->u;
    if (!p->written) p->written = base_alloc_array(u->cx, u->stmt_count, sizeof(struct pass_written *));
    if (p->written[block]) return p->written[block];
    struct ir_effects effects = ir_effects_of(u, block);
    uint32_t count = 0;
    for (uint32_t v = 1; v < u->var_count; v++)
        count += ir_bit(effects.vars_written, v);
    struct pass_written *w = base_alloc(u->cx, sizeof *w + count * sizeof w->vars[0]);
    w->effects = effects;
    for (uint32_t v = 1; v < u->var_count; v++)
        if (ir_bit(effects.vars_written, v)) w->vars[w->var_count++] = v;
    return p->written[block] = w;
}

void pass_play_forget(struct pass_play *p, ir_stmt block) {
    p->work += p->u->var_count / 16 + 1;
    const struct pass_written *w = written_in(p, block);
    for (uint32_t i = 0; i < w->var_count; i++)
        pass_play_set(p, w->vars[i], unknown);
    if (p->player->forget) p->player->forget(p, &w->effects);
}

static void play_branch(struct pass_play *p, const struct ir_stmt_node *n) {
    struct pass_value condition = pass_play_expr(p, n->branch.cond);
    if (condition.known) {
        pass_play_block(p, condition.bits ? n->branch.then_block : n->branch.else_block);
        return;
    }
    pass_play_forget(p, n->branch.then_block);
    pass_play_forget(p, n->branch.else_block);
    // a jump in it makes the rest of the loop unsure
    if (pass_leaves_loop(p->u, n->branch.then_block) || pass_leaves_loop(p->u, n->branch.else_block)) p->maybe = true;
}

static void play_write(struct pass_play *p, ir_stmt s) {
    struct ir_write w = ir_write_of(&p->u->stmts[s]);
    ir_var old = ir_written_var(&p->u->stmts[s]);
    struct pass_value index[IR_MAX_DIMS], value = pass_play_expr(p, w.value);
    if (w.expected) pass_play_expr(p, w.expected);
    play_indices(p, w.indices, w.index_count, index);
    if (p->player->write) p->player->write(p, s, index, value);
    if (old) pass_play_set(p, old, unknown);
}

void pass_play_block(struct pass_play *p, ir_stmt block) {
    for (ir_stmt s = block; s && !p->broke && !p->continued && pass_play_spend(p); s = p->u->stmts[s].next) {
        const struct ir_stmt_node n = p->u->stmts[s];
        p->stmt = s;
        switch (n.kind) {
        case IR_ASSIGN: pass_play_set(p, n.assign.var, pass_play_expr(p, n.assign.value)); break;
        case IR_STORE:
        case IR_ATOMIC: play_write(p, s); break;
        case IR_IF: play_branch(p, &n); break;
        case IR_FOR:
        case IR_LOOP:
        case IR_PARFOR:
            if (p->player->loop) p->player->loop(p, s);
            break;
        case IR_BREAK: p->broke = true; break;
        case IR_CONTINUE: p->continued = true; break;
        default: break;
        }
    }
}

// ---- loops ---------------------------------------------------------------------------------------------------------

bool pass_play_counter(struct pass_play *p, ir_var var, ir_expr lo, ir_expr hi, int32_t step,
                       struct pass_counter *out) {
    enum ir_type type = (enum ir_type)p->u->vars[var].type;
    struct pass_value from = pass_play_expr(p, lo), to = pass_play_expr(p, hi);
    if (!from.known || !to.known) return false;
    int64_t distance = pass_value_number(to, type) - pass_value_number(from, type), by = step;
    if (by < 0) {
        distance = -distance;
        by = -by;
    }
    out->trips = distance > 0 ? (uint64_t)((distance + by - 1) / by) : 0;
    out->first = pass_value_number(from, type);
    out->last = out->first + (int64_t)(out->trips - 1) * step;
    return true;
}
