// Regions: the statements that may be moved to the GPU, what they use of the function around them, and their program.
// Internal to this room.
#ifndef WHORL_CC_REGION_H
#define WHORL_CC_REGION_H

#include "cc/source.h"
#include "offload/region_abi.h"

// How a variable of the function reaches the region's program.
enum cc_form {
    CC_VALUE,   // a scalar that the region only reads: a parameter of its name
    CC_CELL,    // a scalar or struct that it changes: an array of one element
    CC_WHOLE,   // an array: a parameter
    CC_REACH,   // a pointer: the memory that it points into, and where in it
    CC_THREADS, // threads_kept.c: each thread's own
    CC_SCRATCH  // it neither brings a value along nor leaves one: a variable of the program
};
struct cc_variable {
    struct cc_name *name;
    uint8_t form;           // enum cc_form
    bool is_scratch;        // neither read before it is set here, nor needed afterwards
    bool is_dead;           // not needed afterwards
    bool is_pointed_at;     // its address may be in a pointer
    bool through;           // functions that the region calls use it, too: it stays at file scope and is set there
    bool in_calls;          // ... and is a table of rows: they have it as a parameter of its name (handed_rows.c)
    bool is_written;        // judge.c: its own value, not what it points at
    bool is_struct;         // judge.c
    bool is_doubles;        // judge.c: a struct of nothing but doubles, which are floats on the device
    const unsigned *layout; // judge.c: of a struct that mixes them with others; else NULL
    bool is_real;           // judge.c: a scalar of floating type
    bool is_pair;           // judge.c: of doubles that are pairs of floats
    bool is_compared;       // judge.c: what leads to such elements may be asked whether it is NULL, or another pointer
    bool is_equated;        // ... another pointer
    bool is_flat;           // flat_rows.c: a table of rows that has two forms in the program
    bool is_copied;         // an array of which firstprivate(...) makes copies: a variable of the program
    bool is_exchanged;      // a table of rows of which the region sets the pointer
    bool moves;             // a pointer that is another one afterwards
    bool is_measured;       // the region asks for the size of the array, by its name
};

// threads_kept.c: nobody has looked whether the elements of an array are set.
static inline bool cc_kept_comes_back(const struct cc_variable *v) { return v->name->derive_count || v->is_written; }
// Its value, once the region has changed it, is somebody's.
static inline bool cc_comes_back(const struct cc_variable *v) { return v->is_written && !v->is_dead; }

enum cc_param_kind { CC_PARAM_INTEGER, CC_PARAM_REAL, CC_PARAM_ARRAY, CC_PARAM_OFFSET, CC_PARAM_WHICH, CC_PARAM_WIDTH };
struct cc_param { // of the region's program, in its order
    const char *name;
    uint8_t kind;           // enum cc_param_kind
    bool is_struct;         // of structs, with more than doubles in them
    bool is_exchanged;      // of tables of rows that are: an array, the width of all
    const unsigned *layout; // as struct whorl_cc_param has it
    bool is_cell;           // of one element, a copy of a variable
    bool has_planes;        // behind pointers to pointers to its rows; of a WIDTH: of such an array
    bool is_compared;       // pointers to its rows
    bool is_equated;        // the pointer to it
    bool is_fields;         // each.c: a member of each struct of an array; `declared`: of how many bytes
    bool is_pointed;        // ... behind pointers; `declared`: so many bytes from where they lead
    bool is_rows;           // behind pointers to its rows, as long as the WIDTH of that name with "_1" says
    bool is_starts;         // flat_rows.c: where the rows of the array before it begin
    uint32_t which;         // WHICH: how many
    const char *value;      // C text at the call: the scalar, or the array's first byte
    bool varies;            // its sizes are no constants
    const char *bytes;      // of an array; "0": the memory that the pointer points into
    const char *unit_bytes; // of an array's outermost element
    const char *variable;   // address of the variable whose value this is; NULL: no matter
    const char *declared;   // how many of them a parameter's declaration, or a section, promises; "0": none does
    bool is_tail;           // where a struct's memory goes on, `data[]`
    bool is_section;        // ... `reduction(+ : x[:9])` of the whole region
};

struct cc_member_use { // members.c: tokens that are one variable of the program
    uint32_t from, to;
    struct cc_name *name;     // NULL: the struct in a clause
    const char *text;         // what stands there in the program
    struct cc_handed *handed; // a struct that goes to a function: the name is one of several, or none
};

