// cli/math_judge.c and math_functions.c: what is right, what is wrong, what is left open, each at its edge.
#include "../../cli/math_functions.c"
#include "../../cli/math_judge.c"

#include <stdlib.h>

#include "check.h"

static const struct math_function *function(const char *name) {
    for (size_t i = 0; i < math_function_count; i++)
        if (strcmp(math_functions[i].name, name) == 0) return &math_functions[i];
    return NULL;
}
static struct math_verdict judge(const char *name, float x, float y, float got) {
    const float args[MATH_MOST_ARITY] = {x, y};
    return math_judge(function(name), args, got);
}
static bool wrong(const char *name, float x, float y, float got) { return judge(name, x, y, got).wrong; }
static double ulp(const char *name, float x, float y, float got) { return judge(name, x, y, got).ulp; }

TEST(distance_in_ulp) {
    float e = (float)exp(1.0);
    CHECK(ulp("expf", 1, 0, e) <= 0.5);
    CHECK(ulp("expf", 1, 0, nextafterf(e, 9)) > 0.5 && ulp("expf", 1, 0, nextafterf(e, 9)) < 1.5);
    CHECK(ulp("fabsf", -1, 0, nextafterf(1, 2)) == 1);
    CHECK(ulp("fabsf", -1, 0, nextafterf(1, 0)) == 0.5); // half a unit below a power of two
    CHECK(ulp("expf", 89, 0, INFINITY) == 0);
    CHECK(ulp("expf", 89, 0, 3.40282347e38f) == 1); // the largest float instead of infinity is one off
    CHECK(ulp("expf", 1, 0, 0) > 1e6);
    CHECK(ulp("fabsf", 1, 0, INFINITY) > 1e6);
}

TEST(kinds) {
    CHECK(wrong("expf", NAN, 0, 1) && wrong("expf", 1, 0, NAN) && !wrong("expf", NAN, 0, NAN));
    CHECK(wrong("sinf", -0.0f, 0, 0.0f) && !wrong("sinf", -0.0f, 0, -0.0f));
    CHECK(wrong("logf", 0, 0, INFINITY) && wrong("logf", 0, 0, -3.4e38f) && !wrong("logf", 0, 0, -INFINITY));
    CHECK(wrong("logf", 1, 0, 1e-7f) && wrong("logf", -1, 0, 0));
    CHECK(!wrong("fminf", 0.0f, -0.0f, 0.0f) && !wrong("fminf", 0.0f, -0.0f, -0.0f)); // C leaves it open
    CHECK(wrong("atan2f", 0, 1, -0.0f) && ulp("atan2f", 0, -1, -3.14159265f) > 1e6);
}

TEST(subnormals_may_count_as_zero) {
    CHECK(judge("fabsf", -1e-40f, 0, 0).flushed && !wrong("fabsf", -1e-40f, 0, 0));
    CHECK(ulp("fabsf", -1e-40f, 0, 1e-40f) == 0);
    CHECK(wrong("fabsf", -1e-40f, 0, -0.0f));
    CHECK(!wrong("logf", 1e-40f, 0, -INFINITY) && judge("logf", 1e-40f, 0, -INFINITY).flushed);
    CHECK(ulp("logf", 1e-40f, 0, (float)log((double)1e-40f)) <= 0.5);
    CHECK(!wrong("fminf", 0, 1e-45f, 1e-45f)); // both are zero
    CHECK(ulp("fabsf", 1.2e-38f, 0, 0) > 1e6); // normal: may not
    CHECK(ulp("logf", 1.2e-38f, 0, -INFINITY) > 1e6);
}

TEST(left_open) {
    CHECK(!judge("lroundf", 3e9f, 0, 5).judged && !judge("lroundf", NAN, 0, 5).judged);
    CHECK(judge("lroundf", -2.5f, 0, -3).judged && ulp("lroundf", -2.5f, 0, -3) == 0 &&
          ulp("lrintf", -2.5f, 0, -2) == 0);
    CHECK(!judge("x / y", 1, 1e-39f, 0).judged && !judge("x / y", 1, 0, 0).judged && judge("x / y", 1, 3, 0).judged);
    const float product[] = {1.00000012f, 1.00000012f, -1.00000024f};
    CHECK(math_judge(function("fmaf"), product, 0x1p-46f).ulp == 0); // fused
    CHECK(math_judge(function("fmaf"), product, 0.0f).ulp == 0);     // two roundings
    CHECK(math_judge(function("fmaf"), product, 0x1p-40f).ulp > 1);
}

TEST(arguments_cover_the_floats) {
    float *args[MATH_MOST_ARITY];
    for (int k = 0; k < MATH_MOST_ARITY; k++)
        args[k] = calloc(MATH_MOST_ARGUMENTS, sizeof(float));
    for (size_t i = 0; i < math_function_count; i++) {
        size_t even, n = math_arguments(&math_functions[i], args, &even);
        CHECK(n > MATH_SWEEP && n <= MATH_MOST_ARGUMENTS && even == n - MATH_SWEEP / 2);
        bool seen[512] = {false};
        for (size_t j = 0; j < n; j++) {
            uint32_t bits;
            memcpy(&bits, &args[0][j], sizeof bits);
            seen[bits >> 23] = true;
        }
        for (int e = 0; e < 512; e++)
            if (!seen[e]) FAIL("%s is asked nothing with sign and exponent %d", math_functions[i].name, e);
    }
    for (int k = 0; k < MATH_MOST_ARITY; k++)
        free(args[k]);
}
