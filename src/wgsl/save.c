// What a paused iteration keeps: one set for the whole kernel, the values that are live at the head of any resume loop.
//
// Liveness runs backwards over the structured body: a set holds one bit a variable and, after those, one bit an array.
// An assignment ends a variable's life, a store does not end an array's. Loops are walked until their head's set is
// stable.
//
// Layout: word 0 is the resume point's number, then variables in order of their handles, bounds of loops, arrays. Word
// w of iteration k stands at w * count + k, so that neighbours write to neighbouring words. Of an iteration on several
// lanes, each has words of its own: word w of lane l is the iteration's word w * lanes + l. They pause together.
#include <string.h>

#include "wgsl/emit.h"

struct set {
    uint32_t *words;
};
struct jump { // where BREAK and CONTINUE go
    struct set on_break, on_continue;
};
struct live {
    struct wgsl_emitter *e;
    uint32_t word_count;
    struct set all;  // the union over resume points
    struct set *now; // for the leaf callback
};

static struct set set_copy(struct live *l, const struct set *from) {
    struct set s = {base_alloc_array(l->e->cx, l->word_count, sizeof *s.words)};
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
    const struct ir_node *n = &l->e->u->nodes[leaf];
    if (n->op == IR_VAR)
        set_add(l->now, n->a);
    else if (l->e->array_names[n->a])
        set_add(l->now, l->e->u->var_count + n->a);
}
static void read_expr(struct live *l, struct set *now, ir_expr x) {
    l->now = now;
    wgsl_visit_leaves(l->e, x, on_leaf, l);
}

static void read_args(struct live *l, struct set *now, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        read_expr(l, now, l->e->u->args[first + i]);
}

static void live_block(struct live *l, ir_stmt block, struct set *now, const struct jump *jump);

static bool is_resume(const struct wgsl_emitter *e, ir_stmt s) {
    return !e->in->sequential && (e->u->stmts[s].flags & IR_FLAG_RESUME);
}

