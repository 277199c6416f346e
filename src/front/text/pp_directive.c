// Directives: one function each, and the skipping of groups whose condition does not hold.
#include <string.h>

#include "front/text/pp.h"

// Ends the directive: the rest of the line is passed over.
void pp_skip_line(struct pp *pp) {
    pp->lexer->in_directive = false;
    front_lex_skip_line(pp->lexer);
}

static void expect_line_end(struct pp *pp, const char *directive) {
    struct front_token token = front_lex(pp->lexer);
    if (token.kind != FRONT_TOK_END) base_warn(pp->cx, token.loc, "text after #%s is ignored", directive);
}

// The rest of the line as written, without the white space around it.
static const char *rest_of_line(struct pp *pp) {
    front_lex_space(pp->lexer);
    const char *from = pp->lexer->p;
    const char *end = memchr(from, '\n', (size_t)(pp->lexer->source->end - from));
    if (!end) end = pp->lexer->source->end;
    while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (end - from > 1000) end = from + 1000;
    return base_strndup(pp->cx, from, (size_t)(end - from));
}

// ---- conditionals ---------------------------------------------------------------------------------------------------
// A group ends where its #else, #elif or #endif stands; those of groups inside are passed by. On return the lexer
// stands in a group that is taken, behind the #endif, or at the end of the file.
static void skip_group(struct pp *pp) {
    struct front_lexer *lx = pp->lexer;
    struct pp_condition *condition = &pp->conditions[pp->condition_count - 1];
    uint32_t nested = 0;
    for (;; pp_skip_line(pp)) {
        front_lex_space(lx);
        if (lx->p >= lx->source->end) return;
        uint16_t kind;
        const char *after = front_scan(lx->p, lx->source->end, &kind);
        if (kind != FRONT_P_HASH) continue;
        lx->p = after;
        lx->at_bol = false;
        lx->in_directive = true;
        struct front_token token = front_lex(lx);
        uint16_t word = token.kind == FRONT_TOK_IDENT ? front_spelling_of(token.text)->word : PP_WORD_NONE;
        if (word == PP_IF || word == PP_IFDEF || word == PP_IFNDEF) {
            nested++;
        } else if (word == PP_ENDIF && nested > 0) {
            nested--;
        } else if (word == PP_ENDIF) {
            expect_line_end(pp, "endif");
            pp->condition_count--;
            break;
        } else if (word == PP_ELSE && nested == 0) {
            if (condition->else_seen) base_error(pp->cx, token.loc, "#else after #else");
            condition->else_seen = true;
            expect_line_end(pp, "else");
            if (!condition->taken) {
                condition->taken = true;
                break;
            }
        } else if (word == PP_ELIF && nested == 0) {
            if (condition->else_seen)
                base_error(pp->cx, token.loc, "#elif after #else");
            else if (!condition->taken && pp_evaluate(pp, token.loc)) {
                condition->taken = true;
                break;
            }
        }
    }
    pp_skip_line(pp);
}

static bool read_condition(struct pp *pp, const struct front_token *word, uint16_t kind) {
    if (kind == PP_IF) return pp_evaluate(pp, word->loc);
    struct front_token name = front_lex(pp->lexer);
    if (name.kind != FRONT_TOK_IDENT) {
        base_error(pp->cx, name.loc, "#%s needs a macro name", word->text);
        return false;
    }
    expect_line_end(pp, word->text);
    return (front_spelling_of(name.text)->macro != NULL) == (kind == PP_IFDEF);
}

static void open_condition(struct pp *pp, const struct front_token *word, uint16_t kind) {
    if (pp->condition_count == PP_IF_DEPTH) base_fatal(pp->cx, word->loc, "#if nested deeper than %d", PP_IF_DEPTH);
    bool taken = read_condition(pp, word, kind);
    BASE_RESERVE(pp->cx, pp->conditions, pp->condition_count, pp->condition_cap);
    pp->conditions[pp->condition_count++] = (struct pp_condition){.loc = word->loc, .taken = taken};
    pp_skip_line(pp);
    if (!taken) skip_group(pp);
}

