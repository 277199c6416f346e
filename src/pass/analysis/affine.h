// Index arithmetic: which values an integer expression can have (ranges), and how it depends on variables (affine
// forms).
//
// Both look through variables that are assigned exactly once, where the definition dominates the use. A `pass_scope` is
// filled by walking blocks from the entry level down; leaving a block forgets what was defined in it.
#ifndef WHORL_PASS_AFFINE_H
#define WHORL_PASS_AFFINE_H

#include "ir/ir.h"

struct pass_range {
    int64_t lo, hi; // inclusive
    bool known;
};

// Which value each choice of an index has: `c ? x : y`, or what `a % n` takes from a. An affine form for each of the
// ways to choose tells more than none for all of them.
#define PASS_CHOICES 4 // guess: of an index
struct pass_choices {
    struct {
        ir_expr e;
        int64_t way; // SELECT: 0 x, 1 y; REM: the quotient
    } list[PASS_CHOICES];
    uint32_t count;
    ir_expr open; // found by a query: a choice that is not in the list
};

struct pass_scope {
    struct ir_unit *u;
    uint32_t *assign_count; // by variable: ASSIGN statements in the whole unit
    ir_expr *definition; // by variable: its one definition while in scope, if that reads only stable variables; else 0
    bool *in_scope;      // by variable: assigned once, and that assignment dominates this place
    struct pass_range *range; // by variable: loop variables in scope
    struct pass_range *ever;  // by variable: the union of the ranges it had in any scope so far
    bool *unbounded;          // by variable: its range was not known in some scope, so `ever` is not either
    // by array, NULL: none. What its words hold may be out of its element type's range (pass/analysis/bounds.h)
    const bool *opaque;
    // by variable, where nothing is known of this place: what all its assignments keep it in (always.c). NULL: not used
    struct pass_range *always;
    bool anywhere;                // always.c finds that out: no variable is known by its place
    struct pass_choices *choices; // of affine forms; NULL: what depends on a choice is not affine
    uint32_t var_cap;
    uint32_t *steps;  // left to this query: definitions that use each other twice would take 2^depth of them
    uint32_t *played; // left to loops that are played for all values of the counters around (permuted.c)
    ir_var *trail;    // what to forget when a block ends
    uint32_t trail_count, trail_cap;
    uint32_t depth;
};
void pass_scope_init(struct pass_scope *sc, struct ir_unit *u);
void pass_scope_begin(struct pass_scope *sc, struct ir_unit *u); // the same without `always`
struct pass_range *pass_find_always(struct pass_scope *sc);      // for pass_scope_init
uint32_t pass_scope_enter(struct pass_scope *sc);                // a mark
void pass_scope_leave(struct pass_scope *sc, uint32_t mark);
void pass_scope_assign(struct pass_scope *sc, ir_stmt s); // after an ASSIGN
void pass_scope_loop(struct pass_scope *sc, ir_stmt s);   // FOR, TURN: the variable's range, before its body
void pass_scope_parfor(struct pass_scope *sc, ir_stmt s); // PARFOR: ranges of its dims

// The variable has one value from here to the end of its block: loop variables, parameters, single definitions in
// scope.
bool pass_scope_stable(const struct pass_scope *sc, ir_var v);

// Of a choice by a comparison, either side is taken only where that is so: t < 9 ? t : 9 is 9 at most.
struct pass_range pass_range_of(const struct pass_scope *sc, ir_expr e);
struct pass_range pass_range_of_var(const struct pass_scope *sc, ir_var v);
struct pass_range pass_range_below(const struct pass_scope *sc, ir_expr e, int depth); // as a part of such a query
uint8_t pass_negated(uint8_t op);                                             // of a comparison; others: IR_CONST
struct pass_range pass_range_of_type(struct pass_range r, enum ir_type type); // r, or all that the type has
// Passes of a FOR or of one dimension, if its bounds are constants (spans.c); or where it always makes so many.
bool pass_trip_count(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step, uint64_t *out);
bool pass_exact_trips(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step, uint64_t *out);
// What they cannot exceed; UINT64_MAX: that is not known.
uint64_t pass_most_trips(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step);
// What is in the middle of all that they may be; 0: that is not known.
uint64_t pass_middle_trips(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step);
// Every load inside its array, no division by what may be zero: the expression may be evaluated where C would not.
bool pass_is_safe_anywhere(const struct pass_scope *sc, ir_expr e);

#define PASS_AFFINE_VARS 8
struct pass_affine {
    bool ok; // false: not affine
    uint32_t n;
    ir_var vars[PASS_AFFINE_VARS];
    int64_t coefs[PASS_AFFINE_VARS]; // never 0
    int64_t constant;
};
struct pass_affine pass_affine_of(const struct pass_scope *sc, ir_expr e);
// a / b, of numbers that are not negative, is one of a few numbers.
bool pass_has_quotients(struct pass_range a, struct pass_range b);
int64_t pass_affine_coef(const struct pass_affine *f, ir_var var);
// How many words the array's element at these indices moves when a variable becomes one more, for each of the
// variables. False: an index of theirs is not affine, or the array's sizes are not known.
bool pass_word_strides(const struct pass_scope *sc, ir_array a, const uint32_t *indices, uint32_t n, const ir_var *vars,
                       uint32_t count, int64_t *out);
// factor * a + b; not ok where that has too many terms.
struct pass_affine pass_affine_sum(int64_t factor, const struct pass_affine *a, const struct pass_affine *b);
bool pass_affine_equal(const struct pass_affine *a, const struct pass_affine *b);
// a - b is a constant other than 0: the two can never be equal.
bool pass_affine_distinct(const struct pass_affine *a, const struct pass_affine *b);

#endif
