// 64-bit integers that are not proven to fit 32 bits, as two words (docs/integers.md).
//
// Such a value is a node of type LOWER_WIDE whose operands are its low and its high word. It exists while the program
// is lowered: no statement has it, what is stored, compared and computed are its words. A word that an operation needs
// more than once gets a name. Whatever is known to fit one word again becomes one.
#include "front/lower/lower.h"

bool lower_is_words(const struct lower *lw, ir_expr e) { return lower_ir_type_of(lw, e) == LOWER_WIDE; }

static ir_expr word(struct lower *lw, uint32_t bits) { return ir_const(lw->u, IR_U32, bits); }

// The words' node, though it may fit one word.
ir_expr lower_words_node(struct lower *lw, struct lower_words w, base_loc loc) {
    ir_expr e = ir_op2(lw->u, IR_ADD, w.lo, w.hi, loc);
    lw->u->nodes[e].type = LOWER_WIDE;
    return e;
}

// An expression that is read more than once.
static ir_expr named(struct lower *lw, ir_expr e, base_loc loc) {
    enum ir_op op = (enum ir_op)lw->u->nodes[e].op;
    if (op == IR_CONST || op == IR_VAR) return e;
    ir_var var = lower_new_var(lw, "w", lower_ir_type_of(lw, e), lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
    lower_set_range(lw, var, lower_range_of(lw, e));
    lower_set_stable(lw, var);
    lower_emit(lw, ir_assign(lw->u, var, e, loc));
    return ir_var_read(lw->u, var, loc);
}

static struct lower_words named_words(struct lower *lw, struct lower_words w, base_loc loc) {
    ir_expr lo = named(lw, w.lo, loc), hi = named(lw, w.hi, loc); // in this order, whoever compiles this
    return (struct lower_words){lo, hi};
}

// All ones below 0.
static ir_expr sign_of(struct lower *lw, ir_expr hi, base_loc loc) {
    ir_expr sign = lower_fold2(lw, IR_SHR, lower_as(lw, hi, IR_I32, loc), word(lw, 31), loc);
    return lower_as(lw, sign, IR_U32, loc);
}

struct lower_words lower_words_of(struct lower *lw, ir_expr e, base_loc loc) {
    const struct ir_node *n = &lw->u->nodes[e];
    if (n->type == LOWER_WIDE) return (struct lower_words){n->a, n->b};
    if (n->type == IR_BOOL) e = lower_as(lw, e, IR_I32, loc);
    struct lower_range r = lower_range_of(lw, e);
    if (r.lo >= 0) return (struct lower_words){lower_as(lw, e, IR_U32, loc), word(lw, 0)};
    if (r.hi < 0) return (struct lower_words){lower_as(lw, e, IR_U32, loc), word(lw, UINT32_MAX)};
    e = named(lw, e, loc);
    return (struct lower_words){lower_as(lw, e, IR_U32, loc), sign_of(lw, e, loc)};
}

// ---- the shortest form ----------------------------------------------------------------------------------------------

static const struct lower_range unknown = {INT64_MIN, INT64_MAX};

static bool is_known(struct lower_range r) { return r.lo > INT64_MIN || r.hi < INT64_MAX; }

ir_expr lower_words_value(struct lower *lw, struct lower_words w, struct lower_range r, base_loc loc) {
    int64_t lo, hi;
    bool constant = lower_const_int(lw, w.hi, &hi);
    if ((constant && hi == 0) || (r.lo >= 0 && r.hi <= UINT32_MAX && is_known(r))) {
        const struct ir_node *n = &lw->u->nodes[w.lo];
        return n->op == IR_I2U && lower_range_of(lw, n->a).lo >= 0 ? n->a : w.lo;
    }
    if (r.lo >= INT32_MIN && r.hi <= INT32_MAX) return lower_as(lw, w.lo, IR_I32, loc);
    if (constant && hi == UINT32_MAX && lower_const_int(lw, w.lo, &lo) && lo > INT32_MAX && r.hi < 0)
        return lower_as(lw, w.lo, IR_I32, loc);
    ir_expr e = lower_words_node(lw, w, loc);
    if (is_known(r)) lower_set_node_range(lw, e, r);
    return e;
}

ir_expr lower_words_constant(struct lower *lw, uint64_t value, const struct front_type *type, base_loc loc) {
    int64_t number = (int64_t)value;
    struct lower_words w = {word(lw, (uint32_t)value), word(lw, (uint32_t)(value >> 32))};
    bool known = type->kind == FRONT_I64 || number >= 0;
    return lower_words_value(lw, w, known ? (struct lower_range){number, number} : unknown, loc);
}

// ---- what ranges say ------------------------------------------------------------------------------------------------

// So large that sums and differences of two stay exact.
static bool is_small(struct lower_range r) { return r.lo >= -(INT64_C(1) << 61) && r.hi <= INT64_C(1) << 61; }

static struct lower_range product_range(struct lower_range a, struct lower_range b) {
    struct lower_range r = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t x = i & 1 ? a.hi : a.lo, y = i & 2 ? b.hi : b.lo;
        double p = (double)x * (double)y;
        if (p > 4e18 || p < -4e18) return unknown;
        if (x * y < r.lo) r.lo = x * y;
        if (x * y > r.hi) r.hi = x * y;
    }
    return r;
}

