// Tables of pointers to rows that a region hands to functions. In the program such a table is one array, so a parameter
// that takes it points to rows as well, and how long these are is a parameter before it:
//
//     int nearest(float **of, float *x, int n);     |  int nearest(int ccv_of_1, float (*of)[ccv_of_1], ...);
//     at[i] = nearest(centres, points[i], n);       |  at[i] = nearest(ccv_centres_1, centres, points[i], n);
//
// This is done where all calls of the function that the region reaches hand it such tables. Those at file scope that
// functions name go to them, too, under their own names, behind what the functions are handed:
//
//     float at(int i) { return table[i][0]; }     |  float at(int i, int ccv_table_1, float (*table)[ccv_table_1])
//     x[i] = at(i);                               |  x[i] = at(i, ccv_table_1, table);
#include <string.h>

#include "cc/region.h"

struct handed { // a parameter
    const struct cc_function *function;
    const struct cc_name *name;
    uint32_t which, at; // `at`: where it is handed a table
    bool is_refused;
    bool is_flat; // it has two forms
};
struct handing {
    struct cc_region *region;
    struct handed *items;
    uint32_t count, cap;
    bool *seen;   // functions
    bool **needs; // by variable: functions that name such a table, or call one that does; NULL: it is none
    bool grows, never;
    cc_take_edit *take; // NULL: what is handed where is still looked for
    cc_is_edited *edited;
    void *user;
};

static struct handed *find(const struct handing *h, const struct cc_function *f, uint32_t which) {
    for (uint32_t i = 0; i < h->count; i++)
        if (h->items[i].function == f && h->items[i].which == which) return &h->items[i];
    return NULL;
}

// A table of the region, or of an iteration (scratch.c), or of a function that it was handed to.
static bool is_table(const struct handing *h, const struct cc_name *name) {
    if (!cc_has_rows(name)) return false;
    for (uint32_t i = 0; i < h->region->var_count; i++)
        if (h->region->vars[i].name == name)
            return h->region->vars[i].form == CC_REACH || name->derive[0].kind == CC_ARRAY;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->items[i].name == name) return !h->items[i].is_refused;
    for (uint32_t i = 0; i < h->region->table_count; i++)
        if (h->region->tables[i] == name) return true;
    return false;
}

// Sums of integers that a pointer moves by.
static bool is_distance(const struct cc_source *s, uint32_t at, uint32_t to) {
    if (cc_kind(s, at) != FRONT_P_PLUS && cc_kind(s, at) != FRONT_P_MINUS) return false;
    while (at < to) {
        enum front_token_kind kind = cc_kind(s, at);
        bool opens = kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET;
        if (!opens && kind != FRONT_TOK_IDENT && kind != FRONT_TOK_INT && kind != FRONT_P_DOT &&
            kind != FRONT_P_ARROW && kind != FRONT_P_PLUS && kind != FRONT_P_MINUS && kind != FRONT_P_STAR)
            return false;
        at = opens ? cc_skip_group(s, at) : at + 1;
    }
    return true;
}

// Whether an argument is a table, the end of one (`a + k`, `&a[k]`), or the table of one plane, `a[i]` of float ***a.
// *out_first: its first width.
static const struct cc_name *table_of(const struct handing *h, uint32_t from, uint32_t to, uint32_t *out_first) {
    const struct cc_source *s = h->region->source;
    while (from + 2 < to && cc_kind(s, from) == FRONT_P_LPAREN && cc_skip_group(s, from) == to)
        from++, to--;
    *out_first = 1;
    if (cc_kind(s, from) == FRONT_P_AMP) *out_first = 0, from++;
    const struct cc_member_use *member = cc_member_at(h->region, from);
    bool is_name = cc_kind(s, from) == FRONT_TOK_IDENT;
    const struct cc_name *name = member ? member->name : is_name ? cc_find(s, s->tokens[from].text, from) : NULL;
    for (from = member ? member->to : from + 1; from < to && cc_kind(s, from) == FRONT_P_LBRACKET; (*out_first)++)
        from = cc_skip_group(s, from);
    if (member && member->handed) return NULL;
    bool ends = name && (from == to || is_distance(s, from, to)) && name->kind == CC_VARIABLE;
    return ends && *out_first && *out_first < name->derive_count && is_table(h, name) ? name : NULL;
}

