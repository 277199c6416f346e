// Sequential loops whose passes take places by a key, as counting sorts, cell lists and sparse rows do:
//
//   for (i < n) order[place[key[i]]++] = i;
//
// becomes, in blocks of passes (count, scan and scatter of a radix sort: G. E. Blelloch, "Prefix sums and their
// applications", 1990, section 1.3.1):
//
//   parallel for (b) for (i in block b) taken[b][key[i]]++;
//   parallel for (k) taken[b][k] = how many the blocks before b take of k, for each b;  total[k] = all of them
//   apart = place[k] + total[k] <= place[k + 1] for all k
//   if (apart) {
//       parallel for (b) for (i in block b) order[place[key[i]] + taken[b][key[i]]++] = i;
//       parallel for (k) place[k] += total[k];
//   } else the loop as it was
//
// The law: nothing goes from pass to pass but the places, each of which a pass reads and moves on by the same constant.
// So what a pass is given for its key is what passes before it with that key have left, and these are counted. Passes
// store by what they took, each into places of its own if no key's places reach into the next one's, which is tested
// when the program runs; what else they touch nobody else writes. Keys do not depend on places.
#include "pass/cost.h"
#include "pass/passes.h"

enum { SITES = 4 }; // guess: places that a pass takes

// Places that a pass takes of one key.
struct site {
    ir_stmt block; // in whose list it stands
    ir_expr key;
    bool moved; // a variable of it has changed since then
};

// What is known of a value: with `known`, the places' element at the site's key before it moved on, plus `by`, plus the
// element of `base` at the key (0: none).
struct value {
    bool known;
    uint32_t site;
    int64_t by;
    ir_array base;
};

struct ranker {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    uint32_t *reads, vars; // of the whole unit, by variable
    // of the loop under way
    ir_stmt loop;
    struct ir_effects fx;
    ir_array places, base; // base: 0: none
    struct site sites[SITES];
    uint32_t site_count;
    int64_t step;          // by which each place moves on
    bool *listed, *direct; // by array: stored by places; stored otherwise
    struct value *values;  // by variable
    struct value *stored;  // by what is stored by places, what it is stored at
    uint32_t stored_count, stored_cap;
    bool fits;
};

// ---- what a pass takes ----------------------------------------------------------------------------------------------

static bool is_load_of(const struct ir_unit *u, ir_expr e, ir_array a) {
    const struct ir_node *n = &u->nodes[e];
    return n->op == IR_LOAD && n->a == a && n->n == 1;
}

struct finds {
    const struct ir_unit *u;
    ir_array array;
    uint32_t count;
};
static bool on_load(void *user, ir_expr e) {
    struct finds *f = user;
    f->count += f->u->nodes[e].op == IR_LOAD && f->u->nodes[e].a == f->array;
    return true;
}
static uint32_t loads_in(const struct ir_unit *u, ir_expr e, ir_array a) {
    struct finds f = {u, a, 0};
    ir_walk_expr(u, e, on_load, &f);
    return f.count;
}

// open: the site whose place is under way, between its first load and its update; SITES: none.
static struct value value_of(struct ranker *x, ir_expr e, uint32_t open) {
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    struct value none = {0}, a, b;
    uint32_t by;
    if (n->op == IR_VAR && n->a < x->vars) return x->values[n->a];
    if (is_load_of(u, e, x->places))
        return open < SITES && ir_same_expr(u, u->args[n->b], x->sites[open].key) ? (struct value){true, open, 0, 0}
                                                                                  : none;
    if (n->op != IR_ADD && n->op != IR_SUB) return none;
    a = value_of(x, n->a, open);
    if (a.known && ir_is_const(u, n->b, &by)) {
        a.by += n->op == IR_ADD ? (int32_t)by : -(int64_t)(int32_t)by;
        return a;
    }
    for (int swapped = 0; swapped < 2 && n->op == IR_ADD; swapped++) {
        ir_expr other = swapped ? n->a : n->b;
        b = value_of(x, swapped ? n->b : n->a, open);
        const struct ir_node *load = &u->nodes[other];
        if (!b.known || b.base || x->sites[b.site].moved || load->op != IR_LOAD || load->n != 1 ||
            ir_bit(x->fx.arrays_written, load->a) || !ir_same_expr(u, u->args[load->b], x->sites[b.site].key))
            continue;
        b.base = load->a;
        return b;
    }
    return none;
}

