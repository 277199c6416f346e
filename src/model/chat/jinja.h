// The inside of the interpreter of templates: values, the tree, and who does what.
//
// A value is small and copied; texts, lists and dictionaries are memory of a work's arena, which ends with the
// rendering. Nothing is ever changed but namespaces, so that parts can be shared.
#ifndef WHORL_MODEL_JINJA_H
#define WHORL_MODEL_JINJA_H

#include "model/file/work.h"

enum jinja_kind {
    JINJA_UNDEFINED,
    JINJA_NONE,
    JINJA_BOOL,
    JINJA_INT,
    JINJA_FLOAT,
    JINJA_TEXT,
    JINJA_LIST,
    JINJA_DICT,
    JINJA_NAMESPACE, // a dictionary that `set` may change
    JINJA_FUNCTION,  // by its name
    JINJA_METHOD,    // by its name, of *self
    JINJA_MACRO
};
struct jinja_list;
struct jinja_dict;
struct jinja_node;
struct jinja_value {
    enum jinja_kind kind;
    uint32_t size_bytes; // of a text
    union {
        bool truth;
        int64_t integer;
        double real;
        const char *text; // of functions and methods, too: their names
        struct jinja_list *list;
        struct jinja_dict *dict;
        const struct jinja_node *macro;
    } as;
    const struct jinja_value *self;
};
struct jinja_list {
    struct jinja_value *items;
    uint32_t count, cap;
};
struct jinja_dict {
    struct jinja_value *keys, *values;
    uint32_t count, cap, value_cap;
};

enum jinja_op {
    // expressions
    NODE_LITERAL,
    NODE_NAME,
    NODE_LIST,
    NODE_DICT, // children: key, value, key, ...
    NODE_NOT,
    NODE_MINUS,
    NODE_BINARY,
    NODE_AND,
    NODE_OR,
    NODE_CHOICE,    // value, condition, otherwise (or NULL)
    NODE_ATTRIBUTE, // object; text
    NODE_INDEX,     // object, index
    NODE_SLICE,     // object, begin, end, step (each may be NULL)
    NODE_CALL,      // callee, arguments
    NODE_FILTER,    // value, arguments; text
    NODE_TEST,      // value, arguments; text
    NODE_ARGUMENT,  // value; text: its name
    // statements
    NODE_TEXT,
    NODE_OUTPUT,
    NODE_BLOCK,
    NODE_IF,    // condition, then, otherwise (or NULL)
    NODE_FOR,   // iterable, condition (or NULL), body, otherwise (or NULL); names
    NODE_SET,   // value (or a block, whose text it is); names, or one name and text: an attribute
    NODE_MACRO, // body, defaults of the last parameters; text: its name; names
    NODE_BREAK,
    NODE_CONTINUE
};
enum jinja_binary {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_FLOOR_DIV,
    OP_MOD,
    OP_JOIN,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_IN,
    OP_NOT_IN
};
struct jinja_node {
    enum jinja_op op;
    uint32_t line;
    enum jinja_binary binary;
    struct jinja_value value;
    const char *text;
    const struct jinja_node **children;
    uint32_t count, cap;
    const char **names;
    uint32_t name_count, name_cap;
};

// ---- jinja_lex.c ----
enum jinja_token_kind {
    TOKEN_TEXT,
    TOKEN_OUTPUT,
    TOKEN_OUTPUT_END,
    TOKEN_BLOCK,
    TOKEN_BLOCK_END,
    TOKEN_NAME,
    TOKEN_STRING,
    TOKEN_NUMBER,
    TOKEN_OP,
    TOKEN_END
};
struct jinja_token {
    enum jinja_token_kind kind;
    uint32_t line;
    struct jinja_value value; // of strings and numbers
    const char *text;         // names and operators, NUL-terminated
};
struct jinja_token *jinja_lex(struct model_work *w, const char *text, size_t size_bytes, uint32_t *out_count);

// ---- jinja_parse.c, jinja_expression.c ----
enum { JINJA_MAX_DEPTH = 96, JINJA_MAX_EVALUATION = 400 };
struct jinja_parser {
    struct model_work *w;
    const struct jinja_token *tokens, *at;
    uint32_t depth;
};
const struct jinja_node *jinja_parse(struct model_work *w, const struct jinja_token *tokens);
struct jinja_node *jinja_node_make(struct jinja_parser *p, enum jinja_op op);
void jinja_node_add(struct jinja_parser *p, struct jinja_node *node, const struct jinja_node *child);
void jinja_node_name(struct jinja_parser *p, struct jinja_node *node, const char *name);
const struct jinja_node *jinja_parse_expression(struct jinja_parser *p);
const struct jinja_node *jinja_parse_tuple(struct jinja_parser *p); // or one expression
bool jinja_is(const struct jinja_parser *p, const char *text);      // an operator or a name
bool jinja_take(struct jinja_parser *p, const char *text);
void jinja_expect(struct jinja_parser *p, const char *text);
const char *jinja_take_name(struct jinja_parser *p);
void jinja_enter(struct jinja_parser *p); // refuses what is nested too deep

