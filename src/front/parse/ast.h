// The typed syntax tree: what the parser gives and the lowering reads.
//
// Every expression has its C11 type, every implicit conversion is a CAST node (promotions, usual arithmetic
// conversions, decay of arrays, assignment, arguments, return), every name is resolved, and integer constant
// expressions are folded to INT nodes. So the lowering never asks what C would do: it translates node by node.
// Conditions (if, loops, ?:, &&, ||, !) have type bool. Everything lives in the arena; nodes are shared by nobody, so
// a pass may change them in place.
#ifndef WHORL_FRONT_AST_H
#define WHORL_FRONT_AST_H

#include "base/dtype.h"
#include "front/text/token.h"

struct front_node;
struct front_symbol;
struct front_function;

// ---- types ----------------------------------------------------------------------------------------------------------
// The order of the arithmetic kinds is their conversion rank. char is signed (I8), an enum is U32, or I32 where it
// has a negative constant (as gcc and clang have it); long and long long are both I64, size_t is U64.
enum front_type_kind {
    FRONT_VOID,
#define X(kind, name, bytes, bits, is_unsigned, dtype, word) FRONT_##kind,
#include "front/parse/types.def" // F64 is left after front_double_policy only in code that is never used
#undef X
    FRONT_POINTER,
    FRONT_ARRAY,
    FRONT_STRUCT,
    FRONT_FUNCTION,
};
enum { FRONT_LAST_BASIC = FRONT_POINTER - 1 };
enum front_quals { FRONT_CONST = 1, FRONT_VOLATILE = 2, FRONT_RESTRICT = 4 };

struct front_field {
    const char *name; // "" of an anonymous struct member
    struct front_type *type;
    uint32_t index; // in its struct
    uint64_t offset_bytes;
    base_loc loc;
};
struct front_record {
    const char *tag; // "" where it has none
    struct front_field *fields;
    uint32_t count, cap;
    uint32_t id; // unique
    uint64_t size_bytes;
    uint32_t align;
    uint32_t depth; // of structs and arrays inside
    bool complete;
    uint8_t complex_of; // enum front_type_kind: of a complex number the kind of its parts; else 0 (parse/complex.c)
    bool is_pair;       // the two floats of a double (front/doubles/pair.c)
    bool is_union;      // all of its members are one word at offset 0
    bool laid_out;      // by `packed` or `aligned`, so that its members are elsewhere than C says
    base_loc loc;
};
struct front_type {
    uint8_t kind;            // enum front_type_kind
    uint8_t quals;           // enum front_quals; of an array: of its elements
    bool unsized;            // ARRAY: [] or [*]: no length at all
    bool variadic;           // FUNCTION
    bool no_prototype;       // FUNCTION: declared as f()
    bool was_double;         // F32: declared as a double (-fdouble=float); not kept by conversions
    struct front_type *base; // POINTER: target; ARRAY: element; FUNCTION: result
    uint64_t length;         // ARRAY with constant length
    struct front_node
        *length_expr;            // ARRAY: its length where it is no constant (integer type, no side effects); else NULL
    struct front_record *record; // STRUCT
    struct front_type **params;  // FUNCTION: adjusted types
    uint32_t param_count;
    uint32_t depth; // of the chain of bases
};

