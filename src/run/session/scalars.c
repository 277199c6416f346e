// The values of a plan's scalars, from those of the compile and the caller's.
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "base/pairs.h"
#include "run/session/session.h"

static bool to_bits(enum whorl_dtype dtype, double value, int64_t *out) {
    if (dtype == WHORL_F32) {
        if (isfinite(value) && isinf((float)value)) return false;
        *out = (int64_t)base_float_bits((float)value);
        return true;
    }
    if (base_dtype_is_long(dtype)) {
        bool is_signed = dtype == WHORL_I64;
        if (!(value >= (is_signed ? -0x1p63 : 0) && value < (is_signed ? 0x1p63 : 0x1p64)) || value != floor(value))
            return false;
        *out = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
        return true;
    }
    double low = dtype == WHORL_I32 ? INT32_MIN : 0, high = dtype == WHORL_I32 ? INT32_MAX : UINT32_MAX;
    if (!(value >= low && value <= high) || value != floor(value)) return false;
    *out = (int64_t)value;
    return true;
}

enum whorl_status run_take_scalars(const struct plan *plan, const struct whorl_scalar *scalars, size_t count,
                                   int64_t *values, struct whorl_error *err) {
    for (uint32_t i = 0; i < plan->scalar_count; i++) {
        const struct plan_scalar *s = &plan->scalars[i];
        values[i] = s->dtype == WHORL_I32 ? (int64_t)(int32_t)s->bits : (int64_t)s->bits;
        if (base_dtype_is_long(s->dtype)) values[i] = (int64_t)((uint64_t)s->high << 32 | s->bits);
    }
    for (size_t c = 0; c < count; c++) {
        uint32_t i = 0;
        while (i < plan->scalar_count &&
               (!plan->scalars[i].is_param || strcmp(plan->scalars[i].name, scalars[c].name) != 0))
            i++;
        if (i == plan->scalar_count)
            return base_set_error(err, WHORL_INVALID, "run", "'%s' is no scalar parameter of %s", scalars[c].name,
                                  plan->entry);
        const struct plan_scalar *s = &plan->scalars[i];
        int64_t value;
        if (s->dtype == WHORL_F64) { // compiled in
            struct base_pair given = base_pair_of(scalars[c].value);
            if (base_float_bits(given.high) != s->bits || base_float_bits(given.low) != s->low)
                return base_set_error(err, WHORL_INVALID, "run",
                                      "the program was compiled for another value of the double '%s'; compile it again",
                                      s->name);
            continue;
        }
        if (!to_bits(s->dtype, scalars[c].value, &value))
            return base_set_error(err, WHORL_INVALID, "run", "%g is no value for '%s' (%s)", scalars[c].value, s->name,
                                  whorl_dtype_name(s->dtype));
        if (s->kind == PLAN_SPECIALISED && value != values[i])
            return base_set_error(
                err, WHORL_INVALID, "run",
                "the program was compiled for another value of '%s'; compile it again, or keep it uniform", s->name);
        values[i] = value;
    }
    return WHORL_OK;
}
