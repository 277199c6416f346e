// What the two files of the double policy share.
#ifndef WHORL_FRONT_DOUBLE_H
#define WHORL_FRONT_DOUBLE_H

#include "front/parse/parse.h"

struct front_doubles {
    struct front_parser *p;
    bool silent;                    // -fdouble=float: whatever is double becomes float, nothing is said
    struct front_symbol **builtins; // functions of built-in headers, by name
    uint32_t builtin_count, builtin_cap;
    bool *seen_records; // by id: their double fields were reported
    uint32_t demoted;   // expressions that now round as floats do
    base_loc first;     // of the first of them
};

// What an expression of type double is made of.
struct front_double_info {
    bool pure;         // of constants alone
    bool exact;        // float gives the same value
    bool blocked;      // a double variable or a function without a float form: reported
    bool only_integer; // an integer expression, converted
};
struct front_double_info front_inspect_double(struct front_doubles *d, struct front_node *n);
// Rewrites the expression in place to F32.
void front_demote(struct front_doubles *d, struct front_node *n);
// double_policy.c: the parts of a double expression that are none themselves.
void front_visit_doubles(struct front_doubles *d, struct front_node **place);

#endif
