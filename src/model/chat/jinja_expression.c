// Expressions, by precedence: choice, or, and, not, comparisons, + -, ~, * / // %, sign, then what follows a value.
#include <string.h>

#include "model/chat/jinja.h"

void jinja_enter(struct jinja_parser *p) {
    if (++p->depth > JINJA_MAX_DEPTH)
        model_refuse(p->w, WHORL_LIMIT, "line %u: it is nested more than %d deep", p->at->line, JINJA_MAX_DEPTH);
}

bool jinja_is(const struct jinja_parser *p, const char *text) {
    return (p->at->kind == TOKEN_OP || p->at->kind == TOKEN_NAME) && strcmp(p->at->text, text) == 0;
}

bool jinja_take(struct jinja_parser *p, const char *text) {
    bool there = jinja_is(p, text);
    p->at += there;
    return there;
}

static const char *shown(const struct jinja_token *t) {
    switch (t->kind) {
    case TOKEN_NAME:
    case TOKEN_OP: return t->text;
    case TOKEN_STRING: return "a string";
    case TOKEN_NUMBER: return "a number";
    default: return "the end of the tag";
    }
}

void jinja_expect(struct jinja_parser *p, const char *text) {
    if (!jinja_take(p, text))
        model_invalid(p->w, "line %u: \"%s\" is expected, not %s", p->at->line, text, shown(p->at));
}

const char *jinja_take_name(struct jinja_parser *p) {
    if (p->at->kind != TOKEN_NAME)
        model_invalid(p->w, "line %u: a name is expected, not %s", p->at->line, shown(p->at));
    return p->at++->text;
}

static struct jinja_node *unary(struct jinja_parser *p, enum jinja_op op, const struct jinja_node *child) {
    struct jinja_node *node = jinja_node_make(p, op);
    jinja_node_add(p, node, child);
    return node;
}

// "(": arguments until ")".
static void take_arguments(struct jinja_parser *p, struct jinja_node *call) {
    while (!jinja_take(p, ")")) {
        struct jinja_node *argument = jinja_node_make(p, NODE_ARGUMENT);
        if (p->at->kind == TOKEN_NAME && p->at[1].kind == TOKEN_OP && strcmp(p->at[1].text, "=") == 0) {
            argument->text = jinja_take_name(p);
            p->at++;
        }
        if (jinja_is(p, "*")) model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: unpacked arguments", p->at->line);
        jinja_node_add(p, argument, jinja_parse_expression(p));
        jinja_node_add(p, call, argument);
        if (!jinja_take(p, ",")) {
            jinja_expect(p, ")");
            break;
        }
    }
    if (call->count > JINJA_MAX_ARGUMENTS)
        model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: so many arguments", call->line);
}

static const struct jinja_node *parse_list(struct jinja_parser *p, const char *end) {
    struct jinja_node *list = jinja_node_make(p, NODE_LIST);
    while (!jinja_take(p, end)) {
        jinja_node_add(p, list, jinja_parse_expression(p));
        if (!jinja_take(p, ",")) {
            jinja_expect(p, end);
            break;
        }
    }
    return list;
}

static const struct jinja_node *parse_dict(struct jinja_parser *p) {
    struct jinja_node *dict = jinja_node_make(p, NODE_DICT);
    while (!jinja_take(p, "}")) {
        jinja_node_add(p, dict, jinja_parse_expression(p));
        jinja_expect(p, ":");
        jinja_node_add(p, dict, jinja_parse_expression(p));
        if (!jinja_take(p, ",")) {
            jinja_expect(p, "}");
            break;
        }
    }
    return dict;
}

static bool take_constant(struct jinja_parser *p, struct jinja_value *out) {
    static const char *const names[] = {"true", "True", "false", "False", "none", "None"};
    for (int i = 0; i < 6; i++) {
        if (!jinja_take(p, names[i])) continue;
        *out = i < 4 ? jinja_bool(i < 2) : (struct jinja_value){.kind = JINJA_NONE};
        return true;
    }
    return false;
}

