// A walk through a strategy's tree: where it stands, and what it gives next.
//
// It needs the plan and the values of its scalars, of which it sets the loop variables; no device.
#ifndef WHORL_RUN_SCHEDULE_H
#define WHORL_RUN_SCHEDULE_H

#include "plan/laws.h"

enum {
    RUN_MAX_FRAMES = 40,                              // of a walk: more than a plan's trees are deep
    RUN_WHILE_AHEAD = 64,                             // passes of a while that are submitted before its word is read
    RUN_MAX_WORDS = RUN_MAX_FRAMES + PLAN_MAX_STATES, // of the state that one question needs
};

// The plan with the values of its scalars.
struct run_scalars {
    const struct plan *plan;
    int64_t *values; // of plan->scalars, then room for as many to try new ones
    // By word of params: the variables of the loops that the walk is in.
    uint32_t repeats[PLAN_MAX_PARAM_WORDS];
};

// One dispatch as the plan sees it, or a question: whether a while goes on, how many iterations a dispatch has.
struct run_item {
    uint32_t kernel;
    uint32_t iterations;
    bool is_test; // submit what there is, read the words of run_walk_words, tell run_walk_decide
};

struct run_frame {
    const struct plan_node *node;
    uint32_t child;
    int64_t k, count, lo;
    uint32_t ahead; // WHILE: passes that may start untested. DISPATCH: 1: its words are read
    uint32_t grant; // WHILE: how many passes the next test gives
};
struct run_walk {
    struct run_frame frames[RUN_MAX_FRAMES];
    uint32_t depth;
    // Bits, by scalar: its value is what the device has. Nothing is known in a while that was just entered, so that its
    // first pass looks whether it is one.
    uint32_t known[PLAN_MAX_ITEMS / 32];
    bool one_by_one; // every pass of a while is tested (eager)
};

// Words of the state buffer that are read with control.
struct run_words {
    uint32_t count, at[RUN_MAX_WORDS], values[RUN_MAX_WORDS];
};

void run_walk_start(struct run_walk *w, const struct plan_node *root);
// Starts at the node with this resume point instead, the loops around it entered. `saved`: the words that the grid
// kernel saved there. False if there is no such point or a counter fits no pass of its loop.
bool run_walk_resume(struct run_scalars *v, struct run_walk *w, const struct plan_node *root,
                     const struct plan_grid *grid, const uint32_t *saved);
// The dispatch of this kernel, as run_walk_next gives it.
enum whorl_status run_walk_item(const struct run_scalars *v, uint32_t kernel, struct run_item *out,
                                struct whorl_error *err);
// A frame as snapshot.c writes it down. restore: enters the next inner node of the walk; false where no walk of this
// tree can stand. For a walk of depth 0 it enters the root.
struct run_frame_words {
    uint64_t child, k, ahead, grant;
};
bool run_walk_restore(struct run_scalars *v, struct run_walk *w, const struct plan_node *root,
                      const struct run_frame_words *words);
// After an item that is a test: the words of all whiles around, and what they turned out to be.
void run_walk_words(const struct plan *plan, const struct run_walk *w, struct run_words *out);
void run_walk_decide(struct run_scalars *v, struct run_walk *w, const struct run_words *words);
// Passes take long: the next pass of every while is tested first, and fewer are granted.
void run_walk_tighten(struct run_walk *w);
// The next dispatch with work to do; sets the values of loop variables. *out_done at the end.
enum whorl_status run_walk_next(struct run_scalars *v, struct run_walk *w, struct run_item *out, bool *out_done,
                                struct whorl_error *err);
// Dispatches and work (iterations times ticks) of a whole tree; exact where loop counts do not depend on outer loops.
// Work: 0: data decide.
void run_walk_sum(const struct run_scalars *v, const struct plan_node *root, double *out_dispatches, double *out_work);
double run_item_work(const struct plan *plan, const struct run_item *item);

#endif
