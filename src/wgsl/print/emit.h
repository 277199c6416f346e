// What the files that print a kernel share: the text being written, and what is known at this place of it. What is the
// same everywhere was decided before (kernel.h).
#ifndef WHORL_WGSL_EMIT_H
#define WHORL_WGSL_EMIT_H

#include "wgsl/decide/kernel.h"

// A word of params that is always zero: added to a constant it hides the value from the WGSL compiler, which refuses
// constant expressions that overflow, divide by zero or are not finite.
#define WGSL_ZERO "params[1].w"
#define WGSL_DONE "0xffffffffu"   // saved resume number of an iteration that is finished
#define WGSL_PAUSED "0xfffffffeu" // value of `rp` from a pause to the end of the iteration

#define WGSL_MAX_DEPTH 120 // of braces; naga reads 127

// The loop that BREAK leaves.
struct wgsl_loop {
    const char *on_break; // statement printed before `break;`, "" for none
    struct wgsl_loop *outer;
};

// Vectors of bindings in rows that were loaded last, in this block of the text.
struct wgsl_rows {
    struct {
        uint32_t slot;
        const char *index, *name; // name NULL: none
    } at[WGSL_ROWS];
    uint32_t next; // the place of the one that is loaded next
};

struct wgsl_emitter {
    struct base_cx *cx;
    const struct wgsl_kernel *k;
    const struct wgsl_input *in; // k's
    const struct ir_unit *u;     // k's
    struct base_text *out;
    uint32_t indent, temps;
    const char **names;       // by variable handle
    const char **array_names; // by array handle, of those that are in no binding
    // where the text is
    struct wgsl_loop *loop;
    bool in_phase; // grid: inside a PARFOR, where control flow need not be uniform
    // Lanes of an iteration: stores where every lane runs stand under a guard.
    enum { WGSL_ONE_LANE, WGSL_ALL_LANES, WGSL_OWN_PASSES, WGSL_SUBGROUP } lane_mode;
    uint32_t lane_count, lane_apart, lanes_near; // lanes of an iteration; wgsl_lanes_apart, wgsl_lanes_near of it
    // The iteration's lanes have local arrays in workgroup memory. Lanes of no iteration then make all passes of the
    // last one, so that they never go on with what nobody has written.
    bool has_near;
    const char *live; // a condition: the invocation makes passes of shared loops
    // Of statements that are written twice (emit_twice.c): which text this is, its word for rare cases, its own
    // indentation.
    struct {
        enum { WGSL_ONE_TEXT, WGSL_FIRST_TEXT, WGSL_SECOND_TEXT } text;
        const char *word;
        uint32_t indent;
    } rare;
    const char *window_pass; // in a loop that reads windows, u32: the number of the pass in this stretch
    struct wgsl_tile *tile;  // in the body of a stencil in tiles (emit_tile.c)
    // what it has here
    struct ir_privates privates; // arrays that this parallel loop updates in copies (emit_atomic.c)
    ir_stmt last_box;            // of copies that are made together and still come (emit_box.c); 0: none
    struct wgsl_copies *waiting; // copies in workgroup memory that are loaded and not stored yet (emit_stage.c)
    struct wgsl_rows rows;       // (emit_access.c)
    struct wgsl_pairs *pairs;    // sines and cosines (emit_angles.c)
    struct wgsl_memo *memo;      // values of expressions (emit_expr.c)
};

// ---- emit_text.c
void wgsl_line(struct wgsl_emitter *e, const char *format, ...) BASE_PRINTF(2, 3);
void wgsl_open(struct wgsl_emitter *e, const char *head); // "head {"
void wgsl_else(struct wgsl_emitter *e);                   // "} else {"
void wgsl_close(struct wgsl_emitter *e);
const char *wgsl_temp(struct wgsl_emitter *e);
const char *wgsl_clean_name(struct base_cx *cx, char kind, uint32_t handle, const char *name); // v12_x
const char *wgsl_word(struct wgsl_emitter *e, uint32_t word);                                  // "params[2].y"
const char *wgsl_from_bits(struct wgsl_emitter *e, enum ir_type type,
                           const char *text); // a u32 word to the scalar type
const char *wgsl_to_bits(struct wgsl_emitter *e, enum ir_type type, const char *text);
void wgsl_failure(struct wgsl_emitter *e); // statement: a loop was ended early, this slice is worthless

