// Resume points of a kernel: their numbers, the groups of statements between them, and what is done again.
//
// A block with resume points is split: loops that hold one stand alone, what lies between them is a group under one
// guard. Beside such loops, assignments that only repeat what they did (their operands cannot have changed) are
// executed again when the iteration is resumed, outside any guard: hoisted loads are repeated, not saved.
#include "wgsl/emit.h"

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// Fills resume_first and resume_last for the block's statements; returns the block's own range.
static uint32_t number_points(struct wgsl_emitter *e, ir_stmt block, uint32_t *out_first) {
    uint32_t first = 0, last = 0;
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        uint32_t from = 0, to = 0;
        bool is_loop = n->kind == IR_FOR || n->kind == IR_LOOP;
        uint16_t point = e->in->grid ? IR_FLAG_GRID : e->in->sequential ? 0 : IR_FLAG_RESUME;
        if (is_loop && (n->flags & point)) from = to = ir_resume_point_of(n);
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++) {
            uint32_t inner_first, inner_last = number_points(e, inner[i], &inner_first);
            if (!inner_last) continue;
            if (n->kind == IR_LOOP && inner[i] == n->loop.continuing)
                base_bug(e->cx, "a resume point in the step of a loop");
            from = from ? from : inner_first;
            to = inner_last;
        }
        if (to && is_loop && !(n->flags & point)) base_bug(e->cx, "a loop around a resume point is none itself");
        if (to && (from <= last || to < from)) base_bug(e->cx, "resume points are not numbered in program order");
        e->resume_first[s] = from;
        e->resume_last[s] = to;
        if (to) first = first ? first : from, last = to;
    }
    *out_first = first;
    return last;
}

// Variables of FOR loops with points keep their values.
static void mark_saved(struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (!e->resume_last[s]) continue;
        if (n->kind == IR_FOR && (n->flags & (IR_FLAG_RESUME | IR_FLAG_GRID))) e->vars[n->counted.var].saved = true;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            mark_saved(e, inner[i]);
    }
}

void wgsl_number_resume(struct wgsl_emitter *e) {
    uint32_t first;
    e->resume_points = number_points(e, e->body, &first);
    if (e->resume_points) mark_saved(e, e->body);
}

bool wgsl_is_split(const struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next)
        if (e->resume_last[s] || (node_of(e, s)->kind == IR_COMBINE && !e->in->grid)) return true;
    return block == e->body && e->in->sequential;
}

bool wgsl_stands_alone(const struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    return e->resume_last[s] || (n->kind == IR_COMBINE && !e->in->grid) ||
           (n->kind == IR_ASSIGN && e->vars[n->assign.var].repeatable);
}

ir_stmt wgsl_group_end(const struct wgsl_emitter *e, ir_stmt s) {
    do
        s = node_of(e, s)->next;
    while (s && s != e->in->stop && !wgsl_stands_alone(e, s));
    return s;
}

struct operands {
    struct wgsl_emitter *e;
    const uint32_t *loops; // active FOR variables
    bool hit;
};

// Sets `hit` where the leaf may have another value when the iteration is resumed.
static void find_changing(void *user, ir_expr leaf) {
    struct operands *f = user;
    const struct ir_node *n = &f->e->u->nodes[leaf];
    if (n->op == IR_LOAD)
        f->hit |= f->e->array_names[n->a] || f->e->array_written[n->a];
    else
        f->hit |= !wgsl_is_fixed(f->e, n->a) && !f->e->vars[n->a].repeatable && !f->loops[n->a];
}

static bool may_change(struct wgsl_emitter *e, ir_expr x, const uint32_t *loops) {
    struct operands f = {e, loops, false};
    wgsl_visit_leaves(e, x, find_changing, &f);
    return f.hit;
}

// Marks assignments beside resume loops as repeatable, in program order, so that each finds its operands marked.
void wgsl_mark_repeatable(struct wgsl_emitter *e, ir_stmt block, uint32_t *loops, const bool *never) {
    if (!wgsl_is_split(e, block)) return;
    for (ir_stmt s = block; s; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (n->kind == IR_ASSIGN) {
            ir_var v = n->assign.var;
            struct wgsl_var *var = &e->vars[v];
            if (var->writes == 1 && var->headers == 0 && !never[v] && e->u->vars[v].klass == IR_VAR_LOCAL)
                var->repeatable = !may_change(e, n->assign.value, loops);
        }
        if (!e->resume_last[s]) continue;
        if (n->kind == IR_IF) {
            wgsl_mark_repeatable(e, n->branch.then_block, loops, never);
            wgsl_mark_repeatable(e, n->branch.else_block, loops, never);
        } else if (n->kind == IR_FOR) {
            loops[n->counted.var]++;
            wgsl_mark_repeatable(e, n->counted.body, loops, never);
            loops[n->counted.var]--;
        } else if (n->kind == IR_LOOP) {
            wgsl_mark_repeatable(e, n->loop.body, loops, never);
        }
    }
}
