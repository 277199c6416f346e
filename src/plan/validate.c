// The laws of a plan. Executors index, allocate and recurse by a plan's numbers without looking again, so whatever they
// rely on is checked here, for plans from outside and for our own compiler's alike.
//
// The hard part is expressions: shared subtrees may describe a tree of exponential size, so the size and depth that
// each node has when written out are computed bottom-up first, and only then may anything walk an expression.
#include <inttypes.h>
#include <string.h>

#include "base/conversion.h"
#include "base/dtype.h"
#include "plan/laws.h"

struct checker {
    struct base_cx *cx;
    const struct plan *p;
    int64_t *values;                   // of scalars at compile time; repeat variables 0
    bool *active;                      // by scalar: inside a loop that sets it
    uint64_t active_words;             // params words of those
    bool counting;                     // it is the iteration count of a dispatch: STATE scalars may be in it
    int64_t *sizes;                    // of the buffers
    uint32_t nodes;                    // of the tree being checked
    const struct plan_kernel *resumes; // the grid kernel whose fallback the tree is; NULL: it is none
    uint32_t *points;                  // resume points of the tree so far
    uint32_t point_count;
    const char *wrong;
};

#define WRONG(c, ...)                                   \
    do {                                                \
        (c)->wrong = base_format((c)->cx, __VA_ARGS__); \
        return false;                                   \
    } while (0)

static bool check_counts(struct checker *c) {
    const struct plan *p = c->p;
    if (!p->entry || !p->profile) WRONG(c, "the plan has no entry name or profile");
    if (p->scalar_count > PLAN_MAX_ITEMS || p->array_count > PLAN_MAX_ITEMS || p->buffer_count > PLAN_MAX_ITEMS ||
        p->kernel_count > PLAN_MAX_ITEMS || p->param_count > PLAN_MAX_ITEMS)
        WRONG(c, "more than %d scalars, arrays, buffers, kernels or parameters", PLAN_MAX_ITEMS);
    if (p->param_words < PLAN_PARAM_CALL_WORDS || p->param_words > PLAN_MAX_PARAM_WORDS || p->param_words % 4 != 0)
        WRONG(c, "param_words is %" PRIu32 ": a multiple of 4 from %d to %d", p->param_words, PLAN_PARAM_CALL_WORDS,
              PLAN_MAX_PARAM_WORDS);
    return true;
}

static bool check_exprs(struct checker *c) {
    const struct plan *p = c->p;
    uint32_t *size = base_alloc_array(c->cx, (size_t)p->expr_count + 1, sizeof *size);
    uint32_t *depth = base_alloc_array(c->cx, (size_t)p->expr_count + 1, sizeof *depth);
    for (uint32_t e = 1; e < p->expr_count; e++) {
        const struct plan_expr_node *node = &p->exprs[e];
        size[e] = depth[e] = 1;
        if (node->op == PLAN_CONST) {
            if (node->value > PLAN_MAX_CONST || node->value < -PLAN_MAX_CONST)
                WRONG(c, "constant %" PRId64 " is beyond 2^53", node->value);
            continue;
        }
        if (node->op == PLAN_SCALAR) {
            if (node->a >= p->scalar_count)
                WRONG(c, "expression %" PRIu32 " names scalar %" PRIu32 " of %" PRIu32, e, node->a, p->scalar_count);
            if (base_dtype_is_float(p->scalars[node->a].dtype))
                WRONG(c, "a size or count depends on the float '%s'", p->scalars[node->a].name);
            continue;
        }
        if (node->op > PLAN_MAX) WRONG(c, "expression %" PRIu32 " has an unknown operation", e);
        if (node->a == 0 || node->b == 0 || node->a >= e || node->b >= e)
            WRONG(c, "expression %" PRIu32 " uses a later one", e);
        size[e] += size[node->a] + size[node->b];
        depth[e] += depth[node->a] > depth[node->b] ? depth[node->a] : depth[node->b];
        if (size[e] > PLAN_MAX_EXPR_SIZE || depth[e] > PLAN_MAX_EXPR_DEPTH)
            WRONG(c, "expression %" PRIu32 " is too large", e);
    }
    return true;
}

