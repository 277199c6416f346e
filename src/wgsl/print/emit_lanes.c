// An iteration on several lanes, of a workgroup (pass_lanes) or of a subgroup (pass_spread, at the end). `lane` is this
// invocation's number among them.
//
// Of a workgroup: `keeper` is true on lane 0 of an iteration that exists. Invocations beyond the last iteration run it
// once more without storing, because a barrier stands in the loops that the lanes share and all of the workgroup must
// come to it.
#include "wgsl/print/emit.h"

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// Of a loop that lanes share.
static const struct ir_reduction *reductions_of(const struct wgsl_emitter *e, const struct ir_stmt_node *loop) {
    return e->u->reductions + loop->counted.reductions;
}

static enum ir_type held(const struct wgsl_emitter *e, const struct ir_reduction *r) {
    return (enum ir_type)e->u->vars[r->var].type;
}

void wgsl_lanes_body(struct wgsl_emitter *e, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(e, parfor);
    ir_stmt last = ir_last_shared(e->u, n->parfor.body); // up to it, all lanes run everything
    e->lane_count = n->parfor.lanes;
    e->lane_apart = wgsl_lanes_apart(e->k, n);
    e->lanes_near = wgsl_lanes_near(e->k, n);
    e->lane_mode = WGSL_ALL_LANES;
    ir_stmt s = n->parfor.body;
    for (bool rest = false; s; s = node_of(e, s)->next) {
        if (rest && !(node_of(e, s)->kind == IR_NOP && node_of(e, s)->nop.mark == IR_MARK_MEET)) break;
        rest |= s == last;
        if (e->k->phases.stores[s] == WGSL_STORE_BEFORE) wgsl_stage_settle(e);
        wgsl_statement(e, s);
    }
    e->lane_mode = WGSL_ONE_LANE;
    if (!s) return;
    wgsl_open(e, "if (keeper)");
    wgsl_block(e, s);
    wgsl_close(e);
}

const char *wgsl_store_guard(const struct wgsl_emitter *e, const struct ir_stmt_node *store) {
    if (wgsl_at_entry_level(e)) return "first";
    if (e->lane_mode == WGSL_SUBGROUP) return store->flags & IR_FLAG_OWN ? NULL : "lane == 0u";
    return e->lane_mode == WGSL_ALL_LANES ? "keeper" : e->lane_mode == WGSL_OWN_PASSES ? "live" : NULL;
}

// Lane 0 goes on from the value that the variable has, the others begin with nothing. The largest of several is the
// same if each of them begins with that value; and if it is no number, it must be so on all.
void wgsl_lanes_enter(struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->counted.reduction_count; i++) {
        const struct ir_reduction *r = &reductions_of(e, n)[i];
        if (r->op == IR_FMIN || r->op == IR_FMAX) continue;
        if (count++ == 0) wgsl_open(e, "if (lane != 0u)");
        wgsl_line(e, "%s = %s;", e->names[r->var], wgsl_const(e, held(e, r), ir_identity(r->op, held(e, r))));
    }
    if (count) wgsl_close(e);
}

// The text of an index of the lanes' memory up to the place in the row of this reduction. `first`: of those that are
// combined together.
static const char *row_of(struct wgsl_emitter *e, const struct ir_stmt_node *n, uint32_t first, uint32_t at) {
    const struct ir_reduction *list = reductions_of(e, n);
    enum ir_type type = held(e, &list[at]);
    uint32_t row = 0;
    for (uint32_t i = first; i < at; i++)
        row += held(e, &list[i]) == type;
    return row ? base_format(e->cx, "lanes_%s[%uu + ", ir_type_name(type), row * e->in->workgroup_size)
               : base_format(e->cx, "lanes_%s[", ir_type_name(type));
}

struct exchanged {
    ir_var var;
    uint8_t op;
};

