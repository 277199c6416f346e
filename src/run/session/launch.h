// Work to the device and back: launch.c collects dispatches into a batch, one submit each; completion.c waits for what
// was submitted and judges it.
#ifndef WHORL_RUN_LAUNCH_H
#define WHORL_RUN_LAUNCH_H

#include "run/session/session.h"

// ---- launch.c -------------------------------------------------------------------------------------------------------
struct run_call { // params words 0..3 of one dispatch
    uint32_t base, count, budget, resume;
};
// Appends a dispatch to the batch; the batch has room.
void run_launch_add(struct whorl_session *s, uint32_t kernel, struct run_call call);
// The same with all words of the call given.
void run_launch_add_words(struct whorl_session *s, uint32_t kernel, const uint32_t words[PLAN_PARAM_CALL_WORDS],
                          uint32_t groups_x, uint32_t groups_y);
bool run_launch_full(const struct run_batch *b);
// A run begins: nothing is in the batch or in flight. What scratch arrays hold is left as it is.
void run_launch_begin(struct whorl_session *s);
void run_launch_empty(struct run_batch *b);
// Submits the list of commands (command_list.h), with the params of the batch.
enum whorl_status run_launch_commands(struct whorl_session *s, struct whorl_error *err);
// Appends to that list: scratch arrays as a call finds them.
void run_launch_clear_scratch(struct whorl_session *s);
// Submits the batch and empties it. With `last`, control is copied out for run_watch.
enum whorl_status run_launch_submit(struct whorl_session *s, bool last, struct whorl_error *err);
// Submits the batch `calls` times, as fast as it can, scratch arrays cleared before each.
enum whorl_status run_launch_repeat(struct whorl_session *s, uint32_t calls, struct whorl_error *err);

// ---- completion.c ---------------------------------------------------------------------------------------------------
// Waits for everything submitted. out_control: the control words. *out_cut: a driver ended loops early or workgroups
// did not report, so the results are worthless, though the device is well.
enum whorl_status run_watch(struct whorl_session *s, uint32_t out_control[PLAN_CONTROL_WORDS], bool *out_cut,
                            struct whorl_error *err);

#endif