static bool check_scalars(struct checker *c) {
    const struct plan *p = c->p;
    uint64_t used = 0, repeats = 0; // words of the params struct
    for (uint32_t i = 0; i < p->scalar_count; i++) {
        const struct plan_scalar *s = &p->scalars[i];
        if (!s->name || !*s->name) WRONG(c, "scalar %" PRIu32 " has no name", i);
        bool two_words = (s->dtype == WHORL_F64 || base_dtype_is_long(s->dtype)) && s->kind == PLAN_SPECIALISED;
        if (s->dtype != WHORL_I32 && s->dtype != WHORL_U32 && s->dtype != WHORL_F32 && !two_words)
            WRONG(c, "scalar '%s' is not i32, u32 or f32", s->name);
        if (s->kind > PLAN_STATE || (s->kind >= PLAN_REPEAT && (s->is_param || s->dtype == WHORL_F32)))
            WRONG(c, "scalar '%s' has the wrong kind", s->name);
        c->values[i] = s->dtype == WHORL_I32 ? (int64_t)(int32_t)s->bits : (int64_t)s->bits;
        if (s->kind == PLAN_SPECIALISED || s->kind == PLAN_STATE) continue;
        if (s->word < PLAN_PARAM_CALL_WORDS || s->word >= p->param_words ||
            (s->kind == PLAN_REPEAT ? used : used | repeats) >> s->word & 1)
            WRONG(c, "scalar '%s' has word %" PRIu32 ", which is not its own", s->name, s->word);
        *(s->kind == PLAN_REPEAT ? &repeats : &used) |= (uint64_t)1 << s->word;
    }
    return true;
}

// The expression is there and every repeat variable in it is set where it stands.
static bool check_use(struct checker *c, plan_expr e, const char *what, const char *name) {
    const struct plan *p = c->p;
    if (e == 0 || e >= p->expr_count) WRONG(c, "%s of '%s' is not an expression of the plan", what, name);
    const struct plan_expr_node *node = &p->exprs[e];
    if (node->op == PLAN_CONST) return true;
    if (node->op != PLAN_SCALAR) return check_use(c, node->a, what, name) && check_use(c, node->b, what, name);
    if (p->scalars[node->a].kind == PLAN_REPEAT && !c->active[node->a])
        WRONG(c, "%s of '%s' depends on '%s' outside its loop", what, name, p->scalars[node->a].name);
    if (p->scalars[node->a].kind == PLAN_STATE && !c->counting)
        WRONG(c, "%s of '%s' depends on '%s', which the device computes", what, name, p->scalars[node->a].name);
    return true;
}

static bool check_iterations(struct checker *c, const struct plan_kernel *k) {
    uint32_t states[PLAN_MAX_STATES + 1];
    c->counting = !k->grid;
    bool ok = check_use(c, k->iterations, "the iteration count", k->name);
    c->counting = false;
    if (ok && plan_states(c->p, k->iterations, states, 0) > PLAN_MAX_STATES)
        WRONG(c, "the iteration count of '%s' depends on more than %d words of the state", k->name, PLAN_MAX_STATES);
    return ok;
}

static bool check_value(struct checker *c, plan_expr e, const char *what, const char *name, int64_t low, int64_t high,
                        int64_t *out) {
    if (!check_use(c, e, what, name)) return false;
    if (!plan_eval(c->p, e, c->values, out) || *out < low || *out > high)
        WRONG(c, "%s of '%s' is out of range", what, name);
    return true;
}

static bool check_buffers(struct checker *c) {
    const struct plan *p = c->p;
    int64_t *sizes = c->sizes;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        const char *name = p->buffers[i].name;
        if (!name || !*name) WRONG(c, "buffer %" PRIu32 " has no name", i);
        if (!check_value(c, p->buffers[i].size_bytes, "the size", name, 4, PLAN_MAX_BUFFER_BYTES, &sizes[i]))
            return false;
        if (sizes[i] % 4 != 0) WRONG(c, "the size of buffer '%s' is not a multiple of 4", name);
    }
    return true;
}

