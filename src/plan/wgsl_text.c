// What a kernel's text may look like before a WebGPU library sees it. The libraries' compilers recurse: in their parser
// by brackets, in what follows it by the trees of expressions, and they have no limit of their own for most of it. So
// how deep such a tree can get is counted here, over tokens alone, from above: every bracket around a place counts, and
// in each of these all operators, indices, open templates and `else` that stand before it in its statement.
//
// The hard part is to see the same tokens as the library does, whatever it takes for the end of a line and whichever of
// the statements that sleep in comments are woken (src/run/device/enable_text.c). So texts are plain ASCII, and a
// `//!` line is read as code that is whole by itself.
#include <ctype.h>
#include <string.h>

#include "plan/laws.h"

struct level {
    char close;
    uint32_t chain;  // since the last `,`
    uint32_t angles; // `<` that may have opened a template
};
struct reading {
    const char *at;
    struct level levels[PLAN_MAX_WGSL_NESTING + 1];
    uint32_t depth, nesting, declarations, sleeper; // sleeper: 1 + the depth where a `//!` line began
    bool after_block;
    struct plan_text_size *size;
};

static const char *const too_deep = "is nested too deeply", *const unbalanced = "has brackets that do not match",
                         *const comment = "has a comment where none can be";

static const char *deeper(struct reading *r, uint32_t by) {
    r->nesting += by;
    if (r->nesting > r->size->nesting) r->size->nesting = r->nesting;
    return r->nesting > PLAN_MAX_WGSL_NESTING ? too_deep : NULL;
}

static const char *chain(struct reading *r) {
    r->levels[r->depth].chain++;
    return deeper(r, 1);
}

// At `,` templates stay open.
static void end_of(struct reading *r, bool statement) {
    struct level *l = &r->levels[r->depth];
    r->nesting -= l->chain;
    l->chain = 0;
    if (!statement) return;
    r->nesting -= l->angles;
    l->angles = 0;
    if (r->depth == 0) r->declarations++;
}

static const char *open_bracket(struct reading *r, char close) {
    const char *wrong = deeper(r, 1);
    if (!wrong) r->levels[++r->depth] = (struct level){.close = close};
    return wrong;
}

static const char *close_bracket(struct reading *r, char close) {
    if (r->depth == 0 || r->levels[r->depth].close != close || r->depth < r->sleeper) return unbalanced;
    end_of(r, true);
    r->depth--;
    r->nesting--;
    r->after_block = close == '}';
    return NULL;
}

static const char *angle(struct reading *r, char c) {
    struct level *l = &r->levels[r->depth];
    if (c == '<' && r->at[0] != '<' && r->at[0] != '=') {
        l->angles++;
        return deeper(r, 1);
    }
    if (c == '>' && l->angles) {
        l->angles--;
        r->nesting--;
    }
    return chain(r);
}

static const char *word(struct reading *r) {
    static const char *const directives[] = {"enable", "requires", "diagnostic", "override"};
    const char *from = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_')
        r->at++;
    size_t size = (size_t)(r->at - from);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (size == strlen(directives[i]) && memcmp(from, directives[i], size) == 0)
            return "has a directive or an override, which no kernel needs";
    if (r->after_block && size == 4 && memcmp(from, "else", 4) == 0) {
        r->after_block = false;
        return chain(r);
    }
    return NULL;
}

static const char *block_comment(struct reading *r) {
    for (uint32_t depth = 1; depth; r->at++) {
        if (!*r->at || strncmp(r->at, "//!", 3) == 0) return comment;
        if (strncmp(r->at, "/*", 2) == 0 || strncmp(r->at, "*/", 2) == 0) depth += *r->at++ == '/' ? 1 : -1u;
    }
    return NULL;
}

// Behind `//` or `/*`.
static const char *pass_comment(struct reading *r, const char *text) {
    const char *start = r->at - 1;
    if (r->sleeper) return comment;
    if (*r->at++ == '*') return block_comment(r);
    if (*r->at == '!') { // a statement that may be woken
        for (const char *p = start; p > text && p[-1] != '\n'; p--)
            if (p[-1] != ' ') return comment;
        r->at++;
        r->sleeper = r->depth + 1;
        return NULL;
    }
    for (r->at = start + 1; *r->at && *r->at != '\n'; r->at++)
        if (strncmp(r->at, "//!", 3) == 0) return comment;
    return NULL;
}

static const char *punctuation(struct reading *r, char c, const char *text) {
    switch (c) {
    case '(': return open_bracket(r, ')');
    case '{': return open_bracket(r, '}');
    case '[': {
        const char *wrong = chain(r); // a[0][0] is a tree, too
        return wrong ? wrong : open_bracket(r, ']');
    }
    case ')':
    case '}':
    case ']': return close_bracket(r, c);
    case ',':
    case ';': end_of(r, c == ';'); return NULL;
    case '<':
    case '>': return angle(r, c);
    case '/': return *r->at == '/' || *r->at == '*' ? pass_comment(r, text) : chain(r);
    case '-':
        if (*r->at == '>') r->at++; // what a function gives
        return chain(r);
    default: return strchr("+*%&|^~!=.", c) ? chain(r) : NULL;
    }
}

static const char *token(struct reading *r, const char *text) {
    char c = *r->at;
    if (c == '\n') {
        if (r->sleeper && r->depth + 1 != r->sleeper) return unbalanced;
        r->sleeper = 0;
    }
    if (c == '\n' || c == '\t' || c == ' ') {
        r->at++;
        return NULL;
    }
    bool is_else = strncmp(r->at, "else", 4) == 0, is_comment = c == '/' && (r->at[1] == '/' || r->at[1] == '*');
    if (r->after_block && !is_else && !is_comment) {
        r->after_block = false;
        end_of(r, true);
    }
    if (isalnum((unsigned char)c) || c == '_') return word(r);
    r->at++;
    return punctuation(r, c, text);
}

static bool is_plain(const char *text) {
    for (; *text; text++)
        if ((*text < ' ' || *text > '~') && *text != '\n' && *text != '\t') return false;
    return true;
}

const char *plan_check_text(const char *wgsl, struct plan_text_size *out) {
    struct plan_text_size size = {0};
    struct reading r = {.at = wgsl, .size = out ? out : &size};
    *r.size = size;
    const char *wrong = strlen(wgsl) > PLAN_MAX_WGSL_BYTES ? "is too long"
                        : !is_plain(wgsl)                  ? "has a character that is not plain ASCII"
                                                           : NULL;
    while (!wrong && *r.at)
        wrong = token(&r, wgsl);
    if (!wrong && r.depth) wrong = unbalanced;
    r.size->declarations = r.declarations;
    return !wrong && r.declarations > PLAN_MAX_WGSL_DECLARATIONS ? "has too many declarations" : wrong;
}

double plan_text_operations(const char *wgsl) {
    enum { CHARACTERS = 12 };                    // guess: of one operation
    const char *body = strstr(wgsl, "fn main("); // library functions stand before it
    return (double)strlen(body ? body : wgsl) / CHARACTERS;
}
