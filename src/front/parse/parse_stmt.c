// Statements. A switch keeps its body as one list in which each case names its first statement, so labels stand
// directly in it.
#include "front/parse/parse.h"

#include <stdlib.h>

static struct front_node *parse_items(struct front_parser *p, struct front_node *cases);

// { ... }, in a scope of its own or in the one that is open.
static struct front_node *parse_block(struct front_parser *p, bool own_scope) {
    struct front_node *n = front_node(p, FRONT_BLOCK, p->at);
    front_expect(p, FRONT_P_LBRACE, NULL);
    if (own_scope) front_open_scope(p);
    n->a = parse_items(p, NULL);
    if (own_scope) front_close_scope(p);
    front_expect(p, FRONT_P_RBRACE, NULL);
    front_set_height(p, n);
    return n;
}

struct front_node *front_parse_body(struct front_parser *p) {
    enum front_jump on_break = p->on_break, on_continue = p->on_continue;
    p->on_break = p->on_continue = FRONT_JUMP_NONE;
    p->in_switch = false;
    struct front_node *n = parse_block(p, false);
    p->on_break = on_break;
    p->on_continue = on_continue;
    return n;
}

struct front_node *front_parse_block_value(struct front_parser *p) {
    enum front_jump on_break = p->on_break, on_continue = p->on_continue;
    bool in_switch = p->in_switch, in_value = p->in_value;
    uint32_t token = p->at;
    if (!p->function) front_syntax_error(p, "expression");
    p->on_break = p->on_continue = FRONT_JUMP_NONE;
    p->in_switch = false;
    p->in_value = true;
    struct front_node *n = parse_block(p, true), *value = NULL, **last = &n->a;
    p->on_break = on_break;
    p->on_continue = on_continue;
    p->in_switch = in_switch;
    p->in_value = in_value;
    while (*last && (*last)->next)
        last = &(*last)->next;
    if (*last && (*last)->kind == FRONT_EXPR) {
        value = (*last)->a;
        *last = NULL;
    } else {
        value = front_build_cast(p, front_basic_type(FRONT_VOID), front_int_node(p, FRONT_I32, 0, token), token);
    }
    return front_expr(p, FRONT_COMMA, token, front_unqualified(p, value->type), n, value);
}

static struct front_node *parse_condition(struct front_parser *p, const char *where) {
    front_expect(p, FRONT_P_LPAREN, where);
    struct front_node *n = front_parse_expr(p);
    front_expect(p, FRONT_P_RPAREN, "the condition");
    return n;
}

static struct front_node *parse_loop_body(struct front_parser *p) {
    enum front_jump on_break = p->on_break, on_continue = p->on_continue;
    bool in_switch = p->in_switch;
    p->on_break = p->on_continue = FRONT_JUMP_OK;
    p->in_switch = false;
    struct front_node *n = front_parse_statement(p);
    p->on_break = on_break;
    p->on_continue = on_continue;
    p->in_switch = in_switch;
    return n;
}

// A single statement where a declaration cannot stand.
static struct front_node *parse_if(struct front_parser *p) {
    struct front_node *n = front_node(p, FRONT_IF, front_next(p));
    n->a = front_condition(p, parse_condition(p, "'if'"), "an if");
    n->b = front_parse_statement(p);
    if (front_accept(p, FRONT_KW_ELSE)) n->c = front_parse_statement(p);
    front_set_height(p, n);
    return n;
}

static struct front_node *parse_while(struct front_parser *p) {
    struct front_node *n = front_node(p, FRONT_WHILE, front_next(p));
    n->a = front_condition(p, parse_condition(p, "'while'"), "a while");
    n->b = parse_loop_body(p);
    front_set_height(p, n);
    return n;
}

static struct front_node *parse_do(struct front_parser *p) {
    struct front_node *n = front_node(p, FRONT_DO, front_next(p));
    n->b = parse_loop_body(p);
    front_expect(p, FRONT_KW_WHILE, "the body of 'do'");
    n->a = front_condition(p, parse_condition(p, "'while'"), "a while");
    front_expect(p, FRONT_P_SEMI, "'do ... while (...)'");
    front_set_height(p, n);
    return n;
}

static struct front_node *expression_statement(struct front_parser *p, struct front_node *value, uint32_t token) {
    if (front_is_error(value)) return front_node(p, FRONT_EMPTY, token);
    struct front_node *n = front_node(p, FRONT_EXPR, token);
    n->a = front_value(p, value);
    front_drop_captures(n->a);
    front_set_height(p, n);
    return n;
}

