// Expressions as text.
//
// The one hard idea: an expression may need statements before it (a choice whose unchosen side must not be evaluated, a
// node that stands in several places, text that would be too long), so emission writes those to `out` and returns the
// text of the value. What stands under a condition is emitted into a buffer of its own, so that its statements stay
// under the condition.
//
// No operation is printed with constants only: WGSL compilers would evaluate it, and refuse overflow, infinities and
// more.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wgsl/print/emit.h"

enum { SPILL_COLUMNS = 100, SPILL_DEPTH = 16, CHEAP_COST = 12 };
enum precedence { ATOM, PRODUCT, SUM, OTHER }; // OTHER: in parentheses wherever it is an operand

// Of the expressions of one statement.
struct wgsl_memo {
    uint32_t stamp;        // of the statement
    uint32_t *seen, *uses; // by node handle: of which statement it is, in how many places of it
    const char **text;     // by node handle: the name that its value has, or NULL
    ir_expr *list;         // those that have one
    uint32_t count, cap;
};

struct wgsl_memo *wgsl_memo_create(struct base_cx *cx, const struct ir_unit *u) {
    struct wgsl_memo *m = base_alloc(cx, sizeof *m);
    m->seen = base_alloc_array(cx, u->node_count + 1, sizeof *m->seen);
    m->uses = base_alloc_array(cx, u->node_count + 1, sizeof *m->uses);
    m->text = base_alloc_array(cx, u->node_count + 1, sizeof *m->text);
    return m;
}

struct piece {
    const char *text;
    uint8_t prec, depth;
};
static struct piece emit(struct wgsl_emitter *e, ir_expr x);

static const struct ir_node *node_of(const struct wgsl_emitter *e, ir_expr x) { return &e->u->nodes[x]; }

// ---- constants ------------------------------------------------------------------------------------------------------

static const char *float_text(struct wgsl_emitter *e, uint32_t bits) {
    uint32_t size = bits & 0x7fffffffu;
    if (size >= 0x7f800000u) // NaN and infinity are no constants in WGSL
        return base_format(e->cx, "bitcast<f32>(0x%08xu | " WGSL_ZERO ")", bits);
    // zero with a sign and subnormals: literals of them may lose it; near the top, decimals round up to what is refused
    if ((size < 0x00800000u && bits != 0) || size >= 0x7f000000u)
        return base_format(e->cx, "bitcast<f32>(0x%08xu)", bits);
    float value = base_bits_float(bits);
    for (int digits = 6; digits <= 9; digits++) {
        char *text = base_format(e->cx, "%.*g", digits, (double)value);
        if (digits < 9 && base_float_bits(strtof(text, NULL)) != bits) continue;
        for (char *c = text; *c; c++) // whatever the locale says
            *c = *c == ',' ? '.' : *c;
        return base_format(e->cx, strpbrk(text, ".e") ? "%sf" : "%s.0f", text);
    }
    return "0.0f";
}

const char *wgsl_const(struct wgsl_emitter *e, enum ir_type type, uint32_t bits) {
    switch (type) {
    case IR_BOOL: return bits ? "true" : "false";
    case IR_I32: return bits == 0x80000000u ? "(-2147483647 - 1)" : base_format(e->cx, "%d", (int)(int32_t)bits);
    case IR_U32: return base_format(e->cx, bits > 0xffffffu ? "0x%08xu" : "%uu", bits);
    default: return float_text(e, bits);
    }
}

static struct piece const_piece(struct wgsl_emitter *e, const struct ir_node *n, bool hidden) {
    enum ir_type type = (enum ir_type)n->type;
    const char *text;
    if (!hidden) {
        text = wgsl_const(e, type, n->a);
        return (struct piece){text, text[0] == '-' ? OTHER : ATOM, 0};
    }
    if (type == IR_BOOL) return (struct piece){n->a ? "(" WGSL_ZERO " == 0u)" : "(" WGSL_ZERO " != 0u)", ATOM, 0};
    text = base_format(e->cx, "0x%xu | " WGSL_ZERO, n->a);
    text = base_format(e->cx, type == IR_U32 ? "(%s)" : "bitcast<%s>(%s)", type == IR_U32 ? text : ir_type_name(type),
                       text);
    return (struct piece){text, ATOM, 0};
}

// ---- temporaries ----------------------------------------------------------------------------------------------------

static struct piece spill(struct wgsl_emitter *e, struct piece p) {
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, p.text);
    return (struct piece){name, ATOM, 0};
}

