// Which critical sections take over what is better, read from their text:
//
//     if (value > high) { high = value; place = i; }
//     if (value > high || (value == high && i < place)) { high = value; place = i; }
//     if (here.distance < best.distance) best = here;
//
// and the smaller or larger of two, `high = fmaxf(high, value)` written out. Each iteration can then look for itself,
// beginning with what was kept before the loop, and the best of all is found behind it. This is so only where nothing
// else of the loop sees what is kept, and where better is better by a strict order: a value that is as good as the one
// kept leaves it.
#include "front/lower/lower_best.h"

#include <string.h>

enum { MOST_SEEN = 128 };

struct search {
    struct lower *lw;
    const struct front_omp *omp;
    const struct front_node *body;
    struct lower_bests *out;
    const struct front_node *seen[MOST_SEEN]; // parts that may name what is kept
    uint32_t seen_count;
    const struct front_symbol *names[MOST_SEEN]; // of what is kept, at the places of sections
    uint32_t name_count;
    const struct front_function *function; // whose text is read; NULL: the loop's own
    const struct front_node *call;         // of it, in the loop's body; NULL: of any
    bool *visited;                         // by symbol id: functions that others call
    bool is_reached;                       // the section at hand, by every iteration
    bool other;                            // a section is of another kind
};

static struct front_node *uncast(struct front_node *n) { // a truth value as an int, and back
    while (n->kind == FRONT_CAST && front_is_integer(n->type) && front_is_integer(n->a->type))
        n = n->a;
    return n;
}

static struct front_node *only_statement(struct front_node *n) {
    while (n && n->kind == FRONT_BLOCK && n->a && !n->a->next)
        n = n->a;
    return n;
}

// ---- places ---------------------------------------------------------------------------------------------------------

// A part of the tree that may name what is kept.
static void see(struct search *s, const struct front_node *n) {
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == n) return;
    if (s->seen_count == MOST_SEEN)
        s->other = true;
    else
        s->seen[s->seen_count++] = n;
}

bool lower_best_is_fixed(struct lower *lw, const struct lower_bests *bests, const struct front_node *n) {
    switch (n->kind) {
    case FRONT_INT: return true;
    case FRONT_VAR:
        return lower_is_from_outside(bests->omp, bests->body, n->symbol) &&
               !lower_writes_reached(lw, bests->body, n->symbol);
    case FRONT_CAST: return lower_best_is_fixed(lw, bests, n->a);
    case FRONT_BINARY: return lower_best_is_fixed(lw, bests, n->a) && lower_best_is_fixed(lw, bests, n->b);
    default: return false;
    }
}

static bool is_fixed_place(const struct search *s, const struct front_node *n) {
    switch (n->kind) {
    case FRONT_VAR:
        return lower_is_from_outside(s->omp, s->body, n->symbol) &&
               (n->symbol->type->kind != FRONT_POINTER || !lower_writes_reached(s->lw, s->body, n->symbol));
    case FRONT_INDEX: return is_fixed_place(s, n->a) && lower_best_is_fixed(s->lw, s->out, n->b);
    case FRONT_CAST: return n->flags & FRONT_FLAG_DECAY && is_fixed_place(s, n->a);
    case FRONT_MEMBER:
    case FRONT_DEREF: return is_fixed_place(s, n->a);
    default: return false;
    }
}

static bool is_of_numbers(struct lower *lw, struct front_type *type) {
    uint32_t count = 0;
    if (type->kind != FRONT_STRUCT) return front_is_arithmetic(type);
    const struct lower_leaf *leaves = lower_leaves(lw, type, &count);
    for (uint32_t i = 0; i < count; i++)
        if (leaves[i].ndims || !front_is_arithmetic(leaves[i].type)) return false;
    return count > 0;
}

// The place is there whatever the loop does: its indices are constants, or the section is always reached.
static bool is_always_there(const struct search *s, const struct front_node *place) {
    for (const struct front_node *n = place; n; n = n->a)
        if (n->kind == FRONT_DEREF || (n->kind == FRONT_INDEX && n->b->kind != FRONT_INT)) return s->is_reached;
    return true;
}

