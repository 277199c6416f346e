// Sequential loops that mostly do nothing, as those that keep the best few, take what does not clash with what was
// taken before, or look for the first of a kind:
//
//   for (i = lo; i < hi; i++) {            for (at = lo; at < hi; ) {
//       if (x[i] <= top[K - 1]) continue;      n = min(hi - at, CHUNK);  first = n;
//       insert x[i] into top                   for (p < n shared)
//   }                                              if (x[at + p] > top[K - 1]) first = min(first, p);
//                                              if (first < n) insert x[at + first] into top;
//                                              at += min(first + 1, n);
//                                          }
//
// Each pass needs what the ones before it left. But as long as a pass leaves nothing, the next one finds what this one
// found: so lanes try many passes at once, and of those that would do something the first one is made, by itself.
//
// How many: where one did something soon, the next will, too. So some times as many are tried as there were up to it,
// and CHUNK of them at most.
//
// The law: a pass is tried by its own statements, up to what it would leave behind (an element that it stores, a
// variable that another pass or somebody behind the loop reads, a `break`). Nothing is written while lanes try, so a
// pass before the first that does something finds what it would find in order, and does nothing. Passes behind that one
// are tried with what is there so far, and what they find is dropped; so what a try loads is put within its array, and
// no loop in it is without an end.
//
// What a pass leaves in arrays that the iteration reads one lane makes: a loop of one pass that lanes share. What it
// leaves in variables, and in arrays that nobody reads, all of them make alike.
#include "pass/lanes/leap.h"

#include <string.h>

#include "pass/cost.h"
#include "pass/lanes/one_lane.h"
#include "pass/passes.h"

struct leaper {
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt loop;
    uint32_t vars;        // that the program has; those after them are made here
    uint32_t *kept;       // of them, those that a pass leaves behind (bit set)
    bool *counted;        // by variable, also in a try: it is the loop's counter, times and plus something
    struct ir_effects fx; // of the loop's body
    ir_var hit;           // set in a try where the pass would do something
    bool asks, goes_on;   // whether it does depends on what passes leave; behind some of that, the loop goes on
    bool fits;
};

static bool is_kept(const struct leaper *x, ir_var v) { return v < x->vars && ir_bit(x->kept, v); }

// ---- what a pass would do -------------------------------------------------------------------------------------------

struct reads {
    struct leaper *x;
    bool counted;
};
static bool on_mention(void *user, ir_expr e) {
    struct reads *r = user;
    const struct ir_node *n = &r->x->u->nodes[e];
    r->counted |= n->op == IR_VAR && r->x->counted[n->a];
    return !r->counted && n->op != IR_LOAD;
}
static bool is_counted(struct leaper *x, ir_expr e) {
    struct reads r = {x, false};
    ir_walk_expr(x->u, e, on_mention, &r);
    return r.counted;
}

// Of what passes write, an element that depends on the pass may be what the one before wrote: then most do something.
static bool on_read(void *user, ir_expr e) {
    struct leaper *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->asks |= n->op == IR_VAR && is_kept(x, n->a);
    if (n->op != IR_LOAD) return true;
    bool written = ir_bit(x->fx.arrays_written, n->a);
    x->asks |= written;
    for (uint32_t d = 0; d < n->n && written; d++)
        x->fits &= !is_counted(x, x->u->args[n->b + d]);
    return true;
}
static void ask(struct leaper *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, on_read, x);
}

static bool on_inner(void *user, ir_stmt s) {
    struct leaper *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->fits &=
        n->kind == IR_ASSIGN || n->kind == IR_IF || n->kind == IR_FOR || n->kind == IR_BREAK || n->kind == IR_CONTINUE;
    return x->fits;
}

// The statement, a loop, leaves nothing behind but variables of the pass; a try makes it as it is.
static bool is_inside(struct leaper *x, ir_stmt s) {
    struct ir_effects fx = ir_effects_of_one(x->u, s);
    struct leaper y = *x;
    for (uint32_t w = 0; w < fx.array_words; w++)
        if (fx.arrays_written[w]) return false;
    for (ir_var v = 1; v < x->vars; v++)
        if (ir_bit(fx.vars_written, v) && ir_bit(x->kept, v)) return false;
    ir_walk_stmts(x->u, x->u->stmts[s].counted.body, on_inner, &y);
    return y.fits;
}

