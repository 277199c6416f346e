// Doubles as pairs of floats.
#include "base/pairs.h"

#include <math.h>
#include <string.h>

struct base_pair base_pair_of(double value) {
    float high = (float)value;
    return (struct base_pair){high, isfinite(high) ? (float)(value - (double)high) : 0.0f};
}

double base_pair_value(struct base_pair pair) {
    return pair.low == 0.0f || !isfinite(pair.high) ? (double)pair.high : (double)pair.high + (double)pair.low;
}

void base_split_doubles(const void *doubles, size_t count, void *out_pairs) {
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, (const unsigned char *)doubles + 8 * i, 8);
        struct base_pair pair = base_pair_of(value);
        memcpy((unsigned char *)out_pairs + 8 * i, &pair, 8);
    }
}

void base_join_doubles(const void *pairs, size_t count, void *out_doubles) {
    for (size_t i = 0; i < count; i++) {
        struct base_pair pair;
        memcpy(&pair, (const unsigned char *)pairs + 8 * i, 8);
        double value = base_pair_value(pair);
        memcpy((unsigned char *)out_doubles + 8 * i, &value, 8);
    }
}
