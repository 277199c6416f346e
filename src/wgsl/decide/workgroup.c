// What the invocations of a workgroup have together: memory for copies of arrays, for tiles and for values that lanes
// combine; and subgroups.
#include "wgsl/decide/kernel.h"

static enum ir_type type_of(const struct wgsl_kernel *k, ir_array a) {
    return ir_elem_type((enum whorl_dtype)k->u->arrays[a].elem);
}

uint32_t wgsl_staged_width(const struct wgsl_kernel *k, ir_array a) {
    const struct ir_array_info *info = &k->u->arrays[a];
    uint32_t rows;
    if (info->row <= 1) return 1;
    return ir_is_const(k->u, info->dims[0], &rows) && rows ? wgsl_array_count(k, a) / rows : 1;
}

uint32_t wgsl_staged_vector(const struct wgsl_kernel *k, ir_array a) {
    uint32_t width = wgsl_staged_width(k, a);
    return width <= IR_STAGED_VECTOR && k->u->arrays[a].row <= IR_STAGED_VECTOR ? width : 1; // else words apart
}

bool wgsl_has_vector_rows(const struct wgsl_kernel *k, ir_array a) {
    const struct ir_array_info *info = &k->u->arrays[a];
    return info->row == IR_STAGED_VECTOR + 1 && wgsl_staged_width(k, a) == IR_STAGED_VECTOR;
}

bool wgsl_in_vector_rows(const struct wgsl_kernel *k, ir_array a) {
    return k->vectors.staged[type_of(k, a)] == WGSL_WIDEST && wgsl_has_vector_rows(k, a);
}

static void choose_blocks(const struct wgsl_kernel *k, struct wgsl_memory *out) {
    struct wgsl_block *blocks = base_alloc_array(k->cx, k->u->array_count + 1, sizeof *blocks);
    for (ir_array a = 1; a < k->u->array_count; a++) {
        const struct ir_array_info *info = &k->u->arrays[a];
        if (info->klass != IR_ARRAY_STAGED || (!k->in->grid && !k->uses.arrays[a])) continue;
        uint32_t at = 0, width = wgsl_staged_vector(k, a), rows = wgsl_array_count(k, a) / width;
        while (at < out->block_count && (blocks[at].type != type_of(k, a) || blocks[at].width != width))
            at++;
        if (at == out->block_count) blocks[out->block_count++] = (struct wgsl_block){type_of(k, a), width, 0};
        if (info->is_box) rows = (uint32_t)ir_box_words(k->u, a);
        if (info->window) rows = info->window * info->offset_count;
        if (info->row > IR_STAGED_VECTOR) // they stand apart in single words
            rows = (info->window ? rows : wgsl_array_count(k, a) / wgsl_staged_width(k, a)) * info->row;
        if (info->data_count + rows > blocks[at].rows) blocks[at].rows = info->data_count + rows;
    }
    out->blocks = blocks;
}

static void count_local_words(const struct wgsl_kernel *k, uint32_t *most) {
    for (ir_array a = 1; a < k->u->array_count; a++) {
        const struct ir_array_info *info = &k->u->arrays[a];
        if (!info->lanes || (!k->in->grid && !k->uses.arrays[a])) continue;
        uint32_t end = (info->data_count + info->row) * (k->in->workgroup_size / info->lanes);
        if (end > most[type_of(k, a)]) most[type_of(k, a)] = end;
    }
}

static void choose_tile_words(const struct wgsl_kernel *k, struct wgsl_memory *out) {
    for (ir_stmt s = 1; s < k->u->stmt_count; s++) {
        bool here = k->in->grid ? k->phases.of[s] != NULL : s == k->in->stmt;
        if (here && k->u->stmts[s].kind == IR_PARFOR) ir_neighbour_words(k->u, s, out->tile_words);
        const struct wgsl_tiling *t = k->phases.of[s] ? k->phases.of[s]->tiling : NULL;
        for (int type = 0; t && type < 5; type++)
            if (t->words[type] > out->tile_words[type]) out->tile_words[type] = t->words[type];
    }
}

static uint8_t reduced_type(const struct wgsl_kernel *k, const struct ir_reduction *r) {
    return k->u->vars[r->var].type;
}

