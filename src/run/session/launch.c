// The batch and its submit. `run_launch_dispatch` is the only place of the library that dispatches, so what it counts
// is the truth.
//
// Params of a dispatch lie in a slot of one uniform buffer, chosen by dynamic offset; dispatches whose words are equal
// share a slot.
#include <string.h>

#include "run/session/buffers.h"
#include "run/session/launch.h"

enum { SLOTS_COMPARED = 16 };

bool run_launch_full(const struct run_batch *b) { return b->count == b->cap; }

// The slot that holds these words: one of the last few, or a new one.
static uint32_t take_slot(struct run_batch *b, const uint32_t *words, uint32_t word_count) {
    for (uint32_t i = 1; i <= SLOTS_COMPARED && i <= b->slot_count; i++) {
        uint32_t slot = b->slot_count - i;
        if (memcmp(b->slots + (size_t)slot * b->slot_bytes, words, word_count * 4) == 0) return slot;
    }
    uint8_t *slot = b->slots + (size_t)b->slot_count * b->slot_bytes;
    if (b->slot_count < b->on_device) {
        if (memcmp(slot, words, word_count * 4) == 0) return b->slot_count++; // as in the batch before
        b->on_device = b->slot_count;
    }
    memcpy(slot, words, word_count * 4);
    memset(slot + word_count * 4, 0, b->slot_bytes - word_count * 4);
    return b->slot_count++;
}

static uint64_t group_count(const struct plan_kernel *k, uint32_t iterations) {
    uint32_t each = k->workgroup_size / (k->lanes ? k->lanes : 1);
    return ((uint64_t)iterations + each - 1) / each;
}

void run_launch_add(struct whorl_session *s, uint32_t kernel, struct run_call call) {
    const struct plan *p = s->plan;
    const struct plan_kernel *k = &p->kernels[kernel];
    uint32_t widest = s->res.gpu->limits.maxComputeWorkgroupsPerDimension;
    uint64_t groups = k->one_group ? 1 : group_count(k, call.count);
    uint64_t x = groups < widest ? groups : widest, y = (groups + x - 1) / x;
    uint32_t words[PLAN_PARAM_CALL_WORDS] = {0};
    words[PLAN_BASE] = call.base;
    words[PLAN_COUNT] = call.count;
    words[PLAN_BUDGET] = call.budget;
    words[PLAN_RESUME] = call.resume;
    words[PLAN_GROUPS_X] = (uint32_t)x;
    run_launch_add_words(s, kernel, words, (uint32_t)x, (uint32_t)y);
}

void run_launch_add_words(struct whorl_session *s, uint32_t kernel, const uint32_t call_words[PLAN_PARAM_CALL_WORDS],
                          uint32_t groups_x, uint32_t groups_y) {
    const struct plan *p = s->plan;
    uint32_t words[PLAN_MAX_PARAM_WORDS] = {0};
    memcpy(words, call_words, PLAN_PARAM_CALL_WORDS * sizeof *words);
    memcpy(words + PLAN_PARAM_CALL_WORDS, s->scalars.repeats + PLAN_PARAM_CALL_WORDS,
           (p->param_words - PLAN_PARAM_CALL_WORDS) * sizeof *words);
    for (uint32_t i = 0; i < p->scalar_count; i++)
        if (p->scalars[i].kind == PLAN_UNIFORM)
            words[p->scalars[i].word] = (uint32_t)s->scalars.values[i]; // of a float: its bits
    struct run_batch *b = &s->res.batch;
    b->items[b->count++] = (struct run_dispatch){kernel, take_slot(b, words, p->param_words), groups_x, groups_y};
}

void run_launch_dispatch(struct whorl_session *s, WGPUComputePassEncoder pass, const struct run_dispatch *d,
                         const struct run_dispatch *before) {
    struct run_gpu *g = s->res.gpu;
    uint32_t offset = d->slot * s->res.batch.slot_bytes;
    if (!before || before->kernel != d->kernel)
        g->lib.ComputePassEncoderSetPipeline(pass, s->res.kernels[d->kernel].pipeline->pipeline);
    if (!before || before->kernel != d->kernel || before->slot != d->slot)
        g->lib.ComputePassEncoderSetBindGroup(pass, 0, s->res.kernels[d->kernel].group, 1, &offset);
    g->lib.ComputePassEncoderDispatchWorkgroups(pass, d->groups_x, d->groups_y, 1);
    g->counts.dispatches++;
    s->flight.expected_groups += d->groups_x * d->groups_y;
}

