// Static variables of functions that threads of a region call: in the program they are variables at file scope, under
// names of their own, before the function. There a region can name them, bring them along and take them back. Structs
// that functions declare stand before them, too, where no other has that tag; and those without one get one.
#include <string.h>

#include "cc/source.h"

struct hoist {
    struct cc_source *s;
    bool *reached; // functions, by number
    struct cc_edit {
        uint32_t at, size; // in the text
        const char *text;
    } * edits;
    uint32_t count, cap;
};

static void reach(struct hoist *h, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        const struct cc_function *f = cc_called(h->s, at);
        if (!f || h->reached[f - h->s->functions]) continue;
        h->reached[f - h->s->functions] = true;
        reach(h, f->from, f->to);
    }
}

static void reach_regions(struct hoist *h, const struct cc_node *n) {
    if (cc_is_parallel(h->s, n)) reach(h, n->from, n->to);
    for (n = n->child; n; n = n->next)
        reach_regions(h, n);
}

// ---- one declaration ------------------------------------------------------------------------------------------------

static bool is_static(const struct cc_source *s, const struct cc_node *n) {
    for (uint32_t at = n->from; n->kind == CC_DECLARATION && at < n->to; at++) {
        if (cc_kind(s, at) == FRONT_KW_STATIC) return true;
        if (cc_kind(s, at) == FRONT_P_ASSIGN || cc_kind(s, at) == FRONT_P_LBRACE) return false;
    }
    return false;
}

static bool is_declared_by(const struct cc_name *name, const struct cc_node *n) {
    return !name->is_file && name->said_from == n->from && name->at < n->to;
}

// Nothing in it is of the function, but for what it declares.
static bool is_of_file(const struct cc_source *s, const struct cc_node *n) {
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *d = s->declared[i];
        if (is_declared_by(d, n) && (d->kind != CC_VARIABLE || d->is_odd || d->is_const || d->is_volatile))
            return false;
    }
    for (uint32_t at = n->from; at < n->to; at++) {
        enum front_token_kind kind = cc_kind(s, at), before = cc_kind(s, at - 1);
        bool is_tag = before == FRONT_KW_STRUCT || before == FRONT_KW_UNION || before == FRONT_KW_ENUM;
        if (is_tag && (kind != FRONT_TOK_IDENT || cc_kind(s, at + 1) == FRONT_P_LBRACE)) return false;
        if (kind != FRONT_TOK_IDENT || is_tag) continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (name && !name->is_file && !is_declared_by(name, n)) return false;
    }
    return s->local_tag_count == 0;
}

static const struct cc_node *declaration_of(const struct cc_name *name, const struct cc_node *n) {
    if (n->kind == CC_DECLARATION && is_declared_by(name, n)) return n;
    const struct cc_node *found = NULL;
    for (n = n->child; n && !found; n = n->next)
        found = declaration_of(name, n);
    return found;
}

// Each thread has its own of all that the declaration declares. `threadprivate` directives of the function go, and
// `__thread` says the same of what stands outside.
static bool is_each_threads(const struct cc_source *s, const struct cc_node *n) {
    for (uint32_t i = 0; i < s->declared_count; i++)
        if (is_declared_by(s->declared[i], n) && !s->declared[i]->is_thread) return false;
    return is_static(s, n) && is_of_file(s, n);
}

// The next such directive from *io_at on, which is behind it then; 0: there is none. False: it names what has to stay.
static bool find_directive(const struct cc_source *s, const struct cc_function *f, uint32_t *io_at,
                           uint32_t *out_from) {
    for (uint32_t at = *io_at; at < f->to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_PRAGMA || strcmp(s->tokens[at + 1].text, "threadprivate") != 0) continue;
        bool good = true;
        *out_from = at;
        for (at += 2; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
            if (cc_kind(s, at) != FRONT_TOK_IDENT) continue;
            const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
            const struct cc_node *n = name && !name->is_file ? declaration_of(name, f->body) : NULL;
            good = good && n && is_each_threads(s, n);
        }
        *io_at = at;
        return good;
    }
    *io_at = 0;
    return true;
}

// `copyin` takes nothing but what such a directive names.
static bool can_threads_stand_outside(const struct cc_source *s, const struct cc_function *f) {
    for (uint32_t at = f->from; at < f->to; at++)
        if (cc_kind(s, at) == FRONT_TOK_IDENT && strcmp(s->tokens[at].text, "copyin") == 0) return false;
    for (uint32_t at = f->from, from; at;)
        if (!find_directive(s, f, &at, &from)) return false;
    return true;
}

static bool can_stand_outside(const struct cc_source *s, const struct cc_function *f, const struct cc_node *n) {
    bool any = false;
    for (uint32_t i = 0; i < s->declared_count; i++)
        any = any || (is_declared_by(s->declared[i], n) && s->declared[i]->is_thread);
    return is_of_file(s, n) && (!any || (is_each_threads(s, n) && can_threads_stand_outside(s, f)));
}

