// Loops whose passes need little of the ones before them (recur.c).
#ifndef WHORL_PASS_LANES_RECUR_H
#define WHORL_PASS_LANES_RECUR_H

#include "pass/pass.h"

struct pass_recurrence {
    ir_stmt shared; // the FOR whose passes lanes may share
    ir_stmt rounds; // the loop around it; 0: one round is enough
    ir_stmt last;   // the last statement of what the loop became
    uint32_t at_once;
    bool anew; // each pass makes those in front of it one by one: there should be a lane for each
};

// The FOR makes `passes` passes at most. It would pay to share them, `most` in a round, if they needed nothing of each
// other; most loops are too short for that, and need no closer look.
bool pass_may_recur(struct ir_unit *u, ir_stmt s, uint64_t passes, uint32_t most);

// Makes of such a FOR rounds of `at_once` passes that lanes may share: each takes what the passes before it leave in
// variables from a copy of what they need for that alone. The passes touch no memory that others write. reads: of the
// iteration, by variable (pass_count_reads). false: it is no such loop, or that would not pay; then it is as it was.
bool pass_recur(struct ir_unit *u, ir_stmt s, const uint32_t *reads, uint64_t passes, uint32_t most,
                struct pass_recurrence *out);

// Such a FOR that lanes do not share: each pass takes it from the one before.
void pass_recur_alone(struct ir_unit *u, ir_stmt shared);

#endif
