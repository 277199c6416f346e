// Sequential code between parallel loops, as the one iteration of a parallel loop:
//
//   for (b = 1; b < n; b++) below[b] = below[b - 1] + count[b];      becomes
//   parallel for (one = 0; one < 1; one++) for (b = 1; ...
//
// One invocation ran it before and does now. But inside of iterations the other passes know what to do with a loop:
// where its passes are apart it becomes a dimension (collapse.c), lanes share it (share.c), what goes from pass to pass
// stays in a register (carry.c), and loads are made several at a time (gather.c). In one dispatch each of its loads of
// what phases wrote goes past the nearest cache, so one after the other is what such code waits for.
//
// The law: it is a whole stretch between parallel loops, so that no dispatch is added; all that it leaves behind is in
// memory: nothing reads a variable of it, there or in the next pass of a loop around. Its variables are then those of
// the iteration. Where a loop, with those in it, is long, what others read of them is stored, too, and loaded behind
// the loop: that is a dispatch more in steps.
#include "pass/cost.h"
#include "pass/loops/nest.h"
#include "pass/passes.h"

struct loner {
    struct pass_cx *p;
    struct ir_unit *u;
    uint32_t vars;
    const uint32_t *wanted; // behind the stretch under way (bit set)
};

struct look {
    struct ir_unit *u;
    bool fits, loops, is_long;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct look *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips = UINT64_MAX;
    x->fits &= n->kind != IR_LOOP && pass_is_plain(x->u, s);
    if (n->kind != IR_FOR) return x->fits;
    (void)ir_const_trips(x->u, s, &trips);
    x->loops |= trips >= PASS_LONE_LEAST_PASSES;
    x->is_long |= pass_nest_trips(x->u, s, &trips) && trips >= PASS_LONE_LEAVING_PASSES;
    return x->fits;
}

// Puts v in front of the body, as `own`: what stays of it is what it was. If it `leaves`, puts what becomes of it into
// memory; *after takes it from there.
static void pass_through(struct loner *x, ir_var v, ir_var own, bool leaves, ir_stmt *body, ir_stmt *after) {
    struct ir_unit *u = x->u;
    const struct ir_var_info info = u->vars[v];
    ir_expr zero = ir_const_i32(u, 0), one = ir_const_i32(u, 1);
    if (!leaves) return;
    ir_stmt first = ir_assign(u, own, ir_var_read(u, v, info.loc), info.loc);
    ir_append(u, &first, *body);
    *body = first;
    ir_array kept =
        ir_add_array(u, info.name, ir_word_of((enum ir_type)info.type), IR_ARRAY_SCRATCH, 1, &one, info.loc);
    ir_append(u, body, ir_store(u, kept, &zero, 1, ir_var_read(u, own, info.loc), info.loc));
    ir_append(u, after, ir_assign(u, v, ir_load(u, kept, &zero, 1, info.loc), info.loc));
}