// Even words of a row, from left to right; a row's size is a constant.
static bool are_runs(const struct plan *p, const struct plan_array *a, int64_t row_words) {
    int64_t least = 0;
    if (a->pair_run_count && p->exprs[a->dims[a->ndims - 1]].op != PLAN_CONST) return false;
    for (uint32_t i = 0; i < a->pair_run_count; i++) {
        int64_t first = a->pair_runs[2 * i], count = a->pair_runs[2 * i + 1];
        if (first < least || first % 2 != 0 || count < 1 || count > (row_words - first) / 2) return false;
        least = first + 2 * count;
    }
    return true;
}

static bool check_array(struct checker *c, const struct plan_array *a) {
    const struct plan *p = c->p;
    if (!a->name || !*a->name) WRONG(c, "an array has no name");
    if (a->kind > PLAN_TABLE || whorl_dtype_size(a->dtype) == 0 || a->ndims < 1 || a->ndims > PLAN_MAX_DIMS)
        WRONG(c, "array '%s' has an unknown kind or type, or not 1 to %d dimensions", a->name, PLAN_MAX_DIMS);
    if (a->buffer >= p->buffer_count)
        WRONG(c, "array '%s' is in buffer %" PRIu32 " of %" PRIu32, a->name, a->buffer, p->buffer_count);
    if (a->wide && (a->kind > PLAN_INOUT || whorl_dtype_size(a->dtype) == 4))
        WRONG(c, "array '%s' is wide, but no parameter of a small type", a->name);
    if (a->dtype == WHORL_F64) WRONG(c, "array '%s' is f64, which no device has: it is f32 with \"pairs\"", a->name);
    if (a->pairs && (a->kind > PLAN_INOUT || a->dtype != (a->pair_run_count ? WHORL_U32 : WHORL_F32)))
        WRONG(c, "array '%s' has pairs, but is no parameter of %s", a->name, a->pair_run_count ? "u32" : "f32");
    if (base_dtype_is_long(a->dtype))
        WRONG(c, "array '%s' is %s, which no device has: it is u32 with \"longs\"", a->name,
              whorl_dtype_name(a->dtype));
    if (a->longs && (a->kind > PLAN_INOUT || a->dtype != WHORL_U32 || !base_dtype_is_long(a->longs)))
        WRONG(c, "array '%s' has longs, but is no parameter of u32, or they are neither i64 nor u64", a->name);
    if (a->anew && a->kind != PLAN_INOUT && a->kind != PLAN_SCRATCH)
        WRONG(c, "array '%s' is made anew, but no kernel writes it", a->name);
    if (a->exact && (a->kind != PLAN_INOUT || base_dtype_is_float(a->dtype)))
        WRONG(c, "array '%s' is exact, but no output of integers", a->name);
    int64_t bytes = a->wide ? 4 : (int64_t)whorl_dtype_size(a->dtype), offset, dim = 0;
    for (uint32_t d = 0; d < a->ndims; d++) {
        if (!check_value(c, a->dims[d], "a dimension", a->name, 0, PLAN_MAX_BUFFER_BYTES, &dim)) return false;
        if (dim != 0 && bytes > PLAN_MAX_BUFFER_BYTES / dim) WRONG(c, "array '%s' is too large", a->name);
        bytes *= dim;
    }
    if (a->longs && dim % 2 != 0) WRONG(c, "array '%s' has longs and rows of an odd size", a->name);
    if (a->pairs && dim % 2 != 0) WRONG(c, "array '%s' has pairs and rows of an odd size", a->name);
    if (!are_runs(p, a, dim)) WRONG(c, "the pairs of array '%s' are not runs of a row from left to right", a->name);
    int64_t room = c->sizes[a->buffer];
    if (!check_value(c, a->offset_bytes, "the offset", a->name, 0, room, &offset)) return false;
    if (offset % 256 != 0) WRONG(c, "the offset of array '%s' is not a multiple of 256", a->name);
    if (a->kind == PLAN_TABLE && (!a->data || (int64_t)a->data_words * 4 > room - offset))
        WRONG(c, "the data of table '%s' does not fit its buffer", a->name);
    if (bytes > room - offset) WRONG(c, "array '%s' does not fit its buffer", a->name);
    return true;
}