// What it is a part of; NULL: it may be an iteration's own, or one of several.
static const struct lower_object *shared_object(const struct search *s, struct front_node *n) {
    if (!is_of_numbers(s->lw, n->type) || !is_fixed_place(s, n) || !is_always_there(s, n)) return NULL;
    const struct lower_ptr *to = lower_lvalue(s->lw, n);
    const struct lower_object *object = to->count == 1 ? to->targets[0].object : NULL;
    return object && object->var_class == IR_VAR_ENTRY && !object->region_private ? object : NULL;
}

enum { MOST_STEPS = 16 };

// The members and elements that lead from a variable to the place; 0: there are too many.
static uint32_t steps_to(const struct front_node *n, const struct front_node *out[MOST_STEPS]) {
    uint32_t count = 0;
    for (; n && count < MOST_STEPS; n = n->a)
        if (n->kind != FRONT_CAST) out[count++] = n;
    return n ? 0 : count;
}

// Of one thing, elements of different constant indices or different members somewhere on the way.
bool lower_are_apart(const struct front_node *a, const struct front_node *b) {
    const struct front_node *to_a[MOST_STEPS], *to_b[MOST_STEPS];
    uint32_t x = steps_to(a, to_a), y = steps_to(b, to_b);
    while (x && y) {
        const struct front_node *s = to_a[--x], *t = to_b[--y];
        if (s->kind != t->kind || (s->kind == FRONT_VAR && s->symbol != t->symbol)) return false;
        if (s->kind == FRONT_MEMBER && s->field != t->field) return !s->a->type->record->is_union;
        if (s->kind != FRONT_INDEX || lower_same(s->b, t->b)) continue;
        if (s->b->kind == FRONT_INT && t->b->kind == FRONT_INT) return s->b->integer != t->b->integer;
    }
    return false;
}

// ---- one statement --------------------------------------------------------------------------------------------------

enum front_op lower_best_comparison(struct front_node *test, struct front_node **a, struct front_node **b) {
    static const struct {
        const char *name;
        enum front_op op;
    } of_pairs[] = {{"__wp_lt", FRONT_OP_LT}, {"__wp_gt", FRONT_OP_GT}, {"__wp_eq", FRONT_OP_EQ}};
    struct front_node *n = uncast(test);
    if (n->kind == FRONT_BINARY) {
        *a = n->a;
        *b = n->b;
        return (enum front_op)n->op;
    }
    if (n->kind != FRONT_CALL || !n->symbol->builtin) return FRONT_OP_NONE;
    for (size_t i = 0; i < sizeof of_pairs / sizeof *of_pairs; i++)
        if (strcmp(n->symbol->name, of_pairs[i].name) == 0) {
            *a = n->a;
            *b = n->a->next;
            return of_pairs[i].op;
        }
    return FRONT_OP_NONE;
}

// Small integers are compared as int, which changes nothing.
static const struct front_node *without_promotion(const struct front_node *n) {
    while (n->kind == FRONT_CAST && n->type->kind == FRONT_I32 && front_is_integer(n->a->type) &&
           front_int_bits(n->a->type) < 32 && n->a->type->kind != FRONT_BOOL)
        n = n->a;
    return n;
}

static bool is_of_field(const struct lower_best_field *f, const struct front_node *value,
                        const struct front_node *place) {
    place = without_promotion(place);
    value = without_promotion(value);
    while (place->kind == FRONT_MEMBER && value->kind == FRONT_MEMBER && place->field == value->field &&
           !lower_same(place, f->place)) {
        place = place->a;
        value = value->a;
    }
    return lower_same(place, f->place) && lower_same(value, f->value);
}

