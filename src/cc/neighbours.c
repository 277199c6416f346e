// Functions of other files that regions call. Which file defines them is not known before the program is linked; but a
// file beside this one that does is most likely it. So its function is read, and the region's program has it; the
// object of each file says by a symbol what its functions were (the hash of their tokens), and a region whose symbol is
// not linked stays on the CPU.
//
// The function must mean the same here as there: all names that it uses from outside come from the same places of the
// same headers, or are static functions and constants of its file, which come along.
#include <string.h>

#include "cc/region.h"

enum { MOST_COMPANY = 64 };

// `f(x)`, and `(f)(x)`, which no macro of that name takes for its own.
static bool is_call(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return false;
    bool in_brackets = at && cc_kind(s, at - 1) == FRONT_P_LPAREN && cc_kind(s, at + 1) == FRONT_P_RPAREN;
    return cc_kind(s, at + 1 + in_brackets) == FRONT_P_LPAREN;
}

static bool is_tag(const struct cc_source *s, uint32_t at) {
    enum front_token_kind before = at ? cc_kind(s, at - 1) : FRONT_TOK_END;
    return before == FRONT_KW_STRUCT || before == FRONT_KW_UNION || before == FRONT_KW_ENUM;
}

static const struct cc_name *name_of(const struct cc_source *s, const struct cc_function *f) {
    return cc_find(s, f->name, f->from);
}

static bool has_static(const struct cc_source *s, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++)
        if (cc_kind(s, at) == FRONT_KW_STATIC) return true;
    return false;
}

struct company {
    struct cc_company *items;
    uint32_t count, cap;
};

// The tokens of a static function, or of a constant with a value; false: it is neither.
static bool find_static(const struct cc_source *s, const struct cc_name *name, struct cc_company *out) {
    if (!name || !name->is_file || !name->is_static || !s->is_user[s->tokens[name->at].file]) return false;
    *out = (struct cc_company){.name = name->text, .from = name->said_from};
    if (name->kind == CC_ROUTINE) {
        const struct cc_function *f = cc_function_of(s, name->text);
        if (!f || !f->body || has_static(s, f->from, f->to)) return false;
        out->from = f->start;
        out->to = f->to;
        return true;
    }
    if (name->kind != CC_VARIABLE || !name->is_const || cc_is_pointer(name) || !name->has_init || name->is_volatile)
        return false;
    uint32_t at = name->end;
    while (cc_kind(s, at) != FRONT_P_SEMI && cc_kind(s, at) != FRONT_TOK_END)
        at = cc_kind(s, at) == FRONT_P_LBRACE ? cc_skip_group(s, at) : at + 1;
    out->to = at + 1;
    return true;
}

// What is static of the file and named by these tokens, each behind what it names itself.
static void find_company(const struct cc_source *s, uint32_t from, uint32_t to, uint32_t depth, struct company *c) {
    for (uint32_t at = from; at < to && depth < MOST_COMPANY; at++) {
        struct cc_company item;
        if (cc_kind(s, at) != FRONT_TOK_IDENT || !find_static(s, cc_find(s, s->tokens[at].text, at), &item)) continue;
        bool known = item.from <= from && to <= item.to; // its own name
        for (uint32_t i = 0; i < c->count && !known; i++)
            known = c->items[i].from == item.from;
        if (known || c->count == MOST_COMPANY) continue;
        find_company(s, item.from, item.to, depth + 1, c);
        BASE_RESERVE(s->cx, c->items, c->count, c->cap);
        c->items[c->count++] = item;
    }
}

static uint64_t hash_of(const struct cc_source *s, uint32_t from, uint32_t to, uint64_t hash) {
    for (uint32_t at = from; at < to; at++)
        for (const char *p = s->tokens[at].text;; p++) {
            hash = (hash ^ (unsigned char)*p) * 1099511628211u;
            if (!*p) break;
        }
    return hash;
}