// a[i] += x, b[i]++; is a statement after the other, so that each is seen for what it does.
static struct front_node *parted_statement(struct front_parser *p, struct front_node *value, uint32_t token) {
    if (value->kind != FRONT_COMMA || value->a->kind == FRONT_BLOCK) return expression_statement(p, value, token);
    struct front_node *n = front_node(p, FRONT_BLOCK, token), **tail = &n->a;
    *tail = parted_statement(p, value->a, value->a->token);
    if ((*tail)->kind == FRONT_BLOCK) n = *tail, tail = &n->a;
    while (*tail)
        tail = &(*tail)->next;
    *tail = expression_statement(p, value->b, value->b->token);
    front_set_height(p, n);
    return n;
}

static struct front_node *parse_for_init(struct front_parser *p) {
    uint32_t token = p->at;
    if (front_accept(p, FRONT_P_SEMI)) return NULL;
    if (front_starts_type(p, front_peek(p))) {
        struct front_node *n = front_node(p, FRONT_BLOCK, token);
        n->a = front_parse_local_declaration(p);
        front_set_height(p, n);
        return n;
    }
    struct front_node *n = expression_statement(p, front_parse_expr(p), token);
    front_expect(p, FRONT_P_SEMI, "the first part of 'for'");
    return n;
}

struct front_node *front_parse_for(struct front_parser *p) {
    uint32_t associated = p->omp_loops; // a directive's own loop: leaving it early is not allowed
    enum front_jump on_break = p->on_break, on_continue = p->on_continue;
    bool in_switch = p->in_switch;
    struct front_node *n = front_node(p, FRONT_FOR, front_next(p));
    p->omp_loops = 0;
    front_expect(p, FRONT_P_LPAREN, "'for'");
    front_open_scope(p);
    n->a = parse_for_init(p);
    if (!front_is(p, FRONT_P_SEMI)) n->b = front_condition(p, front_parse_expr(p), "a for");
    front_expect(p, FRONT_P_SEMI, "the condition of 'for'");
    if (!front_is(p, FRONT_P_RPAREN)) {
        n->c = front_parse_expr(p);
        if (front_is_error(n->c)) n->c = NULL;
    }
    front_expect(p, FRONT_P_RPAREN, "the last part of 'for'");
    p->omp_loops = associated ? associated - 1 : 0;
    p->on_break = associated ? FRONT_JUMP_OMP_LOOP : FRONT_JUMP_OK;
    p->on_continue = FRONT_JUMP_OK;
    p->in_switch = false;
    n->d = front_parse_statement(p);
    front_close_scope(p);
    p->omp_loops = 0;
    p->on_break = on_break;
    p->on_continue = on_continue;
    p->in_switch = in_switch;
    front_set_height(p, n);
    return n;
}

// ---- switch ---------------------------------------------------------------------------------------------------------

static int by_value(const void *x, const void *y) {
    const struct front_case *a = x, *b = y;
    return a->lo < b->lo ? -1 : a->lo > b->lo;
}

static void check_cases(struct front_parser *p, const struct front_node *n) {
    struct front_case *sorted = base_alloc_array(p->cx, n->case_count ? n->case_count : 1, sizeof *sorted);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->case_count; i++)
        if (!n->cases[i].is_default) sorted[count++] = n->cases[i];
    qsort(sorted, count, sizeof *sorted, by_value);
    for (uint32_t i = 1; i < count; i++)
        if (sorted[i].lo <= sorted[i - 1].hi) {
            uint32_t later = sorted[i].loc > sorted[i - 1].loc ? i : i - 1;
            base_error(p->cx, sorted[later].loc, "duplicate case value '%lld'", (long long)sorted[i].lo);
            base_note(p->cx, sorted[later == i ? i - 1 : i].loc, "previous case is here");
        }
}

