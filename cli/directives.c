// Directives: see directives.h for the grammar. The text is copied once and cut up in place.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "directives.h"
#include "scalar_sum.h"

static const char *const directive_words[] = {"run",   "test",  "check", "dispatches", "barriers",
                                              "error", "entry", "step",  NULL};
static const size_t largest_source_bytes = (size_t)64 << 20;

static enum whorl_status bad_line(const struct directives *d, uint32_t line, struct whorl_error *err,
                                  const char *format, ...) BASE_PRINTF(4, 5);
static enum whorl_status bad_line(const struct directives *d, uint32_t line, struct whorl_error *err,
                                  const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    enum whorl_status status = base_set_error(err, WHORL_SOURCE, "data", "%s:%u:1: error: %s", d->path, line, text);
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", d->path);
        err->line = line;
        err->col = 1;
    }
    return status;
}

// ---- one directive ----

// "-i n=4 -D X" cut at spaces; a value that holds spaces stands in quotes.
static enum whorl_status take_options(const struct directives *d, uint32_t line, const char *word, char *rest,
                                      struct cli_options *out, struct whorl_error *err) {
    const struct cli_option *pending = NULL;
    for (char *at = rest;;) {
        while (*at == ' ' || *at == '\t')
            at++;
        if (!*at) break;
        char quote = *at == '\'' || *at == '"' ? *at++ : 0, *start = at;
        while (*at && (quote ? *at != quote : *at != ' ' && *at != '\t'))
            at++;
        if (quote && !*at) return bad_line(d, line, err, "`// %s:` has a quote that does not end", word);
        if (*at) *at++ = 0;
        const char *value = start, *unfit;
        const struct cli_option *option = pending;
        if (!option) {
            option = cli_option_find(1u << CLI_RUN, start, &value);
            if (!option || !option->in_directive)
                return bad_line(d, line, err,
                                "`%s` cannot stand in `// %s:`; -i, -D, --uniform, -fdouble=float, -fdouble=pair, "
                                "-fint64=int32 and -fno-associative-math can",
                                start, word);
            if (option->kind != CLI_KIND_FLAG && !value) {
                pending = option;
                continue;
            }
        }
        pending = NULL;
        unfit = cli_option_apply(option, value, out);
        if (unfit) return bad_line(d, line, err, "`%s` %s", option->name, unfit);
    }
    return pending ? bad_line(d, line, err, "`%s` at the end of `// %s:` has no value", pending->name, word) : WHORL_OK;
}

static enum whorl_status take_error(struct directives *d, uint32_t line, char *rest, struct whorl_error *err) {
    char *end;
    struct directive_error *e = &d->errors[d->error_count];
    e->line = (uint32_t)strtoul(rest, &end, 10);
    if (end == rest || *end != ':') return bad_line(d, line, err, "`// error:` is LINE:COLUMN: TEXT");
    rest = end + 1;
    e->col = (uint32_t)strtoul(rest, &end, 10);
    if (end == rest || *end != ':' || d->error_count + 1 == DIRECTIVES_MAX)
        return bad_line(d, line, err, "`// error:` is LINE:COLUMN: TEXT");
    for (end++; *end == ' '; end++)
        ;
    e->text = end;
    d->error_count++;
    return WHORL_OK;
}

static enum whorl_status take_directive(struct directives *d, uint32_t line, const char *word, char *rest,
                                        struct whorl_error *err) {
    if (strcmp(word, "run") == 0 || strcmp(word, "test") == 0) {
        bool is_run = word[0] == 'r', *has = is_run ? &d->has_run : &d->has_test;
        *has = true;
        return take_options(d, line, word, rest, is_run ? &d->run : &d->test,
                            err); // a second line goes on with the first
    }
    if (!*rest) return bad_line(d, line, err, "`// %s:` says nothing", word);
    if (strcmp(word, "check") == 0) {
        struct whorl_error inner = {0};
        struct check_rule rule;
        if (d->check_count == DIRECTIVES_MAX || d->step_check_count == DIRECTIVES_MAX)
            return bad_line(d, line, err, "too many `// check:` lines");
        if (check_parse(rest, &rule, &inner) != WHORL_OK) return bad_line(d, line, err, "%s", inner.message);
        if (rule.teacher)
            d->step_checks[d->step_check_count++] = rule;
        else
            d->checks[d->check_count++] = rule;
        return WHORL_OK;
    }
    if (strcmp(word, "error") == 0) return take_error(d, line, rest, err);
    const char **field = strcmp(word, "entry") == 0      ? &d->entry
                         : strcmp(word, "barriers") == 0 ? &d->barriers
                         : strcmp(word, "step") == 0     ? &d->step
                                                         : &d->dispatches;
    if (*field) return bad_line(d, line, err, "`// %s:` stands twice", word);
    if (field == &d->dispatches) d->dispatches_line = line;
    if (field == &d->step) d->step_line = line;
    if (field == &d->barriers && !isdigit((unsigned char)*rest))
        return bad_line(d, line, err, "`// barriers:` begins with a number, as in `// barriers: 2 a step`");
    *field = rest;
    return WHORL_OK;
}

