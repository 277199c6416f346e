// Worksharing loops of regions that ask for the thread's number (team.c): which thread an iteration belongs to, and
// updates of what belongs to a thread.
#include <stdlib.h>
#include <string.h>

#include "cc/team.h"

const char cc_open_schedule[] = "which thread runs an iteration is not known with this schedule: use schedule(static)";
static const char other_use[] = "an array that is indexed by the thread's number is more than added to in this loop; "
                                "add up in a variable of the iteration, or use reduction(+ : x[:n])";

const struct cc_node *cc_team_loop_at(const struct cc_team *t, uint32_t at) {
    for (uint32_t i = 0; i < t->loop_count; i++)
        if (t->loops[i]->child->from <= at && at < t->loops[i]->to) return t->loops[i];
    for (uint32_t i = 0; i < t->turn_count; i++)
        if (t->turns[i]->from <= at && at < t->turns[i]->to) return t->turns[i];
    return NULL;
}

bool cc_team_has_moved(const struct cc_team *t, uint32_t at) {
    for (uint32_t i = 0; i < t->turn_count; i++)
        if (t->turns[i]->from <= at && at < t->turns[i]->child->from) return true;
    return false;
}

static bool find_loops(struct cc_team *t, const struct cc_node *n) {
    const struct cc_source *s = t->source;
    if (n->kind == CC_PRAGMA && (cc_has_word(s, n, "for") || cc_has_word(s, n, "loop"))) {
        BASE_RESERVE(s->cx, t->loops, t->loop_count, t->loop_cap);
        t->loops[t->loop_count++] = n;
        return n->child && n->child->kind == CC_FOR;
    }
    if (n != t->region->node && cc_is_parallel(s, n))
        return cc_team_fail(t, n->from, "a parallel region in a region that asks for the thread's number");
    for (n = n->child; n; n = n->next)
        if (!find_loops(t, n)) return false;
    return true;
}

bool cc_find_team_loops(struct cc_team *t) {
    const struct cc_source *s = t->source;
    const struct cc_node *n = t->region->node;
    static const char *const others[] = {"sections", "target", "teams", "distribute", "loop", "master", "masked"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cc_has_word(s, n, others[i])) return false;
    if (strcmp(s->tokens[n->from + 1].text, "parallel") != 0) return false;
    t->is_combined = cc_has_word(s, n, "for");
    return find_loops(t, n);
}

// ---- which thread an iteration belongs to ---------------------------------------------------------------------------

struct header {
    const char *name;      // of the counter
    uint32_t lo[2], hi[2]; // tokens
    bool with_last;        // <=
    long step;
};

static uint32_t find_kind(const struct cc_source *s, uint32_t at, uint32_t to, enum front_token_kind kind) {
    while (at < to && cc_kind(s, at) != kind)
        at = cc_kind(s, at) == FRONT_P_LPAREN ? cc_skip_group(s, at) : at + 1;
    return at;
}

// for (v = LO; v < HI; v++), also with <=, ++v, and v += 2.
static bool read_header(const struct cc_source *s, const struct cc_node *loop, struct header *h) {
    uint32_t end = cc_skip_group(s, loop->from + 1) - 1, first = find_kind(s, loop->from + 2, end, FRONT_P_SEMI);
    uint32_t second = find_kind(s, first + 1, end, FRONT_P_SEMI),
             set = find_kind(s, loop->from + 2, first, FRONT_P_ASSIGN);
    if (second >= end || set >= first || find_kind(s, loop->from + 2, end, FRONT_P_COMMA) < end) return false;
    *h = (struct header){s->tokens[set - 1].text, {set + 1, first}, {first + 3, second}, false, 1};
    h->with_last = cc_kind(s, first + 2) == FRONT_P_LE;
    if (s->tokens[first + 1].text != h->name || (!h->with_last && cc_kind(s, first + 2) != FRONT_P_LT)) return false;
    uint32_t at = second + 1;
    if (at + 2 == end) {
        bool before = cc_kind(s, at) == FRONT_P_INC, behind = cc_kind(s, at + 1) == FRONT_P_INC;
        return before != behind && s->tokens[before ? at + 1 : at].text == h->name;
    }
    if (at + 3 != end || s->tokens[at].text != h->name || cc_kind(s, at + 1) != FRONT_P_PLUS_ASSIGN ||
        cc_kind(s, at + 2) != FRONT_TOK_INT)
        return false;
    h->step = strtol(s->tokens[at + 2].text, NULL, 0);
    return h->step > 0 && h->step < 1 << 20;
}

