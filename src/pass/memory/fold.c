// Constants and copies: propagates them through variables in program order, folds operations whose result is exact,
// drops branches and loops that are decided, and removes what nothing reads.
//
// The walk keeps, for every variable, the constant it holds at this point of the program if that is known, or the
// variable whose value it has (calls expanded in place leave many of these). Branches run on a trail that is undone;
// what a branch or loop body assigns is forgotten afterwards (and, for loops, before).
#include <math.h>

#include "ir/eval.h"
#include "pass/cost.h"
#include "pass/passes.h"

struct folder {
    struct ir_unit *u;
    uint32_t *bits;
    bool *known;
    ir_var *copy;     // by variable: the one whose value it has, 0: none
    uint32_t *copies; // by variable: how many have its value
    uint32_t *reads;  // by variable: of it in the program, as it came
    struct undo {
        ir_var var, copy;
        uint32_t bits;
        bool known;
    } * trail;
    uint32_t trail_count, trail_cap;
    struct ir_effects fx; // of the block that is being forgotten; one set for all of them
    bool changed;
};

static void put(struct folder *f, ir_var v, bool known, uint32_t bits, ir_var copy) {
    if (f->copy[v]) f->copies[f->copy[v]]--;
    if (copy) f->copies[copy]++;
    f->known[v] = known;
    f->bits[v] = bits;
    f->copy[v] = copy;
}

static void set(struct folder *f, ir_var v, bool known, uint32_t bits, ir_var copy) {
    BASE_RESERVE(f->u->cx, f->trail, f->trail_count, f->trail_cap);
    f->trail[f->trail_count++] = (struct undo){v, f->copy[v], f->bits[v], f->known[v]};
    put(f, v, known, bits, copy);
}

// Nothing is known of the variable any more, and those that had its value have one of their own.
static void forget(struct folder *f, ir_var v) {
    if (f->known[v] || f->copy[v]) set(f, v, false, 0, 0);
    for (ir_var w = 1; f->copies[v] && w < f->u->var_count; w++)
        if (f->copy[w] == v) set(f, w, false, 0, 0);
}

static void undo_to(struct folder *f, uint32_t mark) {
    while (f->trail_count > mark) {
        struct undo *x = &f->trail[--f->trail_count];
        put(f, x->var, x->known, x->bits, x->copy);
    }
}

static void forget_assigned(struct folder *f, ir_stmt block) {
    ir_clear_effects(&f->fx);
    ir_add_effects(f->u, block, &f->fx);
    for (uint32_t w = 0; w < f->fx.var_words; w++)
        for (uint32_t left = f->fx.vars_written[w]; left; left &= left - 1) {
            ir_var v = w * 32 + (uint32_t)__builtin_ctz(left);
            forget(f, v);
        }
}

// The variable whose value an assignment of this expression makes a copy of; 0: none. Only inside an iteration: what
// lives at entry level may have a word of the device's state.
static ir_var copied(const struct folder *f, ir_var to, ir_expr value) {
    const struct ir_node *n = &f->u->nodes[value];
    const struct ir_var_info *a = &f->u->vars[to], *b = n->op == IR_VAR ? &f->u->vars[n->a] : NULL;
    bool inside = b && a->klass == IR_VAR_LOCAL && (b->klass == IR_VAR_LOCAL || b->klass == IR_VAR_DIM);
    return inside && a->type == b->type ? n->a : 0;
}

// ---- exact evaluation -----------------------------------------------------------------------------------------------

static bool finite_bits(uint32_t bits) { return (bits & 0x7f800000u) != 0x7f800000u; }

// Float operations that every device rounds as C does, on operands and results that WGSL can write as literals.
static bool exact_float(enum ir_op op) {
    switch (op) {
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
    case IR_BITS_F2U:
    case IR_F2I:
    case IR_F2U:
    case IR_NEG:
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_FABS:
    case IR_FLOOR:
    case IR_CEIL:
    case IR_SQRT: return true;
    default: return false;
    }
}