static struct piece shortened(struct wgsl_emitter *e, struct piece p) {
    return strlen(p.text) > SPILL_COLUMNS || p.depth > SPILL_DEPTH ? spill(e, p) : p;
}

static void remember(struct wgsl_emitter *e, ir_expr x, const char *text) {
    BASE_RESERVE(e->cx, e->memo->list, e->memo->count, e->memo->cap);
    e->memo->list[e->memo->count++] = x;
    e->memo->text[x] = text;
}
static void forget(struct wgsl_emitter *e, uint32_t mark) {
    while (e->memo->count > mark)
        e->memo->text[e->memo->list[--e->memo->count]] = NULL;
}

// Emits x into a buffer, as what stands under a condition; the caller puts the buffer where it belongs.
static struct piece emit_apart(struct wgsl_emitter *e, ir_expr x, struct base_text *buffer) {
    struct base_text *before = e->out;
    uint32_t mark = e->memo->count, angles = wgsl_angles_mark(e);
    struct wgsl_rows rows = e->rows;
    base_text_init(buffer, e->cx);
    e->out = buffer;
    e->indent++;
    struct piece p = emit(e, x);
    e->indent--;
    e->out = before;
    forget(e, mark);
    wgsl_angles_leave(e, angles);
    e->rows = rows;
    return p;
}

static void count_uses(struct wgsl_emitter *e, ir_expr x) {
    if (x == 0) return;
    if (e->memo->seen[x] == e->memo->stamp) {
        e->memo->uses[x]++;
        return;
    }
    e->memo->seen[x] = e->memo->stamp;
    e->memo->uses[x] = 1;
    const struct ir_node *n = node_of(e, x);
    if (n->op == IR_LOAD)
        for (uint32_t i = 0; i < n->n; i++)
            count_uses(e, e->u->args[n->b + i]);
    uint32_t operands[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; n->op > IR_LOAD && i < ir_ops[n->op].arity; i++)
        count_uses(e, operands[i]);
}

void wgsl_begin(struct wgsl_emitter *e, const ir_expr *exprs, uint32_t n) {
    forget(e, 0);
    e->memo->stamp++;
    for (uint32_t i = 0; i < n; i++)
        count_uses(e, exprs[i]);
}

// ---- operands -------------------------------------------------------------------------------------------------------

static const char *parens(struct wgsl_emitter *e, const char *text) { return base_format(e->cx, "(%s)", text); }

static bool all_const(const struct wgsl_emitter *e, const struct ir_node *n) {
    uint32_t operands[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++)
        if (node_of(e, operands[i])->op != IR_CONST) return false;
    return true;
}

// Operand i of the node. The first operand of an all-constant operation is hidden, and a divisor that is zero.
static struct piece operand(struct wgsl_emitter *e, const struct ir_node *n, uint32_t i) {
    ir_expr x = i == 0 ? n->a : i == 1 ? n->b : n->c;
    const struct ir_node *o = node_of(e, x);
    if (o->op == IR_CONST) {
        bool divisor = (n->op == IR_DIV || n->op == IR_REM) && i == 1 && o->a == 0;
        return const_piece(e, o, divisor || (i == 0 && all_const(e, n)));
    }
    return shortened(e, emit(e, x));
}

static const char *argument(struct wgsl_emitter *e, struct piece p) {
    return strpbrk(p.text, "<>") && p.prec != ATOM ? parens(e, p.text) : p.text;
}

static struct piece call(struct wgsl_emitter *e, const char *name, const struct ir_node *n) {
    const char *text = base_format(e->cx, "%s(", name);
    uint8_t depth = 0;
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++) {
        struct piece p = operand(e, n, i);
        text = base_format(e->cx, "%s%s%s", text, i ? ", " : "", argument(e, p));
        depth = p.depth > depth ? p.depth : depth;
    }
    return (struct piece){base_format(e->cx, "%s)", text), ATOM, (uint8_t)(depth + 1)};
}

// A function that needs a zero of which no compiler knows takes it as its last argument.
static struct piece call_with_zero(struct wgsl_emitter *e, const char *name, const struct ir_node *n) {
    struct piece p = call(e, name, n);
    p.text = base_format(e->cx, "%.*s, " WGSL_ZERO ")", (int)strlen(p.text) - 1, p.text);
    return p;
}