struct cc_handed_member {
    const char *text, *said; // "grid__x", "grid->x"
    struct cc_name member;
    bool by_address; // a number that functions of the region set
};
struct cc_handed_edit { // of tokens
    uint32_t from, to;
    const char *text;
};
struct cc_region;
struct cc_handed { // handed_structs.c: a parameter, and what the function uses of it
    const struct cc_function *function;
    const struct cc_name *param;
    uint32_t which;
    bool is_refused, is_used;
    struct cc_handed_member *members;
    uint32_t count, cap;
    struct cc_handed_edit *edits; // in the function
    uint32_t edit_count, edit_cap;
    struct cc_handed **on; // whom it hands the struct, or a part of it, on to
    uint32_t on_count, on_cap;
};

struct cc_large { // large.c
    double value;
    const char *text;
};

struct cc_team_edit { // team.c, append.c: in the text of the region
    uint32_t at, size;
    const char *text;
};

struct cc_region {
    struct cc_source *source;
    const struct cc_function *function;
    struct cc_node *node;
    struct cc_member_use *members;
    uint32_t member_count, member_cap;
    struct cc_handed **handed;
    uint32_t handed_count, handed_cap;
    const char **set_members; // handed_structs.c: names of members that functions of the region may set
    uint32_t set_member_count, set_member_cap;
    bool knows_set_members;
    const char **followed; // pointers to structs of which the program has members: "s->list"
    uint32_t followed_count, followed_cap;
    struct cc_variable *vars;
    uint32_t var_count, var_cap;
    const struct cc_name **rooms; // threads_own.c
    uint32_t room_count, room_cap;
    struct cc_derivation *repeated; // declarations of types, enumerators and reductions of the function that it uses
    uint32_t repeated_count, repeated_cap;
    struct cc_derivation *asides; // statements that the CPU runs afterwards (asides.c); `kind`: a barrier is left of it
    uint32_t aside_count, aside_cap;
    uint32_t print_count;           // statements that print, which the program may have; 0 where others do, too
    struct cc_derivation *switches; // statements that it goes without (switches.c)
    uint32_t switch_count, switch_cap;
    const struct cc_import **imports; // functions of other files
    uint32_t import_count, import_cap;
    uint32_t *settings; // set_threads.c: calls, as tokens
    uint32_t setting_count, setting_cap;
    // C text: what its threads work in may hold what others left (cc_is_room_proven); rooms, and others. NULL: never.
    const char *assumed_rooms, *assumed;
    const char *team;  // where it asks for the thread's number: how many threads there are, as C text at the call
    bool by_threads;   // its threads are the front-end's: many of its loops may be as long as one of theirs
    bool is_dealt;     // ... and what they got of a loop is open
    bool only_threads; // no other way is tried
    const struct cc_name **unsure; // as cc_source has them, of this region
    uint32_t unsure_count;
    bool has_flat;                 // flat_rows.c
    bool has_scratch;              // scratch.c
    const struct cc_name **tables; // ... tables of rows of iterations
    uint32_t table_count, table_cap;
    bool no_scratch;   // ... is not tried
    struct cc_passes { // pointer_loops.c: a parameter, and its value as C text at the call
        const char *name, *value;
        struct cc_derivation end; // tokens that only the call has
    } * passes;
    uint32_t passes_count, passes_cap;
    const struct cc_name **counters; // pointer_loops.c: pointers that count loops, declared before the region
    uint32_t counter_count, counter_cap;
    struct cc_team_edit *edits;
    uint32_t edit_count, edit_cap;
    struct cc_large *large; // constants beyond a float's range
    uint32_t large_count, large_cap;
    struct cc_derivation *large_uses; // `kind`: which
    uint32_t large_use_count, large_use_cap;
    const char *team_reason; // why it cannot ask for it
    uint32_t team_line;
    struct cc_param *params;
    uint32_t param_count, param_cap;
    const char *reason;         // why it stays on the CPU; NULL: it is moved
    uint32_t reason_line;       // 0: the region's own
    const char *program;        // C text for whorl_compile
    const char *flat;           // flat_rows.c: the other form; NULL: none
    const char *plan;           // "1 dispatch a slice": what a trial said, or ""
    bool is_loop;               // a sequential loop around parallel ones, or `target data`
    bool *reached, *named;      // reach.c
    struct cc_pointed *pointed; // function_pointers.c
};
struct cc_options {
    bool double_as_float, double_as_pair;
    bool no_trial;     // what the front-end takes is moved: for fuzzing
    bool has_report;   // which says how a region is dispatched
    const char *whorl; // path of this program
    // Files that may define what this one calls, and how to read them (driver.c).
    const char *const *neighbours;
    uint32_t neighbour_count;
    bool (*may_define)(void *user, const char *path, const char *name);
    const char *(*preprocess)(void *user, const char *path, size_t *out_size); // NULL: it cannot be read
    void *user;
};

