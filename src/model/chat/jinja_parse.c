// Statements. Blocks nest by recursion, as deep as jinja_enter allows; what Jinja has and no chat template needs
// (includes, inheritance, call blocks, raw text) is refused by its name.
#include <string.h>

#include "model/chat/jinja.h"

struct jinja_node *jinja_node_make(struct jinja_parser *p, enum jinja_op op) {
    struct jinja_node *node = base_alloc(&p->w->cx, sizeof *node);
    node->op = op;
    node->line = p->at->line;
    return node;
}

void jinja_node_add(struct jinja_parser *p, struct jinja_node *node, const struct jinja_node *child) {
    BASE_RESERVE(&p->w->cx, node->children, node->count, node->cap);
    node->children[node->count++] = child;
}

void jinja_node_name(struct jinja_parser *p, struct jinja_node *node, const char *name) {
    BASE_RESERVE(&p->w->cx, node->names, node->name_count, node->name_cap);
    node->names[node->name_count++] = name;
}

static void end_tag(struct jinja_parser *p) {
    if (p->at->kind != TOKEN_BLOCK_END)
        model_invalid(p->w, "line %u: the tag has more words than it should", p->at->line);
    p->at++;
}

// The tag {% name ... begins here.
static bool is_tag(const struct jinja_parser *p, const char *name) {
    return p->at->kind == TOKEN_BLOCK && p->at[1].kind == TOKEN_NAME && strcmp(p->at[1].text, name) == 0;
}

static const struct jinja_node *parse_statement(struct jinja_parser *p);

// Statements up to a tag with one of the names, which is not taken. A list that ends with NULL; none: the text's end.
static const struct jinja_node *parse_body(struct jinja_parser *p, const char *const *ends) {
    struct jinja_node *block = jinja_node_make(p, NODE_BLOCK);
    uint32_t line = p->at->line;
    jinja_enter(p);
    for (;;) {
        if (p->at->kind == TOKEN_END) {
            if (*ends) model_invalid(p->w, "line %u: \"%s\" is missing", line, *ends);
            break;
        }
        bool done = false;
        for (size_t i = 0; ends[i]; i++)
            done |= is_tag(p, ends[i]);
        if (done) break;
        jinja_node_add(p, block, parse_statement(p));
    }
    p->depth--;
    return block;
}

static void close_with(struct jinja_parser *p, const char *name) {
    p->at++;
    jinja_expect(p, name);
    end_tag(p);
}

static const struct jinja_node *parse_if(struct jinja_parser *p) {
    static const char *const ends[] = {"endif", "elif", "else", NULL}, *const last[] = {"endif", NULL};
    struct jinja_node *first = NULL, *before = NULL;
    for (;;) {
        struct jinja_node *node = jinja_node_make(p, NODE_IF);
        jinja_node_add(p, node, jinja_parse_tuple(p));
        end_tag(p);
        jinja_node_add(p, node, parse_body(p, ends));
        if (before)
            jinja_node_add(p, before, node);
        else
            first = node;
        before = node;
        if (!is_tag(p, "elif")) break;
        p->at += 2;
    }
    if (is_tag(p, "else")) {
        close_with(p, "else");
        jinja_node_add(p, before, parse_body(p, last));
    }
    close_with(p, "endif");
    return first;
}

static const struct jinja_node *parse_for(struct jinja_parser *p) {
    static const char *const ends[] = {"endfor", "else", NULL}, *const last[] = {"endfor", NULL};
    struct jinja_node *node = jinja_node_make(p, NODE_FOR);
    bool bracket = jinja_take(p, "(");
    do
        jinja_node_name(p, node, jinja_take_name(p));
    while (jinja_take(p, ","));
    if (bracket) jinja_expect(p, ")");
    jinja_expect(p, "in");
    const struct jinja_node *iterable = jinja_parse_tuple(p);
    const struct jinja_node *condition = NULL;
    if (iterable->op == NODE_CHOICE && !iterable->children[2]) { // `for x in y if z` reads like a choice
        condition = iterable->children[1];
        iterable = iterable->children[0];
    }
    if (jinja_is(p, "recursive")) model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: a recursive loop", p->at->line);
    end_tag(p);
    jinja_node_add(p, node, iterable);
    jinja_node_add(p, node, condition);
    jinja_node_add(p, node, parse_body(p, ends));
    const struct jinja_node *otherwise = NULL;
    if (is_tag(p, "else")) {
        close_with(p, "else");
        otherwise = parse_body(p, last);
    }
    jinja_node_add(p, node, otherwise);
    close_with(p, "endfor");
    return node;
}

