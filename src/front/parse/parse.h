// Inside of the parser: its state, and what its files call of each other. The tree itself is ast.h's.
//
// Each file is a part of one recursive descent: parse.c (tokens, scopes, the unit), parse_spec.c, declarator.c,
// parse_decl.c, parse_struct.c, parse_init.c, parse_stmt.c, parse_expr.c; build_expr.c and build_ops.c type and
// convert what they parse, evaluate.c evaluates constants. A syntax error ends the compile; an error of meaning is
// recorded and the expression becomes an error node, which whatever contains it passes on silently.
#ifndef WHORL_FRONT_PARSE_H
#define WHORL_FRONT_PARSE_H

#include "front/parse/ast.h"

enum { FRONT_MAX_DEPTH = 256 };

// What `break` and `continue` mean where the parser stands.
enum front_jump { FRONT_JUMP_NONE, FRONT_JUMP_OK, FRONT_JUMP_OMP_LOOP, FRONT_JUMP_OMP_REGION };

// What one name means: the innermost symbol and the innermost tag.
struct front_tag {
    const char *name;
    struct front_record *record; // NULL: an enum
    struct front_type *enum_type;
    struct front_tag *outer;
    uint32_t scope;
    base_loc loc;
};
struct front_name {
    const char *text;
    struct front_symbol *symbol;
    struct front_tag *tag;
};
struct front_declared_reduction {
    const char *name;
    struct front_type *type;
    struct front_function *combine, *begin; // begin NULL: all zeros
    uint32_t scope;
    base_loc loc;
};
struct front_scope_item {
    struct front_name *name;
    bool is_tag;
};

enum { FRONT_MAX_PACK = 16 };
struct front_parser {
    struct base_cx *cx;
    struct front_ast *ast;
    const struct front_token *tokens;
    uint32_t at;    // current token
    uint32_t count; // of tokens; the last one is END
    uint32_t depth; // recursion

    struct front_name **names; // open addressing, power of two
    uint32_t name_count, name_cap;
    struct front_scope_item *items; // what the open scopes declared
    uint32_t item_count, item_cap;
    uint32_t scope; // 0: file
    uint32_t record_count;

    struct front_function *function; // whose body is parsed
    enum front_jump on_break, on_continue;
    bool in_switch;                 // a switch is around this place
    bool in_value;                  // ... ({ ... })
    bool in_members;                // the declarator is a member's, or a typedef's
    uint32_t omp_depth;             // directives around this place
    uint32_t omp_loops;             // how many of the next nested loops belong to a directive
    struct front_omp *omp_outer;    // innermost directive, NULL: none
    struct front_omp *omp_parallel; // innermost with `parallel`
    uint32_t parallel_id; // symbols above it were declared inside the innermost parallel region; 0: not in one

    struct front_declared_reduction *declared; // a later one hides those before
    uint32_t declared_count, declared_cap;

    bool double_as_float, double_as_pair;
    struct front_type *complex_types[2]; // of floats, of doubles; NULL: <complex.h> is not there
    const char *const *others;           // names of what is not parsed, up to a NULL; may be NULL
    struct front_type *error_type;
    uint32_t packs, aligns; // attributes so far that change where members of a struct are
    bool aligned_variables; // some variable's type is aligned by a typedef: which one `typeof` is of is not looked up
    uint32_t alignment;     // the largest of `aligned(N)` since a struct set it to 0; UINT32_MAX: not known
    struct {                // `#pragma pack`
        uint32_t at;        // tokens up to here were looked at
        uint32_t depth;
        uint32_t bytes, outer[FRONT_MAX_PACK]; // the largest alignment of members, 0: C's own; pushed ones
    } pack;
};

