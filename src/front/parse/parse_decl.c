// Declarations: functions, variables and typedefs at file scope and inside functions.
#include "front/parse/parse.h"

#include <string.h>

void front_parse_static_assert(struct front_parser *p) {
    uint32_t token = front_next(p);
    front_expect(p, FRONT_P_LPAREN, "'_Static_assert'");
    struct front_node *n = front_value(p, front_parse_conditional(p));
    struct front_constant c;
    const char *text = NULL;
    size_t size;
    if (front_accept(p, FRONT_P_COMMA)) {
        if (!front_is(p, FRONT_TOK_STRING)) front_syntax_error(p, "string literal");
        front_parse_string(p->cx, front_peek(p), &text, &size);
        while (front_accept(p, FRONT_TOK_STRING))
            ;
    }
    front_expect(p, FRONT_P_RPAREN, "'_Static_assert'");
    front_expect(p, FRONT_P_SEMI, "'_Static_assert'");
    if (front_is_error(n)) return;
    if (!front_evaluate(n, false, &c))
        base_error(p->cx, n->loc, "static assertion expression is not a constant");
    else if (c.is_float ? c.real == 0.0 : c.integer == 0)
        base_error(p->cx, p->tokens[token].loc, "static assertion failed%s%s", text ? ": " : "", text ? text : "");
}

// ---- functions ------------------------------------------------------------------------------------------------------

static void previous_note(struct front_parser *p, const struct front_symbol *old) {
    base_note(p->cx, old->loc, "previous %s is here", old->function || old->has_init ? "definition" : "declaration");
}

static struct front_symbol *declare_function(struct front_parser *p, const struct front_specifiers *spec,
                                             struct front_declarator *d) {
    struct front_symbol *old = front_lookup(p, d->name);
    base_loc loc = p->tokens[d->token].loc;
    if (old && old->kind == FRONT_SYM_FUNCTION && old->type != p->error_type) {
        if (!front_compatible(old->type, d->type)) {
            base_error(p->cx, loc, "conflicting types for '%s': '%s' here", d->name, front_type_name(p->cx, d->type));
            base_note(p->cx, old->loc, "'%s' there%s", front_type_name(p->cx, old->type),
                      old->builtin ? ": give yours another name" : "");
        } else if (old->type->no_prototype || d->params) {
            old->type = old->declared = d->type;
        }
        old->is_inline = old->is_inline || spec->is_inline;
        return old;
    }
    if (old && old->scope == p->scope && old->type != p->error_type) {
        base_error(p->cx, loc, "redefinition of '%s' as different kind of symbol", d->name);
        previous_note(p, old);
    }
    struct front_symbol *s = front_new_symbol(p, FRONT_SYM_FUNCTION, d->name, d->type, d->token);
    s->is_static = spec->is_static;
    s->is_inline = spec->is_inline;
    s->is_noreturn = spec->is_noreturn;
    front_bind(p, s);
    return s;
}

static bool is_incomplete(const struct front_type *type) {
    return type->kind == FRONT_VOID ? !type->unsized : type->kind == FRONT_STRUCT && !type->record->complete;
}

static void define_function(struct front_parser *p, const struct front_specifiers *spec, struct front_declarator *d) {
    struct front_symbol *s = declare_function(p, spec, d);
    base_loc loc = p->tokens[d->token].loc;
    if (s->function) {
        base_error(p->cx, loc, "redefinition of '%s'", d->name);
        previous_note(p, s);
    }
    if (d->type->variadic)
        base_unsupported(p->cx, loc, "a function with '...' is not supported: give every parameter a name and a type");
    if (d->type->base->kind == FRONT_STRUCT && is_incomplete(d->type->base))
        base_error(p->cx, loc, "incomplete result type '%s' in function definition",
                   front_type_name(p->cx, d->type->base));
    struct front_function *f = base_alloc(p->cx, sizeof *f);
    s->loc = f->loc = loc;
    s->token = d->token;
    // those of complex numbers are as the program's: their doubles may be pairs
    bool is_header = (p->tokens[d->token].flags & FRONT_TOKEN_BUILTIN) != 0;
    s->builtin = f->builtin = is_header && !front_names_complex(d->type);
    s->function = f;
    f->symbol = s;
    f->params = d->params;
    f->param_count = d->param_count;
    BASE_RESERVE(p->cx, p->ast->functions, p->ast->function_count, p->ast->function_cap);
    p->ast->functions[p->ast->function_count++] = f;

    front_open_scope(p);
    for (uint32_t i = 0; i < d->param_count; i++) {
        struct front_symbol *param = d->params[i];
        if (!param->name[0]) base_error(p->cx, param->loc, "parameter name omitted");
        if (is_incomplete(param->type))
            base_error(p->cx, param->loc, "variable has incomplete type '%s'", front_type_name(p->cx, param->type));
        front_bind(p, param);
    }
    p->function = f;
    f->body = front_parse_body(p);
    p->function = NULL;
    front_close_scope(p);
}

