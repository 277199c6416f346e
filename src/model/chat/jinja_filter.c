// Filters and tests, one table each.
#include <stdlib.h>
#include <string.h>

#include "model/chat/jinja.h"
#include "model/token/unicode.h"
#include "utf8proc.h"

typedef struct jinja_value filter_fn(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a);

static struct jinja_value argument(const struct jinja_arguments *a, uint32_t position, const char *name) {
    return jinja_argument(a, position, name, jinja_undefined());
}

// ---- texts ----

static struct jinja_value trim(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value text = jinja_string(j, &v);
    return jinja_call_method(j, &text, "strip", a);
}

enum letters { UPPER, LOWER, TITLE, CAPITAL };

static struct jinja_value letters(struct jinja *j, struct jinja_value v, enum letters how) {
    struct jinja_value text = jinja_string(j, &v);
    struct base_text out;
    bool begins = true;
    base_text_init(&out, &j->w->cx);
    jinja_step(j, text.size_bytes / 8);
    for (size_t at = 0; at < text.size_bytes;) {
        char put[4];
        int32_t c = unicode_next(text.as.text, &at);
        bool up = how == UPPER || (how != LOWER && begins);
        begins = how == TITLE && !unicode_is_word(c);
        base_text_add(&out, put, unicode_put(up ? utf8proc_toupper(c) : utf8proc_tolower(c), put));
    }
    return jinja_text_of(out.data, out.size);
}

static struct jinja_value upper(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return letters(j, v, UPPER);
}
static struct jinja_value lower(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return letters(j, v, LOWER);
}
static struct jinja_value title(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return letters(j, v, TITLE);
}
static struct jinja_value capitalize(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return letters(j, v, CAPITAL);
}

static struct jinja_value replace(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value text = jinja_string(j, &v), old = argument(a, 0, "old"), new = argument(a, 1, "new");
    struct jinja_value most = jinja_argument(a, 2, "count", jinja_int(-1));
    struct base_text out;
    size_t at = 0;
    if (old.kind != JINJA_TEXT || new.kind != JINJA_TEXT || !old.size_bytes || most.kind != JINJA_INT)
        jinja_fail(j, "replace needs two strings, the first not empty");
    base_text_init(&out, &j->w->cx);
    for (int64_t n = 0; most.as.integer < 0 || n < most.as.integer; n++) {
        const char *found = unicode_find(text.as.text + at, text.size_bytes - at, old.as.text, old.size_bytes);
        if (!found) break;
        size_t to = (size_t)(found - text.as.text);
        jinja_step(j, 1 + (to - at + new.size_bytes) / 16);
        base_text_add(&out, text.as.text + at, to - at);
        base_text_add(&out, new.as.text, new.size_bytes);
        at = to + old.size_bytes;
    }
    base_text_add(&out, text.as.text + at, text.size_bytes - at);
    return jinja_text_of(out.data, out.size);
}

static struct jinja_value string(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return jinja_string(j, &v);
}

static struct jinja_value tojson(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value indent = argument(a, 0, "indent");
    struct base_text out;
    base_text_init(&out, &j->w->cx);
    bool given = indent.kind == JINJA_INT;
    if (given && (indent.as.integer < 0 || indent.as.integer > 16)) jinja_fail(j, "tojson indents by 0 to 16");
    jinja_print_json(j, &out, &v, given ? (int)indent.as.integer : -1, 0);
    return jinja_text_of(out.data, out.size);
}

// ---- numbers ----

static struct jinja_value to_number(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a, bool real) {
    struct jinja_value otherwise = jinja_argument(a, 0, "default", real ? jinja_real(0) : jinja_int(0));
    double number = jinja_is_number(&v) ? jinja_number(&v) : 0;
    if (v.kind == JINJA_INT && !real) return v;
    if (v.kind == JINJA_TEXT) {
        char *end;
        const char *own = base_strndup(&j->w->cx, v.as.text, v.size_bytes);
        number = strtod(own, &end);
        if (end == own || *end) return otherwise;
    } else if (!jinja_is_number(&v)) {
        return otherwise;
    }
    if (!real && !(number > -9e18 && number < 9e18)) return otherwise;
    return real ? jinja_real(number) : jinja_int((int64_t)number);
}

static struct jinja_value integer(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    return to_number(j, v, a, false);
}
static struct jinja_value real(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    return to_number(j, v, a, true);
}