// What follows from the statement on ends with a `break`: so a loop does this but once.
static bool ends_loop(const struct ir_unit *u, ir_stmt s) {
    while (u->stmts[s].next)
        s = u->stmts[s].next;
    return u->stmts[s].kind == IR_BREAK;
}

// The block, a copy of the loop's, up to what it would leave behind. *out_hits: that may be reached; *out_surely: it is
// reached.
static ir_stmt try_block(struct leaper *x, ir_stmt block, bool *out_hits, bool *out_surely) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    *out_hits = *out_surely = false;
    for (ir_stmt s = block, next; s && x->fits; s = next) {
        const struct ir_stmt_node n = u->stmts[s];
        bool hits = false, yes = false, no = false, inner = false;
        bool leaves = ends_loop(u, s);
        next = n.next;
        u->stmts[s].next = 0;
        switch (n.kind) {
        case IR_NOP: continue;
        case IR_ASSIGN:
            x->fits &= !(n.flags & IR_FLAG_ATOMIC);
            hits = yes = no = is_kept(x, n.assign.var);
            if (!hits) ask(x, n.assign.value);
            break;
        case IR_IF: {
            ask(x, n.branch.cond);
            ir_stmt then_block = try_block(x, n.branch.then_block, &inner, &yes);
            hits |= inner;
            ir_stmt else_block = try_block(x, n.branch.else_block, &inner, &no);
            hits |= inner;
            u->stmts[s].branch.then_block = then_block;
            u->stmts[s].branch.else_block = else_block;
            break;
        }
        case IR_FOR:
            hits = yes = no = !is_inside(x, s);
            ask(x, n.counted.lo);
            ask(x, n.counted.hi);
            if (!hits) {
                struct ir_visitor v = {.on_node = on_read, .user = x};
                ir_walk_block(u, n.counted.body, &v);
            }
            break;
        case IR_BREAK:
        case IR_STORE:
        case IR_LOOP: hits = yes = no = true; break;
        default: x->fits = false;
        }
        bool simple = hits && n.kind != IR_IF;
        x->goes_on |= simple && !leaves;
        ir_append(u, &out, simple ? ir_assign(u, x->hit, ir_const_i32(u, 1), n.loc) : s);
        *out_hits |= hits;
        *out_surely |= yes && no;
        if (*out_surely) break;
        if (!hits || !next) continue;
        ir_stmt rest = try_block(x, next, &inner, out_surely);
        *out_hits |= inner;
        ir_expr none = ir_op2(u, IR_EQ, ir_var_read(u, x->hit, n.loc), ir_const_i32(u, 0), n.loc);
        if (rest) ir_append(u, &out, ir_if(u, none, rest, 0, n.loc));
        break;
    }
    return out;
}

// ---- may it? --------------------------------------------------------------------------------------------------------

static bool on_assign(void *user, ir_stmt s) {
    struct leaper *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_expr from = n->kind == IR_ASSIGN ? n->assign.value : n->kind == IR_FOR ? n->counted.lo : 0;
    ir_var v = ir_written_var(n);
    if (from && v && is_counted(x, from)) x->counted[v] = true;
    return true;
}

static bool on_memory(void *user, ir_stmt s) {
    struct leaper *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->fits &= n->kind != IR_ATOMIC && !(n->kind == IR_STORE && n->flags & IR_FLAG_ATOMIC);
    return x->fits;
}

// ---- what it becomes ------------------------------------------------------------------------------------------------

static ir_var local(struct leaper *x, const char *name) {
    return ir_add_var(x->u, name, IR_I32, IR_VAR_LOCAL, x->u->stmts[x->loop].loc);
}

static ir_expr read_of(struct leaper *x, ir_var v) { return ir_var_read(x->u, v, x->u->stmts[x->loop].loc); }

static void put(struct leaper *x, ir_stmt *out, ir_var v, ir_expr value) {
    ir_append(x->u, out, ir_assign(x->u, v, value, x->u->stmts[x->loop].loc));
}

// A copy of the loop's body in which its counter is `index`, and `map` says what other variables are.
static ir_stmt copy_body(struct leaper *x, ir_var index, ir_var *map) {
    const struct ir_stmt_node *n = &x->u->stmts[x->loop];
    map[n->counted.var] = index;
    return ir_clone_block(x->u, n->counted.body, map, NULL);
}

