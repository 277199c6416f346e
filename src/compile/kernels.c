// State words, bindings and WGSL of every kernel; kernels with the same text and bindings become one.
#include <string.h>

#include "compile/build.h"
#include "pass/cost.h"
#include "pass/passes.h"
#include "wgsl/wgsl.h"

#define WHOLE_WORKGROUP 256 // of sequential stretches and of whole programs: COMBINE needs that many lanes

// The tree has variables of its own, later than the kernel: these it does not know.
static bool reads_var(const struct compile_kernel *k, ir_var v) {
    return v / 32 < k->effects.var_words && ir_bit(k->effects.vars_read, v);
}
static bool writes_var(const struct compile_kernel *k, ir_var v) {
    return v / 32 < k->effects.var_words && ir_bit(k->effects.vars_written, v);
}

// An entry-level variable needs a word of the state buffer if more than one kernel knows it (or one kernel reads what
// its own earlier dispatch left).
static void assign_state(struct compile_builder *b, struct compile_rung *r) {
    struct ir_unit *u = r->unit;
    for (ir_var v = 1; v < u->var_count; v++) {
        if (u->vars[v].klass != IR_VAR_ENTRY || r->scalar_index[v] != UINT32_MAX) continue;
        uint32_t users = 0;
        bool exposed = false;
        for (uint32_t k = 0; k < b->kernel_count; k++) {
            const struct compile_kernel *kernel = &b->kernels[k];
            if (kernel->rung != r || kernel->grid || (!reads_var(kernel, v) && !writes_var(kernel, v))) continue;
            users++;
            exposed |= reads_var(kernel, v);
        }
        bool asked = r->state_scalar[v] != UINT32_MAX; // by the host
        if (!asked && (users == 0 || (users == 1 && !exposed))) continue;
        if (v < b->base->var_count) {
            if (b->base_state_word[v] == UINT32_MAX) b->base_state_word[v] = b->state_words++;
            r->state_word[v] = b->base_state_word[v];
        } else {
            r->state_word[v] = b->state_words++;
        }
        if (asked) b->plan->scalars[r->state_scalar[v]].word = r->state_word[v];
    }
}

struct state_writes {
    const struct compile_kernel *k;
    bool found;
};
static bool on_state_write(void *user, ir_stmt s) {
    struct state_writes *x = user;
    ir_var v = ir_written_var(&x->k->unit->stmts[s]);
    x->found |= v && x->k->rung->state_word[v] != UINT32_MAX;
    return !x->found;
}

// *out_written: it stores some of it. A parallel loop stores what the statements of its body write. A buffer that is
// only read has to say so: what is loaded from it is then known to be uniform.
static bool uses_state(const struct compile_kernel *k, bool *out_written) {
    bool any = false, assigned = false;
    for (ir_var v = 1; v < k->unit->var_count; v++) {
        if (k->rung->state_word[v] == UINT32_MAX) continue;
        assigned |= writes_var(k, v);
        any |= writes_var(k, v) || reads_var(k, v);
    }
    bool is_loop = !k->sequential && k->unit->stmts[k->stmt].kind == IR_PARFOR;
    struct state_writes writes = {k, !is_loop && assigned};
    if (is_loop && assigned) ir_walk_stmts(k->unit, k->unit->stmts[k->stmt].parfor.body, on_state_write, &writes);
    *out_written = writes.found;
    return any;
}

static uint32_t lanes_of(const struct compile_kernel *k) {
    const struct ir_stmt_node *n = &k->unit->stmts[k->stmt];
    return !k->sequential && !k->grid && (n->flags & IR_FLAG_LANES) ? n->parfor.lanes : 1;
}

static bool has_privates(const struct compile_kernel *k) {
    return !k->sequential && !k->grid && ir_privates_of(k->unit, k->stmt).count;
}

