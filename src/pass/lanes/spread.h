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
    struct pass_scope *sc;
    ir_stmt body; // of the PARFOR
    uint64_t iterations;
    bool rows;         // pass_keep made local arrays of its rows
    uint32_t *reads;   // of the body, by variable
    bool *apart;       // by statement: pass_find_apart
    bool *updated;     // by array: the iteration only updates it, by atomic operators
    bool *refused;     // by statement: this loop cannot be shared after all
    uint64_t *most;    // by statement: passes at most of a loop in a shared one, whose number is no constant; else 0
    uint32_t *indexed; // by statement: ... where only what it indexes tells; else 0
    uint32_t stmt_cap;
    struct spread_loop *loops;
    uint32_t count, cap;
    ir_stmt only;   // this parallel loop; 0: all
    double part;    // of the time of one lane, that the last one has taken
    bool deals;     // there are such arrays:
    uint8_t *dealt; // by array: 1 + the dimension along which its elements are dealt out to the lanes; 0: it is not
};

// Lanes that the device should run an iteration on: a power of two, 1 for none. *out_part: of the time of one lane.
uint32_t pass_spread_count(const struct spread *x, double *out_part);

// Spreads the parallel loop alone. -> the part of one lane's time that it then takes, 1 where it is not spread or has
// no arrays that are dealt out.
double pass_weigh_spreading(struct pass_cx *copy, ir_stmt parfor);

#endif
