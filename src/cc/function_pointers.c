// Pointers to functions. In the program such a pointer is the number of the function that it leads to, and a call by it
// goes through a function that knows all of its type:
//
//     double integrate(double (*f)(double), int n)   |  double integrate(int f, int n)
//     ... sum += f(x);                               |  ... sum += ccv_call_0(f, x);
//     table[k](x), (*f)(x), integrate(sin3, n)       |  ccv_call_0(table[k], x), ccv_call_0(f, x), integrate(3, n)
//
// The call of the region says where its pointers lead; where that is no function of the file, the CPU runs it. What is
// not understood here stays as it is, and the front-end refuses it.
#include <string.h>

#include "cc/members.h"
#include "cc/region.h"

enum { MOST_PARAMS = 16, MOST_SIGNATURES = 16 };

struct signature {
    const char *result, *types[MOST_PARAMS], *plain; // `plain`: all of it, to be compared
    uint32_t count;
    bool has_names; // of types that the file declares
    bool is_variadic;
};
struct cc_pointed {
    struct signature items[MOST_SIGNATURES];
    uint32_t count;
};

bool cc_is_function_pointer(const struct cc_name *name) {
    return name->derive_count == 2 && name->derive[0].kind == CC_POINTER && name->derive[1].kind == CC_FUNCTION;
}
static bool is_array_of(const struct cc_name *name) {
    return name->derive_count == 3 && name->derive[0].kind == CC_ARRAY && name->derive[1].kind == CC_POINTER &&
           name->derive[2].kind == CC_FUNCTION;
}

// An array of such pointers at file scope, with values, that nobody changes.
bool cc_is_function_table(const struct cc_source *s, const struct cc_name *name) {
    bool is_own = name->is_static || name->is_const;
    if (!is_array_of(name) || !name->is_file || !name->has_init || !is_own || name->is_volatile) return false;
    for (uint32_t at = 0; at < s->count; at++) {
        enum front_token_kind before = at ? cc_kind(s, at - 1) : FRONT_TOK_END;
        if (s->tokens[at].text != name->text || at == name->at || cc_find(s, name->text, at) != name) continue;
        if (before == FRONT_P_DOT || before == FRONT_P_ARROW) continue; // a member of that name
        if (cc_kind(s, at + 1) != FRONT_P_LBRACKET || cc_is_changed_at(s, at, cc_skip_group(s, at + 1))) return false;
    }
    return true;
}

// A constant array of structs that hold such pointers: the program has it, too.
static bool is_struct_table(struct cc_source *s, const struct cc_name *name) {
    bool is_array = name->derive_count == 1 && name->derive[0].kind == CC_ARRAY && !name->is_unfolded;
    return is_array && name->kind == CC_VARIABLE && name->is_file && name->is_const && name->has_init &&
           !name->is_volatile && !name->is_extern && !name->is_odd && cc_holds_functions(s, name);
}

// A function of the file, or of math.h.
static bool is_known(const struct cc_source *s, const struct cc_name *name) {
    const struct cc_function *f = cc_function_of(s, name->text);
    uint16_t file = s->tokens[name->at].file;
    if (name->kind != CC_ROUTINE || name->derive_count != 1) return false;
    return f ? f->body && s->is_user[file] && !cc_is_appended(s, f)
             : !s->is_user[file] && strstr(s->files[file], "math");
}

// A function's name that is no call.
static bool is_value(const struct cc_source *s, uint32_t at) {
    if (cc_kind(s, at) != FRONT_TOK_IDENT || cc_kind(s, at + 1) == FRONT_P_LPAREN) return false;
    if (cc_kind(s, at - 1) == FRONT_P_DOT || cc_kind(s, at - 1) == FRONT_P_ARROW) return false;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    return name && is_known(s, name);
}

