// Arrays of one dimension that are indexed as if they had two, a[i * n + k], get them, a[i][k]; and so do the parts of
// those. Whoever passes pointers around writes so. What goes by rows and columns, tiles of a product, rims of a
// stencil, an owner for each row, finds them then. Parallel loops that go over all elements at once become loops over
// rows and columns, where an array needs that.
//
// The law: n divides the dimension; each index of it in the program is n * q + r, with r from 0 to n - 1 by what is
// known at that place. The element is the same one. (V. Maslov, "Delinearization: an efficient way to break multiloop
// dependence equations", PLDI 1992, divides equations in this way; here what is divided are ranges.)
#include <string.h>

#include "pass/analysis/bounds.h"
#include "pass/analysis/condition_ranges.h"
#include "pass/cost.h"
#include "pass/loops/dimensions.h"

struct term {
    int64_t factor;
    ir_expr value;
    struct pass_range range;
};
struct form { // a sum of terms and a constant
    struct term *terms;
    uint32_t count;
    int64_t constant;
    bool known;
};
// An index: one form, or two where it is `cond ? .. : ..`; each with variables as they are, and with those that have
// factors inside looked through.
struct site {
    ir_array array;
    ir_expr load;
    ir_stmt stmt;
    uint32_t at; // the dimension
    ir_expr index, cond;
    struct form forms[2][2]; // [looked through][side]
    uint32_t sides, first;   // first: the site of the same load, which may stand in several places
    // with rows of some length: which of the forms, and of each side what of the constant goes to the row's number, and
    // which terms are of variables that are split
    uint32_t length; // 0: none
    int through;
    int64_t shift[2];
    uint32_t split[2];
};

struct rows {
    struct pass_cx *p;
    struct ir_unit *u;
    struct site *sites;
    uint32_t site_count, site_cap;
    uint32_t *counts;  // by array: accesses that were looked at, without those that there are
    bool *fixed;       // by array: something names it in another way than by an index
    uint32_t *of_load; // by node, of so many: behind its first site
    uint32_t node_count;
    bool *has_rows; // by array: one of its dimensions has become two
    struct pass_plain_dim *dims;
    struct pass_digits *digits;

    // of one array's dimension and one length of rows
    ir_array array;
    uint32_t at, length;
    struct pass_split splits[PASS_DIMENSION_SPLITS]; // that it takes, with those of arrays before it
    uint32_t split_count;
};

// ---- forms ----------------------------------------------------------------------------------------------------------

struct sum {
    const struct pass_scope *sc;
    struct term terms[PASS_DIMENSION_TERMS];
    uint32_t count;
    int64_t constant;
    bool through, looked; // looked: it made a difference
};

static bool has_factor(const struct pass_scope *sc, ir_expr e, int depth) {
    const struct ir_node *n = &sc->u->nodes[e];
    switch (n->op) {
    case IR_MUL:
    case IR_SHL: return true;
    case IR_ADD:
    case IR_SUB: return depth && (has_factor(sc, n->a, depth - 1) || has_factor(sc, n->b, depth - 1));
    case IR_I2U:
    case IR_U2I: return depth && has_factor(sc, n->a, depth - 1);
    case IR_VAR:
        return depth && n->a < sc->var_cap && pass_scope_stable(sc, n->a) && sc->definition[n->a] &&
               has_factor(sc, sc->definition[n->a], depth - 1);
    default: return false;
    }
}