// ---- emit_expr.c. Statements that an expression needs first are written to `out`.
struct wgsl_memo *wgsl_memo_create(struct base_cx *cx, const struct ir_unit *u);
void wgsl_begin(struct wgsl_emitter *e, const ir_expr *exprs, uint32_t n); // the expressions of one statement
void wgsl_known(struct wgsl_emitter *e, ir_expr x, const char *name); // its value stands in `name` until wgsl_begin
const char *wgsl_expr(struct wgsl_emitter *e, ir_expr x);             // to stand alone: after =, in (), in if ()
const char *wgsl_operand(struct wgsl_emitter *e, ir_expr x);          // to stand beside an operator
const char *wgsl_operand_of(struct wgsl_emitter *e, ir_expr x, const char **bare); // ... and as it is by itself
const char *wgsl_as_u32(struct wgsl_emitter *e, ir_expr x);                        // an I32 or U32 as u32 operand
const char *wgsl_const(struct wgsl_emitter *e, enum ir_type type, uint32_t bits);
const char *wgsl_fold(struct wgsl_emitter *e, uint8_t op, enum ir_type type, const char *a,
                      const char *b); // a OP b of a reduction

// ---- emit_angles.c
struct wgsl_pairs *wgsl_pairs_create(struct base_cx *cx, const struct ir_unit *u);
const char *wgsl_angle(struct wgsl_emitter *e, uint8_t op, ir_expr operand); // SIN or COS, or NULL: it stands alone
void wgsl_angles_open(struct wgsl_emitter *e, bool is_loop);                 // braces open, before they are indented
void wgsl_angles_close(struct wgsl_emitter *e);                              // ... and close, after
uint32_t wgsl_angles_mark(const struct wgsl_emitter *e);
void wgsl_angles_leave(struct wgsl_emitter *e, uint32_t mark); // a scope of the text without braces ends
void wgsl_angles_write(struct wgsl_emitter *e, ir_var v);

// ---- emit_twice.c
void wgsl_write_twice(struct wgsl_emitter *e, ir_stmt s); // what k->twice says of s

// ---- emit_access.c
// An index: `text` (u32, NULL where there is none) plus `constant`.
struct wgsl_index {
    const char *text;
    uint32_t constant;
    bool simple;       // text is one name
    const char *plain; // the whole index as an I32 or U32 expression, where that is all there is
    uint32_t even;     // this power of two divides what text stands for
};
const char *wgsl_index_text(struct wgsl_emitter *e, const struct wgsl_index *index);
struct wgsl_index wgsl_linear(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n);
// Element `part` of the word of a packed array; a word of the binding as the scalar type; the word that holds a value.
const char *wgsl_packed_part(struct wgsl_emitter *e, ir_array a, const char *word, uint32_t part);
const char *wgsl_read_word(struct wgsl_emitter *e, const struct wgsl_form *b, enum ir_type type, const char *word);
// The words that a multiple of a word's elements is; `text` may be below zero alone.
const char *wgsl_words_of(struct wgsl_emitter *e, const char *text, uint32_t shift);
void wgsl_forget_rows(struct wgsl_emitter *e, const char *name); // those in whose index the name is; NULL: all
const char *wgsl_stored_word(struct wgsl_emitter *e, ir_array a, const char *value);
const char *wgsl_load(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n);
void wgsl_store(struct wgsl_emitter *e, const struct ir_stmt_node *s);
void wgsl_store_element(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n, const char *value);
const char *wgsl_element(struct wgsl_emitter *e, ir_array a, const char *index); // value of element `index` (u32 text)
const char *wgsl_vector_at(struct wgsl_emitter *e, ir_array a,
                           const char *index); // its elements 4 * index .. + 3; NULL: they are no vector of the binding

// ---- emit_atomic.c: updates, and the copies in which a workgroup makes them
void wgsl_atomic(struct wgsl_emitter *e, const struct ir_stmt_node *s); // ATOMIC
// Around a parallel loop, where all invocations of the workgroup come: its copies are filled; they are combined with
// the arrays.
void wgsl_privates_begin(struct wgsl_emitter *e, ir_stmt parfor);
void wgsl_privates_end(struct wgsl_emitter *e);

