// The statements of a function as a tree of token ranges, and the blocks in which its names can be seen.
#include <string.h>

#include "cc/source.h"

enum { MAX_DEPTH = 200 };

static struct cc_node *read_statement(struct cc_source *s, struct cc_node *parent);

static struct cc_node *new_node(struct cc_source *s, struct cc_node *parent, enum cc_node_kind kind) {
    struct cc_node *n = base_alloc(s->cx, sizeof *n);
    n->kind = (uint8_t)kind;
    n->from = s->at;
    n->parent = parent;
    if (!parent) return n;
    if (parent->last)
        parent->last->next = n;
    else
        parent->child = n;
    parent->last = n;
    return n;
}

static void close_scope(struct cc_source *s, uint32_t first) {
    for (uint32_t i = first; i < s->declared_count; i++)
        if (s->declared[i]->to > s->at) s->declared[i]->to = s->at;
}

static void leaves(struct cc_node *n) {
    for (; n; n = n->parent)
        n->leaves = true;
}

// To behind the `;` of an expression statement.
static void skip_expression(struct cc_source *s) {
    for (;;) {
        switch (cc_kind(s, s->at)) {
        case FRONT_P_LPAREN:
        case FRONT_P_LBRACKET:
        case FRONT_P_LBRACE: s->at = cc_skip_group(s, s->at); break;
        case FRONT_P_SEMI: s->at++; return;
        case FRONT_P_RBRACE:
        case FRONT_P_RPAREN:
        case FRONT_TOK_PRAGMA:
        case FRONT_TOK_END: s->failed = true; return;
        default: s->at++;
        }
    }
}

static void read_block(struct cc_source *s, struct cc_node *n) {
    uint32_t first = s->declared_count, end = cc_skip_group(s, s->at);
    s->at++;
    while (s->at + 1 < end && !s->failed)
        read_statement(s, n);
    if (s->at + 1 != end) s->failed = true;
    s->at = end;
    close_scope(s, first);
}

static void read_parentheses(struct cc_source *s) {
    if (cc_kind(s, s->at) != FRONT_P_LPAREN)
        s->failed = true;
    else
        s->at = cc_skip_group(s, s->at);
}

static void read_for(struct cc_source *s, struct cc_node *n) {
    uint32_t first = s->declared_count, body;
    s->at++;
    uint32_t open = s->at;
    read_parentheses(s);
    if (s->failed) return;
    uint32_t behind = s->at;
    s->at = open + 1;
    if (cc_starts_declaration(s, s->at)) cc_read_declaration(s, false, &body);
    s->at = behind;
    read_statement(s, n);
    close_scope(s, first);
}

static void read_do(struct cc_source *s, struct cc_node *n) {
    s->at++;
    read_statement(s, n);
    if (cc_kind(s, s->at) != FRONT_KW_WHILE) {
        s->failed = true;
        return;
    }
    s->at++;
    read_parentheses(s);
    if (cc_kind(s, s->at) == FRONT_P_SEMI)
        s->at++;
    else
        s->failed = true;
}

static bool is_alone(const struct cc_source *s, uint32_t pragma) {
    static const char *const alone[] = {"barrier",      "taskwait", "taskyield", "flush",   "threadprivate", "cancel",
                                        "cancellation", "declare",  "requires",  "interop", "depobj",        "error"};
    const char *first = s->tokens[pragma + 1].text, *second = s->tokens[pragma + 2].text;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (strcmp(first, alone[i]) == 0) return true;
    if (strcmp(first, "target") == 0)
        return strcmp(second, "update") == 0 || strcmp(second, "enter") == 0 || strcmp(second, "exit") == 0;
    for (uint32_t at = pragma; strcmp(first, "ordered") == 0 && cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++)
        if (strcmp(s->tokens[at].text, "depend") == 0 || strcmp(s->tokens[at].text, "doacross") == 0) return true;
    return false;
}

static void read_pragma(struct cc_source *s, struct cc_node *n) {
    bool alone = is_alone(s, s->at);
    while (cc_kind(s, s->at) != FRONT_TOK_PRAGMA_END)
        s->at++;
    s->at++;
    n->kind = alone ? CC_SIMPLE : CC_PRAGMA;
    if (!alone) read_statement(s, n);
}

static void read_case(struct cc_source *s, struct cc_node *n) {
    // what stands between it and its switch is entered in the middle
    for (struct cc_node *p = n; p && cc_kind(s, p->from) != FRONT_KW_SWITCH; p = p->parent)
        p->leaves = p->is_entered = true;
    for (uint32_t questions = 0;; s->at++) {
        enum front_token_kind kind = cc_kind(s, s->at);
        if (kind == FRONT_P_QUESTION) questions++;
        if (kind == FRONT_P_COLON && questions-- == 0) break;
        if (kind == FRONT_P_SEMI || kind == FRONT_P_RBRACE || kind == FRONT_TOK_END) {
            s->failed = true;
            return;
        }
    }
    s->at++;
    if (cc_kind(s, s->at) != FRONT_P_RBRACE) read_statement(s, n);
}

