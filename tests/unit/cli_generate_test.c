// cli/generate.c: the grammar, and that the elements are those that its header promises.
#include "../../cli/generate.c"
#include "../../cli/scalar_sum.c"

#include "check.h"

static struct whorl_error err;
static struct generator g;

static const struct whorl_scalar scalars[] = {{"n", 12}, {"rate", 0.25}, {"lowest", -3}};

static enum whorl_status parse(const char *text) { return generator_parse("x", text, scalars, 3, &g, &err); }

static void fill(const char *text, enum whorl_dtype dtype, size_t count, void *out) {
    CHECK_EQ_INT(WHORL_OK, parse(text));
    enum whorl_status status = generator_fill("x", &g, dtype, count, out, &err);
    if (status != WHORL_OK) FAIL("%s: %s", text, err.message);
}

static void refuse(const char *text, enum whorl_dtype dtype, size_t count, const char *why) {
    static unsigned char out[4096];
    CHECK_EQ_INT(WHORL_OK, parse(text));
    CHECK_EQ_INT(WHORL_INVALID, generator_fill("x", &g, dtype, count, out, &err));
    CHECK_HAS_STR(why, err.message);
}

TEST(sizes) {
    CHECK_EQ_INT(WHORL_OK, parse("normal:4096,seed=1"));
    CHECK_EQ_INT(1, g.ndims);
    CHECK_EQ_INT(4096, g.dims[0]);
    CHECK_EQ_INT(1, g.seed);
    CHECK_EQ_INT(WHORL_OK, parse("uniform:64x163,lo=-2,hi=3"));
    CHECK_EQ_INT(2, g.ndims);
    CHECK_EQ_INT(163, g.dims[1]);
    CHECK_EQ_INT(WHORL_OK, parse("const:0.5,2x3x4"));
    CHECK_EQ_INT(3, g.ndims);
    CHECK_EQ_INT(WHORL_OK, parse("zeros:7"));
    CHECK_EQ_INT(7, g.dims[0]);
    CHECK_EQ_INT(WHORL_OK, parse("arange"));
    CHECK_EQ_INT(0, g.ndims);
}

TEST(numbers_by_scalars) {
    CHECK_EQ_INT(WHORL_OK, parse("uniform:lo=lowest,hi=2*n-1,seed=n"));
    CHECK(g.lo == -3);
    CHECK(g.hi == 23);
    CHECK_EQ_INT(12, g.seed);
    CHECK_EQ_INT(WHORL_OK, parse("normal:mean=-n+rate*4,sd=rate"));
    CHECK(g.mean == -11);
    CHECK(g.sd == 0.25);
    CHECK_EQ_INT(WHORL_OK, parse("const:-1e-3-n,n*3"));
    CHECK(g.value == -12.001);
    CHECK_EQ_INT(1, g.ndims);
    CHECK_EQ_INT(36, g.dims[0]);
    CHECK_EQ_INT(WHORL_OK, parse("const:-inf"));
    CHECK_EQ_INT(WHORL_INVALID, parse("uniform:lo=0,hi=m"));
    CHECK_HAS_STR("-i x: cannot read `hi=m`: `m` is no scalar parameter; those are n, rate, lowest", err.message);
    CHECK_EQ_INT(WHORL_INVALID, generator_parse("x", "const:n", NULL, 0, &g, &err));
    CHECK_HAS_STR("`n` is no scalar parameter; the program has none", err.message);
    static const char *const bad[] = {"uniform:hi=n+",  "uniform:hi=n*",    "uniform:hi=2n",
                                      "uniform:hi=n/2", "normal:seed=rate", "normal:seed=-n",
                                      "zeros:rate",     "zeros:lowest",     "zeros:nx"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i]) != WHORL_INVALID) FAIL("`%s` was accepted", bad[i]);
}

