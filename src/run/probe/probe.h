// The probe's kernels run through ordinary sessions of a plan that is made by hand: one array, one kernel, three
// scalars.
#ifndef WHORL_PROBE_H
#define WHORL_PROBE_H

#include "run/session/buffers.h"
#include "run/session/launch.h"

enum { MODE, PASSES, WORDS }; // scalars of the probe's plan: params words 8, 9, 10
enum { PROBE_LANES = 64 };    // invocations of a workgroup

// The plan by hand; everything lives in the caller's frame.
struct probe_plan {
    struct plan_expr_node exprs[4];
    struct plan_scalar scalars[WORDS + 1];
    struct plan_array array;
    struct plan_buffer buffer;
    struct plan_binding binding;
    struct plan_kernel kernel;
    struct plan_param param;
    struct plan plan;
    struct whorl_program program;
};

// ---- probe.c --------------------------------------------------------------------------------------------------------
// Runs the self-test and, unless options forbid it, the measurements; or takes both from the cache. WHORL_DEVICE if a
// result is wrong.
enum whorl_status run_probe_device(struct whorl_device *device, bool measure, struct whorl_error *err);

// ---- probe_cache.c --------------------------------------------------------------------------------------------------
// False if there is no cached result that fits.
bool run_probe_load(const struct whorl_device *device, struct run_probe *out);
void run_probe_store(const struct whorl_device *device, const struct run_probe *probe);
void run_probe_forget(const struct whorl_device *device);

// ---- for the probe's own files --------------------------------------------------------------------------------------
// A text of src/wgsl/probe, "speed.wgsl"; "" if there is none.
const char *run_probe_file(const char *name);
// Writes one part of such a text, with the number n for each `$n` and a component of a vector for each `$c`. Parts
// begin at lines `//: NAME`; "" is what stands before the first. Returns the bytes written; `out` ends with a NUL, and
// is cut where it is too small.
size_t run_probe_part(char *out, size_t size, const char *name, const char *part, uint32_t n);
// The kernel sees the array as binding 2, of `bytes` bytes.
void run_probe_plan(struct probe_plan *p, const char *wgsl, int64_t bytes);
// A session for it; run_session_drop ends it.
enum whorl_status run_probe_open(struct whorl_device *device, const struct probe_plan *p, struct whorl_session **out,
                                 struct whorl_error *err);

// The least time of several tries of `submits` submits with `dispatches` dispatches of `count` iterations each.
enum whorl_status run_probe_once(struct whorl_session *s, uint32_t mode, uint32_t passes, uint32_t count,
                                 uint32_t dispatches, uint32_t submits, double *out_s, struct whorl_error *err);
enum whorl_status run_probe_time(struct whorl_session *s, int tries, uint32_t mode, uint32_t passes, uint32_t count,
                                 uint32_t dispatches, uint32_t submits, double *out_s, struct whorl_error *err);

// Fills in the errors of WGSL's own functions; leaves them out where the device refuses the kernel.
enum whorl_status run_probe_math(struct whorl_device *device, struct run_probe *out, struct whorl_error *err);
const char *run_probe_builtin(uint32_t i); // its name, i < WHORL_BUILTINS

// Whether workgroups can meet at barriers, in out->grid_*. What fails is said in grid_note; only a lost device is an
// error.
enum whorl_status run_probe_grid(struct whorl_device *device, struct run_probe *out, struct whorl_error *err);

// Up to how many neighbours exchange values exactly, in out->subgroup_lanes (which follows out->subgroup_size).
enum whorl_status run_probe_lanes(struct whorl_device *device, struct run_probe *out, struct whorl_error *err);

// Whether pairs of floats are exact: WHORL_DEVICE where they are not, and what to do instead. Asked once of a device.
enum whorl_status run_probe_pairs(struct whorl_device *device, struct whorl_error *err);
bool run_has_pairs(const struct plan *plan); // its kernels compute with such pairs

// How many loaded words an invocation should keep over a loop instead of loading them in it; 0: not measured.
enum whorl_status run_probe_registers(struct whorl_device *device, uint32_t *out, struct whorl_error *err);

#endif
