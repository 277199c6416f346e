// Where the first NaN comes from. The eager plan runs one dispatch at a time; what each can have written is read back
// and compared with what was NaN or infinite before. An infinity may be meant (a distance that is not known yet), a NaN
// hardly ever: the first infinity is kept in mind, the first NaN ends the run.
#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "run/report/nan.h"
#include "run/session/buffers.h"

struct run_nan {
    uint8_t **seen; // by array: a byte an element, 1 NaN, 2 infinite; NULL: not of floats
    size_t *counts;
    uint64_t dispatches;
    char infinity[400]; // the first one; "" none
    char origin[256];   // of the loop that made it
};

static enum whorl_dtype host_type(const struct plan_array *a) {
    return a->pairs && !a->pair_run_count ? WHORL_F64 : a->dtype;
}

static bool is_float(const struct plan_array *a) {
    return base_dtype_is_float(a->dtype) && a->kind != PLAN_TABLE && a->kind != PLAN_IN;
}

void run_nan_destroy(struct run_nan *n) {
    if (!n) return;
    for (size_t i = 0; n->seen && n->seen[i] != (uint8_t *)n; i++)
        base_heap_free(n->seen[i]);
    base_heap_free(n->seen);
    base_heap_free(n->counts);
    base_heap_free(n);
}

struct run_nan *run_nan_create(struct whorl_session *s) {
    uint32_t count = s->plan->array_count;
    struct run_nan *n = base_heap_alloc(sizeof *n);
    if (!n) return NULL;
    memset(n, 0, sizeof *n);
    n->seen = base_heap_alloc((count + 1) * sizeof *n->seen);
    n->counts = base_heap_alloc((count + 1) * sizeof *n->counts);
    bool good = n->seen && n->counts;
    if (n->seen) memset(n->seen, 0, (count + 1) * sizeof *n->seen);
    if (n->seen) n->seen[count] = (uint8_t *)n; // the end
    for (uint32_t i = 0; i < count && good; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        size_t bytes;
        n->counts[i] = 0;
        if (!is_float(a)) continue;
        good = run_array_bytes(s->plan, a, s->scalars.values, &bytes);
        n->counts[i] = good ? bytes / whorl_dtype_size(host_type(a)) : 0;
        if (good) n->seen[i] = base_heap_alloc(n->counts[i]);
        good = good && n->seen[i];
        if (good) memset(n->seen[i], 0, n->counts[i]);
    }
    if (good) return n;
    if (n->seen)
        for (uint32_t i = 0; i < count; i++)
            if (!n->seen[i]) n->seen[i] = base_heap_alloc(1); // so that the end is reached
    run_nan_destroy(n);
    return NULL;
}

static uint8_t kind_of(enum whorl_dtype dtype, const void *data, size_t at) {
    double value = base_dtype_number(dtype, data, at);
    return isnan(value) ? 1 : isinf(value) ? 2 : 0;
}

// Notes what the array holds now. *out_nan, *out_infinite: the first element that has become so, SIZE_MAX none.
static enum whorl_status scan(struct whorl_session *s, uint32_t array, size_t *out_nan, size_t *out_infinite,
                              struct whorl_error *err) {
    struct run_nan *n = s->nan;
    const struct plan_array *a = &s->plan->arrays[array];
    size_t bytes = n->counts[array] * whorl_dtype_size(host_type(a));
    void *data = base_heap_alloc(bytes);
    if (!data) return base_set_error(err, WHORL_MEMORY, "run", "out of memory for --find-nan");
    uint64_t downloaded = s->progress.downloaded;
    enum whorl_status status = run_array_read(s, a, data, bytes, err);
    s->progress.downloaded = downloaded;
    for (size_t i = 0; i < n->counts[array] && status == WHORL_OK; i++) {
        uint8_t now = kind_of(host_type(a), data, i), before = n->seen[array][i];
        n->seen[array][i] = now;
        if (now == 1 && before != 1 && *out_nan == SIZE_MAX) *out_nan = i;
        if (now == 2 && before == 0 && *out_infinite == SIZE_MAX) *out_infinite = i;
    }
    base_heap_free(data);
    return status;
}