// The key of a load of the places in the expression becomes that of the site under way.
struct opening {
    struct ranker *x;
    uint32_t *open;
    ir_stmt block;
};
static bool on_place(void *user, ir_expr e) {
    struct opening *o = user;
    struct ranker *x = o->x;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || n->a != x->places) return true;
    ir_expr key = x->u->args[n->b];
    if (*o->open == SITES && x->site_count < SITES && n->n == 1) {
        *o->open = x->site_count++;
        x->sites[*o->open] = (struct site){.block = o->block, .key = key};
    }
    x->fits &= *o->open < SITES && x->sites[*o->open].block == o->block &&
               ir_same_expr(x->u, key, x->sites[*o->open].key) && !loads_in(x->u, key, x->places);
    return x->fits;
}

static void look_at_block(struct ranker *x, ir_stmt block);

static void look_at_store(struct ranker *x, ir_stmt s, uint32_t *open) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    ir_expr at = u->args[n->store.indices];
    struct value v = value_of(x, n->store.array == x->places ? n->store.value : at, *open);
    if (n->store.array == x->places) { // it moves on
        x->fits &= v.known && !v.base && v.site == *open && v.by && n->store.index_count == 1 && *open < SITES &&
                   ir_same_expr(u, at, x->sites[*open].key) && (!x->step || x->step == v.by);
        x->step = v.by;
        *open = SITES;
        return;
    }
    if (!v.known || n->store.index_count != 1) { // at what a pass has to itself
        x->direct[n->store.array] = true;
        return;
    }
    bool first = true;
    for (ir_array a = 1; a < u->array_count; a++)
        first &= !x->listed[a];
    x->fits &= first || x->base == v.base;
    x->base = v.base;
    x->listed[n->store.array] = true;
    BASE_RESERVE(u->cx, x->stored, x->stored_count, x->stored_cap);
    x->stored[x->stored_count++] = v;
}

static void look_at(struct ranker *x, ir_stmt s, ir_stmt block, uint32_t *open) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    struct opening o = {x, open, block};
    ir_stmt inner[2];
    uint32_t blocks = ir_blocks_of(n, inner);
    if (n->kind == IR_ASSIGN) {
        ir_walk_expr(u, n->assign.value, on_place, &o);
        if (n->assign.var < x->vars) x->values[n->assign.var] = value_of(x, n->assign.value, *open);
    } else if (n->kind == IR_STORE) {
        for (uint32_t d = 0; d < n->store.index_count; d++)
            ir_walk_expr(u, u->args[n->store.indices + d], on_place, &o);
        ir_walk_expr(u, n->store.value, on_place, &o);
        look_at_store(x, s, open);
    } else if (blocks) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        bool takes = ir_bit(fx.arrays_read, x->places) || ir_bit(fx.arrays_written, x->places);
        x->fits &= *open == SITES || !(takes || pass_may_leave(u, s)); // what it took, it moves on
        for (ir_var v = 1; v < x->vars && n->kind != IR_IF; v++)       // by passes before the one that is looked at
            if (ir_bit(fx.vars_written, v)) x->values[v].known = false;
        for (uint32_t b = 0; b < blocks; b++)
            look_at_block(x, inner[b]);
        for (ir_var v = 1; v < x->vars; v++)
            if (ir_bit(fx.vars_written, v)) x->values[v].known = false;
    } else {
        x->fits &= n->kind == IR_NOP || n->kind == IR_BREAK || n->kind == IR_CONTINUE; // of loops inside
    }
    // the key stays what it is until the place has moved on
    for (uint32_t k = 0; k < x->site_count; k++) {
        struct ir_effects fx = ir_effects_of_one(u, s), key = ir_effects_empty(u);
        ir_expr_effects(u, x->sites[k].key, &key);
        bool moves = ir_sets_meet(key.vars_read, fx.vars_written, key.var_words);
        x->fits &= *open != k || !moves;
        x->sites[k].moved |= moves;
    }
}

static void look_at_block(struct ranker *x, ir_stmt block) {
    uint32_t open = SITES;
    for (ir_stmt s = block; s && x->fits; s = x->u->stmts[s].next)
        look_at(x, s, block, &open);
    x->fits &= open == SITES;
}

// ---- may it? --------------------------------------------------------------------------------------------------------

