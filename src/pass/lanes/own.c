// What each lane of an iteration has for itself: elements that no other lane touches.
//
// Where all accesses to an array stand in shared loops that begin alike, at the loop's own counter along one dimension,
// each element is touched by one lane alone, whichever of the loops it is in: a row may be written by one loop and read
// by the next.
//
// Nothing else orders what lanes do to memory: of two stores of two lanes to one element the later one in C may be the
// earlier one here.
#include "pass/lanes/own.h"

struct writer {
    ir_stmt stmt, loop; // loop: the shared one around; what stands in none is written by one lane
};
struct owner {
    struct ir_unit *u;
    const struct pass_scope *sc;
    const struct ir_effects *body; // of the iteration
    ir_array array;
    ir_stmt loop;       // the shared one around, 0: none
    ir_stmt like;       // the first one with an access
    uint32_t dimension; // 1 + that with the counter, 0: no access yet
    struct writer *writers;
    uint32_t writer_count, writer_cap;
    bool fits;
};

static void own_access(struct owner *x, ir_array a, uint32_t first, uint32_t n) {
    const struct ir_unit *u = x->u;
    bool moves;
    if (a != x->array || !x->fits) return;
    x->fits = false;
    if (!x->loop) return;
    const struct ir_stmt_node *loop = &u->stmts[x->loop], *like;
    for (uint32_t d = 0; d < n && !x->dimension; d++) {
        const struct ir_node *index = &u->nodes[u->args[first + d]];
        if (index->op == IR_VAR && index->a == loop->counted.var) x->dimension = d + 1, x->like = x->loop;
    }
    if (!x->dimension) return;
    like = &u->stmts[x->like];
    const struct ir_node *index = &u->nodes[u->args[first + x->dimension - 1]];
    x->fits = index->op == IR_VAR && index->a == loop->counted.var && loop->counted.step == like->counted.step &&
              ir_same_expr(u, loop->counted.lo, like->counted.lo) &&
              pass_place_is_known(u, 0, x->body, &loop->counted.lo, 1, &moves);
}
static bool own_node(void *user, ir_expr e) {
    struct owner *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) own_access(x, n->a, n->b, n->n);
    return true;
}
static bool own_stmt(void *user, ir_stmt s) {
    struct owner *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) own_access(x, n->store.array, n->store.indices, n->store.index_count);
    if (n->kind == IR_ATOMIC && n->atomic.array == x->array) x->fits = false;
    if ((n->kind == IR_STORE || n->kind == IR_ATOMIC) && ir_write_of(n).array == x->array) {
        BASE_RESERVE(x->u->cx, x->writers, x->writer_count, x->writer_cap);
        x->writers[x->writer_count++] = (struct writer){s, x->loop};
    }
    return true;
}

static void own_block(struct owner *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    struct ir_visitor visitor = {.on_stmt = own_stmt, .on_node = own_node, .user = x};
    for (ir_stmt s = block, next; s; s = next) {
        struct ir_stmt_node *n = &u->stmts[s];
        next = n->next;
        if (n->kind != IR_FOR) { // all of it, but not what follows it
            n->next = 0;
            ir_walk_block(u, s, &visitor);
            u->stmts[s].next = next;
            continue;
        }
        ir_walk_expr(u, n->counted.lo, own_node, x);
        ir_walk_expr(u, n->counted.hi, own_node, x);
        if (n->flags & IR_FLAG_SIMD) {
            x->loop = s;
            ir_walk_block(u, n->counted.body, &visitor);
            x->loop = 0;
        } else {
            own_block(x, n->counted.body);
        }
    }
}

// Never the same element, whichever passes of loops in the iteration they are of.
static bool never_meet(const struct owner *x, const struct pass_access *a, const struct pass_access *b) {
    for (uint32_t d = 0; d < a->n; d++) {
        const struct pass_affine *f = &a->sub[d], *g = &b->sub[d];
        int64_t lo = f->constant - g->constant, hi = lo;
        bool known = f->ok && g->ok;
        for (uint32_t i = 0; i < f->n + g->n && known; i++) {
            bool of_f = i < f->n;
            ir_var v = of_f ? f->vars[i] : g->vars[i - f->n];
            bool steady = !ir_bit(x->body->vars_written, v);
            if (steady && !of_f && pass_affine_coef(f, v)) continue; // both have it: once
            int64_t c = of_f ? f->coefs[i] - (steady ? pass_affine_coef(g, v) : 0) : -g->coefs[i - f->n];
            struct pass_range r = v < x->sc->var_cap ? x->sc->ever[v] : (struct pass_range){0, 0, false};
            known = c == 0 || r.known;
            lo += known && c ? c * (c > 0 ? r.lo : r.hi) : 0;
            hi += known && c ? c * (c > 0 ? r.hi : r.lo) : 0;
        }
        if (known && (lo > 0 || hi < 0)) return true;
    }
    return false;
}

static const struct pass_access *store_of(const struct pass_accesses *list, ir_stmt s) {
    for (uint32_t k = 0; k < list->count; k++)
        if (list->items[k].store && list->items[k].stmt == s) return &list->items[k];
    return NULL;
}

// Some element may be written by several of the writers.
static bool take_turns(const struct owner *owner, const struct pass_accesses *list) {
    for (uint32_t i = 0; i < owner->writer_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct writer *one = &owner->writers[i], *two = &owner->writers[k];
            if (one->loop == two->loop) continue;
            const struct pass_access *a = store_of(list, one->stmt), *b = store_of(list, two->stmt);
            if (owner->writer_count > PASS_LANES_WRITERS || !a || !b || !never_meet(owner, a, b)) return true;
        }
    return false;
}

void pass_find_own(struct pass_scope *sc, ir_stmt body, const struct ir_effects *effects,
                   struct pass_lane_elements *out) {
    struct ir_unit *u = sc->u;
    struct pass_accesses list = {0};
    pass_collect(sc, body, &list);
    out->own = base_alloc_array(u->cx, u->array_count, sizeof *out->own);
    out->again = base_alloc_array(u->cx, u->array_count, sizeof *out->again);
    out->alone = base_alloc_array(u->cx, u->array_count, sizeof *out->alone);
    for (ir_array a = 1; a < u->array_count; a++) {
        if (!ir_bit(effects->arrays_written, a) || u->arrays[a].klass == IR_ARRAY_LOCAL) continue;
        struct owner owner = {.u = u, .sc = sc, .body = effects, .array = a, .fits = true};
        own_block(&owner, body);
        out->again[a] = ir_bit(effects->arrays_read, a) || take_turns(&owner, &list);
        out->alone[a] = owner.fits;
        out->own[a] = out->again[a] && owner.fits;
    }
}

static bool touches_own(struct ir_unit *u, const bool *own, ir_stmt s) {
    struct ir_effects fx = ir_effects_of_one(u, s);
    for (ir_array a = 1; a < u->array_count; a++)
        if (own[a] && (ir_bit(fx.arrays_written, a) || ir_bit(fx.arrays_read, a))) return true;
    return false;
}

bool pass_own_is_shared(struct ir_unit *u, const bool *own, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        if (!touches_own(u, own, s)) continue;
        if (n->kind == IR_FOR && n->flags & IR_FLAG_LANES) {
            n->flags |= IR_FLAG_OWN;
            continue;
        }
        uint32_t blocks = ir_blocks_of(n, inner);
        if (!blocks) return false;
        for (uint32_t i = 0; i < blocks; i++)
            if (!pass_own_is_shared(u, own, inner[i])) return false;
    }
    return true;
}