// All that are named so, by number.
static struct cc_targets *targets(struct cc_source *s) {
    if (s->targets) return s->targets;
    struct cc_targets *all = s->targets = base_alloc(s->cx, sizeof *all);
    for (uint32_t at = 1; at + 1 < s->count; at++) {
        bool is_new = s->is_user[s->tokens[at].file] && is_value(s, at);
        for (uint32_t i = 0; i < all->count && is_new; i++)
            is_new = all->names[i] != s->tokens[at].text;
        if (!is_new) continue;
        BASE_RESERVE(s->cx, all->names, all->count, all->cap);
        all->names[all->count++] = s->tokens[at].text;
    }
    return all;
}

// ---- types ----------------------------------------------------------------------------------------------------------

static bool is_left_out(enum front_token_kind kind) {
    return kind == FRONT_KW_STATIC || kind == FRONT_KW_INLINE || kind == FRONT_KW_EXTERN || kind == FRONT_KW_TYPEDEF ||
           kind == FRONT_KW_REGISTER || kind == FRONT_KW_RESTRICT || kind == FRONT_KW_EXTENSION;
}

static bool is_tag_word(enum front_token_kind kind) {
    return kind == FRONT_KW_STRUCT || kind == FRONT_KW_UNION || kind == FRONT_KW_ENUM;
}
static bool is_type_at(const struct cc_source *s, uint32_t at) {
    const struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
    return is_tag_word(cc_kind(s, at)) || (name && name->kind != CC_VARIABLE);
}

// `__attribute__((noinline))` and its like, whose group begins there: none that makes another type.
static bool is_harmless(const struct cc_source *s, uint32_t at) {
    for (uint32_t k = at; k < cc_skip_group(s, at); k++)
        if (strstr(s->tokens[k].text, "vector_size") || strstr(s->tokens[k].text, "mode")) return false;
    return true;
}

// A parameter's type, without its name; NULL: one that has parts around the name.
static const char *type_of(const struct cc_source *s, uint32_t from, uint32_t to, struct base_text *plain) {
    struct base_text t;
    base_text_init(&t, s->cx);
    cc_put_plain_type(s, from, to, plain);
    bool typed = false, is_array = false;
    for (uint32_t at = from; at < to; at++) {
        enum front_token_kind kind = cc_kind(s, at), before = at ? cc_kind(s, at - 1) : FRONT_TOK_END;
        if (kind == FRONT_KW_ATTRIBUTE && is_harmless(s, at + 1)) {
            at = cc_skip_group(s, at + 1) - 1;
            continue;
        }
        if (kind == FRONT_P_LPAREN || (kind == FRONT_P_LBRACKET && is_array)) return NULL;
        if (kind == FRONT_P_LBRACKET) {
            is_array = true;
            at = cc_skip_group(s, at) - 1;
        }
        bool is_name = kind == FRONT_TOK_IDENT && typed && !is_tag_word(before);
        typed = typed || (kind != FRONT_KW_CONST && !is_left_out(kind));
        if (is_left_out(kind) || is_name) continue;
        base_text_format(&t, "%s ", is_array ? "*" : s->tokens[at].text);
    }
    return t.data;
}

// Of a name whose last derivation are the parameters. False: it is not understood.
static bool read_signature(const struct cc_source *s, const struct cc_name *name, struct signature *out) {
    const struct cc_derivation *list = &name->derive[name->derive_count - 1];
    struct base_text plain;
    base_text_init(&plain, s->cx);
    *out = (struct signature){0};
    for (uint32_t at = name->spec_from; at < name->spec_to; at++)
        if (cc_kind(s, at) == FRONT_KW_TYPEOF) return false;
    out->result = type_of(s, name->spec_from, name->spec_to, &plain);
    bool is_void = list->to - list->from == 1 && cc_kind(s, list->from) == FRONT_KW_VOID;
    for (uint32_t at = list->from; at < list->to && !is_void; at++) {
        uint32_t end = cc_behind_argument(s, at, list->to);
        base_text_put(&plain, ", ");
        out->is_variadic = cc_kind(s, at) == FRONT_P_ELLIPSIS;
        if (out->count == MOST_PARAMS || out->is_variadic) return false;
        const char *type = type_of(s, at, end, &plain);
        if (!type) return false;
        out->types[out->count++] = type;
        at = end;
    }
    out->plain = plain.data;
    for (uint32_t at = name->spec_from; at < name->spec_to; at++)
        out->has_names |= cc_kind(s, at) == FRONT_TOK_IDENT || is_tag_word(cc_kind(s, at));
    for (uint32_t at = list->from; at < list->to; at++)
        out->has_names |= is_type_at(s, at);
    return out->result != NULL;
}

