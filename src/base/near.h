// When floats of the GPU count as the CPU's where nobody says how far they may be apart: `whorl run --check` without a
// `// check:` line, and `WHORL=check` of programs that `whorl cc` built. Sums are added in another order there and
// functions round differently, so that a value is off by a share of what it was made from: of its own magnitude, and,
// where it is what is left of larger ones, of the largest in its array.
#ifndef WHORL_BASE_NEAR_H
#define WHORL_BASE_NEAR_H

#include "base/base.h"

// How far `got` is from `want`, as a share of |want| + `largest` / 10. `largest`: the largest finite magnitude of the
// array as the CPU has it. 0 where both are NaN, the same infinity, or nearer than FLT_MIN, which devices may take for
// 0; infinite where one side alone is NaN or infinite.
double base_near_miss(double got, double want, double largest);
// The share that an element may miss: 1e-4; of f16, whose elements are 1e-3 of their value apart, 1e-3.
double base_near_bound(enum whorl_dtype dtype);

#endif