// ---- emit_vector.c: runs of neighbours as one access
// Where element `index` (u32 text; a vector or a word, see wgsl_vectors.staged) of the STAGED array stands in that
// memory.
const char *wgsl_dealt(struct wgsl_emitter *e, ir_array a, const char *index);
bool wgsl_together(struct wgsl_emitter *e,
                   ir_stmt s); // emits the run that starts here, and those that follow; false: it is none
// All words of the batch of loads that starts with `first`; its variables, from them.
struct wgsl_batch *wgsl_load_batch(struct wgsl_emitter *e, ir_stmt first);
// A batch between its load and its pass (emit_early.c): into variables of the kernel, and back.
void wgsl_keep_batch(struct wgsl_emitter *e, const struct wgsl_batch *batch);
const struct wgsl_batch *wgsl_kept_batch(struct wgsl_emitter *e, ir_stmt first);
const char *wgsl_early_name(struct wgsl_emitter *e, enum ir_type type, uint32_t words, uint32_t at);
void wgsl_assign_batch(struct wgsl_emitter *e, const struct wgsl_batch *batch);
// Element `index` (u32 text) of an array of vectors of `words` components, or of scalars (1).
const char *wgsl_part(struct wgsl_emitter *e, const char *array, uint32_t words, const char *index);

// ---- emit.c: pieces of the frame
void wgsl_emit_fixed(struct wgsl_emitter *e);
void wgsl_emit_tops(struct wgsl_emitter *e);
void wgsl_emit_dims(struct wgsl_emitter *e, const struct ir_stmt_node *parfor); // from the iteration's number `it`
const char *wgsl_emit_trips(struct wgsl_emitter *e, const struct ir_dim *dim);  // u32 text

// ---- emit_grid.c: the whole program as one kernel
void wgsl_grid_main(struct wgsl_emitter *e);
void wgsl_grid_phase(struct wgsl_emitter *e, ir_stmt s);
void wgsl_grid_barrier(struct wgsl_emitter *e, ir_stmt s);
// Around code at entry level of a grid kernel: the value as a uniform one, which control flow around barriers must
// have.
const char *wgsl_grid_uniform(struct wgsl_emitter *e, enum ir_type type, ir_expr x, const char *text);
bool wgsl_at_entry_level(const struct wgsl_emitter *e);

// ---- emit_stage.c: copies in workgroup memory
void wgsl_declare_staged(struct wgsl_emitter *e); // the memory
const char *wgsl_staged_name(struct wgsl_emitter *e, ir_array a);
void wgsl_stage_loads(struct wgsl_emitter *e, const struct wgsl_phase *phase); // at the start of it
void wgsl_stage_stores(struct wgsl_emitter *e); // where all of the workgroup comes, before the copies are read
void wgsl_stage_settle(struct wgsl_emitter *e); // in a phase on lanes: once, in its first round
const char *wgsl_stage_row(struct wgsl_emitter *e, ir_array a, ir_expr first); // u32 text of the row in that memory
// The index of an element of a box, or of a vector of `words`, with the room that is left behind rows (emit_access.c).
const char *wgsl_skewed(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n, const char *index,
                        uint32_t words);
bool wgsl_has_stretches(const struct wgsl_emitter *e, ir_stmt loop); // a FOR whose passes begin with copies of boxes
void wgsl_stretches(struct wgsl_emitter *e, ir_stmt loop);
void wgsl_boxes(struct wgsl_emitter *e, ir_stmt stage);     // emit_box.c, with those that follow it
void wgsl_stage_loop(struct wgsl_emitter *e, ir_stmt loop); // a shared loop that reads windows

// ---- emit.c: which lane of its iteration an invocation is; which iteration, of those of its workgroup, and in a grid
const char *wgsl_lane_text(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor);
const char *wgsl_iteration_text(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor);
const char *wgsl_first_iteration(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor); // the workgroup's
const char *wgsl_grid_iteration(const struct wgsl_emitter *e, const struct ir_stmt_node *parfor);

// ---- emit_early.c: loads before their pass
void wgsl_declare_early(struct wgsl_emitter *e);
void wgsl_early_first(struct wgsl_emitter *e, const struct wgsl_early *x); // those of the phase's first pass
void wgsl_early_loop(struct wgsl_emitter *e, const struct wgsl_early *x);  // the loop, without what lanes combine
// What a pass begins with, and the loads of the lane's next one. -> the rest of the pass
ir_stmt wgsl_early_pass(struct wgsl_emitter *e, const struct wgsl_early *x);