struct within {
    struct pass_scope *sc;
    bool fits;
};
static ir_expr within(void *user, ir_expr e) {
    struct within *x = user;
    struct ir_unit *u = x->sc->u;
    const struct ir_node n = u->nodes[e];
    ir_expr indices[IR_MAX_DIMS];
    bool changed = false;
    if (n.op != IR_LOAD || u->arrays[n.a].klass == IR_ARRAY_STAGED) return e;
    for (uint32_t d = 0; d < n.n; d++) {
        ir_expr at = indices[d] = u->args[n.b + d];
        enum ir_type type = (enum ir_type)u->nodes[at].type;
        struct pass_range r = pass_range_of(x->sc, at);
        uint32_t size;
        if (!ir_is_const(u, u->arrays[n.a].dims[d], &size)) x->fits = false;
        if (!x->fits || (r.known && r.lo >= 0 && r.hi < (int64_t)size)) continue;
        indices[d] = ir_op2(u, IR_MIN, at, ir_const(u, type, size - 1), n.loc);
        if (type == IR_I32) indices[d] = ir_op2(u, IR_MAX, indices[d], ir_const_i32(u, 0), n.loc);
        changed = true;
    }
    return changed ? ir_load(u, n.a, indices, n.n, n.loc) : e;
}

bool pass_put_within(struct pass_scope *sc, ir_stmt block) {
    struct within x = {sc, true};
    ir_map_block(sc->u, block, within, &x);
    return x.fits;
}

// The loop in which lanes try the next `count` passes from `at` on: `first` is the first of them that does something.
static ir_stmt make_try(struct leaper *x, ir_var at, ir_var count, ir_var first) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    ir_var *map = base_alloc_array(u->cx, x->vars, sizeof *map), pass = local(x, "pass"), i = local(x, "i");
    ir_stmt body = 0;
    bool hits, surely;
    x->hit = local(x, "hit");
    for (ir_var v = 1; v < x->vars; v++)
        if (ir_bit(x->fx.vars_written, v) && !ir_bit(x->kept, v))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    bool *counted = base_alloc_array(u->cx, u->var_count, sizeof *counted);
    for (ir_var v = 1; v < x->vars; v++) {
        counted[v] |= x->counted[v];
        counted[map[v]] |= x->counted[v];
    }
    counted[i] = true;
    x->counted = counted;
    put(x, &body, x->hit, ir_const_i32(u, 0));
    put(x, &body, i, ir_op2(u, IR_ADD, read_of(x, at), read_of(x, pass), loc));
    ir_stmt tried = try_block(x, copy_body(x, i, map), &hits, &surely);
    x->fits &= pass_put_within(x->sc, tried) && hits && !surely && (x->asks || !x->goes_on);
    ir_append(u, &body, tried);
    ir_stmt less = ir_assign(u, first, ir_op2(u, IR_MIN, read_of(x, first), read_of(x, pass), loc), loc);
    ir_append(u, &body, ir_if(u, ir_op2(u, IR_NE, read_of(x, x->hit), ir_const_i32(u, 0), loc), less, 0, loc));
    ir_stmt loop = ir_for(u, pass, ir_const_i32(u, 0), read_of(x, count), 1, body, loc);
    u->stmts[loop].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    return loop;
}

// The block with `gone` set where it leaves its loop by a `break`.
static ir_stmt mark_breaks(struct leaper *x, ir_stmt block, ir_var gone) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        const struct ir_stmt_node n = u->stmts[s];
        next = n.next;
        u->stmts[s].next = 0;
        if (n.kind == IR_BREAK) put(x, &out, gone, ir_const_i32(u, 1));
        if (n.kind == IR_IF) {
            ir_stmt then_block = mark_breaks(x, n.branch.then_block, gone),
                    else_block = mark_breaks(x, n.branch.else_block, gone);
            u->stmts[s].branch.then_block = then_block;
            u->stmts[s].branch.else_block = else_block;
        }
        ir_append(u, &out, s);
    }
    return out;
}