static struct jinja_value absolute(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    if (v.kind == JINJA_INT && v.as.integer > INT64_MIN)
        return jinja_int(v.as.integer < 0 ? -v.as.integer : v.as.integer);
    if (v.kind == JINJA_FLOAT) return jinja_real(v.as.real < 0 ? -v.as.real : v.as.real);
    jinja_fail(j, "abs needs a number");
}

// ---- lists ----

static struct jinja_value length(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return jinja_int((int64_t)jinja_length(j, &v));
}

static struct jinja_value first(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_list *items = jinja_items(j, &v);
    (void)a;
    return items->count ? items->items[0] : jinja_undefined();
}

static struct jinja_value last(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_list *items = jinja_items(j, &v);
    (void)a;
    return items->count ? items->items[items->count - 1] : jinja_undefined();
}

static struct jinja_value list(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)a;
    return (struct jinja_value){.kind = JINJA_LIST, .as.list = jinja_items(j, &v)};
}

static struct jinja_value reverse(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_list *items = jinja_items(j, &v);
    struct jinja_value out = jinja_list_make(j);
    (void)a;
    if (v.kind == JINJA_TEXT) jinja_fail(j, "reverse needs a list");
    for (uint32_t i = items->count; i > 0; i--)
        jinja_list_add(j, out.as.list, items->items[i - 1]);
    return out;
}

static struct jinja_value part_of(struct jinja *j, const struct jinja_value *v, const struct jinja_value *name) {
    if (name->kind != JINJA_TEXT || v->kind != JINJA_DICT) return jinja_undefined();
    jinja_step(j, 1 + v->as.dict->count / 4);
    const struct jinja_value *found = jinja_dict_find(v->as.dict, name);
    return found ? *found : jinja_undefined();
}

static struct jinja_value join(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value by = jinja_argument(a, 0, "d", jinja_text("")), name = argument(a, 1, "attribute");
    struct jinja_list *items = jinja_items(j, &v);
    struct jinja_value between = jinja_string(j, &by);
    struct base_text out;
    base_text_init(&out, &j->w->cx);
    for (uint32_t i = 0; i < items->count; i++) {
        struct jinja_value one = name.kind == JINJA_TEXT ? part_of(j, &items->items[i], &name) : items->items[i];
        jinja_step(j, 1);
        if (i) base_text_add(&out, between.as.text, between.size_bytes);
        jinja_print(j, &out, &one);
    }
    return jinja_text_of(out.data, out.size);
}

static struct jinja_value items(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    if (v.kind == JINJA_UNDEFINED) return jinja_list_make(j);
    if (v.kind != JINJA_DICT) jinja_fail(j, "items needs a mapping, not %s", jinja_kind_name(&v));
    return jinja_call_method(j, &v, "items", a);
}

// map(attribute="name"), or map("filter")
static struct jinja_value map(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value name = argument(a, UINT32_MAX, "attribute"), filter = argument(a, 0, NULL),
                       out = jinja_list_make(j);
    const struct jinja_arguments none = {.count = 0};
    struct jinja_list *all = jinja_items(j, &v);
    if (name.kind != JINJA_TEXT && filter.kind != JINJA_TEXT)
        jinja_fail(j, "map needs an attribute or a filter's name");
    const char *own = name.kind == JINJA_TEXT ? NULL : base_strndup(&j->w->cx, filter.as.text, filter.size_bytes);
    for (uint32_t i = 0; i < all->count; i++)
        jinja_list_add(j, out.as.list,
                       own ? jinja_filter(j, own, all->items[i], &none) : part_of(j, &all->items[i], &name));
    return out;
}

// select(test, ...), selectattr(name, test, ...): those for which the test holds, or, without one, that are true.
static struct jinja_value choose(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a, bool attribute,
                                 bool wanted) {
    struct jinja_value name = attribute ? argument(a, 0, NULL) : jinja_undefined(), out = jinja_list_make(j);
    struct jinja_value test = argument(a, attribute, NULL);
    struct jinja_arguments rest = {.count = 0};
    struct jinja_list *all = jinja_items(j, &v);
    const char *own = test.kind == JINJA_TEXT ? base_strndup(&j->w->cx, test.as.text, test.size_bytes) : NULL;
    for (uint32_t i = 1 + attribute; i < a->count; i++) {
        rest.names[rest.count] = a->names[i];
        rest.values[rest.count++] = a->values[i];
    }
    for (uint32_t i = 0; i < all->count; i++) {
        struct jinja_value one = attribute ? part_of(j, &all->items[i], &name) : all->items[i];
        bool holds = own ? jinja_test(j, own, one, &rest) : jinja_truth(&one);
        if (holds == wanted) jinja_list_add(j, out.as.list, all->items[i]);
    }
    return out;
}