bool cc_is_dealt_out(const struct cc_source *s, const struct cc_node *loop) {
    struct cc_derivation clause;
    if (cc_has_word(s, loop, "sections")) return true;
    return cc_find_clause(s, loop->from, "schedule", &clause) && strcmp(s->tokens[clause.from].text, "static") != 0;
}

// The chunk of `schedule(static, C)`; NULL: blocks. False: another thread may run it each time.
static bool read_schedule(struct cc_team *t, const struct cc_node *n, const char **out_chunk) {
    struct cc_derivation clause;
    *out_chunk = NULL;
    if (!cc_find_clause(t->source, n->from, "schedule", &clause)) return true;
    if (cc_is_dealt_out(t->source, n)) return cc_team_fail(t, n->from, cc_open_schedule);
    if (clause.from + 1 == clause.to) return true;
    struct base_text text;
    base_text_init(&text, t->source->cx);
    cc_team_put(t, &text, clause.from + 2, clause.to, false);
    *out_chunk = text.data;
    return true;
}

static bool edit_thread(struct cc_team *t, const struct cc_node *n) {
    const struct cc_source *s = t->source;
    const struct cc_node *body = n->child->child;
    const char *chunk;
    struct header h;
    if (!read_schedule(t, n, &chunk)) return false;
    if (cc_has_word(s, n, "collapse") || cc_has_word(s, n, "ordered") || cc_has_word(s, n, "simd") || !body ||
        !read_header(s, n->child, &h))
        return cc_team_fail(t, n->from,
                            "the loop asks for the thread's number, and is more than "
                            "for (i = first; i < end; i += step) with #pragma omp for");
    if (cc_team_differs(t, h.lo[0], h.lo[1]) || cc_team_differs(t, h.hi[0], h.hi[1]))
        return cc_team_fail(t, n->from, "the bounds of a worksharing loop differ from thread to thread");
    struct base_text lo, hi, text;
    base_text_init(&lo, s->cx);
    base_text_init(&hi, s->cx);
    base_text_init(&text, s->cx);
    cc_team_put(t, &lo, h.lo[0], h.lo[1], false);
    cc_team_put(t, &hi, h.hi[0], h.hi[1], false);
    base_text_format(&text, "{ int " CC_THREAD " = " CC_THREAD "_of");
    if (chunk) base_text_put(&text, "_chunk");
    base_text_format(&text, "((int)(%s - (%s)) / %ld, (int)(", h.name, lo.data, h.step);
    base_text_format(&text, "(%s) - (%s)%s + %ld) / %ld, " CC_TEAM, hi.data, lo.data, h.with_last ? " + 1" : "",
                     h.step - 1, h.step);
    if (chunk) base_text_format(&text, ", %s", chunk);
    base_text_put(&text, "); ");
    const struct cc_token *last = &s->tokens[body->to - 1];
    cc_team_edit(t, s->tokens[body->from].at, 0, text.data);
    cc_team_edit(t, last->at + last->size, 0, " }");
    return true;
}

const char *cc_team_functions(void) {
    return "static int " CC_THREAD "_of(int number, int count, int team) {"
           "    int each = count / team, rest = count % team, more = rest * (each + 1);"
           "    int at = number < more ? number / (each + 1) : rest + (number - more) / (each > 0 ? each : 1);"
           "    return at < 0 ? 0 : at < team ? at : team - 1; }"
           "static int " CC_THREAD "_of_chunk(int number, int count, int team, int chunk) {"
           "    return (number < count ? number : 0) / (chunk > 0 ? chunk : 1) % team; }\n";
}

// ---- what belongs to a thread ---------------------------------------------------------------------------------------

// The array that a name leads to: of `own = part[id]` that is `part`.
static const char *root(const struct cc_team *t, uint32_t at) {
    const struct cc_team_name *n = cc_team_name_at(t, at);
    const struct cc_member_use *member = cc_member_at(t->region, at);
    if (member && member->name && member->name->each) return member->name->text;
    if (member && member->text) return member->text;
    for (uint32_t i = n ? n->from : 0; n && n->is_pointer && i < n->to; i++) {
        const struct cc_name *name = cc_find(t->source, t->source->tokens[i].text, i);
        if (cc_kind(t->source, i) == FRONT_TOK_IDENT && name && name->kind == CC_VARIABLE && name->derive_count)
            return root(t, i);
    }
    return t->source->tokens[at].text;
}

