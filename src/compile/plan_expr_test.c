// What the host computes of bounds is what the program's own arithmetic comes to, wherever that wraps around.
#include <limits.h>
#include <stdio.h>

#include "check.h"
#include "plan/program.h"

// Unsigned bounds of a parallel loop; `u` is unsigned.
#define BOUNDS(X)                                        \
    X((unsigned)(n % 1000 - m % 1000) % 32u)             \
    X((unsigned)n - (unsigned)m)                         \
    X(((unsigned)n + u * 3u) / 7u)                       \
    X((u - 1u) % 1000u)                                  \
    X(u * 2654435761u % 100u)                            \
    X(u *u *(unsigned)n % 1009u)                         \
    X((unsigned)n *(unsigned)m)                          \
    X(-u / 3u)                                           \
    X((unsigned)(n / 2 + (int)(u - 5u) / 2) % 77u)       \
    X((unsigned)((int)(u * 3u) % 50 + 100))              \
    X((unsigned)-(int)((unsigned)n % 64u - 32u) % 1000u) \
    X((unsigned)(m % 100) + 0x80000000u)
#define TEXT(bound) #bound,
#define VALUE(bound) values[count++] = (bound);
static const char *const texts[] = {BOUNDS(TEXT)};
enum { COUNT = sizeof texts / sizeof *texts };

static void compute(int n, int m, unsigned u, uint32_t values[COUNT]) {
    int count = 0;
    BOUNDS(VALUE)
}

static whorl_program *compiled(const char *bound) {
    static const struct whorl_scalar scalars[] = {{"n", 1000}, {"m", 5}, {"u", 7}};
    static const char *const uniform[] = {"n", "m", "u"};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.uniform = uniform;
    o.scalar_count = o.uniform_count = 3;
    char text[400];
    snprintf(text, sizeof text,
             "void f(int n, int m, unsigned u, int x[64]) {\n#pragma omp parallel for\n"
             "    for (unsigned i = 0; i < %s; i++)\n#pragma omp atomic\n        x[0] += 1;\n}\n",
             bound);
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    if (whorl_compile("f.c", text, &o, &program, &err) != WHORL_OK) FAIL("%s: %s", bound, err.message);
    return program;
}

static void same(const struct plan *p, const char *bound, uint32_t want, int n, int m, unsigned u) {
    int64_t values[8] = {0}, found;
    for (uint32_t i = 0; i < p->scalar_count && i < 8; i++)
        values[i] = *p->scalars[i].name == 'n' ? n : *p->scalars[i].name == 'm' ? m : (int64_t)u;
    if (!plan_eval(p, p->kernels[0].iterations, values, &found)) FAIL("%s: it is not computed", bound);
    if (found != want) FAIL("%s with %d, %d, %u: %lld, not %u", bound, n, m, u, (long long)found, want);
}

TEST(bounds_wrap_as_in_c) {
    static const int some[] = {0, 1, -1, 5, 64, -100, 65536, 99999, INT_MAX, INT_MIN};
    static const unsigned others[] = {0, 1, 7, 65537, 0x7fffffff, 0x80000000, 0xffffffff};
    for (int k = 0; k < COUNT; k++) {
        whorl_program *program = compiled(texts[k]);
        const struct plan *p = program->plan;
        uint32_t states[PLAN_MAX_STATES + 1], values[COUNT];
        CHECK_EQ_INT(0, plan_states(p, p->kernels[0].iterations, states, 0)); // the host alone
        for (size_t a = 0; a < sizeof some / sizeof *some; a++)
            for (size_t b = 0; b < sizeof some / sizeof *some; b++)
                for (size_t c = 0; c < sizeof others / sizeof *others; c++) {
                    compute(some[a], some[b], others[c], values);
                    same(p, texts[k], values[k], some[a], some[b], others[c]);
                }
        whorl_program_destroy(program);
    }
}

TEST(what_grows_with_each_product_is_refused) {
    char text[600] = "void f(unsigned n, int x[n]) {\n#pragma omp parallel for\n    for (unsigned i = 0; i < n";
    for (int k = 0; k < 40; k++)
        strcat(text, " * n");
    strcat(text, "; i++)\n#pragma omp atomic\n        x[0] += 1;\n}\n");
    static const struct whorl_scalar n = {"n", 3};
    static const char *const uniform = "n";
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = &n;
    o.uniform = &uniform;
    o.scalar_count = o.uniform_count = 1;
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_UNSUPPORTED, whorl_compile("f.c", text, &o, &program, &err));
    CHECK(strstr(err.message, "this arithmetic of unsigned numbers is too long"));
}