// #elif, #else, #endif behind a group that was taken.
static void close_group(struct pp *pp, const struct front_token *word, uint16_t kind) {
    if (pp->condition_count == pp->files[pp->depth - 1].condition_base) {
        base_error(pp->cx, word->loc, "#%s without #if", word->text);
        pp_skip_line(pp);
        return;
    }
    struct pp_condition *condition = &pp->conditions[pp->condition_count - 1];
    if (kind != PP_ENDIF && condition->else_seen) {
        base_error(pp->cx, word->loc, "#%s after #else", word->text);
        base_note(pp->cx, condition->loc, "the #if is here");
    }
    if (kind != PP_ELIF) expect_line_end(pp, word->text);
    pp_skip_line(pp);
    if (kind == PP_ENDIF) {
        pp->condition_count--;
        return;
    }
    condition->else_seen |= kind == PP_ELSE;
    skip_group(pp);
}

// ---- #include -------------------------------------------------------------------------------------------------------
static const char *name_between(struct pp *pp, const char *from, const char *end, base_loc loc) {
    if (from == end) {
        base_error(pp->cx, loc, "the name of the header is empty");
        return NULL;
    }
    return front_intern(pp->names, from, (size_t)(end - from));
}

static const char *name_from_tokens(struct pp *pp, bool *out_angled) {
    struct front_token token = pp_expand(pp);
    *out_angled = token.kind == FRONT_P_LT;
    if (token.kind == FRONT_TOK_STRING && token.text[0] == '"')
        return name_between(pp, token.text + 1, token.text + token.len - 1, token.loc);
    base_loc loc = token.loc;
    if (*out_angled) {
        struct base_text text;
        base_text_init(&text, pp->cx);
        for (token = pp_expand(pp); token.kind != FRONT_TOK_END && token.kind != FRONT_P_GT; token = pp_expand(pp)) {
            if (text.size && token.flags & FRONT_TOKEN_SPACE) base_text_put(&text, " ");
            base_text_add(&text, token.text, token.len);
        }
        if (token.kind == FRONT_P_GT) return name_between(pp, text.data, text.data + text.size, loc);
    }
    base_error(pp->cx, loc, "expected \"FILE\" or <FILE>");
    return NULL;
}

bool pp_header_name(struct pp *pp, const char **out_name, bool *out_angled) {
    struct front_lexer *lx = pp->lexer;
    if (pp->context_count == 0) {
        front_lex_space(lx);
        char open = *lx->p;
        if (open == '<' || open == '"') {
            const char *from = lx->p + 1, *end = from;
            while (end < lx->source->end && *end != '\n' && *end != (open == '<' ? '>' : '"'))
                end++;
            base_loc loc = front_lex_loc(lx);
            if (end == lx->source->end || *end == '\n') {
                base_error(pp->cx, loc, "the name of the header does not end");
                return false;
            }
            lx->p = end + 1;
            *out_angled = open == '<';
            *out_name = name_between(pp, from, end, loc);
            return *out_name != NULL;
        }
    }
    *out_name = name_from_tokens(pp, out_angled);
    return *out_name != NULL;
}

static void do_include(struct pp *pp, const struct front_token *hash) {
    const char *name;
    bool angled;
    if (pp->collecting) base_fatal(pp->cx, hash->loc, "#include inside the arguments of a macro");
    front_lex_space(pp->lexer);
    base_loc loc = front_lex_loc(pp->lexer);
    if (!pp_header_name(pp, &name, &angled)) {
        pp_skip_line(pp);
        return;
    }
    if (pp_expand(pp).kind != FRONT_TOK_END) base_warn(pp->cx, loc, "text after the name of the header is ignored");
    while (pp->context_count)
        pp_pop(pp);
    pp_skip_line(pp);
    pp_include(pp, loc, name, angled);
}

