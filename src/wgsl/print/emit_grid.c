// The whole program as one kernel: the entry level runs in every invocation, PARFORs are phases shared out over the
// grid, barriers stand where pass_sync put them.
//
// Control flow around a barrier must be the same in a whole workgroup, also when memory holds garbage after a barrier
// was given up. So whatever decides it comes from params, or from invocation 0 through whorl_uniform. Sequential code
// stores on invocation 0 of workgroup 0 alone (`first`). The program pauses at heads of loops around phases, where the
// grid's state is a few scalars.
#include "wgsl/print/emit.h"

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

bool wgsl_at_entry_level(const struct wgsl_emitter *e) { return e->in->grid && !e->in_phase; }

// ---- uniform values -------------------------------------------------------------------------------------------------

// Counters of loops around phases start and end at uniform values; params are uniform; all else may come from memory.
const char *wgsl_grid_uniform(struct wgsl_emitter *e, enum ir_type type, ir_expr x, const char *text) {
    if (wgsl_is_steady(e->k, x, false)) return text;
    return wgsl_from_bits(e, type, base_format(e->cx, "whorl_uniform(li, %s)", wgsl_to_bits(e, type, text)));
}

// ---- saved state ----------------------------------------------------------------------------------------------------

static void transfer_one(struct wgsl_emitter *e, bool saves, enum ir_type type, const char *name, uint32_t word) {
    const char *where = base_format(e->cx, "saved[%u]", word);
    if (saves)
        wgsl_line(e, "%s = %s;", where, wgsl_to_bits(e, type, name));
    else
        wgsl_line(e, "%s = %s;", name, wgsl_from_bits(e, type, base_format(e->cx, "whorl_uniform(li, %s)", where)));
}

static void transfer(struct wgsl_emitter *e, bool saves) {
    uint32_t word = 1;
    for (ir_var v = 1; v < e->u->var_count; v++) {
        if (!e->k->saved.vars[v]) continue;
        transfer_one(e, saves, (enum ir_type)e->u->vars[v].type, e->names[v], word++);
        if (!saves) wgsl_clamp_restored(e, v);
    }
    for (ir_stmt s = 1; s < e->u->stmt_count; s++) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (!e->k->saved.limits[s]) continue;
        transfer_one(e, saves, (enum ir_type)e->u->vars[n->counted.var].type, wgsl_limit(e, n), word++);
        if (!saves) wgsl_clamp_limit(e, n);
    }
}

static void restore(struct wgsl_emitter *e) {
    wgsl_line(e, "var rp = 0u;");
    wgsl_line(e, "var next_rp = 0u;");
    wgsl_line(e, "var left = params[0].z;");
    for (ir_stmt s = 1; s < e->u->stmt_count; s++) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (e->k->saved.limits[s])
            wgsl_line(e, "var %s: %s;", wgsl_limit(e, n), ir_type_name((enum ir_type)e->u->vars[n->counted.var].type));
    }
    wgsl_open(e, "if (params[0].w != 0u)");
    wgsl_line(e, "rp = whorl_uniform(li, saved[0]);");
    transfer(e, false);
    wgsl_close(e);
}

static void save(struct wgsl_emitter *e) {
    wgsl_open(e, "if (first)");
    wgsl_open(e, "if (next_rp != 0u)");
    wgsl_line(e, "saved[0] = next_rp;");
    transfer(e, true);
    wgsl_line(e, "atomicAdd(&control[1], 1u);");
    wgsl_close(e);
    wgsl_line(e, "atomicMax(&control[3], params[0].z - left);");
    wgsl_close(e);
}

// ---- text -----------------------------------------------------------------------------------------------------------

// Workgroups update words whose old values nobody takes: a device may send such an update off and go on, past the
// barrier too, unless a fence waits for it. (On an NVIDIA H200 45 of 4,096 sums were wrong without.)
static bool sends_updates(const struct ir_unit *u) {
    for (uint32_t a = 1; a < u->array_count; a++)
        if (u->arrays[a].atomic && u->arrays[a].shared) return true;
    return false;
}