static bool check_params(struct checker *c) {
    const struct plan *p = c->p;
    bool *seen = base_alloc_array(c->cx, (size_t)p->array_count + p->scalar_count + 1, sizeof *seen);
    for (uint32_t i = 0; i < p->param_count; i++) {
        uint32_t index = p->params[i].index;
        if (index >= (p->params[i].is_array ? p->array_count : p->scalar_count))
            WRONG(c, "parameter %" PRIu32 " is not an array or scalar of the plan", i);
        bool fits = p->params[i].is_array ? p->arrays[index].kind <= PLAN_INOUT : p->scalars[index].is_param;
        bool *once = &seen[p->params[i].is_array ? index : p->array_count + index];
        if (!fits || *once) WRONG(c, "parameter %" PRIu32 " has the wrong kind or is there twice", i);
        *once = true;
    }
    for (uint32_t i = 0; i < p->array_count; i++)
        if (p->arrays[i].kind <= PLAN_INOUT && !seen[i]) WRONG(c, "array '%s' is no parameter", p->arrays[i].name);
    return true;
}

// Whether the word is one of the state buffer.
static bool check_state(struct checker *c, uint32_t word, const char *whose) {
    const struct plan *p = c->p;
    if (p->state_buffer >= p->buffer_count || (int64_t)word >= c->sizes[p->state_buffer] / 4)
        WRONG(c, "word %" PRIu32 " of %s is not in the state buffer", word, whose);
    return true;
}

static bool check_grid(struct checker *c, const struct plan_kernel *k) {
    const struct plan *p = c->p;
    const struct plan_grid *g = k->grid;
    if (g->saved_count != k->resume_words || (g->saved_count && !g->saved))
        WRONG(c, "kernel '%s' describes %" PRIu32 " of %" PRIu32 " saved words", k->name, g->saved_count,
              k->resume_words);
    if (g->widest == 0 || g->widest >= p->expr_count)
        WRONG(c, "the widest phase of kernel '%s' is not an expression of the plan", k->name);
    if (k->one_group || k->range_sliceable) WRONG(c, "grid kernel '%s' is one group or range_sliceable", k->name);
    if (g->chunk == 0 || g->chunk > k->workgroup_size || k->workgroup_size % g->chunk)
        WRONG(c, "kernel '%s' has chunks of %" PRIu32 " invocations", k->name, g->chunk);
    if (g->tick_barriers >= PLAN_GRID_POISON / 2)
        WRONG(c, "kernel '%s' has %" PRIu32 " barriers a tick", k->name, g->tick_barriers);
    for (uint32_t w = 0; w < g->saved_count; w++) {
        const struct plan_saved *s = &g->saved[w];
        if (s->kind > PLAN_SAVED_LIMIT || (s->kind == PLAN_SAVED_POINT) != (w == 0))
            WRONG(c, "saved word %" PRIu32 " of kernel '%s': the first, and no other, is the resume point", w, k->name);
        if (s->kind == PLAN_SAVED_COUNTER && (s->index >= p->scalar_count || p->scalars[s->index].kind != PLAN_REPEAT))
            WRONG(c, "saved word %" PRIu32 " of kernel '%s' counts no repeat variable", w, k->name);
        if (s->kind == PLAN_SAVED_STATE && !check_state(c, s->index, k->name)) return false;
    }
    return true;
}

