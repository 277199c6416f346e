// A loop inside of an iteration becomes two, of which the first one is a product of matrices:
//
//   for (j) { s = 0; for (k) s += x[k] * y[j][k]; if (s > most) { most = s; best = j; } }          becomes
//   for (j) { s = 0; for (k) s += x[k] * y[j][k]; t[j] = s; }
//   for (j) { s = t[j]; if (s > most) { most = s; best = j; } }
//
// As one, no pass may be made before the ones in front of it; as two, those of the first loop may be iterations.
//
// The law: what stands up to the last loop inside does not need what is behind it, of whichever pass, and leaves it
// nothing but variables. It pays where that loop is long beside a word that is stored and loaded.
#include "pass/loops/distribute.h"

struct halves {
    struct distributor *x;
    ir_stmt loop, last; // the loop; the statement that ends the first half
    uint64_t trips;
    ir_var handed[PASS_SPLIT_MOST];
    uint32_t count; // variables that the first half leaves
};

static struct ir_stmt_node *node_of(const struct distributor *x, ir_stmt s) { return &x->u->stmts[s]; }

// The last loop in the body, if it is long and something follows it.
static bool find_last(struct halves *h) {
    struct distributor *x = h->x;
    uint64_t passes = 0;
    h->last = 0;
    for (ir_stmt s = node_of(x, h->loop)->counted.body; s; s = node_of(x, s)->next)
        if (node_of(x, s)->kind == IR_FOR) h->last = s;
    return h->last && node_of(x, h->last)->next && ir_const_trips(x->u, h->last, &passes) &&
           passes >= PASS_SPLIT_LEAST_PASSES;
}

// Sets h->handed. `body`: of the loop, `rest`: the second half of it, which is cut off.
static bool is_apart(struct halves *h, ir_stmt body, ir_stmt rest) {
    struct ir_unit *u = h->x->u;
    struct ir_effects one = ir_effects_of(u, body), two = ir_effects_of(u, rest);
    uint32_t *needs_one = pass_exposed(u, body), *needs_two = pass_exposed(u, rest);
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    bool hands = false; // from pass to pass
    if (!pass_arrays_apart(&one, &two)) return false;
    pass_count_reads(u, body, inside);
    pass_count_reads(u, rest, inside);
    h->count = 0;
    for (ir_var v = 1; v < u->var_count; v++) {
        bool of_one = ir_bit(one.vars_written, v), of_two = ir_bit(two.vars_written, v);
        hands |= of_two && ir_bit(needs_two, v) && !of_one;
        if (of_two && (of_one || ir_bit(needs_one, v))) return false;
        if (!of_one) continue;
        if (ir_bit(needs_one, v) || h->x->reads[v] != inside[v]) return false;
        if (!ir_bit(needs_two, v)) continue;
        if (h->count == PASS_SPLIT_MOST || u->vars[v].type == IR_BOOL) return false;
        h->handed[h->count++] = v;
    }
    return hands && h->count;
}

// The second loop, behind the first.
static void split(struct halves *h, ir_stmt rest) {
    struct ir_unit *u = h->x->u;
    const struct ir_stmt_node n = *node_of(h->x, h->loop);
    const struct ir_var_info info = u->vars[n.counted.var];
    ir_var again = ir_add_var(u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
    ir_expr size = ir_const_i32(u, (int32_t)h->trips);
    pass_substitute(u, rest, n.counted.var, ir_var_read(u, again, n.loc));
    ir_stmt head = 0, body = n.counted.body;
    for (uint32_t i = 0; i < h->count; i++) {
        ir_var v = h->handed[i];
        enum ir_type type = (enum ir_type)u->vars[v].type;
        ir_array place = ir_add_array(u, u->vars[v].name, ir_word_of(type), IR_ARRAY_LOCAL, 1, &size, n.loc);
        ir_expr put = ir_op2(u, IR_SUB, ir_var_read(u, n.counted.var, n.loc), n.counted.lo, n.loc),
                get = ir_op2(u, IR_SUB, ir_var_read(u, again, n.loc), n.counted.lo, n.loc);
        ir_append(u, &body, ir_store(u, place, &put, 1, ir_var_read(u, v, n.loc), n.loc));
        ir_var value = ir_add_var(u, u->vars[v].name, type, IR_VAR_LOCAL, n.loc);
        ir_append(u, &head, ir_assign(u, value, ir_load(u, place, &get, 1, n.loc), n.loc));
        pass_substitute(u, rest, v, ir_var_read(u, value, n.loc));
    }
    ir_append(u, &head, rest);
    ir_stmt second = ir_for(u, again, n.counted.lo, n.counted.hi, 1, head, n.loc);
    node_of(h->x, second)->next = n.next;
    node_of(h->x, h->loop)->counted.body = body;
    node_of(h->x, h->loop)->next = second;
}

static bool split_loop(struct distributor *x, ir_stmt s) {
    struct halves h = {.x = x, .loop = s};
    const struct ir_stmt_node n = *node_of(x, s);
    uint32_t lo;
    if (n.kind != IR_FOR || n.flags || n.counted.step != 1 || x->u->vars[n.counted.var].type != IR_I32 ||
        !ir_is_const(x->u, n.counted.lo, &lo) || !ir_const_trips(x->u, s, &h.trips) || h.trips > PASS_MOST_DOUBLED ||
        pass_leaves_loop(x->u, n.counted.body) || !find_last(&h))
        return false;
    ir_stmt rest = node_of(x, h.last)->next;
    node_of(x, h.last)->next = 0;
    if (is_apart(&h, n.counted.body, rest)) {
        struct base_scratch scratch = base_scratch_begin(x->u->cx);
        struct pass_cx copy = pass_copy(x->p);
        struct distributor trial = *x;
        trial.p = &copy;
        trial.u = copy.u;
        h.x = &trial;
        split(&h, rest);
        bool pays = distribute_is_product(&trial, s);
        x->looks = trial.looks;
        base_scratch_end(x->u->cx, &scratch);
        h.x = x;
        if (pays) {
            split(&h, rest);
            base_text_format(x->p->explain, "split: the loop at line %u is a product and what is made of it\n",
                             x->u->cx->locs[n.loc].line);
            return true;
        }
    }
    node_of(x, h.last)->next = rest;
    return false;
}

bool distribute_split(struct distributor *x) {
    bool changed = false;
    for (ir_stmt s = node_of(x, x->parfor)->parfor.body; s; s = node_of(x, s)->next)
        changed |= split_loop(x, s);
    return changed;
}