void run_launch_clear_scratch(struct whorl_session *s, WGPUCommandEncoder encoder) {
    for (uint32_t i = 0; i < s->plan->array_count; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        size_t bytes;
        int64_t offset;
        if (a->kind == PLAN_SCRATCH && run_array_bytes(s->plan, a, s->scalars.values, &bytes) && bytes &&
            plan_eval(s->plan, a->offset_bytes, s->scalars.values, &offset))
            s->res.gpu->lib.CommandEncoderClearBuffer(encoder, s->res.buffers[a->buffer], (uint64_t)offset,
                                                      (bytes + 3) & ~(uint64_t)3);
    }
}

static bool has_scratch(const struct plan *p) {
    for (uint32_t i = 0; i < p->array_count; i++)
        if (p->arrays[i].kind == PLAN_SCRATCH) return true;
    return false;
}

// The batch once, in a pass of its own or in the one that is open.
static bool encode_batch(struct whorl_session *s, WGPUCommandEncoder encoder, WGPUComputePassEncoder *pass) {
    struct run_gpu *g = s->res.gpu;
    if (!*pass) *pass = run_gpu_fault() ? NULL : g->lib.CommandEncoderBeginComputePass(encoder, NULL);
    if (!*pass) return false;
    for (uint32_t i = 0; i < s->res.batch.count; i++)
        run_launch_dispatch(s, *pass, &s->res.batch.items[i], i ? &s->res.batch.items[i - 1] : NULL);
    return true;
}

static void end_pass(struct run_gpu *g, WGPUComputePassEncoder *pass) {
    if (*pass) {
        g->lib.ComputePassEncoderEnd(*pass);
        g->lib.ComputePassEncoderRelease(*pass);
    }
    *pass = NULL;
}

// Control, and the state words that are asked for.
static void copy_out(struct whorl_session *s, WGPUCommandEncoder encoder) {
    const struct run_library *lib = &s->res.gpu->lib;
    lib->CommandEncoderCopyBufferToBuffer(encoder, s->res.control, 0, s->res.control_read, 0, RUN_CONTROL_BYTES);
    for (uint32_t i = 0; i < s->flight.words.count; i++)
        lib->CommandEncoderCopyBufferToBuffer(encoder, s->res.buffers[s->plan->state_buffer],
                                              (uint64_t)s->flight.words.at[i] * 4, s->res.control_read,
                                              RUN_CONTROL_BYTES + (uint64_t)i * 4, 4);
}

struct batches {
    uint32_t times;
    bool last; // of the run, or before a wait: what is judged is copied out
};

static bool encode_batches(struct whorl_session *s, WGPUCommandEncoder encoder, const void *what) {
    const struct batches *batches = what;
    struct run_gpu *g = s->res.gpu;
    if (!s->flight.control_cleared) {
        g->lib.CommandEncoderClearBuffer(encoder, s->res.control, 0, RUN_CONTROL_BYTES);
        s->flight.expected_groups = 0;
        s->flight.control_cleared = true;
    }
    bool scratch = has_scratch(s->plan), ok = true;
    WGPUComputePassEncoder pass = NULL;
    for (uint32_t i = 0; i < batches->times && ok; i++) {
        if (scratch && !s->flight.scratch_cleared) {
            end_pass(g, &pass);
            run_launch_clear_scratch(s, encoder);
        }
        s->flight.scratch_cleared = batches->times == 1; // repeated calls each start anew
        ok = encode_batch(s, encoder, &pass);
    }
    end_pass(g, &pass);
    if (batches->last) copy_out(s, encoder);
    return ok;
}

