// The functions of math.h that whorl measures on a device, what they are measured with, and how a result is judged.
#ifndef WHORL_CLI_MATH_JUDGE_H
#define WHORL_CLI_MATH_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MATH_MOST_ARITY = 3 };

// What is particular about a function's arguments or results; the rest is judged alike.
enum math_trait {
    MATH_PLAIN = 0,
    MATH_ANY_ZERO = 1,     // C leaves open which of -0 and +0 it gives
    MATH_TO_INT = 2,       // defined where the result fits an int
    MATH_WHOLE_SECOND = 4, // the second argument is an int
    MATH_POWER = 8,        // the second argument is also drawn so that x^y is in range
    MATH_EITHER_FMA = 16,  // one rounding or two
    MATH_DIVISOR = 32,     // WGSL promises nothing for divisors below 2^-126 or above 2^126
    MATH_WGSL = 64,        // WGSL's own operation: what it does with NaN and infinity is the driver's
};

struct math_function {
    const char *name;       // "expf"
    const char *expression; // in terms of x[i], y[i], z[i]
    int arity;
    unsigned traits;        // of enum math_trait
    double low[2], high[2]; // where the function does its work: half of the arguments are spread evenly over it
    double bound_ulp;       // what docs/math.md promises of every device
    double (*reference)(const double *a);
};
// The one table: docs/math.md is checked against it.
extern const struct math_function math_functions[];
extern const size_t math_function_count;

enum { MATH_SWEEP = 1 << 18, MATH_MOST_SPECIALS = 4096, MATH_MOST_ARGUMENTS = MATH_SWEEP + MATH_MOST_SPECIALS };
// Arguments of the function, always the same ones: specials (for several arguments: pairs of them), then the whole
// range of floats by their bits, then the working range. args[k] has room for MATH_MOST_ARGUMENTS. Returns how many;
// *out_even is where the working range begins.
size_t math_arguments(const struct math_function *f, float *const args[MATH_MOST_ARITY], size_t *out_even);

// One result. `wrong` is what no bound excuses: NaN, infinity or zero where C has another, a zero or infinity of the
// other sign.
struct math_verdict {
    bool judged; // false: C or WGSL leaves the result open
    bool wrong;
    bool flushed; // a subnormal argument or result was taken for 0
    double ulp;   // distance to the exact value; 0.5 is correctly rounded
    double want;
};
struct math_verdict math_judge(const struct math_function *f, const float *args, float got);

#endif
