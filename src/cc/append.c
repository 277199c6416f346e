// Critical sections that append to a list:
//
//     #pragma omp critical       |
//     {                          |  {
//                                |      int ccv_old;
//                                |  #pragma omp atomic capture
//                                |      ccv_old = count++;
//         at[count] = i;         |      at[ccv_old] = i;
//         count++;               |
//                                |  #pragma omp atomic
//         total += x[i];         |      total += x[i];
//     }                          |  }
//
// `if (count < limit) { ... }` in such a section becomes `if (ccv_old < limit)`, and behind the region the counter,
// which went on, is put where it would have stopped.
//
// No device updates a counter of 64 bits at once, nor two counters. There `ccv_taken` counts from 0, in 32 bits, and
// what an iteration takes is count + ccv_taken, or, of one that goes by 3, count + ccv_taken * 3; behind the region the
// counters are put forward.
//
// Each iteration gets a place of its own by the counter, and nobody sees the list before the region ends, so nothing
// has to wait: in which order iterations come is open in both. Two counters that go together, each by one number, have
// one order that way; of others an iteration would have places that belong to different orders. What the section uses
// no other one may change: it would be seen half done. Sections of updates alone the front-end takes.
#include <string.h>

#include "cc/region.h"

enum { MOST_COUNTERS = 8 };

struct counter {
    const struct cc_name *name;
    uint32_t at, behind; // where it is advanced: tokens
    const char *sign, *by, *old;
    bool is_embedded; // in an expression, which uses what it was, or (`is_first`) what it becomes
    bool is_first, is_wide;
};
struct append {
    struct cc_region *region;
    const struct cc_source *source;
    const struct cc_node *section, *team; // team: the parallel directive around it
    uint32_t from, to;                    // tokens of the list of statements at hand
    struct counter counters[MOST_COUNTERS];
    uint32_t count;
    bool is_atomic;                // `atomic capture` in place of a section
    const struct cc_node *limited; // the `if` around the list that asks for the counter; NULL: none
    struct cc_derivation limit;    // its other side
    const char *besides;           // what else it asks; NULL: nothing
};

// ---- tokens ---------------------------------------------------------------------------------------------------------

// The variable of a token that begins a place; NULL: none. *out_behind: behind `a[i].x[k]`, or a member's name.
static const struct cc_name *place_at(const struct append *a, uint32_t at, uint32_t *out_behind) {
    const struct cc_source *s = a->source;
    const struct cc_member_use *member = cc_member_at(a->region, at);
    enum front_token_kind before = cc_kind(s, at - 1);
    if (cc_kind(s, at) != FRONT_TOK_IDENT || before == FRONT_P_DOT || before == FRONT_P_ARROW) return NULL;
    if (cc_names_lock(s, at)) return NULL; // critical(list)
    const struct cc_name *name = member ? member->name : cc_find(s, s->tokens[at].text, at);
    uint32_t behind = member ? member->to : at + 1;
    if (cc_kind(s, behind - 1) == FRONT_P_LBRACKET) behind = cc_skip_group(s, behind - 1); // each.c: list[i].x
    while (cc_kind(s, behind) == FRONT_P_LBRACKET || cc_kind(s, behind) == FRONT_P_DOT)
        behind = cc_kind(s, behind) == FRONT_P_DOT ? behind + 2 : cc_skip_group(s, behind);
    *out_behind = behind;
    return name && name->kind == CC_VARIABLE ? name : NULL;
}

// Of one iteration, by its declaration or by a clause.
static bool is_own(const struct append *a, const struct cc_name *name) {
    static const char *const clauses[] = {"private", "firstprivate", "lastprivate"};
    if (!name->said && name->from >= a->team->from && name->from < a->team->to) return true;
    for (const struct cc_node *n = a->section->parent; n; n = n == a->team ? NULL : n->parent)
        for (size_t i = 0; i < 3; i++)
            if (cc_is_in_clause(a->source, n, clauses[i], name->text)) return true;
    return false;
}