// Is it one that such a pointer may lead to?
static bool is_target(struct cc_source *s, uint32_t i, const struct signature *of) {
    const struct cc_function *f = cc_function_of(s, targets(s)->names[i]);
    const struct cc_name *name = cc_find(s, targets(s)->names[i], f ? f->from : s->count - 1);
    struct signature own;
    return name && is_known(s, name) && read_signature(s, name, &own) && strcmp(own.plain, of->plain) == 0;
}

static bool is_seen(const struct cc_region *r, const char *text) {
    const struct cc_name *name = cc_find(r->source, text, r->node->from);
    return name && name->kind == CC_ROUTINE;
}

// "static " or "": how to declare it in front of the file; NULL: not, as its types are the file's, or it is inline.
static const char *declared_as(const struct cc_source *s, const char *text, const struct signature *g) {
    bool is_static = false, is_inline = false;
    for (uint32_t i = 0; i < s->declared_count; i++) {
        const struct cc_name *n = s->declared[i];
        if (n->text != text || n->kind != CC_ROUTINE || !n->is_file) continue;
        is_static = is_static || n->is_static;
        for (uint32_t at = n->spec_from; at < n->spec_to; at++)
            is_inline = is_inline || cc_kind(s, at) == FRONT_KW_INLINE;
    }
    return g->has_names || (is_inline && !is_static) ? NULL : is_static ? "static " : "";
}

// Declarations in front of the file of functions that stand behind the region, of types that need no declaration.
void cc_declare_targets(struct base_text *out, struct cc_region *r) {
    struct cc_source *s = r->source;
    struct signature g;
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (!cc_is_function_pointer(r->vars[v].name) || !read_signature(s, r->vars[v].name, &g)) continue;
        for (uint32_t i = 0; i < targets(s)->count; i++) {
            const char *text = s->targets->names[i];
            const char *as = is_target(s, i, &g) && !is_seen(r, text) ? declared_as(s, text, &g) : NULL;
            if (!as) continue;
            base_text_format(out, "%s%s%s(", as, g.result, text);
            for (uint32_t a = 0; a < g.count; a++)
                base_text_format(out, "%s%s", a ? ", " : "", g.types[a]);
            base_text_put(out, g.count ? ");\n" : "void);\n");
        }
    }
}

// Where a pointer leads, as C text at the call; NULL: no function of the file has its type.
const char *cc_target_text(struct cc_region *r, const struct cc_name *name) {
    struct cc_source *s = r->source;
    struct signature signature;
    struct base_text t;
    base_text_init(&t, s->cx);
    if (!read_signature(s, name, &signature)) return NULL;
    for (uint32_t i = 0; i < targets(s)->count; i++) {
        const char *text = s->targets->names[i];
        if (is_target(s, i, &signature) && (is_seen(r, text) || declared_as(s, text, &signature)))
            base_text_format(&t, "%s == %s ? %u : ", cc_said(name), text, i + 1);
    }
    return t.size ? base_format(s->cx, "(%s0)", t.data) : NULL;
}

// ---- the program's text ---------------------------------------------------------------------------------------------

// The number of the function that knows all of a type; -1: none of the file has it.
static int number_of(struct cc_region *r, const struct cc_name *name) {
    struct signature signature;
    if (!read_signature(r->source, name, &signature)) return -1;
    for (uint32_t i = 0; i < r->pointed->count; i++)
        if (strcmp(r->pointed->items[i].plain, signature.plain) == 0) return (int)i;
    if (r->pointed->count == MOST_SIGNATURES) return -1;
    for (uint32_t i = 0; i < targets(r->source)->count; i++)
        if (is_target(r->source, i, &signature)) cc_name_function(r, r->source->targets->names[i]);
    r->pointed->items[r->pointed->count] = signature;
    return (int)r->pointed->count++;
}

