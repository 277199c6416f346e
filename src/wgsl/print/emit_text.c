// Lines, braces and names of a kernel's text.
#include <assert.h>
#include <string.h>

#include "wgsl/print/emit.h"

enum { LINE_COLUMNS = 150 };

static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void put_indent(struct wgsl_emitter *e, uint32_t indent) {
    for (uint32_t i = 0; i < indent; i++)
        base_text_put(e->out, "    ");
}

#ifndef NDEBUG
// A name of the kernel's own that hides a function of WGSL would make its calls errors.
static bool hides_function(const char *text) {
    const char *at = strncmp(text, "for (var ", 9) == 0                               ? text + 9
                     : strncmp(text, "var ", 4) == 0 || strncmp(text, "let ", 4) == 0 ? text + 4
                                                                                      : NULL;
    for (int op = 0; at && op < IR_OP_COUNT; op++) {
        size_t size = strlen(ir_ops[op].wgsl);
        if (size && strncmp(at, ir_ops[op].wgsl, size) == 0 && !is_of_name(at[size])) return true;
    }
    return false;
}
#endif

// One statement; a long one is broken at spaces.
void wgsl_line(struct wgsl_emitter *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = base_vformat(e->cx, format, args);
    va_end(args);
    assert(!hides_function(text));
    uint32_t indent = e->indent;
    for (;;) {
        size_t room = LINE_COLUMNS > 4 * indent + 40 ? LINE_COLUMNS - 4 * indent : 40, size = strlen(text), cut = room;
        put_indent(e, indent);
        if (size > room)
            while (cut > 0 && text[cut] != ' ')
                cut--;
        if (size <= room || cut == 0) {
            base_text_format(e->out, "%s\n", text);
            return;
        }
        base_text_add(e->out, text, cut);
        base_text_put(e->out, "\n");
        text += cut + 1;
        indent = e->indent + 1;
    }
}

void wgsl_open(struct wgsl_emitter *e, const char *head) {
    wgsl_line(e, *head ? "%s {" : "%s{", head);
    if (e->indent + 1 >= WGSL_MAX_DEPTH)
        base_unsupported(e->cx, e->u->stmts[e->in->stmt].loc, "this loop nests more than %d blocks", WGSL_MAX_DEPTH);
    wgsl_angles_open(e, strncmp(head, "for", 3) == 0 || strncmp(head, "loop", 4) == 0);
    e->indent++;
    wgsl_forget_rows(e, NULL);
}
static void leave(struct wgsl_emitter *e) {
    e->indent--;
    wgsl_angles_close(e);
    wgsl_forget_rows(e, NULL);
}
void wgsl_else(struct wgsl_emitter *e) {
    leave(e);
    wgsl_open(e, "} else");
}
void wgsl_close(struct wgsl_emitter *e) {
    leave(e);
    wgsl_line(e, "}");
}

const char *wgsl_temp(struct wgsl_emitter *e) { return base_format(e->cx, "t%u", ++e->temps); }

const char *wgsl_clean_name(struct base_cx *cx, char kind, uint32_t handle, const char *name) {
    enum { DIGITS = 10, LONGEST = 40 };
    char digits[DIGITS];
    size_t n = 0, size = 0;
    do // by hand: each kernel names all variables of its unit
        digits[n++] = (char)('0' + handle % 10);
    while (handle /= 10);
    while (name && size < LONGEST && name[size])
        size++;
    char *clean = base_alloc(cx, 1 + n + 1 + size + 1), *at = clean;
    *at++ = kind;
    while (n)
        *at++ = digits[--n];
    *at++ = '_';
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        *at++ = is_of_name(c) ? c : '_';
    }
    return clean;
}

const char *wgsl_word(struct wgsl_emitter *e, uint32_t word) {
    return base_format(e->cx, "params[%u].%c", word / 4, "xyzw"[word % 4]);
}

const char *wgsl_from_bits(struct wgsl_emitter *e, enum ir_type type, const char *text) {
    if (type == IR_U32) return text;
    if (type == IR_BOOL) return base_format(e->cx, "(%s != 0u)", text);
    return base_format(e->cx, "bitcast<%s>(%s)", ir_type_name(type), text);
}

const char *wgsl_to_bits(struct wgsl_emitter *e, enum ir_type type, const char *text) {
    if (type == IR_U32) return text;
    return base_format(e->cx, type == IR_BOOL ? "select(0u, 1u, %s)" : "bitcast<u32>(%s)", text);
}

void wgsl_failure(struct wgsl_emitter *e) {
    wgsl_line(e, e->k->resume.points && !e->in->grid ? "atomicAdd(&group_failed, 1u);" : "atomicAdd(&control[2], 1u);");
}
