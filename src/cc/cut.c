// The text of `cc -E` to tokens, and what of it the front-end is to read.
#include <string.h>

#include "base/embed.h"
#include "cc/source.h"
#include "front/text/lex.h"

static uint16_t find_file(struct cc_source *s, const char *path) {
    for (uint32_t i = s->file_count; i-- > 0;)
        if (s->files[i] == path) return (uint16_t)i;
    if (s->file_count == s->file_cap) {
        uint32_t cap = s->file_cap;
        s->is_user = base_grow(s->cx, s->is_user, s->file_count, &cap, sizeof *s->is_user);
        s->files = base_grow(s->cx, s->files, s->file_count, &s->file_cap, sizeof *s->files);
    }
    if (s->file_count == UINT16_MAX) base_fatal(s->cx, 0, "more than %u files are included", UINT16_MAX);
    s->files[s->file_count] = path;
    s->is_user[s->file_count] = false;
    return (uint16_t)s->file_count++;
}

static void add(struct cc_source *s, const struct cc_token *token) {
    BASE_RESERVE(s->cx, s->tokens, s->count, s->cap);
    s->tokens[s->count++] = *token;
}

// Where the reading stands: `# 12 "file.c" 3` says it anew.
struct place {
    uint32_t line;
    uint16_t file;
};

// A marker at p, behind its #. 3 among its flags: a header of the system, or what one of its macros left in this file.
static bool read_marker(struct cc_source *s, const char *p, const char *end, struct place *io) {
    if (end - p > 5 && memcmp(p, "line ", 5) == 0) p += 5;
    while (p < end && *p == ' ')
        p++;
    if (p == end || *p < '0' || *p > '9') return false;
    uint32_t line = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        line = line * 10 + (uint32_t)(*p - '0');
    io->line = line - 1; // the end of this line counts
    const char *open = memchr(p, '"', (size_t)(end - p));
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close) return true;
    io->file = find_file(s, front_intern(s->names, open + 1, (size_t)(close - open - 1)));
    bool is_system = memchr(close, '3', (size_t)(end - close)) != NULL || open[1] == '<';
    if (!is_system) s->is_user[io->file] = true;
    return true;
}

static const char *line_end(const char *p, const char *end) {
    const char *found = memchr(p, '\n', (size_t)(end - p));
    return found ? found : end;
}

static void add_token(struct cc_source *s, const char *from, const char *to, uint16_t kind, const struct place *at) {
    struct cc_token token = {.at = (uint32_t)(from - s->text), .size = (uint32_t)(to - from), .kind = kind};
    token.text = front_intern(s->names, from, token.size);
    uint16_t keyword = kind == FRONT_TOK_IDENT ? front_spelling_of(token.text)->keyword : 0;
    if (keyword) token.kind = keyword;
    token.line = at->line;
    token.file = at->file;
    add(s, &token);
}

// The words of `#pragma omp ...` between two tokens that mark it; other pragmas are no tokens.
static void cut_pragma(struct cc_source *s, const char *hash, const char *word, const char *end,
                       const struct place *at) {
    struct cc_token mark = {.text = "omp",
                            .at = (uint32_t)(hash - s->text),
                            .size = (uint32_t)(end - hash),
                            .line = at->line,
                            .file = at->file,
                            .kind = FRONT_TOK_PRAGMA};
    word += strspn(word, " \t");
    if (strncmp(word, "omp", 3) != 0 || (word[3] != ' ' && word[3] != '\t')) return;
    add(s, &mark);
    for (const char *p = word + 3; p < end;) {
        if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\\') {
            p++;
            continue;
        }
        uint16_t kind;
        const char *after = front_scan(p, end, &kind);
        add_token(s, p, after, kind, at);
        p = after;
    }
    mark.kind = FRONT_TOK_PRAGMA_END;
    mark.at = (uint32_t)(end - s->text);
    mark.size = 0;
    add(s, &mark);
}

static void begin_part(struct cc_source *s, uint32_t from, uint32_t line, uint16_t file) {
    BASE_RESERVE(s->cx, s->parts, s->part_count, s->part_cap);
    s->parts[s->part_count++] = (struct cc_part){from, (uint32_t)s->size, line, file};
}

static void cut_directive(struct cc_source *s, const char *hash, const char *end, struct place *at) {
    const char *p = hash + 1;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (read_marker(s, p, end, at)) {
        s->parts[s->part_count - 1].to = (uint32_t)(hash - s->text);
        if (end < s->text + s->size) begin_part(s, (uint32_t)(end + 1 - s->text), at->line + 1, at->file);
        return;
    }
    if (end - p > 7 && memcmp(p, "pragma", 6) == 0) cut_pragma(s, hash, p + 6, end, at);
}

void cc_cut(struct cc_source *s) {
    struct place at = {1, find_file(s, front_intern(s->names, s->path, strlen(s->path)))};
    s->is_user[at.file] = true;
    begin_part(s, 0, 1, at.file);
    const char *p = s->text, *end = p + s->size;
    bool line_start = true;
    while (p < end) {
        if (*p == '\n') {
            at.line++;
            line_start = true;
            p++;
        } else if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') {
            p++;
        } else if (*p == '#' && line_start) {
            const char *stop = line_end(p, end);
            cut_directive(s, p, stop, &at);
            p = stop;
        } else {
            uint16_t kind;
            const char *after = front_scan(p, end, &kind);
            add_token(s, p, after, kind, &at);
            line_start = false;
            p = after;
        }
    }
    add(s, &(struct cc_token){.text = "", .at = (uint32_t)s->size, .line = at.line, .file = at.file});
}

// "/usr/include/x86_64-linux-gnu/sys/time.h" is <sys/time.h> if the front-end has one.
void cc_put_headers(const struct cc_source *s, struct base_text *out) {
    for (uint32_t h = 0; h < front_headers_count; h++) {
        const char *name = front_headers[h].name;
        size_t size = strlen(name);
        for (uint32_t i = 0; i < s->file_count; i++) {
            size_t full = strlen(s->files[i]);
            if (s->is_user[i] || full <= size || s->files[i][full - size - 1] != '/') continue;
            if (strcmp(s->files[i] + full - size, name) != 0) continue;
            base_text_format(out, "#include <%s>\n", name);
            break;
        }
    }
}
