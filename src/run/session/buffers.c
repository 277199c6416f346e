// A session's buffers: made, filled, emptied. Limits are checked before anything is made, and the message names the
// array.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pairs.h"
#include "run/session/buffers.h"
#include "run/session/command_list.h"
#include "run/session/grid_slice.h"

static const WGPUBufferUsage storage_usage =
    WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;

bool run_array_bytes(const struct plan *p, const struct plan_array *a, const int64_t *values, size_t *out) {
    size_t bytes = whorl_dtype_size(a->dtype);
    for (uint32_t d = 0; d < a->ndims; d++) {
        int64_t dim;
        if (!plan_eval(p, a->dims[d], values, &dim) || dim < 0 || (uint64_t)dim > SIZE_MAX ||
            !base_mul_size(bytes, (size_t)dim, &bytes))
            return false;
    }
    *out = bytes;
    return true;
}

static const char *largest_array(const struct run_scalars *v, uint32_t buffer) {
    const char *name = v->plan->buffers[buffer].name;
    size_t most = 0, bytes;
    for (uint32_t i = 0; i < v->plan->array_count; i++) {
        const struct plan_array *a = &v->plan->arrays[i];
        if (a->buffer == buffer && run_array_bytes(v->plan, a, v->values, &bytes) && bytes > most) {
            most = bytes;
            name = a->name;
        }
    }
    return name;
}

static enum whorl_status check_sizes(struct whorl_session *s, struct whorl_error *err) {
    const WGPULimits *limits = &s->res.gpu->limits;
    uint64_t most = limits->maxBufferSize < limits->maxStorageBufferBindingSize ? limits->maxBufferSize
                                                                                : limits->maxStorageBufferBindingSize;
    for (uint32_t i = 0; i < s->plan->buffer_count; i++) {
        int64_t size;
        if (!plan_eval(s->plan, s->plan->buffers[i].size_bytes, s->scalars.values, &size) || size < 4 || size % 4 != 0)
            return base_set_error(err, WHORL_INVALID, "run", "the size of '%s' is out of range for these scalars",
                                  largest_array(&s->scalars, i));
        if ((uint64_t)size > most)
            return base_set_error(err, WHORL_LIMIT, "run",
                                  "array '%s' needs a buffer of %" PRId64 " bytes; the device's limit is %" PRIu64,
                                  largest_array(&s->scalars, i), size, most);
        s->res.sizes[i] = (uint64_t)size;
    }
    for (uint32_t i = 0; i < s->plan->array_count; i++) { // the validator saw them for other values of the scalars
        const struct plan_array *a = &s->plan->arrays[i];
        size_t bytes;
        int64_t offset;
        if (!run_array_bytes(s->plan, a, s->scalars.values, &bytes) ||
            (a->wide && !base_mul_size(bytes / whorl_dtype_size(a->dtype), 4, &bytes)) ||
            !plan_eval(s->plan, a->offset_bytes, s->scalars.values, &offset) || offset < 0 || offset % 4 != 0 ||
            (uint64_t)offset > s->res.sizes[a->buffer] || bytes > s->res.sizes[a->buffer] - (uint64_t)offset)
            return base_set_error(err, WHORL_INVALID, "run", "array '%s' does not fit its buffer for these scalars",
                                  a->name);
    }
    return WHORL_OK;
}

static enum whorl_status create_batch(struct whorl_session *s, struct whorl_error *err) {
    struct run_gpu *g = s->res.gpu;
    struct run_batch *b = &s->res.batch;
    double dispatches = 0, most = 16, work;
    const struct plan_strategy *chosen = run_strategy_of(s->plan, s->strategy);
    const bool steps = s->plan->steps.exists && s->strategy == WHORL_SINGLE;
    const struct plan_node *all[] = {&chosen->root, chosen->fallback, steps ? &s->plan->steps.root : NULL};
    for (int i = 0; i < 3; i++) { // fallbacks run in the same session
        if (!all[i]) continue;
        run_walk_sum(&s->scalars, all[i], &dispatches, &work);
        most = dispatches > most ? dispatches : most;
    }
    b->cap = most < RUN_MAX_BATCH ? (uint32_t)most + 1 : RUN_MAX_BATCH;
    uint32_t align = g->limits.minUniformBufferOffsetAlignment > 256 ? g->limits.minUniformBufferOffsetAlignment : 256;
    b->slot_bytes = align;
    b->items = base_heap_alloc(b->cap * sizeof *b->items);
    b->slots = base_heap_alloc((size_t)b->cap * b->slot_bytes);
    if (!b->items || !b->slots)
        return base_set_error(err, WHORL_MEMORY, "run", "out of memory for %u dispatches", b->cap);
    return run_gpu_buffer(g, "params", (uint64_t)b->cap * b->slot_bytes,
                          WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst, &s->res.params, err);
}