// ---- symbols --------------------------------------------------------------------------------------------------------
enum front_symbol_kind {
    FRONT_SYM_LOCAL, // automatic variable
    FRONT_SYM_PARAM,
    FRONT_SYM_GLOBAL, // file scope variable, static or not
    FRONT_SYM_STATIC, // static variable of a function
    FRONT_SYM_FUNCTION,
    FRONT_SYM_ENUM,    // only inside the parser: uses are INT nodes
    FRONT_SYM_TYPEDEF, // only inside the parser
};
// One element of an initialiser: the value of the leaf (or whole struct) that the path leads to from the variable.
struct front_step {
    const struct front_field *field; // NULL: array element `index`
    uint64_t index;
};
struct front_init {
    struct front_step *path;
    uint32_t depth;        // 0: the variable itself
    uint64_t offset_bytes; // of the leaf from the variable's start
    struct front_node
        *value; // already of the leaf's type; static data: an INT or FLOAT node. NULL: overwritten, skip it
};
// In order of evaluation. Leaves that are not named are zero. A string for a char array has become one entry a byte.
struct front_inits {
    struct front_init *items;
    uint32_t count, cap;
};
struct front_symbol {
    uint8_t kind; // enum front_symbol_kind
    uint32_t id;  // unique in the unit, from 1
    const char *name;
    struct front_type *type;     // of a parameter: after adjustment (float w[n][163] is a pointer to float[163])
    struct front_type *declared; // of a parameter: as written, the outer bound kept; else the same as type
    base_loc loc;
    uint32_t token; // of its name in the declaration
    bool has_init;  // GLOBAL, STATIC: inits is set; without: all zero
    bool builtin;   // declared in a built-in header (math.h, omp.h, ...)
    bool is_static, is_inline, is_extern, is_noreturn;
    bool address_taken;  // & was applied to it or to a part of it (decay of an array does not count)
    bool written;        // assigned, incremented or & taken after its declaration
    bool written_again;  // ... at two places of the program
    uint32_t written_at; // ... the last of them, as a token; UINT32_MAX: anywhere
    bool used;
    bool aligned;                    // TYPEDEF: by an attribute, so members of this type may stand elsewhere
    bool threadprivate;              // GLOBAL, STATIC: each thread of a team has its own
    struct front_inits inits;        // GLOBAL, STATIC
    struct front_function *function; // FUNCTION with a body
    int64_t value;                   // ENUM; const integer with a constant initialiser (known)
    bool known;
    struct front_symbol *outer; // parser: what this one hides
    uint32_t scope;             // parser: nesting depth, 0 = file
};

// ---- nodes ----------------------------------------------------------------------------------------------------------
enum front_op {
    FRONT_OP_NONE,
    FRONT_OP_ADD,
    FRONT_OP_SUB,
    FRONT_OP_MUL,
    FRONT_OP_DIV,
    FRONT_OP_REM,
    FRONT_OP_SHL,
    FRONT_OP_SHR,
    FRONT_OP_AND,
    FRONT_OP_OR,
    FRONT_OP_XOR,
    FRONT_OP_EQ,
    FRONT_OP_NE,
    FRONT_OP_LT,
    FRONT_OP_LE,
    FRONT_OP_GT,
    FRONT_OP_GE,
    FRONT_OP_LAND,
    FRONT_OP_LOR,
    FRONT_OP_NEG,
    FRONT_OP_BITNOT,
    FRONT_OP_NOT,
    FRONT_OP_MIN,
    FRONT_OP_MAX, // reductions only
};
const char *front_op_text(enum front_op op); // "+"