// Adds factor * e. Where e is unsigned, nothing in it may wrap.
static bool add(struct sum *s, ir_expr e, int64_t factor, int depth) {
    const struct ir_unit *u = s->sc->u;
    const struct ir_node n = u->nodes[e];
    struct pass_range r = pass_range_of(s->sc, e);
    uint32_t bits;
    if (ir_is_const(u, e, &bits)) {
        s->constant += factor * (n.type == IR_U32 ? (int64_t)bits : (int64_t)(int32_t)bits);
        return true;
    }
    bool plain = depth > 0 && (n.type == IR_I32 || r.known);
    if (plain && (n.op == IR_ADD || n.op == IR_SUB))
        return add(s, n.a, factor, depth - 1) && add(s, n.b, n.op == IR_ADD ? factor : -factor, depth - 1);
    if (plain && n.op == IR_NEG) return add(s, n.a, -factor, depth - 1);
    if (plain && n.op == IR_MUL && (ir_is_const(u, n.b, &bits) || ir_is_const(u, n.a, &bits)) && bits <= INT32_MAX &&
        factor > -INT32_MAX && factor < INT32_MAX)
        return add(s, ir_is_const(u, n.b, &bits) ? n.a : n.b, factor * (int64_t)bits, depth - 1);
    if (plain && n.op == IR_SHL && ir_is_const(u, n.b, &bits) && bits < 31 && factor > -INT32_MAX && factor < INT32_MAX)
        return add(s, n.a, factor * ((int64_t)1 << bits), depth - 1);
    // the same number as the other type
    if (depth > 0 && (n.op == IR_I2U || n.op == IR_U2I)) {
        struct pass_range a = pass_range_of(s->sc, n.a);
        if (a.known && a.lo >= 0 && a.hi <= INT32_MAX) return add(s, n.a, factor, depth - 1);
    }
    if (s->through && depth > 0 && n.op == IR_VAR && n.a < s->sc->var_cap && pass_scope_stable(s->sc, n.a) &&
        s->sc->definition[n.a] && has_factor(s->sc, s->sc->definition[n.a], PASS_DIMENSION_DEPTH))
        return (s->looked = true) && add(s, s->sc->definition[n.a], factor, depth - 1);
    if (s->count == PASS_DIMENSION_TERMS) return false;
    s->terms[s->count++] = (struct term){factor, e, r};
    return true;
}

// false: nothing was there to look through.
static bool find_form(struct ir_unit *u, const struct pass_scope *sc, ir_expr e, bool through, struct form *out) {
    struct sum s = {.sc = sc, .through = through};
    out->known = add(&s, e, 1, PASS_DIMENSION_DEPTH);
    out->count = out->known ? s.count : 0;
    out->constant = s.constant;
    out->terms = base_alloc_array(u->cx, out->count + 1, sizeof *out->terms);
    memcpy(out->terms, s.terms, out->count * sizeof *out->terms);
    return s.looked;
}

static void look(void *user, const struct pass_scope *sc, const struct pass_indices *i) {
    struct rows *x = user;
    struct ir_unit *u = x->u;
    x->counts[i->array]++;
    if (u->arrays[i->array].klass == IR_ARRAY_LOCAL) return;
    for (uint32_t d = 0; d < i->n; d++) {
        BASE_RESERVE(u->cx, x->sites, x->site_count, x->site_cap);
        struct site *site = &x->sites[x->site_count];
        ir_expr e = u->args[i->first + d];
        const struct ir_node n = u->nodes[e];
        *site = (struct site){.array = i->array, .load = i->load, .stmt = i->stmt, .at = d, .index = e, .sides = 1};
        if (d == 0 && i->load && !x->of_load[i->load]) x->of_load[i->load] = x->site_count + 1;
        site->first = i->load ? x->of_load[i->load] - 1 + d : x->site_count;
        x->site_count++;
        if (n.op == IR_SELECT) site->cond = n.a, site->sides = 2;
        for (uint32_t side = 0; side < site->sides; side++) {
            struct pass_narrow narrow = {.sc = sc};
            ir_expr form = !site->cond ? e : side ? n.c : n.b;
            if (site->cond) pass_assume(&narrow, site->cond, side == 0);
            (void)find_form(u, sc, form, false, &site->forms[0][side]);
            if (!find_form(u, sc, form, true, &site->forms[1][side])) site->forms[1][side] = site->forms[0][side];
            pass_widen_again(&narrow, 0);
        }
    }
}

