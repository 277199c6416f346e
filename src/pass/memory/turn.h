// What the files of pass_turn share: rows of arrays that the iterations of a parallel loop walk along. turn.c says what
// it is for, and decides.
#ifndef WHORL_PASS_TURN_H
#define WHORL_PASS_TURN_H

#include "pass/memory/panel.h"

struct turn_row {
    ir_array array, box;
    struct pass_affine at[IR_MAX_DIMS]; // of the number of the pass, for which the loop's counter stands here
    uint32_t n;
    bool loaded, stored;
    bool meets;    // lanes load words that others of them have stored
    uint32_t with; // its words take the place of that row's, which are loaded before; else itself
};
// An access in the loop and the row that it is of.
struct turn_access {
    ir_expr load; // 0: a store
    ir_stmt stmt;
    uint32_t row; // PASS_TURN_ROWS: none
};

struct turner {
    struct panel team; // for what panel_team.c does
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt parfor;
    struct ir_stmt_node n; // a copy of its node
    struct pass_space space;
    struct pass_accesses all; // of its body
    struct ir_effects fx;     // of its body
    bool *common;             // by variable: counts a loop that all lanes make alike
    uint32_t depth;           // such loops around
    uint64_t iterations;
    ir_var group, lane, number;
    ir_stmt dims; // assign the index variables, by `number`
    bool any;     // there are rows, in one of the parallel loops
    // of the loop under way
    ir_stmt loop;
    struct pass_affine lo, ends[2]; // where it begins; and of which the smaller one is its end, if not all are even
    uint64_t trips;                 // at most
    bool is_even;                   // all lanes make as many
    uint32_t words;                 // of a row at a time
    struct turn_row rows[PASS_TURN_ROWS];
    uint32_t row_count;
    struct turn_access *walked;
    uint32_t walked_count;
};

// The rows that x->loop walks along, whose block's accesses these are, and how many words of each go through workgroup
// memory at a time. False: there are none. In the loop's scope.
bool turn_find_rows(struct turner *x, const struct pass_accesses *accesses);
// Every lane can say what it is for any other one. counter: of the loop, 0: it may not depend on it.
bool turn_is_known(const struct turner *x, const struct pass_affine *f, ir_var counter);
uint32_t turn_dim_of(const struct turner *x, ir_var v); // number of the parallel loop's dimension; x->space.n: of none
static inline bool turn_is_kept(const struct turn_row *r) { return r->loaded || r->stored; }

#endif
