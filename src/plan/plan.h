// The plan: what an executor needs to run a compiled program, and nothing of C or of any device. Plain data, written as
// JSON (docs/plan.md), validated on reading, the same for every executor.
//
// A plan holds kernels (WGSL), arrays with their places in buffers, and one tree of dispatches a strategy. All sizes
// and counts are expressions over the plan's uniform scalars; with none, they are constants.
//
// How a kernel is called. Every kernel of a plan has the bindings
//   @group(0) @binding(0) var<uniform> params: array<vec4<u32>, param_words/4>
//   @group(0) @binding(1) var<storage, read_write> control: array<atomic<u32>, 8>
//   @group(0) @binding(2 ...)  the kernel's buffers, in the order of `bindings`
// params words 0..7 are the call's own, then the plan's scalars (uniform scalars, repeat variables) at their `word`:
//   0 base        first iteration of this slice
//   1 count       iterations of this slice (this dispatch covers [base, base+count))
//   2 budget      ticks that each iteration may use in this slice; 0xFFFFFFFF: no limit
//   3 resume      0: iterations start; 1: they continue from their saved state (kernels with resume_words > 0)
//   4 groups_x    workgroups in x (groups are laid out in two dimensions: index = y * groups_x + x)
//   5..7          zero
// control words:
//   0 groups that finished      each workgroup adds 1 at its end: the host's proof that all ran to the end
//   1 iterations that paused    they used up their budget; the host continues them with resume = 1
//   2 failures                  loops that the driver ended early: the slice is worthless
//   3 largest tick count used   by any iteration in this slice (atomicMax), for calibration
// The host clears control before a submit and sums up what it expects of word 0 over all dispatches of the submit.
//
// A *grid kernel* (kernel.grid) is a whole program in one dispatch: parallel loops are phases of it, with barriers
// between its workgroups (docs/memory-model.md). It is dispatched as `groups` workgroups, all of which must be resident
// at once. Its call's words:
//   0 spins        passes of the spin of a barrier before it gives up
//   1 groups       workgroups of this dispatch; nothing but speed depends on it
//   2 budget       ticks of this slice; a tick is one pass of a loop around phases
//   3 resume       0: the program starts; 1: it continues from `saved`
//   4 roll         passes of the roll call's spin before it is given up (a start takes less time than a phase may)
//   5 flags        PLAN_GRID_FENCES: a storageBarrier at each barrier, where the device's litmus test asks for it
//   6 first        the barrier counter's value at the start (0; tests start it near its wrap); the host writes it there
//   7              zero
// and its control words besides 0..3 (1: paused, once; 2: barriers given up and loops ended early):
//   4 barrier counter
//   5 roll call    workgroups that have arrived
//   6 verdict      PLAN_GRID_GO: all had arrived, the work was done; PLAN_GRID_LEAVE: nothing was touched, try fewer
//                  groups
// Every workgroup adds 1 to word 0 at its end, whatever the verdict. A workgroup that finds the verdict LEAVE does not
// arrive. Its binding `saved` (after the others, resume_words words) holds, when it has paused, what resume = 1
// continues from: word 0 is the number of the resume point (1 or more), the others are described by grid.saved. All
// workgroups have read it before the first writes it: the roll call or a barrier lies between. tick_loops of a grid
// kernel: loop passes of one iteration in all phases of a tick.
#ifndef WHORL_PLAN_H
#define WHORL_PLAN_H

#include "base/base.h"

#define PLAN_VERSION 1
#define PLAN_MAX_DIMS 8
#define PLAN_PARAM_CALL_WORDS 8
enum { PLAN_BASE, PLAN_COUNT, PLAN_BUDGET, PLAN_RESUME, PLAN_GROUPS_X };
enum { PLAN_GRID_SPINS, PLAN_GRID_GROUPS, PLAN_GRID_ROLL = 4, PLAN_GRID_FLAGS, PLAN_GRID_FIRST };
enum { PLAN_GRID_FENCES = 1 };
enum { PLAN_GRID_GO = 1, PLAN_GRID_LEAVE = 2 };
#define PLAN_GRID_POISON 0x40000000u // added to the barrier counter to let everybody pass; a slice makes fewer arrivals
enum {
    PLAN_CONTROL_GROUPS,
    PLAN_CONTROL_PAUSED,
    PLAN_CONTROL_FAILED,
    PLAN_CONTROL_TICKS,
    PLAN_CONTROL_BARRIER,
    PLAN_CONTROL_ARRIVED,
    PLAN_CONTROL_VERDICT,
    PLAN_CONTROL_WORDS = 8
};
#define PLAN_NO_LIMIT 0xFFFFFFFFu

