// The preprocessor's frame: finds and stacks files, reads tokens through expansions and files, and drives the whole
// into one array.
#include <setjmp.h>
#include <string.h>
#include <sys/stat.h>

#include "base/embed.h"
#include "base/file.h"
#include "front/text/pp.h"

static const struct {
    uint16_t word;
    const char *text;
} words[] = {
    {PP_IF, "if"},         {PP_IFDEF, "ifdef"},     {PP_IFNDEF, "ifndef"},       {PP_ELIF, "elif"},
    {PP_ELSE, "else"},     {PP_ENDIF, "endif"},     {PP_INCLUDE, "include"},     {PP_DEFINE, "define"},
    {PP_UNDEF, "undef"},   {PP_LINE, "line"},       {PP_ERROR, "error"},         {PP_WARNING, "warning"},
    {PP_PRAGMA, "pragma"}, {PP_DEFINED, "defined"}, {PP_VA_ARGS, "__VA_ARGS__"}, {PP_PRAGMA_OPERATOR, "_Pragma"},
};

// Date and time are fixed: a compile's result depends on its input alone.
static const char predefined[] = "#define __STDC__ 1\n"
                                 "#define __STDC_VERSION__ 201112L\n"
                                 "#define __STDC_HOSTED__ 1\n"
                                 "#define __STDC_NO_ATOMICS__ 1\n"
                                 "#define __STDC_NO_THREADS__ 1\n"
                                 "#define __DATE__ \"Jan  1 1970\"\n"
                                 "#define __TIME__ \"00:00:00\"\n"
                                 "#define _OPENMP 201511\n"
                                 "#define __WHORL__ 1\n";

// ---- files ----------------------------------------------------------------------------------------------------------
// With a NUL in it the text could not be printed for a compiler.
static void check_text(struct pp *pp, uint32_t file) {
    const char *text = pp->cx->files[file].text, *nul = memchr(text, 0, pp->cx->files[file].size), *start = text;
    if (!nul) return;
    uint32_t line = 1;
    for (const char *p = text; (p = memchr(p, '\n', (size_t)(nul - p))); line++)
        start = ++p;
    base_fatal(pp->cx, base_add_loc(pp->cx, file, line, (uint32_t)(nul - start) + 1),
               "a NUL byte: this is no text file");
}

static struct front_source *add_source(struct pp *pp, const char *path, const char *text, size_t size, bool builtin) {
    if (size > PP_FILE_BYTES) base_fatal(pp->cx, 0, "%s: a source file of more than %d MiB", path, PP_FILE_BYTES >> 20);
    struct front_source *source = base_alloc(pp->cx, sizeof *source);
    uint32_t file = base_add_file(pp->cx, path, text, size, builtin);
    check_text(pp, file);
    front_source_init(pp->cx, source, file);
    return source;
}

// The text of a file in the arena. The heap's copy is freed even if the arena bails.
static char *read_text(struct pp *pp, const char *path, size_t *out_size, struct whorl_error *err) {
    char *volatile data = NULL;
    char *read = NULL, *text;
    if (base_read_file(path, PP_FILE_BYTES, &read, out_size, err) != WHORL_OK) return NULL;
    data = read;
    jmp_buf outer;
    memcpy(&outer, &pp->cx->bail, sizeof outer);
    if (setjmp(pp->cx->bail)) {
        base_heap_free(data);
        memcpy(&pp->cx->bail, &outer, sizeof outer);
        longjmp(pp->cx->bail, 1);
    }
    text = base_strndup(pp->cx, data, *out_size);
    memcpy(&pp->cx->bail, &outer, sizeof outer);
    base_heap_free(data);
    return text;
}

static struct front_source *builtin_source(struct pp *pp, const char *name, bool exists_only, bool *out_exists) {
    const struct base_embedded *header = base_embedded_find(front_headers, front_headers_count, name);
    if (!header) return NULL;
    *out_exists = true;
    if (exists_only) return NULL;
    const char *path = base_format(pp->cx, "<%s>", name);
    struct front_spelling *key = front_spelling_of(front_intern(pp->names, path, strlen(path)));
    if (!key->source) key->source = add_source(pp, key->text, header->text, header->size, true);
    return key->source;
}

