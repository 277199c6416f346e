// `#pragma omp critical` and `ordered`. A GPU has no locks that iterations could wait at, so there a section of updates
// becomes atomic ones, and a loop with `ordered` is made in order. The CPU compiles both as they stand; what is lowered
// of them then is for those who look for races.
#include "front/lower/lower_best.h"

#include <string.h>

static const struct lower_flow on = {.falls = true};

static uint32_t lock_of(struct lower *lw, const char *name) {
    for (uint32_t i = 0; i < lw->lock_count; i++)
        if (strcmp(lw->locks[i], name) == 0) return i + 1;
    BASE_RESERVE(lw->cx, lw->locks, lw->lock_count, lw->lock_cap);
    lw->locks[lw->lock_count++] = name;
    return lw->lock_count;
}

struct lower_flow lower_locked(struct lower *lw, struct front_node *body, const char *lock, base_loc loc) {
    bool before = lw->in_critical;
    lower_mark(lw, IR_MARK_LOCK, lock_of(lw, lock), loc);
    lw->in_critical = lw->u->locks = true;
    struct lower_flow flow = lower_statement(lw, body);
    lw->in_critical = before;
    lower_mark(lw, IR_MARK_UNLOCK, 0, loc);
    return flow;
}

// ---- sections in parts ----------------------------------------------------------------------------------------------

// What a section changes in parts, nothing else in it may see. The text tells by names; of another name for the same
// memory, and of what functions use, only what became of it does.
struct seen {
    struct lower *lw;
    base_loc loc;
    ir_stmt first;
    const struct ir_stmt_node *update;
    ir_array array;
    bool is_list;
};

static bool find_list(void *user, ir_stmt s) {
    struct lower *lw = user;
    const struct ir_stmt_node *n = &lw->u->stmts[s];
    if (n->kind != IR_STORE || lw->u->arrays[n->store.array].of_thread) return true;
    BASE_RESERVE(lw->cx, lw->lists, lw->list_count, lw->list_cap);
    lw->lists[lw->list_count++] = n->store.array;
    return true;
}

static bool are_apart(const struct ir_unit *u, uint32_t a, uint32_t b, uint32_t count) {
    uint32_t x, y;
    for (uint32_t i = 0; i < count; i++)
        if (ir_is_const(u, u->args[a + i], &x) && ir_is_const(u, u->args[b + i], &y) && x != y) return true;
    return false;
}

static void refuse(const struct seen *s) {
    base_unsupported(s->lw->cx, s->loc,
                     "this 'critical' changes '%s' and uses it by another name, or in a function that it calls: on a "
                     "GPU its statements are made one by one; use one name in it",
                     s->lw->u->arrays[s->array].name);
}

static bool check_load(void *user, ir_expr e) {
    const struct seen *s = user;
    const struct ir_unit *u = s->lw->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || n->a != s->array) return true;
    if (s->is_list || !are_apart(u, n->b, s->update->atomic.indices, n->n)) refuse(s);
    return true;
}

// By which an update changes the element, also where that is exchanged until nobody comes between (lower_atomic.c).
static uint32_t operator_of(const struct ir_unit *u, const struct ir_stmt_node *n) {
    const struct ir_node *value = &u->nodes[n->atomic.value];
    if (n->atomic.op != IR_SELECT) return n->atomic.op;
    return ir_ops[value->op].arity == 1 ? u->nodes[value->a].op : value->op;
}

static bool check_stmt(void *user, ir_stmt at) {
    const struct seen *s = user;
    const struct ir_unit *u = s->lw->u;
    const struct ir_stmt_node *n = &u->stmts[at];
    if (n->kind == IR_ATOMIC && n->atomic.array == s->array &&
        (s->is_list || (operator_of(u, n) != operator_of(u, s->update) &&
                        !are_apart(u, n->atomic.indices, s->update->atomic.indices, n->atomic.index_count))))
        refuse(s);
    return !(n->kind == IR_ASSIGN && n->flags & IR_FLAG_ATOMIC); // what an update begins with
}

