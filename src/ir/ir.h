// The compiler's one intermediate form: a structured program of scalars and arrays, after every call was expanded,
// every struct split into its leaves and every pointer turned into (array, indices).
//
// Everything is a u32 handle into an array of the unit; 0 is "none". Expressions are pure and immutable trees: a pass
// that rewrites one builds new nodes, and the same node may stand in several places. Statements are linked lists: a
// block is its first statement (0 = empty), `next` the following one; they are spliced in place and never shared. Nor
// are a statement's lists, of indices, dimensions and reductions: what one pass writes into them holds for this
// statement alone.
//
// The *entry level* is the root block: what OpenMP's initial thread does. PARFOR stands only at entry level, inside
// FOR, LOOP and IF of the entry level. Inside a PARFOR's body there is ordinary sequential code of one iteration.
#ifndef WHORL_IR_H
#define WHORL_IR_H

#include "base/base.h"
#include "base/dtype.h"
#include "base/pairs.h"

typedef uint32_t ir_expr, ir_stmt, ir_var, ir_array;

enum ir_type { IR_VOID, IR_BOOL, IR_I32, IR_U32, IR_F32 };
enum ir_op {
#define X(name, arity, rule, work, cost, wgsl, c) IR_##name,
#include "ir/ops.def"
#undef X
    IR_OP_COUNT,
    IR_EXACT = IR_OP_COUNT, // of ir_round_op
};
struct ir_op_info {
    const char *name; // "ADD"
    uint8_t arity;
    enum { IR_RULE_SAME, IR_RULE_BOOL, IR_RULE_I32, IR_RULE_U32, IR_RULE_F32 } rule;
    enum { IR_WORK_NONE, IR_WORK_ONE, IR_WORK_TWO, IR_WORK_CALL } work;
    // Guesses, for choosing between forms of a program. Of floats (ir_cost).
    enum { IR_COST_FREE = 0, IR_COST_ONE = 1, IR_COST_LOAD = 2, IR_COST_DIVIDE = 8, IR_COST_FUNCTION = 20 } cost;
    const char *wgsl, *c;
};
extern const struct ir_op_info ir_ops[IR_OP_COUNT];

struct ir_node {
    uint8_t op;   // enum ir_op
    uint8_t type; // enum ir_type of the result
    uint16_t n;   // LOAD: number of indices
    uint32_t a;   // CONST: bits (bool 0/1); VAR: variable; LOAD: array; else first operand
    uint32_t b;   // LOAD: first index in unit->args; else second operand
    uint32_t c;   // third operand
    base_loc loc;
};

