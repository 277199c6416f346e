// Variables of each thread that go from one iteration of a worksharing loop to the next: an iteration may read what it
// has not set itself. They are variables of the threads, which is learned (lower_team.c); all others can be each
// iteration's own.
//
// Of an array this is asked only where it may hold something when the loop begins, or where an iteration may know that
// it is not the first of its thread: by other variables that go on, or by the chunks of its schedule, or the number
// of threads. Else it has set what it reads: it may be its thread's first.
#include "front/lower/lower_omp.h"

enum { FEW = 64 }; // elements that are looked at one by one

struct exposure {
    const struct ir_unit *u;
    ir_var var;     // or
    ir_array array; // of which `set` are the elements that are surely set, if they are few; all of them: `full`
    uint64_t set, full;
    bool exposed, jumps;
};

// The bit of an element of few; 0: another one, or not known which.
static uint64_t bit_of(const struct exposure *x, const uint32_t *indices, uint32_t count) {
    uint32_t at = 0, index, size;
    for (uint32_t d = 0; d < count; d++) {
        if (!x->full || !ir_is_const(x->u, indices[d], &index) ||
            !ir_is_const(x->u, x->u->arrays[x->array].dims[d], &size) || index >= size)
            return 0;
        at = at * size + index;
    }
    return UINT64_C(1) << at;
}

static bool find_read(void *user, ir_expr e) {
    struct exposure *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (x->var) x->exposed |= n->op == IR_VAR && n->a == x->var;
    if (x->array && n->op == IR_LOAD && n->a == x->array) x->exposed |= !(bit_of(x, &x->u->args[n->b], n->n) & x->set);
    return !x->exposed;
}

static void read_expr(struct exposure *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, find_read, x);
}

static bool find_jump(void *user, ir_stmt s) {
    struct exposure *x = user;
    x->jumps |= x->u->stmts[s].kind == IR_BREAK || x->u->stmts[s].kind == IR_CONTINUE;
    return !x->jumps;
}

// for (v = 0; v < the dimension's size; v++)
static bool counts_dim(const struct exposure *x, const struct ir_stmt_node *loop, uint32_t d) {
    uint32_t lo, hi, size;
    return loop->counted.step == 1 && ir_is_const(x->u, loop->counted.lo, &lo) && lo == 0 &&
           ir_is_const(x->u, loop->counted.hi, &hi) && ir_is_const(x->u, x->u->arrays[x->array].dims[d], &size) &&
           hi == size;
}

// Loops around each other, one for each dimension, and in them a store: all of the array is set.
static bool covers(struct exposure *x, ir_stmt s, ir_stmt *loops, uint32_t depth) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_FOR && depth < IR_MAX_DIMS) {
        x->jumps = false;
        ir_walk_stmts(x->u, n->counted.body, find_jump, x);
        loops[depth] = s;
        for (ir_stmt t = n->counted.body; t && !x->jumps; t = x->u->stmts[t].next)
            if (covers(x, t, loops, depth + 1)) return true;
    }
    if (n->kind != IR_STORE || n->store.array != x->array || n->store.index_count != depth) return false;
    uint32_t used = 0;
    for (uint32_t d = 0; d < depth; d++) {
        const struct ir_node *index = &x->u->nodes[x->u->args[n->store.indices + d]];
        for (uint32_t at = 0; at < depth; at++) {
            const struct ir_stmt_node *loop = &x->u->stmts[loops[at]];
            if (index->op == IR_VAR && loop->counted.var == index->a && counts_dim(x, loop, d)) used |= 1u << at;
        }
    }
    return used == (1u << depth) - 1;
}

static bool set_by(struct exposure *x, ir_stmt block);

// Whichever of the branches is taken.
static bool set_by_branch(struct exposure *x, const struct ir_stmt_node *n) {
    uint64_t before = x->set, then;
    bool yes = set_by(x, n->branch.then_block), no;
    then = yes ? x->full : x->set;
    x->set = before;
    no = set_by(x, n->branch.else_block);
    x->set = then & (no ? x->full : x->set);
    return yes && no;
}

