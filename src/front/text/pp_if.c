// #if expressions: the line's tokens are read, with `defined` and __has_include answered on the way, and then evaluated
// in 64 bits by C's rules for intmax_t and uintmax_t.
#include "front/text/pp.h"

// ---- the line -------------------------------------------------------------------------------------------------------
static struct front_token truth(struct pp *pp, base_loc loc, bool value) {
    return (struct front_token){front_intern(pp->names, value ? "1" : "0", 1), 1, loc, FRONT_TOK_INT, 0};
}

static bool read_defined(struct pp *pp, struct front_token *token) {
    base_loc loc = token->loc;
    struct front_token name = pp_read(pp);
    bool paren = name.kind == FRONT_P_LPAREN;
    if (paren) name = pp_read(pp);
    if (name.kind != FRONT_TOK_IDENT) {
        base_error(pp->cx, name.loc ? name.loc : loc, "'defined' needs a macro name");
        return false;
    }
    if (paren && pp_read(pp).kind != FRONT_P_RPAREN) {
        base_error(pp->cx, name.loc, "expected ')' after 'defined(%s'", name.text);
        return false;
    }
    *token = truth(pp, loc, front_spelling_of(name.text)->macro != NULL);
    return true;
}

static bool read_has_include(struct pp *pp, struct front_token *token) {
    const char *name;
    bool angled;
    if (pp_read(pp).kind != FRONT_P_LPAREN) {
        base_error(pp->cx, token->loc, "expected '(' after '__has_include'");
        return false;
    }
    if (!pp_header_name(pp, &name, &angled)) return false;
    if (pp_read(pp).kind != FRONT_P_RPAREN) {
        base_error(pp->cx, token->loc, "expected ')' after the name in '__has_include'");
        return false;
    }
    *token = truth(pp, token->loc, pp_include_exists(pp, name, angled));
    return true;
}

static bool read_line(struct pp *pp, struct pp_run *out) {
    for (;;) {
        struct front_token token = pp_read(pp);
        if (token.kind == FRONT_TOK_IDENT) {
            const struct front_spelling *name = front_spelling_of(token.text);
            if (name->word == PP_DEFINED) {
                if (!read_defined(pp, &token)) return false;
            } else if (name->macro && name->macro->kind == PP_MACRO_HAS_INCLUDE) {
                if (!read_has_include(pp, &token)) return false;
            } else if (pp_try_expand(pp, &token)) {
                continue;
            }
        }
        pp_run_add(pp, out, &token);
        if (token.kind == FRONT_TOK_END) return true;
    }
}

// ---- evaluation -----------------------------------------------------------------------------------------------------
struct value {
    uint64_t bits;
    bool is_unsigned;
};
struct evaluator {
    struct pp *pp;
    const struct front_token *token; // the next one; the last is FRONT_TOK_END
    uint32_t depth;
    uint32_t unevaluated; // inside the side of && || ?: that is not taken
    bool failed;
    base_loc line;
};
enum { MAX_DEPTH = 200 };

static struct value evaluate(struct evaluator *e, int lowest);

static struct value fail(struct evaluator *e, const char *what) {
    if (!e->failed) {
        if (e->token->kind == FRONT_TOK_END)
            base_error(e->pp->cx, e->line, "%s at the end of the condition", what);
        else
            base_error(e->pp->cx, e->token->loc, "%s at '%s' in the condition", what, e->token->text);
    }
    e->failed = true;
    return (struct value){0, false};
}

static bool is_negative(struct value v) { return !v.is_unsigned && v.bits >> 63; }

static uint64_t negate(uint64_t bits) { return ~bits + 1; }