uint64_t cc_function_hash(const struct cc_source *s, const struct cc_function *f) {
    struct company c = {0};
    uint64_t hash = 14695981039346656037u;
    find_company(s, f->start, f->to, 0, &c);
    for (uint32_t i = 0; i < c.count; i++)
        hash = hash_of(s, c.items[i].from, c.items[i].to, hash);
    return hash_of(s, f->start, f->to, hash);
}

bool cc_is_appended(const struct cc_source *s, const struct cc_function *f) {
    return s->tokens[f->start].at >= s->own_size;
}

bool cc_is_exported(const struct cc_source *s, const struct cc_function *f) {
    const struct cc_name *name = name_of(s, f);
    if (!f->body || !name || name->is_static || cc_is_appended(s, f) || strcmp(f->name, "main") == 0) return false;
    return !has_static(s, f->from, f->to);
}

// ---- the same here and there ----------------------------------------------------------------------------------------

// Two tokens at the same place of one header.
static bool is_same_place(const struct cc_source *a, uint32_t at, const struct cc_source *b, uint32_t other) {
    const struct cc_token *x = &a->tokens[at], *y = &b->tokens[other];
    return x->line == y->line && a->files[x->file] == b->files[y->file];
}

// Where the braces of a struct open, or 0.
static uint32_t tag_at(const struct cc_source *s, const char *tag) {
    for (uint32_t at = 1; at + 1 < s->count; at++)
        if (s->tokens[at].text == tag && is_tag(s, at) && cc_kind(s, at + 1) == FRONT_P_LBRACE) return at;
    return 0;
}

static bool is_same_tag(const struct cc_source *s, const struct cc_source *other, const char *tag) {
    uint32_t here = tag_at(s, tag), there = tag_at(other, tag);
    return here && there && is_same_place(s, here, other, there);
}

// The first declaration of a name at file scope: that of a header, where the file has one.
static const struct cc_name *first_of(const struct cc_source *s, const char *text) {
    for (uint32_t i = 0; i < s->declared_count; i++)
        if (s->declared[i]->is_file && s->declared[i]->text == text) return s->declared[i];
    return NULL;
}

static bool is_same_name(struct cc_source *s, const struct cc_source *other, const char *text, bool calls) {
    const struct cc_name *here = first_of(s, text), *there = first_of(other, text);
    struct cc_company own;
    if (there && there->is_static && find_static(other, there, &own)) // of a header, or it comes along
        return !here || is_same_place(s, here->at, other, there->at);
    if (!here || !there || here->kind != there->kind || here->is_static || there->is_static) return false;
    if (there->is_thread != here->is_thread || there->is_volatile) return false;
    bool is_users = other->is_user[other->tokens[there->at].file];
    if (there->kind == CC_ROUTINE && !is_users) return !s->is_user[s->tokens[here->at].file]; // the library's
    const struct cc_function *f = there->kind == CC_ROUTINE ? cc_function_of(other, text) : NULL;
    bool is_defined = f && f->body; // of one name, the linker has one function
    if (!is_defined && !is_same_place(s, here->at, other, there->at)) return false;
    return there->kind != CC_ROUTINE || (calls && cc_find_import(s, text));
}

// What the function names that is something else in this file; NULL: nothing.
static const char *what_differs(struct cc_source *s, struct cc_source *other, uint32_t from, uint32_t to,
                                const char *own) {
    for (uint32_t at = from; at < to; at++) {
        if (cc_kind(other, at) != FRONT_TOK_IDENT || other->tokens[at].text == own) continue;
        enum front_token_kind before = cc_kind(other, at - 1);
        const char *text = other->tokens[at].text;
        if (before == FRONT_P_DOT || before == FRONT_P_ARROW) continue;
        if (is_tag(other, at)) {
            if (!is_same_tag(s, other, text)) return text;
            continue;
        }
        const struct cc_name *name = cc_find(other, text, at);
        if (!name ? is_call(other, at) : name->is_file && !is_same_name(s, other, text, is_call(other, at)))
            return text;
    }
    return NULL;
}

// ---- files beside this one ------------------------------------------------------------------------------------------