// Statements that name an array in another way than by an index keep it as it is.
static bool on_other(void *user, ir_stmt s) {
    struct rows *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    struct ir_write w = ir_write_of(n);
    if (w.array) x->counts[w.array]--;
    if (n->kind == IR_COMBINE && n->combine.array) x->fixed[n->combine.array] = true;
    return true;
}
static bool on_load(void *user, ir_expr e) {
    struct rows *x = user;
    if (x->u->nodes[e].op == IR_LOAD) x->counts[x->u->nodes[e].a]--;
    return true;
}

// ---- a length of rows -----------------------------------------------------------------------------------------------

// factor = length * q + r, with the smallest r on either side of 0.
static int64_t rest_of(int64_t factor, uint32_t length) {
    int64_t r = factor % length;
    if (r > (int64_t)length / 2) r -= length;
    if (r < -(int64_t)(length / 2)) r += length;
    return r;
}
static int64_t floor_of(int64_t a, uint32_t length) { return (a - ((a % length + length) % length)) / length; }

static struct pass_split *split_of(struct rows *x, const struct term *t) {
    const struct ir_node *n = &x->u->nodes[t->value];
    for (uint32_t i = 0; i < x->split_count && n->op == IR_VAR; i++)
        if (x->splits[i].var == n->a) return &x->splits[i];
    return NULL;
}

// The variable of a parallel loop's dimension that goes over several rows: its dimension may be split, so that what is
// added to r stays within a row.
static bool may_split(struct rows *x, const struct term *t, int64_t r) {
    const struct ir_node *n = &x->u->nodes[t->value];
    if (n->op != IR_VAR || !x->dims[n->a].parfor || r <= 0 || x->length % r || x->length / r < 2) return false;
    uint32_t inner = (uint32_t)(x->length / r), size = x->dims[n->a].size;
    struct pass_split *s = split_of(x, t);
    if (s) return s->inner == inner;
    for (uint32_t i = 0; i < x->split_count; i++) // another dimension's place is another one behind it
        if (x->dims[x->splits[i].var].parfor == x->dims[n->a].parfor) return false;
    // pass_recompute numbers the values of a short reduction
    bool is_short = size <= PASS_RECOMPUTE_VALUES && x->u->stmts[x->dims[n->a].parfor].parfor.reduction_count;
    if (size % inner || size <= inner || x->split_count == PASS_DIMENSION_SPLITS ||
        x->length < PASS_DIMENSION_SPLIT_ROWS || is_short || pass_is_whole(x->digits, n->a))
        return false;
    x->splits[x->split_count++] = (struct pass_split){.var = n->a, .inner = inner};
    return true;
}

// It goes over more than a row.
static bool is_long(const struct term *t, uint32_t length) {
    return !t->range.known || t->range.hi - t->range.lo >= (int64_t)length;
}

// The form is length * q + r. *shift: of its constant, what goes to q; *split: bits of terms.
static bool has_rows(struct rows *x, const struct form *f, int64_t *shift, uint32_t *split) {
    int64_t lo = f->constant, hi = f->constant;
    *split = 0;
    if (!f->known) return false;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct term *t = &f->terms[i];
        int64_t r = rest_of(t->factor, x->length);
        struct pass_range range = t->range;
        if (!r) continue;
        if (is_long(t, x->length)) {
            if (!may_split(x, t, r)) return false;
            range = (struct pass_range){0, x->length / r - 1, true};
            *split |= 1u << i;
        }
        lo += r * (r > 0 ? range.lo : range.hi);
        hi += r * (r > 0 ? range.hi : range.lo);
    }
    *shift = floor_of(lo, x->length);
    return hi - *shift * x->length < (int64_t)x->length;
}