static void put_head(struct base_text *out, const struct signature *g, uint32_t number) {
    base_text_format(out, "static %s" CC_PREFIX "call_%u(int to", g->result, number);
    for (uint32_t i = 0; i < g->count; i++)
        base_text_format(out, ", %sa%u", g->types[i], i);
    base_text_put(out, ")");
}

struct points {
    struct cc_region *region;
    cc_take_edit *take;
    void *user;
};

// list[k].f of a table of structs, s.f or p->f of one in the program: where they come from is asked of variables.
static const struct cc_name *struct_pointer_at(struct cc_source *s, const struct cc_name *name, uint32_t *io_behind) {
    bool is_element = cc_kind(s, *io_behind) == FRONT_P_LBRACKET;
    uint32_t dot = is_element ? cc_skip_group(s, *io_behind) : *io_behind, body = cc_struct_body(s, name);
    bool is_one = name->derive_count == 0 || (name->derive_count == 1 && name->derive[0].kind != CC_FUNCTION);
    struct cc_name member;
    if (!is_one || !body || (cc_kind(s, dot) != FRONT_P_DOT && cc_kind(s, dot) != FRONT_P_ARROW)) return NULL;
    if (!cc_is_member_named(s, body, s->tokens[dot + 1].text, &member) || !cc_is_function_pointer(&member)) return NULL;
    struct cc_name *kept = base_alloc(s->cx, sizeof *kept);
    *kept = member;
    *io_behind = dot + 2;
    return kept;
}

// The pointer that a token begins: a variable, a member, an element of a table. *out_behind: behind it.
static const struct cc_name *pointer_at(const struct cc_region *r, uint32_t at, uint32_t *out_behind) {
    const struct cc_source *s = r->source;
    enum front_token_kind before = cc_kind(s, at - 1);
    if (cc_kind(s, at) != FRONT_TOK_IDENT) return NULL;
    const struct cc_member_use *member = cc_member_at(r, at);
    const struct cc_name *name = member ? member->name : cc_find(s, s->tokens[at].text, at);
    *out_behind = member ? member->to : at + 1;
    if (!name || name->kind != CC_VARIABLE || before == FRONT_P_DOT || before == FRONT_P_ARROW) return NULL;
    if (cc_is_function_pointer(name)) return name;
    const struct cc_name *in_struct = struct_pointer_at(r->source, name, out_behind);
    if (in_struct) return in_struct;
    if (!is_array_of(name) || cc_kind(s, *out_behind) != FRONT_P_LBRACKET) return NULL;
    *out_behind = cc_skip_group(s, *out_behind);
    return name;
}

// A parenthesis behind such a token is around an expression.
static bool is_before_expression(enum front_token_kind kind) {
    return kind != FRONT_TOK_IDENT && kind != FRONT_P_RPAREN && kind != FRONT_P_RBRACKET && kind != FRONT_KW_IF &&
           kind != FRONT_KW_WHILE && kind != FRONT_KW_SWITCH && kind != FRONT_KW_FOR;
}

static bool edit_call(struct points *p, uint32_t at) {
    const struct cc_source *s = p->region->source;
    uint32_t behind;
    const struct cc_name *name = pointer_at(p->region, at, &behind);
    if (!name) return false;
    bool derefs = cc_kind(s, at - 1) == FRONT_P_STAR && cc_kind(s, at - 2) == FRONT_P_LPAREN &&
                  cc_kind(s, behind) == FRONT_P_RPAREN;
    uint32_t open = behind + derefs, first = derefs ? at - 2 : at;
    while (cc_kind(s, first - 1) == FRONT_P_LPAREN && cc_kind(s, open) == FRONT_P_RPAREN &&
           is_before_expression(cc_kind(s, first - 2)))
        first--, open++; // (table[k])(x)
    int number = cc_kind(s, open) == FRONT_P_LPAREN && !cc_is_declared_at(s, at) ? number_of(p->region, name) : -1;
    if (number < 0) return true;
    p->take(p->user, first, first, base_format(s->cx, CC_PREFIX "call_%d(", number));
    if (derefs) p->take(p->user, at - 1, at, " ");
    p->take(p->user, open, open + 1, cc_kind(s, open + 1) == FRONT_P_RPAREN ? " " : ", ");
    return true;
}