static bool set_by_write(struct exposure *x, const struct ir_stmt_node *n) {
    struct ir_write w = ir_write_of(n);
    for (uint32_t i = 0; i < w.index_count; i++)
        read_expr(x, x->u->args[w.indices + i]);
    read_expr(x, w.value);
    if (x->var) return ir_written_var(n) == x->var;
    if (w.array != x->array) return false;
    uint64_t bit = bit_of(x, &x->u->args[w.indices], w.index_count);
    x->exposed |= n->kind == IR_ATOMIC && !(bit & x->set);
    x->set |= bit;
    return x->full && x->set == x->full;
}

// True where all of it is surely set when the block ends; jumps count as never ending.
static bool set_by(struct exposure *x, ir_stmt block) {
    bool is_set = false;
    for (ir_stmt s = block; s && !is_set && !x->exposed; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt loops[IR_MAX_DIMS];
        uint64_t before = x->set;
        switch (n->kind) {
        case IR_ASSIGN:
            read_expr(x, n->assign.value);
            is_set = x->var && n->assign.var == x->var;
            break;
        case IR_STORE:
        case IR_ATOMIC: is_set = set_by_write(x, n); break;
        case IR_IF:
            read_expr(x, n->branch.cond);
            is_set = set_by_branch(x, n);
            break;
        case IR_FOR:
            read_expr(x, n->counted.lo);
            read_expr(x, n->counted.hi);
            set_by(x, n->counted.body);
            x->set = before; // there may be no pass
            is_set = x->array && covers(x, s, loops, 0);
            break;
        case IR_LOOP:
            read_expr(x, n->loop.cond);
            if (!set_by(x, n->loop.body)) set_by(x, n->loop.continuing);
            x->set = before;
            break;
        case IR_PARFOR:
            for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
                read_expr(x, x->u->dims[n->parfor.dims + d].lo);
                read_expr(x, x->u->dims[n->parfor.dims + d].hi);
            }
            set_by(x, n->parfor.body);
            x->set = before;
            break;
        case IR_BREAK:
        case IR_CONTINUE: return true;
        default: break;
        }
    }
    return is_set;
}

static bool is_exposed(struct lower *lw, const struct lower_slot *slot, ir_stmt body) {
    struct exposure x = {.u = lw->u, .var = slot->array ? 0 : slot->var, .array = slot->array};
    uint64_t count = 1;
    uint32_t size = 0;
    for (uint32_t d = 0; slot->array && d < lw->u->arrays[slot->array].ndims; d++)
        count = ir_is_const(lw->u, lw->u->arrays[slot->array].dims[d], &size) && size <= FEW ? count * size : FEW + 1;
    if (count <= FEW) x.full = ~UINT64_C(0) >> (FEW - count);
    set_by(&x, body);
    return x.exposed;
}

static bool any_exposed(struct lower *lw, const struct lower_object *object, bool arrays, ir_stmt body) {
    for (uint32_t k = 0; k < object->count; k++)
        for (const struct lower_slot *slot = &object->slots[k]; slot; slot = slot->high)
            if (arrays ? slot->array && is_exposed(lw, slot, body)
                       : !slot->array && slot->var && is_exposed(lw, slot, body))
                return true;
    return false;
}

static void go_on(struct lower *lw, const struct lower_binding *b) {
    const char *name = b->symbol->name;
    bool copied = b->sharing & FRONT_OMP_FIRSTPRIVATE;
    if (!copied && lower_learn_per_thread(lw, b->outer)) return;
    base_unsupported(lw->cx, b->symbol->loc,
                     "each thread carries '%s' from one iteration of a worksharing loop to the next: %s", name,
                     copied ? "firstprivate belongs on the `parallel` around the loop"
                            : "this comes in a later version; make it a reduction, or declare it inside the loop");
}

// Iterations may know where a thread's share begins.
static bool are_dealt(const struct front_omp *omp) { return omp->chunk || omp->num_threads; }