// Its divisor is a constant that pass_hold_rounding has held, of a size that whorl_divide is for.
static bool is_exact_division(struct wgsl_emitter *e, const struct ir_node *n) {
    const struct ir_node *by = node_of(e, n->b);
    uint32_t bits;
    if (n->op != IR_DIV || n->type != IR_F32 || by->op != IR_HOLD || !ir_is_const(e->u, by->a, &bits)) return false;
    uint32_t exponent = bits >> 23 & 0xff;
    return exponent >= 127 - 30 && exponent < 127 + 30;
}

// With the left side at hand.
static struct piece infix_after(struct wgsl_emitter *e, const struct ir_node *n, const char *op, struct piece a) {
    enum precedence prec = n->op == IR_ADD || n->op == IR_SUB   ? SUM
                           : n->op == IR_MUL || n->op == IR_DIV ? PRODUCT
                                                                : OTHER;
    struct piece b = operand(e, n, 1);
    const char *left = a.prec == ATOM || (prec != OTHER && a.prec <= prec) ? a.text : parens(e, a.text);
    const char *right = b.prec == ATOM || (prec != OTHER && b.prec < prec) ? b.text : parens(e, b.text);
    uint8_t depth = (uint8_t)((a.depth > b.depth ? a.depth : b.depth) + 1);
    return (struct piece){base_format(e->cx, "%s %s %s", left, op, right), (uint8_t)prec, depth};
}

static struct piece infix(struct wgsl_emitter *e, const struct ir_node *n, const char *op) {
    return infix_after(e, n, op, operand(e, n, 0));
}

static struct piece shift(struct wgsl_emitter *e, const struct ir_node *n, const char *op) {
    struct piece a = operand(e, n, 0);
    const char *left = a.prec == ATOM ? a.text : parens(e, a.text), *count;
    uint32_t bits;
    if (ir_is_const(e->u, n->b, &bits)) {
        count = base_format(e->cx, "%uu", bits & 31);
    } else {
        struct piece b = operand(e, n, 1);
        count = base_format(e->cx, "(%s & 31u)", b.prec == ATOM ? b.text : parens(e, b.text));
    }
    return (struct piece){base_format(e->cx, "%s %s %s", left, op, count), OTHER, (uint8_t)(a.depth + 1)};
}

static struct piece prefix(struct wgsl_emitter *e, const struct ir_node *n, const char *op) {
    struct piece a = operand(e, n, 0);
    const char *text = base_format(e->cx, "%s%s", op, a.prec == ATOM ? a.text : parens(e, a.text));
    return (struct piece){text, OTHER, (uint8_t)(a.depth + 1)};
}

// ---- conditions -----------------------------------------------------------------------------------------------------

// An element of a local array of which it is known that there is one.
static bool is_safe_load(const struct wgsl_emitter *e, const struct ir_node *n) {
    const struct ir_array_info *a = &e->u->arrays[n->a];
    uint32_t at, size;
    bool is = a->klass == IR_ARRAY_LOCAL;
    for (uint32_t d = 0; d < n->n && is; d++)
        is = ir_is_const(e->u, e->u->args[n->b + d], &at) && ir_is_const(e->u, a->dims[d], &size) && at < size;
    return is;
}

// Counts operations up to a limit that means "do not evaluate it for nothing": other loads may be out of range where
// they are not chosen.
static uint32_t cost_of(const struct wgsl_emitter *e, ir_expr x) {
    const struct ir_node *n = node_of(e, x);
    if (n->op == IR_CONST || n->op == IR_VAR) return 0;
    if (n->op == IR_LOAD && is_safe_load(e, n)) return 1;
    if (n->op == IR_LOAD || (e->memo->seen[x] == e->memo->stamp && e->memo->uses[x] > 1))
        return e->memo->text[x] ? 0 : CHEAP_COST + 1;
    bool integer = n->type == IR_I32 || n->type == IR_U32;
    bool converts = n->op == IR_F2I || n->op == IR_F2U || n->op == IR_IS_PLAIN; // some comparisons
    if ((strncmp(ir_ops[n->op].wgsl, "whorl_", 6) == 0 && !converts) ||
        (integer && (n->op == IR_DIV || n->op == IR_REM)))
        return CHEAP_COST + 1;
    uint32_t operands[] = {n->a, n->b, n->c}, cost = 1;
    for (uint32_t i = 0; i < ir_ops[n->op].arity && cost <= CHEAP_COST; i++)
        cost += cost_of(e, operands[i]);
    return cost;
}

