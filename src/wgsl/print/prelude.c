// The functions of prelude/*.wgsl that a kernel uses, and those that they use.
//
// Every name of the library starts with `whorl_`, so finding the uses is finding such words. The names of a program
// stand in comments as they are and elsewhere behind a handle (`v3_whorl_n`), so they are no uses. In a prelude, what
// is defined stands at the start of a line: a function ends with `}` at the start of a line, a constant or variable
// with `;` at the end of one.
#include <string.h>

#include "base/embed.h"
#include "wgsl/print/emit.h"

struct item {
    const char *text, *name;
    size_t size, name_size;
    bool used;
};
struct library {
    struct base_cx *cx;
    struct item *items;
    uint32_t count, cap;
};

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *line_end(const char *p) {
    const char *end = strchr(p, '\n');
    return end ? end + 1 : p + strlen(p);
}

static void read_items(struct library *lib, const char *text) {
    for (const char *p = text; *p; p = line_end(p)) {
        bool is_fn = strncmp(p, "fn ", 3) == 0, is_var = strncmp(p, "var<", 4) == 0;
        if (!is_fn && !is_var && strncmp(p, "const ", 6) != 0) continue;
        struct item item = {.text = p, .name = is_fn ? p + 3 : is_var ? strstr(p, "> ") + 2 : p + 6};
        while (is_word(item.name[item.name_size]))
            item.name_size++;
        for (;;) {
            const char *end = line_end(p);
            bool last = is_fn ? *p == '}' : end - p >= 2 && end[-2] == ';';
            if (last || !*end) {
                item.size = (size_t)(end - item.text);
                break;
            }
            p = end;
        }
        BASE_RESERVE(lib->cx, lib->items, lib->count, lib->cap);
        lib->items[lib->count++] = item;
    }
}

static void use_words(struct library *lib, const char *text, size_t size) {
    for (const char *p = text, *end = text + size; p < end;) {
        const char *word = p;
        while (p < end && is_word(*p))
            p++;
        size_t n = (size_t)(p - word);
        if (n == 0) {
            bool comment = p[0] == '/' && p[1] == '/' && p[2] != '!'; // `//!`: a line for some devices
            p = comment ? line_end(p) : p + 1;
            continue;
        }
        if (n < 6 || memcmp(word, "whorl_", 6) != 0) continue;
        struct item *found = NULL;
        for (uint32_t i = 0; i < lib->count && !found; i++)
            if (lib->items[i].name_size == n && memcmp(lib->items[i].name, word, n) == 0) found = &lib->items[i];
        if (!found) base_bug(lib->cx, "no prelude defines %.*s", (int)n, word);
        if (!found->used) {
            found->used = true;
            use_words(lib, found->text, found->size);
        }
    }
}

void wgsl_add_library(struct base_cx *cx, const char *text, struct base_text *out) {
    struct library lib = {.cx = cx};
    for (unsigned i = 0; i < wgsl_preludes_count; i++)
        read_items(&lib, wgsl_preludes[i].text);
    use_words(&lib, text, strlen(text));
    for (uint32_t i = 0; i < lib.count; i++)
        if (lib.items[i].used) base_text_add(out, lib.items[i].text, lib.items[i].size);
}
