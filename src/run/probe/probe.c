// The first probe of a device: is it right, where do its loops end, what do its parts cost.
//
// Some drivers end a long loop without a word (lavapipe: after 65,535 passes of an invocation in all). The probe finds
// the number of passes that were really made; slices stay under it. The probe's kernel runs through an ordinary
// session, so what it measures is what programs will get.
#include <string.h>

#include "run/probe/probe.h"

enum { LANES = PROBE_LANES, TEST_PASSES = 200, SMALL_CAP = 70000, LARGE_CAP = 1000000, READERS = 65536 };

enum { EXPR_BYTES = 1, EXPR_WORDS, EXPR_ZERO };

void run_probe_plan(struct probe_plan *p, const char *wgsl, int64_t bytes) {
    memset(p, 0, sizeof *p);
    p->exprs[EXPR_BYTES] = (struct plan_expr_node){.op = PLAN_CONST, .value = bytes};
    p->exprs[EXPR_WORDS] = (struct plan_expr_node){.op = PLAN_CONST, .value = bytes / 4};
    p->exprs[EXPR_ZERO] = (struct plan_expr_node){.op = PLAN_CONST, .value = 0};
    static const char *const names[] = {"mode", "passes", "words"};
    for (uint32_t i = 0; i <= WORDS; i++)
        p->scalars[i] = (struct plan_scalar){.name = names[i], .kind = PLAN_UNIFORM, .dtype = WHORL_U32, .word = 8 + i};
    p->array = (struct plan_array){.name = "data",
                                   .kind = PLAN_INOUT,
                                   .dtype = WHORL_U32,
                                   .ndims = 1,
                                   .dims = {EXPR_WORDS},
                                   .offset_bytes = EXPR_ZERO};
    p->buffer = (struct plan_buffer){"data", EXPR_BYTES};
    p->binding = (struct plan_binding){0, true};
    p->kernel = (struct plan_kernel){.name = "probe",
                                     .origin = "the device's probe",
                                     .wgsl = wgsl,
                                     .workgroup_size = LANES,
                                     .iterations = EXPR_WORDS,
                                     .binding_count = 1,
                                     .bindings = &p->binding,
                                     .tick_loops = 1};
    p->param = (struct plan_param){true, 0};
    p->plan = (struct plan){.entry = "probe",
                            .profile = "base",
                            .exprs = p->exprs,
                            .expr_count = 4,
                            .scalars = p->scalars,
                            .scalar_count = WORDS + 1,
                            .arrays = &p->array,
                            .array_count = 1,
                            .buffers = &p->buffer,
                            .buffer_count = 1,
                            .kernels = &p->kernel,
                            .kernel_count = 1,
                            .param_words = 12,
                            .params = &p->param,
                            .param_count = 1};
    p->plan.steps = (struct plan_strategy){.exists = true, .root = {.kind = PLAN_DISPATCH}, .note = ""};
    p->program = (struct whorl_program){.name = "probe", .plan = &p->plan};
}

enum whorl_status run_probe_open(struct whorl_device *device, const struct probe_plan *p, struct whorl_session **out,
                                 struct whorl_error *err) {
    enum whorl_status status = run_session_new(device, &p->program, NULL, 0, out, err);
    if (status != WHORL_OK) return status;
    (*out)->asked = (*out)->opened = (*out)->strategy = WHORL_STEPS;
    status = run_session_fill(*out, err);
    if (status == WHORL_OK) return WHORL_OK;
    run_session_drop(*out);
    *out = NULL;
    return status;
}

// ---- running ----
static enum whorl_status wait(struct whorl_session *s, struct whorl_error *err) {
    uint32_t control[PLAN_CONTROL_WORDS];
    bool cut;
    enum whorl_status status = run_watch(s, control, &cut, err);
    if (status == WHORL_OK && control[PLAN_CONTROL_GROUPS] != s->flight.expected_groups)
        return base_set_error(err, WHORL_DEVICE, "device", "of %u workgroups %u reported", s->flight.expected_groups,
                              control[PLAN_CONTROL_GROUPS]);
    return status;
}

