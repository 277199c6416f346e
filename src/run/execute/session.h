// A program made ready on a GPU: its buffers, kernels and bind groups, and the state of the run that is going on.
//
// How a run works. schedule.c turns a strategy's tree into *items*, one a dispatch as the plan sees it. slices.c
// decides whether an item goes as it is or in slices. launch.c collects dispatches into a batch, one submit each, and
// is the only place that dispatches. completion.c waits for the batch and verifies its control words. execute.c ties
// them together and starts over where a driver cut a loop short.
#ifndef WHORL_RUN_SESSION_H
#define WHORL_RUN_SESSION_H

#include "run/auto/choice.h"

enum {
    RUN_MAX_BATCH = 60000,  // dispatches a submit: beyond it nothing is gained and encoding takes memory
    RUN_FIRST_BATCH = 1024, // before anything is measured
    RUN_MAX_IN_FLIGHT = 16 * RUN_MAX_BATCH, // dispatches between two waits
    RUN_MAX_SUBMITS = 256, // between two waits: each takes memory of the library and the driver until it is done
    RUN_STAGING_BYTES = 64 << 20,
    RUN_SAVED_BYTES = 256 << 20, // of iterations that have paused
    RUN_CONTROL_BYTES = PLAN_CONTROL_WORDS * 4,
    RUN_MAX_FRAMES = 40,                              // of a walk: more than a plan's trees are deep
    RUN_WHILE_AHEAD = 64,                             // passes of a while that are submitted before its word is read
    RUN_MAX_WORDS = RUN_MAX_FRAMES + PLAN_MAX_STATES, // of the state that one question needs
    RUN_READ_BYTES = RUN_CONTROL_BYTES + RUN_MAX_WORDS * 4,
};

struct run_kernel {
    struct run_pipeline *pipeline;
    WGPUBindGroup group;
    WGPUBuffer saved;     // resume_words > 0
    uint64_t saved_bytes; // 0: not made yet
    double ns_per_work;   // measured: of one iteration's one tick; 0: not yet
    uint64_t ticks_seen;  // largest number of ticks of an iteration
};

// The part of a slice that may rest on a guess of what a kernel takes.
#define RUN_GUESS_SHARE 0.1

// One dispatch as the plan sees it, or a question: whether a while goes on, how many iterations a dispatch has.
struct run_item {
    uint32_t kernel;
    uint32_t iterations;
    bool is_test; // submit what there is, read the words of run_walk_words, tell run_walk_decide
};
// One dispatch as the device sees it.
struct run_dispatch {
    uint32_t kernel, slot, groups_x, groups_y;
};

struct run_frame {
    const struct plan_node *node;
    uint32_t child;
    int64_t k, count, lo;
    uint32_t ahead,
        grant; // WHILE: passes that may start untested; how many the next test gives. DISPATCH: 1: its words are read
};
struct run_walk {
    struct run_frame frames[RUN_MAX_FRAMES];
    uint32_t depth;
    bool one_by_one; // every pass of a while is tested (eager)
};
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

// Words of the state buffer that are read with control.
struct run_words {
    uint32_t count, at[RUN_MAX_WORDS], values[RUN_MAX_WORDS];
};

struct run_batch {
    struct run_dispatch *items; // room for `cap`
    uint32_t count, cap;
    uint8_t *slots; // host copy of the params buffer, slot_bytes each
    uint32_t slot_count, slot_bytes;
    uint32_t on_device; // the device has the first so many as they are here: of this batch, or of the one before
};

// What a run may do, from its options and the device.
struct run_policy {
    double slice_ms; // time that a dispatch should take at most; 0: no limit
    uint64_t force_iterations, force_ticks;
    uint32_t loop_cap; // passes an invocation's loops may make in all; 0: no limit
    uint32_t shrink;   // after cuts: slices take at most this part of an item's iterations; else 1
    bool each_waits;   // eager
    const struct whorl_run_options *options;
};

struct run_grid; // grid.h
struct run_keep; // checkpoint.h
struct run_nan;  // nan.h

