// What the files of the lowering share (lower*.c, entry.c): how C's objects, places, pointers and values look while the
// typed tree becomes IR.
//
// An *object* is what a declaration makes. Its type is split into *leaves* (scalars and pointers); each leaf has its
// own IR variable or, below an array, its own IR array. A *place* is an object, a range of its leaves and the indices
// walked so far. A *pointer* is a few places, one of which a selector chooses at run time; an lvalue is the pointer to
// it.
//
// Every call is expanded where it stands, so a function's variables are made anew for each call. What must be known
// before it is seen - which arrays a pointer variable may meet in a loop, whether a pointer walks across the rows of an
// array - is kept in *idents*, named by the declaration and the chain of calls. When a run over the program learns such
// a fact, the program is lowered again with it. Facts only grow, so this ends.
#ifndef WHORL_FRONT_LOWER_H
#define WHORL_FRONT_LOWER_H

#include "front/front.h"
#include "front/parse/ast.h"
#include "ir/ir.h"

#define LOWER_MAX_INDICES IR_MAX_DIMS
#define LOWER_JOIN_DIMS "make two of them one, as x[n * m] in place of x[n][m]" // what to do about too many
#define LOWER_MAX_TARGETS 60
#define LOWER_MOST_IMPLIED 16
#define LOWER_MOST_TAKEN 8

struct lower_range {
    int64_t lo, hi;
};

struct lower_leaf {
    const char *name; // ".a" below a struct, "" of a plain object
    struct front_type *type;
    uint32_t ndims; // inside the struct
    uint64_t dims[IR_MAX_DIMS];
    uint64_t word;                 // 4-byte words from the struct's start
    uint8_t byte;                  // in that word, of a number of 8 or 16 bits
    uint64_t strides[IR_MAX_DIMS]; // in bytes
    bool is_half;                  // one of a double's two floats
    bool is_union;                 // its type is unsigned, a place's is that of the member
};

struct lower_object;
struct lower_ident;

enum { LOWER_FLAT = 3 };
struct lower_place {
    struct lower_object *object; // NULL: the null pointer
    uint32_t leaf, leaf_count;
    struct front_type *type;
    uint32_t n;
    ir_expr idx[LOWER_MAX_INDICES];
    bool movable;   // the last index is an element's: pointer arithmetic moves it
    uint8_t walked; // 1 + the index that arithmetic on a pointer variable moved, so that it may leave its row; 0: none
    bool far;       // ... over many rows: of memcpy and memset
    // Elements seen as rows by a cast: so many dimensions of `type` are no array's, and the last index counts elements.
    uint8_t flat;
    int32_t row[LOWER_FLAT]; // elements of `type`, and of its rows
    bool is_open;            // ... which only the run knows: they stand behind the indices
};
// Its indices, and what stands behind them.
static inline uint32_t lower_index_count(const struct lower_place *place) {
    return place->n + (place->is_open ? place->flat : 0);
}
struct lower_ptr {
    uint32_t count; // 0: a pointer variable that nothing was assigned to yet
    struct lower_place *targets;
    ir_expr selector; // which target, I32; 0 where count < 2
};

// Where a pointer variable may point to; see the head of this file.
struct lower_base {
    struct lower_ident *ident;       // NULL: null pointer
    struct lower_place shape;        // object and idx unused
    bool varying[LOWER_MAX_INDICES]; // false: always `value`
    int64_t value[LOWER_MAX_INDICES];
};
struct lower_facts {
    struct lower_base *bases;
    uint32_t count, cap;
};
struct lower_ident {
    uint64_t chain;
    const void *key; // symbol or node
    struct lower_ident *hash_next;
    struct lower_object *object; // of this run
    struct lower_facts *facts;   // one a leaf, or NULL
    uint32_t facts_count;
    bool flat;       // its arrays are seen as one row
    bool numbers;    // its structs are seen as their numbers: one row of these
    bool per_thread; // threads of its region hold different values: an array with an element a thread
    bool is_number;  // a thread's element is always its number: no array is needed
    bool no_number;  // ... is not, after all
    bool in_memory;  // iterations share its scalars by atomics: they are arrays of one element
    bool two_words;  // 64-bit integers: not all that it holds is proven to fit in 32 bits (lower_words.c)
    uint32_t team;   // threadprivate: the most threads that use it
};

