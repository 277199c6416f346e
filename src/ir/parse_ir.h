// What the files of the reader of the IR's text share; parse_ir.c says what it is for.
#ifndef WHORL_IR_PARSE_IR_H
#define WHORL_IR_PARSE_IR_H

#include "ir/syntax.h"

enum { IR_PARSE_DEPTH = 200, IR_PARSE_HANDLES = 1 << 20 };

struct ir_parser {
    struct base_cx *cx;
    struct ir_unit *u;
    const char *at, *line_start;
    uint32_t file, line;
    uint32_t depth; // of expressions and blocks
};

// ---- parse_ir_expr.c. What looks for something returns false and leaves the text where it was; what needs something
// ends the reading. Blanks are passed over, ends of lines are not.
_Noreturn void ir_parse_fail(struct ir_parser *p, const char *what);
base_loc ir_parse_loc(const struct ir_parser *p);
void ir_parse_enter(struct ir_parser *p); // one level deeper; the caller takes it back
bool ir_parse_take(struct ir_parser *p, const char *sign);
void ir_parse_need(struct ir_parser *p, const char *sign);
bool ir_parse_word(struct ir_parser *p, const char *word); // a whole word
// A name, which ends with the number of its handle: `now.which.2`. False: no such word stands here.
bool ir_parse_name(struct ir_parser *p, const char **out_name, uint32_t *out_handle);
bool ir_parse_see_element(struct ir_parser *p); // a name with an index stands here
uint32_t ir_parse_count(struct ir_parser *p);   // a number without a sign
int32_t ir_parse_int(struct ir_parser *p);
ir_var ir_parse_var(struct ir_parser *p);
ir_array ir_parse_array(struct ir_parser *p);
uint8_t ir_parse_op(struct ir_parser *p); // its name in small letters
// array[index]..., of an array that is known; returns the number of indices.
uint32_t ir_parse_element(struct ir_parser *p, ir_array *out_array, ir_expr indices[IR_MAX_DIMS]);
ir_expr ir_parse_expr(struct ir_parser *p);
// A constant, and only one; false: none stands here.
bool ir_parse_const(struct ir_parser *p, ir_expr *out);

#endif
