// See command_list.h. A list names objects by their handles. One that is dropped may be followed by another with the
// same handle, so whoever drops one that lists name says so (run_commands_forget).
#include <string.h>

#include "run/session/command_list.h"

enum {
    MOST_FORESEEN = 1024, // guess: commands of a list that is made ahead, and that there is room for from the beginning
};

// ---- control blocks -------------------------------------------------------------------------------------------------

uint64_t run_control_offset(const struct run_resources *r, uint32_t block) {
    return (uint64_t)(r->control_first + block) * RUN_CONTROL_STRIDE;
}

// A new buffer is written, too: wgpu-native takes what only dynamic offsets reach for not yet made zero, and does so
// when it is copied from.
enum whorl_status run_control_take(struct run_resources *r, uint32_t blocks, struct whorl_error *err) {
    static const uint8_t zeros[64 * RUN_CONTROL_STRIDE];
    enum whorl_status status = WHORL_OK;
    if (!r->control_is_zero || r->control_used + blocks > RUN_CONTROL_BLOCKS) {
        uint64_t all = (uint64_t)RUN_CONTROL_BLOCKS * RUN_CONTROL_STRIDE;
        for (uint64_t at = 0; at < all && status == WHORL_OK; at += sizeof zeros)
            status = run_gpu_write(r->gpu, r->control, at, zeros, sizeof zeros, err);
        r->control_used = 0;
        r->control_is_zero = status == WHORL_OK;
    }
    r->control_first = r->control_used;
    r->control_used += blocks;
    return status;
}

// ---- lists ----------------------------------------------------------------------------------------------------------

static bool reserve(struct run_list *list, uint32_t cap) {
    struct run_command *items = base_heap_alloc(cap * sizeof *items);
    if (!items) return false;
    if (list->count) memcpy(items, list->items, list->count * sizeof *items);
    base_heap_free(list->items);
    list->items = items;
    list->cap = cap;
    return true;
}

enum whorl_status run_commands_init(struct run_resources *r, struct whorl_error *err) {
    if (reserve(&r->list, MOST_FORESEEN) && reserve(&r->last, MOST_FORESEEN)) return WHORL_OK;
    return base_set_error(err, WHORL_MEMORY, "run", "out of memory for the commands of a submit");
}

// The next command of the list, all zero; NULL: there is no memory for it.
static struct run_command *append(struct run_resources *r, enum run_command_kind kind) {
    struct run_list *list = &r->list;
    if (list->count == list->cap && !reserve(list, 2 * list->cap)) {
        list->failed = true;
        return NULL;
    }
    struct run_command *c = &list->items[list->count++];
    memset(c, 0, sizeof *c); // lists are compared byte by byte
    c->kind = kind;
    return c;
}

void run_command_clear(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, uint64_t size_bytes) {
    struct run_command *c = append(r, RUN_CLEAR);
    if (!c) return;
    c->to = buffer;
    c->to_offset = offset;
    c->size_bytes = size_bytes;
}

void run_command_copy(struct run_resources *r, WGPUBuffer from, uint64_t from_offset, WGPUBuffer to, uint64_t to_offset,
                      uint64_t size_bytes) {
    struct run_command *c = append(r, RUN_COPY);
    if (!c) return;
    c->from = from;
    c->from_offset = from_offset;
    c->to = to;
    c->to_offset = to_offset;
    c->size_bytes = size_bytes;
}

void run_command_copy_control(struct run_resources *r, uint32_t block, WGPUBuffer to, uint64_t to_offset) {
    struct run_command *c = append(r, RUN_COPY_CONTROL);
    if (!c) return;
    c->block = block;
    c->to = to;
    c->to_offset = to_offset;
    c->size_bytes = RUN_CONTROL_BYTES;
}

void run_command_dispatch(struct run_resources *r, uint32_t block, const struct run_dispatch *dispatch) {
    struct run_command *c = append(r, RUN_DISPATCH);
    if (!c) return;
    c->block = block;
    c->dispatch = *dispatch;
}

void run_commands_empty(struct run_resources *r) {
    r->list.count = 0;
    r->list.failed = false;
}

// ---- command buffers ------------------------------------------------------------------------------------------------

// first: the control block that the list's blocks are counted from.
static void dispatch(struct run_resources *r, uint32_t first, WGPUComputePassEncoder pass, const struct run_command *c,
                     const struct run_command *before) {
    const struct run_library *lib = &r->gpu->lib;
    const struct run_dispatch *d = &c->dispatch, *b = before ? &before->dispatch : NULL;
    const struct run_kernel *kernel = &r->kernels[d->kernel];
    bool other = !b || b->kernel != d->kernel;
    if (other) lib->ComputePassEncoderSetPipeline(pass, kernel->pipeline->pipeline);
    if (other || b->slot != d->slot || before->block != c->block) {
        uint32_t offsets[] = {d->slot * r->batch.slot_bytes, (first + c->block) * RUN_CONTROL_STRIDE};
        lib->ComputePassEncoderSetBindGroup(pass, 0, kernel->group, 2, offsets);
    }
    lib->ComputePassEncoderDispatchWorkgroups(pass, d->groups_x, d->groups_y, 1);
}

