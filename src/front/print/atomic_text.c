// The larger or smaller of two under `atomic compare`, as the CPU's compiler reads it.
//
// OpenMP has two spellings, `x = x < e ? e : x;` and `if (x < e) { x = e; }`, and compilers differ about the braces of
// the second, about `<=` and about `x < e ? x : e`. All read the first one. So the printed C says that, whichever the
// program has; what is not plainly one of them stays as it is.
#include "front/print/print.h"

#include <string.h>

static bool says(const struct front_ast *ast, uint32_t token, const char *text) {
    return strcmp(ast->tokens[token].text, text) == 0;
}

// The first of these tokens that no bracket holds; range->to where there is none.
static uint32_t find(const struct front_ast *ast, struct front_range in, const char *text) {
    uint32_t depth = 0;
    for (uint32_t i = in.from; i < in.to; i++) {
        if (!depth && says(ast, i, text)) return i;
        const char *t = ast->tokens[i].text;
        if (strcmp(t, "(") == 0 || strcmp(t, "[") == 0 || strcmp(t, "{") == 0) depth++;
        if (depth && (strcmp(t, ")") == 0 || strcmp(t, "]") == 0 || strcmp(t, "}") == 0)) depth--;
    }
    return in.to;
}

static bool same(const struct front_ast *ast, struct front_range a, struct front_range b) {
    bool equal = a.to - a.from == b.to - b.from && a.from < a.to;
    for (uint32_t i = 0; equal && i < a.to - a.from; i++)
        equal = says(ast, b.from + i, ast->tokens[a.from + i].text);
    return equal;
}

static void put(struct base_text *out, const struct front_ast *ast, struct front_range r) {
    for (uint32_t i = r.from; i < r.to; i++)
        base_text_format(out, "%s ", ast->edits[i] ? ast->edits[i] : ast->tokens[i].text);
}

// `x < e` and its like: what is compared with x, and whether e replaces x because it is larger.
static bool read_test(const struct front_ast *ast, struct front_range test, struct front_range x, struct front_range *e,
                      bool *larger) {
    static const char *const words[] = {"<", "<=", ">", ">="};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t at = find(ast, test, words[i]);
        if (at == test.to) continue;
        struct front_range left = {test.from, at}, right = {at + 1, test.to};
        bool x_first = same(ast, left, x);
        if (!x_first && !same(ast, right, x)) return false;
        *e = x_first ? right : left;
        *larger = (i < 2) == x_first;
        return e->from < e->to;
    }
    return false;
}

// x = test ? e : x, or with e and x changed.
static bool read_choice(const struct front_ast *ast, struct front_range assignment, struct front_range *x,
                        struct front_range *e, struct front_range *value, bool *larger) {
    uint32_t equals = find(ast, assignment, "="), mark = find(ast, assignment, "?");
    uint32_t colon = find(ast, (struct front_range){mark, assignment.to}, ":");
    if (equals >= mark || colon == assignment.to) return false;
    *x = (struct front_range){assignment.from, equals};
    struct front_range yes = {mark + 1, colon}, no = {colon + 1, assignment.to};
    bool stays = same(ast, yes, *x);
    if (!stays && !same(ast, no, *x)) return false;
    *value = stays ? no : yes;
    if (!read_test(ast, (struct front_range){equals + 1, mark}, *x, e, larger)) return false;
    if (stays) *larger = !*larger;
    return true;
}

// if (test) x = e; with braces or without.
static bool read_if(const struct front_ast *ast, struct front_range statement, struct front_range *x,
                    struct front_range *e, struct front_range *value, bool *larger) {
    struct front_range rest = {statement.from + 2, statement.to};
    uint32_t close = find(ast, rest, ")");
    if (!says(ast, statement.from + 1, "(") || close == rest.to) return false;
    struct front_range body = {close + 1, statement.to};
    while (body.to > body.from + 2 && says(ast, body.from, "{") && says(ast, body.to - 1, "}"))
        body = (struct front_range){body.from + 1, body.to - 1};
    uint32_t equals = find(ast, body, "="), end = find(ast, body, ";");
    if (end + 1 != body.to || equals >= end) return false;
    *x = (struct front_range){body.from, equals};
    *value = (struct front_range){equals + 1, end};
    return read_test(ast, (struct front_range){rest.from, close}, *x, e, larger);
}

static void rewrite(struct front_ast *ast, struct front_range statement) {
    struct front_range x, e, value;
    bool larger, is_if = says(ast, statement.from, "if");
    if (is_if ? !read_if(ast, statement, &x, &e, &value, &larger)
              : !read_choice(ast, (struct front_range){statement.from, statement.to - 1}, &x, &e, &value, &larger))
        return;
    struct base_text text;
    base_text_init(&text, ast->cx);
    put(&text, ast, x);
    base_text_put(&text, "= ");
    put(&text, ast, x);
    base_text_put(&text, larger ? "< " : "> ");
    put(&text, ast, e);
    base_text_put(&text, "? ");
    put(&text, ast, value);
    base_text_put(&text, ": ");
    put(&text, ast, x);
    base_text_put(&text, ";");
    for (uint32_t i = statement.from; i < statement.to; i++)
        ast->edits[i] = "";
    ast->edits[statement.from] = text.data;
}

// A statement ends at its `;`, that of an `if` perhaps behind a brace.
static uint32_t end_of(const struct front_ast *ast, struct front_range in) {
    uint32_t end = find(ast, in, ";"), brace = find(ast, in, "{");
    if (brace < end) end = find(ast, (struct front_range){brace + 1, in.to}, "}");
    return end < in.to ? end + 1 : in.to;
}

void front_print_atomics(struct front_ast *ast) {
    for (uint32_t i = 0; i < ast->compare_count; i++) {
        struct front_range body = {ast->compares[i].from, ast->compares[i].to};
        while (body.to > body.from + 2 && says(ast, body.from, "{") && says(ast, body.to - 1, "}"))
            body = (struct front_range){body.from + 1, body.to - 1};
        while (body.from < body.to) { // with `capture` there are two
            uint32_t end = end_of(ast, body);
            bool has_else = end < body.to && says(ast, end, "else");
            if (end > body.from + 2 && !has_else) rewrite(ast, (struct front_range){body.from, end});
            body.from = end;
        }
    }
}
