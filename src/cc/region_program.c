// The region as a program: its file, and behind it an entry function with what the region needs as parameters.
#include <string.h>

#include "cc/region.h"

// ---- types ----------------------------------------------------------------------------------------------------------

static bool is_storage(enum front_token_kind kind) {
    return kind == FRONT_KW_STATIC || kind == FRONT_KW_EXTERN || kind == FRONT_KW_REGISTER || kind == FRONT_KW_AUTO ||
           kind == FRONT_KW_INLINE || kind == FRONT_KW_TYPEDEF || kind == FRONT_KW_EXTENSION ||
           kind == FRONT_KW_VOLATILE || kind == FRONT_KW_RESTRICT || kind == FRONT_KW_THREAD_LOCAL;
}

void cc_put_type(struct base_text *out, const struct cc_source *s, const struct cc_name *name, bool keep_const) {
    for (uint32_t at = name->spec_from; at < name->spec_to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_KW_ATTRIBUTE || kind == FRONT_KW_ALIGNAS) {
            at = cc_skip_group(s, at + 1) - 1;
            continue;
        }
        if (is_storage(kind) || (kind == FRONT_KW_CONST && !keep_const)) continue;
        base_text_format(out, "%s ", s->tokens[at].text);
    }
}

// Numbers, enumerators and operators: the same wherever it stands.
bool cc_is_constant(const struct cc_source *s, const struct cc_derivation *d) {
    for (uint32_t at = d->from; at < d->to; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_TOK_INT || (kind >= FRONT_P_LPAREN && kind <= FRONT_P_COLON)) continue;
        const struct cc_name *name = kind == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        if (!name || name->kind != CC_CONSTANT || !name->is_file) return false;
    }
    return d->from < d->to;
}

const char *cc_joined_tokens(const struct cc_source *s, uint32_t from, uint32_t to) {
    struct base_text t;
    base_text_init(&t, s->cx);
    for (uint32_t at = from; at < to; at++)
        base_text_format(&t, "%s ", s->tokens[at].text);
    return t.data ? t.data : "";
}
static const char *words(const struct cc_source *s, const struct cc_derivation *d) {
    return cc_joined_tokens(s, d->from, d->to);
}

// How many elements of a pointer the region's own `reduction(+ : x[:9])` names, a constant; false: none does. Others
// the region may not use.
static bool find_section(const struct cc_region *r, const struct cc_name *name, struct cc_derivation *out) {
    const struct cc_source *s = r->source;
    bool is_pointer = name->derive_count == 1 && name->derive[0].kind == CC_POINTER;
    if ((!is_pointer && !name->is_param) || !cc_is_in_clause(s, r->node, "reduction", name->text)) return false;
    for (uint32_t at = r->node->from; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
        if (s->tokens[at].text != name->text || cc_kind(s, at + 1) != FRONT_P_LBRACKET) continue;
        uint32_t end = cc_skip_group(s, at + 1), from = at + 2;
        if (cc_kind(s, from) == FRONT_TOK_INT && strcmp(s->tokens[from].text, "0") == 0) from++;
        *out = (struct cc_derivation){.from = from + 1, .to = end - 1};
        bool is_one = cc_kind(s, end) == FRONT_P_COMMA || cc_kind(s, end) == FRONT_P_RPAREN;
        return is_one && cc_kind(s, from) == FRONT_P_COLON && cc_is_constant(s, out);
    }
    return false;
}

static struct cc_param *add_param(struct cc_region *r, const char *name, enum cc_param_kind kind) {
    struct base_cx *cx = r->source->cx;
    BASE_RESERVE(cx, r->params, r->param_count, r->param_cap);
    struct cc_param *p = &r->params[r->param_count++];
    *p = (struct cc_param){.name = name, .kind = (uint8_t)kind};
    return p;
}

static bool has_param(const struct cc_region *r, const char *name) {
    for (uint32_t i = 0; i < r->param_count; i++)
        if (strcmp(r->params[i].name, name) == 0) return true;
    return false;
}

// "v[0][0]", with so many subscripts.
static const char *element(struct base_cx *cx, const char *name, uint32_t subscripts) {
    struct base_text t;
    base_text_init(&t, cx);
    base_text_put(&t, name);
    while (subscripts--)
        base_text_put(&t, "[0]");
    return t.data;
}

// The bounds of an array's rows. Those that are no constants are parameters, whose values sizeof has at the call.
static void put_bounds(struct base_text *out, struct cc_region *r, const struct cc_variable *v, bool is_use) {
    struct base_cx *cx = r->source->cx;
    const struct cc_name *name = v->name;
    for (uint32_t d = 1; d < name->derive_count; d++) {
        const struct cc_derivation *bound = &name->derive[d];
        base_text_put(out, v->is_flat ? CC_PREFIX "width(" : "[");
        if (bound->kind == CC_POINTER) {
            const char *width = cc_width_name(r, name, d);
            base_text_put(out, width);
            struct cc_param *p = is_use || has_param(r, width) ? NULL : add_param(r, width, CC_PARAM_WIDTH);
            if (p) p->value = "0"; // the runtime finds it
            if (p) p->is_exchanged = v->is_exchanged;
            if (p) p->has_planes = name->derive_count == 3;
        } else if (cc_is_constant(r->source, bound)) {
            base_text_put(out, words(r->source, bound));
        } else {
            const char *size = base_format(cx, CC_PREFIX "%s_%u", name->text, d);
            base_text_put(out, size);
            if (!is_use)
                add_param(r, size, CC_PARAM_INTEGER)->value = base_format(
                    cx, "sizeof(%s) / sizeof(%s)", element(cx, cc_said(name), d), element(cx, cc_said(name), d + 1));
        }
        base_text_put(out, v->is_flat ? ")" : "]");
    }
}