static bool same_place(const struct cc_source *s, uint32_t a, uint32_t behind_a, uint32_t b, uint32_t behind_b) {
    if (behind_a - a != behind_b - b) return false;
    for (uint32_t i = 0; i < behind_a - a; i++)
        if (strcmp(s->tokens[a + i].text, s->tokens[b + i].text) != 0) return false;
    return true;
}

// `count++;`, `++count;`, `count += E;` as a whole statement.
static bool is_alone(const struct append *a, uint32_t at, uint32_t behind) {
    const struct cc_node *n = cc_statement_at(a->section, at);
    bool before = cc_is_step(cc_kind(a->source, at - 1)), next = cc_is_step(cc_kind(a->source, behind));
    if (n->kind != CC_SIMPLE || n->from != at - before) return false;
    return before || next ? behind + next + 1 == n->to : true;
}

static bool adds(enum front_token_kind kind) { return kind == FRONT_P_PLUS_ASSIGN || kind == FRONT_P_MINUS_ASSIGN; }

static void edit(struct append *a, uint32_t from, uint32_t to, const char *text) {
    struct cc_region *r = a->region;
    const struct cc_token *first = &a->source->tokens[from], *last = &a->source->tokens[to - 1];
    uint32_t size = to > from ? last->at + last->size - first->at : 0;
    BASE_RESERVE(a->source->cx, r->edits, r->edit_count, r->edit_cap);
    r->edits[r->edit_count++] = (struct cc_team_edit){first->at, size, text};
}

// ---- what the section does ------------------------------------------------------------------------------------------

// How often a variable is named in a part of the region.
static uint32_t count_names(const struct append *a, const struct cc_name *name, uint32_t from, uint32_t to) {
    uint32_t count = 0, behind;
    for (uint32_t at = from; at < to; at++)
        count += place_at(a, at, &behind) == name;
    return count;
}

static const struct counter *counter_of(const struct append *a, const struct cc_name *name) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->counters[i].name == name) return &a->counters[i];
    return NULL;
}

static uint32_t count_counters(const struct append *a, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++)
        count += count_names(a, a->counters[i].name, from, to);
    return count;
}

static bool names_counter(const struct append *a, uint32_t from, uint32_t to) {
    uint32_t behind;
    for (uint32_t at = from; at < to; at++) {
        const struct cc_name *name = place_at(a, at, &behind);
        if (name && counter_of(a, name)) return true;
        if (!name || !is_own(a, name)) continue;
        for (uint32_t k = a->from; k < at; k++) { // at = count; list[at] = i;
            uint32_t end;
            if (place_at(a, k, &end) != name || cc_kind(a->source, end) != FRONT_P_ASSIGN) continue;
            if (count_counters(a, end, cc_statement_at(a->section, k)->to)) return true;
        }
    }
    return false;
}

// Numbers, and what the section leaves alone.
static bool is_fixed(const struct append *a, uint32_t from, uint32_t to) {
    uint32_t behind;
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = cc_kind(a->source, at);
        if (kind == FRONT_TOK_IDENT && cc_kind(a->source, at + 1) == FRONT_P_LPAREN) return false;
        if (kind == FRONT_P_COMMA || kind == FRONT_P_QUESTION || cc_is_step(kind) || cc_is_assignment(kind))
            return false;
        const struct cc_name *name = place_at(a, at, &behind);
        for (uint32_t k = a->section->from; name && k < a->section->to; k++) {
            uint32_t end;
            if (place_at(a, k, &end) == name && cc_is_changed_at(a->source, k, end)) return false;
        }
    }
    return true;
}

// `T *p = &list[count++];` in the list of statements: the element's place, as a token; 0: it is no such pointer.
static uint32_t entry_of(const struct append *a, const struct cc_name *name) {
    const struct cc_source *s = a->source;
    uint32_t at = name->end, end, behind;
    if (!cc_is_pointer(name) || name->at < a->from || name->at >= a->to || cc_kind(s, at) != FRONT_P_ASSIGN) return 0;
    if (cc_kind(s, at + 1) != FRONT_P_AMP || !place_at(a, at + 2, &end) || !names_counter(a, at + 3, end)) return 0;
    if (cc_kind(s, end) != FRONT_P_SEMI) return 0;
    for (uint32_t k = end; k < a->to; k++) // it leads there as long as it lives, and only it
        if (place_at(a, k, &behind) == name && cc_kind(s, behind) != FRONT_P_ARROW) return 0;
    return at + 2;
}