static struct cc_source *neighbour(struct cc_source *s, uint32_t i) {
    const struct cc_options *o = s->options;
    if (!s->neighbours) s->neighbours = base_alloc_array(s->cx, o->neighbour_count, sizeof *s->neighbours);
    if (s->neighbours[i]) return s->neighbours[i];
    struct cc_source *n = s->neighbours[i] = base_alloc(s->cx, sizeof *n);
    n->cx = s->cx;
    n->names = s->names;
    n->path = o->neighbours[i];
    n->text = o->preprocess(o->user, n->path, &n->size);
    n->own_size = n->size;
    if (!n->text) n->text = "";
    if (memchr(n->text, 0, n->size)) n->size = 0;
    cc_cut(n);
    cc_read_file(n);
    return n;
}

// What is static there and not here comes along, unless a function of a third file brings something of that name.
static void take_company(struct cc_source *s, struct cc_source *n, const struct cc_function *f, struct cc_import *out) {
    struct company c = {0};
    find_company(n, f->start, f->to, 0, &c);
    out->company = c.items;
    for (uint32_t i = 0; i < c.count && !out->differs; i++) {
        const struct cc_company item = c.items[i];
        if (first_of(s, item.name)) continue;
        out->differs = c.count == MOST_COMPANY ? item.name : what_differs(s, n, item.from, item.to, item.name);
        for (uint32_t k = 0; k < s->import_count; k++)
            for (uint32_t j = 0; j < s->imports[k]->company_count && s->imports[k]->source != n; j++)
                if (s->imports[k]->company[j].name == item.name) out->differs = item.name;
        out->company[out->company_count++] = item;
    }
}

static bool look_into(struct cc_source *s, struct cc_source *n, struct cc_import *out) {
    for (uint32_t k = 0; k < n->function_count; k++) {
        const struct cc_function *f = &n->functions[k];
        if (f->name != out->name || !cc_is_exported(n, f)) continue;
        out->path = n->path;
        out->source = n;
        out->differs = what_differs(s, n, f->start, f->to, f->name);
        if (!out->differs) take_company(s, n, f, out);
        if (out->differs) return false;
        out->function = f;
        out->hash = cc_function_hash(n, f);
        return true;
    }
    return false;
}

const struct cc_import *cc_find_import(struct cc_source *s, const char *name) {
    for (uint32_t i = 0; i < s->import_count; i++)
        if (s->imports[i]->name == name) return s->imports[i]->function ? s->imports[i] : NULL;
    struct cc_import *import = base_alloc(s->cx, sizeof *import);
    BASE_RESERVE(s->cx, s->imports, s->import_count, s->import_cap);
    s->imports[s->import_count++] = import;
    import->name = name;
    const struct cc_options *o = s->options;
    const struct cc_name *here = first_of(s, name);
    if (!here || !s->is_user[s->tokens[here->at].file]) return NULL; // a function of the library: no file is read
    for (uint32_t i = 0; o && o->preprocess && i < o->neighbour_count; i++)
        if (o->may_define(o->user, o->neighbours[i], name) && look_into(s, neighbour(s, i), import)) return import;
    return NULL;
}

// ---- of a region ----------------------------------------------------------------------------------------------------

static void take(struct cc_region *r, struct cc_source *s, uint32_t from, uint32_t to, bool *seen);

static void add_import(struct cc_region *r, const struct cc_import *import) {
    for (uint32_t i = 0; i < r->import_count; i++)
        if (r->imports[i] == import) return;
    BASE_RESERVE(r->source->cx, r->imports, r->import_count, r->import_cap);
    r->imports[r->import_count++] = import;
}

