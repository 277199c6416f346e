// OpenMP's data sharing, as lower_omp.c (directives, iteration spaces) uses it: lower_share.c.
#ifndef WHORL_FRONT_LOWER_OMP_H
#define WHORL_FRONT_LOWER_OMP_H

#include "front/lower/lower.h"

struct lower_binding { // what a name meant before the loop gave it a private copy
    struct front_symbol *symbol;
    struct lower_object *outer, *own;
    uint8_t sharing;
    bool made_varying;
    bool is_sum;                        // a part of a reduction, to which functions add, too
    const struct front_omp_var *clause; // of a reduction of a region, of linear
    ir_expr step;                       // LINEAR
};
struct lower_bindings {
    struct lower_binding *items;
    uint32_t count, cap;
    struct lower_bindings *around; // whose names mean copies, too
};
struct lower_reduced {
    struct front_symbol *symbol;
    struct lower_object *outer;
    ir_var var;
    bool logical; // && and || work on a bool of their own
};
struct lower_space {
    struct ir_dim dims[IR_MAX_DIMS];
    ir_expr lo[IR_MAX_DIMS], hi[IR_MAX_DIMS]; // as written, where they depend on outer dimensions
    bool guarded[IR_MAX_DIMS];
    ir_expr first[IR_MAX_DIMS],
        stride[IR_MAX_DIMS]; // of a step that is no constant: the dimension counts passes; else 0
    struct lower_object *outer[IR_MAX_DIMS];
    uint32_t n;
};

// The iterations counted from 0, for arrays that have an element for each.
struct lower_numbering {
    ir_expr trips[IR_MAX_DIMS], total; // of each dimension, of all, before the loop
    uint64_t most;                     // the most that there can be
};

// lower_space.c
struct lower_numbering lower_number_space(struct lower *lw, const struct lower_space *space, base_loc loc);
ir_expr lower_number_of(struct lower *lw, const struct lower_numbering *numbering, const struct lower_space *space,
                        base_loc loc); // of the iteration at hand
void lower_space_add(struct lower *lw, struct lower_space *space, const struct front_omp_loop *loop);
// What the loop's variable is where its dimension is `count`.
ir_expr lower_space_value(struct lower *lw, const struct lower_space *space, uint32_t d, ir_expr count, base_loc loc);

// A private copy is wanted of the symbol.
void lower_share_bind(struct lower *lw, struct lower_bindings *list, struct front_symbol *symbol, uint8_t sharing,
                      base_loc loc);
void lower_share_clauses(struct lower *lw, struct lower_bindings *list, const struct front_omp *omp);
void lower_share_begin(struct lower *lw, struct lower_bindings *list,
                       const struct front_omp *omp); // names mean the copies
void lower_share_end(struct lower *lw, struct lower_bindings *list);
// In a function that is called there: variables at file scope mean themselves. What they meant comes back.
struct lower_meaning {
    uint32_t symbol; // its id
    struct lower_object *object;
};
uint32_t lower_share_leave(struct lower *lw, struct lower_meaning **out);
void lower_share_return(struct lower *lw, const struct lower_meaning *meanings, uint32_t count);
// linear: whether the body steps as the clause says; the steps, before the loop; the values with which an iteration
// begins, in its body.
void lower_linear_check(struct lower *lw, const struct front_omp_var *v, struct front_node *body);
void lower_linear_steps(struct lower *lw, struct lower_bindings *list);
void lower_linear_begin(struct lower *lw, const struct lower_bindings *list, const struct lower_space *space);

// lower_carried.c. Variables of the region that `body`, which is the body of `loop`, takes from one iteration to the
// next are its threads': learned, or refused.
void lower_carried_check(struct lower *lw, const struct lower_bindings *list, const struct front_node *loop,
                         const struct front_node *body_node, ir_stmt body);
// `parallel for` with variables of clauses that iterations may go on with becomes a region with the loop in it; false:
// it has none.
bool lower_goes_on_alone(struct lower *lw, uint32_t first, const struct front_omp *omp, ir_stmt loop);
bool lower_split_copies(struct lower *lw, struct front_node *node);