// An element that the counter finds, of an array that the team uses for nothing else.
static bool is_entry(const struct append *a, const struct cc_name *name, uint32_t at, uint32_t behind) {
    const struct cc_source *s = a->source;
    uint32_t end;
    bool by_pointer = cc_kind(s, at - 1) == FRONT_P_AMP;
    if (!name->derive_count || cc_is_step(cc_kind(s, at - 1))) return false;
    if (!by_pointer && cc_kind(s, behind) != FRONT_P_ASSIGN) return false;
    if (!names_counter(a, at + 1, behind)) return false;
    for (uint32_t k = a->team->from; k < a->team->to; k++) {
        if (place_at(a, k, &end) != name) continue;
        bool inside = a->section->from <= k && k < a->section->to, leads = cc_kind(s, k - 1) == FRONT_P_AMP;
        const struct cc_name *pointer = inside && leads ? cc_find(s, s->tokens[k - 3].text, k) : NULL;
        if (pointer ? entry_of(a, pointer) != k : !inside || leads || cc_kind(s, end) != FRONT_P_ASSIGN) return false;
    }
    return true;
}

// A number by itself: not a member of an element, nor an array.
static bool is_number(const struct append *a, const struct cc_name *name, uint32_t at, uint32_t behind) {
    const struct cc_member_use *member = cc_member_at(a->region, at);
    uint32_t subscripts = 0;
    for (at = member ? member->to : at + 1; at < behind; at = cc_skip_group(a->source, at), subscripts++)
        if (cc_kind(a->source, at) != FRONT_P_LBRACKET) return false;
    return subscripts == name->derive_count;
}

// Of 64 bits, by its words.
static bool is_wide(const struct cc_source *s, const struct cc_name *name, uint32_t depth) {
    for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
        const struct cc_name *type = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        if (cc_kind(s, at) == FRONT_KW_LONG) return true;
        if (type && type->kind == CC_TYPE && depth < 8 && is_wide(s, type, depth + 1)) return true;
    }
    return false;
}

// The counters that more is done with than adding to them. False: one is advanced twice, or used in another way.
static bool find_counters(struct append *a) {
    const struct cc_source *s = a->source;
    uint32_t behind;
    a->count = 0;
    for (uint32_t at = a->from; at < a->to; at++) {
        const struct cc_name *name = place_at(a, at, &behind);
        if (!name || is_own(a, name) || !cc_is_changed_at(s, at, behind)) continue;
        bool before = cc_is_step(cc_kind(s, at - 1)), next = cc_is_step(cc_kind(s, behind));
        bool steps = before || next, alone = is_alone(a, at, behind), sums = adds(cc_kind(s, behind));
        if (!steps && !sums) continue; // an entry, or none: check_changes
        if (count_names(a, name, a->from, a->to) == 1 && alone) continue;
        if (counter_of(a, name) || a->count == MOST_COUNTERS) return false;
        if ((sums && !alone) || !is_number(a, name, at, behind)) return false;
        uint32_t end = cc_statement_at(a->section, at)->to - 1;
        enum front_token_kind kind = cc_kind(s, before ? at - 1 : behind);
        struct base_text by;
        base_text_init(&by, s->cx);
        for (uint32_t k = behind + 1; sums && k < end; k++) {
            if (cc_kind(s, k) == FRONT_P_DOT || cc_kind(s, k) == FRONT_P_ARROW) return false;
            base_text_format(&by, "%s ", s->tokens[k].text);
        }
        a->counters[a->count] = (struct counter){
            .name = name,
            .at = at,
            .behind = behind,
            .sign = kind == FRONT_P_INC || kind == FRONT_P_PLUS_ASSIGN ? "+" : "-",
            .by = sums && strcmp(by.data, "1 ") != 0 ? by.data : "1",
            .old = base_format(s->cx, CC_PREFIX "old_%u", a->count),
            .is_embedded = !alone,
            .is_first = before,
            .is_wide = is_wide(s, name, 0),
        };
        a->count++;
        if ((sums && !is_fixed(a, behind + 1, end)) || !is_fixed(a, at + 1, behind)) return false;
    }
    return true;
}