static void check_all(struct seen *s) {
    const struct ir_visitor visitor = {.on_stmt = check_stmt, .on_node = check_load, .user = s};
    ir_walk_block(s->lw->u, s->first, &visitor);
}

static bool check_one(void *user, ir_stmt at) {
    struct seen *s = user;
    const struct ir_stmt_node *n = &s->lw->u->stmts[at];
    if (n->kind != IR_ATOMIC) return true;
    s->update = n;
    s->array = n->atomic.array;
    check_all(s);
    return true;
}

static ir_stmt behind(const struct lower *lw, ir_stmt before) {
    return before ? lw->u->stmts[before].next : lw->block->head;
}

static void check_parts(struct lower *lw, ir_stmt before, base_loc loc) {
    struct seen s = {.lw = lw, .loc = loc, .first = behind(lw, before)};
    ir_walk_stmts(lw->u, s.first, check_one, &s);
    s.is_list = true;
    for (uint32_t i = 0; i < lw->list_count; i++) {
        s.array = lw->lists[i];
        check_all(&s);
    }
    lw->list_count = 0;
}

// ---- several sections -----------------------------------------------------------------------------------------------

// Under one lock a section sees all of another one or nothing of it. Here none waits, so one that is made of several
// updates can be seen half done; and whoever looks twice, or looks and updates, may find another one between. What a
// section loads and updates is noted where it stands, and told from the others' at the end of the loop.
struct lower_section {
    uint32_t lock;
    base_loc loc;
    uint32_t first, count, updates; // in lw->touched; a loop updates often
};

static void touch(struct lower *lw, ir_array array, uint32_t indices, uint32_t count, bool updates) {
    BASE_RESERVE(lw->cx, lw->touched, lw->touched_count, lw->touched_cap);
    lw->touched[lw->touched_count++] = (struct lower_touch){array, indices, count, updates};
}

static bool touch_load(void *user, ir_expr e) {
    struct lower *lw = user;
    const struct ir_node *n = &lw->u->nodes[e];
    if (n->op == IR_LOAD && lw->u->arrays[n->a].klass != IR_ARRAY_LOCAL) touch(lw, n->a, n->b, n->n, false);
    return true;
}

static bool touch_update(void *user, ir_stmt s) {
    struct lower *lw = user;
    const struct ir_stmt_node *n = &lw->u->stmts[s];
    struct lower_section *section = &lw->sections[lw->section_count - 1];
    if (n->kind == IR_FOR || n->kind == IR_LOOP) section->updates++;
    if (n->kind == IR_ATOMIC) touch(lw, n->atomic.array, n->atomic.indices, n->atomic.index_count, true);
    if (n->kind == IR_ATOMIC) section->updates++;
    return !(n->kind == IR_ASSIGN && n->flags & IR_FLAG_ATOMIC);
}

static void note_section(struct lower *lw, ir_stmt before, uint32_t lock, base_loc loc) {
    if (lw->user->target.cpu_only) return;
    const struct ir_visitor visitor = {.on_stmt = touch_update, .on_node = touch_load, .user = lw};
    BASE_RESERVE(lw->cx, lw->sections, lw->section_count, lw->section_cap);
    struct lower_section *s = &lw->sections[lw->section_count++];
    *s = (struct lower_section){.lock = lock, .loc = loc, .first = lw->touched_count};
    ir_walk_block(lw->u, behind(lw, before), &visitor);
    s->count = lw->touched_count - s->first;
}

// The last section but `own` that updates what is loaded.
static const struct lower_section *find_writer(const struct lower *lw, const struct lower_section *own,
                                               const struct lower_touch *load) {
    const struct lower_section *found = NULL;
    for (const struct lower_section *s = lw->sections; s < lw->sections + lw->section_count; s++)
        for (uint32_t i = s->first; s != own && s->lock == own->lock && i < s->first + s->count; i++) {
            const struct lower_touch *t = &lw->touched[i];
            bool same = t->updates && t->array == load->array;
            if (same && !are_apart(lw->u, t->indices, load->indices, t->count)) found = s;
        }
    return found;
}

