// The runtime of programs that `whorl cc` built. It is linked into them whole, with the compiler and the executor, as
// one object that shows nothing but the functions that region_abi.h declares and the wrappers of the linker
// (--wrap=malloc and its family).
//
// Nothing here may change what a program does: whatever goes wrong, the region runs on the CPU as it was written.
#ifndef WHORL_OFFLOAD_H
#define WHORL_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "offload/region_abi.h"
#include "whorl.h"

enum { OFFLOAD_PAGE = 4096, OFFLOAD_LARGE = 64 << 10 }; // what is worth more than a copy

// ---- memory ---------------------------------------------------------------------------------------------------------
struct offload_block {
    char *base;
    size_t bytes;
    bool is_heap;   // and freed some day
    bool has_pages; // nothing else is in the pages of its bytes
    bool is_fixed;  // cannot be written
    bool is_local;  // of a function
};
// registry.c: allocations. Any thread.
// `has_pages`: nothing else is in the pages of its bytes. NULL: nothing.
void offload_note_alloc(void *base, size_t bytes, bool has_pages);
void offload_note_free(void *base);
size_t offload_noted_bytes(const void *base); // 0: it is not known; of small ones just another number
// The allocation, or the variable at file scope, that holds the byte at p.
bool offload_find_block(const void *p, struct offload_block *out);
// The one whose first element stands behind the element at p, as where indices count from 1: `malloc(...) - 1`.
// *out_certain: what is at p is the library's own, or no variable's, so that p means nothing else.
bool offload_find_next_block(const void *p, size_t unit, struct offload_block *out, bool *out_certain);
// locals.c: the array of a function, if this thread's calls have said of it where it is.
bool offload_find_local(const void *p, struct offload_block *out);
// symbols.c: variables of the program's own file, by its symbol table. Any thread.
bool offload_find_symbol(const void *p, struct offload_block *out);
// Names that the program's file leaves to shared libraries, one a call, from *io_at = 0 on.
bool offload_next_import(size_t *io_at, const char **out_name);
bool offload_has_imports(void); // else the file does not say