// Kinds, and the operands of each in order, stand in ir/stmts.def; what they mean, beside the fields of ir_stmt_node.
enum ir_stmt_kind {
#define X(kind, ...) IR_##kind,
#include "ir/stmts.def"
#undef X
    IR_STMT_KIND_COUNT,
};
enum ir_stmt_flags {
    IR_FLAG_SIMD = 1 << 0,   // FOR: `omp simd`; PARFOR: with simd
    IR_FLAG_NOWAIT = 1 << 1, // PARFOR
    IR_FLAG_SINGLE = 1 << 2, // a statement of a `single`/`master` region (entry level)
    IR_FLAG_ATOMIC = 1 << 3, // STORE: under `atomic write`; ASSIGN: its value is loaded under `atomic read`
    // PARFOR with reductions: its iterations are long, as written; so more should run at once. One of pass_confine: no
    // loop around it moves into its iteration. FOR in that: lanes share it, however few passes it makes.
    IR_FLAG_LONG = 1 << 4,
    IR_FLAG_RESUME = 1 << 5, // FOR, LOOP: a resume point of an iteration (set by pass_slice)
    IR_FLAG_GRID = 1 << 6,   // FOR, LOOP around PARFORs: a resume point of the whole program
    IR_FLAG_SOLO = 1 << 7,   // entry level, in one-dispatch units: one invocation of one workgroup runs it
    // PARFOR: `lanes` lanes run an iteration together. With a `lane_var` they are of one subgroup and the body says
    // what each does (pass_spread): all of them run all of it, and of stores lane 0 makes those without IR_FLAG_OWN.
    // Without one they are of a workgroup (pass_lanes). FOR in such a one: its passes are shared out among the lanes,
    // and its reductions are then combined.
    IR_FLAG_LANES = 1 << 8,
    IR_FLAG_EXCHANGE = 1 << 9, // FOR with LANES: the lanes are of one subgroup, its reductions are exchanged there
    // FOR with SIMD, ATOMIC in one: nobody asked for that (pass_share): where no lanes take it, it is sequential, and
    // a load and a store. One of a single pass (pass_leap) is what one of the lanes does alone. IF of the entry level:
    // its else block is the program as it was, for what hardly ever happens (pass_rank).
    IR_FLAG_FREE = 1 << 11,
    // STORE in a PARFOR with lanes of a subgroup: each lane stores an element of its own. FOR with LANES: in others
    // like it each lane touches the elements that it touches here, so it must make the same passes. PARFOR: its rows
    // are local arrays, for lanes to have in registers (pass_keep).
    IR_FLAG_OWN = 1 << 10,
    // ASSIGN of a LOAD, STORE (pass_jam): those around it may be of neighbours (pass_join). PARFOR with LANES of a
    // workgroup: lanes side by side are of neighbouring iterations.
    IR_FLAG_ROW = 1 << 12,
    // FOR around one with LANES, from 0: it ends where the one of all iterations of the workgroup does that makes the
    // most passes. Further passes do nothing (pass_predicate). LOOP around one (pass_leap, pass_until): all of the
    // workgroup go on while one of its iterations does.
    IR_FLAG_LONGEST = 1 << 12,
    // ATOMIC: it is made in a copy of the array that its workgroup has, see ir_privates_of. PARFOR: a workgroup of a
    // grid takes its iterations as many at a time as it has invocations. ASSIGN of the entry level, in one-dispatch
    // units: one invocation of each workgroup makes it and tells the others.
    IR_FLAG_GROUP = 1 << 13,
    // ATOMIC of an array reduction of floats: pass_reduce makes sums of the loop's updates, in an order that depends on
    // the loop and the target alone, and combines them with the array.
    IR_FLAG_FIXED = 1 << 14,
    // PARFOR with LANES and a lane_var (pass_panel): its lanes are a whole workgroup. Each runs all of the body, and
    // makes the stores. All come to a STAGE in it together.
    IR_FLAG_TEAM = 1 << 15,
};
// NOP: what a directive says of the threads that run what follows, for those who look for races (interp_threads.c)
enum ir_mark {
    IR_MARK_NONE,
    IR_MARK_TEAM,     // a parallel region begins; value: its threads, 0: not known
    IR_MARK_JOIN,     // it ends
    IR_MARK_BARRIER,  // all threads of the region wait for each other
    IR_MARK_ONE,      // one thread of the region goes on alone; value 1: thread 0
    IR_MARK_ALL,      // all of them go on
    IR_MARK_THREADS,  // of the next PARFOR the iterations are the region's threads
    IR_MARK_DYNAMIC,  // which threads take which iterations of the next PARFOR is known when it runs
    IR_MARK_SAFELEN,  // of the next FOR with SIMD; value: passes so far apart or further may depend on each other
    IR_MARK_COMBINED, // value: a variable that the next FOR with SIMD reduces or steps: passes do not share it
    IR_MARK_LOCK,     // value: the number of the lock that an iteration takes (critical)
    IR_MARK_UNLOCK,
    // in a PARFOR with LANES, where all lanes come by: what they wrote before it is there behind it; value 1: they wait
    // for arrays of pass_expand alone
    IR_MARK_MEET,
};
struct ir_stmt_node {
    uint8_t kind;   // enum ir_stmt_kind
    uint16_t flags; // enum ir_stmt_flags
    union {
        // var = value
        struct {
            ir_var var;
            ir_expr value;
            uint32_t run; // as of STORE
        } assign;
        // array [indices] = value
        struct {
            ir_array array;
            uint32_t indices, index_count; // in unit->args
            ir_expr value;
            uint32_t run; // if not 0: so many neighbours (ir_is_run) start here that can be one access
        } store;
        // if (cond) then_block else else_block
        struct {
            ir_expr cond;
            ir_stmt then_block, else_block;
        } branch;
        // FOR: for (var = lo; step > 0 ? var < hi : var > hi; var += step) body. Bounds are evaluated once, on entry;
        // the body never assigns var. Type of var: I32 or U32. Its value after the loop is undefined: the front end
        // adds an assignment where C code reads it afterwards.
        struct {
            ir_var var;
            ir_expr lo, hi;
            int32_t step; // not 0
            ir_stmt body;
            uint32_t reductions, reduction_count; // with LANES: in unit->reductions
            uint32_t resume_point;                // with RESUME or GRID: its number, from 1
            uint32_t tick_passes;                 // with RESUME: of the loops inside, that one tick stands for; >= 1
                                                  // with LONGEST: its own, at most
            uint32_t unroll;                      // steps of the source that one pass makes, where these are several
        } counted;
        // while (cond) { body; continuing: continuing }. cond = 0: for ever. CONTINUE goes to `continuing`.
        struct {
            ir_expr cond;
            ir_stmt body, continuing;
            uint32_t resume_point, tick_passes; // as of FOR; with LONGEST: its passes, at most
            uint32_t taken;                     // with LONGEST: those that it is taken to make; 0: nobody knows
            uint32_t unroll;                    // as of FOR
        } loop;
        // BREAK and CONTINUE, of the innermost FOR or LOOP, have no operands.
        // PARFOR: its body has no BREAK or CONTINUE of its own.
        struct {
            uint32_t dims, dim_count; // in unit->dims
            uint32_t reductions, reduction_count;
            ir_stmt body;
            uint32_t lanes;     // with LANES
            ir_var lane_var;    // class DIM, I32: the number of the lane; see IR_FLAG_LANES
            uint32_t tile_rows; // in one-dispatch units: rows of its tiles, see ir/stencil.h; 0: no tiles
            bool turns;         // ... every other round of its iterations is dealt out backwards (pass_deal)
        } parfor;
        // array [indices] = old OP value, indivisibly. OP: ADD, MIN, MAX, AND, OR, XOR of I32/U32 elements, ADD of F32.
        // SELECT takes the value instead of the old one, of all three types; of I32/U32 only where the old one equals
        // `expected`, if there is one.
        struct {
            ir_array array;
            uint32_t indices, index_count;
            ir_expr value, expected; // expected 0: none
            uint32_t op;
            ir_var old; // takes the old value, 0: none
        } atomic;
        // Entry level, in one-dispatch units (pass_sync): what stands before it is done, in every workgroup, before
        // what follows.
        struct {
            ir_array array;         // that needs it
            ir_stmt earlier, later; // whose accesses to it conflict
        } barrier;
        // A copy into workgroup memory. Entry level, in one-dispatch units: of the whole array. Inside a PARFOR with
        // IR_FLAG_TEAM: of the box that begins at `origins`, one for each dimension; what lies beyond the array's edge
        // is some element of it.
        struct {
            ir_array to; // STAGED
            ir_array from;
            uint32_t origins, origin_count; // in unit->args
        } stage;
        // Inside a PARFOR with IR_FLAG_TEAM: part of a row of each lane, into or out of workgroup memory. Of the box,
        // [lanes][words and one that is left free], row l is lane l's. For `index` from 0 to the words, where `there`
        // holds (0: everywhere): box[lane][index] = from[indices], or to[indices] = box[lane][index]. All lanes come
        // together, and neighbours take neighbouring words, also of others' rows: so `indices` and `there` are made of
        // `lane`, `index` and of what all lanes have alike.
        struct {
            ir_array to, from; // one of them is the box
            uint32_t indices, index_count;
            ir_expr there;
            ir_var index;   // of class DIM, I32
            ir_var lane;    // the PARFOR's
            uint32_t meets; // 1: what some lanes have stored others may load or store later on
        } turn;
        // Inside a PARFOR with lanes: var = var OP its values on the other lanes of the iteration; then all have the
        // same bits. All lanes of an iteration come to it together.
        struct {
            ir_var var;
            uint32_t op;
        } agree;
        // At the top of the body of a PARFOR with IR_FLAG_TEAM: var = what `value` is on the lane whose number is
        // greater by `by`; beyond the team's ends it is that of the last lane there. All lanes come together. Those
        // that follow each other are made together. Such with one value, and none else among them, have one slot: a
        // word for each lane in workgroup memory.
        struct {
            ir_var var;
            ir_expr value;
            int32_t by;
            uint32_t slot;
        } neighbour;
        // Entry level: var = var OP (`count` elements of the 1-D array, beginning with `from`), see IR_COMBINE_WIDTH.
        // Or, in one-dispatch units (pass_recompute), with array 0: `count` values, computed anew everywhere.
        struct {
            ir_var var;
            uint32_t op;
            ir_array array;
            uint32_t count;
            ir_expr from; // of elements: the first, 0: element 0
            // I32, not below 0: how many of the `count` are combined; no expression: all. Of elements, it is made of
            // PARAM variables alone. A device loads what values read behind the last one, too.
            ir_expr there;
            ir_expr value; // of values: each
            ir_var index;  // of values: the DIM variable that counts them from 0
        } combine;
        struct {
            uint32_t mark, value; // of NOP: enum ir_mark
        } nop;
    };
    base_loc loc;
    ir_stmt next;
};

