// Files, positions and diagnostics: recorded while the compile goes on, rendered once at its end in clang's form.
//
// Rendering puts the caret under the right character of the user's terminal: tabs of the source line are repeated
// before the caret, UTF-8 counts by code points, and of a long line only the part around the position is shown.
#include <assert.h>
#include <string.h>

#include "base/base.h"

enum { MAX_ERRORS = 20, SHOWN_BYTES = 110 };

uint32_t base_add_file(struct base_cx *cx, const char *path, const char *text, size_t size, bool builtin) {
    BASE_RESERVE(cx, cx->files, cx->file_count, cx->file_cap);
    cx->files[cx->file_count] = (struct base_file){path, text, size, builtin};
    return cx->file_count++;
}

base_loc base_add_loc(struct base_cx *cx, uint32_t file, uint32_t line, uint32_t col) {
    BASE_RESERVE(cx, cx->locs, cx->loc_count, cx->loc_cap);
    cx->locs[cx->loc_count] = (struct base_position){file, line, col};
    return cx->loc_count++;
}

static void record(struct base_cx *cx, enum base_severity severity, base_loc loc, const char *format, va_list args) {
    const char *message = base_vformat(cx, format, args);
    BASE_RESERVE(cx, cx->diags, cx->diag_count, cx->diag_cap);
    cx->diags[cx->diag_count++] = (struct base_diag){severity, loc, message};
    cx->error_count += severity == BASE_ERROR;
}

static _Noreturn void leave(struct base_cx *cx, enum whorl_status status) {
    cx->status = status;
    longjmp(cx->bail, 1);
}

// Leaves where the error to come would be one too many; notes of the last one have been recorded by then.
static void limit_errors(struct base_cx *cx) {
    if (cx->error_count < MAX_ERRORS) return;
    BASE_RESERVE(cx, cx->diags, cx->diag_count, cx->diag_cap);
    cx->diags[cx->diag_count++] = (struct base_diag){BASE_ERROR, 0, "too many errors, stopping here"};
    leave(cx, WHORL_SOURCE);
}

void base_error(struct base_cx *cx, base_loc loc, const char *format, ...) {
    limit_errors(cx);
    va_list args;
    va_start(args, format);
    record(cx, BASE_ERROR, loc, format, args);
    va_end(args);
}

void base_warn(struct base_cx *cx, base_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record(cx, BASE_WARNING, loc, format, args);
    va_end(args);
}

void base_unwarn(struct base_cx *cx, base_loc loc) {
    size_t kept = 0;
    for (size_t i = 0; i < cx->diag_count; i++)
        if (cx->diags[i].severity != BASE_WARNING || cx->diags[i].loc != loc) cx->diags[kept++] = cx->diags[i];
    cx->diag_count = kept;
}

void base_note(struct base_cx *cx, base_loc loc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record(cx, BASE_NOTE, loc, format, args);
    va_end(args);
}

void base_check_errors(struct base_cx *cx) {
    if (cx->error_count) leave(cx, WHORL_SOURCE);
}

_Noreturn void base_fatal(struct base_cx *cx, base_loc loc, const char *format, ...) {
    limit_errors(cx);
    va_list args;
    va_start(args, format);
    record(cx, BASE_ERROR, loc, format, args);
    va_end(args);
    leave(cx, WHORL_SOURCE);
}

_Noreturn void base_invalid(struct base_cx *cx, const char *format, ...) {
    limit_errors(cx);
    va_list args;
    va_start(args, format);
    record(cx, BASE_ERROR, 0, format, args);
    va_end(args);
    leave(cx, WHORL_INVALID);
}

_Noreturn void base_unsupported(struct base_cx *cx, base_loc loc, const char *format, ...) {
    limit_errors(cx);
    bool wrong_before = cx->error_count > 0; // then the program is wrong, whatever else it is
    va_list args;
    va_start(args, format);
    record(cx, BASE_ERROR, loc, format, args);
    va_end(args);
    leave(cx, wrong_before ? WHORL_SOURCE : WHORL_UNSUPPORTED);
}

