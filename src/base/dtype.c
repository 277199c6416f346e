// Element types and elements in memory.
#include "base/dtype.h"

#include <math.h>
#include <string.h>

#define X(name, text, bytes, carrier, round, npy, lowest, highest) \
    _Static_assert((int)BASE_DTYPE_OF_##name == (int)WHORL_##name, "the table's order is that of enum whorl_dtype");
#include "base/dtype.def"
#undef X

static const struct base_dtype_info infos[] = {
#define X(name, text, bytes, carrier, round, npy, lowest, highest) {text, npy, bytes, WHORL_##carrier, lowest, highest},
#include "base/dtype.def"
#undef X
    {"?", "", 0, WHORL_I32, 0, 0},
};

const struct base_dtype_info *base_dtype(enum whorl_dtype dtype) {
    return &infos[(size_t)dtype < BASE_DTYPES ? (size_t)dtype : BASE_DTYPES];
}

size_t whorl_dtype_size(enum whorl_dtype dtype) { return base_dtype(dtype)->bytes; }

const char *whorl_dtype_name(enum whorl_dtype dtype) { return base_dtype(dtype)->name; }

bool base_dtype_is_float(enum whorl_dtype dtype) { return base_dtype(dtype)->carrier == WHORL_F32; }

bool base_dtype_is_long(enum whorl_dtype dtype) { return dtype == WHORL_I64 || dtype == WHORL_U64; }

uint64_t base_dtype_long(const void *array, size_t at) {
    uint64_t value;
    memcpy(&value, (const unsigned char *)array + 8 * at, 8);
    return value;
}

static double double_at(const unsigned char *from) {
    double value;
    memcpy(&value, from, 8);
    return value;
}

uint32_t base_dtype_load(enum whorl_dtype dtype, const void *array, size_t at) {
    size_t bytes = base_dtype(dtype)->bytes;
    const unsigned char *from = (const unsigned char *)array + at * bytes;
    uint32_t word = 0;
    uint16_t half = 0;
    if (bytes == 4 || base_dtype_is_long(dtype)) memcpy(&word, from, 4); // the low one comes first
    if (bytes == 2) memcpy(&half, from, 2);
    switch (dtype) {
    case WHORL_F64: return base_float_bits((float)double_at(from));
    case WHORL_F16: return base_float_bits(base_f16_to_f32(half));
    case WHORL_I16: return (uint32_t)(int32_t)(int16_t)half;
    case WHORL_U16: return half;
    case WHORL_I8: return (uint32_t)(int32_t)(int8_t)*from;
    case WHORL_U8: return *from;
    case WHORL_BOOL: return *from != 0;
    default: return word;
    }
}

void base_dtype_store(enum whorl_dtype dtype, void *array, size_t at, uint32_t word) {
    size_t bytes = base_dtype(dtype)->bytes;
    unsigned char *to = (unsigned char *)array + at * bytes;
    uint16_t half = dtype == WHORL_F16 ? base_f32_to_f16(base_bits_float(word)) : (uint16_t)word;
    double wide = (double)base_bits_float(word);
    int64_t whole = dtype == WHORL_I64 ? (int64_t)(int32_t)word : (int64_t)word;
    if (dtype == WHORL_F64) memcpy(to, &wide, 8);
    if (base_dtype_is_long(dtype)) memcpy(to, &whole, 8);
    if (bytes == 4) memcpy(to, &word, 4);
    if (bytes == 2) memcpy(to, &half, 2);
    if (bytes == 1) *to = dtype == WHORL_BOOL ? word != 0 : (unsigned char)word;
}

double base_dtype_number(enum whorl_dtype dtype, const void *array, size_t at) {
    if ((size_t)dtype >= BASE_DTYPES) return NAN;
    if (dtype == WHORL_F64) return double_at((const unsigned char *)array + 8 * at);
    if (dtype == WHORL_I64) return (double)(int64_t)base_dtype_long(array, at);
    if (dtype == WHORL_U64) return (double)base_dtype_long(array, at);
    uint32_t word = base_dtype_load(dtype, array, at);
    switch (base_dtype(dtype)->carrier) {
    case WHORL_F32: return (double)base_bits_float(word);
    case WHORL_I32: return (int32_t)word;
    default: return word;
    }
}

float base_dtype_round(enum whorl_dtype dtype, float value) {
    uint32_t element = 0;
    if (!base_dtype_is_float(dtype) || dtype == WHORL_F64) return value;
    base_dtype_store(dtype, &element, 0, base_float_bits(value));
    return base_bits_float(base_dtype_load(dtype, &element, 0));
}
