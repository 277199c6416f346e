// Updates that are reductions: `#pragma omp atomic` and `critical` that only add to a variable, or combine it by & | ^,
// where nothing else of the loop uses it. Nobody can tell in which order these were made. So doubles as pairs of floats
// and 64-bit integers, which have no atomic operation on a GPU, are reduced as if a clause said so.
#include <string.h>

#include "front/lower/lower_omp.h"
#include "front/lower/lower_update.h"

// x = x + e of pairs, which are calls (doubles/pair.c)
bool lower_read_pair_update(struct front_node *n, struct lower_update *out) {
    struct front_node *set = lower_expression_of(n), *call = set && set->kind == FRONT_ASSIGN ? set->b : NULL;
    if (!call || call->kind != FRONT_CALL || !call->symbol->builtin || !call->a || !call->a->next) return false;
    bool adds = strcmp(call->symbol->name, "__wp_add") == 0, first = lower_same(call->a, set->a);
    if (!adds && strcmp(call->symbol->name, "__wp_sub") != 0) return false;
    *out = (struct lower_update){
        .x = set->a, .e = first ? call->a->next : call->a, .op = adds ? FRONT_OP_ADD : FRONT_OP_SUB};
    return first || (adds && lower_same(call->a->next, set->a));
}

// The variable of two words, perhaps, that the statement updates; NULL: it is another statement.
static struct front_symbol *updated(struct front_node *n, enum front_op *out_op) {
    struct lower_update up = {0};
    bool reads = lower_read_pair_update(n, &up) || lower_read_update(n, &up);
    if (!reads || !up.e || up.x->kind != FRONT_VAR || up.op == FRONT_OP_MIN || up.op == FRONT_OP_MAX) return NULL;
    struct front_symbol *symbol = up.x->symbol;
    if (!(front_is_pair(symbol->type) || lower_is_wide(symbol->type)) || lower_mentions(up.e, symbol)) return NULL;
    *out_op = up.op == FRONT_OP_SUB ? FRONT_OP_ADD : up.op;
    return symbol;
}

static bool is_guarded(const struct front_node *n) {
    const uint32_t other = FRONT_ATOMIC_READ | FRONT_ATOMIC_WRITE | FRONT_ATOMIC_CAPTURE | FRONT_ATOMIC_COMPARE;
    if (n->kind != FRONT_OMP) return false;
    return n->omp->constructs & FRONT_OMP_CRITICAL ||
           (n->omp->constructs & FRONT_OMP_ATOMIC && !(n->omp->atomic & other));
}

struct search {
    struct front_omp_var found[LOWER_MOST_IMPLIED];
    uint32_t count, seen[LOWER_MOST_IMPLIED]; // how often the updates name it
};

static void note(struct search *s, struct front_node *statement) {
    enum front_op op = FRONT_OP_NONE;
    struct front_symbol *symbol = updated(statement, &op);
    uint32_t i = 0;
    while (symbol && i < s->count && s->found[i].symbol != symbol)
        i++;
    if (!symbol || i == LOWER_MOST_IMPLIED) return;
    if (i == s->count)
        s->found[s->count++] = (struct front_omp_var){
            .symbol = symbol, .sharing = FRONT_OMP_REDUCTION, .op = (uint8_t)op, .loc = statement->loc};
    if (s->found[i].op != op) return; // it is seen elsewhere, then
    s->seen[i] += lower_count_mentions(statement, symbol);
}

static bool find_updates(void *user, const struct front_node *n) {
    struct search *s = user;
    if (!is_guarded(n)) return true;
    struct front_node *body = n->omp->body;
    for (struct front_node *t = body->kind == FRONT_BLOCK ? body->a : body; t;
         t = body->kind == FRONT_BLOCK ? t->next : NULL)
        note(s, t);
    return false;
}

// Not what functions that the body calls declare.
static bool is_from_outside(const struct front_omp *omp, const struct front_node *body,
                            const struct front_symbol *symbol) {
    bool file_scope = symbol->kind == FRONT_SYM_GLOBAL || symbol->kind == FRONT_SYM_STATIC;
    return lower_is_from_outside(omp, body, symbol) && (file_scope || lower_mentions(body, symbol));
}

// What the text says is found once: names in later runs of the lowering (lower.h) are the clauses' addresses.
static void find(struct lower *lw, struct front_omp *omp, const struct front_node *body) {
    struct search s = {.count = 0};
    lower_scan_reached(lw, body, find_updates, &s);
    omp->implied = base_alloc_array(lw->cx, s.count + 1, sizeof *omp->implied);
    omp->implied_known = true;
    for (uint32_t i = 0; i < s.count; i++)
        if (is_from_outside(omp, body, s.found[i].symbol) &&
            lower_count_reached(lw, body, s.found[i].symbol) == s.seen[i])
            omp->implied[omp->implied_count++] = s.found[i];
}

static bool has_other_name(struct lower *lw, const struct front_node *body, const struct front_symbol *symbol) {
    return symbol->address_taken || lower_count_reached(lw, body, symbol) != lower_count_mentions(body, symbol);
}

void lower_implied_collect(struct lower *lw, struct front_omp *omp, const struct front_node *body,
                           struct lower_bindings *list, struct lower_pair_sums *sums, struct ir_reduction *irs,
                           struct lower_reduced *reduced, uint32_t *count) {
    lw->implied_count = 0;
    lower_taken_begin(lw, omp, body);
    if (lw->user->target.cpu_only) return; // there they are what they are, for those who look for races
    if (!omp->implied_known) find(lw, omp, body);
    for (uint32_t i = 0; i < omp->implied_count; i++) {
        const struct front_omp_var *v = &omp->implied[i];
        const struct lower_object *object = lower_symbol_object(lw, v->symbol, v->loc);
        if (object->var_class != IR_VAR_ENTRY || object->region_private) continue;
        bool copied = lower_reduces_words(lw, v);
        if (!copied && has_other_name(lw, body, v->symbol)) continue; // which would see an iteration's part
        if (copied)
            lower_pairs_add(lw, v, list, sums);
        else
            lower_reduce_begin(lw, v, irs, reduced, count);
        lw->implied_outer[lw->implied_count] = copied ? object : NULL;
        lw->implied[lw->implied_count++] = v->symbol;
    }
}

void lower_implied_check(struct lower *lw, const struct lower_object *object, base_loc loc) {
    for (uint32_t i = 0; i < lw->implied_count; i++)
        if (lw->implied_outer[i] == object)
            base_unsupported(lw->cx, loc,
                             "'%s' is updated under 'atomic' or 'critical' in this loop, and used here by another "
                             "name: use it nowhere else in the loop",
                             object->name);
}

bool lower_is_implied(const struct lower *lw, struct front_node *statement) {
    enum front_op op;
    const struct front_symbol *symbol = lw->implied_count ? updated(statement, &op) : NULL;
    for (uint32_t i = 0; symbol && i < lw->implied_count; i++)
        if (lw->implied[i] == symbol) return true;
    return false;
}
