// Where is the knee of the register file? A loop that needs 256 words of its own invocation, of which the first B are
// loaded in front of it and the rest in every pass: the best B is what the compiler may keep (pass/memory/hoist.c).
// Spilled registers come back from memory too, so a B beyond the register file shows by itself.

#include "base/base.h"
#include "run/probe/probe.h"

enum { KNEE_WORDS = 256, KNEE_INVOCATIONS = 4096, KNEE_PASSES = 300, KNEE_TEXT = 48 << 10 };

static void knee_kernel(char *text, uint32_t kept) {
    static const char name[] = "registers.wgsl";
    size_t at = run_probe_part(text, KNEE_TEXT, name, "", 0);
    for (uint32_t w = 0; w < kept; w++)
        at += run_probe_part(text + at, KNEE_TEXT - at, name, "keep", w);
    at += run_probe_part(text + at, KNEE_TEXT - at, name, "loop", 0);
    for (uint32_t w = 0; w < KNEE_WORDS; w++)
        at += run_probe_part(text + at, KNEE_TEXT - at, name, w < kept ? "use" : "load", w);
    run_probe_part(text + at, KNEE_TEXT - at, name, "end", 0);
}

enum whorl_status run_probe_registers(struct whorl_device *device, uint32_t *out, struct whorl_error *err) {
    static const uint32_t tries[] = {32, 64, 96, 128, 192, 256};
    *out = 0;
    if (device->gpu->is_software) return WHORL_OK; // a compiler for a CPU spills as it likes
    char *text = base_heap_alloc(KNEE_TEXT);
    if (!text) return base_set_error(err, WHORL_MEMORY, "device", "out of memory for the probe");
    enum whorl_status status = WHORL_OK;
    double best = 0;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct probe_plan plan;
        struct whorl_session *s;
        double seconds = 0;
        knee_kernel(text, tries[i]);
        run_probe_plan(&plan, text, (int64_t)KNEE_WORDS * KNEE_INVOCATIONS * 4);
        plan.binding.writable = false;
        if (run_probe_open(device, &plan, &s, NULL) != WHORL_OK) break;
        s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
        status = run_probe_time(s, 5, 0, KNEE_PASSES, KNEE_INVOCATIONS, 1, 1, &seconds, err);
        run_session_drop(s);
        if (status != WHORL_OK) break;
        if (*out == 0 || seconds < 0.95 * best) { // more registers must pay
            best = seconds;
            *out = tries[i];
        }
    }
    base_heap_free(text);
    return status;
}
