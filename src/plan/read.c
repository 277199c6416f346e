// JSON text to a plan. Counts come from the text itself, never from a number in it, so memory stays proportional to the
// input; keys that are missing, unknown, twice there or of the wrong type end the reading. The meaning is then checked
// by plan_validate.
#include <string.h>

#include "base/dtype.h"
#include "base/json.h"
#include "plan/spelling.h"

struct reader {
    struct base_cx *cx;
    struct plan *p;
    uint32_t nodes;
};
// An object being read: `read` counts the keys that were asked for and there.
struct object {
    yyjson_val *value;
    const char *what;
    size_t read;
};

static _Noreturn void fail(struct reader *r, const char *what, const char *why) {
    base_error(r->cx, 0, "not a plan: %s: %s", what, why);
    r->cx->status = WHORL_INVALID;
    longjmp(r->cx->bail, 1);
}

static struct object open_object(struct reader *r, yyjson_val *value, const char *what) {
    if (!yyjson_is_obj(value)) fail(r, what, "an object is expected");
    return (struct object){value, what, 0};
}

static yyjson_val *optional(struct object *o, const char *key) {
    yyjson_val *value = yyjson_obj_get(o->value, key);
    o->read += value != NULL;
    return value;
}

static yyjson_val *get(struct reader *r, struct object *o, const char *key) {
    yyjson_val *value = optional(o, key);
    if (!value) fail(r, o->what, base_format(r->cx, "no \"%s\"", key));
    return value;
}

static void close_object(struct reader *r, const struct object *o) {
    if (yyjson_obj_size(o->value) != o->read) fail(r, o->what, "an unknown key, or one that is there twice");
}

static const char *read_string(struct reader *r, struct object *o, const char *key) {
    yyjson_val *value = get(r, o, key);
    if (!yyjson_is_str(value)) fail(r, o->what, base_format(r->cx, "\"%s\" is not a string", key));
    const char *text = yyjson_get_str(value);
    size_t size = yyjson_get_len(value);
    if (memchr(text, 0, size)) fail(r, o->what, base_format(r->cx, "\"%s\" contains a NUL", key));
    return base_strndup(r->cx, text, size);
}

static uint64_t to_unsigned(struct reader *r, yyjson_val *value, uint64_t max, const char *what, const char *key) {
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > max)
        fail(r, what, base_format(r->cx, "\"%s\" is not an integer in its range", key));
    return yyjson_get_uint(value);
}

static uint32_t read_u32(struct reader *r, struct object *o, const char *key) {
    return (uint32_t)to_unsigned(r, get(r, o, key), UINT32_MAX, o->what, key);
}

// `or_else` where the key is absent.
static uint32_t optional_u32(struct reader *r, struct object *o, const char *key, uint32_t or_else) {
    yyjson_val *value = optional(o, key);
    return value ? (uint32_t)to_unsigned(r, value, UINT32_MAX, o->what, key) : or_else;
}

static bool read_bool(struct reader *r, struct object *o, const char *key) {
    yyjson_val *value = get(r, o, key);
    if (!yyjson_is_bool(value)) fail(r, o->what, base_format(r->cx, "\"%s\" is not true or false", key));
    return yyjson_get_bool(value);
}

static uint32_t read_name(struct reader *r, struct object *o, const char *key, const char *const *names, size_t count) {
    const char *text = read_string(r, o, key);
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) return (uint32_t)i;
    fail(r, o->what, base_format(r->cx, "\"%s\" has an unknown value", key));
}

static enum whorl_dtype read_dtype(struct reader *r, struct object *o, const char *key) {
    const char *names[BASE_DTYPES];
    for (int i = 0; i < BASE_DTYPES; i++)
        names[i] = whorl_dtype_name((enum whorl_dtype)i);
    return (enum whorl_dtype)read_name(r, o, key, names, BASE_DTYPES);
}

static yyjson_val *read_list(struct reader *r, struct object *o, const char *key, size_t max) {
    yyjson_val *list = get(r, o, key);
    if (!yyjson_is_arr(list) || yyjson_arr_size(list) > max)
        fail(r, o->what, base_format(r->cx, "\"%s\" is not a list, or too long", key));
    return list;
}