// ---- parameters -----------------------------------------------------------------------------------------------------

static const char *param_name(struct cc_region *r, const struct cc_variable *v) {
    bool is_own = (v->form == CC_VALUE || v->form == CC_WHOLE) && !v->through && !v->is_copied;
    return is_own ? v->name->text : base_format(r->source->cx, CC_PREFIX "%s", v->name->text);
}

// Are they, from one on, known before the program runs?
static bool has_constant_bounds(const struct cc_region *r, const struct cc_name *name, uint32_t from) {
    for (uint32_t d = from; d < name->derive_count; d++)
        if (name->derive[d].kind == CC_ARRAY && !cc_is_constant(r->source, &name->derive[d])) return false;
    return true;
}

static void add_array(struct cc_region *r, const struct cc_variable *v, struct base_text *bounds,
                      struct base_text *list) {
    struct base_cx *cx = r->source->cx;
    const struct cc_name *name = v->name;
    const char *own = param_name(r, v);
    put_bounds(bounds, r, v, false);
    cc_put_type(list, r->source, name, true);
    base_text_format(list, "%s[]%s, ", own, bounds->data ? bounds->data : "");
    struct cc_param *p = add_param(r, own, CC_PARAM_ARRAY);
    p->is_struct = v->is_struct && !v->is_doubles;
    p->layout = v->layout;
    p->is_fields = name->each != NULL;
    p->is_pointed = name->pointed != NULL;
    p->value = p->is_pointed  ? base_format(cx, "&%s", name->each)
               : p->is_fields ? base_format(cx, "&%s", name->said)
                              : cc_said(name);
    p->is_rows = cc_has_rows(name);
    p->is_exchanged = v->is_exchanged;
    uint32_t subscripts = (p->is_rows ? name->derive_count : 1) - p->is_fields;
    p->unit_bytes = base_format(cx, "sizeof(%s)", element(cx, cc_said(name), subscripts));
    p->is_compared = p->is_rows && v->is_compared;
    p->is_equated = v->is_equated;
    p->has_planes = p->is_rows && name->derive_count == 3;
    bool has_size = v->form == CC_WHOLE && (name->derive[0].from < name->derive[0].to || name->has_init);
    bool is_counted = name->derive_count && name->derive[0].from == name->derive[0].to; // by its initialiser
    p->varies = !has_constant_bounds(r, name, v->form == CC_REACH || is_counted ? 1 : 0);
    p->bytes = has_size ? base_format(cx, "sizeof(%s)", cc_said(name)) : "0"; // extern float a[]: as of a pointer
    p->declared = "0";
    if (p->is_fields) p->declared = base_format(cx, "sizeof(%s)", name->each);
    if (p->is_pointed)
        p->declared = base_format(cx, "__builtin_offsetof(__typeof__(*%s), %s)", name->each, name->pointed);
    p->is_tail = name->is_tail && name->said && !p->is_fields && !p->is_rows && v->form == CC_REACH;
    if (name->each_bytes) p->bytes = name->each_bytes;
    if (name->is_param && cc_is_constant(r->source, &name->derive[0])) p->declared = words(r->source, &name->derive[0]);
    struct cc_derivation section;
    p->is_section = !p->is_fields && !p->is_rows && find_section(r, name, &section);
    if (p->is_section) p->declared = words(r->source, &section);
    if (v->form == CC_REACH) {
        const char *at = base_format(cx, CC_PREFIX "%s_at", name->text);
        base_text_format(list, "int %s, ", at);
        add_param(r, at, CC_PARAM_OFFSET);
    }
    if (!v->is_flat) return;
    const char *starts = cc_starts_name(r, name);
    base_text_format(list, "const int %s[], ", starts);
    p = add_param(r, starts, CC_PARAM_ARRAY); // the runtime has it
    p->is_starts = true;
    p->value = p->bytes = "0";
    p->unit_bytes = "sizeof(int)";
}

// An element for each thread (threads_kept.c).
static void add_threads(struct cc_region *r, const struct cc_variable *v, struct base_text *list) {
    struct base_cx *cx = r->source->cx;
    const struct cc_name *name = v->name;
    const char *own = param_name(r, v);
    cc_put_type(list, r->source, name, false);
    base_text_format(list, "%s[]", own);
    for (uint32_t d = 0; d < name->derive_count; d++)
        base_text_format(list, "[%s]", words(r->source, &name->derive[d]));
    base_text_put(list, ", ");
    struct cc_param *p = add_param(r, own, CC_PARAM_ARRAY);
    p->is_struct = v->is_struct && !v->is_doubles;
    p->layout = v->layout;
    p->value = base_format(cx, "whorl_of_%s", name->text);
    p->unit_bytes = base_format(cx, "sizeof(%s)", name->text);
    p->bytes = base_format(cx, "(long long)((unsigned long)whorl_team * sizeof(%s))", name->text);
    p->varies = true;
}

// "&v" of a variable that pointers may lead to: its copy must not be used while they do. NULL: none does.
static const char *address(struct cc_region *r, const struct cc_variable *v) {
    const struct cc_name *name = v->name;
    bool has = name->is_file || name->is_static || name->is_extern || name->said || v->is_pointed_at;
    return has ? base_format(r->source->cx, "&%s", cc_said(name)) : NULL;
}