// `now`: live after the loop; becomes live before it.
static void live_loop(struct live *l, ir_stmt s, struct set *now) {
    const struct ir_stmt_node *n = &l->e->u->stmts[s];
    struct set head = set_copy(l, now);
    if (n->kind == IR_FOR) {
        set_add(&head, n->counted.var);
        bool again_on_resume = is_resume(l->e, s) && !l->e->limit_saved[s];
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
    if (is_resume(l->e, s)) set_join(l, &l->all, &head);
    *now = head;
    if (n->kind == IR_FOR) {
        set_remove(now, n->counted.var);
        read_expr(l, now, n->counted.lo);
        read_expr(l, now, n->counted.hi);
    }
}

static void live_stmt(struct live *l, ir_stmt s, struct set *now, const struct jump *jump) {
    const struct ir_stmt_node *n = &l->e->u->stmts[s];
    switch (n->kind) {
    case IR_ASSIGN:
        set_remove(now, n->assign.var);
        read_expr(l, now, n->assign.value);
        break;
    case IR_AGREE: set_add(now, n->agree.var); break;
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
    for (ir_stmt s = block; s; s = l->e->u->stmts[s].next)
        count++;
    ir_stmt *list = base_alloc_array(l->e->cx, count + 1, sizeof *list);
    count = 0;
    for (ir_stmt s = block; s; s = l->e->u->stmts[s].next)
        list[count++] = s;
    while (count-- > 0)
        live_stmt(l, list[count], now, jump);
}

// ---- bounds of resume loops ----------------------------------------------------------------------------------------------------------

struct bound {
    struct wgsl_emitter *e;
    ir_var own;                // the loop's variable
    struct ir_effects effects; // of the loop's body
    bool changes;
};
static void on_bound_leaf(void *user, ir_expr leaf) {
    struct bound *b = user;
    const struct ir_node *n = &b->e->u->nodes[leaf];
    if (n->op == IR_VAR)
        b->changes |= n->a == b->own || ir_bit(b->effects.vars_written, n->a);
    else
        b->changes |= ir_bit(b->effects.arrays_written, n->a) || b->e->array_written[n->a];
}

// A bound that the loop itself may change is kept; any other is evaluated again.
static void choose_limits(struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s; s = e->u->stmts[s].next) {
        const struct ir_stmt_node *n = &e->u->stmts[s];
        if (!e->resume_last[s]) continue;
        if (n->kind == IR_FOR) {
            struct bound b = {e, n->counted.var, ir_effects_of(e->u, n->counted.body), false};
            wgsl_visit_leaves(e, n->counted.hi, on_bound_leaf, &b);
            e->limit_saved[s] = b.changes;
        }
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            choose_limits(e, inner[i]);
    }
}

void wgsl_choose_saved(struct wgsl_emitter *e) {
    const struct ir_unit *u = e->u;
    choose_limits(e, e->body);
    struct live l = {.e = e, .word_count = (u->var_count + u->array_count + 31) / 32};
    l.all = set_copy(&l, NULL);
    struct set now = set_copy(&l, NULL);
    live_block(&l, e->body, &now, NULL);
    for (ir_var v = 1; v < u->var_count; v++) {
        struct wgsl_var *var = &e->vars[v];
        if (var->home == WGSL_UNUSED || var->home == WGSL_FIXED || var->repeatable) continue;
        var->saved |= ir_bit(l.all.words, v) && var->writes + var->headers > 0;
        if (var->saved) var->home = WGSL_TOP;
        e->saved_words += var->saved;
    }
    for (ir_stmt s = 1; s < u->stmt_count; s++)
        e->saved_words += e->limit_saved[s];
    for (ir_array a = 1; a < u->array_count; a++) {
        e->array_saved[a] = ir_bit(l.all.words, u->var_count + a);
        if (e->array_saved[a]) e->saved_words += wgsl_array_count(e, a);
    }
}

// ---- text ------------------------------------------------------------------------------------------------------------------------------

static const char *place(struct wgsl_emitter *e, uint32_t word) {
    return e->lane_count > 1 ? base_format(e->cx, "saved[(%uu + lane) * params[0].y + k]", word * e->lane_count)
                             : base_format(e->cx, "saved[%uu * params[0].y + k]", word);
}

// The resume loop with constant bounds, where at least one pass is made, that alone counts v; NULL: there is none.
static const struct ir_stmt_node *counted_by(const struct wgsl_emitter *e, ir_var v, int64_t *first, int64_t *last) {
    const struct ir_stmt_node *loop = NULL;
    uint32_t from, to;
    if (e->vars[v].headers != 1 || e->vars[v].writes) return NULL;
    for (ir_stmt s = 1; s < e->u->stmt_count && !loop; s++) {
        const struct ir_stmt_node *n = &e->u->stmts[s];
        if (e->resume_last[s] && n->kind == IR_FOR && n->counted.var == v) loop = n;
    }
    if (!loop || !ir_is_const(e->u, loop->counted.lo, &from) || !ir_is_const(e->u, loop->counted.hi, &to)) return NULL;
    bool is_signed = e->u->vars[v].type == IR_I32;
    int64_t step = loop->counted.step, bound = is_signed ? (int64_t)(int32_t)to : (int64_t)to;
    *first = is_signed ? (int64_t)(int32_t)from : (int64_t)from;
    if (step > 0 ? bound <= *first : bound >= *first) return NULL;
    int64_t span = step > 0 ? bound - 1 - *first : *first - bound - 1;
    if (span > INT32_MAX) return NULL; // more than the text below can take apart
    *last = *first + span / (step > 0 ? step : -step) * step;
    return loop;
}

bool wgsl_counter_is_clamped(const struct wgsl_emitter *e, ir_var v) {
    int64_t first, last;
    return e->vars[v].saved && counted_by(e, v, &first, &last);
}

void wgsl_clamp_counter(struct wgsl_emitter *e, ir_var v) {
    int64_t first, last;
    const struct ir_stmt_node *loop = counted_by(e, v, &first, &last);
    if (!loop) return;
    enum ir_type type = (enum ir_type)e->u->vars[v].type;
    const char *name = e->vars[v].name, *start = wgsl_const(e, type, (uint32_t)first),
               *end = wgsl_const(e, type, (uint32_t)last), *suffix = type == IR_U32 ? "u" : "";
    bool up = loop->counted.step > 0;
    uint32_t each = up ? (uint32_t)loop->counted.step : 0u - (uint32_t)loop->counted.step;
    wgsl_line(e, "%s = clamp(%s, %s, %s);", name, name, up ? start : end, up ? end : start);
    if (each > 1 && up)
        wgsl_line(e, "%s -= (%s - %s) %% %u%s;", name, name, start, each, suffix);
    else if (each > 1)
        wgsl_line(e, "%s += (%s - %s) %% %u%s;", name, start, name, each, suffix);
}

// `saves`: to memory; else from it. Both go through the same order of words.
static void transfer(struct wgsl_emitter *e, bool saves) {
    uint32_t word = 1;
    for (ir_var v = 1; v < e->u->var_count; v++) {
        if (!e->vars[v].saved) continue;
        enum ir_type type = (enum ir_type)e->u->vars[v].type;
        const char *name = e->vars[v].name, *where = place(e, word++);
        wgsl_line(e, "%s = %s;", saves ? where : name,
                  saves ? wgsl_to_bits(e, type, name) : wgsl_from_bits(e, type, where));
        if (!saves) wgsl_clamp_counter(e, v);
    }
    for (ir_stmt s = 1; s < e->u->stmt_count; s++) {
        if (!e->limit_saved[s]) continue;
        const struct ir_stmt_node *n = &e->u->stmts[s];
        enum ir_type type = (enum ir_type)e->u->vars[n->counted.var].type;
        const char *name = base_format(e->cx, "limit%u", n->counted.resume_point), *where = place(e, word++);
        wgsl_line(e, "%s = %s;", saves ? where : name,
                  saves ? wgsl_to_bits(e, type, name) : wgsl_from_bits(e, type, where));
    }
    for (ir_array a = 1; a < e->u->array_count; a++) {
        if (!e->array_saved[a]) continue;
        enum ir_type type = ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem);
        uint32_t count = wgsl_array_count(e, a);
        const char *item = base_format(e->cx, "%s[w]", e->array_names[a]);
        const char *where = e->lane_count > 1 ? base_format(e->cx, "saved[((%uu + w) * %uu + lane) * params[0].y + k]",
                                                            word, e->lane_count)
                                              : base_format(e->cx, "saved[(%uu + w) * params[0].y + k]", word);
        wgsl_line(e, "for (var w = 0u; w < %uu; w += 1u) {", count);
        e->indent++;
        wgsl_line(e, "%s = %s;", saves ? where : item,
                  saves ? wgsl_to_bits(e, type, item) : wgsl_from_bits(e, type, where));
        e->indent--;
        wgsl_line(e, "}");
        word += count;
    }
}

