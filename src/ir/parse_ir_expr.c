// The IR's text, from characters to expressions.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/parse_ir.h"

base_loc ir_parse_loc(const struct ir_parser *p) {
    return base_add_loc(p->cx, p->file, p->line, (uint32_t)(p->at - p->line_start) + 1);
}

void ir_parse_fail(struct ir_parser *p, const char *what) { base_fatal(p->cx, ir_parse_loc(p), "%s", what); }

void ir_parse_enter(struct ir_parser *p) {
    if (++p->depth > IR_PARSE_DEPTH) ir_parse_fail(p, "too deep");
}

// ---- words ----------------------------------------------------------------------------------------------------------

static bool is_start(char c) { return isalpha((unsigned char)c) || c == '_'; }

static size_t word_size(const char *s) {
    size_t n = 0;
    while (is_start(*s) && (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.'))
        n++;
    return n;
}

static void blanks(struct ir_parser *p) {
    while (*p->at == ' ')
        p->at++;
}

bool ir_parse_take(struct ir_parser *p, const char *sign) {
    blanks(p);
    size_t n = strlen(sign);
    if (strncmp(p->at, sign, n) != 0) return false;
    p->at += n;
    return true;
}

void ir_parse_need(struct ir_parser *p, const char *sign) {
    if (!ir_parse_take(p, sign)) ir_parse_fail(p, base_format(p->cx, "`%s` is missing here", sign));
}

bool ir_parse_word(struct ir_parser *p, const char *word) {
    blanks(p);
    size_t n = strlen(word);
    if (word_size(p->at) != n || strncmp(p->at, word, n) != 0) return false;
    p->at += n;
    return true;
}

bool ir_parse_name(struct ir_parser *p, const char **out_name, uint32_t *out_handle) {
    blanks(p);
    size_t size = word_size(p->at), digits = 0;
    while (digits < size && isdigit((unsigned char)p->at[size - 1 - digits]))
        digits++;
    if (digits == 0 || digits > 7 || size < digits + 2 || p->at[size - 1 - digits] != '.') return false;
    *out_name = base_strndup(p->cx, p->at, size - 1 - digits);
    *out_handle = (uint32_t)strtoul(p->at + size - digits, NULL, 10);
    if (*out_handle == 0 || *out_handle >= IR_PARSE_HANDLES) ir_parse_fail(p, "no handle has this number");
    p->at += size;
    return true;
}

bool ir_parse_see_element(struct ir_parser *p) {
    blanks(p);
    size_t size = word_size(p->at);
    return size && p->at[size] == '[';
}

uint32_t ir_parse_count(struct ir_parser *p) {
    blanks(p);
    char *end;
    unsigned long long value = isdigit((unsigned char)*p->at) ? strtoull(p->at, &end, 10) : UINT64_MAX;
    if (value > UINT32_MAX) ir_parse_fail(p, "a number is missing here");
    p->at = end;
    return (uint32_t)value;
}

int32_t ir_parse_int(struct ir_parser *p) {
    bool negative = ir_parse_take(p, "-");
    uint32_t value = ir_parse_count(p);
    if (value > (negative ? 0x80000000u : 0x7fffffffu)) ir_parse_fail(p, "the number is too large");
    return (int32_t)(negative ? 0 - value : value);
}

ir_var ir_parse_var(struct ir_parser *p) {
    const char *name;
    uint32_t v;
    if (!ir_parse_name(p, &name, &v)) ir_parse_fail(p, "a variable is missing here");
    if (v >= p->u->var_count || p->u->vars[v].type == IR_VOID) ir_parse_fail(p, "this variable is not declared");
    return v;
}

ir_array ir_parse_array(struct ir_parser *p) {
    const char *name;
    uint32_t a;
    if (!ir_parse_name(p, &name, &a)) ir_parse_fail(p, "an array is missing here");
    if (a >= p->u->array_count) ir_parse_fail(p, "this array is not declared");
    return a;
}

static bool is_called(const char *name, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!name[i] || (char)tolower((unsigned char)name[i]) != s[i]) return false;
    return name[n] == 0;
}

static uint8_t find_op(const char *s, size_t n) {
    uint8_t op = IR_LOAD + 1;
    while (op < IR_OP_COUNT && !is_called(ir_ops[op].name, s, n))
        op++;
    return op;
}

uint8_t ir_parse_op(struct ir_parser *p) {
    blanks(p);
    size_t n = word_size(p->at);
    uint8_t op = find_op(p->at, n);
    if (op == IR_OP_COUNT) ir_parse_fail(p, "the name of an operation is missing here");
    p->at += n;
    return op;
}

// ---- constants ------------------------------------------------------------------------------------------------------

static size_t digits_of(const char *s, bool *is_float) {
    size_t n = 0;
    while (isdigit((unsigned char)s[n]))
        n++;
    if (s[n] == '.' && isdigit((unsigned char)s[n + 1])) {
        *is_float = true;
        for (n++; isdigit((unsigned char)s[n]);)
            n++;
    }
    if (s[n] == 'e') {
        *is_float = true;
        n += s[n + 1] == '-' || s[n + 1] == '+' ? 2 : 1;
        while (isdigit((unsigned char)s[n]))
            n++;
    }
    return n;
}

static ir_expr number(struct ir_parser *p, bool negative) {
    bool is_float = false;
    size_t n = digits_of(p->at, &is_float);
    const char *text = base_strndup(p->cx, p->at, n);
    p->at += n;
    if (is_float) {
        float value = strtof(text, NULL);
        return ir_const_f32(p->u, negative ? -value : value);
    }
    unsigned long long value = n < 11 ? strtoull(text, NULL, 10) : UINT64_MAX;
    bool is_unsigned = *p->at == 'u';
    if (value > (is_unsigned ? UINT32_MAX : negative ? 0x80000000u : 0x7fffffffu))
        ir_parse_fail(p, "the number is too large");
    if (is_unsigned) p->at++;
    if (is_unsigned && negative) ir_parse_fail(p, "a negative number has no u");
    return ir_const(p->u, is_unsigned ? IR_U32 : IR_I32, negative ? 0 - (uint32_t)value : (uint32_t)value);
}

bool ir_parse_const(struct ir_parser *p, ir_expr *out) {
    blanks(p);
    const char *start = p->at;
    if (ir_parse_word(p, "true") || ir_parse_word(p, "false")) {
        *out = ir_const(p->u, IR_BOOL, *start == 't');
        return true;
    }
    bool negative = *p->at == '-';
    p->at += negative;
    if (isdigit((unsigned char)*p->at)) {
        *out = number(p, negative);
        return true;
    }
    size_t size = word_size(p->at);
    bool inf = size == 3 && strncmp(p->at, "inf", 3) == 0, nan = size == 3 && strncmp(p->at, "nan", 3) == 0;
    if (inf || nan) {
        p->at += 3;
        *out = ir_const(p->u, IR_F32, (inf ? 0x7f800000u : 0x7fc00000u) | (negative ? 0x80000000u : 0));
        return true;
    }
    p->at = start;
    return false;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static ir_expr parse_above(struct ir_parser *p, int around);

uint32_t ir_parse_element(struct ir_parser *p, ir_array *out_array, ir_expr indices[IR_MAX_DIMS]) {
    uint32_t n = 0;
    *out_array = ir_parse_array(p);
    while (ir_parse_take(p, "[")) {
        if (n == p->u->arrays[*out_array].ndims) ir_parse_fail(p, "more indices than the array has dimensions");
        indices[n++] = ir_parse_expr(p);
        ir_parse_need(p, "]");
    }
    if (n != p->u->arrays[*out_array].ndims) ir_parse_fail(p, "fewer indices than the array has dimensions");
    return n;
}

static uint8_t cast_of(const char *s, size_t n, uint8_t type) {
    static const struct {
        char name[4];
        uint8_t from, op;
    } casts[] = {{"i32", IR_F32, IR_F2I}, {"i32", IR_U32, IR_U2I}, {"u32", IR_F32, IR_F2U},
                 {"u32", IR_I32, IR_I2U}, {"f32", IR_I32, IR_I2F}, {"f32", IR_U32, IR_U2F}};
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (n == 3 && strncmp(casts[i].name, s, n) == 0 && casts[i].from == type) return casts[i].op;
    return IR_OP_COUNT;
}

// name(operand, ...)
static ir_expr call(struct ir_parser *p, const char *name, size_t size) {
    ir_expr operands[3] = {0};
    uint32_t n = 0;
    base_loc loc = ir_parse_loc(p);
    p->at += size;
    ir_parse_need(p, "(");
    do {
        if (n == 3) ir_parse_fail(p, "no operation has so many operands");
        operands[n++] = ir_parse_expr(p);
    } while (ir_parse_take(p, ","));
    ir_parse_need(p, ")");
    uint8_t op = cast_of(name, size, p->u->nodes[operands[0]].type);
    if (op == IR_OP_COUNT) op = find_op(name, size);
    if (op == IR_OP_COUNT || ir_ops[op].arity != n) ir_parse_fail(p, "no operation has this name and these operands");
    if (n == 1) return ir_op1(p->u, op, operands[0], loc);
    if (n == 2) return ir_op2(p->u, op, operands[0], operands[1], loc);
    return ir_op3(p->u, op, operands[0], operands[1], operands[2], loc);
}

static ir_expr operand(struct ir_parser *p) {
    ir_expr e, indices[IR_MAX_DIMS];
    ir_array array;
    blanks(p);
    if (ir_parse_const(p, &e)) return e;
    base_loc loc = ir_parse_loc(p);
    if (ir_parse_take(p, "(")) {
        e = ir_parse_expr(p);
        ir_parse_need(p, ")");
        return e;
    }
    for (uint8_t op = 0; op < IR_OP_COUNT; op++) {
        if (ir_signs[op].prec != IR_PREC_UNARY || !ir_parse_take(p, ir_signs[op].sign)) continue;
        ir_parse_enter(p);
        e = operand(p);
        p->depth--;
        return ir_op1(p->u, op, e, loc);
    }
    size_t size = word_size(p->at);
    if (size && p->at[size] == '(') return call(p, p->at, size);
    if (ir_parse_see_element(p)) {
        uint32_t n = ir_parse_element(p, &array, indices);
        return ir_load(p->u, array, indices, n, loc);
    }
    return ir_var_read(p->u, ir_parse_var(p), loc);
}

// The operation between two operands whose sign stands here: the one with the longest.
static uint8_t next_sign(struct ir_parser *p, int around) {
    uint8_t found = IR_OP_COUNT;
    size_t longest = 0;
    blanks(p);
    for (uint8_t op = 0; op < IR_OP_COUNT; op++) {
        size_t n = ir_ops[op].arity == 2 && ir_signs[op].sign ? strlen(ir_signs[op].sign) : 0;
        if (n <= longest || strncmp(p->at, ir_signs[op].sign, n) != 0) continue;
        found = op;
        longest = n;
    }
    if (found == IR_OP_COUNT || ir_signs[found].prec < around) return IR_OP_COUNT;
    p->at += longest;
    return found;
}

static ir_expr parse_above(struct ir_parser *p, int around) {
    ir_parse_enter(p);
    base_loc loc = ir_parse_loc(p);
    ir_expr left = operand(p);
    for (uint8_t op; (op = next_sign(p, around)) != IR_OP_COUNT;) {
        ir_expr right = parse_above(p, ir_signs[op].prec + 1);
        left = ir_op2(p->u, op, left, right, loc);
    }
    if (around <= IR_PREC_SELECT && ir_parse_take(p, "?")) {
        ir_expr yes = parse_above(p, IR_PREC_SELECT + 1);
        ir_parse_need(p, ":");
        ir_expr no = parse_above(p, IR_PREC_SELECT);
        left = ir_op3(p->u, IR_SELECT, left, yes, no, loc);
    }
    p->depth--;
    return left;
}

ir_expr ir_parse_expr(struct ir_parser *p) { return parse_above(p, 0); }