struct lower_slot {
    struct front_type *type;
    const char *name;
    uint32_t ndims;
    ir_expr dims[IR_MAX_DIMS];
    ir_var var;                                   // ndims 0
    ir_array array;                               // ndims > 0
    ir_expr value;                                // never written and simple enough to stand where it is used
    struct lower_ptr *pointer;                    // the same for a pointer
    ir_var selector, position[LOWER_MAX_INDICES]; // a pointer that is written
    struct lower_slot **parts;                    // ... in an array: the same as arrays, the selector first
    struct lower_slot *high;                      // of two words, the second
    const struct lower_leaf *leaf;
};
struct lower_object {
    struct lower_ident *ident;
    const char *name;
    struct front_symbol *symbol; // may be NULL
    struct front_type *type;
    base_loc loc;
    uint8_t var_class;          // enum ir_var_class
    uint8_t array_class;        // enum ir_array_class
    bool words;                 // an entry array of structs: one IR array, the fields are its last dimension
    uint8_t unit;               // ... whose elements have so many bytes
    struct lower_slot *numbers; // ... as a row of numbers; NULL: fields differ, or something lies between them
    bool is_const;
    bool zeroed;         // of calloc
    bool region_private; // belongs to each thread of a parallel region
    bool of_thread;      // declared in a region or a simd loop: each thread, or pass, has its own
    ir_var pass;         // counter of the innermost loop of an iteration in which it is declared; 0: none
    bool varying;        // ... and threads hold different values since a worksharing loop
    bool reduces;        // ... and is a thread's part of a reduction of the region
    ir_array array;      // words
    uint32_t outer;      // dimensions before the struct
    uint32_t count;
    struct lower_slot *slots;
};

struct lower_value {
    struct front_type *type;
    ir_expr e;             // arithmetic; BOOL may stand for an int that is 0 or 1
    struct lower_ptr *ptr; // pointer; of a struct: where it lies
};

struct lower_block {
    ir_stmt head, tail;
};

// What break, continue and return jump to. Where the IR has no jump for it, a flag is set and what follows is guarded.
enum lower_target_kind { LOWER_TO_BREAK, LOWER_TO_CONTINUE, LOWER_TO_RETURN };
struct lower_target {
    uint8_t kind;
    bool is_loop;   // an IR loop's own BREAK or CONTINUE does it
    bool blocked;   // a jump to here would leave a parallel loop
    uint32_t depth; // IR loops around what jumps here without leaving a loop
    ir_var flag;
    bool flag_read;
    bool used;     // something jumps here
    ir_stmt clear; // NOP that becomes flag = false when the flag is needed
    ir_stmt *sets;
    uint32_t set_count, set_cap;
    const char *name;
};
typedef uint64_t lower_targets; // a set of targets by their place on the stack
struct lower_flow {
    bool falls;            // may reach its end the normal way
    lower_targets pending; // may reach its end with these flags set
};

struct lower_call_frame {
    struct front_function *function;
    base_loc loc;
    uint64_t chain;
    struct lower_call_frame *caller;
    struct lower_object *result; // NULL: void
    uint32_t return_target;
};

struct lower_frame { // statements that come after the ones at hand
    struct front_node *list;
    const struct lower_frame *next;
    bool single; // only the first of the list
};

struct lower_log;  // lower_log.c
struct lower_said; // lower_best_call.c

enum lower_function_fact {
    LOWER_THREAD_NUMBER = 1, // asks which thread it is, or names a threadprivate variable
    LOWER_ACTS = 2,          // prints, or updates atomically: each thread has its effect
    LOWER_SHARES = 4,        // worksharing, a barrier or single
};