// The function that a value names is cast to another type: a call by that type does not know it.
static bool is_cast_to_other(const struct cc_source *s, uint32_t at, const struct signature *own) {
    uint32_t close = at - 1, depth = 1;
    while (cc_kind(s, close) == FRONT_P_AMP || cc_kind(s, close) == FRONT_P_LPAREN)
        close--;
    uint32_t open = close;
    while (cc_kind(s, close) == FRONT_P_RPAREN && open && depth) {
        open--;
        depth += cc_kind(s, open) == FRONT_P_RPAREN;
        depth -= cc_kind(s, open) == FRONT_P_LPAREN;
    }
    if (open == close) return false;
    const struct cc_name *type =
        cc_kind(s, open + 1) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[open + 1].text, open + 1) : NULL;
    if (!type) return cc_kind(s, open + 1) != FRONT_P_STAR; // (*f)(g) calls
    struct signature to;
    if (type->kind != CC_TYPE) return false;
    return !cc_is_function_pointer(type) || open + 2 != close || !read_signature(s, type, &to) ||
           strcmp(to.plain, own->plain) != 0;
}

// A function's name that is no call: its number. One whose type is not understood, which no call by a number knows,
// stays and is refused.
static void edit_value(struct points *p, uint32_t at) {
    struct cc_source *s = p->region->source;
    struct signature g;
    if (!is_value(s, at)) return;
    const struct cc_name *name = cc_find(s, s->tokens[at].text, at);
    bool is_read = read_signature(s, name, &g);
    if (is_read ? is_cast_to_other(s, at, &g) : !g.is_variadic) return;
    for (uint32_t i = 0; i < targets(s)->count; i++)
        if (s->targets->names[i] == s->tokens[at].text)
            p->take(p->user, cc_kind(s, at - 1) == FRONT_P_AMP ? at - 1 : at, at + 1, base_format(s->cx, "%u", i + 1));
}

// sizeof of a pointer to a function, or of structs that hold some: they are smaller in the program, and their members
// lie elsewhere.
static void check_size(struct points *p, uint32_t at) {
    struct cc_source *s = p->region->source;
    enum front_token_kind kind = cc_kind(s, at);
    bool is_offset = kind == FRONT_TOK_IDENT && strcmp(s->tokens[at].text, "__builtin_offsetof") == 0;
    if (kind != FRONT_KW_SIZEOF && kind != FRONT_KW_ALIGNOF && !is_offset) return;
    uint32_t first = at + 1;
    while (cc_kind(s, first) == FRONT_P_STAR || cc_kind(s, first) == FRONT_P_AMP)
        first++;
    uint32_t end = cc_kind(s, first) == FRONT_P_LPAREN ? cc_skip_group(s, first) : first + 1;
    for (uint32_t k = at + 1; k < end; k++) {
        const struct cc_name *name = cc_kind(s, k) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[k].text, k) : NULL;
        struct cc_name tagged = {.spec_from = k, .spec_to = k + 2}; // struct TAG
        bool holds = name && (cc_is_function_pointer(name) || is_array_of(name) || cc_holds_functions(s, name));
        if (holds || (is_tag_word(cc_kind(s, k)) && cc_holds_functions(s, &tagged)))
            cc_refuse(p->region, s->tokens[at].line,
                      "%s of what has pointers to functions in it, which are numbers on a GPU: compute it outside of "
                      "the region",
                      is_offset ? "offsetof" : "sizeof");
    }
}