// lower_team.c: statements that each thread of the team runs, as a parallel loop over the team.
struct lower_phase {
    struct lower_block body, *before;
    ir_var var;
    uint32_t targets;
    uint32_t first;
};
// Of the threads from `first` on.
void lower_phase_begin(struct lower *lw, struct lower_phase *phase, uint32_t first, base_loc loc);
void lower_phase_end(struct lower *lw, struct lower_phase *phase, const struct ir_reduction *reductions, uint32_t count,
                     base_loc loc);
// lower_threadprivate.c: where a region begins, what its directive says of threadprivate variables.
bool lower_copies_in(const struct front_omp *omp);
void lower_copyin(struct lower *lw, const struct front_omp *omp);
uint32_t lower_team_size(struct lower *lw, const struct front_omp *omp); // 0: not known
void lower_team_used(struct lower *lw);
bool lower_sees_threads(const struct lower *lw, const struct front_node *node);
ir_expr lower_trips(struct lower *lw, const struct ir_dim *dim, base_loc loc);
bool lower_team_reduces(const struct lower *lw, const struct front_symbol *symbol);
void lower_team_reduce_begin(struct lower *lw, struct lower_bindings *list, base_loc loc);
void lower_team_reduce_end(struct lower *lw, struct lower_bindings *list, base_loc loc);
// `omp`: whose schedule counts, NULL: none
ir_stmt lower_team_loop(struct lower *lw, const struct front_omp *omp, const struct lower_space *space, ir_stmt body,
                        base_loc loc);

// lower_pairs.c: reductions of doubles as pairs of floats, and of 64-bit integers of two words. In this order: their
// variables get private copies; before the loop the arrays of parts; in an iteration the start, and what it leaves;
// behind the loop.
bool lower_reduces_words(struct lower *lw, const struct front_omp_var *v); // it is one of these
enum { LOWER_MOST_PAIR_SUMS = 16 };
enum { LOWER_MOST_LIMB_SUM = UINT32_MAX / 7 }; // iterations of a 64-bit sum: limbs of 3 bits do not carry
struct lower_pair_sum {
    const struct front_omp_var *clause;
    struct lower_object *outer, *parts;
    struct lower_object *neutral;       // of a declared one: what copies begin with; NULL: zeros
    ir_var limbs[LOWER_MOST_PAIR_SUMS]; // limb_count of low words, and then the sum of high ones (lower_limbs.c)
    uint32_t limb_count, limb_bits;     // 0: it has parts
};
struct lower_pair_sums {
    struct lower_pair_sum items[LOWER_MOST_PAIR_SUMS];
    uint32_t count;
    struct lower_numbering numbering;
    struct ir_reduction irs[LOWER_MOST_PAIR_SUMS]; // of limbs
    uint32_t ir_count;
};
void lower_pairs_collect(struct lower *lw, const struct front_omp *omp, const struct front_node *body,
                         struct lower_bindings *list, struct lower_pair_sums *out);
void lower_pairs_add(struct lower *lw, const struct front_omp_var *v, struct lower_bindings *list,
                     struct lower_pair_sums *out);
// lower_section.c: critical sections that the loop reaches become several, where these need nothing of each other.
void lower_split_sections(struct lower *lw, const struct front_omp *loop, const struct front_node *body);
// lower_taken.c: counters of 64 bits by which the loop's iterations take places: before it (called by lower_implied.c),
// and behind it.
void lower_taken_begin(struct lower *lw, struct front_omp *omp, const struct front_node *body);
void lower_taken_end(struct lower *lw, base_loc loc);
// lower_implied.c: behind the first: variables that the body's atomics and sections do nothing but update.
void lower_implied_collect(struct lower *lw, struct front_omp *omp, const struct front_node *body,
                           struct lower_bindings *list, struct lower_pair_sums *sums, struct ir_reduction *irs,
                           struct lower_reduced *reduced, uint32_t *count);
// `others`: reductions that the loop has besides.
void lower_pairs_make(struct lower *lw, struct lower_pair_sums *sums, const struct lower_space *space, uint32_t others,
                      base_loc loc);
void lower_pairs_begin(struct lower *lw, const struct lower_pair_sums *sums, base_loc loc);
void lower_pairs_save(struct lower *lw, const struct lower_pair_sums *sums, const struct lower_space *space,
                      base_loc loc);
