// Values that lanes of a team take from each other (NEIGHBOUR), through workgroup memory.
#include "wgsl/print/emit.h"

static const char *word_of(struct wgsl_emitter *e, const struct ir_stmt_node *n, const char *lane) {
    const char *memory = wgsl_tile_memory(e, (enum ir_type)e->u->vars[n->neighbour.var].type);
    return base_format(e->cx, "%s[%uu + %s]", memory, n->neighbour.slot * e->in->workgroup_size, lane);
}

ir_stmt wgsl_neighbours(struct wgsl_emitter *e, ir_stmt first) {
    const struct ir_stmt_node *before = NULL;
    ir_stmt end = first;
    wgsl_line(e, "workgroupBarrier();"); // the values before are read
    for (; end && e->u->stmts[end].kind == IR_NEIGHBOUR; end = e->u->stmts[end].next) {
        const struct ir_stmt_node *n = &e->u->stmts[end];
        bool stored = before && before->neighbour.slot == n->neighbour.slot;
        before = n;
        if (stored) continue;
        wgsl_begin(e, &n->neighbour.value, 1);
        const char *value = wgsl_expr(e, n->neighbour.value);
        wgsl_line(e, "%s = %s;", word_of(e, n, "li"), value);
    }
    wgsl_line(e, "workgroupBarrier();");
    for (ir_stmt s = first; s != end; s = e->u->stmts[s].next) {
        const struct ir_stmt_node *n = &e->u->stmts[s];
        const char *lane =
            base_format(e->cx, "u32(clamp(i32(li) %c %d, 0, %u))", n->neighbour.by < 0 ? '-' : '+',
                        n->neighbour.by < 0 ? -n->neighbour.by : n->neighbour.by, e->in->workgroup_size - 1);
        wgsl_line(e, "%s = %s;", e->names[n->neighbour.var], word_of(e, n, lane));
        wgsl_angles_write(e, n->neighbour.var);
    }
    return end;
}
