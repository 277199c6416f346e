// What one submit does, as a list. Who submits the same list again and again finds its command buffer made: a command
// buffer is for one submit alone, and to make one takes longer than a short kernel runs, so the next one is made while
// the device works on this one.
#ifndef WHORL_RUN_COMMAND_LIST_H
#define WHORL_RUN_COMMAND_LIST_H

#include "run/session/session.h"

// ---- control blocks -------------------------------------------------------------------------------------------------
// The words that a dispatch is judged by must be zero before it. Each call takes blocks that no other had, so that
// nothing is cleared before each: all of them are at once, when none is left.

// So many blocks, all zero, become those of the submits that follow; r->control_first is the first of them.
enum whorl_status run_control_take(struct run_resources *r, uint32_t blocks, struct whorl_error *err);
// Where a block of those stands in r->control, in bytes.
uint64_t run_control_offset(const struct run_resources *r, uint32_t block);

// ---- lists ----------------------------------------------------------------------------------------------------------
// Appends to r->list. Dispatches in a row share a pass. What memory does not suffice for is an error of the submit.
void run_command_clear(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, uint64_t size_bytes);
void run_command_copy(struct run_resources *r, WGPUBuffer from, uint64_t from_offset, WGPUBuffer to, uint64_t to_offset,
                      uint64_t size_bytes);
// The words of this control block, out of it.
void run_command_copy_control(struct run_resources *r, uint32_t block, WGPUBuffer to, uint64_t to_offset);
void run_command_dispatch(struct run_resources *r, uint32_t block, const struct run_dispatch *dispatch);

void run_commands_empty(struct run_resources *r); // nothing of the list is to be done
// Submits the list and empties it. The only function of the library that dispatches, so what it counts is the truth.
enum whorl_status run_commands_submit(struct run_resources *r, struct whorl_error *err);
// Makes the next command buffer, if the last two submits did the same. A device that does not make it is an error now.
enum whorl_status run_commands_foresee(struct run_resources *r, struct whorl_error *err);
// Something that it names has changed, or is about to be dropped.
void run_commands_forget(struct run_resources *r);
enum whorl_status run_commands_init(struct run_resources *r, struct whorl_error *err);
void run_commands_deinit(struct run_resources *r);

#endif
