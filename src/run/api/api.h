// What the files with the functions of whorl.h share. No other part of run may include it.
#ifndef WHORL_RUN_API_H
#define WHORL_RUN_API_H

#include "run/session/session.h"

// ---- device.c -------------------------------------------------------------------------------------------------------
// Invocations that keep a device busy, from what was measured of it.
uint32_t run_busy_invocations(const struct run_probe *probe, bool is_software);
// Opens the same adapter again in the place of a gpu that was lost.
enum whorl_status run_device_renew(struct whorl_device *device, struct whorl_error *err);

// ---- session.c ------------------------------------------------------------------------------------------------------
enum whorl_status run_session_open(struct whorl_device *device, const struct whorl_program *program,
                                   const struct whorl_run_options *options, enum whorl_strategy strategy,
                                   struct whorl_session **out, struct whorl_error *err);
// The same where auto is to take this choice, whatever is known of the plan.
enum whorl_status run_session_open_for(struct whorl_device *device, const struct whorl_program *program,
                                       const struct whorl_run_options *options, enum whorl_strategy strategy,
                                       const struct run_choice *choice, struct whorl_session **out,
                                       struct whorl_error *err);
enum whorl_status run_session_find_array(const struct whorl_session *s, size_t param, size_t size_bytes,
                                         const struct plan_array **out, struct whorl_error *err);
// The caller's options, or the defaults that *own holds; WHORL_INVALID where a value cannot be meant.
enum whorl_status run_take_options(struct whorl_run_options *own, const struct whorl_run_options *given,
                                   struct whorl_error *err);
// whorl_session_run. gives_up: at options->max_s the device is given up where no slice ends.
enum whorl_status run_session_run(whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                  bool gives_up, struct whorl_stats *out_stats, struct whorl_error *err);
// The device's patience is the run's, until its end.
void run_patience_begin(struct whorl_device *device, const struct whorl_run_options *options, bool gives_up);
void run_patience_end(struct whorl_device *device);

// ---- cpu_calls.c ----------------------------------------------------------------------------------------------------
enum whorl_status run_session_call_cpu(struct whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                       struct whorl_stats *stats, struct whorl_error *err);
// On the caller's own memory.
enum whorl_status run_session_direct_cpu(struct whorl_session *s, void *const *arrays, const size_t *size_bytes,
                                         const struct whorl_run_options *options, struct whorl_stats *stats,
                                         struct whorl_error *err);

// ---- agreement.c ----------------------------------------------------------------------------------------------------
enum { RUN_DISAGREEMENT = 256 };
struct run_view {
    const char *name; // of the strategy
    const void *data; // what it left of the array
};
// The two have the same bits; else `out` says in which element they differ, and what to do.
bool run_agree(const struct run_scalars *v, const struct plan_array *a, const struct run_view views[2],
               size_t size_bytes, char out[RUN_DISAGREEMENT]);

#endif
