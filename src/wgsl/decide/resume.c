// Resume points of a kernel: their numbers, the groups of statements between them, and what is done again.
//
// A block with resume points is split: loops that hold one stand alone, what lies between them is a group under one
// guard. Beside such loops, assignments that only repeat what they did (their operands cannot have changed) are
// executed again when the iteration is resumed, outside any guard: hoisted loads are repeated, not saved.
#include "wgsl/decide/kernel.h"

static const struct ir_stmt_node *node_of(const struct wgsl_kernel *k, ir_stmt s) { return &k->u->stmts[s]; }

// Fills `last` for the block's statements; returns the block's own last point, and its first one.
static uint32_t number_points(const struct wgsl_kernel *k, ir_stmt block, uint32_t *points, uint32_t *out_first) {
    uint32_t first = 0, last = 0;
    for (ir_stmt s = block; s && s != k->in->stop; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        uint32_t from = 0, to = 0;
        bool is_loop = n->kind == IR_FOR || n->kind == IR_LOOP;
        uint16_t point = k->in->grid ? IR_FLAG_GRID : k->in->sequential ? 0 : IR_FLAG_RESUME;
        if (is_loop && (n->flags & point)) from = to = ir_resume_point_of(n);
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++) {
            uint32_t inner_first, inner_last = number_points(k, inner[i], points, &inner_first);
            if (!inner_last) continue;
            if (n->kind == IR_LOOP && inner[i] == n->loop.continuing)
                base_bug(k->cx, "a resume point in the step of a loop");
            from = from ? from : inner_first;
            to = inner_last;
        }
        if (to && is_loop && !(n->flags & point)) base_bug(k->cx, "a loop around a resume point is none itself");
        if (to && (from <= last || to < from)) base_bug(k->cx, "resume points are not numbered in program order");
        points[s] = to;
        if (to) first = first ? first : from, last = to;
    }
    *out_first = first;
    return last;
}

struct wgsl_resume wgsl_number_resume(const struct wgsl_kernel *k) {
    uint32_t first, *last = base_alloc_array(k->cx, k->u->stmt_count + 1, sizeof *last);
    uint32_t points = number_points(k, k->body, last, &first);
    return (struct wgsl_resume){points, last};
}

bool wgsl_is_split(const struct wgsl_kernel *k, ir_stmt block) {
    for (ir_stmt s = block; s && s != k->in->stop; s = node_of(k, s)->next)
        if (k->resume.last[s] || (node_of(k, s)->kind == IR_COMBINE && !k->in->grid)) return true;
    return block == k->body && k->in->sequential;
}

bool wgsl_stands_alone(const struct wgsl_kernel *k, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(k, s);
    return k->resume.last[s] || (n->kind == IR_COMBINE && !k->in->grid) ||
           (n->kind == IR_ASSIGN && k->uses.vars[n->assign.var].repeatable);
}

ir_stmt wgsl_group_end(const struct wgsl_kernel *k, ir_stmt s) {
    do
        s = node_of(k, s)->next;
    while (s && s != k->in->stop && !wgsl_stands_alone(k, s));
    return s;
}

struct operands {
    const struct wgsl_kernel *k;
    const uint32_t *loops; // active FOR variables
    bool hit;
};

// Sets `hit` where the leaf may have another value when the iteration is resumed.
static void find_changing(void *user, ir_expr leaf) {
    struct operands *f = user;
    const struct ir_node *n = &f->k->u->nodes[leaf];
    if (n->op == IR_LOAD)
        f->hit |= f->k->u->arrays[n->a].klass == IR_ARRAY_LOCAL || f->k->uses.arrays_written[n->a];
    else
        f->hit |= !wgsl_is_fixed(f->k, n->a) && !f->k->uses.vars[n->a].repeatable && !f->loops[n->a];
}

static bool may_change(const struct wgsl_kernel *k, ir_expr x, const uint32_t *loops) {
    struct operands f = {k, loops, false};
    wgsl_visit_leaves(k, x, find_changing, &f);
    return f.hit;
}

// Marks assignments beside resume loops as repeatable, in program order, so that each finds its operands marked.
static void mark_block(const struct wgsl_kernel *k, struct wgsl_use *uses, ir_stmt block, uint32_t *loops,
                       const bool *never) {
    if (!wgsl_is_split(k, block)) return;
    for (ir_stmt s = block; s; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        if (n->kind == IR_ASSIGN) {
            ir_var v = n->assign.var;
            struct wgsl_use *var = &uses[v];
            if (var->writes == 1 && var->headers == 0 && !never[v] && k->u->vars[v].klass == IR_VAR_LOCAL)
                var->repeatable = !may_change(k, n->assign.value, loops);
        }
        if (!k->resume.last[s]) continue;
        if (n->kind == IR_IF) {
            mark_block(k, uses, n->branch.then_block, loops, never);
            mark_block(k, uses, n->branch.else_block, loops, never);
        } else if (n->kind == IR_FOR) {
            loops[n->counted.var]++;
            mark_block(k, uses, n->counted.body, loops, never);
            loops[n->counted.var]--;
        } else if (n->kind == IR_LOOP) {
            mark_block(k, uses, n->loop.body, loops, never);
        }
    }
}

void wgsl_mark_repeatable(const struct wgsl_kernel *k, struct wgsl_use *uses, uint32_t *loops, const bool *never) {
    mark_block(k, uses, k->body, loops, never);
}
