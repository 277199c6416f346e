// Do two strategies agree where they must (plan_array.exact)? What is said where they do not.
#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "run/api/api.h"

static void place_words(const struct run_scalars *v, const struct plan_array *a, size_t i, char *out, size_t size) {
    int64_t dims[PLAN_MAX_DIMS], at[PLAN_MAX_DIMS];
    int used = snprintf(out, size, "%.24s", a->name);
    for (uint32_t d = a->ndims; d-- > 0;) {
        if (!plan_eval(v->plan, a->dims[d], v->values, &dims[d]) || dims[d] < 1) dims[d] = 1;
        at[d] = (int64_t)(i % (size_t)dims[d]);
        i /= (size_t)dims[d];
    }
    for (uint32_t d = 0; d < a->ndims && (size_t)used < size; d++)
        used += snprintf(out + used, size - (size_t)used, "[%lld]", (long long)at[d]);
}

bool run_agree(const struct run_scalars *v, const struct plan_array *a, const struct run_view views[2],
               size_t size_bytes, char out[RUN_DISAGREEMENT]) {
    const unsigned char *one = views[0].data, *other = views[1].data;
    if (memcmp(one, other, size_bytes) == 0) return true;
    size_t size = whorl_dtype_size(a->dtype), i = 0;
    while (memcmp(one + i * size, other + i * size, size) == 0)
        i++;
    char place[60];
    place_words(v, a, i, place, sizeof place);
    snprintf(out, RUN_DISAGREEMENT,
             "strategies disagree on integers: %s is %lld in %s, %lld in %s. That is a mistake of whorl (please report "
             "it) or a race of the program (`whorl run --race`); steps is taken",
             place, (long long)base_dtype_number(a->dtype, one, i), views[0].name,
             (long long)base_dtype_number(a->dtype, other, i), views[1].name);
    return false;
}