static plan_expr to_expr(struct reader *r, yyjson_val *value, uint32_t depth, const char *what) {
    if (depth > PLAN_MAX_EXPR_DEPTH) fail(r, what, "an expression is too deep");
    if (yyjson_is_int(value)) {
        if (yyjson_is_uint(value) && yyjson_get_uint(value) > (uint64_t)PLAN_MAX_CONST)
            fail(r, what, "a constant is beyond 2^53");
        return plan_const(r->cx, r->p, yyjson_get_sint(value));
    }
    size_t size = yyjson_is_arr(value) ? yyjson_arr_size(value) : 0;
    const char *name = size ? yyjson_get_str(yyjson_arr_get_first(value)) : NULL;
    if (name && size == 2 && strcmp(name, plan_op_names[PLAN_SCALAR]) == 0) {
        uint32_t scalar = (uint32_t)to_unsigned(r, yyjson_arr_get(value, 1), PLAN_MAX_ITEMS, what, "scalar");
        return plan_op(r->cx, r->p, PLAN_SCALAR, scalar, 0);
    }
    for (int op = PLAN_ADD; name && size == 3 && op < PLAN_OP_COUNT; op++) {
        if (strcmp(name, plan_op_names[op]) != 0) continue;
        plan_expr a = to_expr(r, yyjson_arr_get(value, 1), depth + 1, what);
        plan_expr b = to_expr(r, yyjson_arr_get(value, 2), depth + 1, what);
        return plan_op(r->cx, r->p, (enum plan_op)op, a, b);
    }
    fail(r, what, "an expression is neither an integer nor [\"operation\", ...]");
}

static plan_expr read_expr(struct reader *r, struct object *o, const char *key) {
    return to_expr(r, get(r, o, key), 0, o->what);
}

static void read_scalar(struct reader *r, yyjson_val *value, struct plan_scalar *out) {
    struct object o = open_object(r, value, "a scalar");
    out->name = read_string(r, &o, "name");
    uint32_t kind = read_name(r, &o, "kind", plan_scalar_kind_names, PLAN_SCALAR_KIND_COUNT);
    out->kind = kind == PLAN_SPECIALISED ? PLAN_SPECIALISED
                : kind == PLAN_UNIFORM   ? PLAN_UNIFORM
                : kind == PLAN_REPEAT    ? PLAN_REPEAT
                                         : PLAN_STATE;
    out->dtype = read_dtype(r, &o, "type");
    out->bits = read_u32(r, &o, "bits");
    if (out->dtype == WHORL_F64) out->low = read_u32(r, &o, "low");
    if (base_dtype_is_long(out->dtype)) out->high = read_u32(r, &o, "high");
    out->word = read_u32(r, &o, "word");
    out->is_param = read_bool(r, &o, "param");
    close_object(r, &o);
}

static void read_buffer(struct reader *r, yyjson_val *value, struct plan_buffer *out) {
    struct object o = open_object(r, value, "a buffer");
    out->name = read_string(r, &o, "name");
    out->size_bytes = read_expr(r, &o, "size_bytes");
    close_object(r, &o);
}

static const uint32_t *read_words(struct reader *r, struct object *o, const char *key, uint32_t *out_count) {
    yyjson_val *list = read_list(r, o, key, UINT32_MAX), *item;
    size_t index, max;
    uint32_t *words = base_alloc_array(r->cx, yyjson_arr_size(list), sizeof *words);
    yyjson_arr_foreach(list, index, max, item) {
        words[index] = (uint32_t)to_unsigned(r, item, UINT32_MAX, o->what, key);
    }
    *out_count = (uint32_t)yyjson_arr_size(list);
    return words;
}

// true, or a list of runs, each of two numbers.
static void read_pairs(struct reader *r, struct object *o, struct plan_array *out) {
    yyjson_val *pairs = yyjson_obj_get(o->value, "pairs");
    if (!pairs) return;
    out->pairs = yyjson_is_arr(pairs) || read_bool(r, o, "pairs");
    if (!yyjson_is_arr(pairs)) return;
    out->pair_runs = read_words(r, o, "pairs", &out->pair_run_count);
    if (out->pair_run_count % 2 != 0 || out->pair_run_count == 0)
        fail(r, o->what, "\"pairs\" is true, or lists runs by two numbers each");
    out->pair_run_count /= 2;
}