// Variables that are made of places.
struct taint {
    const struct ranker *x;
    bool *made, found, grows, decides; // decides: a branch or a loop's length is
};
static bool on_taint(void *user, ir_expr e) {
    struct taint *t = user;
    const struct ir_node *n = &t->x->u->nodes[e];
    t->found |= n->op == IR_VAR ? t->made[n->a] : n->op == IR_LOAD && n->a == t->x->places;
    return !t->found;
}
static bool is_made(struct taint *t, ir_expr e) {
    t->found = false;
    ir_walk_expr(t->x->u, e, on_taint, t);
    return t->found;
}
static bool on_made(void *user, ir_stmt s) {
    struct taint *t = user;
    const struct ir_stmt_node *n = &t->x->u->stmts[s];
    if (n->kind == IR_ASSIGN && !t->made[n->assign.var] && is_made(t, n->assign.value))
        t->made[n->assign.var] = t->grows = true;
    if (n->kind == IR_IF) t->decides |= is_made(t, n->branch.cond);
    if (n->kind == IR_FOR) t->decides |= is_made(t, n->counted.lo) || is_made(t, n->counted.hi);
    t->decides |= n->kind == IR_LOOP;
    return !t->decides;
}

// Neither which keys there are nor what else passes do hangs on places.
static bool keys_are_free(const struct ranker *x) {
    struct taint t = {.x = x, .made = base_alloc_array(x->u->cx, x->u->var_count, sizeof *t.made)};
    do {
        t.grows = false;
        ir_walk_stmts(x->u, x->u->stmts[x->loop].counted.body, on_made, &t);
    } while (t.grows && !t.decides);
    for (uint32_t k = 0; k < x->site_count; k++)
        if (is_made(&t, x->sites[k].key)) return false;
    return !t.decides;
}

struct dropping {
    const struct ranker *x;
    bool all; // all stores but those to the places; else those to the places, and by them
};
static bool on_store(void *user, ir_stmt s) {
    struct dropping *d = user;
    struct ir_stmt_node *n = &d->x->u->stmts[s];
    if (n->kind != IR_STORE) return true;
    bool places = n->store.array == d->x->places;
    if (d->all ? !places : places || d->x->listed[n->store.array])
        *n = (struct ir_stmt_node){.kind = IR_NOP, .loc = n->loc, .next = n->next};
    return true;
}

static ir_stmt without_stores(const struct ranker *x, ir_stmt block, bool all) {
    struct dropping d = {x, all};
    ir_walk_stmts(x->u, block, on_store, &d);
    return block;
}

// What is stored by places is within what its pass took: from the lower end on, by less than the step.
static bool stores_fit(const struct ranker *x) {
    for (uint32_t k = 0; k < x->stored_count; k++) {
        int64_t by = x->stored[k].by;
        if (x->stored[k].base != x->base || (x->step > 0 ? by < 0 || by >= x->step : by >= 0 || by < x->step))
            return false;
    }
    return x->stored_count > 0;
}

static bool passes_fit(struct ranker *x) {
    struct ir_unit *u = x->u;
    struct ir_reduction sums[PASS_SIMD_REDUCTIONS];
    uint32_t sum_count;
    ir_stmt body = u->stmts[x->loop].counted.body, others = pass_clone_one(u, x->loop);
    if (!pass_simd_reductions(u, body, x->reads, sums, &sum_count) || sum_count) return false;
    without_stores(x, u->stmts[others].counted.body, false);
    struct ir_effects counting = ir_effects_of(u, without_stores(x, ir_clone_block(u, body, NULL, NULL), true));
    for (ir_array a = 1; a < u->array_count; a++) {
        bool written = ir_bit(x->fx.arrays_written, a) && a != x->places;
        if (written && (x->listed[a] ? ir_bit(x->fx.arrays_read, a) : ir_bit(counting.arrays_read, a))) return false;
        if (x->listed[a] && x->direct[a]) return false;
        if (ir_bit(x->fx.arrays_written, a) && (a == u->log || u->arrays[a].atomic)) return false;
    }
    return pass_memory_is_apart(&x->sc, others, NULL, NULL);
}

// A word array of one dimension that the body loads and stores; 0: there is none.
static bool may_be_places(const struct ranker *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
    bool word = info->elem == WHORL_I32 || info->elem == WHORL_U32;
    return ir_bit(x->fx.arrays_read, a) && ir_bit(x->fx.arrays_written, a) && info->ndims == 1 && word &&
           (type == IR_I32 || type == IR_U32) && ir_in_buffer(x->u, a) && ir_is_const(x->u, info->dims[0], NULL);
}