// The field of which `a` is the value and `b` the place, or the other way round, or the same member of both; -1: none.
static int field_of(const struct lower_best *best, const struct front_node *a, const struct front_node *b,
                    bool *out_swapped) {
    for (uint32_t k = 0; k < best->field_count; k++) {
        *out_swapped = is_of_field(&best->fields[k], b, a);
        if (*out_swapped || is_of_field(&best->fields[k], a, b)) return (int)k;
    }
    return -1;
}

// value > place, or value > place || (value == place && ...)
static bool read_keys(struct front_node *test, struct lower_best *best) {
    struct front_node *n = uncast(test), *rest = NULL, *a, *b;
    bool swapped;
    if (n->kind == FRONT_LOGIC && n->op == FRONT_OP_LOR) {
        rest = uncast(n->b);
        n = n->a;
    }
    enum front_op op = lower_best_comparison(n, &a, &b);
    int field = op == FRONT_OP_LT || op == FRONT_OP_GT ? field_of(best, a, b, &swapped) : -1;
    if (field < 0 || best->key_count == LOWER_BEST_KEYS) return false;
    const struct front_node *place = without_promotion(swapped ? a : b);
    best->keys[best->key_count++] = (struct lower_best_key){(uint32_t)field, place, (op == FRONT_OP_GT) != swapped};
    if (!rest) return true;
    if (rest->kind != FRONT_LOGIC || rest->op != FRONT_OP_LAND) return false;
    if (lower_best_comparison(rest->a, &a, &b) != FRONT_OP_EQ || field_of(best, a, b, &swapped) != field) return false;
    return lower_same(without_promotion(swapped ? a : b), place) && read_keys(rest->b, best);
}

// A function that is handed memory to change may give another value the next time.
static bool find_changing_call(void *user, const struct front_node *n) {
    const struct front_type *f = n->kind == FRONT_CALL ? n->symbol->type : NULL;
    for (uint32_t i = 0; f && i < f->param_count; i++)
        *(bool *)user |= f->params[i]->kind == FRONT_POINTER && !(f->params[i]->base->quals & FRONT_CONST);
    return true;
}

static bool is_steady(const struct front_node *value) {
    bool changes = false;
    lower_scan(value, find_changing_call, &changes);
    return !changes;
}

static struct front_node *outside(const struct search *s, struct front_node *place) {
    return s->function ? lower_best_outside(s->lw, s->call, place) : place;
}

static bool add_field(struct search *s, struct front_node *place, struct front_node *value, struct lower_best *best) {
    struct front_node *outer = outside(s, place);
    const struct lower_object *object = outer ? shared_object(s, outer) : NULL;
    if (!object || !value || !is_steady(value) || best->field_count == LOWER_BEST_FIELDS) return false;
    for (uint32_t k = 0; k < best->field_count; k++)
        if (best->fields[k].object == object && !lower_are_apart(outside(s, best->fields[k].place), outer))
            return false;
    best->fields[best->field_count++] = (struct lower_best_field){.place = place, .value = value, .object = object};
    return true;
}

static void add_name(struct search *s, const struct front_node *place) {
    if (s->name_count == MOST_SEEN)
        s->other = true;
    else
        s->names[s->name_count++] = lower_base_of(place);
}

// What was read in a function, as it is called around the call.
static void say_outside(struct search *s, struct lower_best *best) {
    for (uint32_t k = 0; k < best->field_count; k++) {
        struct front_node *place = best->fields[k].place, *base = place;
        while (base->kind != FRONT_VAR)
            base = base->a;
        if (outside(s, base) != base) see(s, outside(s, base));
        best->fields[k].place = outside(s, place);
        add_name(s, place);
        add_name(s, best->fields[k].place);
    }
    for (uint32_t k = 0; k < best->key_count; k++)
        best->keys[k].place = outside(s, (struct front_node *)(uintptr_t)best->keys[k].place);
}