// All that the list of statements changes: the counters, sums, its own variables, entries.
static bool check_changes(const struct append *a) {
    const struct cc_source *s = a->source;
    uint32_t behind;
    for (uint32_t at = a->from; at < a->to; at++) {
        if (cc_called(s, at) || cc_kind(s, at) == FRONT_TOK_PRAGMA) return false;
        bool is_deref = (cc_kind(s, at) == FRONT_P_STAR || cc_kind(s, at) == FRONT_P_LPAREN) &&
                        cc_statement_at(a->section, at)->from == at;
        const struct cc_name *name = place_at(a, at, &behind);
        if (is_deref) return false;
        bool leads = name && is_own(a, name) && name->derive_count && name->derive[0].kind == CC_POINTER;
        if (leads && entry_of(a, name)) continue;
        if (leads || (name && cc_kind(s, behind) == FRONT_P_ARROW)) return false;
        const struct counter *counter = name ? counter_of(a, name) : NULL;
        if (!name || is_own(a, name) || (counter && at == counter->at)) continue;
        if (counter) {
            if (!same_place(s, at, behind, counter->at, counter->behind) || cc_is_changed_at(s, at, behind))
                return false;
            if (counter->is_embedded && cc_statement_at(a->section, at) == cc_statement_at(a->section, counter->at))
                return false;
            continue;
        }
        if (!cc_is_changed_at(s, at, behind)) continue;
        bool sums = cc_is_step(cc_kind(s, at - 1)) || cc_is_step(cc_kind(s, behind)) || adds(cc_kind(s, behind));
        bool is_sum = sums && is_alone(a, at, behind) && count_names(a, name, a->team->from, a->team->to) == 1;
        if (!is_sum && !is_entry(a, name, at, behind)) return false;
    }
    return !count_counters(a, a->team->from, a->section->from) && !count_counters(a, a->section->to, a->team->to);
}

// Another section, in the team or in what it calls, changes the variable, or may: it calls somebody.
static bool is_changed_in(const struct append *a, const struct cc_node *n, const struct cc_name *name, bool guarded) {
    uint32_t behind;
    guarded |= n->kind == CC_PRAGMA && strcmp(a->source->tokens[n->from + 1].text, "critical") == 0;
    if (n == a->section) return false;
    for (uint32_t at = n->from; guarded && at < n->to; at++) {
        if (place_at(a, at, &behind) == name && cc_is_changed_at(a->source, at, behind)) return true;
        if (name->is_file && cc_called(a->source, at)) return true;
    }
    for (const struct cc_node *c = guarded ? NULL : n->child; c; c = c->next)
        if (is_changed_in(a, c, name, false)) return true;
    return false;
}

// Nothing that the section looks at is changed by another one, and no function looks at what it changes.
static bool is_alone_with(const struct append *a) {
    const struct cc_source *s = a->source;
    const bool *reached = cc_reached(a->region);
    uint32_t behind;
    for (uint32_t at = a->section->from; at < a->section->to; at++) {
        const struct cc_name *name = place_at(a, at, &behind);
        if (!name || is_own(a, name)) continue;
        bool changes = cc_is_changed_at(s, at, behind);
        if (!changes && is_changed_in(a, a->team, name, false)) return false;
        for (uint32_t i = 0; name->is_file && i < s->function_count; i++) {
            const struct cc_node *body = reached[i] ? s->functions[i].body : NULL;
            if (!body) continue;
            if (changes ? count_names(a, name, body->from, body->to) > 0 : is_changed_in(a, body, name, false))
                return false;
        }
    }
    return true;
}

