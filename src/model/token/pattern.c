// PCRE2 in the dialect of tokenizers. They are written for Oniguruma, where \s is exactly Unicode's White_Space; in
// PCRE2 it is U+180E, too. So \s is spelled out before the pattern is compiled.
//
// One search may take a bounded number of steps; all searches in one text together may take some seconds, so that a
// pattern of a hostile model cannot hold a process.
#include "model/token/pattern.h"

#include <string.h>
#include <time.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include "pcre2.h"

enum { MAX_PATTERN_BYTES = 16 << 10, STEPS = 20000000, HEAP_KIB = 32 << 10, SECONDS = 5, TURNS = 256 };

struct pattern {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *context;
    struct timespec began;
    uint32_t turns; // searches since the clock was looked at
};

static const char spaces[] = "\\p{Z}\\t-\\r\\x{85}";

// With \s spelled out: as members of a class, or as a class. \S inside of a class stays PCRE2's.
static const char *spell_out(struct model_work *w, const char *text, size_t size_bytes) {
    struct base_text out;
    bool in_class = false;
    base_text_init(&out, &w->cx);
    for (size_t i = 0; i < size_bytes; i++) {
        char c = text[i], next = i + 1 < size_bytes ? text[i + 1] : 0;
        if (c == '\\' && (next == 's' || (next == 'S' && !in_class))) {
            base_text_put(&out, in_class ? "" : next == 's' ? "[" : "[^");
            base_text_put(&out, spaces);
            base_text_put(&out, in_class ? "" : "]");
            i++;
        } else if (c == '\\' && next) {
            base_text_add(&out, text + i++, 2);
        } else {
            if (c == '[') in_class = true;
            if (c == ']') in_class = false;
            base_text_add(&out, &c, 1);
        }
    }
    return out.data;
}

static struct pattern *make(struct model_work *w, const char *text, size_t size_bytes, uint32_t options) {
    int code = 0;
    PCRE2_SIZE at = 0;
    if (size_bytes > MAX_PATTERN_BYTES)
        model_refuse(w, WHORL_LIMIT, "it has a pattern of more than %d bytes", MAX_PATTERN_BYTES);
    struct pattern *p = base_heap_alloc(sizeof *p);
    if (!p) model_refuse(w, WHORL_MEMORY, "out of memory");
    memset(p, 0, sizeof *p);
    p->code = pcre2_compile((PCRE2_SPTR)text, size_bytes, options, &code, &at, NULL);
    if (p->code) {
        p->match = pcre2_match_data_create_from_pattern(p->code, NULL);
        p->context = pcre2_match_context_create(NULL);
    }
    if (p->match && p->context) {
        pcre2_set_match_limit(p->context, STEPS);
        pcre2_set_heap_limit(p->context, HEAP_KIB);
        return p;
    }
    bool compiled = p->code != NULL;
    unsigned char why[200] = "";
    pattern_free(p);
    if (compiled) model_refuse(w, WHORL_MEMORY, "out of memory");
    pcre2_get_error_message(code, why, sizeof why);
    model_refuse(w, WHORL_UNSUPPORTED, "its pattern \"%.200s\" cannot be used: %s", text, (char *)why);
}

struct pattern *pattern_make(struct model_work *w, const char *text, size_t size_bytes) {
    const char *ours = spell_out(w, text, size_bytes);
    return make(w, ours, strlen(ours), PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C);
}

struct pattern *pattern_make_literal(struct model_work *w, const char *text, size_t size_bytes) {
    return make(w, text, size_bytes, PCRE2_UTF | PCRE2_LITERAL);
}

void pattern_free(struct pattern *p) {
    if (!p) return;
    pcre2_match_context_free(p->context);
    pcre2_match_data_free(p->match);
    pcre2_code_free(p->code);
    base_heap_free(p);
}

void pattern_begin(struct pattern *p) {
    clock_gettime(CLOCK_MONOTONIC, &p->began);
    p->turns = 0;
}

static bool is_late(struct pattern *p, size_t size_bytes) {
    struct timespec now;
    if (++p->turns % TURNS) return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - p->began.tv_sec > SECONDS + (time_t)(size_bytes >> 20); // a second more for each MiB
}

bool pattern_next(struct model_work *w, struct pattern *p, const char *text, size_t size_bytes, size_t *io_at,
                  size_t *out_end) {
    size_t from = *io_at;
    for (;;) {
        int found = pcre2_match(p->code, (PCRE2_SPTR)text, size_bytes, from, PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY,
                                p->match, p->context);
        if (found == PCRE2_ERROR_NOMATCH) return false;
        if (found < 0 || is_late(p, size_bytes))
            model_refuse(w, WHORL_LIMIT, "a pattern of the tokenizer takes too long on this text");
        const PCRE2_SIZE *places = pcre2_get_ovector_pointer(p->match);
        if (places[1] > places[0] && places[0] >= from && places[1] <= size_bytes) {
            *io_at = places[0];
            *out_end = places[1];
            return true;
        }
        if (places[0] >= size_bytes) return false; // \K and lookbehind may point anywhere
        from = (places[0] > from ? places[0] : from) + 1;
        while (from < size_bytes && ((unsigned char)text[from] & 0xc0) == 0x80)
            from++;
    }
}
