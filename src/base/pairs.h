// Doubles as pairs of floats (-fdouble=pair): the nearest float, and what is left of the number as a float. A number
// beyond the floats is infinite, one below them is 0. Alignment does not matter.
#ifndef WHORL_BASE_PAIRS_H
#define WHORL_BASE_PAIRS_H

#include <stddef.h>

struct base_pair {
    float high, low;
};
struct base_pair base_pair_of(double value);
double base_pair_value(struct base_pair pair); // keeps the sign of a zero

void base_split_doubles(const void *doubles, size_t count, void *out_pairs);
void base_join_doubles(const void *pairs, size_t count, void *out_doubles);

#endif
