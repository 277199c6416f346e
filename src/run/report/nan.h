// --find-nan: after each dispatch, which elements became NaN or infinite in it.
#ifndef WHORL_RUN_NAN_H
#define WHORL_RUN_NAN_H

#include "run/session/session.h"

// For whorl_run_options.find_nan, for one run. NULL: out of memory.
struct run_nan *run_nan_create(struct whorl_session *s);
void run_nan_destroy(struct run_nan *n);
// A run begins: what its inputs hold already is not to be reported. No-op without s->nan, as the others.
enum whorl_status run_nan_begin(struct whorl_session *s, struct whorl_error *err);
// One dispatch of the kernel is done. WHORL_SOURCE: an element became NaN, err names it.
enum whorl_status run_nan_look(struct whorl_session *s, const struct run_walk *walk, uint32_t kernel,
                               struct whorl_error *err);
// The run is done: WHORL_SOURCE if an element became infinite and none NaN.
enum whorl_status run_nan_end(struct whorl_session *s, struct whorl_error *err);

#endif
