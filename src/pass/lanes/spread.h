// What pass_spread knows of one parallel loop: the loops whose passes its lanes share, and what follows from that. Its
// two files: spread.c decides and rewrites, spread_count.c says how many lanes pay.
#ifndef WHORL_PASS_SPREAD_H
#define WHORL_PASS_SPREAD_H

#include "pass/passes.h"

struct spread_loop {
    ir_stmt stmt;
    uint64_t trips;
    bool asked; // it is `omp simd`; else it only works on arrays that are dealt out
    struct ir_reduction reductions[PASS_SIMD_REDUCTIONS];
    uint32_t reduction_count;
};
struct spread {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_stmt body; // of the PARFOR
    uint64_t iterations;
    bool rows;       // pass_keep made local arrays of its rows
    uint32_t *reads; // of the body, by variable
    bool *apart;     // by statement: pass_find_apart
    bool *refused;   // by statement: this loop cannot be shared after all
    uint32_t stmt_cap;
    struct spread_loop *loops;
    uint32_t count, cap;
    uint8_t *dealt; // by array: 1 + the dimension along which its elements are dealt out to the lanes; 0: it is not
};

// Lanes that the device should run an iteration on: a power of two, 1 for none.
uint32_t pass_spread_count(const struct spread *x);

#endif