// ---- parse.c: tokens ------------------------------------------------------------------------------------------------
const struct front_token *front_peek(struct front_parser *p);                    // current
const struct front_token *front_peek_at(struct front_parser *p, uint32_t ahead); // 1: the one after
uint32_t front_next(struct front_parser *p); // steps on; index of the token left behind
bool front_is(struct front_parser *p, enum front_token_kind kind);
bool front_accept(struct front_parser *p, enum front_token_kind kind);
// The token must come: "expected ';' after expression", placed after the token before it.
void front_expect(struct front_parser *p, enum front_token_kind kind, const char *after);
base_loc front_here(struct front_parser *p);
base_loc front_end_of(struct front_parser *p, uint32_t token); // the place just after it
void front_enter(struct front_parser *p);                      // one level deeper; fatal beyond FRONT_MAX_DEPTH
void front_leave(struct front_parser *p);
void front_skip_attributes(struct front_parser *p);
_Noreturn void front_syntax_error(struct front_parser *p, const char *expected);

// ---- parse.c: scopes ------------------------------------------------------------------------------------------------
void front_open_scope(struct front_parser *p);
void front_close_scope(struct front_parser *p);
struct front_symbol *front_lookup(struct front_parser *p, const char *name); // NULL: none
struct front_tag *front_lookup_tag(struct front_parser *p, const char *name);
struct front_symbol *front_new_symbol(struct front_parser *p, enum front_symbol_kind kind, const char *name,
                                      struct front_type *type, uint32_t token);
void front_bind(struct front_parser *p, struct front_symbol *symbol);
void front_bind_tag(struct front_parser *p, struct front_tag *tag);
// The visible name most like this one, or NULL.
const char *front_similar_name(struct front_parser *p, const char *name);
// Edit distance for did-you-mean (a swap of neighbours counts once), at most `limit` + 1.
uint32_t front_distance(const char *x, const char *y, uint32_t limit);

// ---- types.c --------------------------------------------------------------------------------------------------------
struct front_type *front_pointer_to(struct front_parser *p, struct front_type *base, base_loc loc);
struct front_type *front_array_of(struct front_parser *p, struct front_type *element, base_loc loc); // unsized
struct front_type *front_qualified(struct front_parser *p, struct front_type *type, uint32_t quals); // adds
struct front_type *front_unqualified(struct front_parser *p, struct front_type *type);
bool front_compatible(const struct front_type *x, const struct front_type *y); // qualifiers of the outer level ignored
bool front_is_error(const struct front_node *node);

// ---- declarations ---------------------------------------------------------------------------------------------------
struct front_specifiers {
    struct front_type *type;
    bool is_typedef, is_static, is_extern, is_inline, is_noreturn, is_thread;
    uint32_t token;    // first one
    bool declares_tag; // a struct or enum stands in them
    bool is_aligned;   // by an attribute of theirs, none of a struct's own
};
struct front_declarator {
    const char *name; // NULL: abstract
    uint32_t token;   // of the name, or where it would stand
    struct front_type *type;
    struct front_symbol **params; // of the outermost function
    uint32_t param_count;
    bool has_params;
};
// parse_spec.c
bool front_starts_type(struct front_parser *p, const struct front_token *token);
void front_parse_specifiers(struct front_parser *p, struct front_specifiers *out);
// declarator.c
void front_parse_declarator(struct front_parser *p, struct front_type *base, struct front_declarator *out);
struct front_type *front_parse_type_name(struct front_parser *p);
// parse_decl.c
struct front_node *front_parse_local_declaration(struct front_parser *p); // list of DECLs, maybe empty
void front_parse_external(struct front_parser *p);
void front_parse_static_assert(struct front_parser *p);
// parse_struct.c
struct front_type *front_parse_struct(struct front_parser *p);
struct front_type *front_parse_enum(struct front_parser *p);
struct front_field *front_find_field(const struct front_record *record, const char *name);

// ---- parse_init.c ---------------------------------------------------------------------------------------------------
// An initialiser after `=`. For an unsized array *type is replaced by the sized one. Returns the value for a scalar
// or a struct expression; NULL where *out_inits was filled.
struct front_node *front_parse_initializer(struct front_parser *p, struct front_type **type,
                                           struct front_inits *out_inits);

