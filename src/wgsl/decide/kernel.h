// What is decided of a kernel before any of its text is written: where variables live, what a paused iteration
// keeps. Each part is made once, by the file that is named beside it, from the input and the parts before it, and
// nothing changes it later. Printing (emit.h) only reads it.
//
// A *split* block is one whose statements cannot stand in one scope: those beside a resume loop run under a guard,
// those beside a COMBINE run on one invocation only. Its other statements form *groups*, each emitted in braces of its
// own (wgsl_group_end).
#ifndef WHORL_WGSL_KERNEL_H
#define WHORL_WGSL_KERNEL_H

#include "ir/stencil.h"
#include "wgsl/wgsl.h"

struct wgsl_resume {      // resume.c
    uint32_t points;      // in the kernel; 0: it cannot pause
    const uint32_t *last; // by statement: the last resume point that it contains, 0 for none
};

// What the kernel does with a variable (uses.c).
struct wgsl_use {
    uint32_t reads, writes, headers; // of ASSIGN and COMBINE; of FOR
    // The innermost block that holds every use, the statement of it with the first use, and whether that use is the
    // statement's own.
    uint32_t block;
    ir_stmt first;
    bool direct, outside; // outside: of the FOR loops that count it
    bool entry_level;     // grid: written outside of every phase
    bool repeatable;      // its one assignment is executed again when the iteration is resumed
    uint8_t angles;       // functions that are taken of it, 1: sine, 2: cosine
};
struct wgsl_uses {
    const struct wgsl_use *vars; // by handle
    const bool *arrays;          // by handle: elements are loaded or written
    const bool *arrays_written;
};

struct wgsl_saved {                     // saved.c: the state of a paused iteration, of a grid the program's
    const bool *vars, *arrays, *limits; // by handle; limits: by statement, the bound of this FOR
    uint32_t words;                     // without the resume point's number
};

// Where a variable lives in the text (homes.c).
enum wgsl_home {
    WGSL_UNUSED,
    WGSL_FIXED,  // read only: params, state, index of the iteration; `let` at the start
    WGSL_TOP,    // `var` at the start of the iteration
    WGSL_AT_DEF, // `let` or `var` at the statement `def`, which dominates every use
    WGSL_HEADER, // of FOR loops only, each declares it
};
struct wgsl_var {
    uint8_t home;
    ir_stmt def;
};

// What the elements of a binding are in the text.
struct wgsl_form {
    enum whorl_dtype elem; // F32, I32 or U32; of atomic words U32, or F32 where the device adds to those
    bool atomic, coherent; // array<atomic<u32>> or array<atomic<f32>>; @coherent
    uint8_t words;         // components of an element, 1 for scalars
    bool in_rows;          // all that is loaded is a known component of an element (wgsl_row_part)
};
struct wgsl_vectors {              // vectors.c
    const struct wgsl_form *forms; // by binding
    // By type, of STAGED arrays without rows apart: components of the elements that runs of them are loaded as, 1 or
    // WGSL_WIDEST; 0: runs are like other loads.
    uint8_t staged[5];
    const uint8_t *parts; // by array: parts that these elements of a STAGED one are dealt to
    const ir_stmt *batch; // by statement: the first of those that are emitted together with it; 0: none
};

#define WGSL_WIDEST 4      // components of a vector
#define WGSL_ROWS 16       // vectors of bindings in rows that a text keeps at a time
#define WGSL_MAX_STAGES 64 // arrays that one phase has in workgroup memory

// A stencil in tiles.
struct wgsl_tiling {
    struct ir_tile tile;
    uint32_t first[IR_TILE_PLANES]; // words of the planes in workgroup memory
    uint32_t words[5];              // of all, by type
    bool reverse;                   // from the last tile to the first
};
// A parallel loop of a grid kernel.
struct wgsl_phase {
    const ir_stmt *stages; // STAGE statements before it
    uint32_t stage_count;
    const struct wgsl_tiling *tiling; // NULL: not in tiles
    bool runs_once;                   // it is in none of the loops that others are in
};
// A shared loop that reads windows of STAGED arrays is made some passes at a time.
struct wgsl_window {
    ir_array arrays[WGSL_MAX_STAGES];
    uint32_t count, passes; // passes: at a time
    uint32_t trips;         // of the loop
    int32_t low;            // the loop's first index
    bool cut;               // the last stretch is shorter, and goes beyond the arrays' ends
};
// Where all of a workgroup comes and stores what it copies, before the copies are read.
enum wgsl_store {
    WGSL_STORE_NOWHERE,
    WGSL_STORE_BEFORE, // the statement
    WGSL_STORE_INSIDE, // of the shared loop, after the batch of loads that it begins with
};
struct wgsl_phases {                          // phases.c
    const struct wgsl_phase *const *of;       // by PARFOR statement of a grid, else NULL
    const struct wgsl_window *const *windows; // by FOR statement, NULL: it reads none
    const uint8_t *stores;                    // by statement of a phase on lanes, enum wgsl_store
};