static bool is_regular(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// `folder` has dir_size bytes; 0 is the current one. "./" at the start of `name` is dropped, so that one file has one
// path.
static struct front_source *file_source(struct pp *pp, const char *folder, size_t dir_size, const char *name,
                                        bool exists_only, bool *out_exists) {
    while (name[0] == '.' && name[1] == '/')
        name += 2;
    if (name[0] == '/') dir_size = 0;
    bool slash = dir_size && folder[dir_size - 1] != '/';
    if (dir_size > 4096 || strlen(name) > 4096) return NULL;
    const char *path = base_format(pp->cx, "%.*s%s%s", (int)dir_size, folder, slash ? "/" : "", name);
    struct front_spelling *key = front_spelling_of(front_intern(pp->names, path, strlen(path)));
    *out_exists = key->source || is_regular(path);
    if (!*out_exists || exists_only) return key->source;
    if (!key->source) {
        struct whorl_error err;
        size_t size;
        const char *text = read_text(pp, path, &size, &err);
        if (!text) base_fatal(pp->cx, front_lex_loc(pp->lexer), "%s", err.message);
        key->source = add_source(pp, key->text, text, size, false);
    }
    return key->source;
}

static struct front_source *find_source(struct pp *pp, const char *name, bool angled, bool exists_only,
                                        bool *out_exists) {
    const struct front_pp_options *options = pp->options;
    struct front_source *source = NULL;
    *out_exists = false;
    if (!angled) {
        const char *path = pp->cx->files[pp->lexer->source->file].path, *slash = strrchr(path, '/');
        source = file_source(pp, path, slash ? (size_t)(slash - path) + 1 : 0, name, exists_only, out_exists);
    } else {
        source = builtin_source(pp, name, exists_only, out_exists);
    }
    for (size_t i = 0; !*out_exists && i < options->include_dir_count; i++)
        source =
            file_source(pp, options->include_dirs[i], strlen(options->include_dirs[i]), name, exists_only, out_exists);
    if (!*out_exists && !angled) source = builtin_source(pp, name, exists_only, out_exists);
    return source;
}

bool pp_include_exists(struct pp *pp, const char *name, bool angled) {
    bool exists;
    find_source(pp, name, angled, true, &exists);
    return exists;
}

static void enter(struct pp *pp, const struct front_source *source, base_loc loc) {
    struct base_cx *cx = pp->cx;
    if (pp->depth == PP_INCLUDE_DEPTH)
        base_fatal(cx, loc, "#include nested deeper than %d; does %s include itself?", PP_INCLUDE_DEPTH,
                   cx->files[source->file].path);
    pp->source_bytes += cx->files[source->file].size;
    if (++pp->includes > PP_INCLUDES || pp->source_bytes > PP_SOURCE_BYTES)
        base_fatal(cx, loc, "the program includes too much: more than %d files or %d MiB", PP_INCLUDES,
                   PP_SOURCE_BYTES >> 20);
    struct pp_file *file = &pp->files[pp->depth++];
    file->condition_base = pp->condition_count;
    file->loc = loc;
    front_lexer_init(&file->lexer, pp->names, source);
    pp->lexer = &file->lexer;
}

static void leave(struct pp *pp) {
    const struct pp_file *file = &pp->files[pp->depth - 1];
    while (pp->condition_count > file->condition_base)
        base_error(pp->cx, pp->conditions[--pp->condition_count].loc, "this #if has no #endif");
    if (pp->depth > 1) pp->lexer = &pp->files[--pp->depth - 1].lexer;
}

// A system's header is mostly for main, which is not compiled: what it declares is missing where the entry reaches a
// use of it.
static void is_missing(struct pp *pp, base_loc loc, const char *name, bool angled) {
    if (angled) {
        base_warn(pp->cx, loc,
                  "<%s> is left out: it is neither built in nor in a -I folder, and only what the entry does not reach "
                  "can do without it",
                  name);
        return;
    }
    base_error(pp->cx, loc, "\"%s\" is not there", name);
    base_check_errors(pp->cx); // what follows would only be about what is missing
}

void pp_include(struct pp *pp, base_loc loc, const char *name, bool angled) {
    bool exists;
    const struct front_source *source = find_source(pp, name, angled, false, &exists);
    if (!source)
        is_missing(pp, loc, name, angled);
    else if (!source->once)
        enter(pp, source, loc);
}

// ---- reading --------------------------------------------------------------------------------------------------------
struct front_token pp_read(struct pp *pp) {
    while (pp->context_count) {
        struct pp_context *top = &pp->contexts[pp->context_count - 1];
        if (top->next < top->run.count) {
            struct front_token token = top->run.tokens[top->next++];
            if (token.kind == FRONT_TOK_IDENT) {
                const struct front_macro *macro = front_spelling_of(token.text)->macro;
                if (macro && macro->disabled) token.flags |= FRONT_TOKEN_NO_EXPAND;
            }
            return token;
        }
        if (top->is_argument) return (struct front_token){.text = "", .kind = FRONT_TOK_END};
        pp_pop(pp);
    }
    for (;;) {
        struct front_token token = front_lex(pp->lexer);
        if (pp->lexer->in_directive) return token;
        if (token.kind == FRONT_P_HASH && token.flags & FRONT_TOKEN_BOL) {
            pp_directive(pp, &token);
        } else if (token.kind == FRONT_TOK_END && !pp->collecting && pp->depth > 1) {
            leave(pp);
        } else {
            return token;
        }
    }
}

void pp_emit(struct pp *pp, const struct front_token *token) {
    if (token->kind == FRONT_TOK_OTHER) {
        char c = token->text[0];
        const char *quote = strpbrk(token->text, "\"'");
        if (quote)
            base_error(pp->cx, token->loc, "the closing %c is missing", *quote);
        else if (c > 32 && c < 127)
            base_error(pp->cx, token->loc, "stray '%c' in the program", c);
        else
            base_error(pp->cx, token->loc, "stray byte 0x%02x in the program", (unsigned char)c);
        return;
    }
    if (pp->out_count == PP_OUT_TOKENS)
        base_fatal(pp->cx, token->loc, "the program has more than %d tokens", PP_OUT_TOKENS);
    BASE_RESERVE(pp->cx, pp->out, pp->out_count, pp->out_cap);
    struct front_token *out = &pp->out[pp->out_count++];
    *out = *token;
    out->flags &= (uint16_t)~FRONT_TOKEN_NO_EXPAND;
    if (token->kind == FRONT_TOK_IDENT && front_spelling_of(token->text)->keyword)
        out->kind = front_spelling_of(token->text)->keyword;
}

// ---- pragmas --------------------------------------------------------------------------------------------------------
static bool is_word(const struct pp_run *run, uint32_t i, const char *text) {
    return i < run->count && strcmp(run->tokens[i].text, text) == 0;
}

static void emit_omp(struct pp *pp, const struct pp_run *run, base_loc loc, uint16_t flags) {
    struct front_token token = run->tokens[0];
    token.kind = FRONT_TOK_PRAGMA;
    token.loc = loc;
    token.flags = flags | FRONT_TOKEN_BOL;
    pp_emit(pp, &token);
    struct pp_run rest = {run->tokens + 1, run->count - 1, 0};
    pp_push_argument(pp, &rest);
    for (token = pp_expand(pp); token.kind != FRONT_TOK_END; token = pp_expand(pp)) {
        token.flags &= (uint16_t)~FRONT_TOKEN_BOL;
        pp_emit(pp, &token);
    }
    pp_pop(pp);
    token = (struct front_token){.text = "",
                                 .loc = run->tokens[run->count - 1].loc,
                                 .kind = FRONT_TOK_PRAGMA_END,
                                 .flags = flags & FRONT_TOKEN_BUILTIN};
    pp_emit(pp, &token);
}

static void emit_other(struct pp *pp, const struct pp_run *run, base_loc loc, uint16_t flags) {
    static const char *const known[] = {"STDC", "GCC", "clang", "ivdep", "unroll", "message", "once", "pack"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= is_word(run, 0, known[i]);
    if (!is_known) base_warn(pp->cx, run->tokens[0].loc, "unknown pragma '%s' is ignored", run->tokens[0].text);
    struct base_text text;
    base_text_init(&text, pp->cx);
    for (uint32_t i = 0; i < run->count; i++) {
        if (i && run->tokens[i].flags & FRONT_TOKEN_SPACE) base_text_put(&text, " ");
        base_text_add(&text, run->tokens[i].text, run->tokens[i].len);
    }
    while (text.size && (text.data[text.size - 1] == '\\' || text.data[text.size - 1] == ' '))
        text.size--; // printed, a backslash at the end would join the next line to this one
    pp_emit(pp, &(struct front_token){front_intern(pp->names, text.data, text.size), (uint32_t)text.size, loc,
                                      FRONT_TOK_PRAGMA_OTHER, flags | FRONT_TOKEN_BOL});
}

void pp_pragma(struct pp *pp, struct front_lexer *lexer, base_loc loc, uint16_t flags) {
    struct pp_run run = {0};
    for (struct front_token token = front_lex(lexer); token.kind != FRONT_TOK_END; token = front_lex(lexer))
        pp_run_add(pp, &run, &token);
    flags &= FRONT_TOKEN_BUILTIN;
    if (run.count == 1 && is_word(&run, 0, "once") && lexer == pp->lexer)
        ((struct front_source *)(uintptr_t)lexer->source)->once = true;
    else if (is_word(&run, 0, "omp") && !is_word(&run, 1, "nothing")) // which is as if the line were not there
        emit_omp(pp, &run, loc, flags);
    else if (run.count && !is_word(&run, 0, "omp"))
        emit_other(pp, &run, loc, flags);
    pp_run_free(pp, &run);
}

// _Pragma("..."): the string's text is lexed as a line; all its tokens stand where _Pragma does.
static void pragma_operator(struct pp *pp, const struct front_token *operator) {
    struct front_token open = pp_expand(pp), string = open, close = open;
    if (open.kind == FRONT_P_LPAREN) string = pp_expand(pp);
    if (string.kind == FRONT_TOK_STRING) close = pp_expand(pp);
    if (string.kind != FRONT_TOK_STRING || close.kind != FRONT_P_RPAREN) {
        base_error(pp->cx, operator->loc, "_Pragma takes one string literal in parentheses");
        return;
    }
    char *text = base_alloc(pp->cx, (size_t)string.len + 1), *to = text;
    const char *from = strchr(string.text, '"') + 1, *end = string.text + string.len - 1;
    while (from < end) {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\')) from++;
        *to++ = *from++;
    }
    struct front_source source = {.file = pp->lexer->source->file, .text = text, .end = to};
    struct front_lexer lexer;
    front_lexer_init(&lexer, pp->names, &source);
    lexer.fixed_loc = operator->loc;
    lexer.in_directive = true;
    pp_pragma(pp, &lexer, operator->loc, operator->flags);
}

// ---- the whole ------------------------------------------------------------------------------------------------------
static struct front_source *command_line(struct pp *pp) {
    struct base_text text;
    base_text_init(&text, pp->cx);
    for (size_t i = 0; i < pp->options->define_count; i++) {
        const char *define = pp->options->defines[i], *value = strchr(define, '=');
        size_t size = value ? (size_t)(value - define) : strlen(define);
        base_text_put(&text, "#define ");
        size_t start = text.size;
        base_text_add(&text, define, size);
        base_text_put(&text, " ");
        base_text_put(&text, value ? value + 1 : "1");
        for (char *p = text.data + start; *p; p++)
            if (*p == '\n' || *p == '\r') *p = ' ';
        base_text_put(&text, "\n");
    }
    return add_source(pp, "<command line>", text.data ? text.data : "", text.size, false);
}

static struct front_source *main_source(struct pp *pp) {
    const struct front_pp_options *options = pp->options;
    size_t size = options->text_size;
    const char *text;
    if (options->text) {
        text = base_strndup(pp->cx, options->text, size ? size : strlen(options->text));
        size = size ? size : strlen(options->text);
    } else {
        struct whorl_error err;
        text = read_text(pp, options->path, &size, &err);
        if (!text) {
            base_error(pp->cx, 0, "%s", err.message);
            pp->cx->status = err.status;
            longjmp(pp->cx->bail, 1);
        }
    }
    struct front_spelling *key = front_spelling_of(front_intern(pp->names, options->path, strlen(options->path)));
    key->source = add_source(pp, key->text, text, size, false);
    return key->source;
}

struct front_token *front_preprocess(struct base_cx *cx, const struct front_pp_options *options, uint32_t *out_count) {
    struct pp *pp = base_alloc(cx, sizeof *pp);
    pp->cx = cx;
    pp->options = options;
    pp->names = options->names ? options->names : front_names_create(cx);
    base_text_init(&pp->scratch, cx);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        front_spelling_of(front_intern(pp->names, words[i].text, strlen(words[i].text)))->word = words[i].word;
    pp_define_dynamic(pp, "__FILE__", PP_MACRO_FILE);
    pp_define_dynamic(pp, "__LINE__", PP_MACRO_LINE);
    pp_define_dynamic(pp, "__has_include", PP_MACRO_HAS_INCLUDE);
    // The innermost file is read first: what is predefined, the command line, the program.
    enter(pp, main_source(pp), 0);
    enter(pp, command_line(pp), 0);
    bool exists;
    for (size_t i = 0; options->pairs && i < 2; i++)
        enter(pp, builtin_source(pp, i ? "whorl/pair.h" : "whorl/pair_math.h", false, &exists), 0);
    if (options->words) enter(pp, builtin_source(pp, "whorl/words.h", false, &exists), 0);
    enter(pp, builtin_source(pp, "whorl/atomics.h", false, &exists), 0);
    enter(pp, add_source(pp, "<built-in>", predefined, sizeof predefined - 1, true), 0);
    struct front_token token;
    do {
        token = pp_expand(pp);
        if (token.kind == FRONT_TOK_IDENT && front_spelling_of(token.text)->word == PP_PRAGMA_OPERATOR)
            pragma_operator(pp, &token);
        else
            pp_emit(pp, &token);
    } while (token.kind != FRONT_TOK_END);
    leave(pp);
    *out_count = pp->out_count;
    return pp->out;
}