static void read_array(struct reader *r, yyjson_val *value, struct plan_array *out) {
    struct object o = open_object(r, value, "an array");
    size_t index, max;
    yyjson_val *item;
    out->name = read_string(r, &o, "name");
    out->kind = (enum plan_array_kind)read_name(r, &o, "kind", plan_array_kind_names, 4);
    out->dtype = read_dtype(r, &o, "type");
    yyjson_val *dims = read_list(r, &o, "dims", PLAN_MAX_DIMS);
    yyjson_arr_foreach(dims, index, max, item) { out->dims[index] = to_expr(r, item, 0, o.what); }
    out->ndims = (uint32_t)yyjson_arr_size(dims);
    out->buffer = read_u32(r, &o, "buffer");
    out->offset_bytes = read_expr(r, &o, "offset_bytes");
    out->wide = yyjson_obj_get(value, "wide") && read_bool(r, &o, "wide");
    read_pairs(r, &o, out);
    if (yyjson_obj_get(value, "longs")) out->longs = read_dtype(r, &o, "longs");
    out->anew = yyjson_obj_get(value, "anew") && read_bool(r, &o, "anew");
    out->exact = yyjson_obj_get(value, "exact") && read_bool(r, &o, "exact");
    if (out->kind == PLAN_TABLE) out->data = read_words(r, &o, "data", &out->data_words);
    close_object(r, &o);
}

static void read_param(struct reader *r, yyjson_val *value, struct plan_param *out) {
    struct object o = open_object(r, value, "a parameter");
    out->is_array = yyjson_obj_get(value, "array") != NULL;
    out->index = read_u32(r, &o, out->is_array ? "array" : "scalar");
    close_object(r, &o);
}

static struct plan_grid *read_grid(struct reader *r, yyjson_val *value) {
    struct object o = open_object(r, value, "a grid kernel");
    struct plan_grid *out = base_alloc(r->cx, sizeof *out);
    out->widest = read_expr(r, &o, "widest");
    out->chunk = read_u32(r, &o, "chunk");
    out->tick_barriers = read_u32(r, &o, "tick_barriers");
    out->step_barriers = read_u32(r, &o, "step_barriers");
    yyjson_val *saved = read_list(r, &o, "saved", PLAN_MAX_RESUME_WORDS), *item;
    out->saved_count = (uint32_t)yyjson_arr_size(saved);
    out->saved = base_alloc_array(r->cx, out->saved_count, sizeof *out->saved);
    size_t index, max;
    yyjson_arr_foreach(saved, index, max, item) {
        struct object word = open_object(r, item, "a word of saved state");
        int kind = PLAN_SAVED_POINT;
        while (kind < PLAN_SAVED_LIMIT && !yyjson_obj_get(item, plan_saved_kind_names[kind]))
            kind++;
        out->saved[index].kind = kind == PLAN_SAVED_POINT     ? PLAN_SAVED_POINT
                                 : kind == PLAN_SAVED_COUNTER ? PLAN_SAVED_COUNTER
                                 : kind == PLAN_SAVED_STATE   ? PLAN_SAVED_STATE
                                                              : PLAN_SAVED_LIMIT;
        out->saved[index].index = read_u32(r, &word, plan_saved_kind_names[kind]);
        close_object(r, &word);
    }
    close_object(r, &o);
    return out;
}

static void read_kernel(struct reader *r, yyjson_val *value, struct plan_kernel *out) {
    struct object o = open_object(r, value, "a kernel");
    size_t index, max;
    yyjson_val *item;
    out->name = read_string(r, &o, "name");
    out->origin = read_string(r, &o, "origin");
    out->wgsl = read_string(r, &o, "wgsl");
    out->workgroup_size = read_u32(r, &o, "workgroup_size");
    out->iterations = read_expr(r, &o, "iterations");
    yyjson_val *bindings = read_list(r, &o, "bindings", PLAN_MAX_BINDINGS);
    out->binding_count = (uint32_t)yyjson_arr_size(bindings);
    out->bindings = base_alloc_array(r->cx, out->binding_count, sizeof *out->bindings);
    yyjson_arr_foreach(bindings, index, max, item) {
        struct object b = open_object(r, item, "a binding");
        out->bindings[index].buffer = read_u32(r, &b, "buffer");
        out->bindings[index].writable = read_bool(r, &b, "writable");
        close_object(r, &b);
    }
    out->lists_sets = yyjson_obj_get(value, "sets") != NULL;
    if (out->lists_sets) out->sets = read_words(r, &o, "sets", &out->set_count);
    out->resume_words = read_u32(r, &o, "resume_words");
    out->ticks = to_unsigned(r, get(r, &o, "ticks"), (uint64_t)PLAN_MAX_CONST, o.what, "ticks");
    out->tick_loops = read_u32(r, &o, "tick_loops");
    out->lanes = yyjson_obj_get(value, "lanes") ? read_u32(r, &o, "lanes") : 1;
    out->rounds = yyjson_obj_get(value, "rounds") ? read_u32(r, &o, "rounds") : 1;
    out->subgroup = yyjson_obj_get(value, "subgroup") ? read_u32(r, &o, "subgroup") : 0;
    out->coherent = yyjson_obj_get(value, "coherent") && read_bool(r, &o, "coherent");
    out->float_atomics = yyjson_obj_get(value, "float_atomics") && read_bool(r, &o, "float_atomics");
    out->one_group = read_bool(r, &o, "one_group");
    out->range_sliceable = read_bool(r, &o, "range_sliceable");
    yyjson_val *grid = optional(&o, "grid");
    if (grid) out->grid = read_grid(r, grid);
    close_object(r, &o);
}