// An expression over uniform scalars and repeat variables, of a kernel's iterations also over STATE scalars; handles
// into plan->exprs, 0 = none. Values are checked int64.
typedef uint32_t plan_expr;
enum plan_op { PLAN_CONST, PLAN_SCALAR, PLAN_ADD, PLAN_SUB, PLAN_MUL, PLAN_DIV, PLAN_REM, PLAN_MIN, PLAN_MAX };
struct plan_expr_node {
    uint8_t op;
    uint32_t a, b; // operands; PLAN_SCALAR: a = index into plan->scalars
    int64_t value; // PLAN_CONST
};

struct plan_scalar {
    const char *name;
    // STATE: a word that the device computes. The host reads it before a dispatch whose iteration count depends on it.
    enum { PLAN_SPECIALISED, PLAN_UNIFORM, PLAN_REPEAT, PLAN_STATE } kind;
    enum whorl_dtype dtype; // WHORL_I32, WHORL_U32, WHORL_F32; SPECIALISED also WHORL_F64, WHORL_I64, WHORL_U64
    uint32_t bits;          // value at compile time (UNIFORM: the default)
    uint32_t low;           // F64: the value is the sum of two floats, of which these are the smaller one's bits
    uint32_t high;          // I64, U64: the high word, `bits` is the low one
    // UNIFORM, REPEAT: its word in params (>= PLAN_PARAM_CALL_WORDS), which REPEAT variables of loops that are not
    // inside each other may share. STATE: its word of the state buffer
    uint32_t word;
    bool is_param; // a parameter of the entry (REPEAT variables are not)
};

enum plan_array_kind { PLAN_IN, PLAN_INOUT, PLAN_SCRATCH, PLAN_TABLE };
struct plan_array {
    const char *name;
    enum plan_array_kind kind;
    enum whorl_dtype dtype;
    uint32_t ndims;
    plan_expr dims[PLAN_MAX_DIMS];
    uint32_t buffer;        // index into plan->buffers
    plan_expr offset_bytes; // multiple of 256
    const uint32_t *data;   // TABLE: words as they stand in the buffer
    uint32_t data_words;
    // Elements narrower than 32 bits take a word each in the buffer (normalised to the scalar type as in SCRATCH); the
    // executor widens on writing and narrows on reading. Of IN and INOUT arrays that kernels write.
    bool wide;
    // IN and INOUT of F32 or U32 with an even last dimension: the caller has doubles, of which each is two neighbours
    // here, the nearest float and the rest. The executor splits them on writing and adds them up on reading. Of U32
    // only those that `pair_runs` names in each row of the last dimension (base/pairs.h); all others are what they are.
    bool pairs;
    const uint32_t *pair_runs;
    uint32_t pair_run_count;
    // IN and INOUT of U32 with an even last dimension: the caller has 64-bit integers, I64 or U64, of which each is two
    // neighbours here, the low word first. These are the same bytes. 0: no.
    enum whorl_dtype longs;
    // INOUT: integers that are the same in every strategy, bit by bit. Where strategies differ here, one of them is
    // wrong.
    bool exact;
    // INOUT and SCRATCH: a call stores every element before it loads any, in every strategy. So it need not be zero
    // when a call starts, and no copy of it is needed to start the call again.
    bool anew;
};

// size_bytes is a multiple of 4, >= 4. A buffer is on the device for the whole run. SCRATCH arrays start zeroed.
struct plan_buffer {
    const char *name;
    plan_expr size_bytes;
};

