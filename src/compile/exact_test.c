// Which outputs must have the same bits in every strategy: whole programs, and the names of those outputs.
#include <string.h>

#include "check.h"
#include "whorl.h"

#define LOOP "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
#define ATOMIC "\n#pragma omp atomic\n"

// A body of f(n, x ints, f floats, a, b, c ints); what is exact of a, b, c. Whatever a variable holds at some time, it
// counts for all.
static const struct {
    const char *body, *exact;
} programs[] = {
    {LOOP "{ a[i] = x[i] * 3 + b[i]; c[i] = a[i] << 2; }", "abc"},
    {LOOP "{ a[i] = (int)f[i]; b[i] = a[i] / 2; c[i] = x[i]; }", "c"},        // a conversion, and what comes of it
    {LOOP "{ b[i] = f[i] < 0.5f ? 1 : 2; if (f[i] > 2.0f) a[i] = 1; }", "c"}, // comparisons
    {LOOP "{ a[(int)f[i]] = 1; }", "bc"},                                     // a subscript
    {"for (int t = 0; t < (int)f[0]; t++) { " LOOP "a[i]++; }", "bc"},        // a trip count
    {LOOP "{ for (int k = 0; k < 9; k++) { b[i] = k; if (f[k] > 1.0f) break; a[i] += x[k]; } }", "c"},
    {"int m = 0;\n" LOOP "b[i] = m;\nfor (int t = 0; t < 3; t++) { " LOOP "a[i] = m; m = m + (int)f[t]; }", "c"},
    {"float s = 0.0f;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < n; i++) s += x[i];\n" LOOP
     "a[i] = (int)s;",
     "bc"},
    {"int s = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < n; i++) s += x[i];\n" LOOP "a[i] = s;",
     "abc"},
    {LOOP "{" ATOMIC "a[x[i]] += i; }\n" LOOP "b[i] = a[i];", "abc"},
    {LOOP "{" ATOMIC "a[x[i]] += i;" ATOMIC "a[x[i]] -= 3; }", "abc"},
    {LOOP "{" ATOMIC "a[x[i]] += i;" ATOMIC "a[x[i]] |= 3; }", "bc"}, // who was first decides
    {LOOP "{" ATOMIC "a[x[i]] += i; }\n" LOOP "{" ATOMIC "a[x[i]] |= 3; }", "abc"},
    {LOOP "{ int v;\n#pragma omp atomic capture\nv = a[0]++;\nb[v] = i; c[i] = a[1]; }", ""},
    {LOOP "{\n#pragma omp atomic write\na[0] = 1;\n}", "abc"},
    {LOOP "{\n#pragma omp atomic write\na[0] = i;\n}", "bc"},
    {LOOP "{ int v;\n#pragma omp atomic read\nv = a[0];\nb[i] = v;" ATOMIC "a[0] += 1; }", "c"},
    {LOOP "{ int v;\n#pragma omp atomic read\nv = a[0];\nb[i] = v; }", "abc"},
};

TEST(integers_without_floats_and_without_an_order_are_exact) {
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        char text[1000], exact[8] = "";
        struct whorl_scalar n = {"n", 64};
        struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
        struct whorl_error err;
        whorl_program *program, *again;
        options.scalars = &n;
        options.scalar_count = 1;
        snprintf(text, sizeof text,
                 "void f(int n, const int x[n], const float f[n], int a[n], int b[n], int c[n]) {\n%s\n}\n",
                 programs[k].body);
        if (whorl_compile("exact.c", text, &options, &program, &err) != WHORL_OK) FAIL("%s\n%s", err.message, text);
        const char *json = whorl_program_text(program, WHORL_TEXT_PLAN);
        if (whorl_plan_read(json, strlen(json), &again, &err) != WHORL_OK) FAIL("%s", err.message);
        for (size_t p = 0; p < whorl_program_param_count(program); p++) {
            const struct whorl_param *param = whorl_program_param(program, p);
            if (param->is_exact) strncat(exact, param->name, 1);
            CHECK_EQ_INT(param->is_exact, whorl_program_param(again, p)->is_exact);
        }
        if (strcmp(exact, programs[k].exact) != 0) FAIL("exact is '%s', not '%s': %s", exact, programs[k].exact, text);
        whorl_program_destroy(again);
        whorl_program_destroy(program);
    }
}
