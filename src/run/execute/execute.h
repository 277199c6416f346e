// The loop of a run: it walks, submits, waits, and between two slices calls progress and the keeper of checkpoints.
//
// How a run works. session/schedule.c turns a strategy's tree into *items*, one a dispatch as the plan sees it.
// slices.c decides whether an item goes as it is or in slices. session/launch.c collects dispatches into a batch,
// session/completion.c waits for it and verifies its control words. execute.c ties them together and starts over where
// a driver cut a loop short. grid.c does a strategy that is one grid kernel.
#ifndef WHORL_RUN_EXECUTE_H
#define WHORL_RUN_EXECUTE_H

#include "run/session/grid_slice.h"

// The part of a slice that may rest on a guess of what a kernel takes. Nothing ends a kernel in software that takes
// longer, so there a guess may be wrong by more.
static inline double run_guess_share(const struct run_gpu *gpu) { return gpu->is_software ? 0.3 : 0.1; }

// ---- execute.c ------------------------------------------------------------------------------------------------------
// A slice is done, nothing is under way and s->at is right: progress is told; the run ends here if the caller or the
// clock says so; the state is kept if it is time.
enum whorl_status run_slice_done(struct whorl_session *s, struct whorl_error *err);
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

// ---- slices.c -------------------------------------------------------------------------------------------------------
// True if the item may go as one dispatch.
bool run_slice_whole(const struct whorl_session *s, const struct run_item *item);
// The place's item, or what is left of it.
enum whorl_status run_slice_item(struct whorl_session *s, bool *out_cut, struct whorl_error *err);
// A guess of what one tick of one iteration takes, of so many side by side, in ns, from the kernel's text.
double run_slice_guess_ns(const struct whorl_session *s, uint32_t kernel, double iterations);
double run_slice_estimate_ns(const struct whorl_session *s, const struct run_item *item);

// ---- grid_groups.c --------------------------------------------------------------------------------------------------
// The best number of workgroups that the probe timed, for a kernel whose widest phase can use so many invocations;
// `otherwise` where it timed none.
uint32_t run_grid_best_groups(const struct run_probe *probe, double widest, uint32_t workgroup_size,
                              uint32_t otherwise);

// ---- grid.c ---------------------------------------------------------------------------------------------------------
// The kernel cannot be cut, and a system might end it before it is done: parts of it can be.
bool run_grid_is_too_long(struct whorl_session *s);
// Runs the program `calls` times, or abandons it. can_restart: the caller can put the inputs back. *out_cut: the work
// since the start of the run is lost, and the fallback has to begin it again.
enum whorl_status run_grid_calls(struct whorl_session *s, uint32_t calls, bool can_restart, bool *out_cut,
                                 struct whorl_error *err);
// Goes on with the fallback from what the good slices saved; fresh: from its beginning. It is abandoned then.
enum whorl_status run_grid_leave(struct whorl_session *s, bool fresh, bool *out_cut, struct whorl_error *err);

#endif