static bool check_kernel(struct checker *c, const struct plan_kernel *k) {
    const struct plan *p = c->p;
    if (!k->name || !*k->name || !k->origin || !k->wgsl) WRONG(c, "a kernel has no name, origin or text");
    const char *wrong = plan_check_text(k->wgsl, NULL);
    if (wrong) WRONG(c, "the text of kernel '%s' %s", k->name, wrong);
    if (!strstr(k->wgsl, "main")) WRONG(c, "kernel '%s' has no entry point main", k->name);
    if (k->workgroup_size < 1 || k->workgroup_size > PLAN_MAX_WORKGROUP)
        WRONG(c, "kernel '%s' has a workgroup of %" PRIu32, k->name, k->workgroup_size);
    if (k->iterations == 0 || k->iterations >= p->expr_count)
        WRONG(c, "the iteration count of kernel '%s' is not an expression of the plan", k->name);
    if (k->binding_count > PLAN_MAX_BINDINGS)
        WRONG(c, "kernel '%s' has more than %d bindings", k->name, PLAN_MAX_BINDINGS);
    for (uint32_t b = 0; b < k->binding_count; b++) {
        if (k->bindings[b].buffer >= p->buffer_count)
            WRONG(c, "kernel '%s' binds buffer %" PRIu32 " of %" PRIu32, k->name, k->bindings[b].buffer,
                  p->buffer_count);
        for (uint32_t other = 0; other < b; other++)
            if (k->bindings[other].buffer == k->bindings[b].buffer)
                WRONG(c, "kernel '%s' binds a buffer twice", k->name);
    }
    if (k->set_count && !k->lists_sets) WRONG(c, "kernel '%s' has words that it does not list", k->name);
    for (uint32_t i = 0; i < k->set_count; i++)
        if (!check_state(c, k->sets[i], k->name)) return false;
    if (k->lanes > k->workgroup_size || (k->lanes > 1 && (k->workgroup_size % k->lanes || k->one_group || k->grid)))
        WRONG(c, "kernel '%s' has %" PRIu32 " lanes", k->name, k->lanes);
    if (k->rounds > PLAN_MAX_ROUNDS || (k->rounds > 1 && (k->one_group || k->grid || k->resume_words)))
        WRONG(c, "kernel '%s' makes %" PRIu32 " rounds", k->name, k->rounds);
    if (k->subgroup > 32 || (k->subgroup & (k->subgroup - 1)) || (k->subgroup && k->workgroup_size % k->subgroup))
        WRONG(c, "kernel '%s' exchanges values between %" PRIu32 " lanes", k->name, k->subgroup);
    if (k->coherent && !k->grid) WRONG(c, "kernel '%s' shares coherent memory with nobody", k->name);
    bool writes = false;
    for (uint32_t b = 0; b < k->binding_count; b++)
        writes |= k->bindings[b].writable;
    if (k->float_atomics && !writes) WRONG(c, "kernel '%s' adds to floats and writes nothing", k->name);
    if (k->resume_words > PLAN_MAX_RESUME_WORDS || k->tick_loops < 1 || k->ticks > (uint64_t)PLAN_MAX_CONST)
        WRONG(c, "kernel '%s' has resume_words, ticks or tick_loops out of range", k->name);
    if (k->one_group && (k->range_sliceable || k->resume_words))
        WRONG(c, "kernel '%s' is one group and sliceable", k->name);
    return k->grid ? check_grid(c, k) : true;
}

static bool is_saved(const struct plan_grid *g, uint32_t scalar) {
    for (uint32_t w = 1; w < g->saved_count; w++)
        if (g->saved[w].kind == PLAN_SAVED_COUNTER && g->saved[w].index == scalar) return true;
    return false;
}

// A resume point of a fallback: its number is its own, and the variables of all loops around it are saved.
static bool check_point(struct checker *c, uint32_t point) {
    const struct plan *p = c->p;
    if (!c->resumes || c->resumes->resume_words == 0) WRONG(c, "resume point %" PRIu32 " of no grid kernel", point);
    for (uint32_t i = 0; i < c->point_count; i++)
        if (c->points[i] == point) WRONG(c, "resume point %" PRIu32 " is there twice", point);
    if (c->point_count == PLAN_MAX_POINTS) WRONG(c, "a fallback has more than %d resume points", PLAN_MAX_POINTS);
    c->points[c->point_count++] = point;
    for (uint32_t i = 0; i < p->scalar_count; i++)
        if (c->active[i] && !is_saved(c->resumes->grid, i))
            WRONG(c, "kernel '%s' does not save '%s', a loop around resume point %" PRIu32, c->resumes->name,
                  p->scalars[i].name, point);
    return true;
}

