// Whether whorl takes a region, and in which form its variables go along: the front-end reads the region's program, its
// answer decides the forms, and a trial of the whole compiler with small sizes has the last word.
#include <ctype.h>
#include <string.h>

#include "cc/lone_loop.h"
#include "cc/region.h"
#include "front/parse/parse.h"
#include "front/print/outline.h"
#include "front/print/print.h"

// What one reading of the unit finds. Everything but `program` lives in the context of the reading.
struct reading {
    const char *text; // of the region, as it was read last
    const char *next; // as it is to be read next; NULL: it is not written yet
    struct base_cx cx;
    struct cc_region *region;
    struct front_ast *ast;
    const struct front_function *entry;
    uint64_t compared, equated; // compared_kinds
};

// ---- why not --------------------------------------------------------------------------------------------------------

// A function of the system's headers that the front-end has never heard of; NULL: the text is about something else.
static const char *unknown_function(struct cc_region *r, const char *text) {
    static const char begins[] = "call to undeclared function '";
    if (strncmp(text, begins, sizeof begins - 1) != 0) return NULL;
    const char *name = text + sizeof begins - 1;
    const char *own = front_intern(r->source->names, name, strcspn(name, "'"));
    const struct cc_name *declared = cc_find(r->source, own, r->node->from);
    if (!declared || declared->kind != CC_ROUTINE || r->source->is_user[r->source->tokens[declared->at].file])
        return NULL;
    return base_format(r->source->cx, "`%s` stays on the CPU: call it outside of the loops", own);
}

// Of a function of another file that stays there; NULL: the text is about something else.
static const char *stays_elsewhere(const struct cc_region *r, const char *text) {
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < s->import_count; i++) {
        const struct cc_import *m = s->imports[i];
        const char *begin = base_format(s->cx, "'%s' is called and defined nowhere", m->name);
        if (!m->differs || strncmp(text, begin, strlen(begin)) != 0) continue;
        return base_format(s->cx,
                           "'%s' of %s names '%s', which is static there, or means something else here: define the "
                           "function in this file, or as `static inline` in a header",
                           m->name, m->path, m->differs);
    }
    return NULL;
}

// Of a struct that the device cannot have because pointers are in it: its name is the first word. NULL: it is none.
static const char *pointers_inside(const struct cc_region *r, const char *text) {
    if (!strstr(text, ": the fields of a struct that is passed must be")) return NULL;
    for (uint32_t i = 0; i < r->var_count; i++) {
        struct cc_name name = *r->vars[i].name;
        size_t size = strlen(name.text);
        const char *own =
            text + 1 + (strncmp(text + 1, CC_PREFIX, sizeof CC_PREFIX - 1) == 0 ? sizeof CC_PREFIX - 1 : 0);
        name.derive_count = 0;
        if (strncmp(own, name.text, size) == 0 && own[size] == '\'' && cc_holds_pointers(r->source, &name))
            return base_format(r->source->cx,
                               "'%s': the fields of a struct that is passed must be numbers, and these are pointers: "
                               "name its members in the region, as in s->x[i] or list[k].x[i], or keep such pointers "
                               "in an array of their own",
                               name.text);
    }
    return NULL;
}

// Of a table of rows, which is one array on the device, behind another pointer to pointers: "... of incompatible type
// 'double (*)[ccv_t_1]'". NULL: it is something else.
static const char *table_elsewhere(const struct cc_region *r, const char *text) {
    const char *type = strstr(text, "incompatible type") ? strstr(text, "(*)[" CC_PREFIX) : NULL;
    if (!type) return NULL;
    type += sizeof "(*)[" CC_PREFIX - 1;
    size_t all = strcspn(type, "]"), size = all;
    while (size && type[size - 1] != '_')
        size--;
    return size < 2 ? NULL
                    : base_format(r->source->cx,
                                  "the table '%.*s' is one array on the device: name it where its rows are used, "
                                  "%.*s[i][k], in place of another pointer to pointers",
                                  (int)size - 1, type, (int)size - 1, type);
}

// A pointer to a row that the region sets, `a[i] = row`: "array type 'float [ccv_a_1]' is not assignable". NULL: it is
// something else.
static const char *row_is_set(const struct cc_region *r, const char *text) {
    const char *type = strstr(text, "is not assignable") ? strstr(text, "[" CC_PREFIX) : NULL;
    if (!type) return NULL;
    type += sizeof "[" CC_PREFIX - 1;
    size_t size = strcspn(type, "]");
    while (size && type[size - 1] != '_')
        size--;
    return size < 2 ? NULL
                    : base_format(r->source->cx,
                                  "'%.*s' leads to rows, and one of its pointers is set here: set them outside of the "
                                  "region, or copy the row's elements",
                                  (int)size - 1, type);
}

