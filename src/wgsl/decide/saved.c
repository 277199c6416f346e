// What a paused iteration keeps: one set for the whole kernel, the values that are live at the head of any resume loop.
//
// Liveness runs backwards over the structured body: a set holds one bit a variable and, after those, one bit an array.
// An assignment ends a variable's life, a store does not end an array's. Loops are walked until their head's set is
// stable.
#include <string.h>

#include "wgsl/decide/kernel.h"

struct set {
    uint32_t *words;
};
struct jump { // where BREAK and CONTINUE go
    struct set on_break, on_continue;
};
struct live {
    const struct wgsl_kernel *k;
    const bool *limits; // by statement: the bound of this FOR is kept
    uint32_t word_count;
    struct set all;  // the union over resume points
    struct set *now; // for the leaf callback
};

static struct set set_copy(struct live *l, const struct set *from) {
    struct set s = {base_alloc_array(l->k->cx, l->word_count, sizeof *s.words)};
    if (from) memcpy(s.words, from->words, l->word_count * sizeof *s.words);
    return s;
}
static bool set_join(struct live *l, struct set *to, const struct set *from) {
    bool grew = false;
    for (uint32_t i = 0; i < l->word_count; i++) {
        grew |= (from->words[i] & ~to->words[i]) != 0;
        to->words[i] |= from->words[i];
    }
    return grew;
}
static void set_add(struct set *s, uint32_t bit) { s->words[bit / 32] |= 1u << (bit % 32); }
static void set_remove(struct set *s, uint32_t bit) { s->words[bit / 32] &= ~(1u << (bit % 32)); }

static void on_leaf(void *user, ir_expr leaf) {
    struct live *l = user;
    const struct ir_node *n = &l->k->u->nodes[leaf];
    if (n->op == IR_VAR)
        set_add(l->now, n->a);
    else if (l->k->u->arrays[n->a].klass == IR_ARRAY_LOCAL)
        set_add(l->now, l->k->u->var_count + n->a);
}
static void read_expr(struct live *l, struct set *now, ir_expr x) {
    l->now = now;
    wgsl_visit_leaves(l->k, x, on_leaf, l);
}

static void read_args(struct live *l, struct set *now, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        read_expr(l, now, l->k->u->args[first + i]);
}

static void live_block(struct live *l, ir_stmt block, struct set *now, const struct jump *jump);

static bool is_resume(const struct wgsl_kernel *k, ir_stmt s) {
    return !k->in->sequential && (k->u->stmts[s].flags & IR_FLAG_RESUME);
}

// `now`: live after the loop; becomes live before it.
static void live_loop(struct live *l, ir_stmt s, struct set *now) {
    const struct ir_stmt_node *n = &l->k->u->stmts[s];
    struct set head = set_copy(l, now);
    if (n->kind == IR_FOR) {
        set_add(&head, n->counted.var);
        bool again_on_resume = is_resume(l->k, s) && !l->limits[s];
        if (again_on_resume) read_expr(l, &head, n->counted.hi);
    } else {
        read_expr(l, &head, n->loop.cond);
    }
    struct jump jump = {.on_break = set_copy(l, now)};
    for (bool again = true; again;) {
        struct set body = set_copy(l, &head);
        if (n->kind == IR_LOOP) live_block(l, n->loop.continuing, &body, NULL);
        jump.on_continue = set_copy(l, &body);
        live_block(l, ir_body_of(n), &body, &jump);
        again = set_join(l, &head, &body);
    }
    if (is_resume(l->k, s)) set_join(l, &l->all, &head);
    *now = head;
    if (n->kind == IR_FOR) {
        set_remove(now, n->counted.var);
        read_expr(l, now, n->counted.lo);
        read_expr(l, now, n->counted.hi);
    }
}