// What an operand is to its statement. A handle may be 0 where the statement says so: then there is nothing.
enum ir_role {
    IR_ROLE_END,
    IR_ROLE_EXPR,
    IR_ROLE_INDICES, // expressions, a list in unit->args
    IR_ROLE_VAR_WRITTEN,
    IR_ROLE_VAR_UPDATED, // read and written
    IR_ROLE_VAR_NAMED,   // neither
    IR_ROLE_ARRAY_READ,
    IR_ROLE_ARRAY_WRITTEN,
    IR_ROLE_ARRAY_UPDATED,
    IR_ROLE_ARRAY_NAMED,
    IR_ROLE_DIMS, // in unit->dims
    IR_ROLE_REDUCTIONS,
    IR_ROLE_BLOCK,
    IR_ROLE_STMT,   // another statement, only named
    IR_ROLE_OP,     // enum ir_op
    IR_ROLE_NUMBER, // of passes, rows, lanes ...
};
struct ir_operand {
    uint8_t role;
    uint8_t at, count_at; // bytes from the statement's start; count_at of lists: the number of items
};
struct ir_stmt_info {
    const char *name; // "ASSIGN"
    struct ir_operand operands[10];
};
extern const struct ir_stmt_info ir_stmts[IR_STMT_KIND_COUNT];

// The iteration space of a PARFOR: dims in C order, the last one runs fastest. Each dimension is a FOR header.
struct ir_dim {
    ir_var var;
    ir_expr lo, hi;
    int32_t step;
};
// Inside the body, `var` is the thread's own partial (it starts at the identity of op); after the PARFOR it is old
// value OP all partials. In which order is for pass_reduce to say; the interpreter takes ir_reduce_blocks contiguous
// blocks, each in order, and then does as COMBINE.
//
// Of a FOR that lanes share, each lane begins with the identity, the first one with the old value, and all end with the
// result. A search is some entries that belong together, and all lanes begin with what they are: LT var, the smaller
// one is kept (GT: the larger); MIN var, of equal ones that with the smaller one of these (MAX: the larger); SELECT
// var, any number of them, which goes with it.
struct ir_reduction {
    uint8_t op; // ADD MUL MIN MAX FMIN FMAX AND OR XOR LAND LOR; LT GT SELECT
    ir_var var;
};
// Entries that belong together, from this one on.
static inline uint32_t ir_reduced_together(const struct ir_reduction *list, uint32_t count) {
    uint32_t n = (list[0].op == IR_LT || list[0].op == IR_GT) && count > 1 ? 2 : 1;
    while (n > 1 && n < count && list[n].op == IR_SELECT)
        n++;
    return n;
}
// COMBINE of n partials: lane l of 256 folds elements l, l + 256, l + 512, ... in order, starting from the identity
// (lanes side by side read words side by side: all workgroups of a grid do this at once, and nearest caches do not help
// them); then for s = 128, 64, .. 1: lane[l] = lane[l] OP lane[l+s] for l < s; the result is old OP lane[0].
#define IR_COMBINE_WIDTH 256u
#define IR_MOST_SLOTS 1024u // of NEIGHBOURs: more than any workgroup has memory for
#define IR_LANES_BYTES 4096 // of workgroup memory that passes leave for what lanes combine
uint32_t ir_reduce_blocks(uint64_t iterations,
                          uint16_t flags);           // min(iterations, 16384; of a PARFOR with IR_FLAG_LONG 65536)