static WGPUCommandBuffer make_commands(struct whorl_session *s, run_encode_fn *encode, const void *what) {
    struct run_gpu *g = s->res.gpu;
    WGPUCommandEncoder encoder = run_gpu_fault() ? NULL : g->lib.DeviceCreateCommandEncoder(g->device, NULL);
    if (!encoder) return NULL;
    bool ok = encode(s, encoder, what);
    WGPUCommandBuffer commands = ok && !run_gpu_fault() ? g->lib.CommandEncoderFinish(encoder, NULL) : NULL;
    g->lib.CommandEncoderRelease(encoder);
    return commands;
}

static enum whorl_status upload_slots(struct whorl_session *s, struct whorl_error *err) {
    struct run_batch *b = &s->res.batch;
    if (b->on_device >= b->slot_count) return WHORL_OK;
    size_t from = (size_t)b->on_device * b->slot_bytes, size = (size_t)(b->slot_count - b->on_device) * b->slot_bytes;
    enum whorl_status status = run_gpu_write(s->res.gpu, s->res.params, from, b->slots + from, size, err);
    if (status == WHORL_OK) b->on_device = b->slot_count;
    return status;
}

enum whorl_status run_launch_commands(struct whorl_session *s, run_encode_fn *encode, const void *what,
                                      struct whorl_error *err) {
    struct run_gpu *g = s->res.gpu;
    enum whorl_status status = upload_slots(s, err);
    if (status != WHORL_OK) return status;
    run_gpu_push_scopes(g);
    WGPUCommandBuffer commands = make_commands(s, encode, what);
    if (commands) {
        if (s->progress.first_submit_s == 0) s->progress.first_submit_s = run_now_s();
        run_gpu_submit(g, commands);
        g->counts.submits++;
        s->flight.pending++;
    }
    status = run_gpu_pop_scopes(g, "submitting work", err);
    if (status == WHORL_OK && !commands)
        status = base_set_error(err, WHORL_DEVICE, "device", "submitting work: the device takes no commands");
    return status;
}

static enum whorl_status submit(struct whorl_session *s, uint32_t times, bool last, struct whorl_error *err) {
    enum whorl_status status = run_launch_commands(s, encode_batches, &(struct batches){times, last}, err);
    s->flight.pending_work_ns += s->res.batch.work_ns * times;
    return status;
}

void run_launch_empty(struct run_batch *b) {
    b->count = b->slot_count = 0;
    b->work_ns = b->guess_ns = 0;
}

void run_launch_begin(struct whorl_session *s) {
    run_launch_empty(&s->res.batch);
    s->flight = (struct run_flight){.scratch_cleared = s->flight.scratch_cleared};
}

enum whorl_status run_launch_submit(struct whorl_session *s, bool last, struct whorl_error *err) {
    enum whorl_status status = submit(s, 1, last, err);
    run_launch_empty(&s->res.batch);
    return status;
}

enum whorl_status run_launch_repeat(struct whorl_session *s, uint32_t calls, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    uint32_t each = s->res.batch.count ? s->res.batch.count : 1, at_once = RUN_MAX_BATCH / each, in_flight = 0;
    if (s->policy.calls_per_submit && s->policy.calls_per_submit < at_once) at_once = s->policy.calls_per_submit;
    while (calls && status == WHORL_OK) {
        uint32_t times = calls < at_once ? calls : at_once;
        calls -= times;
        in_flight += times * each;
        bool wait =
            calls == 0 || in_flight + at_once * each > RUN_MAX_IN_FLIGHT || s->flight.pending + 1 >= RUN_MAX_SUBMITS;
        if (wait) in_flight = 0;
        s->flight.scratch_cleared = false;
        status = submit(s, times, wait, err);
        uint32_t control[PLAN_CONTROL_WORDS];
        bool cut = false;
        if (status == WHORL_OK && wait) status = run_watch(s, control, &cut, err);
        if (status == WHORL_OK && cut)
            status = base_set_error(err, WHORL_DEVICE, "run", "the driver cut a loop short; the calls are worthless");
    }
    run_launch_empty(&s->res.batch);
    return status;
}