// Finds which of its forms has rows. *evident: without splits, it is made of a row's number and a place in it, both of
// which change.
static bool find_rows(struct rows *x, struct site *site, bool *evident) {
    for (site->through = 0; site->through < 2; site->through++) {
        uint32_t splits = x->split_count, sides = 0;
        bool is_evident = false;
        for (; sides < site->sides; sides++) {
            const struct form *f = &site->forms[site->through][sides];
            if (!has_rows(x, f, &site->shift[sides], &site->split[sides])) break;
            bool rows = false, places = false;
            for (uint32_t i = 0; i < f->count; i++) {
                int64_t r = rest_of(f->terms[i].factor, x->length);
                rows |= r != f->terms[i].factor;
                places |= r != 0;
            }
            is_evident |= rows && places && !site->split[sides];
        }
        if (sides == site->sides) {
            *evident |= is_evident;
            return true;
        }
        x->split_count = splits;
    }
    return false;
}

static bool is_of(const struct rows *x, const struct site *site) {
    return site->array == x->array && site->at == x->at;
}

// All indices of the dimension have rows of this length, those of a load in the same way wherever it stands.
static bool all_have_rows(struct rows *x) {
    bool evident = false;
    for (uint32_t i = 0; i < x->site_count; i++) {
        struct site *site = &x->sites[i];
        const struct site *first = &x->sites[site->first];
        if (!is_of(x, site)) continue;
        if (!find_rows(x, site, &evident) || site->through != first->through ||
            memcmp(site->shift, first->shift, sizeof site->shift) ||
            memcmp(site->split, first->split, sizeof site->split))
            return false;
    }
    return evident;
}

// Lengths that factors of its indices speak of, the shortest first.
static uint32_t lengths_of(const struct rows *x, uint32_t size, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->site_count; i++) {
        const struct site *site = &x->sites[i];
        for (uint32_t k = 0; is_of(x, site) && k < 2 * site->sides; k++)
            for (uint32_t t = 0; t < site->forms[k / site->sides][k % site->sides].count; t++) {
                int64_t factor = site->forms[k / site->sides][k % site->sides].terms[t].factor;
                uint64_t length = (uint64_t)(factor < 0 ? -factor : factor);
                uint32_t at = 0;
                if (length < 2 || length >= size || size % length) continue;
                while (at < count && out[at] < length)
                    at++;
                if ((at < count && out[at] == length) || count == PASS_DIMENSION_LENGTHS) continue;
                memmove(&out[at + 1], &out[at], (count++ - at) * sizeof *out);
                out[at] = (uint32_t)length;
            }
    }
    return count;
}

// ---- the new dimensions ---------------------------------------------------------------------------------------------

static ir_expr as_type(struct ir_unit *u, ir_expr e, enum ir_type type) {
    if (u->nodes[e].type == type) return e;
    return ir_op1(u, type == IR_U32 ? IR_I2U : IR_U2I, e, u->nodes[e].loc);
}

static void put_term(struct ir_unit *u, ir_expr *io, ir_expr value, int64_t factor, enum ir_type type) {
    base_loc loc = u->nodes[value].loc;
    if (!factor) return;
    ir_expr e = as_type(u, value, type);
    int64_t size = factor < 0 ? -factor : factor;
    if (size != 1) e = ir_op2(u, IR_MUL, e, ir_const(u, type, (uint32_t)size), loc);
    if (!*io)
        *io = factor > 0 ? e : ir_op2(u, IR_SUB, ir_const(u, type, 0), e, loc);
    else
        *io = ir_op2(u, factor > 0 ? IR_ADD : IR_SUB, *io, e, loc);
}

static void put_constant(struct ir_unit *u, ir_expr *io, int64_t c, enum ir_type type, base_loc loc) {
    if (!*io)
        *io = ir_const(u, type, (uint32_t)c);
    else if (c)
        *io = ir_op2(u, c > 0 ? IR_ADD : IR_SUB, *io, ir_const(u, type, (uint32_t)(c < 0 ? -c : c)), loc);
}

static ir_expr put_load(void *user, ir_expr e);