uint32_t ir_identity(uint8_t op, enum ir_type type); // bits

enum ir_var_class {
    IR_VAR_LOCAL, // declared inside a PARFOR's body (or made by a pass): one per iteration
    // declared at entry level: one for the program, lives in the device's state buffer when kernels need it; a PARFOR's
    // body writes it only as a reduction
    IR_VAR_ENTRY,
    IR_VAR_PARAM, // scalar parameter of the entry that was not specialised: read only
    IR_VAR_DIM,   // index variable of a PARFOR, or the number of the lane
};
struct ir_var_info {
    const char *name; // C name, for messages; not unique
    uint8_t type;     // enum ir_type
    uint8_t klass;    // enum ir_var_class
    bool named;       // a variable of the program, none of the compiler's
    bool shared;      // ... that all threads of a region share
    uint32_t param;   // IR_VAR_PARAM: index into unit->params
    base_loc loc;
};

enum ir_array_class {
    IR_ARRAY_IN,      // entry parameter, const
    IR_ARRAY_INOUT,   // entry parameter
    IR_ARRAY_SCRATCH, // declared at entry level: its contents start undefined and are dropped at the end
    IR_ARRAY_LOCAL,   // declared inside a PARFOR's body: one per iteration, dims constant
    IR_ARRAY_TABLE,   // static const data
    // in one-dispatch units: a workgroup's own copy of another array; data_count is its first vector or word there
    IR_ARRAY_STAGED,
};
#define IR_MAX_DIMS 8
#define IR_STAGED_VECTOR 4 // STAGED arrays with rows of 2 to so many words: a row is a vector
struct ir_array_info {
    const char *name;
    uint8_t elem;              // enum whorl_dtype: a LOAD widens to the scalar type of its carrier, a STORE narrows
    uint8_t klass;             // enum ir_array_class
    uint8_t ndims;             // >= 1
    ir_expr dims[IR_MAX_DIMS]; // C order; constants, or expressions of PARAM variables
    uint32_t param;            // IN, INOUT: index into unit->params
    const uint32_t *data;      // TABLE: element bits after widening to the scalar type, row-major
    uint32_t data_count;
    // STAGED: what it copies, and words from row to row in workgroup memory, 1: without rows. A *window* holds the rows
    // of `window` passes of a shared loop (IR_FLAG_LANES) at a time: it is read in that loop alone, its first index is
    // the loop's variable, or that plus or minus a constant, and those constants are offsets[offset_count].
    ir_array source;
    uint32_t row, window, offset_count;
    const int32_t *offsets;
    // STAGED: a part of the source, of as many dimensions; STAGE says where it begins. Behind each `skew` rows of its
    // last dimension a vector is left free (0: nowhere): lanes that read so many rows apart then ask different banks.
    // Or rows of lanes, which TURN fills and empties, perhaps of several arrays.
    bool is_box;
    uint32_t skew;
    bool alternates; // pass_ping_pong: halves in turn, so that only what a barrier separates touches one of them
    bool shared;     // pass_sync: in one dispatch, several workgroups touch an element and one of them writes it
    // iterations share elements: some access is an ATOMIC or stands under `omp atomic`, anywhere in the unit
    bool atomic;
    bool updated; // ... and all of those are ATOMICs with IR_FLAG_FREE
    bool anew;    // pass_anew: a run stores all of it before it loads any, so what it held before is nobody's
    // LOCAL: pass_near has put it into workgroup memory, one for the so many lanes of an iteration; `row` words
    // on is that of the next iteration of the workgroup, and data_count words of each stand before them. 0: of an
    // invocation
    uint32_t lanes;
    uint8_t expanded; // pass_expand: so many leading dimensions are those of the one PARFOR whose local array it was
    ir_var pass;      // LOCAL: counter of the innermost FOR in whose body it is declared, as C has it; 0: nobody knows
    bool zeroed;      // calloc: it begins with zeros, which no statement says
    bool of_thread;   // declared inside a region or a `simd` loop: every thread, or pass, has its own in C
    base_loc loc;
};

