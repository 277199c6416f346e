// Doubles of the program as the device has them: floats, or pairs of floats (docs/double.md). One that the device did
// not change keeps all of its digits.
//
// A pair has a float's exponents. What is beyond them is often there and never used: DBL_MAX that a search begins with,
// memory that nobody has set before the region. So it goes along as an infinity, or as no number, whose low half tells
// it from others. No arithmetic makes such pairs: one that comes back was not touched, and one that was used is noticed
// in what it made.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "base/pairs.h"
#include "offload/offload.h"

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Floats that are neither 0 nor infinite, in the order of the marks, which are below 2^30.
static float mark(uint64_t number) { return base_bits_float(0x00800000u + (uint32_t)(number & 0x3fffffff)); }

// Comparisons go on to the low halves where the high ones are infinite: the larger number has the larger one.
static struct base_pair large(double value, float infinity) {
    float low = mark((bits_of(fabs(value)) - bits_of((double)FLT_MAX)) >> 32);
    return (struct base_pair){infinity, value < 0 ? -low : low};
}

// False: it is a number below a float's that a region reads. Pointers and integers, read as doubles, are mostly below
// DBL_MIN.
static bool pair_of(double value, bool may_be_unset, struct base_pair *out) {
    double size = fabs(value);
    *out = base_pair_of(value);
    if (size >= (double)FLT_MIN && isfinite(value)) {
        if (isinf(out->high)) *out = large(value, out->high);
        return true;
    }
    if (size == 0 || !isfinite(value)) return true;
    uint64_t bits = bits_of(value);
    *out = (struct base_pair){NAN, mark(bits ^ bits >> 30)};
    return may_be_unset || size < DBL_MIN;
}

size_t offload_convert(enum offload_form form, bool may_be_unset, void *to, const double *from, size_t count) {
    float *floats = to;
    struct base_pair *pairs = to;
    for (size_t k = 0; k < count; k++) {
        if (form == OFFLOAD_FLOATS)
            floats[k] = (float)from[k];
        else if (!pair_of(from[k], may_be_unset, &pairs[k]))
            return k;
    }
    return count;
}

static double value_of(enum offload_form form, const void *from, size_t k) {
    if (form == OFFLOAD_FLOATS) return (double)((const float *)from)[k];
    return base_pair_value(((const struct base_pair *)from)[k]);
}

void offload_update(enum offload_form form, double *to, const void *from, const void *sent, size_t count) {
    size_t each = offload_element_bytes(form);
    for (size_t k = 0; k < count; k++)
        if (memcmp((const char *)from + k * each, (const char *)sent + k * each, each) != 0)
            to[k] = value_of(form, from, k);
}

bool offload_is_same(enum offload_form form, double value, const void *from, size_t k) {
    struct base_pair was;
    size_t each = offload_element_bytes(form);
    return offload_convert(form, true, &was, &value, 1) == 1 && memcmp(&was, (const char *)from + k * each, each) == 0;
}

void offload_update_own(enum offload_form form, double *to, const void *from, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!offload_is_same(form, to[k], from, k)) to[k] = value_of(form, from, k);
}

size_t offload_left_range(const void *results, const void *sent, size_t count) {
    const struct base_pair *now = results, *was = sent;
    for (size_t k = 0; k < count; k++)
        if (!isfinite(now[k].high) && memcmp(&now[k], &was[k], sizeof *now) != 0) return k;
    return count;
}

bool offload_are_plain(const double *values, size_t count) {
    for (size_t k = 0; k < count; k++) {
        double size = fabs(values[k]);
        if (!(size == 0 || (size >= (double)FLT_MIN && size <= (double)FLT_MAX))) return false;
    }
    return true;
}
