// Macro expansion: collect a call's arguments, expand each by itself, put them into the replacement list, push the
// result to be read again. pp.h says how recursion is kept out.
//
// Hostile programs grow by doubling: every copied token and every byte of a made spelling is charged to one budget,
// buffers of expansions that were read go back to a pool, and what is on the stack at once is limited too.
#include <string.h>

#include "front/text/pp.h"

// ---- runs of tokens -------------------------------------------------------------------------------------------------
enum { SMALLEST = 4 }; // log2

static uint32_t log2_of(uint32_t cap) {
    uint32_t n = 0;
    while (1u << n < cap)
        n++;
    return n;
}

static void charge(struct pp *pp, uint64_t amount) {
    pp->expanded_tokens += amount;
    if (pp->expanded_tokens > PP_EXPANDED_TOKENS)
        base_fatal(pp->cx, front_lex_loc(pp->lexer), "macros expand to more than %d tokens", PP_EXPANDED_TOKENS);
}

void pp_run_free(struct pp *pp, struct pp_run *run) {
    if (run->cap) {
        uint32_t n = log2_of(run->cap);
        run->tokens[0].text = (const char *)pp->pool[n];
        pp->pool[n] = run->tokens;
        pp->live_tokens -= run->cap;
    }
    *run = (struct pp_run){0};
}

static void run_grow(struct pp *pp, struct pp_run *run) {
    uint32_t n = run->cap ? log2_of(run->cap) + 1 : SMALLEST;
    struct pp_run larger = {.count = run->count, .cap = 1u << n};
    pp->live_tokens += larger.cap;
    if (pp->live_tokens > PP_LIVE_TOKENS)
        base_fatal(pp->cx, front_lex_loc(pp->lexer), "macro calls with more than %d tokens at once", PP_LIVE_TOKENS);
    if (pp->pool[n]) {
        larger.tokens = pp->pool[n];
        pp->pool[n] = (struct front_token *)(void *)(uintptr_t)larger.tokens[0].text;
    } else {
        larger.tokens = base_alloc_array(pp->cx, larger.cap, sizeof *larger.tokens);
    }
    if (run->count) memcpy(larger.tokens, run->tokens, run->count * sizeof *run->tokens);
    pp_run_free(pp, run);
    *run = larger;
}

void pp_run_add(struct pp *pp, struct pp_run *run, const struct front_token *token) {
    charge(pp, 1);
    if (run->count == run->cap) run_grow(pp, run);
    run->tokens[run->count++] = *token;
}

// ---- the stack of expansions ----------------------------------------------------------------------------------------
static void push(struct pp *pp, struct pp_context context) {
    BASE_RESERVE(pp->cx, pp->contexts, pp->context_count, pp->context_cap);
    pp->contexts[pp->context_count++] = context;
    if (context.macro) context.macro->disabled = true;
}

void pp_push_argument(struct pp *pp, const struct pp_run *run) {
    push(pp, (struct pp_context){.run = *run, .is_argument = true});
}

void pp_pop(struct pp *pp) {
    struct pp_context *top = &pp->contexts[--pp->context_count];
    if (top->macro) top->macro->disabled = false;
    if (!top->is_argument) pp_run_free(pp, &top->run);
}

static bool paren_next(const struct pp *pp) {
    for (uint32_t i = pp->context_count; i-- > 0;) {
        const struct pp_context *context = &pp->contexts[i];
        if (context->next < context->run.count) return context->run.tokens[context->next].kind == FRONT_P_LPAREN;
        if (context->is_argument) return false;
    }
    return front_lex_paren_next(pp->lexer);
}

// ---- arguments ------------------------------------------------------------------------------------------------------
static void note_definition(struct pp *pp, const struct front_macro *macro) {
    if (!macro->is_builtin) base_note(pp->cx, macro->loc, "macro '%s' is defined here", macro->name);
}

static void add_arg(struct pp *pp) {
    BASE_RESERVE(pp->cx, pp->args, pp->arg_count, pp->arg_cap);
    pp->args[pp->arg_count++] = (struct pp_arg){.is_expanded = false};
}