static bool check_node(struct checker *c, const struct plan_node *node, uint32_t depth) {
    const struct plan *p = c->p;
    if (depth > PLAN_MAX_NODE_DEPTH || ++c->nodes > PLAN_MAX_NODES)
        WRONG(c, "a strategy is nested deeper than %d or has more than %d nodes", PLAN_MAX_NODE_DEPTH, PLAN_MAX_NODES);
    if (node->kind == PLAN_DISPATCH) {
        if (node->kernel >= p->kernel_count)
            WRONG(c, "a strategy dispatches kernel %" PRIu32 " of %" PRIu32, node->kernel, p->kernel_count);
        if (p->kernels[node->kernel].grid)
            WRONG(c, "grid kernel '%s' is not all there is of a strategy", p->kernels[node->kernel].name);
        return check_iterations(c, &p->kernels[node->kernel]);
    }
    bool loop = node->kind == PLAN_LOOP;
    if (node->kind > PLAN_WHILE || (node->child_count && !node->children))
        WRONG(c, "a strategy has a node of an unknown kind");
    if (loop) {
        if (node->scalar >= p->scalar_count || p->scalars[node->scalar].kind != PLAN_REPEAT || c->active[node->scalar])
            WRONG(c, "a loop's scalar is no free repeat variable");
        const char *name = p->scalars[node->scalar].name;
        if (c->active_words >> p->scalars[node->scalar].word & 1)
            WRONG(c, "loop '%s' has the word of a loop around it", name);
        if (!check_use(c, node->lo, "the start of loop", name) || !check_use(c, node->count, "the count of loop", name))
            return false;
        if (node->step == 0) WRONG(c, "loop '%s' has step 0", name);
        c->active[node->scalar] = true;
        c->active_words |= (uint64_t)1 << p->scalars[node->scalar].word;
    }
    if (node->kind == PLAN_WHILE && !check_state(c, node->word, "a while")) return false;
    if (node->resume && node->kind == PLAN_SEQ) WRONG(c, "a sequence is no resume point");
    if (node->resume && !check_point(c, node->resume)) return false;
    for (uint32_t i = 0; i < node->child_count; i++)
        if (!check_node(c, &node->children[i], depth + 1)) return false;
    if (loop) c->active[node->scalar] = false;
    if (loop) c->active_words &= ~((uint64_t)1 << p->scalars[node->scalar].word);
    return true;
}

static bool check_tree(struct checker *c, const struct plan_node *root, const struct plan_kernel *resumes) {
    c->nodes = c->point_count = 0;
    c->resumes = resumes;
    return check_node(c, root, 0);
}

static bool check_strategy(struct checker *c, const struct plan_strategy *s) {
    const struct plan *p = c->p;
    bool dispatch = s->root.kind == PLAN_DISPATCH && s->root.kernel < p->kernel_count;
    const struct plan_kernel *grid = dispatch && p->kernels[s->root.kernel].grid ? &p->kernels[s->root.kernel] : NULL;
    if (!grid && s->fallback) WRONG(c, "a strategy has a fallback, but is no grid kernel");
    if (!grid) return check_tree(c, &s->root, NULL);
    if (!s->fallback) WRONG(c, "grid kernel '%s' has no fallback", grid->name);
    if (!check_iterations(c, grid) || !check_use(c, grid->grid->widest, "the widest phase", grid->name) ||
        !check_tree(c, s->fallback, grid))
        return false;
    if (grid->resume_words && c->point_count == 0)
        WRONG(c, "the fallback of kernel '%s' has none of its resume points", grid->name);
    return true;
}

static bool check_strategies(struct checker *c) {
    const struct plan_strategy *all[] = {&c->p->single, &c->p->steps, &c->p->eager};
    bool any = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        any |= all[i]->exists;
        if (all[i]->exists && !check_strategy(c, all[i])) return false;
    }
    if (!any) WRONG(c, "the plan has no strategy");
    return true;
}

