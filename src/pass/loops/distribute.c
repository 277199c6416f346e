// A parallel loop with products of matrices among what it does becomes several parallel loops, a product each:
//
//   parallel for (i) { for (j) { h[j] = 0; for (k) h[j] += x[i][k] * v[k][j]; }
//                      for (j) { y = 0; for (k) y += h[k] * w[k][j]; z[i][j] = y; } }            becomes
//   parallel for (i, j) { s = 0; for (k) s += x[i][k] * v[k][j]; g[i][j] = s; }
//   parallel for (i, j) { s = 0; for (k) s += g[i][k] * w[k][j]; z[i][j] = s; }
//
// By itself each may be made in tiles, of which the operands are loaded once (jam.c, panel.c); that is worth more than
// what a barrier costs. This is loop distribution (R. Allen, K. Kennedy, "Optimizing Compilers for Modern
// Architectures", 2001, chapter 5).
//
// What a parallel loop with reductions does behind its product becomes one with them:
//
//   parallel for (i, j) reduction(e) { s = 0; for (k) s += x[i][k] * w[k][j]; y[i][j] = s; e += (s - t[i][j]) * s; }
//
// The law: iterations need nothing of each other, so that one part may be made for all before the next one is. What an
// iteration hands on from part to part, variables and local arrays, gets a place in memory for each iteration; what is
// made of its number alone is made again.
#include "pass/loops/distribute.h"
#include "pass/expansion.h"

struct parts {
    struct distributor *x;
    ir_stmt block[PASS_DISTRIBUTE_PARTS];   // copies of what each does
    bool is_product[PASS_DISTRIBUTE_PARTS]; // alone in its part
    struct ir_effects fx[PASS_DISTRIBUTE_PARTS];
    uint32_t *exposed[PASS_DISTRIBUTE_PARTS]; // variables that the part may read before it assigns them
    uint32_t count;
    uint32_t sums; // the part that updates the variables of reductions, if there are any
    ir_stmt front; // copies of what each part makes itself
    uint32_t *own; // by variable, bits: assigned there
    struct pass_expansion memory;
};