// ---- emit_tile.c: stencils in tiles
const char *wgsl_tile_memory(struct wgsl_emitter *e, enum ir_type type); // what lanes exchange is there, too
void wgsl_declare_tiles(struct wgsl_emitter *e);
void wgsl_tile_phase(struct wgsl_emitter *e, ir_stmt parfor);
const char *wgsl_tile_load(struct wgsl_emitter *e, ir_array a, uint32_t first_arg,
                           uint32_t n); // NULL: an ordinary load

// ---- emit_stmt.c, emit_loop.c, emit_combine.c
void wgsl_loop_body(struct wgsl_emitter *e, ir_stmt body, const char *on_break);
void wgsl_block(struct wgsl_emitter *e, ir_stmt block);
void wgsl_statement(struct wgsl_emitter *e, ir_stmt s);
void wgsl_assign(struct wgsl_emitter *e, ir_stmt s, const char *value); // NULL: that of its expression
void wgsl_for(struct wgsl_emitter *e, ir_stmt s);
bool wgsl_ends_safely(const struct wgsl_emitter *e, ir_expr lo, ir_expr hi); // what memory holds does not decide when
void wgsl_loop_stmt(struct wgsl_emitter *e, ir_stmt s);
void wgsl_resume_for(struct wgsl_emitter *e, ir_stmt s);
void wgsl_resume_loop(struct wgsl_emitter *e, ir_stmt s);
// This COMBINE and those behind it, in front of `stop`, that are made with it. -> what follows them
ir_stmt wgsl_combines(struct wgsl_emitter *e, ir_stmt s, ir_stmt stop);
// The 256 words of a workgroup's `row`, the text of an index up to the place in it, in the order that ir.h fixes: a
// step less of the tree is a barrier less, so 16 invocations fold 16 words each, and after a barrier all the same 16.
#define WGSL_FOLD_SIDE 16
void wgsl_fold_columns(struct wgsl_emitter *e, uint8_t op, enum ir_type type, const char *row); // if li < 16
const char *wgsl_fold_column(struct wgsl_emitter *e, uint8_t op, enum ir_type type,
                             const char *row); // the name of the result

// ---- emit_lanes.c
void wgsl_lanes_body(struct wgsl_emitter *e, ir_stmt parfor);  // with `lane`, `keeper` and the index variables set
void wgsl_lanes_enter(struct wgsl_emitter *e, ir_stmt loop);   // before a shared loop: partials of lanes but the first
void wgsl_lanes_combine(struct wgsl_emitter *e, ir_stmt loop); // after it
// Condition under which this store is made here; NULL: none.
void wgsl_lanes_if(struct wgsl_emitter *e, ir_stmt s);
void wgsl_lanes_meet(struct wgsl_emitter *e, ir_stmt s);
const char *wgsl_store_guard(const struct wgsl_emitter *e, const struct ir_stmt_node *store);
void wgsl_team_body(struct wgsl_emitter *e, ir_stmt parfor);   // with the index variables set
void wgsl_spread_body(struct wgsl_emitter *e, ir_stmt parfor); // with `lane` and the index variables set
// AGREE, and those right behind it, side by side, but not `end`; returns what comes after.
ir_stmt wgsl_agree(struct wgsl_emitter *e, ir_stmt s, ir_stmt end);

// ---- emit_neighbour.c: NEIGHBOUR and those right behind it; returns what comes after
ir_stmt wgsl_neighbours(struct wgsl_emitter *e, ir_stmt first);

// ---- emit_save.c
void wgsl_restore(struct wgsl_emitter *e);
void wgsl_save(struct wgsl_emitter *e);
// After a variable was read from memory: the counter of a resume loop with constant bounds gets a value that it has in
// the loop, and what is to be kept somewhere (wgsl_input.kept) is put there, whatever it was.
void wgsl_clamp_restored(struct wgsl_emitter *e, ir_var v);
// The same of the loop's end.
void wgsl_clamp_limit(struct wgsl_emitter *e, const struct ir_stmt_node *loop);
const char *wgsl_limit(struct wgsl_emitter *e, const struct ir_stmt_node *loop); // its name in the text

// ---- prelude.c: the prelude functions that `text` uses, and those they use.
void wgsl_add_library(struct base_cx *cx, const char *text, struct base_text *out);

#endif
