// The compiler's door: puts front, pass and wgsl together, and turns what they leave through `bail` into a status.
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "compile/build.h"
#include "front/front.h"
#include "pass/passes.h"
#include "pass/analysis/depend.h"
#include "pass/passes.h"
#include "plan/laws.h"
#include "plan/program.h"

#define ARENA_LIMIT_BYTES ((size_t)768 << 20)

static void clear_error(struct whorl_error *err) {
    if (err) memset(err, 0, sizeof *err);
}

static void copy_text(char *out, size_t cap, const char *text) {
    size_t n = strlen(text);
    if (n >= cap) { // cut at a line's end where there is one
        n = cap - 1;
        for (size_t i = n; i > cap / 2; i--)
            if (text[i] == '\n') {
                n = i;
                break;
            }
    }
    memcpy(out, text, n);
    out[n] = 0;
}

static void fill_error(struct base_cx *cx, const char *stage, struct whorl_error *err) {
    if (!err) return;
    clear_error(err);
    err->status = cx->status;
    copy_text(err->stage, sizeof err->stage, stage);
    for (uint32_t i = 0; i < cx->diag_count; i++) {
        if (cx->diags[i].severity != BASE_ERROR) continue;
        const struct base_position *at = &cx->locs[cx->diags[i].loc];
        if (cx->diags[i].loc && at->file < cx->file_count) {
            copy_text(err->file, sizeof err->file, cx->files[at->file].path);
            err->line = at->line;
            err->col = at->col;
        }
        break;
    }
    // Rendering allocates: after an out-of-memory it is not tried.
    if (cx->status == WHORL_MEMORY) {
        copy_text(err->message, sizeof err->message, "out of memory");
        return;
    }
    cx->arena.limit_bytes = 0;
    if (setjmp(cx->bail) == 0)
        copy_text(err->message, sizeof err->message, base_render_diags(cx));
    else
        copy_text(err->message, sizeof err->message, "out of memory while writing the error message");
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static enum whorl_dtype scalar_dtype(enum ir_type type) { return type == IR_BOOL ? WHORL_BOOL : ir_word_of(type); }

static double scalar_value(enum ir_type type, uint32_t bits) {
    return type == IR_F32 ? (double)base_bits_float(bits) : type == IR_I32 ? (double)(int32_t)bits : (double)bits;
}

// What is known of the outputs before any pass.
static void mark_exact(struct compile_builder *b) {
    const struct ir_unit *u = b->base;
    const bool *exact = ir_exact_arrays(u);
    for (uint32_t i = 0; i < u->param_count; i++) {
        if (!u->params[i].is_array || u->arrays[u->params[i].ref].klass != IR_ARRAY_INOUT) continue;
        b->plan->arrays[b->plan->params[i].index].exact = exact[u->params[i].ref];
    }
}

// With which the program was compiled; of loops around parallel ones 0.
static const int64_t *scalar_values(struct base_cx *cx, const struct plan *p) {
    int64_t *values = base_alloc_array(cx, p->scalar_count + 1, sizeof *values);
    for (uint32_t i = 0; i < p->scalar_count; i++)
        values[i] = p->scalars[i].dtype == WHORL_I32 ? (int64_t)(int32_t)p->scalars[i].bits : p->scalars[i].bits;
    return values;
}

// Sizes that uniform scalars leave open, of the values given.
static void check_sizes(const struct compile_builder *b) {
    const struct plan *p = b->plan;
    const int64_t *values = scalar_values(b->cx, p);
    for (uint32_t i = 1; i < b->base->array_count; i++) {
        uint32_t index = b->rungs[0].array_index[i];
        const struct plan_array *a = &p->arrays[index];
        int64_t dim = 0, bytes = 4;
        for (uint32_t d = 0; index != UINT32_MAX && d < a->ndims; d++) {
            if (!plan_eval(p, a->dims[d], values, &dim) || dim < 0)
                base_fatal(b->cx, b->base->arrays[i].loc, "'%s' would have a size of %lld for the scalars given",
                           a->name, (long long)dim);
            if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > PLAN_MAX_BUFFER_BYTES)
                base_fatal(b->cx, b->base->arrays[i].loc, "'%s' would be too large for the scalars given", a->name);
        }
    }
}