static struct value constant(struct evaluator *e) {
    struct base_cx *cx = e->pp->cx;
    const struct front_token *token = e->token++;
    struct front_number number;
    int32_t character;
    switch (token->kind) {
    case FRONT_TOK_INT:
        if (!front_parse_number(cx, token, &number)) break;
        return (struct value){number.integer, number.type == FRONT_NUM_UINT || number.type == FRONT_NUM_ULONG ||
                                                  number.type == FRONT_NUM_ULLONG};
    case FRONT_TOK_CHAR:
        if (!front_parse_char(cx, token, &character)) break;
        return (struct value){(uint64_t)(int64_t)character, false};
    case FRONT_TOK_IDENT: // no macro: 0, whatever it is
        if (e->token->kind == FRONT_P_LPAREN && !e->unevaluated && !e->failed) {
            base_error(cx, token->loc, "'%s' is not a function-like macro here", token->text);
            e->failed = true;
        }
        return (struct value){0, false};
    case FRONT_TOK_FLOAT: base_error(cx, token->loc, "a floating constant in the condition of #if"); break;
    default: e->token--; return fail(e, "expected a value");
    }
    e->failed = true;
    return (struct value){0, false};
}

static struct value unary(struct evaluator *e) {
    if (e->depth >= MAX_DEPTH) return fail(e, "too many levels");
    e->depth++;
    struct value v;
    switch (e->token->kind) {
    case FRONT_P_LPAREN:
        e->token++;
        v = evaluate(e, 0);
        if (e->token->kind == FRONT_P_RPAREN)
            e->token++;
        else
            v = fail(e, "expected ')'");
        break;
    case FRONT_P_PLUS:
        e->token++;
        v = unary(e);
        break;
    case FRONT_P_MINUS:
        e->token++;
        v = unary(e);
        v.bits = negate(v.bits);
        break;
    case FRONT_P_TILDE:
        e->token++;
        v = unary(e);
        v.bits = ~v.bits;
        break;
    case FRONT_P_NOT:
        e->token++;
        v = unary(e);
        v = (struct value){v.bits == 0, false};
        break;
    default: v = constant(e);
    }
    e->depth--;
    return v;
}

// 0 for what is no binary operator. The comma is one only where nothing is evaluated (C11 6.6), so it is none here.
static int precedence(uint16_t kind) {
    switch (kind) {
    case FRONT_P_QUESTION: return 1;
    case FRONT_P_OROR: return 2;
    case FRONT_P_ANDAND: return 3;
    case FRONT_P_PIPE: return 4;
    case FRONT_P_CARET: return 5;
    case FRONT_P_AMP: return 6;
    case FRONT_P_EQ:
    case FRONT_P_NE: return 7;
    case FRONT_P_LT:
    case FRONT_P_GT:
    case FRONT_P_LE:
    case FRONT_P_GE: return 8;
    case FRONT_P_SHL:
    case FRONT_P_SHR: return 9;
    case FRONT_P_PLUS:
    case FRONT_P_MINUS: return 10;
    case FRONT_P_STAR:
    case FRONT_P_SLASH:
    case FRONT_P_PERCENT: return 11;
    default: return 0;
    }
}

static bool is_less(struct value a, struct value b) {
    if (a.is_unsigned || b.is_unsigned) return a.bits < b.bits;
    return (a.bits ^ 1ull << 63) < (b.bits ^ 1ull << 63);
}

static struct value shift(struct value a, bool left, struct value by) {
    if (is_negative(by)) {
        left = !left;
        by.bits = negate(by.bits);
    }
    bool fill = !left && is_negative(a);
    if (by.bits > 63)
        a.bits = fill ? ~0ull : 0;
    else if (left)
        a.bits <<= by.bits;
    else
        a.bits = a.bits >> by.bits | (fill && by.bits ? ~0ull << (64 - by.bits) : 0);
    return a;
}

static struct value divide(struct evaluator *e, const struct front_token *op, struct value a, struct value b,
                           bool is_unsigned) {
    if (b.bits == 0) {
        if (!e->unevaluated && !e->failed) {
            base_error(e->pp->cx, op->loc, "division by zero in the condition");
            e->failed = true;
        }
        return (struct value){0, is_unsigned};
    }
    bool minus_a = !is_unsigned && is_negative(a), minus_b = !is_unsigned && is_negative(b);
    uint64_t x = minus_a ? negate(a.bits) : a.bits, y = minus_b ? negate(b.bits) : b.bits;
    bool quotient = op->kind == FRONT_P_SLASH;
    uint64_t r = quotient ? x / y : x % y;
    return (struct value){(quotient ? minus_a != minus_b : minus_a) ? negate(r) : r, is_unsigned};
}

