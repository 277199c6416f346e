// What a loop copies each time that it finds a better one is copied once, behind the loop:
//
//   for (i < n) {                              at = none;
//       if (f[i] < best) {                     for (i < n) if (f[i] < best) { best = f[i]; at = i; }
//           best = f[i];              becomes  if (at != none) for (d < D) kept[d] = x[at][d];
//           for (d < D) kept[d] = x[i][d];
//       }
//   }
//
// Then the loop is a search, which reductions or lanes share (best.c, lanes/share.c); with the copies in it, each pass
// writes what others write.
//
// The law: the same elements are written each time, all of them, and nothing else in the loop touches their array; so
// what the last such pass has copied stays. It still finds this behind the loop: no pass writes what it copies, or each
// writes an element of its own, by the loop's counter, before the test.
#include "pass/passes.h"

enum { COPIES = 8 }; // guess: of one test

struct winner {
    struct pass_cx *p;
    struct ir_unit *u;
    // of the loop under way
    ir_stmt loop, test;
    struct ir_effects fx;     // of its body
    const bool *own;          // by array: each access in the loop is at its counter, in one of the dimensions
    bool inside;              // the test is in a branch
    struct ir_effects copied; // of a copy
    uint32_t *stores;         // by array, where it counts them
    uint32_t count;           // of all loops
};

static ir_var counter_of(const struct winner *x) { return x->u->stmts[x->loop].counted.var; }

// ---- accesses at the counter ----------------------------------------------------------------------------------------

struct places {
    const struct winner *x;
    uint32_t *at; // by array: dimensions in which all accesses so far are at the counter, a bit each
};
static void note(struct places *p, ir_array a, const uint32_t *indices, uint32_t n) {
    uint32_t here = 0;
    for (uint32_t d = 0; d < n; d++)
        if (pass_is_var(p->x->u, indices[d], counter_of(p->x))) here |= 1u << d;
    p->at[a] &= here;
}
static bool on_load(void *user, ir_expr e) {
    struct places *p = user;
    const struct ir_node *n = &p->x->u->nodes[e];
    if (n->op == IR_LOAD) note(p, n->a, p->x->u->args + n->b, n->n);
    return true;
}
static bool on_write(void *user, ir_stmt s) {
    struct places *p = user;
    const struct ir_write w = ir_write_of(&p->x->u->stmts[s]);
    if (w.array) note(p, w.array, p->x->u->args + w.indices, w.index_count);
    return true;
}

static const bool *find_own(const struct winner *x) {
    struct ir_unit *u = x->u;
    struct places p = {x, base_alloc_array(u->cx, u->array_count, sizeof *p.at)};
    bool *own = base_alloc_array(u->cx, u->array_count, sizeof *own);
    for (ir_array a = 1; a < u->array_count; a++)
        p.at[a] = UINT32_MAX;
    struct ir_visitor v = {.on_stmt = on_write, .on_node = on_load, .user = &p};
    ir_walk_block(u, u->stmts[x->loop].counted.body, &v);
    for (ir_array a = 1; a < u->array_count; a++)
        own[a] = p.at[a] != 0;
    return own;
}

// ---- what is a copy? ------------------------------------------------------------------------------------------------

static bool on_store(void *user, ir_stmt s) {
    struct winner *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) x->stores[n->store.array]++;
    return true;
}

// An expression of the copy. index: of an element that is written, or a bound, so the same in each pass.
static bool is_known_behind(struct winner *x, ir_expr e, bool index) {
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR) {
        bool counts = ir_bit(x->copied.vars_written, n->a), is_counter = n->a == counter_of(x);
        return is_counter ? !index : counts || !ir_bit(x->fx.vars_written, n->a);
    }
    if (n->op == IR_LOAD) {
        bool written = ir_bit(x->fx.arrays_written, n->a);
        if (ir_bit(x->copied.arrays_written, n->a) || (written && (index || !x->own[n->a]))) return false;
        for (uint32_t d = 0; d < n->n; d++)
            if (!is_known_behind(x, x->u->args[n->b + d], index)) return false;
        return true;
    }
    const ir_expr parts[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; n->op != IR_CONST && i < ir_ops[n->op].arity; i++)
        if (!is_known_behind(x, parts[i], index)) return false;
    return true;
}

// Stores, in loops or not.
static bool is_copy(struct winner *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_FOR) {
        if (n->flags & IR_FLAG_LANES || !is_known_behind(x, n->counted.lo, true) ||
            !is_known_behind(x, n->counted.hi, true))
            return false;
        for (ir_stmt t = n->counted.body; t; t = u->stmts[t].next)
            if (!is_copy(x, t)) return false;
        return n->counted.body;
    }
    if (n->kind != IR_STORE || n->flags & IR_FLAG_ATOMIC || ir_bit(x->fx.arrays_read, n->store.array)) return false;
    for (uint32_t d = 0; d < n->store.index_count; d++)
        if (!is_known_behind(x, u->args[n->store.indices + d], true)) return false;
    return is_known_behind(x, n->store.value, false);
}

