// What an array looks like, in a few numbers.
#ifndef WHORL_CLI_SUMMARY_H
#define WHORL_CLI_SUMMARY_H

#include <stdio.h>

#include "base/base.h"

struct summary {
    double min, mean, max; // of the numbers that are not NaN; NaN where there are none
    size_t at_min, at_max; // where the first of them stands, if there is a number and all have one type
    uint64_t nan_count;
    uint64_t hash; // 64-bit FNV-1a of the bytes
};

// Of the elements of type `only`, or of all where it is NULL: a struct's words have their fields' types (check_type).
struct summary summary_of(const struct whorl_param *param, const void *data, const enum whorl_dtype *only);
// Two lines of at most `width` columns where it can: type and shape, min, mean, max; first values and the hash's first
// half. Names are padded to `pad`.
void summary_print(FILE *out, const struct whorl_param *param, const void *data, int pad, int width);

#endif