// ---- the comment ----

// "// word: rest" cut up in place; NULL for any other line.
static const char *split(char *line, char **out_rest) {
    while (*line == ' ' || *line == '\t')
        line++;
    if (line[0] != '/' || line[1] != '/') return NULL;
    for (line += 2; *line == ' ' || *line == '\t'; line++)
        ;
    char *word = line;
    while (islower((unsigned char)*line) || *line == '_' || *line == '-')
        line++;
    if (line == word || *line != ':' || (line[1] && line[1] != ' ' && line[1] != '\t')) return NULL;
    *line++ = 0;
    while (*line == ' ' || *line == '\t')
        line++;
    size_t size = strlen(line);
    while (size && isspace((unsigned char)line[size - 1]))
        line[--size] = 0;
    *out_rest = line;
    return word;
}

static bool is_known(const char *word) {
    for (size_t i = 0; directive_words[i]; i++)
        if (strcmp(directive_words[i], word) == 0) return true;
    return false;
}

static enum whorl_status unknown(const struct directives *d, uint32_t line, const char *word, struct whorl_error *err) {
    const char *close = cli_closest(word, directive_words);
    if (close) return bad_line(d, line, err, "unknown directive `// %s:`; did you mean `// %s:`?", word, close);
    return bad_line(d, line, err,
                    "unknown directive `// %s:`; there are run, test, check, step, dispatches, barriers, error, entry",
                    word);
}

// What follows on the line behind comments in stars, as a licence stands in; *inside: it ends in one.
static const char *behind_stars(const char *line, bool *inside) {
    for (;;) {
        if (!*inside) line += strspn(line, " \t\r");
        if (!*inside && strncmp(line, "/*", 2) != 0) return line;
        const char *end = strstr(*inside ? line : line + 2, "*/");
        *inside = !end;
        if (!end) return "";
        line = end + 2;
    }
}

// A line in the C that is meant as a directive: nobody would read it.
static enum whorl_status late(const struct directives *d, uint32_t line, const char *word, const char *rest,
                              struct whorl_error *err) {
    struct check_rule rule;
    struct whorl_error inner;
    bool check = strcmp(word, "check") == 0 && check_parse(rest, &rule, &inner) == WHORL_OK,
         options = (strcmp(word, "run") == 0 || strcmp(word, "test") == 0) && rest[0] == '-';
    return check || options ? bad_line(d, line, err,
                                       "`// %s:` stands behind the first line of C, where nobody reads it: it belongs "
                                       "into the comment at the head of the file",
                                       word)
                            : WHORL_OK;
}

// `// check x: rel 1e-3`, whose colon stands behind the array's name, would be taken for prose.
static enum whorl_status displaced(const struct directives *d, uint32_t line, const char *comment,
                                   struct whorl_error *err) {
    struct check_rule rule;
    struct whorl_error inner;
    char text[128];
    comment += strspn(comment, " \t/");
    if (strncmp(comment, "check ", 6) != 0) return WHORL_OK;
    comment += 6;
    size_t name = strcspn(comment, " :"), size = strcspn(comment, "\r");
    if (comment[name] != ':' || size >= sizeof text) return WHORL_OK;
    snprintf(text, sizeof text, "%.*s%.*s", (int)name, comment, (int)(size - name - 1), comment + name + 1);
    return check_parse(text, &rule, &inner) == WHORL_OK
               ? bad_line(d, line, err, "the colon stands behind the word: `// check: %s`", text)
               : WHORL_OK;
}

enum whorl_status directives_parse(const char *path, const char *text, struct directives *out,
                                   struct whorl_error *err) {
    memset(out, 0, sizeof *out);
    out->path = path;
    out->text = strdup(text);
    if (!out->text) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    const char *stray = NULL; // an unknown word that a directive may follow
    uint32_t stray_line = 0, number = 0;
    bool after_directive = false, in_stars = false, in_c = false;
    enum whorl_status status = WHORL_OK;
    char *begin = strncmp(out->text, "\xEF\xBB\xBF", 3) == 0 ? out->text + 3 : out->text; // an editor's mark of UTF-8
    for (char *line = begin, *next; line && *line && status == WHORL_OK; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        number++;
        char *rest;
        if (in_c) {
            const char *word = split(line, &rest);
            if (word) status = late(out, number, word, rest, err);
            continue;
        }
        bool was_inside = in_stars;
        const char *first = behind_stars(line, &in_stars);
        if (*first && strncmp(first, "//", 2) != 0) {
            in_c = true;
            continue;
        }
        const char *word = was_inside || in_stars ? NULL : split(line, &rest);
        if (!word && *first) status = displaced(out, number, first, err);
        if (word && is_known(word)) {
            status = stray ? unknown(out, stray_line, stray, err) : take_directive(out, number, word, rest, err);
            after_directive = true;
            continue;
        }
        if (word && after_directive) status = unknown(out, number, word, err);
        stray = word;
        stray_line = number;
        after_directive = false;
    }
    if (status == WHORL_OK && out->step_check_count && !out->step)
        return bad_line(out, number, err, "a `// check:` with teacher needs `// step:`, as in `// step: gens=1`");
    return status;
}

