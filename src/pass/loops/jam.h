// What jam.c decides and jam_body.c carries out: iterations of one parallel loop that become one.
#ifndef WHORL_PASS_JAM_H
#define WHORL_PASS_JAM_H

#include "pass/passes.h"

// What a value depends on: the two dimensions, the innermost loop's counter.
enum { JAM_ROWS = 1, JAM_COLUMNS = 2, JAM_PASSES = 4 };

// Iterations side by side along one dimension; `name` 0: there is no such dimension.
struct jam_side {
    ir_var name;
    ir_expr first;
    uint64_t trips;               // before
    uint32_t count;               // of one new iteration
    struct ir_dim tiles, in_tile; // the new iterations, `tile` by `tile`
    ir_expr number;               // of the new iteration
};

// A condition around the end of the body (jam_guard.c).
enum { JAM_TERMS = 4 };
struct jam_guard {
    ir_stmt branch;                      // the IF; 0: there is none
    ir_stmt first, last;                 // what moved in front of it
    uint32_t count;                      // of its comparisons:
    struct pass_affine below[JAM_TERMS]; // below zero where it holds
};

struct jam {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt parfor;
    uint32_t var_count; // of the unit before the pass made any
    uint8_t *depends;   // by variable: JAM_ROWS, JAM_COLUMNS
    bool *assigned;     // by variable: in the body
    bool *counts;       // by variable: a loop of the body counts it
    ir_var **names;     // by variable: its copies, [row * columns + column]; NULL: it has none
    struct jam_side rows, columns;
    uint64_t iterations;
    // Per pass of the innermost loops, weighed by how often they run beside each other: all operations, and those of
    // loads that rows, columns, or neither tell apart.
    uint64_t cost, of_rows, of_columns, of_none;
    bool fits;
    struct jam_guard guard;
    bool asks_lanes; // of a loop inside; where both dimensions share what they load, it gets none
};

// JAM_ROWS, JAM_COLUMNS, JAM_PASSES.
uint8_t jam_depends_on(const struct jam *x, ir_expr e);
// A loop or branch that stays one for all copies: its bounds or condition are the same, and nobody leaves it early.
bool jam_is_common(const struct jam *x, const struct ir_stmt_node *n);
// What takes the place of the block: its statements, each for all iterations side by side that it tells apart
// (jam_body.c).
ir_stmt jam_copies_of(struct jam *x, ir_stmt block);

// Moves what computes in front of the condition that ends the body, if there is such a condition; and back.
void jam_open_guard(struct jam *x);
void jam_close_guard(struct jam *x);
// Whether the condition holds for some of a tile's iterations; 0: there is no condition.
ir_expr jam_guard_of_tile(struct jam *x);

#endif
