// Loops, and what a resume loop does about its budget.
//
// A driver may end a loop early and say nothing. So after a loop that can be long, the emitter tests whether it came to
// its own end, and raises the failure word where it did not; the host then throws the slice away. Short inner loops
// with constant bounds are left alone: whatever cuts them cuts the loop around them too.
//
// A tick is one pass of a resume loop. A counted resume loop with none inside is strip-mined: the passes that the
// budget allows are computed before it starts, so that the loop itself has no test but its own.
#include <string.h>

#include "wgsl/print/emit.h"

enum { SURELY_SHORT = 4096 };

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// Whether the block has a BREAK of its own loop.
static bool has_break(const struct wgsl_emitter *e, ir_stmt block) {
    for (ir_stmt s = block; s; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (n->kind == IR_BREAK) return true;
        if (n->kind == IR_IF && (has_break(e, n->branch.then_block) || has_break(e, n->branch.else_block))) return true;
    }
    return false;
}

void wgsl_loop_body(struct wgsl_emitter *e, ir_stmt body, const char *on_break) {
    struct wgsl_loop loop = {on_break, e->loop};
    e->loop = &loop;
    wgsl_block(e, body);
    e->loop = loop.outer;
}

static void emit_check(struct wgsl_emitter *e, const char *cut) {
    wgsl_open(e, base_format(e->cx, "if (%s)", cut));
    wgsl_failure(e);
    wgsl_close(e);
}

bool wgsl_ends_safely(const struct wgsl_emitter *e, ir_expr lo, ir_expr hi) {
    return wgsl_is_steady(e->k, lo, true) && wgsl_is_steady(e->k, hi, true);
}

// A variable that a LOOP's condition wants below something steady; 0: none.
static ir_var bounded_var(const struct wgsl_emitter *e, ir_expr cond) {
    const struct ir_node *n = &e->u->nodes[cond];
    if (n->op == IR_LAND) {
        ir_var first = bounded_var(e, n->a);
        return first ? first : bounded_var(e, n->b);
    }
    bool bounds = n->op == IR_LT && e->u->nodes[n->a].op == IR_VAR && e->u->nodes[n->a].type != IR_F32 &&
                  wgsl_is_steady(e->k, n->b, true);
    return bounds ? e->u->nodes[n->a].a : 0;
}

static void on_condition(void *user, ir_expr leaf) {
    struct wgsl_emitter **e = user;
    if (*e && (*e)->u->nodes[leaf].op == IR_LOAD) *e = NULL;
}

struct setting {
    const struct wgsl_emitter *e;
    ir_var var;
    uint32_t constants, jumps; // assignments of constants to it; CONTINUEs
};
static bool on_setting(void *user, ir_stmt s) {
    struct setting *x = user;
    const struct ir_stmt_node *n = node_of(x->e, s);
    x->jumps += n->kind == IR_CONTINUE;
    x->constants += n->kind == IR_ASSIGN && n->assign.var == x->var && ir_is_const(x->e->u, n->assign.value, NULL);
    return true;
}

// Each pass of the block adds a constant to the variable.
static bool grows(const struct wgsl_emitter *e, ir_stmt block, ir_var v) {
    for (ir_stmt s = block; s; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        const struct ir_node *value = n->kind == IR_ASSIGN ? &e->u->nodes[n->assign.value] : NULL;
        uint32_t by;
        if (value && n->assign.var == v && value->op == IR_ADD && e->u->nodes[value->a].op == IR_VAR &&
            e->u->nodes[value->a].a == v && ir_is_const(e->u, value->b, &by) && by > 0 && by <= SURELY_SHORT)
            return true;
    }
    return false;
}

// The LOOP goes on only while a variable is small that each of its passes makes greater, and that else only gets
// constants: so it ends whatever memory holds. (Where memory has a say in the condition, its loads would stand in front
// of the first way out, see below.)
static bool ends_by_itself(struct wgsl_emitter *e, const struct ir_stmt_node *n) {
    struct wgsl_emitter *computed = e;
    ir_var v = n->loop.cond ? bounded_var(e, n->loop.cond) : 0;
    if (!v || e->k->uses.vars[v].writes != 2 || e->k->uses.vars[v].headers) return false;
    wgsl_visit_leaves(e->k, n->loop.cond, on_condition, &computed);
    if (!computed) return false;
    struct setting all = {e, v, 0, 0}, own = {e, v, 0, 0};
    struct ir_visitor everywhere = {.on_stmt = on_setting, .user = &all}, here = {.on_stmt = on_setting, .user = &own};
    ir_walk_block(e->u, e->k->body, &everywhere);
    ir_walk_block(e->u, n->loop.body, &here);
    return all.constants == 1 && ((!own.jumps && grows(e, n->loop.body, v)) || grows(e, n->loop.continuing, v));
}

