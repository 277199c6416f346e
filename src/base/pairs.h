// Doubles as pairs of floats (-fdouble=pair): the nearest float, and what is left of the number as a float. A number
// beyond the floats is infinite, one below them is 0. Alignment does not matter.
#ifndef WHORL_BASE_PAIRS_H
#define WHORL_BASE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

struct base_pair {
    float high, low;
};
struct base_pair base_pair_of(double value);
double base_pair_value(struct base_pair pair); // keeps the sign of a zero

void base_split_doubles(const void *doubles, size_t count, void *out_pairs);
void base_join_doubles(const void *pairs, size_t count, void *out_doubles);

// Where doubles are among the 32-bit words of an array: everywhere (no runs), or in each row of `row_words` words where
// the runs say: the first word of some doubles side by side, which is an even one, how many doubles they are, and so
// on. All other words are the same on both sides.
struct base_pair_rows {
    uint64_t row_words;
    const uint32_t *runs;
    uint32_t run_count;
};
// Words `at` to at + words of the array, both even. In place, if `to` is `from`.
void base_split_rows(const struct base_pair_rows *rows, uint64_t at, const void *from, size_t words, void *to);
void base_join_rows(const struct base_pair_rows *rows, uint64_t at, const void *from, size_t words, void *to);

#endif