// Functions that programs ask of constants: windows, transforms, angles of a loop that was unrolled. No device has them
// exactly. What every host makes is the same float: sines are rounded from double, and expf and logf are of one origin
// in glibc, musl and wasi-libc, which round them from double, too. (Their sinf and cosf differ now and then.)
static bool fold_function(enum ir_op op, uint32_t bits, uint32_t *out) {
    float x = base_bits_float(bits);
    switch (op) {
    case IR_SIN: x = (float)sin((double)x); break;
    case IR_COS: x = (float)cos((double)x); break;
    case IR_EXP: x = expf(x); break;
    case IR_LOG: x = logf(x); break;
    default: return false;
    }
    *out = base_float_bits(x);
    return finite_bits(*out);
}

static bool fold_op(const struct ir_node *n, enum ir_type operand, uint32_t a, uint32_t b, uint32_t *out) {
    if (operand == IR_F32) {
        bool two = ir_ops[n->op].arity > 1;
        if (finite_bits(a) && fold_function(n->op, a, out)) return true;
        if (!exact_float(n->op) || !finite_bits(a) || (two && !finite_bits(b)) ||
            (n->op == IR_DIV && base_bits_float(b) == 0.0f))
            return false;
    }
    if ((n->op == IR_SHL || n->op == IR_SHR) && b >= 32) return false;
    return ir_eval_op(n->op, operand, a, b, 0, out) && (n->type != IR_F32 || finite_bits(*out));
}

static ir_expr typed_const(struct folder *f, const struct ir_node *n, uint32_t bits) {
    return ir_const(f->u, n->type, bits);
}

// An element of a constant table at known indices.
static ir_expr fold_table(struct folder *f, ir_expr e) {
    const struct ir_node n = f->u->nodes[e];
    const struct ir_array_info *a = &f->u->arrays[n.a];
    uint64_t at = 0;
    if (a->klass != IR_ARRAY_TABLE) return e;
    for (uint32_t i = 0; i < n.n; i++) {
        uint32_t index, dim;
        if (!ir_is_const(f->u, f->u->args[n.b + i], &index) || !ir_is_const(f->u, a->dims[i], &dim) || index >= dim)
            return e;
        at = at * dim + index;
    }
    if (at >= a->data_count || (n.type == IR_F32 && !finite_bits(a->data[at]))) return e;
    return typed_const(f, &n, a->data[at]);
}

static ir_expr fold_node(void *user, ir_expr e) {
    struct folder *f = user;
    const struct ir_node n = f->u->nodes[e];
    uint32_t a = 0, b = 0, r = 0;
    if (n.op == IR_LOAD) return fold_table(f, e);
    if (n.op == IR_VAR && f->copy[n.a]) return ir_var_read(f->u, f->copy[n.a], n.loc);
    if (n.op == IR_VAR) return f->known[n.a] ? typed_const(f, &n, f->bits[n.a]) : e;
    uint32_t arity = ir_ops[n.op].arity;
    if (arity == 0) return e;
    bool ca = ir_is_const(f->u, n.a, &a), cb = arity > 1 && ir_is_const(f->u, n.b, &b);
    enum ir_type operand = f->u->nodes[n.a].type;
    switch (n.op) {
    case IR_SELECT: return ca ? (a ? n.b : n.c) : e;
    case IR_NOT: return ca ? typed_const(f, &n, !a) : e;
    case IR_LAND:
        if (ca) return a ? n.b : n.a;
        return cb && b ? n.a : e;
    case IR_LOR:
        if (ca) return a ? n.a : n.b;
        return cb && !b ? n.a : e;
    default: break;
    }
    if (ca && (arity == 1 || cb)) {
        return fold_op(&n, operand, a, b, &r) ? typed_const(f, &n, r) : e;
    }
    if (operand == IR_I32 || operand == IR_U32) {
        if (cb && b == 0 &&
            (n.op == IR_ADD || n.op == IR_SUB || n.op == IR_OR || n.op == IR_XOR || n.op == IR_SHL || n.op == IR_SHR))
            return n.a;
        if (ca && a == 0 && (n.op == IR_ADD || n.op == IR_OR || n.op == IR_XOR)) return n.b;
        if (cb && b == 1 && (n.op == IR_MUL || n.op == IR_DIV)) return n.a;
        if (ca && a == 1 && n.op == IR_MUL) return n.b;
        if (n.op == IR_MUL && ((ca && a == 0) || (cb && b == 0))) return typed_const(f, &n, 0);
    } else if (operand == IR_F32) { // only what is exact for every operand, NaN and -0 included
        uint32_t one = base_float_bits(1.0f);
        if (cb && b == one && (n.op == IR_MUL || n.op == IR_DIV)) return n.a;
        if (ca && a == one && n.op == IR_MUL) return n.b;
    }
    return e;
}

