// Arrays made up on the spot: zeros, const:V, arange, uniform:lo=,hi=,seed=, normal:mean=,sd=,seed=, or the values
// themselves: 1,2,3. The numbers behind V and = may be said by the program's scalars: uniform:lo=0,hi=n.
//
// The same text always gives the same bits. Element i of uniform and normal takes the first word of the Philox 4x32-10
// block with counter (i mod 2^32, i div 2^32, 0, 0) and key (seed mod 2^32, seed div 2^32); programs/lib/philox.h has
// block and conversions.
//   uniform, floats    lo + (hi - lo) * u in double, u = (word >> 8) * 2^-24, rounded to the element's type and kept
//                      below hi
//   uniform, integers  lo + floor(word * (hi - lo) / 2^32), in [lo, hi)
//   normal             mean + sd * z in double, z the inverse normal distribution of the word, rounded to the element's
//                      type
#ifndef WHORL_CLI_GENERATE_H
#define WHORL_CLI_GENERATE_H

#include "npy.h"

enum generator_kind {
    GENERATE_ZEROS,
    GENERATE_CONST,
    GENERATE_ARANGE,
    GENERATE_UNIFORM,
    GENERATE_NORMAL,
    GENERATE_LIST
};

struct generator {
    enum generator_kind kind;
    bool has_lo, has_hi;
    double value, lo, hi, mean, sd;
    uint64_t seed;
    const char *list; // LIST: the text, which says dims[0] numbers
    uint32_t ndims;   // 0: no size was given
    uint64_t dims[NPY_MAX_DIMS];
};

// Is `text` meant as a generator, whether it is right or not?
bool generator_is(const char *text);
// Reads the text behind NAME=. `name` is for messages. Its numbers may be sums of products of the scalars (scalar_sum.h).
enum whorl_status generator_parse(const char *name, const char *text, const struct whorl_scalar *scalars,
                                  size_t scalar_count, struct generator *out, struct whorl_error *err);
// Fills `count` elements; refuses what the type cannot hold.
enum whorl_status generator_fill(const char *name, const struct generator *g, enum whorl_dtype dtype, size_t count,
                                 void *out_data, struct whorl_error *err);

#endif