static const struct jinja_node *parse_primary(struct jinja_parser *p) {
    struct jinja_node *node = jinja_node_make(p, NODE_LITERAL);
    if (p->at->kind == TOKEN_STRING || p->at->kind == TOKEN_NUMBER) {
        node->value = p->at++->value;
        if (node->value.kind == JINJA_TEXT && p->at->kind == TOKEN_STRING)
            model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: strings side by side; join them with ~", p->at->line);
        return node;
    }
    if (take_constant(p, &node->value)) return node;
    if (jinja_take(p, "[")) return parse_list(p, "]");
    if (jinja_take(p, "{")) return parse_dict(p);
    if (jinja_take(p, "(")) {
        if (jinja_take(p, ")")) return jinja_node_make(p, NODE_LIST);
        const struct jinja_node *inner = jinja_parse_tuple(p);
        jinja_expect(p, ")");
        return inner;
    }
    node->op = NODE_NAME;
    node->text = jinja_take_name(p);
    return node;
}

// [index] or [begin:end:step], each of which may be missing.
static const struct jinja_node *parse_subscript(struct jinja_parser *p, const struct jinja_node *object) {
    const struct jinja_node *parts[3] = {NULL, NULL, NULL};
    int part = 0;
    bool slice = false;
    struct jinja_node *node = unary(p, NODE_INDEX, object);
    while (!jinja_take(p, "]")) {
        if (jinja_take(p, ":")) {
            slice = true;
            if (++part > 2) model_invalid(p->w, "line %u: a slice has at most three parts", p->at->line);
        } else if (parts[part]) {
            jinja_expect(p, "]");
        } else {
            parts[part] = jinja_parse_expression(p);
        }
    }
    if (!slice && !parts[0]) model_invalid(p->w, "line %u: an index is expected", p->at->line);
    node->op = slice ? NODE_SLICE : NODE_INDEX;
    for (int i = 0; i < (slice ? 3 : 1); i++)
        jinja_node_add(p, node, parts[i]);
    return node;
}

static const struct jinja_node *parse_postfix(struct jinja_parser *p, const struct jinja_node *value) {
    for (;;) {
        struct jinja_node *node;
        if (jinja_take(p, ".")) {
            node = unary(p, NODE_ATTRIBUTE, value);
            node->text = jinja_take_name(p);
            value = node;
        } else if (jinja_take(p, "[")) {
            value = parse_subscript(p, value);
        } else if (jinja_take(p, "(")) {
            node = unary(p, NODE_CALL, value);
            take_arguments(p, node);
            value = node;
        } else {
            return value;
        }
    }
}

static bool begins_value(const struct jinja_parser *p) {
    static const char *const others[] = {"and", "or", "not", "if", "else", "is", "in"};
    if (p->at->kind == TOKEN_STRING || p->at->kind == TOKEN_NUMBER) return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (jinja_is(p, others[i])) return false;
    return p->at->kind == TOKEN_NAME || jinja_is(p, "[") || jinja_is(p, "{");
}

// `is name`, `is not name`, `is name(argument)`, `is name argument`
static const struct jinja_node *parse_test(struct jinja_parser *p, const struct jinja_node *value) {
    bool negated = jinja_take(p, "not");
    struct jinja_node *node = unary(p, NODE_TEST, value);
    node->text = jinja_take_name(p);
    if (jinja_take(p, "(")) {
        take_arguments(p, node);
    } else if (begins_value(p)) {
        const struct jinja_node *argument = parse_postfix(p, parse_primary(p));
        jinja_node_add(p, node, unary(p, NODE_ARGUMENT, argument));
    }
    return negated ? unary(p, NODE_NOT, node) : node;
}

// What follows a value: filters and tests, which bind tighter than any operator.
static const struct jinja_node *parse_filters(struct jinja_parser *p, const struct jinja_node *value) {
    for (;;) {
        if (jinja_take(p, "|")) {
            struct jinja_node *node = unary(p, NODE_FILTER, value);
            node->text = jinja_take_name(p);
            if (jinja_take(p, "(")) take_arguments(p, node);
            value = parse_postfix(p, node);
        } else if (jinja_take(p, "is")) {
            value = parse_test(p, value);
        } else {
            return value;
        }
    }
}