// Behind `a[i].x[k]`, which begins with a name.
static uint32_t behind_place(const struct cc_source *s, uint32_t at) {
    for (at++;;) {
        if (cc_kind(s, at) == FRONT_P_LBRACKET)
            at = cc_skip_group(s, at);
        else if (cc_kind(s, at) == FRONT_P_DOT || cc_kind(s, at) == FRONT_P_ARROW)
            at += 2;
        else
            return at;
    }
}

static bool is_place(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return false;
    enum front_token_kind before = cc_kind(s, at - 1), next = cc_kind(s, at + 1);
    if (before == FRONT_P_DOT || before == FRONT_P_ARROW) return false;
    return next == FRONT_P_LBRACKET || next == FRONT_P_DOT || next == FRONT_P_ARROW;
}

static bool is_operator(enum front_token_kind kind) {
    return kind == FRONT_P_PLUS_ASSIGN || kind == FRONT_P_MINUS_ASSIGN || kind == FRONT_P_AMP_ASSIGN ||
           kind == FRONT_P_CARET_ASSIGN || kind == FRONT_P_PIPE_ASSIGN;
}

static bool names(const struct cc_team *t, uint32_t from, uint32_t to, const char *array) {
    for (uint32_t at = from; at < to; at++)
        if (cc_kind(t->source, at) == FRONT_TOK_IDENT && strcmp(root(t, at), array) == 0) return true;
    return false;
}

// `place += E;`, `place++;`, `++place;` and nothing else, of which E does not name the array.
static bool is_update(const struct cc_team *t, const struct cc_node *n, uint32_t at, uint32_t behind) {
    const struct cc_source *s = t->source;
    enum front_token_kind before = cc_kind(s, at - 1), next = cc_kind(s, behind);
    bool steps = before == FRONT_P_INC || before == FRONT_P_DEC;
    if (n->kind != CC_SIMPLE || n->from != at - steps || names(t, at + 1, behind, root(t, at))) return false;
    if (steps || next == FRONT_P_INC || next == FRONT_P_DEC) return behind + 1 + !steps == n->to;
    for (uint32_t i = behind + 1; i < n->to; i++)
        if (cc_kind(s, i) == FRONT_P_COMMA && find_kind(s, behind, n->to, FRONT_P_COMMA) == i) return false;
    return is_operator(next) && !names(t, behind + 1, n->to, root(t, at));
}

static bool is_atomic(const struct cc_source *s, const struct cc_node *n) {
    for (; n; n = n->parent)
        if (n->kind == CC_PRAGMA && (cc_has_word(s, n, "atomic") || cc_has_word(s, n, "critical"))) return true;
    return false;
}

static bool take_update(struct cc_team *t, const struct cc_node *loop, uint32_t at, uint32_t behind) {
    const struct cc_source *s = t->source;
    const struct cc_node *n = cc_statement_at(loop, at);
    const struct cc_token *first = &s->tokens[n->from];
    if (is_atomic(s, n)) return true;
    if (!is_update(t, n, at, behind)) return cc_team_fail(t, at, other_use);
    BASE_RESERVE(s->cx, t->updated, t->updated_count, t->updated_cap);
    t->updated[t->updated_count++] = root(t, at);
    cc_team_edit(t, first->at, 0,
                 base_format(s->cx, "\n#pragma omp atomic\n# %u \"%s\"\n", first->line, s->files[first->file]));
    return true;
}

// The operator's brackets, or the statement's side of its assignment, hold something that differs between threads.
static bool decides_by_thread(const struct cc_team *t, const struct cc_node *n, uint32_t at) {
    const struct cc_source *s = t->source;
    uint32_t from = at, to = at, depth = 0;
    for (; from > n->from; from--) {
        enum front_token_kind kind = cc_kind(s, from - 1);
        bool closes = kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACKET;
        bool opens = kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET;
        if (!depth && (opens || cc_is_assignment(kind))) break;
        depth = depth + closes - opens;
    }
    while (to < n->to && cc_kind(s, to) != FRONT_P_RPAREN && cc_kind(s, to) != FRONT_P_RBRACKET) {
        bool opens = cc_kind(s, to) == FRONT_P_LPAREN || cc_kind(s, to) == FRONT_P_LBRACKET;
        to = opens ? cc_skip_group(s, to) : to + 1;
    }
    return cc_team_differs(t, from, to);
}