// ---- its text -------------------------------------------------------------------------------------------------------

static const char *words(const struct cc_source *s, const struct cc_derivation *d) {
    struct base_text t;
    base_text_init(&t, s->cx);
    for (uint32_t at = d->from; at < d->to; at++)
        base_text_format(&t, "%s ", s->tokens[at].text);
    return t.data;
}

// What ends a block around the team: of several sections one stands in the other.
static void edit_end(struct append *a, const char *end) {
    const struct cc_source *s = a->source;
    const struct cc_token *last = &s->tokens[a->team->to - 1];
    struct cc_region *r = a->region;
    for (uint32_t i = 0; i < r->edit_count; i++) { // of another section: its block is around this one's
        struct cc_team_edit *other = &r->edits[i];
        if (other->at != last->at + last->size || strncmp(other->text, " if (" CC_PREFIX, 9) != 0) continue;
        other->text = base_format(s->cx, "%s%s", end, other->text);
        return;
    }
    BASE_RESERVE(s->cx, r->edits, r->edit_count, r->edit_cap);
    r->edits[r->edit_count++] = (struct cc_team_edit){last->at + last->size, 0, end};
}

// Where the counter would have stopped: at the limit, or, where it was not below that, where it was.
static void stop_at_limit(struct append *a, const struct cc_name *counter, const char *place) {
    const struct cc_source *s = a->source;
    const struct cc_token *first = &s->tokens[a->team->from];
    const char *was = base_format(s->cx, CC_PREFIX "was_%u", a->section->from), *limit = words(s, &a->limit);
    struct base_text text;
    base_text_init(&text, s->cx);
    base_text_put(&text, "{ ");
    cc_put_type(&text, s, counter, false);
    base_text_format(&text, "%s = %s;\n# %u \"%s\"\n", was, place, first->line, s->files[first->file]);
    edit(a, a->team->from, a->team->from, text.data);
    edit_end(a, base_format(s->cx, " if (%s >= (%s)) %s = %s; else if (%s > (%s)) %s = %s; }", was, limit, place, was,
                            place, limit, place, limit));
}

static const char *place_text(const struct append *a, const struct counter *c) {
    struct base_text place;
    base_text_init(&place, a->source->cx);
    const struct cc_member_use *member = cc_member_at(a->region, c->at);
    if (member) base_text_put(&place, member->text);
    for (uint32_t at = member ? member->to : c->at; at < c->behind; at++)
        base_text_format(&place, "%s ", a->source->tokens[at].text);
    return place.data;
}

// How far a counter has gone, of how often it was advanced.
static const char *steps(const struct append *a, const struct counter *c, const char *times) {
    if (strcmp(c->by, "1") == 0) return times;
    return base_format(a->source->cx, "%s%s * (%s)", c->is_wide ? "1ll * " : "(int)", times, c->by);
}

static const char *count_from_zero(struct append *a) {
    const struct cc_source *s = a->source;
    const struct cc_token *first = &s->tokens[a->team->from];
    const char *taken = base_format(s->cx, CC_PREFIX "taken_%u", a->from);
    struct base_text end;
    base_text_init(&end, s->cx);
    base_text_format(&end, " if (%s) {", taken);
    for (uint32_t i = 0; i < a->count; i++)
        base_text_format(&end, " %s %s= %s;", place_text(a, &a->counters[i]), a->counters[i].sign,
                         steps(a, &a->counters[i], taken));
    base_text_put(&end, " } }");
    edit(a, a->team->from, a->team->from,
         base_format(s->cx, "{ unsigned %s = 0;\n# %u \"%s\"\n", taken, first->line, s->files[first->file]));
    edit_end(a, end.data);
    return taken;
}