static bool read_fields(struct search *s, struct front_node *body, struct lower_best *best) {
    struct front_node *first = body->kind == FRONT_BLOCK ? body->a : body;
    for (struct front_node *n = first; n; n = body->kind == FRONT_BLOCK ? n->next : NULL) {
        struct front_node *set = n->kind == FRONT_EXPR && n->a->kind == FRONT_ASSIGN ? n->a : NULL;
        if (!set || !add_field(s, set->a, set->b, best)) return false;
    }
    for (uint32_t k = 0; k < best->field_count; k++)
        for (uint32_t f = 0; f < best->field_count; f++)
            if (lower_mentions(best->fields[k].value, lower_base_of(best->fields[f].place))) return false;
    return best->field_count > 0;
}

bool lower_best_extreme_call(struct front_node *n, struct lower_update *out) {
    static const struct {
        const char *name;
        enum front_op op;
    } functions[] = {{"fmaxf", FRONT_OP_MAX}, {"fmax", FRONT_OP_MAX}, {"__wp_fmax", FRONT_OP_MAX},
                     {"fminf", FRONT_OP_MIN}, {"fmin", FRONT_OP_MIN}, {"__wp_fmin", FRONT_OP_MIN}};
    struct front_node *set = lower_expression_of(n), *call = set && set->kind == FRONT_ASSIGN ? set->b : NULL;
    while (call && call->kind == FRONT_CAST && call->a->type->kind == call->type->kind)
        call = call->a;
    if (!call || call->kind != FRONT_CALL || !call->symbol->builtin) return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(call->symbol->name, functions[i].name) != 0) continue;
        bool first = lower_same(call->a, set->a);
        *out = (struct lower_update){.x = set->a, .e = first ? call->a->next : call->a, .op = functions[i].op};
        return first || lower_same(call->a->next, set->a);
    }
    return false;
}

static bool read_statement(struct search *s, struct front_node *n, struct lower_best *best) {
    struct lower_update up = {0};
    *best = (struct lower_best){.field_count = 0};
    bool reads = lower_read_update(n, &up) || lower_best_extreme_call(n, &up);
    if (reads && (up.op == FRONT_OP_MIN || up.op == FRONT_OP_MAX)) {
        best->keys[best->key_count++] = (struct lower_best_key){0, up.x, up.op == FRONT_OP_MAX};
        return add_field(s, up.x, up.e, best) && !lower_mentions(up.e, lower_base_of(up.x));
    }
    return n->kind == FRONT_IF && !n->c && read_fields(s, n->b, best) && read_keys(n->a, best);
}

// ---- all of a loop --------------------------------------------------------------------------------------------------

static bool same_order(const struct lower_best *a, const struct lower_best *b) {
    if (a->field_count != b->field_count || a->key_count != b->key_count) return false;
    for (uint32_t k = 0; k < a->field_count; k++)
        if (!lower_same(a->fields[k].place, b->fields[k].place)) return false;
    for (uint32_t k = 0; k < a->key_count; k++)
        if (!lower_same(a->keys[k].place, b->keys[k].place) || a->keys[k].larger != b->keys[k].larger) return false;
    return true;
}

static bool may_meet(const struct lower_best *a, const struct lower_best *b) {
    for (uint32_t k = 0; k < a->field_count; k++)
        for (uint32_t f = 0; f < b->field_count; f++)
            if (a->fields[k].object == b->fields[f].object && !lower_are_apart(a->fields[k].place, b->fields[f].place))
                return true;
    return false;
}

// Several sections may keep the same, in the same order.
static bool add(struct search *s, const struct lower_best *best) {
    for (uint32_t i = 0; i < s->out->count; i++) {
        if (same_order(&s->out->items[i], best)) return true;
        if (may_meet(&s->out->items[i], best)) return false;
    }
    if (s->out->count == LOWER_MOST_BESTS) return false;
    s->out->items[s->out->count++] = *best;
    return true;
}