// Stores arrive before the workgroup does, also where memory is not quiet: behind many of them, and beside loads that
// cross the barrier.
static void emit_release(struct wgsl_emitter *e, ir_stmt barrier) {
    // Of each invocation, where neighbours store neighbours. Guess: of 67,584 invocations they are 0.5 MB, which an
    // H200's cache takes in a tenth of the time that a barrier's own way needs.
    enum { QUIET_WORDS = 2 };
    uint64_t sent = e->k->sent[barrier];
    bool crowded = e->k->early.of[barrier] != NULL;
    if (sends_updates(e->u) || sent == 0) return; // all barriers have fences; nothing to wait for
    if (!crowded && sent <= QUIET_WORDS * (uint64_t)e->in->workgroup_size) return;
    if (crowded || sent > UINT32_MAX)
        wgsl_open(e, "if (!fences)");
    else
        wgsl_open(e, base_format(e->cx, "if (!fences && %uu > invocations * %uu)", (uint32_t)sent, QUIET_WORDS));
    wgsl_line(e, "storageBarrier();");
    wgsl_close(e);
}

void wgsl_grid_barrier(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    emit_release(e, s);
    if (e->k->early.of[s]) wgsl_early_first(e, e->k->early.of[s]);
    wgsl_line(e, "whorl_barrier(li, groups, params[0].x, fences); // %s", e->u->arrays[n->barrier.array].name);
}

// Lanes of a subgroup stay together; those of a workgroup are dealt out apart (wgsl_grid_phase).
uint32_t wgsl_grid_chunk(const struct ir_unit *u, ir_stmt block) {
    uint32_t chunk = 32;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_PARFOR) {
            bool subgroup = n->flags & IR_FLAG_LANES && n->parfor.lane_var && !(n->flags & IR_FLAG_TEAM);
            if (subgroup && n->parfor.lanes > chunk) chunk = n->parfor.lanes;
            continue;
        }
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++) {
            uint32_t wanted = wgsl_grid_chunk(u, inner[i]);
            chunk = wanted > chunk ? wanted : chunk;
        }
    }
    return chunk;
}

// Where memory says how many iterations there are, it may be garbage after a barrier was given up: the phase looks now
// and then whether one was. (Loops on lanes of a workgroup have a length that the compiler knows.)
static void emit_phase_watch(struct wgsl_emitter *e) {
    wgsl_line(e, "watch += 1u;");
    wgsl_open(e, "if ((watch & 0xfffu) == 0u && whorl_failed())");
    wgsl_line(e, "break;");
    wgsl_close(e);
}

// All of a workgroup makes the same number of passes: as many as it has iterations, from its first one on.
static void open_lane_rounds(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    const char *own = wgsl_grid_iteration(e, n);
    wgsl_line(e, "let abreast = invocations / %uu;", n->parfor.lanes);
    const char *first = wgsl_first_iteration(e, n), *left = "total";
    if (!n->parfor.turns) left = base_format(e->cx, "max(total, %s) - %s", first, first);
    wgsl_line(e, "let laps = (%s + abreast - 1u) / abreast;", left);
    wgsl_line(e, "var lap = 0u;");
    wgsl_open(e, "for (; lap < laps; lap += 1u)");
    wgsl_line(e, "let lane = %s;", wgsl_lane_text(e, n));
    if (n->parfor.turns && !e->k->early.of[s]) { // what is asked for early is of the iteration `abreast` further
        wgsl_line(e, "let own = %s;", own);
        own = "select(own, abreast - 1u - own, (lap & 1u) != 0u)";
    }
    wgsl_line(e, "let k = lap * abreast + %s;", own);
    wgsl_line(e, "let live = k < total;");
    wgsl_line(e, "let keeper = live && lane == 0u;");
    wgsl_line(e, "let it = min(k, total - 1u);");
}