// ---- one region -----------------------------------------------------------------------------------------------------
struct whorl_cc_arg { // a parameter at a call, as region_abi.h has it
    void *at;
    unsigned long long bytes, unit_bytes; // of a copy: of its variable
    long long integer;                    // of an array: what its declaration promises
    double real;
    void *variable;
};
struct offload_place; // place.h
struct offload_rows { // of one array behind pointers
    char **at;
    size_t *bytes; // of each
    size_t count, room;
    size_t first;       // those before it lead nowhere
    size_t width, unit; // elements that each gets on the device; bytes of one
    size_t stride;      // they are a member of each struct of an array, and this a struct's bytes; else 0
    bool is_twice;      // two pointers lead to one row
    bool is_behind;     // something of its allocation stands before one of them
    bool is_before;     // its first pointer leads before its allocation
    int32_t *starts;    // flat_rows: where each begins, in elements
};
struct offload_array {
    char *base;
    size_t bytes;                    // of whole elements of the outermost dimension
    uint64_t outer;                  // how many of them
    long long at;                    // where the pointer points, in them; -1: before the first
    bool is_promised;                // its size is the word of a declaration, or a guess
    bool is_guessed;                 // guesses.c
    bool has_all_rows;               // each pointer of the table is one
    bool has_more;                   // there are pointers in front of these, which an index below 0 would find
    struct offload_place *place;     // where its copy on the device stays good after the call; NULL: nowhere
    const struct offload_rows *rows; // it is gathered from these, and base is NULL; else NULL
    // 1 + the parameter whose array it is a part of (merge.c); then this one is of one element; 0: its own
    int into;
};
struct offload_reach { // of a region into an array, in elements of the outermost dimension
    bool known;
    bool leaves; // an index may leave its row
    long long first, last;
};
struct offload_order { // of an array's elements
    bool is_open;      // iterations get their places, or what they store, by a counter
    bool is_anew;      // which is set in loops: behind its end the list has what is left of an earlier pass
    bool is_cut;       // not all that come get a place: which do is open
    int counter;       // with is_anew: the parameter that it is in the end; -1: not known
    long long begin;   // with a counter: the element that 0 stands for
    uint32_t depth;    // dimensions from the place on; what is below is one record. More: there are none
};
struct offload_held {        // what a session's array holds
    uint64_t place, version; // a place's serial; 0: nothing that is known
};
// What the device has of an array: its bytes, or its doubles as floats, or as pairs of floats, or structs of which the
// doubles are floats (struct whorl_cc_param's layout) or pairs of floats (whorl_param.words).
enum offload_form { OFFLOAD_BYTES, OFFLOAD_FLOATS, OFFLOAD_PAIRS, OFFLOAD_MIXED, OFFLOAD_MIXED_PAIRS };
enum { OFFLOAD_VARIANTS = 6, OFFLOAD_MADE = 16, OFFLOAD_MADE_ROOMY = 24, OFFLOAD_PARAMS = 64 }; // at once; ever
enum { OFFLOAD_REASONS = 8 };
// The region compiled for some values, and the device's memory for it.
struct offload_variant {
    struct offload_state *state;
    long long values[OFFLOAD_PARAMS]; // of integer scalars
    uint64_t outer[OFFLOAD_PARAMS];   // of arrays
    int into[OFFLOAD_PARAMS];         // of arrays
    bool is_flat;                     // rows are places in one memory (cc/flat_rows.c)
    uint64_t uniform;                 // set of scalars that may change
    whorl_device *device;
    whorl_program *program;
    whorl_session *session;
    void *results[OFFLOAD_PARAMS]; // arrays that it writes, as the device left them
    void *sent[OFFLOAD_PARAMS];    // those that it writes, and all of doubles: as they went there
    struct offload_held held[OFFLOAD_PARAMS];
    char *edges[OFFLOAD_PARAMS]; // transfer.c
    size_t edge_bytes[OFFLOAD_PARAMS];
    size_t device_bytes[OFFLOAD_PARAMS];
    uint8_t form[OFFLOAD_PARAMS]; // enum offload_form
    struct offload_guard *guards[OFFLOAD_PARAMS];
    bool has_no_guard[OFFLOAD_PARAMS]; // it was tried
    bool written[OFFLOAD_PARAMS];
    struct offload_reach reach[OFFLOAD_PARAMS];
    struct offload_order order[OFFLOAD_PARAMS];
    uint64_t calls;
    uint32_t cpu_calls;    // that were timed
    double gpu_s, cpu_s;   // a call's shortest time; 0: not known
    double call_s, late_s; // the last call's time, and what bringing back its results took later
    uint64_t done;         // calls that ended well
    bool has_asserts;      // the run may fail
    bool is_slow;          // a few threads would each go through a long loop by themselves
    bool is_proven;        // no index leaves its array, for these sizes
    bool is_passed_over;   // numbers are open in it that have to be known
    bool failed;
    char why[256]; // if it failed
};
struct offload_printed {
    char *text;
    size_t size, room;
    bool is_lost; // some of it
};
struct offload_state {
    struct whorl_cc_region *region;
    struct offload_state *next;
    struct offload_rows rows[OFFLOAD_PARAMS]; // of the last call
    struct offload_variant *variants[OFFLOAD_VARIANTS];
    uint32_t variant_count, made, most_made; // 0: OFFLOAD_MADE
    uint64_t used_elements[OFFLOAD_PARAMS];  // of guessed arrays, as far as they are used; 0: not known
    uint64_t last_outer[OFFLOAD_PARAMS];     // sizes at the last call; 0: none
    bool has_sizes[OFFLOAD_PARAMS];          // they were others before
    bool begins[OFFLOAD_PARAMS];             // arrays with TAIL, without what stands before them
    bool leaves_room;                        // offload_leave_room: a few more variants are made
    bool no_uniform;                         // tried, and the compiler needs the values
    bool is_flat, leaves_rows;               // the form of its tables now; the last call's indices may leave rows
    bool takes_next, has_next; // pointers to the last element of an array lead to the one behind it; there are such
    struct offload_variant *pending; // its results wait for the CPU's
    struct offload_variant *timed;   // the CPU runs it and is timed
    double timed_from_s;
    struct offload_printed printed; // in the last run
    uint64_t runs, dispatches;      // calls on the GPU
    uint64_t asserted, passed_over; // its last runs that came to an assert; calls since then that did not try
    // Calls that were left to the CPU, by reason; those that found no room in the list.
    struct offload_reason {
        char text[256];
        uint64_t calls;
    } reasons[OFFLOAD_REASONS];
    uint32_t reason_count;
    uint64_t other_calls;
    uint64_t same, differing; // calls that were compared
    uint64_t bytes_there, bytes_back;
    char why[256];      // why the last call was left to the CPU
    char unproven[256]; // what a program with an open number did not know
    char barred[256];   // the device was lost in it, for this reason, and it has none any more; "": it may have one
};

