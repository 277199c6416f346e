// Values and types of constants by C's rules, and what is no constant.
#include <math.h>

#include "check.h"

#include "front/text/pp_testing.h"

static struct front_number number(const char *text) {
    struct front_number n;
    preprocess(text);
    CHECK_EQ_INT(2, token_count);
    if (setjmp(cx.bail) || !front_parse_number(&cx, &tokens[0], &n)) FAIL("%s", base_render_diags(&cx));
    return n;
}

static void check_integer(const char *text, enum front_number_type type, uint64_t value) {
    struct front_number n = number(text);
    if (n.type != type || n.integer != value)
        FAIL("%s: type %d, value %llu", text, n.type, (unsigned long long)n.integer);
}

static void check_real(const char *text, enum front_number_type type, double value) {
    struct front_number n = number(text);
    if (n.type != type || n.real != value || n.suffixed != (type != FRONT_NUM_DOUBLE))
        FAIL("%s: type %d, value %.17g", text, n.type, n.real);
}

TEST(integers) {
    check_integer("0", FRONT_NUM_INT, 0);
    check_integer("017", FRONT_NUM_INT, 15);
    check_integer("0b101", FRONT_NUM_INT, 5);
    check_integer("2147483647", FRONT_NUM_INT, 2147483647);
    check_integer("2147483648", FRONT_NUM_LONG, 2147483648u); // decimal: never unsigned by itself
    check_integer("0x80000000", FRONT_NUM_UINT, 0x80000000u);
    check_integer("0xFFFFFFFF", FRONT_NUM_UINT, 0xffffffffu);
    check_integer("0x100000000", FRONT_NUM_LONG, 0x100000000u);
    check_integer("0x8000000000000000", FRONT_NUM_ULONG, 0x8000000000000000u);
    check_integer("1u", FRONT_NUM_UINT, 1);
    check_integer("4294967296U", FRONT_NUM_ULONG, 4294967296u);
    check_integer("1l", FRONT_NUM_LONG, 1);
    check_integer("1UL", FRONT_NUM_ULONG, 1);
    check_integer("1lu", FRONT_NUM_ULONG, 1);
    check_integer("1LL", FRONT_NUM_LLONG, 1);
    check_integer("1ull", FRONT_NUM_ULLONG, 1);
    check_integer("0xffffffffffffffffll", FRONT_NUM_ULLONG, UINT64_MAX);
    check_integer("0xDull", FRONT_NUM_ULLONG, 13);
}

TEST(reals) {
    check_real("1.", FRONT_NUM_DOUBLE, 1);
    check_real(".5e1", FRONT_NUM_DOUBLE, 5);
    check_real("1e-3", FRONT_NUM_DOUBLE, 1e-3);
    check_real("0.1f", FRONT_NUM_FLOAT, 0.1f);
    check_real("1.5L", FRONT_NUM_LDOUBLE, 1.5);
    check_real("0x1.8p1", FRONT_NUM_DOUBLE, 3);
    check_real("0x.8p0F", FRONT_NUM_FLOAT, 0.5);
    check_real("08.5", FRONT_NUM_DOUBLE, 8.5);
    check_real("16777217.0f", FRONT_NUM_FLOAT, 16777216);
    // Just above the middle of two floats, but its nearest double is the middle: rounding twice would go down.
    check_real("1.00000005960464477540f", FRONT_NUM_FLOAT, 1.00000011920928955078125);
}

static const char *number_error(const char *text) {
    struct front_number n = {.integer = 1};
    preprocess(text);
    if (setjmp(cx.bail) == 0 && front_parse_number(&cx, &tokens[0], &n)) FAIL("%s is accepted", text);
    CHECK_EQ_INT(0, n.integer);
    return cx.diags[0].message;
}

TEST(number_errors) {
    CHECK_EQ_STR("the digit '8' in the octal constant '08'", number_error("08"));
    CHECK_EQ_STR("the digit '2' in the binary constant '0b2'", number_error("0b2"));
    CHECK_EQ_STR("'0x' has no digits", number_error("0x"));
    CHECK_EQ_STR("'1lul' is no integer constant: unknown suffix", number_error("1lul"));
    CHECK_EQ_STR("'1lL' is no integer constant: unknown suffix", number_error("1lL"));
    CHECK_EQ_STR("the integer constant '18446744073709551616' does not fit in 64 bits",
                 number_error("18446744073709551616"));
    CHECK_EQ_STR("'1e+' is no floating constant", number_error("1e+"));
    CHECK_EQ_STR("'1e' is no floating constant", number_error("1e"));
    CHECK_EQ_STR("'0x1.8' is no floating constant", number_error("0x1.8"));
    CHECK_EQ_STR("unknown suffix 'fl' of the floating constant", number_error("1.0fl"));
}

static int32_t character(const char *text) {
    int32_t value;
    preprocess(text);
    if (setjmp(cx.bail) || !front_parse_char(&cx, &tokens[0], &value)) FAIL("%s", base_render_diags(&cx));
    return value;
}

TEST(characters) {
    CHECK_EQ_INT('a', character("'a'"));
    CHECK_EQ_INT('\n', character("'\\n'"));
    CHECK_EQ_INT(0, character("'\\0'"));
    CHECK_EQ_INT(-1, character("'\\377'"));
    CHECK_EQ_INT(-1, character("'\\xff'"));
    CHECK_EQ_INT('\'', character("'\\''"));
    CHECK_EQ_INT('a' << 8 | 'b', character("'ab'"));
    CHECK_EQ_INT(0x20ac, character("L'\xe2\x82\xac'"));
    CHECK_EQ_INT(0x1f600, character("U'\\U0001F600'"));
}

TEST(strings) {
    const char *bytes;
    size_t size;
    preprocess("\"a\\tb\\x41\\101\\0c\\u20ac\" L\"x\" '' '\\q' '\\x100'");
    if (setjmp(cx.bail)) FAIL("%s", base_render_diags(&cx));
    CHECK(front_parse_string(&cx, &tokens[0], &bytes, &size));
    CHECK_EQ_INT(10, size);
    CHECK(memcmp(bytes, "a\tbAA\0c\xe2\x82\xac", 11) == 0);
    CHECK(!front_parse_string(&cx, &tokens[1], &bytes, &size));
    int32_t value = 1;
    for (uint32_t i = 2; i < 5; i++)
        CHECK(!front_parse_char(&cx, &tokens[i], &value));
    CHECK_EQ_INT(0, value);
    CHECK_EQ_STR("wide strings are not supported; drop the 'L'", cx.diags[0].message);
    CHECK_EQ_STR("an empty character constant", cx.diags[1].message);
    CHECK_EQ_STR("unknown escape sequence '\\q'", cx.diags[2].message);
    CHECK_EQ_STR("the escape sequence is out of range", cx.diags[3].message);
}