// reach.c, by function of the file: it has a body and the region calls it, or what it calls; something that the program
// must have names it.
const bool *cc_reached(struct cc_region *r);
const bool *cc_named(struct cc_region *r); // when its imports are known
void cc_name_function(struct cc_region *r, const char *text);
// function_pointers.c: a pointer to a function; where it leads, as a number: C text at the call, or NULL; a table of
// such that is part of the program; edits, and what is behind the file.
_Bool cc_is_function_pointer(const struct cc_name *name);
const char *cc_target_text(struct cc_region *r, const struct cc_name *name);
_Bool cc_is_function_table(const struct cc_source *s, const struct cc_name *name);
_Bool cc_check_device_scalar(struct cc_region *r, const struct cc_name *name); // the same
_Bool cc_check_functions(struct cc_region *r, const struct cc_name *name);     // false: it has a reason now
typedef void cc_take_edit(void *user, uint32_t from, uint32_t to, const char *text);
void cc_point_to_functions(struct cc_region *r, cc_take_edit *take, void *user);
void cc_put_plain_type(const struct cc_source *s, uint32_t from, uint32_t to, struct base_text *out); // plain_types.c
void cc_declare_targets(struct base_text *out, struct cc_region *r);
void cc_put_pointed(struct base_text *out, struct cc_region *r);
// members.c: uses of members that are variables of the program.
void cc_find_members(struct cc_region *r);
const struct cc_member_use *cc_member_at(const struct cc_region *r, uint32_t at); // NULL: none begins there
// asides.c: statements of one thread that have nothing to do with the rest of a region.
void cc_find_asides(struct cc_region *r);
const struct cc_derivation *cc_aside_at(const struct cc_region *r, uint32_t at); // NULL: none begins there
void cc_put_asides(struct base_text *out, const struct cc_region *r);            // as a region of their own
// task_order.c: for tasks of the CPU, in front of a region, and behind the CPU's own run of it
bool cc_waits_for_ever(const struct cc_region *r); // perhaps
void cc_put_wait_before(struct base_text *out, const struct cc_region *r);
void cc_put_wait_behind(struct base_text *out, const struct cc_region *r);
// prints.c: how many statements of the region print. A function of that name is the library's.
void cc_find_prints(struct cc_region *r);
bool cc_is_print(const char *name, _Bool to_stdout);
// Of a print that the program has: the library's name, which is no variable of the region.
bool cc_is_stdout(const struct cc_region *r, uint32_t at);
// region.c: the variables of the function that the region's text names, or `reason`.
void cc_find_variables(struct cc_region *r);
bool cc_check_shape(struct cc_region *r, const struct cc_name *name); // can it be a parameter? Else a reason
// float **a, float *a[9]: pointers to rows, which are one array on the device.
_Bool cc_has_rows(const struct cc_name *name);
// neighbours.c: functions of other files that the region reaches, and their text.
void cc_take_imports(struct cc_region *r);
void cc_put_imports(struct base_text *out, const struct cc_region *r);
// switches.c: what is for the CPU, under conditions that are known before: as if they did not hold. False: nothing.
bool cc_find_switches(struct cc_region *r);
const struct cc_derivation *cc_switch_at(const struct cc_region *r, uint32_t at); // NULL: the token is in none
const char *cc_switched(const struct cc_region *r);                               // C text: a condition holds
// alone.c: directives that one thread runs. False: the region has a reason now.
bool cc_check_alone(struct cc_region *r);
bool cc_check_spins(struct cc_region *r); // spins.c: the same, for locks
// The tokens of the region's own condition, NULL: it has none; and its text.
const struct cc_derivation *cc_if_clause(const struct cc_region *r, struct cc_derivation *out);
const char *cc_if_condition(const struct cc_region *r);
// The tokens between the brackets of a clause of a directive; false: it has none.
bool cc_find_clause(const struct cc_source *s, uint32_t pragma, const char *word, struct cc_derivation *out);
// Asking it once more changes nothing. *out_library: OpenMP's library is asked.
bool cc_can_be_asked(const struct cc_source *s, const struct cc_derivation *d, bool *out_library);
const char *cc_clause_text(const struct cc_region *r, const struct cc_derivation *d, bool in_program);
// team.c: sets `team` and `edits`, or `team_reason`, of a region that asks for the thread's number.
void cc_find_team(struct cc_region *r);
const char *cc_team_functions(void);                        // of its program
bool cc_names_lock(const struct cc_source *s, uint32_t at); // region.c: `critical(name)`
// generators.c: which generator a token calls, as a bit; their text in the program; that the program's library has
// others, as C text.
uint32_t cc_generator_at(const struct cc_source *s, uint32_t at);
void cc_put_generators(struct base_text *out, uint32_t set);
void cc_put_generator_bars(struct base_text *out, const char *program);
// set_threads.c: calls of omp_set_num_threads in a loop; and the variable that keeps the last number.
void cc_find_settings(struct cc_region *r);
#define CC_SETTING CC_PREFIX "0_threads" // no name of the user's with CC_PREFIX before it
// large.c: sets `large`.
void cc_find_large(struct cc_region *r);
bool cc_is_cast_long(const struct cc_source *s, uint32_t at);
// members.c: the struct that a name is of, as the token of its brace (0: none); whether pointers are
// in it; the member that the tokens from a variable's on lead to, and its text.
uint32_t cc_struct_body(const struct cc_source *s, const struct cc_name *name);
_Bool cc_holds_pointers(struct cc_source *s, const struct cc_name *name);
_Bool cc_holds_functions(struct cc_source *s, const struct cc_name *name);
_Bool cc_follow(struct cc_source *s, struct cc_region *r, const struct cc_name *base, uint32_t *io_from,
                struct cc_name *out, uint32_t *out_end);
