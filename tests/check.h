// The whole unit test framework: a file of TEST(name) { ... CHECK(...); } is a program that runs them all and prints
// `ok NAME` or `FAIL NAME: why` for each, which tools/run_tests.sh adds up. Include it once, in the test's .c file: it
// holds main.
//
//   TEST(adds) {
//       CHECK_EQ_INT(2, 1 + 1);
//   }
//
// A failed check ends its test, not the program. `SKIP("why")` ends a test as `skip NAME: why`. Arguments of the
// program select tests whose name contains one of them.
#ifndef WHORL_TESTS_CHECK_H
#define WHORL_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_test {
    const char *name;
    void (*run)(void);
    struct check_test *next;
};

static struct check_test *check_first, **check_last = &check_first;
static jmp_buf check_leave; // longjmp value: 1 failed, 2 skipped
static char check_why[1024];

// Registration happens before main, in the order of the file.
#define TEST(name)                                                         \
    static void test_##name(void);                                         \
    __attribute__((constructor)) static void check_register_##name(void) { \
        static struct check_test test = {#name, test_##name, NULL};        \
        *check_last = &test;                                               \
        check_last = &test.next;                                           \
    }                                                                      \
    static void test_##name(void)

__attribute__((noreturn, format(printf, 4, 5), unused)) static void check_end(int how, const char *file, int line,
                                                                              const char *fmt, ...) {
    const char *slash = strrchr(file, '/');
    int used = how == 2 ? 0 : snprintf(check_why, sizeof check_why, "%s:%d: ", slash ? slash + 1 : file, line);
    va_list args;
    va_start(args, fmt);
    vsnprintf(check_why + used, sizeof check_why - (size_t)used, fmt, args);
    va_end(args);
    for (char *c = check_why; *c; c++) // one line a result
        if (*c == '\n') *c = ' ';
    longjmp(check_leave, how);
}

__attribute__((unused)) static void check_eq_int(const char *file, int line, const char *text, intmax_t want,
                                                 intmax_t got) {
    if (want != got) check_end(1, file, line, "%s: want %" PRIdMAX ", got %" PRIdMAX, text, want, got);
}

__attribute__((unused)) static void check_eq_str(const char *file, int line, const char *text, const char *want,
                                                 const char *got) {
    if (!want || !got ? want != got : strcmp(want, got) != 0)
        check_end(1, file, line, "%s: want \"%s\", got \"%s\"", text, want ? want : "(NULL)", got ? got : "(NULL)");
}

__attribute__((unused)) static void check_has_str(const char *file, int line, const char *text, const char *part,
                                                  const char *whole) {
    if (!part || !whole || !strstr(whole, part))
        check_end(1, file, line, "%s: no \"%s\" in \"%s\"", text, part ? part : "(NULL)", whole ? whole : "(NULL)");
}

// How often a text has a part.
__attribute__((unused)) static int check_times(const char *part, const char *text) {
    int count = 0;
    while (text && (text = strstr(text, part)))
        count++, text++;
    return count;
}

// NaN is near nothing.
__attribute__((unused)) static void check_near(const char *file, int line, const char *text, double want, double got,
                                               double tolerance) {
    if (!(fabs(want - got) <= tolerance))
        check_end(1, file, line, "%s: want %.9g within %g, got %.9g", text, want, tolerance, got);
}

// Of many places that are alike, how far apart are those to try: all of them with THOROUGH=1 (make fuzz).
__attribute__((unused)) static uint32_t check_apart(uint32_t apart) {
    const char *thorough = getenv("THOROUGH");
    return thorough && strcmp(thorough, "1") == 0 ? 1 : apart;
}

#define FAIL(...) check_end(1, __FILE__, __LINE__, __VA_ARGS__)
#define SKIP(...) check_end(2, __FILE__, __LINE__, __VA_ARGS__)
#define CHECK(condition) ((condition) ? (void)0 : check_end(1, __FILE__, __LINE__, "%s", #condition))
#define CHECK_EQ_INT(want, got) check_eq_int(__FILE__, __LINE__, #got, (intmax_t)(want), (intmax_t)(got))
#define CHECK_EQ_STR(want, got) check_eq_str(__FILE__, __LINE__, #got, want, got)
#define CHECK_HAS_STR(part, whole) check_has_str(__FILE__, __LINE__, #whole, part, whole)
#define CHECK_NEAR(want, got, tolerance) check_near(__FILE__, __LINE__, #got, want, got, tolerance)

static int check_selected(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i])) return 1;
    return argc < 2;
}

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    const char *program = slash ? slash + 1 : argv[0];
    static int failed;                // static: kept across longjmp
    setvbuf(stdout, NULL, _IOLBF, 0); // what ran before a crash is seen
    for (struct check_test *volatile test = check_first; test; test = test->next) {
        if (!check_selected(test->name, argc, argv)) continue;
        int how = setjmp(check_leave);
        if (how == 0) {
            test->run();
            printf("ok %s.%s\n", program, test->name);
        } else {
            failed += how == 1;
            printf("%s %s.%s: %s\n", how == 1 ? "FAIL" : "skip", program, test->name, check_why);
        }
    }
    return failed != 0;
}

#endif