// `case 1:`, `case 1 ... 5:` or `default:` of the switch `n`.
static void parse_label(struct front_parser *p, struct front_node *n) {
    uint32_t token = front_next(p);
    struct front_case label = {.loc = p->tokens[token].loc};
    if (p->tokens[token].kind == FRONT_KW_DEFAULT) {
        label.is_default = true;
        for (uint32_t i = 0; i < n->case_count; i++)
            if (n->cases[i].is_default) {
                base_error(p->cx, label.loc, "multiple default labels in one switch");
                base_note(p->cx, n->cases[i].loc, "previous default is here");
            }
    } else {
        label.lo = label.hi = front_parse_constant(p, "the value of a case");
        if (front_accept(p, FRONT_P_ELLIPSIS)) label.hi = front_parse_constant(p, "the value of a case");
        if (!front_is_error(n->a)) {
            label.lo = (int64_t)front_wrap(n->a->type, (uint64_t)label.lo);
            label.hi = (int64_t)front_wrap(n->a->type, (uint64_t)label.hi);
        }
        if (label.hi < label.lo) base_error(p->cx, label.loc, "empty case range");
    }
    front_expect(p, FRONT_P_COLON, label.is_default ? "'default'" : "the value of the case");
    BASE_RESERVE(p->cx, n->cases, n->case_count, n->case_cap);
    n->cases[n->case_count++] = label;
}

static struct front_node *parse_switch(struct front_parser *p) {
    enum front_jump on_break = p->on_break;
    bool in_switch = p->in_switch;
    struct front_node *n = front_node(p, FRONT_SWITCH, front_next(p));
    n->a = front_promote(p, front_value(p, parse_condition(p, "'switch'")));
    if (!front_is_error(n->a) && !front_is_integer(n->a->type)) {
        base_error(p->cx, n->a->loc, "statement requires expression of integer type ('%s' invalid)",
                   front_type_name(p->cx, n->a->type));
        n->a = front_error_node(p, n->token);
    }
    if (!front_is(p, FRONT_P_LBRACE))
        base_unsupported(p->cx, front_here(p),
                         "a switch without braces is not supported: write 'switch (...) { ... }'");
    front_next(p);
    p->on_break = FRONT_JUMP_OK;
    p->in_switch = true;
    front_open_scope(p);
    n->b = parse_items(p, n);
    front_close_scope(p);
    p->on_break = on_break;
    p->in_switch = in_switch;
    front_expect(p, FRONT_P_RBRACE, NULL);
    check_cases(p, n);
    front_set_height(p, n);
    return n;
}

// ---- jumps ----------------------------------------------------------------------------------------------------------

static struct front_node *parse_jump(struct front_parser *p) {
    uint32_t token = front_next(p);
    bool is_break = p->tokens[token].kind == FRONT_KW_BREAK;
    const char *word = is_break ? "break" : "continue";
    base_loc loc = p->tokens[token].loc;
    front_expect(p, FRONT_P_SEMI, is_break ? "'break'" : "'continue'");
    switch (is_break ? p->on_break : p->on_continue) {
    case FRONT_JUMP_NONE:
        base_error(p->cx, loc, "'%s' statement not in loop%s", word, is_break ? " or switch" : "");
        break;
    case FRONT_JUMP_OMP_LOOP:
        base_error(p->cx, loc, "'break' cannot leave an OpenMP loop: skip the rest with 'continue' or a condition");
        break;
    case FRONT_JUMP_OMP_REGION: base_error(p->cx, loc, "'%s' cannot leave an OpenMP region", word); break;
    case FRONT_JUMP_OK: break;
    }
    return front_node(p, is_break ? FRONT_BREAK : FRONT_CONTINUE, token);
}

