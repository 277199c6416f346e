// What compose_find.c reads out of a loop and compose.c makes of it: two steps of a stencil in one parallel loop.
#ifndef WHORL_PASS_COMPOSE_H
#define WHORL_PASS_COMPOSE_H

#include "pass/passes.h"

enum { COMPOSE_DIMS = 3, COMPOSE_PARTS = 4, COMPOSE_LOADS = 32, COMPOSE_VALUES = 64, COMPOSE_CELLS = 16 };

// An array of the state, or a plane of one: what stands before the indices of the space is constant.
struct compose_part {
    ir_array array;
    uint32_t lead[IR_MAX_DIMS], lead_count;
};
struct compose_load {
    ir_expr load;
    ir_var var;               // what stands in its place
    int part;                 // of the state; -1: an array that the loop never writes
    int32_t at[COMPOSE_DIMS]; // of a part: from the iteration's own element
};
// A parallel loop: its body without loads and stores. Both have the first one's index variables.
struct compose_half {
    ir_stmt parfor, body;
    struct compose_part parts[COMPOSE_PARTS]; // that it stores
    ir_var results[COMPOSE_PARTS];
    struct compose_load loads[COMPOSE_LOADS];
    uint32_t load_count, operations;
};
// What is loaded once: an element of the state, or what a load of an array that is never written gives at a cell.
struct compose_value {
    int part;
    ir_expr load; // of no part
    int32_t at[COMPOSE_DIMS];
};

struct compose {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_stmt loop;
    uint32_t dims, part_count;
    ir_var vars[COMPOSE_DIMS];
    int32_t lo[COMPOSE_DIMS], hi[COMPOSE_DIMS];
    bool wraps[COMPOSE_DIMS]; // offsets go around the space; else they leave it
    bool leaves[COMPOSE_DIMS];
    struct compose_half halves[2];
    // cells at which the second loop reads what the first one wrote
    int32_t cells[COMPOSE_CELLS][COMPOSE_DIMS];
    bool needs[COMPOSE_CELLS][COMPOSE_PARTS];
    uint32_t cell_count;
    struct compose_value values[COMPOSE_VALUES];
    uint32_t value_count;
    uint32_t value_of[COMPOSE_CELLS][COMPOSE_LOADS]; // by cell and load of the first loop
    uint32_t value_of_second[COMPOSE_LOADS];         // by load of the second that is of no part
};

// e + c; both conditions, of which each may be 0: always.
ir_expr compose_plus(struct ir_unit *u, ir_expr e, int64_t c, base_loc loc);
ir_expr compose_both(struct ir_unit *u, ir_expr a, ir_expr b, base_loc loc);
// Where the part stands in its array: the constants before the indices of the space. -> how many there are
uint32_t compose_indices(struct ir_unit *u, const struct compose_part *part, uint32_t out[IR_MAX_DIMS]);
uint32_t compose_size(const struct ir_unit *u, const struct compose_part *part,
                      uint32_t k); // of dimension k of the space

// The half's body, with what stands for its loads and its results (0: without that it is dead).
ir_stmt compose_clone(const struct compose *x, const struct compose_half *h, const ir_var *loads,
                      const ir_var *results);

// compose_block.c: steps in blocks, of the loop x->loop of so many passes. -> how many passes of it the two new loops
// make together, as the body of a loop over `var`; 0: it does not pay.
struct compose_body {
    ir_var var;
    ir_stmt body;
};
uint32_t compose_blocks(struct compose *x, uint64_t trips, struct compose_body *out);

// The loop is two parallel loops as compose.c takes them.
bool compose_find(struct compose *x, ir_stmt loop);

#endif