void lower_sections_check(struct lower *lw) {
    for (uint32_t k = 0; k < lw->section_count; k++) {
        const struct lower_section *s = &lw->sections[k];
        uint32_t looks = 0;
        for (uint32_t i = s->first; i < s->first + s->count; i++) {
            const struct lower_touch *t = &lw->touched[i];
            const struct lower_section *other = t->updates ? NULL : find_writer(lw, s, t);
            if (!other || (++looks == 1 && !s->updates && other->updates == 1)) continue;
            base_unsupported(lw->cx, s->loc,
                             "this 'critical' uses '%s', which another one in the loop changes: on a GPU sections do "
                             "not wait for each other, so it may find half of what the other one does; use it behind "
                             "the loop, or in a loop of its own",
                             lw->u->arrays[t->array].name);
            break;
        }
    }
    lw->section_count = lw->touched_count = 0;
}

struct lower_flow lower_parts(struct lower *lw, struct front_node *block) {
    ir_stmt before = lw->block->tail;
    lw->in_parts = true;
    struct lower_flow flow = lower_list(lw, block->a, NULL);
    lw->in_parts = false;
    check_parts(lw, before, block->loc);
    note_section(lw, before, lock_of(lw, block->omp->lock), block->loc);
    return flow;
}

// ---- all of one -----------------------------------------------------------------------------------------------------

struct lower_flow lower_critical(struct lower *lw, struct front_node *node) {
    struct front_node *body = node->omp->body;
    base_loc loc = node->omp->loc;
    struct lower_flow flow = on;
    lower_mark(lw, IR_MARK_LOCK, lock_of(lw, node->omp->lock), loc);
    ir_stmt before = lw->block->tail;
    bool is_best = lw->in_parfor && lower_is_best_section(lw, node), notes = lw->in_parfor && !lw->in_parts;
    if (!lw->in_parfor || is_best) { // one thread, in order; or its own
        bool was = lw->in_best;
        lw->in_best = is_best;
        flow = lower_statement(lw, body);
        lw->in_best = was;
    } else if (node->omp->append && !lw->user->target.cpu_only) {
        lower_append(lw, node->omp);
        ir_walk_stmts(lw->u, behind(lw, before), find_list, lw);
        if (!lw->in_parts) check_parts(lw, before, loc);
    } else if (lower_is_updates(lw, body)) {
        lower_updates(lw, body);
        if (!lw->in_parts && !lw->user->target.cpu_only) check_parts(lw, before, loc);
    } else if (!lw->user->target.cpu_only && lower_exchange(lw, node->omp)) {
        if (!lw->in_parts) check_parts(lw, before, loc);
    } else {
        lower_best_refuse_chosen(lw, body, loc);
        if (!lw->user->target.cpu_only)
            base_unsupported(
                lw->cx, loc,
                "this 'critical' is for the CPU alone: on a GPU a section can add, subtract, combine by & | ^, append "
                "to a list that has room, as in 'list[count++] = i;', change one integer, or keep the smallest or "
                "largest of all and some numbers beside it, as in 'if (v > most) { most = v; at = i; }', where nothing "
                "else of the loop uses these (of an array keep the place, and copy it behind the loop); use a "
                "reduction clause, or give each thread its own, and join these behind the loop in a critical section");
        flow = lower_locked(lw, body, node->omp->lock, loc);
    }
    if (notes) note_section(lw, before, lock_of(lw, node->omp->lock), loc);
    lower_mark(lw, IR_MARK_UNLOCK, 0, loc);
    return flow;
}

// Where iterations are made in order, nothing has to wait. Elsewhere - the CPU does it, and this is for those who look
// for races - a lock says that iterations come here one at a time.
struct lower_flow lower_ordered(struct lower *lw, struct front_node *node) {
    base_loc loc = node->omp->loc;
    if (!lw->in_parfor || lw->in_passes) return lower_statement(lw, node->omp->body);
    return lower_locked(lw, node->omp->body, node->omp->lock, loc);
}
