// Element types of arrays: the table of dtype.def, and elements in memory. Everything here takes any `dtype`, also one
// that does not exist.
#ifndef WHORL_BASE_DTYPE_H
#define WHORL_BASE_DTYPE_H

#include "base/base.h"

enum {
#define X(name, text, bytes, carrier, round, npy, lowest, highest) BASE_DTYPE_OF_##name,
#include "base/dtype.def"
#undef X
    BASE_DTYPES
};

struct base_dtype_info {
    const char *name, *npy;
    size_t bytes;
    enum whorl_dtype carrier; // F32, I32, U32 or BOOL
    double lowest, highest;   // finite values that an element can have
};
// Of a type that does not exist: a name of "?", no bytes.
const struct base_dtype_info *base_dtype(enum whorl_dtype dtype);
bool base_dtype_is_float(enum whorl_dtype dtype);
bool base_dtype_is_long(enum whorl_dtype dtype); // I64, U64

// The word that loading element `at` of an array gives, and the storing of one, which keeps its low bits or rounds.
uint32_t base_dtype_load(enum whorl_dtype dtype, const void *array, size_t at);
void base_dtype_store(enum whorl_dtype dtype, void *array, size_t at, uint32_t word);
// Of I64 and U64: all bits of an element.
uint64_t base_dtype_long(const void *array, size_t at);
// The number that an element is, of I64 and U64 the nearest double; of a type that does not exist NaN.
double base_dtype_number(enum whorl_dtype dtype, const void *array, size_t at);
// `value` as an element of a type of floats has it; others give it back.
float base_dtype_round(enum whorl_dtype dtype, float value);

#endif
