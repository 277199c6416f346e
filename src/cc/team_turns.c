// A loop whose iterations threads take in turns by their numbers, each of them one:
//
//     for (i = id, sum[id] = 0; i < n; i += threads)    |  sum[id] = 0;
//                                                       |  #pragma omp for schedule(static, 1) nowait
//                                                       |  for (i = 0; i < n; i++)
//
// is a worksharing loop, if all threads come to it and nobody asks for its counter afterwards.
#include <string.h>

#include "cc/team.h"

struct turns {
    const struct cc_node *loop;
    uint32_t set, comma, first, second, end; // tokens: the `=`, the end of the start value, both `;`, the `)`
    const struct cc_name *counter;
};

static bool is_count(const struct cc_team *t, uint32_t from, uint32_t to) {
    const struct cc_team_name *n = cc_team_name_at(t, from);
    if (n && n->to && !n->differs && from + 1 == to) return is_count(t, n->from, n->to);
    return strcmp(t->source->tokens[from].text, "omp_get_num_threads") == 0 && from + 3 == to;
}

static bool is_number(const struct cc_team *t, uint32_t from, uint32_t to) {
    const struct cc_team_name *n = cc_team_name_at(t, from);
    if (n && n->to && !n->is_pointer && from + 1 == to) return is_number(t, n->from, n->to);
    return cc_asks_number(t->source, from) && from + 3 == to;
}

static uint32_t find_kind(const struct cc_source *s, uint32_t at, uint32_t to, enum front_token_kind kind) {
    while (at < to && cc_kind(s, at) != kind) {
        bool opens = cc_kind(s, at) == FRONT_P_LPAREN || cc_kind(s, at) == FRONT_P_LBRACKET;
        at = opens ? cc_skip_group(s, at) : at + 1;
    }
    return at;
}

static bool read(struct cc_team *t, struct turns *x) {
    const struct cc_source *s = t->source;
    uint32_t from = x->loop->from + 2;
    x->end = cc_skip_group(s, x->loop->from + 1) - 1;
    x->first = find_kind(s, from, x->end, FRONT_P_SEMI);
    x->second = find_kind(s, x->first + 1, x->end, FRONT_P_SEMI);
    if (x->second >= x->end) return false;
    x->set = find_kind(s, from, x->first, FRONT_P_ASSIGN);
    x->comma = find_kind(s, from, x->first, FRONT_P_COMMA);
    bool is_declared = x->set > from + 1;
    if (x->set >= x->comma || (is_declared && x->comma < x->first)) return false;
    const char *v = s->tokens[x->set - 1].text;
    enum front_token_kind compares = cc_kind(s, x->first + 2);
    if (!is_number(t, x->set + 1, x->comma) || s->tokens[x->first + 1].text != v ||
        (compares != FRONT_P_LT && compares != FRONT_P_LE) || cc_team_differs(t, x->first + 3, x->second))
        return false;
    uint32_t step = x->second + 1;
    x->counter = cc_find(s, v, x->first + 1);
    return s->tokens[step].text == v && cc_kind(s, step + 1) == FRONT_P_PLUS_ASSIGN && is_count(t, step + 2, x->end) &&
           x->counter;
}

// Outside of the loop the counter is that of other loops only; inside nothing changes it.
static bool is_own(const struct cc_team *t, const struct turns *x) {
    const struct cc_source *s = t->source;
    const struct cc_node *region = t->region->node;
    for (uint32_t at = region->from; at < region->to; at++) {
        if (at == x->counter->at || s->tokens[at].text != x->counter->text ||
            cc_find(s, x->counter->text, at) != x->counter)
            continue;
        if (x->loop->from <= at && at < x->loop->to) {
            if (at > x->end && cc_is_changed_at(s, at, at + 1)) return false;
            continue;
        }
        bool is_counted = at < region->child->from; // in a clause
        for (const struct cc_node *n = cc_child_at(region, at); n && !is_counted; n = cc_child_at(n, at))
            is_counted = n->kind == CC_FOR && s->tokens[n->from + 2].text == x->counter->text &&
                         cc_kind(s, n->from + 3) == FRONT_P_ASSIGN;
        if (!is_counted) return false;
    }
    return true;
}

bool cc_edit_turns(struct cc_team *t, const struct cc_node *loop) {
    const struct cc_source *s = t->source;
    struct turns x = {.loop = loop};
    bool is_met = loop->parent == t->region->node->child || loop->parent == t->region->node; // by all threads
    if (loop->kind != CC_FOR || !loop->child || !is_met || !read(t, &x) || !is_own(t, &x)) return false;
    const struct cc_token *first = &s->tokens[loop->from], *last = &s->tokens[x.end];
    struct base_text text, hi;
    base_text_init(&text, s->cx);
    base_text_init(&hi, s->cx);
    cc_team_put(t, &hi, x.first + 3, x.second, false);
    const char *v = x.counter->text, *compares = s->tokens[x.first + 2].text;
    if (x.comma < x.first) {
        cc_team_put(t, &text, x.comma + 1, x.first, false);
        base_text_put(&text, ";");
    }
    base_text_format(&text, "\n#pragma omp for schedule(static, 1) nowait\n# %u \"%s\"\nfor (", first->line,
                     s->files[first->file]);
    for (uint32_t at = loop->from + 2; at < x.set; at++)
        base_text_format(&text, "%s ", s->tokens[at].text);
    base_text_format(&text, "= 0; %s %s %s; %s++)", v, compares, hi.data, v);
    cc_team_edit(t, first->at, last->at + last->size - first->at, text.data);
    BASE_RESERVE(s->cx, t->turns, t->turn_count, t->turn_cap);
    t->turns[t->turn_count++] = loop;
    const struct cc_token *body = &s->tokens[loop->child->from], *end = &s->tokens[loop->child->to - 1];
    cc_team_edit(t, body->at, 0, base_format(s->cx, "{ int " CC_THREAD " = (int)(%s) %% " CC_TEAM "; ", v));
    cc_team_edit(t, end->at + end->size, 0, " }");
    return true;
}
