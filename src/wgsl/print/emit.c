// The frame of a kernel: bindings, which iteration this invocation runs, and the completion word at the end.
//
// The end is in uniform control flow: nothing returns early, so that the workgroup's barrier and its one addition to
// control[0] prove that all of its invocations came to their end.
#include <stdio.h>
#include <string.h>

#include "plan/laws.h"
#include "wgsl/print/emit.h"

// ---- the start of an iteration --------------------------------------------------------------------------------------

static bool in_params(const struct wgsl_emitter *e, ir_var v) {
    return e->in->param_words && e->in->param_words[v] != WGSL_NONE;
}
static bool in_state(const struct wgsl_emitter *e, ir_var v) {
    return e->in->state_slot != WGSL_NONE && e->in->state_words && e->in->state_words[v] != WGSL_NONE;
}
static const char *state_word(struct wgsl_emitter *e, ir_var v) {
    return base_format(e->cx, "b%u[%u]", e->in->state_slot, e->in->state_words[v]);
}

void wgsl_emit_fixed(struct wgsl_emitter *e) {
    for (ir_var v = 1; v < e->u->var_count; v++) {
        const struct ir_var_info *info = &e->u->vars[v];
        if (e->k->vars[v].home != WGSL_FIXED || info->klass == IR_VAR_DIM) continue;
        const char *word = in_params(e, v) ? wgsl_word(e, e->in->param_words[v]) : NULL;
        if (!word && in_state(e, v)) word = state_word(e, v);
        if (!word) base_bug(e->cx, "variable %s (%u) is read by a kernel that has no word for it", info->name, v);
        wgsl_line(e, "let %s = %s;", e->names[v], wgsl_from_bits(e, (enum ir_type)info->type, word));
    }
}

void wgsl_emit_tops(struct wgsl_emitter *e) {
    for (ir_var v = 1; v < e->u->var_count; v++) {
        if (e->k->vars[v].home != WGSL_TOP) continue;
        enum ir_type type = (enum ir_type)e->u->vars[v].type;
        if (!e->in->sequential && in_state(e, v))
            wgsl_line(e, "var %s = %s;", e->names[v], wgsl_from_bits(e, type, state_word(e, v)));
        else
            wgsl_line(e, "var %s: %s;", e->names[v], ir_type_name(type));
    }
    for (ir_array a = 1; a < e->u->array_count; a++)
        if (e->array_names[a] && e->u->arrays[a].klass == IR_ARRAY_LOCAL && !e->u->arrays[a].lanes)
            wgsl_line(e, "var %s: array<%s, %u>;", e->array_names[a],
                      ir_type_name(ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem)), wgsl_array_count(e->k, a));
}

// The number of passes of a dimension, as u32 text.
const char *wgsl_emit_trips(struct wgsl_emitter *e, const struct ir_dim *dim) {
    uint32_t lo, hi;
    uint32_t size = dim->step < 0 ? 0u - (uint32_t)dim->step : (uint32_t)dim->step;
    bool is_signed = e->u->vars[dim->var].type == IR_I32;
    if (ir_is_const(e->u, dim->lo, &lo) && ir_is_const(e->u, dim->hi, &hi)) {
        int64_t from = is_signed ? (int64_t)(int32_t)lo : (int64_t)lo,
                to = is_signed ? (int64_t)(int32_t)hi : (int64_t)hi;
        int64_t length = dim->step > 0 ? to - from : from - to;
        return base_format(e->cx, "%uu", length > 0 ? (uint32_t)((length + size - 1) / size) : 0u);
    }
    const char *first = wgsl_operand(e, dim->lo), *last = wgsl_operand(e, dim->hi);
    const char *u_first = wgsl_as_u32(e, dim->lo), *u_last = wgsl_as_u32(e, dim->hi);
    const char *low = dim->step > 0 ? first : last, *high = dim->step > 0 ? last : first, *n = wgsl_temp(e);
    const char *from = dim->step > 0 ? u_first : u_last, *to = dim->step > 0 ? u_last : u_first;
    if (size == 1)
        wgsl_line(e, "let %s = select(0u, %s - %s, (%s < %s));", n, to, from, low, high);
    else // rounded up without a sum that may not fit
        wgsl_line(e, "let %s = select(0u, (%s - %s - 1u) / %uu + 1u, (%s < %s));", n, to, from, size, low, high);
    return n;
}

