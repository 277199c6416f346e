// Loops that take places from counters (counters.c).
#ifndef WHORL_PASS_LANES_COUNTERS_H
#define WHORL_PASS_LANES_COUNTERS_H

#include "pass/analysis/affine.h"
#include "pass/pass.h"

enum { PASS_COUNTERS_LOOPS = 3 };
struct pass_counters {
    ir_stmt rounds, shared[PASS_COUNTERS_LOOPS]; // the LOOP, and those in it that lanes may share
};

// Makes of the FOR in the PARFOR, both in the scope, a LOOP with IR_FLAG_LONGEST whose rounds are `at_once` passes that
// lanes may share. It makes `passes` passes at most. reads: of the iteration, by variable. false: it is no such loop,
// or there is no room; then it is as it was.
bool pass_take_places(struct pass_scope *sc, const struct plan_target *target, ir_stmt parfor, ir_stmt s,
                      const uint32_t *reads, uint64_t passes, uint32_t at_once, struct pass_counters *out);

// Such a LOOP that lanes do not share makes rounds of one pass.
void pass_take_places_alone(struct ir_unit *u, ir_stmt rounds);

#endif
