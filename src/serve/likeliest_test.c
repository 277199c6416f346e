#include <math.h>

#include "check.h"
#include "serve/likeliest.h"

TEST(order) {
    const float logits[] = {1, 3, NAN, 2, 3, -INFINITY, 0.5f};
    struct likely_token out[4];
    CHECK_EQ_INT(4, likeliest_find(logits, 7, 4, out));
    const uint32_t ids[] = {1, 4, 3, 0};
    double whole = log(exp(1) + 2 * exp(3) + exp(2) + exp(0.5)), share = 0;
    for (int i = 0; i < 4; i++) {
        CHECK_EQ_INT(ids[i], out[i].id);
        CHECK(fabs(out[i].likely - (logits[ids[i]] - whole)) < 1e-6);
        share += exp(out[i].likely);
    }
    CHECK(share < 1 && share > 0.9);
    CHECK_EQ_INT(1, likeliest_find(logits, 7, 1, out));
    CHECK_EQ_INT(1, out[0].id);
    CHECK_EQ_INT(2, likeliest_find(logits, 3, 4, out)); // no more are numbers
    CHECK_EQ_INT(0, likeliest_find(&logits[2], 1, 4, out));
}