static bool note_array(void *user, const struct cc_name *member) {
    const char **out = user;
    if (member->derive_count && member->derive[0].kind == CC_ARRAY) *out = member->text;
    return *out != NULL;
}

// Of a section that is for the CPU alone, and keeps a struct with an array as the best of all: what stands in the way.
static const char *best_with_array(const struct cc_region *r, const char *text, uint32_t line) {
    struct cc_source *s = r->source;
    if (!strstr(text, "this 'critical' is for the CPU alone")) return NULL;
    const struct cc_node *section = r->node;
    for (uint32_t at = r->node->from; at < r->node->to; at++)
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA && s->tokens[at].line == line) section = cc_statement_at(r->node, at);
    for (uint32_t at = section->from; at + 1 < section->to && section != r->node; at++) {
        const char *array = NULL;
        if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) != FRONT_P_ASSIGN) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        uint32_t body = name && name->kind == CC_VARIABLE && !name->derive_count ? cc_struct_body(s, name) : 0;
        if (!body || !cc_each_member(s, body, note_array, &array)) continue;
        return base_format(s->cx,
                           "this 'critical' keeps '%s' as a whole, with the array '%s' in it: on a GPU a section keeps "
                           "the best and some numbers beside it; keep the place, `at = i`, and copy '%s' from there "
                           "behind the loop",
                           name->text, array, name->text);
    }
    return NULL;
}

// A function whose struct goes to it member by member, and another one as a whole. NULL: it is something else.
static const char *handed_in_two_ways(const struct cc_region *r, const char *text, uint32_t line) {
    const struct cc_source *s = r->source;
    if (!strstr(text, "arguments to function call, expected")) return NULL;
    for (uint32_t i = 0; i < r->handed_count; i++) {
        const struct cc_function *f = r->handed[i]->function;
        for (uint32_t at = 0; at < s->count && r->handed[i]->is_used; at++)
            if (s->tokens[at].line == line && cc_called(s, at) == f)
                return base_format(s->cx,
                                   "'%s' of the file is handed members of a struct that holds pointers, and other "
                                   "structs in another call: write it twice",
                                   f->name);
    }
    return NULL;
}

// The first error of a text of diagnostics, in one line: "file.c:12:5: error: TEXT" is TEXT, line 12.
void cc_take_reason(struct cc_region *r, const char *text) {
    const char *error = strstr(text, "error: ");
    uint32_t line = 0;
    if (error) {
        const char *p = error;
        while (p > text && p[-1] != '\n')
            p--;
        const char *colon = strchr(p, ':');
        while (colon && colon < error && !isdigit((unsigned char)colon[1]))
            colon = strchr(colon + 1, ':');
        for (p = colon ? colon + 1 : error; p < error && isdigit((unsigned char)*p); p++)
            line = line * 10 + (uint32_t)(*p - '0');
        text = error + 7;
    }
    const char *unknown = unknown_function(r, text);
    if (unknown) text = unknown;
    const char *inside = pointers_inside(r, text), *elsewhere = table_elsewhere(r, text),
               *stays = stays_elsewhere(r, text), *row = row_is_set(r, text);
    if (inside) text = inside;
    if (stays) text = stays;
    if (elsewhere) text = elsewhere;
    if (row) text = row;
    const char *two_ways = handed_in_two_ways(r, text, line);
    if (two_ways) text = two_ways;
    const char *best = best_with_array(r, text, line);
    if (best) text = best;
    if (strstr(text, "_IO_FILE"))
        text =
            "files stay on the CPU: read and write outside of the region, or in a `single` or `master` of it that has "
            "nothing to do with the rest";
    cc_refuse(r, line, "%s", base_strndup(r->source->cx, text, strcspn(text, "\n")));
}

// ---- what the program must not do -----------------------------------------------------------------------------------