static uint32_t preferred_workgroup(const struct compile_builder *b, const struct compile_kernel *k) {
    if (b->target->workgroup_size && lanes_of(k) == 1) return b->target->workgroup_size;
    uint64_t n = k->known_iterations;
    if (lanes_of(k) > 1 && k->unit->stmts[k->stmt].flags & IR_FLAG_ROW) return WHOLE_WORKGROUP;
    if (lanes_of(k) > 1) return lanes_of(k) > 64 ? lanes_of(k) : 64;
    ir_stmt body = k->unit->stmts[k->stmt].parfor.body;
    uint32_t own = has_privates(k) ? 0 : compile_ways(k->unit, k->stmt, n, b->target);
    if (own) return own;
    // the more share a copy, the fewer there are; few long iterations need all of the device sooner
    bool copies = has_privates(k) && (n == 0 || n > PASS_FEW_ITERATIONS || !ir_is_long(k->unit, body));
    uint32_t size = copies                      ? WHOLE_WORKGROUP
                    : n == 0                    ? 64
                    : n <= PASS_FEW_ITERATIONS  ? 32
                    : n <= PASS_SOME_ITERATIONS ? 64
                    : n <= PASS_MANY_ITERATIONS ? 128
                                                : 256;
    return size < b->target->max_invocations ? size : b->target->max_invocations;
}

// Each workgroup reports that it ran (control word 0), all to one place of memory, which takes them one by one. So many
// iterations that this would take longer than they do come several to a workgroup. Not those that update memory
// themselves: counting the edges of a graph's nodes took 0.4 ms longer so (8 M of them, an H100).
static uint32_t rounds_of(const struct compile_builder *b, const struct compile_kernel *k, uint32_t workgroup_size) {
    if (k->sequential || k->grid || b->target->busy_invocations < PASS_GPU_INVOCATIONS) return 1;
    uint64_t groups = k->known_iterations / (workgroup_size / lanes_of(k)), rounds = 1;
    uint64_t times = groups * workgroup_size / b->target->busy_invocations;
    bool fits = k->known_iterations <= INT32_MAX; // so do the numbers of those beyond the last, in 32 bits
    if (!fits || groups / 2 < PASS_ENOUGH_GROUPS) return 1;
    ir_stmt body = k->unit->stmts[k->stmt].parfor.body;
    if (pass_passes_of_lane(k->unit, body, lanes_of(k), NULL) > PASS_ROUNDS_PASSES || pass_has_updates(k->unit, body))
        return 1;
    while (rounds < PASS_ROUNDS_MOST && groups / (rounds * 2) >= PASS_ENOUGH_GROUPS &&
           times / (rounds * 2) >= PASS_ENOUGH_TIMES)
        rounds *= 2;
    return (uint32_t)rounds;
}

static enum whorl_dtype word_elem(enum whorl_dtype dtype) {
    return dtype == WHORL_F32 ? WHORL_F32 : dtype == WHORL_I32 ? WHORL_I32 : WHORL_U32;
}

// Ticks that one run of the block spends: each pass of a resumable loop is one, those of the loops inside it included.
// UNKNOWN_TICKS where a trip count is not constant. *loops becomes the most loop passes that one tick stands for.
#define UNKNOWN_TICKS UINT64_MAX

static uint32_t passes_a_tick(const struct ir_stmt_node *n, uint16_t point) {
    if (point == IR_FLAG_GRID) return ir_unroll_of(n);
    return n->kind == IR_FOR ? n->counted.tick_passes : n->loop.tick_passes;
}

static uint64_t ticks_of(const struct ir_unit *u, ir_stmt block, uint16_t point, uint32_t *loops) {
    uint64_t sum = 0;
    bool unknown = false; // the walk goes on: *loops is wanted all the same
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t here = 0, trips;
        if (n->kind == IR_IF) {
            uint64_t a = ticks_of(u, n->branch.then_block, point, loops),
                     b = ticks_of(u, n->branch.else_block, point, loops);
            here = a > b ? a : b;
        } else if (n->kind != IR_PARFOR && (n->flags & point)) {
            uint64_t inner = ticks_of(u, ir_body_of(n), point, loops);
            uint32_t passes = passes_a_tick(n, point);
            *loops = passes > *loops ? passes : *loops;
            if (!ir_const_trips(u, s, &trips) || inner == UNKNOWN_TICKS || trips > UINT32_MAX || inner > UINT32_MAX)
                here = UNKNOWN_TICKS;
            else
                here = trips * (inner + 1);
        }
        unknown |= here == UNKNOWN_TICKS || sum + here < sum;
        sum += here;
    }
    return unknown ? UNKNOWN_TICKS : sum;
}

static bool same_plan_expr(const struct plan *p, plan_expr a, plan_expr b) {
    if (a == b) return true;
    if (!a || !b || p->exprs[a].op != p->exprs[b].op) return false;
    const struct plan_expr_node *x = &p->exprs[a], *y = &p->exprs[b];
    if (x->op == PLAN_CONST) return x->value == y->value;
    if (x->op == PLAN_SCALAR) return x->a == y->a;
    return same_plan_expr(p, x->a, y->a) && same_plan_expr(p, x->b, y->b);
}