static void add_cell(struct cc_region *r, const struct cc_variable *v, struct base_text *list) {
    struct base_cx *cx = r->source->cx;
    bool is_const = !cc_comes_back(v);
    if (is_const) base_text_put(list, "const ");
    cc_put_type(list, r->source, v->name, false);
    base_text_format(list, "%s[1], ", param_name(r, v));
    struct cc_param *p = add_param(r, param_name(r, v), CC_PARAM_ARRAY);
    p->is_struct = v->is_struct && !v->is_doubles;
    p->layout = v->layout;
    p->is_cell = true;
    p->value = base_format(cx, "&whorl_%s", v->name->text);
    p->variable = address(r, v);
    p->bytes = p->unit_bytes = base_format(cx, "sizeof(%s)", cc_said(v->name));
}

static void add_value(struct cc_region *r, const struct cc_variable *v, struct base_text *list) {
    if (cc_is_function_pointer(v->name)) {
        base_text_format(list, "int %s, ", param_name(r, v));
        add_param(r, param_name(r, v), CC_PARAM_INTEGER)->value = cc_target_text(r, v->name);
        return;
    }
    cc_put_type(list, r->source, v->name, false);
    base_text_format(list, "%s, ", param_name(r, v));
    struct cc_param *p = add_param(r, param_name(r, v), v->is_real ? CC_PARAM_REAL : CC_PARAM_INTEGER);
    p->value = cc_said(v->name);
    p->variable = address(r, v);
}

static const char *size_name(const struct cc_region *r, const struct cc_variable *v) {
    return base_format(r->source->cx, CC_PREFIX "size_%s", v->name->text);
}

// How many elements an array has whose size the region asks for: one of the first parameters.
static void add_count(struct cc_region *r, const struct cc_variable *v, struct base_text *list, uint32_t *io_sizes) {
    struct base_cx *cx = r->source->cx;
    const char *name = base_format(cx, "%s_is", size_name(r, v)), *said = cc_said(v->name);
    base_text_format(list, "unsigned long %s, ", name);
    add_param(r, name, CC_PARAM_INTEGER)->value =
        base_format(cx, "sizeof(%s) / sizeof(%s)", said, element(cx, said, v->name->derive_count));
    struct cc_param size = r->params[r->param_count - 1];
    memmove(r->params + *io_sizes + 1, r->params + *io_sizes, (r->param_count - 1 - *io_sizes) * sizeof *r->params);
    r->params[(*io_sizes)++] = size;
}

static uint32_t moved_count(const struct cc_region *r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->var_count; i++)
        count += r->vars[i].moves;
    return count;
}

// What is no variable of the function.
static void add_own(struct cc_region *r, struct base_text *list) {
    struct base_cx *cx = r->source->cx;
    if (r->setting_count) {
        base_text_put(list, "int " CC_SETTING "_are[1], ");
        struct cc_param *p = add_param(r, CC_SETTING "_are", CC_PARAM_ARRAY);
        p->is_cell = true;
        p->value = "whorl_threads";
        p->bytes = p->unit_bytes = "sizeof(int)";
    }
    for (uint32_t i = 0; i < r->large_count; i++) {
        const char *name = base_format(cx, CC_PREFIX "large_%u_is", i);
        base_text_format(list, "const double %s[1], ", name);
        struct cc_param *p = add_param(r, name, CC_PARAM_ARRAY);
        p->is_cell = true;
        p->value = base_format(cx, "(double[1]){%s}", r->large[i].text);
        p->bytes = p->unit_bytes = "sizeof(double)";
    }
}

// Sizes of rows first, so that the arrays' bounds can name them.
static const char *write_params(struct cc_region *r) {
    struct base_cx *cx = r->source->cx;
    struct base_text list, all;
    base_text_init(&list, cx);
    base_text_init(&all, cx);
    r->param_count = 0;
    uint32_t sizes = 0;
    if (r->team) {
        base_text_put(&all, "int " CC_PREFIX "team, ");
        add_param(r, CC_PREFIX "team", CC_PARAM_INTEGER)->value = r->team;
        sizes++;
    }
    for (uint32_t i = 0; i < r->passes_count; i++, sizes++) {
        base_text_format(&all, "int %s, ", r->passes[i].name);
        add_param(r, r->passes[i].name, CC_PARAM_INTEGER)->value = r->passes[i].value;
    }
    for (uint32_t i = 0; i < r->var_count; i++) {
        struct base_text bounds;
        base_text_init(&bounds, cx);
        uint32_t first = r->param_count;
        const struct cc_variable *v = &r->vars[i];
        if (v->form == CC_WHOLE || v->form == CC_REACH)
            add_array(r, v, &bounds, &list);
        else if (v->form == CC_THREADS)
            add_threads(r, v, &list);
        else if (v->form == CC_CELL)
            add_cell(r, v, &list);
        else if (v->form == CC_VALUE)
            add_value(r, v, &list);
        else if (v->form == CC_SCRATCH && v->name->derive_count && v->name->derive[0].kind == CC_POINTER)
            put_bounds(&bounds, r, v, false); // its declaration in the body names them
        if (v->is_measured) first++, add_count(r, v, &all, &sizes);
        for (uint32_t p = first; p < r->param_count; p++) {
            bool is_size = r->params[p].kind == CC_PARAM_INTEGER || r->params[p].kind == CC_PARAM_WIDTH;
            if (!is_size || v->form == CC_VALUE) break;
            base_text_format(&all, "int %s, ", r->params[p].name);
            struct cc_param size = r->params[p];
            memmove(r->params + sizes + 1, r->params + sizes, (p - sizes) * sizeof *r->params);
            r->params[sizes++] = size;
        }
    }
    if (moved_count(r)) {
        base_text_format(&list, "int " CC_PREFIX "which[%u], ", moved_count(r));
        struct cc_param *p = add_param(r, CC_PREFIX "which", CC_PARAM_WHICH);
        p->which = moved_count(r);
        p->value = "whorl_which";
        p->bytes = "sizeof(whorl_which)";
        p->unit_bytes = "sizeof(whorl_which[0])";
    }
    add_own(r, &list);
    if (list.data) base_text_put(&all, list.data);
    if (all.size) all.data[all.size - 2] = 0;
    return all.size ? all.data : "void";
}