static void live_stmt(struct live *l, ir_stmt s, struct set *now, const struct jump *jump) {
    const struct ir_stmt_node *n = &l->k->u->stmts[s];
    switch (n->kind) {
    case IR_ASSIGN:
        set_remove(now, n->assign.var);
        read_expr(l, now, n->assign.value);
        break;
    case IR_AGREE: set_add(now, n->agree.var); break;
    case IR_NEIGHBOUR:
        set_remove(now, n->neighbour.var);
        read_expr(l, now, n->neighbour.value);
        break;
    case IR_STORE:
        read_args(l, now, n->store.indices, n->store.index_count);
        read_expr(l, now, n->store.value);
        break;
    case IR_ATOMIC:
        if (n->atomic.old) set_remove(now, n->atomic.old);
        read_args(l, now, n->atomic.indices, n->atomic.index_count);
        read_expr(l, now, n->atomic.value);
        break;
    case IR_IF: {
        struct set other = set_copy(l, now);
        live_block(l, n->branch.then_block, now, jump);
        live_block(l, n->branch.else_block, &other, jump);
        set_join(l, now, &other);
        read_expr(l, now, n->branch.cond);
        break;
    }
    case IR_BREAK: *now = set_copy(l, &jump->on_break); break;
    case IR_CONTINUE: *now = set_copy(l, &jump->on_continue); break;
    case IR_FOR:
    case IR_LOOP: live_loop(l, s, now); break;
    default: break;
    }
}

static void live_block(struct live *l, ir_stmt block, struct set *now, const struct jump *jump) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = l->k->u->stmts[s].next)
        count++;
    ir_stmt *list = base_alloc_array(l->k->cx, count + 1, sizeof *list);
    count = 0;
    for (ir_stmt s = block; s; s = l->k->u->stmts[s].next)
        list[count++] = s;
    while (count-- > 0)
        live_stmt(l, list[count], now, jump);
}

// ---- bounds of resume loops -----------------------------------------------------------------------------------------

struct bound {
    const struct wgsl_kernel *k;
    ir_var own;                // the loop's variable
    struct ir_effects effects; // of the loop's body
    bool changes;
};
static void on_bound_leaf(void *user, ir_expr leaf) {
    struct bound *b = user;
    const struct ir_node *n = &b->k->u->nodes[leaf];
    if (n->op == IR_VAR)
        b->changes |= n->a == b->own || ir_bit(b->effects.vars_written, n->a);
    else
        b->changes |= ir_bit(b->effects.arrays_written, n->a) || b->k->uses.arrays_written[n->a];
}

// A bound that the loop itself may change is kept; any other is evaluated again. Between the dispatches of a grid
// anything may change it: there every one is kept that is no constant.
static bool keeps_bound(const struct wgsl_kernel *k, const struct ir_stmt_node *loop) {
    uint32_t bits;
    if (k->in->grid) return !ir_is_const(k->u, loop->counted.hi, &bits);
    struct bound b = {k, loop->counted.var, ir_effects_of(k->u, loop->counted.body), false};
    wgsl_visit_leaves(k, loop->counted.hi, on_bound_leaf, &b);
    return b.changes;
}

// ---- what is kept ---------------------------------------------------------------------------------------------------

// Variables of resume loops, and bounds of them.
static void choose_in_loops(const struct wgsl_kernel *k, ir_stmt block, bool *vars, bool *limits) {
    for (ir_stmt s = block; s; s = k->u->stmts[s].next) {
        const struct ir_stmt_node *n = &k->u->stmts[s];
        if (!k->resume.last[s]) continue;
        if (n->kind == IR_FOR) {
            vars[n->counted.var] |= (n->flags & (IR_FLAG_RESUME | IR_FLAG_GRID)) != 0;
            limits[s] = keeps_bound(k, n);
        }
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            choose_in_loops(k, inner[i], vars, limits);
    }
}