// Invocations take iterations by themselves, but for a team, which takes them as a workgroup.
static void open_iterations(struct wgsl_emitter *e, ir_stmt s, bool safe) {
    const struct ir_stmt_node *n = node_of(e, s);
    wgsl_stage_stores(e);
    wgsl_privates_begin(e, s);
    if (wgsl_is_team(e->k, s)) {
        wgsl_line(e, "var it = wg.x;");
        wgsl_open(e, "for (; it < total; it += groups)");
    } else {
        uint32_t lanes = wgsl_is_spread(e->k, s) ? n->parfor.lanes : 1, chunk = wgsl_grid_chunk(e->u, e->in->stmt);
        bool group = lanes == 1 && n->flags & IR_FLAG_GROUP;
        const char *each = lanes > 1 ? base_format(e->cx, " / %uu", lanes) : ""; // so many lanes have an iteration
        if (lanes > 1) wgsl_line(e, "let lane = li %% %uu;", lanes);
        if (group)
            wgsl_line(e, "var it = wg.x * %uu + li;", e->in->workgroup_size);
        else
            wgsl_line(e, "var it = invocation%s;", each);
        if (n->parfor.turns && !group) { // from end to end, then from beginning to beginning
            wgsl_line(e, "var by = (invocation - li %% %uu)%s * 2u + %uu;", chunk, each, chunk / lanes);
            wgsl_open(e, "for (; it < total; it += by)");
            wgsl_line(e, "by = invocations%s * 2u - by;", each);
        } else {
            wgsl_open(e, base_format(e->cx, "for (; it < total; it += invocations%s)", each));
        }
    }
    if (!safe) emit_phase_watch(e);
}

void wgsl_grid_phase(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    const struct ir_dim *dims = e->u->dims + n->parfor.dims;
    const char *total = "";
    bool safe = true;
    if (e->k->phases.of[s]->tiling) {
        wgsl_tile_phase(e, s);
        return;
    }
    wgsl_open(e, "");
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        ir_expr bounds[] = {dims[d].lo, dims[d].hi};
        wgsl_begin(e, bounds, 2);
        total = base_format(e->cx, d ? "%s * %s" : "%s%s", total, wgsl_emit_trips(e, &dims[d]));
        safe &= wgsl_ends_safely(e, dims[d].lo, dims[d].hi);
    }
    if (!safe && wgsl_has_lanes(e->k, s)) total = base_format(e->cx, "whorl_uniform(li, %s)", total);
    wgsl_line(e, "let total = %s;", total);
    if (!safe) wgsl_line(e, "var watch = 0u;");
    const char *count = wgsl_has_lanes(e->k, s) ? NULL : "total";
    bool copies = !count && e->k->phases.of[s]->stage_count; // which a workgroup without an iteration does not need
    if (copies) wgsl_open(e, base_format(e->cx, "if (%s < total)", wgsl_first_iteration(e, n)));
    const struct wgsl_early *early = e->k->early.of[s];
    if (early && !early->barrier) wgsl_early_first(e, early);
    wgsl_stage_loads(e, e->k->phases.of[s]);
    if (count)
        open_iterations(e, s, safe);
    else
        open_lane_rounds(e, s);
    e->in_phase = true;
    wgsl_emit_dims(e, n);
    if (wgsl_is_team(e->k, s))
        wgsl_team_body(e, s);
    else if (wgsl_is_spread(e->k, s))
        wgsl_spread_body(e, s);
    else if (count)
        wgsl_block(e, n->parfor.body);
    else
        wgsl_lanes_body(e, s);
    e->in_phase = false;
    wgsl_close(e);
    wgsl_open(e, count ? "if (it < total)" : "if (lap < laps)");
    wgsl_failure(e);
    wgsl_close(e);
    if (copies) wgsl_close(e);
    wgsl_privates_end(e);
    wgsl_close(e);
}

void wgsl_grid_main(struct wgsl_emitter *e) {
    wgsl_line(e, "let groups = params[0].y;");
    wgsl_line(e, sends_updates(e->u) ? "let fences = true;"
                                     : "let fences = (groups == 1u) || ((params[1].y & 1u) != 0u);");
    // Work is dealt out to the workgroups in chunks, so that little of it keeps all of them busy.
    uint32_t chunk = wgsl_grid_chunk(e->u, e->in->stmt);
    wgsl_line(e, "let invocation = ((li / %uu) * groups + wg.x) * %uu + li %% %uu;", chunk, chunk, chunk);
    wgsl_line(e, "let invocations = groups * %uu;", e->in->workgroup_size);
    wgsl_line(e, "let first = invocation == 0u;");
    wgsl_line(e, "whorl_goal = params[1].z;");
    wgsl_emit_fixed(e);
    wgsl_emit_tops(e);
    wgsl_declare_early(e);
    if (e->k->resume.points) restore(e);
    wgsl_open(e, "if (whorl_roll_call(li, groups, params[1].x))");
    wgsl_block(e, e->k->body);
    if (e->k->resume.points) save(e);
    wgsl_close(e);
}