// Functions that are bound to this process, its threads, its memory or its files.
static const char *const bound[] = {
    "printf", "puts",   "putchar",  "fprintf",      "malloc",        "calloc",  "realloc", "free",   "aligned_alloc",
    "assert", "exit",   "abort",    "rand",         "srand",         "fputs",   "fputc",   "putc",   "fwrite",
    "fread",  "fgets",  "fgetc",    "getc",         "getchar",       "scanf",   "fscanf",  "sscanf", "sprintf",
    "fopen",  "fclose", "snprintf", "fflush",       "perror",        "getenv",  "time",    "clock",  "strdup",
    "usleep", "sleep",  "random",   "gettimeofday", "clock_gettime", "drand48", "lrand48", "fseek",  "rewind",
    "atof",   "atoi",   "atol",     "strtod",       "strtol",        "strtok"};

// What the macros of ctype.h become in glibc.
static const char *const letters[] = {"__ctype_b_loc",
                                      "__ctype_toupper_loc",
                                      "__ctype_tolower_loc",
                                      "isalpha",
                                      "isdigit",
                                      "isspace",
                                      "isalnum",
                                      "isupper",
                                      "islower",
                                      "ispunct",
                                      "isxdigit",
                                      "toupper",
                                      "tolower"};

static bool is_among(const struct front_token *t, const char *const *list, size_t count) {
    bool found = false;
    for (size_t i = 0; i < count && t[1].kind == FRONT_P_LPAREN; i++)
        found = found || strcmp(t->text, list[i]) == 0;
    return found;
}

static bool is_users(struct cc_source *s, const char *function) {
    return cc_function_of(s, cc_intern(s, function)) != NULL;
}

// An array by name is a pointer in the program: its sizeof would be another one. So would those of pointers to rows.
static bool check_sizeof(struct cc_region *r, const struct base_cx *cx, const struct front_token *tokens, uint32_t at) {
    uint32_t line = cx->locs[tokens[at].loc].line, depth = 0;
    while (tokens[++at].kind == FRONT_P_LPAREN || tokens[at].kind == FRONT_P_STAR)
        depth += tokens[at].kind == FRONT_P_STAR;
    if (tokens[at].kind != FRONT_TOK_IDENT) return true;
    const char *text = tokens[at].text;
    uint32_t rows = cc_is_handed(r, text) ? 2 : 0;
    bool is_whole = false;
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (strcmp(r->vars[i].name->text, text) != 0) continue;
        is_whole = is_whole || r->vars[i].form == CC_WHOLE;
        if (cc_has_rows(r->vars[i].name)) rows = r->vars[i].name->derive_count;
    }
    for (uint32_t i = 0; i < r->table_count; i++) // of an iteration (scratch.c)
        if (strcmp(r->tables[i]->text, text) == 0) rows = 2;
    uint32_t behind = at + 1;
    while (tokens[behind].kind == FRONT_P_RPAREN)
        behind++;
    if (tokens[behind].kind == FRONT_P_LBRACKET) at = behind - 1; // (a)[0], as macros leave it
    for (uint32_t open = 0; tokens[++at].kind == FRONT_P_LBRACKET || open;) {
        depth += tokens[at].kind == FRONT_P_LBRACKET && !open;
        open += (tokens[at].kind == FRONT_P_LBRACKET) - (tokens[at].kind == FRONT_P_RBRACKET);
    }
    if (depth < rows || (is_whole && !depth))
        return cc_refuse(r, line, "sizeof of the array '%s': write its size", text);
    return true;
}

static const char size_of[] = CC_PREFIX "size_";
enum { SIZE_OF_LENGTH = sizeof size_of - 1 };

// Does the text from a number of bytes on to its operator say that it is divided by another, which stands behind it?
static bool is_divided(const struct front_token *tokens, uint32_t at) {
    uint32_t open = 0;
    for (at++; tokens[at].kind != FRONT_P_SLASH || open; at++) {
        enum front_token_kind kind = tokens[at].kind;
        if (kind == FRONT_TOK_END || kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE)
            return false;
        open += kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET;
        if ((kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACKET) && open) open--;
        if (!open && (kind == FRONT_P_PLUS || kind == FRONT_P_MINUS || kind == FRONT_P_COMMA)) return false;
    }
    while (tokens[++at].kind == FRONT_P_LPAREN)
        continue;
    return tokens[at].kind == FRONT_KW_SIZEOF;
}

// Is what stands in front of an operator sizeof of something, or the size of an array (region_program.c)?
static bool is_size_before(const struct front_token *tokens, uint32_t at) {
    while (at-- > 0) {
        enum front_token_kind kind = tokens[at].kind;
        if (kind == FRONT_KW_SIZEOF ||
            (kind == FRONT_TOK_IDENT && strncmp(tokens[at].text, size_of, SIZE_OF_LENGTH) == 0))
            return true;
        if (kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_COMMA || kind == FRONT_P_ASSIGN ||
            kind == FRONT_P_PLUS || kind == FRONT_P_MINUS || kind == FRONT_P_SLASH)
            return false;
    }
    return false;
}