struct plan_binding {
    uint32_t buffer;
    bool writable; // var<storage, read_write> or read
};
// What one word of a grid kernel's saved state is, so that a tree of dispatches can go on from it.
struct plan_saved {
    enum { PLAN_SAVED_POINT, PLAN_SAVED_COUNTER, PLAN_SAVED_STATE, PLAN_SAVED_LIMIT } kind;
    uint32_t index; // COUNTER: the PLAN_REPEAT scalar of the fallback's loop; STATE: word of the state buffer; else 0
};
struct plan_grid {
    plan_expr widest;       // invocations that its widest phase can use: more are idle
    uint32_t chunk;         // invocations of a workgroup that get work before the next workgroup does
    uint32_t tick_barriers; // most barriers that one tick can pass
    uint32_t step_barriers; // most barriers in one step of a loop of the source (a tick may be several steps)
    uint32_t saved_count;   // = resume_words
    struct plan_saved *saved;
};
struct plan_kernel {
    const char *name;   // "k0", unique
    const char *origin; // "heat.c:41", for people
    const char *wgsl;   // entry point `main`; no enable or diagnostic lines
    uint32_t workgroup_size;
    plan_expr iterations; // of the parallel loop; 1 for a sequential stretch (one group)
    uint32_t binding_count;
    struct plan_binding *bindings;
    // Of the words that STATE scalars have, those that it may store; without the list any, if it may write the state
    // buffer.
    bool lists_sets;
    uint32_t set_count;
    const uint32_t *sets;
    // 32-bit words of saved state an iteration; 0: it cannot pause. A kernel with resume_words > 0 has one more binding
    // after the others: var<storage, read_write> saved: array<u32>, word w of iteration i (counted from base) at
    // w * count + i
    uint32_t resume_words;
    uint64_t ticks; // passes of its longest resumable path through one iteration, if known; else 0
    // Loop passes that one tick stands for (for drivers with a loop cap), >= 1. Of a kernel that cannot pause: how
    // often an iteration goes through its text (plan_text_operations).
    uint32_t tick_loops;
    uint32_t
        lanes; // invocations that run one iteration together: divides workgroup_size, mostly 1. A dispatch of `count`
               // iterations has ceil(count / (workgroup_size / lanes * rounds)) groups
    uint32_t rounds; // iterations that an invocation makes one after the other, mostly 1
    // lanes of a subgroup that exchange values: consecutive invocations must be in one; 0: it uses no subgroup
    // functions
    uint32_t subgroup;
    // grid kernels: plain words that workgroups share are marked @coherent; only where the device keeps them so, or one
    // workgroup runs the kernel
    bool coherent;
    // words of floats in memory are atomic<f32>; only where the library has them
    bool float_atomics;
    // its loops end whatever the data: the library need not count their passes. Known of plans that were compiled in
    // this process; never written to a file, so that no plan from outside claims it
    bool bounded;
    // every index is within its array whatever the data: the library need not check them. As `bounded`, of plans that
    // were compiled in this process alone
    bool proven;
    bool one_group;         // a sequential stretch or COMBINE: always exactly one workgroup, never sliced
    bool range_sliceable;   // iterations are independent: [base, base+count) may be cut anywhere
    struct plan_grid *grid; // NULL: an ordinary kernel
};

enum plan_node_kind { PLAN_SEQ, PLAN_DISPATCH, PLAN_LOOP, PLAN_WHILE };
struct plan_node {
    enum plan_node_kind kind;
    uint32_t kernel;     // DISPATCH
    uint32_t scalar;     // LOOP: the PLAN_REPEAT scalar it sets
    plan_expr lo, count; // LOOP: value = lo + k * step, k < count
    int32_t step;
    // WHILE: the children run again and again until this word of the state buffer is 0; it is tested before each pass.
    // All kernels inside do nothing when it is 0, so passes may be submitted ahead of the test.
    uint32_t word;
    uint32_t resume;      // LOOP, WHILE in a fallback: the grid kernel's resume point at its head; 0: none
    uint32_t child_count; // SEQ, LOOP, WHILE: children, in order
    struct plan_node *children;
};
struct plan_strategy {
    bool exists;
    struct plan_node root;
    // Of a root that is one grid kernel: the same program as a tree of ordinary dispatches, which can go on from any
    // resume point of the kernel with the same arrays. NULL else.
    struct plan_node *fallback;
    const char *note;   // why it is not there, or why it is not one dispatch; "" else
    bool same_as_steps; // single: the plan is the same as steps ("same plan")
    // single with a fallback: bytes that a phase, on average, loads again of shared arrays, past the nearest cache
    uint64_t again_bytes;
    // ... and waits of an invocation, one after the other, for shared arrays in a phase, on average
    uint64_t waits;
};

// What the program says while it runs: failed asserts and printed lines, as records in a SCRATCH array of u32 that the
// host reads at the end. Its words: 0 words of records that were asked for, 1 records without room, 2 + k 2^32 - 1 -
// the smallest iteration of its parallel loop in which site k's assert failed (0: none), from `first` on the records,
// one after the other:
//   1 + site (0: no more), number within the iteration, the values of the loops around, the arguments.
struct plan_log_loop {
    const char *name;
    uint32_t order; // of loops and sites, as the sequential program comes to them
    bool is_unsigned, down;
};
struct plan_log_site {
    bool is_assert;
    const char *origin; // "heat.c:41"
    const char *text;   // an assert's condition; a printf's format, whose conversions take `args`
    uint32_t order;
    uint32_t loop_count,
        parallel; // loops around, outermost first; from `parallel` on the dimensions of a parallel loop
    struct plan_log_loop *loops;
    uint32_t arg_count;
    // Of each word: WHORL_I32, WHORL_U32, WHORL_F32; WHORL_I64 or WHORL_U64 of a low word, behind which is the high
    // one; WHORL_F64 of the larger of two floats, behind which is the other one.
    enum whorl_dtype *args;
};
struct plan_log {
    uint32_t array, first;
    uint32_t site_count;
    struct plan_log_site *sites;
};

