// Critical sections that change one word, by whatever they know of it:
//
//     critical                              |   was = bins[k];
//     if (bins[k] < limit) bins[k]++;       |   do {
//                                           |       now = was;
//                                           |       if (now < limit) now++;
//                                           |   } while (now != was && !(bins[k] was still `was`, and is now `now`));
//
// The section is made with a variable in the word's place, and its result is stored if the word is still what it was;
// else all is made once more, with what it is. So nobody comes between. What else the section sets are variables that
// it declares.
#include "front/lower/lower_omp.h"
#include "front/lower/lower_update.h"

struct section {
    struct front_node *first, *x; // from the statement on that names the word; the word
    uint32_t named;               // how often it does
    bool other;
};

struct setter {
    const struct front_symbol *symbol;
    bool is_declared, is_set;
};

static bool find_setter(void *user, const struct front_node *n) {
    struct setter *q = user;
    if (n->kind == FRONT_DECL) q->is_declared |= n->symbol == q->symbol;
    if (n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP) q->is_set |= lower_base_of(n->a) == q->symbol;
    return true;
}

static struct setter setter_of(const struct section *s, const struct front_symbol *symbol) {
    struct setter q = {.symbol = symbol};
    for (const struct front_node *n = s->first; n; n = n->next)
        lower_scan(n, find_setter, &q);
    return q;
}

static bool find_word(void *user, const struct front_node *n) {
    struct section *s = user;
    bool sets = n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP;
    if (sets && !(n->a->kind == FRONT_VAR && setter_of(s, n->a->symbol).is_declared)) {
        if (!s->x) s->x = n->a;
        s->other |= !lower_base_of(n->a) || !lower_same(n->a, s->x);
    }
    s->other |= n->kind == FRONT_CALL || (n->kind >= FRONT_WHILE && n->kind != FRONT_EMPTY);
    return !s->other;
}

static bool count_words(void *user, const struct front_node *n) {
    struct section *s = user;
    if (!lower_same(n, s->x)) return true;
    s->named++;
    return false;
}

static bool is_fixed(void *user, const struct front_node *n) {
    struct section *s = user;
    if (n->kind != FRONT_VAR || n->symbol == lower_base_of(s->x)) return true;
    struct setter q = setter_of(s, n->symbol);
    s->other |= q.is_declared || q.is_set;
    return true;
}

static bool reads_section(struct section *s, struct front_node *body) {
    struct front_node *all = body->kind == FRONT_BLOCK ? body->a : body;
    uint32_t mentions = 0;
    s->first = all;
    if (body->kind != FRONT_BLOCK && body->next) return false;
    for (const struct front_node *n = all; n; n = n->next)
        lower_scan(n, find_word, s);
    if (!s->x || s->other) return false;
    const struct front_symbol *base = lower_base_of(s->x);
    for (; s->first->kind == FRONT_DECL && !lower_mentions(s->first, base); s->first = s->first->next) {
    }
    for (const struct front_node *n = s->first; n; n = n->next) {
        lower_scan(n, count_words, s);
        mentions += lower_count_mentions(n, base);
    }
    lower_scan(s->x, is_fixed, s);
    return !s->other && mentions == s->named * lower_count_mentions(s->x, base);
}

// One try: what becomes of what it was.
static ir_expr made(struct lower *lw, const struct section *s, ir_expr was, base_loc loc) {
    struct lower_object *own = lower_object_create(lw, "now", NULL, &s->x->op, s->x->type, loc);
    struct lower_place place = lower_whole(own);
    lower_store_place(lw, &place, (struct lower_value){.type = s->x->type, .e = was}, loc);
    lw->exchanged = s->x;
    lw->exchanged_own = lower_ptr_to(lw, place);
    lower_list(lw, s->first, NULL);
    lw->exchanged = NULL;
    return lower_load_place(lw, &place, loc);
}