const char *cc_joined(const struct cc_source *s, uint32_t from, uint32_t to, bool as_said);
const char *cc_joined_tokens(const struct cc_source *s, uint32_t from, uint32_t to); // region_program.c: as C text
// ... and the name that is declared by the statement, within `within`, of which the tokens of a struct, or of a pointer
// to one (`by_pointer`), are all that sets it: `struct layer *own = &net->layers[l];`. NULL: there is none.
const struct cc_name *cc_other_name(struct cc_source *s, const struct cc_node *within, uint32_t from, uint32_t end,
                                    bool by_pointer);
// The same of a copy, `struct layer own = net->layers[l];`, `= *layer;`.
const struct cc_name *cc_copy_name(struct cc_source *s, const struct cc_node *within, uint32_t from, uint32_t end,
                                   bool by_pointer);
// handed_structs.c: of a struct, as tokens, that is an argument: what the function uses of it; NULL: that is not known.
struct cc_handed *cc_hand_struct(struct cc_region *r, uint32_t from, uint32_t end, const struct cc_name *type,
                                 struct cc_derivation *out);
// As arguments; `caller`: a function that was handed the struct, too; NULL: the region.
const char *cc_handed_list(struct cc_region *r, const struct cc_handed *h, const char *way,
                           const struct cc_handed *caller);
void cc_put_handed(struct base_text *out, const struct cc_source *s, const struct cc_handed *h); // as parameters
_Bool cc_edit_handed(struct cc_region *r, cc_take_edit *take, void *user); // in functions; false: none
const struct cc_handed *cc_handed_at(const struct cc_region *r, const struct cc_function *f, uint32_t which);
// The parameter of a function by its place, and its tokens; NULL: none. The end of one in a list.
const struct cc_name *cc_param_at(const struct cc_source *s, const struct cc_function *f, uint32_t which,
                                  struct cc_derivation *out);