static void read_node(struct reader *r, yyjson_val *value, uint32_t depth, struct plan_node *out) {
    struct object o = open_object(r, value, "a strategy's node");
    if (depth > PLAN_MAX_NODE_DEPTH || ++r->nodes > PLAN_MAX_NODES)
        fail(r, o.what, "nested too deeply, or too many nodes");
    const char *children = "seq";
    if (yyjson_obj_get(value, "dispatch")) {
        out->kind = PLAN_DISPATCH;
        out->kernel = read_u32(r, &o, "dispatch");
        close_object(r, &o);
        return;
    }
    out->kind = PLAN_SEQ;
    if (yyjson_obj_get(value, "loop")) {
        out->kind = PLAN_LOOP;
        out->scalar = read_u32(r, &o, "loop");
        out->lo = read_expr(r, &o, "lo");
        out->count = read_expr(r, &o, "count");
        yyjson_val *step = get(r, &o, "step");
        if (!yyjson_is_int(step) || yyjson_get_sint(step) > INT32_MAX || yyjson_get_sint(step) < INT32_MIN ||
            (yyjson_is_uint(step) && yyjson_get_uint(step) > INT32_MAX))
            fail(r, o.what, "\"step\" is not a 32-bit integer");
        out->step = (int32_t)yyjson_get_sint(step);
        children = "body";
    } else if (yyjson_obj_get(value, "while")) {
        out->kind = PLAN_WHILE;
        out->word = read_u32(r, &o, "while");
        children = "body";
    }
    if (out->kind != PLAN_SEQ) out->resume = optional_u32(r, &o, "resume", 0);
    yyjson_val *list = read_list(r, &o, children, PLAN_MAX_NODES);
    out->child_count = (uint32_t)yyjson_arr_size(list);
    out->children = base_alloc_array(r->cx, out->child_count, sizeof *out->children);
    size_t index, max;
    yyjson_val *item;
    yyjson_arr_foreach(list, index, max, item) { read_node(r, item, depth + 1, &out->children[index]); }
    close_object(r, &o);
}

static void read_strategy(struct reader *r, struct object *plan, const char *key, struct plan_strategy *out) {
    struct object o = open_object(r, get(r, plan, key), "a strategy");
    out->note = read_string(r, &o, "note");
    out->same_as_steps = read_bool(r, &o, "same_as_steps");
    yyjson_val *again = optional(&o, "again_bytes");
    if (again) out->again_bytes = to_unsigned(r, again, (uint64_t)PLAN_MAX_CONST, o.what, "again_bytes");
    yyjson_val *waits = optional(&o, "waits");
    if (waits) out->waits = to_unsigned(r, waits, (uint64_t)PLAN_MAX_CONST, o.what, "waits");
    yyjson_val *root = optional(&o, "root");
    out->exists = root != NULL;
    r->nodes = 0;
    if (root) read_node(r, root, 0, &out->root);
    yyjson_val *fallback = root ? optional(&o, "fallback") : NULL;
    r->nodes = 0;
    if (fallback) {
        out->fallback = base_alloc(r->cx, sizeof *out->fallback);
        read_node(r, fallback, 0, out->fallback);
    }
    close_object(r, &o);
}

// Reads the list `key` with `read_one` into a fresh array of the plan.
#define READ_ITEMS(r, o, key, items, count, cap, read_one)                                       \
    do {                                                                                         \
        yyjson_val *list_ = read_list(r, o, key, PLAN_MAX_ITEMS), *item_;                        \
        size_t index_, max_;                                                                     \
        (count) = (cap) = (uint32_t)yyjson_arr_size(list_);                                      \
        (items) = base_alloc_array((r)->cx, (count), sizeof *(items));                           \
        yyjson_arr_foreach(list_, index_, max_, item_) { read_one(r, item_, &(items)[index_]); } \
    } while (0)