// As many of each type as there is memory for; the others come after them.
uint32_t wgsl_combined_end(const struct wgsl_kernel *k, const struct ir_reduction *list, uint32_t count,
                           uint32_t first) {
    uint32_t slots[5] = {0}, most = IR_LANES_BYTES / (4 * k->in->workgroup_size);
    for (uint32_t end = first, together; end < count; end += together) {
        together = ir_reduced_together(list + end, count - end);
        for (uint32_t i = end; i < end + together; i++)
            if (++slots[reduced_type(k, &list[i])] > (most ? most : 1) && end > first) return end;
    }
    return count;
}

static uint8_t held_type(const struct wgsl_kernel *k, const struct ir_stmt_node *combine) {
    uint8_t type = k->u->vars[combine->combine.var].type;
    return type == IR_BOOL ? IR_U32 : type;
}

// together: of a type.
static ir_stmt combines_end(const struct wgsl_kernel *k, ir_stmt first, ir_stmt end, uint32_t together) {
    struct ir_effects fx = ir_effects_empty(k->u);
    uint32_t slots[5] = {0};
    ir_stmt s = first;
    for (; s && s != end && k->u->stmts[s].kind == IR_COMBINE; s = k->u->stmts[s].next) {
        const struct ir_stmt_node *n = &k->u->stmts[s];
        ir_var v = n->combine.var;
        ir_expr_effects(k->u, n->combine.from, &fx);
        ir_expr_effects(k->u, n->combine.there, &fx);
        ir_expr_effects(k->u, n->combine.value, &fx);
        bool again = ir_bit(fx.vars_written, v);
        fx.vars_written[v / 32] |= 1u << v % 32;
        bool full = ++slots[held_type(k, n)] > together;
        if (s != first && (full || again || ir_sets_meet(fx.vars_read, fx.vars_written, fx.var_words))) break;
    }
    return s;
}

ir_stmt wgsl_combines_end(const struct wgsl_kernel *k, ir_stmt first, ir_stmt end) {
    return combines_end(k, first, end, k->memory.combines_together);
}

static ir_stmt count_combines(const struct wgsl_kernel *k, ir_stmt first, uint32_t together, uint32_t *most) {
    uint32_t slots[5] = {0};
    ir_stmt end = combines_end(k, first, k->in->stop, together);
    for (ir_stmt s = first; s != end; s = k->u->stmts[s].next) {
        uint8_t type = held_type(k, &k->u->stmts[s]);
        if (++slots[type] > most[type]) most[type] = slots[type];
    }
    return end;
}

// Adds, by type, the most values that a shared loop, or COMBINEs in a row, combine at once through workgroup memory.
static void count_slots(const struct wgsl_kernel *k, ir_stmt block, uint32_t together, uint32_t *most) {
    ir_stmt run_end = 0; // of the COMBINEs under way
    bool after_combine = false;
    for (ir_stmt s = block; s && s != k->in->stop; s = k->u->stmts[s].next) {
        const struct ir_stmt_node *n = &k->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            count_slots(k, inner[i], together, most);
        if (n->kind == IR_COMBINE && (!after_combine || s == run_end)) run_end = count_combines(k, s, together, most);
        after_combine = n->kind == IR_COMBINE;
        if (n->kind != IR_FOR || !(n->flags & IR_FLAG_LANES) || (n->flags & IR_FLAG_EXCHANGE)) continue;
        const struct ir_reduction *list = k->u->reductions + n->counted.reductions;
        for (uint32_t i = 0, end; i < n->counted.reduction_count; i = end) {
            uint32_t slots[5] = {0};
            for (end = wgsl_combined_end(k, list, n->counted.reduction_count, i); i < end; i++) {
                uint8_t type = reduced_type(k, &list[i]);
                if (++slots[type] > most[type]) most[type] = slots[type];
            }
        }
    }
}

static uint32_t count_private_words(const struct wgsl_kernel *k) {
    uint32_t most = 0;
    for (ir_stmt s = 1; s < k->u->stmt_count; s++) {
        if (k->u->stmts[s].kind != IR_PARFOR || !(k->in->grid ? k->phases.of[s] != NULL : s == k->in->stmt)) continue;
        uint32_t words = ir_privates_of(k->u, s).words;
        most = words > most ? words : most;
    }
    return most;
}

