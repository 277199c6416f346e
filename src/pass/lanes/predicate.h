// Loops that lanes share under conditions (predicate.c).
#ifndef WHORL_PASS_LANES_PREDICATE_H
#define WHORL_PASS_LANES_PREDICATE_H

#include "pass/passes.h"

// Gives the PARFOR a body in which all lanes come to each loop that is marked for them (IR_FLAG_SIMD); the old one
// stays as it was. The scope is in it. *io_until: also in loops that end when data say so (until.c); then: it is in
// some. false: there is no need to.
bool pass_predicate(struct pass_scope *sc, ir_stmt parfor, bool *io_until);

#endif