static const struct jinja_node *parse_set(struct jinja_parser *p) {
    static const char *const ends[] = {"endset", NULL};
    struct jinja_node *node = jinja_node_make(p, NODE_SET);
    do
        jinja_node_name(p, node, jinja_take_name(p));
    while (jinja_take(p, ","));
    if (node->name_count == 1 && jinja_take(p, ".")) node->text = jinja_take_name(p);
    if (jinja_take(p, "=")) {
        jinja_node_add(p, node, jinja_parse_tuple(p));
        end_tag(p);
        return node;
    }
    end_tag(p);
    jinja_node_add(p, node, parse_body(p, ends));
    close_with(p, "endset");
    return node;
}

static const struct jinja_node *parse_macro(struct jinja_parser *p) {
    static const char *const ends[] = {"endmacro", NULL};
    struct jinja_node *node = jinja_node_make(p, NODE_MACRO);
    const struct jinja_node *defaults[JINJA_MAX_ARGUMENTS];
    uint32_t count = 0;
    node->text = jinja_take_name(p);
    jinja_expect(p, "(");
    while (!jinja_take(p, ")")) {
        if (node->name_count == JINJA_MAX_ARGUMENTS)
            model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: a macro with so many parameters", p->at->line);
        jinja_node_name(p, node, jinja_take_name(p));
        if (jinja_take(p, "="))
            defaults[count++] = jinja_parse_expression(p);
        else if (count)
            model_invalid(p->w, "line %u: a parameter without a default behind one with it", p->at->line);
        if (!jinja_take(p, ",") && !jinja_is(p, ")")) jinja_expect(p, ")");
    }
    end_tag(p);
    jinja_node_add(p, node, parse_body(p, ends));
    for (uint32_t i = 0; i < count; i++)
        jinja_node_add(p, node, defaults[i]);
    close_with(p, "endmacro");
    return node;
}

static const struct jinja_node *parse_tag(struct jinja_parser *p) {
    static const char *const generation[] = {"endgeneration", NULL};
    p->at++;
    if (jinja_take(p, "if")) return parse_if(p);
    if (jinja_take(p, "for")) return parse_for(p);
    if (jinja_take(p, "set")) return parse_set(p);
    if (jinja_take(p, "macro")) return parse_macro(p);
    if (jinja_is(p, "break") || jinja_is(p, "continue")) {
        struct jinja_node *node = jinja_node_make(p, jinja_is(p, "break") ? NODE_BREAK : NODE_CONTINUE);
        p->at++;
        end_tag(p);
        return node;
    }
    if (jinja_take(p, "generation")) { // marks what a model learns to write; the text is the same
        end_tag(p);
        const struct jinja_node *body = parse_body(p, generation);
        close_with(p, "endgeneration");
        return body;
    }
    model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: the tag \"%.60s\" is not one of those that whorl's templates have",
                 p->at->line, p->at->text);
}

static const struct jinja_node *parse_statement(struct jinja_parser *p) {
    struct jinja_node *node;
    switch (p->at->kind) {
    case TOKEN_TEXT:
        node = jinja_node_make(p, NODE_TEXT);
        node->value = p->at++->value;
        return node;
    case TOKEN_OUTPUT:
        p->at++;
        node = jinja_node_make(p, NODE_OUTPUT);
        jinja_node_add(p, node, jinja_parse_tuple(p));
        if (p->at->kind != TOKEN_OUTPUT_END)
            model_invalid(p->w, "line %u: the expression has more words than it should", p->at->line);
        p->at++;
        return node;
    default: return parse_tag(p);
    }
}

const struct jinja_node *jinja_parse(struct model_work *w, const struct jinja_token *tokens) {
    static const char *const ends[] = {NULL};
    struct jinja_parser p = {.w = w, .tokens = tokens, .at = tokens};
    return parse_body(&p, ends);
}
