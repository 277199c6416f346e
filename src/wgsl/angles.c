// Sine and cosine of one variable cost little more together than one alone. Where the kernel takes both, the first of
// them computes the pair, which is used until the variable changes, a loop starts in which it may, or the text's scope
// ends.
#include "wgsl/emit.h"

uint32_t wgsl_angles_mark(const struct wgsl_emitter *e) { return e->angle_count; }

void wgsl_angles_leave(struct wgsl_emitter *e, uint32_t mark) {
    while (e->angle_count > mark)
        e->angle_names[e->angle_list[--e->angle_count]] = NULL;
}

void wgsl_angles_write(struct wgsl_emitter *e, ir_var v) { e->angle_names[v] = NULL; }

void wgsl_angles_loop(struct wgsl_emitter *e) {
    for (uint32_t i = 0; i < e->angle_count; i++) {
        ir_var v = e->angle_list[i];
        if (e->k->vars[v].home != WGSL_FIXED && e->k->uses.vars[v].writes != 1) e->angle_names[v] = NULL;
    }
}

const char *wgsl_angle(struct wgsl_emitter *e, uint8_t op, ir_expr operand) {
    const struct ir_node *n = &e->u->nodes[operand];
    if (n->op != IR_VAR || e->k->uses.vars[n->a].angles != 3) return NULL;
    if (!e->angle_names[n->a]) {
        const char *name = wgsl_temp(e);
        if (e->rare.text == WGSL_FIRST_TEXT) {
            const char *near = wgsl_temp(e);
            wgsl_line(e, "let %s = whorl_sincos_near(%s);", near, e->names[n->a]);
            wgsl_line(e, "%s |= %s.z;", e->rare.word, near);
            wgsl_line(e, "let %s = bitcast<vec2<f32>>(%s.xy);", name, near);
        } else {
            wgsl_line(e, "let %s = whorl_sincos(%s);", name, e->names[n->a]);
        }
        BASE_RESERVE(e->cx, e->angle_list, e->angle_count, e->angle_cap);
        e->angle_list[e->angle_count++] = n->a;
        e->angle_names[n->a] = name;
    }
    return base_format(e->cx, op == IR_SIN ? "%s.x" : "%s.y", e->angle_names[n->a]);
}
