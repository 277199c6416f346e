// An iteration on several lanes, of a workgroup (pass_lanes) or of a subgroup (pass_spread, at the end). `lane` is this
// invocation's number among them.
//
// Of a workgroup: `keeper` is true on lane 0 of an iteration that exists. Invocations beyond the last iteration run it
// once more without storing, because a barrier stands in the loops that the lanes share and all of the workgroup must
// come to it.
#include <string.h>

#include "wgsl/print/emit.h"

enum {
    LEAST_TOGETHER = 4, // guess: of fewer sums as many exchanges are spared as are needed to hand them to all
    MOST_TOGETHER = 32,
};

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// Of a loop that lanes share.
static const struct ir_reduction *reductions_of(const struct wgsl_emitter *e, const struct ir_stmt_node *loop) {
    return e->u->reductions + loop->counted.reductions;
}

static enum ir_type held(const struct wgsl_emitter *e, const struct ir_reduction *r) {
    return (enum ir_type)e->u->vars[r->var].type;
}

// Where the local arrays of this iteration stand in workgroup memory. What the iteration before has there is done with
// once all lanes are here.
static void begin_near(struct wgsl_emitter *e, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(e, parfor);
    struct ir_effects fx = ir_effects_of(e->u, n->parfor.body);
    e->has_near = false;
    for (ir_array a = 1; a < e->u->array_count; a++) {
        const struct ir_array_info *info = &e->u->arrays[a];
        if (!info->lanes || !(ir_bit(fx.arrays_read, a) || ir_bit(fx.arrays_written, a))) continue;
        wgsl_line(e, "let near%u = (%s) * %uu + %uu;", a, wgsl_iteration_text(e, n), info->row,
                  info->data_count * (e->in->workgroup_size / info->lanes));
        e->has_near = true;
    }
    e->live = e->has_near ? "true" : "live";
    if (e->has_near) wgsl_line(e, "workgroupBarrier();");
}

// An IF around a loop that lanes share: all of a workgroup come to the loop, and those for which the condition does not
// hold make no pass. What pass_keep_places and the like have put beside the loop is theirs alone.
void wgsl_lanes_if(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    wgsl_begin(e, &n->branch.cond, 1);
    const char *outer = e->live, *on = wgsl_expr(e, n->branch.cond);
    bool always = strcmp(outer, "true") == 0;
    e->live = always ? on : base_format(e->cx, "(%s && %s)", outer, on);
    for (ir_stmt t = n->branch.then_block; t; t = node_of(e, t)->next) {
        bool meets = node_of(e, t)->kind == IR_NOP || ir_has_shared(e->u, t);
        if (!meets) wgsl_open(e, base_format(e->cx, "if (%s)", on));
        wgsl_statement(e, t);
        if (!meets) wgsl_close(e);
    }
    e->live = outer;
}