static struct ir_stmt_node *node_of(const struct distributor *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- what may be parted ---------------------------------------------------------------------------------------------

static bool on_kind(void *user, ir_stmt s) {
    struct {
        const struct ir_unit *u;
        bool plain;
    } *q = user;
    const struct ir_stmt_node *n = &q->u->stmts[s];
    q->plain &= n->kind == IR_ASSIGN || n->kind == IR_STORE || n->kind == IR_FOR || n->kind == IR_IF ||
                n->kind == IR_LOOP || n->kind == IR_BREAK || n->kind == IR_CONTINUE;
    q->plain &= !(n->flags & IR_FLAG_ATOMIC) && !(n->kind == IR_STORE && n->store.array == q->u->log);
    return true;
}
static bool is_plain(const struct distributor *x, ir_stmt body) {
    struct {
        const struct ir_unit *u;
        bool plain;
    } q = {x->u, true};
    ir_walk_stmts(x->u, body, on_kind, &q);
    return q.plain;
}

static bool is_nest(const struct distributor *x, ir_stmt s) {
    return node_of(x, s)->kind == IR_FOR && pass_has_loop(x->u, node_of(x, s)->counted.body);
}

// Each part may make it for itself: a variable that is assigned once, of what no part changes.
static bool is_again(const struct parts *w, ir_stmt s, const struct ir_effects *body) {
    const struct distributor *x = w->x;
    const struct ir_stmt_node *n = node_of(x, s);
    if (n->kind != IR_ASSIGN || n->flags || x->u->vars[n->assign.var].klass != IR_VAR_LOCAL ||
        n->assign.var >= x->sc->var_cap || x->sc->assign_count[n->assign.var] != 1)
        return false;
    struct ir_effects value = ir_effects_empty(x->u);
    ir_expr_effects(x->u, n->assign.value, &value);
    for (uint32_t i = 0; i < value.array_words; i++)
        if (value.arrays_read[i] & body->arrays_written[i]) return false;
    for (uint32_t i = 0; i < value.var_words; i++)
        if (value.vars_read[i] & body->vars_written[i] & ~w->own[i]) return false;
    return true;
}

// ---- what is handed on ----------------------------------------------------------------------------------------------

static bool spread_arrays(struct parts *w) {
    struct ir_unit *u = w->x->u;
    for (ir_array a = 1; a < w->memory.array_cap; a++) {
        uint32_t users = 0;
        for (uint32_t g = 0; g < w->count; g++)
            users += ir_bit(w->fx[g].arrays_read, a) || ir_bit(w->fx[g].arrays_written, a);
        if (u->arrays[a].klass == IR_ARRAY_LOCAL && users > 1 && !pass_expand_array(&w->memory, a)) return false;
    }
    return true;
}

// ---- products -------------------------------------------------------------------------------------------------------

// In the copy, what the parallel loop does is the loop and the assignments in front of it.
static void leave_alone(struct ir_unit *u, ir_stmt parfor, ir_stmt loop) {
    ir_stmt out = 0;
    for (ir_stmt s = u->stmts[parfor].parfor.body, next; s != loop; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (u->stmts[s].kind == IR_ASSIGN) ir_append(u, &out, s);
    }
    u->stmts[loop].next = 0;
    ir_append(u, &out, loop);
    u->stmts[parfor].parfor.body = out;
}

bool distribute_is_product(struct distributor *x, ir_stmt loop) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct pass_cx copy = pass_copy(x->p);
    struct distributor y = {.p = &copy, .u = copy.u, .sc = x->sc, .parfor = x->parfor};
    struct pass_expansion memory;
    struct ir_effects fx = ir_effects_of_one(copy.u, loop);
    bool fits = x->looks != 0;
    x->looks -= fits;
    pass_expansion_begin(&memory, copy.u, copy.target, x->sc, y.parfor);
    leave_alone(copy.u, y.parfor, loop);
    copy.u->stmts[y.parfor].parfor.reduction_count = 0; // they are another part's
    for (ir_array a = 1; a < memory.array_cap && fits; a++) {
        bool used = ir_bit(fx.arrays_read, a) || ir_bit(fx.arrays_written, a);
        fits = !used || copy.u->arrays[a].klass != IR_ARRAY_LOCAL || pass_expand_array(&memory, a);
        if (memory.to[a])
            copy.u->arrays[memory.to[a]].klass = IR_ARRAY_INOUT; // what nobody reads is wanted nonetheless
    }
    pass_expand_accesses(&memory, loop);
    fits = fits && pass_makes_product(&copy, y.parfor);
    base_scratch_end(x->u->cx, &scratch);
    return fits;
}

static bool add_part(struct parts *w, bool is_product) {
    if (w->count == PASS_DISTRIBUTE_PARTS) return false;
    w->is_product[w->count++] = is_product;
    return true;
}

static bool is_apart(const struct distributor *x, ir_stmt block, ir_stmt s) {
    struct ir_effects one = ir_effects_of(x->u, block), other = ir_effects_of_one(x->u, s);
    return pass_effects_apart(&one, &other);
}

// Fills in the parts. What stands in front of a product, and has nothing to do with it, waits for what follows. False:
// there is nothing to part.
static bool find_parts(struct parts *w) {
    struct distributor *x = w->x;
    ir_stmt body = node_of(x, x->parfor)->parfor.body;
    struct ir_effects fx = ir_effects_of(x->u, body);
    bool products = false, is_open = false;
    w->own = base_alloc_array(x->u->cx, fx.var_words, sizeof *w->own);
    for (ir_stmt s = body, next; s; s = next) {
        next = node_of(x, s)->next;
        if (is_again(w, s, &fx)) {
            ir_var v = node_of(x, s)->assign.var;
            w->own[v / 32] |= 1u << v % 32;
            ir_append(x->u, &w->front, pass_clone_one(x->u, s));
            continue;
        }
        bool product = is_nest(x, s) && distribute_is_product(x, s);
        ir_stmt waiting = 0;
        if (product && is_open && is_apart(x, w->block[w->count - 1], s)) {
            waiting = w->block[--w->count];
            w->block[w->count] = 0;
        }
        if ((product || !is_open) && !add_part(w, product)) return false;
        ir_append(x->u, &w->block[w->count - 1], pass_clone_one(x->u, s));
        if (waiting && !add_part(w, false)) return false;
        if (waiting) w->block[w->count - 1] = waiting;
        is_open = !product || waiting;
        products |= product;
    }
    return products && w->count > 1;
}

// ---- sums behind a product ------------------------------------------------------------------------------------------