static void read_words(struct cc_source *s, struct cc_node *n) {
    uint32_t body;
    switch (cc_kind(s, s->at)) {
    case FRONT_KW_IF:
        n->kind = CC_BRANCH;
        s->at++;
        read_parentheses(s);
        read_statement(s, n);
        if (cc_kind(s, s->at) == FRONT_KW_ELSE) {
            s->at++;
            read_statement(s, n);
        }
        return;
    case FRONT_KW_SWITCH:
        n->kind = CC_BRANCH;
        s->at++;
        read_parentheses(s);
        read_statement(s, n);
        return;
    case FRONT_KW_CASE:
    case FRONT_KW_DEFAULT:
        n->kind = CC_BRANCH;
        read_case(s, n);
        return;
    case FRONT_KW_RETURN:
    case FRONT_KW_GOTO:
        leaves(n);
        skip_expression(s);
        return;
    default: break;
    }
    if (cc_kind(s, s->at) == FRONT_TOK_IDENT && cc_kind(s, s->at + 1) == FRONT_P_COLON) {
        leaves(n);
        for (struct cc_node *p = n; p; p = p->parent)
            p->is_entered = true;
        n->kind = CC_BRANCH;
        s->at += 2;
        if (cc_kind(s, s->at) != FRONT_P_RBRACE) read_statement(s, n);
    } else if (cc_starts_declaration(s, s->at)) {
        n->kind = CC_DECLARATION;
        cc_read_declaration(s, false, &body);
        if (body) s->failed = true; // a function inside of one
    } else {
        skip_expression(s);
    }
}

static struct cc_node *read_statement(struct cc_source *s, struct cc_node *parent) {
    struct cc_node *n = new_node(s, parent, CC_SIMPLE);
    uint32_t first = s->declared_count;
    if (s->failed || ++s->depth > MAX_DEPTH) {
        s->failed = true;
        n->to = s->at;
        return n;
    }
    switch (cc_kind(s, s->at)) {
    case FRONT_P_LBRACE:
        n->kind = CC_BLOCK;
        read_block(s, n);
        break;
    case FRONT_TOK_PRAGMA: read_pragma(s, n); break;
    case FRONT_KW_FOR:
        n->kind = CC_FOR;
        read_for(s, n);
        break;
    case FRONT_KW_WHILE:
        n->kind = CC_LOOP;
        s->at++;
        read_parentheses(s);
        read_statement(s, n);
        break;
    case FRONT_KW_DO:
        n->kind = CC_LOOP;
        read_do(s, n);
        break;
    default: read_words(s, n);
    }
    // a declaration's names last to the end of the block around it; any other statement is a scope of its own
    if (n->kind != CC_DECLARATION && !(n->kind == CC_BRANCH && parent && parent->kind == CC_BLOCK))
        close_scope(s, first);
    n->to = s->at;
    s->depth--;
    return n;
}

static void read_function(struct cc_source *s, uint32_t body) {
    struct cc_name *name = s->declared[s->declared_count - 1];
    uint32_t end = cc_skip_group(s, body), first = s->declared_count;
    s->at = body;
    if (s->is_user[s->tokens[body].file]) {
        BASE_RESERVE(s->cx, s->functions, s->function_count, s->function_cap);
        struct cc_function *f = &s->functions[s->function_count++];
        uint32_t *last = &s->function_hash[cc_hash_of(name->text)];
        *f = (struct cc_function){.name = name->text, .start = name->said_from, .from = body, .to = end, .next = *last};
        *last = s->function_count;
        s->failed = false;
        s->depth = 0;
        if (cc_kind(s, body - 1) == FRONT_P_SEMI)
            cc_read_old_params(s, name, body);
        else
            cc_read_params(s, name);
        struct cc_node *block = read_statement(s, NULL);
        if (!s->failed && s->at == end) f->body = block;
    }
    s->at = end;
    close_scope(s, first);
    for (uint32_t i = first; i < s->declared_count; i++)
        s->declared[i]->is_file = false;
    s->depth = 0;
    s->failed = false;
}

// Each thread has its own of what `threadprivate(a, b)` names, however often it is declared.
static void take_threadprivate(struct cc_source *s) {
    for (uint32_t at = 0; at < s->count; at++) {
        if (cc_kind(s, at) != FRONT_TOK_PRAGMA || strcmp(s->tokens[at + 1].text, "threadprivate") != 0) continue;
        for (at += 2; cc_kind(s, at) != FRONT_TOK_PRAGMA_END; at++) {
            struct cc_name *name = cc_kind(s, at) == FRONT_TOK_IDENT ? cc_find(s, s->tokens[at].text, at) : NULL;
            if (!name) continue;
            name->is_thread = true;
            for (uint32_t i = 0; i < s->declared_count && name->is_file; i++)
                if (s->declared[i]->is_file && s->declared[i]->text == name->text) s->declared[i]->is_thread = true;
        }
    }
}

static void find_tags(struct cc_source *s) {
    for (uint32_t k = 1; k + 1 < s->count; k++) {
        if (cc_kind(s, k) != FRONT_TOK_IDENT || cc_kind(s, k - 1) != FRONT_KW_STRUCT ||
            cc_kind(s, k + 1) != FRONT_P_LBRACE)
            continue;
        BASE_RESERVE(s->cx, s->tags, s->tag_count, s->tag_cap);
        s->tags[s->tag_count++] = (struct cc_tag){s->tokens[k].text, k + 1};
    }
}

void cc_read_file(struct cc_source *s) {
    find_tags(s);
    while (cc_kind(s, s->at) != FRONT_TOK_END) {
        uint32_t before = s->at, body = 0;
        if (cc_kind(s, s->at) == FRONT_TOK_PRAGMA) {
            while (cc_kind(s, s->at) != FRONT_TOK_PRAGMA_END)
                s->at++;
            s->at++;
            continue;
        }
        s->depth = 0;
        cc_read_declaration(s, true, &body);
        if (body)
            read_function(s, body);
        else if (s->failed && cc_kind(s, s->at) == FRONT_P_LBRACE)
            s->at = cc_skip_group(s, s->at);
        s->failed = false;
        if (s->at == before) s->at++;
    }
    take_threadprivate(s);
}