// The stretch with variables of its own for all that it assigns; 0: it takes or leaves some that it may not.
static ir_stmt with_own_variables(struct loner *x, ir_stmt stretch, bool may_leave, ir_stmt *after) {
    struct ir_unit *u = x->u;
    struct ir_effects fx = ir_effects_of(u, stretch);
    uint32_t count = u->var_count;
    const uint32_t *exposed = pass_exposed(u, stretch);
    ir_var *own = base_alloc_array(u->cx, count, sizeof *own);
    for (ir_var v = 1; v < count; v++) {
        if (!ir_bit(fx.vars_written, v)) continue;
        bool through = v >= x->vars || ir_bit(exposed, v) || ir_bit(x->wanted, v);
        if (through && (!may_leave || v >= x->vars || u->vars[v].type == IR_BOOL)) return 0;
        own[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    }
    ir_stmt body = ir_clone_block(u, stretch, own, NULL);
    for (ir_var v = 1; v < count; v++)
        if (own[v]) {
            bool again = ir_bit(exposed, v); // it may want what it left last time
            pass_through(x, v, own[v], again || ir_bit(x->wanted, v), &body, after);
        }
    return body;
}

// A copy of the set, with what the block may read of what is assigned in front of it.
static uint32_t *with_read(const struct loner *x, const uint32_t *set, ir_stmt block) {
    uint32_t words = x->vars / 32 + 1, *out = base_alloc_array(x->u->cx, words, sizeof *out);
    const uint32_t *exposed = pass_exposed(x->u, block);
    for (uint32_t w = 0; w < words; w++)
        out[w] = exposed[w] | (set ? set[w] : 0);
    return out;
}

// Cuts the assignments off with which the stretch ends: they may stay where they are. 0: there are none, or no loop in
// front of them is worth a dispatch more.
static ir_stmt cut_tail(struct ir_unit *u, ir_stmt stretch) {
    ir_stmt last = 0;
    bool is_long = false;
    for (ir_stmt s = stretch; s; s = u->stmts[s].next) {
        uint64_t trips;
        if (u->stmts[s].kind != IR_ASSIGN) last = s;
        is_long |= u->stmts[s].kind == IR_FOR && (!ir_const_trips(u, s, &trips) || trips >= PASS_LONE_LEAST_PASSES);
    }
    ir_stmt tail = is_long ? u->stmts[last].next : 0;
    if (tail) u->stmts[last].next = 0;
    return tail;
}

// The stretch, which ends where its chain does, as it is or as a parallel loop.
static ir_stmt make_lone(struct loner *x, ir_stmt stretch) {
    struct ir_unit *u = x->u;
    struct look look = {.u = u, .fits = true};
    ir_stmt after = 0;
    ir_walk_stmts(u, stretch, on_stmt, &look);
    if (!look.fits || !look.loops || pass_leaves_loop(u, stretch)) return stretch;
    bool may_leave = look.is_long && x->p->target->busy_invocations >= PASS_GPU_INVOCATIONS;
    ir_stmt body = with_own_variables(x, stretch, may_leave, &after), tail = body ? 0 : cut_tail(u, stretch);
    if (tail) {
        x->wanted = with_read(x, x->wanted, tail);
        body = with_own_variables(x, stretch, may_leave, &after);
        ir_append(u, body ? &after : &stretch, tail);
    }
    if (!body) return stretch;
    base_loc loc = u->stmts[stretch].loc;
    ir_var one = ir_add_var(u, "one", IR_I32, IR_VAR_DIM, loc);
    struct ir_dim dim = {one, ir_const_i32(u, 0), ir_const_i32(u, 1), 1};
    ir_stmt s = ir_parfor(u, &dim, 1, body, loc);
    base_text_format(x->p->explain, "lone: the sequential code at line %u is an iteration of its own\n",
                     u->cx->locs[loc].line);
    ir_append(u, &s, after);
    return s;
}

// wanted: of what the block assigns, behind it.
static ir_stmt lone_block(struct loner *x, ir_stmt block, const uint32_t *wanted) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, stretch = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (!pass_has_parallel(u, s)) {
            ir_append(u, &stretch, s);
            continue;
        }
        const uint32_t *behind = with_read(x, wanted, next);
        x->wanted = with_read(x, behind, s);
        if (stretch) ir_append(u, &out, make_lone(x, stretch));
        stretch = 0;
        ir_append(u, &out, s);
        if (u->stmts[s].kind == IR_IF) {
            ir_stmt then_block = lone_block(x, u->stmts[s].branch.then_block, behind),
                    else_block = lone_block(x, u->stmts[s].branch.else_block, behind);
            u->stmts[s].branch.then_block = then_block;
            u->stmts[s].branch.else_block = else_block;
        }
        if (u->stmts[s].kind != IR_FOR && u->stmts[s].kind != IR_LOOP) continue;
        const uint32_t *again = with_read(x, with_read(x, behind, s), ir_body_of(&u->stmts[s]));
        if (u->stmts[s].kind == IR_LOOP) again = with_read(x, again, u->stmts[s].loop.continuing);
        ir_stmt inside = lone_block(x, ir_body_of(&u->stmts[s]), again);
        ir_set_body(&u->stmts[s], inside);
    }
    x->wanted = wanted;
    if (stretch) ir_append(u, &out, make_lone(x, stretch));
    return out;
}

void pass_lone(struct pass_cx *p) {
    struct loner x = {.p = p, .u = p->u, .vars = p->u->var_count};
    p->u->root = lone_block(&x, p->u->root, with_read(&x, NULL, 0));
}