static bool both_are_cheap(const struct wgsl_emitter *e, const struct ir_node *n) {
    return cost_of(e, n->b) + cost_of(e, n->c) <= CHEAP_COST;
}

static struct piece choose(struct wgsl_emitter *e, const struct ir_node *n) {
    const char *name = NULL;
    struct piece c = {0}, side;
    if (!both_are_cheap(e, n)) { // they may be when the condition is there: what it loads is not loaded again
        name = wgsl_temp(e);
        c = operand(e, n, 0);
    }
    if (both_are_cheap(e, n)) {
        struct piece x = operand(e, n, 1), y = operand(e, n, 2);
        if (!name) c = operand(e, n, 0);
        uint8_t depth = x.depth > y.depth ? x.depth : y.depth;
        depth = c.depth > depth ? c.depth : depth;
        const char *text = base_format(e->cx, "select(%s, %s, %s)", argument(e, y), argument(e, x), argument(e, c));
        return (struct piece){text, ATOM, (uint8_t)(depth + 1)};
    }
    struct base_text buffer;
    wgsl_line(e, "var %s: %s;", name, ir_type_name((enum ir_type)n->type));
    wgsl_line(e, "if (%s) {", c.text);
    for (int i = 1; i <= 2; i++) {
        side = emit_apart(e, i == 1 ? n->b : n->c, &buffer);
        base_text_put(e->out, buffer.data);
        e->indent++;
        wgsl_line(e, "%s = %s;", name, side.text);
        e->indent--;
        wgsl_line(e, i == 1 ? "} else {" : "}");
    }
    return (struct piece){name, ATOM, 0};
}

