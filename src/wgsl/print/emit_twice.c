// Statements that are written twice (twice.c), for small angles and for any.
#include "wgsl/print/emit.h"

static void statements(struct wgsl_emitter *e, ir_stmt s, ir_stmt end) {
    uint32_t mark = wgsl_angles_mark(e);
    for (; s && s != end; s = e->u->stmts[s].next)
        wgsl_statement(e, s);
    wgsl_angles_leave(e, mark); // a pair belongs to its text
}

void wgsl_write_twice(struct wgsl_emitter *e, ir_stmt s) {
    const struct wgsl_twice *t = e->k->twice[s];
    const char *rare = wgsl_temp(e), **kept = base_alloc_array(e->cx, t->kept_count + 1, sizeof *kept);
    wgsl_line(e, "var %s = 0u;", rare);
    for (uint32_t i = 0; i < t->kept_count; i++) {
        kept[i] = wgsl_temp(e);
        wgsl_line(e, "let %s = %s;", kept[i], e->names[t->kept[i]]);
    }
    e->rare.word = rare;
    e->rare.indent = e->indent;
    e->rare.text = WGSL_FIRST_TEXT;
    statements(e, s, t->end);
    const char *test = t->together ? "if (subgroupAny(%s >= whorl_rare))" : "if (%s >= whorl_rare)";
    wgsl_open(e, base_format(e->cx, test, rare));
    for (uint32_t i = 0; i < t->kept_count; i++)
        wgsl_line(e, "%s = %s;", e->names[t->kept[i]], kept[i]);
    e->rare.indent = e->indent;
    e->rare.text = WGSL_SECOND_TEXT;
    statements(e, s, t->end);
    wgsl_close(e);
    e->rare.text = WGSL_ONE_TEXT;
}