static struct lower_range range_of(enum front_op op, struct lower_range a, struct lower_range b) {
    bool both = is_small(a) && is_small(b);
    switch (op) {
    case FRONT_OP_ADD: return both ? (struct lower_range){a.lo + b.lo, a.hi + b.hi} : unknown;
    case FRONT_OP_SUB: return both ? (struct lower_range){a.lo - b.hi, a.hi - b.lo} : unknown;
    case FRONT_OP_MUL: return both ? product_range(a, b) : unknown;
    case FRONT_OP_DIV:
        if (b.lo <= 0 || !is_known(a)) return unknown;
        return (struct lower_range){a.lo < 0 ? a.lo / b.lo : a.lo / b.hi, a.hi < 0 ? a.hi / b.hi : a.hi / b.lo};
    case FRONT_OP_REM:
        if (b.lo <= 0) return unknown;
        return (struct lower_range){a.lo < 0 ? 1 - b.hi : 0, b.hi - 1};
    case FRONT_OP_AND:
        if (a.lo >= 0 && b.lo >= 0) return (struct lower_range){0, a.hi < b.hi ? a.hi : b.hi};
        if (a.lo >= 0) return (struct lower_range){0, a.hi};
        return b.lo >= 0 ? (struct lower_range){0, b.hi} : unknown;
    case FRONT_OP_SHR:
        if (!is_known(a) || b.lo < 0 || b.hi > 63) return unknown;
        return (struct lower_range){a.lo < 0 ? a.lo >> b.lo : a.lo >> b.hi, a.hi < 0 ? a.hi >> b.hi : a.hi >> b.lo};
    default: return unknown;
    }
}

