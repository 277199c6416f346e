// What lanes cost (weigh.c).
#ifndef WHORL_PASS_LANES_WEIGH_H
#define WHORL_PASS_LANES_WEIGH_H

#include "pass/pass.h"

// How long so many iterations with this body take, where lanes share the loops with IR_FLAG_FREE. taken: by statement,
// passes of loops whose number is no constant, 0: nobody knows; or NULL.
double pass_time_on_lanes(const struct pass_cx *p, ir_stmt body, uint64_t iterations, uint32_t lanes,
                          const uint64_t *taken);

#endif
