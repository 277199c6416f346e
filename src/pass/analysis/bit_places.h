// Bodies of parallel loops, played with numbers of iterations of which only the bits are known (bits.h), in each pass
// that the loops around make: which elements they touch, as functions of those bits.
#ifndef WHORL_PASS_BIT_PLACES_H
#define WHORL_PASS_BIT_PLACES_H

#include "pass/analysis/bits.h"
#include "pass/cost.h"

enum { PASS_BIT_COUNTERS = 4 }; // of loops around that a body depends on

// Passes of a loop for some values of the counters around.
struct pass_bit_run {
    int32_t values[PASS_BIT_COUNTERS];
    int64_t lo, hi;
};

// What variables are, by slot: wherever the walk comes by, and as far as it comes by where it is now, behind conditions
// that bits of the number decide.
struct pass_bit_state {
    struct pass_bits plain[PASS_BITS_VALUES], assumed[PASS_BITS_VALUES];
};

struct pass_bit_player {
    struct ir_unit *u;
    ir_stmt loop;         // a FOR
    const ir_stmt *outer; // FORs around it, outermost first
    uint32_t outer_count;

    ir_var counters[PASS_BIT_COUNTERS]; // that the loop's statements read; its own is the last
    uint32_t counter_count;
    struct pass_bit_run runs[PASS_BITS_RUNS];
    uint32_t run_count;
    uint8_t *slot; // as of struct pass_bits_env: the counters, indices, whole numbers that bodies assign
    uint32_t slots;

    // of a walk
    void *user;
    // An access, at a place and as that is where it stands; `load`: the LOAD, or 0: a store by statement `s`; surely:
    // whatever data say.
    void (*access)(void *user, ir_array a, const struct pass_bits *at, const struct pass_bits *here, ir_expr load,
                   ir_stmt s, bool surely);
    // An IF; way: of its condition's bit. NULL: nobody asks.
    void (*branch)(void *user, ir_stmt s, uint8_t way);
    bool stopped; // by whoever is called
    uint32_t depth;
};

// The counters and all their values; false: these are not constants, or too many.
bool pass_bits_begin(struct pass_bit_player *p);
bool pass_bits_slot(struct pass_bit_player *p, ir_var v); // false: there is no room
// The block is made of assignments to iterations' variables, stores of whole words and IFs alone; slots for what it
// assigns. Arrays of the iteration alone do not stand in it.
bool pass_bits_admit(struct pass_bit_player *p, ir_stmt block);
// The values of all slots in that pass of the loop; what else there is is not known.
void pass_bits_enter(const struct pass_bit_player *p, const struct pass_bit_run *run, int64_t pass,
                     struct pass_bit_state *out);
bool pass_bits_number(const struct pass_bit_player *p, struct pass_bit_state *state, ir_expr e, uint32_t *out);
void pass_bits_set(const struct pass_bit_player *p, struct pass_bit_state *state, ir_var v, struct pass_bits value);
void pass_bits_assign(const struct pass_bit_player *p, struct pass_bit_state *state, ir_var v, ir_expr e);
struct pass_bits pass_bits_part(const struct pass_bits *number, uint32_t from,
                                uint32_t bits); // so many, from `from` on
void pass_bits_walk(struct pass_bit_player *p, struct pass_bit_state *state, ir_stmt block);
bool pass_bits_log(uint32_t number, uint32_t *out); // a power of two, up to 2^30: which one

// The places of all accesses to one array: as the first one has them, and the bits in which others differ.
struct pass_bit_pattern {
    bool loads, stores, seen, unknown;
    struct pass_bits first;
    uint32_t differ, inputs; // inputs: bits of the number that only some of them have
};
void pass_bits_note(struct pass_bit_pattern *p, const struct pass_bits *at, const struct pass_bits *here, bool store);
uint32_t pass_bits_inputs(const struct pass_bit_pattern *p, uint32_t without); // that stand at places out of a set

// A number that moves with the counters: offset + the sum of slopes times counters.
struct pass_bit_place {
    int32_t offset, slopes[PASS_BIT_COUNTERS];
};
// Finds the place that is places[0], places[1], ... in all passes, from each run's first on, so many passes apart
// as there is room for; doubling and halving move a bit by one a pass, so slopes are -1, 0 or 1.
bool pass_bits_moving(const struct pass_bit_player *p, uint32_t passes, const uint32_t *places,
                      struct pass_bit_place *out);
ir_expr pass_bits_shift(const struct pass_bit_player *p, const struct pass_bit_place *place); // the place, U32
ir_expr pass_bits_unit(const struct pass_bit_player *p, const struct pass_bit_place *place);  // 1 << the place, I32

// Calls `fn` for each FOR and PARFOR of the block, with the FORs around it, outermost first; true: not for those
// inside.
typedef bool pass_bits_loop_fn(void *user, ir_stmt loop, const ir_stmt *outer, uint32_t depth);
void pass_bits_each_loop(struct ir_unit *u, ir_stmt block, pass_bits_loop_fn *fn, void *user);

typedef bool pass_bits_fn(void *user, const struct pass_bit_run *run, int64_t pass);
// Calls `fn` for every so many-th pass of each run that has room for as many.
bool pass_bits_each(const struct pass_bit_player *p, uint32_t passes, pass_bits_fn *fn, void *user);

#endif