static bool find_sites(struct ranker *x, ir_array a) {
    struct ir_unit *u = x->u;
    x->places = a;
    x->base = 0;
    x->site_count = x->stored_count = 0;
    x->step = 0;
    x->fits = true;
    x->listed = base_alloc_array(u->cx, u->array_count, sizeof *x->listed);
    x->direct = base_alloc_array(u->cx, u->array_count, sizeof *x->direct);
    x->values = base_alloc_array(u->cx, x->vars, sizeof *x->values);
    look_at_block(x, u->stmts[x->loop].counted.body);
    uint32_t keys, bases = UINT32_MAX;
    (void)ir_is_const(u, u->arrays[a].dims[0], &keys);
    if (x->base && !ir_is_const(u, u->arrays[x->base].dims[0], &bases)) return false;
    return x->fits && x->site_count && stores_fit(x) && keys > 1 && bases >= keys &&
           (!x->base || u->arrays[x->base].elem == u->arrays[a].elem);
}

// The same, of which nothing is kept: most loops have none.
static bool has_sites(struct ranker *x, ir_array a) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    bool found = find_sites(x, a);
    x->stored = NULL;
    x->stored_cap = 0;
    base_scratch_end(x->u->cx, &scratch);
    return found;
}

static bool may_rank(struct ranker *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips;
    if (n->kind != IR_FOR || !ir_const_trips(u, s, &trips) || trips < PASS_RANK_LEAST || trips > INT32_MAX / 2 ||
        !ir_is_const(u, n->counted.lo, NULL) || u->vars[n->counted.var].type != IR_I32 || !n->counted.body ||
        pass_has_parallel(u, n->counted.body) || pass_leaves_loop(u, n->counted.body))
        return false;
    x->loop = s;
    x->fx = ir_effects_of(u, n->counted.body);
    for (ir_array a = 1, all = u->array_count; a < all; a++)
        if (may_be_places(x, a) && has_sites(x, a) && find_sites(x, a) && keys_are_free(x) && passes_fit(x))
            return true;
    return false;
}

// ---- what it becomes ------------------------------------------------------------------------------------------------

struct made {
    struct ranker *x;
    base_loc loc;
    enum ir_type type; // of places
    uint32_t keys, blocks, each;
    ir_array taken, total; // [blocks][keys], [keys]
    ir_var block;          // under way
};

static ir_expr number(const struct made *m, int64_t value) { return ir_const_i32(m->x->u, (int32_t)value); }
static ir_expr read_of(const struct made *m, ir_var v) { return ir_var_read(m->x->u, v, m->loc); }
static ir_expr element(const struct made *m, ir_array a, ir_expr at) { return ir_load(m->x->u, a, &at, 1, m->loc); }
static ir_expr add(const struct made *m, ir_expr a, ir_expr b) { return ir_op2(m->x->u, IR_ADD, a, b, m->loc); }

static ir_var new_dim(const struct made *m, const char *name) {
    return ir_add_var(m->x->u, name, IR_I32, IR_VAR_DIM, m->loc);
}
static ir_var new_local(const struct made *m, const char *name, enum ir_type type) {
    return ir_add_var(m->x->u, name, type, IR_VAR_LOCAL, m->loc);
}

static struct ir_dim up_to(const struct made *m, ir_var v, uint32_t end) {
    return (struct ir_dim){v, number(m, 0), number(m, end), 1};
}

static ir_stmt make_clear(const struct made *m) {
    struct ir_unit *u = m->x->u;
    ir_var b = new_dim(m, "block"), k = new_dim(m, "key");
    struct ir_dim dims[] = {up_to(m, b, m->blocks), up_to(m, k, m->keys)};
    ir_expr at[] = {read_of(m, b), read_of(m, k)};
    return ir_parfor(m->x->u, dims, 2, ir_store(u, m->taken, at, 2, ir_const(u, m->type, 0), m->loc), m->loc);
}