static bool is_empty(const struct wgsl_memory *m) {
    uint32_t words = m->private_words;
    for (int type = 0; type < 5; type++)
        words += m->tile_words[type] + m->local_words[type];
    return words == 0 && m->block_count == 0;
}

// Beside what other passes put there, COMBINEs take turns where they need more than was left for them.
static void choose_lane_words(const struct wgsl_kernel *k, struct wgsl_memory *out) {
    enum { OTHERS = 64 }; // bytes: words that workgroups pass on
    bool fits = false;
    for (uint32_t together = WGSL_COMBINES_TOGETHER; together && !fits; together--) {
        uint32_t slots[5] = {0}, words = 0;
        count_slots(k, k->body, together, slots);
        for (int type = IR_I32; type <= IR_F32; type++)
            words += out->lane_words[type] = slots[type] * k->in->workgroup_size;
        out->combines_together = together;
        fits = is_empty(out) || 4 * words + OTHERS <= IR_LANES_BYTES;
    }
}

struct wgsl_memory wgsl_choose_memory(const struct wgsl_kernel *k) {
    struct wgsl_memory out = {.block_count = 0};
    if (!k->in->sequential) out.private_words = count_private_words(k);
    if (!k->in->sequential) choose_blocks(k, &out);
    if (!k->in->sequential) choose_tile_words(k, &out);
    if (!k->in->sequential) count_local_words(k, out.local_words);
    choose_lane_words(k, &out);
    return out;
}

uint32_t wgsl_lanes_apart(const struct wgsl_kernel *k, const struct ir_stmt_node *parfor) {
    return parfor->flags & IR_FLAG_ROW ? k->in->workgroup_size / parfor->parfor.lanes : 1;
}

// Of so many subgroups a lane reads one value each. Of all of a workgroup's lanes fewer do, side by side
// (WGSL_FOLD_SIDE).
enum { MOST_FAR = 8 }; // guess

uint32_t wgsl_lanes_near(const struct wgsl_kernel *k, const struct ir_stmt_node *parfor) {
    uint32_t near = k->in->subgroup_lanes / wgsl_lanes_apart(k, parfor), lanes = parfor->parfor.lanes;
    bool whole = lanes == IR_COMBINE_WIDTH && k->in->workgroup_size == IR_COMBINE_WIDTH;
    return near > 1 && lanes > near && lanes / near <= MOST_FAR && !whole ? near : 0;
}

struct exchanges {
    const struct wgsl_kernel *k;
    uint32_t lanes, near; // of the iteration; of them, those that exchange values before memory combines the rest
    uint32_t most;        // that exchange values
};
static bool on_stmt(void *user, ir_stmt s) {
    struct exchanges *x = user;
    const struct ir_stmt_node *n = &x->k->u->stmts[s];
    const struct wgsl_twice *twice = x->k->twice[s];
    bool shared = n->kind == IR_FOR && (n->flags & IR_FLAG_LANES) && n->counted.reduction_count;
    bool near = shared && !(n->flags & IR_FLAG_EXCHANGE) && x->near;
    bool all = n->kind == IR_AGREE || (shared && (n->flags & IR_FLAG_EXCHANGE)) || (twice && twice->together);
    uint32_t lanes = all ? x->lanes : near ? x->k->in->subgroup_lanes : 0;
    x->most = lanes > x->most ? lanes : x->most;
    return true;
}

uint32_t wgsl_choose_subgroup(const struct wgsl_kernel *k) {
    uint32_t most = 0;
    for (ir_stmt s = 1; s < k->u->stmt_count; s++) {
        const struct ir_stmt_node *n = &k->u->stmts[s];
        bool here = n->kind == IR_PARFOR && (s == k->in->stmt || (k->in->grid && k->phases.of[s]));
        if (!here || n->parfor.lanes < 2) continue;
        struct exchanges x = {k, n->parfor.lanes, wgsl_is_spread(k, s) ? 0 : wgsl_lanes_near(k, n), 0};
        ir_walk_stmts(k->u, n->parfor.body, on_stmt, &x);
        if (x.most > most) most = x.most;
    }
    return most;
}