// ---- running ----
struct jinja_scope {
    struct jinja_dict names;
    struct jinja_scope *outer;
};
struct jinja {
    struct model_work *w;
    struct jinja_scope *top, *scope;
    struct base_text out;
    uint64_t steps;
    uint32_t line, depth;
    int64_t now_s;
    bool breaks, continues;
};
_Noreturn void jinja_fail(struct jinja *j, const char *format, ...) BASE_PRINTF(2, 3);
void jinja_step(struct jinja *j, uint64_t work);
struct jinja_value jinja_evaluate(struct jinja *j, const struct jinja_node *node);
void jinja_run(struct jinja *j, const struct jinja_node *node);
struct jinja_value jinja_run_macro(struct jinja *j, const struct jinja_node *macro, const struct jinja_node *call);
bool jinja_find_name(const struct jinja *j, const char *name, struct jinja_value *out);
void jinja_set_name(struct jinja *j, struct jinja_scope *scope, const char *name, struct jinja_value value);

// Arguments of a call, evaluated. Positions first; a name that is not among them is looked for by name.
enum { JINJA_MAX_ARGUMENTS = 8 };
struct jinja_arguments {
    struct jinja_value values[JINJA_MAX_ARGUMENTS];
    const char *names[JINJA_MAX_ARGUMENTS]; // NULL: by position
    uint32_t count;
};
// Those of node's children from `first` on.
void jinja_take_arguments(struct jinja *j, const struct jinja_node *node, uint32_t first, struct jinja_arguments *out);
// The one at `position` or with this name; `otherwise` where it is not given.
struct jinja_value jinja_argument(const struct jinja_arguments *a, uint32_t position, const char *name,
                                  struct jinja_value otherwise);

struct jinja_value jinja_filter(struct jinja *j, const char *name, struct jinja_value value,
                                const struct jinja_arguments *a);
bool jinja_test(struct jinja *j, const char *name, struct jinja_value value, const struct jinja_arguments *a);
struct jinja_value jinja_call_function(struct jinja *j, const char *name, const struct jinja_arguments *a);
bool jinja_is_function(const char *name);
struct jinja_value jinja_call_method(struct jinja *j, const struct jinja_value *self, const char *name,
                                     const struct jinja_arguments *a);
bool jinja_has_method(const struct jinja_value *self, const char *name);

// ---- jinja_value.c ----
struct jinja_value jinja_undefined(void);
struct jinja_value jinja_bool(bool truth);
struct jinja_value jinja_int(int64_t integer);
struct jinja_value jinja_real(double real);
struct jinja_value jinja_text_of(const char *text, size_t size_bytes);
struct jinja_value jinja_text(const char *text); // NUL-terminated
struct jinja_value jinja_list_make(struct jinja *j);
struct jinja_value jinja_dict_make(struct jinja *j, enum jinja_kind kind);
void jinja_list_add(struct jinja *j, struct jinja_list *list, struct jinja_value value);
void jinja_dict_set(struct jinja *j, struct jinja_dict *dict, struct jinja_value key, struct jinja_value value);
const struct jinja_value *jinja_dict_find(const struct jinja_dict *dict, const struct jinja_value *key); // NULL: none
struct jinja_value jinja_of_json(struct jinja *j, yyjson_val *value);

bool jinja_truth(const struct jinja_value *v);
bool jinja_equal(struct jinja *j, const struct jinja_value *a, const struct jinja_value *b);
int jinja_compare(struct jinja *j, const struct jinja_value *a,
                  const struct jinja_value *b); // refuses what has no order
bool jinja_contains(struct jinja *j, const struct jinja_value *whole, const struct jinja_value *part);
bool jinja_is_number(const struct jinja_value *v);
double jinja_number(const struct jinja_value *v);
size_t jinja_length(struct jinja *j, const struct jinja_value *v); // characters, items
// What iterating gives: items, keys, characters. Refuses what cannot be iterated.
struct jinja_list *jinja_items(struct jinja *j, const struct jinja_value *v);
const char *jinja_kind_name(const struct jinja_value *v);

// ---- jinja_print.c ----
void jinja_print(struct jinja *j, struct base_text *out, const struct jinja_value *v); // as str() of Python
struct jinja_value jinja_string(struct jinja *j, const struct jinja_value *v);
// As json.dumps(ensure_ascii=False): indent < 0 is one line.
void jinja_print_json(struct jinja *j, struct base_text *out, const struct jinja_value *v, int indent, int depth);

#endif