// printed.c: takes what a run prints; whether that is all of it; and prints it.
void offload_hear(void *user, const char *text, size_t size);
bool offload_is_heard(struct offload_state *state, const whorl_session *session);
void offload_print(struct offload_state *state);
// variant.c: finds or makes the variant for a call; NULL, and state->why, where there is none.
struct offload_variant *offload_variant_for(struct offload_state *state, whorl_device *device,
                                            const struct whorl_cc_arg *args, const struct offload_array *arrays);
void offload_variant_drop(struct offload_variant *variant);
void offload_variant_leave(struct offload_variant *variant); // its device was lost: the next call makes a session anew
// row_tables.c: an array behind pointers to its rows, and how many elements a row has.
// Behind pointers to pointers: *out_planes, how many rows each of these leads to; else it stays.
bool offload_locate_rows(struct offload_state *state, int i, const struct whorl_cc_arg *arg, struct offload_array *out,
                         size_t *out_width, size_t *out_planes);
// The array, laid out anew with some room behind it, where its sizes change so often that programs for all of them
// would be too many. False: no memory.
bool offload_leave_room(struct offload_state *state, int i, size_t unit, struct offload_array *io);
// The same array as places in one memory: the allocation that all rows are in, or what they are gathered into; and
// where each row begins.
bool offload_locate_flat(struct offload_state *state, int i, const struct whorl_cc_arg *arg, struct offload_array *out,
                         struct offload_array *out_starts);
// An array of which each element is a member of a struct of an array.
bool offload_locate_fields(struct offload_state *state, int i, const struct whorl_cc_arg *arg,
                           struct offload_array *out);
// ... of a struct that a pointer of an array leads to.
bool offload_locate_pointed(struct offload_state *state, int i, const struct whorl_cc_arg *arg,
                            struct offload_array *out);
void offload_gather(const struct offload_rows *rows, char *to);
bool offload_overlaps(const struct offload_array *a, const char *at, size_t bytes);
bool offload_share_memory(const struct offload_array *a, const struct offload_array *b);
void offload_own_array(const struct offload_array *a); // places in it
// guesses.c: of an array in memory that nobody knows; 0: there is no guess.
size_t offload_guessed_bytes(const struct offload_state *state, int param, const struct whorl_cc_arg *arg);
bool offload_is_readable(const void *at, size_t bytes);
// True: what `variant` says of these arrays, NULL: that there is none, gives them another size, and they have to be
// located again.
bool offload_fit_guesses(struct offload_state *state, const struct offload_variant *variant,
                         const struct offload_array *arrays);
// merge.c. `into` of a pointer that is NULL: the region's program has it so, and the array is of one element that
// nobody uses.
enum { OFFLOAD_NOWHERE = -1 };
bool offload_reaches(const struct whorl_cc_region *r, int i); // it is an array that a pointer leads to
// Arrays of one memory that the region writes are one from then on. False: there are none.
bool offload_merge(const struct whorl_cc_region *r, const struct offload_variant *v, const struct whorl_cc_arg *args,
                   struct offload_array *arrays);
// Of `program`, one of the region's two; NULL: no memory.
char *offload_merged_program(const struct whorl_cc_region *r, const struct offload_array *arrays, const char *program);
// written.c: by parameter. False: it is not known.
bool offload_find_written(const whorl_program *program, bool *out_written, int count);
bool offload_find_reach(const whorl_program *program, struct offload_reach *out, int count);
bool offload_has_asserts(const whorl_program *program);
bool offload_is_slow(const whorl_program *program);
// orders.c: by parameter. `is_dealt`: what threads got of loops is open. False: it is not known.
bool offload_find_orders(const whorl_program *program, bool is_dealt, struct offload_order *out, int count);
// choose_side.c
enum offload_side { OFFLOAD_GPU, OFFLOAD_CPU, OFFLOAD_CPU_TIMED };
enum offload_side offload_choose(const struct offload_variant *variant);
void offload_note_gpu(struct offload_variant *variant); // of the call before
void offload_note_cpu(struct offload_variant *variant, double seconds);
bool offload_will_assert(struct offload_state *state); // the next call, likely
void offload_note_assert(struct offload_state *state, bool failed);
double offload_now_s(void);
// doubles.c
static inline size_t offload_element_bytes(enum offload_form form) {
    return form == OFFLOAD_FLOATS ? sizeof(float) : sizeof(double);
}
// Returns how many were converted: all, unless the next one is too small for a pair. `may_be_unset`: such a one may be
// what was left in memory, and the region sets it.
size_t offload_convert(enum offload_form form, bool may_be_unset, void *to, const double *from, size_t count);
// The elements of the program that the device changed. `sent`: as they went there, or what to[k] would be there.
void offload_update(enum offload_form form, double *to, const void *from, const void *sent, size_t count);
void offload_update_own(enum offload_form form, double *to, const void *from, size_t count);
bool offload_is_same(enum offload_form form, double value, const void *from, size_t k); // element k is that value
// The first of the pairs that has become infinite or no number, which a double might not have; `count`: none.
size_t offload_left_range(const void *results, const void *sent, size_t count);
bool offload_are_plain(const double *values, size_t count); // a pair can be each of them, and all are finite