// The host prints by these formats: their conversions must be those of the arguments.
static bool check_format(struct checker *c, const struct plan_log_site *s) {
    struct base_conversion piece;
    uint32_t used = 0;
    for (const char *at = s->text; base_conversion_next(&at, &piece);) {
        if (piece.letter == 0 || piece.letter == '%') continue;
        bool is_float = strchr("fFeEgGaA", piece.letter) != NULL;
        if (piece.star || piece.width > 4096 || piece.precision > 4096 || piece.length[0] == 'L' ||
            !strchr("diouxXcfFeEgGaA", piece.letter) || used == s->arg_count ||
            (s->args[used] == WHORL_F32 || s->args[used] == WHORL_F64) != is_float)
            WRONG(c, "the line of %s has a format that does not fit its arguments", s->origin);
        used++;
        bool has_two = base_dtype_is_long(s->args[used - 1]) || s->args[used - 1] == WHORL_F64;
        if (has_two && (used == s->arg_count || s->args[used++] != WHORL_U32))
            WRONG(c, "the line of %s has a 64-bit argument of one word", s->origin);
    }
    if (used != s->arg_count) WRONG(c, "the line of %s has arguments that its format does not use", s->origin);
    return true;
}

static bool check_log(struct checker *c, const struct plan_log *log) {
    const struct plan *p = c->p;
    int64_t words;
    if (log->array >= p->array_count || p->arrays[log->array].kind != PLAN_SCRATCH ||
        p->arrays[log->array].dtype != WHORL_U32 || p->arrays[log->array].ndims != 1)
        WRONG(c, "the log is no scratch array of u32");
    if (!check_value(c, p->arrays[log->array].dims[0], "the size", "log", 2, PLAN_MAX_BUFFER_BYTES / 4, &words))
        return false;
    if (log->first < 2 || log->first > words || log->site_count < 1 || log->site_count > PLAN_MAX_ITEMS)
        WRONG(c, "the log has no place for records, or no sites");
    for (uint32_t i = 0; i < log->site_count; i++) {
        const struct plan_log_site *s = &log->sites[i];
        if (!s->text || !s->origin || strlen(s->text) > PLAN_MAX_LOG_TEXT || s->parallel > s->loop_count ||
            s->loop_count > PLAN_MAX_LOG_LOOPS || s->arg_count > PLAN_MAX_LOG_ARGS)
            WRONG(c, "line or assert %" PRIu32 " has no text, or too many loops or arguments", i);
        if (!s->is_assert && !check_format(c, s)) return false;
    }
    return true;
}

static bool check_all(struct checker *c) {
    const struct plan *p = c->p;
    if (!check_counts(c)) return false;
    c->values = base_alloc_array(c->cx, (size_t)p->scalar_count + 1, sizeof *c->values);
    c->active = base_alloc_array(c->cx, (size_t)p->scalar_count + 1, sizeof *c->active);
    c->sizes = base_alloc_array(c->cx, (size_t)p->buffer_count + 1, sizeof *c->sizes);
    c->points = base_alloc_array(c->cx, PLAN_MAX_POINTS, sizeof *c->points);
    if (!check_scalars(c) || !check_exprs(c) || !check_buffers(c)) return false;
    if (p->state_buffer != UINT32_MAX && p->state_buffer >= p->buffer_count)
        WRONG(c, "the state buffer is buffer %" PRIu32 " of %" PRIu32, p->state_buffer, p->buffer_count);
    for (uint32_t i = 0; i < p->scalar_count; i++)
        if (p->scalars[i].kind == PLAN_STATE && !check_state(c, p->scalars[i].word, p->scalars[i].name)) return false;
    for (uint32_t i = 0; i < p->array_count; i++)
        if (!check_array(c, &p->arrays[i])) return false;
    if (!check_params(c) || (p->log && !check_log(c, p->log))) return false;
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        if (!check_kernel(c, &p->kernels[i])) return false;
        for (uint32_t other = 0; other < i; other++)
            if (strcmp(p->kernels[other].name, p->kernels[i].name) == 0)
                WRONG(c, "two kernels are named '%s'", p->kernels[i].name);
    }
    return check_strategies(c);
}

const char *plan_validate(struct base_cx *cx, const struct plan *p) {
    struct checker c = {.cx = cx, .p = p};
    return check_all(&c) ? NULL : c.wrong;
}
