// Values as text: as Python's str and repr print them, and as its json module does.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/chat/jinja.h"

enum { MAX_PRINT_DEPTH = 80 };

// The fewest digits that read as the same number; 1.0, 1e+16, 1e-05.
static void print_real(struct base_text *out, double real, bool json) {
    char text[40];
    if (isnan(real) || isinf(real)) {
        base_text_put(out, isnan(real) ? (json ? "NaN" : "nan")
                           : real > 0  ? (json ? "Infinity" : "inf")
                           : json      ? "-Infinity"
                                       : "-inf");
        return;
    }
    int digits = 1;
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, real);
        if (strtod(text, NULL) == real) break;
    }
    snprintf(text, sizeof text, "%.*e", digits - 1, real);
    const char *e = strchr(text, 'e');
    int exponent = e ? (int)strtol(e + 1, NULL, 10) : 0;
    if (real != 0 && (exponent < -4 || exponent >= 16)) {
        base_text_put(out, text);
        return;
    }
    int decimals = digits - 1 - exponent;
    base_text_format(out, "%.*f", decimals > 1 ? decimals : 1, real);
}

// In quotes, with what does not print escaped.
static void print_quoted(struct base_text *out, const struct jinja_value *v) {
    bool single = memchr(v->as.text, '\'', v->size_bytes) != NULL,
         both = single && memchr(v->as.text, '"', v->size_bytes);
    char quote = single && !both ? '"' : '\'';
    base_text_add(out, &quote, 1);
    for (uint32_t i = 0; i < v->size_bytes; i++) {
        unsigned char c = (unsigned char)v->as.text[i];
        if (c == '\n')
            base_text_put(out, "\\n");
        else if (c == '\t')
            base_text_put(out, "\\t");
        else if (c == '\r')
            base_text_put(out, "\\r");
        else if (c == '\\' || c == (unsigned char)quote)
            base_text_format(out, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            base_text_format(out, "\\x%02x", c);
        else
            base_text_add(out, v->as.text + i, 1);
    }
    base_text_add(out, &quote, 1);
}

static void print_inner(struct jinja *j, struct base_text *out, const struct jinja_value *v, int depth);

static void print_container(struct jinja *j, struct base_text *out, const struct jinja_value *v, int depth) {
    bool list = v->kind == JINJA_LIST;
    uint32_t count = list ? v->as.list->count : v->as.dict->count;
    if (depth > MAX_PRINT_DEPTH) jinja_fail(j, "what is printed is nested too deep");
    base_text_put(out, list ? "[" : "{");
    for (uint32_t i = 0; i < count; i++) {
        if (i) base_text_put(out, ", ");
        if (!list) {
            print_inner(j, out, &v->as.dict->keys[i], depth + 1);
            base_text_put(out, ": ");
        }
        print_inner(j, out, list ? &v->as.list->items[i] : &v->as.dict->values[i], depth + 1);
    }
    base_text_put(out, list ? "]" : "}");
}

static void print_inner(struct jinja *j, struct base_text *out, const struct jinja_value *v, int depth) {
    jinja_step(j, 1);
    if (v->kind == JINJA_TEXT)
        print_quoted(out, v);
    else if (v->kind == JINJA_LIST || v->kind == JINJA_DICT)
        print_container(j, out, v, depth);
    else if (v->kind == JINJA_UNDEFINED)
        base_text_put(out, "Undefined");
    else
        jinja_print(j, out, v);
}

void jinja_print(struct jinja *j, struct base_text *out, const struct jinja_value *v) {
    switch (v->kind) {
    case JINJA_UNDEFINED: break;
    case JINJA_NONE: base_text_put(out, "None"); break;
    case JINJA_BOOL: base_text_put(out, v->as.truth ? "True" : "False"); break;
    case JINJA_INT: base_text_format(out, "%lld", (long long)v->as.integer); break;
    case JINJA_FLOAT: print_real(out, v->as.real, false); break;
    case JINJA_TEXT:
        jinja_step(j, v->size_bytes / 64);
        base_text_add(out, v->as.text, v->size_bytes);
        break;
    case JINJA_LIST:
    case JINJA_DICT: print_container(j, out, v, 0); break;
    default: jinja_fail(j, "%s cannot be printed", jinja_kind_name(v));
    }
}

struct jinja_value jinja_string(struct jinja *j, const struct jinja_value *v) {
    if (v->kind == JINJA_TEXT) return *v;
    struct base_text text;
    base_text_init(&text, &j->w->cx);
    jinja_print(j, &text, v);
    return jinja_text_of(text.data, text.size);
}

// ---- JSON ----

static void print_json_text(struct base_text *out, const struct jinja_value *v) {
    static const char plain[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    base_text_put(out, "\"");
    for (uint32_t i = 0; i < v->size_bytes; i++) {
        char c = v->as.text[i];
        const char *known = c ? strchr(plain, c) : NULL;
        if (known)
            base_text_format(out, "\\%c", names[known - plain]);
        else if ((unsigned char)c < ' ')
            base_text_format(out, "\\u%04x", (unsigned char)c);
        else
            base_text_add(out, &c, 1);
    }
    base_text_put(out, "\"");
}

static void new_line(struct base_text *out, int indent, int depth) {
    base_text_put(out, "\n");
    for (int i = 0; i < indent * depth; i++)
        base_text_put(out, " ");
}

static void print_json_container(struct jinja *j, struct base_text *out, const struct jinja_value *v, int indent,
                                 int depth) {
    bool list = v->kind == JINJA_LIST;
    uint32_t count = list ? v->as.list->count : v->as.dict->count;
    if (depth > MAX_PRINT_DEPTH) jinja_fail(j, "what is printed is nested too deep");
    base_text_put(out, list ? "[" : "{");
    for (uint32_t i = 0; i < count; i++) {
        if (i) base_text_put(out, indent < 0 ? ", " : ",");
        if (indent >= 0) new_line(out, indent, depth + 1);
        if (!list) {
            struct jinja_value key = jinja_string(j, &v->as.dict->keys[i]);
            print_json_text(out, &key);
            base_text_put(out, ": ");
        }
        jinja_print_json(j, out, list ? &v->as.list->items[i] : &v->as.dict->values[i], indent, depth + 1);
    }
    if (indent >= 0 && count) new_line(out, indent, depth);
    base_text_put(out, list ? "]" : "}");
}

void jinja_print_json(struct jinja *j, struct base_text *out, const struct jinja_value *v, int indent, int depth) {
    jinja_step(j, 1);
    switch (v->kind) {
    case JINJA_NONE: base_text_put(out, "null"); break;
    case JINJA_BOOL: base_text_put(out, v->as.truth ? "true" : "false"); break;
    case JINJA_INT: jinja_print(j, out, v); break;
    case JINJA_FLOAT: print_real(out, v->as.real, true); break;
    case JINJA_TEXT: print_json_text(out, v); break;
    case JINJA_LIST:
    case JINJA_DICT: print_json_container(j, out, v, indent, depth); break;
    default: jinja_fail(j, "%s cannot be written as JSON", jinja_kind_name(v));
    }
}