// ---- parse_stmt.c ---------------------------------------------------------------------------------------------------
struct front_node *front_parse_statement(struct front_parser *p);
struct front_node *front_parse_body(struct front_parser *p);        // { ... } of a function, in the scope that is open
struct front_node *front_parse_block_value(struct front_parser *p); // { ...; value; } of GNU C
struct front_node *front_parse_for(struct front_parser *p);

// ---- parse_expr.c ---------------------------------------------------------------------------------------------------
struct front_node *front_parse_expr(struct front_parser *p);   // with commas
struct front_node *front_parse_assign(struct front_parser *p); // assignment-expression
struct front_node *front_parse_conditional(struct front_parser *p);
void front_need_layout(struct front_parser *p, const struct front_type *type, uint32_t token); // for sizes and places
int64_t front_parse_constant(struct front_parser *p, const char *what); // integer constant expression; 0 after an error

struct front_node *front_parse_primary(struct front_parser *p); // parse_primary.c

// ---- build_expr.c ---------------------------------------------------------------------------------------------------
struct front_node *front_node(struct front_parser *p, enum front_node_kind kind, uint32_t token);
struct front_node *front_expr(struct front_parser *p, enum front_node_kind kind, uint32_t token,
                              struct front_type *type, struct front_node *a, struct front_node *b);
void front_set_height(struct front_parser *p, struct front_node *node); // from a, b, c, d; refuses what is too high
struct front_node *front_error_node(struct front_parser *p, uint32_t token);
struct front_node *front_int_node(struct front_parser *p, enum front_type_kind kind, uint64_t value, uint32_t token);
struct front_node *front_value(struct front_parser *p, struct front_node *node); // arrays decay; functions are refused
struct front_node *front_convert(struct front_parser *p, struct front_node *node,
                                 struct front_type *type); // unchecked, implicit
struct front_node *front_promote(struct front_parser *p, struct front_node *node);
struct front_node *front_condition(struct front_parser *p, struct front_node *node, const char *where); // to bool
// As if by assignment; `how` picks the words of the message.
enum front_assign_how { FRONT_ASSIGNING, FRONT_INITIALIZING, FRONT_PASSING, FRONT_RETURNING };
struct front_node *front_convert_assign(struct front_parser *p, struct front_node *node, struct front_type *type,
                                        enum front_assign_how how);
struct front_node *front_build_binary(struct front_parser *p, enum front_op op, struct front_node *a,
                                      struct front_node *b, uint32_t token);
struct front_node *front_build_unary(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token);
struct front_node *front_build_assign(struct front_parser *p, enum front_op op, struct front_node *a,
                                      struct front_node *b,
                                      uint32_t token); // op NONE: =
struct front_node *front_build_step(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token,
                                    bool post);
struct front_node *front_build_cond(struct front_parser *p, struct front_node *a, struct front_node *b,
                                    struct front_node *c, uint32_t token);
struct front_node *front_build_cast(struct front_parser *p, struct front_type *type, struct front_node *a,
                                    uint32_t token);
struct front_node *front_build_index(struct front_parser *p, struct front_node *a, struct front_node *b,
                                     uint32_t token);
struct front_node *front_build_deref(struct front_parser *p, struct front_node *a, uint32_t token);
struct front_node *front_build_addr(struct front_parser *p, struct front_node *a, uint32_t token);
struct front_node *front_build_member(struct front_parser *p, struct front_node *a, const char *name,
                                      uint32_t name_token, uint32_t token, bool arrow);
struct front_node *front_build_sizeof(struct front_parser *p, struct front_type *type, uint32_t token);
struct front_node *front_copy(struct front_parser *p,
                              const struct front_node *node); // an expression, or a list of them
bool front_has_effects(const struct front_node *node);        // assigns or calls

