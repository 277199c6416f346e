// Critical sections in parallel loops of which parts need nothing of each other:
//
//     critical {                            |  {
//         hits++;                           |      critical { hits++; }
//         if (v > 2) total += v;            |      if (v > 2) critical { total += v; }
//         if (v > most) most = v, at = i;   |      critical { if (v > most) most = v, at = i; }
//     }                                     |  }
//
// Updates by one operator come to the same in any order, so nobody can tell that those of a section were not made
// together, as long as nothing else in it names what they change. What else there is stays one section. If that appends
// to lists, `list[count++] = i;`, it need not be one, either: each iteration gets its place by an atomic update of the
// counter, and the lists are seen behind the loop.
#include "front/lower/lower_omp.h"
#include "front/lower/lower_update.h"

enum { MOST_CHANGES = 64 };

struct change {
    const struct front_node *statement, *x; // x: the place
    enum front_op op;                       // NONE: no update
};
struct split {
    const struct front_omp *loop;
    const struct front_node *body, *section; // body: of the loop
    struct change changes[MOST_CHANGES];
    uint32_t count;
    bool other; // too many, or calls
};

static enum front_op operator_of(const struct front_node *statement, struct lower_update *up) {
    struct front_node *n = (struct front_node *)(uintptr_t)statement;
    *up = (struct lower_update){0};
    bool reads = lower_read_pair_update(n, up) || lower_read_update(n, up);
    return !reads || !up->e ? FRONT_OP_NONE : up->op == FRONT_OP_SUB ? FRONT_OP_ADD : up->op;
}

static bool is_own(const struct split *s, const struct front_node *x) {
    if (x->kind != FRONT_VAR) return false;
    return !lower_is_from_outside(s->loop, s->body, x->symbol) ||
           !lower_is_from_outside(s->loop, s->section->omp->body, x->symbol);
}

static void note(struct split *s, const struct front_node *statement, const struct front_node *x, enum front_op op) {
    s->other |= s->count == MOST_CHANGES || !lower_base_of(x);
    if (!s->other) s->changes[s->count++] = (struct change){statement, x, op};
}

static bool find_changes(void *user, const struct front_node *n) {
    struct split *s = user;
    struct lower_update up;
    enum front_op op = n->kind == FRONT_EXPR || n->kind == FRONT_IF ? operator_of(n, &up) : FRONT_OP_NONE;
    s->other |= n->kind == FRONT_CALL && !n->symbol->builtin;
    if (op != FRONT_OP_NONE && !is_own(s, up.x)) {
        note(s, n, up.x, op);
        lower_scan(up.e, find_changes, s);
        return false;
    }
    if ((n->kind == FRONT_ASSIGN || n->kind == FRONT_ASSIGN_OP) && !is_own(s, n->a)) note(s, n, n->a, FRONT_OP_NONE);
    return !s->other;
}

// Nothing that the section changes.
static bool is_free(const struct split *s, const struct front_node *n) {
    for (uint32_t i = 0; n && i < s->count; i++)
        if (lower_mentions(n, lower_base_of(s->changes[i].x))) return false;
    return true;
}

static bool is_free_place(const struct split *s, const struct front_node *x) {
    for (; x && x->kind != FRONT_VAR; x = x->a)
        if (x->b && !is_free(s, x->b)) return false;
    return true;
}

// An update, and all that the section does with what it changes is updating it by this operator.
static bool is_update(const struct split *s, const struct front_node *n) {
    struct lower_update up;
    enum front_op op = operator_of(n, &up);
    if (op == FRONT_OP_NONE || is_own(s, up.x) || !is_free(s, up.e) || !is_free_place(s, up.x)) return false;
    const struct front_symbol *base = lower_base_of(up.x);
    uint32_t named = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (lower_base_of(s->changes[i].x) != base) continue;
        if (s->changes[i].op != op && !lower_are_apart(s->changes[i].x, up.x)) return false;
        named += s->changes[i].op == FRONT_OP_NONE ? 0 : lower_count_mentions(s->changes[i].statement, base);
    }
    return named == lower_count_mentions(s->section->omp->body, base);
}

// Of updates alone, under conditions and in loops that need nothing of what the section changes.
static bool is_apart(const struct split *s, const struct front_node *n) {
    if (!n || n->kind == FRONT_EMPTY || is_update(s, n)) return true;
    switch (n->kind) {
    case FRONT_BLOCK:
        for (const struct front_node *t = n->a; t; t = t->next)
            if (!is_apart(s, t)) return false;
        return true;
    case FRONT_DECL: {
        return is_free(s, n);
    }
    case FRONT_IF: return is_free(s, n->a) && is_apart(s, n->b) && is_apart(s, n->c);
    case FRONT_FOR: return is_apart(s, n->a) && is_free(s, n->b) && is_free(s, n->c) && is_apart(s, n->d);
    case FRONT_EXPR: {
        const struct front_node *set = n->a;
        bool sets = set->kind == FRONT_ASSIGN || set->kind == FRONT_ASSIGN_OP;
        return sets && is_own(s, set->a) && is_free(s, set->b);
    }
    default: return false;
    }
}

// The statements from `n` up to `end` become a section, which stands where the first of them did.
static void enclose(struct lower *lw, const struct front_node *section, struct front_node *n, struct front_node *end) {
    struct front_node *first = base_alloc(lw->cx, sizeof *first), *body = base_alloc(lw->cx, sizeof *body);
    struct front_omp *omp = base_alloc(lw->cx, sizeof *omp);
    *first = *n;
    struct front_node *last = first;
    while (last->next != end)
        last = last->next;
    last->next = NULL;
    *body = (struct front_node){.kind = FRONT_BLOCK, .loc = n->loc, .token = n->token, .a = first};
    *omp = *section->omp;
    omp->body = first->next ? body : first;
    *n = *section;
    n->omp = omp;
    n->next = end;
}