static void describe_params(struct base_cx *cx, struct whorl_program *program, const struct ir_unit *u,
                            const struct compile_builder *b) {
    program->params = base_alloc_array(cx, u->param_count + 1, sizeof *program->params);
    program->param_count = program->param_cap = u->param_count;
    for (uint32_t i = 0; i < u->param_count; i++) {
        const struct ir_param *in = &u->params[i];
        struct whorl_param *out = &program->params[i];
        out->name = in->name;
        out->is_array = in->is_array;
        if (!in->is_array) {
            out->dtype = scalar_dtype(in->type);
            out->value = scalar_value(in->type, in->bits);
            if (in->is_pair) {
                out->dtype = WHORL_F64;
                out->value = base_pair_value((struct base_pair){base_bits_float(in->bits), base_bits_float(in->low)});
            }
            if (in->longs) {
                uint64_t value = (uint64_t)in->low << 32 | in->bits;
                out->dtype = in->longs;
                out->value = in->longs == WHORL_I64 ? (double)(int64_t)value : (double)value;
            }
            out->is_uniform = in->ref != 0;
            continue;
        }
        const struct ir_array_info *a = &u->arrays[in->ref];
        out->dtype = (enum whorl_dtype)a->elem;
        out->is_output = a->klass == IR_ARRAY_INOUT;
        out->is_exact = b && b->plan->arrays[b->plan->params[i].index].exact;
        const ir_expr *dims = ir_shape_of(u, in->ref, &out->ndims);
        out->dim_texts = in->dim_texts;
        if (in->words) {
            enum whorl_dtype *words = base_alloc_array(cx, in->word_count, sizeof *words);
            for (uint32_t w = 0; w < in->word_count; w++)
                words[w] = (enum whorl_dtype)in->words[w];
            out->words = words;
            out->word_names = in->word_names;
        }
        for (uint32_t d = 0; d < out->ndims; d++) {
            uint32_t bits;
            if (dims[d] && ir_is_const(u, dims[d], &bits)) {
                out->dims[d] = bits;
            } else if (b) { // in terms of uniform scalars: at their compile-time values
                const struct plan_array *planned = &b->plan->arrays[b->rungs[0].array_index[in->ref]];
                int64_t v = 0;
                plan_eval(b->plan, planned->dims[d], scalar_values(cx, b->plan), &v);
                out->dims[d] = v < 0 ? 0 : (uint64_t)v;
            }
        }
        if (in->is_pair) plan_present(out, WHORL_F64);
        if (in->longs) plan_present(out, in->longs);
    }
}

// ---- rungs ----------------------------------------------------------------------------------------------------------

static void init_rung(struct compile_builder *b, struct compile_rung *r, struct ir_unit *u, enum pass_goal goal,
                      struct ir_unit *grid) {
    uint32_t arrays = grid ? grid->array_count : u->array_count; // the copy adds to what the tree's unit has
    r->unit = u;
    r->goal = goal;
    r->grid = grid;
    r->shared_vars = u->var_count;
    r->array_index = base_alloc_array(b->cx, arrays, sizeof *r->array_index);
    r->scalar_index = base_alloc_array(b->cx, u->var_count, sizeof *r->scalar_index);
    r->state_scalar = base_alloc_array(b->cx, u->var_count, sizeof *r->state_scalar);
    r->state_word = base_alloc_array(b->cx, u->var_count, sizeof *r->state_word);
    memset(r->array_index, 0xFF, arrays * sizeof *r->array_index);
    memset(r->scalar_index, 0xFF, u->var_count * sizeof *r->scalar_index);
    memset(r->state_scalar, 0xFF, u->var_count * sizeof *r->state_scalar);
    memset(r->state_word, 0xFF, u->var_count * sizeof *r->state_word);
    for (uint32_t i = 0; i < u->param_count; i++)
        if (!u->params[i].is_array && u->params[i].ref) r->scalar_index[u->params[i].ref] = b->plan->params[i].index;
}

