// What the files of the interpreter share: the state of a run and the steps that one file makes for another. interp.c
// says what it is for.
#ifndef WHORL_INTERP_H
#define WHORL_INTERP_H

#include <setjmp.h>

#include "ir/ir.h"
#include "ir/shadow.h"

enum ir_flow { IR_FLOW_NEXT, IR_FLOW_BREAK, IR_FLOW_CONTINUE, IR_FLOW_NEIGHBOUR };

#define IR_ALWAYS_SET UINT64_MAX // above every iteration's number

struct interp_cell {
    uint32_t bits;
    uint64_t set_in;     // 0: unset; a LOCAL: the iteration that set it
    uint64_t simd, pass; // that set it, for those who look for races
    ir_stmt set_at;
};
enum { IR_MOST_COMBINED = 32 };

struct memory {
    unsigned char *bytes;
    const uint32_t *table; // instead of bytes
    bool owned;
    unsigned char *doubles;     // of the caller, for which `bytes` has pairs of floats; NULL: there are none
    struct base_pair_rows rows; // where they are
    uint8_t elem;
    uint64_t dims[IR_MAX_DIMS];
    uint64_t count;
};

struct interp {
    const struct ir_unit *u;
    struct interp_cell *vars;
    struct memory *arrays;
    // In a team whose lanes know values of each other: those of all lanes, and those of the entry level.
    struct interp_cell *team_vars, *entry_vars;
    uint32_t *local_lists; // LOCAL arrays that each PARFOR's body names: count, then handles
    uint32_t *local_at;    // by statement: where its list starts
    uint32_t local_count, local_cap;
    uint32_t *partials;
    uint64_t partial_cap;
    uint64_t iteration; // from 1; ENTRY code runs as iteration 1
    uint64_t last_iteration;
    uint64_t steps, max_steps;
    ir_stmt at; // the statement that runs
    struct ir_follower *follower;
    bool backwards;
    struct ir_races *races; // NULL: nobody looks for them, and `team`, `passes` and `lock` stay as they are
    ir_stmt parfor;         // the parallel loop around
    struct {
        uint32_t threads; // of the region around: 0: none, UINT32_MAX: not known
        enum ir_actor_kind alone;
        uint64_t actor; // who runs its code outside of parallel loops
        bool next_threads, next_dynamic;
    } team;
    struct {
        uint64_t loop, loops, pass, safelen, next_safelen; // loop: the number of the `simd` loop around, 0: none
        uint32_t value;
        ir_var var, combined[IR_MOST_COMBINED];
        uint32_t combined_count;
    } passes;
    uint32_t lock;         // that is held
    bool reads_atomically; // the expression that is evaluated stands under `atomic read`
    struct whorl_error *err;
    enum whorl_status status;
    jmp_buf leave;
};

// ---- interp.c
_Noreturn void ir_interp_fail(struct interp *in, enum whorl_status status, base_loc loc, const char *format, ...)
    BASE_PRINTF(4, 5);
void *ir_interp_alloc(struct interp *in, uint64_t count, size_t each_bytes); // zeros; fails instead of NULL
void ir_interp_tell(struct interp *in, enum ir_event event, ir_stmt s, ir_array a, uint64_t number);
void ir_interp_step(struct interp *in); // counts one
enum ir_flow ir_interp_block(struct interp *in, ir_stmt block);

// ---- interp_setup.c: variables, arrays and lists, before the first statement
void ir_interp_setup(struct interp *in, const struct ir_interp_options *options);

// ---- interp_value.c
uint32_t ir_interp_eval(struct interp *in, ir_expr e);
uint32_t ir_interp_var(struct interp *in, ir_var var, base_loc loc);
void ir_interp_set_var(struct interp *in, ir_var var, uint32_t bits);
uint64_t ir_interp_element(struct interp *in, ir_array array, uint32_t first, uint32_t n, base_loc loc);
uint32_t ir_interp_load(const struct memory *m, uint64_t at);
void ir_interp_store(const struct memory *m, uint64_t at, uint32_t bits);

// ---- interp_threads.c: who runs what, and the accesses that may race
enum ir_touch { IR_TOUCH_READ, IR_TOUCH_WRITE, IR_TOUCH_UPDATE };
void ir_interp_mark(struct interp *in, const struct ir_stmt_node *stmt);
// lo, trips: its space; total: their product.
void ir_interp_begin_parfor(struct interp *in, ir_stmt s, const uint32_t *lo, const uint64_t *trips, uint64_t total);
void ir_interp_end_parfor(struct interp *in);
void ir_interp_after_parfor(struct interp *in); // its reductions are done
void ir_interp_look(struct interp *in, ir_array array, uint64_t element, enum ir_touch touch, bool atomic,
                    bool changes);
void ir_interp_look_var(struct interp *in, ir_var var, enum ir_touch touch, bool changes);
bool ir_interp_begin_passes(struct interp *in, const struct ir_stmt_node *stmt); // false: nobody looks at them
void ir_interp_pass(struct interp *in, uint32_t value);
void ir_interp_end_passes(struct interp *in);

// ---- interp_parallel.c
uint32_t ir_interp_fold(uint8_t op, enum ir_type type, uint32_t a, uint32_t b);
uint64_t ir_interp_trips(const struct ir_unit *u, ir_var var, uint32_t lo, uint32_t hi, int32_t step);
void ir_interp_parfor(struct interp *in, ir_stmt s);
void ir_interp_combine(struct interp *in, const struct ir_stmt_node *stmt);

#endif