static void emit_dim(struct wgsl_emitter *e, const struct ir_dim *dim, const char *index) {
    const char *name = e->names[dim->var], *type = ir_type_name((enum ir_type)e->u->vars[dim->var].type);
    uint32_t size = dim->step < 0 ? 0u - (uint32_t)dim->step : (uint32_t)dim->step, lo;
    if (size != 1) index = base_format(e->cx, "%s * %uu", index, size);
    index = base_format(e->cx, "%s(%s)", type, index);
    if (dim->step > 0 && ir_is_const(e->u, dim->lo, &lo) && lo == 0)
        wgsl_line(e, "let %s = %s;", name, index);
    else
        wgsl_line(e, "let %s = %s %c %s;", name, wgsl_operand(e, dim->lo), dim->step < 0 ? '-' : '+', index);
}

// The index variables from the iteration's number: the last dimension runs fastest.
void wgsl_emit_dims(struct wgsl_emitter *e, const struct ir_stmt_node *parfor) {
    const struct ir_dim *dims = e->u->dims + parfor->parfor.dims;
    const char *rest = "it";
    for (uint32_t d = parfor->parfor.dim_count; d-- > 0;) {
        ir_expr bounds[] = {dims[d].lo, dims[d].hi};
        wgsl_begin(e, bounds, 2);
        if (d == 0) {
            emit_dim(e, &dims[d], rest);
            return;
        }
        const char *n = wgsl_emit_trips(e, &dims[d]), *index = wgsl_temp(e), *next = wgsl_temp(e);
        wgsl_line(e, "let %s = %s / %s;", next, rest, n);
        wgsl_line(e, "let %s = %s - %s * %s;", index, rest, next, n);
        emit_dim(e, &dims[d], index);
        rest = next;
    }
}

// ---- the two kinds of kernel ----------------------------------------------------------------------------------------

static const char *guard_text(struct wgsl_emitter *e) {
    wgsl_begin(e, &e->in->guard, 1);
    return wgsl_expr(e, e->in->guard);
}

// An iteration that may pause has a state of its own, and one that a whole workgroup makes is long enough.
static uint32_t rounds_of(const struct wgsl_emitter *e) {
    bool once = e->in->sequential || e->in->grid || e->k->resume.points || wgsl_is_team(e->k, e->in->stmt);
    return once || !e->in->rounds ? 1 : e->in->rounds;
}

const char *wgsl_lane_text(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor) {
    uint32_t apart = wgsl_lanes_apart(e->k, parfor);
    return apart > 1 ? base_format(e->cx, "li / %uu", apart) : base_format(e->cx, "li %% %uu", parfor->parfor.lanes);
}

const char *wgsl_iteration_text(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor) {
    uint32_t apart = wgsl_lanes_apart(e->k, parfor);
    return apart > 1 ? base_format(e->cx, "li %% %uu", apart) : base_format(e->cx, "li / %uu", parfor->parfor.lanes);
}

const char *wgsl_first_iteration(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor) {
    uint32_t apart = wgsl_lanes_apart(e->k, parfor);
    return apart > 1 ? base_format(e->cx, "wg.x * %uu", apart) : "wg.x";
}

const char *wgsl_grid_iteration(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor) {
    const char *own = wgsl_iteration_text(e, parfor), *first = wgsl_first_iteration(e, parfor);
    if (parfor->parfor.lanes == e->in->workgroup_size) return first;
    return wgsl_lanes_apart(e->k, parfor) > 1 ? base_format(e->cx, "%s + %s", first, own)
                                              : base_format(e->cx, "(%s) * groups + %s", own, first);
}