// Loads of a phase on lanes that are asked for before their pass, the first pass's before the phase.
struct wgsl_early {
    ir_stmt parfor, loop; // the loads are the batch that begins the passes of `loop`, of which there are `trips`
    ir_stmt barrier;      // before which the first pass's are asked for; 0: where the phase begins
    const ir_stmt *defs;  // assignments in front of the loop that their indices need, in order
    uint32_t def_count, trips, total; // total: iterations
};
struct wgsl_earlies {                   // early.c
    const struct wgsl_early *const *of; // by statement: its phase, its loop, its barrier; else NULL
    uint8_t most[5][WGSL_WIDEST + 1];   // by enum ir_type and components: vectors that one phase has under way
};

// STAGED arrays of one type and width of vectors.
struct wgsl_block {
    enum ir_type type;
    uint32_t width, rows; // words of a vector, 1: single words; how many
};
struct wgsl_memory { // workgroup.c
    const struct wgsl_block *blocks;
    uint32_t block_count, tile_words[5], lane_words[5],
        local_words[5];         // by type: words for tiles and NEIGHBOURs, for what lanes combine, for local arrays
    uint32_t private_words;     // of copies that a phase updates, at most (ir_privates_of)
    uint32_t combines_together; // COMBINEs in a row of one type, at most WGSL_COMBINES_TOGETHER
};
#define WGSL_COMBINES_TOGETHER (IR_LANES_BYTES / (4 * IR_COMBINE_WIDTH))

// Statements from here to `end` are written twice (twice.c).
struct wgsl_twice {
    ir_stmt end;
    const ir_var *kept; // declared before them and written in them: put back before the second text
    uint32_t kept_count;
    bool together; // lanes of a subgroup take the same text
};

enum { WGSL_SECTOR_WORDS = 8 }; // that a GPU's cache is sent at once

struct wgsl_kernel {
    struct base_cx *cx;
    const struct wgsl_input *in;
    const struct ir_unit *u;
    ir_stmt body; // first statement of the kernel
    struct wgsl_leaves *leaves;
    struct wgsl_resume resume;
    struct wgsl_uses uses;
    struct wgsl_saved saved;
    const struct wgsl_var *vars; // by handle
    struct wgsl_vectors vectors;
    struct wgsl_phases phases;
    struct wgsl_earlies early;
    // By BARRIER statement: what is stored since the barrier before, at most, in words whose neighbours are stored
    // along with them; one that stands alone counts as WGSL_SECTOR_WORDS (release.c).
    const uint64_t *sent;
    struct wgsl_memory memory;
    const struct wgsl_twice *const *twice; // by statement, NULL: it stands once, or inside
    uint32_t subgroup;                     // largest number of lanes that exchange values in a subgroup; 0: none
};

// Everything, in the order above. In the scratch memory of the caller.
const struct wgsl_kernel *wgsl_decide(struct base_cx *cx, const struct wgsl_input *in);

// The parts. Each takes the kernel with the parts before its own.
struct wgsl_resume wgsl_number_resume(const struct wgsl_kernel *k);
struct wgsl_uses wgsl_find_uses(const struct wgsl_kernel *k);
struct wgsl_saved wgsl_choose_saved(const struct wgsl_kernel *k);
const struct wgsl_var *wgsl_choose_homes(const struct wgsl_kernel *k);
struct wgsl_vectors wgsl_choose_vectors(const struct wgsl_kernel *k);
struct wgsl_phases wgsl_choose_phases(const struct wgsl_kernel *k);
struct wgsl_earlies wgsl_choose_early(const struct wgsl_kernel *k);
const uint64_t *wgsl_count_sent(const struct wgsl_kernel *k);
struct wgsl_memory wgsl_choose_memory(const struct wgsl_kernel *k);
const struct wgsl_twice *const *wgsl_choose_twice(const struct wgsl_kernel *k);
uint32_t wgsl_choose_subgroup(const struct wgsl_kernel *k);
// Invocations from one lane of an iteration to the next: 1, or as many as the workgroup has iterations.
uint32_t wgsl_lanes_apart(const struct wgsl_kernel *k, const struct ir_stmt_node *parfor);
// How many lanes of each iteration on lanes of a workgroup exchange values in a subgroup, before memory combines the
// rest; 0: none.
uint32_t wgsl_lanes_near(const struct wgsl_kernel *k, const struct ir_stmt_node *parfor);

// ---- leaves.c
struct wgsl_leaves *wgsl_leaves_create(struct base_cx *cx, const struct ir_unit *u); // memory of the walks below
// Calls fn for each node of the expression and of the array sizes that its indices are computed with, shared ones once.
void wgsl_visit_nodes(const struct wgsl_kernel *k, ir_expr x, void (*fn)(void *user, ir_expr node), void *user);
// The same for VAR and LOAD alone.
void wgsl_visit_leaves(const struct wgsl_kernel *k, ir_expr x, void (*fn)(void *user, ir_expr leaf), void *user);
// For the leaves of the sizes that an element's index is computed with.
void wgsl_visit_strides(const struct wgsl_kernel *k, ir_array a, void (*fn)(void *user, ir_expr leaf), void *user);