uint32_t cc_behind_argument(const struct cc_source *s, uint32_t at, uint32_t to);
// old_functions.c: a parameter that is declared behind the list, as it stands in one of today.
void cc_put_old_param(struct base_text *out, const struct cc_source *s, const struct cc_name *param);
// handed_rows.c: what becomes of tables of rows that functions are handed. Calls `take` for each edit of tokens.
typedef bool cc_is_edited(void *user, uint32_t from, uint32_t to); // another edit stands in these bytes
void cc_hand_rows(struct cc_region *r, cc_is_edited *edited, cc_take_edit *take, void *user);
// exchanged_rows.c: tables whose pointers the region sets, and the declarations of those that it declares. The
// parameter that says how long a table's rows are.
void cc_find_exchanged(struct cc_region *r);
void cc_point_exchanged(struct cc_region *r, cc_take_edit *take, void *user);
const char *cc_width_name(const struct cc_region *r, const struct cc_name *name, uint32_t d);
// flat_rows.c: finding rows in both forms; of an edit, `from` == `to`: before a token.
void cc_flatten_rows(struct cc_region *r, cc_is_edited *edited, cc_take_edit *take, void *user);
// A table may have two forms, if all uses of it allow that. The token behind a use of it at `at`; 0: none begins there.
// The use finds a row, and nothing else becomes of its tokens; the edits of such a one. The array of where rows begin.
_Bool cc_has_flat_shape(const struct cc_variable *v);
uint32_t cc_behind_table(const struct cc_region *r, const struct cc_name *name, uint32_t at);
bool cc_finds_row(struct cc_region *r, uint32_t at, uint32_t behind, cc_is_edited *edited, void *user);
void cc_flatten_row(struct cc_region *r, const struct cc_name *name, uint32_t at, uint32_t behind, cc_take_edit *take,
                    void *user);
const char *cc_starts_name(const struct cc_region *r, const struct cc_name *name);
const char *cc_flat_macros(void);
_Bool cc_is_handed(const struct cc_region *r, const char *name); // it may be a parameter that such a table is handed to
// scratch.c: the same for memory that iterations allocate; false: they do not.
_Bool cc_take_scratch(struct cc_region *r, cc_take_edit *take, void *user);
// allocators.c: `malloc(...)`, `calloc(...)`, or a function that does no more, to the end of an initialiser or
// statement: the call's name; 0: it is none. As C text: how many bytes, and what is added to the pointer, " - (1)".
// Behind `sizeof *t`, the size of an element of that pointer; 0: it is something else. A call that frees its argument.
struct cc_allocation {
    const char *bytes, *shift;
    bool clears;
};
// What the parameters of a function are at a call of it.
struct cc_given {
    const struct cc_function *function; // NULL: there are none
    uint32_t call;
    const struct cc_name *name; // the pointer there
    const struct cc_given *outer;
};
uint32_t cc_allocation_at(const struct cc_source *s, uint32_t at, uint32_t *out_end);
struct cc_allocation cc_allocation_given(const struct cc_source *s, const struct cc_name *name, uint32_t call,
                                         uint32_t end, const struct cc_given *given);
// Tokens of the function as the region has them; false, of what is computed twice: it is more than sums and the like.
void cc_put_given(struct base_text *out, const struct cc_source *s, const struct cc_name *own, uint32_t from,
                  uint32_t to, const struct cc_given *given);
_Bool cc_is_plain_given(const struct cc_source *s, const struct cc_function *f, const struct cc_name *own,
                        uint32_t from, uint32_t to);
// A branch that is taken where there is no memory, or an assert of it.
_Bool cc_is_null_check(const struct cc_source *s, const struct cc_node *n, const struct cc_name *own);
struct cc_allocation cc_allocation_of(const struct cc_source *s, const struct cc_name *name, uint32_t call,
                                      uint32_t end);
uint32_t cc_behind_own_size(const struct cc_source *s, const struct cc_name *name, uint32_t at);
bool cc_is_free(const struct cc_source *s, uint32_t at);
// table_allocators.c: the same for tables of rows, all as C text.
struct cc_table {
    const char *rows, *columns, *shift;
    bool clears, is_padded;     // `is_padded`: rows that follow each other do so in other steps
    uint32_t end;               // behind the call
    const struct cc_node *last; // of statements that do so: the last one
};
_Bool cc_is_table(const struct cc_name *name);
_Bool cc_table_at(const struct cc_source *s, const struct cc_name *name, uint32_t at, struct cc_table *out);
_Bool cc_table_in(const struct cc_source *s, const struct cc_name *name, const struct cc_node *n,
                  struct cc_table *out); // `n`: the statement that sets the name