// `dispatches` in each of `submits`; *out_s is the time of it all.
enum whorl_status run_probe_once(struct whorl_session *s, uint32_t mode, uint32_t passes, uint32_t count,
                                 uint32_t dispatches, uint32_t submits, double *out_s, struct whorl_error *err) {
    double start = run_now_s();
    s->scalars.values[MODE] = mode;
    s->scalars.values[PASSES] = passes;
    s->scalars.values[WORDS] = (int64_t)(s->res.sizes[0] / 16);
    for (uint32_t i = 0; i < submits; i++) {
        for (uint32_t d = 0; d < dispatches && !run_launch_full(&s->res.batch); d++)
            run_launch_add(s, 0, (struct run_call){0, count, PLAN_NO_LIMIT, 0});
        enum whorl_status status = run_launch_submit(s, i + 1 == submits, err);
        if (status != WHORL_OK) return status;
    }
    enum whorl_status status = wait(s, err);
    *out_s = run_now_s() - start;
    return status;
}

// So many dispatches in one submit, each of which writes what the one before it wrote.
static enum whorl_status time_repeated(struct whorl_session *s, int tries, uint32_t mode, uint32_t count,
                                       uint32_t dispatches, double *out_s, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    s->scalars.values[MODE] = mode;
    s->scalars.values[PASSES] = 0;
    s->scalars.values[WORDS] = (int64_t)(s->res.sizes[0] / 16);
    *out_s = 1e9;
    for (int i = 0; i < tries && status == WHORL_OK; i++) {
        double start = run_now_s();
        run_launch_add(s, 0, (struct run_call){0, count, PLAN_NO_LIMIT, 0});
        status = run_launch_repeat(s, dispatches, err);
        double seconds = run_now_s() - start;
        if (seconds < *out_s) *out_s = seconds;
    }
    return status;
}

enum whorl_status run_probe_time(struct whorl_session *s, int tries, uint32_t mode, uint32_t passes, uint32_t count,
                                 uint32_t dispatches, uint32_t submits, double *out_s, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    *out_s = 1e9;
    for (int i = 0; i < tries && status == WHORL_OK; i++) {
        double seconds;
        status = run_probe_once(s, mode, passes, count, dispatches, submits, &seconds, err);
        if (seconds < *out_s) *out_s = seconds;
    }
    return status;
}

// ---- is it right ----
static void expected(uint32_t seed, uint32_t passes, uint32_t out[4]) {
    uint32_t x = seed;
    float f = (float)(seed & 15);
    for (uint32_t k = 0; k < passes; k++) {
        x = (x ^ x >> 15) * 747796405u + k;
        f = f * 0.5f + (float)(x >> 30);
    }
    out[0] = x;
    out[1] =
        base_float_bits(f); // |f| < 16 with bits down to 2^-passes: rounding is the same in every order of f * 0.5 + c
    out[2] = passes;
    out[3] = (uint32_t)((int32_t)x / 7);
}

static enum whorl_status read_data(struct whorl_session *s, uint32_t *out, size_t words, struct whorl_error *err) {
    return run_array_read(s, &s->plan->arrays[0], out, words * 4, err);
}

static enum whorl_status self_test(struct whorl_session *s, struct whorl_error *err) {
    enum { COUNT = 100 };
    uint32_t got[COUNT * 4], want[4] = {0};
    const uint32_t *bad = got;
    double seconds;
    enum whorl_status status = run_probe_once(s, 0, TEST_PASSES, COUNT, 1, 1, &seconds, err);
    if (status == WHORL_OK) status = read_data(s, got, COUNT * 4, err);
    if (status != WHORL_OK) return status;
    bool right = !run_gpu_fault();
    for (uint32_t i = 0; i < COUNT && right; i++) {
        expected(i * 2654435761u, TEST_PASSES, want);
        bad = got + i * 4;
        right = memcmp(want, bad, sizeof want) == 0;
    }
    if (right) return WHORL_OK;
    return base_set_error(
        err, WHORL_DEVICE, "device",
        "%s fails the self-test and is not used: it computes %08x %08x %08x %08x where %08x %08x %08x %08x is right",
        s->device->info.name, bad[0], bad[1], bad[2], bad[3], want[0], want[1], want[2], want[3]);
}