// Doubles that are floats have another size on the device. Nobody sees that of bytes that are copied, set or allocated,
// or of a quotient.
static bool is_size_of_memory(const struct front_token *tokens, uint32_t at) {
    static const char *const functions[] = {"memcpy", "memmove", "memset"};
    uint32_t closed = 0, k = at;
    if (is_divided(tokens, at)) return true;
    while (k > 0 && tokens[k - 1].kind == FRONT_P_LPAREN)
        k--;
    if (k > 0 && tokens[k - 1].kind == FRONT_P_SLASH && is_size_before(tokens, k - 1)) return true;
    for (k = at; k-- > 1 && tokens[k].kind != FRONT_P_SEMI && tokens[k].kind != FRONT_P_LBRACE;) {
        if (tokens[k].kind == FRONT_P_RPAREN) closed++;
        if (tokens[k].kind != FRONT_P_LPAREN) continue;
        if (closed)
            closed--;
        else if (is_among(&tokens[k - 1], functions, sizeof functions / sizeof *functions) ||
                 (tokens[k - 1].kind == FRONT_TOK_IDENT && strstr(tokens[k - 1].text, "alloc")))
            return true;
    }
    return false;
}

static bool check_double_sizes(struct cc_region *r, const struct base_cx *cx, const struct front_ast *ast) {
    const struct front_token *tokens = ast->tokens;
    for (uint32_t i = 0; i < ast->double_size_count; i++) {
        uint32_t at = ast->double_sizes[i], bad = is_size_of_memory(tokens, at) ? 0 : at;
        if (at > 3 && tokens[at - 1].kind == FRONT_P_STAR &&
            strncmp(tokens[at - 2].text, size_of, SIZE_OF_LENGTH) == 0) { // region_program.c: of an array
            const char *name = tokens[at - 4].text;
            for (uint32_t k = bad = 0; k < ast->token_count && !bad; k++)
                if (tokens[k].kind == FRONT_TOK_IDENT && strcmp(tokens[k].text, name) == 0 && k > at &&
                    !is_size_of_memory(tokens, k))
                    bad = k;
        }
        if (bad)
            return cc_refuse(r, cx->locs[tokens[bad].loc].line,
                             "sizeof of doubles, which are floats here, is another number: compute it outside of the "
                             "region, or use -fdouble=pair");
    }
    return true;
}

// A function of OpenMP's library. The other names of `omp_` are those of `declare reduction`, and values of clauses.
static bool is_library_name(const char *text) {
    size_t size = strlen(text);
    if (strstr(text, "_hint_") || (size > 10 && strcmp(text + size - 10, "_mem_alloc") == 0)) return false;
    static const char *const values[] = {"omp_out", "omp_in", "omp_priv", "omp_orig"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(text, values[i]) == 0) return false;
    return strncmp(text, "omp_", 4) == 0;
}

// A call that prints, to the standard output: its name stands in the brackets behind it.
static bool is_print(const struct front_token *tokens, uint32_t at) {
    if (tokens[at].kind != FRONT_TOK_IDENT || tokens[at + 1].kind != FRONT_P_LPAREN) return false;
    bool to_stdout = false;
    for (uint32_t i = at + 2, open = 1; open && tokens[i].kind != FRONT_TOK_END; i++) {
        open += (tokens[i].kind == FRONT_P_LPAREN) - (tokens[i].kind == FRONT_P_RPAREN);
        to_stdout = to_stdout || (open == 1 && tokens[i].kind == FRONT_TOK_IDENT && !strcmp(tokens[i].text, "stdout"));
    }
    return cc_is_print(tokens[at].text, to_stdout);
}

// All that print are those that prints.c has found.
static bool may_print(const struct cc_region *r, const struct front_token *tokens, uint32_t count) {
    uint32_t prints = 0;
    for (uint32_t i = 0; i + 1 < count; i++)
        prints += !(tokens[i].flags & FRONT_TOKEN_BUILTIN) && is_print(tokens, i);
    return prints == r->print_count;
}

