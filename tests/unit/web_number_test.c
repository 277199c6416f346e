// What web/compiler/number.c prints and reads, against the C library.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define WEB_NUMBER_TEST
#define vsnprintf web_vsnprintf
#define snprintf web_snprintf
#define strtod web_strtod
#define strtof web_strtof
#define strtoull web_strtoull
#define strtoll web_strtoll
#define strtoul web_strtoul
int web_vsnprintf(char *restrict out, size_t size, const char *restrict format, va_list args);
int web_snprintf(char *restrict out, size_t size, const char *restrict format, ...);
double web_strtod(const char *restrict text, char **restrict end);
float web_strtof(const char *restrict text, char **restrict end);
unsigned long long web_strtoull(const char *restrict text, char **restrict end, int base);
long long web_strtoll(const char *restrict text, char **restrict end, int base);
unsigned long web_strtoul(const char *restrict text, char **restrict end, int base);
#include "../../web/compiler/number.c"
#undef vsnprintf
#undef snprintf
#undef strtod
#undef strtof
#undef strtoull
#undef strtoll
#undef strtoul

#include <float.h>

#include "check.h"

static uint64_t state = 1;
static uint64_t draw(void) {
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Any bits, or few decimals, or near one.
static double some_double(void) {
    uint64_t bits = draw();
    double value;
    memcpy(&value, &bits, sizeof value);
    switch (bits % 4) {
    case 0: return value;
    case 1: return (double)(int64_t)(draw() % 2000001 - 1000000) / (double)(bits % 8 * 125 + 1);
    case 2: return ldexp((double)(draw() >> 11), (int)(draw() % 120) - 90);
    default: return (double)(draw() % 100000) / 100000;
    }
}

static void same_text(const char *format, ...) {
    char want[2048], got[2048];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(want, sizeof want, format, args), other = web_vsnprintf(got, sizeof got, format, again);
    va_end(again);
    va_end(args);
    if (size != other || strcmp(want, got) != 0) FAIL("%s: \"%s\" instead of \"%s\"", format, got, want);
}

TEST(floats_are_printed) {
    static const char *const formats[] = {"%g",   "%.10g", "%.17g", "%.9g", "%.4g", "%.7g",   "%.3g",
                                          "%.2g", "%.1g",  "%.0g",  "%a",   "%.6g", "%+g",    "%12g",
                                          "%f",   "%.0f",  "%.1f",  "%.2f", "%.3f", "%010.3f"};
    const double special[] = {0,
                              -0.0,
                              1,
                              9.5,
                              0.5,
                              1.5,
                              2.5,
                              99999.5,
                              999999.5,
                              1e5,
                              1e-5,
                              123456789,
                              DBL_MAX,
                              DBL_MIN,
                              DBL_TRUE_MIN,
                              (double)INFINITY,
                              -(double)INFINITY,
                              0.1,
                              0.05,
                              0.25,
                              0.125,
                              9.9999999e-5,
                              1e22,
                              1e23};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        for (size_t k = 0; k < sizeof special / sizeof *special; k++)
            same_text(formats[i], special[k]);
        for (int k = 0; k < 2000; k++)
            same_text(formats[i], some_double());
    }
    for (int p = 0; p < 20; p++)
        for (int k = 0; k < 200; k++) {
            double value = some_double();
            same_text("%.*g", p, value);
            if (fabs(value) < 1e30) same_text("%.*f", p, value);
        }
    same_text("%g", (double)NAN);
}

TEST(the_rest_is_printed) {
    same_text("%s%%%c %.*s|%*s|%.3s|%.100s", "some", 'x', 2, "words", 5, "at", "long one", "short");
    same_text("%d %d %d %+d %+d", 0, INT_MIN, INT_MAX, 5, -5);
    same_text("%u %x %04x %08x %02x", UINT_MAX, 48879u, 7u, 48879u, 300u);
    same_text("%llu %lld %lld %016llx %zu", ULLONG_MAX, LLONG_MIN, LLONG_MAX, 0xBEEFull, (size_t)12345);
    char small[4];
    if (web_snprintf(small, sizeof small, "%d", 12345) != 5 || strcmp(small, "123") != 0) FAIL("cut to \"%s\"", small);
    if (web_snprintf(NULL, 0, "%s", "abc") != 3) FAIL("no size of what has no room");
}