_Noreturn void base_bug(struct base_cx *cx, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *message = base_vformat(cx, format, args);
    va_end(args);
#if defined(WHORL_DEBUG)
    assert(!message);
#endif
    BASE_RESERVE(cx, cx->diags, cx->diag_count, cx->diag_cap);
    cx->diags[cx->diag_count++] =
        (struct base_diag){BASE_ERROR, 0, base_format(cx, "internal error, please report it: %s", message)};
    cx->error_count++;
    leave(cx, WHORL_INTERNAL);
}

// Where a line starts; diagnostics mostly come in order, so the search goes on from the last one.
struct line_memo {
    uint32_t file, line;
    size_t offset;
};

static bool find_line(const struct base_cx *cx, struct line_memo *memo, uint32_t file_index, uint32_t line) {
    const struct base_file *file = &cx->files[file_index];
    if (memo->line == 0 || memo->file != file_index || memo->line > line) *memo = (struct line_memo){file_index, 1, 0};
    while (memo->line < line) {
        const char *end = memchr(file->text + memo->offset, '\n', file->size - memo->offset);
        if (!end) return false;
        memo->offset = (size_t)(end - file->text) + 1;
        memo->line++;
    }
    return line > 0;
}

static bool continues_utf8(char c) { return ((unsigned char)c & 0xc0u) == 0x80u; }

// Text as the terminal may see it: control characters but the tab become spaces.
static void put_clean(struct base_text *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        base_text_add(out, (unsigned char)c < 32 && c != '\t' ? " " : &c, 1);
    }
}

static void put_source_line(struct base_text *out, const char *line, size_t size, size_t at) {
    size_t from = 0, to = size;
    if (at > size) at = size;
    if (size > SHOWN_BYTES) {
        from = at > SHOWN_BYTES / 2 ? at - SHOWN_BYTES / 2 : 0;
        to = size - from > SHOWN_BYTES ? from + SHOWN_BYTES : size;
        if (to == size) from = size - SHOWN_BYTES;
        while (from < at && continues_utf8(line[from]))
            from++;
        while (to < size && continues_utf8(line[to]))
            to++;
    }
    base_text_put(out, from ? "..." : "");
    put_clean(out, line + from, to - from);
    base_text_put(out, to < size ? "...\n" : "\n");
    base_text_put(out, from ? "   " : "");
    for (size_t i = from; i < at; i++)
        if (!continues_utf8(line[i])) base_text_put(out, line[i] == '\t' ? "\t" : " ");
    base_text_put(out, "^\n");
}

const char *base_place(struct base_cx *cx, base_loc loc) {
    const struct base_position *at = &cx->locs[loc < cx->loc_count ? loc : 0];
    return base_format(cx, "%s:%u", at->file < cx->file_count ? cx->files[at->file].path : "?", at->line);
}

const char *base_render_diags(struct base_cx *cx) {
    static const char *const severities[] = {"note", "warning", "error"};
    struct base_text out;
    base_text_init(&out, cx);
    struct line_memo memo = {0, 0, 0};
    for (uint32_t i = 0; i < cx->diag_count; i++) {
        const struct base_diag *diag = &cx->diags[i];
        struct base_position at = cx->locs[diag->loc < cx->loc_count ? diag->loc : 0];
        bool has_file = at.line > 0 && at.file < cx->file_count;
        if (has_file && cx->files[at.file].builtin && diag->severity == BASE_NOTE) { // nobody can open it at that line
            base_text_format(&out, "%s: ", cx->files[at.file].path);
            has_file = false;
        } else if (has_file) {
            base_text_format(&out, "%s:%u:%u: ", cx->files[at.file].path, at.line, at.col);
        }
        base_text_format(&out, "%s: %s\n", severities[diag->severity], diag->message);
        if (!has_file || !find_line(cx, &memo, at.file, at.line)) continue;
        const struct base_file *file = &cx->files[at.file];
        const char *line = file->text + memo.offset;
        size_t size = file->size - memo.offset;
        const char *end = size ? memchr(line, '\n', size) : NULL;
        if (end) size = (size_t)(end - line);
        if (size && line[size - 1] == '\r') size--;
        put_source_line(&out, line, size, at.col ? at.col - 1 : 0);
    }
    return out.data;
}
