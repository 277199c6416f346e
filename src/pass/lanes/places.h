// Searches that lanes share (places.c).
#ifndef WHORL_PASS_LANES_PLACES_H
#define WHORL_PASS_LANES_PLACES_H

#include "ir/ir.h"

// In loops of the block that lanes share.
void pass_keep_places(struct ir_unit *u, ir_stmt block);

#endif