static void free_args(struct pp *pp, uint32_t first) {
    while (pp->arg_count > first) {
        struct pp_arg *arg = &pp->args[--pp->arg_count];
        pp_run_free(pp, &arg->raw);
        pp_run_free(pp, &arg->expanded);
    }
}

// Reads `( ... )` into the argument stack; at least one argument. Returns their number, or 0 when the ')' is missing.
// Arguments beyond the parameters are counted, not kept.
static uint32_t collect_args(struct pp *pp, const struct front_macro *macro) {
    uint32_t count = 1, depth = 0;
    pp_read(pp); // '('
    add_arg(pp);
    for (;;) {
        struct front_token token = pp_read(pp);
        if (token.kind == FRONT_TOK_END) return 0;
        if (token.kind == FRONT_P_RPAREN && depth-- == 0) return count;
        if (token.kind == FRONT_P_LPAREN) depth++;
        bool in_rest = macro->is_variadic && count >= macro->param_count;
        if (token.kind == FRONT_P_COMMA && depth == 0 && !in_rest) {
            if (++count <= macro->param_count) add_arg(pp);
            continue;
        }
        if (token.flags & FRONT_TOKEN_BOL)
            token.flags = (uint16_t)((token.flags & ~FRONT_TOKEN_BOL) | FRONT_TOKEN_SPACE);
        if (count <= macro->param_count || count == 1) pp_run_add(pp, &pp->args[pp->arg_count - 1].raw, &token);
    }
}

static bool read_args(struct pp *pp, const struct front_macro *macro, base_loc use, bool *out_rest_omitted) {
    uint32_t first = pp->arg_count, params = macro->param_count;
    bool was_collecting = pp->collecting;
    pp->collecting = true;
    uint32_t count = collect_args(pp, macro);
    pp->collecting = was_collecting;
    *out_rest_omitted = false;
    if (count == 0) {
        base_error(pp->cx, use, "the arguments of macro '%s' do not end", macro->name);
    } else if (params == 0 && count == 1 && pp->args[first].raw.count == 0) {
        return true;
    } else if (count == params) {
        return true;
    } else if (macro->is_variadic && count + 1 == params) {
        *out_rest_omitted = true;
        add_arg(pp);
        return true;
    } else {
        base_error(pp->cx, use, "macro '%s' takes %s%u argument%s, not %u", macro->name,
                   macro->is_variadic ? "at least " : "", params - macro->is_variadic,
                   params - macro->is_variadic == 1 ? "" : "s", count);
    }
    note_definition(pp, macro);
    return false;
}

// The argument as if it were the whole rest of the file.
static const struct pp_run *expanded_arg(struct pp *pp, uint32_t index) {
    if (!pp->args[index].is_expanded) {
        if (++pp->argument_depth > PP_ARGUMENT_DEPTH)
            base_fatal(pp->cx, front_lex_loc(pp->lexer), "macro calls nested deeper than %d in arguments",
                       PP_ARGUMENT_DEPTH);
        struct pp_run run = {0}, raw = pp->args[index].raw;
        pp_push_argument(pp, &raw);
        for (;;) {
            struct front_token token = pp_expand(pp);
            if (token.kind == FRONT_TOK_END) break;
            pp_run_add(pp, &run, &token);
        }
        pp_pop(pp);
        pp->argument_depth--;
        pp->args[index].expanded = run; // expansion may have moved args
        pp->args[index].is_expanded = true;
    }
    return &pp->args[index].expanded;
}

// ---- # and ## -------------------------------------------------------------------------------------------------------
static struct front_token make_token(struct pp *pp, uint16_t kind, base_loc loc) {
    size_t size = pp->scratch.size;
    charge(pp, size / 4 + 1);
    return (struct front_token){front_intern(pp->names, pp->scratch.data, size), (uint32_t)size, loc, kind, 0};
}