// In a copy of the body: places are what is in front of the loop and what blocks before this one took, and the block
// counts on.
static ir_expr with_taken(void *user, ir_expr e) {
    const struct made *m = user;
    if (!is_load_of(m->x->u, e, m->x->places)) return e;
    ir_expr at[] = {read_of(m, m->block), m->x->u->args[m->x->u->nodes[e].b]};
    return add(m, e, ir_load(m->x->u, m->taken, at, 2, m->loc));
}
static bool on_update(void *user, ir_stmt s) {
    const struct made *m = user;
    struct ir_unit *u = m->x->u;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind != IR_STORE || n.store.array != m->x->places) return true;
    ir_expr at[] = {read_of(m, m->block), u->args[n.store.indices]};
    ir_expr value = add(m, ir_load(u, m->taken, at, 2, m->loc), ir_const(u, m->type, (uint32_t)m->x->step));
    ir_stmt store = ir_store(u, m->taken, at, 2, value, m->loc);
    u->stmts[store].next = n.next;
    u->stmts[s] = u->stmts[store];
    return true;
}

// The passes of each block, one after the other. counting: they only count what they take.
static ir_stmt make_blocks(struct made *m, bool counting) {
    struct ranker *x = m->x;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    uint32_t vars = u->var_count, lo = 0;
    uint64_t trips = 0;
    ir_var *own = base_alloc_array(u->cx, vars, sizeof *own), pass = new_local(m, "pass", IR_I32);
    (void)ir_is_const(u, n.counted.lo, &lo);
    (void)ir_const_trips(u, x->loop, &trips);
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(x->fx.vars_written, v)) own[v] = new_local(m, u->vars[v].name, (enum ir_type)u->vars[v].type);
    ir_var i = own[n.counted.var] = new_local(m, u->vars[n.counted.var].name, IR_I32);
    m->block = new_dim(m, "block");
    ir_stmt copy = ir_clone_block(u, n.counted.body, own, NULL);
    if (counting) without_stores(x, copy, true);
    if (!counting) ir_map_block(u, copy, with_taken, m);
    ir_walk_stmts(u, copy, on_update, m);
    ir_expr at = ir_op2(u, IR_MUL, read_of(m, pass), number(m, n.counted.step), m->loc);
    ir_stmt body = ir_assign(u, i, add(m, at, number(m, (int32_t)lo)), m->loc);
    ir_append(u, &body, copy);
    ir_expr first = ir_op2(u, IR_MUL, read_of(m, m->block), number(m, m->each), m->loc);
    ir_expr end = ir_op2(u, IR_MIN, add(m, first, number(m, m->each)), number(m, (int64_t)trips), m->loc);
    struct ir_dim dim = up_to(m, m->block, m->blocks);
    return ir_parfor(m->x->u, &dim, 1, ir_for(u, pass, first, end, 1, body, m->loc), m->loc);
}

// What the blocks before each took of a key, and all of them.
static ir_stmt make_sums(const struct made *m) {
    struct ir_unit *u = m->x->u;
    ir_var k = new_dim(m, "key"), b = new_local(m, "block", IR_I32), all = new_local(m, "all", m->type),
           own = new_local(m, "own", m->type);
    ir_expr at[] = {read_of(m, b), read_of(m, k)}, key = read_of(m, k);
    ir_stmt inner = ir_assign(u, own, ir_load(u, m->taken, at, 2, m->loc), m->loc);
    ir_append(u, &inner, ir_store(u, m->taken, at, 2, read_of(m, all), m->loc));
    ir_append(u, &inner, ir_assign(u, all, add(m, read_of(m, all), read_of(m, own)), m->loc));
    ir_stmt body = ir_assign(u, all, ir_const(u, m->type, 0), m->loc);
    ir_append(u, &body, ir_for(u, b, number(m, 0), number(m, m->blocks), 1, inner, m->loc));
    ir_append(u, &body, ir_store(u, m->total, &key, 1, read_of(m, all), m->loc));
    struct ir_dim dim = up_to(m, k, m->keys);
    return ir_parfor(m->x->u, &dim, 1, body, m->loc);
}

// apart: 1 if no key's places reach into those of the next one.
static ir_stmt make_test(const struct made *m, ir_var apart) {
    struct ir_unit *u = m->x->u;
    bool up = m->x->step > 0;
    ir_var k = new_dim(m, "key");
    ir_expr ends[2];
    for (int next = 0; next < 2; next++) {
        ir_expr at = next ? add(m, read_of(m, k), number(m, 1)) : read_of(m, k);
        ends[next] = element(m, m->x->places, at);
        if (m->x->base) ends[next] = add(m, ends[next], element(m, m->x->base, at));
        if (up != next) ends[next] = add(m, ends[next], element(m, m->total, at));
    }
    ir_expr fits = ir_op2(u, IR_LE, ends[0], ends[1], m->loc);
    ir_expr one = ir_op3(u, IR_SELECT, fits, number(m, 1), number(m, 0), m->loc);
    struct ir_dim dim = up_to(m, k, m->keys - 1);
    ir_stmt s = ir_parfor(m->x->u, &dim, 1,
                          ir_assign(u, apart, ir_op2(u, IR_MIN, read_of(m, apart), one, m->loc), m->loc), m->loc);
    struct ir_reduction sum = {IR_MIN, apart};
    uint32_t sums = ir_add_reductions(u, &sum, 1);
    u->stmts[s].parfor.reductions = sums;
    u->stmts[s].parfor.reduction_count = 1;
    return s;
}