static bool is_reduced(const struct distributor *x, const struct ir_effects *fx) {
    const struct ir_stmt_node *n = node_of(x, x->parfor);
    bool any = false;
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++) {
        ir_var v = x->u->reductions[n->parfor.reductions + k].var;
        any |= ir_bit(fx->vars_read, v) || ir_bit(fx->vars_written, v);
    }
    return any;
}

// One part alone has to do with the variables of reductions, and it is no product.
static bool find_sums(struct parts *w) {
    uint32_t parts = 0;
    for (uint32_t g = 0; g < w->count; g++) {
        struct ir_effects fx = ir_effects_of(w->x->u, w->block[g]);
        if (!is_reduced(w->x, &fx)) continue;
        w->sums = g;
        parts += w->is_product[g] ? 2 : 1;
    }
    return parts == 1 || (!parts && !node_of(w->x, w->x->parfor)->parfor.reduction_count);
}

// Two parts: what stands up to the last loop and behind it, but for what begins with an update of such a variable.
static bool find_product_and_sums(struct parts *w) {
    struct distributor *x = w->x;
    ir_stmt body = node_of(x, x->parfor)->parfor.body, last = 0;
    struct ir_effects fx = ir_effects_of(x->u, body);
    w->own = base_alloc_array(x->u->cx, fx.var_words, sizeof *w->own);
    for (ir_stmt s = body; s; s = node_of(x, s)->next)
        if (node_of(x, s)->kind == IR_FOR) last = s;
    w->is_product[0] = true;
    w->count = 1;
    for (ir_stmt s = body, behind = 0; s; s = node_of(x, s)->next) {
        struct ir_effects one = ir_effects_of_one(x->u, s);
        if (!behind && is_again(w, s, &fx)) {
            ir_var v = node_of(x, s)->assign.var;
            w->own[v / 32] |= 1u << v % 32;
            ir_append(x->u, &w->front, pass_clone_one(x->u, s));
            continue;
        }
        if (is_reduced(x, &one)) {
            if (!behind) return false;
            w->count = 2;
        }
        ir_append(x->u, &w->block[w->count - 1], pass_clone_one(x->u, s));
        if (s == last) behind = s;
    }
    return w->count == 2 && w->block[0];
}

// ---- variables ------------------------------------------------------------------------------------------------------

// Parts that a variable's value goes to, from an earlier one.
static bool is_wanted(const struct parts *w, ir_var v, uint32_t from) {
    for (uint32_t g = from; g < w->count; g++)
        if (ir_bit(w->exposed[g], v)) return true;
    return false;
}

// A variable that some part leaves for a later one is stored behind the one, and loaded in front of the other; in front
// of one that leaves it, too, if that need not assign it.
static bool hand_on(struct parts *w, ir_var v) {
    struct ir_unit *u = w->x->u;
    const struct ir_stmt_node n = *node_of(w->x, w->x->parfor);
    const struct ir_var_info info = u->vars[v];
    ir_array place = 0;
    for (uint32_t g = 0; g < w->count; g++) {
        ir_expr at[IR_MAX_DIMS];
        bool takes = ir_bit(w->exposed[g], v), is_first = !place,
             leaves = ir_bit(w->fx[g].vars_written, v) && is_wanted(w, v, g + 1);
        if (leaves && is_first) {
            if (info.type == IR_BOOL || info.klass != IR_VAR_LOCAL || !pass_expansion_has_room(&w->memory, 1))
                return false;
            place = pass_block_array(u, &n, info.name, (enum ir_type)info.type, NULL, 0);
        }
        if (!place) continue;
        uint32_t count = pass_block_index(u, &n, NULL, 0, at);
        if (leaves) {
            ir_append(u, &w->block[g], ir_store(u, place, at, count, ir_var_read(u, v, n.loc), n.loc));
            takes = ir_bit(pass_exposed(u, w->block[g]), v);
        }
        if (takes) {
            ir_expr value = is_first ? ir_const(u, (enum ir_type)info.type, 0) : ir_load(u, place, at, count, n.loc);
            ir_stmt head = ir_assign(u, v, value, n.loc);
            ir_append(u, &head, w->block[g]);
            w->block[g] = head;
        }
    }
    return true;
}