// In a grid kernel a loop may wait for a value that a given-up barrier has spoiled: then it would never end. So it
// looks now and then whether something failed.
//
// Returns the counter's name, declared here; NULL where the loop's end does not come from memory.
static const char *open_watch(struct wgsl_emitter *e, const struct ir_stmt_node *n) {
    bool steady = n->kind == IR_FOR ? wgsl_ends_safely(e, n->counted.lo, n->counted.hi) : ends_by_itself(e, n);
    if ((n->kind == IR_FOR && !e->in->grid) || steady) return NULL;
    const char *name = wgsl_temp(e);
    wgsl_line(e, "var %s = 0u;", name);
    return name;
}

// At the head of the body.
static void emit_watch(struct wgsl_emitter *e, const char *passes, const char *on_break) {
    if (!passes) return;
    wgsl_line(e, "%s += 1u;", passes);
    const char *failed = e->in->grid ? "if ((%s & 0xfffu) == 0u && whorl_failed())" : "if (%s == 0u)";
    wgsl_open(e, base_format(e->cx, failed, passes));
    if (*on_break) wgsl_line(e, "%s", on_break);
    wgsl_line(e, "break;");
    wgsl_close(e);
}

// ---- counted loops --------------------------------------------------------------------------------------------------

struct header {
    const char *var, *lo, *hi, *step; // step: "v += 1"
    const char *compare;              // "<" or ">"
    uint32_t step_size;
    bool is_signed, known, down;
    uint64_t trips; // if known
};

static struct header header_of(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    ir_var counter = n->counted.var;
    struct header h = {.var = e->names[counter], .is_signed = e->u->vars[counter].type == IR_I32};
    int32_t step = n->counted.step;
    h.down = step < 0;
    h.step_size = h.down ? 0u - (uint32_t)step : (uint32_t)step;
    h.compare = h.down ? ">" : "<";
    h.step = base_format(e->cx, "%s %s= %u%s", h.var, h.down ? "-" : "+", h.step_size, h.is_signed ? "" : "u");
    uint32_t lo, hi;
    if (ir_is_const(e->u, n->counted.lo, &lo) && ir_is_const(e->u, n->counted.hi, &hi)) {
        int64_t from = h.is_signed ? (int64_t)(int32_t)lo : (int64_t)lo,
                to = h.is_signed ? (int64_t)(int32_t)hi : (int64_t)hi;
        int64_t length = h.down ? from - to : to - from;
        h.known = true;
        h.trips = length > 0 ? ((uint64_t)length + h.step_size - 1) / h.step_size : 0;
    }
    return h;
}

// The bound, evaluated once: a constant or the name of something that does not change in the loop.
static const char *emit_bound(struct wgsl_emitter *e, const struct ir_stmt_node *n) {
    uint32_t bits;
    const struct ir_node *bound = &e->u->nodes[n->counted.hi];
    if (ir_is_const(e->u, n->counted.hi, &bits)) return wgsl_const(e, (enum ir_type)bound->type, bits);
    const char *text = wgsl_operand(e, n->counted.hi);
    if (bound->op == IR_VAR) {
        enum wgsl_home home = e->k->vars[bound->a].home;
        if (home == WGSL_FIXED || (home == WGSL_AT_DEF && e->k->uses.vars[bound->a].writes == 1)) return text;
    }
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, text);
    return name;
}

// Each lane takes every lane_count-th pass; those of no iteration take none.
static void share_header(struct wgsl_emitter *e, struct header *h, bool once) {
    const char *lane = h->is_signed ? "i32(lane)" : "lane", *suffix = h->is_signed ? "" : "u";
    if (h->step_size != 1) lane = base_format(e->cx, "%s * %u%s", lane, h->step_size, suffix);
    const char *own = base_format(e->cx, "%s %c %s", h->lo, h->down ? '-' : '+', lane);
    h->lo = once || strcmp(e->live, "true") == 0 ? own : base_format(e->cx, "select(%s, %s, %s)", h->hi, own, e->live);
    h->step = base_format(e->cx, "%s %s= %u%s", h->var, h->down ? "-" : "+", h->step_size * e->lane_count, suffix);
}

static void leave_shared(struct wgsl_emitter *e, ir_stmt s) {
    e->lane_mode = WGSL_ALL_LANES;
    wgsl_lanes_combine(e, s);
}