// ---- the body -------------------------------------------------------------------------------------------------------

static void put_pointer(struct base_text *out, struct cc_region *r, const struct cc_variable *v) {
    const struct cc_name *name = v->name;
    cc_put_type(out, r->source, name, true);
    base_text_format(out, name->derive_count > 1 ? "(*%s)" : "*%s", name->text);
    put_bounds(out, r, v, true);
}

static void put_scratch(struct base_text *out, struct cc_region *r, const struct cc_variable *v) {
    const struct cc_name *name = v->name;
    if (name->derive_count && name->derive[0].kind == CC_POINTER) {
        put_pointer(out, r, v);
    } else {
        cc_put_type(out, r->source, name, false);
        base_text_put(out, name->text);
        for (uint32_t i = 0; i < name->derive_count; i++)
            base_text_format(out, "[%s]", words(r->source, &name->derive[i]));
    }
    base_text_put(out, ";");
}

// Element by element, from the parameter.
static void put_array_copy(struct base_text *out, struct cc_region *r, const struct cc_variable *v) {
    struct base_text place;
    base_text_init(&place, r->source->cx);
    for (uint32_t i = 0; i < v->name->derive_count; i++) {
        base_text_format(out, "for (int " CC_PREFIX "at_%u = 0; " CC_PREFIX "at_%u < %s; " CC_PREFIX "at_%u++) ", i, i,
                         words(r->source, &v->name->derive[i]), i);
        base_text_format(&place, "[" CC_PREFIX "at_%u]", i);
    }
    base_text_format(out, "%s%s = %s%s;", v->name->text, place.data, param_name(r, v), place.data);
}

static void put_start(struct base_text *out, struct cc_region *r, const struct cc_variable *v) {
    const char *name = v->name->text, *own = param_name(r, v);
    switch (v->form) {
    case CC_THREADS: break;
    case CC_SCRATCH: put_scratch(out, r, v); break;
    case CC_CELL:
        if (!v->through) cc_put_type(out, r->source, v->name, false);
        base_text_format(out, "%s = %s[0];", name, own);
        break;
    case CC_REACH:
        if (v->through)
            base_text_put(out, name);
        else
            put_pointer(out, r, v);
        base_text_format(out, " = %s + %s_at;", own, own);
        break;
    default:
        if (v->is_copied) {
            put_scratch(out, r, v);
            put_array_copy(out, r, v);
        } else if (v->through) {
            base_text_format(out, "%s = %s;", name, own);
        }
    }
}

static bool same_pointers(struct cc_region *r, const struct cc_variable *v, const struct cc_variable *w) {
    struct base_text a, b;
    base_text_init(&a, r->source->cx);
    base_text_init(&b, r->source->cx);
    cc_put_type(&a, r->source, v->name, true);
    cc_put_type(&b, r->source, w->name, true);
    bool has_rows = cc_has_rows(w->name) && !(v->is_exchanged && w->is_exchanged);
    return w->form == CC_REACH && !has_rows && !w->name->each && v->name->derive_count == w->name->derive_count &&
           strcmp(a.data, b.data) == 0;
}

static void put_end(struct base_text *out, struct cc_region *r, const struct cc_variable *v, uint32_t *io_moved) {
    if (v->form == CC_CELL && cc_comes_back(v)) base_text_format(out, "%s[0] = %s;", param_name(r, v), v->name->text);
    if (!v->moves) return;
    base_text_format(out, CC_PREFIX "which[%u] = ", (*io_moved)++);
    for (uint32_t i = 0; i < r->var_count; i++)
        if (same_pointers(r, v, &r->vars[i]))
            base_text_format(out, "%s == %s + %s_at ? %u : ", v->name->text, param_name(r, &r->vars[i]),
                             param_name(r, &r->vars[i]), i);
    base_text_put(out, "-1;");
}

// ---- the rest of the file -------------------------------------------------------------------------------------------

struct edit {
    uint32_t at, size;
    const char *text;
};
struct edits {
    struct edit *items;
    uint32_t count, cap;
};

static void add_edit(struct cc_region *r, struct edits *edits, uint32_t at, uint32_t size, const char *text) {
    BASE_RESERVE(r->source->cx, edits->items, edits->count, edits->cap);
    uint32_t i = edits->count++;
    for (; i > 0 && edits->items[i - 1].at > at; i--)
        edits->items[i] = edits->items[i - 1];
    edits->items[i] = (struct edit){at, size, text};
}

