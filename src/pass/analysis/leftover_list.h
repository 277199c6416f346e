// Lists in a thread's own memory, `list[count++] = x`: all elements before the one that the counter names were stored.
#ifndef WHORL_PASS_ANALYSIS_LEFTOVER_LIST_H
#define WHORL_PASS_ANALYSIS_LEFTOVER_LIST_H

#include "ir/ir.h"

struct left_list {
    bool is;
    ir_var var;     // what counts: a variable, or (0)
    ir_array cell;  // the thread's element of this
    int64_t from;   // elements from here to the counter were stored since it was set
    ir_array array; // the list
};

// Of an array of a thread, with one dimension behind that of threads, in what a thread runs.
struct left_list left_find_list(const struct ir_unit *u, ir_array array, ir_stmt block);
// The counter's value, of any thread.
bool left_is_count(const struct ir_unit *u, const struct left_list *list, ir_expr e);
// The statement sets the counter to a number.
bool left_resets(const struct ir_unit *u, const struct left_list *list, ir_stmt s);
// ... one in the block does.
bool left_resets_inside(const struct ir_unit *u, const struct left_list *list, ir_stmt block);
// The variable is never less than this: it is set to numbers, or something is added to it.
bool left_counts_up(const struct ir_unit *u, ir_var var, int64_t least);
// `v + c`; false: the expression is another one.
bool left_is_beside(const struct ir_unit *u, ir_expr e, ir_var *out_var, int64_t *out_c);

#endif