static void add_scalars(struct compile_builder *b) {
    struct plan *p = b->plan;
    const struct ir_unit *u = b->base;
    p->params = base_alloc_array(b->cx, u->param_count + 1, sizeof *p->params);
    p->param_count = p->param_cap = u->param_count;
    for (uint32_t i = 0; i < u->param_count; i++) {
        p->params[i].is_array = u->params[i].is_array;
        if (u->params[i].is_array) continue;
        BASE_RESERVE(b->cx, p->scalars, p->scalar_count, p->scalar_cap);
        bool dynamic = u->params[i].ref != 0;
        enum whorl_dtype dtype = u->params[i].is_pair          ? WHORL_F64
                                 : u->params[i].longs          ? u->params[i].longs
                                 : u->params[i].type == IR_F32 ? WHORL_F32
                                 : u->params[i].type == IR_I32 ? WHORL_I32
                                                               : WHORL_U32;
        p->scalars[p->scalar_count] = (struct plan_scalar){.name = u->params[i].name,
                                                           .kind = dynamic ? PLAN_UNIFORM : PLAN_SPECIALISED,
                                                           .dtype = dtype,
                                                           .bits = u->params[i].bits,
                                                           .low = u->params[i].is_pair ? u->params[i].low : 0,
                                                           .high = u->params[i].longs ? u->params[i].low : 0,
                                                           .word = dynamic ? p->param_words++ : 0,
                                                           .is_param = true};
        p->params[i].index = p->scalar_count++;
    }
}

static bool same_tree(const struct plan_node *a, const struct plan_node *b) {
    if (a->kind != b->kind || a->child_count != b->child_count) return false;
    if (a->kind == PLAN_DISPATCH && a->kernel != b->kernel) return false;
    if (a->kind == PLAN_LOOP && (a->scalar != b->scalar)) return false;
    for (uint32_t i = 0; i < a->child_count; i++)
        if (!same_tree(&a->children[i], &b->children[i])) return false;
    return true;
}

static struct ir_unit *optimised(struct compile_builder *b, enum pass_goal goal, const struct whorl_compile_options *o,
                                 const char **shown, struct ir_unit **out_grid) {
    struct ir_unit *u = ir_unit_clone(b->base);
    struct base_text quiet;
    base_text_init(&quiet, b->cx);
    struct pass_cx pass = {
        .u = u, .target = b->target, .explain = goal == PASS_SINGLE ? b->explain : &quiet, .eager = goal == PASS_EAGER};
    const char *off = o->pass_off; // a CPU's stacks have room for what has none in buffers
    if (o->target.cpu_only) off = off && *off ? base_format(b->cx, "%s,evict", off) : "evict";
    const char *text = pass_run(&pass, goal, off, goal == PASS_SINGLE ? o->show_after : NULL);
    if (goal == PASS_SINGLE && shown) *shown = text ? text : ir_print(pass.u);
    *out_grid = pass.tree ? pass.u : NULL;
    struct ir_unit *tree = pass.tree ? pass.tree : pass.u;
    pass_forward_bounds(tree);
    return tree;
}

// Without a loop around them no two parallel loops are left, so what keeps `single` from being one dispatch is
// sequential code.
static void explain_parts(struct compile_builder *b, const struct plan_node *root) {
    for (uint32_t i = 0; i < root->child_count; i++) {
        if (root->children[i].kind != PLAN_DISPATCH) continue;
        const struct plan_kernel *k = &b->plan->kernels[root->children[i].kernel];
        base_text_format(b->explain, "  dispatch %u: %s, %s\n", i + 1,
                         k->one_group ? "sequential code, or a reduction's parts put together" : "a parallel loop",
                         k->origin);
    }
    base_text_put(b->explain, "  the sequential code needs all results of the loop, or the loop its; as nothing "
                              "repeats them, a second dispatch is "
                              "cheaper than a barrier across the grid\n");
}

static void explain_single(struct compile_builder *b, const struct plan_strategy *single) {
    if (!single->exists) {
        base_text_format(b->explain, "single: %s\n", single->note);
        return;
    }
    if (single->fallback) {
        const struct plan_grid *grid = b->plan->kernels[single->root.kernel].grid;
        base_text_format(b->explain, "single: 1 dispatch a slice, with %u barrier%s across the grid a step\n",
                         grid->step_barriers, base_s(grid->step_barriers));
        return;
    }
    uint32_t count = single->root.child_count;
    base_text_format(b->explain, "single: %u dispatch%s a slice%s\n", count, count == 1 ? "" : "es",
                     single->same_as_steps ? " (same plan as steps)" : "");
    if (count > 1) explain_parts(b, &single->root);
}