// ---- complex.c ------------------------------------------------------------------------------------------------------
void front_note_complex(struct front_parser *p, struct front_type *type); // a struct is complete
struct front_type *front_complex_type(struct front_parser *p, enum front_type_kind kind, base_loc loc);
bool front_names_complex(const struct front_type *function); // as a result or parameter
// One of them is complex, the other one, too, or a number.
bool front_mixes_complex(const struct front_type *a, const struct front_type *b);
struct front_type *front_common_complex(struct front_parser *p, const struct front_node *a, const struct front_node *b);
struct front_node *front_convert_complex(struct front_parser *p, struct front_node *n, struct front_type *type);
// NULL: complex numbers have no such operator.
struct front_node *front_complex_binary(struct front_parser *p, enum front_op op, struct front_node *a,
                                        struct front_node *b, uint32_t token);
struct front_node *front_complex_unary(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token);
struct front_node *front_complex_update(struct front_parser *p, enum front_op op, struct front_node *a,
                                        struct front_node *b, uint32_t token);
void front_split_complex(struct front_parser *p, struct front_inits *inits); // of static data
struct front_node *front_complex_step(struct front_parser *p, enum front_op op, struct front_node *a, uint32_t token);
struct front_node *front_imaginary(struct front_parser *p, struct front_node *n); // `2.0i` of 2.0
struct front_node *front_make_complex(struct front_parser *p, struct front_node *a, struct front_node *b,
                                      uint32_t token);
bool front_is_part_word(const char *text); // __real__, __imag__
struct front_node *front_complex_part(struct front_parser *p, struct front_node *a, bool is_imaginary, uint32_t token);
struct front_symbol *front_complex_function(struct front_parser *p, struct front_symbol *f, uint32_t token);

// ---- evaluate.c -----------------------------------------------------------------------------------------------------
uint64_t front_wrap(const struct front_type *type,
                    uint64_t value); // as a value of that integer type, kept as INT keeps it
void front_fold(struct front_parser *p,
                struct front_node *node); // integer operations on INT nodes become INT, in place
// Value of a constant expression, floats included, as C computes it. `knows`: const variables with known values count.
struct front_constant {
    bool is_float;
    uint64_t integer;
    double real;
};
bool front_evaluate(const struct front_node *node, bool knows, struct front_constant *out);
// Static data: every value of the list becomes an INT or FLOAT node of its type; errors where it is no constant.
void front_fold_inits(struct front_parser *p, struct front_inits *inits);

// ---- visit.c --------------------------------------------------------------------------------------------------------
// Calls fn with the place of every node below and at *place, children first, statements of lists included; fn may
// replace it. Lengths of array types are visited at DECLs and CASTs.
typedef void (*front_visit)(void *user, struct front_node **place);
void front_walk(struct front_node **place, front_visit fn, void *user);

// ---- openmp.c, openmp_check.c ---------------------------------------------------------------------------------------
struct front_node *front_parse_pragma(struct front_parser *p); // at a PRAGMA token, as a statement
void front_parse_file_pragma(struct front_parser *p);          // outside functions: all are refused
struct front_omp_var *front_omp_find(struct front_omp *omp, const struct front_symbol *symbol);
void front_check_loops(struct front_parser *p, struct front_omp *omp);
// What a block under `target` changes of the variables outside.
void front_check_target(struct front_parser *p, struct front_omp *omp, uint32_t first_inner_id);
void front_check_sharing(struct front_parser *p, struct front_omp *omp, uint32_t first_inner_id);
void front_drop_captures(struct front_node *value); // unused_capture.c: nobody uses the value

// ---- passes over the whole unit -------------------------------------------------------------------------------------
void front_wide_products(struct front_parser *p); // wide64.c
void front_double_policy(struct front_parser *p, const struct whorl_compile_options *options);
// doubles/digits.c: where a double is cut off that has more digits than a float; NULL: nowhere.
const struct front_node *front_find_many_digits(const struct front_ast *ast);
void front_pair_doubles(struct front_parser *p, const struct whorl_compile_options *options); // pair.c
// double_policy.c: the unsuffixed constant of this token as a float, and how it is then written.
double front_float_constant(struct front_parser *p, uint32_t token, const char **out_text);

#endif
