// A for loop that counts, as it is written: lower_count.c finds it, lower_loop.c makes a FOR of it.
#ifndef WHORL_FRONT_LOWER_COUNT_H
#define WHORL_FRONT_LOWER_COUNT_H

#include "front/lower/lower.h"

enum { LOWER_BESIDE = 4 };
struct lower_count {
    struct front_symbol *symbol;
    struct front_node *lo;
    struct front_node *hi;          // the other side of the test
    struct front_node *declaration; // the DECL of the variable, or NULL
    enum front_op relation;         // the variable on the left
    struct front_type *compared;    // the type the test compares in
    int32_t offset;                 // what the test adds to the variable: `i + 1 < n`
    struct front_node *shift;       // ... that is no constant: `i + width <= n`, or NULL
    bool shift_down;                // it takes it off: `i - width >= 0`
    int32_t step;
    struct front_node *beside[LOWER_BESIDE]; // what else the step does: `i++, k += 2`
    uint32_t beside_count;
    struct front_node *also[LOWER_BESIDE + 1]; // what an expression does at the begin, beside setting the variable
    uint32_t also_count, also_before;          // so many of them before it
};

// Without casts from integer to integer.
const struct front_node *lower_through_casts(const struct front_node *node);
// False: its variable is written elsewhere, or its test or step is none that counts.
bool lower_find_count(struct lower *lw, struct front_node *node, struct lower_count *out);
// The body, or what the step does beside counting, writes the variable; calls a function.
bool lower_count_writes(const struct lower_count *c, const struct front_node *body, const struct front_symbol *symbol);
bool lower_count_calls(const struct lower_count *c, const struct front_node *body);

#endif
