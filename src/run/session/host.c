// What a session has on the CPU device: the loaded program, and arrays that are plain memory.
#include <string.h>

#include "run/session/buffers.h"

enum whorl_status run_host_open(struct whorl_session *s, struct whorl_error *err) {
    const struct plan *plan = s->plan;
    size_t count = plan->param_count ? plan->param_count : 1;
    s->host.memory = base_heap_alloc(count * sizeof *s->host.memory);
    s->host.borrowed = base_heap_alloc(count * sizeof *s->host.borrowed);
    s->host.slots = base_heap_alloc(count * sizeof *s->host.slots);
    if (s->host.memory) memset(s->host.memory, 0, count * sizeof *s->host.memory);
    if (s->host.borrowed) memset(s->host.borrowed, 0, count * sizeof *s->host.borrowed);
    if (!s->host.memory || !s->host.borrowed || !s->host.slots)
        return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory");
    enum whorl_status status =
        run_cpu_create(&s->device->cc, s->device->cache_dir, &s->device->warning, s->program, &s->host.cpu, err);
    if (status == WHORL_OK) s->progress.pipeline_ms = run_cpu_build_ms(s->host.cpu);
    return status;
}

// Only sessions need them, whorl_run works on the caller's.
enum whorl_status run_host_memory(struct whorl_session *s, struct whorl_error *err) {
    for (uint32_t i = 0; i < s->plan->param_count; i++) {
        size_t bytes;
        if (!s->plan->params[i].is_array || s->host.memory[i]) continue;
        const struct plan_array *a = &s->plan->arrays[s->plan->params[i].index];
        if (!run_array_bytes(s->plan, a, s->scalars.values, &bytes) || !(s->host.memory[i] = base_heap_alloc(bytes)))
            return base_set_error(err, WHORL_MEMORY, "cpu", "out of memory for array '%s'", a->name);
        memset(s->host.memory[i], 0, bytes);
    }
    return WHORL_OK;
}

void run_host_close(struct whorl_session *s) {
    if (s->host.memory && !run_cpu_holds(s->host.cpu, s->host.memory)) {
        for (uint32_t i = 0; i < s->plan->param_count; i++)
            if (!s->host.borrowed || !s->host.borrowed[i]) base_heap_free(s->host.memory[i]);
        base_heap_free(s->host.memory);
    }
    base_heap_free(s->host.borrowed);
    if (!run_cpu_is_given_up(s->host.cpu)) base_heap_free(s->host.slots);
    run_cpu_destroy(s->host.cpu);
}
