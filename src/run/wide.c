// Elements of small types as words, for arrays that kernels write: neighbours in one word could lose each other's
// writes. A word holds the scalar that the language computes with: i32, u32's bits, or f32 for f16.
#include <string.h>

#include "run/session.h"

static uint32_t widened(enum whorl_dtype dtype, const unsigned char *from) {
    uint16_t half = 0;
    if (whorl_dtype_size(dtype) == 2) memcpy(&half, from, 2);
    switch (dtype) {
    case WHORL_F16: return base_float_bits(base_f16_to_f32(half));
    case WHORL_I16: return (uint32_t)(int32_t)(int16_t)half;
    case WHORL_U16: return half;
    case WHORL_I8: return (uint32_t)(int32_t)(int8_t)*from;
    case WHORL_BOOL: return *from != 0;
    default: return *from;
    }
}

void run_widen(enum whorl_dtype dtype, const void *from, size_t count, uint32_t *out) {
    size_t size = whorl_dtype_size(dtype);
    for (size_t i = 0; i < count; i++)
        out[i] = widened(dtype, (const unsigned char *)from + i * size);
}

void run_narrow(enum whorl_dtype dtype, const uint32_t *from, size_t count, void *out) {
    size_t size = whorl_dtype_size(dtype);
    for (size_t i = 0; i < count; i++) {
        unsigned char *to = (unsigned char *)out + i * size;
        uint16_t half = dtype == WHORL_F16 ? base_f32_to_f16(base_bits_float(from[i])) : (uint16_t)from[i];
        if (size == 2)
            memcpy(to, &half, 2);
        else
            *to = dtype == WHORL_BOOL ? from[i] != 0 : (unsigned char)from[i];
    }
}