static void look_at_part(struct handing *h, const struct cc_function *f, uint32_t which, struct cc_derivation part) {
    uint32_t first;
    const struct cc_name *table = table_of(h, part.from, part.to, &first);
    struct handed *old = find(h, f, which);
    struct cc_derivation where;
    const struct cc_name *param = cc_param_at(h->region->source, f, which, &where);
    bool fits = table && param && cc_has_rows(param) && param->derive_count == table->derive_count - first + 1;
    if (old && !fits) h->grows |= !old->is_refused, old->is_refused = true;
    if (old || !fits) return;
    BASE_RESERVE(h->region->source->cx, h->items, h->count, h->cap);
    h->items[h->count++] = (struct handed){.function = f, .name = param, .which = which, .at = part.from};
    h->grows = true;
}

static bool names_table(const struct cc_region *r, const struct cc_name *name, const struct cc_function *f) {
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < r->member_count; i++)
        if (r->members[i].name == name && r->members[i].from >= f->from && r->members[i].from < f->to) return true;
    for (uint32_t at = f->from; at < f->to && !name->base; at++) {
        enum front_token_kind before = cc_kind(s, at - 1);
        if (s->tokens[at].text != name->text || before == FRONT_P_DOT || before == FRONT_P_ARROW) continue;
        const struct cc_name *here = cc_find(s, name->text, at);
        if (here && here->is_file) return true;
    }
    return false;
}

static bool calls_one(const struct cc_source *s, const struct cc_function *f, const bool *needs) {
    for (uint32_t at = f->from; at < f->to; at++) {
        const struct cc_function *called = cc_called(s, at);
        if (called && needs[called - s->functions]) return true;
    }
    return false;
}

// False: no function needs any.
static bool find_needs(struct handing *h) {
    struct cc_region *r = h->region;
    const struct cc_source *s = r->source;
    const bool *reached = cc_reached(r);
    bool any = false;
    h->needs = base_alloc_array(s->cx, r->var_count + 1, sizeof *h->needs);
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (!r->vars[v].in_calls) continue;
        bool *needs = h->needs[v] = base_alloc_array(s->cx, s->function_count + 1, sizeof *needs);
        for (bool grows = true; grows; any = any || grows) {
            grows = false;
            for (uint32_t i = 0; i < s->function_count; i++) {
                const struct cc_function *f = &s->functions[i];
                if (!reached[i] || needs[i]) continue;
                if (names_table(r, r->vars[v].name, f) || calls_one(s, f, needs)) needs[i] = grows = true;
            }
        }
    }
    return any;
}

static bool needs_any(const struct handing *h, const struct cc_function *f) {
    bool any = false;
    for (uint32_t v = 0; h->needs && v < h->region->var_count; v++)
        any = any || (h->needs[v] && h->needs[v][f - h->region->source->functions]);
    return any;
}

// ---- two forms ------------------------------------------------------------------------------------------------------

// Whether the table, of the region or of a function that it is handed to, has two forms.
static bool *flatness(struct handing *h, const struct cc_name *name) {
    for (uint32_t i = 0; i < h->region->var_count; i++)
        if (h->region->vars[i].name == name) return &h->region->vars[i].is_flat;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->items[i].name == name) return &h->items[i].is_flat;
    h->never = false; // of an iteration
    return &h->never;
}
static bool is_flat(struct handing *h, const struct cc_name *name) { return *flatness(h, name); }

// A use of a table as an argument: `a`, `a + k`, `&a[k]`.
struct part {
    uint32_t from, behind; // all of it
    uint32_t at, end;      // what it goes on by
    bool is_whole, is_address;
};
static bool part_at(const struct handing *h, uint32_t at, uint32_t behind, struct part *out) {
    const struct cc_source *s = h->region->source;
    bool opens = cc_kind(s, behind) == FRONT_P_LBRACKET, moves = false;
    *out = (struct part){.from = at, .behind = behind, .at = behind, .end = behind, .is_whole = true};
    if (opens && cc_kind(s, at - 1) == FRONT_P_AMP) {
        *out = (struct part){at - 1, cc_skip_group(s, behind), behind + 1, cc_skip_group(s, behind) - 1, false, true};
    } else if (cc_kind(s, behind) == FRONT_P_PLUS || cc_kind(s, behind) == FRONT_P_MINUS) {
        while (cc_kind(s, out->end) != FRONT_P_COMMA && cc_kind(s, out->end) != FRONT_P_RPAREN) {
            enum front_token_kind kind = cc_kind(s, out->end);
            if (kind == FRONT_P_SEMI || kind == FRONT_TOK_END || kind == FRONT_P_RBRACKET) return false;
            bool group = kind == FRONT_P_LPAREN || kind == FRONT_P_LBRACKET || kind == FRONT_P_LBRACE;
            out->end = group ? cc_skip_group(s, out->end) : out->end + 1;
        }
        out->behind = out->end;
        out->is_whole = false;
        moves = true;
    } else {
        return !opens;
    }
    return !moves || is_distance(s, out->at, out->end);
}