// The rungs' units and trees. All are optimised before any becomes a tree, so that handles of the base unit stay.
static void build_rungs(struct compile_builder *b, const struct whorl_compile_options *o, struct whorl_program *program,
                        struct plan_strategy *const out[BUILD_RUNGS]) {
    static const enum pass_goal goals[BUILD_RUNGS] = {PASS_SINGLE, PASS_STEPS, PASS_EAGER};
    for (uint32_t k = 0; k < BUILD_RUNGS; k++) {
        struct ir_unit *grid;
        struct ir_unit *u = optimised(b, goals[k], o, &program->ir_text, &grid);
        init_rung(b, &b->rungs[k], u, goals[k], grid);
    }
    for (uint32_t k = 0; k < BUILD_RUNGS; k++) {
        out[k]->note = "";
        out[k]->exists = true;
        if (b->rungs[k].grid) { // the tree is what it falls back to
            out[k]->fallback = base_alloc(b->cx, sizeof *out[k]->fallback);
            compile_tree(b, &b->rungs[k], out[k]->fallback);
            compile_grid(b, &b->rungs[k], &out[k]->root);
        } else {
            compile_tree(b, &b->rungs[k], &out[k]->root);
        }
    }
}

static void write_texts(struct base_cx *cx, struct whorl_program *program, const struct plan *p) {
    size_t size;
    program->plan_json = plan_write(cx, p, &size);
    program->wgsl_text = plan_kernels_text(cx, p);
}

static void build_plan(struct base_cx *cx, struct whorl_program *program, const struct front_result *front,
                       const struct whorl_compile_options *o, const struct plan_target *target) {
    struct plan *p = base_alloc(cx, sizeof *p);
    struct base_text explain;
    base_text_init(&explain, cx);
    struct compile_builder b = {.cx = cx, .plan = p, .base = front->unit, .target = target, .explain = &explain};
    if (o->beside) b.beside = o->beside->plan;
    p->entry = front->unit->entry;
    p->profile = target->name;
    BASE_RESERVE(cx, p->exprs, p->expr_count, p->expr_cap);
    p->expr_count = p->expr_count ? p->expr_count : 1; // handle 0 is none
    p->param_words = PLAN_PARAM_CALL_WORDS;
    p->state_buffer = UINT32_MAX;
    add_scalars(&b);
    b.uniform_words = p->param_words;
    b.base_state_word = base_alloc_array(cx, front->unit->var_count, sizeof *b.base_state_word);
    memset(b.base_state_word, 0xFF, front->unit->var_count * sizeof *b.base_state_word);

    struct plan_strategy *const out[BUILD_RUNGS] = {&p->single, &p->steps, &p->eager};
    build_rungs(&b, o, program, out);
    compile_pack(&b);
    for (uint32_t k = 0; k < BUILD_RUNGS; k++) {
        if (!out[k]->fallback || !b.kernels[out[k]->root.kernel].refused) continue;
        out[k]->exists = false;
        out[k]->fallback = NULL;
        out[k]->root = (struct plan_node){.kind = PLAN_SEQ};
        out[k]->note = "one dispatch would need more buffers than the device binds: runs in steps";
    }
    compile_log(&b);
    for (uint32_t i = 0; i < front->unit->param_count; i++)
        if (front->unit->params[i].is_array) p->params[i].index = b.rungs[0].array_index[front->unit->params[i].ref];
    mark_exact(&b);
    compile_emit_all(&b);
    program->work = compile_explain_traffic(&b);
    for (uint32_t k = 0; k < BUILD_RUNGS; k++) {
        compile_renumber(&b, &b.rungs[k], &out[k]->root);
        if (out[k]->fallback) compile_renumber(&b, &b.rungs[k], out[k]->fallback);
    }
    if (p->single.exists && p->single.fallback) {
        p->single.again_bytes = compile_bytes_again(cx, b.rungs[0].grid);
        p->single.waits = compile_waits(cx, b.rungs[0].grid, target->busy_invocations);
    }
    p->single.same_as_steps = p->single.exists && same_tree(&p->single.root, &p->steps.root);

    describe_params(cx, program, front->unit, &b);
    if (target->fast_math)
        base_text_put(
            &explain,
            "fast-math: sin, cos, tan, exp, exp2, log and log2 are the device's own, tanh is made of its exp2; "
            "`whorl devices -v` shows the errors that were measured\n");
    explain_single(&b, &p->single);
    program->explain = compile_explained(cx, explain.data);
    program->plan = p;
    check_sizes(&b);
    const char *wrong = plan_validate(cx, p);
    if (wrong) base_bug(cx, "the plan breaks its own law: %s", wrong);
    write_texts(cx, program, p);
}

// ---- public ---------------------------------------------------------------------------------------------------------

