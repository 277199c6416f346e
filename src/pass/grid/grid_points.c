// Programs of several parallel loops: whether one dispatch needs barriers, and where it can stop between two slices.
#include "pass/grid/sync.h"

struct shape {
    uint32_t loops, parallel, stretches;
};
static void count_shape(const struct ir_unit *u, ir_stmt block, struct shape *out) {
    bool in_stretch = false;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_NOP) continue;
        if (n->kind == IR_COMBINE || (n->kind != IR_PARFOR && pass_is_leaf(u, s))) {
            out->stretches += !in_stretch;
            in_stretch = true;
            continue;
        }
        in_stretch = false;
        if (n->kind == IR_PARFOR) {
            out->parallel++;
        } else if (n->kind == IR_IF) {
            count_shape(u, n->branch.then_block, out);
            count_shape(u, n->branch.else_block, out);
        } else {
            out->loops++;
            count_shape(u, ir_body_of(n), out);
        }
    }
}

bool pass_needs_grid(const struct ir_unit *u) {
    struct shape shape = {0};
    count_shape(u, u->root, &shape);
    return shape.parallel && (shape.loops || shape.parallel > 1 || shape.stretches > 1);
}

static void mark_points(struct ir_unit *u, ir_stmt block, uint32_t *number) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (pass_is_leaf(u, s)) continue;
        struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_IF) {
            mark_points(u, n->branch.then_block, number);
            mark_points(u, n->branch.else_block, number);
        } else {
            n->flags |= IR_FLAG_GRID;
            ir_set_resume_point(n, ++*number);
            mark_points(u, ir_body_of(n), number);
        }
    }
}

// Loops around phases are where the program can stop between two slices.
void pass_mark_points(struct ir_unit *u) {
    uint32_t number = 0;
    mark_points(u, u->root, &number);
}