static ir_stmt make_end(const struct made *m) {
    struct ir_unit *u = m->x->u;
    ir_var k = new_dim(m, "key");
    ir_expr key = read_of(m, k);
    struct ir_dim dim = up_to(m, k, m->keys);
    ir_expr sum = add(m, element(m, m->x->places, key), element(m, m->total, key));
    return ir_parfor(m->x->u, &dim, 1, ir_store(u, m->x->places, &key, 1, sum, m->loc), m->loc);
}

// Blocks, so that as many are summed up for a key as passes are made in each; fewer where these are many words.
static uint32_t choose_blocks(uint64_t trips, uint32_t keys) {
    uint32_t blocks = 1;
    while ((uint64_t)blocks * blocks < PASS_RANK_SUMS * trips && (uint64_t)2 * blocks * keys <= PASS_RANK_WORDS)
        blocks *= 2;
    return blocks;
}

static ir_stmt make_ranked(struct ranker *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    struct made m = {.x = x, .loc = n.loc, .type = ir_elem_type((enum whorl_dtype)u->arrays[x->places].elem)};
    uint64_t trips = 0;
    (void)ir_const_trips(u, x->loop, &trips);
    (void)ir_is_const(u, u->arrays[x->places].dims[0], &m.keys);
    m.blocks = choose_blocks(trips, m.keys);
    if (m.blocks < PASS_RANK_LEAST_BLOCKS) return 0;
    m.each = (uint32_t)((trips + m.blocks - 1) / m.blocks);
    ir_expr sizes[] = {number(&m, m.blocks), number(&m, m.keys)};
    m.taken = ir_add_array(u, "taken", ir_word_of(m.type), IR_ARRAY_SCRATCH, 2, sizes, n.loc);
    m.total = ir_add_array(u, "total", ir_word_of(m.type), IR_ARRAY_SCRATCH, 1, sizes + 1, n.loc);
    ir_var apart = ir_add_var(u, "apart", IR_I32, IR_VAR_ENTRY, n.loc);
    ir_stmt out = make_clear(&m), then_block, otherwise = pass_clone_one(u, x->loop);
    ir_append(u, &out, make_blocks(&m, true));
    ir_append(u, &out, make_sums(&m));
    ir_append(u, &out, ir_assign(u, apart, number(&m, 1), n.loc));
    ir_append(u, &out, make_test(&m, apart));
    then_block = make_blocks(&m, false);
    ir_append(u, &then_block, make_end(&m));
    ir_expr all = ir_op2(u, IR_NE, read_of(&m, apart), number(&m, 0), n.loc);
    ir_stmt fits = ir_if(u, all, then_block, otherwise, n.loc);
    u->stmts[fits].flags |= IR_FLAG_FREE;
    ir_append(u, &out, fits);
    base_text_format(x->p->explain, "rank: the loop at line %u takes places by %u keys in %u blocks\n",
                     u->cx->locs[n.loc].line, m.keys, m.blocks);
    return out;
}

static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct ranker *x = user;
    (void)done;
    ir_stmt made = x->u->stmts[s].kind == IR_FOR && may_rank(x, s) ? make_ranked(x) : 0;
    return made ? made : s;
}
static bool enters(void *user, ir_stmt s) {
    struct ranker *x = user;
    return pass_has_parallel(x->u, s); // else it is a part of what one pass does
}

void pass_rank(struct pass_cx *p) {
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    struct ranker x = {.p = p, .u = p->u, .vars = p->u->var_count};
    x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
    pass_count_reads(p->u, p->u->root, x.reads);
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter ranking = {.u = p->u, .sc = &x.sc, .user = &x, .enters = enters, .replace = replace};
    p->u->root = pass_rewrite_block(&ranking, p->u->root);
}