// The entry function's parameters in order.
struct ir_param {
    const char *name;
    bool is_array;
    uint32_t ref;  // array handle; or variable handle, 0 where specialised
    uint8_t type;  // scalars: enum ir_type
    uint32_t bits; // scalars: value at compile time
    // Doubles, each of which is two floats (-fdouble=pair). Of scalars, whose value is compiled in: `bits` are those of
    // the higher one, `low` of the other. Of arrays: the words of the last dimension are pairs.
    bool is_pair;
    uint32_t low;
    // 64-bit integers in two words: I64 or U64, else 0. Of scalars, whose value is compiled in: `bits` are the low
    // word, `low` the high one. Of arrays: the last dimension has two words, the low one first.
    enum whorl_dtype longs;
    // Arrays of structs of mixed types: enum whorl_dtype of each word of the last dimension, of which there are
    // word_count. Else NULL. Both words of a double are F64.
    const uint8_t *words;
    struct base_pair_rows doubles; // where these are; no runs: nowhere
    const char *const *word_names; // the field of each
    uint32_t word_count;
    const char *const *dim_texts; // of front_options.inspect: see whorl_param; else NULL
    // Arrays that the program sees as one row (a pointer walks through them): the shape that it declares, which callers
    // see. ndims 0: the array's own.
    uint32_t ndims;
    ir_expr dims[IR_MAX_DIMS];
    base_loc loc;
};

// A place of the program that tells the host something while it runs: an assert, or a line that is printed. Its code is
// ordinary statements that store words in the unit's `log`, an array that only the host reads: so no order is needed
// between two accesses to it, and what passes do with loops does not change what the records say. Words of the log: 0
// words of records taken, 1 records that found no room, from 2 one word an assert (2^32 - 1 - the smallest iteration
// that failed; 0: none), from IR_LOG_FIRST the records: 1 + site, the place in the iteration's order, the values of the
// loops around (outermost first), the arguments.
#define IR_LOG_FIRST 1024u
struct ir_log_loop {
    const char *name;
    uint32_t order; // as ir_log_site.order
    uint8_t type;   // enum ir_type, I32 or U32
    bool down;      // counts down
};
struct ir_log_site {
    bool is_assert;
    const char *text;              // the condition, or the format with its string literals in place
    uint32_t order;                // of sites and loops, as the program comes to them
    uint32_t loop_count, parallel; // loops around; from `parallel` on they are the dimensions of a parallel loop
    struct ir_log_loop *loops;
    uint32_t arg_count;
    uint8_t
        *args; // a word each: enum ir_type, or IR_LOG_*, of whose two words this is the low one and the next the high
    base_loc loc;
};
enum { IR_LOG_I64 = IR_F32 + 1, IR_LOG_U64, IR_LOG_F64 }; // F64: the sum of two floats

struct ir_unit {
    struct base_cx *cx;
    const char *entry;
    struct ir_node *nodes; // [0] unused, as in every array below
    uint32_t node_count, node_cap;
    struct ir_stmt_node *stmts;
    uint32_t stmt_count, stmt_cap;
    struct ir_var_info *vars;
    uint32_t var_count, var_cap;
    struct ir_array_info *arrays;
    uint32_t array_count, array_cap;
    uint32_t *args; // index lists
    uint32_t arg_count, arg_cap;
    struct ir_dim *dims;
    uint32_t dim_count, dim_cap;
    struct ir_reduction *reductions;
    uint32_t reduction_count, reduction_cap;
    struct ir_param *params; // starts at 0
    uint32_t param_count, param_cap;
    ir_array log; // see struct ir_log_site; 0: the program says nothing
    struct ir_log_site *log_sites;
    uint32_t log_count, log_cap;
    ir_stmt root;
    // pass_canonicalise has run: at entry level, a loop with a PARFOR or COMBINE inside has no BREAK or CONTINUE of its
    // own, and a LOOP of them is `while (v)` on a BOOL variable of class ENTRY, without a continuing block
    bool canonical_loops;
    bool locks;         // iterations wait for each other (critical): only the CPU may run it
    bool proves_bounds; // pass_bounds has run: its kernels may do without checks of indices where that is proven
};

// Of an array: what callers see of one of a parameter, else its own dimensions; constants, or expressions of PARAM
// variables.
const ir_expr *ir_shape_of(const struct ir_unit *u, ir_array a, uint32_t *out_ndims);

// ---- build (ir.c) ---------------------------------------------------------------------------------------------------
struct ir_unit *ir_unit_create(struct base_cx *cx);
struct ir_unit *ir_unit_clone(const struct ir_unit *u); // deep; handles keep their meaning
ir_var ir_add_var(struct ir_unit *u, const char *name, enum ir_type type, enum ir_var_class klass, base_loc loc);
ir_array ir_add_array(struct ir_unit *u, const char *name, enum whorl_dtype elem, enum ir_array_class klass,
                      uint32_t ndims, const ir_expr *dims, base_loc loc);
uint32_t ir_add_args(struct ir_unit *u, const uint32_t *items, uint32_t n); // first index in unit->args
uint32_t ir_add_dims(struct ir_unit *u, const struct ir_dim *items, uint32_t n);
uint32_t ir_add_reductions(struct ir_unit *u, const struct ir_reduction *items, uint32_t n);

ir_expr ir_const(struct ir_unit *u, enum ir_type type, uint32_t bits);
ir_expr ir_const_i32(struct ir_unit *u, int32_t value);
ir_expr ir_const_f32(struct ir_unit *u, float value);
ir_expr ir_var_read(struct ir_unit *u, ir_var var, base_loc loc);
ir_expr ir_load(struct ir_unit *u, ir_array array, const ir_expr *indices, uint32_t n,
                base_loc loc); // n = array's ndims, I32 or U32
// Any other operation; the result type follows ops.def. Folds nothing.
ir_expr ir_op1(struct ir_unit *u, enum ir_op op, ir_expr a, base_loc loc);
ir_expr ir_op2(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b, base_loc loc);
ir_expr ir_op3(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b, ir_expr c, base_loc loc);