// A sign binds tighter than filters: -3 | abs is 3.
static const struct jinja_node *parse_sign(struct jinja_parser *p) {
    const struct jinja_node *node;
    jinja_enter(p);
    if (jinja_take(p, "-"))
        node = unary(p, NODE_MINUS, parse_sign(p));
    else if (jinja_take(p, "+"))
        node = parse_sign(p);
    else
        node = parse_postfix(p, parse_primary(p));
    p->depth--;
    return node;
}

static const struct jinja_node *parse_unary(struct jinja_parser *p) { return parse_filters(p, parse_sign(p)); }

static const struct {
    const char *text;
    enum jinja_binary op;
    int level;
} binaries[] = {{"==", OP_EQ, 0}, {"!=", OP_NE, 0},        {"<=", OP_LE, 0}, {">=", OP_GE, 0}, {"<", OP_LT, 0},
                {">", OP_GT, 0},  {"in", OP_IN, 0},        {"+", OP_ADD, 1}, {"-", OP_SUB, 1}, {"~", OP_JOIN, 2},
                {"*", OP_MUL, 3}, {"//", OP_FLOOR_DIV, 3}, {"/", OP_DIV, 3}, {"%", OP_MOD, 3}};

static bool take_binary(struct jinja_parser *p, int level, enum jinja_binary *out) {
    if (level == 0 && jinja_is(p, "not") && p->at[1].kind == TOKEN_NAME && strcmp(p->at[1].text, "in") == 0) {
        p->at += 2;
        *out = OP_NOT_IN;
        return true;
    }
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        if (binaries[i].level != level || !jinja_take(p, binaries[i].text)) continue;
        *out = binaries[i].op;
        return true;
    }
    return false;
}

static const struct jinja_node *parse_binary(struct jinja_parser *p, int level) {
    if (level == 4) return parse_unary(p);
    const struct jinja_node *left = parse_binary(p, level + 1);
    enum jinja_binary op;
    bool compared = false;
    while (take_binary(p, level, &op)) {
        if (level == 0 && compared)
            model_refuse(p->w, WHORL_UNSUPPORTED, "line %u: a chain of comparisons", p->at->line);
        struct jinja_node *node = unary(p, NODE_BINARY, left);
        node->binary = op;
        jinja_node_add(p, node, parse_binary(p, level + 1));
        left = node;
        compared = true;
    }
    return left;
}

static const struct jinja_node *parse_not(struct jinja_parser *p) {
    if (!jinja_take(p, "not")) return parse_binary(p, 0);
    jinja_enter(p);
    const struct jinja_node *node = unary(p, NODE_NOT, parse_not(p));
    p->depth--;
    return node;
}

static const struct jinja_node *parse_and(struct jinja_parser *p) {
    const struct jinja_node *left = parse_not(p);
    while (jinja_take(p, "and")) {
        struct jinja_node *node = unary(p, NODE_AND, left);
        jinja_node_add(p, node, parse_not(p));
        left = node;
    }
    return left;
}

static const struct jinja_node *parse_or(struct jinja_parser *p) {
    const struct jinja_node *left = parse_and(p);
    while (jinja_take(p, "or")) {
        struct jinja_node *node = unary(p, NODE_OR, left);
        jinja_node_add(p, node, parse_and(p));
        left = node;
    }
    return left;
}

const struct jinja_node *jinja_parse_expression(struct jinja_parser *p) {
    jinja_enter(p);
    const struct jinja_node *value = parse_or(p);
    while (jinja_take(p, "if")) {
        struct jinja_node *node = unary(p, NODE_CHOICE, value);
        jinja_node_add(p, node, parse_or(p));
        jinja_node_add(p, node, jinja_take(p, "else") ? jinja_parse_expression(p) : NULL);
        value = node;
    }
    p->depth--;
    return value;
}

const struct jinja_node *jinja_parse_tuple(struct jinja_parser *p) {
    const struct jinja_node *first = jinja_parse_expression(p);
    if (!jinja_is(p, ",")) return first;
    struct jinja_node *list = unary(p, NODE_LIST, first);
    while (jinja_take(p, ",")) {
        if (!begins_value(p) && !jinja_is(p, "(") && !jinja_is(p, "-")) break;
        jinja_node_add(p, list, jinja_parse_expression(p));
    }
    return list;
}
