// A preprocessed C file as `whorl cc` sees it: its tokens with their places in the text, its declarations and its
// statements, found on tokens alone. Internal to this room.
//
// The file is whatever the system's compiler takes: what is not understood here is stepped over. A region is only
// moved when the front-end has read all that it reaches (judge.c), so a mistake here costs a region, never a result.
#ifndef WHORL_CC_SOURCE_H
#define WHORL_CC_SOURCE_H

#include <string.h>

#include "base/base.h"
#include "front/text/token.h"

struct cc_token {
    const char *text;  // interned; of a pragma: "omp", its words follow up to FRONT_TOK_PRAGMA_END
    uint32_t at, size; // in the text; of a pragma the whole line, from its #
    uint32_t line;     // in the file that the program came from
    uint16_t file;     // index into cc_source.files
    uint16_t kind;     // enum front_token_kind
};

enum cc_derive { CC_POINTER, CC_ARRAY, CC_FUNCTION };
enum { CC_MAX_DERIVE = 8 };
enum cc_name_kind { CC_VARIABLE, CC_TYPE, CC_ROUTINE, CC_CONSTANT };
struct cc_derivation {
    uint8_t kind;      // enum cc_derive
    uint32_t from, to; // tokens between the brackets
};
// A declared name. It is visible from the token `from` to the token `to`.
struct cc_name {
    const char *text;
    const char *said; // a member: "s->x", as the user's function says it; NULL: as `text`
    // each.c: of an array of members "s->list[0].x" the first struct, "s->list[0]", and the array's bytes from the
    // member on, if they are known; else NULL
    const char *each, *each_bytes;
    const char
        *pointed; // each.c: "x" of an array of members "list[0]->x" of the structs that pointers lead to; else NULL
    uint8_t kind; // enum cc_name_kind
    bool is_file, is_param, is_static, is_register, is_extern, is_const, is_volatile, is_thread, has_init;
    bool is_odd;                 // declared in a way that cannot be said again elsewhere
    uint32_t from, to, at;       // `at`: its name's token
    uint32_t spec_from, spec_to; // specifiers; where their typedef hides arrays or pointers, the typedef's own
    bool is_tail;                // a member: the array in which a struct's memory goes on, `data[]`
    bool is_unfolded;            // it did, and `derive` has them, too
    uint32_t said_from;          // where its declaration begins
    uint32_t end;                // behind its declarator, at the initialiser's = or what follows
    struct cc_derivation derive[CC_MAX_DERIVE]; // from the name outwards: int (*a)[4] is POINTER, ARRAY
    uint32_t derive_count;
    bool in_copy, is_set; // members.c: a copy of the struct reads the member; the region changes it
    // members.c: of a member that functions of the region use by the struct's name: the struct. The program has the
    // member at file scope.
    const struct cc_name *base;
    uint8_t room;         // threads_own.c: 0: nobody has asked; 1: yes; 2: no
    uint32_t kept_at;     // ... for what this use, or region, may see; 0: not known
    struct cc_name *next; // of the same hash
};

enum cc_node_kind { CC_BLOCK, CC_FOR, CC_LOOP, CC_BRANCH, CC_PRAGMA, CC_SIMPLE, CC_DECLARATION };
struct cc_node {
    uint8_t kind;      // enum cc_node_kind
    bool leaves;       // a return, goto or label stands in it, or a case of a switch around it
    bool is_entered;   // a label or such a case: what stands before it need not have run
    uint32_t from, to; // tokens
    struct cc_node *parent, *child, *last, *next;
};
struct cc_function {
    const char *name;
    uint32_t start;       // of its declaration
    uint32_t from, to;    // of its body
    struct cc_node *body; // NULL: not understood
    bool has_parallel;    // a parallel region stands in it, or in what it calls
    uint32_t next;        // 1 + the one before of the same hash, or 0
};

struct cc_part { // what stands between two line markers
    uint32_t from, to, line;
    uint16_t file;
};

struct cc_exit { // exits.c: tokens that the region's program says in another way
    uint32_t from, to;
    const char *text;
    bool is_warning; // a line to stderr, which the program goes on behind
};

struct cc_company { // neighbours.c: what is static in a function's file and the function needs: functions, constants
    const char *name;
    uint32_t from, to; // tokens
};
struct cc_import { // neighbours.c: a function of another file
    const char *name;
    struct cc_source *source;
    const struct cc_function *function; // NULL: none was found
    const char *differs, *path;         // ... that means the same: what it names, and the file
    struct cc_company *company;         // that this file lacks, in an order that C takes
    uint32_t company_count;
    uint64_t hash;
};