// The number of passes after which loops end; 0: none up to LARGE_CAP.
static enum whorl_status find_loop_cap(struct whorl_session *s, uint32_t *out, struct whorl_error *err) {
    static const uint32_t tries[] = {SMALL_CAP, LARGE_CAP};
    *out = 0;
    for (int i = 0; i < 2; i++) {
        uint32_t got[4], want[4];
        double seconds;
        enum whorl_status status = run_probe_once(s, 0, tries[i], 1, 1, 1, &seconds, err);
        if (status == WHORL_OK) status = read_data(s, got, 4, err);
        if (status != WHORL_OK) return status;
        expected(0, got[2] <= tries[i] ? got[2] : 0, want);
        if (got[2] > tries[i] || got[2] == 0 || memcmp(got, want, 8) != 0)
            return base_set_error(err, WHORL_DEVICE, "device", "%s fails the self-test (long loops) and is not used",
                                  s->device->info.name);
        if (got[2] < tries[i]) {
            *out = got[2];
            return WHORL_OK;
        }
    }
    return WHORL_OK;
}

// ---- what does it cost ----
static enum whorl_status measure_costs(struct whorl_session *s, struct run_probe *out, struct whorl_error *err) {
    enum { DISPATCHES = 400, SOFTWARE_DISPATCHES = 40, SUBMITS = 50, WAITS = 9, TRIES = 3 };
    const uint32_t dispatches = s->device->gpu->is_software ? SOFTWARE_DISPATCHES : DISPATCHES;
    double one, many, submits;
    enum whorl_status status = run_probe_time(s, WAITS, 0, 0, 1, 1, 1, &one, err);
    if (status == WHORL_OK) status = time_repeated(s, TRIES, 0, 1, dispatches, &many, err);
    if (status == WHORL_OK) status = run_probe_time(s, 2, 0, 0, 1, 1, SUBMITS, &submits, err);
    if (status != WHORL_OK) return status;
    out->wait_us = one * 1e6;
    out->dispatch_us = many > one ? (many - one) / (dispatches - 1) * 1e6 : 0;
    out->submit_us = submits > one ? (submits - one) / (SUBMITS - 1) * 1e6 : 0;
    return WHORL_OK;
}

static enum whorl_status measure_rates(struct whorl_session *s, struct run_probe *out, struct whorl_error *err) {
    enum { OPS_A_PASS = 10, MAX_PASSES = 4096 }; // far under any loop cap
    const double wait_s = out->wait_us * 1e-6;
    double seconds = 0;
    uint32_t count = s->device->gpu->is_software ? 8192 : READERS;
    enum whorl_status status = WHORL_OK;
    for (uint32_t passes = 64; passes <= MAX_PASSES && status == WHORL_OK; passes *= 4) {
        status = run_probe_once(s, 0, passes, count, 1, 1, &seconds, err);
        double busy = seconds > 1.1 * wait_s ? seconds - wait_s : 0.1 * wait_s;
        out->ops_per_s = (double)passes * count * OPS_A_PASS / busy;
        if (seconds > 5e-3 + wait_s) break;
    }
    if (status == WHORL_OK) status = run_probe_time(s, 3, 1, 0, READERS, 1, 1, &seconds, err);
    double busy = seconds > 1.1 * wait_s ? seconds - wait_s : 0.1 * wait_s;
    out->read_gbps = (double)s->res.sizes[0] / busy * 1e-9;
    return status;
}

// Loads by one invocation, each from a place that the one before it decides.
static enum whorl_status measure_latency(struct whorl_session *s, struct run_probe *out, struct whorl_error *err) {
    enum { TRIES = 3, LOADS = 16384 }; // under any loop cap
    double none, all;
    enum whorl_status status = run_probe_time(s, TRIES, 3, 0, 1, 1, 1, &none, err);
    if (status == WHORL_OK) status = run_probe_time(s, TRIES, 3, LOADS, 1, 1, 1, &all, err);
    if (status == WHORL_OK) out->latency_ns = (all > none ? all - none : all) / LOADS * 1e9; // busy: at most
    return status;
}