static void add(struct hoist *h, uint32_t at, uint32_t size, const char *text) {
    BASE_RESERVE(h->s->cx, h->edits, h->count, h->cap);
    uint32_t i = h->count++;
    for (; i > 0 && h->edits[i - 1].at > at; i--)
        h->edits[i] = h->edits[i - 1];
    h->edits[i] = (struct cc_edit){at, size, text};
}

static const char *new_name(struct hoist *h, const struct cc_name *name) {
    return base_format(h->s->cx, "ccv_%u_%s", name->at, name->text);
}

// The first function that stands behind all that a declaration names: regions of any function from there on can name
// what it declares.
static const struct cc_function *first_behind(const struct cc_source *s, const struct cc_function *own,
                                              const struct cc_node *n) {
    uint32_t last = 0;
    for (uint32_t at = n->from; at < n->to; at++) {
        const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        bool is_tag = cc_kind(s, at) == FRONT_TOK_IDENT && !name;
        for (uint32_t k = 0; is_tag && k < own->start; k++) // of a struct
            if (s->tokens[k].text == s->tokens[at].text && cc_kind(s, k + 1) == FRONT_P_LBRACE)
                last = k + 1 > last ? k + 1 : last;
        if (name && name->is_file && name->end > last) last = name->end;
    }
    const struct cc_function *f = s->functions;
    while (f != own && f->start < last)
        f++;
    return f;
}

// The declaration in front of a function; where it was, its lines are left, and uses have the new name.
static void move(struct hoist *h, const struct cc_function *f, const struct cc_node *n) {
    const struct cc_source *s = h->s;
    struct base_text out, lines;
    base_text_init(&out, s->cx);
    base_text_init(&lines, s->cx);
    bool is_thread = false, says_so = false;
    for (uint32_t at = n->from; at < n->to; at++) {
        const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        bool is_own = name && is_declared_by(name, n);
        is_thread = is_thread || (is_own && name->is_thread);
        says_so = says_so || cc_kind(s, at) == FRONT_KW_THREAD_LOCAL;
        base_text_format(&out, "%s ", is_own ? new_name(h, name) : s->tokens[at].text);
    }
    if (is_thread && !says_so) { // behind `static`, as GNU's C has it
        const char *word = strstr(out.data, "static ");
        uint32_t before = (uint32_t)(word - out.data) + 7;
        const char *rest = base_format(s->cx, "%s", word + 7);
        out.size = before;
        base_text_format(&out, "__thread %s", rest);
    }
    uint32_t from = s->tokens[n->from].at, to = s->tokens[n->to - 1].at + s->tokens[n->to - 1].size;
    base_text_put(&lines, ";");
    for (uint32_t p = from; p < to; p++)
        if (s->text[p] == '\n') base_text_put(&lines, "\n");
    add(h, s->tokens[first_behind(s, f, n)->start].at, 0, out.data);
    add(h, from, to - from, lines.data);
    for (uint32_t at = n->to; at < f->to; at++) {
        if (cc_kind(s, at) == FRONT_TOK_PRAGMA && strcmp(s->tokens[at + 1].text, "threadprivate") == 0)
            while (cc_kind(s, at) != FRONT_TOK_PRAGMA_END) // it goes
                at++;
        if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at - 1) == FRONT_P_DOT ||
            cc_kind(s, at - 1) == FRONT_P_ARROW)
            continue;
        const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
        if (name && is_declared_by(name, n)) add(h, s->tokens[at].at, s->tokens[at].size, new_name(h, name));
    }
}

static void move_all(struct hoist *h, const struct cc_function *f, const struct cc_node *n) {
    if (is_static(h->s, n) && can_stand_outside(h->s, f, n)) move(h, f, n);
    for (n = n->child; n; n = n->next)
        move_all(h, f, n);
}

static void remove_directives(struct hoist *h, const struct cc_function *f) {
    const struct cc_source *s = h->s;
    for (uint32_t at = f->from, from; find_directive(s, f, &at, &from) && at;)
        add(h, s->tokens[from].at, s->tokens[from].size, "");
}

// ---- structs --------------------------------------------------------------------------------------------------------

struct members { // which tokens of a struct are their names
    uint32_t at[64];
    uint32_t count;
};
static bool note_member(void *user, const struct cc_name *member) {
    struct members *m = user;
    if (member->text && m->count < 64) m->at[m->count++] = member->at;
    return m->count == 64;
}

