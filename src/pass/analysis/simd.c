// What `omp simd` promises of a loop, seen in its body: its passes are independent but for variables that they reduce.
#include "pass/passes.h"

struct uses {
    ir_var var;
    uint32_t count;
    const struct ir_unit *u;
};
static bool count_use(void *user, ir_expr e) {
    struct uses *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->count += n->op == IR_VAR && n->a == x->var;
    return true;
}

static bool combines(uint8_t op) {
    return op == IR_ADD || op == IR_MUL || op == IR_MIN || op == IR_MAX || op == IR_FMIN || op == IR_FMAX ||
           op == IR_AND || op == IR_OR || op == IR_XOR || op == IR_LAND || op == IR_LOR;
}

uint32_t pass_uses_in(const struct ir_unit *u, ir_expr e, ir_var v) {
    struct uses x = {v, 0, u};
    ir_walk_expr(u, e, count_use, &x);
    return x.count;
}
uint8_t pass_picks(const struct ir_unit *u, ir_expr cond, ir_expr x, ir_var v) {
    const struct ir_node *n = &u->nodes[cond];
    bool greater = n->op == IR_GT || n->op == IR_GE, less = n->op == IR_LT || n->op == IR_LE;
    if ((!greater && !less) || pass_uses_in(u, x, v)) return IR_CONST;
    bool first = ir_same_expr(u, n->a, x) && pass_is_var(u, n->b, v),
         second = ir_same_expr(u, n->b, x) && pass_is_var(u, n->a, v);
    if (!first && !second) return IR_CONST;
    bool is_float = u->vars[v].type == IR_F32;
    return greater == first ? (is_float ? IR_FMAX : IR_MAX) : is_float ? IR_FMIN : IR_MIN;
}

// The operation by which `v = v OP x` accumulates, also where that is chosen (`v = c ? v OP x : v`); IR_CONST where it
// does not. *uses: of v in it.
static uint8_t accumulates(const struct ir_unit *u, ir_expr e, ir_var v, uint32_t *uses) {
    const struct ir_node *n = &u->nodes[e];
    *uses = pass_uses_in(u, e, v);
    if (n->op == IR_SELECT) {
        bool kept = pass_is_var(u, n->b, v);
        uint32_t inner;
        if (pass_is_var(u, n->c, v) && pass_picks(u, n->a, n->b, v) != IR_CONST) return pass_picks(u, n->a, n->b, v);
        uint8_t least = kept ? pass_picks(u, n->a, n->c, v) : IR_CONST; // v > x ? v : x; of floats no number is taken
        if (least == IR_MIN || least == IR_MAX) return least == IR_MIN ? IR_MAX : IR_MIN;
        if (pass_uses_in(u, n->a, v) || (!kept && !pass_is_var(u, n->c, v))) return IR_CONST;
        return accumulates(u, kept ? n->c : n->b, v, &inner);
    }
    bool left = ir_ops[n->op].arity == 2 && pass_is_var(u, n->a, v),
         right = ir_ops[n->op].arity == 2 && pass_is_var(u, n->b, v);
    if (*uses != 1 || (!left && !right)) return IR_CONST;
    if (n->op == IR_SUB && left) return IR_ADD;
    return combines(n->op) ? n->op : IR_CONST;
}

struct reduced {
    const struct ir_unit *u;
    ir_var var;
    uint8_t op;
    uint32_t uses; // of var in its accumulations
    ir_stmt guard; // the last IF that was met
    bool compares; // takes the larger (smaller) of floats by a comparison, which keeps what is no number,
    bool calls;    // ... by fmaxf (fminf), which keeps the other one
    bool wrong;
};

static bool is_call(uint8_t op) { return op == IR_FMIN || op == IR_FMAX; }

// `if (x > v) v = x;`
static uint8_t guarded(const struct reduced *r, ir_stmt s) {
    const struct ir_stmt_node *n = &r->u->stmts[s], *guard = &r->u->stmts[r->guard];
    if (!r->guard || guard->branch.then_block != s || n->next || guard->branch.else_block) return IR_CONST;
    return pass_picks(r->u, guard->branch.cond, n->assign.value, r->var);
}

// The assigned value, also where it is chosen, is that of the function.
static bool calls_it(const struct ir_unit *u, ir_expr e, ir_var v) {
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_SELECT) return is_call(n->op);
    return pass_picks(u, n->a, n->b, v) == IR_CONST && calls_it(u, pass_is_var(u, n->b, v) ? n->c : n->b, v);
}