// The number of the row, and the place in it.
static void make_parts(struct rows *x, const struct site *site, uint32_t side, ir_expr out[2]) {
    struct ir_unit *u = x->u;
    const struct form *f = &site->forms[site->through][side];
    base_loc loc = u->nodes[site->index].loc;
    enum ir_type type = (enum ir_type)u->nodes[site->index].type;
    out[0] = out[1] = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct term *t = &f->terms[i];
        int64_t r = rest_of(t->factor, site->length), q = (t->factor - r) / site->length;
        const struct pass_split *s = site->split[side] >> i & 1 ? split_of(x, t) : NULL;
        ir_expr value = ir_exchange_expr(u, t->value, put_load, x);
        if (s) { // the variable is inner * outer_var + inner_var, and r * inner is a row
            ir_expr outer = ir_var_read(u, s->outer_var, loc), inner = ir_var_read(u, s->inner_var, loc);
            put_term(u, &out[0], outer, q * s->inner + 1, type);
            put_term(u, &out[0], inner, q, type);
            put_term(u, &out[1], inner, r, type);
        } else {
            put_term(u, &out[0], value, q, type);
            put_term(u, &out[1], value, r, type);
        }
    }
    put_constant(u, &out[0], site->shift[side], type, loc);
    put_constant(u, &out[1], f->constant - site->shift[side] * site->length, type, loc);
}

// The n indices of an access, from the site of the first of them on, as they are with rows.
static uint32_t put_indices(struct rows *x, const struct site *sites, uint32_t n, uint32_t *out_count) {
    struct ir_unit *u = x->u;
    ir_expr parts[2], other[2], indices[IR_MAX_DIMS];
    uint32_t k = 0;
    for (uint32_t d = 0; d < n; d++) {
        const struct site *site = &sites[d];
        if (!site->length) {
            indices[k++] = ir_exchange_expr(u, site->index, put_load, x);
            continue;
        }
        make_parts(x, site, 0, parts);
        if (site->cond) {
            ir_expr cond = ir_exchange_expr(u, site->cond, put_load, x);
            make_parts(x, site, 1, other);
            for (int i = 0; i < 2; i++)
                parts[i] = ir_op3(u, IR_SELECT, cond, parts[i], other[i], u->nodes[site->index].loc);
        }
        indices[k++] = parts[0];
        indices[k++] = parts[1];
    }
    *out_count = k;
    return ir_add_args(u, indices, k);
}

static ir_expr put_load(void *user, ir_expr e) {
    struct rows *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || !x->has_rows[n.a] || e >= x->node_count) return 0; // or it has them already
    uint32_t count, args = put_indices(x, &x->sites[x->of_load[e] - 1], n.n, &count);
    return ir_load(x->u, n.a, &x->u->args[args], count, n.loc);
}

// Every access, and what its indices are made of.
static void put_rows(struct rows *x) {
    struct ir_unit *u = x->u;
    for (uint32_t i = 0; i < x->site_count; i++) {
        const struct site *site = &x->sites[i];
        if (site->load || site->at || !x->has_rows[site->array]) continue;
        uint32_t count, args = put_indices(x, site, ir_write_of(&u->stmts[site->stmt]).index_count, &count);
        struct ir_stmt_node *s = &u->stmts[site->stmt];
        *(s->kind == IR_STORE ? &s->store.indices : &s->atomic.indices) = args;
        *(s->kind == IR_STORE ? &s->store.index_count : &s->atomic.index_count) = count;
    }
    ir_exchange_block(u, u->root, put_load, x);
}

static void give_rows(struct rows *x, uint32_t size) {
    struct ir_unit *u = x->u;
    struct ir_array_info *info = &u->arrays[x->array];
    for (uint32_t i = 0; i < x->site_count; i++)
        if (is_of(x, &x->sites[i])) x->sites[i].length = x->length;
    memmove(&info->dims[x->at + 1], &info->dims[x->at], (info->ndims - x->at) * sizeof *info->dims);
    info->dims[x->at] = ir_const_i32(u, (int32_t)(size / x->length));
    info->dims[x->at + 1] = ir_const_i32(u, (int32_t)x->length);
    info->ndims++;
    x->has_rows[x->array] = true;
    base_text_format(x->p->explain, "dimensions: '%s' has rows of %u elements\n", info->name, x->length);
}