// The part of a table that is an argument has two forms as the table has.
static bool is_flat_part(const struct handing *h, const struct cc_name *table, uint32_t from, uint32_t to) {
    struct part part;
    uint32_t at = from + (cc_kind(h->region->source, from) == FRONT_P_AMP);
    uint32_t behind = cc_behind_table(h->region, table, at);
    return behind && part_at(h, at, behind, &part) && part.from == from && part.behind == to;
}

// A table and the parameter that it is handed to have the same forms; the end of one, or a plane, has one.
static void join_arguments(struct handing *h, uint32_t from, uint32_t to) {
    const struct cc_source *s = h->region->source;
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(s, at);
        uint32_t end = f && f->body ? cc_skip_group(s, at + 1) - 1 : 0, first;
        for (uint32_t which = 0, k = at + 2, behind; k < end; which++, k = behind + 1) {
            behind = cc_behind_argument(s, k, end);
            struct handed *param = find(h, f, which);
            const struct cc_name *table = param && !param->is_refused ? table_of(h, k, behind, &first) : NULL;
            bool *own = table ? flatness(h, table) : NULL;
            if (!own) continue;
            bool both = *own && param->is_flat && is_flat_part(h, table, k, behind);
            h->grows = h->grows || *own != both || param->is_flat != both;
            *own = param->is_flat = both;
        }
    }
}

// Is the use at `at` an argument by itself, of a function that takes such a table?
static bool is_argument(const struct handing *h, uint32_t at, uint32_t behind) {
    const struct cc_source *s = h->region->source;
    enum front_token_kind before = cc_kind(s, at - 1), next = cc_kind(s, behind);
    if (before != FRONT_P_LPAREN && before != FRONT_P_COMMA) return false;
    if (next != FRONT_P_RPAREN && next != FRONT_P_COMMA) return false;
    uint32_t open = at - 1, which = 0;
    for (uint32_t depth = 0; open > 1; open--) {
        enum front_token_kind kind = cc_kind(s, open);
        if (kind == FRONT_P_SEMI || kind == FRONT_P_LBRACE || kind == FRONT_P_RBRACE) return false;
        which += kind == FRONT_P_COMMA && !depth;
        depth += kind == FRONT_P_RPAREN || kind == FRONT_P_RBRACKET;
        if (kind != FRONT_P_LPAREN && kind != FRONT_P_LBRACKET) continue;
        if (!depth) break;
        depth--;
    }
    const struct cc_function *f = cc_kind(s, open) == FRONT_P_LPAREN ? cc_called(s, open - 1) : NULL;
    const struct handed *param = f && f->body ? find(h, f, which) : NULL;
    return param && !param->is_refused;
}

static void take_part(struct handing *h, uint32_t at, const struct part *part) {
    const char *begin = CC_PREFIX "part(";
    if (part->is_address) {
        h->take(h->user, part->from, at, begin);
        h->take(h->user, part->at - 1, part->at, ", (");
        h->take(h->user, part->end, part->end + 1, "))");
    } else {
        h->take(h->user, at, at, begin);
        h->take(h->user, part->at, part->at, ", ");
        h->take(h->user, part->end, part->end, ")");
    }
}

// Calls `take` for what finds a row of a table in these tokens; false: something else is done with it.
static bool find_rows(struct handing *h, const struct cc_name *name, uint32_t from, uint32_t to, cc_take_edit *take) {
    struct cc_region *r = h->region;
    bool in_pragma = false;
    for (uint32_t at = from, behind; at < to; at++) {
        if (cc_kind(r->source, at) == FRONT_TOK_PRAGMA) in_pragma = true;
        if (cc_kind(r->source, at) == FRONT_TOK_PRAGMA_END) in_pragma = false;
        if (in_pragma || !(behind = cc_behind_table(r, name, at))) continue;
        struct part part;
        if (part_at(h, at, behind, &part) && is_argument(h, part.from, part.behind)) {
            if (take && !part.is_whole) take_part(h, at, &part);
            continue;
        }
        if (!take && !cc_finds_row(r, at, behind, h->edited, h->user)) return false;
        if (take) cc_flatten_row(r, name, at, behind, take, h->user);
    }
    return true;
}