enum whorl_status run_buffers_create(struct whorl_session *s, struct whorl_error *err) {
    struct run_gpu *g = s->res.gpu;
    enum whorl_status status = check_sizes(s, err);
    if (status == WHORL_OK) status = run_commands_init(&s->res, err);
    for (uint32_t i = 0; i < s->plan->buffer_count && status == WHORL_OK; i++)
        if (!s->res.borrowed[i])
            status = run_gpu_buffer(g, largest_array(&s->scalars, i), s->res.sizes[i], storage_usage,
                                    &s->res.buffers[i], err);
    if (status == WHORL_OK)
        status =
            run_gpu_buffer(g, "control", RUN_CONTROL_BLOCKS * RUN_CONTROL_STRIDE, storage_usage, &s->res.control, err);
    if (status == WHORL_OK)
        status = run_gpu_buffer(g, "control_read", RUN_READ_BYTES, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                &s->res.control_read, err);
    if (status == WHORL_OK) status = create_batch(s, err);
    for (uint32_t i = 0; i < s->plan->array_count && status == WHORL_OK; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        if (a->kind == PLAN_TABLE && a->data_words)
            status = run_array_write(s, a, a->data, (size_t)a->data_words * 4, err);
    }
    return status;
}

void run_buffers_destroy(struct run_resources *r) {
    struct run_gpu *g = r->gpu;
    run_commands_deinit(r);
    run_grid_destroy(r);
    for (uint32_t i = 0; r->kernels && i < r->plan->kernel_count; i++) {
        struct run_kernel *k = &r->kernels[i];
        if (k->group && !g->stuck) g->lib.BindGroupRelease(k->group);
        run_gpu_drop_buffer(g, &k->saved);
        run_pipeline_drop(k->pipeline);
    }
    for (uint32_t i = 0; r->buffers && r->borrowed && i < r->plan->buffer_count; i++)
        if (!r->borrowed[i]) run_gpu_drop_buffer(g, &r->buffers[i]);
    WGPUBuffer *others[] = {&r->params, &r->control, &r->control_read, &r->staging};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        run_gpu_drop_buffer(g, others[i]);
    base_heap_free(r->batch.items);
    base_heap_free(r->batch.slots);
}

// ---- arrays in and out ----
static uint64_t offset_of(const struct run_scalars *v, const struct plan_array *a) {
    int64_t offset = 0;
    (void)plan_eval(v->plan, a->offset_bytes, v->values, &offset); // check_sizes has seen it
    return (uint64_t)offset;
}

static struct base_pair_rows pair_rows(const struct run_scalars *v, const struct plan_array *a) {
    int64_t row_words = 0;
    (void)plan_eval(v->plan, a->dims[a->ndims - 1], v->values, &row_words);
    return (struct base_pair_rows){(uint64_t)row_words, a->pair_runs, a->pair_run_count};
}

// Of wide arrays, whose elements take a word each, and of pairs, whose elements take two.
static enum whorl_status write_converted(struct whorl_session *s, const struct plan_array *a, uint64_t offset,
                                         const void *data, size_t size_bytes, struct whorl_error *err) {
    enum { WORDS = 1 << 18 };
    size_t each = a->pairs ? 4 : whorl_dtype_size(a->dtype), count = size_bytes / each, piece;
    struct base_pair_rows rows = pair_rows(&s->scalars, a);
    uint64_t first = (offset - offset_of(&s->scalars, a)) / 4; // of pairs
    uint32_t *words = base_heap_alloc((count < WORDS ? count + 1 : WORDS) * sizeof *words);
    if (!words) return base_set_error(err, WHORL_MEMORY, "run", "out of memory for array '%s'", a->name);
    enum whorl_status status = WHORL_OK;
    for (size_t at = 0; at < count && status == WHORL_OK; at += piece) {
        piece = count - at < WORDS ? count - at : WORDS;
        if (a->pairs)
            base_split_rows(&rows, first + at, (const unsigned char *)data + at * each, piece, words);
        else
            run_widen(a->dtype, (const unsigned char *)data + at * each, piece, words);
        status = run_gpu_write(s->res.gpu, s->res.buffers[a->buffer], offset + at * 4, words, piece * 4, err);
    }
    base_heap_free(words);
    if (status == WHORL_OK) s->progress.uploaded += size_bytes;
    return status;
}