enum { CC_HASH = 4096 };
struct cc_source {
    struct base_cx *cx;
    struct front_names *names;
    const char *path, *text;
    size_t size, own_size; // what is behind `own_size` are functions of other files (neighbours.c)
    const char **files;    // as the line markers name them
    bool *is_user;         // by file: not a header of the system
    uint32_t file_count, file_cap;
    struct cc_token *tokens; // the last one is END
    uint32_t count, cap;
    struct cc_part *parts; // of the text
    uint32_t part_count, part_cap;
    struct cc_name *hash[CC_HASH];
    struct cc_name **declared; // in order
    uint32_t declared_count, declared_cap;
    struct cc_function *functions;
    uint32_t function_count, function_cap;
    uint32_t function_hash[CC_HASH]; // 1 + the last one
    bool *named_outside;             // reach.c: by function
    struct cc_targets {              // function_pointers.c
        const char **names;
        uint32_t count, cap;
    } * targets;
    const struct cc_name **unsure; // carried.c: arrays of threads that iterations set first, as it seems
    uint32_t unsure_count, unsure_cap;
    struct cc_once *once;    // region_program.c: what the programs of all regions ask of the file
    const char **local_tags; // of structs and unions that are declared inside of functions
    uint32_t local_tag_count, local_tag_cap;
    struct cc_tag { // struct TEXT {
        const char *text;
        uint32_t brace;
    } * tags;
    uint32_t tag_count, tag_cap;
    struct cc_exit *exits; // by place
    uint32_t exit_count, exit_cap;
    bool has_warnings, leaves_at_warnings; // the region that is looked at takes them for exits
    const struct cc_options *options;
    struct cc_source **neighbours; // neighbours.c: by number, those that were read
    struct cc_import **imports;
    uint32_t import_count, import_cap;
    uint32_t at; // while it is read: the current token
    uint32_t depth;
    bool failed; // in the function that is being read
};

// cut.c: cuts the text of `cc -E` into tokens.
void cc_cut(struct cc_source *s);
// What the front-end reads in place of the system's headers: its own.
void cc_put_headers(const struct cc_source *s, struct base_text *out);

// declare.c
uint32_t cc_hash_of(const char *text); // of an interned text
// The name as it is meant at a token; NULL: nothing is known of it.
struct cc_name *cc_find(const struct cc_source *s, const char *text, uint32_t at);
bool cc_is_declared_at(const struct cc_source *s, uint32_t at); // a declaration's name
bool cc_starts_declaration(const struct cc_source *s, uint32_t at);
// At a declaration: declares its names, up to `to`, and stands behind its `;`. `body`: a { that follows a declarator of
// a function, where the reading stops; 0: none.
void cc_read_declaration(struct cc_source *s, bool is_file, uint32_t *out_body);
// The members of the struct whose braces open at `body`: calls `take` for each until that returns true, and returns
// whether it did. A member has no name of its own where it is a struct without one.
bool cc_each_member(struct cc_source *s, uint32_t body, bool (*take)(void *user, const struct cc_name *member),
                    void *user);
// The parameters of the name that was declared last, visible from its body on.
void cc_read_params(struct cc_source *s, const struct cc_name *function);
// ... where they are declared between a list of their names and the body.
void cc_read_old_params(struct cc_source *s, const struct cc_name *function, uint32_t body);
uint32_t cc_skip_group(const struct cc_source *s, uint32_t at); // from an opening bracket to behind its partner
// What opens there are the arguments of a call: neither an expression in parentheses nor what is cast.
_Bool cc_is_called_with(const struct cc_source *s, uint32_t at);

// The part of a statement that a token is in.
const struct cc_node *cc_child_at(const struct cc_node *n, uint32_t at);
const struct cc_node *cc_statement_at(const struct cc_node *n, uint32_t at); // the innermost one
// statements.c
void cc_read_file(struct cc_source *s); // all declarations, and the statements of the user's functions

// exits.c: asserts, and statements that end the process, or warn.
void cc_find_exits(struct cc_source *s);
bool cc_is_exit(const struct cc_source *s, const struct cc_exit *e);
const struct cc_exit *cc_exit_at(const struct cc_source *s, uint32_t at); // NULL: the token is in none
void cc_say_instead(struct cc_source *s, uint32_t from, uint32_t to, const char *text);
void cc_find_flushes(struct cc_source *s); // flushes.c: those that programs go without