// From one token to before another.
static void cut_out(struct cc_region *r, struct edits *edits, uint32_t from, uint32_t to) {
    const struct cc_token *t = r->source->tokens;
    add_edit(r, edits, t[from].at, t[to].at - t[from].at, " ");
}

// Arrays at file scope that functions of the region use become pointers, which the entry sets; `extern` goes, so that
// every name is defined here.
static void edit_globals(struct cc_region *r, struct edits *edits, const char *text, bool is_whole) {
    struct cc_source *s = r->source;
    uint32_t last_spec = UINT32_MAX;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (n->text != text || !n->is_file || n->kind != CC_VARIABLE) continue;
        for (uint32_t at = n->spec_from; at < n->spec_to && n->spec_from != last_spec; at++)
            if (cc_kind(s, at) == FRONT_KW_EXTERN) cut_out(r, edits, at, at + 1);
        last_spec = n->spec_from;
        if (!is_whole) continue;
        const char *name = base_format(s->cx, n->derive_count > 1 ? "(*%s)" : "*%s", n->text);
        add_edit(r, edits, s->tokens[n->at].at, s->tokens[n->at].size, name);
        cut_out(r, edits, n->derive[0].from - 1, n->derive[0].to + 1);
        uint32_t end = n->end;
        while (n->has_init && cc_kind(s, end) != FRONT_P_COMMA && cc_kind(s, end) != FRONT_P_SEMI)
            end = cc_kind(s, end) == FRONT_P_LBRACE ? cc_skip_group(s, end) : end + 1;
        if (end > n->end) cut_out(r, edits, n->end, end);
    }
}

static bool asks_library(const struct cc_source *s, uint32_t from, uint32_t to) {
    for (; from < to; from++)
        if (strncmp(s->tokens[from].text, "omp_", 4) == 0) return true;
    return false;
}

// What is asked of the whole file for each region.
struct cc_once {
    uint32_t *clauses, clause_count, clause_cap; // num_threads(...) and if(...) of directives
    uint32_t *casts, cast_count, cast_cap;       // large.c: constants that lose their last letter
    uint32_t *sizes, size_count, size_cap;       // sizeof
    uint32_t generators;                         // generators.c
};

static bool is_clause(const struct cc_source *s, uint32_t at) {
    return cc_kind(s, at + 1) == FRONT_P_LPAREN &&
           (cc_kind(s, at) == FRONT_KW_IF || strcmp(s->tokens[at].text, "num_threads") == 0);
}

static const struct cc_once *ask_once(struct cc_source *s) {
    if (s->once) return s->once;
    struct cc_once *o = s->once = base_alloc(s->cx, sizeof *o);
    bool in_pragma = false;
    for (uint32_t at = 0; at + 1 < s->count; at++) {
        enum front_token_kind kind = cc_kind(s, at);
        if (kind == FRONT_TOK_PRAGMA) in_pragma = true;
        if (kind == FRONT_TOK_PRAGMA_END) in_pragma = false;
        if (in_pragma && is_clause(s, at)) {
            BASE_RESERVE(s->cx, o->clauses, o->clause_count, o->clause_cap);
            o->clauses[o->clause_count++] = at;
        } else if (kind == FRONT_KW_SIZEOF) {
            BASE_RESERVE(s->cx, o->sizes, o->size_count, o->size_cap);
            o->sizes[o->size_count++] = at;
        } else if (cc_is_cast_long(s, at)) {
            BASE_RESERVE(s->cx, o->casts, o->cast_count, o->cast_cap);
            o->casts[o->cast_count++] = at;
        } else if (kind == FRONT_TOK_IDENT) {
            o->generators |= cc_generator_at(s, at);
        }
    }
    return o;
}

// How many threads there are means nothing here, but where team.c says it: and the number often
// comes from a function of the CPU's. The region's own condition is looked at before it is called.
static void edit_threads(struct cc_region *r, struct edits *edits) {
    struct cc_source *s = r->source;
    struct cc_derivation condition;
    const struct cc_derivation *own = cc_if_clause(r, &condition);
    const struct cc_once *once = ask_once(s);
    for (uint32_t i = 0; i < once->clause_count; i++) {
        uint32_t at = once->clauses[i], end = cc_skip_group(s, at + 1);
        bool is_own = own && at < own->from && own->from < end;
        if (cc_kind(s, at) == FRONT_KW_IF && !is_own && !asks_library(s, at, end)) continue;
        cut_out(r, edits, at, end);
    }
}

// Of directives inside of a loop, and of functions that it calls: whether one thread alone is to run them.
struct alone_edits {
    struct cc_region *region;
    struct edits *edits;
    bool any;
};
static void assert_condition(void *user, const struct cc_node *n, const char *condition) {
    struct alone_edits *a = user;
    const struct cc_source *s = a->region->source;
    const struct cc_token *first = &s->tokens[n->from];
    add_edit(a->region, a->edits, first->at, 0,
             base_format(s->cx, "if ((__whorl_assert((%s) ? 1 : 0, \"if (%s)\"), 0)) ; else\n# %u \"%s\"\n", condition,
                         condition, first->line, s->files[first->file]));
    a->any = true;
}
static bool edit_alone(struct cc_region *r, struct edits *edits) {
    struct alone_edits a = {.region = r, .edits = edits};
    for (uint32_t i = 0; i < r->source->function_count && r->is_loop; i++)
        if (r->source->functions[i].body) cc_each_alone(r, r->source->functions[i].body, assert_condition, &a);
    return a.any;
}