// What it loads from arrays that no copy is made of is asked for before the copies are waited for, on idle lanes too: a
// barrier follows.
static void emit_one_pass(struct wgsl_emitter *e, ir_stmt shared) {
    ir_stmt s = node_of(e, shared)->counted.body;
    const ir_stmt *batches = e->k->vectors.batch;
    ir_stmt first = e->k->phases.stores[shared] == WGSL_STORE_INSIDE ? batches[s] : 0;
    const struct wgsl_batch *batch = first ? wgsl_load_batch(e, first) : NULL;
    while (batch && s && batches[s] == first)
        s = node_of(e, s)->next;
    wgsl_stage_settle(e);
    wgsl_open(e, base_format(e->cx, "if (%s)", e->live));
    if (batch) wgsl_assign_batch(e, batch);
    wgsl_loop_body(e, s, "");
    wgsl_close(e);
}

// What all of the workgroup agree on (IR_FLAG_LONGEST).
static const char *longest(struct wgsl_emitter *e, const char *passes) {
    const char *most = wgsl_temp(e);
    wgsl_line(e, "let %s = whorl_most(li, %s);", most, passes);
    return most;
}

void wgsl_for(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    if (wgsl_has_stretches(e, s)) {
        wgsl_stretches(e, s);
        return;
    }
    ir_expr bounds[] = {n->counted.lo, n->counted.hi};
    ir_stmt body = n->counted.body;
    struct header h = header_of(e, s);
    bool declares = e->k->vars[n->counted.var].home == WGSL_HEADER;
    bool checked = !h.known || h.trips > SURELY_SHORT || !e->loop;
    wgsl_begin(e, bounds, 2);
    h.hi = emit_bound(e, n);
    bool shared = e->lane_mode == WGSL_ALL_LANES && (n->flags & IR_FLAG_LANES);
    if (e->lane_mode == WGSL_ALL_LANES && n->flags & IR_FLAG_LONGEST) h.hi = longest(e, h.hi);
    h.lo = shared ? wgsl_operand(e, n->counted.lo) : wgsl_expr(e, n->counted.lo);
    if (shared) {
        share_header(e, &h, wgsl_one_pass(e->k, s, e->lane_count));
        wgsl_lanes_enter(e, s);
        e->lane_mode = WGSL_OWN_PASSES;
        if (e->k->phases.windows[s]) {
            wgsl_stage_loop(e, s);
            leave_shared(e, s);
            return;
        }
        if (e->k->early.of[s]) {
            wgsl_early_loop(e, e->k->early.of[s]);
            leave_shared(e, s);
            return;
        }
    }
    if (shared && wgsl_one_pass(e->k, s, e->lane_count)) {
        wgsl_open(e, "");
        wgsl_line(e, "%s%s = %s;", declares ? "let " : "", h.var, h.lo);
        emit_one_pass(e, s);
        wgsl_close(e);
        leave_shared(e, s);
        return;
    }
    if (!checked) {
        wgsl_open(e, base_format(e->cx, "for (%s%s = %s; %s %s %s; %s)", declares ? "var " : "", h.var, h.lo, h.var,
                                 h.compare, h.hi, h.step));
        wgsl_loop_body(e, body, "");
        wgsl_close(e);
        if (shared) leave_shared(e, s);
        return;
    }
    const char *broke = has_break(e, body) ? wgsl_temp(e) : NULL;
    if (declares) wgsl_open(e, "");
    wgsl_line(e, "%s%s = %s;", declares ? "var " : "", h.var, h.lo);
    if (broke) wgsl_line(e, "var %s = false;", broke);
    const char *watch = open_watch(e, n);
    wgsl_open(e, base_format(e->cx, "for (; %s %s %s; %s)", h.var, h.compare, h.hi, h.step));
    emit_watch(e, watch, broke ? base_format(e->cx, "%s = true;", broke) : "");
    wgsl_loop_body(e, body, broke ? base_format(e->cx, "%s = true;", broke) : "");
    wgsl_close(e);
    emit_check(e, base_format(e->cx, broke ? "%s %s %s && !%s" : "%s %s %s", h.var, h.compare, h.hi, broke));
    if (declares) wgsl_close(e);
    if (shared) leave_shared(e, s);
}

// ---- while loops ----------------------------------------------------------------------------------------------------

static void emit_continuing(struct wgsl_emitter *e, ir_stmt block) {
    if (!block) return;
    wgsl_open(e, "continuing");
    wgsl_block(e, block);
    wgsl_close(e);
}