struct whorl_session {
    struct whorl_device *device;
    struct run_gpu *gpu; // that its objects are of: not the device's any more after that was lost
    const struct whorl_program *program;
    const struct plan *plan;
    enum whorl_strategy asked, opened, strategy; // opened: what was made of it; strategy: what runs now
    struct run_choice choice;                    // asked is auto: what it takes, and why; else all zero
    struct run_cpu *cpu; // CPU device; the rest is not used then, but for `memory` and `scalar_slots`
    void **memory;       // CPU: by parameter
    uint64_t *scalar_slots;

    int64_t *values;                        // of plan->scalars, then room for as many to try new ones
    uint32_t repeats[PLAN_MAX_PARAM_WORDS]; // by word of params: the variables of the loops that the walk is in
    WGPUBuffer *buffers;
    uint64_t *sizes; // of plan->buffers
    struct run_kernel *kernels;
    struct run_grid *grid; // NULL: the strategy is no grid kernel
    struct run_nan *nan;   // NULL: nobody looks for NaN
    WGPUBuffer params, control, control_read, staging;
    size_t staging_bytes;
    struct run_batch batch;
    struct run_policy policy;

    // Of the run that is going on.
    struct run_place at;      // right whenever run_watch_progress is called, and at its beginning
    struct run_keep *keep;    // NULL: its state is not kept
    struct run_words words;   // wanted of the next submit that is waited for
    uint32_t expected_groups; // since control was cleared
    uint32_t pending;         // submits since the last wait
    bool control_cleared, scratch_cleared;
    double batch_work_ns;         // estimate for what is in the batch
    double batch_guess_ns;        // the part of it that is of kernels not measured yet
    double pending_work_ns;       // and for what was submitted since the last wait
    double work_done, work_total; // total: 0: the end is not known
    uint64_t dispatches_before;   // of the gpu's counter
    double start_s, first_submit_s, last_done_s;
    double dispatch_ns; // measured: of one dispatch of batches; 0: not yet
    uint64_t slices;
    uint64_t uploaded, downloaded;
    double pipeline_ms;
};

// ---- schedule.c -----------------------------------------------------------------------------------------------------
void run_walk_start(struct run_walk *w, const struct plan_node *root);
// Starts at the node with this resume point instead, the loops around it entered. `saved`: the words that the grid
// kernel saved there. False if there is no such point or a counter fits no pass of its loop.
bool run_walk_resume(struct whorl_session *s, struct run_walk *w, const struct plan_node *root,
                     const struct plan_grid *grid, const uint32_t *saved);
// The dispatch of this kernel, as run_walk_next gives it.
enum whorl_status run_walk_item(struct whorl_session *s, uint32_t kernel, struct run_item *out,
                                struct whorl_error *err);
// A frame as snapshot.c writes it down. restore: enters the next inner node of the walk; false where no walk of this
// tree can stand. For a walk of depth 0 it enters the root.
struct run_frame_words {
    uint64_t child, k, ahead, grant;
};
bool run_walk_restore(struct whorl_session *s, struct run_walk *w, const struct plan_node *root,
                      const struct run_frame_words *words);
// After an item that is a test: the words of all whiles around, and what they turned out to be.
void run_walk_words(const struct whorl_session *s, const struct run_walk *w, struct run_words *out);
void run_walk_decide(struct whorl_session *s, struct run_walk *w, const struct run_words *words);
// Passes take long: the next pass of every while is tested first, and fewer are granted.
void run_walk_tighten(struct run_walk *w);
// The next dispatch with work to do; sets the values of loop variables. *out_done at the end.
enum whorl_status run_walk_next(struct whorl_session *s, struct run_walk *w, struct run_item *out, bool *out_done,
                                struct whorl_error *err);
// Dispatches and work (iterations times ticks) of a whole tree; exact where loop counts do not depend on outer loops.
// Work: 0: data decide.
void run_walk_sum(const struct whorl_session *s, const struct plan_node *root, double *out_dispatches,
                  double *out_work);
double run_item_work(const struct whorl_session *s, const struct run_item *item);

// ---- buffers.c ------------------------------------------------------------------------------------------------------
enum whorl_status run_buffers_create(struct whorl_session *s, struct whorl_error *err);
void run_buffers_destroy(struct whorl_session *s);
// widen_elements.c: elements of small types to words and back.
void run_widen(enum whorl_dtype dtype, const void *from, size_t count, uint32_t *out);
void run_narrow(enum whorl_dtype dtype, const uint32_t *from, size_t count, void *out);
// Bytes of an array as the caller has it.
bool run_array_bytes(const struct plan *p, const struct plan_array *a, const int64_t *values, size_t *out);
enum whorl_status run_array_write(struct whorl_session *s, const struct plan_array *a, const void *data,
                                  size_t size_bytes, struct whorl_error *err);