struct lower {
    struct base_cx *cx;
    struct ir_unit *u;
    const struct front_ast *ast;
    const struct whorl_compile_options *user;
    struct lower_block *block;     // where statements go
    struct lower_block prologue;   // values of file-scope variables, before everything
    struct lower_object **objects; // by symbol id: what the name means now
    struct lower_call_frame *frame;
    struct lower_bindings *shares; // private copies of the directives around
    const struct front_node *stop; // where the group of a switch ends
    struct lower_target targets[64];
    uint32_t target_count;
    uint32_t loop_depth;
    lower_targets escapes[64];            // by depth: targets beyond the loop that were jumped to from inside it
    bool in_parfor;                       // inside a parallel loop's body
    bool in_region;                       // inside a parallel region, at entry level
    bool in_single;                       // inside single or master
    bool loads_part;                      // of a word: a field of 8 or 16 bits in an array of words is read
    bool in_atomic;                       // storing what an `atomic write` gives
    bool in_critical;                     // under a lock that is none of a GPU
    bool in_parts;                        // of a critical section that was split
    bool in_best;                         // inside of a section that keeps the best of all
    bool in_nested;                       // inside a parallel region in another one: a team of one thread
    bool in_passes;                       // inside a `simd` loop
    ir_var pass;                          // counter of the innermost loop in a parallel loop's body; 0: none
    bool in_phase;                        // inside a statement that each thread of a region runs
    bool in_turn;                         // inside of one that they run one after the other
    const struct front_omp *own_loops;    // the directive whose loops are lowered in sequence, NULL: none
    const struct front_node *team_region; // the parallel region around, NULL: none
    uint32_t usual_team;                  // omp_set_num_threads, 0: it was not called
    const struct lower_block *entry_block;
    uint32_t team;               // its threads; 0: not known
    ir_expr thread;              // number of the thread that runs the code at hand, 0: it is the same for all
    const char *allocation_name; // of the variable that takes what malloc gives
    ir_var reductions[64];
    uint32_t reduction_count;
    // Arrays that the loop at hand reduces, and the one whose update is being lowered (lower_atomic.c).
    const struct front_omp_var *reduced_arrays[16];
    uint32_t reduced_array_count;
    const struct front_symbol *updated_array;
    const struct front_node *exchanged; // what `exchanged_own` stands for (lower_exchange.c); NULL: nothing
    struct lower_ptr *exchanged_own;
    const struct front_omp_var **region_reductions;
    uint32_t region_reduction_count;
    const struct front_symbol *implied[LOWER_MOST_IMPLIED]; // what the loop reduces without a clause (lower_implied.c)
    const struct lower_object *implied_outer[LOWER_MOST_IMPLIED];
    uint32_t implied_count;
    struct lower_said *said;   // lower_best_call.c
    struct lower_bests *bests; // of the loop whose body is lowered; NULL: none (lower_best.h)
    struct lower_rows *rows;   // the same; NULL: none (lower_rows.c)
    struct lower_log *log;
    uint32_t calls;       // expanded so far
    uint32_t *expansions; // of each function, by symbol id
    uint8_t *changes;     // whether it changes more than its own variables, by symbol id (lower_last_first)
    // facts that survive a run
    struct lower_ident **idents;
    uint32_t ident_mask;
    uint32_t ident_count;
    bool learned;
    uint8_t *function_facts; // by symbol id: enum lower_function_fact of the function and all that it calls
    // side tables of the unit
    struct lower_range *var_ranges;
    uint8_t *var_stable;
    uint32_t var_cap;
    struct front_symbol **var_symbols;
    struct lower_range *node_ranges;
    uint8_t *node_done;
    uint32_t node_cap;
    struct lower_sum { // a 64-bit sum that is still to be proven (lower_sum.c)
        ir_expr node;
        struct lower_range a, b; // of its operands, before they were converted
        struct lower_ident *place;
        ir_var var; // whose next value it is
        bool elsewhere;
    } * sums;
    uint32_t sum_count, sum_cap;
    struct lower_shared_store { // of a scalar that iterations share (lower_shared.c)
        const struct lower_object *object;
        ir_array array;
        base_loc loc;
        bool takes_place; // x[c++]
    } * shared_stores;
    uint32_t shared_count, shared_cap;
    base_loc place_loc;           // of the last index that steps its variable, 0: none
    struct lower_object **varied; // variables of a region of which its threads have had different values
    uint32_t varied_count, varied_cap;
    struct lower_object **set_alone; // variables of a region that its one thread has set in a `single` or the like
    uint32_t set_alone_count, set_alone_cap;
    const char **locks; // names of critical sections
    uint32_t lock_count, lock_cap;
    ir_array *lists; // that the section at hand appends to
    uint32_t list_count, list_cap;
    struct lower_taken { // 64-bit counters of the loop at hand (lower_taken.c)
        struct front_symbol *counter;
        enum front_op op;
        struct lower_object *object; // how many were taken
    } taken[LOWER_MOST_TAKEN];
    uint32_t taken_count;
    struct lower_section *sections; // of the loop at hand (lower_critical.c)
    uint32_t section_count, section_cap;
    struct lower_touch { // what they load and update
        ir_array array;
        uint32_t indices, count;
        bool updates;
    } * touched;
    uint32_t touched_count, touched_cap;
};

// ---- lower_fold.c: nodes with constants folded, ranges --------------------------------------------------------------
ir_expr lower_fold1(struct lower *lw, enum ir_op op, ir_expr a, base_loc loc);
ir_expr lower_fold2(struct lower *lw, enum ir_op op, ir_expr a, ir_expr b, base_loc loc);
ir_expr lower_fold3(struct lower *lw, enum ir_op op, ir_expr a, ir_expr b, ir_expr c, base_loc loc);
ir_expr lower_bool(struct lower *lw, bool value);
enum ir_type lower_ir_type_of(const struct lower *lw, ir_expr e);
bool lower_const_int(const struct lower *lw, ir_expr e, int64_t *out); // I32, U32 or BOOL constant
// Values the expression can have, as mathematical integers. The whole type where nothing is known.
struct lower_range lower_range_of(struct lower *lw, ir_expr e);
struct lower_range lower_type_range(enum ir_type type);
bool lower_range_known(struct lower *lw, ir_expr e); // says more than its type
// Reading it later gives the same value: constants, parameters, loop variables, variables that are assigned once.
bool lower_is_stable(const struct lower *lw, ir_expr e);
bool lower_is_entry_constant(const struct lower *lw, ir_expr e); // constants and uniform parameters only
ir_var lower_new_var(struct lower *lw, const char *name, enum ir_type type, enum ir_var_class klass, base_loc loc);
void lower_set_range(struct lower *lw, ir_var var, struct lower_range range);
void lower_set_node_range(struct lower *lw, ir_expr e, struct lower_range range);
void lower_set_stable(struct lower *lw, ir_var var);
// The value as it is now, under a name if need be.
ir_expr lower_snapshot(struct lower *lw, ir_expr e, base_loc loc);