// statics.c: the text with static variables of functions of regions at file scope; NULL: as it is.
const char *cc_hoist_statics(struct cc_source *s, size_t *io_size);
// threads_own.c: a variable of each thread that regions only work in.
_Bool cc_is_room(struct cc_source *s, struct cc_name *name);
void cc_note_kept(struct cc_source *s, const char *text, uint32_t at); // it is none, for what stands there
// A statement sets a variable of the function before it uses it, if it does.
_Bool cc_is_set_first(struct cc_source *s, const struct cc_name *name, const struct cc_node *n);
// Each thread that comes to a region sets all of the variable before it uses it.
_Bool cc_is_cleared(struct cc_source *s, const struct cc_name *name, const struct cc_node *region);
// ... and of statements in turn: they may use it before they set it.
_Bool cc_is_used_unset(struct cc_source *s, const struct cc_name *name, const struct cc_node *list);
// neighbours.c: the function of that name in a file beside this one; NULL: none that means the same here.
const struct cc_import *cc_find_import(struct cc_source *s, const char *name);
// The text with functions of other files behind it that parallel regions call; NULL: there are none. Is one such a
// function?
const char *cc_append_imports(struct cc_source *s, size_t *io_size);
_Bool cc_is_appended(const struct cc_source *s, const struct cc_function *f);
// What an object says of a function that other files may call.
_Bool cc_is_exported(const struct cc_source *s, const struct cc_function *f);
uint64_t cc_function_hash(const struct cc_source *s, const struct cc_function *f);
// analyse.c
_Bool cc_has_word(const struct cc_source *s, const struct cc_node *pragma, const char *word); // beside its brackets
_Bool cc_is_parallel(const struct cc_source *s, const struct cc_node *n);  // a directive that begins a region
_Bool cc_holds_region(const struct cc_source *s, const struct cc_node *n); // such a one stands in it
// region.c: a tag of a struct that is declared inside of a function
_Bool cc_names_local_tag(const struct cc_source *s, uint32_t at);
// reach.c: NULL: no function of the file
const struct cc_function *cc_function_of(const struct cc_source *s, const char *text);
const struct cc_function *cc_called(const struct cc_source *s, uint32_t at);

static inline _Bool cc_is_pointer(const struct cc_name *name) {
    return name->derive_count == 1 && name->derive[0].kind == CC_POINTER;
}
// The one copy of a text that names are compared by.
static inline const char *cc_intern(struct cc_source *s, const char *text) {
    return front_intern(s->names, text, strlen(text));
}
static inline const char *cc_said(const struct cc_name *name) { return name->said ? name->said : name->text; }
static inline enum front_token_kind cc_kind(const struct cc_source *s, uint32_t at) { return s->tokens[at].kind; }
// Its parameters are declared between the list of their names and its body.
static inline _Bool cc_is_old(const struct cc_source *s, const struct cc_function *f) {
    return cc_kind(s, f->from - 1) == FRONT_P_SEMI;
}
static inline _Bool cc_is_assignment(enum front_token_kind kind) {
    return kind >= FRONT_P_ASSIGN && kind <= FRONT_P_PIPE_ASSIGN;
}
static inline _Bool cc_is_step(enum front_token_kind kind) { return kind == FRONT_P_INC || kind == FRONT_P_DEC; }
// Nothing but the size of what it names is asked.
static inline _Bool cc_is_measured(const struct cc_source *s, uint32_t at) {
    uint32_t before = at - (cc_kind(s, at - 1) == FRONT_P_LPAREN);
    return cc_kind(s, before - 1) == FRONT_KW_SIZEOF;
}
// What these tokens name is set there, or may be by its address; also in parentheses, as macros leave it: (x) += 1.
static inline _Bool cc_is_changed_at(const struct cc_source *s, uint32_t from, uint32_t behind) {
    for (;;) {
        enum front_token_kind before = cc_kind(s, from - 1), next = cc_kind(s, behind);
        if (cc_is_step(before) || before == FRONT_P_AMP || cc_is_step(next) || cc_is_assignment(next)) return 1;
        bool is_wrapped = before == FRONT_P_LPAREN && next == FRONT_P_RPAREN;
        if (!is_wrapped || from < 2 || cc_is_called_with(s, from - 1)) return 0;
        from--;
        behind++;
    }
}

#endif