// The section, or call, stands directly in the body, or a block of it, and nothing before it leaves that.
static bool is_reached(const struct front_node *body, const struct front_node *section) {
    for (const struct front_node *n = body->kind == FRONT_BLOCK ? body->a : body; n; n = n->next) {
        if (n == section || (n->kind == FRONT_EXPR && n->a == section)) return true;
        if (n->kind == FRONT_BLOCK && is_reached(n, section)) return true;
        if (body->kind != FRONT_BLOCK || lower_jumps_out(n)) return false;
    }
    return false;
}

static bool add_section(struct search *s, const struct front_node *section) {
    struct front_node *body = section->omp->body;
    struct front_node *first = body->kind == FRONT_BLOCK ? body->a : body;
    if (s->out->section_count == LOWER_BEST_SECTIONS) return false;
    s->is_reached = s->function ? s->call && is_reached(s->body, s->call) && is_reached(s->function->body, section)
                                : is_reached(s->body, section);
    for (struct front_node *n = first; n; n = body->kind == FRONT_BLOCK ? n->next : NULL) {
        struct lower_best best;
        if (!read_statement(s, n, &best)) return false;
        say_outside(s, &best);
        if (!add(s, &best)) return false;
    }
    bool known = false;
    for (uint32_t i = 0; i < s->out->section_count; i++)
        known |= s->out->sections[i] == section;
    if (!known) s->out->sections[s->out->section_count++] = section;
    see(s, body);
    return true;
}

static bool is_section(const struct lower *lw, const struct front_node *n) {
    return n && n->kind == FRONT_OMP && n->omp->constructs & FRONT_OMP_CRITICAL && !n->omp->append &&
           !lower_is_updates(lw, n->omp->body);
}

static bool find_sections(void *user, const struct front_node *n);

// What a section keeps may be handed to a function by the loop's body itself; what functions of functions keep must be
// at file scope.
static void visit_call(struct search *s, const struct front_node *call) {
    const struct search around = *s;
    const struct front_function *f = call->symbol->function;
    if (!f || !(s->lw->function_facts[f->symbol->id] & LOWER_ACTS)) return;
    if (s->function) {
        if (!s->visited) s->visited = base_alloc_array(s->lw->cx, s->lw->ast->symbol_count + 1, sizeof *s->visited);
        if (s->visited[f->symbol->id]) return;
        s->visited[f->symbol->id] = true;
    }
    s->call = s->function ? NULL : call;
    s->function = f;
    lower_scan(f->body, find_sections, s);
    s->call = around.call;
    s->function = around.function;
}

static bool find_sections(void *user, const struct front_node *n) {
    struct search *s = user;
    if (n->kind == FRONT_CALL) visit_call(s, n);
    if (n->kind == FRONT_IF && !n->c) { // a look before the lock is taken
        const struct front_node *section = only_statement(n->b);
        const struct front_node *inner = is_section(s->lw, section) ? only_statement(section->omp->body) : NULL;
        if (inner && inner->kind == FRONT_IF && lower_same(n->a, inner->a)) see(s, n->a);
    }
    if (!is_section(s->lw, n)) return !s->other;
    s->other |= !add_section(s, n);
    return false;
}

// Nothing else of the body names what the sections keep.
static bool is_seen_elsewhere(const struct search *s, const struct front_symbol *symbol) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < s->seen_count; i++) {
        seen += lower_count_mentions(s->seen[i], symbol);
    }
    return lower_count_reached(s->lw, s->body, symbol) != seen;
}

void lower_bests_collect(struct lower *lw, const struct front_omp *omp, const struct front_node *body,
                         struct lower_rows *rows, struct lower_bests *out) {
    struct search s = {.lw = lw, .omp = omp, .body = body, .out = out};
    *out = (struct lower_bests){.omp = omp, .body = body};
    if (lw->user->target.cpu_only) return; // there a section is one, for those who look for races
    lw->rows = rows;                       // whose updates are none of these
    lower_scan(body, find_sections, &s);
    lw->rows = NULL;
    for (uint32_t i = 0; i < s.name_count && !s.other; i++)
        s.other |= is_seen_elsewhere(&s, s.names[i]);
    if (s.other) out->count = out->section_count = 0;
}