// ---- variables ------------------------------------------------------------------------------------------------------

static void add_global(struct front_parser *p, struct front_symbol *s) {
    BASE_RESERVE(p->cx, p->ast->globals, p->ast->global_count, p->ast->global_cap);
    p->ast->globals[p->ast->global_count++] = s;
}

// The symbol of a new variable, or the one that an earlier declaration of the same made.
static struct front_symbol *declare_variable(struct front_parser *p, enum front_symbol_kind kind,
                                             const struct front_specifiers *spec, const struct front_declarator *d) {
    struct front_symbol *old = front_lookup(p, d->name);
    base_loc loc = p->tokens[d->token].loc;
    if (spec->is_extern && old && old->kind == FRONT_SYM_GLOBAL) return old;
    if (old && old->scope == p->scope && old->type != p->error_type) {
        bool again = kind == FRONT_SYM_GLOBAL && old->kind == FRONT_SYM_GLOBAL;
        if (again && front_compatible(old->type, d->type)) return old;
        if (again)
            base_error(p->cx, loc, "redefinition of '%s' with a different type: '%s' vs '%s'", d->name,
                       front_type_name(p->cx, d->type), front_type_name(p->cx, old->type));
        else
            base_error(p->cx, loc, "redefinition of '%s'", d->name);
        previous_note(p, old);
    }
    struct front_symbol *s = front_new_symbol(p, kind, d->name, d->type, d->token);
    s->is_static = spec->is_static;
    s->is_extern = spec->is_extern;
    p->aligned_variables |= spec->is_aligned;
    front_bind(p, s);
    if (kind != FRONT_SYM_LOCAL) add_global(p, s);
    return s;
}

static void learn_constant(struct front_symbol *s, const struct front_node *value) {
    struct front_constant c;
    if (value && (s->type->quals & FRONT_CONST) && front_is_integer(s->type) && front_evaluate(value, true, &c) &&
        !c.is_float) {
        s->known = true;
        s->value = (int64_t)c.integer;
    }
}

static void check_variable(struct front_parser *p, struct front_symbol *s, bool is_static) {
    base_loc loc = s->loc;
    if (s->type == p->error_type) return;
    if (is_incomplete(s->type) && !s->is_extern)
        base_error(p->cx, loc, "variable has incomplete type '%s'", front_type_name(p->cx, s->type));
    else if (s->type->kind == FRONT_ARRAY && s->type->unsized && !s->is_extern)
        base_error(p->cx, loc, "definition of variable with array type needs an explicit size or an initializer");
    else if (is_static && front_is_variable(s->type))
        base_error(p->cx, loc, "variable length array declaration cannot have 'static' storage duration");
    else
        return;
    s->type = s->declared = p->error_type;
}

// Each thread has its own, as of `threadprivate`.
static void set_thread_local(struct front_parser *p, struct front_symbol *s, base_loc loc) {
    if (s->kind == FRONT_SYM_LOCAL)
        base_error(p->cx, loc, "'%s' is _Thread_local and neither static nor extern: declare it without, in the loop",
                   s->name);
    s->threadprivate = p->ast->has_threadprivate = true;
}

