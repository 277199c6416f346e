// A session on the CPU device: the arrays are plain memory, a call is a call.
#include <string.h>

#include "run/session.h"

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
    enum whorl_status status = run_cpu_create(&s->device->cc, s->device->cache_dir, s->program, &s->cpu, err);
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
    run_cpu_destroy(s->cpu);
    for (uint32_t i = 0; s->memory && i < s->plan->param_count; i++)
        base_heap_free(s->memory[i]);
    base_heap_free(s->memory);
    base_heap_free(s->scalar_slots);
}

static enum whorl_status call(struct whorl_session *s, void **arrays, uint32_t calls, struct whorl_stats *stats,
                              struct whorl_error *err) {
    fill_slots(s);
    double start = run_now_s();
    enum whorl_status status = run_cpu_call(s->cpu, arrays, s->scalar_slots, calls, err);
    stats->execute_ms = (run_now_s() - start) * 1e3;
    return status;
}

enum whorl_status run_session_call_cpu(struct whorl_session *s, uint32_t calls, struct whorl_stats *stats,
                                       struct whorl_error *err) {
    enum whorl_status status = run_session_memory_cpu(s, err);
    return status == WHORL_OK ? call(s, s->memory, calls, stats, err) : status;
}

enum whorl_status run_session_direct_cpu(struct whorl_session *s, void *const *arrays, const size_t *size_bytes,
                                         struct whorl_stats *stats, struct whorl_error *err) {
    (void)size_bytes;
    // The call takes a table of its own: `arrays` is the caller's and const.
    void **table = base_heap_alloc((s->plan->param_count + 1) * sizeof *table);
    if (!table) return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    for (uint32_t i = 0; i < s->plan->param_count; i++)
        table[i] = s->plan->params[i].is_array ? arrays[i] : NULL;
    enum whorl_status status = call(s, table, 1, stats, err);
    base_heap_free(table);
    return status;
}