// In pieces: a library keeps a copy of each until the next submit.
enum whorl_status run_raw_write(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, const void *data,
                                size_t size_bytes, struct whorl_error *err) {
    struct run_gpu *g = r->gpu;
    size_t piece;
    for (size_t at = 0; at < size_bytes; at += piece) {
        piece = size_bytes - at < RUN_STAGING_BYTES ? size_bytes - at : RUN_STAGING_BYTES;
        enum whorl_status status = run_gpu_write(g, buffer, offset + at, (const unsigned char *)data + at, piece, err);
        if (status != WHORL_OK) return status;
        if (at + piece < size_bytes) {
            g->lib.QueueSubmit(g->queue, 0, NULL);
            run_conv_pump(&g->lib, g->instance, g->device);
        }
    }
    return WHORL_OK;
}

enum whorl_status run_array_write(struct whorl_session *s, const struct plan_array *a, const void *data,
                                  size_t size_bytes, struct whorl_error *err) {
    uint64_t offset = offset_of(&s->scalars, a);
    if (a->wide || a->pairs) return write_converted(s, a, offset, data, size_bytes, err);
    size_t whole = size_bytes & ~(size_t)3;
    enum whorl_status status = run_raw_write(&s->res, s->res.buffers[a->buffer], offset, data, whole, err);
    if (status == WHORL_OK) s->progress.uploaded += size_bytes;
    if (status != WHORL_OK || whole == size_bytes) return status;
    unsigned char tail[4] = {0}; // buffers are written in words; the array's own padding takes the rest
    memcpy(tail, (const unsigned char *)data + whole, size_bytes - whole);
    return run_gpu_write(s->res.gpu, s->res.buffers[a->buffer], offset + whole, tail, 4, err);
}

// In a submit of its own.
static enum whorl_status submit_copy(struct run_gpu *g, WGPUBuffer from, uint64_t offset, WGPUBuffer to,
                                     uint64_t to_offset, uint64_t size_bytes, const char *doing,
                                     struct whorl_error *err) {
    run_gpu_push_scopes(g);
    WGPUCommandEncoder encoder = run_gpu_fault() ? NULL : g->lib.DeviceCreateCommandEncoder(g->device, NULL);
    WGPUCommandBuffer commands = NULL;
    if (encoder) {
        g->lib.CommandEncoderCopyBufferToBuffer(encoder, from, offset, to, to_offset, size_bytes);
        commands = run_gpu_fault() ? NULL : g->lib.CommandEncoderFinish(encoder, NULL);
        g->lib.CommandEncoderRelease(encoder);
    }
    if (commands) run_gpu_submit(g, commands);
    enum whorl_status status = run_gpu_pop_scopes(g, doing, err);
    if (status == WHORL_OK && !commands)
        status = base_set_error(err, WHORL_DEVICE, "device", "%s: the device takes no commands", doing);
    return status;
}

static enum whorl_status ensure_staging(struct run_resources *r, size_t bytes, struct whorl_error *err) {
    if (bytes <= r->staging_bytes) return WHORL_OK;
    run_gpu_drop_buffer(r->gpu, &r->staging);
    r->staging_bytes = 0;
    enum whorl_status status =
        run_gpu_buffer(r->gpu, "staging", bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, &r->staging, err);
    if (status == WHORL_OK) r->staging_bytes = bytes;
    return status;
}

// What is done with a piece of the buffer, mapped, from `at` on.
typedef void take_fn(void *to, size_t at, const void *mapped, size_t size_bytes);

static enum whorl_status read_pieces(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, size_t size_bytes,
                                     take_fn *take, void *to, struct whorl_error *err) {
    struct run_gpu *g = r->gpu;
    size_t piece;
    enum whorl_status status = ensure_staging(r, size_bytes < RUN_STAGING_BYTES ? size_bytes : RUN_STAGING_BYTES, err);
    for (size_t at = 0; at < size_bytes && status == WHORL_OK; at += piece) {
        const void *mapped;
        piece = size_bytes - at < RUN_STAGING_BYTES ? size_bytes - at : RUN_STAGING_BYTES;
        status = submit_copy(g, buffer, offset + at, r->staging, 0, piece, "downloading", err);
        if (status == WHORL_OK) status = run_gpu_map(g, r->staging, piece, g->timeout_s, &mapped, err);
        if (status != WHORL_OK) break;
        take(to, at, mapped, piece);
        g->lib.BufferUnmap(r->staging);
    }
    return status;
}