// In all functions that the region reaches.
static bool find_all_rows(struct handing *h, const struct cc_name *name, cc_take_edit *take) {
    const struct cc_source *s = h->region->source;
    for (uint32_t i = 0; i < s->function_count; i++)
        if (h->seen[i] && !find_rows(h, name, s->functions[i].from, s->functions[i].to, take)) return false;
    return true;
}

// Which tables of functions have two forms: as many as can.
static void find_flat(struct handing *h) {
    struct cc_region *r = h->region;
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < h->count; i++)
        h->items[i].is_flat =
            !h->items[i].is_refused && h->items[i].name->derive_count == 2 &&
            find_rows(h, h->items[i].name, h->items[i].function->from, h->items[i].function->to, NULL);
    for (uint32_t i = 0; i < r->var_count; i++) {
        struct cc_variable *v = &r->vars[i];
        v->is_flat = cc_has_flat_shape(v) && !(v->name->said && r->handed_count) &&
                     find_rows(h, v->name, r->node->from, r->node->to, NULL) &&
                     (!v->in_calls || find_all_rows(h, v->name, NULL));
    }
    do {
        h->grows = false;
        join_arguments(h, r->node->from, r->node->to);
        for (uint32_t i = 0; i < s->function_count; i++)
            if (h->seen[i]) join_arguments(h, s->functions[i].from, s->functions[i].to);
    } while (h->grows);
}

static void take_parts(struct handing *h, const struct cc_name *name) {
    struct part part;
    for (uint32_t at = h->region->node->from, behind; at < h->region->node->to; at++) {
        if (!(behind = cc_behind_table(h->region, name, at)) || !part_at(h, at, behind, &part)) continue;
        if (!part.is_whole && is_argument(h, part.from, part.behind)) take_part(h, at, &part);
    }
}

static void flatten_functions(struct handing *h) {
    struct cc_region *r = h->region;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct handed *p = &h->items[i];
        if (p->is_flat) find_rows(h, p->name, p->function->from, p->function->to, h->take);
        r->has_flat |= p->is_flat;
    }
    for (uint32_t i = 0; i < r->var_count; i++) {
        const struct cc_variable *v = &r->vars[i];
        if (v->is_flat && v->in_calls) find_all_rows(h, v->name, h->take);
        if (v->is_flat) take_parts(h, v->name);
        r->has_flat |= v->is_flat && v->in_calls;
    }
}

static void put_bound(struct base_text *out, const char *name, uint32_t d, bool has_two) {
    base_text_format(out, has_two ? CC_PREFIX "width(" CC_PREFIX "%s_%u)" : "[" CC_PREFIX "%s_%u]", name, d);
}

// ---- edits ----------------------------------------------------------------------------------------------------------

// The width of a table where a call stands: functions get their own.
static const char *width_at(const struct handing *h, const struct cc_name *name, uint32_t d, uint32_t at) {
    bool is_outside = at < h->region->node->from || at >= h->region->node->to;
    return is_outside ? base_format(h->region->source->cx, CC_PREFIX "%s_%u", name->text, d)
                      : cc_width_name(h->region, name, d);
}

// Tables at file scope, as arguments, behind those of the call.
static void put_tables(struct handing *h, const struct cc_function *f, uint32_t at) {
    const struct cc_source *s = h->region->source;
    uint32_t close = cc_skip_group(s, at + 1) - 1;
    struct base_text t;
    base_text_init(&t, s->cx);
    for (uint32_t v = 0; v < h->region->var_count; v++) {
        if (!h->needs[v] || !h->needs[v][f - s->functions]) continue;
        const struct cc_name *name = h->region->vars[v].name;
        if (t.size || at + 2 < close) base_text_put(&t, ", ");
        for (uint32_t d = 1; d < name->derive_count; d++)
            base_text_format(&t, "%s, ", width_at(h, name, d, at));
        if (is_flat(h, name)) base_text_format(&t, "%s, ", cc_starts_name(h->region, name));
        base_text_put(&t, name->text);
    }
    if (t.size) h->take(h->user, close, close, t.data);
}