// One step of the exchange: with the lane so far away.
//
// Two partners of a step compute a OP b and b OP a. That is the same where OP commutes bit by bit, but for two things.
// A product that ends the sum on one lane must not be fused into the first addition, which would round it on the other
// lane alone: the zero hides that it is a product. And of two zeros, min and max may return either: there the lower
// lane's operand comes first.
static void exchange_step(struct wgsl_emitter *e, const struct exchanged *x, uint32_t step, uint32_t apart) {
    enum ir_type type = (enum ir_type)e->u->vars[x->var].type;
    const char *name = e->names[x->var];
    const char *other = base_format(e->cx, "subgroupShuffleXor(%s, %uu)", name, step * apart), *own = name;
    if (type == IR_F32 && (x->op == IR_FMIN || x->op == IR_FMAX)) {
        const char *theirs = wgsl_temp(e), *low = wgsl_temp(e);
        wgsl_line(e, "let %s = %s;", theirs, other);
        wgsl_line(e, "let %s = (lane & %uu) == 0u;", low, step);
        own = base_format(e->cx, "select(%s, %s, %s)", theirs, name, low);
        other = base_format(e->cx, "select(%s, %s, %s)", name, theirs, low);
    }
    wgsl_line(e, "%s = %s;", name, wgsl_fold(e, x->op, type, own, other));
}

// Those of several variables side by side, between so many lanes, each so far from the next: each step waits for the
// one before it.
static void exchange(struct wgsl_emitter *e, const struct exchanged *list, uint32_t count, uint32_t lanes,
                     uint32_t apart) {
    for (uint32_t i = 0; i < count; i++)
        if (e->u->vars[list[i].var].type == IR_F32 && list[i].op == IR_ADD)
            wgsl_line(e, "%s = bitcast<f32>(bitcast<u32>(%s) | " WGSL_ZERO ");", e->names[list[i].var],
                      e->names[list[i].var]);
    for (uint32_t step = lanes / 2; step > 0; step /= 2)
        for (uint32_t i = 0; i < count; i++)
            exchange_step(e, &list[i], step, apart);
    for (uint32_t i = 0; i < count; i++)
        wgsl_angles_write(e, list[i].var);
}

// The values of lanes `step` apart and the like, from `lane` on, in the order in which halves are folded.
static const char *fold_far(struct wgsl_emitter *e, const struct ir_reduction *r, const char *row, uint32_t at,
                            uint32_t step) {
    if (step == e->lane_count) return base_format(e->cx, "%sfar + %uu]", row, at * e->lane_apart);
    return wgsl_fold(e, r->op, held(e, r), fold_far(e, r, row, at, step * 2), fold_far(e, r, row, at + step, step * 2));
}

// Each lane folds those that are a subgroup or several away from memory, all of them the same way; neighbours exchange
// the rest. Two barriers in place of one for each halving.
static void combine_far(struct wgsl_emitter *e, const struct ir_stmt_node *n, uint32_t first, uint32_t end) {
    const struct ir_reduction *list = reductions_of(e, n);
    uint32_t near = e->lanes_near;
    struct exchanged *all = base_alloc_array(e->cx, end - first, sizeof *all);
    wgsl_open(e, "");
    if (e->lane_apart > 1)
        wgsl_line(e, "let far = li %% %uu;", near * e->lane_apart);
    else
        wgsl_line(e, "let far = li - lane + lane %% %uu;", near);
    for (uint32_t i = first; i < end; i++) {
        wgsl_line(e, "%s = %s;", e->names[list[i].var], fold_far(e, &list[i], row_of(e, n, first, i), 0, near));
        all[i - first] = (struct exchanged){list[i].var, list[i].op};
    }
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();"); // before what comes next writes there
    exchange(e, all, end - first, near, e->lane_apart);
}