void lower_pairs_end(struct lower *lw, const struct lower_pair_sums *sums, base_loc loc);

// Elements of such reductions: what they begin with; acc = acc OP part, in a call that `key` names.
// Emits a parallel loop behind another one's, which adds up its parts.
void lower_emit_adding_loop(struct lower *lw, const struct ir_dim *dims, uint32_t n, ir_stmt body, base_loc loc);
struct lower_object *lower_pairs_neutral(struct lower *lw, const struct lower_pair_sum *sum, base_loc loc);
void lower_pairs_set_identity(struct lower *lw, const struct lower_pair_sum *sum, const struct lower_place *to,
                              base_loc loc);
void lower_pairs_combine(struct lower *lw, const struct lower_pair_sum *sum, const struct lower_place *acc,
                         const struct lower_place *part, const void *key, base_loc loc);

// lower_rows.c: arrays of such elements. In this order: which; before the loop the rows; `lw->rows` while the body is
// lowered; the body in a loop over a block's iterations; behind the loop.
enum { LOWER_MOST_ROWS = 16 };
struct lower_row {
    const struct front_omp_row *text;
    struct lower_object *outer, *rows; // the array; [block][its dimensions]
    struct lower_ptr *begin, *place;   // what the name means outside of the loop, and in it
    struct lower_pair_sum sum;         // of an element
};
struct lower_rows {
    struct lower_row items[LOWER_MOST_ROWS];
    uint32_t count, blocks;
    ir_var var; // counts blocks; 0: they are the threads' iterations
    ir_expr block;
    // A called function that names the array means the array: only these calls' own text means rows.
    struct lower_call_frame *frame;               // of the loop, for those by clauses
    const struct front_symbol *updated;           // by the statement at hand, under `atomic` or `critical`
    const struct lower_call_frame *updated_frame; // which stands there
    const struct lower_row *by_place;             // whose array the statement at hand updates by another name
    struct front_omp *omp;
};
bool lower_reduces_rows(const struct lower *lw, const struct front_omp_var *v); // it is one of these
void lower_rows_collect(struct lower *lw, struct front_omp *omp, const struct front_node *body, struct lower_rows *out);
void lower_rows_make(struct lower *lw, struct lower_rows *rows, const struct lower_space *space, bool threads,
                     base_loc loc);
ir_stmt lower_rows_loop(struct lower *lw, const struct lower_rows *rows, const struct front_omp *omp,
                        const struct lower_space *space, ir_stmt body);
void lower_rows_end(struct lower *lw, const struct lower_rows *rows, base_loc loc);

// lower_limbs.c: one of them without parts. False: it needs them.
bool lower_limbs_make(struct lower *lw, struct lower_pair_sums *sums, struct lower_pair_sum *sum, uint32_t others);
void lower_limbs_save(struct lower *lw, const struct lower_pair_sum *sum, base_loc loc);
void lower_limbs_end(struct lower *lw, const struct lower_pair_sum *sum, base_loc loc);

enum ir_op lower_reduction_op(enum front_op op, enum ir_type type);
void lower_reduce_begin(struct lower *lw, const struct front_omp_var *v, struct ir_reduction *irs,
                        struct lower_reduced *list, uint32_t *count);
void lower_reduce_end(struct lower *lw, const struct lower_reduced *list, uint32_t count, base_loc loc);

// What a copy of a reduced variable begins with, in its own type.
ir_expr lower_neutral(struct lower *lw, const struct front_type *type, uint8_t op, base_loc loc);
// The iteration, with variables of narrow types brought into these where that counts.
ir_stmt lower_extremes_begin(struct lower *lw, const struct lower_reduced *list, const struct ir_reduction *irs,
                             uint32_t count, ir_stmt body, base_loc loc);

// The last iteration leaves its values in one-element arrays, read back behind the loop.
enum { LOWER_MOST_LAST = 32 };
ir_stmt lower_last_save(struct lower *lw, struct lower_bindings *list, const struct lower_space *space,
                        struct lower_object *out_kept[LOWER_MOST_LAST], base_loc loc);
void lower_last_restore(struct lower *lw, const struct lower_bindings *list, struct lower_object *const kept[],
                        const struct lower_space *space, base_loc loc);

#endif
