#include "ir/syntax.h"

const struct ir_sign ir_signs[IR_OP_COUNT] = {
    [IR_NEG] = {"-", IR_PREC_UNARY},    [IR_ADD] = {"+", IR_PREC_SUM},     [IR_SUB] = {"-", IR_PREC_SUM},
    [IR_MUL] = {"*", IR_PREC_PRODUCT},  [IR_DIV] = {"/", IR_PREC_PRODUCT}, [IR_REM] = {"%", IR_PREC_PRODUCT},
    [IR_BITNOT] = {"~", IR_PREC_UNARY}, [IR_AND] = {"&", IR_PREC_BITAND},  [IR_OR] = {"|", IR_PREC_BITOR},
    [IR_XOR] = {"^", IR_PREC_BITXOR},   [IR_SHL] = {"<<", IR_PREC_SHIFT},  [IR_SHR] = {">>", IR_PREC_SHIFT},
    [IR_EQ] = {"==", IR_PREC_EQUAL},    [IR_NE] = {"!=", IR_PREC_EQUAL},   [IR_LT] = {"<", IR_PREC_ORDER},
    [IR_LE] = {"<=", IR_PREC_ORDER},    [IR_GT] = {">", IR_PREC_ORDER},    [IR_GE] = {">=", IR_PREC_ORDER},
    [IR_NOT] = {"!", IR_PREC_UNARY},    [IR_LAND] = {"&&", IR_PREC_AND},   [IR_LOR] = {"||", IR_PREC_OR},
};

const char *ir_cast_name(uint8_t op) {
    switch (op) {
    case IR_F2I:
    case IR_U2I: return "i32";
    case IR_F2U:
    case IR_I2U: return "u32";
    case IR_I2F:
    case IR_U2F: return "f32";
    default: return NULL;
    }
}

const struct ir_flag_name ir_flag_names[IR_FLAG_NAMES] = {
    {IR_FLAG_SIMD, "simd"}, {IR_FLAG_NOWAIT, "nowait"}, {IR_FLAG_SINGLE, "single"}, {IR_FLAG_ATOMIC, "atomic"},
    {IR_FLAG_LONG, "long"}, {IR_FLAG_OWN, "own"},       {IR_FLAG_ROW, "row"},       {IR_FLAG_EXCHANGE, "exchange"},
    {IR_FLAG_FREE, "free"}, {IR_FLAG_SOLO, "solo"},     {IR_FLAG_GROUP, "group"},   {IR_FLAG_FIXED, "fixed"},
    {IR_FLAG_TEAM, "team"},
};

const char *const ir_array_class_names[IR_ARRAY_CLASSES] = {"in", "inout", "scratch", "local", "table", "staged"};
const char *const ir_var_class_names[IR_VAR_CLASSES] = {"local", "entry", "param", "dim"};