static void scratch_add(struct pp *pp, const char *text, size_t size) {
    if (size > PP_MADE_TOKEN_BYTES || pp->scratch.size > PP_MADE_TOKEN_BYTES - size)
        base_fatal(pp->cx, front_lex_loc(pp->lexer), "macros make a token of more than %d bytes", PP_MADE_TOKEN_BYTES);
    base_text_add(&pp->scratch, text, size);
}

static struct front_token stringize(struct pp *pp, const struct pp_run *arg, base_loc use) {
    pp->scratch.size = 0;
    scratch_add(pp, "\"", 1);
    for (uint32_t i = 0; i < arg->count; i++) {
        const struct front_token *token = &arg->tokens[i];
        if (i > 0 && token->flags & (FRONT_TOKEN_SPACE | FRONT_TOKEN_BOL)) scratch_add(pp, " ", 1);
        bool quoted = token->kind == FRONT_TOK_STRING || token->kind == FRONT_TOK_CHAR;
        const char *from = token->text, *end = token->text + token->len;
        for (const char *p = from; quoted && p < end; p++) {
            if (*p == '"' || *p == '\\') {
                scratch_add(pp, from, (size_t)(p - from));
                scratch_add(pp, "\\", 1);
                from = p;
            }
        }
        scratch_add(pp, from, (size_t)(end - from));
    }
    scratch_add(pp, "\"", 1);
    // A stray backslash at the end would take the closing quote with it.
    uint16_t kind;
    const char *end = pp->scratch.data + pp->scratch.size;
    if (front_scan(pp->scratch.data, end, &kind) != end || kind != FRONT_TOK_STRING) {
        base_error(pp->cx, use, "'#' does not make a string literal of this argument: %s", pp->scratch.data);
        pp->scratch.size = 0;
        scratch_add(pp, "\"\"", 2);
    }
    return make_token(pp, FRONT_TOK_STRING, use);
}

// Joins *left with right; false if that gives no token.
static bool paste(struct pp *pp, const struct front_macro *macro, struct front_token *left,
                  const struct front_token *right, base_loc use) {
    pp->scratch.size = 0;
    scratch_add(pp, left->text, left->len);
    scratch_add(pp, right->text, right->len);
    uint16_t kind = FRONT_TOK_OTHER;
    const char *text = pp->scratch.data, *end = text + pp->scratch.size;
    bool comment = text[0] == '/' && (text[1] == '/' || text[1] == '*');
    if (comment || front_scan(text, end, &kind) != end || kind == FRONT_TOK_OTHER) {
        base_error(pp->cx, use, "joining '%s' and '%s' by '##' does not give a token", left->text, right->text);
        note_definition(pp, macro);
        return false;
    }
    uint16_t flags = left->flags & (FRONT_TOKEN_SPACE | FRONT_TOKEN_BOL | FRONT_TOKEN_BUILTIN);
    *left = make_token(pp, kind, use);
    left->flags = flags;
    return true;
}

// ---- substitution ---------------------------------------------------------------------------------------------------
struct call {
    const struct front_macro *macro;
    base_loc use;
    uint16_t origin; // FRONT_TOKEN_BUILTIN if the call stands in a built-in header
    uint32_t first_arg;
    bool rest_omitted;
};

// `, ## __VA_ARGS__`, which every compiler takes: without a rest the comma goes, with one nothing is joined.
static bool is_comma_rest(const struct call *call, const struct pp_item *item, const struct pp_run *result) {
    return call->macro->is_variadic && item->param == (int32_t)call->macro->param_count - 1 && !item->stringize &&
           result->count && result->tokens[result->count - 1].kind == FRONT_P_COMMA;
}