_Bool cc_is_table_free(const struct cc_source *s, const struct cc_name *name, const struct cc_node *n);
// unset.c: the same for integers without a value.
void cc_set_unset(struct cc_region *r, cc_take_edit *take, void *user);
// carried.c: an iteration of a loop that threads share out may know that it is the first of its thread, and use the
// memory behind a name of the thread's in another way.
_Bool cc_may_know_first(const struct cc_source *s, const struct cc_node *loop, const struct cc_name *name);
// append.c: edits of critical sections that append to a list.
void cc_find_appends(struct cc_region *r);
// pointer_loops.c: parallel loops whose variable is a pointer count by numbers.
void cc_count_pointer_loops(struct cc_region *r);
void cc_check_counters(struct cc_region *r); // when the lives of its variables are known
// region.c: a clause of that word names it.
bool cc_is_in_clause(const struct cc_source *s, const struct cc_node *n, const char *clause, const char *text);
// Calls `take` for the directives below a statement that have a condition.
void cc_each_alone(const struct cc_region *r, const struct cc_node *n,
                   void (*take)(void *user, const struct cc_node *n, const char *condition), void *user);
// A variable of each thread: it is one of the program; or a reason.
_Bool cc_take_room(struct cc_region *r, struct cc_name *name);
// threads_kept.c: one that keeps what is in it: the first that a statement names, or what it calls; NULL: none. In the
// program, at its beginning and end. In the text around the region: copies of all threads', the other way with
// `comes_back`; what stands in front of a call and behind it; what keeps it from the GPU.
const struct cc_name *cc_find_kept(struct cc_source *s, const struct cc_node *n);
_Bool cc_changes_kept(struct cc_source *s, const struct cc_node *n);                   // one of them is changed there
_Bool cc_names_thread(struct cc_source *s, const struct cc_node *n, const char *text); // ... it does so with this one
_Bool cc_take_kept(struct cc_region *r, struct cc_name *name);
void cc_put_kept(struct base_text *out, const struct cc_region *r, bool is_end);
void cc_put_kept_names(struct base_text *out, const struct cc_region *r);
void cc_put_kept_copies(struct base_text *out, const struct cc_region *r, bool comes_back);
void cc_put_kept_before(struct base_text *out, const struct cc_region *r);
void cc_put_kept_after(struct base_text *out, const struct cc_region *r);
const char *cc_kept_bar(const struct cc_region *r);
// region_program.c: a bound of numbers and enumerators, the same wherever it stands.
_Bool cc_is_constant(const struct cc_source *s, const struct cc_derivation *d);
// region_program.c: the region as an entry function, params and all, behind the rest of its file.
const char *cc_write_unit(struct cc_region *r);
#define CC_ENTRY WHORL_CC_ENTRY
#define CC_PREFIX "ccv_"                   // of every name in the program that the user's file does not have
#define CC_COMMON_WIDTH CC_PREFIX "1width" // of the rows of exchanged tables
// The specifiers of a name, to be said again: without storage, and without const where it is to be set.
void cc_put_type(struct base_text *out, const struct cc_source *s, const struct cc_name *name, bool keep_const);
// judge.c: decides the forms, the program and the reason.
void cc_judge(struct cc_region *r, const struct cc_options *options);
// The first error of a text of diagnostics as the region's reason.
void cc_take_reason(struct cc_region *r, const char *text);
// region_trial.c: sets `plan`, or a reason.
void cc_try(struct cc_region *r, const struct cc_options *options);
// ... and of a region that is taken: nobody in it sees what was left in that variable of a thread, for any number that
// the call says, or (`for_some`), where that cannot be asked, for some.
bool cc_is_room_proven(struct cc_region *r, const struct cc_options *options, const struct cc_name *name,
                       bool for_some);
// layout.c: as struct whorl_cc_param has it; NULL: it has none.
struct front_type;
const unsigned *cc_layout(struct base_cx *cx, const struct front_type *element);
// swaps.c: the pointers that move end where one of the region's pointers began.
_Bool cc_only_swaps(const struct cc_region *r);
// rewrite_file.c: the whole file with its regions moved, to be compiled. `regions`: those without a reason.
const char *cc_rewrite(struct cc_source *s, struct cc_region **regions, uint32_t count,
                       const struct cc_options *options);

// local_arrays.c: calls of functions with regions that arrays of the caller are handed to. Calls `take`, if there is
// one, for what stands in front of each and behind it; returns how many there are.
typedef void cc_take_insertion(void *user, uint32_t at, const char *text);
uint32_t cc_hold_arrays(const struct cc_source *s, cc_take_insertion *take, void *user);

// There is something that regions of other files have to know of this one.
_Bool cc_says(struct cc_source *s);

_Bool cc_refuse(struct cc_region *r, uint32_t line, const char *format, ...) BASE_PRINTF(3, 4); // false, always

#endif