static void edit_asides(struct cc_region *r, struct edits *edits) {
    const struct cc_token *t = r->source->tokens;
    for (uint32_t i = 0; i < r->aside_count; i++) {
        const struct cc_derivation *a = &r->asides[i];
        const struct cc_token *last = &t[a->to - 1];
        add_edit(r, edits, t[a->from].at, last->at + last->size - t[a->from].at,
                 a->kind ? "\n#pragma omp barrier\n" : ";");
    }
}

// Tokens that stand in no other edit.
static void say_instead(struct cc_region *r, struct edits *edits, uint32_t from, uint32_t to, const char *text) {
    const struct cc_token *first = &r->source->tokens[from], *last = &r->source->tokens[to - 1];
    for (uint32_t k = 0; k < edits->count; k++)
        if (edits->items[k].at <= first->at && first->at - edits->items[k].at < edits->items[k].size) return;
    add_edit(r, edits, first->at, last->at + last->size - first->at, text);
}

// The array of a name in a clause, whose elements are numbers of constant bounds; NULL: it is none.
static const char *all_elements(const struct cc_region *r, uint32_t at) {
    const struct cc_source *s = r->source;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    struct base_text t;
    base_text_init(&t, s->cx);
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (r->vars[i].name != name || r->vars[i].form != CC_WHOLE) continue;
        base_text_put(&t, name->text);
        for (uint32_t d = 0; d < name->derive_count; d++) {
            if (name->derive[d].kind != CC_ARRAY || !cc_is_constant(s, &name->derive[d])) return NULL;
            base_text_format(&t, "[:%s]", words(s, &name->derive[d]));
        }
        return t.data;
    }
    return NULL;
}

// reduction(+ : counts) of an array, which is a pointer in the program: reduction(+ : counts[:16]).
static void edit_reductions(struct cc_region *r, struct edits *edits) {
    const struct cc_source *s = r->source;
    for (uint32_t at = r->node->from; at + 1 < r->node->to; at++) {
        if (cc_kind(s, at) != FRONT_TOK_IDENT || strcmp(s->tokens[at].text, "reduction") != 0 ||
            cc_kind(s, at + 1) != FRONT_P_LPAREN)
            continue;
        bool behind_colon = false;
        for (uint32_t end = cc_skip_group(s, at + 1); at + 1 < end; at++) {
            enum front_token_kind next = cc_kind(s, at + 1);
            behind_colon = behind_colon || cc_kind(s, at) == FRONT_P_COLON;
            bool is_whole = cc_kind(s, at) == FRONT_TOK_IDENT && (next == FRONT_P_COMMA || next == FRONT_P_RPAREN);
            const char *text = behind_colon && is_whole ? all_elements(r, at) : NULL;
            if (text) say_instead(r, edits, at, at + 1, text);
        }
    }
}

static void edit_exits(struct cc_region *r, struct edits *edits) {
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < s->exit_count; i++)
        if (cc_is_exit(s, &s->exits[i])) say_instead(r, edits, s->exits[i].from, s->exits[i].to, s->exits[i].text);
}

static void edit_settings(struct cc_region *r, struct edits *edits) {
    for (uint32_t i = 0; i < r->setting_count; i++)
        say_instead(r, edits, r->settings[i], r->settings[i] + 1, CC_SETTING " =");
}

static void edit_switches(struct cc_region *r, struct edits *edits) {
    for (uint32_t i = 0; i < r->switch_count; i++)
        say_instead(r, edits, r->switches[i].from, r->switches[i].to, ";");
}

// Of the region, or of the functions that it calls.
static void edit_members(struct cc_region *r, struct edits *edits, bool in_region) {
    for (uint32_t i = 0; i < r->member_count; i++) {
        const struct cc_member_use *m = &r->members[i];
        bool is_inside = m->from >= r->node->from && m->from < r->node->to;
        if (is_inside == in_region) say_instead(r, edits, m->from, m->to, m->text);
    }
}

// Members that functions use by the name of a struct at file scope stand behind its first declaration.
static void declare_member(struct cc_region *r, struct edits *edits, const struct cc_name *name) {
    struct cc_source *s = r->source;
    uint32_t end = 0;
    for (uint32_t i = 0; i < s->declared_count && !end; i++)
        if (s->declared[i]->is_file && s->declared[i]->text == name->base->text) end = s->declared[i]->end;
    while (cc_kind(s, end) != FRONT_P_SEMI && cc_kind(s, end) != FRONT_TOK_END)
        end = cc_kind(s, end) == FRONT_P_LBRACE ? cc_skip_group(s, end) : end + 1;
    struct base_text t;
    base_text_init(&t, s->cx);
    base_text_put(&t, " static ");
    if (cc_is_function_pointer(name))
        base_text_put(&t, "int ");
    else
        cc_put_type(&t, s, name, name->derive_count);
    bool is_value = !name->derive_count || cc_is_function_pointer(name);
    base_text_format(&t, is_value ? "%s" : "(*%s)", name->text);
    for (uint32_t d = 1; d < name->derive_count && !is_value; d++)
        base_text_format(&t, "[%s]", words(s, &name->derive[d]));
    base_text_put(&t, ";");
    add_edit(r, edits, s->tokens[end].at + s->tokens[end].size, 0, t.data);
}