enum whorl_status run_nan_begin(struct whorl_session *s, struct whorl_error *err) {
    struct run_nan *n = s->nan;
    enum whorl_status status = WHORL_OK;
    if (!n) return WHORL_OK;
    n->dispatches = 0;
    n->infinity[0] = 0;
    for (uint32_t i = 0; i < s->plan->array_count && status == WHORL_OK; i++) {
        size_t unused = SIZE_MAX;
        if (!n->seen[i]) continue;
        if (s->plan->arrays[i].kind == PLAN_SCRATCH)
            memset(n->seen[i], 0, n->counts[i]);
        else
            status = scan(s, i, &unused, &unused, err);
    }
    return status;
}

// "'u'[3][7] is NaN after the loop at heat.c:12 (dispatch 5, t=2)"
static void describe(struct whorl_session *s, const struct run_walk *walk, uint32_t kernel, uint32_t array, size_t at,
                     const char *what, char *out, size_t size) {
    const struct plan *p = s->plan;
    const struct plan_array *a = &p->arrays[array];
    char index[PLAN_MAX_DIMS * 24] = "", steps[200] = "";
    for (uint32_t d = a->ndims; d-- > 0;) {
        char rest[sizeof index];
        int64_t dim = 1;
        (void)plan_eval(p, a->dims[d], s->scalars.values, &dim);
        if (a->pairs && d + 1 == a->ndims) dim /= 2;
        if (a->pairs && d + 1 == a->ndims && d && dim == 1) continue; // as plan_present_pairs has it
        size_t here = d && dim > 0 ? at % (size_t)dim : at;
        if (dim > 0) at /= (size_t)dim;
        memcpy(rest, index, sizeof rest);
        snprintf(index, sizeof index, "[%zu]%.*s", here, (int)(sizeof index - 25), rest);
    }
    for (uint32_t f = 0; f < walk->depth; f++) {
        const struct plan_node *node = walk->frames[f].node;
        if (node->kind != PLAN_LOOP) continue;
        const char *name = p->scalars[node->scalar].name;
        size_t used = strlen(steps);
        snprintf(steps + used, sizeof steps - used, ", %.*s=%lld", (int)strcspn(name, "."), name,
                 (long long)s->scalars.values[node->scalar]);
    }
    snprintf(out, size, "'%s'%s is %s after the loop at %s (dispatch %llu%s)", a->name, index, what,
             p->kernels[kernel].origin, (unsigned long long)s->nan->dispatches, steps);
}

static enum whorl_status report(const char *origin, const char *text, const char *more, struct whorl_error *err) {
    enum whorl_status status = base_set_error(err, WHORL_SOURCE, "run", "%s%s%s", text, *more ? "; " : "", more);
    const char *colon = strrchr(origin, ':');
    if (err && colon) {
        unsigned line = 0;
        snprintf(err->file, sizeof err->file, "%.*s", (int)(colon - origin), origin);
        if (sscanf(colon + 1, "%u", &line) == 1) err->line = line;
    }
    return status;
}

enum whorl_status run_nan_look(struct whorl_session *s, const struct run_walk *walk, uint32_t kernel,
                               struct whorl_error *err) {
    struct run_nan *n = s->nan;
    if (!n) return WHORL_OK;
    const struct plan_kernel *k = &s->plan->kernels[kernel];
    n->dispatches++;
    for (uint32_t i = 0; i < s->plan->array_count; i++) {
        bool written = false;
        size_t nan = SIZE_MAX, infinite = SIZE_MAX;
        for (uint32_t b = 0; b < k->binding_count; b++)
            written |= k->bindings[b].writable && k->bindings[b].buffer == s->plan->arrays[i].buffer;
        if (!written || !n->seen[i]) continue;
        enum whorl_status status = scan(s, i, &nan, &infinite, err);
        if (status != WHORL_OK) return status;
        if (infinite != SIZE_MAX && !n->infinity[0]) {
            describe(s, walk, kernel, i, infinite, "infinite", n->infinity, sizeof n->infinity);
            snprintf(n->origin, sizeof n->origin, "%s", k->origin);
        }
        if (nan == SIZE_MAX) continue;
        char text[400];
        describe(s, walk, kernel, i, nan, "NaN", text, sizeof text);
        return report(k->origin, text, n->infinity, err);
    }
    return WHORL_OK;
}

enum whorl_status run_nan_end(struct whorl_session *s, struct whorl_error *err) {
    return s->nan && s->nan->infinity[0] ? report(s->nan->origin, s->nan->infinity, "no NaN followed", err) : WHORL_OK;
}
