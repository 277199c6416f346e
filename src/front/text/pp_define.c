// #define and #undef. A replacement list is brought into the form that expansion wants: each token knows which
// parameter it is, `#` is joined with its parameter, `##` is a mark on the token behind it.
#include <string.h>

#include "front/text/pp.h"

static bool is_name(const struct front_token *token) { return token->kind == FRONT_TOK_IDENT; }

static bool check_name(struct pp *pp, const struct front_token *name, const char *directive) {
    if (name->kind == FRONT_TOK_END) {
        base_error(pp->cx, name->loc, "no macro name in #%s", directive);
    } else if (!is_name(name)) {
        base_error(pp->cx, name->loc, "a macro name is an identifier, not '%s'", name->text);
    } else {
        uint16_t word = front_spelling_of(name->text)->word;
        if (word != PP_DEFINED && word != PP_VA_ARGS && word != PP_PRAGMA_OPERATOR) return true;
        base_error(pp->cx, name->loc, "'%s' cannot be a macro name", name->text);
    }
    return false;
}

// Behind the '('. Fills params and numbers their names; false after an error.
static bool read_params(struct pp *pp, struct front_macro *macro) {
    uint32_t cap = 0;
    struct front_token token = front_lex(pp->lexer);
    if (token.kind == FRONT_P_RPAREN) return true;
    for (;; token = front_lex(pp->lexer)) {
        const char *name = token.text;
        if (token.kind == FRONT_P_ELLIPSIS) {
            name = front_intern(pp->names, "__VA_ARGS__", 11);
            macro->is_variadic = true;
        } else if (!is_name(&token)) {
            base_error(pp->cx, token.loc, "expected a parameter name or '...' in the macro's parameter list");
            return false;
        } else if (front_spelling_of(name)->word == PP_VA_ARGS) {
            base_error(pp->cx, token.loc, "'__VA_ARGS__' cannot be a parameter; write '...'");
            return false;
        }
        if (front_spelling_of(name)->param) {
            base_error(pp->cx, token.loc, "duplicate macro parameter '%s'", name);
            return false;
        }
        if (macro->param_count == PP_PARAMETERS) {
            base_error(pp->cx, token.loc, "a macro with more than %d parameters", PP_PARAMETERS);
            return false;
        }
        BASE_RESERVE(pp->cx, macro->params, macro->param_count, cap);
        macro->params[macro->param_count++] = name;
        front_spelling_of(name)->param = (uint16_t)macro->param_count;
        token = front_lex(pp->lexer);
        if (!macro->is_variadic && token.kind == FRONT_P_ELLIPSIS) { // GNU: a named rest
            macro->is_variadic = true;
            token = front_lex(pp->lexer);
        }
        if (token.kind == FRONT_P_RPAREN) return true;
        if (token.kind != FRONT_P_COMMA || macro->is_variadic) {
            base_error(pp->cx, token.loc, "expected %s in the macro's parameter list",
                       macro->is_variadic ? "')'" : "',' or ')'");
            return false;
        }
    }
}

static int32_t find_param(const struct front_token *token) {
    return is_name(token) ? (int32_t)front_spelling_of(token->text)->param - 1 : -1;
}

static bool read_body(struct pp *pp, struct front_macro *macro, struct front_token token) {
    uint32_t cap = 0;
    struct pp_item item = {.param = -1};
    for (; token.kind != FRONT_TOK_END; token = front_lex(pp->lexer)) {
        if (token.kind == FRONT_P_HASHHASH) {
            if (macro->item_count == 0 || item.paste) {
                base_error(pp->cx, token.loc, "'##' has nothing before it to join");
                return false;
            }
            item.paste = true;
            item.token = token;
            continue;
        }
        uint16_t flags = token.flags;
        if (macro->is_function && token.kind == FRONT_P_HASH) {
            base_loc loc = token.loc;
            token = front_lex(pp->lexer);
            item.stringize = true;
            if (find_param(&token) < 0) {
                base_error(pp->cx, loc, "'#' is not followed by a macro parameter");
                return false;
            }
        }
        if (is_name(&token) && front_spelling_of(token.text)->word == PP_VA_ARGS && find_param(&token) < 0) {
            base_error(pp->cx, token.loc, "'__VA_ARGS__' outside the replacement list of a variadic macro");
            return false;
        }
        item.token = token;
        item.token.flags = flags & FRONT_TOKEN_SPACE;
        item.param = find_param(&token);
        BASE_RESERVE(pp->cx, macro->items, macro->item_count, cap);
        macro->items[macro->item_count++] = item;
        item = (struct pp_item){.param = -1};
    }
    if (item.paste) {
        base_error(pp->cx, item.token.loc, "'##' has nothing behind it to join");
        return false;
    }
    if (macro->item_count) macro->items[0].token.flags = 0;
    return true;
}