// The work itself, inside the bail-out that run_compile has set.
static struct whorl_program *compile_program(struct base_cx *cx, const char *path, const char *text,
                                             const struct whorl_compile_options *o, bool inspect) {
    struct whorl_program *program = base_alloc(cx, sizeof *program);
    program->cx = cx;
    struct plan_target *target = base_alloc(cx, sizeof *target);
    *target = plan_base_target;
    if (o->target.register_words) target->register_budget = o->target.register_words;
    if (o->target.busy_invocations) target->busy_invocations = o->target.busy_invocations;
    if (o->lanes) target->lanes = o->lanes;
    target->fast_math = o->fast_math;
    target->keep_order = o->keep_order;
    target->coherent_memory = o->target.coherent_memory;
    target->float_atomics = o->target.float_atomics;
    while (target->subgroup_lanes * 2 <= o->target.subgroup_lanes && target->subgroup_lanes < 32)
        target->subgroup_lanes = target->subgroup_lanes ? target->subgroup_lanes * 2 : 1;
    if (o->target.workgroup_bytes) target->workgroup_bytes = o->target.workgroup_bytes;
    if (o->target.storage_buffers)
        target->max_storage_buffers =
            o->target.storage_buffers < PLAN_MAX_BINDINGS ? o->target.storage_buffers : PLAN_MAX_BINDINGS;
    if (o->target.binding_bytes > target->max_binding_bytes) target->max_binding_bytes = o->target.binding_bytes;
    if (o->workgroup_size) target->workgroup_size = o->workgroup_size;
    struct front_options fo = {.path = path, .text = text, .user = o, .inspect = inspect};
    struct front_result front = front_compile(cx, &fo);
    base_check_errors(cx);
    program->name = base_format(cx, "%s:%s", path, front.unit->entry);
    program->cpu_only = o->target.cpu_only;
    program->comments = front.comments;
    program->c_text = front.c_text;
    if (inspect) {
        describe_params(cx, program, front.unit, NULL);
    } else {
        bool examples = !pass_listed(o->pass_off, PASS_EXAMPLES);
        if (examples) pass_check_indices(front.unit);
        base_check_errors(cx);
        if (!front.unit->locks) pass_check_races(front.unit, examples);
        base_check_errors(cx);
        build_plan(cx, program, &front, o, target);
        program->unit = front.marked;
    }
    program->warnings = base_render_diags(cx);
    return program;
}

// A list of -D is a list of lines: one that begins with anything but a name, or holds a line's end, is none.
static enum whorl_status check_define(const char *text, struct whorl_error *err) {
    size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
    if (name == 0 || (*text >= '0' && *text <= '9') || !strchr("=(", text[name]) || strpbrk(text, "\r\n"))
        return base_set_error(err, WHORL_INVALID, "call", "'%.100s' defines no macro: it is NAME or NAME=VALUE", text);
    return WHORL_OK;
}

static enum whorl_status check_options(const struct whorl_compile_options *o, struct whorl_error *err) {
    enum whorl_status status = base_check_names(o->scalars, o->scalar_count, sizeof *o->scalars, "scalars", err);
    if (status == WHORL_OK) status = base_check_names(o->shapes, o->shape_count, sizeof *o->shapes, "shapes", err);
    for (size_t i = 0; i < o->shape_count && status == WHORL_OK; i++)
        if (o->shapes[i].ndims < 1 || o->shapes[i].ndims > 8)
            status = base_set_error(err, WHORL_INVALID, "call", "the shape of '%.100s' has %u dimensions: 1 to 8",
                                    o->shapes[i].name, o->shapes[i].ndims);
    if (status == WHORL_OK) status = base_check_texts(o->uniform, o->uniform_count, "uniform scalars", err);
    if (status == WHORL_OK) status = base_check_texts(o->defines, o->define_count, "defines", err);
    for (size_t i = 0; i < o->define_count && status == WHORL_OK; i++)
        status = check_define(o->defines[i], err);
    if (status == WHORL_OK)
        status = base_check_texts(o->include_dirs, o->include_dir_count, "include directories", err);
    if (status == WHORL_OK && o->target.storage_buffers &&
        o->target.storage_buffers < plan_base_target.max_storage_buffers)
        status = base_set_error(err, WHORL_INVALID, "call", "target.storage_buffers is %u: every device offers %u",
                                o->target.storage_buffers, plan_base_target.max_storage_buffers);
    if (status == WHORL_OK && o->beside && !o->beside->plan)
        status = base_set_error(err, WHORL_INVALID, "call", "`beside` is a program that was only inspected");
    if (status == WHORL_OK && o->double_as_float && o->double_as_pair)
        status = base_set_error(err, WHORL_INVALID, "call", "doubles as floats and as pairs of floats: choose one");
    if (status == WHORL_OK && o->workgroup_size > plan_base_target.max_invocations)
        status = base_set_error(err, WHORL_INVALID, "call", "workgroup_size is %u: at most %u", o->workgroup_size,
                                plan_base_target.max_invocations);
    return status;
}