// Nobody else says `struct tag`, where it has one, and between its braces nothing is of the function.
static bool can_struct_stand_outside(struct cc_source *s, const struct cc_function *f, uint32_t brace) {
    struct members m = {.count = 0};
    uint32_t end = cc_skip_group(s, brace), tag = brace - 1;
    bool has_tag = cc_kind(s, tag) == FRONT_TOK_IDENT;
    for (uint32_t at = 1; at < s->count && has_tag; at++) {
        bool is_inside = at >= tag && at < f->to;
        bool defines = at != tag && cc_kind(s, at + 1) == FRONT_P_LBRACE;
        enum front_token_kind before = cc_kind(s, at - 1);
        bool is_tag = before == FRONT_KW_STRUCT || before == FRONT_KW_UNION || before == FRONT_KW_ENUM;
        if (is_tag && s->tokens[at].text == s->tokens[tag].text && (!is_inside || defines)) return false;
    }
    if (cc_each_member(s, brace, note_member, &m)) return false;
    for (uint32_t at = brace + 1, i = 0; at < end; at++) {
        if (i < m.count && m.at[i] == at && ++i) continue;
        bool is_tag = cc_kind(s, at - 1) == FRONT_KW_STRUCT || cc_kind(s, at - 1) == FRONT_KW_UNION;
        if (is_tag && s->tokens[at].text == s->tokens[tag].text) continue;
        if (cc_kind(s, at) == FRONT_P_LBRACE || cc_names_local_tag(s, at)) return false;
        const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        if (name && !name->is_file && !is_tag) return false;
    }
    return true;
}

static const char *tag_of(const struct cc_source *s, uint32_t brace) {
    return base_format(s->cx, "ccv_struct_%u", brace);
}

// Of variables at file scope: struct { ... } table[9];
static void name_structs(struct hoist *h) {
    struct cc_source *s = h->s;
    uint32_t last = 0;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *name = s->declared[i];
        if (!name->is_file || name->kind != CC_VARIABLE || !name->is_odd) continue;
        for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
            if (cc_kind(s, at) != FRONT_KW_STRUCT || cc_kind(s, at + 1) != FRONT_P_LBRACE) continue;
            if (at != last) add(h, s->tokens[at + 1].at, 0, base_format(s->cx, " %s ", tag_of(s, at + 1)));
            last = at;
            break;
        }
    }
}

static void move_structs(struct hoist *h, const struct cc_function *f, const struct cc_node *n) {
    struct cc_source *s = h->s;
    uint32_t word = n->from;
    for (const struct cc_node *c = n->child; c; c = c->next)
        move_structs(h, f, c);
    while (cc_kind(s, word) == FRONT_KW_CONST || cc_kind(s, word) == FRONT_KW_STATIC)
        word++;
    bool has_tag = cc_kind(s, word + 1) == FRONT_TOK_IDENT;
    uint32_t brace = word + 1 + has_tag;
    bool is_struct =
        n->kind == CC_DECLARATION && cc_kind(s, word) == FRONT_KW_STRUCT && cc_kind(s, brace) == FRONT_P_LBRACE;
    if (!is_struct || !can_struct_stand_outside(s, f, brace)) return;
    uint32_t end = cc_skip_group(s, brace), from = s->tokens[brace].at;
    bool is_alone = cc_kind(s, end) == FRONT_P_SEMI; // `struct tag;` would be another one
    const char *tag = has_tag ? s->tokens[word + 1].text : tag_of(s, brace);
    struct base_text out, lines;
    base_text_init(&out, s->cx);
    base_text_init(&lines, s->cx);
    base_text_format(&out, "struct %s ", tag);
    for (uint32_t at = brace; at < end; at++)
        base_text_format(&out, "%s ", s->tokens[at].text);
    base_text_put(&out, "; ");
    if (is_alone) from = s->tokens[n->from].at;
    uint32_t to = s->tokens[end - 1].at + s->tokens[end - 1].size;
    base_text_format(&lines, " %s ", has_tag ? "" : tag);
    for (uint32_t p = from; p < to; p++)
        if (s->text[p] == '\n') base_text_put(&lines, "\n");
    add(h, s->tokens[f->start].at, 0, out.data);
    add(h, from, to - from, lines.data);
}

const char *cc_hoist_statics(struct cc_source *s, size_t *io_size) {
    struct hoist h = {.s = s, .reached = base_alloc_array(s->cx, s->function_count + 1, sizeof(bool))};
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].body) reach_regions(&h, s->functions[i].body);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (h.reached[i] && s->functions[i].body) {
            if (can_threads_stand_outside(s, &s->functions[i])) remove_directives(&h, &s->functions[i]);
            move_all(&h, &s->functions[i], s->functions[i].body);
        }
    name_structs(&h);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].body && cc_holds_region(s, s->functions[i].body))
            move_structs(&h, &s->functions[i], s->functions[i].body);
    if (!h.count) return NULL;
    struct base_text out;
    base_text_init(&out, s->cx);
    uint32_t at = 0;
    for (uint32_t i = 0; i < h.count; i++) {
        base_text_add(&out, s->text + at, h.edits[i].at - at);
        base_text_put(&out, h.edits[i].text);
        at = h.edits[i].at + h.edits[i].size;
    }
    base_text_add(&out, s->text + at, s->size - at);
    *io_size = out.size;
    return out.data;
}
