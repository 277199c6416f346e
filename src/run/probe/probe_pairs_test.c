// The probe of pairs of floats: devices here pass it, and a compiler that reorders sums would not.
#include "probe_pairs.c"

#include <stdlib.h>

#include "check.h"

static char text[PAIRS_TEXT];

static void make_text(const char *functions) {
    int used = snprintf(text, sizeof text, "%s", functions);
    run_probe_part(text + used, sizeof text - (size_t)used, "pairs.wgsl", "", 0);
}

static const char *prelude(void) { return base_embedded_find(wgsl_preludes, wgsl_preludes_count, "pair.wgsl")->text; }

static struct whorl_device *open_gpu(void) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_error err;
    whorl_device *device;
    options.select = "gpu";
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("no GPU");
    return device;
}

TEST(the_device_here_is_exact) {
    struct whorl_error err;
    struct whorl_device *device = open_gpu();
    CHECK(run_probe_pairs(device, &err) == WHORL_OK && device->pairs_right);
    whorl_device_destroy(device);
}

// What a compiler would make of the functions if it took a + b - a for b, and a * b - (a * b) for nothing.
TEST(cancelled_errors_are_seen) {
    struct whorl_error err;
    struct whorl_device *device = open_gpu();
    uint32_t wrong = 0;
    make_text("fn whorl_hold(x: f32, zero: u32) -> f32 { return x; }\n"
              "fn whorl_sum_error(a: f32, b: f32, sum: f32, zero: u32) -> f32 { return 0.0; }\n"
              "fn whorl_product_error(a: f32, b: f32, product: f32, zero: u32) -> f32 { return 0.0; }\n");
    CHECK(run_text(device, text, &wrong, &err) == WHORL_OK);
    CHECK(wrong > PAIRS / 2);
    CHECK(refuse(wrong, &err) == WHORL_DEVICE);
    CHECK_HAS_STR("--device cpu", err.message);
    make_text(prelude());
    CHECK(run_text(device, text, &wrong, &err) == WHORL_OK && wrong == 0);
    whorl_device_destroy(device);
}

TEST(one_wrong_bit_is_seen) {
    static float asked[PAIRS][4], got[PAIRS][4];
    ask(asked);
    for (int i = 0; i < PAIRS; i++) {
        float a = asked[i][0], b = asked[i][1], sum = a + b, product = a * b;
        float of_b = sum - a;
        got[i][0] = sum;
        got[i][1] = (a - (sum - of_b)) + (b - of_b);
        got[i][2] = product;
        got[i][3] = (float)((double)a * (double)b - (double)product);
    }
    CHECK_EQ_INT(0, judge(asked, got));
    for (int k = 0; k < 4; k++) {
        float kept = got[k * 7][k];
        got[k * 7][k] = nextafterf(kept, 1e9f);
        CHECK_EQ_INT(1, judge(asked, got));
        got[k * 7][k] = kept;
    }
}
