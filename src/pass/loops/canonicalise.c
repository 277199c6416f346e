// Loops around parallel loops get the two forms that the later stages know: a FOR whose count is known before the run
// and that nothing leaves early, or `go = cond; while (go) { body; step; go = cond }` on a flag of its own. A BREAK
// lowers the flag, a CONTINUE raises another one, and what follows them is guarded. So a device only ever has to test
// one word before a pass, and no jump leads past a barrier. Loops without parallel loops inside run in one stretch and
// stay as they are.
#include "pass/passes.h"

struct canonicaliser {
    struct pass_cx *p;
    struct ir_unit *u;
    bool *counter;      // by variable: counts a FOR around that stays one
    ir_var go, skip;    // flags of the loop whose body is rewritten
    uint32_t loops;     // that became a while on a flag
    uint32_t first_new; // variables from here on are flags and ends
};

static ir_var new_flag(struct canonicaliser *x, const char *name, base_loc loc) {
    return ir_add_var(x->u, name, IR_BOOL, IR_VAR_ENTRY, loc);
}

static ir_stmt set_flag(struct canonicaliser *x, ir_var flag, bool value, base_loc loc) {
    return ir_assign(x->u, flag, ir_const(x->u, IR_BOOL, value), loc);
}

// ---- jumps ----------------------------------------------------------------------------------------------------------

enum { LEAVES_BREAK = 1, LEAVES_CONTINUE = 2 };

// Which jumps of the loop whose body this is the block may make.
static unsigned jumps_of(const struct ir_unit *u, ir_stmt block) {
    unsigned found = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_BREAK) found |= LEAVES_BREAK;
        if (n->kind == IR_CONTINUE) found |= LEAVES_CONTINUE;
        if (n->kind == IR_IF) found |= jumps_of(u, n->branch.then_block) | jumps_of(u, n->branch.else_block);
    }
    return found;
}

// True while neither of the jumps was made.
static ir_expr still_here(struct canonicaliser *x, unsigned jumps, base_loc loc) {
    struct ir_unit *u = x->u;
    ir_expr going = jumps & LEAVES_BREAK ? ir_var_read(u, x->go, loc) : 0;
    if (!(jumps & LEAVES_CONTINUE)) return going;
    ir_expr stays = ir_op1(u, IR_NOT, ir_var_read(u, x->skip, loc), loc);
    return going ? ir_op2(u, IR_LAND, going, stays, loc) : stays;
}

// The block without jumps: they set their flags, and what may follow them asks.
static ir_stmt without_jumps(struct canonicaliser *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_BREAK || n.kind == IR_CONTINUE) { // what follows is never reached
            bool breaks = n.kind == IR_BREAK;
            ir_append(u, &out, set_flag(x, breaks ? x->go : x->skip, !breaks, n.loc));
            return out;
        }
        ir_append(u, &out, s);
        unsigned jumps = n.kind == IR_IF ? jumps_of(u, n.branch.then_block) | jumps_of(u, n.branch.else_block) : 0;
        if (!jumps) continue;
        ir_stmt yes = without_jumps(x, n.branch.then_block), no = without_jumps(x, n.branch.else_block);
        u->stmts[s].branch.then_block = yes;
        u->stmts[s].branch.else_block = no;
        ir_stmt rest = without_jumps(x, next);
        if (rest) ir_append(u, &out, ir_if(u, still_here(x, jumps, n.loc), rest, 0, n.loc));
        return out;
    }
    return out;
}

// ---- loops ----------------------------------------------------------------------------------------------------------

struct countable {
    const struct canonicaliser *x;
    bool ok;
};

// What compile's plan expressions can say: arithmetic over constants, parameters and the counters of loops around.
static bool count_node(void *user, ir_expr e) {
    struct countable *c = user;
    const struct ir_unit *u = c->x->u;
    const struct ir_node *n = &u->nodes[e];
    switch (n->op) {
    case IR_VAR: c->ok &= u->vars[n->a].klass == IR_VAR_PARAM || (n->a < c->x->first_new && c->x->counter[n->a]); break;
    case IR_CONST:
    case IR_I2U:
    case IR_U2I:
    case IR_NEG:
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_REM:
    case IR_MIN:
    case IR_MAX: break;
    default: c->ok = false;
    }
    return c->ok;
}

static bool known_before(const struct canonicaliser *x, ir_expr e) {
    struct countable c = {x, true};
    ir_walk_expr(x->u, e, count_node, &c);
    return c.ok;
}

static ir_stmt canonicalise_block(struct canonicaliser *x, ir_stmt block);

// The body with its jumps taken out; its flags are x->go and, where it is needed, x->skip, which is lowered first.
static ir_stmt flat_body(struct canonicaliser *x, ir_stmt body, unsigned jumps, base_loc loc) {
    if (!jumps) return body;
    x->skip = jumps & LEAVES_CONTINUE ? new_flag(x, "skip", loc) : 0;
    ir_stmt flat = without_jumps(x, body);
    if (!x->skip) return flat;
    ir_stmt out = set_flag(x, x->skip, false, loc);
    ir_append(x->u, &out, flat);
    return out;
}