struct taken_edits {
    struct cc_region *region;
    struct edits *edits;
};
static void take_edit(void *user, uint32_t from, uint32_t to, const char *text) {
    const struct taken_edits *t = user;
    if (from == to)
        add_edit(t->region, t->edits, t->region->source->tokens[from].at, 0, text);
    else
        say_instead(t->region, t->edits, from, to, text);
}

static bool is_edited(void *user, uint32_t from, uint32_t to) {
    const struct edits *edits = ((const struct taken_edits *)user)->edits;
    for (uint32_t i = 0; i < edits->count; i++)
        if (edits->items[i].at < to && from < edits->items[i].at + edits->items[i].size) return true;
    return false;
}

// A part of the file with the edits made. Returns what is behind it, or behind an edit that goes further.
static uint32_t put_edited(struct base_text *out, const struct cc_region *r, const struct edits *edits, uint32_t at,
                           uint32_t to) {
    uint32_t i = 0, behind = edits->count;
    while (i < behind) { // the first that begins here or later
        uint32_t middle = i + (behind - i) / 2;
        if (edits->items[middle].at < at)
            i = middle + 1;
        else
            behind = middle;
    }
    for (; i < edits->count && edits->items[i].at <= to; i++) {
        if (edits->items[i].at < at || edits->items[i].at + !!edits->items[i].size > to) continue;
        base_text_add(out, r->source->text + at, edits->items[i].at - at);
        base_text_put(out, edits->items[i].text);
        at = edits->items[i].at + edits->items[i].size;
    }
    if (at >= to) return at;
    base_text_add(out, r->source->text + at, to - at);
    return to;
}

// The call says how many elements an array has; a double's size may be another one on the device.
static void put_size(struct base_text *out, const struct cc_region *r, const struct cc_variable *v) {
    base_text_format(out, "%s = %s_is * sizeof(", size_name(r, v), size_name(r, v));
    cc_put_type(out, r->source, v->name, false);
    base_text_put(out, ");");
}

// sizeof of an array by its name, which is a pointer in the program: a variable.
static void edit_sizes(struct cc_region *r, struct edits *edits) {
    const struct cc_source *s = r->source;
    const struct cc_once *once = ask_once(r->source);
    for (uint32_t i = 0; i < once->size_count; i++) {
        uint32_t from = once->sizes[i], at = from + 1, open = 0;
        for (; cc_kind(s, at) == FRONT_P_LPAREN; at++)
            open++;
        const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
        struct cc_variable *v = NULL;
        for (uint32_t k = 0; name && k < r->var_count; k++)
            if (r->vars[k].name == name && r->vars[k].form == CC_WHOLE) v = &r->vars[k];
        for (at++; open && cc_kind(s, at) == FRONT_P_RPAREN; at++)
            open--;
        enum front_token_kind next = cc_kind(s, at);
        if (!v || open || next == FRONT_P_LBRACKET || next == FRONT_P_DOT || next == FRONT_P_ARROW) continue;
        v->is_measured = true;
        say_instead(r, edits, from, at, size_name(r, v));
    }
}

static void edit_constants(struct cc_region *r, struct edits *edits) {
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < r->large_use_count; i++)
        say_instead(r, edits, r->large_uses[i].from, r->large_uses[i].to,
                    base_format(s->cx, CC_PREFIX "large_%u", r->large_uses[i].kind));
    const struct cc_once *once = ask_once(r->source);
    for (uint32_t i = 0; i < once->cast_count; i++) {
        const struct cc_token *t = &s->tokens[once->casts[i]];
        say_instead(r, edits, once->casts[i], once->casts[i] + 1, base_strndup(s->cx, t->text, t->size - 1));
    }
}

// Nothing in the program names the function: the front-end would go past its body for each region.
static bool is_left_out(const struct cc_region *r, const bool *named, uint32_t i) {
    const struct cc_source *s = r->source;
    const struct cc_function *f = &s->functions[i];
    bool is_plain = cc_kind(s, f->from - 1) == FRONT_P_RPAREN || cc_is_old(s, f);
    return !named[i] && is_plain && s->is_user[s->tokens[f->to - 1].file];
}

// Where it is cut: behind its head, or before that where parameters are declared behind the list of their names.
static uint32_t cut_at(const struct cc_source *s, uint32_t function) {
    const struct cc_function *f = &s->functions[function];
    return s->tokens[cc_is_old(s, f) ? f->start : f->from].at;
}

// The user's part of the file, with the edits made.
static void put_file(struct base_text *out, struct cc_region *r, const struct edits *edits) {
    const struct cc_source *s = r->source;
    const bool *named = cc_named(r);
    uint32_t at = 0, next = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const struct cc_part *part = &s->parts[i];
        if (!s->is_user[part->file] || at >= part->to) continue;
        if (at <= part->from) {
            base_text_format(out, "# %u \"%s\"\n", part->line, s->files[part->file]);
            at = part->from;
        }
        while (at < part->to) {
            while (next < s->function_count && (cut_at(s, next) < at || !is_left_out(r, named, next)))
                next++;
            bool is_last = next == s->function_count;
            uint32_t open = is_last ? UINT32_MAX : cut_at(s, next);
            at = put_edited(out, r, edits, at, open < part->to ? open : part->to);
            if (open >= part->to) break;
            const struct cc_token *last = &s->tokens[s->functions[next].to - 1];
            base_text_format(out, ";\n# %u \"%s\"\n", last->line, s->files[last->file]);
            at = last->at + last->size;
        }
    }
    cc_put_imports(out, r);
    cc_put_pointed(out, r);
}