// Nothing that a thread's number decides, and no place that is found by it in another way than by an index.
static bool check_statement(struct cc_team *t, const struct cc_node *n) {
    const struct cc_source *s = t->source;
    bool is_pragma = n->kind == CC_PRAGMA;
    bool is_simple = n->kind == CC_SIMPLE || n->kind == CC_DECLARATION;
    uint32_t to = is_simple ? n->to : n->child ? n->child->from : n->to;
    bool differs = !is_pragma && cc_team_differs(t, n->from, to);
    if (differs && n->kind == CC_LOOP && cc_kind(s, n->from) == FRONT_KW_DO) differs = false; // its end is below
    if (n->kind == CC_LOOP && cc_kind(s, n->from) == FRONT_KW_DO && cc_team_differs(t, n->child->to, n->to))
        return cc_team_fail(t, n->from, "the thread's number decides what an iteration does");
    if (differs && !is_simple) return cc_team_fail(t, n->from, "the thread's number decides what an iteration does");
    for (uint32_t at = n->from; at < n->to && differs; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        bool decides = kind == FRONT_P_QUESTION || kind == FRONT_P_ANDAND || kind == FRONT_P_OROR;
        bool begins = at == n->from && (kind == FRONT_P_STAR || kind == FRONT_P_LPAREN);
        bool hands_on = kind == FRONT_TOK_IDENT && cc_kind(s, at + 1) == FRONT_P_LPAREN && !cc_asks_number(s, at) &&
                        cc_team_differs(t, at + 2, cc_skip_group(s, at + 1));
        if (hands_on)
            return cc_team_fail(t, at,
                                "a function is called with what follows from the thread's number: "
                                "let it follow from the iteration");
        if (begins || (decides && decides_by_thread(t, n, at))) return cc_team_fail(t, at, other_use);
    }
    for (const struct cc_node *c = n->child; c; c = c->next)
        if (!check_statement(t, c)) return false;
    return true;
}

// A name that differs from thread to thread is an expression, or one of the iteration.
static bool check_name(struct cc_team *t, const struct cc_node *loop, uint32_t at) {
    const struct cc_team_name *n = cc_team_name_at(t, at);
    if (!n || !n->differs || n->to) return true;
    bool inside = n->name->from >= loop->from && n->name->from < loop->to;
    return inside ||
           cc_team_fail(t, at, "a variable outside of the loop follows from the thread's number, and changes");
}

static bool edit_body(struct cc_team *t, const struct cc_node *loop) {
    const struct cc_source *s = t->source;
    if (!check_statement(t, loop->child)) return false;
    t->updated_count = 0;
    for (uint32_t at = loop->child->from; at < loop->to; at++) {
        uint32_t behind = cc_team_skip(t, at);
        if (behind > at) at = behind;
        if (!check_name(t, loop, at)) return false;
        if (!is_place(s, at)) continue;
        behind = behind_place(s, at);
        bool changes = cc_is_changed_at(s, at, behind) && cc_team_differs(t, at, behind);
        if (changes && !take_update(t, loop, at, behind)) return false;
    }
    for (uint32_t at = loop->child->from; at < loop->to; at++) { // and what is updated is not read
        if (!is_place(s, at)) continue;
        for (uint32_t i = 0; i < t->updated_count; i++)
            if (strcmp(root(t, at), t->updated[i]) == 0 && !cc_is_changed_at(s, at, behind_place(s, at)))
                return cc_team_fail(t, at, other_use);
    }
    return true;
}

// A loop that threads share out by their numbers.
static bool check_outside(struct cc_team *t, const struct cc_node *n) {
    if (cc_team_loop_at(t, n->from) || cc_aside_at(t->region, n->from)) return true;
    bool is_loop = n->kind == CC_FOR || n->kind == CC_LOOP;
    uint32_t end = is_loop && n->child ? n->child->from : n->from;
    if (cc_team_differs(t, n->from, end))
        return cc_team_fail(t, n->from,
                            "this loop is shared out by the thread's number: write #pragma omp for, and sums "
                            "as reduction(+ : x)");
    for (n = n->child; n; n = n->next)
        if (!check_outside(t, n)) return false;
    return true;
}

bool cc_edit_team_loops(struct cc_team *t) {
    if (!check_outside(t, t->region->node)) return false;
    for (uint32_t i = 0; i < t->turn_count; i++)
        if (!edit_body(t, t->turns[i])) return false;
    for (uint32_t i = 0; i < t->loop_count; i++) {
        const struct cc_node *loop = t->loops[i]->child;
        bool differs = cc_team_differs(t, loop->from, loop->to);
        if (differs && (!edit_thread(t, t->loops[i]) || !edit_body(t, loop))) return false;
    }
    return true;
}