// go = first; while (go) { body; step; go = again } in place of statement s. After a BREAK neither step nor test is
// made.
static ir_stmt make_while(struct canonicaliser *x, ir_stmt s, ir_stmt body, ir_stmt step, ir_expr first,
                          ir_expr again) {
    struct ir_unit *u = x->u;
    base_loc loc = u->stmts[s].loc;
    unsigned jumps = jumps_of(u, body);
    ir_var go = new_flag(x, "go", loc);
    x->go = go;
    if (!(jumps & LEAVES_BREAK) || !ir_is_const(u, again, NULL)) ir_append(u, &step, ir_assign(u, go, again, loc));
    bool continues = jumps & LEAVES_CONTINUE;
    if (!continues) ir_append(u, &body, step); // guarded with what a BREAK may skip
    ir_stmt flat = flat_body(x, body, jumps, loc);
    if (continues && step)
        ir_append(u, &flat, jumps & LEAVES_BREAK ? ir_if(u, ir_var_read(u, go, loc), step, 0, loc) : step);
    ir_stmt out = ir_assign(u, go, first, loc);
    struct ir_stmt_node *loop = &u->stmts[s];
    *loop = (struct ir_stmt_node){.kind = IR_LOOP, .flags = loop->flags, .loop = {.body = flat}, .loc = loc};
    ir_expr test = ir_var_read(u, go, loc);
    u->stmts[s].loop.cond = test;
    ir_append(u, &out, s);
    x->loops++;
    return out;
}

static ir_stmt canonicalise_loop(struct canonicaliser *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt body = canonicalise_block(x, n.loop.body), step = canonicalise_block(x, n.loop.continuing);
    ir_expr always = n.loop.cond ? 0 : ir_const(u, IR_BOOL, 1);
    return make_while(x, s, body, step, n.loop.cond ? n.loop.cond : always, n.loop.cond ? n.loop.cond : always);
}

static ir_stmt canonicalise_for(struct canonicaliser *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    base_loc loc = n.loc;
    unsigned jumps = jumps_of(u, n.counted.body);
    bool stays = !(jumps & LEAVES_BREAK) && known_before(x, n.counted.lo) && known_before(x, n.counted.hi);
    x->counter[n.counted.var] = stays;
    ir_stmt body = canonicalise_block(x, n.counted.body);
    x->counter[n.counted.var] = false;
    if (stays) {
        body = flat_body(x, body, jumps, loc);
        u->stmts[s].counted.body = body;
        return s;
    }
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    ir_stmt out = 0;
    ir_expr end = n.counted.hi;
    if (!known_before(x, end)) { // it is evaluated once
        ir_var bound = ir_add_var(u, "end", type, IR_VAR_ENTRY, loc);
        ir_append(u, &out, ir_assign(u, bound, n.counted.hi, loc));
        end = ir_var_read(u, bound, loc);
    }
    ir_append(u, &out, ir_assign(u, n.counted.var, n.counted.lo, loc));
    ir_expr at = ir_var_read(u, n.counted.var, loc);
    ir_expr test = ir_op2(u, n.counted.step > 0 ? IR_LT : IR_GT, at, end, loc);
    ir_stmt step = ir_assign(u, n.counted.var, ir_op2(u, IR_ADD, at, ir_const(u, type, n.counted.step), loc), loc);
    ir_append(u, &out, make_while(x, s, body, step, test, test));
    return out;
}

static bool is_branch(void *user, ir_stmt s) { return ((struct canonicaliser *)user)->u->stmts[s].kind == IR_IF; }

static ir_stmt canonicalise_statement(void *user, ir_stmt done, ir_stmt s) {
    struct canonicaliser *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    (void)done;
    if (n->kind == IR_LOOP && (pass_has_parallel(x->u, n->loop.body) || pass_has_parallel(x->u, n->loop.continuing)))
        return canonicalise_loop(x, s);
    return n->kind == IR_FOR && pass_has_parallel(x->u, n->counted.body) ? canonicalise_for(x, s) : s;
}

static ir_stmt canonicalise_block(struct canonicaliser *x, ir_stmt block) {
    struct pass_rewriter canonicalising = {
        .u = x->u, .user = x, .enters = is_branch, .replace = canonicalise_statement};
    return pass_rewrite_block(&canonicalising, block);
}

void pass_canonicalise(struct pass_cx *p) {
    struct canonicaliser x = {.p = p, .u = p->u, .first_new = p->u->var_count};
    x.counter = base_alloc_array(p->u->cx, p->u->var_count, sizeof *x.counter);
    ir_stmt root = canonicalise_block(&x, p->u->root);
    p->u->root = root;
    p->u->canonical_loops = true;
    if (!x.loops) return;
    base_text_format(p->explain, "canonicalise: %u loop%s around parallel loops %s while a flag is set\n", x.loops,
                     base_s(x.loops), x.loops == 1 ? "runs" : "run");
    pass_fold(p);
}