static uint32_t to_u32(uint64_t v) { return v > INT32_MAX ? INT32_MAX : (uint32_t)v; }

// Loop passes that one iteration of every phase makes, all phases added up; a loop of unknown length counts
// PASS_UNKNOWN_TRIPS.
static uint64_t phase_passes(const struct ir_unit *u, ir_stmt block, bool inside) {
    uint64_t sum = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t trips = PASS_UNKNOWN_TRIPS, here = 0;
        if (n->kind == IR_IF) {
            here = phase_passes(u, n->branch.then_block, inside) + phase_passes(u, n->branch.else_block, inside);
        } else if (n->kind == IR_PARFOR) {
            here = phase_passes(u, n->parfor.body, true);
        } else if (n->kind == IR_FOR || n->kind == IR_LOOP) {
            if (n->kind == IR_FOR) ir_const_trips(u, s, &trips);
            here = phase_passes(u, ir_body_of(n), inside);
            if (inside) here = trips > INT32_MAX || here > INT32_MAX ? INT32_MAX : trips * (here + 1);
        }
        sum += here;
    }
    return sum;
}

// Operations in the block, about: of its loops all passes that are known, of its parallel loops those of one iteration.
// lanes: those that share loops in it, so that they are an invocation's; 1: they are the iteration's.
static double operations_of(const struct ir_unit *u, ir_stmt block, uint32_t lanes) {
    double sum = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t trips = 1;
        ir_stmt inner[2];
        double inside = 1;
        if (n->kind == IR_ASSIGN) inside += pass_weight_of(u, n->assign.value).work;
        if (n->kind == IR_STORE) inside += pass_weight_of(u, n->store.value).work;
        for (uint32_t i = ir_blocks_of(n, inner); i > 0; i--)
            inside += operations_of(u, inner[i - 1], n->kind == IR_PARFOR ? n->parfor.lanes : lanes);
        if (n->kind == IR_FOR) ir_const_trips(u, s, &trips);
        if (n->flags & IR_FLAG_LANES && n->kind == IR_FOR && lanes) trips = (trips + lanes - 1) / lanes;
        sum += n->kind == IR_FOR || n->kind == IR_LOOP ? inside * (double)trips : inside;
    }
    return sum;
}

// Of a kernel that cannot pause: how often its text is run through in an iteration, by the measure that guesses its
// time (run/execute/slices.c).
static uint32_t rounds_of_text(const struct ir_unit *u, ir_stmt block, const char *wgsl) {
    double rounds = operations_of(u, block, 1) / plan_text_operations(wgsl);
    return rounds < 1 ? 1 : rounds > UINT32_MAX ? UINT32_MAX : (uint32_t)rounds;
}

// The most barriers that one pass of a loop around phases makes, loops inside it apart: they have ticks of their own.
// `a_step`: of a loop that was unrolled, count those of one of its passes in the source.
static uint32_t most_barriers(const struct ir_unit *u, ir_stmt block, bool a_step, uint32_t *own) {
    uint32_t most = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint32_t inside = 0, below = 0;
        if (n->kind == IR_BARRIER) ++*own;
        if (n->kind == IR_IF) {
            below = most_barriers(u, n->branch.then_block, a_step, own);
            inside = most_barriers(u, n->branch.else_block, a_step, own);
        } else if (n->kind == IR_FOR || n->kind == IR_LOOP) {
            below = most_barriers(u, ir_body_of(n), a_step, &inside);
            uint32_t steps = ir_unroll_of(n);
            if (a_step && steps > 1) inside = (inside + steps - 1) / steps;
        }
        most = inside > most ? inside : most;
        most = below > most ? below : most;
    }
    return most;
}

// Every loop of the block makes a number of passes that does not depend on when data changes: it counts, or pauses when
// its ticks are spent.
static bool is_bounded(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_LOOP && !(n->flags & (IR_FLAG_RESUME | IR_FLAG_GRID | IR_FLAG_LONGEST))) return false;
        if (n->kind == IR_IF && !(is_bounded(u, n->branch.then_block) && is_bounded(u, n->branch.else_block)))
            return false;
        if ((n->kind == IR_FOR || n->kind == IR_LOOP || n->kind == IR_PARFOR) && !is_bounded(u, ir_body_of(n)))
            return false;
        if (n->kind == IR_LOOP && !is_bounded(u, n->loop.continuing)) return false;
    }
    return true;
}