// `if (!cond) { ended = true; break; }`
static void emit_while(struct wgsl_emitter *e, const struct ir_stmt_node *n, const char *ended) {
    ir_expr cond = n->loop.cond;
    if (!cond && has_break(e, n->loop.body)) return;
    const char *leave = WGSL_ZERO " != 0u"; // never; a loop without a way out is refused
    if (cond) {
        wgsl_begin(e, &cond, 1);
        const char *text = wgsl_expr(e, cond);
        bool together = e->lane_mode == WGSL_ALL_LANES && n->flags & IR_FLAG_LONGEST;
        if (together) text = base_format(e->cx, "%s != 0", longest(e, base_format(e->cx, "select(0, 1, %s)", text)));
        if (wgsl_at_entry_level(e) && (n->flags & IR_FLAG_GRID)) text = wgsl_grid_uniform(e, IR_BOOL, cond, text);
        leave = base_format(e->cx, "!(%s)", text);
    }
    wgsl_open(e, base_format(e->cx, "if (%s)", leave));
    wgsl_line(e, "%s = true;", ended);
    wgsl_line(e, "break;");
    wgsl_close(e);
}

// The first thing in the loop is a way out of it: so nothing in it is made for sure, and no compiler takes a load in it
// for one behind it. SwiftShader's does, and then gives 0 to all lanes that left before the last one did: its loads of
// a pass leave nothing in lanes that are out (`while (key[j] < x) j++;`, and then key[j]). Where nothing can have
// failed, the way out is a pass number that goes past the end of its type.
void wgsl_loop_stmt(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    const char *ended = wgsl_temp(e);
    wgsl_line(e, "var %s = false;", ended);
    // what lanes go on with together ends by itself
    const char *watch = e->lane_mode == WGSL_ALL_LANES && n->flags & IR_FLAG_LONGEST ? NULL : open_watch(e, n);
    wgsl_open(e, "loop");
    emit_watch(e, watch, e->in->grid ? base_format(e->cx, "%s = true;", ended) : "");
    emit_while(e, n, ended);
    wgsl_loop_body(e, n->loop.body, base_format(e->cx, "%s = true;", ended));
    emit_continuing(e, n->loop.continuing);
    wgsl_close(e);
    emit_check(e, base_format(e->cx, "!%s", ended));
}

// ---- resume loops ---------------------------------------------------------------------------------------------------

static void emit_pause(struct wgsl_emitter *e, uint32_t number) {
    wgsl_line(e, "next_rp = %uu;", number);
    wgsl_line(e, "rp = " WGSL_PAUSED ";");
}

// One end of a counted resume loop's range.
static const char *emit_end(struct wgsl_emitter *e, const struct ir_stmt_node *n, ir_expr end) {
    const char *text = wgsl_expr(e, end);
    enum ir_type type = (enum ir_type)e->u->vars[n->counted.var].type;
    return wgsl_at_entry_level(e) ? wgsl_grid_uniform(e, type, end, text) : text;
}

// Start or continuation of a counted resume loop: the counter is set at a fresh start only.
static struct header emit_entry(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    struct header h = header_of(e, s);
    const char *limit = wgsl_limit(e, n);
    wgsl_open(e, "if (rp == 0u)");
    ir_expr bounds[] = {n->counted.lo, n->counted.hi};
    wgsl_begin(e, bounds, e->k->saved.limits[s] ? 2 : 1);
    if (e->k->saved.limits[s]) wgsl_line(e, "%s = %s;", limit, emit_end(e, n, n->counted.hi));
    wgsl_line(e, "%s = %s;", h.var, emit_end(e, n, n->counted.lo));
    wgsl_close(e);
    wgsl_begin(e, &n->counted.hi, 1);
    h.hi = e->k->saved.limits[s] ? limit : emit_bound(e, n);
    return h;
}