static ir_expr fold_expr(struct folder *f, ir_expr e) { return e ? ir_map_expr(f->u, e, fold_node, f) : 0; }

struct mention {
    const struct ir_unit *u;
    ir_var var;
    uint32_t count, size;
};
static bool count_mention(void *user, ir_expr e) {
    struct mention *x = user;
    x->size++;
    x->count += x->u->nodes[e].op == IR_VAR && x->u->nodes[e].a == x->var;
    return true;
}

// The next statement gives the variable another value: without this one, or one that this one's expression can stand in
// for, as in the unrolled sum s = a; s = s + b. What adds to an earlier value of the variable stays as it is, because
// that form is a reduction's.
static bool merged(struct folder *f, ir_stmt s) {
    struct ir_unit *u = f->u;
    ir_stmt next = u->stmts[s].next;
    ir_var v = u->stmts[s].assign.var;
    struct mention mine = {.u = u, .var = v}, theirs = mine;
    if (!next || u->stmts[next].kind != IR_ASSIGN || u->stmts[next].assign.var != v) return false;
    ir_expr value = fold_expr(f, u->stmts[next].assign.value);
    ir_walk_expr(u, u->stmts[s].assign.value, count_mention, &mine);
    ir_walk_expr(u, value, count_mention, &theirs);
    if (theirs.count == 1 && mine.count == 0 && mine.size + theirs.size <= PASS_MOST_JOINED_NODES) {
        value = pass_exchanged(u, value, ir_var_read(u, v, u->stmts[s].loc), u->stmts[s].assign.value);
        theirs.count = 0;
    }
    u->stmts[next].assign.value = value;
    return theirs.count == 0;
}

// The next statement is all that reads the variable, and takes its value as it is: it takes this one's expression, as
// where the result of a call is assigned. A reduction by a function, low = min(low, x), has that form.
static bool handed_on(const struct folder *f, ir_stmt s) {
    struct ir_unit *u = f->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    ir_var v = n->assign.var;
    ir_stmt next = n->next;
    if (!next || n->assign.run || n->flags || u->vars[v].klass != IR_VAR_LOCAL || f->reads[v] != 1) return false;
    struct ir_stmt_node *taker = &u->stmts[next];
    if (ir_run_of(taker) || (taker->kind != IR_ASSIGN && taker->kind != IR_STORE)) return false;
    ir_expr *value = taker->kind == IR_ASSIGN ? &taker->assign.value : &taker->store.value;
    if (!pass_is_var(u, *value, v)) return false;
    *value = n->assign.value;
    return true;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static void fold_block(struct folder *f, ir_stmt *head);

// Replaces the statement at *link by `block`, and returns where the walk goes on.
static void splice(struct ir_unit *u, ir_stmt *link, ir_stmt block) {
    ir_stmt after = u->stmts[*link].next;
    if (!block) {
        *link = after;
        return;
    }
    ir_stmt tail = block;
    while (u->stmts[tail].next)
        tail = u->stmts[tail].next;
    u->stmts[tail].next = after;
    *link = block;
}

static void fold_args(struct folder *f, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t folded = fold_expr(f, f->u->args[first + i]);
        f->u->args[first + i] = folded;
    }
}

// A CONTINUE that ends a pass of its loop anyway says nothing, and keeps other passes from the loop.
static void drop_last_continue(struct ir_unit *u, ir_stmt *link) {
    while (*link && u->stmts[*link].next)
        link = &u->stmts[*link].next;
    struct ir_stmt_node *last = *link ? &u->stmts[*link] : NULL;
    if (last && last->kind == IR_CONTINUE) {
        *link = 0;
    } else if (last && last->kind == IR_IF) {
        drop_last_continue(u, &last->branch.then_block);
        drop_last_continue(u, &last->branch.else_block);
    }
}