static bool check_names(struct cc_region *r, const struct base_cx *cx, const struct front_token *tokens,
                        uint32_t count) {
    bool prints = may_print(r, tokens, count);
    if (cc_waits_for_ever(r))
        return cc_refuse(r, r->source->tokens[r->node->from].line,
                         "a task of the file has `detach`, so that tasks may end behind the region");
    for (uint32_t i = 0; i < count; i++) {
        if (tokens[i].kind == FRONT_KW_SIZEOF && !check_sizeof(r, cx, tokens, i)) return false;
        if (tokens[i].flags & FRONT_TOKEN_BUILTIN || tokens[i].kind != FRONT_TOK_IDENT) continue;
        uint32_t line = cx->locs[tokens[i].loc].line;
        bool is_number = strcmp(tokens[i].text, "omp_get_thread_num") == 0;
        if (strcmp(tokens[i].text, "omp_lock_t") == 0) continue; // of a member: what is done with one has other names
        if (r->team && (is_number || (r->by_threads && strcmp(tokens[i].text, "omp_get_num_threads") == 0))) continue;
        if (!r->team && r->team_reason && is_library_name(tokens[i].text))
            return cc_refuse(r, r->team_line, "%s", r->team_reason);
        if (is_library_name(tokens[i].text) && strstr(tokens[i].text, "_lock"))
            return cc_refuse(r, line, "`%s`: locks stay on the CPU: use reduction, or atomic", tokens[i].text);
        if (strcmp(tokens[i].text, "omp_get_wtime") == 0 || strcmp(tokens[i].text, "omp_get_wtick") == 0)
            return cc_refuse(r, line, "`%s`: the clock stays on the CPU: read it outside of the loops", tokens[i].text);
        if (is_library_name(tokens[i].text))
            return cc_refuse(
                r, line,
                "`%s`: threads of the CPU have no equal on the GPU; write the loop as a `for`, and sums of "
                "each thread as reduction(+ : x) or reduction(+ : x[:n])",
                tokens[i].text);
        if (is_users(r->source, tokens[i].text) || (prints && is_print(tokens, i))) continue;
        if (is_print(tokens, i))
            return cc_refuse(r, line,
                             r->is_loop ? "`%s` stays on the CPU: it prints between the loop's regions, which so move "
                                          "one by one"
                                        : "`%s` stays on the CPU here: print by a statement of an iteration, of "
                                          "`single` or `master`, or behind the region",
                             tokens[i].text);
        if (is_among(&tokens[i], bound, sizeof bound / sizeof *bound))
            return cc_refuse(r, line, "`%s` stays on the CPU: call it outside of the loops", tokens[i].text);
        if (is_among(&tokens[i], letters, sizeof letters / sizeof *letters))
            return cc_refuse(r, line,
                             "functions of ctype.h (isalpha, toupper ...) depend on the program's locale and stay on "
                             "the CPU: compare characters, c >= 'a' && c <= 'z'");
    }
    return true;
}

static bool check_loops(struct reading *g) {
    const struct front_node *loop = g->region->is_loop ? cc_lone_loop(&g->cx, g->entry->body->a) : NULL;
    if (!loop) return true;
    return cc_refuse(g->region, g->cx.locs[loop->loc].line, "a loop in it is not parallel");
}

// ---- reading --------------------------------------------------------------------------------------------------------

static const struct front_symbol *find_local(const struct front_function *entry, const char *name) {
    for (const struct front_node *n = entry->body->a; n; n = n->next)
        if (n->kind == FRONT_DECL && strcmp(n->symbol->name, name) == 0) return n->symbol;
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (strcmp(entry->params[i]->name, name) == 0) return entry->params[i];
    return NULL;
}

static const struct front_symbol *find_global(const struct front_ast *ast, const char *name) {
    for (uint32_t i = 0; i < ast->global_count; i++)
        if (ast->globals[i]->kind == FRONT_SYM_GLOBAL && strcmp(ast->globals[i]->name, name) == 0)
            return ast->globals[i];
    return NULL;
}

static const struct front_type *element_of(const struct front_type *type) {
    while (type->kind == FRONT_POINTER || type->kind == FRONT_ARRAY)
        type = type->base;
    return type;
}

static bool is_constant_type(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY)
        type = type->base;
    return type->quals & FRONT_CONST;
}

// Are pointers compared, or asked whether they are NULL? A set of the kinds of what they lead to.
static void look_for_comparison(void *user, struct front_node **place) {
    const struct front_node *n = *place;
    bool asks = (n->kind == FRONT_BINARY && n->op >= FRONT_OP_EQ && n->op <= FRONT_OP_GE) || n->kind == FRONT_CAST ||
                n->kind == FRONT_PTR_DIFF;
    if (!asks || n->a->type->kind != FRONT_POINTER || (n->kind == FRONT_CAST && n->type->kind != FRONT_BOOL)) return;
    *(uint64_t *)user |= UINT64_C(1) << element_of(n->a->type)->kind;
}
static bool is_null(const struct front_node *n) {
    while (n->kind == FRONT_CAST)
        n = n->a;
    return n->kind == FRONT_INT;
}