// The pass `first` from `at` on. gone: is set where it ends the loop; 0: none does.
static ir_stmt make_pass(struct leaper *x, ir_var at, ir_var first, ir_var gone, ir_var *map) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    ir_stmt out = 0;
    ir_var i = local(x, "i");
    put(x, &out, i, ir_op2(u, IR_ADD, read_of(x, at), read_of(x, first), loc));
    ir_stmt body = copy_body(x, i, map);
    if (gone) // a loop of one pass, which a `break` leaves
        body = ir_for(u, local(x, "once"), ir_const_i32(u, 0), ir_const_i32(u, 1), 1, mark_breaks(x, body, gone), loc);
    ir_append(u, &out, body);
    return out;
}

// ... by one lane, after which all have what it leaves in variables.
static ir_stmt make_pass_alone(struct leaper *x, ir_var at, ir_var first, ir_var gone, ir_var *map) {
    struct ir_unit *u = x->u;
    ir_stmt block = make_pass(x, at, first, gone, map);
    uint32_t *left = base_alloc_array(u->cx, (u->var_count + 31) / 32, sizeof *left);
    memcpy(left, x->kept, (x->vars + 31) / 32 * sizeof *left);
    if (gone) left[gone / 32] |= 1u << gone % 32;
    ir_stmt out = pass_make_alone(u, block, left, left, u->stmts[x->loop].loc);
    x->fits &= out != 0;
    return out;
}

// Whether one lane has to make what passes leave in memory.
static bool is_for_one(struct leaper *x, const struct ir_effects *iteration) {
    const struct ir_unit *u = x->u;
    bool alone = false, own = false;
    for (ir_array a = 1; a < u->array_count; a++) {
        if (!ir_bit(x->fx.arrays_written, a)) continue;
        own |= u->arrays[a].klass == IR_ARRAY_LOCAL;
        alone |= u->arrays[a].klass != IR_ARRAY_LOCAL && ir_bit(iteration->arrays_read, a);
    }
    x->fits &= !(alone && own); // of a local array each lane has its own
    return alone;
}

// What a try of a loop costs, each pass that does something costs again. And no lane can pause.
uint32_t pass_leap_passes(const struct ir_unit *u, ir_stmt body, uint64_t most, uint32_t lanes) {
    bool is_long = most > PASS_SHARE_MOST_PASSES / (PASS_LEAP_PASSES / PASS_WORKGROUP);
    if (lanes < PASS_LEAP_LANES) return lanes * PASS_LEAP_FEW;
    return is_long || pass_has_loop(u, body) ? PASS_WORKGROUP : PASS_LEAP_PASSES;
}

uint32_t pass_leap_rounds(uint64_t passes, uint32_t at_once) {
    uint64_t made = passes / PASS_LEAP_EACH;
    return (uint32_t)(passes / at_once + 1 + (made < PASS_LEAP_MADE ? made : PASS_LEAP_MADE));
}

// Without one a pass does something for sure, or never does (try_block).
static bool has_branch(const struct ir_unit *u, ir_stmt body) {
    while (body && u->stmts[body].kind != IR_IF)
        body = u->stmts[body].next;
    return body != 0;
}

