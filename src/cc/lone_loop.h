// Loops that run one after the other (lone_loop.c).
#ifndef WHORL_CC_LONE_LOOP_H
#define WHORL_CC_LONE_LOOP_H

#include "front/parse/parse.h"

// The first loop in these statements, and in what they call, outside of parallel regions and with none inside; NULL:
// there is none. Memory of the search is the context's.
const struct front_node *cc_lone_loop(struct base_cx *cx, const struct front_node *list);

#endif