// Variables at file scope that the program has beside the file's.
static void put_variables(struct base_text *out, const struct cc_region *r) {
    for (uint32_t i = 0; i < r->large_count; i++)
        base_text_format(out, "static double " CC_PREFIX "large_%u;\n", i);
    if (r->setting_count) base_text_put(out, "static int " CC_SETTING ";\n");
    if (r->by_threads) base_text_put(out, "int omp_get_thread_num(void);\n");
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].is_measured) base_text_format(out, "static unsigned long %s;\n", size_name(r, &r->vars[i]));
}

// What comes back.
static void put_ends(struct base_text *out, struct cc_region *r) {
    uint32_t moved = 0;
    cc_put_kept(out, r, true);
    for (uint32_t i = 0; i < r->var_count; i++)
        put_end(out, r, &r->vars[i], &moved);
    if (r->setting_count) base_text_put(out, CC_SETTING "_are[0] = " CC_SETTING ";");
    base_text_put(out, "}\n");
}

// Types, enumerators and `declare reduction` of the function.
static void put_repeated(struct base_text *out, const struct cc_region *r) {
    const struct cc_source *s = r->source;
    for (uint32_t i = 0; i < r->repeated_count; i++) {
        uint32_t at = r->repeated[i].from;
        bool is_directive = cc_kind(s, at) == FRONT_TOK_PRAGMA;
        if (is_directive) base_text_put(out, "\n#pragma ");
        for (; at < r->repeated[i].to; at++)
            base_text_format(out, "%s ", s->tokens[at].text);
        if (is_directive) base_text_put(out, "\n");
    }
}

static bool put_flat(struct base_text *out, const struct cc_region *r, bool is_there) {
    if (r->has_flat && !is_there) base_text_format(out, "\n%s", cc_flat_macros());
    return r->has_flat;
}

const char *cc_write_unit(struct cc_region *r) {
    struct cc_source *s = r->source;
    struct edits edits = {0};
    struct base_text out;
    base_text_init(&out, s->cx);
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].name->base)
            declare_member(r, &edits, r->vars[i].name);
        else if (r->vars[i].through)
            edit_globals(r, &edits, r->vars[i].name->text, r->vars[i].form == CC_WHOLE);
    for (uint32_t i = 0; i < r->room_count; i++)
        edit_globals(r, &edits, r->rooms[i]->text, false);
    edit_asides(r, &edits);
    edit_threads(r, &edits);
    edit_switches(r, &edits);
    edit_settings(r, &edits);
    cc_point_to_functions(r, take_edit, &(struct taken_edits){r, &edits});
    edit_exits(r, &edits);
    edit_constants(r, &edits);
    edit_sizes(r, &edits);
    r->has_scratch = cc_take_scratch(r, take_edit, &(struct taken_edits){r, &edits});
    cc_hand_rows(r, is_edited, take_edit, &(struct taken_edits){r, &edits});
    cc_point_exchanged(r, take_edit, &(struct taken_edits){r, &edits});
    cc_set_unset(r, take_edit, &(struct taken_edits){r, &edits});
    edit_members(r, &edits, false);
    bool asserts = edit_alone(r, &edits) || s->exit_count;
    if (asserts) base_text_put(&out, "void __whorl_assert(int holds, const char *text);\n");
    cc_put_generators(&out, ask_once(s)->generators);
    put_variables(&out, r);
    cc_put_headers(s, &out);
    bool is_flat = put_flat(&out, r, false); // in functions
    put_file(&out, r, &edits);
    cc_flatten_rows(r, is_edited, take_edit, &(struct taken_edits){r, &edits});
    put_flat(&out, r, is_flat);
    if (r->team && !r->by_threads) base_text_put(&out, cc_team_functions());
    const struct cc_token *from = &s->tokens[r->node->from], *to = &s->tokens[r->node->to - 1];
    const char *place = base_format(s->cx, "\n# %u \"%s\"\n", from->line, s->files[from->file]);
    base_text_format(&out, "%svoid " CC_ENTRY "(%s) {", place, write_params(r));
    put_repeated(&out, r);
    for (uint32_t i = 0; i < r->var_count; i++)
        if (r->vars[i].is_measured) put_size(&out, r, &r->vars[i]);
    for (uint32_t i = 0; i < 2 * r->var_count;
         i++) { // values of variables at file scope first: they are seen as constants
        const struct cc_variable *v = &r->vars[i % r->var_count];
        if ((v->form == CC_VALUE && v->through) == (i < r->var_count)) put_start(&out, r, v);
    }
    for (uint32_t i = 0; i < r->large_count; i++)
        base_text_format(&out, CC_PREFIX "large_%u = " CC_PREFIX "large_%u_is[0];", i, i);
    if (r->setting_count) base_text_put(&out, CC_SETTING " = " CC_SETTING "_are[0];");
    cc_put_kept(&out, r, false);
    base_text_put(&out, place);
    for (uint32_t i = 0; i < r->edit_count; i++)
        add_edit(r, &edits, r->edits[i].at, r->edits[i].size, r->edits[i].text);
    edit_members(r, &edits, true);
    edit_reductions(r, &edits);
    put_edited(&out, r, &edits, from->at, to->at + to->size);
    base_text_format(&out, "\n# %u \"%s\"\n", to->line, s->files[to->file]);
    put_ends(&out, r);
    return out.data;
}