static struct plan_grid *describe_grid(struct compile_builder *b, const struct compile_kernel *k,
                                       const struct wgsl_output *text) {
    struct plan_grid *grid = base_alloc(b->cx, sizeof *grid);
    uint32_t own = 0, most = most_barriers(k->unit, k->stmt, false, &own);
    grid->widest = k->iterations;
    grid->chunk = wgsl_grid_chunk(k->unit, k->stmt);
    grid->tick_barriers = most ? most : own;
    own = 0;
    most = most_barriers(k->unit, k->stmt, true, &own);
    grid->step_barriers = most ? most : own;
    grid->saved_count = text->resume_words;
    grid->saved = base_alloc_array(b->cx, text->resume_words + 1, sizeof *grid->saved);
    for (uint32_t w = 0; w < grid->saved_count; w++) {
        ir_var v = text->saved[w];
        struct plan_saved *out = &grid->saved[w];
        if (v == 0 || v >= k->rung->shared_vars) // or a variable that only the grid kernel has
            *out = (struct plan_saved){.kind = w ? PLAN_SAVED_LIMIT : PLAN_SAVED_POINT};
        else if (k->rung->scalar_index[v] != UINT32_MAX)
            *out = (struct plan_saved){PLAN_SAVED_COUNTER, k->rung->scalar_index[v]};
        else if (k->rung->state_word[v] != UINT32_MAX)
            *out = (struct plan_saved){PLAN_SAVED_STATE, k->rung->state_word[v]};
        else // one dispatch of the tree computes and uses it
            *out = (struct plan_saved){.kind = PLAN_SAVED_LIMIT};
    }
    return grid;
}

struct layout {
    struct wgsl_place *places;          // by array
    struct wgsl_binding *bindings;      // for the text
    struct plan_binding *plan_bindings; // the same, for the plan
    uint32_t count, state_slot;
};

static void place_array(struct compile_builder *b, const struct compile_kernel *k, ir_array a, struct layout *io) {
    const struct plan *p = b->plan;
    const struct plan_array *pa = &p->arrays[k->rung->array_index[a]];
    bool written = ir_bit(k->effects.arrays_written, a);
    uint32_t slot = 0;
    while (slot < io->count && io->plan_bindings[slot].buffer != pa->buffer)
        slot++;
    struct wgsl_binding *binding = &io->bindings[slot];
    if (slot == io->count) {
        io->plan_bindings[io->count++] = (struct plan_binding){.buffer = pa->buffer};
        *binding = (struct wgsl_binding){.elem = word_elem(compile_word_dtype(pa))};
    }
    if (binding->elem != word_elem(compile_word_dtype(pa))) // arrays of several types share the buffer
        binding->elem = WHORL_U32;
    io->plan_bindings[slot].writable |= written;
    binding->writable |= written;
    io->places[a] = (struct wgsl_place){slot, (uint32_t)(p->exprs[pa->offset_bytes].value / 4), pa->wide};
    binding->shared |= k->grid && k->unit->arrays[a].shared;
    binding->updated |= written && k->unit->arrays[a].atomic;
}

static struct layout lay_out(struct compile_builder *b, const struct compile_kernel *k) {
    const struct ir_unit *u = k->unit;
    const struct plan *p = b->plan;
    struct layout out = {.places = base_alloc_array(b->cx, u->array_count, sizeof *out.places),
                         .bindings = base_alloc_array(b->cx, u->array_count + 1, sizeof *out.bindings),
                         .plan_bindings = base_alloc_array(b->cx, u->array_count + 1, sizeof *out.plan_bindings),
                         .state_slot = WGSL_NONE};
    for (ir_array a = 0; a < u->array_count; a++) {
        out.places[a].slot = WGSL_NONE;
        bool touched = a && (ir_bit(k->effects.arrays_read, a) || ir_bit(k->effects.arrays_written, a));
        if (touched && ir_in_buffer(u, a)) place_array(b, k, a, &out);
    }
    for (uint32_t i = 0; i < out.count; i++) {
        const struct plan_expr_node *size = &p->exprs[p->buffers[out.plan_bindings[i].buffer].size_bytes];
        out.bindings[i].in_vectors = size->op == PLAN_CONST && size->value % 16 == 0;
    }
    bool written;
    if (!k->grid && uses_state(k, &written)) {
        out.state_slot = out.count;
        out.plan_bindings[out.count] = (struct plan_binding){.buffer = p->state_buffer, .writable = written};
        out.bindings[out.count++] = (struct wgsl_binding){.elem = WHORL_U32, .writable = written};
    }
    return out;
}

