// A program made ready on a device. Its parts have different owners and lifetimes:
//
//   resources  what it has on the GPU. Made by resources.c and buffers.c, gone when the session is closed or the device
//              is lost.
//   scalars    the plan with the values of its scalars (schedule.h).
//   position   where the run that is going on stands. The loop of execute.c moves it; a copy of the state holds it.
//   flight     what is on its way to the device and not judged yet. launch.c and completion.c keep it; the loop asks
//              for words, and says what scratch arrays hold.
//   policy     what this run may do. Set at its beginning, and again after a cut.
//   progress   what is told of the run and counted for its stats. report/run_progress.c tells it, report/notes.c sums
//              up.
#ifndef WHORL_RUN_SESSION_H
#define WHORL_RUN_SESSION_H

#include "run/auto/choice.h"
#include "run/session/schedule.h"

enum {
    RUN_MAX_BATCH = 60000,  // dispatches a submit: beyond it nothing is gained and encoding takes memory
    RUN_FIRST_BATCH = 1024, // before anything is measured
    RUN_MAX_IN_FLIGHT = 16 * RUN_MAX_BATCH, // dispatches between two waits
    RUN_MAX_SUBMITS = 256, // between two waits: each takes memory of the library and the driver until it is done
    RUN_STAGING_BYTES = 64 << 20,
    RUN_SAVED_BYTES = 256 << 20, // of iterations that have paused
    RUN_CONTROL_BYTES = PLAN_CONTROL_WORDS * 4,
    RUN_CONTROL_STRIDE = 256, // bytes from control block to control block: what WebGPU aligns bindings to
    RUN_CONTROL_BLOCKS = 1024,
    RUN_READ_BYTES = RUN_CONTROL_BYTES + RUN_MAX_WORDS * 4,
};

// ---- resources ------------------------------------------------------------------------------------------------------

struct run_kernel {
    struct run_pipeline *pipeline;
    WGPUBindGroup group;
    WGPUBuffer saved;     // resume_words > 0
    uint64_t saved_bytes; // 0: not made yet
    double ns_per_work;   // measured: of one iteration's one tick; 0: not yet
    uint64_t ticks_seen;  // largest number of ticks of an iteration
};

// One dispatch as the device sees it.
struct run_dispatch {
    uint32_t kernel, slot, groups_x, groups_y;
};

struct run_batch {
    struct run_dispatch *items; // room for `cap`
    uint32_t count, cap;
    uint8_t *slots; // host copy of the params buffer, slot_bytes each
    uint32_t slot_count, slot_bytes;
    uint32_t on_device; // the device has the first so many as they are here: of this batch, or of the one before
    double work_ns;     // estimate for what is in it
    double guess_ns;    // the part of that which is of kernels not measured yet
};

// One command of a submit (command_list.h).
struct run_command {
    enum run_command_kind { RUN_CLEAR, RUN_COPY, RUN_COPY_CONTROL, RUN_DISPATCH } kind;
    uint32_t block; // of control, counted from control_first: what is copied, or bound
    struct run_dispatch dispatch;
    WGPUBuffer from, to;
    uint64_t from_offset, to_offset, size_bytes;
};
struct run_list {
    struct run_command *items;
    uint32_t count, cap;
    bool failed; // there was no memory for all of it
};

struct run_grid; // grid_slice.h

// What a session has on a GPU; owns all of it but the gpu.
struct run_resources {
    struct run_gpu *gpu;     // that its objects are of: not the device's any more after that was lost
    const struct plan *plan; // that they are made for
    WGPUBuffer *buffers;
    bool *borrowed;  // by buffer: it is another session's
    uint64_t *sizes; // of plan->buffers
    struct run_kernel *kernels;
    struct run_grid *grid;                             // NULL: the strategy is no grid kernel
    WGPUBuffer params, control, control_read, staging; // control: RUN_CONTROL_BLOCKS
    size_t staging_bytes;
    struct run_batch batch;
    struct run_list list, last; // of the next submit, so far; of the last one
    bool repeats;               // the last submit did the same as the one before it
    WGPUCommandBuffer next;     // does what the last one did, with control blocks from next_first on; NULL: not made
    bool control_is_zero;       // from control_used on
    uint32_t control_first, control_used, next_first;
    double dispatch_ns; // measured: of one dispatch of batches; 0: not yet
};

// What a session has on the CPU device.
struct run_host {
    struct run_cpu *cpu;
    void **memory;   // the session's own arrays, by parameter; NULL: not made yet
    bool *borrowed;  // by parameter: it is another session's
    uint64_t *slots; // scalars as the program takes them, by parameter
};

// ---- position -------------------------------------------------------------------------------------------------------

// Where a run stands between two slices (snapshot.c writes it down).
struct run_place {
    enum { RUN_AT_START, RUN_AT_TREE, RUN_AT_GRID, RUN_AT_END } kind; // GRID: grid->saved says where
    bool fallback;        // TREE: of the grid kernel's fallback, not of the strategy itself
    struct run_walk walk; // TREE
    bool has_item;        // TREE: taken from the walk and not done yet
    struct run_item item; // this one;
    bool in_item;         // it goes in slices: iterations before `base` are done,
    uint32_t base, count; // and of [base, base + count)
    bool paused;          // each has done a part, its state is in the kernel's saved-state buffer
    double fraction;      // of all work
};

