// What was explained, once each: a pass says the same of each copy of a loop, and of the form with barriers and that
// with a dispatch a loop. Lines that begin with a space belong to the one before them.
#include <inttypes.h>
#include <string.h>

#include "compile/build.h"

struct line {
    const char *text;
    size_t length; // with its end
    uint32_t count;
    struct line *next; // of the same hash
};

static size_t line_length(const char *text) {
    const char *end = strchr(text, '\n');
    for (; end && end[1] == ' '; end = strchr(end + 1, '\n'))
        ;
    return end ? (size_t)(end + 1 - text) : strlen(text);
}

// Where the line stands in its list, or where a new one comes.
static struct line **place_of(struct line **table, uint32_t mask, const char *text, size_t length) {
    struct line **at = &table[base_hash(BASE_HASH_START, text, length) & mask];
    while (*at && ((*at)->length != length || memcmp((*at)->text, text, length) != 0))
        at = &(*at)->next;
    return at;
}

static void put(struct base_text *out, const struct line *line) {
    size_t first = line->length; // behind its words
    const char *end = memchr(line->text, '\n', line->length);
    if (end) first = (size_t)(end - line->text);
    base_text_format(out, "%.*s", (int)first, line->text);
    if (line->count > 1) base_text_format(out, " (%" PRIu32 " times)", line->count);
    base_text_format(out, "%.*s", (int)(line->length - first), line->text + first);
}

const char *compile_explained(struct base_cx *cx, const char *text) {
    uint32_t count = 0, size = 16, most = 0;
    for (const char *at = text; *at; at += line_length(at))
        most++;
    while (size < most)
        size *= 2;
    struct line **table = base_alloc_array(cx, size, sizeof *table);
    struct line **lines = base_alloc_array(cx, most + 1, sizeof *lines);
    for (const char *at = text; *at; at += line_length(at)) {
        size_t length = line_length(at);
        struct line **place = place_of(table, size - 1, at, length);
        if (!*place) {
            *place = lines[count++] = base_alloc(cx, sizeof **place);
            **place = (struct line){.text = at, .length = length};
        }
        (*place)->count++;
    }
    struct base_text out;
    base_text_init(&out, cx);
    for (uint32_t i = 0; i < count; i++)
        put(&out, lines[i]);
    return out.data ? out.data : "";
}
