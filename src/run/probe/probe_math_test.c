// The probe's judge of WGSL's functions: what it asks, and that it sees what is wrong.
#include "probe_math.c"

#include <stdlib.h>

#include "check.h"

static struct whorl_builtin found[WHORL_BUILTINS];

// Results of a device that rounds correctly.
static float (*perfect(void))[4] {
    float(*data)[4] = calloc(WHORL_BUILTINS * POINTS, sizeof *data);
    for (uint32_t i = 0; i < WHORL_BUILTINS * POINTS; i++) {
        const struct builtin *b = &builtins[i / POINTS];
        double x = data[i][0] = point(b, 0, i % POINTS), y = data[i][1] = b->two ? point(b, 1, i % POINTS) : 0;
        data[i][2] = (float)(b->one ? b->one(x) : b->two(x, y));
    }
    return data;
}

TEST(correct_rounding_is_half_a_unit_everywhere) {
    float(*data)[4] = perfect();
    judge(data, found);
    for (uint32_t f = 0; f < WHORL_BUILTINS; f++)
        if (found[f].worst_ulp > 0.5 || found[f].wrong)
            FAIL("%s: %g ulp, %u wrong", found[f].name, found[f].worst_ulp, found[f].wrong);
    free(data);
}

TEST(one_bad_result_is_seen) {
    float(*data)[4] = perfect();
    for (uint32_t f = 0; f < WHORL_BUILTINS; f++) {
        float *got = &data[f * POINTS + f * 17 + 5][2];
        *got = f % 3 == 0 ? NAN : f % 3 == 1 ? INFINITY : nextafterf(nextafterf(nextafterf(*got, 1e9f), 1e9f), 1e9f);
    }
    judge(data, found);
    for (uint32_t f = 0; f < WHORL_BUILTINS; f++)
        CHECK(f % 3 < 2 ? found[f].wrong == 1 : found[f].wrong == 0 && found[f].worst_ulp > 2);
    free(data);
}

TEST(distances) {
    CHECK(distance(1, 1) == 0 && distance(1, 1 + 0x1p-23f) == 1 && distance(0x1.8p5, 0x1.8p5f - 0x1p-18f) == 1);
    CHECK(distance(0, 0) == 0 && distance(0, 1) == 0x1p24 && distance(1, -1) == 0x1p24);
    CHECK(distance(1, NAN) < 0 && distance(1, INFINITY) < 0);
}

TEST(ties_are_among_the_points) {
    int ties = 0;
    for (uint32_t k = 0; k < POINTS; k++) {
        double x = (double)point(&builtins[5], 0, k);
        ties += fabs(x - trunc(x)) == 0.5;
    }
    CHECK_EQ_STR("round", builtins[5].name);
    CHECK_EQ_INT(POINTS / 2, ties);
}