static struct front_node *parse_return(struct front_parser *p) {
    struct front_node *n = front_node(p, FRONT_RETURN, front_next(p));
    struct front_type *result = p->function->symbol->type->base;
    const char *name = p->function->symbol->name;
    if (p->in_value)
        base_error(p->cx, n->loc, "cannot return from an expression");
    else if (p->omp_depth)
        base_error(p->cx, n->loc, "cannot return from an OpenMP region");
    if (!front_is(p, FRONT_P_SEMI)) {
        struct front_node *value = front_parse_expr(p);
        if (result->kind == FRONT_VOID) {
            if (!front_is_error(value) && value->type->kind != FRONT_VOID)
                base_error(p->cx, n->loc, "void function '%s' should not return a value", name);
        } else {
            n->a = front_convert_assign(p, value, result, FRONT_RETURNING);
        }
    } else if (result->kind != FRONT_VOID) {
        base_error(p->cx, n->loc, "non-void function '%s' should return a value", name);
    }
    front_expect(p, FRONT_P_SEMI, "the return statement");
    front_set_height(p, n);
    return n;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static struct front_node *parse_expression_statement(struct front_parser *p) {
    uint32_t token = p->at;
    const struct front_token *t = front_peek(p);
    if (t->kind == FRONT_TOK_IDENT) {
        enum front_token_kind after = front_peek_at(p, 1)->kind;
        if (after == FRONT_P_COLON)
            base_unsupported(p->cx, t->loc,
                             "labels are not supported: use a loop with break or continue, or a function that returns");
        if (after == FRONT_TOK_IDENT && !front_is_part_word(t->text) &&
            !front_lookup(p, t->text)) { // a type that nobody declared
            struct front_specifiers spec;
            front_parse_specifiers(p, &spec);
        }
    }
    struct front_node *value = front_parse_expr(p);
    struct front_node *n = p->in_value ? expression_statement(p, value, token) : parted_statement(p, value, token);
    front_expect(p, FRONT_P_SEMI, "expression");
    return n;
}

static struct front_node *parse_statement(struct front_parser *p) {
    enum front_token_kind kind = front_peek(p)->kind;
    if (kind != FRONT_KW_FOR && kind != FRONT_P_LBRACE) p->omp_loops = 0;
    switch (kind) {
    case FRONT_P_LBRACE: return parse_block(p, true);
    case FRONT_P_SEMI: return front_node(p, FRONT_EMPTY, front_next(p));
    case FRONT_KW_IF: return parse_if(p);
    case FRONT_KW_WHILE: return parse_while(p);
    case FRONT_KW_DO: return parse_do(p);
    case FRONT_KW_FOR: return front_parse_for(p);
    case FRONT_KW_SWITCH: return parse_switch(p);
    case FRONT_KW_BREAK:
    case FRONT_KW_CONTINUE: return parse_jump(p);
    case FRONT_KW_RETURN: return parse_return(p);
    case FRONT_TOK_PRAGMA: return front_parse_pragma(p);
    case FRONT_KW_GOTO:
        base_unsupported(p->cx, front_here(p),
                         "goto is not supported: use a loop with break or continue, or a function that returns");
    case FRONT_KW_ELSE: base_fatal(p->cx, front_here(p), "'else' without 'if' before it");
    case FRONT_KW_CASE:
    case FRONT_KW_DEFAULT:
        if (p->in_switch)
            base_unsupported(p->cx, front_here(p),
                             "a label inside a nested statement is not supported: put it directly in the switch");
        base_fatal(p->cx, front_here(p), "'%s' statement not in switch statement", front_peek(p)->text);
    case FRONT_KW_ASM:
        front_skip_attributes(p); // refused there
    // fallthrough
    case FRONT_KW_ATTRIBUTE: front_skip_attributes(p); return parse_statement(p);
    default:
        if (front_starts_type(p, front_peek(p)))
            front_syntax_error(p, "expression: a declaration needs braces around it here");
        return parse_expression_statement(p);
    }
}

struct front_node *front_parse_statement(struct front_parser *p) {
    front_enter(p);
    struct front_node *n = parse_statement(p);
    front_leave(p);
    return n;
}

// The statements up to '}'. `cases`: the SWITCH whose labels may stand between them, or NULL.
static struct front_node *parse_items(struct front_parser *p, struct front_node *cases) {
    struct front_node *first = NULL, **tail = &first;
    uint32_t labelled = 0; // cases before this one know their first statement
    front_enter(p);
    while (!front_is(p, FRONT_P_RBRACE)) {
        struct front_node *n = NULL;
        const struct front_token *t = front_peek(p);
        bool attribute =
            t->kind == FRONT_KW_ATTRIBUTE && front_peek_at(p, 1)->kind == FRONT_P_LPAREN; // may open either
        if (t->kind == FRONT_TOK_END) front_syntax_error(p, "'}'");
        if (cases && (t->kind == FRONT_KW_CASE || t->kind == FRONT_KW_DEFAULT)) {
            parse_label(p, cases);
            continue;
        }
        if (attribute) {
            front_skip_attributes(p);
            t = front_peek(p);
            if (t->kind == FRONT_P_SEMI) { // [[fallthrough]]'s older form
                front_next(p);
                continue;
            }
        }
        bool extension = t->kind == FRONT_KW_EXTENSION && front_starts_type(p, front_peek_at(p, 1));
        if (t->kind == FRONT_KW_STATIC_ASSERT)
            front_parse_static_assert(p);
        else if (front_starts_type(p, t) || extension)
            n = front_parse_local_declaration(p);
        else
            n = front_parse_statement(p);
        if (!n) continue;
        for (; cases && labelled < cases->case_count; labelled++)
            cases->cases[labelled].first = n;
        for (*tail = n; *tail;)
            tail = &(*tail)->next;
    }
    front_leave(p);
    return first;
}
