// The second generator of random programs (docs/testing.md): one file a seed, as a tree that tests/random's shrinker
// can cut.
//
// The one hard idea: each value has an interval, what is stored anywhere keeps the interval of its place, and each
// statement is well-defined for every value of these intervals. So a program has no undefined behaviour whatever it
// computes, and cutting a statement out leaves it so. Races are excluded by roles: within one parallel loop an array is
// only read, or each iteration has elements of its own, or it is changed by atomics whose order cannot matter.
#ifndef WILD_H
#define WILD_H

#include "../random/gen.h"

enum kind { K_INT, K_UNS, K_FLT, K_I8, K_U8, K_I16, K_U16, K_I64, K_U64 };
enum class { C_INT, C_UNS, C_FLT, C_LONG }; // what an expression computes in

// An int expression. lo and hi are within int; floats and unsigned expressions are plain text.
struct val {
    char *t;
    int64_t lo, hi;
};
struct var {
    char *name; // "k", "(*out)"
    enum kind kind;
    bool wide; // int: steps add up in it; else it keeps -1024..1023
    bool fixed, hidden;
    int64_t lo, hi; // of an int that is fixed
};
struct field {
    char name[8];
    enum kind kind;
    uint32_t count; // 0: no array
    const struct rec *sub;
};
struct rec {
    char name[8];
    struct field fields[4];
    uint32_t field_count, words;
    bool mixed; // int and unsigned: then an input's ints are any
};
enum role { R_OFF, R_READ, R_OWN, R_ATOMIC, R_ALL };
enum group { G_ADD, G_AND, G_OR, G_XOR, G_MIN, G_MAX, G_TICKET, G_WRITE, GROUPS };
struct arr {
    char *name;
    enum kind kind;
    const struct rec *rec;
    bool constant, wide, hidden;
    uint32_t dims, size[2]; // dims 0: one variable
    char *text[2];          // the sizes as the program writes them
    enum role role;
    char *own[2]; // R_OWN: the first index, one of these
    char *inner;  // and the second one; NULL: the whole row
    enum group group;
    bool ticket_taken;
};
// A reduction of the loop at work. op BEST: no clause, a critical section keeps the largest of all, where it was found
// (name_at) and a value beside it (name_x).
// op ATOMIC and an operator: no clause, its updates are atomic.
#define BEST "best"
#define ATOMIC '@'
struct red {
    char *name;
    enum kind kind;
    const char *op;
};
struct func {
    char name[12];
    char params[8]; // i, u: values; p, w: pointers to int and unsigned; s, S: a struct and a pointer to one; a: int[8]
    char result;    // i, u, s or v
    const struct rec *rec;
    uint32_t cost;
};

enum { MAX_VARS = 200, MAX_ARRS = 100, MAX_RECS = 4, MAX_FUNCS = 6, MAX_REDS = 4 };
struct wild {
    struct gen_program *p;
    uint64_t state;
    struct gen_node *functions, *entry; // where functions stand; the entry's block
    struct gen_node *shared;            // in a region: where what its threads share is declared
    struct var vars[MAX_VARS];
    struct arr arrs[MAX_ARRS];
    uint32_t var_count, arr_count;
    uint32_t var_base, arr_base; // what stands before is not seen (in a function)
    uint32_t shared_vars;        // what stands before is shared by the iterations: read only
    struct rec recs[MAX_RECS];
    uint32_t rec_count;
    struct func funcs[MAX_FUNCS];
    uint32_t func_count;
    struct red reds[MAX_REDS];
    uint32_t red_count;
    char *iteration; // the number of the iteration of the loop at work
    bool longs;      // 64-bit integers
    bool floats, data_bounds, parallel, can_break, can_continue;
    bool uniform;    // steps are no constant: nor are numbers of iterations
    uint32_t passes; // how often the statement at work runs
    int nest;        // indices in indices
    int budget;      // statements that may still be made
    uint32_t names, n, m, steps;
    char *params[GEN_MAX_PARAMS]; // as the entry declares them
};