enum whorl_status run_array_read(struct whorl_session *s, const struct plan_array *a, void *data, size_t size_bytes,
                                 struct whorl_error *err);
// Bytes of a buffer as they are, a multiple of 4.
enum whorl_status run_raw_write(struct whorl_session *s, WGPUBuffer buffer, uint64_t offset, const void *data,
                                size_t size_bytes, struct whorl_error *err);
enum whorl_status run_raw_read(struct whorl_session *s, WGPUBuffer buffer, uint64_t offset, void *data,
                               size_t size_bytes, struct whorl_error *err);
// Makes the kernel's saved-state buffer large enough for `iterations`, and its bind group.
enum whorl_status run_saved_ensure(struct whorl_session *s, uint32_t kernel, uint64_t iterations,
                                   struct whorl_error *err);
enum whorl_status run_groups_create(struct whorl_session *s, struct whorl_error *err);

// ---- launch.c -------------------------------------------------------------------------------------------------------
struct run_call { // params words 0..3 of one dispatch
    uint32_t base, count, budget, resume;
};
// Appends a dispatch to the batch; the batch has room.
void run_launch_add(struct whorl_session *s, uint32_t kernel, struct run_call call);
// The same with all words of the call given.
void run_launch_add_words(struct whorl_session *s, uint32_t kernel, const uint32_t words[PLAN_PARAM_CALL_WORDS],
                          uint32_t groups_x, uint32_t groups_y);
bool run_launch_full(const struct whorl_session *s);
void run_launch_empty(struct whorl_session *s);
// One submit of whatever `encode` puts into it; false: it could not.
typedef bool run_encode_fn(struct whorl_session *s, WGPUCommandEncoder encoder, const void *what);
enum whorl_status run_launch_commands(struct whorl_session *s, run_encode_fn *encode, const void *what,
                                      struct whorl_error *err);
// For those functions: the only one that dispatches, and scratch arrays as a call finds them.
void run_launch_dispatch(struct whorl_session *s, WGPUComputePassEncoder pass, const struct run_dispatch *d,
                         const struct run_dispatch *before);
void run_launch_clear_scratch(struct whorl_session *s, WGPUCommandEncoder encoder);
// Submits the batch and empties it. With `last`, control is copied out for run_watch.
enum whorl_status run_launch_submit(struct whorl_session *s, bool last, struct whorl_error *err);
// Submits the batch `calls` times, as fast as it can, scratch arrays cleared before each.
enum whorl_status run_launch_repeat(struct whorl_session *s, uint32_t calls, struct whorl_error *err);

// ---- completion.c --------------------------------------------------------------------------------------------------------
// Waits for everything submitted. out_control: the control words. *out_cut: a driver ended loops early or workgroups
// did not report, so the results are worthless, though the device is well.
enum whorl_status run_watch(struct whorl_session *s, uint32_t out_control[PLAN_CONTROL_WORDS], bool *out_cut,
                            struct whorl_error *err);
// A slice is done, nothing is under way and s->at is right: tells the caller, stops for it, keeps the state
// (checkpoint.h).
enum whorl_status run_watch_progress(struct whorl_session *s, struct whorl_error *err);

// ---- slices.c -------------------------------------------------------------------------------------------------------
// True if the item may go as one dispatch.
bool run_slice_whole(const struct whorl_session *s, const struct run_item *item);
// s->at.item, or what is left of it.
enum whorl_status run_slice_item(struct whorl_session *s, bool *out_cut, struct whorl_error *err);
// A guess of what one tick of one iteration takes, from the kernel's text.
double run_slice_guess_ns(const struct whorl_session *s, uint32_t kernel);
double run_slice_estimate_ns(const struct whorl_session *s, const struct run_item *item);

// ---- execute.c ------------------------------------------------------------------------------------------------------
// The rest of one call, from where s->at stands in a tree.
enum whorl_status run_execute_walk(struct whorl_session *s, bool *out_cut, struct whorl_error *err);
// One call of a tree from its beginning.
enum whorl_status run_execute_tree(struct whorl_session *s, const struct plan_node *root, bool *out_cut,
                                   struct whorl_error *err);