// mixed.c: structs of which the doubles are floats there.
void offload_mixed_there(const unsigned *layout, unsigned *to, const char *from, size_t count);
void offload_mixed_back(const unsigned *layout, char *to, const unsigned *from, const unsigned *sent, size_t count);
// Structs of which they are pairs of floats, in words, which stand at the same places on both sides: as
// offload_convert, offload_update and offload_left_range. `p`: whose words they are, from the first of a struct on.
bool offload_mixes_doubles(const struct whorl_param *p);
// `first`: the first of these words, an even one.
size_t offload_rows_there(const struct whorl_param *p, bool may_be_unset, size_t first, void *to, const void *from,
                          size_t words);
void offload_rows_update_own(const struct whorl_param *p, size_t first, void *to, const void *from, size_t words);
bool offload_rows_are_plain(const struct whorl_param *p, const void *from, size_t words);
bool offload_are_rows_alike(const struct whorl_param *p, const struct whorl_param *q);
// What range_guard.c says of such a struct. False: nothing. The caller frees the texts.
bool offload_rows_fields(const struct whorl_param *p, char **out_fields, char **out_test);
void offload_rows_back(const struct whorl_param *p, void *to, const void *from, const void *sent, size_t words);
size_t offload_rows_left_range(const struct whorl_param *p, const void *results, const void *sent, size_t words);

// range_guard.c: for an array of pairs whose results stay on the device. False: there is none for it.
bool offload_guard_has(struct offload_variant *variant, int param);
bool offload_guard_keep(struct offload_variant *variant, int param); // what it holds before a run
// After the run, of the arrays that were kept. BAD, and state->why: they all are as they were before; FAILED: nobody
// knows what they are.
enum offload_verdict { OFFLOAD_GOOD, OFFLOAD_BAD, OFFLOAD_FAILED };
enum offload_verdict offload_guards_look(struct offload_state *state, struct offload_variant *v, const bool *guarded);
enum offload_verdict offload_guards_restore(struct offload_variant *v, const bool *guarded); // BAD, or FAILED
void offload_guard_drop(struct offload_guard *guard);

// transfer.c: a call on the device; false and state->why where it failed. The results are in the variant, or stay in
// the device's memory for their places, which the arrays have from then on where `stays` is set.
bool offload_variant_run(struct offload_state *state, struct offload_variant *variant, const struct whorl_cc_arg *args,
                         struct offload_array *arrays, bool stays);
// From the variant to the program's memory. Only what changed is written.
void offload_commit(struct offload_state *state, struct offload_variant *variant, const struct offload_array *arrays);
// Bytes of the program's array of a parameter, from `skip` on, as the device has them; `to` has what was there before.
// False, and why: the device failed.
bool offload_read_part(struct offload_variant *variant, int param, size_t skip, size_t bytes, void *to, char *why,
                       size_t why_size);
// compare.c: the variant's results with what the CPU left in memory. Returns how many elements differ, and says of the
// first one what it is.
uint64_t offload_compare(const struct offload_state *state, const struct offload_variant *variant,
                         const struct offload_array *arrays, char *out_text, size_t size);

// reasons.c: what WHORL=verbose says of a region. A call is left to the CPU for state->why.
void offload_note_left(struct offload_state *state);
void offload_say_region(const struct offload_state *state);

// What the device said: a driver that was given up runs on, and the process has to end without it.
void offload_note_status(enum whorl_status status, bool fell_back);
// Sets state->why; returns false.
bool offload_refuse(struct offload_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));
// For what the device said, which may be that it is lost.
bool offload_refuse_error(struct offload_state *state, whorl_device *device, const struct whorl_error *err);

#endif
