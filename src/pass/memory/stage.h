// What the files of pass_stage share.
#ifndef WHORL_PASS_STAGE_H
#define WHORL_PASS_STAGE_H

#include <string.h>

#include "pass/cost.h"
#include "pass/passes.h"

enum { PASS_STAGE_BLOCKS = (IR_F32 + 1) * (IR_STAGED_VECTOR + 1) };

struct pass_stager {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    ir_stmt parfor, before;      // the phase, and what is to stand before it
    struct ir_effects all, body; // of the program, of the phase
    uint64_t *loads;             // by array: of an iteration, at places that are the same for all of them, and others'
    uint64_t rounds;             // iterations of an invocation
    uint32_t *data;              // variables that are made of what is loaded, a bit each
    uint64_t runs;               // of the statement that is looked at
    uint32_t *counters;          // variables of loops in the phase, and what follows from them; a bit each
    uint32_t taken;              // words of workgroup memory that others have
    uint64_t used[PASS_STAGE_BLOCKS], most[PASS_STAGE_BLOCKS]; // words of each block: by this phase, by any
};

bool pass_stage_may(const struct pass_stager *x, ir_array a);                      // a copy of it is right and may pay
uint64_t pass_stage_words(const struct ir_unit *u, ir_array a, uint32_t from);     // of dimensions from `from` on
uint32_t pass_stage_row(uint64_t words);                                           // distance of rows of so many words
uint64_t pass_stage_room(const struct pass_stager *x, ir_array a, uint32_t width); // words left for it
ir_array pass_stage_add(struct pass_stager *x, ir_array source, uint32_t width, uint64_t words);
void pass_stage_windows(struct pass_stager *x); // window.c

#endif