static void take_call(struct cc_region *r, struct cc_source *s, uint32_t at, bool *seen) {
    struct cc_source *own = r->source;
    const char *text = s->tokens[at].text;
    const struct cc_function *f = cc_function_of(own, text);
    if (f) {
        if (seen[f - own->functions]) return;
        seen[f - own->functions] = true;
        const struct cc_import *import = cc_is_appended(own, f) ? cc_find_import(own, text) : NULL;
        if (import) add_import(r, import); // else it is in a function's company
        take(r, own, f->from, f->to, seen);
        return;
    }
    const struct cc_name *name = cc_find(s, text, at);
    if (!name || name->kind != CC_ROUTINE || !s->is_user[s->tokens[name->at].file]) return;
    const struct cc_import *import = cc_find_import(own, text);
    for (uint32_t i = 0; i < r->import_count; i++)
        if (r->imports[i] == import) return;
    if (!import) return;
    add_import(r, import);
    take(r, import->source, import->function->from, import->function->to, seen);
    for (uint32_t i = 0; i < import->company_count; i++)
        take(r, import->source, import->company[i].from, import->company[i].to, seen);
}

static void take(struct cc_region *r, struct cc_source *s, uint32_t from, uint32_t to, bool *seen) {
    for (uint32_t at = from; at < to; at++) {
        bool is_left_out = s == r->source && (cc_switch_at(r, at) || cc_exit_at(s, at) || cc_aside_at(r, at));
        if (!is_left_out && is_call(s, at)) take_call(r, s, at, seen);
    }
}

void cc_take_imports(struct cc_region *r) {
    struct cc_source *s = r->source;
    if (!s->options || !s->options->neighbour_count) return;
    bool *seen = base_alloc_array(s->cx, s->function_count + 1, sizeof *seen);
    take(r, s, r->node->from, r->node->to, seen);
}

static void put_tokens(struct base_text *out, const struct cc_source *s, uint32_t from, uint32_t to) {
    const struct cc_token *first = &s->tokens[from], *last = &s->tokens[to - 1];
    base_text_format(out, "\n# %u \"%s\"\n", first->line, s->files[first->file]);
    base_text_add(out, s->text + first->at, last->at + last->size - first->at);
    base_text_put(out, "\n");
}

static bool is_put(const struct cc_region *r, uint32_t i, uint32_t from) {
    for (uint32_t k = 0; k < i; k++)
        for (uint32_t j = 0; j < r->imports[k]->company_count && r->imports[k]->source == r->imports[i]->source; j++)
            if (r->imports[k]->company[j].from == from) return true;
    return false;
}

static void put_function(struct base_text *out, const struct cc_region *r, uint32_t i) {
    const struct cc_import *m = r->imports[i];
    for (uint32_t k = 0; k < m->company_count; k++)
        if (!is_put(r, i, m->company[k].from)) put_tokens(out, m->source, m->company[k].from, m->company[k].to);
    put_tokens(out, m->source, m->function->start, m->function->to);
}

void cc_put_imports(struct base_text *out, const struct cc_region *r) {
    for (uint32_t i = 0; i < r->import_count; i++)
        if (!cc_function_of(r->source, r->imports[i]->name)) put_function(out, r, i);
}

// ---- of all parallel regions ----------------------------------------------------------------------------------------

// What a parallel directive reaches stands behind the file, where all that is asked of the file's own functions is
// asked of it, too: which members of a struct it uses, which of its parameters are rows.
static void take_parallel(struct cc_region *r, const struct cc_node *n, bool *seen) {
    if (cc_is_parallel(r->source, n)) {
        take(r, r->source, n->from, n->to, seen);
        return;
    }
    for (n = n->child; n; n = n->next)
        take_parallel(r, n, seen);
}

const char *cc_append_imports(struct cc_source *s, size_t *io_size) {
    struct cc_region all = {.source = s};
    struct base_text out;
    if (!s->options || !s->options->neighbour_count) return NULL;
    bool *seen = base_alloc_array(s->cx, s->function_count + 1, sizeof *seen);
    for (uint32_t i = 0; i < s->function_count; i++)
        if (s->functions[i].body) take_parallel(&all, s->functions[i].body, seen);
    if (!all.import_count) return NULL;
    base_text_init(&out, s->cx);
    base_text_add(&out, s->text, s->size);
    for (uint32_t i = 0; i < all.import_count; i++)
        put_function(&out, &all, i);
    *io_size = out.size;
    return out.data;
}
