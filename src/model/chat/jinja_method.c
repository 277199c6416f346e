// Methods of texts and mappings, and the functions that every template finds.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/chat/jinja.h"
#include "model/token/unicode.h"

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

bool jinja_has_method(const struct jinja_value *self, const char *name) {
    static const char *const of_text[] = {"strip", "lstrip", "rstrip", "startswith", "endswith", "split",   "replace",
                                          "upper", "lower",  "title",  "capitalize", "join",     "isdigit", NULL};
    static const char *const of_dict[] = {"items", "keys", "values", "get", NULL};
    if (self->kind == JINJA_TEXT) return is_one_of(name, of_text);
    return self->kind == JINJA_DICT && is_one_of(name, of_dict);
}

static struct jinja_value text_argument(struct jinja *j, const struct jinja_arguments *a, uint32_t position,
                                        const char *of) {
    struct jinja_value v = jinja_argument(a, position, NULL, jinja_undefined());
    if (v.kind != JINJA_TEXT) jinja_fail(j, "%s needs a string, not %s", of, jinja_kind_name(&v));
    return v;
}

// ---- texts ----

static bool is_stripped(const struct jinja_value *set, const char *at, size_t size) {
    size_t next = 0;
    if (set->kind == JINJA_TEXT) return unicode_find(set->as.text, set->size_bytes, at, size) != NULL;
    int32_t c = unicode_next(at, &next);
    return unicode_is_space(c) || (c >= 0x1c && c <= 0x1f);
}

// set: the characters that go, or undefined: spaces
static struct jinja_value strip(struct jinja *j, struct jinja_value text, struct jinja_value set, bool left,
                                bool right) {
    size_t begin = 0, end = text.size_bytes;
    while (left && begin < end) {
        size_t next = begin;
        (void)unicode_next(text.as.text, &next);
        jinja_step(j, 1);
        if (!is_stripped(&set, text.as.text + begin, next - begin)) break;
        begin = next;
    }
    while (right && end > begin) {
        size_t last = end - 1;
        while (last > begin && ((unsigned char)text.as.text[last] & 0xc0) == 0x80)
            last--;
        jinja_step(j, 1);
        if (!is_stripped(&set, text.as.text + last, end - last)) break;
        end = last;
    }
    return jinja_text_of(text.as.text + begin, end - begin);
}

// Without a separator: by runs of spaces, none of which gives an empty part.
static struct jinja_value split(struct jinja *j, struct jinja_value text, const struct jinja_arguments *a) {
    struct jinja_value by = jinja_argument(a, 0, "sep", jinja_undefined()),
                       most = jinja_argument(a, 1, "maxsplit", jinja_int(-1));
    struct jinja_value out = jinja_list_make(j), rest = text;
    bool spaces = by.kind != JINJA_TEXT;
    if (most.kind != JINJA_INT || (!spaces && by.size_bytes == 0))
        jinja_fail(j, "split needs a separator that is not empty");
    for (int64_t n = 0; most.as.integer < 0 || n < most.as.integer; n++) {
        size_t at = 0, next = 0;
        if (spaces) {
            rest = strip(j, rest, jinja_undefined(), true, false);
            while (at < rest.size_bytes && !is_stripped(&by, rest.as.text + at, 1)) {
                (void)unicode_next(rest.as.text, &at);
                jinja_step(j, 1);
            }
            next = at;
            if (at == rest.size_bytes) break;
        } else {
            jinja_step(j, rest.size_bytes / 64);
            const char *found = unicode_find(rest.as.text, rest.size_bytes, by.as.text, by.size_bytes);
            if (!found) break;
            at = (size_t)(found - rest.as.text);
            next = at + by.size_bytes;
        }
        jinja_list_add(j, out.as.list, jinja_text_of(rest.as.text, at));
        rest = jinja_text_of(rest.as.text + next, rest.size_bytes - next);
    }
    if (spaces) rest = strip(j, rest, jinja_undefined(), true, false);
    if (!spaces || rest.size_bytes) jinja_list_add(j, out.as.list, rest);
    return out;
}

static bool has_end(const struct jinja_value *text, const struct jinja_value *part, bool front) {
    if (part->size_bytes > text->size_bytes) return false;
    return memcmp(text->as.text + (front ? 0 : text->size_bytes - part->size_bytes), part->as.text, part->size_bytes) ==
           0;
}

// part: a text, or a list of which one must be there
static bool is_at_end(struct jinja *j, const struct jinja_value *text, const struct jinja_value *part, bool front) {
    if (part->kind == JINJA_TEXT) return has_end(text, part, front);
    if (part->kind != JINJA_LIST) jinja_fail(j, "startswith and endswith need a string, not %s", jinja_kind_name(part));
    for (uint32_t i = 0; i < part->as.list->count; i++)
        if (part->as.list->items[i].kind == JINJA_TEXT && has_end(text, &part->as.list->items[i], front)) return true;
    return false;
}

static bool is_digits(const struct jinja_value *text) {
    for (uint32_t i = 0; i < text->size_bytes; i++)
        if (text->as.text[i] < '0' || text->as.text[i] > '9') return false;
    return text->size_bytes != 0;
}

