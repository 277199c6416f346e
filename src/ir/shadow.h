// Races found while the interpreter runs: who wrote and read each element since the threads met last.
//
// Whoever accesses memory is an *actor*: an iteration of a parallel loop, a thread of a region, the one thread of a
// `single`, or all threads of a region at once. Actors have numbers that grow; those up to `met` came before the last
// barrier, and nothing that they did races with what comes now.
#ifndef WHORL_SHADOW_H
#define WHORL_SHADOW_H

#include "ir/ir.h"

enum { IR_MAX_RACES = 16, IR_RACES_TEXT = 7000 };

enum ir_actor_kind {
    IR_ACTOR_LOOP,    // iterations of a parallel loop: static, those of one place in loops of one shape share a thread
    IR_ACTOR_THREADS, // iterations that are the region's threads
    IR_ACTOR_ONE,     // some thread
    IR_ACTOR_MASTER,  // thread 0
    IR_ACTOR_ALL,     // every thread of the region does the same
};
struct ir_actors { // numbers first .. first + count - 1
    uint8_t kind;
    bool dynamic; // LOOP: nobody knows which thread takes which iteration
    ir_stmt loop; // LOOP, THREADS
    uint64_t first, count;
    uint32_t lo[IR_MAX_DIMS]; // of the loop's space
    uint64_t trips[IR_MAX_DIMS];
};

struct ir_shadow; // of one array or variable
struct ir_races {
    struct ir_shadow *shadows; // by array handle, then by variable
    uint32_t shadow_count;
    struct ir_actors *actors; // since the last barrier, in the order of their numbers
    uint32_t actor_count, actor_cap;
    uint64_t met;
    uint64_t iterations; // that were begun
    uint64_t count;      // races; of those between the same two statements the first is described
    uint32_t described;
    ir_stmt pairs[IR_MAX_RACES][2];
    char text[IR_RACES_TEXT]; // a line each
};
// False: out of memory.
bool ir_races_add_actors(struct ir_races *r, const struct ir_actors *actors);

// What is no race with it: atomics with atomics, what one lock guards.
enum ir_access_how { IR_ACCESS_PLAIN, IR_ACCESS_ATOMIC, IR_ACCESS_LOCKED };
enum { IR_ACCESS_HOWS = 3 };

struct ir_access {
    const struct ir_unit *u;
    ir_stmt at;
    uint64_t actor; // 0: nobody races with it but for passes of a simd loop
    ir_array array; // 0: of the variable
    ir_var var;
    const uint64_t *dims;
    uint64_t element, count;
    enum ir_access_how how;
    uint32_t lock;
    // the pass of a `simd` loop; simd 0: none. Loops have numbers as actors have.
    uint64_t simd, pass, safelen;
    uint32_t pass_value; // of the loop's variable
    ir_var pass_var;
    bool changes; // a write: another value than was there
};
// False: out of memory. updates: a read and a write that nobody comes between.
bool ir_shadow_read(struct ir_races *r, const struct ir_access *a);
bool ir_shadow_write(struct ir_races *r, const struct ir_access *a, bool updates);
void ir_races_deinit(struct ir_races *r);

// A pass reads what another pass of its `simd` loop wrote to the variable a->var.
void ir_races_report_pass(struct ir_races *r, const struct ir_access *a, ir_stmt wrote_at);

#endif