// Nothing else in the loop writes where the copy does, and nothing behind the test what it reads.
static bool is_alone(struct winner *x, ir_stmt copy) {
    struct ir_unit *u = x->u;
    uint32_t *in_loop = base_alloc_array(u->cx, u->array_count, sizeof *in_loop),
             *in_copy = base_alloc_array(u->cx, u->array_count, sizeof *in_copy);
    x->stores = in_loop;
    ir_walk_stmts(u, u->stmts[x->loop].counted.body, on_store, x);
    const struct ir_stmt_node was = u->stmts[copy];
    u->stmts[copy].next = 0;
    x->stores = in_copy;
    ir_walk_stmts(u, copy, on_store, x);
    u->stmts[copy].next = was.next;
    struct ir_effects test = ir_effects_of_one(u, x->test),
                      rest = x->inside ? x->fx : ir_effects_of(u, u->stmts[x->test].next);
    for (ir_array a = 1; a < u->array_count; a++) {
        if (in_copy[a] && in_copy[a] != in_loop[a]) return false;
        if (ir_bit(x->copied.arrays_read, a) && (ir_bit(test.arrays_written, a) || ir_bit(rest.arrays_written, a)))
            return false;
    }
    return true;
}

// ---- what it becomes ------------------------------------------------------------------------------------------------

// Takes the copies out of the branch, which then notes the pass in *out_at at the first one's place. -> they, in order
static ir_stmt take_copies(struct winner *x, ir_var *out_at) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    ir_stmt list[COPIES], kept = 0, copies = 0;
    uint32_t count = 0, taken = 0;
    bool any = false;
    for (ir_stmt s = u->stmts[x->test].branch.then_block; s && count < COPIES; s = u->stmts[s].next) {
        if (pass_may_leave(u, s)) break; // C may not come to what follows
        x->copied = ir_effects_of_one(u, s);
        if (!is_copy(x, s) || !is_alone(x, s)) continue;
        list[count++] = s;
        any |= u->stmts[s].kind == IR_FOR;
    }
    if (!any) return 0; // single elements may be kept in registers (promote_single.c)
    ir_var at = *out_at = ir_add_var(u, "at", IR_I32, (enum ir_var_class)u->vars[counter_of(x)].klass, loc);
    for (ir_stmt s = u->stmts[x->test].branch.then_block, next; s; s = next) {
        next = u->stmts[s].next;
        bool copy = taken < count && s == list[taken];
        if (copy && !taken) ir_append(u, &kept, ir_assign(u, at, ir_var_read(u, counter_of(x), loc), loc));
        taken += copy;
        u->stmts[s].next = 0;
        ir_append(u, copy ? &copies : &kept, s);
    }
    u->stmts[x->test].branch.then_block = kept;
    return copies;
}

// Tests of the block, and in branches of it. inside: a branch. -> what comes behind the loop; and in front of it
static ir_stmt take_from(struct winner *x, ir_stmt block, bool inside, ir_stmt *io_front) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[x->loop].loc;
    ir_stmt behind = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        if (u->stmts[s].kind != IR_IF) continue;
        x->test = s;
        x->inside = inside;
        ir_var at;
        ir_stmt copies = take_copies(x, &at);
        if (copies) {
            ir_expr none = ir_const(u, IR_I32, (uint32_t)INT32_MIN), place = ir_var_read(u, at, loc);
            ir_append(u, io_front, ir_assign(u, at, none, loc));
            pass_substitute(u, copies, counter_of(x), place);
            ir_append(u, &behind, ir_if(u, ir_op2(u, IR_NE, place, none, loc), copies, 0, loc));
            x->count++;
        }
        ir_stmt more = take_from(x, u->stmts[s].branch.then_block, true, io_front);
        if (more) ir_append(u, &behind, more);
    }
    return behind;
}

// A branch of the block, or of branches in it, stores something, or has a loop. Most loops have none.
static bool may_copy(const struct ir_unit *u, ir_stmt block, bool branch) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (branch && (n->kind == IR_STORE || n->kind == IR_FOR)) return true;
        if (n->kind == IR_IF && may_copy(u, n->branch.then_block, true)) return true;
    }
    return false;
}

static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct winner *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint32_t lo;
    (void)done;
    if (n.kind != IR_FOR || n.flags & IR_FLAG_LANES || u->vars[n.counted.var].type != IR_I32 || n.counted.step != 1 ||
        !ir_is_const(u, n.counted.lo, &lo) || lo == (uint32_t)INT32_MIN || !may_copy(u, n.counted.body, false) ||
        pass_has_parallel(u, n.counted.body))
        return s;
    x->loop = s;
    x->fx = ir_effects_of(u, n.counted.body);
    if (!ir_writes_arrays(&x->fx)) return s;
    x->own = find_own(x);
    ir_stmt front = 0, behind = take_from(x, n.counted.body, false, &front);
    if (!behind) return s;
    ir_append(u, &front, s);
    ir_append(u, &front, behind);
    return front;
}

void pass_winner(struct pass_cx *p) {
    struct winner x = {.p = p, .u = p->u};
    struct pass_rewriter w = {.u = p->u, .user = &x, .replace = replace};
    pass_rewrite_all(&w);
    if (x.count)
        base_text_format(p->explain, "winner: what %u search%s copies is copied once, behind the loop\n", x.count,
                         x.count == 1 ? "" : "es");
}
