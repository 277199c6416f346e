// A session on the CPU device: the arrays are plain memory, a call is a call.
#include <string.h>

#include "run/report/log.h"

static void fill_slots(struct whorl_session *s) {
    const struct plan *plan = s->plan;
    for (uint32_t i = 0; i < plan->param_count; i++) {
        s->scalar_slots[i] = 0;
        if (!plan->params[i].is_array) s->scalar_slots[i] = (uint64_t)s->values[plan->params[i].index];
    }
}

enum whorl_status run_session_open_cpu(struct whorl_session *s, struct whorl_error *err) {
    const struct plan *plan = s->plan;
    size_t count = plan->param_count ? plan->param_count : 1;
    s->memory = base_heap_alloc(count * sizeof *s->memory);
    s->scalar_slots = base_heap_alloc(count * sizeof *s->scalar_slots);
    if (s->memory) memset(s->memory, 0, count * sizeof *s->memory);
    if (!s->memory || !s->scalar_slots) return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    enum whorl_status status =
        run_cpu_create(&s->device->cc, s->device->cache_dir, &s->device->warning, s->program, &s->cpu, err);
    if (status == WHORL_OK) s->pipeline_ms = run_cpu_build_ms(s->cpu);
    return status;
}

// Arrays of the session's own: only sessions need them, whorl_run works on the caller's.
enum whorl_status run_session_memory_cpu(struct whorl_session *s, struct whorl_error *err) {
    for (uint32_t i = 0; i < s->plan->param_count; i++) {
        size_t bytes;
        if (!s->plan->params[i].is_array || s->memory[i]) continue;
        const struct plan_array *a = &s->plan->arrays[s->plan->params[i].index];
        if (!run_array_bytes(s->plan, a, s->values, &bytes) || !(s->memory[i] = base_heap_alloc(bytes)))
            return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory for array '%s'", a->name);
        memset(s->memory[i], 0, bytes);
    }
    return WHORL_OK;
}

void run_session_close_cpu(struct whorl_session *s) {
    if (s->memory && !run_cpu_holds(s->cpu, s->memory)) {
        for (uint32_t i = 0; i < s->plan->param_count; i++)
            base_heap_free(s->memory[i]);
        base_heap_free(s->memory);
    }
    if (!run_cpu_is_given_up(s->cpu)) base_heap_free(s->scalar_slots);
    run_cpu_destroy(s->cpu);
}

static enum whorl_status call(struct whorl_session *s, void **arrays, uint32_t calls,
                              const struct whorl_run_options *options, struct whorl_stats *stats,
                              struct whorl_error *err) {
    struct run_listener listener = {.options = options};
    fill_slots(s);
    double start = run_now_s();
    enum whorl_status status = run_cpu_call(s->cpu, arrays, s->scalar_slots, calls, &listener, options->max_s, err);
    stats->execute_ms = (run_now_s() - start) * 1e3;
    return status == WHORL_OK ? run_log_verdict(&listener, err) : status;
}

enum whorl_status run_session_call_cpu(struct whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                       struct whorl_stats *stats, struct whorl_error *err) {
    enum whorl_status status = run_session_memory_cpu(s, err);
    return status == WHORL_OK ? call(s, s->memory, calls, options, stats, err) : status;
}

// Where an assert may fail, or the call may be given up, the program works on copies: the caller's outputs are to be
// untouched then. Of a call that may be given up inputs are copies too: the caller may free them while it still reads.
static bool is_copied(const struct plan *p, uint32_t param, bool inputs_too) {
    return p->params[param].is_array && (inputs_too || p->arrays[p->params[param].index].kind == PLAN_INOUT);
}

static enum whorl_status call_on_copies(struct whorl_session *s, void *const *table, const size_t *size_bytes,
                                        const struct whorl_run_options *options, struct whorl_stats *stats,
                                        struct whorl_error *err) {
    const struct plan *p = s->plan;
    const bool inputs_too = options->max_s > 0;
    void **own = base_heap_alloc((p->param_count + 1) * sizeof *own);
    if (!own) return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    enum whorl_status status = WHORL_OK;
    for (uint32_t i = 0; i < p->param_count; i++) {
        own[i] = table[i];
        if (!is_copied(p, i, inputs_too)) continue;
        own[i] = status == WHORL_OK ? base_heap_alloc(size_bytes[i]) : NULL;
        if (own[i] && size_bytes[i])
            memcpy(own[i], table[i], size_bytes[i]);
        else if (!own[i] && status == WHORL_OK)
            status = base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    }
    if (status == WHORL_OK) status = call(s, own, 1, options, stats, err);
    if (run_cpu_is_given_up(s->cpu)) return status; // they are its own now
    for (uint32_t i = 0; i < p->param_count; i++) {
        if (!is_copied(p, i, inputs_too)) continue;
        if (status == WHORL_OK && size_bytes[i] && is_copied(p, i, false)) memcpy(table[i], own[i], size_bytes[i]);
        base_heap_free(own[i]);
    }
    base_heap_free(own);
    return status;
}

enum whorl_status run_session_direct_cpu(struct whorl_session *s, void *const *arrays, const size_t *size_bytes,
                                         const struct whorl_run_options *options, struct whorl_stats *stats,
                                         struct whorl_error *err) {
    // The call takes a table of its own: `arrays` is the caller's and const.
    void **table = base_heap_alloc((s->plan->param_count + 1) * sizeof *table);
    if (!table) return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    for (uint32_t i = 0; i < s->plan->param_count; i++)
        table[i] = s->plan->params[i].is_array ? arrays[i] : NULL;
    bool copies = run_log_has_asserts(s->plan) || options->max_s > 0;
    enum whorl_status status =
        copies ? call_on_copies(s, table, size_bytes, options, stats, err) : call(s, table, 1, options, stats, err);
    base_heap_free(table);
    return status;
}