// The loop's reductions from `first` on, up to `end`.
static void combine_some(struct wgsl_emitter *e, const struct ir_stmt_node *n, uint32_t first, uint32_t end) {
    const struct ir_reduction *list = reductions_of(e, n);
    bool whole = e->lane_count == IR_COMBINE_WIDTH && e->in->workgroup_size == IR_COMBINE_WIDTH;
    for (uint32_t i = first; i < end; i++)
        wgsl_line(e, "%sli] = %s;", row_of(e, n, first, i), e->names[list[i].var]);
    wgsl_line(e, "workgroupBarrier();");
    if (e->lanes_near) {
        combine_far(e, n, first, end);
        return;
    }
    if (whole) {
        wgsl_open(e, base_format(e->cx, "if (li < %uu)", WGSL_FOLD_SIDE));
    } else {
        wgsl_open(e, base_format(e->cx, "for (var h = %uu; h > 0u; h >>= 1u)", e->lane_count / 2));
        wgsl_open(e, "if (lane < h)");
    }
    for (uint32_t i = first; i < end; i++) {
        const char *row = row_of(e, n, first, i), *own = base_format(e->cx, "%sli]", row),
                   *other = base_format(e->cx, e->lane_apart > 1 ? "%sli + h * %uu]" : "%sli + h]", row, e->lane_apart);
        if (whole)
            wgsl_fold_columns(e, list[i].op, held(e, &list[i]), row);
        else
            wgsl_line(e, "%s = %s;", own, wgsl_fold(e, list[i].op, held(e, &list[i]), own, other));
    }
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();");
    if (!whole) wgsl_close(e);
    for (uint32_t i = first; i < end; i++)
        wgsl_line(e, "%s = %s;", e->names[list[i].var],
                  whole ? wgsl_fold_column(e, list[i].op, held(e, &list[i]), row_of(e, n, first, i))
                        : base_format(e->cx, e->lane_apart > 1 ? "%sli %% %uu]" : "%sli - lane]",
                                      row_of(e, n, first, i), e->lane_apart));
    wgsl_line(e, "workgroupBarrier();"); // before what comes next writes there
}

// So many one after the other: there are other lanes to run meanwhile.
enum { EXCHANGED_BY_ITSELF = 2 }; // guess

void wgsl_lanes_combine(struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    const struct ir_reduction *list = reductions_of(e, n);
    uint32_t count = n->counted.reduction_count;
    if (n->flags & IR_FLAG_EXCHANGE) { // they are of one subgroup
        struct exchanged *all = base_alloc_array(e->cx, count + 1, sizeof *all);
        uint32_t together = count > EXCHANGED_BY_ITSELF ? count : 1;
        for (uint32_t i = 0; i < count; i++)
            all[i] = (struct exchanged){list[i].var, list[i].op};
        for (uint32_t i = 0; i < count; i += together)
            exchange(e, all + i, together, e->lane_count, 1);
        return;
    }
    for (uint32_t first = 0, end; first < count; first = end) {
        end = wgsl_combined_end(e->k, n, first);
        combine_some(e, n, first, end);
    }
}

// ---- lanes of a subgroup (pass_spread) ------------------------------------------------------------------------------

void wgsl_spread_body(struct wgsl_emitter *e, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(e, parfor);
    wgsl_line(e, "let %s = i32(lane);", e->names[n->parfor.lane_var]);
    e->lane_count = n->parfor.lanes;
    e->lane_mode = WGSL_SUBGROUP;
    wgsl_block(e, n->parfor.body);
    e->lane_mode = WGSL_ONE_LANE;
}

// ---- lanes of a workgroup that have iterations of their own (pass_panel) --------------------------------------------

void wgsl_team_body(struct wgsl_emitter *e, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(e, parfor);
    wgsl_line(e, "let %s = i32(li);", e->names[n->parfor.lane_var]);
    wgsl_block(e, n->parfor.body);
}

ir_stmt wgsl_agree(struct wgsl_emitter *e, ir_stmt s, ir_stmt end) {
    enum { MOST = 32 };
    struct exchanged list[MOST];
    uint32_t count = 0;
    for (; s && s != end && count < MOST && node_of(e, s)->kind == IR_AGREE && !e->k->twice[s];
         s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        for (uint32_t i = 0; i < count; i++)
            if (list[i].var == n->agree.var) end = s;
        if (s == end) break;
        list[count++] = (struct exchanged){n->agree.var, (uint8_t)n->agree.op};
    }
    exchange(e, list, count, e->lane_count, 1);
    return s;
}
