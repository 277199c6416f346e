// What the caller hears of a run that is going on.
#ifndef WHORL_RUN_PROGRESS_H
#define WHORL_RUN_PROGRESS_H

#include "run/session/session.h"

// A run begins, or goes on on another gpu: who listens, and where the counters of the gpu stand.
void run_progress_begin(struct run_progress *p, const struct whorl_run_options *options, const struct run_gpu *gpu);
// How much of the work is done: 0 ... 1; 0 where the end is not known.
double run_progress_fraction(const struct run_position *at);
// One slice more is done: tells the caller, and the patience of the gpu. WHORL_OK: the run goes on. Else it is to end,
// and `out` says after how much work. WHORL_CANCELLED: the caller said no. WHORL_STOPPED: its time is over (max_s; 0:
// any).
enum whorl_status run_progress_tell(struct run_progress *p, const struct run_position *at, struct run_gpu *gpu,
                                    double max_s, char *out, size_t size);

#endif
