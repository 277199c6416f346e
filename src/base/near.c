#include <float.h>
#include <math.h>

#include "base/near.h"

static const double share = 1e-4, share_f16 = 1e-3, of_largest = 0.1;

double base_near_bound(enum whorl_dtype dtype) { return dtype == WHORL_F16 ? share_f16 : share; }

double base_near_miss(double got, double want, double largest) {
    if (got == want || (isnan(got) && isnan(want))) return 0;
    double apart = fabs(got - want);
    if (!isfinite(apart)) return INFINITY;
    return apart < (double)FLT_MIN ? 0 : apart / (fabs(want) + of_largest * largest); // apart > 0: want or got is not 0
}