// ---- lower_convert.c ------------------------------------------------------------------------------------------------
enum ir_type lower_carrier(const struct front_type *type); // IR type of an arithmetic C type; 64-bit integers: I32
bool lower_is_wide(const struct front_type *type);         // 64-bit integer
ir_expr lower_as(struct lower *lw, ir_expr e, enum ir_type type, base_loc loc); // bits of integers kept, bool is 0 or 1
ir_expr lower_convert(struct lower *lw, ir_expr e, const struct front_type *from, const struct front_type *to,
                      base_loc loc);
// A 64-bit value in 32 bits, for use as an index or where only the low bits matter.
ir_expr lower_low32(struct lower *lw, struct front_node *node, enum ir_type type);
ir_expr lower_wide_binary(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, const struct front_type *type,
                          base_loc loc);
// ---- lower_sum.c
// A sum that may be too large by its operands' ranges alone: true where lower_sum_check may prove it at the end of the
// run. What it does not prove has two words in the next run.
bool lower_sum_defer(struct lower *lw, ir_expr sum, struct lower_range a, struct lower_range b, base_loc loc);
void lower_sum_check(struct lower *lw);
// One IR type that holds either 64-bit value, which may be LOWER_WIDE. The second converts them.
enum ir_type lower_common_type(struct lower *lw, ir_expr a, ir_expr b);
enum ir_type lower_common(struct lower *lw, ir_expr *a, ir_expr *b, base_loc loc);
bool lower_fits_wide(struct lower *lw, ir_expr e, const struct front_type *type); // one word of a 64-bit variable

// ---- lower_words.c: 64-bit integers in two words
#define LOWER_WIDE ((enum ir_type)(IR_F32 + 1))
struct lower_words {
    ir_expr lo, hi; // U32
};
bool lower_is_words(const struct lower *lw, ir_expr e);
struct lower_words lower_words_of(struct lower *lw, ir_expr e, base_loc loc); // of any integer, extended
ir_expr lower_words_node(struct lower *lw, struct lower_words words, base_loc loc);
// The same in one word, where it fits; `range`: what is known of it.
ir_expr lower_words_value(struct lower *lw, struct lower_words words, struct lower_range range, base_loc loc);
ir_expr lower_words_constant(struct lower *lw, uint64_t value, const struct front_type *type, base_loc loc);
ir_expr lower_words_binary(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, const struct front_type *type,
                           base_loc loc);
ir_expr lower_words_complement(struct lower *lw, ir_expr e, base_loc loc);
ir_expr lower_words_compare(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, const struct front_type *type,
                            base_loc loc);
ir_expr lower_words_select(struct lower *lw, ir_expr cond, ir_expr a, ir_expr b, base_loc loc);
ir_expr lower_words_snapshot(struct lower *lw, ir_expr e, base_loc loc);
ir_expr lower_words_to_float(struct lower *lw, ir_expr e, const struct front_type *from, base_loc loc);
ir_expr lower_words_from_float(struct lower *lw, ir_expr e, const struct front_type *to, base_loc loc);

// ---- lower_hold.c: what takes two words: its places
bool lower_holds_words(const struct lower *lw, const struct lower_object *object, const struct lower_slot *slot);
struct lower_slot *lower_high_slot(struct lower *lw, struct lower_slot *slot); // of the second word
ir_expr lower_load_words(struct lower *lw, const struct lower_place *place, base_loc loc);
// Whether the value is stored as two words. That a variable needs them is learned here; this run goes on as if it had
// been known, so that what depends on it is learned in the same one.
bool lower_stores_words(struct lower *lw, struct lower_object *object, const struct lower_slot *slot, ir_expr value);
void lower_assign_words(struct lower *lw, struct lower_object *object, struct lower_slot *slot, ir_expr value,
                        base_loc loc);
// To the element of the first word; the indices become those of the second.
void lower_store_words(struct lower *lw, const struct lower_place *place, ir_array array, ir_expr *idx, uint32_t n,
                       ir_expr value, base_loc loc);
// The place, in an array that iterations share, OP= the value (in a name): by + & | ^, in atomic steps. Right behind
// the loop, if nobody reads the place in it.
void lower_update_words(struct lower *lw, const struct lower_place *place, enum ir_op op, ir_expr value, base_loc loc);

// ---- lower_object.c -------------------------------------------------------------------------------------------------
uint32_t lower_leaf_count(const struct front_type *type);
// A number of 8 or 16 bits, a part of a word where structs are passed.
static inline bool lower_is_part(const struct lower_leaf *leaf) {
    return front_is_integer(leaf->type) && front_type_size(leaf->type) < 4;
}
const struct lower_leaf *lower_leaves(struct lower *lw, struct front_type *type, uint32_t *out_count);
struct lower_ident *lower_ident_of(struct lower *lw, const void *key);
struct lower_object *lower_object_create(struct lower *lw, const char *name, struct front_symbol *symbol,
                                         const void *key, struct front_type *type, base_loc loc);