static void fold_loop_body(struct folder *f, ir_stmt s) {
    struct ir_unit *u = f->u;
    ir_stmt body = ir_body_of(&u->stmts[s]);
    uint32_t mark = f->trail_count;
    fold_block(f, &body);
    undo_to(f, mark);
    drop_last_continue(u, &body);
    ir_set_body(&u->stmts[s], body);
}

// ---- one statement: true if it was replaced and *link must be looked at again ---------------------------------------

static bool drop(struct ir_unit *u, ir_stmt *link) {
    splice(u, link, 0);
    return true;
}

static bool fold_assign(struct folder *f, ir_stmt *link, const struct ir_stmt_node *n) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    uint32_t bits;
    ir_expr value = fold_expr(f, n->assign.value);
    u->stmts[s].assign.value = value;
    if (handed_on(f, s)) return drop(u, link);
    ir_var source = copied(f, n->assign.var, value);
    if (source && source == n->assign.var) return drop(u, link);
    forget(f, n->assign.var);
    if (ir_is_const(u, value, &bits))
        set(f, n->assign.var, true, bits, 0);
    else if (source)
        set(f, n->assign.var, false, 0, source);
    return merged(f, s) && drop(u, link);
}

static bool fold_if(struct folder *f, ir_stmt *link, const struct ir_stmt_node *n) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    uint32_t bits;
    ir_expr cond = fold_expr(f, n->branch.cond);
    u->stmts[s].branch.cond = cond;
    if (ir_is_const(u, cond, &bits)) {
        splice(u, link, bits ? n->branch.then_block : n->branch.else_block);
        return true;
    }
    uint32_t mark = f->trail_count;
    ir_stmt branch = n->branch.then_block;
    fold_block(f, &branch);
    u->stmts[s].branch.then_block = branch;
    undo_to(f, mark);
    branch = n->branch.else_block;
    fold_block(f, &branch);
    u->stmts[s].branch.else_block = branch;
    undo_to(f, mark);
    forget_assigned(f, u->stmts[s].branch.then_block);
    forget_assigned(f, u->stmts[s].branch.else_block);
    return !u->stmts[s].branch.then_block && !u->stmts[s].branch.else_block && drop(u, link);
}

static bool fold_for(struct folder *f, ir_stmt *link, const struct ir_stmt_node *n) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    ir_expr lo = fold_expr(f, n->counted.lo), hi = fold_expr(f, n->counted.hi);
    u->stmts[s].counted.lo = lo;
    u->stmts[s].counted.hi = hi;
    uint64_t trips;
    uint32_t first = 0;
    bool counted = ir_const_trips(u, s, &trips);
    if (counted && (trips == 0 || !n->counted.body)) return drop(u, link);
    bool alone = n->flags & IR_FLAG_FREE; // what one lane makes (pass_leap)
    if (counted && trips == 1 && !alone && !pass_leaves_loop(u, n->counted.body) && ir_is_const(u, lo, &first)) {
        ir_stmt only = ir_assign(u, n->counted.var, lo, n->loc);
        u->stmts[only].next = n->counted.body;
        if (u->vars[n->counted.var].klass == IR_VAR_ENTRY || u->vars[n->counted.var].klass == IR_VAR_LOCAL) {
            splice(u, link, only);
            return true;
        }
    }
    forget_assigned(f, n->counted.body);
    forget(f, n->counted.var);
    fold_loop_body(f, s);
    return false;
}

static bool fold_while(struct folder *f, ir_stmt *link, const struct ir_stmt_node *n) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    uint32_t bits;
    forget_assigned(f, n->loop.body);
    forget_assigned(f, n->loop.continuing);
    ir_expr cond = fold_expr(f, n->loop.cond);
    u->stmts[s].loop.cond = cond;
    if (cond && ir_is_const(u, cond, &bits)) {
        if (!bits) return drop(u, link);
        u->stmts[s].loop.cond = 0;
    }
    fold_loop_body(f, s);
    uint32_t mark = f->trail_count;
    ir_stmt cont = u->stmts[s].loop.continuing;
    fold_block(f, &cont);
    undo_to(f, mark);
    u->stmts[s].loop.continuing = cont;
    return false;
}