TEST(nonsense) {
    static const char *const bad[] = {"random",
                                      "normal:seed=",
                                      "normal:seed=-1",
                                      "normal:lo=0",
                                      "uniform:mean=1",
                                      "uniform:lo=x",
                                      "const",
                                      "const:",
                                      "const:a",
                                      "zeros:4x",
                                      "zeros:x4",
                                      "zeros:1,2",
                                      "zeros:-4",
                                      "normal:sd=-1",
                                      "uniform:hi=nan",
                                      "uniform:lo=2",
                                      "normal:seed=99999999999999999999",
                                      "zeros:1x1x1x1x1x1x1x1x1",
                                      "normal,seed=1 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (parse(bad[i]) != WHORL_INVALID) FAIL("`%s` was accepted", bad[i]);
    CHECK_EQ_INT(WHORL_INVALID, parse("gaussian:seed=1"));
    CHECK_HAS_STR("zeros, const:V, arange, uniform:lo=,hi=,seed=, normal:mean=,sd=,seed=", err.message);
}

TEST(uniform_is_what_the_header_says) {
    static float x[1000];
    fill("uniform:lo=-5.12,hi=5.12,seed=7", WHORL_F32, 1000, x);
    for (uint32_t i = 0; i < 1000; i++) {
        double u = (double)(philox4x32(i, 0, 0, 0, 7, 0).x >> 8) * 0x1p-24;
        if (x[i] != (float)(-5.12 + (5.12 - -5.12) * u)) FAIL("element %u", i);
    }
}

TEST(normal_is_what_the_header_says) {
    static float x[1000];
    fill("normal:mean=2,sd=3,seed=4294967297", WHORL_F32, 1000, x); // a seed of two words
    for (uint32_t i = 0; i < 1000; i++)
        if (x[i] != (float)(2.0 + 3.0 * (double)philox_normal01(philox4x32(i, 0, 0, 0, 1, 1).x))) FAIL("element %u", i);
}

TEST(integers_stay_in_their_range) {
    static uint8_t bytes[4096];
    int seen[8] = {0};
    fill("uniform:lo=0,hi=8,seed=3", WHORL_U8, 4096, bytes);
    for (int i = 0; i < 4096; i++) {
        CHECK(bytes[i] < 8);
        seen[bytes[i]]++;
    }
    for (int k = 0; k < 8; k++)
        CHECK(seen[k] > 400 && seen[k] < 624); // 512 expected, 5 standard deviations
    static int32_t all[256];
    fill("uniform:lo=-2147483648,hi=2147483648,seed=1", WHORL_I32, 256, all);
    CHECK_EQ_INT((int64_t)philox4x32(9, 0, 0, 0, 1, 0).x - 2147483648, all[9]);
    static int32_t ramp[5];
    fill("arange", WHORL_I32, 5, ramp);
    CHECK_EQ_INT(4, ramp[4]);
}

// 0.99999994 * 1 + 16777216 rounds to 16777217, which float cannot hold: it must not become hi.
TEST(rounding_never_reaches_hi) {
    static float x[4096];
    fill("uniform:lo=16777214,hi=16777216,seed=1", WHORL_F32, 4096, x);
    for (int i = 0; i < 4096; i++)
        CHECK(x[i] < 16777216.0f && x[i] >= 16777214.0f);
    static uint16_t halves[4096];
    fill("uniform:lo=-1,hi=1,seed=1", WHORL_F16, 4096, halves);
    for (int i = 0; i < 4096; i++)
        CHECK(base_f16_to_f32(halves[i]) < 1.0f && base_f16_to_f32(halves[i]) >= -1.0f);
}

TEST(what_a_type_cannot_hold) {
    refuse("const:300", WHORL_U8, 4, "0 to 255");
    refuse("const:-1", WHORL_U32, 4, "u32");
    refuse("const:0.5", WHORL_I32, 4, "i32");
    refuse("arange", WHORL_I8, 200, "i8");
    refuse("uniform:seed=1", WHORL_I32, 4, "in which range");
    refuse("uniform:lo=0,hi=257", WHORL_U8, 4, "0 to 255");
    refuse("normal:seed=1", WHORL_I32, 4, "normal makes floats");
    refuse("const:70000", WHORL_F16, 4, "f16");
}

TEST(the_same_text_the_same_bits) {
    static float a[64], b[64];
    fill("normal:seed=5", WHORL_F32, 64, a);
    fill("normal:seed=5", WHORL_F32, 64, b);
    CHECK(memcmp(a, b, sizeof a) == 0);
    fill("normal:seed=6", WHORL_F32, 64, b);
    CHECK(memcmp(a, b, sizeof a) != 0);
}