void lower_carried_check(struct lower *lw, const struct lower_bindings *list, const struct front_node *loop,
                         const struct front_node *body_node, ir_stmt body) {
    bool knows = lower_sees_threads(lw, body_node) || are_dealt(loop->omp) || are_dealt(lw->team_region->omp);
    for (uint32_t arrays = 0; arrays < 2; arrays++)
        for (uint32_t i = 0; i < list->count; i++) {
            const struct lower_binding *b = &list->items[i];
            bool copied = b->sharing & FRONT_OMP_FIRSTPRIVATE && lower_changes(body_node, b->symbol);
            bool asks =
                copied || (b->made_varying && (!arrays || knows || lower_holds(lw->team_region, loop, b->symbol)));
            if (!asks || !any_exposed(lw, b->own, arrays, body)) continue;
            go_on(lw, b);
            knows = true;
        }
}

// ---- from a pass of a loop in the region to the next ----------------------------------------------------------------

void lower_set_varying(struct lower *lw, struct lower_object *object) {
    object->varying = true;
    BASE_RESERVE(lw->cx, lw->varied, lw->varied_count, lw->varied_cap);
    lw->varied[lw->varied_count++] = object;
}

// A loop around worksharing loops: what one of these leaves in a thread's variable, the next pass may use before it is
// set.
void lower_came_round(struct lower *lw, ir_stmt loop) {
    if (!lw->team_region || lw->in_parfor || lw->in_single) return;
    for (uint32_t i = 0; i < lw->varied_count; i++) {
        struct lower_object *object = lw->varied[i];
        if (!object->varying || object->ident->per_thread) continue;
        if (any_exposed(lw, object, false, loop) || any_exposed(lw, object, true, loop))
            (void)lower_learn_per_thread(lw, object);
    }
}

// A loop that one thread makes in order, for all: `first` and those behind it are the threads' variables that it set.
bool lower_goes_on_alone(struct lower *lw, uint32_t first, const struct front_omp *omp, ir_stmt loop) {
    bool goes_on = false;
    for (uint32_t i = first; i < lw->set_alone_count; i++)
        goes_on |= any_exposed(lw, lw->set_alone[i], false, loop) || any_exposed(lw, lw->set_alone[i], true, loop);
    for (uint32_t i = 0; i < omp->var_count; i++)
        goes_on |= omp->vars[i].sharing & FRONT_OMP_FIRSTPRIVATE && lower_changes(omp->body, omp->vars[i].symbol);
    return goes_on;
}

// ---- copies of `parallel for` ---------------------------------------------------------------------------------------

// What iterations of `parallel for` may go on with, though a clause makes it private.
static bool goes_on(const struct front_omp *omp, const struct front_omp_var *v) {
    bool asks = v->sharing == FRONT_OMP_FIRSTPRIVATE ||
                (v->sharing == FRONT_OMP_PRIVATE && v->symbol->type->kind == FRONT_ARRAY && are_dealt(omp));
    return asks && lower_changes(omp->body, v->symbol);
}

// `parallel for` with such variables: a region whose threads have them, and the loop in that.
bool lower_split_copies(struct lower *lw, struct front_node *node) {
    struct front_omp *omp = node->omp;
    struct front_omp_var *taken = base_alloc_array(lw->cx, omp->var_count + 1, sizeof *taken);
    uint32_t count = 0, left = 0;
    for (uint32_t i = 0; i < omp->var_count; i++)
        if (goes_on(omp, &omp->vars[i]))
            taken[count++] = omp->vars[i];
        else
            omp->vars[left++] = omp->vars[i];
    if (!count) return false;
    struct front_omp *region = base_alloc(lw->cx, sizeof *region);
    *region = *omp;
    region->constructs = FRONT_OMP_PARALLEL;
    region->vars = taken;
    region->var_count = count;
    omp->var_count = left;
    omp->constructs &= ~(uint32_t)FRONT_OMP_PARALLEL;
    omp->num_threads = omp->if_expr = NULL;
    omp->outer = region;
    struct front_node *loop = base_alloc(lw->cx, sizeof *loop);
    *loop = *node;
    loop->next = NULL;
    region->body = loop;
    node->omp = region;
    return true;
}