// Are two of them asked whether they are the same?
static void look_for_equality(void *user, struct front_node **place) {
    const struct front_node *n = *place;
    if (n->kind != FRONT_BINARY || (n->op != FRONT_OP_EQ && n->op != FRONT_OP_NE)) return;
    if (n->a->type->kind != FRONT_POINTER || is_null(n->a) || is_null(n->b)) return;
    *(uint64_t *)user |= UINT64_C(1) << element_of(n->a->type)->kind;
}

static uint64_t compared_kinds(struct front_ast *ast, void (*look)(void *user, struct front_node **place)) {
    uint64_t kinds = 0;
    for (uint32_t i = 0; i < ast->function_count; i++)
        if (ast->functions[i]->body) front_walk(&ast->functions[i]->body, look, &kinds);
    return kinds & UINT64_C(1) << FRONT_VOID ? UINT64_MAX : kinds;
}

// Sets of one variable what the reading says of it. Returns false if the region has a reason now.
static bool learn(struct reading *g, struct cc_variable *v) {
    const struct front_symbol *s =
        v->through ? find_global(g->ast, v->name->text) : find_local(g->entry, v->name->text);
    uint32_t line = g->region->source->tokens[v->name->at].line;
    if (!s) return cc_refuse(g->region, line, "'%s' was not found in the program", v->name->text);
    const struct front_type *element = element_of(s->type);
    bool written = v->through ? s->written_again : s->written;   // the entry sets it
    bool is_const = v->name->is_const && !v->name->derive_count; // who has its address leaves it alone
    v->is_written = !is_const && (v->is_written || written || s->address_taken);
    v->is_pair = front_is_pair(element);
    v->is_struct = element->kind == FRONT_STRUCT && !v->is_pair;
    v->is_doubles = v->is_struct && front_was_doubles(element);
    v->layout = NULL;
    if (v->is_struct && !v->is_doubles && front_has_doubles(element)) {
        v->layout = cc_layout(g->region->source->cx, element);
        if (!v->layout)
            return cc_refuse(g->region, line,
                             "'%s': a struct of doubles and a union, or of more than 16 KB: name its members in the "
                             "region, or use -fdouble=pair",
                             v->name->text);
    }
    v->is_real = front_is_float(element);
    v->is_compared = g->compared >> element->kind & 1;
    v->is_equated = g->equated >> element->kind & 1;
    bool is_array = v->form == CC_WHOLE || v->form == CC_REACH;
    if (is_array && (element->kind == FRONT_VOID || element->kind == FRONT_FUNCTION))
        return cc_refuse(g->region, line, "'%s' points to no type", v->name->text);
    if (cc_has_rows(v->name) && (v->through || (v->form == CC_REACH && v->is_written && !v->is_exchanged)))
        return cc_refuse(g->region, line,
                         "'%s' leads to pointers, and %s; allocate one array of all rows and use a pointer to a row, "
                         "(*%s)[COLUMNS]",
                         v->name->text, v->through ? "functions use it by its name" : "it changes", v->name->text);
    if (v->form == CC_SCRATCH) return true;
    if (cc_is_function_pointer(v->name) && (v->is_written || v->is_scratch))
        return cc_refuse(g->region, line, "'%s' points to a function, and changes: declare it inside of the region",
                         v->name->text);
    if (v->form == CC_VALUE && v->is_scratch) {
        v->form = CC_SCRATCH;
    } else if (v->form == CC_VALUE && (v->is_written || v->is_struct || v->is_pair)) { // a pair would be compiled in
        v->form = CC_CELL;
    } else if (v->form == CC_REACH && v->is_written) {
        if (v->is_scratch)
            v->form = CC_SCRATCH;
        else
            v->moves = !v->is_dead;
    }
    return true;
}

// A member that the program has at file scope: it was there from the beginning.
static bool is_member(const struct cc_region *r, const char *text) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].name->base && r->vars[i].name->text == text) return true;
    return false;
}