static void read_site(struct reader *r, yyjson_val *value, struct plan_log_site *out) {
    struct object o = open_object(r, value, "a line or an assert");
    size_t index, max;
    yyjson_val *item;
    out->is_assert = yyjson_obj_get(value, "assert") != NULL;
    out->text = read_string(r, &o, out->is_assert ? "assert" : "print");
    out->origin = read_string(r, &o, "origin");
    out->order = read_u32(r, &o, "order");
    out->parallel = read_u32(r, &o, "parallel");
    yyjson_val *loops = read_list(r, &o, "loops", PLAN_MAX_LOG_LOOPS);
    out->loop_count = (uint32_t)yyjson_arr_size(loops);
    out->loops = base_alloc_array(r->cx, out->loop_count, sizeof *out->loops);
    yyjson_arr_foreach(loops, index, max, item) {
        struct object loop = open_object(r, item, "a loop");
        out->loops[index].name = read_string(r, &loop, "name");
        out->loops[index].order = read_u32(r, &loop, "order");
        out->loops[index].is_unsigned = read_bool(r, &loop, "unsigned");
        out->loops[index].down = read_bool(r, &loop, "down");
        close_object(r, &loop);
    }
    yyjson_val *args = read_list(r, &o, "args", PLAN_MAX_LOG_ARGS);
    out->arg_count = (uint32_t)yyjson_arr_size(args);
    out->args = base_alloc_array(r->cx, out->arg_count, sizeof *out->args);
    yyjson_arr_foreach(args, index, max, item) {
        const char *name = yyjson_get_str(item);
        static const enum whorl_dtype types[] = {WHORL_F32, WHORL_U32, WHORL_I64, WHORL_U64, WHORL_F64, WHORL_I32};
        size_t k = 0;
        while (k + 1 < sizeof types / sizeof *types && !(name && strcmp(name, whorl_dtype_name(types[k])) == 0))
            k++;
        out->args[index] = types[k];
        if (!name || strcmp(name, whorl_dtype_name(out->args[index])) != 0)
            fail(r, o.what, "an argument of an unknown type");
    }
    close_object(r, &o);
}

static void read_log(struct reader *r, yyjson_val *value) {
    struct object o = open_object(r, value, "the log");
    struct plan_log *log = base_alloc(r->cx, sizeof *log);
    uint32_t cap;
    log->array = read_u32(r, &o, "array");
    log->first = read_u32(r, &o, "first");
    READ_ITEMS(r, &o, "sites", log->sites, log->site_count, cap, read_site);
    (void)cap;
    close_object(r, &o);
    r->p->log = log;
}

static void read_plan(struct reader *r, yyjson_val *root) {
    struct plan *p = r->p;
    struct object o = open_object(r, root, "the plan");
    if (read_u32(r, &o, "whorl_plan") != PLAN_VERSION) fail(r, o.what, "of another version");
    p->entry = read_string(r, &o, "entry");
    p->profile = read_string(r, &o, "profile");
    p->param_words = read_u32(r, &o, "param_words");
    p->state_buffer = optional_u32(r, &o, "state_buffer", UINT32_MAX);
    READ_ITEMS(r, &o, "scalars", p->scalars, p->scalar_count, p->scalar_cap, read_scalar);
    READ_ITEMS(r, &o, "buffers", p->buffers, p->buffer_count, p->buffer_cap, read_buffer);
    READ_ITEMS(r, &o, "arrays", p->arrays, p->array_count, p->array_cap, read_array);
    READ_ITEMS(r, &o, "params", p->params, p->param_count, p->param_cap, read_param);
    READ_ITEMS(r, &o, "kernels", p->kernels, p->kernel_count, p->kernel_cap, read_kernel);
    yyjson_val *log = optional(&o, "log");
    if (log) read_log(r, log);
    read_strategy(r, &o, "single", &p->single);
    read_strategy(r, &o, "steps", &p->steps);
    read_strategy(r, &o, "eager", &p->eager);
    close_object(r, &o);
}

struct plan *plan_read(struct base_cx *cx, const char *json, size_t size) {
    struct reader r = {.cx = cx};
    if (size == 0 || size > PLAN_MAX_JSON_BYTES) fail(&r, "the text", "empty or too long");
    yyjson_alc memory = base_json_arena(cx);
    yyjson_read_err error;
    yyjson_doc *doc =
        yyjson_read_opts((char *)(uintptr_t)json, size, 0, &memory, &error); // without INSITU it only reads
    if (!doc) fail(&r, "the text", base_format(cx, "%s at byte %zu", error.msg, error.pos));
    r.p = base_alloc(cx, sizeof *r.p);
    read_plan(&r, yyjson_doc_get_root(doc));
    const char *wrong = plan_validate(cx, r.p);
    if (wrong) fail(&r, "its laws", wrong);
    return r.p;
}