// By variable of the kernel's unit, where its value stands among the params.
static void find_param_words(struct compile_builder *b, const struct compile_kernel *k) {
    const struct ir_unit *u = k->unit;
    if (b->param_word_cap < u->var_count) {
        b->param_word_cap = u->var_count;
        b->param_words = base_alloc_array(b->cx, u->var_count, sizeof *b->param_words);
    }
    for (ir_var v = 0; v < u->var_count; v++) {
        // of a grid kernel, variables of its own have a handle that may be another variable's in the tree, or nobody's
        b->param_words[v] = (k->grid && (v >= k->rung->shared_vars || u->vars[v].klass != IR_VAR_PARAM)) ||
                                    k->rung->scalar_index[v] == UINT32_MAX
                                ? WGSL_NONE
                                : b->plan->scalars[k->rung->scalar_index[v]].word;
    }
}

// A kernel of the plan with this text and these bindings; UINT32_MAX: none.
static uint32_t find_equal(const struct plan *p, const struct compile_kernel *k, const struct layout *layout,
                           const char *wgsl) {
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct plan_kernel *old = &p->kernels[i];
        if (old->binding_count == layout->count &&
            memcmp(old->bindings, layout->plan_bindings, layout->count * sizeof *layout->plan_bindings) == 0 &&
            same_plan_expr(p, old->iterations, k->iterations) && strcmp(old->wgsl, wgsl) == 0)
            return i;
    }
    return UINT32_MAX;
}

// The words that the host reads and the kernel may store.
static void list_sets(struct compile_builder *b, const struct compile_kernel *k, struct plan_kernel *out) {
    const struct plan *p = b->plan;
    bool writes = false;
    for (uint32_t i = 0; i < out->binding_count; i++)
        writes |= out->bindings[i].buffer == p->state_buffer && out->bindings[i].writable;
    for (uint32_t i = 0; i < p->scalar_count; i++)
        out->lists_sets |= writes && p->scalars[i].kind == PLAN_STATE;
    if (!out->lists_sets) return;
    bool *read = base_alloc_array(b->cx, b->state_words, sizeof *read);
    uint32_t *sets = base_alloc_array(b->cx, b->state_words, sizeof *sets);
    for (uint32_t i = 0; i < p->scalar_count; i++)
        if (p->scalars[i].kind == PLAN_STATE) read[p->scalars[i].word] = true;
    for (ir_var v = 1; v < k->unit->var_count; v++) {
        uint32_t word = k->rung->state_word[v];
        if (word == UINT32_MAX || !read[word] || !writes_var(k, v)) continue;
        read[word] = false;
        sets[out->set_count++] = word;
    }
    out->sets = sets;
}

bool compile_is_single(const struct compile_kernel *k) {
    return k->rung->goal == PASS_SINGLE && (k->grid || !k->rung->grid);
}

static struct wgsl_input input_of(struct compile_builder *b, const struct compile_kernel *k,
                                  const struct layout *layout) {
    struct wgsl_input in = {.unit = k->unit,
                            .stmt = k->stmt,
                            .stop = k->stop,
                            .sequential = k->sequential,
                            .grid = k->grid,
                            .guard = k->guard,
                            .workgroup_size = k->sequential || k->grid ? WHOLE_WORKGROUP : preferred_workgroup(b, k),
                            .places = layout->places,
                            .bindings = layout->bindings,
                            .binding_count = layout->count,
                            .param_words = b->param_words,
                            .state_words = k->grid ? NULL : k->rung->state_word,
                            .state_slot = layout->state_slot,
                            .total_param_words = b->plan->param_words,
                            .subgroup_lanes = b->target->subgroup_lanes,
                            .fast_math = b->target->fast_math,
                            .coherent = b->target->coherent_memory,
                            .float_atomics = b->target->float_atomics};
    in.rounds = rounds_of(b, k, in.workgroup_size);
    return in;
}