static enum whorl_status run_compile(const char *path, const char *text, const struct whorl_compile_options *options,
                                     bool inspect, whorl_program **out_program, struct whorl_error *err) {
    clear_error(err);
    if (!out_program) return base_set_error(err, WHORL_INVALID, "compile", "no place for the program");
    *out_program = NULL;
    if (!path)
        return base_set_error(err, WHORL_INVALID, "compile",
                              "no path: that of the file, or the name that `text` goes by");
    struct whorl_compile_options own = WHORL_COMPILE_OPTIONS_INIT;
    enum whorl_status status = base_take_options(&own, sizeof own, options, "WHORL_COMPILE_OPTIONS_INIT", err);
    if (status == WHORL_OK) status = check_options(&own, err);
    if (status != WHORL_OK) return status;
    struct base_cx *cx = base_heap_alloc(sizeof *cx);
    if (!cx) return base_set_error(err, WHORL_MEMORY, "compile", "out of memory");
    base_cx_init(cx);
    cx->arena.limit_bytes = ARENA_LIMIT_BYTES;
    if (setjmp(cx->bail) != 0) {
        enum whorl_status why = cx->status;
        fill_error(cx, "compile", err);
        base_cx_deinit(cx);
        base_heap_free(cx);
        return why;
    }
    *out_program = compile_program(cx, path, text, &own, inspect);
    return WHORL_OK;
}

enum whorl_status whorl_compile(const char *path, const char *text, const struct whorl_compile_options *options,
                                whorl_program **out_program, struct whorl_error *err) {
    return run_compile(path, text, options, false, out_program, err);
}

enum whorl_status whorl_inspect(const char *path, const char *text, const struct whorl_compile_options *options,
                                whorl_program **out_program, struct whorl_error *err) {
    return run_compile(path, text, options, true, out_program, err);
}

void whorl_program_destroy(whorl_program *program) {
    if (!program) return;
    struct base_cx *cx = program->cx; // the program lives in it
    base_cx_deinit(cx);
    base_heap_free(cx);
}

const char *whorl_program_text(const whorl_program *program, enum whorl_text what) {
    const char *text = NULL;
    if (!program) return "";
    switch (what) {
    case WHORL_TEXT_WARNINGS: text = program->warnings; break;
    case WHORL_TEXT_IR: text = program->ir_text; break;
    case WHORL_TEXT_WGSL: text = program->wgsl_text; break;
    case WHORL_TEXT_C: text = program->c_text; break;
    case WHORL_TEXT_EXPLAIN: text = program->explain; break;
    case WHORL_TEXT_PLAN: text = program->plan_json; break;
    case WHORL_TEXT_COMMENTS: text = program->comments; break;
    }
    return text ? text : "";
}

size_t whorl_program_param_count(const whorl_program *program) { return program ? program->param_count : 0; }

uint32_t whorl_program_barriers(const whorl_program *program) {
    const struct plan *p = program ? program->plan : NULL;
    return p && p->single.fallback ? p->kernels[p->single.root.kernel].grid->step_barriers : 0;
}

double whorl_program_buffer_bytes(const whorl_program *program) {
    const struct plan *p = program ? program->plan : NULL;
    int64_t *values = p ? base_heap_alloc((p->scalar_count + 1) * sizeof *values) : NULL, bytes;
    double sum = 0;
    if (!values) return 0;
    for (uint32_t i = 0; i < p->scalar_count; i++)
        values[i] =
            p->scalars[i].dtype == WHORL_I32 ? (int64_t)(int32_t)p->scalars[i].bits : (int64_t)p->scalars[i].bits;
    for (uint32_t i = 0; i < p->buffer_count; i++)
        if (plan_eval(p, p->buffers[i].size_bytes, values, &bytes) && bytes > 0) sum += (double)bytes;
    base_heap_free(values);
    return sum;
}

bool whorl_program_work(const whorl_program *program, struct whorl_work *out_work) {
    if (!program || !program->work || !out_work) return false;
    *out_work = *program->work;
    return true;
}

const struct whorl_param *whorl_program_param(const whorl_program *program, size_t index) {
    return program && index < program->param_count ? &program->params[index] : NULL;
}
