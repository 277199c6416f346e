// Answers as JSON. They are written while a compile bails out, so this file allocates from the heap alone, and an answer
// that has no room becomes a short one that says so.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "web.h"

static char *text;
static size_t used, room;
static bool needs_comma;

static const char no_memory[] = "{\"status\":\"WHORL_MEMORY\",\"diagnostics\":[{\"severity\":\"error\",\"file\":\"\","
                                "\"line\":0,\"col\":0,\"message\":\"out of memory\",\"notes\":[]}]}";
static bool failed;

static void add(const char *data, size_t size) {
    if (used + size + 1 > room) {
        size_t more = (used + size + 1) * 2;
        char *larger = base_heap_realloc(text, more);
        failed |= !larger;
        if (failed) return;
        text = larger;
        room = more;
    }
    memcpy(text + used, data, size);
    used += size;
    text[used] = 0;
}

void web_answer_begin(void) {
    used = 0;
    needs_comma = failed = false;
}

const char *web_answer_text(void) { return failed ? no_memory : text && used ? text : ""; }

void web_answer_put(const char *json) {
    size_t size = strlen(json);
    add(json, size);
    if (size) needs_comma = !strchr("{[:,", json[size - 1]);
}

// Bytes of a UTF-8 sequence at `at`; 0: it is none. JSON is Unicode, a C file is bytes.
static size_t utf8(const unsigned char *at) {
    size_t size = at[0] < 0x80                    ? 1
                  : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                  : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                  : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                  : 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if (size == 3 && ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0))) return 0;
    if (size == 4 && ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))) return 0;
    return size;
}

void web_answer_string(const char *string) {
    char escape[8];
    add("\"", 1);
    for (const char *at = string; *at;) {
        unsigned char c = (unsigned char)*at;
        size_t size = utf8((const unsigned char *)at);
        if (c == '"' || c == '\\' || c < 32) {
            snprintf(escape, sizeof escape, c < 32 ? "\\u%04x" : "\\%c", c);
            add(escape, strlen(escape));
        } else if (size == 0) {
            add("\xef\xbf\xbd", 3); // the character for what is none
        } else {
            add(at, size);
        }
        at += size ? size : 1;
    }
    add("\"", 1);
    needs_comma = true;
}

void web_answer_number(double value) {
    char digits[40];
    snprintf(digits, sizeof digits, isfinite(value) ? "%.17g" : "null", value);
    web_answer_put(digits);
}

void web_answer_key(const char *key) {
    if (needs_comma) add(",", 1);
    web_answer_string(key);
    web_answer_put(":");
}

static void begin_item(void) {
    if (needs_comma) add(",", 1);
    web_answer_put("{");
}

static void place(const char *file, uint32_t line, uint32_t col, const char *message) {
    web_answer_key("file");
    web_answer_string(file);
    web_answer_key("line");
    web_answer_number(line);
    web_answer_key("col");
    web_answer_number(col);
    web_answer_key("message");
    web_answer_string(message);
}

static void diagnostic(const struct base_cx *cx, const struct base_diag *d) {
    const struct base_position *at = &cx->locs[d->loc < cx->loc_count ? d->loc : 0];
    bool known = d->loc && at->file < cx->file_count;
    place(known ? cx->files[at->file].path : "", known ? at->line : 0, known ? at->col : 0, d->message);
}

void web_answer_diagnostics(const struct base_cx *cx) {
    web_answer_put("[");
    for (uint32_t i = 0; i < cx->diag_count;) {
        const struct base_diag *d = &cx->diags[i++];
        begin_item();
        web_answer_key("severity");
        web_answer_string(d->severity == BASE_ERROR ? "error" : d->severity == BASE_WARNING ? "warning" : "note");
        diagnostic(cx, d);
        web_answer_key("notes");
        web_answer_put("[");
        for (; d->severity != BASE_NOTE && i < cx->diag_count && cx->diags[i].severity == BASE_NOTE; i++) {
            begin_item();
            diagnostic(cx, &cx->diags[i]);
            web_answer_put("}");
        }
        web_answer_put("]}");
    }
    web_answer_put("]");
}

void web_answer_error(const struct whorl_error *err) {
    web_answer_begin();
    web_answer_put("{");
    web_answer_key("status");
    web_answer_string(whorl_status_name(err->status));
    web_answer_key("diagnostics");
    web_answer_put("[{");
    web_answer_key("severity");
    web_answer_string("error");
    place(err->file, err->line, err->col, err->message);
    web_answer_key("notes");
    web_answer_put("[]}]}");
}
