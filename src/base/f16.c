// Half floats by integer arithmetic, so that every host gives the same bits, and the bits of a float.
#include <string.h>

#include "base/base.h"

uint32_t base_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float base_bits_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float base_f16_to_f32(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, exponent = (half >> 10) & 31u, fraction = half & 0x3ffu;
    if (exponent == 31) // infinity, NaN with its payload
        return base_bits_float(sign | 0x7f800000u | fraction << 13);
    if (exponent) return base_bits_float(sign | (exponent + 112) << 23 | fraction << 13);
    float magnitude = (float)fraction * 0x1p-24f; // zero and subnormals; exact
    return base_bits_float(sign | base_float_bits(magnitude));
}

uint16_t base_f32_to_f16(float value) {
    uint32_t bits = base_float_bits(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) // a NaN stays one: the quiet bit is set, the payload's high bits are kept
        return (uint16_t)(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
    if (magnitude >= 0x47800000u) // 2^16 and above, infinity
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude < 0x33000000u) // below half of the smallest subnormal, 2^-25
        return (uint16_t)sign;
    uint32_t shift, fraction;
    if (magnitude < 0x38800000u) { // below 2^-14: the result is subnormal
        shift = 126 - (magnitude >> 23);
        fraction = (magnitude & 0x7fffffu) | 0x800000u;
    } else {
        shift = 13;
        fraction = magnitude - (112u << 23);
    }
    uint32_t result = fraction >> shift, rest = fraction & ((1u << shift) - 1), half = 1u << (shift - 1);
    if (rest > half || (rest == half && (result & 1)))
        result++; // a carry into the exponent is the right answer, up to infinity
    return (uint16_t)(sign | result);
}