static bool on_assign(void *user, ir_stmt s) {
    struct reduced *r = user;
    const struct ir_stmt_node *n = &r->u->stmts[s];
    bool other = (n->kind == IR_FOR || n->kind == IR_ATOMIC) && ir_written_var(n) == r->var;
    if (n->kind == IR_ASSIGN && n->assign.var == r->var) {
        uint32_t uses;
        uint8_t op = accumulates(r->u, n->assign.value, r->var, &uses), picked = guarded(r, s);
        if (picked != IR_CONST) op = picked, uses = 1;
        if (op == IR_CONST || (r->op && r->op != op)) r->wrong = true;
        r->op = op;
        r->uses += uses;
        bool calls = picked == IR_CONST && calls_it(r->u, n->assign.value, r->var);
        r->calls |= calls;
        r->compares |= !calls && is_call(op);
    }
    if (n->kind == IR_IF) r->guard = s;
    r->wrong |= other;
    return true;
}

uint8_t pass_accumulates(const struct ir_unit *u, ir_stmt block, ir_var v, uint32_t *out_uses) {
    struct reduced r = {.u = u, .var = v};
    ir_walk_stmts(u, block, on_assign, &r);
    *out_uses = r.uses;
    // beginning with no number, it stays so until it meets the first call: which passes count depends on the order
    return r.wrong || !r.op || (r.compares && r.calls) ? IR_CONST : r.op;
}

// `but`: bit set over variables that are not looked at; NULL: all are.
static bool find_reductions(const struct ir_unit *u, ir_stmt body, const uint32_t *reads, const uint32_t *but,
                            struct ir_reduction out[PASS_SIMD_REDUCTIONS], uint32_t *out_count) {
    struct ir_effects fx = ir_effects_of(u, body);
    uint32_t *exposed = pass_exposed(u, body), *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, body, inside);
    *out_count = 0;
    for (ir_var v = 1; v < u->var_count; v++) {
        if (!ir_bit(fx.vars_written, v) || (but && ir_bit(but, v))) continue;
        if (!ir_bit(exposed, v)) {
            if (reads[v] != inside[v]) return false; // the last pass's value is wanted
            continue;
        }
        uint32_t uses;
        uint8_t op = pass_accumulates(u, body, v, &uses);
        if (op == IR_CONST || uses != inside[v] || *out_count == PASS_SIMD_REDUCTIONS || u->vars[v].type == IR_BOOL)
            return false;
        out[(*out_count)++] = (struct ir_reduction){op, v};
    }
    return true;
}

static bool reductions_but(const struct ir_unit *u, ir_stmt body, const uint32_t *reads, const uint32_t *but,
                           struct ir_reduction out[PASS_SIMD_REDUCTIONS], uint32_t *out_count) {
    struct base_scratch scratch = base_scratch_begin(u->cx); // sets of all variables, for each loop
    bool found = find_reductions(u, body, reads, but, out, out_count);
    base_scratch_end(u->cx, &scratch);
    return found;
}

bool pass_simd_reductions(const struct ir_unit *u, ir_stmt body, const uint32_t *reads,
                          struct ir_reduction out[PASS_SIMD_REDUCTIONS], uint32_t *out_count) {
    return reductions_but(u, body, reads, NULL, out, out_count);
}

// No pass has the number that says that there was none (places.c).
static bool have_places(const struct pass_scope *sc, ir_stmt loop) {
    const struct ir_stmt_node *n = &sc->u->stmts[loop];
    struct pass_range first = pass_range_of(sc, n->counted.lo);
    return sc->u->vars[n->counted.var].type == IR_I32 && first.known && first.lo > INT32_MIN && first.hi < INT32_MAX;
}

bool pass_sums_of_lanes(const struct pass_scope *sc, ir_stmt loop, const uint32_t *reads, struct pass_lane_sums *out) {
    const struct ir_unit *u = sc->u;
    ir_stmt body = u->stmts[loop].counted.body;
    uint32_t *set = base_alloc_array(u->cx, (u->var_count + 31) / 32, sizeof *set);
    out->search_count = have_places(sc, loop) ? pass_searches(u, loop, out->searches) : 0;
    uint32_t kept = 0; // at most
    for (uint32_t i = 0; i < out->search_count; i++) {
        ir_stmt sets = u->stmts[out->searches[i].test].branch.then_block;
        struct ir_effects fx = ir_effects_of(u, sets);
        kept += pass_size(u, sets) + 1;
        if (!pass_lanes_keep(u, loop, &out->searches[i])) return false;
        for (uint32_t w = 0; w < (u->var_count + 31) / 32; w++)
            set[w] |= fx.vars_written[w];
    }
    return reductions_but(u, body, reads, set, out->list, &out->count) && out->count + kept <= PASS_SIMD_REDUCTIONS;
}
