// What butterfly_find.c finds out of a loop around parallel loops, for butterfly.c to rewrite.
//
// A *round* is one parallel loop of one pass. Rounds that follow each other make a group: what iterations of the first
// round leave in elements goes to few iterations of the next one, and so on, so that one iteration of a new parallel
// loop can make some of each round, with its elements in registers.
#ifndef WHORL_PASS_BUTTERFLY_H
#define WHORL_PASS_BUTTERFLY_H

#include "pass/analysis/bit_places.h"
#include "pass/passes.h"

enum {
    BUTTERFLY_PARFORS = 2, // in the loop
    BUTTERFLY_BITS = 5,    // that elements of one iteration differ in
    BUTTERFLY_ARRAYS = 8,  // that the loop writes, an iteration's elements of them in two rounds at most
};

// Bits of a number, from the lowest on, at places that move with the counters as they are in the groups' first pass.
struct butterfly_set {
    uint32_t count;
    struct pass_bit_place bits[BUTTERFLY_BITS];
};

// A copy of a round's body, for one of the iterations that an iteration of the group makes.
struct butterfly_copy {
    uint8_t *load, *store; // by node, by statement: 1 + the element; 0: none
    uint8_t *branch;       // by statement, an IF: ways that it takes, BUTTERFLY_THEN ...
};
enum { BUTTERFLY_THEN = 1, BUTTERFLY_ELSE = 2, BUTTERFLY_OPEN = 4 };

// An array's elements as they are for some rounds of a group, until all of them are stored anew.
struct butterfly_version {
    uint32_t array;              // which of struct butterfly's
    struct butterfly_set places; // which bits the elements of an iteration differ in
    uint32_t first;              // the round that touches them first; where they are not loaded, it stores all of them
    bool written;
    bool loaded, stored; // from and to the array itself, before and behind the rounds
};

struct butterfly_round {
    uint32_t parfor, pass;
    struct butterfly_set numbers;      // which bits of their numbers the iterations differ in that become one
    uint8_t version[BUTTERFLY_ARRAYS]; // by array, 1 + which; 0: none yet
    struct butterfly_copy *copies;     // [1 << numbers.count]
};

struct butterfly_group {
    uint32_t bits; // of its iterations' numbers
    struct butterfly_round *rounds;
    uint32_t version_count;
    struct butterfly_version versions[2 * BUTTERFLY_ARRAYS];
};

struct butterfly {
    struct pass_bit_player player; // of the loop
    ir_stmt parfors[BUTTERFLY_PARFORS];
    uint32_t parfor_count;
    const struct pass_covered *covered;

    uint32_t bits[BUTTERFLY_PARFORS]; // of the numbers of a parallel loop's iterations
    ir_array arrays[BUTTERFLY_ARRAYS];
    uint32_t array_count;
    uint32_t rounds; // of a group
    uint32_t passes; // of the loop, in all groups together
    uint32_t group_count;
    struct butterfly_group *groups;
};

// Groups of rounds of the player's loop, a FOR around PARFORs alone; false: it has none that pay.
// Given are the player's loops and `covered`.
bool butterfly_find(struct butterfly *io);
// Which of the arrays it is, 1 + its place; 0: none.
uint32_t butterfly_array(const struct butterfly *b, ir_array a);
bool butterfly_same_set(const struct butterfly_set *a, const struct butterfly_set *b);

#endif