ir_stmt ir_add_stmt(struct ir_unit *u, enum ir_stmt_kind kind, base_loc loc); // fields zero, filled by the caller
ir_stmt ir_assign(struct ir_unit *u, ir_var var, ir_expr value, base_loc loc);
ir_stmt ir_store(struct ir_unit *u, ir_array array, const ir_expr *indices, uint32_t n, ir_expr value, base_loc loc);
// Marks the array as atomic.
ir_stmt ir_atomic(struct ir_unit *u, ir_array array, const ir_expr *indices, uint32_t n, enum ir_op op, ir_expr value,
                  ir_var old, base_loc loc);
bool ir_atomic_allowed(uint8_t op, enum whorl_dtype elem); // the operation exists on such elements
ir_stmt ir_if(struct ir_unit *u, ir_expr cond, ir_stmt then_block, ir_stmt else_block, base_loc loc);
ir_stmt ir_for(struct ir_unit *u, ir_var var, ir_expr lo, ir_expr hi, int32_t step, ir_stmt body, base_loc loc);
// Of `count` dimensions, the outermost first, which are copied.
ir_stmt ir_parfor(struct ir_unit *u, const struct ir_dim *dims, uint32_t count, ir_stmt body, base_loc loc);
ir_stmt ir_loop(struct ir_unit *u, ir_expr cond, ir_stmt body, ir_stmt cont, base_loc loc);
// The body of a FOR, LOOP or PARFOR, 0 of others; and sets it.
ir_stmt ir_body_of(const struct ir_stmt_node *stmt);
void ir_set_body(struct ir_stmt_node *stmt, ir_stmt body);
uint32_t ir_blocks_of(const struct ir_stmt_node *stmt, ir_stmt out[2]); // inside the statement, in order of execution
uint32_t ir_resume_point_of(const struct ir_stmt_node *stmt);           // of a FOR or LOOP, 0 of others
void ir_set_resume_point(struct ir_stmt_node *stmt, uint32_t number);
uint32_t ir_unroll_of(const struct ir_stmt_node *stmt); // the same
void ir_set_unroll(struct ir_stmt_node *stmt, uint32_t steps);
ir_var
ir_written_var(const struct ir_stmt_node *stmt); // by the statement itself: its variable, or an ATOMIC's old; or 0
void ir_make_assign(struct ir_stmt_node *stmt, ir_var var, ir_expr value); // instead of what it was, in its place
uint32_t ir_run_of(const struct ir_stmt_node *stmt);                       // of an ASSIGN or STORE, 0 of others
// The element that a STORE or an ATOMIC writes, and its operands. array 0: the statement is neither.
struct ir_write {
    ir_array array;
    uint32_t indices, index_count;
    ir_expr value, expected; // expected: 0 or an ATOMIC's
};
struct ir_write ir_write_of(const struct ir_stmt_node *stmt);
// An operand of a statement, by the table.
static inline uint32_t *ir_operand(struct ir_stmt_node *stmt, uint8_t at) { return (uint32_t *)((char *)stmt + at); }
static inline uint32_t ir_operand_of(const struct ir_stmt_node *stmt, uint8_t at) {
    return *(const uint32_t *)((const char *)stmt + at);
}
// Appends statement or block `more` to the block `*head`.
void ir_append(struct ir_unit *u, ir_stmt *head, ir_stmt more);

enum ir_type ir_elem_type(enum whorl_dtype elem);                 // scalar type that a LOAD gives
enum whorl_dtype ir_word_of(enum ir_type type);                   // elements that hold all of its values; BOOL: I32
bool ir_copies_boxes(const struct ir_unit *u, ir_stmt block);     // a STAGE or TURN of one stands in it
uint64_t ir_box_words(const struct ir_unit *u, ir_array a);       // of workgroup memory, whole vectors
bool ir_in_buffer(const struct ir_unit *u, ir_array a);           // neither LOCAL nor STAGED: a kernel binds it
bool ir_same_expr(const struct ir_unit *u, ir_expr a, ir_expr b); // equal as they stand (same.c)
// The box that the STAGE or TURN fills or empties; 0: it is neither, or copies a whole array.
ir_array ir_box_of(const struct ir_unit *u, const struct ir_stmt_node *stmt);
// The statement and the d - 1 after it are STOREs, or ASSIGNs of LOADs, of elements side by side of one array, in
// order.
bool ir_is_run(const struct ir_unit *u, ir_stmt s);
// By how much `x` grows where `var` alone grows by 1; false: nobody knows. `definition`, by variable: what a LOCAL one
// is made of, 0 where it has several values or none is known; NULL: not looked through.
// Values do not wrap.
bool ir_step(const struct ir_unit *u, ir_expr x, ir_var var, const ir_expr *definition, int64_t *step);
uint32_t ir_divisor(const struct ir_unit *u, ir_expr x); // a power of two, up to 2^8, that surely divides it
bool ir_is_const(const struct ir_unit *u, ir_expr e, uint32_t *out_bits);
// ir_ops[].cost of the node alone; whole numbers divide as slowly as a function is computed.
uint32_t ir_cost(const struct ir_node *n);
// Many instructions on a GPU, perhaps with branches: a function of src/wgsl/prelude, a division of whole numbers.
bool ir_is_call(const struct ir_node *n);
// The operation that rounds a float to what an element of that type can be; IR_EXACT: none is needed. And back: F32 of
// other operations.
enum ir_op ir_round_op(enum whorl_dtype elem);
enum whorl_dtype ir_rounds_to(uint8_t op);
const char *ir_type_name(enum ir_type type); // "f32"

