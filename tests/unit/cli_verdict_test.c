// cli/verdict.c: the rules, each with a pair that passes and one that just does not.
#include "../../cli/verdict.c"
#include "../../cli/verdict_words.c"

#include "check.h"

static struct whorl_error err;
static struct check_rule rule;
static struct check_verdict verdict;

static bool compare(const char *text, size_t count, const float *got, const float *want) {
    CHECK_EQ_INT(WHORL_OK, check_parse(text, &rule, &err));
    struct whorl_param param = {.dtype = WHORL_F32, .is_array = true, .is_output = true, .ndims = 1, .dims = {count}};
    CHECK(check_compare(&rule, &param, got, want, &verdict));
    return verdict.holds;
}

TEST(text) {
    CHECK_EQ_INT(WHORL_OK, check_parse("rel 1e-4", &rule, &err));
    CHECK_EQ_INT(CHECK_REL, rule.kind);
    CHECK_EQ_STR("", rule.array);
    CHECK_EQ_INT(WHORL_OK, check_parse(" wealth  rank >= 0.99 ", &rule, &err));
    CHECK_EQ_STR("wealth", rule.array);
    CHECK_EQ_INT(CHECK_RANK, rule.kind);
    CHECK_EQ_INT(WHORL_OK, check_parse("count exact", &rule, &err));
    CHECK_EQ_INT(WHORL_OK, check_parse("rank exact", &rule, &err)); // arrays that are called like rules
    CHECK_EQ_STR("rank", rule.array);
    CHECK_EQ_INT(CHECK_EXACT, rule.kind);
    CHECK_EQ_INT(WHORL_OK, check_parse("rel abs 1", &rule, &err));
    CHECK_EQ_STR("rel", rule.array);
    CHECK_EQ_INT(CHECK_ABS, rule.kind);
    static const char *const bad[] = {"",
                                      "rel",
                                      "rel x",
                                      "rel -1",
                                      "rank>0.9",
                                      "rank>=1.5",
                                      "rank 0.9",
                                      "exact 3",
                                      "y",
                                      "rel 1e-4 abs 2",
                                      "y z exact",
                                      "rel nan",
                                      "abs inf",
                                      "near",
                                      "near -1",
                                      "teacher",
                                      "y teacher",
                                      "exact except 5",
                                      "exact except 101%",
                                      "rank>=0.5 except 1%",
                                      "exact teacher except 1%",
                                      "y after=3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (check_parse(bad[i], &rule, &err) != WHORL_SOURCE) FAIL("`%s` was accepted", bad[i]);
    CHECK(!rule.teacher);
    CHECK_EQ_INT(WHORL_OK, check_parse("y abs 0.5 except 5% teacher", &rule, &err));
    CHECK_EQ_STR("y", rule.array);
    CHECK(rule.teacher);
    CHECK(rule.except == 0.05);
}

TEST(exact) {
    float a[] = {1, -0.0f, INFINITY}, b[] = {1, 0, INFINITY}, c[] = {1, 0x1p-149f, INFINITY};
    CHECK(compare("exact", 3, a, b));
    CHECK(!compare("exact", 3, a, c));
    CHECK_EQ_INT(1, verdict.first);
}

TEST(exceptions) {
    float want[] = {1, 2, 3, 4}, got[] = {1, 2, 9, 4};
    CHECK(!compare("exact except 24%", 4, got, want));
    CHECK(compare("exact except 25%", 4, got, want));
    CHECK_EQ_INT(1, verdict.differing);
}

TEST(absolute_and_relative) {
    float want[] = {100, 1e-3f}, got[] = {100.5f, 1.5e-3f};
    CHECK(compare("abs 0.5", 2, got, want));
    CHECK(!compare("abs 0.4", 2, got, want));
    CHECK_EQ_INT(1, verdict.differing);
    CHECK_EQ_INT(0, verdict.worst);
    CHECK(!compare("rel 0.01", 2, got, want));
    CHECK_EQ_INT(1, verdict.worst);
    CHECK(compare("rel 0.51", 2, got, want));
    float zero[] = {0}, tiny[] = {1e-30f};
    CHECK(!compare("rel 1", 1, tiny, zero)); // nothing is near zero, relatively
    CHECK(compare("rel 1", 1, zero, zero));
}

// What is left of larger values may be off by their rounding; a value that is far from both may not.
TEST(near_looks_at_the_largest_of_the_array) {
    float want[] = {100, 0, -3}, left[] = {100, 9e-4f, -3}, far[] = {100, 2e-3f, -3}, off[] = {100, 0, -3.002f};
    CHECK(!compare("rel 1e-4", 3, left, want));
    CHECK(compare("near 1e-4", 3, left, want));
    CHECK(!compare("near 1e-4", 3, far, want));
    CHECK_EQ_INT(1, verdict.worst);
    CHECK(!compare("near 1e-4", 3, off, want));
    CHECK_EQ_INT(2, verdict.worst);
    float infinite[] = {INFINITY, 1, 1}, same[] = {INFINITY, 1, 1.0001f}, other[] = {INFINITY, 1, 2};
    CHECK(compare("near 1e-4", 3, same, infinite)); // an infinity makes nothing near
    CHECK(!compare("near 1e-4", 3, other, infinite));
    CHECK(!compare("near 1e-4", 3, want, infinite));
    float zero[] = {0}, tiny[] = {1e-39f}, small[] = {1e-30f};
    CHECK(compare("near 1e-4", 1, tiny, zero));
    CHECK(!compare("near 1e-4", 1, small, zero));
}

// Whatever line is proposed accepts what was seen, and not much more.
TEST(the_line_that_would_accept) {
    static const struct {
        const char *rule;
        float got[4], want[4];
        const char *line;
    } cases[] = {
        {"near 1e-4", {1, 2, 3, 4.01f}, {1, 2, 3, 4}, "y near 0.0023"},
        {"rel 1e-6", {1e-9f, 2, 3, 4}, {0, 2, 3, 4}, "y near 2.5e-09"},
        {"abs 0.1", {1, 2, 3, 4.5f}, {1, 2, 3, 4}, "y abs 0.5"},
        {"exact teacher", {1, 2, 3, 7}, {1, 2, 3, 4}, "y abs 3 teacher"},
        {"rank>=0.9", {4, 2, 3, 1}, {1, 2, 3, 4}, "y rank>=-0.8"},
        {"rank>=0.9", {1, 3, 2, 4}, {1, 2, 3, 4}, "y rank>=0.8"},
        {"moments 0.01", {1, 2, 3, 5}, {1, 2, 3, 4}, "y moments 0.33"},
        {"near 1e-4", {1, 2, 3, NAN}, {1, 2, 3, 4}, "y near 0.0001 except 25%"},
        {"abs 1", {INFINITY, 2, 3, 4}, {1, 2, 3, 4}, "y abs 1 except 25%"},
        {"rank>=0.9", {1, 2, 3, NAN}, {1, 2, 3, 4}, NULL},
        {"moments 0.1", {1, 2, 3, 4}, {3, 3, 3, 3}, NULL},
    };
    struct whorl_param param = {.name = "y", .dtype = WHORL_F32, .ndims = 1, .dims = {4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[256] = "";
        CHECK(!compare(cases[i].rule, 4, cases[i].got, cases[i].want));
        bool any = check_accepting(&rule, &verdict, &param, line, sizeof line);
        CHECK_EQ_INT(cases[i].line != NULL, any);
        if (any) CHECK_EQ_STR(cases[i].line, line);
        if (any && !compare(line, 4, cases[i].got, cases[i].want)) FAIL("`%s` does not accept it", line);
    }
    uint64_t state = 7;
    for (int i = 0; i < 2000; i++) { // any numbers
        float got[2], want[2];
        char line[256];
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            (k < 2 ? got : want)[k % 2] = ldexpf((float)(state >> 40), (int)(state >> 32 & 31) - 40);
        }
        if (compare(i % 2 ? "near 1e-9" : "exact", 2, got, want)) continue;
        CHECK(check_accepting(&rule, &verdict, &param, line, sizeof line));
        struct check_rule proposed;
        CHECK_EQ_INT(WHORL_OK, check_parse(line, &proposed, &err));
        if (!compare(line, 2, got, want))
            FAIL("`%s`: %a %a against %a %a", line, (double)got[0], (double)got[1], (double)want[0], (double)want[1]);
    }
}

TEST(nan_equals_nan_in_the_same_place_alone) {
    float nan[] = {1, NAN, 3, 4}, same[] = {1, -NAN, 3, 4}, numbers[] = {1, 2, 3, 4}, other[] = {NAN, 2, 3, 4};
    float off[] = {3, NAN, 1, 4};
    static const char *const rules[] = {"exact", "abs 0.1", "rel 0.1", "near 0.1", "rank>=0.9", "moments 0.1"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        CHECK(compare(rules[i], 4, nan, same));
        CHECK_EQ_INT(1, verdict.both_nan);
        CHECK_EQ_INT(0, verdict.one_nan);
        CHECK(!compare(rules[i], 4, nan, numbers));
        CHECK(!compare(rules[i], 4, numbers, nan));
        CHECK_EQ_INT(1, verdict.one_nan);
        CHECK(!compare(rules[i], 4, nan, other));
        CHECK_EQ_INT(2, verdict.one_nan);
        CHECK(compare(rules[i], 4, numbers, numbers));
        CHECK_EQ_INT(0, verdict.both_nan);
        if (i < 5) CHECK(!compare(rules[i], 4, nan, off)); // the others are compared all the same
    }
    float all[] = {NAN, NAN, NAN, NAN}, far[] = {1, NAN, 3, 40};
    CHECK(!compare("moments 0.1", 4, nan, far));
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        CHECK(compare(rules[i], 4, all, all));
    struct whorl_param param = {.name = "y", .is_array = true, .is_output = true, .ndims = 1, .dims = {4}};
    char text[256];
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("; 4 elements are NaN on both sides)", text);
}

// A device may take what is below FLT_MIN for 0.
TEST(small_floats_may_be_zero) {
    static const struct {
        float got, want;
        bool rel;
    } cases[] = {
        {0, 0x1p-127f, true},          {0x1p-127f, 0, true},
        {-0x1p-149f, 0x1p-127f, true}, {0, 0x1.0p-126f * 1.0001f, true}, // its last digits come of such numbers
        {0, 0x1.1p-126f, false},       {0x1.1p-126f, 0, false},
        {0, 0x1p-120f, false},         {0x1p-120f, 0, false},
        {-0x1p-126f, 0x1p-126f, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (compare("rel 1e-3", 1, &cases[i].got, &cases[i].want) != cases[i].rel)
            FAIL("rel: %a against %a", (double)cases[i].got, (double)cases[i].want);
        CHECK(!compare("exact", 1, &cases[i].got, &cases[i].want));
        CHECK(compare("abs 1e-30", 1, &cases[i].got, &cases[i].want));
    }
}

TEST(infinity_is_far_from_numbers) {
    float inf[] = {INFINITY}, minus[] = {-INFINITY}, one[] = {1};
    CHECK(!compare("abs 1e30", 1, inf, one));
    CHECK(!compare("rel 1e30", 1, one, inf));
    CHECK(!compare("abs 1e30", 1, inf, minus));
    static const char *const rules[] = {"exact", "abs 0", "rel 0", "rank>=1", "moments 0"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        CHECK(compare(rules[i], 1, inf, inf) && compare(rules[i], 1, minus, minus));
    float some[] = {1, 2, INFINITY}, others[] = {1, 2, -INFINITY}, none[] = {1, 2, 3};
    CHECK(compare("moments 0", 3, some, some));
    CHECK(!compare("moments 1e30", 3, some, others));
    CHECK(!compare("moments 1e30", 3, some, none));
    CHECK(!compare("moments 1e30", 3, none, some));
}

TEST(rank_with_ties) {
    float want[] = {1, 2, 2, 3}, other[] = {10, 20, 20, 90}, swapped[] = {2, 1, 2, 3}, flat[] = {5, 5, 5, 5};
    CHECK(compare("rank>=1", 4, other, want));
    CHECK(!compare("rank>=0.9", 4, swapped, want));
    CHECK_NEAR(0.5, verdict.measured, 1e-12); // ranks 2.5 1 2.5 4 against 1 2.5 2.5 4
    CHECK(!compare("rank>=0.1", 4, flat, want));
    CHECK(compare("rank>=1", 4, flat, flat));
}

TEST(moments_of_shuffled_numbers) {
    float a[] = {1, 2, 3, 4}, b[] = {4, 3, 2, 1}, c[] = {2, 3, 4, 5};
    CHECK(compare("moments 0", 4, a, b));
    CHECK(!compare("moments 0.1", 4, c, a));
}

TEST(integers) {
    int32_t a[] = {INT32_MIN, 7}, b[] = {INT32_MIN, 8};
    uint32_t c[] = {UINT32_MAX, UINT32_MAX - 1}, d[] = {UINT32_MAX, UINT32_MAX};
    struct whorl_param i32 = {.dtype = WHORL_I32, .ndims = 1, .dims = {2}}, u32 = i32;
    u32.dtype = WHORL_U32;
    rule = (struct check_rule){.kind = CHECK_EXACT};
    CHECK(check_compare(&rule, &i32, a, b, &verdict) && !verdict.holds && verdict.first == 1);
    CHECK(check_compare(&rule, &u32, c, d, &verdict) && !verdict.holds && verdict.first == 1);
    CHECK(check_compare(&rule, &i32, a, a, &verdict) && verdict.holds);
}

TEST(a_double_of_a_struct_is_two_words_and_padding_is_none) {
    static const enum whorl_dtype words[] = {WHORL_F64, WHORL_F64, WHORL_I32, WHORL_U32};
    static const char *const names[] = {"x", "", "id", ""};
    struct whorl_param param = {
        .dtype = WHORL_U32, .ndims = 2, .dims = {2, 4}, .words = words, .word_names = names, .is_output = true};
    struct {
        double x;
        int32_t id, padding;
    } want[] = {{0.1, -3, 1}, {2, 7, 2}}, got[] = {{0.1, -3, 8}, {2 + 1e-12, 7, 9}};
    CHECK_EQ_INT(WHORL_OK, check_parse("rel 1e-11", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.holds && verdict.want == 2);
    CHECK_EQ_INT(WHORL_OK, check_parse("rel 1e-13", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && !verdict.holds);
    CHECK(verdict.differing == 1 && verdict.first == 4);
    char text[200];
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("the first [1][0]; worst [1][0]: 2.000000000001", text);
    CHECK_EQ_INT(WHORL_OK, check_parse("moments 1e-9", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.holds && fabs(verdict.want - 6.1 / 4) < 1e-12);
    CHECK_EQ_INT(WHORL_OK, check_parse("rank >= 0.99", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.holds);
    got[0].id = 3;
    CHECK_EQ_INT(WHORL_OK, check_parse("exact", &rule, &err));
    rule.of = CHECK_INTEGERS;
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.differing == 1 && verdict.worst == 2);
}

TEST(words_of_a_struct_are_of_their_fields_types) {
    static const enum whorl_dtype words[] = {WHORL_I32, WHORL_F32};
    struct whorl_param param = {.dtype = WHORL_U32, .ndims = 2, .dims = {2, 2}, .words = words};
    struct {
        int32_t steps;
        float value;
    } want[] = {{-3, 1.0f}, {-16777217, 2.0f}}, got[] = {{-3, 1.0f}, {-16777217, nextafterf(2.0f, 3.0f)}};
    CHECK_EQ_INT(WHORL_OK, check_parse("abs 1e-6", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.holds);
    CHECK_EQ_INT(WHORL_OK, check_parse("exact", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && !verdict.holds);
    CHECK_EQ_INT(1, verdict.differing);
    CHECK_EQ_INT(3, verdict.worst);
    CHECK(verdict.want == 2.0);
    rule.of = CHECK_INTEGERS;
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.holds);
    got[1].steps++;
    CHECK(check_compare(&rule, &param, got, want, &verdict) && !verdict.holds && verdict.want == -16777217);
    rule.of = CHECK_FLOATS;
    want[1].value = got[1].value;
    CHECK(check_compare(&rule, &param, got, want, &verdict) && verdict.holds);
}

TEST(the_worst_is_named_in_the_arrays_shape) {
    float got[] = {0, 0, 0, 5, 0, 1}, want[] = {0, 0, 0, 0, 0, 0};
    struct whorl_param param = {.name = "y", .is_array = true, .is_output = true, .ndims = 2, .dims = {2, 3}};
    char text[256];
    CHECK(!compare("abs 0.5", 6, got, want));
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("2 of 6 elements", text);
    CHECK_HAS_STR("worst [1][0]: 5, the CPU has 0", text);
    float off[] = {10, 0, 0, 0.5f, 2, 3}, right[] = {10, 0, 0, 0.25f, 2, 2};
    CHECK(compare("near 0.5", 6, off, right)); // 1 of 2 + 10 / 10
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_EQ_STR("ok (near 0.5; largest scaled difference 0.333 at [1][2]: 3, the CPU has 2)", text);
    CHECK(!compare("near 0.3", 6, off, right));
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("worst [1][2]: 3, the CPU has 2, a scaled difference of 0.333", text);
    CHECK(compare("near 0.3", 6, right, right));
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_EQ_STR("ok (near 0.3; largest scaled difference 0)", text);
}

TEST(integers_are_said_whole) {
    int32_t got[] = {3, -2147483641}, want[] = {3, -2147483396};
    uint64_t large[] = {18446744073709551615u}, less[] = {18446744073709551614u};
    struct whorl_param param = {.name = "y", .dtype = WHORL_I32, .ndims = 1, .dims = {2}};
    char text[256];
    CHECK_EQ_INT(WHORL_OK, check_parse("exact", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && !verdict.holds);
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("worst [1]: -2147483641, the CPU has -2147483396", text);
    CHECK(!check_accepting(&rule, &verdict, &param, text, sizeof text));
    CHECK_EQ_INT(WHORL_OK, check_parse("abs 1", &rule, &err)); // who allows a distance hears of a larger one
    CHECK(check_compare(&rule, &param, got, want, &verdict) && !verdict.holds);
    CHECK(check_accepting(&rule, &verdict, &param, text, sizeof text));
    CHECK_EQ_STR("y abs 2.5e+02", text);
    param = (struct whorl_param){.name = "y", .dtype = WHORL_U64, .ndims = 1, .dims = {1}};
    CHECK_EQ_INT(WHORL_OK, check_parse("exact", &rule, &err));
    CHECK(check_compare(&rule, &param, large, less, &verdict) && !verdict.holds);
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("worst [0]: 18446744073709551615, the CPU has 18446744073709551614", text);
}

TEST(doubles_are_told_apart) {
    double got[] = {1 + 0x1p-50}, want[] = {1};
    struct whorl_param param = {.name = "y", .dtype = WHORL_F64, .ndims = 1, .dims = {1}};
    char text[256];
    CHECK_EQ_INT(WHORL_OK, check_parse("exact", &rule, &err));
    CHECK(check_compare(&rule, &param, got, want, &verdict) && !verdict.holds);
    check_say(&rule, &verdict, &param, text, sizeof text);
    CHECK_HAS_STR("1.0000000000000009, the CPU has 1", text);
}
