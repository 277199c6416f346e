// check.h itself: a framework whose checks cannot fail would make every other test worthless.
#include "check.h"

// Runs a check that must fail and hands back what it would have printed.
static const char *why_failed(void (*check)(void)) {
    jmp_buf outer;
    memcpy(&outer, &check_leave, sizeof outer);
    static int how;
    how = setjmp(check_leave);
    if (how == 0) check();
    memcpy(&check_leave, &outer, sizeof outer);
    return how == 1 ? check_why : how == 2 ? "skipped" : NULL;
}

static void false_condition(void) { CHECK(1 + 1 == 3); }
static void true_condition(void) { CHECK(1 + 1 == 2); }
static void other_int(void) { CHECK_EQ_INT(4, 2 + 3); }
static void other_string(void) { CHECK_EQ_STR("a", "b"); }
static void null_string(void) { CHECK_EQ_STR("a", NULL); }
static void missing_part(void) { CHECK_HAS_STR("x", "abc"); }
static void far_number(void) { CHECK_NEAR(1.0, 1.1, 0.01); }
static void not_a_number(void) { CHECK_NEAR(1.0, (double)NAN, 1e30); }
static void two_lines(void) { FAIL("a\nb"); }
static void skips(void) { SKIP("no GPU"); }

TEST(a_true_check_passes) { CHECK(why_failed(true_condition) == NULL); }

TEST(a_false_check_fails_and_says_where) {
    CHECK_HAS_STR("harness_test.c:", why_failed(false_condition));
    CHECK_HAS_STR("1 + 1 == 3", why_failed(false_condition));
}

TEST(values_are_shown) {
    CHECK_HAS_STR("want 4, got 5", why_failed(other_int));
    CHECK_HAS_STR("want \"a\", got \"b\"", why_failed(other_string));
    CHECK_HAS_STR("got \"(NULL)\"", why_failed(null_string));
    CHECK_HAS_STR("no \"x\" in \"abc\"", why_failed(missing_part));
    CHECK_HAS_STR("want 1 within 0.01, got 1.1", why_failed(far_number));
}

TEST(nan_is_near_nothing) { CHECK(why_failed(not_a_number) != NULL); }

TEST(a_reason_is_one_line) { CHECK_HAS_STR("a b", why_failed(two_lines)); }

TEST(a_skip_is_no_failure) { CHECK_EQ_STR("skipped", why_failed(skips)); }