static void edit_list(struct append *a, bool from_zero) {
    const struct cc_source *s = a->source;
    const struct counter *only = &a->counters[0];
    uint32_t behind;
    const struct cc_token *first = &s->tokens[a->from];
    struct base_text text;
    base_text_init(&text, s->cx);
    const char *place = place_text(a, only), *got = from_zero ? CC_PREFIX "got" : only->old;
    if (a->limited) stop_at_limit(a, only->name, place); // around what puts it forward
    const char *counts = from_zero ? count_from_zero(a) : place;
    if (from_zero)
        base_text_put(&text, "unsigned ");
    else
        cc_put_type(&text, s, only->name, false);
    base_text_format(&text, "%s;\n#pragma omp atomic capture\n{ %s = %s; %s %s= %s; }\n# %u \"%s\"\n", got, got, counts,
                     counts, from_zero ? "+" : only->sign, from_zero ? "1" : only->by, first->line,
                     s->files[first->file]);
    for (uint32_t i = 0; from_zero && i < a->count; i++) {
        const struct counter *c = &a->counters[i];
        cc_put_type(&text, s, c->name, false);
        base_text_format(&text, "%s = %s %s %s;\n", c->old, place_text(a, c), c->sign, steps(a, c, got));
    }
    if (a->limited) {
        base_text_format(&text, "if (%s < (%s)) ", only->old, words(s, &a->limit));
        const char *first_if = a->besides ? base_format(s->cx, "if (%s) ", a->besides) : "";
        edit(a, a->limited->from, a->limited->child->from, base_format(s->cx, "%s{ %s", first_if, text.data));
        edit(a, a->limited->to, a->limited->to, " } ");
    } else {
        edit(a, a->from, a->from, text.data);
    }
    for (uint32_t at = a->from; at < a->to; at++) {
        const struct cc_name *name = place_at(a, at, &behind);
        if (!name || is_own(a, name)) continue;
        bool before = cc_is_step(cc_kind(s, at - 1)), next = cc_is_step(cc_kind(s, behind));
        const struct cc_node *n = cc_statement_at(a->section, at);
        const struct counter *c = counter_of(a, name);
        const char *later = c ? base_format(s->cx, "(%s %s (%s))", c->old, c->sign, c->by) : NULL;
        if (c && at == c->at && !c->is_embedded) {
            edit(a, n->from, n->to, ";");
            at = n->to - 1;
        } else if (c && at == c->at) {
            edit(a, at - before, behind + next, before ? later : c->old);
            at = behind + next - 1;
        } else if (c) {
            edit(a, at, behind, at < c->at ? c->old : later);
            at = behind - 1;
        } else if (cc_is_changed_at(s, at, behind) && (before || next || adds(cc_kind(s, behind)))) {
            const struct cc_token *t = &s->tokens[n->from];
            edit(a, n->from, n->from,
                 base_format(s->cx, "\n#pragma omp atomic\n# %u \"%s\"\n", t->line, s->files[t->file]));
        }
    }
}

// A list of statements, or branches of such with conditions of what the section leaves alone.
static bool take_list(struct append *a, const struct cc_node *n);

// `A && count < limit && B` of a condition: `A && B`, and the tokens of the rest. False: a part of it is no such thing.
static bool part_condition(struct append *a, uint32_t *io_from, uint32_t *io_to) {
    const struct cc_source *s = a->source;
    struct base_text besides;
    base_text_init(&besides, s->cx);
    uint32_t from = *io_from, to = *io_to, own_from = to, own_to = to;
    for (uint32_t at = from, first = from; at <= to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (at < to && (kind == FRONT_P_OROR || kind == FRONT_P_QUESTION)) return false;
        if (at < to && kind == FRONT_P_LPAREN) at = cc_skip_group(s, at) - 1;
        if (at < to && kind != FRONT_P_ANDAND) continue;
        uint32_t behind;
        const struct cc_name *name = place_at(a, first, &behind);
        bool asks = name && !is_own(a, name) && behind < at && cc_kind(s, behind) == FRONT_P_LT;
        if (asks && own_from == to && !is_fixed(a, first, behind)) {
            own_from = first;
            own_to = at;
        } else {
            if (!is_fixed(a, first, at)) return false;
            base_text_format(&besides, "%s%s", besides.size ? "&& " : "", cc_joined_tokens(s, first, at));
        }
        first = at + 1;
    }
    a->besides = besides.size ? besides.data : NULL;
    *io_from = own_from;
    *io_to = own_to;
    return own_from < to;
}