bool pass_leap(struct pass_scope *sc, ir_stmt s, const uint32_t *reads, const struct ir_effects *iteration,
               uint64_t most, uint32_t lanes) {
    struct ir_unit *u = sc->u;
    uint32_t at_once = pass_leap_passes(u, u->stmts[s].counted.body, most, lanes);
    uint32_t least =
        lanes < PASS_LEAP_LANES ? lanes : at_once / PASS_LEAP_GROWS; // else nobody knows how many there are
    const struct ir_stmt_node n = u->stmts[s];
    if (n.counted.step != 1 || u->vars[n.counted.var].type != IR_I32 || most > INT32_MAX / 2 ||
        !has_branch(u, n.counted.body))
        return false;
    struct leaper x = {.u = u, .sc = sc, .loop = s, .vars = u->var_count, .fits = true};
    x.counted = base_alloc_array(u->cx, u->var_count, sizeof *x.counted);
    x.counted[n.counted.var] = true;
    bool leaves = pass_leaves_loop(u, n.counted.body);

    x.fx = ir_effects_of(u, n.counted.body);
    uint32_t *met;
    pass_find_left(u, n.counted.body, reads, true, &x.kept, &met);
    ir_walk_stmts(u, n.counted.body, on_memory, &x);
    for (uint32_t again = 0; again < 2; again++)
        ir_walk_stmts(u, n.counted.body, on_assign, &x);
    bool alone = is_for_one(&x, iteration);
    if (!x.fits) return false;
    ir_var at = local(&x, "at"), to = local(&x, "to"), count = local(&x, "n"), first = local(&x, "first"),
           room = local(&x, "room"), gone = leaves ? local(&x, "gone") : 0;
    ir_stmt body = 0, made = 0, out = 0;
    ir_expr left = ir_op2(u, IR_SUB, read_of(&x, to), read_of(&x, at), n.loc);
    ir_expr all = ir_const_i32(u, (int32_t)at_once), roomy = ir_op2(u, IR_MIN, left, read_of(&x, room), n.loc);
    put(&x, &body, count, ir_op2(u, IR_MIN, roomy, all, n.loc));
    put(&x, &body, first, read_of(&x, count));
    ir_append(u, &body, make_try(&x, at, count, first));
    if (gone) put(&x, &body, gone, ir_const_i32(u, 0));
    ir_var *map = base_alloc_array(u->cx, x.vars, sizeof *map);
    if (x.fits) made = (alone ? make_pass_alone : make_pass)(&x, at, first, gone, map);
    if (!x.fits) return false;
    ir_expr some = ir_op2(u, IR_LT, read_of(&x, first), read_of(&x, count), n.loc);
    ir_append(u, &body, ir_if(u, some, made, 0, n.loc));
    ir_expr with = ir_op2(u, IR_ADD, read_of(&x, first), ir_const_i32(u, 1), n.loc),
            passes = ir_op2(u, IR_MIN, with, read_of(&x, count), n.loc),
            more = ir_op2(u, IR_MUL, with, ir_const_i32(u, PASS_LEAP_GROWS), n.loc),
            enough = ir_op2(u, IR_MAX, more, ir_const_i32(u, (int32_t)least), n.loc),
            next = ir_op2(u, IR_ADD, read_of(&x, at), passes, n.loc);
    if (gone) {
        ir_expr ends = ir_op2(u, IR_NE, read_of(&x, gone), ir_const_i32(u, 0), n.loc);
        next = ir_op3(u, IR_SELECT, ends, read_of(&x, to), next, n.loc);
    }
    put(&x, &body, at, next);
    put(&x, &body, room, ir_op2(u, IR_MIN, enough, all, n.loc));
    ir_stmt loop = ir_loop(u, ir_op2(u, IR_LT, read_of(&x, at), read_of(&x, to), n.loc), body, 0, n.loc);
    u->stmts[loop].flags |= IR_FLAG_LONGEST;
    u->stmts[loop].loop.tick_passes = (uint32_t)most;
    u->stmts[loop].loop.taken = pass_leap_rounds(most, at_once);
    put(&x, &out, to, n.counted.hi);
    put(&x, &out, room, all);
    ir_append(u, &out, loop);
    u->stmts[loop].next = n.next;
    ir_make_assign(&u->stmts[s], at, n.counted.lo); // it begins in the loop's place
    u->stmts[s].next = out;
    return true;
}

// The variable that begins as `count`: the first that does something.
static ir_var first_of(const struct ir_unit *u, ir_stmt block, ir_stmt search) {
    const struct ir_node *count = &u->nodes[u->stmts[search].counted.hi];
    ir_var first = 0;
    for (ir_stmt s = block; s != search; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        const struct ir_node *value = n->kind == IR_ASSIGN ? &u->nodes[n->assign.value] : NULL;
        if (value && value->op == IR_VAR && count->op == IR_VAR && value->a == count->a) first = n->assign.var;
    }
    return first;
}

void pass_leap_alone(struct ir_unit *u, ir_stmt loop) {
    ir_stmt body = u->stmts[loop].loop.body;
    u->stmts[loop].flags &= (uint16_t)~IR_FLAG_LONGEST;
    u->stmts[loop].loop.tick_passes = u->stmts[loop].loop.taken = 0;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        ir_var first = u->stmts[s].kind == IR_FOR && u->stmts[s].flags & IR_FLAG_FREE ? first_of(u, body, s) : 0;
        if (!first) continue;
        base_loc loc = u->stmts[s].loc;
        ir_expr found = ir_op2(u, IR_LT, ir_var_read(u, first, loc), u->stmts[s].counted.hi, loc);
        ir_stmt search = u->stmts[s].counted.body;
        ir_append(u, &search, ir_if(u, found, ir_add_stmt(u, IR_BREAK, loc), 0, loc));
        return;
    }
}
