// Sequential loops that sum until the sum is large enough, as those that draw from a distribution:
//
//   for (i = lo; i < hi; i++) {            for (at = lo; at < to; ) {
//       c += p(i);                             n = min(to - at, CHUNK);  sum = most = 0;
//       if (c > u) { pick = i; break; }        for (q < n shared) { sum += p(at + q);  most += max(p(at + q), 0); }
//   }                                          if (c + most > u) to = at;  else { c += sum;  at += n; }
//                                          }
//                                          for (i = at; i < hi; i++) { c += p(i);  if (c > u) { pick = i; break; } }
//
// The law: in a block of passes the sum is never more than what it was before and all that is above 0. Where that is
// not enough, no pass of the block ends the loop, and of all that they do the sum alone is left. So lanes share the
// sums of blocks, and the passes of the last one are made one after the other. The same where the loop takes away until
// too little is left; and where a pass notes its number (pick = i in front of the test): of those in a block the
// largest one stays. Sums of floats are other ones in another order, as everywhere where lanes share them (share.c).
#include "pass/cost.h"
#include "pass/lanes/leap.h"
#include "pass/passes.h"

enum { NOTES = 4 }; // guess: in one loop

struct until {
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt loop;
    ir_stmt update, test; // c += p; if (c > u) { ... break; }
    ir_var c;
    ir_var notes[NOTES], latest[NOTES]; // variables that passes set to their number; what they are of a block
    uint32_t note_count;
    struct ir_effects others; // of what stands beside these two
    bool takes_away, fits;
};

// ---- may it? --------------------------------------------------------------------------------------------------------

static bool ends_in_break(const struct ir_unit *u, ir_stmt block) {
    while (block && u->stmts[block].next)
        block = u->stmts[block].next;
    return block && u->stmts[block].kind == IR_BREAK;
}

// `c += p` or `c -= p`. -> p; 0: it is neither
static ir_expr added(const struct ir_unit *u, ir_stmt s, bool *out_takes_away) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind != IR_ASSIGN || u->vars[n->assign.var].type != IR_F32) return 0;
    const struct ir_node *sum = &u->nodes[n->assign.value];
    bool left = (sum->op == IR_ADD || sum->op == IR_SUB) && pass_is_var(u, sum->a, n->assign.var),
         right = sum->op == IR_ADD && pass_is_var(u, sum->b, n->assign.var);
    *out_takes_away = sum->op == IR_SUB;
    return left ? sum->b : right ? sum->a : 0;
}

// What c is compared with. The comparison ends the loop where c is large; small, if the loop takes away. 0: another one
static ir_expr bound_of(const struct until *x, ir_expr cond) {
    const struct ir_node *n = &x->u->nodes[cond];
    bool greater = n->op == IR_GT || n->op == IR_GE, less = n->op == IR_LT || n->op == IR_LE;
    if (x->takes_away ? less : greater) return pass_is_var(x->u, n->a, x->c) ? n->b : 0;
    if (x->takes_away ? greater : less) return pass_is_var(x->u, n->b, x->c) ? n->a : 0;
    return 0;
}

// The test behind the update, but for assignments; 0: there is none.
static ir_stmt test_behind(const struct ir_unit *u, ir_stmt update) {
    ir_stmt s = u->stmts[update].next;
    while (s && u->stmts[s].kind == IR_ASSIGN)
        s = u->stmts[s].next;
    bool is_test = s && u->stmts[s].kind == IR_IF && !u->stmts[s].branch.else_block;
    return is_test && ends_in_break(u, u->stmts[s].branch.then_block) ? s : 0;
}

// An update and, behind it, its test; the block's own, or in branches of it.
static void find(struct until *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        bool away;
        if (n->kind == IR_ASSIGN && added(u, s, &away) && test_behind(u, s)) {
            x->fits &= !x->update;
            x->update = s;
            x->test = test_behind(u, s);
            x->c = n->assign.var;
            x->takes_away = away;
        } else if (n->kind == IR_IF) {
            find(x, n->branch.then_block);
            find(x, n->branch.else_block);
        }
    }
}

// What stands beside the update and its test leaves nothing in memory and ends in any case.
static bool on_other(void *user, ir_stmt s) {
    struct until *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (s == x->test) return false;
    x->fits &= n->kind == IR_ASSIGN || n->kind == IR_IF || n->kind == IR_FOR || n->kind == IR_NOP;
    x->fits &= !(n->kind == IR_ASSIGN && n->flags & IR_FLAG_ATOMIC);
    return x->fits;
}