// Sums of what the section uses for nothing else, also under conditions of what it leaves alone.
static bool are_sums(const struct append *a, const struct cc_node *n) {
    const struct cc_source *s = a->source;
    bool is_if = n->kind == CC_BRANCH && cc_kind(s, n->from) == FRONT_KW_IF;
    if (n->kind == CC_BLOCK || is_if) {
        if (is_if && !is_fixed(a, n->from + 1, cc_skip_group(s, n->from + 1))) return false;
        for (n = n->child; n; n = n->next)
            if (!are_sums(a, n)) return false;
        return true;
    }
    bool before = cc_is_step(cc_kind(s, n->from));
    uint32_t behind;
    const struct cc_name *name = n->kind == CC_SIMPLE ? place_at(a, n->from + before, &behind) : NULL;
    if (!name || is_own(a, name) || !is_alone(a, n->from + before, behind)) return false;
    if (!before && !cc_is_step(cc_kind(s, behind)) && !adds(cc_kind(s, behind))) return false;
    return count_names(a, name, a->team->from, a->team->to) == 1 && is_fixed(a, behind + 1, n->to - 1);
}

static bool take_sums(struct append *a, const struct cc_node *n) {
    if (!are_sums(a, n)) return false;
    for (const struct cc_node *c = n->child; c; c = c->next)
        (void)take_sums(a, c);
    const struct cc_token *t = &a->source->tokens[n->from];
    if (n->kind == CC_SIMPLE)
        edit(a, n->from, n->from,
             base_format(a->source->cx, "\n#pragma omp atomic\n# %u \"%s\"\n", t->line, a->source->files[t->file]));
    return true;
}

// `if (count < limit) list`, where nothing else asks for the counter, and nothing changes the limit.
static bool take_limited(struct append *a, const struct cc_node *n) {
    const struct cc_source *s = a->source;
    uint32_t from = n->from + 2, to = cc_skip_group(s, n->from + 1) - 1, behind, end;
    const struct cc_node *rest = n->child->next;
    if (a->limited || a->region->by_threads || !part_condition(a, &from, &to) || (rest && a->besides)) return false;
    const struct cc_name *counter = place_at(a, from, &behind);
    const struct cc_member_use *member = cc_member_at(a->region, from);
    if (behind != (member ? member->to : from + 1)) return false; // it means another one behind the region
    a->limit = (struct cc_derivation){.from = behind + 1, .to = to};
    for (uint32_t at = behind + 1; at < to; at++) { // the same at each place, and a number by itself
        const struct cc_name *name = place_at(a, at, &end);
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_P_ARROW || kind == FRONT_P_DOT) return false;
        if (cc_member_at(a->region, at) || (name && (is_own(a, name) || name->derive_count))) return false;
        for (uint32_t k = a->team->from; name && k < a->team->to; k++)
            if (place_at(a, k, &end) == name && cc_is_changed_at(s, k, end)) return false;
    }
    if (!is_fixed(a, behind + 1, to) || (rest && count_names(a, counter, rest->from, rest->to))) return false;
    a->limited = n;
    const struct counter *only = &a->counters[0];
    bool ok = take_list(a, n->child) && a->count == 1 && same_place(s, from, behind, only->at, only->behind) &&
              only->sign[0] == '+' && strcmp(only->by, "1") == 0 && (!rest || take_sums(a, rest));
    a->limited = NULL;
    a->besides = NULL;
    return ok;
}

// Counters that go each by one number, and which the section uses nowhere else, can be told from how often that was.
static bool can_count_from_zero(const struct append *a) {
    for (uint32_t i = 0; i < a->count; i++) {
        const struct counter *c = &a->counters[i];
        const struct cc_member_use *member = cc_member_at(a->region, c->at);
        bool is_plain = c->behind == (member ? member->to : c->at + 1) && !a->region->by_threads;
        for (const char *at = c->by; *at; at++)
            if ((*at < '0' || *at > '9') && *at != ' ') return false;
        if (!is_plain || strlen(c->by) > 6) return false;
    }
    return count_counters(a, a->section->child->from, a->from) == (a->limited ? 1 : 0) &&
           !count_counters(a, a->to, a->section->to);
}