struct plan {
    const char *entry;
    const char *profile;          // "base"
    struct plan_expr_node *exprs; // [0] unused
    uint32_t expr_count, expr_cap;
    struct plan_scalar *scalars;
    uint32_t scalar_count, scalar_cap;
    struct plan_array *arrays;
    uint32_t array_count, array_cap;
    struct plan_buffer *buffers;
    uint32_t buffer_count, buffer_cap;
    struct plan_kernel *kernels;
    uint32_t kernel_count, kernel_cap;
    uint32_t param_words;  // of the uniform struct, multiple of 4, >= 8, <= 64
    uint32_t state_buffer; // index into buffers of the state words; UINT32_MAX: none
    // The entry's parameters in order: arrays (index into arrays) or scalars (index into scalars).
    struct plan_param {
        bool is_array;
        uint32_t index;
    } * params;
    uint32_t param_count, param_cap;
    struct plan_strategy single, steps, eager;
    struct plan_log *log; // NULL: the program says nothing
};

plan_expr plan_const(struct base_cx *cx, struct plan *p, int64_t value);
plan_expr plan_op(struct base_cx *cx, struct plan *p, enum plan_op op, plan_expr a, plan_expr b); // folds constants
// values[i] is the value of scalars[i]. False on overflow, division by zero or a bad handle.
bool plan_eval(const struct plan *p, plan_expr e, const int64_t *values, int64_t *out);
// wgsl_text.c: operations of a kernel's text, about, which time is guessed from before anything is measured.
double plan_text_operations(const char *wgsl);

// The STATE scalars that the expression depends on, each once, are added to out[count ...]; returns how many there are
// then. One above PLAN_MAX_STATES says that there are more than that.
#define PLAN_MAX_STATES 16
uint32_t plan_states(const struct plan *p, plan_expr e, uint32_t out[PLAN_MAX_STATES + 1], uint32_t count);
// The caller has doubles at the same places of both, or of neither.
bool plan_same_pairs(const struct plan_array *a, const struct plan_array *b);
// The kernel may store the word of this STATE scalar.
bool plan_may_set(const struct plan *p, const struct plan_kernel *k, uint32_t scalar);
// The expression has one value in a whole run: neither REPEAT nor STATE scalars are in it.
bool plan_is_fixed(const struct plan *p, plan_expr e);

// JSON text in the arena of cx.
const char *plan_write(struct base_cx *cx, const struct plan *p, size_t *out_size);
// Parses and validates; strings and arrays live in cx's arena. Bails with WHORL_INVALID (stage "plan") on anything
// wrong.
struct plan *plan_read(struct base_cx *cx, const char *json, size_t size);
// The laws of a plan (handles, sizes, bindings, words, WGSL length, expression depth); NULL if it holds, else what is
// wrong.
const char *plan_validate(struct base_cx *cx, const struct plan *p);

// ---- target: what the compiler may know of a device -----------------------------------------------------------------
struct plan_target {
    const char *name;             // "base"
    uint32_t max_storage_buffers; // 8, control and saved state included
    uint64_t max_binding_bytes;   // 128 MiB
    uint32_t max_invocations;     // 256
    uint32_t workgroup_bytes;     // 16 KiB
    uint32_t register_budget;     // live words, 64
    uint32_t private_bytes;       // of arrays that an invocation has for itself, 16 KiB
    uint32_t workgroup_size;      // preferred; 0: chosen by the iteration count
    uint32_t busy_invocations;    // as many as keep the device busy: with fewer iterations, each may take several lanes
    uint32_t
        subgroup_lanes; // most consecutive invocations that are surely of one subgroup and can exchange values; 0: none
    uint32_t lanes;     // tests: of every iteration that can have several; 0: chosen
    bool fast_math;     // asked for: functions of WGSL instead of the library's
    bool keep_order;    // asked for: sums of floats in the order of C
    bool coherent_memory; // words that workgroups share may be plain ones marked @coherent
    bool float_atomics;   // words of floats in memory may be atomic<f32>
};
extern const struct plan_target plan_base_target;

#endif