enum front_node_kind {
    // expressions
    FRONT_INT,    // integer: value, sign-extended where the type is signed; bool 0/1; null pointers are CAST of it
    FRONT_FLOAT,  // real: value, already rounded to the type
    FRONT_STRING, // string, string_size bytes + NUL; type char[string_size + 1]
    FRONT_VAR,    // symbol; lvalue. Functions stand only in CALL.symbol
    FRONT_CAST,   // a converted to type; see FRONT_FLAG_*. To void: value dropped
    FRONT_UNARY,  // op NEG, BITNOT (promoted type), NOT (a is bool, type int)
    // a op b: arithmetic in `type` (shifts: b has its own promoted integer type); compares: type int, both operands of
    // one type (arithmetic or pointer)
    FRONT_BINARY,
    FRONT_LOGIC,  // a && b, a || b: operands bool, type int
    FRONT_COND,   // a ? b : c; a is bool, b and c of `type` (which may be void or a struct)
    FRONT_ASSIGN, // a = b; b has a's type; value: the new value
    // a = (type of a)((calc)a op b): b has type calc (shifts: its own promoted type; pointers: an integer, calc is the
    // pointer). ++ and -- too, with FLAG_POST where the value is the old one
    FRONT_ASSIGN_OP,
    FRONT_CALL,     // symbol(args a, linked by next), already converted; variadic ones promoted. Never indirect
    FRONT_INDEX,    // a[b]: a is a pointer (often CAST decay of an array), b an integer of any size; lvalue
    FRONT_DEREF,    // *a; lvalue
    FRONT_ADDR,     // &a: a is an lvalue (never itself a DEREF: &*p is p; &p[i] stays)
    FRONT_MEMBER,   // a.field: a is a struct; lvalue where a is one. p->f is MEMBER(DEREF(p))
    FRONT_PTR_ADD,  // a + b or a - b (op ADD, SUB): a a pointer, b an integer, in elements
    FRONT_PTR_DIFF, // a - b in elements: both pointers; type long
    FRONT_COMMA,    // a, b; a may be a BLOCK: ({ ...; b; })
    FRONT_COMPOUND, // (type){inits}: an unnamed automatic variable; lvalue
    FRONT_MULHI,    // the high 32 bits of a * b: a, b and type are U32
    // statements
    FRONT_BLOCK, // { }: first statement a, linked by next
    FRONT_DECL,  // symbol (LOCAL) comes to life: initial value a, or inits where has_inits, or neither: undefined.
                 // Lengths of its array type are evaluated here
    FRONT_EXPR,  // a;
    FRONT_IF,    // if (a) b else c; c may be NULL
    FRONT_WHILE, // while (a) b
    FRONT_DO,    // do b while (a)
    FRONT_FOR,   // for (a; b; c) d: a is a statement (BLOCK of DECLs without scope, or EXPR) or NULL; b NULL: for ever
    // switch (a) { ... }: cases; a has a promoted integer type. The body is the list b; each case says where it starts
    // in that list; falling through is going on along next; break leaves
    FRONT_SWITCH,
    FRONT_BREAK,
    FRONT_CONTINUE,
    FRONT_RETURN, // a converted to the result type, or NULL
    FRONT_EMPTY,
    FRONT_OMP, // omp; its body is omp->body (NULL for barrier)
};
enum front_node_flags {
    FRONT_FLAG_LVALUE = 1,
    FRONT_FLAG_IMPLICIT = 2, // CAST: not written in the program
    FRONT_FLAG_DECAY = 4,    // CAST: array to pointer to its first element
    FRONT_FLAG_DEMOTED =
        8,                 // CAST from integer to float that C computes in double: the lowering demands |value| <= 2^24
    FRONT_FLAG_POST = 16,  // ASSIGN_OP
    FRONT_FLAG_PAREN = 32, // stood in parentheses
    FRONT_FLAG_HAS_INITS = 64, // DECL, COMPOUND: inits is the initialiser
    FRONT_FLAG_DOUBLE = 128,   // parser and policy: F64 that became float
    FRONT_FLAG_PARTS = 256,    // BLOCK: a critical section in parts (lower_section.c)
    FRONT_FLAG_LENGTH = 512,   // of the length of an array whose size is asked
};
// What is said of functions that read the clock: those in front of the lowering come to the ones that give a double.
#define FRONT_NO_CLOCK                                                                                                 \
    "time cannot be read inside of the program: leave it out, as whorl reports it; `whorl cc` builds whole programs, " \
    "and their clocks stay on the CPU"
#define FRONT_MAX_HEIGHT 1000u
struct front_case {
    int64_t lo,
        hi; // lo..hi inclusive (equal but for `case 1 ... 5`), in the switch's type; unsigned ones zero-extended
    bool is_default;
    struct front_node *first; // in the list b; NULL: nothing follows
    base_loc loc;
};
struct front_node {
    uint8_t kind; // enum front_node_kind
    uint8_t op;   // enum front_op
    uint16_t flags;
    uint32_t token; // index of the token that stands for it (operator, name, keyword)
    base_loc loc;
    uint32_t height; // of the tree below, lists not counted: at most FRONT_MAX_HEIGHT, so that passes may recurse
    struct front_type *type; // expressions
    struct front_node *a, *b, *c, *d;
    struct front_node *next; // list it is in
    struct front_symbol *symbol;
    union {
        uint64_t integer;
        double real;
        struct front_field *field;
        struct front_type *calc;
        struct front_inits *inits;
        struct front_omp *omp;
        struct {
            const char *string;
            uint32_t string_size;
        };
        struct {
            struct front_case *cases; // in source order
            uint32_t case_count, case_cap;
        };
    };
};