static void take_raw(void *to, size_t at, const void *mapped, size_t size_bytes) {
    memcpy((unsigned char *)to + at, mapped, size_bytes);
}

enum whorl_status run_raw_read(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, void *data,
                               size_t size_bytes, struct whorl_error *err) {
    return read_pieces(r, buffer, offset, size_bytes, take_raw, data, err);
}

struct array_out {
    unsigned char *data;
    size_t size_bytes;
    const struct plan_array *array;
    struct base_pair_rows rows;
};

// A wide array has four bytes on the device for each of `each` here.
static void take_array(void *to, size_t at, const void *mapped, size_t size_bytes) {
    const struct array_out *out = to;
    size_t each = whorl_dtype_size(out->array->dtype);
    if (out->array->pairs)
        base_join_rows(&out->rows, at / 4, mapped, size_bytes / 4, out->data + at);
    else if (out->array->wide)
        run_narrow(out->array->dtype, mapped, size_bytes / 4, out->data + at / 4 * each);
    else
        memcpy(out->data + at, mapped, out->size_bytes - at < size_bytes ? out->size_bytes - at : size_bytes);
}

enum whorl_status run_array_read(struct whorl_session *s, const struct plan_array *a, void *data, size_t size_bytes,
                                 struct whorl_error *err) {
    struct array_out out = {data, size_bytes, a, pair_rows(&s->scalars, a)};
    size_t stored = a->wide ? size_bytes / whorl_dtype_size(a->dtype) * 4 : size_bytes; // check_sizes: it fits
    enum whorl_status status = read_pieces(&s->res, s->res.buffers[a->buffer], offset_of(&s->scalars, a),
                                           (stored + 3) & ~(size_t)3, take_array, &out, err);
    if (status == WHORL_OK) s->progress.downloaded += size_bytes;
    return status;
}

enum whorl_status run_array_write_words(struct whorl_session *s, const struct plan_array *a, size_t offset,
                                        const void *data, size_t size_bytes, struct whorl_error *err) {
    enum whorl_status status =
        run_raw_write(&s->res, s->res.buffers[a->buffer], offset_of(&s->scalars, a) + offset, data, size_bytes, err);
    if (status == WHORL_OK) s->progress.uploaded += size_bytes;
    return status;
}

enum whorl_status run_array_read_words(struct whorl_session *s, const struct plan_array *a, size_t offset, void *data,
                                       size_t size_bytes, struct whorl_error *err) {
    enum whorl_status status =
        run_raw_read(&s->res, s->res.buffers[a->buffer], offset_of(&s->scalars, a) + offset, data, size_bytes, err);
    if (status == WHORL_OK) s->progress.downloaded += size_bytes;
    return status;
}

enum whorl_status run_array_write_part(struct whorl_session *s, const struct plan_array *a, size_t offset,
                                       const void *data, size_t size_bytes, struct whorl_error *err) {
    if (a->pairs) return write_converted(s, a, offset_of(&s->scalars, a) + offset, data, size_bytes, err);
    return run_array_write_words(s, a, offset, data, size_bytes, err);
}

enum whorl_status run_array_read_part(struct whorl_session *s, const struct plan_array *a, size_t offset, void *data,
                                      size_t size_bytes, struct whorl_error *err) {
    enum whorl_status status = run_array_read_words(s, a, offset, data, size_bytes, err);
    struct base_pair_rows rows = pair_rows(&s->scalars, a);
    if (status == WHORL_OK && a->pairs) base_join_rows(&rows, offset / 4, data, size_bytes / 4, data);
    return status;
}

enum whorl_status run_array_copy(struct whorl_session *s, const struct plan_array *a, const struct whorl_session *other,
                                 const struct plan_array *b, struct whorl_error *err) {
    size_t bytes;
    (void)run_array_bytes(s->plan, a, s->scalars.values, &bytes); // check_sizes: it fits
    if (a->wide) bytes = bytes / whorl_dtype_size(a->dtype) * 4;
    return submit_copy(s->res.gpu, other->res.buffers[b->buffer], offset_of(&other->scalars, b),
                       s->res.buffers[a->buffer], offset_of(&s->scalars, a), (bytes + 3) & ~(size_t)3, "copying", err);
}