// Runs the session's strategy `calls` times, the first from where s->at stands. `restore` brings s->at and the buffers
// to a point before after a cut; NULL: a cut is an error.
typedef enum whorl_status run_restore_fn(struct whorl_session *s, void *user, struct whorl_error *err);
enum whorl_status run_execute(struct whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                              run_restore_fn *restore, void *user, struct whorl_stats *out_stats,
                              struct whorl_error *err);

// ---- session.c, session_cpu.c, run_once.c ---------------------------------------------------------------------------------------
enum whorl_status run_session_open(struct whorl_device *device, const struct whorl_program *program,
                                   const struct whorl_run_options *options, enum whorl_strategy strategy,
                                   struct whorl_session **out, struct whorl_error *err);
// The same where auto is to take this choice, whatever is known of the plan.
enum whorl_status run_session_open_for(struct whorl_device *device, const struct whorl_program *program,
                                       const struct whorl_run_options *options, enum whorl_strategy strategy,
                                       const struct run_choice *choice, struct whorl_session **out,
                                       struct whorl_error *err);
// What auto took, as the note of `stats`.
void run_choice_note(const struct whorl_session *s, struct whorl_stats *stats);
// Everything on the device anew, on the device's present gpu, with nothing in it.
enum whorl_status run_session_rebuild(struct whorl_session *s, struct whorl_error *err);
// One run or more, with the notes and times of `stats`.
void run_session_note(const struct whorl_session *s, struct whorl_stats *stats);
enum whorl_status run_session_find_array(const struct whorl_session *s, size_t param, size_t size_bytes,
                                         const struct plan_array **out, struct whorl_error *err);
// Makes the kernels of a tree that are not there yet, and binds their buffers.
enum whorl_status run_session_prepare(struct whorl_session *s, const struct plan_node *root, struct whorl_error *err);
// The tree that runs now: the strategy's, or the fallback of a grid kernel that was abandoned.
const struct plan_node *run_session_root(const struct whorl_session *s);
const struct plan_strategy *run_strategy_of(const struct plan *plan, enum whorl_strategy strategy);
// The caller's options, or the defaults that *own holds; WHORL_INVALID where a value cannot be meant.
enum whorl_status run_take_options(struct whorl_run_options *own, const struct whorl_run_options *given,
                                   struct whorl_error *err);
// Values for the plan's scalars: those of the compile, with the caller's for uniform ones.
enum whorl_status run_take_scalars(const struct plan *plan, const struct whorl_scalar *scalars, size_t count,
                                   int64_t *values, struct whorl_error *err);

enum whorl_status run_session_open_cpu(struct whorl_session *s, struct whorl_error *err);
// whorl_session_run; gives_up: also what does not come to the end of a slice at options->max_s.
enum whorl_status run_session_run(whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                  bool gives_up, struct whorl_stats *out_stats, struct whorl_error *err);
// The device's patience is the run's, until its end.
void run_patience_begin(struct whorl_device *device, const struct whorl_run_options *options, bool gives_up);
void run_patience_end(struct whorl_device *device);
// Makes the session's own arrays, if they are not there yet.
enum whorl_status run_session_memory_cpu(struct whorl_session *s, struct whorl_error *err);
void run_session_close_cpu(struct whorl_session *s);
enum whorl_status run_session_call_cpu(struct whorl_session *s, uint32_t calls, const struct whorl_run_options *options,
                                       struct whorl_stats *stats, struct whorl_error *err);
// On the caller's own memory.
enum whorl_status run_session_direct_cpu(struct whorl_session *s, void *const *arrays, const size_t *size_bytes,
                                         const struct whorl_run_options *options, struct whorl_stats *stats,
                                         struct whorl_error *err);

// ---- agreement.c --------------------------------------------------------------------------------------------------------
enum { RUN_DISAGREEMENT = 256 };
struct run_view {
    const char *name; // of the strategy
    const void *data; // what it left of the array
};
// The two have the same bits; else `out` says in which element they differ, and what to do. dtype: of the bytes.
bool run_agree(const struct whorl_session *s, const struct plan_array *a, enum whorl_dtype dtype,
               const struct run_view views[2], size_t size_bytes, char out[RUN_DISAGREEMENT]);

#endif