// Variables at file scope that functions of the region name.
static bool learn_globals(struct reading *g) {
    struct cc_region *r = g->region;
    struct cc_source *s = r->source;
    for (uint32_t i = 0; i < g->ast->global_count; i++) {
        const struct front_symbol *symbol = g->ast->globals[i];
        uint32_t line = g->cx.locs[symbol->loc].line;
        if (!symbol->used || symbol->builtin) continue;
        if (strncmp(symbol->name, CC_PREFIX "large_", sizeof CC_PREFIX "large_" - 1) == 0 || // large.c
            strncmp(symbol->name, CC_PREFIX "size_", sizeof CC_PREFIX "size_" - 1) == 0 ||   // region_program.c
            strcmp(symbol->name, CC_SETTING) == 0)                                           // set_threads.c
            continue;
        if (symbol->threadprivate) {
            const char *own = front_intern(s->names, symbol->name, strlen(symbol->name));
            struct cc_name *name = cc_find(s, own, r->node->from);
            if (!name || !name->is_thread || symbol->kind != FRONT_SYM_GLOBAL)
                return cc_refuse(r, line, "'%s' is a variable of each thread: make it one of the region", symbol->name);
            if (!cc_take_room(r, name)) return false;
            continue;
        }
        if (symbol->has_init && !symbol->is_extern && is_constant_type(symbol->type)) continue;
        if (symbol->kind != FRONT_SYM_GLOBAL)
            return cc_refuse(r, line, "'%s' is static: it outlives the region", symbol->name);
        const char *text = front_intern(s->names, symbol->name, strlen(symbol->name));
        if (is_member(r, text)) continue;
        struct cc_name *name = cc_find(s, text, r->node->from);
        if (!name && cc_find(s, text, s->count - 1))
            return cc_refuse(r, line, "'%s' is declared behind the region: declare it in front", symbol->name);
        if (!name || !name->is_file || name->kind != CC_VARIABLE)
            return cc_refuse(r, line, "'%s' at file scope has the name of a variable here", symbol->name);
        struct cc_variable *v = NULL;
        for (uint32_t k = 0; k < r->var_count; k++)
            if (r->vars[k].name->text == text) v = &r->vars[k];
        if (!v) {
            BASE_RESERVE(s->cx, r->vars, r->var_count, r->var_cap);
            v = &r->vars[r->var_count++];
            *v = (struct cc_variable){.name = name,
                                      .form = !name->derive_count || cc_is_function_pointer(name) ? CC_VALUE
                                              : name->derive[0].kind == CC_POINTER                ? CC_REACH
                                                                                                  : CC_WHOLE};
            if (!cc_check_shape(r, name)) return false;
            if (cc_has_rows(name)) return cc_refuse(r, line, "'%s' leads to pointers, and functions use it", text);
        }
        if (name->is_unfolded && v->form == CC_WHOLE)
            return cc_refuse(r, line, "'%s' is an array by a typedef; declare it as one", text);
        v->through = true;
        v->is_scratch = false;
        v->is_written = symbol->written || symbol->address_taken;
    }
    return true;
}

// Reads the unit; false: it has a reason now. *out_program lives in the source's context. `parses`: else nothing is
// learned of it.
static bool read_unit(struct reading *g, const struct cc_options *options, const char **out_program, bool parses) {
    struct cc_region *r = g->region;
    base_cx_init(&g->cx);
    g->cx.arena.limit_bytes = (size_t)256 << 20;
    const char *text = g->text = g->next ? g->next : cc_write_unit(r);
    g->next = NULL;
    if (r->reason) return false;
    if (setjmp(g->cx.bail) != 0) {
        if (g->cx.status == WHORL_MEMORY || g->cx.status == WHORL_LIMIT)
            return cc_refuse(r, 0, "it is too large to be read");
        g->cx.arena.limit_bytes = 0;
        if (setjmp(g->cx.bail) == 0)
            cc_take_reason(r, base_render_diags(&g->cx));
        else
            cc_refuse(r, 0, "out of memory");
        return false;
    }
    struct front_pp_options pp = {.path = r->source->path, .text = text, .pairs = options->double_as_pair && parses};
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.double_as_float = options->double_as_float;
    user.double_as_pair = options->double_as_pair;
    user.entry = CC_ENTRY;
    uint32_t count;
    struct front_token *tokens = front_preprocess(&g->cx, &pp, &count);
    base_check_errors(&g->cx);
    struct front_outline outline = front_outline(&g->cx, tokens, count, user.entry);
    if (!check_names(r, &g->cx, outline.tokens, outline.count)) return false;
    if (parses) g->ast = front_parse(&g->cx, outline.tokens, outline.count, &user, outline.others);
    base_check_errors(&g->cx);
    if (parses && options->double_as_float && !check_double_sizes(r, &g->cx, g->ast)) return false;
    g->entry = parses ? front_find_function(g->ast, CC_ENTRY) : NULL;
    g->compared = parses ? compared_kinds(g->ast, look_for_comparison) : 0;
    g->equated = parses ? compared_kinds(g->ast, look_for_equality) : 0;
    if (parses && !g->entry) return cc_refuse(r, 0, "its program has no entry");
    const struct front_node *cut = parses && options->double_as_float ? front_find_many_digits(g->ast) : NULL;
    if (cut)
        return cc_refuse(r, g->cx.locs[cut->loc].line,
                         "doubles are taken apart here that have more than the 24 bits of a float: compile with "
                         "-fdouble=pair");
    const char *program = front_print_c(&g->cx, outline.tokens, outline.count, NULL);
    *out_program = base_strndup(r->source->cx, program, strlen(program));
    return true;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool has_through(const struct cc_region *r) {
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].through) return true;
    return false;
}