// wild.c
uint32_t wild_draw(struct wild *w, uint32_t n);
bool wild_odds(struct wild *w, uint32_t percent);
char *wild_name(struct wild *w, const char *stem);
struct var *wild_var(struct wild *w, char *name, enum kind kind, bool wide);
struct var *wild_fixed(struct wild *w, char *name, int64_t lo, int64_t hi);
struct arr *wild_arr(struct wild *w, char *name, enum kind kind, uint32_t size, char *text);
struct arr *wild_param(struct wild *w, char *name, enum kind kind, const struct rec *rec, uint32_t size, char *text,
                       uint32_t inner, bool constant);
const char *wild_type(enum kind kind);
#define F(...) gen_format(w->p, __VA_ARGS__)
#define LINE(at, ...) gen_line(w->p, at, F(__VA_ARGS__))
#define BLOCK(at, ...) gen_block(w->p, at, F(__VA_ARGS__), F("}"))
// A declaration, which the shrinker takes away only when nobody mentions the name.
struct gen_node *wild_declare(struct wild *w, struct gen_node *at, const char *name, char *text);

// What a block puts back at its end.
struct scope {
    uint32_t vars, arrs, passes;
    bool can_break, can_continue;
};
struct scope wild_open(struct wild *w);
void wild_close(struct wild *w, struct scope s);

// value.c
struct val wild_lit(struct wild *w, int64_t lo, int64_t hi);
struct val wild_int(struct wild *w, int depth);
struct val wild_fit(struct wild *w, struct val v, int64_t lo, int64_t hi);
char *wild_small(struct wild *w, int depth); // an int of -1024..1023
char *wild_uns(struct wild *w, int depth);
char *wild_flt(struct wild *w, int depth);
char *wild_cond(struct wild *w, int depth);
char *wild_index(struct wild *w, uint32_t size, const char *text);

// long.c: 64-bit integers; wild_long is unsigned
char *wild_long(struct wild *w, int depth);
char *wild_long_cond(struct wild *w);
char *wild_long_half(struct wild *w, int depth); // as an unsigned
char *wild_long_value(struct wild *w, enum kind kind, int depth);
struct place;
char *wild_long_assigned(struct wild *w, const struct place *to, int depth);

// place.c
struct place {
    char *t;
    enum kind kind;
    bool wide, plain; // plain: a variable, no index in it
    int64_t lo, hi;
};
bool wild_place(struct wild *w, enum class class, bool write, struct place *out);
bool wild_place_of(struct wild *w, const struct arr *a, enum class class, struct place *out);
bool wild_owns_row(const struct arr *a); // each iteration has a row of it
enum class wild_class(enum kind kind);
const struct rec *wild_rec(struct wild *w);

// body.c, flow.c, call.c
void wild_body(struct wild *w, struct gen_node *at, int count, int depth);
void wild_assign(struct wild *w, struct gen_node *at, const struct place *to);
bool wild_any_assign(struct wild *w, struct gen_node *at);
void wild_loop(struct wild *w, struct gen_node *at, int depth);
void wild_switch(struct wild *w, struct gen_node *at, int depth);
void wild_live_out(struct wild *w, struct gen_node *at);
void wild_function(struct wild *w);
bool wild_call(struct wild *w, struct gen_node *at);
char *wild_call_value(struct wild *w, enum class class);

// atomic.c
void wild_atomic(struct wild *w, struct gen_node *at, struct arr *a);
void wild_reduce(struct wild *w, struct gen_node *at, const struct red *r);

// phase.c: one parallel loop of any kind. `nowait`: takes the roles of a loop with no barrier behind it, or NULL;
// `prev`: those of the loop before it.
void wild_parallel(struct wild *w, struct gen_node *at, enum role *nowait, const enum role *prev);
// sorts.c, around.c
void wild_pattern(struct wild *w, struct gen_node *at);
void wild_phases(struct wild *w, struct gen_node *at, int count, int depth);

#endif