ir_expr lower_try_begin(struct lower *lw, struct lower_try *t, base_loc loc) {
    struct ir_unit *u = lw->u;
    enum ir_type have = ir_elem_type((enum whorl_dtype)u->arrays[t->array].elem);
    for (uint32_t i = 0; i < t->n; i++)
        t->idx[i] = lower_snapshot(lw, t->idx[i], loc);
    u->arrays[t->array].atomic = true;
    t->old = lower_new_var(lw, "old", have, IR_VAR_LOCAL, loc);
    t->again = lower_new_var(lw, "again", IR_BOOL, IR_VAR_LOCAL, loc);
    t->was = ir_var_read(u, t->old, loc);
    lower_emit(lw, ir_assign(u, t->old, ir_load(u, t->array, t->idx, t->n, loc), loc));
    u->stmts[lw->block->tail].flags |= IR_FLAG_ATOMIC;
    lower_emit(lw, ir_assign(u, t->again, ir_const(u, IR_BOOL, 1), loc));
    t->body = (struct lower_block){0, 0};
    t->before = lower_enter(lw, &t->body);
    return t->was;
}

void lower_try_end(struct lower *lw, struct lower_try *t, ir_expr next, base_loc loc) {
    struct ir_unit *u = lw->u;
    enum ir_type have = (enum ir_type)u->vars[t->old].type;
    ir_expr now = lower_snapshot(lw, lower_as(lw, next, have, loc), loc), again = ir_var_read(u, t->again, loc);
    ir_var found = lower_new_var(lw, "found", have, IR_VAR_LOCAL, loc);
    ir_expr is = ir_var_read(u, found, loc);
    lower_emit(lw, ir_assign(u, t->again, lower_fold2(lw, IR_NE, now, t->was, loc), loc));
    struct lower_block differs = {0, 0};
    struct lower_block *before = lower_enter(lw, &differs);
    ir_stmt swap = ir_atomic(u, t->array, t->idx, t->n, IR_SELECT, now, found, loc);
    u->stmts[swap].atomic.expected = t->was;
    lower_emit(lw, swap);
    lower_emit(lw, ir_assign(u, t->again, lower_fold2(lw, IR_NE, is, t->was, loc), loc));
    lower_emit(lw, ir_assign(u, t->old, is, loc));
    lower_leave(lw, before);
    lower_emit(lw, ir_if(u, again, differs.head, 0, loc));
    lower_leave(lw, t->before);
    lower_emit(lw, ir_loop(u, again, t->body.head, 0, loc));
}

bool lower_exchange(struct lower *lw, const struct front_omp *omp) {
    struct section s = {.named = 0};
    if (!reads_section(&s, omp->body)) return false;
    const struct front_type *type = s.x->type;
    if (!front_is_integer(type) || type->kind == FRONT_BOOL || lower_is_wide(type)) return false;
    struct front_node *body = omp->body;
    for (struct front_node *t = body->kind == FRONT_BLOCK ? body->a : body; t != s.first; t = t->next)
        lower_statement(lw, t);
    struct lower_ptr *to = lower_lvalue(lw, s.x);
    if (!lower_atomic_prepare(lw, to, omp->loc)) return true;
    const struct lower_place *place = &to->targets[0];
    if (to->count != 1 || !place->object || place->object->is_const ||
        lower_atomic_is_private(lw, place->object, &place->object->slots[place->leaf]))
        return false;
    struct lower_try t;
    t.array = lower_element_indices(lw, place, t.idx, &t.n, omp->loc);
    if (!ir_atomic_allowed(IR_SELECT, (enum whorl_dtype)lw->u->arrays[t.array].elem)) return false;
    ir_expr was = lower_as(lw, lower_try_begin(lw, &t, omp->loc), lower_carrier(type), omp->loc);
    lower_try_end(lw, &t, made(lw, &s, was, omp->loc), omp->loc);
    return true;
}