void wgsl_restore(struct wgsl_emitter *e) {
    for (ir_stmt s = 1; s < e->u->stmt_count; s++) {
        const struct ir_stmt_node *n = &e->u->stmts[s];
        if (e->limit_saved[s])
            wgsl_line(e, "var limit%u: %s;", n->counted.resume_point,
                      ir_type_name((enum ir_type)e->u->vars[n->counted.var].type));
    }
    wgsl_line(e, "if (params[0].w != 0u) {");
    e->indent++;
    wgsl_line(e, "rp = %s;", place(e, 0));
    wgsl_line(e, "if (rp != " WGSL_DONE ") {");
    e->indent++;
    transfer(e, false);
    e->indent--;
    wgsl_line(e, "}");
    e->indent--;
    wgsl_line(e, "}");
}

// Without a limit nothing should pause and nobody resumes: then memory is left alone, as there may be no room in it.
void wgsl_save(struct wgsl_emitter *e) {
    wgsl_line(e, "if (next_rp != 0u) {");
    e->indent++;
    wgsl_line(e, "if (params[0].z != 0xffffffffu) {");
    e->indent++;
    wgsl_line(e, "%s = next_rp;", place(e, 0));
    transfer(e, true);
    e->indent--;
    wgsl_line(e, "}");
    if (e->lane_count > 1)
        wgsl_line(e, "if (lane == 0u) { atomicAdd(&group_paused, 1u); }");
    else
        wgsl_line(e, "atomicAdd(&group_paused, 1u);");
    e->indent--;
    wgsl_line(e, "} else if (params[0].z != 0xffffffffu) {");
    e->indent++;
    wgsl_line(e, "%s = " WGSL_DONE ";", place(e, 0));
    e->indent--;
    wgsl_line(e, "}");
    wgsl_line(e, "atomicMax(&group_ticks, params[0].z - left);");
}