// It is computed from parameters and counters of loops alone, with_dims: or index variables of parallel loops. So it
// does not depend on memory, which may hold garbage after a barrier was given up.
bool wgsl_is_steady(const struct wgsl_kernel *k, ir_expr x, bool with_dims);

// ---- resume.c
bool wgsl_is_split(const struct wgsl_kernel *k, ir_stmt block);
bool wgsl_stands_alone(const struct wgsl_kernel *k, ir_stmt s); // in a split block: not part of a group
ir_stmt wgsl_group_end(const struct wgsl_kernel *k, ir_stmt s); // the first statement after the group that starts at s
// Which assignments are repeatable, but for those to variables in `never`: to `uses`, which are the kernel's. loops: 0
// for every variable.
void wgsl_mark_repeatable(const struct wgsl_kernel *k, struct wgsl_use *uses, uint32_t *loops, const bool *never);

// ---- homes.c
bool wgsl_is_fixed(const struct wgsl_kernel *k, ir_var v); // one that a kernel only reads
bool wgsl_in_state(const struct wgsl_kernel *k, ir_var v); // an ENTRY variable with a word there
// By what is known so far: before `saved` is, as if nothing were.
struct wgsl_var wgsl_home_of(const struct wgsl_kernel *k, ir_var v);

// ---- saved.c
// The resume loop that alone counts v; NULL: there is none.
const struct ir_stmt_node *wgsl_loop_of(const struct wgsl_kernel *k, ir_var v);
// The resume loop with constant bounds, where at least one pass is made, that alone counts v, and v's first and last
// values in it; NULL: there is none.
const struct ir_stmt_node *wgsl_counted_by(const struct wgsl_kernel *k, ir_var v, int64_t *out_first,
                                           int64_t *out_last);
ir_var *wgsl_saved_words(const struct wgsl_kernel *k); // by saved word: its variable, 0 for others

// ---- vectors.c
#define WGSL_MOST_RUNS 64     // of a batch
#define WGSL_MOST_ELEMENTS 32 // of a run
// Statements that access neighbours (ir_is_run).
struct wgsl_run {
    ir_stmt head;
    ir_array array;
    uint32_t first, n; // its indices
    uint32_t count;    // elements
    uint32_t size;     // elements in a word
};
bool wgsl_run_at(const struct wgsl_kernel *k, ir_stmt s, struct wgsl_run *out); // false: none begins with s
// Words of the vectors, or words, that the run accesses; 0: it is several accesses.
uint32_t wgsl_run_words(const struct wgsl_kernel *k, const struct wgsl_run *r);
// It is a loop that so many lanes share, of one pass each, and begins with loads that need not wait for copies in
// workgroup memory.
bool wgsl_loads_first(const struct wgsl_kernel *k, ir_stmt s, uint32_t lanes);

// ---- phases.c, workgroup.c
bool wgsl_has_sides(const struct ir_plane *q);                                   // columns beside the own one are read
uint32_t wgsl_tile_width(const struct wgsl_kernel *k, const struct ir_plane *q); // words of a row of it
uint32_t wgsl_staged_width(const struct wgsl_kernel *k, ir_array a);  // words of a row of the copy, 1: without rows
uint32_t wgsl_staged_vector(const struct wgsl_kernel *k, ir_array a); // its rows are vectors of so many words, 1: none
// Its rows are of four words and have room for a fifth, so that they can stand in vectors among those of whole arrays.
bool wgsl_has_vector_rows(const struct wgsl_kernel *k, ir_array a);
bool wgsl_in_vector_rows(const struct wgsl_kernel *k, ir_array a); // they do
// Of a loop that lanes of a workgroup share: where the reductions end that are combined together, from `first` on.
uint32_t wgsl_combined_end(const struct wgsl_kernel *k, const struct ir_reduction *list, uint32_t count,
                           uint32_t first);
// Where the COMBINEs in front of `end` end that are made together, from `first` on: none needs what another one makes.
ir_stmt wgsl_combines_end(const struct wgsl_kernel *k, ir_stmt first, ir_stmt end);

// ---- kernel.c
bool wgsl_has_lanes(const struct wgsl_kernel *k, ir_stmt parfor); // its iterations run on lanes of a workgroup
bool wgsl_is_spread(const struct wgsl_kernel *k, ir_stmt parfor); // ... of a subgroup
bool wgsl_is_team(const struct wgsl_kernel *k, ir_stmt parfor);   // its lanes are a workgroup's invocations
// The last index of a load from a binding in rows: a constant, and what it is added to, which vectors divide; 0: no
// such thing.
ir_expr wgsl_row_part(const struct ir_unit *u, ir_expr last, uint32_t *constant);
// The STAGE of a box moves whole vectors of WGSL_WIDEST words.
bool wgsl_box_is_whole(const struct wgsl_kernel *k, const struct ir_stmt_node *n);
uint32_t wgsl_array_count(const struct wgsl_kernel *k, ir_array a); // elements of an array with constant dimensions
bool wgsl_is_packed(const struct wgsl_kernel *k, ir_array a);       // narrow elements as the caller laid them out
bool wgsl_one_pass(const struct wgsl_kernel *k, ir_stmt loop, uint32_t lanes); // each lane makes one pass of the loop

#endif