static struct value binary(struct evaluator *e, const struct front_token *op, struct value a, struct value b) {
    bool is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (op->kind) {
    case FRONT_P_PIPE: return (struct value){a.bits | b.bits, is_unsigned};
    case FRONT_P_CARET: return (struct value){a.bits ^ b.bits, is_unsigned};
    case FRONT_P_AMP: return (struct value){a.bits & b.bits, is_unsigned};
    case FRONT_P_EQ: return (struct value){a.bits == b.bits, false};
    case FRONT_P_NE: return (struct value){a.bits != b.bits, false};
    case FRONT_P_LT: return (struct value){is_less(a, b), false};
    case FRONT_P_GT: return (struct value){is_less(b, a), false};
    case FRONT_P_LE: return (struct value){!is_less(b, a), false};
    case FRONT_P_GE: return (struct value){!is_less(a, b), false};
    case FRONT_P_SHL: return shift(a, true, b);
    case FRONT_P_SHR: return shift(a, false, b);
    case FRONT_P_PLUS: return (struct value){a.bits + b.bits, is_unsigned};
    case FRONT_P_MINUS: return (struct value){a.bits - b.bits, is_unsigned};
    case FRONT_P_STAR: return (struct value){a.bits * b.bits, is_unsigned};
    default: return divide(e, op, a, b, is_unsigned);
    }
}

static struct value choose(struct evaluator *e, struct value condition) {
    e->unevaluated += condition.bits == 0;
    struct value yes = evaluate(e, 0);
    e->unevaluated -= condition.bits == 0;
    if (e->token->kind != FRONT_P_COLON) return fail(e, "expected ':'");
    e->token++;
    e->unevaluated += condition.bits != 0;
    struct value no = evaluate(e, 1);
    e->unevaluated -= condition.bits != 0;
    return (struct value){condition.bits ? yes.bits : no.bits, yes.is_unsigned || no.is_unsigned};
}

// Operators of precedence `lowest` and above.
static struct value evaluate(struct evaluator *e, int lowest) {
    if (e->depth >= MAX_DEPTH) return fail(e, "too many levels");
    e->depth++;
    struct value left = unary(e);
    for (;;) {
        const struct front_token *op = e->token;
        int level = precedence(op->kind);
        if (level == 0 || level < lowest || e->failed) break;
        e->token++;
        if (op->kind == FRONT_P_QUESTION) {
            left = choose(e, left);
            continue;
        }
        bool decided = op->kind == FRONT_P_ANDAND ? left.bits == 0 : op->kind == FRONT_P_OROR && left.bits != 0;
        e->unevaluated += decided;
        struct value right = evaluate(e, level + 1);
        e->unevaluated -= decided;
        if (op->kind == FRONT_P_ANDAND)
            left = (struct value){left.bits && right.bits, false};
        else if (op->kind == FRONT_P_OROR)
            left = (struct value){left.bits || right.bits, false};
        else
            left = binary(e, op, left, right);
    }
    e->depth--;
    return left;
}

bool pp_evaluate(struct pp *pp, base_loc loc) {
    struct pp_run run = {0};
    bool result = false;
    if (read_line(pp, &run)) {
        struct evaluator e = {.pp = pp, .token = run.tokens, .line = loc};
        if (run.count == 1) {
            base_error(pp->cx, loc, "the condition is missing");
        } else {
            struct value v = evaluate(&e, 0);
            if (!e.failed && e.token->kind != FRONT_TOK_END) fail(&e, "expected an operator");
            result = !e.failed && v.bits != 0;
        }
    }
    while (pp->context_count && !pp->contexts[pp->context_count - 1].is_argument)
        pp_pop(pp); // what an error left unread
    pp_run_free(pp, &run);
    return result;
}