// The place, right between slices and at a run's beginning, and how far that is.
struct run_position {
    struct run_place place;
    double work_done, work_total; // total: 0: the end is not known
};

// ---- flight ---------------------------------------------------------------------------------------------------------

// What was submitted since the last wait; owns nothing.
struct run_flight {
    struct run_words words;            // wanted of the next submit that is waited for
    uint32_t expected_groups;          // in its control block
    uint32_t pending;                  // submits since the last wait
    double pending_work_ns;            // estimate for them
    bool has_control, scratch_cleared; // it has a control block; scratch arrays are as a call finds them
};

// ---- policy ---------------------------------------------------------------------------------------------------------

// What a run may do, from its options and the device; owns nothing, and keeps nothing of the options.
struct run_policy {
    double slice_ms; // time that a dispatch should take at most; 0: no limit
    double max_s;    // of the whole run; 0: any
    uint64_t force_iterations, force_ticks;
    uint32_t groups;           // workgroups of a grid kernel that were asked for; 0: none
    uint32_t calls_per_submit; // at most; 0: any
    uint32_t loop_cap;         // passes an invocation's loops may make in all; 0: no limit
    uint32_t shrink;           // after cuts: slices take at most this part of an item's iterations; else 1
    bool each_waits;           // eager
};

// ---- progress -------------------------------------------------------------------------------------------------------

// What is told of the run that is going on, and counted for its stats; the user is the caller's.
struct run_progress {
    bool (*tell)(void *user, const struct whorl_progress *progress); // NULL: nobody listens
    void *user;
    char warning[512]; // for the next call of tell; "" none
    double start_s, first_submit_s, last_done_s;
    uint64_t slices;
    uint64_t dispatches_before, submits_before; // of the gpu's counters, when the run began
    uint64_t uploaded, downloaded;
    double pipeline_ms;
};

// ---- the session ----------------------------------------------------------------------------------------------------

struct run_keep; // state/checkpoint.h
struct run_nan;  // report/nan.h

struct whorl_session {
    struct whorl_device *device;
    const struct whorl_program *program;
    const struct plan *plan;
    enum whorl_strategy asked, opened, strategy; // opened: what was made of it; strategy: what runs now
    struct run_choice choice;                    // asked is auto: what it takes, and why; else all zero
    struct run_host host;                        // CPU device: this alone, beside scalars and progress
    struct run_resources res;
    struct run_scalars scalars; // values: its own
    struct run_position at;
    struct run_flight flight;
    struct run_policy policy;
    struct run_progress progress;
    struct run_keep *keep; // the run's; NULL: its state is not kept
    struct run_nan *nan;   // the run's; NULL: nobody looks for NaN
    uint32_t unsaid;       // lines of the last run for which the log had no room, and doubles in it that are not finite
};

// ---- resources.c ----------------------------------------------------------------------------------------------------
// An empty session, with the values of its scalars. Who opens it sets asked, opened, strategy and choice, and calls
// run_session_fill.
enum whorl_status run_session_new(struct whorl_device *device, const struct whorl_program *program,
                                  const struct whorl_scalar *scalars, size_t count, struct whorl_session **out,
                                  struct whorl_error *err);
// Makes what the strategy needs on the device.
enum whorl_status run_session_fill(struct whorl_session *s, struct whorl_error *err);
// The same, with arrays of `other` where both have them (beside.c).
enum whorl_status run_session_fill_beside(struct whorl_session *s, struct whorl_session *other,
                                          struct whorl_error *err);
void run_session_drop(struct whorl_session *s); // NULL: nothing
// Everything on the GPU anew, on the device's present gpu, with nothing in it.
enum whorl_status run_session_rebuild(struct whorl_session *s, struct whorl_error *err);
// Makes the kernels of a tree that are not there yet, and binds their buffers.
enum whorl_status run_session_prepare(struct whorl_session *s, const struct plan_node *root, struct whorl_error *err);
// The tree that runs now: the strategy's, or the fallback of a grid kernel that was abandoned.
const struct plan_node *run_session_root(const struct whorl_session *s);
const struct plan_strategy *run_strategy_of(const struct plan *plan, enum whorl_strategy strategy);

// ---- scalars.c ------------------------------------------------------------------------------------------------------
// Values for the plan's scalars: those of the compile, with the caller's for uniform ones.
enum whorl_status run_take_scalars(const struct plan *plan, const struct whorl_scalar *scalars, size_t count,
                                   int64_t *values, struct whorl_error *err);

// ---- host.c ---------------------------------------------------------------------------------------------------------
enum whorl_status run_host_open(struct whorl_session *s, struct whorl_error *err);
// Makes the session's own arrays, if they are not there yet.
enum whorl_status run_host_memory(struct whorl_session *s, struct whorl_error *err);
void run_host_close(struct whorl_session *s);

// ---- beside.c -------------------------------------------------------------------------------------------------------
// Takes over the memory of arrays that both sessions have by name, of which nothing is made in `s` then.
enum whorl_status run_borrow_buffers(struct whorl_session *s, const struct whorl_session *other,
                                     struct whorl_error *err);
enum whorl_status run_borrow_memory(struct whorl_session *s, struct whorl_session *other, struct whorl_error *err);

#endif