static bool fold_parfor(struct folder *f, ir_stmt *link, const struct ir_stmt_node *n) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    uint64_t iterations;
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        ir_expr lo = fold_expr(f, u->dims[n->parfor.dims + k].lo), hi = fold_expr(f, u->dims[n->parfor.dims + k].hi);
        u->dims[n->parfor.dims + k].lo = lo;
        u->dims[n->parfor.dims + k].hi = hi;
    }
    if (ir_const_iterations(u, s, &iterations) && iterations == 0) return drop(u, link);
    forget_assigned(f, n->parfor.body);
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++)
        forget(f, u->reductions[n->parfor.reductions + k].var);
    fold_loop_body(f, s);
    forget_assigned(f, u->stmts[s].parfor.body);
    return false;
}

static bool fold_stmt(struct folder *f, ir_stmt *link) {
    struct ir_unit *u = f->u;
    ir_stmt s = *link;
    const struct ir_stmt_node n = u->stmts[s];
    switch (n.kind) {
    case IR_ASSIGN: return fold_assign(f, link, &n);
    case IR_STORE:
    case IR_ATOMIC: {
        struct ir_write w = ir_write_of(&n);
        fold_args(f, w.indices, w.index_count);
        ir_expr expected = w.expected ? fold_expr(f, w.expected) : 0, value = fold_expr(f, w.value);
        if (expected) u->stmts[s].atomic.expected = expected;
        *(n.kind == IR_STORE ? &u->stmts[s].store.value : &u->stmts[s].atomic.value) = value;
        if (n.kind == IR_ATOMIC && n.atomic.old) forget(f, n.atomic.old);
        return false;
    }
    case IR_NEIGHBOUR: {
        ir_expr value = fold_expr(f, n.neighbour.value);
        u->stmts[s].neighbour.value = value;
        forget(f, n.neighbour.var);
        return false;
    }
    case IR_TURN: {
        fold_args(f, n.turn.indices, n.turn.index_count);
        ir_expr there = n.turn.there ? fold_expr(f, n.turn.there) : 0;
        u->stmts[s].turn.there = there;
        return false;
    }
    case IR_AGREE:
    case IR_COMBINE: forget(f, ir_written_var(&n)); return false;
    case IR_IF: return fold_if(f, link, &n);
    case IR_FOR: return fold_for(f, link, &n);
    case IR_LOOP: return fold_while(f, link, &n);
    case IR_PARFOR: return fold_parfor(f, link, &n);
    default: return false;
    }
}

static void fold_block(struct folder *f, ir_stmt *head) {
    ir_stmt *link = head;
    // `link` may point into u->stmts, which moves when statements are added: it is found again by its predecessor.
    ir_stmt before = 0;
    while (*link) {
        ir_stmt current = *link;
        bool again = fold_stmt(f, &current);
        link = before ? &f->u->stmts[before].next : head;
        if (again) {
            *link = current;
            continue;
        }
        before = current;
        link = &f->u->stmts[before].next;
    }
}

static struct folder folder_of(struct ir_unit *u) {
    struct folder f = {.u = u, .fx = ir_effects_empty(u)};
    f.bits = base_alloc_array(u->cx, u->var_count, sizeof *f.bits);
    f.known = base_alloc_array(u->cx, u->var_count, sizeof *f.known);
    f.copy = base_alloc_array(u->cx, u->var_count, sizeof *f.copy);
    f.copies = base_alloc_array(u->cx, u->var_count, sizeof *f.copies);
    f.reads = base_alloc_array(u->cx, u->var_count, sizeof *f.reads);
    pass_count_reads(u, u->root, f.reads);
    return f;
}

ir_stmt pass_fold_block(struct ir_unit *u, ir_stmt block) {
    struct folder f = folder_of(u);
    fold_block(&f, &block);
    return block;
}

void pass_fold(struct pass_cx *p) {
    struct folder f = folder_of(p->u);
    fold_block(&f, &p->u->root);
    pass_remove_dead(p->u);
}
