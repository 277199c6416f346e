// How the IR's text spells operations, flags and classes: what print.c and parse_ir.c share.
#ifndef WHORL_IR_SYNTAX_H
#define WHORL_IR_SYNTAX_H

#include "ir/ir.h"

enum {
    IR_PREC_SELECT = 1,
    IR_PREC_OR,
    IR_PREC_AND,
    IR_PREC_BITOR,
    IR_PREC_BITXOR,
    IR_PREC_BITAND,
    IR_PREC_EQUAL,
    IR_PREC_ORDER,
    IR_PREC_SHIFT,
    IR_PREC_SUM,
    IR_PREC_PRODUCT,
    IR_PREC_UNARY,
    IR_PREC_CALL,
};

// The operations that have a sign in C; the others print as calls.
struct ir_sign {
    const char *sign;
    int prec;
};
extern const struct ir_sign ir_signs[IR_OP_COUNT];
// Conversions are called by the type they give; the name says all where the operand is visible. NULL: not one of them.
const char *ir_cast_name(uint8_t op);

enum { IR_FLAG_NAMES = 13, IR_ARRAY_CLASSES = 6, IR_VAR_CLASSES = 4 };
struct ir_flag_name {
    uint16_t flag;
    const char *name;
};
extern const struct ir_flag_name ir_flag_names[IR_FLAG_NAMES]; // those that stand for themselves
extern const char *const ir_array_class_names[IR_ARRAY_CLASSES], *const ir_var_class_names[IR_VAR_CLASSES];

#define IR_MOST_TABLE 32 // values of a table that are printed; of a longer one none

#endif