// Of one statement, not of those behind it.
static void enclose_updates(struct lower *lw, const struct split *s, struct front_node *n) {
    if (n && is_update(s, n)) {
        enclose(lw, s->section, n, n->next);
    } else if (n && n->kind == FRONT_BLOCK) {
        for (struct front_node *t = n->a; t; t = t->next)
            enclose_updates(lw, s, t);
    } else if (n && (n->kind == FRONT_IF || n->kind == FRONT_FOR)) {
        enclose_updates(lw, s, n->kind == FRONT_IF ? n->b : n->d);
        enclose_updates(lw, s, n->kind == FRONT_IF ? n->c : NULL);
    }
}

static bool find_branch(void *user, const struct front_node *n) {
    *(bool *)user |= n->kind == FRONT_COND || n->kind == FRONT_LOGIC;
    return true;
}

// Elements that the counter finds, of lists that the loop uses for nothing else.
static bool are_entries(struct lower *lw, const struct split *s, const struct front_symbol *counter) {
    for (uint32_t i = 0; i < s->count; i++) {
        const struct front_node *x = s->changes[i].x;
        const struct front_symbol *base = lower_base_of(x);
        uint32_t named = 0;
        if (base == counter || is_update(s, s->changes[i].statement)) continue;
        for (uint32_t k = 0; k < s->count; k++)
            if (lower_base_of(s->changes[k].x) == base) named += lower_count_mentions(s->changes[k].x, base);
        while (x->kind == FRONT_MEMBER)
            x = x->a;
        if (s->changes[i].statement->kind != FRONT_ASSIGN || x->kind != FRONT_INDEX) return false;
        if (!lower_mentions(x->b, counter) || lower_count_reached(lw, s->body, base) != named) return false;
    }
    return lower_count_reached(lw, s->body, counter) == lower_count_mentions(s->section->omp->body, counter);
}

// The one step of a counter in the statements up to `end`; NULL: there are several, or they do more.
static struct front_node *find_append(struct lower *lw, const struct split *s, const struct front_node *first,
                                      const struct front_node *end) {
    const struct front_node *step = NULL;
    bool branches = false;
    for (const struct front_node *n = first; n != end; n = n->next) {
        if (n->kind != FRONT_EXPR && n->kind != FRONT_DECL) return NULL;
        lower_scan(n, find_branch, &branches);
    }
    for (uint32_t i = 0; i < s->count && !branches; i++) {
        const struct front_node *n = s->changes[i].statement;
        if (n->kind == FRONT_EXPR) n = n->a;
        if (n->kind != FRONT_ASSIGN_OP || is_update(s, s->changes[i].statement)) continue;
        bool adds = n->op == FRONT_OP_ADD || n->op == FRONT_OP_SUB;
        bool is_int = n->calc->kind == FRONT_I32 || n->calc->kind == FRONT_U32 ||
                      lower_can_take(n->a, n->b, (enum front_op)n->op);
        if (step || !adds || !is_int || n->a->kind != FRONT_VAR || !is_free(s, n->b)) return NULL;
        step = n;
    }
    return step && are_entries(lw, s, step->a->symbol) ? (struct front_node *)(uintptr_t)step : NULL;
}

static void split_section(struct lower *lw, struct split *s, struct front_node *section) {
    struct front_node *body = section->omp->body, *first = body->kind == FRONT_BLOCK ? body->a : body, *rest = NULL,
                      *end = NULL;
    s->section = section;
    s->count = 0;
    s->other = false;
    lower_scan(body, find_changes, s);
    bool updates = false;
    for (struct front_node *n = first; n && !s->other; n = n->next) {
        bool apart = is_apart(s, n);
        updates |= apart && n->kind != FRONT_DECL && n->kind != FRONT_EMPTY;
        if (!apart && !rest) rest = n;
        if (apart && rest && !end) end = n;
        s->other |= !apart && end; // two sections, which would have orders of their own
    }
    if (s->other) return;
    struct front_node *append = rest ? find_append(lw, s, rest, end) : NULL;
    if (!updates) section->omp->append = append;
    if (!updates) return;
    struct front_node whole = *section;
    s->section = &whole;
    for (struct front_node *n = first; n; n = n->next)
        if (n == rest) {
            enclose(lw, &whole, n, end);
            n->omp->append = append;
        } else {
            enclose_updates(lw, s, n);
        }
    *section = (struct front_node){.kind = FRONT_BLOCK,
                                   .flags = FRONT_FLAG_PARTS,
                                   .loc = whole.loc,
                                   .token = whole.token,
                                   .height = whole.height,
                                   .a = first,
                                   .omp = whole.omp};
    section->next = whole.next;
    s->section = NULL;
}

struct walk {
    struct lower *lw;
    struct split split;
};

static bool find_sections(void *user, const struct front_node *n) {
    struct walk *w = user;
    if (n->kind != FRONT_OMP || !(n->omp->constructs & FRONT_OMP_CRITICAL)) return true;
    if (!lower_is_updates(w->lw, n->omp->body)) split_section(w->lw, &w->split, (struct front_node *)(uintptr_t)n);
    return false;
}

void lower_split_sections(struct lower *lw, const struct front_omp *loop, const struct front_node *body) {
    struct walk w = {.lw = lw, .split = {.loop = loop, .body = body}};
    if (!lw->user->target.cpu_only) lower_scan_reached(lw, body, find_sections, &w);
}