static bool same_definition(const struct front_macro *a, const struct front_macro *b) {
    if (a->kind != b->kind || a->is_function != b->is_function || a->is_variadic != b->is_variadic ||
        a->param_count != b->param_count || a->item_count != b->item_count)
        return false;
    for (uint32_t i = 0; i < a->param_count; i++)
        if (a->params[i] != b->params[i]) return false;
    for (uint32_t i = 0; i < a->item_count; i++) {
        const struct pp_item *x = &a->items[i], *y = &b->items[i];
        if (x->token.text != y->token.text || x->token.flags != y->token.flags || x->stringize != y->stringize ||
            x->paste != y->paste)
            return false;
    }
    return true;
}

// A program may replace what a built-in header defines (compilers differ in whether they have M_PI), nothing else in
// silence.
static void check_redefinition(struct pp *pp, const struct front_macro *old, const struct front_macro *macro) {
    if (same_definition(old, macro)) return;
    bool in_header = !old->is_builtin && pp->cx->files[pp->cx->locs[old->loc].file].builtin;
    if (in_header && old->name[0] != '_') return;
    base_warn(pp->cx, macro->loc, "macro '%s' is defined again, differently", macro->name);
    if (!old->is_builtin && !in_header) base_note(pp->cx, old->loc, "the definition before it is here");
}

// Behind the macro's name. False after an error.
static bool read_definition(struct pp *pp, struct front_macro *macro) {
    struct front_token token = front_lex(pp->lexer);
    if (token.kind == FRONT_P_LPAREN && !(token.flags & FRONT_TOKEN_SPACE)) {
        macro->is_function = true;
        if (!read_params(pp, macro)) return false;
        token = front_lex(pp->lexer);
    } else if (token.kind != FRONT_TOK_END && !(token.flags & FRONT_TOKEN_SPACE)) {
        base_warn(pp->cx, token.loc, "no space between the macro name '%s' and its replacement", macro->name);
    }
    return read_body(pp, macro, token);
}

void pp_define(struct pp *pp) {
    struct front_token name = front_lex(pp->lexer);
    if (!check_name(pp, &name, "define")) return;
    struct front_macro *macro = base_alloc(pp->cx, sizeof *macro);
    macro->name = name.text;
    macro->loc = name.loc;
    bool ok = read_definition(pp, macro);
    for (uint32_t i = 0; i < macro->param_count; i++)
        front_spelling_of(macro->params[i])->param = 0;
    if (!ok) return;
    struct front_spelling *spelling = front_spelling_of(name.text);
    if (spelling->macro) check_redefinition(pp, spelling->macro, macro);
    spelling->macro = macro;
    spelling->was_builtin |= pp->lexer->token_flags & FRONT_TOKEN_BUILTIN;
}

void pp_undef(struct pp *pp) {
    struct front_token name = front_lex(pp->lexer);
    if (!check_name(pp, &name, "undef")) return;
    struct front_macro *old = front_spelling_of(name.text)->macro;
    if (old && old->is_builtin)
        base_warn(pp->cx, name.loc, "the built-in macro '%s' is undefined from here on", name.text);
    front_spelling_of(name.text)->macro = NULL;
}

void pp_define_dynamic(struct pp *pp, const char *name, enum front_macro_kind kind) {
    struct front_macro *macro = base_alloc(pp->cx, sizeof *macro);
    macro->name = front_intern(pp->names, name, strlen(name));
    macro->kind = kind;
    macro->is_builtin = true;
    front_spelling_of(macro->name)->macro = macro;
    front_spelling_of(macro->name)->was_builtin = true;
}