static void same_number(const char *text) {
    char *end, *other;
    double want = strtod(text, &end), got = web_strtod(text, &other);
    if (memcmp(&want, &got, sizeof want) != 0 && !(isnan(want) && isnan(got)))
        FAIL("strtod %s: %a instead of %a", text, got, want);
    if (end != other) FAIL("strtod %s: ends %td instead of %td", text, other - text, end - text);
    float narrow = strtof(text, &end), got_narrow = web_strtof(text, &other);
    if (memcmp(&narrow, &got_narrow, sizeof narrow) != 0 && !(isnan(narrow) && isnan(got_narrow)))
        FAIL("strtof %s: %a instead of %a", text, (double)got_narrow, (double)narrow);
}

TEST(floats_are_read) {
    static const char *const texts[] = {"",
                                        "-",
                                        ".",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        " +1.5e3x",
                                        "0x",
                                        "0x.p1",
                                        "0x1p",
                                        "0x.8",
                                        "0x1.8p-3q",
                                        "inf",
                                        "-infinity",
                                        "infin",
                                        "nan",
                                        "0",
                                        "-0",
                                        "00.00e99",
                                        "1e400",
                                        "1e-400",
                                        "1e99999999999",
                                        "0.000000000000000000000000001e27",
                                        "1.",
                                        ".5",
                                        "5.e1",
                                        "9007199254740993",
                                        "9007199254740991.5",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.797693134862315808e308",
                                        "3.4028235677973366e38",
                                        "3.4028235677973362e38",
                                        "4.9e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "7.0064923216240853546186479164495e-46",
                                        "7.0064923216240854e-46",
                                        "0x1.fffffffffffff7p0",
                                        "0x1.fffffffffffff8p0",
                                        "0x1.fffffffffffff80001p0",
                                        "0x123456789abcdef0123p-10",
                                        "0x.0000000000001p-1022",
                                        "0x1p-1075",
                                        "0x1.8p-1075",
                                        "0x1p-1074",
                                        "0x1p1024",
                                        "0x1.fffffep127",
                                        "0x1.ffffffp127",
                                        "0x1.000001p0",
                                        "0x1.0000011p0",
                                        "0x1.000001p-126",
                                        "0x1.8p-149",
                                        "0x1p-150",
                                        "0x1.1p-150",
                                        "16777217",
                                        "16777219",
                                        "1e23",
                                        "8.5e22"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        same_number(texts[i]);
    char text[2048];
    for (int i = 0; i < 20000; i++) {
        double value = some_double();
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.*g", (int)(draw() % 19 + 1), value);
        same_number(text);
        snprintf(text, sizeof text, "%a", value);
        same_number(text);
        float narrow = (float)value, next = nextafterf(narrow, INFINITY);
        if (!isfinite(narrow) || !isfinite(next) || fabs(value) > 1e300) continue;
        snprintf(text, sizeof text, "%.1080f", ((double)narrow + (double)next) / 2); // exactly half way
        same_number(text);
        text[strlen(text) - 1]++;
        same_number(text);
    }
}

TEST(integers_are_read) {
    static const char *const texts[] = {"",
                                        "-",
                                        "0",
                                        "x",
                                        "12x",
                                        " +7",
                                        "-7",
                                        "0x",
                                        "0x1F",
                                        "017",
                                        "08",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "99999999999999999999",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775808",
                                        "-9223372036854775809",
                                        "-18446744073709551615"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int base = 0; base <= 16; base += base ? 6 : 10) {
            char *end, *other;
            errno = 0;
            unsigned long long want = strtoull(texts[i], &end, base);
            int error = errno;
            errno = 0;
            if (web_strtoull(texts[i], &other, base) != want || end != other || errno != error)
                FAIL("strtoull %s in base %d", texts[i], base);
            errno = 0;
            long long whole = strtoll(texts[i], &end, base);
            error = errno;
            errno = 0;
            if (web_strtoll(texts[i], &other, base) != whole || end != other || errno != error)
                FAIL("strtoll %s in base %d", texts[i], base);
        }
}