struct lower_object *lower_symbol_object(struct lower *lw, struct front_symbol *symbol, base_loc loc);
struct lower_place lower_whole(struct lower_object *object);
struct lower_ptr *lower_ptr_to(struct lower *lw, struct lower_place place);
ir_array lower_slot_array(struct lower *lw, struct lower_object *object, struct lower_slot *slot);
ir_var lower_slot_var(struct lower *lw, struct lower_object *object, struct lower_slot *slot);
enum whorl_dtype lower_elem_of(struct lower *lw, const struct front_type *type, bool scratch, base_loc loc);
bool lower_type_is_const(const struct front_type *type);

// ---- lower_view.c ---------------------------------------------------------------------------------------------------
void lower_view_create(struct lower *lw, struct lower_object *object, const struct front_type *element);
bool lower_is_view(const struct lower_place *place);
// A struct, or a row of them, becomes its first number. False: it cannot.
bool lower_view_cast(struct lower *lw, struct lower_place *place, const struct front_type *number, base_loc loc);
// `&points[i].x`: the number is one of the row of them, in which a pointer can move on.
void lower_view_members(struct lower *lw, struct lower_ptr *ptr, base_loc loc);
// Of two places in one object, one of them a number: both as numbers, so that they can be compared.
void lower_view_both(struct lower *lw, struct lower_place *a, struct lower_place *b, base_loc loc);

// ---- lower_place.c --------------------------------------------------------------------------------------------------
ir_expr lower_word(struct lower *lw, const struct lower_place *place, base_loc loc); // in its struct, in object->unit
struct lower_place lower_member(struct lower_place place, const struct front_field *field);
struct lower_place lower_leaf_place(const struct lower_place *place, uint32_t k); // the k-th leaf of it alone
// A variable of the length of rows, or of an array whose size is asked: refused where it changes behind that.
void lower_check_length(struct lower *lw, const struct front_node *var);
ir_expr lower_row(struct lower *lw, const struct lower_place *place); // seen as rows: how long the outermost is
struct lower_place lower_element(struct lower *lw, struct lower_place place, ir_expr index, base_loc loc);
ir_expr lower_load_place(struct lower *lw, const struct lower_place *place, base_loc loc);
struct lower_value lower_load(struct lower *lw, struct lower_ptr *from, struct front_type *type, base_loc loc);
void lower_store(struct lower *lw, struct lower_ptr *to, struct lower_value value, base_loc loc);
void lower_store_place(struct lower *lw, const struct lower_place *place, struct lower_value value, base_loc loc);
struct lower_ptr *lower_freeze(struct lower *lw, struct lower_ptr *ptr, base_loc loc); // indices as they are now
// The element that a place of one scalar is: its array, *n indices at out (room for IR_MAX_DIMS + 1).
ir_array lower_element_indices(struct lower *lw, const struct lower_place *place, ir_expr *out, uint32_t *n,
                               base_loc loc);
// The same of a slot with the dimensions of the place's own.
uint32_t lower_part_indices(struct lower *lw, const struct lower_place *place, struct lower_slot *slot, ir_expr *out,
                            base_loc loc);
// One thread of a region runs what is lowered between these. Of the threads' own variables that it sets, other threads
// have other values then, but for those that `omp` names in copyprivate.
uint32_t lower_begin_alone(struct lower *lw);
void lower_end_alone(struct lower *lw, uint32_t first, const struct front_omp *omp);
bool lower_lives_in_memory(const struct lower_object *object, const struct lower_slot *slot);
// Others write it at the same time if this code does: it belongs to no iteration, and to no thread of a region of
// several.
bool lower_is_shared(const struct lower *lw, const struct lower_object *object);
bool lower_is_reduction(const struct lower *lw, ir_var var);

// ---- lower_shared.c -------------------------------------------------------------------------------------------------
void lower_shared_error(struct lower *lw, const struct lower_object *object, base_loc loc);
void lower_shared_note(struct lower *lw, const struct lower_object *object, ir_array array, base_loc loc); // a store
// Judges the stores in the body of a parallel loop. thread: of a loop whose iterations are bound to threads.
void lower_shared_check(struct lower *lw, ir_stmt body, const struct ir_dim *dims, uint32_t n, ir_var thread);

// ---- lower_pointer.c ------------------------------------------------------------------------------------------------
struct lower_ptr *lower_null(struct lower *lw);
struct lower_ptr *lower_ptr_add(struct lower *lw, struct lower_ptr *ptr, ir_expr delta, bool negative, bool walked,
                                base_loc loc);
struct lower_ptr *lower_ptr_cast(struct lower *lw, struct lower_ptr *ptr, struct front_type *to, bool is_implicit,
                                 base_loc loc);