// `it`, and which of its lanes this invocation is.
static void open_iteration(struct wgsl_emitter *e, const struct ir_stmt_node *parfor) {
    uint32_t lanes = parfor->parfor.lanes, size = e->in->workgroup_size;
    bool shares = wgsl_has_lanes(e->k, e->in->stmt), spread = wgsl_is_spread(e->k, e->in->stmt);
    const char *group = "(wg.y * params[1].x + wg.x)";
    if (rounds_of(e) > 1) group = base_format(e->cx, "(%s * %uu + turn)", group, rounds_of(e));
    if (wgsl_is_team(e->k, e->in->stmt)) { // one for the workgroup
        wgsl_line(e, "let k = wg.y * params[1].x + wg.x;");
    } else if (shares || spread) {
        if (spread) e->lane_count = lanes;
        wgsl_line(e, "let lane = %s;", wgsl_lane_text(e, parfor));
        wgsl_line(e, "let k = %s * %uu + %s;", group, size / lanes, wgsl_iteration_text(e, parfor));
    } else {
        wgsl_line(e, "let k = %s * %uu + li;", group, size);
    }
    if (shares) {
        wgsl_line(e, "let live = k < params[0].y;");
        wgsl_line(e, "let keeper = live && lane == 0u;");
    }
    wgsl_open(e, shares ? "" : "if (k < params[0].y)");
    wgsl_line(e, shares ? "let it = params[0].x + min(k, params[0].y - 1u);" : "let it = params[0].x + k;");
}

static void emit_parallel(struct wgsl_emitter *e) {
    const struct ir_stmt_node *parfor = &e->u->stmts[e->in->stmt];
    if (e->k->resume.points) {
        // WGSL promises zeroed workgroup memory; a driver was seen to hand out what the kernel before left in it.
        wgsl_open(e, "if (li == 0u)");
        wgsl_line(e, "atomicStore(&group_paused, 0u);");
        wgsl_line(e, "atomicStore(&group_failed, 0u);");
        wgsl_line(e, "atomicStore(&group_ticks, 0u);");
        wgsl_close(e);
        wgsl_line(e, "workgroupBarrier();");
    }
    wgsl_privates_begin(e, e->in->stmt);
    bool lanes = wgsl_has_lanes(e->k, e->in->stmt);
    uint32_t rounds = rounds_of(e);
    if (rounds > 1) wgsl_open(e, base_format(e->cx, "for (var turn = 0u; turn < %uu; turn += 1u)", rounds));
    open_iteration(e, parfor);
    wgsl_emit_fixed(e);
    wgsl_emit_tops(e);
    if (e->in->guard) wgsl_open(e, base_format(e->cx, "if (%s)", guard_text(e)));
    if (e->k->resume.points) {
        wgsl_line(e, "var rp = 0u;");
        wgsl_line(e, "var next_rp = 0u;");
        wgsl_line(e, "var left = params[0].z;");
        wgsl_restore(e);
        wgsl_open(e, "if (rp != " WGSL_DONE ")");
    }
    wgsl_emit_dims(e, parfor);
    if (lanes)
        wgsl_lanes_body(e, e->in->stmt);
    else if (wgsl_is_team(e->k, e->in->stmt))
        wgsl_team_body(e, e->in->stmt);
    else if (wgsl_is_spread(e->k, e->in->stmt))
        wgsl_spread_body(e, e->in->stmt);
    else
        wgsl_block(e, e->k->body);
    if (e->k->resume.points) {
        wgsl_save(e);
        wgsl_close(e);
    }
    if (e->in->guard) wgsl_close(e);
    wgsl_close(e);
    if (rounds > 1) wgsl_close(e);
    wgsl_privates_end(e);
}

static void emit_sequential(struct wgsl_emitter *e) {
    wgsl_emit_fixed(e);
    wgsl_emit_tops(e);
    bool loads = false;
    for (ir_var v = 1; v < e->u->var_count; v++) {
        if (e->k->vars[v].home != WGSL_TOP || !in_state(e, v)) continue;
        if (!loads) wgsl_open(e, "if (li == 0u)");
        loads = true;
        wgsl_line(e, "%s = %s;", e->names[v], wgsl_from_bits(e, (enum ir_type)e->u->vars[v].type, state_word(e, v)));
    }
    if (loads) wgsl_close(e);
    if (e->in->guard)
        wgsl_line(e, "let go = (%s) && (li == 0u);", guard_text(e));
    else
        wgsl_line(e, "let go = (li == 0u);");
    for (ir_stmt s = e->k->body; s && s != e->in->stop;) {
        if (e->u->stmts[s].kind == IR_COMBINE) {
            s = wgsl_combines(e, s, e->in->stop);
            continue;
        }
        ir_stmt end = wgsl_group_end(e->k, s);
        wgsl_open(e, "if (go)");
        for (; s != end; s = e->u->stmts[s].next)
            wgsl_statement(e, s);
        wgsl_close(e);
    }
    bool stores = false;
    for (ir_var v = 1; v < e->u->var_count; v++) {
        if (e->k->vars[v].home != WGSL_TOP || !in_state(e, v) || e->k->uses.vars[v].writes == 0) continue;
        if (!stores) wgsl_open(e, "if (go)");
        stores = true;
        wgsl_line(e, "%s = %s;", state_word(e, v), wgsl_to_bits(e, (enum ir_type)e->u->vars[v].type, e->names[v]));
    }
    if (stores) wgsl_close(e);
}