struct notes {
    const struct ir_unit *u;
    ir_var var, counter;
    bool fits;
};
static bool on_note(void *user, ir_stmt s) {
    struct notes *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (ir_written_var(n) == x->var) x->fits &= n->kind == IR_ASSIGN && pass_is_var(x->u, n->assign.value, x->counter);
    return true;
}
// Passes set the variable to their number, and to nothing else.
static bool is_note(const struct until *x, ir_stmt body, ir_var v) {
    struct notes notes = {x->u, v, x->u->stmts[x->loop].counted.var, true};
    ir_walk_stmts(x->u, body, on_note, &notes);
    return notes.fits && x->u->vars[v].type == IR_I32 && x->u->vars[v].klass == IR_VAR_LOCAL;
}

// Variables that the loop leaves to others are the sum, notes, and what is set when it ends.
static bool leaves_the_sum(struct until *x, const uint32_t *reads) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[x->loop].counted.body;
    ir_expr test = u->stmts[x->test].branch.cond, bound = bound_of(x, test);
    if (!bound) return false;
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside),
             *of_bound = base_alloc_array(u->cx, u->var_count, sizeof *of_bound);
    const struct ir_stmt_node was = u->stmts[x->test]; // what follows is of the loop without it
    u->stmts[x->test].branch.then_block = 0;
    x->others = ir_effects_of(u, body);
    const uint32_t *exposed = pass_exposed(u, body);
    pass_count_reads(u, body, inside);
    bool fits = true;
    pass_count_expr_reads(u, bound, of_bound);
    for (ir_var w = 1; w < u->var_count && fits; w++) {
        if (!ir_bit(x->others.vars_written, w)) continue;
        bool left = w != x->c && (ir_bit(exposed, w) || reads[w] > inside[w]);
        fits = !of_bound[w] && (!left || (!inside[w] && x->note_count < NOTES && is_note(x, body, w)));
        if (left && fits) x->notes[x->note_count++] = w;
    }
    u->stmts[x->test] = was;
    return fits && inside[x->c] == 2; // in the update and in the test
}

// ---- what it becomes ------------------------------------------------------------------------------------------------

static ir_var local(struct until *x, const char *name, enum ir_type type) {
    return ir_add_var(x->u, name, type, IR_VAR_LOCAL, x->u->stmts[x->loop].loc);
}
static ir_expr read_of(struct until *x, ir_var v) { return ir_var_read(x->u, v, x->u->stmts[x->loop].loc); }
static ir_expr two(struct until *x, enum ir_op op, ir_expr a, ir_expr b) {
    return ir_op2(x->u, op, a, b, x->u->stmts[x->loop].loc);
}
static void put(struct until *x, ir_stmt *out, ir_var v, ir_expr value) {
    ir_append(x->u, out, ir_assign(x->u, v, value, x->u->stmts[x->loop].loc));
}

static bool is_latest(const struct until *x, ir_var v) {
    for (uint32_t i = 0; i < x->note_count; i++)
        if (x->latest[i] == v) return true;
    return false;
}

// In a copy of the body: behind the update of `sum` stands one of `most`, the test is gone, and the largest note stays.
static ir_stmt without_test(struct until *x, ir_stmt block, ir_var sum, ir_var most) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, test = 0;
    for (ir_stmt s = block, next; s; s = next) {
        const struct ir_stmt_node n = u->stmts[s];
        next = n.next;
        if (s == test) continue;
        if (n.kind == IR_ASSIGN && n.assign.var == sum) test = test_behind(u, s);
        u->stmts[s].next = 0;
        if (n.kind == IR_IF) {
            ir_stmt then_block = without_test(x, n.branch.then_block, sum, most),
                    else_block = without_test(x, n.branch.else_block, sum, most);
            u->stmts[s].branch.then_block = then_block;
            u->stmts[s].branch.else_block = else_block;
        }
        if (n.kind == IR_ASSIGN && is_latest(x, n.assign.var)) {
            ir_expr later = two(x, IR_MAX, read_of(x, n.assign.var), n.assign.value);
            u->stmts[s].assign.value = later;
        }
        ir_append(u, &out, s);
        if (n.kind != IR_ASSIGN || n.assign.var != sum) continue;
        bool away;
        ir_expr part = two(x, IR_FMAX, added(u, s, &away), ir_const_f32(u, 0.0f));
        put(x, &out, most, two(x, away ? IR_SUB : IR_ADD, read_of(x, most), part));
    }
    return out;
}

