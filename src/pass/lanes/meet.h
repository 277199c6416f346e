// Lanes that wait for each other inside of an iteration (meet.c).
#ifndef WHORL_PASS_LANES_MEET_H
#define WHORL_PASS_LANES_MEET_H

#include "ir/ir.h"

// Lanes may run the statement at the top of a PARFOR's body without waiting for each other: none reads what another
// one writes in it. own: by array, what each lane has for itself; is_atomic: pass_is_atomic of that body. Sets
// IR_FLAG_OWN of shared loops that need it.
bool pass_is_apart_inside(struct ir_unit *u, ir_stmt s, const bool *own, bool is_atomic);
// How often pass_meet_between would do that.
uint32_t pass_count_meetings(struct ir_unit *u, ir_stmt body, ir_stmt last, const bool *own);
// Puts IR_MARK_MEET between the statements of the body where they have to wait; `last`: behind it one lane goes on.
uint32_t pass_meet_between(struct ir_unit *u, ir_stmt body, ir_stmt last, const bool *own);

#endif