// ---- bind groups ----
static enum whorl_status create_group(struct run_resources *r, uint32_t kernel, struct whorl_error *err) {
    struct run_gpu *g = r->gpu;
    const struct plan_kernel *k = &r->plan->kernels[kernel];
    struct run_kernel *state = &r->kernels[kernel];
    run_commands_forget(r);
    if (state->group && !g->stuck) g->lib.BindGroupRelease(state->group);
    state->group = NULL;
    WGPUBindGroupEntry entries[RUN_MAX_ENTRIES];
    memset(entries, 0, sizeof entries);
    uint32_t count = 0;
    entries[count++] = (WGPUBindGroupEntry){.binding = 0, .buffer = r->params, .size = r->plan->param_words * 4};
    entries[count++] = (WGPUBindGroupEntry){.binding = 1, .buffer = r->control, .size = RUN_CONTROL_BYTES};
    for (uint32_t b = 0; b < k->binding_count; b++, count++)
        entries[count] = (WGPUBindGroupEntry){
            .binding = count, .buffer = r->buffers[k->bindings[b].buffer], .size = r->sizes[k->bindings[b].buffer]};
    if (k->resume_words) {
        entries[count] = (WGPUBindGroupEntry){.binding = count, .buffer = state->saved, .size = state->saved_bytes};
        count++;
    }
    char doing[128];
    snprintf(doing, sizeof doing, "binding the buffers of kernel %.60s", k->name);
    WGPUBindGroupDescriptor descriptor = {.layout = state->pipeline->layout, .entryCount = count, .entries = entries};
    run_gpu_push_scopes(g);
    state->group = run_gpu_fault() ? NULL : g->lib.DeviceCreateBindGroup(g->device, &descriptor);
    enum whorl_status status = run_gpu_pop_scopes(g, doing, err);
    if (status == WHORL_OK && !state->group)
        status = base_set_error(err, WHORL_DEVICE, "device", "%s: the device gave none", doing);
    return status;
}

enum whorl_status run_saved_ensure(struct run_resources *r, uint32_t kernel, uint64_t iterations,
                                   struct whorl_error *err) {
    const struct plan_kernel *k = &r->plan->kernels[kernel];
    struct run_kernel *state = &r->kernels[kernel];
    uint64_t bytes = (uint64_t)k->resume_words * 4 * iterations;
    if (k->resume_words == 0 || bytes <= state->saved_bytes) return WHORL_OK;
    if (bytes < 256) bytes = 256;
    WGPUBuffer fresh;
    enum whorl_status status = run_gpu_buffer(r->gpu, "saved", bytes, storage_usage, &fresh, err);
    if (status != WHORL_OK) return status;
    run_gpu_drop_buffer(r->gpu, &state->saved);
    state->saved = fresh;
    state->saved_bytes = bytes;
    return create_group(r, kernel, err);
}

enum whorl_status run_groups_create(struct run_resources *r, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < r->plan->kernel_count && status == WHORL_OK; i++) {
        if (!r->kernels[i].pipeline || r->kernels[i].group) // of another strategy, or done
            continue;
        // A kernel that never pauses in this session still has the binding.
        status = r->plan->kernels[i].resume_words ? run_saved_ensure(r, i, 1, err) : create_group(r, i, err);
    }
    return status;
}

// ---- exchange ----
static bool is_alone(const struct whorl_session *s, const struct plan_array *a) {
    for (uint32_t i = 0; i < s->plan->array_count; i++)
        if (&s->plan->arrays[i] != a && s->plan->arrays[i].buffer == a->buffer) return false;
    return !s->res.borrowed[a->buffer] && offset_of(&s->scalars, a) == 0;
}

static enum whorl_status bind_again(struct run_resources *r, uint32_t buffer, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < r->plan->kernel_count && status == WHORL_OK; i++) {
        const struct plan_kernel *k = &r->plan->kernels[i];
        bool binds = false;
        for (uint32_t b = 0; b < k->binding_count; b++)
            binds = binds || k->bindings[b].buffer == buffer;
        if (binds && r->kernels[i].group) status = create_group(r, i, err);
    }
    return status;
}

enum whorl_status run_array_exchange(struct whorl_session *s, const struct plan_array *a, struct whorl_session *other,
                                     const struct plan_array *b, struct whorl_error *err) {
    if (!is_alone(s, a) || !is_alone(other, b) || s->res.sizes[a->buffer] != other->res.sizes[b->buffer])
        return base_set_error(err, WHORL_UNSUPPORTED, "run", "'%s' and '%s' are not alone in buffers of one size",
                              a->name, b->name);
    WGPUBuffer own = s->res.buffers[a->buffer];
    s->res.buffers[a->buffer] = other->res.buffers[b->buffer];
    other->res.buffers[b->buffer] = own;
    enum whorl_status status = bind_again(&s->res, a->buffer, err);
    return status == WHORL_OK ? bind_again(&other->res, b->buffer, err) : status;
}
