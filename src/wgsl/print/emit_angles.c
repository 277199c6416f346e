// Sine and cosine of one variable cost little more together than one alone. Where the kernel takes both, the first of
// them computes the pair, which is used until the variable changes, a loop starts in which it may, or the text's scope
// ends.
#include "wgsl/print/emit.h"

struct wgsl_pairs {
    const char **names; // by variable handle: the pair that holds them here, or NULL
    ir_var *list;       // those that have one
    uint32_t count, cap;
    uint32_t marks[WGSL_MAX_DEPTH]; // by indentation
};

struct wgsl_pairs *wgsl_pairs_create(struct base_cx *cx, const struct ir_unit *u) {
    struct wgsl_pairs *p = base_alloc(cx, sizeof *p);
    p->names = base_alloc_array(cx, u->var_count + 1, sizeof *p->names);
    return p;
}

uint32_t wgsl_angles_mark(const struct wgsl_emitter *e) { return e->pairs->count; }

void wgsl_angles_leave(struct wgsl_emitter *e, uint32_t mark) {
    struct wgsl_pairs *p = e->pairs;
    while (p->count > mark)
        p->names[p->list[--p->count]] = NULL;
}

void wgsl_angles_open(struct wgsl_emitter *e, bool is_loop) {
    struct wgsl_pairs *p = e->pairs;
    for (uint32_t i = 0; is_loop && i < p->count; i++) {
        ir_var v = p->list[i];
        if (e->k->vars[v].home != WGSL_FIXED && e->k->uses.vars[v].writes != 1) p->names[v] = NULL;
    }
    p->marks[e->indent] = p->count;
}

void wgsl_angles_close(struct wgsl_emitter *e) { wgsl_angles_leave(e, e->pairs->marks[e->indent]); }

void wgsl_angles_write(struct wgsl_emitter *e, ir_var v) { e->pairs->names[v] = NULL; }

// Computes the pair of the variable; returns its name.
static const char *emit_pair(struct wgsl_emitter *e, ir_var v) {
    struct wgsl_pairs *p = e->pairs;
    const char *name = wgsl_temp(e);
    if (e->rare.text == WGSL_FIRST_TEXT) {
        const char *near = wgsl_temp(e);
        wgsl_line(e, "let %s = whorl_sincos_near(%s);", near, e->names[v]);
        wgsl_line(e, "%s |= %s.z;", e->rare.word, near);
        wgsl_line(e, "let %s = bitcast<vec2<f32>>(%s.xy);", name, near);
    } else {
        wgsl_line(e, "let %s = whorl_sincos(%s);", name, e->names[v]);
    }
    BASE_RESERVE(e->cx, p->list, p->count, p->cap);
    p->list[p->count++] = v;
    return p->names[v] = name;
}

const char *wgsl_angle(struct wgsl_emitter *e, uint8_t op, ir_expr operand) {
    const struct ir_node *n = &e->u->nodes[operand];
    if (n->op != IR_VAR || e->k->uses.vars[n->a].angles != 3) return NULL;
    const char *pair = e->pairs->names[n->a] ? e->pairs->names[n->a] : emit_pair(e, n->a);
    return base_format(e->cx, op == IR_SIN ? "%s.x" : "%s.y", pair);
}
