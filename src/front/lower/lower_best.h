// Critical sections that take over what is better: the largest of all values and where it was found.
#ifndef WHORL_FRONT_LOWER_BEST_H
#define WHORL_FRONT_LOWER_BEST_H

#include "front/lower/lower_omp.h"
#include "front/lower/lower_update.h"

enum { LOWER_BEST_FIELDS = 8, LOWER_BEST_KEYS = 8, LOWER_MOST_BESTS = 8, LOWER_BEST_SECTIONS = 16 };

// What the section keeps: `high`, and with it `place`. One field or more are compared, in this order.
struct lower_best_field {
    struct front_node *place, *value;  // the lvalue; what a better one puts there
    const struct lower_object *object; // that the place is in
    struct lower_object *own, *parts;  // an iteration's, while its body is lowered; all of them
    struct lower_place at;             // the place, as it is where an iteration begins
};
struct lower_best_key {
    uint32_t field;
    const struct front_node *place; // the field's, or a member of it
    bool larger;                    // is better
};
struct lower_best {
    struct lower_best_field fields[LOWER_BEST_FIELDS];
    struct lower_best_key keys[LOWER_BEST_KEYS];
    uint32_t field_count, key_count;
    ir_var extreme; // of the first word compared, over all iterations
};
struct lower_bests {
    struct lower_best items[LOWER_MOST_BESTS];
    uint32_t count;
    const struct front_node *sections[LOWER_BEST_SECTIONS];
    uint32_t section_count;
    struct lower_numbering numbering;
    const struct front_omp *omp; // the loop
    const struct front_node *body;
};

// A place of a function's text as the text around the call says it; NULL: it has no name there. `call` NULL: any call.
struct front_node *lower_best_outside(struct lower *lw, const struct front_node *call, struct front_node *n);

// In this order. Before the loop: which sections of its body are of this kind (none, where something else of the body
// uses what they keep), and the arrays and reductions; `irs` has room for LOWER_MOST_BESTS. In an iteration: the start,
// and what it leaves. Behind the loop.
void lower_bests_collect(struct lower *lw, const struct front_omp *omp, const struct front_node *body,
                         struct lower_rows *rows, struct lower_bests *out);
uint32_t lower_bests_make(struct lower *lw, struct lower_bests *bests, const struct lower_space *space,
                          struct ir_reduction *irs, base_loc loc);
void lower_bests_begin(struct lower *lw, struct lower_bests *bests, base_loc loc);
void lower_bests_save(struct lower *lw, struct lower_bests *bests, const struct lower_space *space, base_loc loc);
void lower_bests_end(struct lower *lw, const struct lower_bests *bests, base_loc loc);

// The same for all iterations, if it is an integer: made of constants and of variables that the body leaves alone.
bool lower_best_is_fixed(struct lower *lw, const struct lower_bests *bests, const struct front_node *n);
// value > place: the operator and its sides; of doubles that are pairs, too.
enum front_op lower_best_comparison(struct front_node *test, struct front_node **a, struct front_node **b);
// high = fmaxf(high, value)
bool lower_best_extreme_call(struct front_node *statement, struct lower_update *out);
// lower_best_chosen.c: an error, if the section keeps the best of each of several places, which iterations choose.
void lower_best_refuse_chosen(struct lower *lw, struct front_node *section, base_loc loc);

#endif