static bool hand_on_all(struct parts *w) {
    struct ir_unit *u = w->x->u;
    uint32_t vars = u->var_count;
    for (uint32_t g = 0; g < w->count; g++) {
        w->fx[g] = ir_effects_of(u, w->block[g]);
        w->exposed[g] = pass_exposed(u, w->block[g]);
    }
    pass_expansion_begin(&w->memory, u, w->x->p->target, w->x->sc, w->x->parfor);
    if (!spread_arrays(w)) return false;
    for (ir_var v = 1; v < vars; v++)
        if (!ir_bit(w->own, v) && !hand_on(w, v)) return false;
    for (uint32_t g = 0; g < w->count; g++)
        pass_expand_accesses(&w->memory, w->block[g]);
    return true;
}

// ---- the parallel loops ---------------------------------------------------------------------------------------------

static void make_parts(struct parts *w) {
    struct distributor *x = w->x;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->parfor);
    ir_stmt last = x->parfor;
    uint32_t products = 0;
    for (uint32_t g = 0; g < w->count; g++) {
        ir_stmt body = w->front ? ir_clone_block(u, w->front, NULL, NULL) : 0, parfor = x->parfor;
        ir_append(u, &body, w->block[g]);
        products += w->is_product[g];
        if (g == 0) {
            node_of(x, parfor)->parfor.body = body;
        } else {
            parfor = pass_block_parfor(u, &n, 0, 0, body);
            node_of(x, last)->next = parfor;
            node_of(x, parfor)->flags = n.flags;
            last = parfor;
        }
        node_of(x, parfor)->parfor.reductions = n.parfor.reductions;
        node_of(x, parfor)->parfor.reduction_count = g == w->sums ? n.parfor.reduction_count : 0;
    }
    node_of(x, last)->next = n.next;
    base_text_format(x->p->explain, "distribute: the loop at line %u is %u parallel loops, of which %u %s\n",
                     u->cx->locs[n.loc].line, w->count, products, products == 1 ? "is a product" : "are products");
    x->changed = true;
}

// `nests`: its products are loops in it; else its dimensions are those of a product, behind which it sums up.
static bool part(struct distributor *x, bool nests) {
    struct parts w = {.x = x, .sums = 1};
    bool found = nests ? find_parts(&w) && find_sums(&w) : find_product_and_sums(&w);
    if (!found || !hand_on_all(&w)) return false;
    make_parts(&w);
    return true;
}

// With reductions, products are worth it that then are loops by themselves: a copy shows.
static bool part_reduced(struct distributor *x, bool nests) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct pass_cx copy = pass_copy(x->p);
    struct distributor y = *x;
    bool fits = x->looks != 0;
    y.p = &copy;
    y.u = copy.u;
    if (fits && nests) {
        (void)distribute_split(&y);
        fits = part(&y, nests);
    } else if (fits) {
        y.looks--;
        fits = part(&y, nests) && pass_makes_product(&copy, y.parfor);
    }
    x->looks = y.looks;
    base_scratch_end(x->u->cx, &scratch);
    if (fits && nests) (void)distribute_split(x);
    return fits && part(x, nests);
}

static void distribute_parfor(void *user, struct pass_scope *sc, ir_stmt s) {
    struct distributor *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    bool nests = false, sums = n.parfor.reduction_count != 0;
    if (s >= x->first_made) return; // a part
    for (ir_stmt t = n.parfor.body; t; t = u->stmts[t].next)
        nests |= is_nest(x, t);
    if (n.flags & IR_FLAG_LANES || !(nests || (sums && n.parfor.dim_count > 1)) || !pass_has_plain_dims(u, &n) ||
        !is_plain(x, n.parfor.body))
        return;
    x->sc = sc;
    x->parfor = s;
    x->reads = base_alloc_array(u->cx, u->var_count, sizeof *x->reads);
    pass_count_reads(u, u->root, x->reads);
    if (sums) {
        (void)part_reduced(x, nests);
        return;
    }
    if (distribute_reorder(x)) {
        pass_fuse_inside(x->p, sc, s);
        x->changed = true;
    }
    x->changed |= distribute_split(x);
    (void)part(x, true);
}

void pass_distribute(struct pass_cx *p) {
    struct pass_scope sc;
    struct distributor x = {.p = p, .u = p->u, .looks = PASS_DISTRIBUTE_LOOKS, .first_made = p->u->stmt_count};
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, distribute_parfor, &x);
    if (x.changed) pass_fold(p);
}