struct lower_ptr *lower_ptr_select(struct lower *lw, ir_expr cond, struct lower_ptr *a, struct lower_ptr *b,
                                   base_loc loc);
ir_expr lower_ptr_compare(struct lower *lw, enum front_op op, struct lower_ptr *a, struct lower_ptr *b, base_loc loc);
ir_expr lower_ptr_diff(struct lower *lw, struct lower_ptr *a, struct lower_ptr *b, base_loc loc);
// Of a pointer variable, or of an element of an array of them.
struct lower_ptr *lower_slot_pointer(struct lower *lw, const struct lower_place *at, base_loc loc);
void lower_slot_set_pointer(struct lower *lw, const struct lower_place *to, struct lower_ptr *ptr, base_loc loc);

// ---- lower_init.c ---------------------------------------------------------------------------------------------------
void lower_init_object(struct lower *lw, struct lower_object *object, const struct front_inits *inits, base_loc loc);
// The same of each element of an array, as threads have them.
void lower_init_each(struct lower *lw, struct lower_object *object, const struct front_inits *inits, base_loc loc);
bool lower_init_table(struct lower *lw, struct lower_object *object, const struct front_inits *inits);
// One pass over all elements below `to` (and `from`), as nested loops: copies, or fills with `bits`.
void lower_fill(struct lower *lw, const struct lower_place *to, ir_expr word, base_loc loc);
void lower_copy(struct lower *lw, const struct lower_place *to, const struct lower_place *from, base_loc loc);
// Elements 0 .. count of the last index. `overlaps`: of one array they may be the same ones, as memmove allows.
void lower_move(struct lower *lw, const struct lower_place *to, const struct lower_place *from, ir_expr word,
                ir_expr count, bool overlaps, base_loc loc);

// ---- lower_expr.c ---------------------------------------------------------------------------------------------------
struct lower_value lower_expr(struct lower *lw, struct front_node *node);
ir_expr lower_scalar(struct lower *lw,
                     struct front_node *node); // in its C type's carrier (64-bit integers: I32 or U32)
ir_expr lower_condition(struct lower *lw, struct front_node *node); // BOOL
void lower_discard(struct lower *lw, struct front_node *node);
ir_expr lower_int_of(struct lower *lw, struct front_node *node); // for an index or a bound
ir_expr lower_arith(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, const struct front_type *type,
                    base_loc loc);
static inline struct lower_value lower_scalar_value(struct front_type *type, ir_expr e) {
    return (struct lower_value){.type = type, .e = e};
}
static inline struct lower_value lower_pointer_value(struct front_type *type, struct lower_ptr *ptr) {
    return (struct lower_value){.type = type, .ptr = ptr};
}

// ---- lower_decide.c, lower_assign.c ---------------------------------------------------------------------------------
struct lower_value lower_logic(struct lower *lw, struct front_node *node);       // && and ||
struct lower_value lower_conditional(struct lower *lw, struct front_node *node); // ?:
struct lower_ptr *lower_lvalue(struct lower *lw, struct front_node *node);
// `want`: the value is used.
struct lower_value lower_assign(struct lower *lw, struct front_node *node, bool want);
struct lower_value lower_assign_op(struct lower *lw, struct front_node *node, bool want); // also ++ and --

// ---- lower_team.c ---------------------------------------------------------------------------------------------------
bool lower_is_thread_statement(const struct lower *lw, const struct front_node *node);
// Of such a statement: a block in which threads come to a critical section one after the other, and have loops beside
// it. Its statements are looked at one by one, so that threads run the loops side by side.
bool lower_is_taken_apart(struct lower *lw, const struct front_node *node);
void lower_thread_statement(struct lower *lw, struct front_node *node);
bool lower_thread_declaration(struct lower *lw, struct front_node *node);
bool lower_is_per_thread(const struct lower_object *object);
// Of each thread the element is the thread's number, as in `const int me = omp_get_thread_num()`.
bool lower_is_number(const struct lower_object *object);
bool lower_learn_number(struct lower *lw, struct lower_object *object, ir_expr stored); // true: nothing is to be stored
bool lower_learn_per_thread(struct lower *lw,
                            struct lower_object *object); // true: it is, or will be from the next run on
ir_expr lower_thread_number(struct lower *lw, base_loc loc);
// lower_threadprivate.c: what the object is that has an element for each thread; the thread's own.
bool lower_is_threadprivate(const struct front_symbol *symbol); // and no constant
struct front_type *lower_threadprivate_type(struct lower *lw, struct front_symbol *symbol);
struct lower_ptr *lower_threadprivate(struct lower *lw, struct front_symbol *symbol, base_loc loc);
ir_expr lower_thread_count(struct lower *lw);
void lower_set_team(struct lower *lw, struct front_node *call);