// Members of all structs of an array (each.c) hold what the pointers were at the beginning: no other name of such a
// struct may set one.
static bool check_each(struct cc_region *r) {
    const struct cc_variable *each = NULL, *moved = NULL;
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (r->vars[i].name->each && cc_has_rows(r->vars[i].name)) each = &r->vars[i];
        if (r->vars[i].name->said && r->vars[i].moves) moved = &r->vars[i];
    }
    if (!each || !moved) return true;
    return cc_refuse(r, 0, "'%s' changes, and may be one of '%s': keep one of them in an array of its own",
                     cc_said(moved->name), cc_said(each->name));
}

// Is what was read what the region is now?
static bool is_settled(struct reading *g, uint32_t round) {
    g->next = cc_write_unit(g->region);
    if (round == 0 && has_through(g->region)) return false; // they are learned in the second reading
    return strcmp(g->text, g->next) == 0;
}

// What is said of a table of the region has nothing to do with memory that iterations allocate.
static bool is_of_table(const struct cc_region *r) {
    const char *name = r->reason + sizeof "the table '" - 1;
    if (!strstr(r->reason, "' is one array on the device")) return false;
    for (uint32_t i = 0; i < r->table_count; i++)
        if (strncmp(r->tables[i]->text, name, strlen(r->tables[i]->text)) == 0) return false;
    return true;
}

// What is said of memory that iterations allocate is said of their calls.
static void judge_calls(struct reading *g, const struct cc_options *options) {
    struct cc_region *r = g->region;
    if (is_of_table(r)) return;
    const char *reason = r->reason, *program;
    uint32_t line = r->reason_line;
    r->no_scratch = true;
    r->reason = NULL;
    g->next = NULL;
    read_unit(g, options, &program, false);
    base_cx_deinit(&g->cx);
    if (!r->reason) r->reason = reason, r->reason_line = line;
}

// The program in which rows are places in one memory (flat_rows.c), beside the one that was tried.
static void read_flat(struct reading *g, const struct cc_options *options) {
    struct cc_region *r = g->region;
    g->next = base_format(r->source->cx, "#define " CC_PREFIX "flat\n%s", cc_write_unit(r));
    if (!read_unit(g, options, &r->flat, false)) r->flat = r->reason = NULL;
    base_cx_deinit(&g->cx);
}

// Reads the program, sets the forms by what it says, and reads it again as it is then.
void cc_judge(struct cc_region *r, const struct cc_options *options) {
    struct reading g = {.region = r};
    bool ok = true, settled = false;
    for (uint32_t round = 0; round < 3 && ok && !settled; round++) {
        r->program = NULL;
        bool parses = round == 0 || (round == 1 && has_through(r)) || options->no_trial; // else the trial does
        ok = read_unit(&g, options, &r->program, parses) && (round > 0 || (check_loops(&g) && learn_globals(&g)));
        for (uint32_t i = 0; i < r->var_count && ok && round < 2; i++)
            if (r->vars[i].through == (round == 1)) ok = learn(&g, &r->vars[i]);
        ok = ok && check_each(r);
        base_cx_deinit(&g.cx);
        settled = ok && round < 2 && is_settled(&g, round);
    }
    if (ok && !options->no_trial) cc_try(r, options);
    if (r->reason && r->has_scratch) judge_calls(&g, options);
    r->flat = NULL;
    if (!r->reason && r->has_flat) read_flat(&g, options);
}