// NULL as headers have it, ((void *)0), which is no number. False: it is not there.
static bool edit_null(struct points *p, uint32_t at) {
    static const enum front_token_kind kinds[] = {FRONT_P_LPAREN, FRONT_P_LPAREN, FRONT_KW_VOID,
                                                  FRONT_P_STAR,   FRONT_P_RPAREN, FRONT_TOK_INT};
    const struct cc_source *s = p->region->source;
    for (uint32_t i = 0; i < 6; i++)
        if (cc_kind(s, at + i) != kinds[i]) return false;
    const struct cc_token *zero = &s->tokens[at + 5];
    bool is_null = zero->size == 1 && zero->text[0] == '0' && cc_kind(s, at + 6) == FRONT_P_RPAREN;
    if (is_null) p->take(p->user, at, at + 7, "0");
    return is_null;
}

static void edit_tokens(struct points *p, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        check_size(p, at);
        if (edit_null(p, at)) at += 6;
        if (!edit_call(p, at)) edit_value(p, at);
    }
}

static uint32_t behind_value(const struct cc_source *s, uint32_t at) {
    while (cc_kind(s, at) != FRONT_P_SEMI && cc_kind(s, at) != FRONT_P_COMMA && cc_kind(s, at) != FRONT_TOK_END)
        at = cc_kind(s, at) == FRONT_P_LBRACE ? cc_skip_group(s, at) : at + 1;
    return at;
}

// `float (*f)(float);` of a struct. A typedef says it already, and lists are not understood.
static bool edit_member(void *user, const struct cc_name *member) {
    struct points *p = user;
    const struct cc_source *s = p->region->source;
    if (!cc_is_function_pointer(member) || member->is_unfolded) return false;
    if (cc_kind(s, member->spec_to) != FRONT_P_LPAREN || cc_kind(s, member->end) != FRONT_P_SEMI) return false;
    p->take(p->user, member->said_from, member->end, base_format(s->cx, "int %s", member->text));
    return false;
}

// The values of a table of structs, and the first time the struct.
static void edit_table(struct points *p, const struct cc_name *n) {
    struct cc_source *s = p->region->source;
    uint32_t body = cc_struct_body(s, n);
    bool is_first = true;
    for (uint32_t i = 0; i < s->declared_count && s->declared[i] != n; i++)
        is_first = is_first && !(is_struct_table(s, s->declared[i]) && cc_struct_body(s, s->declared[i]) == body);
    if (is_first) cc_each_member(s, body, edit_member, p);
    edit_tokens(p, n->end, behind_value(s, n->end));
}

static void edit_declaration(struct points *p, const struct cc_name *n) {
    struct cc_source *s = p->region->source;
    if (is_struct_table(s, n) && s->is_user[s->tokens[n->at].file]) edit_table(p, n);
    bool is_table = cc_is_function_table(s, n), is_one = cc_is_function_pointer(n);
    bool is_list = !n->is_param && cc_kind(s, n->has_init ? behind_value(s, n->end) : n->end) != FRONT_P_SEMI;
    if ((!is_table && !is_one) || is_list || !s->is_user[s->tokens[n->at].file]) return;
    const char *words = n->kind == CC_TYPE ? "typedef " : n->is_static ? "static " : "";
    if (n->is_unfolded && n->kind != CC_TYPE) {
        if (is_table && !n->is_const) p->take(p->user, n->said_from, n->said_from, "const ");
    } else if (is_one) {
        p->take(p->user, n->said_from, n->end, base_format(s->cx, "%sint %s", words, n->text));
    } else {
        p->take(p->user, n->said_from, n->end,
                base_format(s->cx, "%sconst int %s[%s]", words, n->text,
                            cc_joined_tokens(s, n->derive[0].from, n->derive[0].to)));
    }
    if (n->is_file && n->has_init) edit_tokens(p, n->end, behind_value(s, n->end));
}

