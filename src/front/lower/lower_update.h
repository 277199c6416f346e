// What a statement under `#pragma omp atomic` does, read from its text.
#ifndef WHORL_FRONT_LOWER_UPDATE_H
#define WHORL_FRONT_LOWER_UPDATE_H

#include "front/lower/lower.h"

// x = x op e; x = e (`exchanges`); if (x == expected) x = e.
struct lower_update {
    struct front_node *x;        // what is updated
    struct front_node *e;        // by what; NULL with MIN and MAX that no one sees
    enum front_op op;            // ADD SUB AND OR XOR MIN MAX; NONE: it exchanges
    struct front_node *expected; // of an exchange; NULL: any
    struct front_type *calc;
    struct front_node *v;           // takes the old or the new value; NULL: nobody
    bool takes_new, takes_if_other; // of v: the new value; the old one, only where it was not the expected one
    bool wants_old;                 // somebody else does
    struct front_node *r;           // takes whether the old value was the expected one; NULL: nobody
};

// One update, as it stands under `atomic` or in a loop that reduces the array.
bool lower_read_update(struct front_node *node, struct lower_update *out);
// The statement of `atomic`; compares, captures: its clauses.
bool lower_read_atomic(struct front_node *node, bool compares, bool captures, struct lower_update *out);
// x = x + e and x = x - e of doubles that are pairs, which are calls (lower_implied.c).
bool lower_read_pair_update(struct front_node *statement, struct lower_update *out);
// The variable that the place is in, or that leads to it; NULL: none is named.
const struct front_symbol *lower_base_of(const struct front_node *x);
// lower_best_form.c: of one thing, different members or elements of different constant indices.
bool lower_are_apart(const struct front_node *a, const struct front_node *b);
// The expression that is the whole statement, or NULL.
struct front_node *lower_expression_of(struct front_node *statement);

// lower_atomic.c. Private to the iteration; the places that iterations share become arrays, false: in the next run.
bool lower_atomic_is_private(const struct lower *lw, const struct lower_object *object, const struct lower_slot *slot);
bool lower_atomic_prepare(struct lower *lw, const struct lower_ptr *to, base_loc loc);
// lower_exchange.c. Begins a loop that changes a word until nobody came between; returns what it was. What it becomes
// is computed between these two.
struct lower_try {
    ir_array array;
    ir_expr idx[IR_MAX_DIMS + 1];
    uint32_t n;
    ir_var old, again;
    ir_expr was;
    struct lower_block body, *before;
};
ir_expr lower_try_begin(struct lower *lw, struct lower_try *t, base_loc loc);
void lower_try_end(struct lower *lw, struct lower_try *t, ir_expr next, base_loc loc);
// lower_taken.c. Steps that a loop can take places by, of a 64-bit counter; the place, stored where the update captures
// it, or 0: the counter is none of these.
bool lower_can_take(const struct front_node *x, const struct front_node *by, enum front_op op);
ir_expr lower_take(struct lower *lw, const struct lower_update *up, base_loc loc);
// A critical section that changes one word. False: it is another one.
bool lower_exchange(struct lower *lw, const struct front_omp *omp);

#endif