// ---- walk and rewrite (walk.c) --------------------------------------------------------------------------------------
// Calls `fn` for the node and, where it returns true, for its operands (indices of loads included).
void ir_walk_expr(const struct ir_unit *u, ir_expr e, bool (*fn)(void *user, ir_expr e), void *user);
// Calls on_stmt for each statement of the block before its children (false: skip the children); on_expr for each
// top-level expression a statement holds, PARFOR dims and FOR bounds included; on_node for the nodes of each of these
// as ir_walk_expr does. Each may be NULL.
struct ir_visitor {
    bool (*on_stmt)(void *user, ir_stmt s);
    void (*on_expr)(void *user, ir_stmt s, ir_expr e);
    bool (*on_node)(void *user, ir_expr e);
    void *user;
};
void ir_walk_block(const struct ir_unit *u, ir_stmt block, const struct ir_visitor *visitor);
// The expressions of the statement itself, not of those in its blocks.
void ir_walk_stmt(const struct ir_unit *u, ir_stmt s, const struct ir_visitor *visitor);
// A block with one of the functions alone.
void ir_walk_stmts(const struct ir_unit *u, ir_stmt block, bool (*fn)(void *user, ir_stmt s), void *user);
void ir_walk_nodes(const struct ir_unit *u, ir_stmt block, bool (*fn)(void *user, ir_expr e), void *user);
// mentions.c: the expression reads the variable, or one of the set (a bit each).
bool ir_mentions(const struct ir_unit *u, ir_expr e, ir_var v);
bool ir_mentions_any(const struct ir_unit *u, ir_expr e, const uint32_t *vars);
// definitions.c: by variable, what a LOCAL one of the block is made of; 0: it has several values, or none. `counters`:
// those of FORs are where they begin.
ir_expr *ir_definitions(const struct ir_unit *u, ir_stmt block, bool counters);
// Rebuilds the expression bottom-up: `fn` gets each node after its operands were rewritten, returns the node to use
// instead.
ir_expr ir_map_expr(struct ir_unit *u, ir_expr e, ir_expr (*fn)(void *user, ir_expr e), void *user);
// Replaces in place every expression that the block's statements hold by ir_map_expr of it.
void ir_map_block(struct ir_unit *u, ir_stmt block, ir_expr (*fn)(void *user, ir_expr e), void *user);
// Of the statement itself, not of those in its blocks.
void ir_map_stmt(struct ir_unit *u, ir_stmt s, ir_expr (*fn)(void *user, ir_expr e), void *user);
// The other way round, from the whole to its parts: `instead` returns what takes the place of the expression, 0 where
// its operands are to be looked at.
ir_expr ir_exchange_expr(struct ir_unit *u, ir_expr e, ir_expr (*instead)(void *user, ir_expr e), void *user);
void ir_exchange_block(struct ir_unit *u, ir_stmt block, ir_expr (*instead)(void *user, ir_expr e), void *user);
// Deep copy of a block. Variables and LOCAL arrays declared (assigned) only inside may be renamed by the caller through
// the map: var_map[v] / array_map[a] = replacement handle, 0 = keep. Either may be NULL.
ir_stmt ir_clone_block(struct ir_unit *u, ir_stmt block, const ir_var *var_map, const ir_array *array_map);

// ---- trips (trips.c) ------------------------------------------------------------------------------------------------
// Passes of a FOR whose bounds are constants; false for any other statement.
bool ir_const_trips(const struct ir_unit *u, ir_stmt s, uint64_t *out);
bool ir_is_once(const struct ir_unit *u, ir_stmt s); // a FOR of one pass or none, such as one up to a choice of 1 and 0
// Iterations of a PARFOR whose bounds are constants; that there are none, one dimension says alone.
bool ir_const_iterations(const struct ir_unit *u, ir_stmt s, uint64_t *out);
// The block has a loop that makes many passes, or nobody knows how many: an iteration that runs it takes long
// (IR_FLAG_LONG).
enum { IR_LONG_TRIPS = 32 }; // guess
bool ir_is_long(const struct ir_unit *u, ir_stmt block);
// The statement is a FOR whose passes lanes share (IR_FLAG_LANES), counts around one, or is the condition of one.
bool ir_has_shared(const struct ir_unit *u, ir_stmt s);
ir_stmt ir_last_shared(const struct ir_unit *u, ir_stmt block); // the last such statement of the block, 0: none

// ---- effects (effects.c) --------------------------------------------------------------------------------------------
// What a block reads and writes, as bit sets over variables and arrays, nested statements included.
struct ir_effects {
    uint32_t var_words, array_words;
    uint32_t *vars_read, *vars_written, *arrays_read,
        *arrays_written; // bit sets; FOR and PARFOR variables count as written
};
struct ir_effects ir_effects_of(const struct ir_unit *u, ir_stmt block);
struct ir_effects ir_effects_of_one(struct ir_unit *u, ir_stmt s); // without what follows the statement
bool ir_bit(const uint32_t *set, uint32_t index);
bool ir_sets_meet(const uint32_t *a, const uint32_t *b, uint32_t words);
bool ir_reads_written(const struct ir_effects *a, const struct ir_effects *b); // a reads what b writes
bool ir_writes_arrays(const struct ir_effects *fx);
void ir_expr_effects(const struct ir_unit *u, ir_expr e, struct ir_effects *io); // adds the expression's reads
struct ir_effects ir_effects_empty(const struct ir_unit *u);
// For those who ask of many blocks with one set.
void ir_clear_effects(struct ir_effects *io);
void ir_add_effects(const struct ir_unit *u, ir_stmt block, struct ir_effects *io);
void ir_add_effects_of_one(struct ir_unit *u, ir_stmt s, struct ir_effects *io);

