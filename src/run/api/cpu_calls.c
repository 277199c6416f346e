// Calls on the CPU device: the arrays are plain memory, a call is a call.
#include <string.h>

#include "run/api/api.h"
#include "run/report/log.h"

static void fill_slots(struct whorl_session *s) {
    const struct plan *plan = s->plan;
    for (uint32_t i = 0; i < plan->param_count; i++) {
        s->host.slots[i] = 0;
        if (!plan->params[i].is_array) s->host.slots[i] = (uint64_t)s->scalars.values[plan->params[i].index];
    }
}

static enum whorl_status call(struct whorl_session *s, void **arrays, uint32_t calls,
                              const struct whorl_run_options *options, struct whorl_stats *stats,
                              struct whorl_error *err) {
    struct run_listener listener = {.options = options};
    fill_slots(s);
    double start = run_now_s();
    enum whorl_status status = run_cpu_call(s->host.cpu, arrays, s->host.slots, calls,
                                            (struct run_hearing){run_log_hear, &listener}, options, err);
    stats->execute_ms = (run_now_s() - start) * 1e3;
    return status == WHORL_OK ? run_log_verdict(&listener, err) : status;
}

enum whorl_status run_session_call_cpu(struct whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                       struct whorl_stats *stats, struct whorl_error *err) {
    enum whorl_status status = run_host_memory(s, err);
    return status == WHORL_OK ? call(s, s->host.memory, calls, options, stats, err) : status;
}

// Where an assert may fail, or the call may be given up, the caller's outputs must stay as they are: the program works
// on copies of them. A call that may be given up has copies of the inputs too, since it may go on reading them after
// the caller has freed them.
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
    if (run_cpu_is_given_up(s->host.cpu)) return status; // they are its own now
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
    struct whorl_run_options own = *options;
    if (own.max_s == 0) own.progress = NULL; // nobody may give up a call that works on the caller's memory
    enum whorl_status status =
        copies ? call_on_copies(s, table, size_bytes, &own, stats, err) : call(s, table, 1, &own, stats, err);
    base_heap_free(table);
    return status;
}