static struct jinja_value select_some(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    return choose(j, v, a, false, true);
}
static struct jinja_value reject_some(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    return choose(j, v, a, false, false);
}
static struct jinja_value selectattr(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    return choose(j, v, a, true, true);
}
static struct jinja_value rejectattr(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    return choose(j, v, a, true, false);
}

// ---- the rest ----

static struct jinja_value otherwise(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value also = argument(a, 1, "boolean");
    (void)j;
    bool missing = v.kind == JINJA_UNDEFINED || (jinja_truth(&also) && !jinja_truth(&v));
    return missing ? jinja_argument(a, 0, "default_value", jinja_text("")) : v;
}

static struct jinja_value unchanged(struct jinja *j, struct jinja_value v, const struct jinja_arguments *a) {
    (void)j;
    (void)a;
    return v;
}

static const struct {
    const char *name;
    filter_fn *fn;
} filters[] = {{"trim", trim},
               {"upper", upper},
               {"lower", lower},
               {"title", title},
               {"capitalize", capitalize},
               {"replace", replace},
               {"string", string},
               {"tojson", tojson},
               {"int", integer},
               {"float", real},
               {"abs", absolute},
               {"length", length},
               {"count", length},
               {"first", first},
               {"last", last},
               {"list", list},
               {"reverse", reverse},
               {"join", join},
               {"items", items},
               {"map", map},
               {"select", select_some},
               {"reject", reject_some},
               {"selectattr", selectattr},
               {"rejectattr", rejectattr},
               {"default", otherwise},
               {"d", otherwise},
               {"safe", unchanged}};

struct jinja_value jinja_filter(struct jinja *j, const char *name, struct jinja_value value,
                                const struct jinja_arguments *a) {
    jinja_step(j, 1);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i].name, name) == 0) return filters[i].fn(j, value, a);
    model_refuse(j->w, WHORL_UNSUPPORTED, "line %u: whorl's templates have no filter \"%.60s\"", j->line, name);
}

// ---- tests ----

static bool test_kind(const char *name, const struct jinja_value *v, bool *out) {
    bool integer = v->kind == JINJA_INT, flag = v->kind == JINJA_BOOL, text = v->kind == JINJA_TEXT,
         list = v->kind == JINJA_LIST;
    bool dict = v->kind == JINJA_DICT;
    const struct {
        const char *name;
        bool holds;
    } tests[] = {{"defined", v->kind != JINJA_UNDEFINED},
                 {"undefined", v->kind == JINJA_UNDEFINED},
                 {"none", v->kind == JINJA_NONE},
                 {"string", text},
                 {"number", jinja_is_number(v)},
                 {"integer", integer},
                 {"float", v->kind == JINJA_FLOAT},
                 {"boolean", flag},
                 {"true", flag && v->as.truth},
                 {"false", flag && !v->as.truth},
                 {"mapping", dict},
                 {"sequence", text || list || dict || v->kind == JINJA_UNDEFINED},
                 {"iterable", text || list || dict || v->kind == JINJA_UNDEFINED},
                 {"callable", v->kind >= JINJA_FUNCTION}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(tests[i].name, name) != 0) continue;
        *out = tests[i].holds;
        return true;
    }
    return false;
}

bool jinja_test(struct jinja *j, const char *name, struct jinja_value v, const struct jinja_arguments *a) {
    struct jinja_value other = argument(a, 0, NULL);
    bool holds;
    jinja_step(j, 1);
    if (test_kind(name, &v, &holds)) return holds;
    if (strcmp(name, "odd") == 0 || strcmp(name, "even") == 0) {
        if (v.kind != JINJA_INT) jinja_fail(j, "odd and even need an integer, not %s", jinja_kind_name(&v));
        return (v.as.integer % 2 != 0) == (name[0] == 'o');
    }
    if (strcmp(name, "equalto") == 0 || strcmp(name, "eq") == 0) return jinja_equal(j, &v, &other);
    if (strcmp(name, "ne") == 0) return !jinja_equal(j, &v, &other);
    if (strcmp(name, "in") == 0) return jinja_contains(j, &other, &v);
    model_refuse(j->w, WHORL_UNSUPPORTED, "line %u: whorl's templates have no test \"%.60s\"", j->line, name);
}