static void substitute(struct pp *pp, const struct call *call, struct pp_run *result) {
    const struct front_macro *macro = call->macro;
    bool left_empty = true; // the left operand of a ## is a placemarker
    for (uint32_t i = 0; i < macro->item_count; i++) {
        const struct pp_item *item = &macro->items[i];
        struct front_token token = item->token;
        struct pp_run operand = {&token, 1, 0};
        bool operand_of_paste = item->paste || (i + 1 < macro->item_count && macro->items[i + 1].paste);
        token.loc = call->use;
        token.flags |= call->origin;
        if (item->stringize) {
            token = stringize(pp, &pp->args[call->first_arg + (uint32_t)item->param].raw, call->use);
            token.flags = item->token.flags | call->origin;
        } else if (item->param >= 0) {
            uint32_t index = call->first_arg + (uint32_t)item->param;
            operand = operand_of_paste ? pp->args[index].raw : *expanded_arg(pp, index);
        }
        uint32_t from = 0;
        if (item->paste && !left_empty && is_comma_rest(call, item, result)) {
            if (call->rest_omitted) result->count--;
        } else if (item->paste && !left_empty && operand.count &&
                   paste(pp, macro, &result->tokens[result->count - 1], &operand.tokens[0], call->use)) {
            from = 1;
        }
        for (uint32_t k = from; k < operand.count; k++) {
            struct front_token copy = operand.tokens[k];
            if (k == 0)
                copy.flags = (uint16_t)((copy.flags & ~(FRONT_TOKEN_SPACE | FRONT_TOKEN_BOL)) | item->token.flags);
            pp_run_add(pp, result, &copy);
        }
        left_empty = operand.count == 0 && (!item->paste || left_empty);
    }
}

static void dynamic(struct pp *pp, const struct front_macro *macro, const struct front_token *name,
                    struct pp_run *result) {
    struct base_position at = pp->cx->locs[name->loc];
    struct front_token token;
    pp->scratch.size = 0;
    if (macro->kind == PP_MACRO_LINE) {
        base_text_format(&pp->scratch, "%u", at.line);
        token = make_token(pp, FRONT_TOK_INT, name->loc);
    } else {
        scratch_add(pp, "\"", 1);
        for (const char *p = pp->cx->files[at.file].path; *p; p++) {
            if (*p == '"' || *p == '\\') scratch_add(pp, "\\", 1);
            scratch_add(pp, *p == '\n' ? "?" : p, 1);
        }
        scratch_add(pp, "\"", 1);
        token = make_token(pp, FRONT_TOK_STRING, name->loc);
    }
    token.flags = name->flags & FRONT_TOKEN_BUILTIN;
    pp_run_add(pp, result, &token);
}

bool pp_try_expand(struct pp *pp, const struct front_token *name) {
    struct front_macro *macro = name->kind == FRONT_TOK_IDENT ? front_spelling_of(name->text)->macro : NULL;
    if (!macro || name->flags & FRONT_TOKEN_NO_EXPAND || macro->kind == PP_MACRO_HAS_INCLUDE ||
        (macro->is_function && !paren_next(pp)))
        return false;
    struct call call = {
        .macro = macro, .use = name->loc, .origin = name->flags & FRONT_TOKEN_BUILTIN, .first_arg = pp->arg_count};
    struct pp_run result = {0};
    charge(pp, 1);
    if (macro->kind != PP_MACRO_TEXT)
        dynamic(pp, macro, name, &result);
    else if (!macro->is_function || read_args(pp, macro, name->loc, &call.rest_omitted))
        substitute(pp, &call, &result);
    free_args(pp, call.first_arg);
    if (result.count) result.tokens[0].flags |= name->flags & (FRONT_TOKEN_BOL | FRONT_TOKEN_SPACE);
    push(pp, (struct pp_context){.run = result, .macro = macro});
    return true;
}

struct front_token pp_expand(struct pp *pp) {
    uint16_t carry = 0; // of a macro that expanded to nothing: the start of its line, the space before it
    for (;;) {
        struct front_token token = pp_read(pp);
        token.flags |= carry;
        if (!pp_try_expand(pp, &token)) return token;
        carry = pp->contexts[pp->context_count - 1].run.count ? 0 : token.flags & (FRONT_TOKEN_BOL | FRONT_TOKEN_SPACE);
    }
}