// && and || are branches in what drivers get to see; one software driver's time to compile a loop doubles with each. So
// what costs little is computed always: by itself, or since the left side has computed what is dear in it.
static struct piece logic(struct wgsl_emitter *e, const struct ir_node *n, const char *op) {
    struct base_text buffer;
    bool is_cheap = cost_of(e, n->b) <= CHEAP_COST;
    struct piece a = operand(e, n, 0);
    if (is_cheap || cost_of(e, n->b) <= CHEAP_COST) return infix_after(e, n, n->op == IR_LAND ? "&" : "|", a);
    struct piece b = emit_apart(e, n->b, &buffer);
    if (buffer.size == 0) {
        const char *left = a.prec == ATOM ? a.text : parens(e, a.text),
                   *right = b.prec == ATOM ? b.text : parens(e, b.text);
        uint8_t depth = (uint8_t)((a.depth > b.depth ? a.depth : b.depth) + 1);
        return (struct piece){base_format(e->cx, "%s %s %s", left, op, right), OTHER, depth};
    }
    const char *name = wgsl_temp(e);
    wgsl_line(e, "var %s = %s;", name, a.text);
    wgsl_line(e, n->op == IR_LAND ? "if (%s) {" : "if (!%s) {", name);
    base_text_put(e->out, buffer.data);
    e->indent++;
    wgsl_line(e, "%s = %s;", name, b.text);
    e->indent--;
    wgsl_line(e, "}");
    return (struct piece){name, ATOM, 0};
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

// What --fast-math takes: functions that GPUs have instructions for. NULL: the library's.
static const char *fast_name(uint8_t op) {
    switch (op) {
    case IR_SIN: return "sin";
    case IR_COS: return "cos";
    case IR_TAN: return "tan";
    case IR_EXP: return "exp";
    case IR_EXP2: return "exp2";
    case IR_LOG: return "log";
    case IR_LOG2: return "log2";
    case IR_TANH: return "whorl_fast_tanh";
    default: return NULL;
    }
}

static struct piece emit_op(struct wgsl_emitter *e, const struct ir_node *n) {
    const char *fast = e->in->fast_math ? fast_name(n->op) : NULL;
    if (fast) return call(e, fast, n);
    const char *name = ir_ops[n->op].wgsl;
    bool is_bool = n->op > IR_LOAD && node_of(e, n->a)->type == IR_BOOL;
    switch (n->op) {
    case IR_SELECT: return choose(e, n);
    case IR_LAND:
    case IR_LOR: return logic(e, n, name);
    case IR_SHL:
    case IR_SHR: return shift(e, n, name);
    case IR_SIN:
    case IR_COS: {
        const char *pair = wgsl_angle(e, n->op, n->a);
        if (pair) return (struct piece){pair, ATOM, 0};
        if (e->rare.text != WGSL_FIRST_TEXT) return call(e, name, n);
        struct piece near = spill(e, call(e, base_format(e->cx, "%s_near", name), n));
        wgsl_line(e, "%s |= %s.y;", e->rare.word, near.text);
        return (struct piece){base_format(e->cx, "bitcast<f32>(%s.x)", near.text), ATOM, 0};
    }
    case IR_NEG:
        if (n->type == IR_U32) { // WGSL has no minus for it
            struct piece a = operand(e, n, 0);
            return (struct piece){base_format(e->cx, "0u - %s", a.prec == ATOM ? a.text : parens(e, a.text)), SUM,
                                  (uint8_t)(a.depth + 1)};
        }
        return prefix(e, n, name);
    case IR_REM: // SPIR-V leaves the remainder of a negative operand to the driver; one takes it at its word
        return n->type == IR_I32 ? call(e, "whorl_irem", n) : infix(e, n, name);
    case IR_HOLD:
    case IR_SUM_ERROR:
    case IR_PRODUCT_ERROR: return call_with_zero(e, name, n);
    case IR_DIV: return is_exact_division(e, n) ? call_with_zero(e, "whorl_divide", n) : infix(e, n, name);
    case IR_XOR: return infix(e, n, is_bool ? "!=" : name);
    case IR_NE: // SPIR-V's != of floats is false for NaN as naga writes it; == is false, too, as it must be
        if (node_of(e, n->a)->type == IR_F32) {
            struct piece equal = infix(e, n, "==");
            return (struct piece){base_format(e->cx, "!(%s)", equal.text), OTHER, (uint8_t)(equal.depth + 1)};
        }
        return infix(e, n, name);
    case IR_FMIN:
    case IR_FMAX:
        // The tests for NaN are about the second operand; a constant there makes them go away.
        if (node_of(e, n->a)->op == IR_CONST && node_of(e, n->b)->op != IR_CONST) {
            struct ir_node swapped = *n;
            swapped.a = n->b;
            swapped.b = n->a;
            return call(e, name, &swapped);
        }
        return call(e, name, n);
    default: break;
    }
    if (name[0] >= 'a' && name[0] <= 'z') return call(e, name, n);
    return ir_ops[n->op].arity == 1 ? prefix(e, n, name) : infix(e, n, name);
}

// What the node was called before: a name, or a prefix of one.
static struct piece remembered(const char *text) {
    return (struct piece){text, strchr("-!~", text[0]) ? OTHER : ATOM, 0};
}

static struct piece emit(struct wgsl_emitter *e, ir_expr x) {
    const struct ir_node *n = node_of(e, x);
    if (n->op == IR_CONST) return const_piece(e, n, false);
    if (n->op == IR_VAR) return (struct piece){e->names[n->a], ATOM, 0};
    if (e->memo->text[x]) return remembered(e->memo->text[x]);
    struct piece p = n->op == IR_LOAD ? (struct piece){wgsl_load(e, n->a, n->b, n->n), ATOM, 1} : emit_op(e, n);
    if (e->memo->seen[x] == e->memo->stamp && e->memo->uses[x] > 1) {
        if (strchr(p.text, ' ') || strchr(p.text, '(') || strchr(p.text, '[')) p = spill(e, p);
        remember(e, x, p.text);
    }
    return p;
}

void wgsl_known(struct wgsl_emitter *e, ir_expr x, const char *name) { remember(e, x, name); }

const char *wgsl_expr(struct wgsl_emitter *e, ir_expr x) { return emit(e, x).text; }

const char *wgsl_operand_of(struct wgsl_emitter *e, ir_expr x, const char **bare) {
    struct piece p = shortened(e, emit(e, x));
    *bare = p.text;
    return p.prec == ATOM ? p.text : parens(e, p.text);
}

const char *wgsl_operand(struct wgsl_emitter *e, ir_expr x) {
    const char *bare;
    return wgsl_operand_of(e, x, &bare);
}

const char *wgsl_fold(struct wgsl_emitter *e, uint8_t op, enum ir_type type, const char *a, const char *b) {
    const char *name = ir_ops[op].wgsl;
    if (type == IR_BOOL) // held as 0 and 1
        name = op == IR_LAND || op == IR_AND ? "&" : op == IR_XOR ? "^" : "|";
    if (name[0] >= 'a' && name[0] <= 'z') return base_format(e->cx, "%s(%s, %s)", name, a, b);
    return base_format(e->cx, "%s %s %s", a, name, b);
}
