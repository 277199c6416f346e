// A grid kernel on the device: one slice as one submit, with the copy to come back to, the dispatch, and what is read
// back (plan.h says how it is called). How many workgroups, how many ticks, and what a slice's answer means is
// execute/grid.c's.
#ifndef WHORL_RUN_GRID_SLICE_H
#define WHORL_RUN_GRID_SLICE_H

#include "run/session/session.h"

enum {
    RUN_GRID_QUEUE = RUN_CONTROL_BLOCKS, // calls in flight, each with its own control block to be judged by
};

// Of a session whose strategy is one grid kernel; owns its buffers and words.
struct run_grid {
    const struct plan_strategy *strategy;
    uint32_t kernel;
    WGPUBuffer *shadows; // by binding of the kernel; NULL: the kernel does not write it
    bool has_shadows;
    WGPUBuffer read;   // the saved words, then RUN_GRID_QUEUE control blocks
    uint32_t *saved;   // of the last good slice
    uint32_t *found;   // of the last slice
    uint32_t asked;    // workgroups that the options asked for, and
    uint32_t groups;   // how many of them work; 0: not known
    bool is_confirmed; // a roll call of that many has succeeded
    // Of the run that is going on.
    bool abandoned;       // the fallback takes over
    const char *why;      // a note for people
    bool kept, kept_some; // the shadows hold the state before this slice; only what a fresh start needs of it
};

// One submit.
struct run_grid_slice {
    uint32_t words[PLAN_PARAM_CALL_WORDS]; // of params
    uint32_t groups;
    bool fresh;     // the program starts here
    bool keeps;     // what it writes is copied to the shadows first
    uint32_t calls; // more than 1: whole programs, one after the other
    uint32_t first; // place of the first of them among the control blocks that are read back
};

const struct plan_kernel *run_grid_kernel(const struct run_resources *r);
// abandoned: the fallback alone is wanted.
enum whorl_status run_grid_create(struct run_resources *r, const struct plan_strategy *strategy, bool abandoned,
                                  struct whorl_error *err);
void run_grid_destroy(struct run_resources *r);
// Makes room for the copies, once a session.
enum whorl_status run_grid_make_shadows(struct run_resources *r, struct whorl_error *err);
enum whorl_status run_grid_submit(struct whorl_session *s, const struct run_grid_slice *slice, struct whorl_error *err);
// Waits. out_control: one block a call; grid->found: what it saved.
enum whorl_status run_grid_wait(struct whorl_session *s, uint32_t calls, uint32_t (*out_control)[PLAN_CONTROL_WORDS],
                                struct whorl_error *err);
// Puts back what the shadows hold.
enum whorl_status run_grid_put_back(struct whorl_session *s, struct whorl_error *err);

#endif