// Adds what is live at the head of a resume loop.
static void choose_live(const struct wgsl_kernel *k, const bool *limits, bool *vars, bool *arrays) {
    const struct ir_unit *u = k->u;
    struct live l = {.k = k, .limits = limits, .word_count = (u->var_count + u->array_count + 31) / 32};
    l.all = set_copy(&l, NULL);
    struct set now = set_copy(&l, NULL);
    live_block(&l, k->body, &now, NULL);
    for (ir_var v = 1; v < u->var_count; v++) {
        const struct wgsl_use *use = &k->uses.vars[v];
        enum wgsl_home home = wgsl_home_of(k, v).home;
        if (home == WGSL_UNUSED || home == WGSL_FIXED || use->repeatable) continue;
        vars[v] |= ir_bit(l.all.words, v) && use->writes + use->headers > 0;
    }
    for (ir_array a = 1; a < u->array_count; a++)
        arrays[a] = ir_bit(l.all.words, u->var_count + a);
}

struct wgsl_saved wgsl_choose_saved(const struct wgsl_kernel *k) {
    const struct ir_unit *u = k->u;
    bool *vars = base_alloc_array(k->cx, u->var_count + 1, sizeof *vars),
         *arrays = base_alloc_array(k->cx, u->array_count + 1, sizeof *arrays),
         *limits = base_alloc_array(k->cx, u->stmt_count + 1, sizeof *limits);
    struct wgsl_saved saved = {vars, arrays, limits, 0};
    if (k->resume.points) choose_in_loops(k, k->body, vars, limits);
    if (k->resume.points && !k->in->grid) choose_live(k, limits, vars, arrays);
    for (ir_var v = 1; v < u->var_count; v++) {
        // a grid's are few: every scalar that the entry level writes; looking for the live ones would not pay
        vars[v] |= k->in->grid && k->uses.vars[v].entry_level;
        saved.words += vars[v];
    }
    for (ir_stmt s = 1; s < u->stmt_count; s++)
        saved.words += limits[s];
    for (ir_array a = 1; a < u->array_count; a++)
        if (arrays[a]) saved.words += wgsl_array_count(k, a);
    return saved;
}

ir_var *wgsl_saved_words(const struct wgsl_kernel *k) {
    ir_var *words = base_alloc_array(k->cx, k->saved.words + 1, sizeof *words);
    uint32_t word = 1;
    for (ir_var v = 1; v < k->u->var_count; v++)
        if (k->saved.vars[v]) words[word++] = v;
    return words;
}

const struct ir_stmt_node *wgsl_loop_of(const struct wgsl_kernel *k, ir_var v) {
    if (k->uses.vars[v].headers != 1 || k->uses.vars[v].writes) return NULL;
    for (ir_stmt s = 1; s < k->u->stmt_count; s++) {
        const struct ir_stmt_node *n = &k->u->stmts[s];
        if (k->resume.last[s] && n->kind == IR_FOR && n->counted.var == v) return n;
    }
    return NULL;
}

const struct ir_stmt_node *wgsl_counted_by(const struct wgsl_kernel *k, ir_var v, int64_t *first, int64_t *last) {
    const struct ir_stmt_node *loop = wgsl_loop_of(k, v);
    uint32_t from, to;
    if (!loop || !ir_is_const(k->u, loop->counted.lo, &from) || !ir_is_const(k->u, loop->counted.hi, &to)) return NULL;
    bool is_signed = k->u->vars[v].type == IR_I32;
    int64_t step = loop->counted.step, bound = is_signed ? (int64_t)(int32_t)to : (int64_t)to;
    *first = is_signed ? (int64_t)(int32_t)from : (int64_t)from;
    if (step > 0 ? bound <= *first : bound >= *first) return NULL;
    int64_t span = step > 0 ? bound - 1 - *first : *first - bound - 1;
    if (span > INT32_MAX) return NULL; // more than the text below can take apart
    *last = *first + span / (step > 0 ? step : -step) * step;
    return loop;
}