enum whorl_status directives_read(const char *path, struct directives *out, struct whorl_error *err) {
    char *text;
    size_t size;
    memset(out, 0, sizeof *out);
    enum whorl_status status = base_read_file(path, largest_source_bytes, &text, &size, err);
    if (status != WHORL_OK) return status;
    bool once = base_reads_once(path); // the compiler opens files by itself, and would find nothing left
    if (once && memchr(text, 0, size))
        status = base_set_error(err, WHORL_SOURCE, "data", "%s: a NUL byte: this is no text file", path);
    if (status == WHORL_OK) status = directives_parse(path, text, out, err);
    if (once && status == WHORL_OK)
        out->source = text;
    else
        base_heap_free(text);
    return status;
}

void directives_deinit(struct directives *d) {
    cli_options_deinit(&d->run);
    cli_options_deinit(&d->test);
    free(d->text);
    base_heap_free(d->source);
    d->text = d->source = NULL;
}

// ---- // dispatches: ----

enum whorl_status directives_dispatches(const struct directives *d, enum whorl_strategy strategy,
                                        const struct whorl_scalar *scalars, size_t scalar_count, bool *out_known,
                                        uint64_t *out_count, struct whorl_error *err) {
    *out_known = false;
    *out_count = 0;
    if (!d->dispatches) return WHORL_OK;
    struct scalar_sum c = {.at = d->dispatches, .scalars = scalars, .scalar_count = scalar_count};
    for (;;) {
        enum whorl_strategy of = WHORL_SINGLE;
        scalar_sum_skip_space(&c);
        for (int s = WHORL_SINGLE; s <= WHORL_EAGER; s++) {
            const char *name = whorl_strategy_name((enum whorl_strategy)s);
            size_t size = strlen(name);
            if (strncmp(c.at, name, size) == 0 && (c.at[size] == ' ' || c.at[size] == '\t')) {
                of = (enum whorl_strategy)s;
                c.at += size;
                break;
            }
        }
        uint64_t count = scalar_sum_count(&c);
        if (!c.problem && *c.at && *c.at != ',') c.problem = "it is a list as in `1, eager 15*steps+2`";
        if (c.problem)
            return bad_line(d, d->dispatches_line, err, "cannot read `// dispatches: %s`: %s", d->dispatches,
                            c.problem);
        if (of == strategy) {
            *out_known = true;
            *out_count = count;
        }
        if (!*c.at) return WHORL_OK;
        c.at++;
    }
}

// ---- // step: ----

// "first=first+gens", at the name; false where it is wrong.
static bool take_step(struct scalar_sum *c, struct directive_step *out) {
    const char *name = c->at;
    while (isalnum((unsigned char)*c->at) || *c->at == '_')
        c->at++;
    size_t size = (size_t)(c->at - name);
    scalar_sum_skip_space(c);
    if (size == 0 || size >= sizeof out->name || *c->at != '=') return false;
    memcpy(out->name, name, size);
    out->name[size] = 0;
    c->at++;
    scalar_sum_skip_space(c);
    const char *expression = c->at;
    out->value = (double)scalar_sum_count(c);
    out->is_number = strspn(expression, "0123456789 ") >= (size_t)(c->at - expression);
    return true;
}

enum whorl_status directives_step(const struct directives *d, const struct whorl_scalar *scalars, size_t scalar_count,
                                  struct directive_step out[DIRECTIVES_STEP_SCALARS], size_t *out_count,
                                  struct whorl_error *err) {
    struct scalar_sum c = {.at = d->step, .scalars = scalars, .scalar_count = scalar_count};
    *out_count = 0;
    for (bool more = d->step != NULL; more;) {
        scalar_sum_skip_space(&c);
        bool ok = *out_count < DIRECTIVES_STEP_SCALARS && take_step(&c, &out[*out_count]);
        more = *c.at == ',';
        if (!c.problem && (!ok || (*c.at && !more))) c.problem = "it is a list as in `gens=1, first=first+gens`";
        if (c.problem) return bad_line(d, d->step_line, err, "cannot read `// step: %s`: %s", d->step, c.problem);
        c.at += more;
        ++*out_count;
    }
    return WHORL_OK;
}