static bool try_dimension(struct rows *x) {
    struct ir_unit *u = x->u;
    uint32_t lengths[PASS_DIMENSION_LENGTHS + 1], size, splits = x->split_count;
    if (!ir_is_const(u, u->arrays[x->array].dims[x->at], &size) || size > INT32_MAX) return false;
    uint32_t count = lengths_of(x, size, lengths);
    for (uint32_t i = 0; i < count; i++) {
        x->length = lengths[i];
        if (!all_have_rows(x)) {
            x->split_count = splits;
            continue;
        }
        for (uint32_t k = splits; k < x->split_count; k++)
            x->splits[k] = pass_split_begin(u, x->digits, x->splits[k].var, x->splits[k].inner);
        give_rows(x, size);
        return true;
    }
    return false;
}

// One dimension of each array at most: what is found of the others then stands in other places.
static bool round_of(struct pass_cx *p, const bool *flat, struct pass_digits *d) {
    struct ir_unit *u = p->u;
    struct rows x = {.p = p, .u = u, .dims = pass_plain_dims(u), .digits = d};
    bool any = false;
    x.fixed = base_alloc_array(u->cx, u->array_count, sizeof *x.fixed);
    x.node_count = u->node_count;
    x.of_load = base_alloc_array(u->cx, u->node_count, sizeof *x.of_load);
    x.has_rows = base_alloc_array(u->cx, u->array_count, sizeof *x.has_rows);
    x.counts = base_alloc_array(u->cx, u->array_count, sizeof *x.counts);
    pass_look_at_indices(u, look, &x);
    ir_walk_stmts(u, u->root, on_other, &x);
    ir_walk_nodes(u, u->root, on_load, &x);
    for (x.array = 1; x.array < u->array_count; x.array++) {
        const struct ir_array_info *a = &u->arrays[x.array];
        if (a->klass == IR_ARRAY_LOCAL || !flat[x.array] || a->ndims == IR_MAX_DIMS || x.counts[x.array] ||
            x.fixed[x.array])
            continue;
        bool found = false;
        for (x.at = 0; !found && x.at < u->arrays[x.array].ndims; x.at++)
            found = try_dimension(&x);
        any |= found;
    }
    if (any) put_rows(&x);
    for (uint32_t i = 0; i < x.split_count; i++)
        pass_split_end(u, d, &x.dims[x.splits[i].var], &x.splits[i]);
    return any;
}

static bool attempt(struct pass_cx *p, struct pass_digits *d) {
    struct ir_unit *u = p->u;
    d->value = ir_definitions(u, u->root, false);
    d->is = base_alloc_array(u->cx, u->var_count, sizeof *d->is);
    d->var_count = u->var_count;
    bool any = pass_split_divided(p, d), *flat = base_alloc_array(u->cx, u->array_count, sizeof *flat);
    for (ir_array a = 1; a < u->array_count; a++) // rows that are declared are those that the program means
        flat[a] = u->arrays[a].ndims == 1;
    for (uint32_t round = 0; round < IR_MAX_DIMS && round_of(p, flat, d); round++)
        any = true;
    return any;
}

void pass_dimensions(struct pass_cx *p) {
    bool *whole = base_alloc_array(p->u->cx, p->u->var_count, sizeof *whole);
    for (uint32_t tries = PASS_DIMENSION_TRIES; tries; tries--) {
        struct base_scratch scratch = base_scratch_begin(p->u->cx); // mostly nothing is found
        struct pass_cx copy = pass_copy(p);
        struct pass_digits d = {.whole = whole};
        if (!attempt(&copy, &d)) {
            base_scratch_end(p->u->cx, &scratch);
            return;
        }
        ir_var root = pass_split_in_vain(copy.u, &d);
        if (!root) {
            base_text_put(p->explain, copy.explain->data);
            p->u = copy.u;
            pass_fold(p);
            return;
        }
        whole[root] = true;
        for (ir_var v = 0; v < p->u->var_count && tries == 2; v++)
            whole[v] = true;
    }
}