static void put_table_params(struct handing *h, const struct cc_function *f, struct base_text *out) {
    const struct cc_source *s = h->region->source;
    for (uint32_t v = 0; h->needs && v < h->region->var_count; v++) {
        if (!h->needs[v] || !h->needs[v][f - s->functions]) continue;
        const struct cc_name *name = h->region->vars[v].name;
        if (out->size) base_text_put(out, ", ");
        for (uint32_t d = 1; d < name->derive_count; d++)
            base_text_format(out, "int " CC_PREFIX "%s_%u, ", name->text, d);
        bool has_two = is_flat(h, name);
        if (has_two) base_text_format(out, "const int *%s, ", cc_starts_name(h->region, name));
        cc_put_type(out, s, name, true);
        base_text_format(out, "(*%s)", name->text);
        for (uint32_t d = 1; d < name->derive_count; d++)
            put_bound(out, name->text, d, has_two);
    }
}

// Where the rows of a table begin, or of a part of it.
static void put_starts(struct base_text *out, const struct handing *h, const struct cc_name *table, uint32_t from) {
    const struct cc_source *s = h->region->source;
    struct part part = {0};
    uint32_t at = from + (cc_kind(s, from) == FRONT_P_AMP);
    if (!part_at(h, at, cc_behind_table(h->region, table, at), &part)) part.is_whole = true;
    base_text_put(out, cc_starts_name(h->region, table));
    if (part.is_address) base_text_put(out, " + (");
    for (uint32_t k = part.at; k < part.end && !part.is_whole; k++) {
        const struct cc_member_use *member = cc_member_at(h->region, k);
        base_text_format(out, " %s", member ? member->text : s->tokens[k].text);
        if (member) k = member->to - 1;
    }
    base_text_put(out, part.is_address ? "), " : ", ");
}

static void put_widths(struct handing *h, const struct cc_function *f, uint32_t at) {
    const struct cc_source *s = h->region->source;
    uint32_t from = at + 2, end = cc_skip_group(s, at + 1) - 1;
    struct base_text t;
    base_text_init(&t, s->cx);
    for (uint32_t which = 0, to; from < end; which++, from = to + 1) {
        to = cc_behind_argument(s, from, end);
        const struct handed *p = find(h, f, which);
        uint32_t first;
        const struct cc_name *table = p && !p->is_refused ? table_of(h, from, to, &first) : NULL;
        for (uint32_t k = table ? first : CC_MAX_DERIVE; table && k < table->derive_count; k++)
            base_text_format(&t, "%s, ", width_at(h, table, k, at));
        if (table && p->is_flat) put_starts(&t, h, table, from);
    }
    if (t.size) h->take(h->user, at + 1, at + 2, base_format(s->cx, "(%s", t.data));
}

static void walk(struct handing *h, uint32_t from, uint32_t to) {
    const struct cc_source *s = h->region->source;
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(s, at);
        if (!f || !f->body) continue;
        if (h->take) {
            put_widths(h, f, at);
            put_tables(h, f, at);
        } else {
            uint32_t end = cc_skip_group(s, at + 1) - 1;
            for (uint32_t which = 0, k = at + 2, behind; k < end; which++, k = behind + 1) {
                behind = cc_behind_argument(s, k, end);
                look_at_part(h, f, which, (struct cc_derivation){.from = k, .to = behind});
            }
        }
        if (h->seen[f - s->functions]) continue;
        h->seen[f - s->functions] = true;
        walk(h, f->from, f->to);
    }
}

static void walk_all(struct handing *h) {
    memset(h->seen, 0, h->region->source->function_count * sizeof *h->seen);
    walk(h, h->region->node->from, h->region->node->to);
}