// Of an unsigned type a range that says less than its type is none below 0.
static struct lower_range result_range(enum front_op op, struct lower_range a, struct lower_range b,
                                       const struct front_type *type) {
    struct lower_range r;
    if (type->kind == FRONT_U64 && a.lo < 0 && op != FRONT_OP_AND) {
        if (op != FRONT_OP_REM || b.lo <= 0) return unknown;
        return (struct lower_range){0, b.hi - 1};
    }
    r = range_of(op, a, b);
    return type->kind == FRONT_U64 && r.lo < 0 ? unknown : r;
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------

static ir_expr carry(struct lower *lw, ir_expr less, base_loc loc) {
    return lower_fold3(lw, IR_SELECT, less, word(lw, 1), word(lw, 0), loc);
}

static struct lower_words add(struct lower *lw, struct lower_words a, struct lower_words b, base_loc loc) {
    b = named_words(lw, b, loc);
    ir_expr lo = named(lw, lower_fold2(lw, IR_ADD, a.lo, b.lo, loc), loc);
    ir_expr more = carry(lw, lower_fold2(lw, IR_LT, lo, b.lo, loc), loc);
    return (struct lower_words){lo, lower_fold2(lw, IR_ADD, lower_fold2(lw, IR_ADD, a.hi, b.hi, loc), more, loc)};
}

static struct lower_words subtract(struct lower *lw, struct lower_words a, struct lower_words b, base_loc loc) {
    ir_expr x = named(lw, a.lo, loc), y = named(lw, b.lo, loc);
    ir_expr less = carry(lw, lower_fold2(lw, IR_LT, x, y, loc), loc);
    ir_expr hi = lower_fold2(lw, IR_SUB, lower_fold2(lw, IR_SUB, a.hi, b.hi, loc), less, loc);
    return (struct lower_words){lower_fold2(lw, IR_SUB, x, y, loc), hi};
}

static struct lower_words multiply(struct lower *lw, struct lower_words a, struct lower_words b, base_loc loc) {
    ir_expr x = named(lw, a.lo, loc), y = named(lw, b.lo, loc);
    ir_expr hi = lower_fold2(lw, IR_MULHI, x, y, loc);
    hi = lower_fold2(lw, IR_ADD, hi, lower_fold2(lw, IR_MUL, x, b.hi, loc), loc);
    hi = lower_fold2(lw, IR_ADD, hi, lower_fold2(lw, IR_MUL, a.hi, y, loc), loc);
    return (struct lower_words){lower_fold2(lw, IR_MUL, x, y, loc), hi};
}

static ir_expr bits(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, base_loc loc) {
    int64_t known;
    bool first = lower_const_int(lw, a, &known);
    if (op == FRONT_OP_AND && (first || lower_const_int(lw, b, &known))) {
        if (known == 0) return word(lw, 0);
        if (known == UINT32_MAX) return first ? b : a;
    }
    return lower_fold2(lw, op == FRONT_OP_AND ? IR_AND : op == FRONT_OP_OR ? IR_OR : IR_XOR, a, b, loc);
}

static ir_expr shifted(struct lower *lw, enum ir_op op, ir_expr a, ir_expr by, base_loc loc) {
    int64_t zero;
    return lower_const_int(lw, a, &zero) && zero == 0 ? a : lower_fold2(lw, op, a, by, loc);
}

// What leaves one word by a shift of `by` < 32 and enters the other: 32 - by as two shifts, since by may be 0.
static ir_expr moved(struct lower *lw, enum ir_op op, ir_expr a, ir_expr by, base_loc loc) {
    ir_expr first = shifted(lw, op, a, word(lw, 1), loc);
    return shifted(lw, op, first, lower_fold2(lw, IR_XOR, word(lw, 31), by, loc), loc);
}

// By a count: of less than a word and of a word or more, from which the count chooses.
static struct lower_words shift(struct lower *lw, enum front_op op, struct lower_words a, ir_expr by, bool is_signed,
                                base_loc loc) {
    int64_t known;
    bool constant = lower_const_int(lw, by, &known), left = op == FRONT_OP_SHL;
    if (constant && (known & 63) == 0) return a;
    a = named_words(lw, a, loc);
    by = named(lw, lower_as(lw, by, IR_U32, loc), loc);
    ir_expr count = named(lw, lower_fold2(lw, IR_AND, by, word(lw, 31), loc), loc);
    ir_expr fill = left || !is_signed ? word(lw, 0) : sign_of(lw, a.hi, loc);
    ir_expr from = left ? a.lo : a.hi, across; // the word that bits leave
    if (left)
        across = shifted(lw, IR_SHL, from, count, loc);
    else if (is_signed)
        across = lower_as(lw, lower_fold2(lw, IR_SHR, lower_as(lw, from, IR_I32, loc), count, loc), IR_U32, loc);
    else
        across = shifted(lw, IR_SHR, from, count, loc);
    struct lower_words far = left ? (struct lower_words){fill, across} : (struct lower_words){across, fill}, near;
    if (constant && (known & 63) >= 32) return far;
    ir_expr other = shifted(lw, left ? IR_SHL : IR_SHR, left ? a.hi : a.lo, count, loc);
    ir_expr entering = constant ? shifted(lw, left ? IR_SHR : IR_SHL, from, word(lw, 32u - (uint32_t)(known & 31)), loc)
                                : moved(lw, left ? IR_SHR : IR_SHL, from, count, loc);
    other = lower_fold2(lw, IR_OR, other, entering, loc);
    near = left ? (struct lower_words){across, other} : (struct lower_words){other, across};
    if (constant || lower_range_of(lw, by).hi < 32) return near;
    ir_expr large = named(lw, lower_fold2(lw, IR_GE, by, word(lw, 32), loc), loc);
    return (struct lower_words){lower_fold3(lw, IR_SELECT, large, far.lo, near.lo, loc),
                                lower_fold3(lw, IR_SELECT, large, far.hi, near.hi, loc)};
}

// ---- functions of whorl/words.h -------------------------------------------------------------------------------------

static struct front_type *u32_type(void) { return front_basic_type(FRONT_U32); }

static struct lower_value expand(struct lower *lw, const char *name, const ir_expr *args, uint32_t count,
                                 base_loc loc) {
    struct front_function *f = front_find_function(lw->ast, name);
    struct lower_value values[4];
    if (!f || f->param_count != count) base_bug(lw->cx, "words.h has no %s of %u", name, count);
    lower_check_budget(lw, loc);
    for (uint32_t i = 0; i < count; i++)
        values[i] = lower_scalar_value(f->params[i]->type, args[i]);
    return lower_expand(lw, f, f, values, loc);
}

static struct lower_words expand_words(struct lower *lw, const char *name, const ir_expr *args, uint32_t count,
                                       base_loc loc) {
    struct lower_place whole = expand(lw, name, args, count, loc).ptr->targets[0];
    ir_expr half[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct lower_place leaf = whole;
        leaf.leaf += k;
        leaf.leaf_count = 1;
        leaf.type = u32_type();
        half[k] = lower_snapshot(lw, lower_load_place(lw, &leaf, loc), loc);
    }
    return (struct lower_words){half[0], half[1]};
}

static struct lower_words negate_if(struct lower *lw, struct lower_words w, ir_expr mask, base_loc loc) {
    struct lower_words m = {mask, mask};
    w.lo = bits(lw, FRONT_OP_XOR, w.lo, mask, loc);
    w.hi = bits(lw, FRONT_OP_XOR, w.hi, mask, loc);
    return subtract(lw, w, m, loc);
}

static struct lower_words divide(struct lower *lw, enum front_op op, struct lower_words a, struct lower_words b,
                                 bool is_signed, base_loc loc) {
    ir_expr sign = word(lw, 0), below = word(lw, 0);
    if (is_signed) {
        a = named_words(lw, a, loc);
        b = named_words(lw, b, loc);
        sign = named(lw, sign_of(lw, a.hi, loc), loc);
        below = named(lw, sign_of(lw, b.hi, loc), loc);
        a = negate_if(lw, a, sign, loc);
        b = negate_if(lw, b, below, loc);
    }
    ir_expr args[4] = {a.lo, a.hi, b.lo, b.hi};
    bool rest = op == FRONT_OP_REM;
    struct lower_words result = expand_words(lw, rest ? "__ww_rest" : "__ww_quotient", args, 4, loc);
    if (!is_signed) return result;
    return negate_if(lw, result, rest ? sign : lower_fold2(lw, IR_XOR, sign, below, loc), loc);
}

ir_expr lower_words_binary(struct lower *lw, enum front_op op, ir_expr x, ir_expr y, const struct front_type *type,
                           base_loc loc) {
    bool shifts = op == FRONT_OP_SHL || op == FRONT_OP_SHR, is_signed = type->kind == FRONT_I64;
    struct lower_range r = lower_range_of(lw, x), s = lower_range_of(lw, y);
    struct lower_range known = result_range(op, r, s, type);
    struct lower_words a = lower_words_of(lw, x, loc), b = {0, 0}, result;
    if (!shifts) b = lower_words_of(lw, y, loc);
    switch (op) {
    case FRONT_OP_ADD: result = add(lw, a, b, loc); break;
    case FRONT_OP_SUB: result = subtract(lw, a, b, loc); break;
    case FRONT_OP_MUL: result = multiply(lw, a, b, loc); break;
    case FRONT_OP_DIV:
    case FRONT_OP_REM: result = divide(lw, op, a, b, is_signed && (r.lo < 0 || s.lo < 0), loc); break;
    case FRONT_OP_SHL:
    case FRONT_OP_SHR: result = shift(lw, op, a, lower_as(lw, y, IR_U32, loc), is_signed && r.lo < 0, loc); break;
    default: result.lo = bits(lw, op, a.lo, b.lo, loc); result.hi = bits(lw, op, a.hi, b.hi, loc);
    }
    return lower_words_value(lw, result, known, loc);
}

ir_expr lower_words_complement(struct lower *lw, ir_expr e, base_loc loc) {
    struct lower_words w = lower_words_of(lw, e, loc);
    w.lo = lower_fold1(lw, IR_BITNOT, w.lo, loc);
    w.hi = lower_fold1(lw, IR_BITNOT, w.hi, loc);
    return lower_words_value(lw, w, unknown, loc);
}

// ---- comparisons, choices -------------------------------------------------------------------------------------------

static ir_expr is_less(struct lower *lw, struct lower_words a, struct lower_words b, bool or_equal, bool is_signed,
                       base_loc loc) {
    enum ir_type type = is_signed ? IR_I32 : IR_U32;
    ir_expr x = lower_as(lw, named(lw, a.hi, loc), type, loc), y = lower_as(lw, named(lw, b.hi, loc), type, loc);
    ir_expr low = lower_fold2(lw, or_equal ? IR_LE : IR_LT, a.lo, b.lo, loc);
    low = lower_fold2(lw, IR_LAND, lower_fold2(lw, IR_EQ, x, y, loc), low, loc);
    return lower_fold2(lw, IR_LOR, lower_fold2(lw, IR_LT, x, y, loc), low, loc);
}

ir_expr lower_words_compare(struct lower *lw, enum front_op op, ir_expr x, ir_expr y, const struct front_type *type,
                            base_loc loc) {
    struct lower_words a = lower_words_of(lw, x, loc), b = lower_words_of(lw, y, loc);
    bool is_signed = type->kind == FRONT_I64;
    switch (op) {
    case FRONT_OP_EQ:
    case FRONT_OP_NE: {
        enum ir_op one = op == FRONT_OP_EQ ? IR_EQ : IR_NE;
        ir_expr lo = lower_fold2(lw, one, a.lo, b.lo, loc), hi = lower_fold2(lw, one, a.hi, b.hi, loc);
        return lower_fold2(lw, op == FRONT_OP_EQ ? IR_LAND : IR_LOR, lo, hi, loc);
    }
    case FRONT_OP_LT: return is_less(lw, a, b, false, is_signed, loc);
    case FRONT_OP_LE: return is_less(lw, a, b, true, is_signed, loc);
    case FRONT_OP_GT: return is_less(lw, b, a, false, is_signed, loc);
    default: return is_less(lw, b, a, true, is_signed, loc);
    }
}

ir_expr lower_words_select(struct lower *lw, ir_expr cond, ir_expr x, ir_expr y, base_loc loc) {
    struct lower_words a = lower_words_of(lw, x, loc), b = lower_words_of(lw, y, loc);
    cond = named(lw, cond, loc);
    struct lower_words w = {lower_fold3(lw, IR_SELECT, cond, a.lo, b.lo, loc),
                            lower_fold3(lw, IR_SELECT, cond, a.hi, b.hi, loc)};
    return lower_words_node(lw, w, loc);
}

ir_expr lower_words_snapshot(struct lower *lw, ir_expr e, base_loc loc) {
    struct lower_words w = lower_words_of(lw, e, loc);
    struct lower_range r = lower_range_of(lw, e);
    w.lo = lower_snapshot(lw, w.lo, loc);
    w.hi = lower_snapshot(lw, w.hi, loc);
    e = lower_words_node(lw, w, loc);
    if (is_known(r)) lower_set_node_range(lw, e, r);
    return e;
}

// ---- conversions ----------------------------------------------------------------------------------------------------

ir_expr lower_words_to_float(struct lower *lw, ir_expr e, const struct front_type *from, base_loc loc) {
    struct lower_words w = named_words(lw, lower_words_of(lw, e, loc), loc);
    bool is_signed = from->kind == FRONT_I64 && lower_range_of(lw, e).lo < 0;
    ir_expr minus = 0;
    if (is_signed) {
        ir_expr sign = named(lw, sign_of(lw, w.hi, loc), loc);
        minus = lower_fold2(lw, IR_NE, sign, word(lw, 0), loc);
        w = negate_if(lw, w, sign, loc);
    }
    ir_expr args[2] = {w.lo, w.hi};
    ir_expr size = expand(lw, "__ww_to_float", args, 2, loc).e;
    if (!is_signed) return size;
    size = lower_snapshot(lw, size, loc);
    return lower_fold3(lw, IR_SELECT, minus, lower_fold1(lw, IR_NEG, size, loc), size, loc);
}

ir_expr lower_words_from_float(struct lower *lw, ir_expr e, const struct front_type *to, base_loc loc) {
    const char *name = to->kind == FRONT_I64 ? "__ww_from_float_signed" : "__ww_from_float";
    return lower_words_node(lw, expand_words(lw, name, &e, 1, loc), loc);
}