// Copies from one half of a large buffer to the other, one after the other in one submit, so that neither submitting
// nor what a cache keeps is part of the figure. Read and written bytes count.
static enum whorl_status measure_copies(struct whorl_device *device, double *out_gbps, struct whorl_error *err) {
    enum { TRIES = 3, MOST = 32, SOFTWARE_BYTES = 256 << 10, BYTES = 256 << 20 };
    struct probe_plan plan;
    struct whorl_session *s;
    uint64_t bytes = device->gpu->is_software ? SOFTWARE_BYTES : BYTES;
    if (bytes > device->info.max_binding_bytes) bytes = device->info.max_binding_bytes & ~(uint64_t)255;
    *out_gbps = 0;
    run_probe_plan(&plan, run_probe_file("speed.wgsl"), (int64_t)bytes);
    if (run_probe_open(device, &plan, &s, NULL) != WHORL_OK)
        return device->gpu->lost ? base_set_error(err, WHORL_DEVICE, "device", "%s was lost while it was measured",
                                                  device->info.name)
                                 : WHORL_OK; // no room for it
    s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
    uint32_t half = (uint32_t)(bytes / 32);
    double one, many;
    enum whorl_status status = time_repeated(s, TRIES, 2, half, 1, &one, err);
    uint32_t times = one > 0 && one < 10e-3 && !device->gpu->is_software ? (uint32_t)(20e-3 / one) : 2;
    if (times > MOST) times = MOST;
    if (status == WHORL_OK) status = time_repeated(s, TRIES, 2, half, times + 1, &many, err);
    if (status == WHORL_OK && many > one) *out_gbps = (double)bytes * times / (many - one) * 1e-9;
    run_session_drop(s);
    return status;
}

// Figures that a device may refuse have kernels of their own: without the kernel there is no figure. What fails later
// is an error.
static enum whorl_status measure_subgroup(struct whorl_device *device, uint32_t *out, struct whorl_error *err) {
    struct probe_plan plan;
    struct whorl_session *s;
    double seconds;
    *out = device->info.subgroup_size;
    if (!device->info.has_subgroups || device->gpu->lib.abi != RUN_ABI_WGPU_NATIVE_29) return WHORL_OK; // Dawn tells it
    *out = 0;
    run_probe_plan(&plan, run_probe_file("subgroup.wgsl"), 256);
    if (run_probe_open(device, &plan, &s, NULL) != WHORL_OK) return WHORL_OK;
    enum whorl_status status = run_probe_once(s, 0, 0, LANES, 1, 1, &seconds, err);
    if (status == WHORL_OK) status = read_data(s, out, 1, err);
    if (status != WHORL_OK || *out > 128) *out = 0;
    run_session_drop(s);
    return status;
}

static enum whorl_status measure_all(struct whorl_session *s, struct run_probe *out, struct whorl_error *err) {
    enum whorl_status status = find_loop_cap(s, &out->loop_cap, err);
    if (status == WHORL_OK) status = measure_costs(s, out, err);
    if (status == WHORL_OK) status = measure_rates(s, out, err);
    if (status == WHORL_OK) status = measure_latency(s, out, err);
    if (status == WHORL_OK) status = measure_copies(s->device, &out->copy_gbps, err);
    if (status == WHORL_OK) status = run_probe_math(s->device, out, err);
    if (status == WHORL_OK) status = measure_subgroup(s->device, &out->subgroup_size, err);
    if (status == WHORL_OK) status = run_probe_lanes(s->device, out, err);
    if (status == WHORL_OK) status = run_probe_registers(s->device, &out->register_words, err);
    if (status != WHORL_OK) return status;
    status = run_probe_grid(s->device, out, err);
    if (status != WHORL_OK) run_probe_store(s->device, out); // it cost the device: once is enough
    if (status == WHORL_OK && s->device->gpu->lost)
        status = base_set_error(err, WHORL_DEVICE, "device", "%s was lost while it was measured", s->device->info.name);
    return status;
}

enum whorl_status run_probe_device(struct whorl_device *device, bool measure, struct whorl_error *err) {
    if (measure && run_probe_load(device, &device->probe)) return WHORL_OK;
    struct probe_plan plan;
    struct whorl_session *s;
    int64_t bytes = !measure ? (int64_t)READERS * 16 : device->gpu->is_software ? 16 << 20 : 128 << 20;
    if ((uint64_t)bytes > device->info.max_binding_bytes)
        bytes = (int64_t)(device->info.max_binding_bytes & ~(uint64_t)255);
    run_probe_plan(&plan, run_probe_file("speed.wgsl"), bytes);
    enum whorl_status status = run_probe_open(device, &plan, &s, err);
    if (status != WHORL_OK) return status;
    s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
    status = self_test(s, err);
    struct run_probe found = {0};
    if (status == WHORL_OK && measure) status = measure_all(s, &found, err);
    run_session_drop(s);
    if (status == WHORL_OK && measure) {
        device->probe = found;
        run_probe_store(device, &found);
    }
    return status;
}
