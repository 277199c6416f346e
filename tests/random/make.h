// What the generator's files share while they make one program: the random stream, what is in scope, and exact ranges.
#ifndef RANDOM_MAKE_H
#define RANDOM_MAKE_H

#include "gen.h"

enum kind { K_F, K_I, K_U };
#define F_FRAC 4     // stored floats: multiples of 1/16 ...
#define F_MAG 64.0   // ... up to 64
#define I_LO (-1024) // stored ints
#define I_HI 1023
#define I_WIDE (1 << 30) // no int expression leaves +-this
#define MANTISSA 16777216.0

// An expression and what it may be worth.
struct ex {
    char *s;
    enum kind kind;
    int prec;       // 3 primary, 2 product, 1 sum, 0 anything else
    int frac;       // K_F
    double mag;     // K_F
    int64_t lo, hi; // K_I
};

// Something that can be read, and perhaps written, by name.
struct sym {
    const char *name, *suffix; // NAME SUFFIX, or NAME[i][j] SUFFIX
    enum kind kind;
    enum gen_elem elem; // as stored
    bool writable;
    int ndims, dims[3];
    bool flat; // contiguous: may be passed as a pointer (ndims 1, no suffix)
    int frac;
    double mag;
    int64_t lo, hi;
};

// A struct type, or a struct that can be copied and passed by value.
struct struct_type {
    const char *name;
    int count;
    const char *fields[4];
    enum kind kinds[4];
    int row;       // a last field `float v[row]`; 0: none
    bool one_type; // may be an entry array
};
struct struct_sym {
    const char *name;
    int type;
    bool writable;
};

enum arg { A_F, A_I, A_U, A_OUT, A_ROW, A_STRUCT, A_PSTRUCT };
struct func {
    const char *name;
    enum kind result;
    int result_struct;           // -1: a scalar
    int count, row_length, type; // type: of struct arguments
    enum arg args[5];
    bool pure;
    int cost; // statements when expanded
};

// An array at entry level.
struct array {
    const char *name;
    enum gen_elem elem;
    int type; // struct type, or -1
    bool is_const, is_scratch;
    int ndims, dims[2];
    const char *dim_text[2];
    int hidden;                       // > 0: not to be touched now (its pointer alias stands for it)
    bool written_nowait, read_nowait; // in a parallel region, since the last barrier
    bool reads, writes;               // by the loop being made
};

struct extent {
    const char *text; // "n", "2 * n", "5"
    int value;
};

struct maker {
    struct gen_program *p;
    uint64_t random;
    int names; // counter of fresh ones

    struct sym syms[600];
    int sym_count, sym_base; // visible: [base, count)
    struct struct_sym structs[60];
    int struct_count, struct_base;
    struct struct_type types[4];
    int type_count;
    struct func funcs[8];
    int func_count;
    struct array arrays[24];
    int array_count;
    struct extent extents[12];
    int extent_count;
    int n, m, steps;
    bool grid;  // the program is to need barriers
    int budget; // statements that may still be made, calls expanded
    const struct sym *entry_scalars[32];
    int entry_scalar_count;

    const char *time; // variable of the time loop around, or NULL
    int time_lo, time_hi;
    bool want_history;
    // Set by a loop that writes what another iteration reads a step later: how to write that.
    const char *history_to, *history_from; // history_from: a row, or NULL: history_to itself
    int history_extent;
    enum kind history_kind;

    // Where the statement being made stands.
    int loop_depth, index_depth;
    int no_double; // > 0: no constant without the suffix f
    bool in_loop, in_switch, in_parallel, in_function, parallel_continue, no_jump;
    enum kind result;
    int result_struct;
    int call_cost; // of the function being made
};

// ---- random numbers -------------------------------------------------------------------------------------------------
uint32_t below(struct maker *g, uint32_t n); // 0 .. n-1
int between(struct maker *g, int lo, int hi);
bool chance(struct maker *g, int percent);
const char *fresh(struct maker *g, const char *stem);

// ---- scope ----------------------------------------------------------------------------------------------------------
struct mark {
    int syms, sym_base, structs, struct_base;
};
struct mark scope_mark(const struct maker *g);
void scope_restore(struct maker *g, struct mark mark);
struct sym *scope_add(struct maker *g, const char *name, enum kind kind,
                      bool writable); // a scalar in the stored format