// ---- privates (privates.c) ------------------------------------------------------------------------------------------
// Arrays that a PARFOR updates in copies: each workgroup has one, filled with the operator's identity where the PARFOR
// begins; where it ends, the words that changed are combined with the array's, each by one atomic update. So such an
// update has no owner. In that PARFOR the array is touched by ATOMICs with IR_FLAG_GROUP alone, all of one operator,
// and nobody takes an old value; its size is constant.
#define IR_MAX_PRIVATES 8
struct ir_private {
    ir_array array;
    uint8_t op;
    uint32_t first, words; // where its copy stands among the words of all
};
struct ir_privates {
    struct ir_private list[IR_MAX_PRIVATES];
    uint32_t count, words;
    const char *wrong; // which law is broken, NULL: none
};
struct ir_privates ir_privates_of(const struct ir_unit *u, ir_stmt parfor);
// Bits that change nothing: of sums of floats the negative zero, which leaves the sign of a zero.
uint32_t ir_private_identity(const struct ir_unit *u, const struct ir_private *p);

// ---- values of other lanes (neighbour.c) ----------------------------------------------------------------------------
ir_stmt ir_next_neighbour(const struct ir_unit *u, ir_stmt s); // the first NEIGHBOUR from `s` on in its block, 0: none
// Raises `most`, by enum ir_type, to the words of workgroup memory that the PARFOR's NEIGHBOURs need together.
void ir_neighbour_words(const struct ir_unit *u, ir_stmt parfor, uint32_t most[IR_F32 + 1]);
uint32_t ir_neighbour_all(const struct ir_unit *u); // words, of all PARFORs, one after the other

// ---- exact (exact.c) ------------------------------------------------------------------------------------------------
// By array, of the unit as lowered: its integers are the same in every strategy, bit by bit; those that differ are
// wrong.
bool *ir_exact_arrays(const struct ir_unit *u);

// ---- count (count.c) ------------------------------------------------------------------------------------------------
struct ir_work {
    double float_ops, functions,
        integer_ops; // of one run: arithmetic, functions of math.h, arithmetic outside of subscripts
    bool is_exact;   // false: an estimate, because data decide about some of it
};
struct ir_work ir_count_work(const struct ir_unit *u);

// ---- print, check (print.c, check.c) --------------------------------------------------------------------------------
// Readable text of the unit, stable enough for tests: one statement a line, names with handle numbers (x.12).
const char *ir_print(const struct ir_unit *u);
void ir_print_expr(const struct ir_unit *u, ir_expr e, struct base_text *out);
// A unit of such a text, for tests of passes (parse_ir.c): it prints as the text does. What does not stand in the text
// it has not: the parameters' order, which is here that of the declarations, scalars whose value was compiled in,
// places of the log, the statements that a barrier is for, values of long tables. Texts that are none end with
// WHORL_SOURCE.
struct ir_unit *ir_parse(struct base_cx *cx, const char *text);
// The law of the IR: types agree, handles valid, PARFOR only at entry level, BREAK inside loops, no cycles, DIM
// variables only inside their PARFOR, body never assigns a FOR variable. On failure a base_bug naming `after` and the
// node.
void ir_check(const struct ir_unit *u, const char *after);

// ---- interpreter (interp.c) -----------------------------------------------------------------------------------------
// Judges a unit without cc or a GPU: runs it on `arrays` (one pointer a parameter, entry layout, NULL for scalars).
// Local arrays and scratch start zero. Out-of-range indices, integer division by zero, reading a variable never set
// (WHORL_SOURCE) and endless loops over max_steps statements (WHORL_LIMIT) end it with an error; the arrays then hold
// what was written so far.
// Who follows an interpreted program.
enum ir_event {
    IR_EVENT_STATEMENT, // it begins
    IR_EVENT_ITERATION, // the one with this number, of a PARFOR
    IR_EVENT_PASS,      // ... of a FOR
    IR_EVENT_END,       // of a FOR or PARFOR: all are made
    IR_EVENT_READ,      // of the element with this number, by the statement that began last
    IR_EVENT_WRITE,
    IR_EVENT_UPDATE, // ... indivisibly
};
struct ir_follower {
    // `a` is 0 but for accesses
    void (*on_event)(struct ir_follower *f, enum ir_event event, ir_stmt s, ir_array a, uint64_t number);
};

struct ir_interp_options {
    void *const *arrays;
    const size_t *size_bytes;
    const uint32_t *param_bits; // values for IR_VAR_PARAM scalars, by parameter index; NULL: the compile-time ones
    uint64_t max_steps;         // 0: 10^10
    struct ir_races *races;     // ir/shadow.h; NULL: nobody looks for them
    struct ir_follower *follower;
    bool backwards; // iterations of PARFORs, and passes that lanes share, are made from the last to the first
};
enum whorl_status ir_interpret(const struct ir_unit *u, const struct ir_interp_options *options,
                               struct whorl_error *err);

#endif