static void emit_strip(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    struct header h = emit_entry(e, s);
    const char *more = wgsl_temp(e), *passes = wgsl_temp(e), *end = wgsl_temp(e), *type = h.is_signed ? "i32" : "u32";
    const char *low = h.down ? h.hi : h.var, *high = h.down ? h.var : h.hi;
    const char *cast = h.is_signed ? "bitcast<u32>(%s - %s)" : "(%s - %s)";
    const char *length = base_format(e->cx, cast, high, low);
    if (h.step_size != 1) length = base_format(e->cx, "(%s + %uu) / %uu", length, h.step_size - 1, h.step_size);
    wgsl_line(e, "rp = 0u;");
    wgsl_line(e, "let %s = select(0u, %s, (%s < %s));", more, length, low, high);
    wgsl_line(e, "let %s = min(%s, left);", passes, more);
    const char *far = h.step_size == 1 ? passes : base_format(e->cx, "%s * %uu", passes, h.step_size);
    wgsl_line(e, "let %s = %s %c %s(%s);", end, h.var, h.down ? '-' : '+', type, far);
    const char *broke = has_break(e, n->counted.body) ? wgsl_temp(e) : NULL, *from = broke ? wgsl_temp(e) : NULL;
    if (broke) {
        wgsl_line(e, "let %s = %s;", from, h.var);
        wgsl_line(e, "var %s = false;", broke);
    }
    wgsl_open(e, base_format(e->cx, "for (; %s %s %s; %s)", h.var, h.compare, end, h.step));
    wgsl_loop_body(e, n->counted.body, broke ? base_format(e->cx, "%s = true;", broke) : "");
    wgsl_close(e);
    if (broke) {
        wgsl_open(e, base_format(e->cx, "if (%s)", broke));
        const char *done = base_format(e->cx, "u32(%s - %s)", h.down ? from : h.var, h.down ? h.var : from);
        if (h.step_size != 1) done = base_format(e->cx, "%s / %uu", done, h.step_size);
        wgsl_line(e, "left -= %s + 1u;", done);
        wgsl_else(e);
    }
    wgsl_line(e, "left -= %s;", passes);
    emit_check(e, base_format(e->cx, "%s != %s", h.var, end));
    wgsl_open(e, base_format(e->cx, "if (%s < %s)", passes, more));
    emit_pause(e, n->counted.resume_point);
    wgsl_close(e);
    if (broke) wgsl_close(e);
}

// The head of a loop that tests the budget each pass. Pauses where there is another pass and no tick left.
static void emit_budget(struct wgsl_emitter *e, uint32_t number, const char *ended) {
    wgsl_open(e, "if (left == 0u)");
    emit_pause(e, number);
    wgsl_line(e, "%s = true;", ended);
    wgsl_line(e, "break;");
    wgsl_close(e);
    wgsl_line(e, "left -= 1u;");
}

static void emit_paused_break(struct wgsl_emitter *e, const char *ended) {
    wgsl_open(e, "if (rp == " WGSL_PAUSED ")");
    wgsl_line(e, "%s = true;", ended);
    wgsl_line(e, "break;");
    wgsl_close(e);
}

void wgsl_resume_for(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    uint32_t point = n->counted.resume_point;
    wgsl_open(e, base_format(e->cx, "if (rp <= %uu)", e->k->resume.last[s]));
    if (e->k->resume.last[s] == point) {
        emit_strip(e, s);
        wgsl_close(e);
        return;
    }
    struct header h = emit_entry(e, s);
    const char *ended = wgsl_temp(e);
    wgsl_line(e, "var %s = false;", ended);
    wgsl_open(e, "loop");
    // also where it goes on inside a pass: nothing but this test keeps a counter from memory below its bound
    wgsl_open(e, base_format(e->cx, "if (!(%s %s %s))", h.var, h.compare, h.hi));
    wgsl_line(e, "%s = true;", ended);
    wgsl_line(e, "break;");
    wgsl_close(e);
    wgsl_open(e, base_format(e->cx, "if (rp <= %uu)", point));
    wgsl_line(e, "rp = 0u;");
    emit_budget(e, point, ended);
    wgsl_close(e);
    wgsl_loop_body(e, n->counted.body, base_format(e->cx, "%s = true;", ended));
    emit_paused_break(e, ended);
    wgsl_open(e, "continuing");
    wgsl_line(e, "%s;", h.step);
    wgsl_close(e);
    wgsl_close(e);
    emit_check(e, base_format(e->cx, "!%s", ended));
    wgsl_close(e);
}

void wgsl_resume_loop(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    uint32_t point = n->loop.resume_point;
    bool inner = e->k->resume.last[s] != point;
    const char *ended = wgsl_temp(e);
    wgsl_open(e, base_format(e->cx, "if (rp <= %uu)", e->k->resume.last[s]));
    if (!inner) wgsl_line(e, "rp = 0u;");
    wgsl_line(e, "var %s = false;", ended);
    wgsl_open(e, "loop");
    if (inner) {
        wgsl_open(e, base_format(e->cx, "if (rp <= %uu)", point));
        wgsl_line(e, "rp = 0u;");
    }
    emit_while(e, n, ended);
    emit_budget(e, point, ended);
    if (inner) wgsl_close(e);
    wgsl_loop_body(e, n->loop.body, base_format(e->cx, "%s = true;", ended));
    if (inner) emit_paused_break(e, ended);
    emit_continuing(e, n->loop.continuing);
    wgsl_close(e);
    emit_check(e, base_format(e->cx, "!%s", ended));
    wgsl_close(e);
}
