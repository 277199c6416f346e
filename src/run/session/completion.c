// Waiting for submitted work and judging it. Nothing that a kernel computed is believed before its control words say
// that every workgroup reached its end and no loop was ended early: drivers report success for work that they cut.
#include <string.h>

#include "run/session/command_list.h"
#include "run/session/launch.h"

enum whorl_status run_watch(struct whorl_session *s, uint32_t out_control[PLAN_CONTROL_WORDS], bool *out_cut,
                            struct whorl_error *err) {
    struct run_gpu *g = s->res.gpu;
    const void *mapped;
    double timeout_s = g->timeout_s * (s->policy.slice_ms == 0 ? 10 : 1),
           estimate_s = s->flight.pending_work_ns * 20e-9;
    *out_cut = false;
    enum whorl_status status = run_commands_foresee(&s->res, err);
    if (status == WHORL_OK)
        status = run_gpu_map(g, s->res.control_read, RUN_READ_BYTES, timeout_s > estimate_s ? timeout_s : estimate_s,
                             &mapped, err);
    if (status != WHORL_OK) return status;
    memcpy(out_control, mapped, RUN_CONTROL_BYTES);
    memcpy(s->flight.words.values, (const char *)mapped + RUN_CONTROL_BYTES, sizeof s->flight.words.values);
    s->flight.words.count = 0;
    g->lib.BufferUnmap(s->res.control_read);
    s->progress.last_done_s = run_now_s();
    s->flight.pending = 0;
    s->flight.pending_work_ns = 0;
    s->flight.has_control = false;
    *out_cut = out_control[PLAN_CONTROL_GROUPS] != s->flight.expected_groups || out_control[PLAN_CONTROL_FAILED] != 0;
    return WHORL_OK;
}