struct sym *scope_add_array(struct maker *g, const char *name, const char *suffix, enum gen_elem elem, bool writable,
                            int ndims, const int *dims);
void scope_add_struct(struct maker *g, const char *name, int type, bool writable, const char *member); // ".", "->"
enum kind kind_of(enum gen_elem elem);
const char *c_type(enum gen_elem elem);
const char *kind_type(enum kind kind);
enum gen_elem kind_elem(enum kind kind);

// ---- what expressions are made of (make_leaf.c) ---------------------------------------------------------------------
struct ex make_leaf(struct maker *g, enum kind kind); // a name, an element or a constant
struct ex make_constant(struct maker *g, enum kind kind);
char *make_literal(struct maker *g, enum kind kind);               // in the stored format
struct ex make_called(struct maker *g, enum kind kind, int depth); // a call's result where one can be made, else a leaf
char *make_call(struct maker *g, const struct func *f, int depth, const char *not_this);
char *make_index(struct maker *g, int extent); // in 0 .. extent-1
char *make_element(struct maker *g, const struct sym *s);
const char *make_operand(struct maker *g, struct ex e, int prec); // in brackets, if it binds less than `prec`
const struct sym *pick_sym(struct maker *g, enum kind kind, bool writable, bool arrays);
const struct func *pick_func(struct maker *g, enum kind kind, bool pure);

// ---- expressions (make_expr.c) --------------------------------------------------------------------------------------
struct ex make_expr(struct maker *g, enum kind kind, int depth);
char *make_fit(struct maker *g, enum kind kind, int depth); // an expression in the stored format
char *make_cond(struct maker *g, int depth);
char *fit_text(struct maker *g, struct ex e);
// A float term of few bits, for sums of `count` of them; frac and mag come back.
struct ex make_term(struct maker *g, enum kind kind, int count);

// ---- statements (make_stmt.c) ---------------------------------------------------------------------------------------
void make_block(struct maker *g, struct gen_node *parent, int statements, int depth);
void make_assign(struct maker *g, struct gen_node *parent, int depth);
const char *declare(struct maker *g, struct gen_node *parent, enum kind kind, const char *init, bool writable);
void declare_struct(struct maker *g, struct gen_node *parent, int depth);

// ---- declarations (make_decl.c) -------------------------------------------------------------------------------------
void make_preamble(struct maker *g);
void make_params(struct maker *g);
void make_functions(struct maker *g);

// ---- entry level (make_entry.c, make_loop.c) ------------------------------------------------------------------------
enum loop_flags {
    LOOP_IN_REGION = 1, // `omp for` in a parallel region
    LOOP_NO_REDUCE = 2,
    LOOP_RICH = 4, // a long body
    LOOP_STEP = 8, // prefers the space of n, each iteration its own elements
    LOOP_SHORT = 16,
};
void make_loop(struct maker *g, struct gen_node *parent, unsigned flags);
struct reduction {
    const char *name;
    enum kind kind;
    int op; // index of its operator
    int count;
    struct ex term;
};
void declare_reduction(struct maker *g, struct gen_node *parent, struct reduction *r);
const char *reduction_name(const struct reduction *r); // the operator
void add_term(struct maker *g, struct gen_node *parent, struct reduction *r);
void publish_reduction(struct maker *g, const struct reduction *r); // after the loop its value can be read
void make_fill(struct maker *g, struct gen_node *parent, const struct array *a);
void make_entry(struct maker *g);
void make_sequential(struct maker *g, struct gen_node *parent); // an assignment or a store of entry-level code
void make_grid(struct maker *g, struct gen_node *entry);        // make_grid.c: programs that need barriers
void make_plane(struct maker *g, struct gen_node *entry);       // make_plane.c
void make_lanes(struct maker *g, struct gen_node *parent);  // make_grid.c: loops that lanes share, inside an iteration
void make_serial(struct maker *g, struct gen_node *parent); // make_serial.c: inside an iteration
void make_serial_rows(struct maker *g, struct gen_node *entry);                    // at entry level
void make_handed(struct maker *g, struct gen_node *entry, const struct array *to); // make_handed.c
const struct array *
pick_output(struct maker *g); // of n words, one of those that are stored as such; NULL: there is none
void see_entry(struct maker *g, bool with_arrays); // what entry-level code may read
char *element_type(struct maker *g, const struct array *a);
void add_whole_array(struct maker *g, const struct array *a, bool writable);

#endif