// ---- #line ----------------------------------------------------------------------------------------------------------
// Also `# 12 "file"`, which preprocessed text has. From then on positions are in the named file, whose text is not
// known.
static void do_line(struct pp *pp, struct front_token number, bool is_marker) {
    uint32_t line = 0;
    for (const char *p = number.text; *p; p++) {
        if (number.kind != FRONT_TOK_INT || *p < '0' || *p > '9' || line > INT32_MAX / 10 - 1) {
            base_error(pp->cx, number.loc, "#line needs a decimal number from 1 to 2147483639");
            return;
        }
        line = line * 10 + (uint32_t)(*p - '0');
    }
    if (line == 0 && !is_marker) {
        base_error(pp->cx, number.loc, "#line needs a decimal number from 1 to 2147483639");
        return;
    }
    struct front_lexer *lx = pp->lexer;
    const char *path = pp->cx->files[lx->shown_file].path;
    struct front_token name = pp_expand(pp);
    if (name.kind == FRONT_TOK_STRING) {
        size_t size;
        if (!front_parse_string(pp->cx, &name, &path, &size)) return;
    } else if (name.kind != FRONT_TOK_END) {
        base_error(pp->cx, name.loc, "expected \"FILE\" after the number in #line");
        return;
    }
    front_lex_loc(lx); // counts joined lines up to here
    lx->line_delta = line - (lx->line + 1);
    bool same = strcmp(path, pp->cx->files[lx->shown_file].path) == 0 && lx->shown_file != lx->source->file;
    if (!same) lx->shown_file = base_add_file(pp->cx, path, "", 0, lx->token_flags & FRONT_TOKEN_BUILTIN);
}

// ---- the rest -------------------------------------------------------------------------------------------------------
static void do_message(struct pp *pp, const struct front_token *word, bool is_error) {
    const char *text = rest_of_line(pp);
    if (is_error) base_fatal(pp->cx, word->loc, "#error %s", text);
    base_warn(pp->cx, word->loc, "#warning %s", text);
}

static void unknown(struct pp *pp, const struct front_token *word) {
    base_error(pp->cx, word->loc, "there is no directive #%s", word->text);
}

// Behind the '#' of a directive's line. Everything but conditionals and #include ends its line here.
void pp_directive(struct pp *pp, const struct front_token *hash) {
    struct front_lexer *lx = pp->lexer;
    bool was_collecting = pp->collecting;
    lx->in_directive = true;
    struct front_token word = front_lex(lx);
    uint16_t kind = word.kind == FRONT_TOK_IDENT ? front_spelling_of(word.text)->word : PP_WORD_NONE;
    if (kind == PP_INCLUDE) {
        do_include(pp, hash);
        return;
    }
    pp->collecting = false;
    switch (kind) {
    case PP_IF:
    case PP_IFDEF:
    case PP_IFNDEF: open_condition(pp, &word, kind); break;
    case PP_ELIF:
    case PP_ELSE:
    case PP_ENDIF: close_group(pp, &word, kind); break;
    default:
        switch (kind) {
        case PP_DEFINE: pp_define(pp); break;
        case PP_UNDEF:
            pp_undef(pp);
            expect_line_end(pp, "undef");
            break;
        case PP_LINE: do_line(pp, pp_expand(pp), false); break;
        case PP_ERROR: do_message(pp, &word, true); break;
        case PP_WARNING: do_message(pp, &word, false); break;
        case PP_PRAGMA:
            if (was_collecting)
                base_fatal(pp->cx, hash->loc,
                           "#pragma inside the arguments of a macro; write _Pragma(\"omp ...\") there");
            pp_pragma(pp, lx, hash->loc, hash->flags);
            break;
        default:
            if (word.kind == FRONT_TOK_INT)
                do_line(pp, word, true);
            else if (word.kind != FRONT_TOK_END)
                unknown(pp, &word);
        }
        while (pp->context_count)
            pp_pop(pp); // what an error left unread
        pp_skip_line(pp);
    }
    pp->collecting = was_collecting;
}