// ---- lower_log.c: assert and printf. Loops around tell which iteration says something
void lower_log_start(struct lower *lw); // of a run
void lower_log_enter_for(struct lower *lw, ir_var var, int32_t step);
void lower_log_enter_while(struct lower *lw, base_loc loc); // before the loop; then, first in its body:
void lower_log_while_body(struct lower *lw, base_loc loc);
void lower_log_enter_parallel(struct lower *lw, const struct ir_dim *dims, uint32_t n,
                              base_loc loc); // first in its body
void lower_log_leave(struct lower *lw);
bool lower_log_prints(const struct front_node *call);
// False: it is no function of the kind.
bool lower_log_call(struct lower *lw, struct front_node *call, bool wants_value);
void lower_log_end(struct lower *lw);                                      // of the last run
const char *front_log_preamble(const struct ir_unit *u, bool uses_assert); // for the printed C

// ---- lower_alloc.c --------------------------------------------------------------------------------------------------
bool lower_is_allocation(const struct front_node *node); // a call of malloc or calloc
struct lower_ptr *lower_allocate(struct lower *lw, struct front_node *call, struct front_type *to);
struct lower_value lower_free(struct lower *lw, struct front_node *call);

// ---- lower_call.c, lower_lib.c --------------------------------------------------------------------------------------
struct lower_value lower_call(struct lower *lw, struct front_node *node);
// At least two of the arguments change something: they are evaluated from the last to the first. C leaves the order
// open; gcc has this one, and who compares with it expects the same.
bool lower_last_first(struct lower *lw, struct front_node *args);
ir_expr lower_held(struct lower *lw, ir_expr e, base_loc loc); // its value as it is now
// The body of a function in place of a call: `key` and the calls around tell it from others.
struct lower_value lower_expand(struct lower *lw, struct front_function *function, const void *key,
                                const struct lower_value *values, base_loc loc);
struct lower_value lower_library_call(struct lower *lw, struct front_node *node);
void lower_bind_value(struct lower *lw, struct front_symbol *symbol, struct lower_value value, base_loc loc);
void lower_check_budget(struct lower *lw, base_loc loc);

// ---- lower_stmt.c, lower_jump.c, lower_loop.c -----------------------------------------------------------------------
void lower_emit(struct lower *lw, ir_stmt s);
void lower_emit_block(struct lower *lw, const struct lower_block *block);
void lower_mark(struct lower *lw, enum ir_mark mark, uint32_t value, base_loc loc);
struct lower_block *lower_enter(struct lower *lw, struct lower_block *block); // returns the one before
void lower_leave(struct lower *lw, struct lower_block *before);
struct lower_flow lower_statement(struct lower *lw, struct front_node *node);
void lower_declare(struct lower *lw, struct front_node *node);
struct lower_flow lower_list(struct lower *lw, struct front_node *node, const struct lower_frame *rest);
uint32_t lower_push_target(struct lower *lw, enum lower_target_kind kind, bool is_loop, base_loc loc);
void lower_pop_target(struct lower *lw, uint32_t target);
struct lower_flow lower_jump(struct lower *lw, uint32_t target, base_loc loc);
ir_expr lower_flags(struct lower *lw, lower_targets set, base_loc loc); // some flag of the set is up
void lower_open_loop(struct lower *lw, base_loc loc);
lower_targets lower_close_loop(struct lower *lw, base_loc loc); // emits the jumps that go on; returns what is pending
struct lower_flow lower_loop(struct lower *lw, struct front_node *node, bool simd);
ir_expr lower_final_value(struct lower *lw, ir_expr lo, ir_expr hi, int32_t step, base_loc loc);

// ---- lower_omp.c, lower_atomic.c ------------------------------------------------------------------------------------
struct lower_flow lower_omp(struct lower *lw, struct front_node *node);
struct lower_flow lower_atomic(struct lower *lw, struct front_node *node);
// lower_carried.c: threads hold different values of it from here on; and a loop of the region is lowered, in whose next
// pass they may use these.
void lower_set_varying(struct lower *lw, struct lower_object *object);
void lower_came_round(struct lower *lw, ir_stmt loop);
// lower_best.c: the iteration's own, where the place is one of lw->bests, or NULL.
struct lower_ptr *lower_best_own(struct lower *lw, const struct front_node *place);
// lower_best_call.c: the same of a place that was found by a pointer; else the place itself.
struct lower_ptr *lower_best_reached(struct lower *lw, struct lower_ptr *ptr);
// lower_rows.c: what the name of a reduced array means in the body, or NULL; an update under `atomic` or `critical` of
// one of its elements.
struct lower_ptr *lower_row_of(struct lower *lw, const struct front_symbol *symbol);
bool lower_is_row_update(const struct lower *lw, struct front_node *statement);
void lower_row_update(struct lower *lw, struct front_node *statement);
// The same by another name, in the loop or a function that it calls. False: it is none.
bool lower_row_update_by_place(struct lower *lw, struct front_node *statement);
// Of a place that is loaded or stored: in such an update that of the row; else a use by another name is an error.
const struct lower_place *lower_rows_check(struct lower *lw, const struct lower_place *place, struct lower_place *row,
                                           base_loc loc);