// One declared variable up to its ',' or ';'. The DECL, or NULL for static data.
static struct front_node *parse_variable(struct front_parser *p, const struct front_specifiers *spec,
                                         const struct front_declarator *d) {
    bool is_local = p->scope > 0 && !spec->is_static && !spec->is_extern;
    enum front_symbol_kind kind = is_local                          ? FRONT_SYM_LOCAL
                                  : p->scope > 0 && spec->is_static ? FRONT_SYM_STATIC
                                                                    : FRONT_SYM_GLOBAL;
    struct front_symbol *s = declare_variable(p, kind, spec, d);
    if (spec->is_thread) set_thread_local(p, s, p->tokens[d->token].loc);
    struct front_node *n = front_node(p, FRONT_DECL, d->token), *value = NULL;
    struct front_inits *inits = base_alloc(p->cx, sizeof *inits);
    n->symbol = s;
    if (front_is(p, FRONT_P_ASSIGN)) {
        front_next(p);
        struct front_type *type = d->type;
        if (s->has_init) {
            base_error(p->cx, s->loc, "redefinition of '%s'", s->name);
            previous_note(p, s);
        }
        if (type->kind == FRONT_ARRAY && front_is_variable(type))
            base_fatal(p->cx, p->tokens[d->token].loc,
                       "variable-sized object may not be initialized: assign in a loop");
        value = front_parse_initializer(p, &type, inits);
        s->type = s->declared = value && front_is_error(value) && type->kind == FRONT_ARRAY ? p->error_type : type;
        s->has_init = true;
        s->is_extern = false;
        learn_constant(s, value);
    }
    check_variable(p, s, !is_local);
    if (is_local) {
        n->a = value;
        if (s->has_init && !value) {
            n->inits = inits;
            n->flags = FRONT_FLAG_HAS_INITS;
        }
        front_set_height(p, n);
        return n;
    }
    if (value) {
        BASE_RESERVE(p->cx, inits->items, inits->count, inits->cap);
        inits->items[inits->count++] = (struct front_init){.value = value};
    }
    front_split_complex(p, inits);
    if (s->has_init && inits->count) s->inits = *inits;
    return NULL;
}

static void declare_typedef(struct front_parser *p, const struct front_declarator *d, bool is_aligned) {
    const struct front_symbol *old = front_lookup(p, d->name);
    if (front_is_variable(d->type))
        base_unsupported(p->cx, p->tokens[d->token].loc,
                         "a typedef of variable size is not supported: write the array where it is declared");
    if (old && old->scope == p->scope && old->type != p->error_type) {
        if (old->kind == FRONT_SYM_TYPEDEF && front_type_same(old->type, d->type)) return;
        base_error(p->cx, p->tokens[d->token].loc, "redefinition of '%s'", d->name);
        previous_note(p, old);
    }
    struct front_symbol *s = front_new_symbol(p, FRONT_SYM_TYPEDEF, d->name, d->type, d->token);
    s->aligned = is_aligned;
    front_bind(p, s);
}

// One declarator of a declaration; its DECL where it has one. *out_body: a function with its body was read.
static struct front_node *parse_one(struct front_parser *p, const struct front_specifiers *spec, bool first,
                                    bool *out_body) {
    struct front_declarator d;
    uint32_t aligns = p->aligns;
    p->in_members = spec->is_typedef;
    front_parse_declarator(p, spec->type, &d);
    p->in_members = false;
    if (!d.name) front_syntax_error(p, "identifier or '('");
    front_skip_attributes(p);
    if (spec->is_typedef) {
        declare_typedef(p, &d, spec->is_aligned || p->aligns != aligns);
    } else if (d.type->kind == FRONT_FUNCTION) {
        if (first && front_is(p, FRONT_P_LBRACE) && d.has_params) {
            if (p->scope)
                base_unsupported(p->cx, p->tokens[d.token].loc, "functions inside functions are not C: move '%s' out",
                                 d.name);
            define_function(p, spec, &d);
            *out_body = true;
            return NULL;
        }
        declare_function(p, spec, &d);
    } else {
        return parse_variable(p, spec, &d);
    }
    return NULL;
}

static struct front_node *parse_declaration(struct front_parser *p) {
    struct front_specifiers spec;
    struct front_node *first = NULL, **tail = &first;
    bool body = false;
    front_parse_specifiers(p, &spec);
    if (front_is(p, FRONT_P_SEMI)) {
        if (!spec.declares_tag) base_warn(p->cx, p->tokens[spec.token].loc, "declaration does not declare anything");
        front_next(p);
        return NULL;
    }
    for (bool is_first = true;; is_first = false) {
        struct front_node *n = parse_one(p, &spec, is_first, &body);
        if (body) return NULL;
        if (n) {
            *tail = n;
            tail = &n->next;
        }
        if (!front_accept(p, FRONT_P_COMMA)) break;
    }
    front_expect(p, FRONT_P_SEMI, "the declaration");
    return first;
}

struct front_node *front_parse_local_declaration(struct front_parser *p) {
    return parse_declaration(p);
}

void front_parse_external(struct front_parser *p) {
    switch (front_peek(p)->kind) {
    case FRONT_P_SEMI: front_next(p); break;
    case FRONT_TOK_PRAGMA: front_parse_file_pragma(p); break;
    case FRONT_KW_STATIC_ASSERT: front_parse_static_assert(p); break;
    case FRONT_KW_ASM: front_skip_attributes(p); break;
    case FRONT_P_RBRACE: base_fatal(p->cx, front_here(p), "extraneous closing brace ('}')");
    default: parse_declaration(p);
    }
}