// ---- OpenMP ---------------------------------------------------------------------------------------------------------
enum front_omp_construct { // a set: `parallel for simd` is three of them
    FRONT_OMP_PARALLEL = 1,
    FRONT_OMP_FOR = 2,
    FRONT_OMP_SIMD = 4,
    FRONT_OMP_SINGLE = 8,
    FRONT_OMP_MASTER = 16, // master, masked
    FRONT_OMP_BARRIER = 32,
    FRONT_OMP_ATOMIC = 64,
    FRONT_OMP_CRITICAL = 128,
    FRONT_OMP_ORDERED = 512,
    FRONT_OMP_TARGET = 256, // alone: its statement, and nothing else
};
enum front_omp_atomic { // a set: what the clauses of `atomic` say
    FRONT_ATOMIC_READ = 1,
    FRONT_ATOMIC_WRITE = 2,
    FRONT_ATOMIC_UPDATE = 4,
    FRONT_ATOMIC_CAPTURE = 8,
    FRONT_ATOMIC_COMPARE = 16,
};
enum front_omp_sharing { // a set: firstprivate and lastprivate may meet
    FRONT_OMP_SHARED = 1,
    FRONT_OMP_PRIVATE = 2,
    FRONT_OMP_FIRSTPRIVATE = 4,
    FRONT_OMP_LASTPRIVATE = 8,
    FRONT_OMP_REDUCTION = 16,
    FRONT_OMP_LINEAR = 32,
    FRONT_OMP_COPYPRIVATE = 64,
    FRONT_OMP_COPYIN = 128,
};
struct front_omp_var {
    struct front_symbol *symbol;
    uint8_t sharing; // of enum front_omp_sharing
    uint8_t op;      // REDUCTION: enum front_op (ADD MUL MIN MAX AND OR XOR LAND LOR; `-` is ADD)
    base_loc loc;
    struct front_node *step; // LINEAR, NULL: 1
    // REDUCTION of a declared one (op is NONE): of two values, and what a copy begins with, NULL: zeros
    struct front_function *combine, *begin;
};
// A loop in OpenMP's canonical form. var is int or unsigned (any integer type of 8 to 64 bits).
struct front_omp_loop {
    struct front_node *node; // the FOR
    struct front_symbol *var;
    bool declared;         // for (int i = ...): var belongs to the loop
    struct front_node *lo; // of var's type
    struct front_node
        *hi; // as in the test, after C's conversions; where the test converted var (i < some_unsigned), see test
    struct front_node *test; // the whole comparison, `var` on its left side or on its right
    uint8_t relation;        // enum front_op with var on the left: LT LE GT GE NE
    bool down;               // var -= step
    struct front_node *step; // an integer; INT 1 for ++ and --
};
// An array that a loop reduces element by element, and what the clause would say of one of them.
struct front_omp_row {
    struct front_symbol *array;
    struct front_omp_var element;
    bool by_clause; // false: by atomics and critical sections
};

struct front_omp {
    uint32_t constructs;
    const char *words; // as the program has them: "target teams"
    bool sections, is_target, is_teams, is_loop;
    bool one_team;              // num_teams(1)
    bool in_order;              // FOR, SIMD: a clause `ordered`, a reduction with `inscan`, lastprivate(conditional: x)
    bool scans, conditional;    // ... the second, the third
    struct front_omp_var *vars; // one entry a symbol
    uint32_t var_count, var_cap;
    const struct front_symbol **mapped; // `map` names them
    uint32_t mapped_count, mapped_cap;
    bool maps_scalars; // `defaultmap` has those that no clause names come back
    bool default_none;
    bool nowait;
    uint32_t collapse;             // >= 1
    struct front_omp_var *implied; // FOR: reductions that no clause names (lower/lower_implied.c)
    uint32_t implied_count;
    bool implied_known;
    struct front_omp_row *rows; // FOR: arrays of two words that it reduces (lower/lower_rows.c)
    uint32_t row_count, row_cap;
    bool rows_known;
    struct front_omp_loop *loops;                              // FOR, SIMD: collapse of them, outermost first
    struct front_node *num_threads, *if_expr, *chunk, *filter; // NULL where absent
    const char *schedule;                                      // "static", ... or NULL
    uint32_t schedule_from, schedule_to;                       // the clause's tokens
    uint64_t safelen, simdlen;                                 // 0 where absent
    const char *lock;                                          // CRITICAL: its name, "": none
    struct front_node *append;                                 // CRITICAL: the step of its counter (lower_section.c)
    uint32_t atomic;                                           // ATOMIC: enum front_omp_atomic
    bool atomic_pair;              // ATOMIC: of a double as a pair of floats (doubles/pair.c)
    struct front_node *body;       // FOR, SIMD: the FOR statement; NULL: barrier
    const struct front_omp *outer; // the construct around in the same function, or NULL
    base_loc loc;
};