static void emit_bindings(struct wgsl_emitter *e) {
    static const char *const elems[] = {[WHORL_F32] = "f32", [WHORL_I32] = "i32", [WHORL_U32] = "u32"};
    wgsl_line(e, "@group(0) @binding(0) var<uniform> params: array<vec4<u32>, %u>;",
              (e->in->total_param_words + 3) / 4);
    wgsl_line(e, "@group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>;");
    for (uint32_t i = 0; i < e->in->binding_count; i++) {
        const struct wgsl_binding *b = &e->in->bindings[i];
        const struct wgsl_form *form = &e->k->vectors.forms[i];
        if (whorl_dtype_size(b->elem) != 4) base_bug(e->cx, "binding %u has narrow elements", i);
        const char *elem = elems[form->elem];
        if (form->atomic) elem = base_format(e->cx, "atomic<%s>", elem);
        if (form->words > 1) elem = base_format(e->cx, "vec%u<%s>", form->words, elem);
        wgsl_line(e, "@group(0) @binding(%u) %svar<storage, %s> b%u: array<%s>;", 2 + i,
                  form->coherent ? "@coherent " : "", b->writable ? "read_write" : "read", i, elem);
    }
    if (e->k->resume.points) {
        wgsl_line(e, "@group(0) @binding(%u) var<storage, read_write> saved: array<u32>;", 2 + e->in->binding_count);
        if (!e->in->grid) {
            wgsl_line(e, "var<workgroup> group_paused: atomic<u32>;");
            wgsl_line(e, "var<workgroup> group_failed: atomic<u32>;");
            wgsl_line(e, "var<workgroup> group_ticks: atomic<u32>;");
        }
    }
    wgsl_declare_staged(e);
    for (int type = IR_BOOL; type <= IR_F32; type++)
        if (e->k->memory.local_words[type])
            wgsl_line(e, "var<workgroup> near_%s: array<%s, %u>;", ir_type_name((enum ir_type)type),
                      ir_type_name((enum ir_type)type), e->k->memory.local_words[type]);
    wgsl_declare_tiles(e);
    if (e->k->memory.private_words)
        wgsl_line(e, "var<workgroup> private_words: array<atomic<u32>, %u>;", e->k->memory.private_words);
    for (int type = IR_I32; type <= IR_F32; type++) {
        uint32_t size = e->k->memory.lane_words[type];
        if (size)
            wgsl_line(e, "var<workgroup> lanes_%s: array<%s, %u>;", ir_type_name((enum ir_type)type),
                      ir_type_name((enum ir_type)type), size);
    }
}

static void emit_main(struct wgsl_emitter *e) {
    wgsl_line(e, "@compute @workgroup_size(%u)", e->in->workgroup_size);
    wgsl_open(e, "fn main(@builtin(workgroup_id) wg: vec3<u32>, @builtin(local_invocation_index) li: u32)");
    if (e->in->grid)
        wgsl_grid_main(e);
    else if (e->in->sequential)
        emit_sequential(e);
    else
        emit_parallel(e);
    wgsl_line(e, "workgroupBarrier();");
    wgsl_open(e, "if (li == 0u)");
    if (e->k->resume.points && !e->in->grid) {
        wgsl_line(e, "atomicAdd(&control[1], atomicLoad(&group_paused));");
        wgsl_line(e, "atomicAdd(&control[2], atomicLoad(&group_failed));");
        wgsl_line(e, "atomicMax(&control[3], atomicLoad(&group_ticks));");
    }
    wgsl_line(e, "atomicAdd(&control[0], 1u);");
    wgsl_close(e);
    wgsl_close(e);
}

