// What the files of the checker share; check.c says what it is for.
#ifndef WHORL_CHECKER_H
#define WHORL_CHECKER_H

#include "ir/ir.h"

struct checker {
    const struct ir_unit *u;
    const char *after;
    unsigned char *node_ok; // checked already, but for what depends on the place: variables and arrays
    unsigned char *stmt_seen;
    unsigned char *var_locked; // a FOR's variable inside its body, a PARFOR's inside it
    unsigned char *dim_active; // a PARFOR's variable inside it
    unsigned char *reduced;    // a reduction's variable inside its PARFOR
    unsigned char *counting;   // counts a loop around parallel loops: one, as the host counts it by the variable
    // By item of the unit's lists: the statement it belongs to, 0: none; UINT32_MAX: expressions, which may share it
    ir_stmt *arg_owner, *dim_owner, *reduction_owner;
    ir_stmt parfor;      // the one around, 0 at entry level
    bool lanes;          // inside a PARFOR whose lanes are of a subgroup
    bool team;           // inside a PARFOR whose lanes are a workgroup, where all of them come together
    uint32_t loop_depth; // loops around that BREAK may leave
    uint32_t parallels;  // PARFORs and COMBINEs so far
    uint32_t jumps;      // BREAKs and CONTINUEs so far of the loop around
    ir_stmt at;
};

// ---- check.c
_Noreturn void ir_check_broken(const struct checker *c, const char *format, ...) BASE_PRINTF(2, 3);

// The list [first, +n) of the unit's `count` items is inside, and belongs to nobody but `owner`.
void ir_check_list(const struct checker *c, ir_stmt *owners, ir_stmt owner, uint32_t first, uint32_t n, uint32_t count,
                   const char *what);

// ---- check_expr.c. Types are checked once a node; where it stands, at each use.
enum ir_type ir_check_expr(struct checker *c, ir_expr e);
bool ir_check_place(void *user, ir_expr e); // for ir_walk_expr: may each variable and array stand here?
void ir_check_var_place(const struct checker *c, ir_var var);
void ir_check_array_place(const struct checker *c, ir_array array);
void ir_check_typed(struct checker *c, ir_expr e, enum ir_type want, const char *what); // type and place
// `below`: the node whose operands they are, 0 for a statement's.
void ir_check_indices(struct checker *c, ir_array array, uint32_t first, uint32_t n, ir_expr below);

#endif