static struct jinja_value call_of_text(struct jinja *j, const struct jinja_value *self, const char *name,
                                       const struct jinja_arguments *a) {
    struct jinja_value first = jinja_argument(a, 0, NULL, jinja_undefined());
    if (strcmp(name, "strip") == 0) return strip(j, *self, first, true, true);
    if (strcmp(name, "lstrip") == 0) return strip(j, *self, first, true, false);
    if (strcmp(name, "rstrip") == 0) return strip(j, *self, first, false, true);
    if (strcmp(name, "startswith") == 0) return jinja_bool(is_at_end(j, self, &first, true));
    if (strcmp(name, "endswith") == 0) return jinja_bool(is_at_end(j, self, &first, false));
    if (strcmp(name, "split") == 0) return split(j, *self, a);
    if (strcmp(name, "isdigit") == 0) return jinja_bool(is_digits(self));
    if (strcmp(name, "join") == 0) { // the filter has them the other way round
        struct jinja_arguments by = {.values = {*self}, .count = 1};
        return jinja_filter(j, "join", first, &by);
    }
    if (strcmp(name, "replace") == 0) (void)text_argument(j, a, 1, "replace");
    return jinja_filter(j, name, *self, a); // the rest are filters of the same name
}

// ---- mappings ----

static struct jinja_value call_of_dict(struct jinja *j, const struct jinja_value *self, const char *name,
                                       const struct jinja_arguments *a) {
    const struct jinja_dict *d = self->as.dict;
    struct jinja_value out = jinja_list_make(j);
    if (strcmp(name, "get") == 0) {
        struct jinja_value key = jinja_argument(a, 0, NULL, jinja_undefined());
        const struct jinja_value *found = jinja_dict_find(d, &key);
        jinja_step(j, d->count / 4);
        return found ? *found : jinja_argument(a, 1, NULL, (struct jinja_value){.kind = JINJA_NONE});
    }
    for (uint32_t i = 0; i < d->count; i++) {
        struct jinja_value pair = strcmp(name, "keys") == 0 ? d->keys[i] : d->values[i];
        if (strcmp(name, "items") == 0) {
            pair = jinja_list_make(j);
            jinja_list_add(j, pair.as.list, d->keys[i]);
            jinja_list_add(j, pair.as.list, d->values[i]);
        }
        jinja_list_add(j, out.as.list, pair);
    }
    return out;
}

struct jinja_value jinja_call_method(struct jinja *j, const struct jinja_value *self, const char *name,
                                     const struct jinja_arguments *a) {
    return self->kind == JINJA_TEXT ? call_of_text(j, self, name, a) : call_of_dict(j, self, name, a);
}

// ---- functions ----

bool jinja_is_function(const char *name) {
    static const char *const names[] = {"raise_exception", "namespace", "dict", "range", "strftime_now", NULL};
    return is_one_of(name, names);
}

static struct jinja_value range(struct jinja *j, const struct jinja_arguments *a) {
    struct jinja_value out = jinja_list_make(j);
    int64_t v[3] = {0, 0, 1};
    for (uint32_t i = 0; i < a->count && i < 3; i++) {
        if (a->values[i].kind != JINJA_INT) jinja_fail(j, "range needs integers");
        v[i] = a->values[i].as.integer;
    }
    if (a->count == 0 || a->count > 3 || v[2] == 0) jinja_fail(j, "range needs one to three integers, the last not 0");
    if (a->count == 1) {
        v[1] = v[0];
        v[0] = 0;
    }
    for (int64_t at = v[0]; v[2] > 0 ? at < v[1] : at > v[1];) {
        jinja_list_add(j, out.as.list, jinja_int(at));
        if (__builtin_add_overflow(at, v[2], &at)) break;
    }
    return out;
}

static struct jinja_value format_time(struct jinja *j, const struct jinja_arguments *a) {
    struct jinja_value format = text_argument(j, a, 0, "strftime_now");
    char text[512];
    struct tm parts;
    time_t now = (time_t)j->now_s;
    if (format.size_bytes > 100 || !gmtime_r(&now, &parts)) jinja_fail(j, "strftime_now cannot use its format");
    const char *own = base_strndup(&j->w->cx, format.as.text, format.size_bytes);
    size_t size = strftime(text, sizeof text, own, &parts);
    return jinja_text_of(base_strndup(&j->w->cx, text, size), size);
}

struct jinja_value jinja_call_function(struct jinja *j, const char *name, const struct jinja_arguments *a) {
    if (strcmp(name, "raise_exception") == 0) {
        struct jinja_value why = jinja_argument(a, 0, NULL, jinja_text("the template refuses"));
        struct jinja_value text = jinja_string(j, &why);
        jinja_fail(j, "%.*s", (int)(text.size_bytes < 400 ? text.size_bytes : 400), text.as.text);
    }
    if (strcmp(name, "range") == 0) return range(j, a);
    if (strcmp(name, "strftime_now") == 0) return format_time(j, a);
    struct jinja_value out = jinja_dict_make(j, strcmp(name, "dict") == 0 ? JINJA_DICT : JINJA_NAMESPACE);
    for (uint32_t i = 0; i < a->count; i++) {
        if (!a->names[i]) model_refuse(j->w, WHORL_UNSUPPORTED, "line %u: %s takes names only", j->line, name);
        jinja_dict_set(j, out.as.dict, jinja_text(a->names[i]), a->values[i]);
    }
    return out;
}