void wgsl_lanes_body(struct wgsl_emitter *e, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(e, parfor);
    ir_stmt last = ir_last_shared(e->u, n->parfor.body); // up to it, all lanes run everything
    e->lane_count = n->parfor.lanes;
    e->lane_apart = wgsl_lanes_apart(e->k, n);
    e->lanes_near = wgsl_lanes_near(e->k, n);
    e->lane_mode = WGSL_ALL_LANES;
    begin_near(e, parfor);
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

void wgsl_lanes_meet(struct wgsl_emitter *e, ir_stmt s) {
    if (e->has_near) wgsl_line(e, "workgroupBarrier();");
    if (!e->has_near || !node_of(e, s)->nop.value) wgsl_line(e, "storageBarrier();");
}

const char *wgsl_store_guard(const struct wgsl_emitter *e, const struct ir_stmt_node *store) {
    if (wgsl_at_entry_level(e)) return "first";
    if (store->kind == IR_STORE && e->u->arrays[store->store.array].lanes)
        return e->lane_mode == WGSL_ALL_LANES ? "lane == 0u" : NULL;
    if (e->lane_mode == WGSL_SUBGROUP) return store->flags & IR_FLAG_OWN ? NULL : "lane == 0u";
    return e->lane_mode == WGSL_ALL_LANES ? "keeper" : e->lane_mode == WGSL_OWN_PASSES ? "live" : NULL;
}

// Lane 0 goes on from the value that the variable has, the others begin with nothing. The largest of several is the
// same if each of them begins with that value; and if it is no number, it must be so on all.
void wgsl_lanes_enter(struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    uint32_t count = 0;
    for (uint32_t i = 0, together; i < n->counted.reduction_count; i += together) {
        const struct ir_reduction *r = &reductions_of(e, n)[i];
        together = ir_reduced_together(r, n->counted.reduction_count - i);
        if (together > 1 || r->op == IR_FMIN || r->op == IR_FMAX) continue;
        if (count++ == 0) wgsl_open(e, "if (lane != 0u)");
        wgsl_line(e, "%s = %s;", e->names[r->var], wgsl_const(e, held(e, r), ir_identity(r->op, held(e, r))));
    }
    if (count) wgsl_close(e);
}

// The text of an index of the lanes' memory up to the place in the row of this reduction. `first`: of those that are
// combined together.
static const char *row_of(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t first, uint32_t at) {
    enum ir_type type = held(e, &list[at]);
    uint32_t row = 0;
    for (uint32_t i = first; i < at; i++)
        row += held(e, &list[i]) == type;
    return row ? base_format(e->cx, "lanes_%s[%uu + ", ir_type_name(type), row * e->in->workgroup_size)
               : base_format(e->cx, "lanes_%s[", ir_type_name(type));
}

// Of the entries that begin here, those that belong together.
static uint32_t together_at(const struct ir_reduction *list, uint32_t at, uint32_t end) {
    return ir_reduced_together(list + at, end - at);
}

// A search takes what another lane has, if that is better. The texts of its values begin so, and all end alike.
static void take_better(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t count,
                        const char *const *begin, const char *end) {
    const char **theirs = base_alloc_array(e->cx, count, sizeof *theirs), *better[2];
    for (uint32_t i = 0; i < count; i++) {
        theirs[i] = wgsl_temp(e);
        wgsl_line(e, "let %s = %s%s;", theirs[i], begin[i], end);
    }
    for (int i = 0; i < 2; i++) {
        bool larger = list[i].op == IR_GT || list[i].op == IR_MAX;
        better[i] = base_format(e->cx, "%s %c %s", theirs[i], larger ? '>' : '<', e->names[list[i].var]);
    }
    wgsl_open(
        e, base_format(e->cx, "if (%s || (%s == %s && %s))", better[0], theirs[0], e->names[list[0].var], better[1]));
    for (uint32_t i = 0; i < count; i++)
        wgsl_line(e, "%s = %s;", e->names[list[i].var], theirs[i]);
    wgsl_close(e);
}

// One step of the exchange: with the lane so far away.
//
// Two partners of a step compute a OP b and b OP a. That is the same where OP commutes bit by bit, but for two things.
// A product that ends the sum on one lane must not be fused into the first addition, which would round it on the other
// lane alone: the zero hides that it is a product. And of two zeros, min and max may return either: there the lower
// lane's operand comes first.
static void exchange_step(struct wgsl_emitter *e, const struct ir_reduction *x, uint32_t step, uint32_t apart) {
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

static void exchange_search(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t count, uint32_t step,
                            uint32_t apart) {
    const char **begin = base_alloc_array(e->cx, count, sizeof *begin);
    for (uint32_t i = 0; i < count; i++)
        begin[i] = base_format(e->cx, "subgroupShuffleXor(%s, ", e->names[list[i].var]);
    take_better(e, list, count, begin, base_format(e->cx, "%uu)", step * apart));
}

// Sums of one type that lanes add up together.
struct together {
    enum ir_type type;
    uint32_t count; // a power of two
    ir_var vars[MOST_TOGETHER];
    uint32_t first; // of the words for them
};

// Sets of sums for so many lanes. done: which ones are in a set.
static uint32_t find_together(const struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t count,
                              uint32_t lanes, struct together *out, bool *done) {
    uint32_t sets = 0;
    for (int type = IR_I32; type <= IR_F32; type++) {
        uint32_t sums = 0, at = 0;
        for (uint32_t i = 0; i < count; i++)
            sums += list[i].op == IR_ADD && held(e, &list[i]) == (enum ir_type)type;
        while (sums >= LEAST_TOGETHER && lanes >= LEAST_TOGETHER) {
            struct together *set = &out[sets++];
            set->type = (enum ir_type)type;
            set->count = LEAST_TOGETHER;
            while (set->count * 2 <= sums && set->count * 2 <= lanes && set->count * 2 <= MOST_TOGETHER)
                set->count *= 2;
            for (uint32_t k = 0; k < set->count; at++) {
                if (list[at].op != IR_ADD || held(e, &list[at]) != (enum ir_type)type) continue;
                done[at] = true;
                set->vars[k++] = list[at].var;
            }
            sums -= set->count;
        }
    }
    return sets;
}

// At each halving a lane keeps half of the sums, and sends those that its partner keeps. So of N sums N - 1 values go
// around in place of N in each of log N steps; then a lane has one sum, and goes on as with any. Each is added in the
// same order as alone. -> the sum that a lane has then: that of number lane % lanes / (lanes / count)
static const char *add_together(struct wgsl_emitter *e, const struct together *set, uint32_t lanes, uint32_t apart) {
    const char *own[MOST_TOGETHER];
    uint32_t step = lanes / 2;
    for (uint32_t i = 0; i < set->count; i++)
        own[i] = e->names[set->vars[i]];
    for (uint32_t held = set->count / 2; held > 0; step /= 2, held /= 2) {
        const char *up = wgsl_temp(e);
        wgsl_line(e, "let %s = (lane & %uu) != 0u;", up, step);
        for (uint32_t i = 0; i < held; i++) {
            const char *sum = wgsl_temp(e), *other = own[i + held];
            wgsl_line(e, "let %s = select(%s, %s, %s) + subgroupShuffleXor(select(%s, %s, %s), %uu);", sum, own[i],
                      other, up, other, own[i], up, step * apart);
            own[i] = sum;
        }
    }
    for (; step > 0; step /= 2) {
        const char *sum = wgsl_temp(e);
        wgsl_line(e, "let %s = %s + subgroupShuffleXor(%s, %uu);", sum, own[0], own[0], step * apart);
        own[0] = sum;
    }
    return own[0];
}

// Hands all of the sums to all lanes.
static void hand_out(struct wgsl_emitter *e, const struct together *set, const char *sum, uint32_t lanes,
                     uint32_t apart) {
    const char *own[MOST_TOGETHER] = {sum};
    uint32_t step = lanes / set->count;
    for (uint32_t held = 1; held < set->count; step *= 2, held *= 2) {
        bool last = held * 2 == set->count;
        const char *up = wgsl_temp(e), *let = last ? "" : "let ";
        wgsl_line(e, "let %s = (lane & %uu) != 0u;", up, step);
        for (uint32_t i = 0; i < held; i++) {
            const char *theirs = wgsl_temp(e), *low = last ? e->names[set->vars[i]] : wgsl_temp(e),
                       *high = last ? e->names[set->vars[i + held]] : wgsl_temp(e);
            wgsl_line(e, "let %s = subgroupShuffleXor(%s, %uu);", theirs, own[i], step * apart);
            wgsl_line(e, "%s%s = select(%s, %s, %s);", let, low, own[i], theirs, up);
            wgsl_line(e, "%s%s = select(%s, %s, %s);", let, high, theirs, own[i], up);
            own[i] = low;
            own[i + held] = high;
        }
    }
}

// Those of several variables side by side, between so many lanes, each so far from the next: each step waits for the
// one before it.
static void exchange(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t count, uint32_t lanes,
                     uint32_t apart) {
    bool *done = base_alloc_array(e->cx, count + 1, sizeof *done);
    struct together *sets = base_alloc_array(e->cx, count + 1, sizeof *sets);
    uint32_t set_count = find_together(e, list, count, lanes, sets, done);
    for (uint32_t i = 0; i < set_count; i++)
        hand_out(e, &sets[i], add_together(e, &sets[i], lanes, apart), lanes, apart);
    for (uint32_t i = 0; i < count; i++)
        if (!done[i] && e->u->vars[list[i].var].type == IR_F32 && list[i].op == IR_ADD)
            wgsl_line(e, "%s = bitcast<f32>(bitcast<u32>(%s) | " WGSL_ZERO ");", e->names[list[i].var],
                      e->names[list[i].var]);
    for (uint32_t step = lanes / 2; step > 0; step /= 2)
        for (uint32_t i = 0, together; i < count; i += together) {
            together = together_at(list, i, count);
            if (together > 1)
                exchange_search(e, list + i, together, step, apart);
            else if (!done[i])
                exchange_step(e, &list[i], step, apart);
        }
    for (uint32_t i = 0; i < count; i++)
        wgsl_angles_write(e, list[i].var);
}

// The values of lanes `step` apart and the like, from `lane` on, in the order in which halves are folded.
static const char *fold_far(struct wgsl_emitter *e, const struct ir_reduction *r, const char *row, uint32_t at,
                            uint32_t step) {
    if (step == e->lane_count) return base_format(e->cx, "%sfar + %uu]", row, at * e->lane_apart);
    return wgsl_fold(e, r->op, held(e, r), fold_far(e, r, row, at, step * 2), fold_far(e, r, row, at + step, step * 2));
}

// The search at this entry takes what stands at a place of its rows, if that is better.
static void take_all(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t first, uint32_t at,
                     uint32_t count, const char *place) {
    const char **rows = base_alloc_array(e->cx, count, sizeof *rows);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = row_of(e, list, first, at + i);
    take_better(e, list + at, count, rows, base_format(e->cx, "%s]", place));
}

static void put_into_rows(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t first, uint32_t from,
                          uint32_t end) {
    for (uint32_t i = from; i < end; i++)
        wgsl_line(e, "%sli] = %s;", row_of(e, list, first, i), e->names[list[i].var]);
}

// Each lane folds those that are a subgroup or several away from memory, all of them the same way; neighbours exchange
// the rest. Two barriers in place of one for each halving.
static void combine_far(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t first, uint32_t end) {
    uint32_t near = e->lanes_near;
    wgsl_open(e, "");
    if (e->lane_apart > 1)
        wgsl_line(e, "let far = li %% %uu;", near * e->lane_apart);
    else
        wgsl_line(e, "let far = li - lane + lane %% %uu;", near);
    for (uint32_t i = first, together; i < end; i += together) {
        together = together_at(list, i, end);
        if (together == 1) {
            wgsl_line(e, "%s = %s;", e->names[list[i].var], fold_far(e, &list[i], row_of(e, list, first, i), 0, near));
            continue;
        }
        wgsl_open(e, base_format(e->cx, "for (var h = 0u; h < %uu; h += %uu)", e->lane_count * e->lane_apart,
                                 near * e->lane_apart));
        take_all(e, list, first, i, together, "far + h");
        wgsl_close(e);
    }
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();"); // before what comes next writes there
    exchange(e, list + first, end - first, near, e->lane_apart);
}

// In a square of lanes: first those of each column, then these.
static void search_columns(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t first, uint32_t at,
                           uint32_t count, bool down) {
    wgsl_open(e, base_format(e->cx, "for (var h = 0u; h < %uu; h++)", WGSL_FOLD_SIDE));
    take_all(e, list, first, at, count, down ? base_format(e->cx, "li + h * %uu", WGSL_FOLD_SIDE) : "h");
    wgsl_close(e);
    if (down) put_into_rows(e, list, first, at, at + count);
}

// The loop's reductions from `first` on, up to `end`.
static void combine_some(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t first, uint32_t end) {
    bool whole = e->lane_count == IR_COMBINE_WIDTH && e->in->workgroup_size == IR_COMBINE_WIDTH;
    const char *apart = e->lane_apart > 1 ? base_format(e->cx, "h * %uu", e->lane_apart) : "h";
    put_into_rows(e, list, first, first, end);
    wgsl_line(e, "workgroupBarrier();");
    if (e->lanes_near) {
        combine_far(e, list, first, end);
        return;
    }
    if (whole) {
        wgsl_open(e, base_format(e->cx, "if (li < %uu)", WGSL_FOLD_SIDE));
    } else {
        wgsl_open(e, base_format(e->cx, "for (var h = %uu; h > 0u; h >>= 1u)", e->lane_count / 2));
        wgsl_open(e, "if (lane < h)");
    }
    for (uint32_t i = first, together; i < end; i += together) {
        const char *row = row_of(e, list, first, i), *own = base_format(e->cx, "%sli]", row);
        together = together_at(list, i, end);
        if (together > 1 && whole) {
            search_columns(e, list, first, i, together, true);
        } else if (together > 1) {
            take_all(e, list, first, i, together, base_format(e->cx, "li + %s", apart));
            put_into_rows(e, list, first, i, i + together);
        } else if (whole) {
            wgsl_fold_columns(e, list[i].op, held(e, &list[i]), row);
        } else {
            const char *other = base_format(e->cx, "%sli + %s]", row, apart);
            wgsl_line(e, "%s = %s;", own, wgsl_fold(e, list[i].op, held(e, &list[i]), own, other));
        }
    }
    wgsl_close(e);
    wgsl_line(e, "workgroupBarrier();");
    if (!whole) wgsl_close(e);
    for (uint32_t i = first, together = 1; i < end; i += together) {
        together = whole ? together_at(list, i, end) : 1;
        if (together > 1)
            search_columns(e, list, first, i, together, false);
        else
            wgsl_line(e, "%s = %s;", e->names[list[i].var],
                      whole ? wgsl_fold_column(e, list[i].op, held(e, &list[i]), row_of(e, list, first, i))
                            : base_format(e->cx, e->lane_apart > 1 ? "%sli %% %uu]" : "%sli - lane]",
                                          row_of(e, list, first, i), e->lane_apart));
    }
    wgsl_line(e, "workgroupBarrier();"); // before what comes next writes there
}

// Words that a set of sums of all subgroups takes in the lanes' memory; that has room for one set at least.
static uint32_t words_of(const struct wgsl_emitter *e, const struct together *set) {
    return set->count * (e->in->workgroup_size / e->lanes_near);
}

// Each subgroup adds up its own and stores them. own: the first of the iteration's subgroups.
static void store_sums(struct wgsl_emitter *e, const struct together *set, const char *own) {
    uint32_t near = e->lanes_near, each = near / set->count;
    const char *sum = add_together(e, set, near, e->lane_apart);
    if (each > 1) wgsl_open(e, base_format(e->cx, "if (lane %% %uu == 0u)", each));
    wgsl_line(e, "lanes_%s[%uu + (%s + lane / %uu) * %uu + lane %% %uu / %uu] = %s;", ir_type_name(set->type),
              set->first, own, near, set->count, near, each, sum);
    if (each > 1) wgsl_close(e);
}

// Each lane adds up what the iteration's subgroups have stored.
static void load_sums(struct wgsl_emitter *e, const struct together *set, const char *own) {
    for (uint32_t k = 0; k < set->count; k++) {
        const char *sum = NULL;
        for (uint32_t part = 0; part < e->lane_count / e->lanes_near; part++) {
            const char *one = base_format(e->cx, "lanes_%s[%s * %uu + %uu]", ir_type_name(set->type), own, set->count,
                                          set->first + part * set->count + k);
            sum = sum ? base_format(e->cx, "%s + %s", sum, one) : one;
        }
        wgsl_line(e, "%s = %s;", e->names[set->vars[k]], sum);
        wgsl_angles_write(e, set->vars[k]);
    }
}

// The sums that go together, of lanes of several subgroups: as many sets at a time as there is memory for.
// -> how many sums are left, in `rest`
static uint32_t combine_sums(struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t count,
                             struct ir_reduction *rest) {
    uint32_t left = 0;
    struct together *sets = base_alloc_array(e->cx, count + 1, sizeof *sets);
    bool *done = base_alloc_array(e->cx, count + 1, sizeof *done);
    uint32_t set_count = find_together(e, list, count, e->lanes_near, sets, done);
    for (uint32_t i = 0; i < count; i++)
        if (!done[i]) rest[left++] = list[i];
    if (set_count == 0) return left;
    const char *own = wgsl_temp(e);
    wgsl_line(e, e->lane_apart > 1 ? "let %s = li %% %uu * %uu;" : "let %s = li / %uu * %uu;", own,
              e->lane_apart > 1 ? e->lane_apart : e->lane_count, e->lane_count / e->lanes_near);
    for (uint32_t from = 0, to; from < set_count; from = to) {
        uint32_t used[5] = {0};
        for (to = from; to < set_count; to++) {
            struct together *set = &sets[to];
            if (used[set->type] + words_of(e, set) > e->k->memory.lane_words[set->type]) break;
            set->first = used[set->type];
            used[set->type] += words_of(e, set);
            store_sums(e, set, own);
        }
        if (to == from) base_bug(e->cx, "lanes have no memory for what they combine");
        wgsl_line(e, "workgroupBarrier();");
        for (uint32_t i = from; i < to; i++)
            load_sums(e, &sets[i], own);
        wgsl_line(e, "workgroupBarrier();"); // before what comes next writes there
    }
    return left;
}

// The end of those from `first` on that are combined at once. Where some were combined before, more of one type may
// come together than there are words for.
static uint32_t end_of(const struct wgsl_emitter *e, const struct ir_reduction *list, uint32_t count, uint32_t first) {
    uint32_t most = wgsl_combined_end(e->k, list, count, first), words[5] = {0};
    for (uint32_t end = first, together; end < most; end += together) {
        together = together_at(list, end, most);
        for (uint32_t i = end; i < end + together; i++) {
            enum ir_type type = held(e, &list[i]);
            words[type] += e->in->workgroup_size;
            if (words[type] > e->k->memory.lane_words[type] && end > first) return end;
        }
    }
    return most;
}

// So many one after the other: there are other lanes to run meanwhile.
enum { EXCHANGED_BY_ITSELF = 2 }; // guess

void wgsl_lanes_combine(struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    const struct ir_reduction *list = reductions_of(e, n);
    uint32_t count = n->counted.reduction_count;
    if (n->flags & IR_FLAG_EXCHANGE) { // they are of one subgroup
        for (uint32_t i = 0, together; i < count; i += together) {
            together = count > EXCHANGED_BY_ITSELF ? count : together_at(list, i, count);
            exchange(e, list + i, together, e->lane_count, 1);
        }
        return;
    }
    struct ir_reduction *rest = base_alloc_array(e->cx, count + 1, sizeof *rest);
    if (e->lanes_near) {
        count = combine_sums(e, list, count, rest);
        list = rest;
    }
    for (uint32_t first = 0, end; first < count; first = end) {
        end = end_of(e, list, count, first);
        combine_some(e, list, first, end);
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
    struct ir_reduction list[MOST];
    uint32_t count = 0;
    for (; s && s != end && count < MOST && node_of(e, s)->kind == IR_AGREE && !e->k->twice[s];
         s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        for (uint32_t i = 0; i < count; i++)
            if (list[i].var == n->agree.var) end = s;
        if (s == end) break;
        list[count++] = (struct ir_reduction){(uint8_t)n->agree.op, n->agree.var};
    }
    exchange(e, list, count, e->lane_count, 1);
    return s;
}