bool lower_is_best_section(const struct lower *lw, const struct front_node *section);
void lower_best_check(struct lower *lw, const struct lower_object *object, base_loc loc);    // a use by another name
void lower_implied_check(struct lower *lw, const struct lower_object *object, base_loc loc); // the same
bool lower_is_updates(const struct lower *lw, struct front_node *body);                      // of what critical guards
bool lower_is_implied(const struct lower *lw, struct front_node *statement);                 // lower_implied.c
void lower_updates(struct lower *lw, struct front_node *body);
void lower_append(struct lower *lw, const struct front_omp *section);
struct lower_flow lower_critical(struct lower *lw, struct front_node *node);
struct lower_flow lower_parts(struct lower *lw, struct front_node *block);
void lower_sections_check(struct lower *lw); // at the end of a loop: none sees half of another one
// One iteration, or thread, at a time, for those who look for races.
struct lower_flow lower_locked(struct lower *lw, struct front_node *body, const char *lock, base_loc loc);
struct lower_flow lower_ordered(struct lower *lw, struct front_node *node);
// The statement, if it updates an element of an array that the loop reduces; false: it does not.
bool lower_update_reduced(struct lower *lw, struct front_node *node);
// Refuses any other use of such an array.
void lower_check_reduced(struct lower *lw, const struct front_symbol *symbol, base_loc loc);
void lower_find_function_facts(struct lower *lw);                        // lower_team.c
bool lower_same(const struct front_node *a, const struct front_node *b); // the two are one text, without effects

// ---- lower_scan.c: questions about the tree -------------------------------------------------------------------------
bool lower_completes(const struct front_node *node); // may reach its end without a jump
bool lower_writes(const struct front_node *node,
                  const struct front_symbol *symbol); // names it on the left of an assignment
bool lower_array_written(const struct front_node *node, const struct front_symbol *array);
bool lower_changes(const struct front_node *node, const struct front_symbol *symbol); // may change it, or a part of it
// The region's array may hold something when the loop begins: it is set outside of that.
bool lower_holds(const struct front_node *region, const struct front_node *loop, const struct front_symbol *array);
bool lower_has_call(const struct front_node *node);
bool lower_has_break(const struct front_node *node); // out of the statement's own loop, or a return
bool lower_jumps_out(const struct front_node *node); // by a jump out of the whole statement
bool lower_mentions(const struct front_node *node, const struct front_symbol *symbol);
uint32_t lower_count_mentions(const struct front_node *node, const struct front_symbol *symbol); // how often
// Declared outside of the loop's body, and neither threadprivate nor in a clause that gives iterations their own.
bool lower_is_from_outside(const struct front_omp *omp, const struct front_node *body,
                           const struct front_symbol *symbol);
// Read somewhere in `node` outside `loop`, other than in for-loops that first set it.
bool lower_read_outside(const struct front_node *node, const struct front_node *loop,
                        const struct front_symbol *symbol);
// The same with the functions that are called from there, each of them once.
bool lower_writes_reached(struct lower *lw, const struct front_node *node, const struct front_symbol *symbol);
uint32_t lower_count_reached(struct lower *lw, const struct front_node *node, const struct front_symbol *symbol);
void lower_scan_reached(struct lower *lw, const struct front_node *node,
                        bool (*fn)(void *user, const struct front_node *node), void *user);
void lower_scan(const struct front_node *node, bool (*fn)(void *user, const struct front_node *node), void *user);

// ---- entry_sizes.c --------------------------------------------------------------------------------------------------
enum { LOWER_MOST_NAMED = 64 }; // elements of a pointer that are told from its uses
// Elements that the function uses of a pointer parameter by constants alone; 0: it uses it otherwise, or not at all.
uint64_t lower_elements_used(struct front_function *entry, const struct front_symbol *symbol);

// ---- lower.c, entry.c -----------------------------------------------------------------------------------------------
struct front_function *front_find_entry(struct base_cx *cx, const struct front_ast *ast, const char *name);
void lower_entry_params(struct lower *lw, struct front_function *entry);
// entry_words.c: the element type of the array that holds the words of a struct or a 64-bit integer.
enum whorl_dtype lower_word_type(struct lower *lw, const struct front_symbol *symbol, const struct front_type *type,
                                 const struct lower_leaf *leaves, uint32_t count, struct ir_param *param);
void lower_inspect_params(struct lower *lw, struct front_function *entry); // sizes that need values are 0
// *out_marked: a copy with what directives say of threads (enum ir_mark). May be NULL.
struct ir_unit *lower_unit(struct base_cx *cx, const struct front_ast *ast, const struct whorl_compile_options *user,
                           struct front_function *entry, bool inspect, struct ir_unit **out_marked);
const char *front_entry_wrapper(struct base_cx *cx, const struct front_function *entry, const struct ir_unit *u);

#endif