// ---- the unit -------------------------------------------------------------------------------------------------------
struct front_function {
    struct front_symbol *symbol;
    struct front_symbol **params;
    uint32_t param_count;
    struct front_node *body; // BLOCK
    bool has_parallel;       // a `parallel` directive stands in it
    bool builtin;            // defined in a built-in header
    base_loc loc;
};
struct front_range { // of tokens, without the last
    uint32_t from, to;
};
struct front_ast {
    struct base_cx *cx;
    const struct front_token *tokens;
    uint32_t token_count;
    struct front_function **functions; // with bodies, in source order
    uint32_t function_count, function_cap;
    struct front_symbol **globals; // GLOBAL and STATIC variables in source order
    uint32_t global_count, global_cap;
    uint32_t symbol_count;        // ids are 1 .. symbol_count
    bool has_threadprivate;       // some variable is
    struct front_range *compares; // statements under `atomic compare`
    uint32_t compare_count, compare_cap;
    uint32_t *double_sizes; // tokens: sizeof of what has doubles that are floats
    uint32_t double_size_count, double_size_cap;
    const char **edits; // for front_print_c: what token i becomes, NULL: as it is
};

// The whole unit, typed, with the double policy and the 64-bit idioms applied. Bails with WHORL_SOURCE after errors.
// `others`: names up to a NULL that the file has, but not these tokens, for did-you-mean; may be NULL.
struct front_ast *front_parse(struct base_cx *cx, struct front_token *tokens, uint32_t count,
                              const struct whorl_compile_options *options, const char *const *others);
// Function by name, or NULL.
struct front_function *front_find_function(const struct front_ast *ast, const char *name);
// Readable text of the tree, for tests.
const char *front_ast_print(const struct front_ast *ast);
void front_print_node(struct base_text *out, const struct front_node *node, uint32_t indent);

// ---- types (types.c) ------------------------------------------------------------------------------------------------
struct front_type *front_basic_type(enum front_type_kind kind); // VOID to F64, unqualified; shared, never changed
struct front_type *front_double_as_float(void);                 // F32 with was_double; the same
bool front_was_doubles(const struct front_type *type);          // each number in it was declared as a double
bool front_has_doubles(const struct front_type *type);          // one of them was
bool front_is_laid_out(const struct front_type *type);          // a struct in it is
const char *front_type_name(struct base_cx *cx, const struct front_type *type); // "const float *", "float [n][163]"
uint64_t front_type_size(const struct front_type *type); // bytes; 0 where it is unsized, variable or void
uint32_t front_type_align(const struct front_type *type);
bool front_type_same(const struct front_type *x, const struct front_type *y); // but for qualifiers of the outer level
bool front_is_integer(const struct front_type *type);                         // bool and enums included
bool front_is_float(const struct front_type *type);
bool front_is_arithmetic(const struct front_type *type);
bool front_is_scalar(const struct front_type *type);         // arithmetic or pointer
bool front_is_unsigned(const struct front_type *type);       // bool included
uint32_t front_int_bits(const struct front_type *type);      // 8 .. 64; bool 1
enum whorl_dtype front_dtype(const struct front_type *type); // of an arithmetic type: as types.def has it
bool front_is_pair(const struct front_type *type);           // a double as two floats
bool front_is_complex(const struct front_type *type);
bool front_is_variable(const struct front_type *type); // an array somewhere inside has a length_expr

// ---- size_text.c ----------------------------------------------------------------------------------------------------
// The outer length of an array type as whorl_param.dim_texts has it: "128", "n", "((2 * n) + 1)"; "" for any other
// type, for [] and for what is not made of parameters with + - * / % << >>.
const char *front_size_text(struct base_cx *cx, const struct front_type *array);

#endif