static bool has_branch(const struct cc_node *n) {
    for (n = n->child; n; n = n->next)
        if (n->kind == CC_BRANCH) return true;
    return false;
}

// Sums, and one statement beside them that appends: of two, each would have an order of its own.
static bool take_parts(struct append *a, const struct cc_node *n) {
    uint32_t lists = 0;
    for (const struct cc_node *c = n->child; c; c = c->next) {
        if (take_sums(a, c)) continue;
        if (lists++ || !take_list(a, c)) return false;
    }
    return lists == 1;
}

static bool take_list(struct append *a, const struct cc_node *n) {
    const struct cc_source *s = a->source;
    const struct cc_node *only = n->kind == CC_BLOCK && n->child && !n->child->next ? n->child : n;
    if (only->kind == CC_BRANCH && cc_kind(s, only->from) == FRONT_KW_IF && take_limited(a, only)) return true;
    if (only->kind == CC_BRANCH) {
        if (cc_kind(s, only->from) != FRONT_KW_IF || !is_fixed(a, only->from + 1, cc_skip_group(s, only->from + 1)))
            return false;
        if (are_sums(a, only)) return false; // the front-end's
        for (const struct cc_node *c = only->child; c; c = c->next)
            if (!take_sums(a, c) && !take_list(a, c)) return false;
        return true;
    }
    if (n->kind == CC_BLOCK && has_branch(n)) return take_parts(a, n);
    if (n->kind != CC_BLOCK && n->kind != CC_SIMPLE) return false;
    for (const struct cc_node *c = n->kind == CC_BLOCK ? n->child : NULL; c; c = c->next)
        if (c->kind != CC_SIMPLE && c->kind != CC_DECLARATION) return false;
    a->from = n->kind == CC_BLOCK ? n->from + 1 : n->from;
    a->to = n->kind == CC_BLOCK ? n->to - 1 : n->to;
    if (a->from >= a->to || !find_counters(a) || !a->count || !check_changes(a)) return false;
    bool from_zero = a->count > 1 || a->counters[0].is_wide;
    if (from_zero ? !can_count_from_zero(a) || (a->limited && a->count > 1) : a->is_atomic) return false;
    if (n->kind != CC_BLOCK) edit(a, n->from, n->from, "{ ");
    edit_list(a, from_zero);
    if (n->kind != CC_BLOCK) edit(a, n->to - 1, n->to, "; }");
    return true;
}

static void find(struct cc_region *r, const struct cc_node *n, const struct cc_node *team) {
    struct cc_source *s = r->source;
    if (cc_is_parallel(s, n)) team = n;
    bool is_section = n->kind == CC_PRAGMA && strcmp(s->tokens[n->from + 1].text, "critical") == 0;
    bool is_atomic = n->kind == CC_PRAGMA && strcmp(s->tokens[n->from + 1].text, "atomic") == 0 &&
                     strcmp(s->tokens[n->from + 2].text, "capture") == 0;
    if ((is_section || is_atomic) && team && n->child && !cc_aside_at(r, n->from)) {
        struct append a = {.region = r, .source = s, .section = n, .team = team, .is_atomic = is_atomic};
        uint32_t count = r->edit_count;
        struct cc_team_edit *before = base_alloc_array(s->cx, count + 1, sizeof *before);
        if (count) memcpy(before, r->edits, count * sizeof *before);
        edit(&a, n->from, n->from + 1, ""); // the directive
        if (!is_alone_with(&a) || !take_list(&a, n->child)) {
            r->edit_count = count;
            if (count) memcpy(r->edits, before, count * sizeof *before);
        }
        return;
    }
    for (n = n->child; n; n = n->next)
        find(r, n, team);
}

void cc_find_appends(struct cc_region *r) { find(r, r->node, NULL); }
