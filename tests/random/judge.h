// Runs one program every way there is and compares the outputs bit for bit.
#ifndef RANDOM_JUDGE_H
#define RANDOM_JUDGE_H

#include "gen.h"
#include "whorl.h"

// One way to run a program.
struct way {
    enum { WAY_THREADS, WAY_LOWERED, WAY_PASSES, WAY_GPU } what;
    int goal;                     // WAY_PASSES: enum pass_goal
    enum whorl_strategy strategy; // WAY_GPU
    bool slices;                  // one iteration and one tick a slice, or nearly
    uint32_t groups; // WAY_GPU: workgroups that a program with barriers is asked to run on; 0: the device's number
    char off[16];    // the pass that is switched off; "": none
};
enum failure { FAIL_NONE, FAIL_REFUSED, FAIL_INTERNAL, FAIL_ENDED, FAIL_DIFFERENT, FAIL_CC, FAIL_DIED };
struct verdict {
    enum failure failure;
    char why[1500];
    bool single_exists; // the compiler could make one dispatch of it
    bool single_ran;    // it ran as one dispatch a slice and did not fall back
    uint32_t groups;    // workgroups of its last good slice, if it has barriers
    uint64_t dispatches, slices;
};

extern const char *judge_off; // passes that are off in every way, as in --pass-off; NULL: none

// The judge's own outputs: cc's.
struct reference {
    void *library;
    void (*call)(void **arrays, const double *scalars);
    void *inputs[GEN_MAX_PARAMS], *outputs[GEN_MAX_PARAMS]; // NULL for scalars
};
// Compiles `count` programs, one text each, into one shared object `folder`/lib.so with one cc call. False: *out_log
// (free it) says why.
bool judge_build(struct gen_program *const *programs, char *const *texts, int count, const char *folder,
                 void **out_library, char **out_log);
// Runs the judge. The library stays open for ever: OpenMP's threads outlive dlclose.
bool judge_reference(const struct gen_program *p, void *library, struct reference *out);
void judge_free(struct reference *r);

void judge(const struct gen_program *p, const char *text, const struct reference *r, const struct way *way,
           whorl_device *gpu, struct verdict *out);
// Is what pass/analysis/bounds.h proves of the unit true? (judge_bounds.c) The arrays are inputs of the parameters;
// sizes become smaller.
struct ir_unit;
void judge_bounds(struct ir_unit *u, void *const *arrays, size_t *sizes, struct verdict *out);
// Do invocations wait for each other wherever one touches what another one wrote? (judge_waits.c) It follows one run of
// the unit. grid: of one dispatch, with barriers; teams: lanes of an iteration, too.
struct ir_follower;
struct ir_follower *judge_waits_begin(struct ir_unit *u, bool grid, bool teams, struct verdict *out);
void judge_waits_end(struct ir_follower *follower);
extern bool judge_deaf; // no barrier is heard of: the judge of them has to find one missing
void way_name(const struct way *way, char *out, size_t size);
// Removes the folder and what judge_build left in it.
void judge_clean(const char *folder);

#endif