static void prepare(struct wgsl_emitter *e) {
    const struct ir_unit *u = e->u;
    e->names = base_alloc_array(e->cx, u->var_count + 1, sizeof *e->names);
    e->array_names = base_alloc_array(e->cx, u->array_count + 1, sizeof *e->array_names);
    e->pairs = wgsl_pairs_create(e->cx, u);
    e->memo = wgsl_memo_create(e->cx, u);
    for (ir_var v = 1; v < u->var_count; v++)
        e->names[v] = wgsl_clean_name(e->cx, 'v', v, u->vars[v].name);
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].lanes && (e->in->grid || e->k->uses.arrays[a]))
            e->array_names[a] =
                base_format(e->cx, "near_%s", ir_type_name(ir_elem_type((enum whorl_dtype)u->arrays[a].elem)));
        else if (u->arrays[a].klass == IR_ARRAY_LOCAL && e->k->uses.arrays[a])
            e->array_names[a] = wgsl_clean_name(e->cx, 'a', a, u->arrays[a].name);
        else if (u->arrays[a].klass == IR_ARRAY_STAGED && (e->in->grid || e->k->uses.arrays[a]))
            e->array_names[a] = wgsl_staged_name(e, a);
}

// With what is kept of the scratch memory.
static struct wgsl_output describe(struct wgsl_emitter *e, struct base_scratch *scratch, const char *text,
                                   uint32_t saved_lanes) {
    struct wgsl_output out = {.text = base_scratch_keep(e->cx, scratch, text, strlen(text) + 1),
                              .subgroup = e->k->subgroup,
                              .rounds = rounds_of(e)};
    for (uint32_t i = 0; i < e->in->binding_count; i++) {
        const struct wgsl_form *form = &e->k->vectors.forms[i];
        out.coherent |= form->coherent;
        out.float_atomics |= form->atomic && form->elem == WHORL_F32;
    }
    if (e->in->grid)
        out.saved =
            base_scratch_keep(e->cx, scratch, wgsl_saved_words(e->k), (e->k->saved.words + 1) * sizeof *out.saved);
    if (!e->k->resume.points) return out;
    uint32_t count = e->u->var_count;
    bool *restored = base_alloc_array(e->cx, count, sizeof *restored),
         *clamped = base_alloc_array(e->cx, count, sizeof *clamped);
    int64_t first, last;
    for (ir_var v = 1; v < count; v++) {
        restored[v] = e->k->saved.vars[v];
        clamped[v] = restored[v] && wgsl_counted_by(e->k, v, &first, &last);
    }
    out.resume_words = (1 + e->k->saved.words) * saved_lanes;
    out.restored = base_scratch_keep(e->cx, scratch, restored, count * sizeof *restored);
    out.clamped = base_scratch_keep(e->cx, scratch, clamped, count * sizeof *clamped);
    return out;
}

struct wgsl_output wgsl_emit(struct base_cx *cx, const struct wgsl_input *in) {
    struct base_scratch scratch = base_scratch_begin(cx); // the tables are as large as the unit
    const struct wgsl_kernel *k = wgsl_decide(cx, in);
    struct wgsl_emitter emitter = {.cx = cx, .k = k, .in = in, .u = in->unit}, *e = &emitter;
    const struct ir_stmt_node *first = &e->u->stmts[in->stmt];
    prepare(e);

    uint32_t saved_lanes =
        !in->grid && wgsl_is_spread(e->k, in->stmt) ? first->parfor.lanes : 1; // a grid saves one state for all
    struct base_text head, body, text;
    base_text_init(&body, cx);
    e->out = &body;
    emit_main(e);
    base_text_init(&head, cx);
    e->out = &head;
    emit_bindings(e);
    base_text_init(&text, cx);
    base_text_put(&text, head.data);
    wgsl_add_library(cx, body.data, &text);
    base_text_put(&text, body.data);
    const char *wrong = plan_check_text(text.data, NULL);
    if (wrong)
        base_unsupported(cx, e->u->stmts[in->stmt].loc,
                         "the kernel of this loop %s: give a part of it a loop of its own", wrong);
    struct wgsl_output out = describe(e, &scratch, text.data, saved_lanes);
    base_scratch_end(cx, &scratch);
    return out;
}
