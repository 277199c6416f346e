// The batch and its submit. Params of a dispatch lie in a slot of one uniform buffer, chosen by dynamic offset;
// dispatches whose words are equal share a slot.
#include <string.h>

#include "run/session/buffers.h"
#include "run/session/command_list.h"
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
    uint32_t each = k->workgroup_size / (k->lanes ? k->lanes : 1) * (k->rounds ? k->rounds : 1);
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

void run_launch_clear_scratch(struct whorl_session *s) {
    for (uint32_t i = 0; i < s->plan->array_count; i++) {
        const struct plan_array *a = &s->plan->arrays[i];
        size_t bytes;
        int64_t offset;
        bool clear = a->kind == PLAN_SCRATCH && (!a->anew || s->nan); // who looks for NaN looks before all is stored
        if (clear && run_array_bytes(s->plan, a, s->scalars.values, &bytes) && bytes &&
            plan_eval(s->plan, a->offset_bytes, s->scalars.values, &offset))
            run_command_clear(&s->res, s->res.buffers[a->buffer], (uint64_t)offset, (bytes + 3) & ~(uint64_t)3);
    }
}

static bool has_scratch(const struct plan *p) {
    for (uint32_t i = 0; i < p->array_count; i++)
        if (p->arrays[i].kind == PLAN_SCRATCH) return true;
    return false;
}

// The batch once.
static void list_batch(struct whorl_session *s) {
    for (uint32_t i = 0; i < s->res.batch.count; i++) {
        const struct run_dispatch *d = &s->res.batch.items[i];
        run_command_dispatch(&s->res, 0, d);
        s->flight.expected_groups += d->groups_x * d->groups_y;
    }
}

// Control, and the state words that are asked for.
static void list_copies(struct whorl_session *s) {
    run_command_copy_control(&s->res, 0, s->res.control_read, 0);
    for (uint32_t i = 0; i < s->flight.words.count; i++)
        run_command_copy(&s->res, s->res.buffers[s->plan->state_buffer], (uint64_t)s->flight.words.at[i] * 4,
                         s->res.control_read, RUN_CONTROL_BYTES + (uint64_t)i * 4, 4);
}

static enum whorl_status upload_slots(struct whorl_session *s, struct whorl_error *err) {
    struct run_batch *b = &s->res.batch;
    if (b->on_device >= b->slot_count) return WHORL_OK;
    size_t from = (size_t)b->on_device * b->slot_bytes, size = (size_t)(b->slot_count - b->on_device) * b->slot_bytes;
    enum whorl_status status = run_gpu_write(s->res.gpu, s->res.params, from, b->slots + from, size, err);
    if (status == WHORL_OK) b->on_device = b->slot_count;
    return status;
}

enum whorl_status run_launch_commands(struct whorl_session *s, struct whorl_error *err) {
    enum whorl_status status = upload_slots(s, err);
    if (status != WHORL_OK) {
        run_commands_empty(&s->res);
        return status;
    }
    if (s->progress.first_submit_s == 0) s->progress.first_submit_s = run_now_s();
    status = run_commands_submit(&s->res, err);
    if (status == WHORL_OK) s->flight.pending++;
    return status;
}

// times: so often, one after the other. last: of the run, or before a wait, so that what is judged is copied out.
static enum whorl_status submit(struct whorl_session *s, uint32_t times, bool last, struct whorl_error *err) {
    if (!s->flight.has_control) {
        enum whorl_status status = run_control_take(&s->res, 1, err);
        if (status != WHORL_OK) return status;
        s->flight.expected_groups = 0;
        s->flight.has_control = true;
    }
    bool scratch = has_scratch(s->plan);
    for (uint32_t i = 0; i < times; i++) {
        if (scratch && !s->flight.scratch_cleared) run_launch_clear_scratch(s);
        s->flight.scratch_cleared = times == 1; // repeated calls each start anew
        list_batch(s);
    }
    if (last) list_copies(s);
    s->flight.pending_work_ns += s->res.batch.work_ns * times;
    return run_launch_commands(s, err);
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