static const char *list_of(struct handing *h, const struct cc_function *f) {
    const struct cc_source *s = h->region->source;
    struct base_text widths, all;
    struct cc_derivation part;
    bool is_old = cc_is_old(s, f), changed = is_old || needs_any(h, f);
    base_text_init(&widths, s->cx);
    base_text_init(&all, s->cx);
    const struct cc_name *param;
    for (uint32_t which = 0; (param = cc_param_at(s, f, which, &part)); which++) {
        const struct handed *p = find(h, f, which);
        const struct cc_handed *members = cc_handed_at(h->region, f, which);
        if (which) base_text_put(&all, ", ");
        if (members) {
            cc_put_handed(&all, s, members);
            changed = true;
            continue;
        }
        if ((!p || p->is_refused) && is_old) {
            cc_put_old_param(&all, s, param);
            continue;
        }
        if (!p || p->is_refused) {
            const struct cc_token *last = &s->tokens[part.to - 1];
            base_text_add(&all, s->text + s->tokens[part.from].at, last->at + last->size - s->tokens[part.from].at);
            continue;
        }
        changed = true;
        cc_put_type(&all, s, p->name, true);
        base_text_format(&all, "(*%s)", p->name->text);
        for (uint32_t k = 1; k < p->name->derive_count; k++) {
            base_text_format(&widths, "int " CC_PREFIX "%s_%u, ", p->name->text, k);
            put_bound(&all, p->name->text, k, p->is_flat);
        }
        if (p->is_flat) base_text_format(&widths, "const int *%s, ", cc_starts_name(h->region, p->name));
    }
    put_table_params(h, f, &all);
    return changed ? base_format(s->cx, "%s%s", widths.size ? widths.data : "", all.data) : NULL;
}

// All declarations of a function have the list of its definition.
static void put_lists(struct handing *h) {
    const struct cc_source *s = h->region->source;
    for (uint32_t i = 0; i < s->function_count; i++) {
        const char *list = h->seen[i] ? list_of(h, &s->functions[i]) : NULL;
        for (uint32_t k = 0; k < s->declared_count && list; k++) {
            const struct cc_name *n = s->declared[k];
            if (n->text != s->functions[i].name || !n->is_file || n->kind != CC_ROUTINE) continue;
            const struct cc_function *f = &s->functions[i];
            uint32_t from = n->derive[0].from, to = n->derive[0].to; // an old declaration has an empty list
            bool is_old = cc_is_old(s, f) && n->at >= f->start && n->at < f->from;
            h->take(h->user, from - 1, is_old ? f->from : to + 1, base_format(s->cx, "(%s)", list));
        }
    }
}

// default(none): widths stand in no clause.
static void put_defaults(const struct handing *h, uint32_t from, uint32_t to) {
    const struct cc_source *s = h->region->source;
    for (uint32_t at = from; at + 3 < to; at++)
        if (cc_kind(s, at) == FRONT_KW_DEFAULT && strcmp(s->tokens[at + 2].text, "none") == 0)
            h->take(h->user, at + 2, at + 3, "shared");
}

static bool calls_old(struct cc_region *r) {
    const bool *reached = cc_reached(r);
    for (uint32_t i = 0; i < r->source->function_count; i++)
        if (reached[i] && cc_is_old(r->source, &r->source->functions[i])) return true;
    return false;
}

void cc_hand_rows(struct cc_region *r, cc_is_edited *edited, cc_take_edit *take, void *user) {
    struct handing h = {.region = r, .edited = edited, .user = user};
    r->has_flat = false;
    for (uint32_t i = 0; i < r->var_count; i++)
        r->vars[i].is_flat = false;
    bool any = cc_edit_handed(r, take, user), has_structs = any, has_old = calls_old(r);
    for (uint32_t i = 0; i < r->var_count; i++)
        any = any || cc_has_rows(r->vars[i].name);
    any = any || r->table_count;
    if (!any && !has_old) return;
    h.seen = base_alloc_array(r->source->cx, r->source->function_count + 1, sizeof *h.seen);
    do {
        h.grows = false;
        walk_all(&h);
    } while (h.grows);
    for (uint32_t i = 0; i < h.count; i++)
        if (h.items[i].is_refused)
            cc_refuse(
                r, r->source->tokens[h.items[i].at].line,
                "the pointers that '%s' of %s takes are rows of arrays here, and others in another call: write the "
                "function twice",
                h.items[i].name->text, h.items[i].function->name);
    bool has_tables = find_needs(&h);
    if ((!h.count && !has_structs && !has_tables && !has_old) || r->reason) return;
    find_flat(&h);
    h.take = take;
    walk_all(&h);
    put_lists(&h);
    flatten_functions(&h);
    put_defaults(&h, r->node->from, r->node->to);
    for (uint32_t i = 0; i < r->source->function_count; i++)
        if (h.seen[i]) put_defaults(&h, r->source->functions[i].from, r->source->functions[i].to);
}

bool cc_is_handed(const struct cc_region *r, const char *name) {
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < s->declared_count; i++)
        if (s->declared[i]->is_param && strcmp(s->declared[i]->text, name) == 0 && cc_has_rows(s->declared[i]))
            return true;
    return false;
}