static uint32_t emit_one(struct compile_builder *b, struct compile_kernel *k) {
    struct base_cx *cx = b->cx;
    struct plan *p = b->plan;
    const struct ir_unit *u = k->unit;
    const struct layout layout = lay_out(b, k);
    find_param_words(b, k);
    struct wgsl_input in = input_of(b, k, &layout);
    struct wgsl_output text;
    bool proven = false;
    for (bool again = true; again;) {
        text = wgsl_emit(cx, &in);
        uint32_t equal = find_equal(p, k, &layout, text.text);
        if (equal != UINT32_MAX) return equal;
        proven = compile_prove(b, k, &in, &text, layout.plan_bindings, &again);
    }
    if (text.float_atomics && compile_is_single(k))
        base_text_format(b->explain, "atomics: the kernel of line %u adds to floats by instructions of the device\n",
                         cx->locs[u->stmts[k->stmt].loc].line);
    uint32_t tick_loops = 1;
    uint64_t ticks = k->grid         ? ticks_of(u, k->stmt, IR_FLAG_GRID, &tick_loops)
                     : k->sequential ? 0
                                     : ticks_of(u, u->stmts[k->stmt].parfor.body, IR_FLAG_RESUME, &tick_loops);
    if (k->grid) tick_loops = to_u32(1 + phase_passes(u, k->stmt, false));
    if (!k->sequential && text.resume_words == 0)
        tick_loops = rounds_of_text(u, k->grid ? k->stmt : u->stmts[k->stmt].parfor.body, text.text);
    BASE_RESERVE(cx, p->kernels, p->kernel_count, p->kernel_cap);
    p->kernels[p->kernel_count] = (struct plan_kernel){.name = base_format(cx, "k%u", p->kernel_count),
                                                       .origin = base_place(cx, u->stmts[k->stmt].loc),
                                                       .wgsl = text.text,
                                                       .workgroup_size = in.workgroup_size,
                                                       .iterations = k->iterations,
                                                       .binding_count = layout.count,
                                                       .bindings = layout.plan_bindings,
                                                       .resume_words = text.resume_words,
                                                       .ticks = ticks == UNKNOWN_TICKS ? 0 : ticks,
                                                       .tick_loops = tick_loops,
                                                       .lanes = lanes_of(k),
                                                       .rounds = text.rounds,
                                                       .subgroup = text.subgroup,
                                                       .coherent = text.coherent,
                                                       .float_atomics = text.float_atomics,
                                                       .bounded = is_bounded(u, k->stmt),
                                                       .proven = proven,
                                                       .one_group = k->sequential,
                                                       .range_sliceable = !k->sequential && !k->grid,
                                                       .grid = k->grid ? describe_grid(b, k, &text) : NULL};
    list_sets(b, k, &p->kernels[p->kernel_count]);
    return p->kernel_count++;
}

void compile_emit_all(struct compile_builder *b) {
    for (uint32_t r = 0; r < BUILD_RUNGS; r++)
        assign_state(b, &b->rungs[r]);
    if (b->state_words) {
        struct plan *p = b->plan;
        BASE_RESERVE(b->cx, p->buffers, p->buffer_count, p->buffer_cap);
        p->buffers[p->buffer_count] =
            (struct plan_buffer){.name = "state", .size_bytes = plan_const(b->cx, p, (int64_t)b->state_words * 4)};
        p->state_buffer = p->buffer_count++;
    }
    b->plan->param_words = (b->plan->param_words + 3) / 4 * 4;
    if (b->plan->param_words > 64)
        base_unsupported(b->cx, 0,
                         "%u scalars are kept uniform and up to %u loops around parallel loops are nested: together "
                         "they may be %d; keep fewer uniform",
                         b->uniform_words - PLAN_PARAM_CALL_WORDS, b->plan->param_words - b->uniform_words,
                         64 - PLAN_PARAM_CALL_WORDS);
    b->kernel_of = base_alloc_array(b->cx, b->kernel_count + 1, sizeof *b->kernel_of);
    for (uint32_t k = 0; k < b->kernel_count; k++)
        b->kernel_of[k] = b->kernels[k].refused ? UINT32_MAX : emit_one(b, &b->kernels[k]);
}

void compile_renumber(struct compile_builder *b, const struct compile_rung *r, struct plan_node *node) {
    if (node->kind == PLAN_DISPATCH) node->kernel = b->kernel_of[node->kernel];
    if (node->kind == PLAN_WHILE) node->word = r->state_word[node->word]; // of its flag
    for (uint32_t i = 0; i < node->child_count; i++)
        compile_renumber(b, r, &node->children[i]);
}