// Structs that come from outside have addresses where the program, in which functions are numbers, has none.
bool cc_check_functions(struct cc_region *r, const struct cc_name *name) {
    struct cc_source *s = r->source;
    if (!r->pointed || !cc_holds_functions(s, name)) return true;
    return cc_refuse(r, s->tokens[name->at].line,
                     "'%s' has structs that hold pointers to functions: a region can call by members of one struct "
                     "that it names, s.f(x), and by constant tables at file scope; else keep a number there, and "
                     "choose by switch",
                     cc_said(name));
}

static bool points(const struct cc_region *r, uint32_t from, uint32_t to) {
    uint32_t behind;
    for (uint32_t at = from; at < to; at++)
        if (pointer_at(r, at, &behind)) return true;
    return false;
}

// What it calls by pointers is declared before it.
static void edit_function(struct points *p, const struct cc_function *f) {
    struct cc_region *r = p->region;
    const struct cc_source *s = r->source;
    const struct cc_token *first = &s->tokens[f->start];
    struct base_text heads;
    base_text_init(&heads, s->cx);
    for (uint32_t at = f->from, behind; at < f->to; at++) {
        const struct cc_name *name = pointer_at(r, at, &behind);
        int number = name && !cc_is_declared_at(s, at) ? number_of(r, name) : -1;
        if (number < 0) continue;
        put_head(&heads, &r->pointed->items[number], (uint32_t)number);
        base_text_put(&heads, ";\n");
    }
    if (heads.size)
        p->take(p->user, f->start, f->start,
                base_format(s->cx, "\n%s# %u \"%s\"\n", heads.data, first->line, s->files[first->file]));
    // (the region is edited before; its own function is among these where it is called, or something has its name)
    bool is_around = f->from <= r->node->from && r->node->to <= f->to;
    edit_tokens(p, f->from, is_around ? r->node->from : f->to);
    if (is_around) edit_tokens(p, r->node->to, f->to);
}

void cc_point_to_functions(struct cc_region *r, cc_take_edit *take, void *user) {
    struct cc_source *s = r->source;
    struct points p = {r, take, user};
    bool any = points(r, r->node->from, r->node->to);
    const bool *named = cc_named(r);
    r->pointed = NULL;
    for (uint32_t i = 0; i < s->function_count && !any; i++)
        any = named[i] && points(r, s->functions[i].from, s->functions[i].to);
    if (!any) return;
    r->pointed = base_alloc(s->cx, sizeof *r->pointed);
    for (uint32_t i = 0; i < r->var_count; i++)
        cc_check_functions(r, r->vars[i].name);
    edit_tokens(&p, r->node->from, r->node->to);
    bool *done = base_alloc_array(s->cx, s->function_count + 1, sizeof *done);
    for (bool more = true; more;) { // what a pointer may lead to is named, too
        more = false;
        for (uint32_t i = 0; i < s->function_count; i++) {
            if (!named[i] || done[i] || !s->functions[i].body) continue;
            done[i] = more = true;
            edit_function(&p, &s->functions[i]);
        }
    }
    for (uint32_t i = 0; i < s->declared_count; i++)
        edit_declaration(&p, s->declared[i]);
}

// Behind all functions that pointers may lead to.
void cc_put_pointed(struct base_text *out, struct cc_region *r) {
    struct cc_source *s = r->source;
    for (uint32_t k = 0; r->pointed && k < r->pointed->count; k++) {
        const struct signature *g = &r->pointed->items[k];
        bool gives = strcmp(g->result, "void ") != 0;
        base_text_put(out, "\n");
        put_head(out, g, k);
        base_text_put(out, " {");
        for (uint32_t i = 0; i < targets(s)->count; i++) {
            if (!is_target(s, i, g)) continue;
            base_text_format(out, " if (to == %u) %s%s(", i + 1, gives ? "return " : "", s->targets->names[i]);
            for (uint32_t a = 0; a < g->count; a++)
                base_text_format(out, "%sa%u", a ? ", " : "", a);
            base_text_put(out, ");");
        }
        base_text_put(out, gives ? " return 0; }\n" : " }\n");
    }
}