static bool encode(struct run_resources *r, const struct run_list *list, uint32_t first, WGPUCommandEncoder encoder) {
    const struct run_library *lib = &r->gpu->lib;
    WGPUComputePassEncoder pass = NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct run_command *c = &list->items[i];
        if (c->kind == RUN_DISPATCH && !pass) {
            pass = run_gpu_fault() ? NULL : lib->CommandEncoderBeginComputePass(encoder, NULL);
            if (!pass) return false;
            dispatch(r, first, pass, c, NULL);
        } else if (c->kind == RUN_DISPATCH) {
            dispatch(r, first, pass, c, c - 1);
        } else if (c->kind == RUN_CLEAR) {
            lib->CommandEncoderClearBuffer(encoder, c->to, c->to_offset, c->size_bytes);
        } else {
            bool control = c->kind == RUN_COPY_CONTROL;
            uint64_t from = control ? (uint64_t)(first + c->block) * RUN_CONTROL_STRIDE : c->from_offset;
            lib->CommandEncoderCopyBufferToBuffer(encoder, control ? r->control : c->from, from, c->to, c->to_offset,
                                                  c->size_bytes);
        }
        if (pass && (i + 1 == list->count || list->items[i + 1].kind != RUN_DISPATCH)) {
            lib->ComputePassEncoderEnd(pass);
            lib->ComputePassEncoderRelease(pass);
            pass = NULL;
        }
    }
    return true;
}

static WGPUCommandBuffer make(struct run_resources *r, const struct run_list *list, uint32_t first) {
    const struct run_library *lib = &r->gpu->lib;
    if (list->failed) return NULL;
    WGPUCommandEncoder encoder = run_gpu_fault() ? NULL : lib->DeviceCreateCommandEncoder(r->gpu->device, NULL);
    if (!encoder) return NULL;
    bool ok = encode(r, list, first, encoder);
    WGPUCommandBuffer commands = ok && !run_gpu_fault() ? lib->CommandEncoderFinish(encoder, NULL) : NULL;
    lib->CommandEncoderRelease(encoder);
    return commands;
}

static bool same(const struct run_list *a, const struct run_list *b) {
    return a->count == b->count && !a->failed && !b->failed &&
           memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

static void drop_next(struct run_resources *r) {
    if (r->next && !r->gpu->stuck) r->gpu->lib.CommandBufferRelease(r->next);
    r->next = NULL;
}

void run_commands_forget(struct run_resources *r) {
    drop_next(r);
    r->last.count = 0;
}

void run_commands_deinit(struct run_resources *r) {
    run_commands_forget(r);
    base_heap_free(r->list.items);
    base_heap_free(r->last.items);
    r->list = r->last = (struct run_list){0};
    r->control_is_zero = false;
}

static enum whorl_status takes_none(const char *doing, struct whorl_error *err) {
    return base_set_error(err, WHORL_DEVICE, "device", "%s: the device takes no commands", doing);
}

enum whorl_status run_commands_submit(struct run_resources *r, struct whorl_error *err) {
    struct run_gpu *g = r->gpu;
    r->repeats = r->list.count && same(&r->list, &r->last);
    WGPUCommandBuffer commands = r->repeats && r->next_first == r->control_first ? r->next : NULL;
    if (commands) r->next = NULL;
    drop_next(r);
    run_gpu_push_scopes(g);
    if (!commands) commands = make(r, &r->list, r->control_first);
    if (commands) {
        run_gpu_submit(g, commands);
        g->counts.submits++;
        for (uint32_t i = 0; i < r->list.count; i++)
            g->counts.dispatches += r->list.items[i].kind == RUN_DISPATCH;
    }
    enum whorl_status status = run_gpu_pop_scopes(g, "submitting work", err);
    if (status == WHORL_OK && r->list.failed)
        status = base_set_error(err, WHORL_MEMORY, "run", "out of memory for the commands of a submit");
    if (status == WHORL_OK && !commands) status = takes_none("submitting work", err);
    struct run_list submitted = r->list;
    r->list = r->last;
    r->last = submitted;
    run_commands_empty(r);
    return status;
}

enum whorl_status run_commands_foresee(struct run_resources *r, struct whorl_error *err) {
    uint32_t blocks = r->control_used - r->control_first;
    if (!r->repeats || r->next || r->last.count > MOST_FORESEEN || r->control_used + blocks > RUN_CONTROL_BLOCKS)
        return WHORL_OK;
    run_gpu_push_scopes(r->gpu);
    r->next = make(r, &r->last, r->control_used);
    r->next_first = r->control_used;
    enum whorl_status status = run_gpu_pop_scopes(r->gpu, "preparing work", err);
    if (status != WHORL_OK) drop_next(r);
    return status == WHORL_OK && !r->next ? takes_none("preparing work", err) : status;
}