// The loop in which lanes sum the next `count` passes from `at` on.
static ir_stmt make_sums(struct until *x, ir_var at, ir_var count, ir_var sum, ir_var most) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    uint32_t vars = u->var_count;
    ir_var *map = base_alloc_array(u->cx, vars, sizeof *map), pass = local(x, "pass", IR_I32),
           i = local(x, "i", IR_I32);
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(x->others.vars_written, v))
            map[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    map[n.counted.var] = i;
    map[x->c] = sum;
    for (uint32_t k = 0; k < x->note_count; k++)
        x->latest[k] = map[x->notes[k]];
    ir_stmt body = 0;
    put(x, &body, i, two(x, IR_ADD, read_of(x, at), read_of(x, pass)));
    ir_stmt passes = without_test(x, ir_clone_block(u, n.counted.body, map, NULL), sum, most);
    x->fits &= pass_put_within(x->sc, passes);
    ir_append(u, &body, passes);
    ir_stmt loop = ir_for(u, pass, ir_const_i32(u, 0), read_of(x, count), 1, body, n.loc);
    u->stmts[loop].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    return loop;
}

bool pass_sums_until(struct pass_scope *sc, ir_stmt s, const uint32_t *reads, uint64_t most, uint32_t lanes) {
    struct ir_unit *u = sc->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct until x = {.u = u, .sc = sc, .loop = s, .fits = true};
    if (n.counted.step != 1 || u->vars[n.counted.var].type != IR_I32 || most > INT32_MAX / 2) return false;
    find(&x, n.counted.body);
    if (!x.update || !x.fits || u->vars[x.c].klass != IR_VAR_LOCAL) return false;
    ir_walk_stmts(u, n.counted.body, on_other, &x);
    if (!x.fits || !leaves_the_sum(&x, reads)) return false;
    int32_t at_once = (int32_t)pass_leap_passes(u, n.counted.body, most, lanes);
    ir_var at = local(&x, "at", IR_I32), end = local(&x, "end", IR_I32), to = local(&x, "to", IR_I32),
           count = local(&x, "n", IR_I32), sum = local(&x, "sum", IR_F32), above = local(&x, "most", IR_F32);
    ir_stmt body = 0, go_on = 0, out = 0;
    put(&x, &body, count, two(&x, IR_MIN, two(&x, IR_SUB, read_of(&x, to), read_of(&x, at)), ir_const_i32(u, at_once)));
    put(&x, &body, sum, ir_const_f32(u, 0.0f));
    put(&x, &body, above, ir_const_f32(u, 0.0f));
    ir_stmt sums = make_sums(&x, at, count, sum, above);
    if (!x.fits) return false;
    for (uint32_t k = 0; k < x.note_count; k++) {
        put(&x, &body, x.latest[k], two(&x, IR_SUB, read_of(&x, at), ir_const_i32(u, 1))); // of none of them
        ir_expr any = two(&x, IR_GE, read_of(&x, x.latest[k]), read_of(&x, at));
        put(&x, &go_on, x.notes[k],
            ir_op3(u, IR_SELECT, any, read_of(&x, x.latest[k]), read_of(&x, x.notes[k]), n.loc));
    }
    ir_append(u, &body, sums);
    ir_expr cond = u->stmts[x.test].branch.cond, bound = bound_of(&x, cond),
            reached = two(&x, IR_ADD, read_of(&x, x.c), read_of(&x, above));
    bool left = pass_is_var(u, u->nodes[cond].a, x.c);
    ir_expr enough = two(&x, (enum ir_op)u->nodes[cond].op, left ? reached : bound, left ? bound : reached);
    put(&x, &go_on, x.c, two(&x, IR_ADD, read_of(&x, x.c), read_of(&x, sum)));
    put(&x, &go_on, at, two(&x, IR_ADD, read_of(&x, at), read_of(&x, count)));
    ir_stmt stop = ir_assign(u, to, read_of(&x, at), n.loc);
    ir_stmt ends = ir_if(u, enough, stop, go_on, n.loc);
    if (!pass_put_within(sc, ends)) return false; // C may never have come to the test
    ir_append(u, &body, ends);
    ir_stmt loop = ir_loop(u, two(&x, IR_LT, read_of(&x, at), read_of(&x, to)), body, 0, n.loc);
    u->stmts[loop].flags |= IR_FLAG_LONGEST;
    u->stmts[loop].loop.tick_passes = (uint32_t)most;
    u->stmts[loop].loop.taken = (uint32_t)(most / (uint32_t)at_once + 1);
    put(&x, &out, end, n.counted.hi);
    put(&x, &out, to, read_of(&x, end));
    ir_append(u, &out, loop);
    ir_stmt rest = ir_for(u, n.counted.var, read_of(&x, at), read_of(&x, end), 1, n.counted.body, n.loc);
    ir_append(u, &out, rest);
    u->stmts[rest].next = n.next;
    ir_make_assign(&u->stmts[s], at, n.counted.lo); // it begins in the loop's place
    u->stmts[s].next = out;
    return true;
}
