// The lowering against the compiler that built the test: each JUDGED program is compiled natively and, as text, by
// front_compile; the interpreter must leave the same bits in the same arrays. Included after check.h, once.
#ifndef WHORL_FRONT_LOWER_TESTING_H
#define WHORL_FRONT_LOWER_TESTING_H

#include <stdlib.h>

#include "front/front.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define N 16

// In the text these are OpenMP's, here they are nothing: one thread in order.
#define PARALLEL_FOR
#define OMP(text)
static const char prologue[] =
    "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"
    "#define PARALLEL_FOR _Pragma(\"omp parallel for\")\n"
    "#define OMP(text) _Pragma(text)\n"
    "#define N 16\n"
    "#define ENTRY(name) void name(int n, const float x[n], const int k[n], float y[n], int z[n])\n";
typedef void entry_fn(int n, const float *x, const int *k, float *y, int *z);

static struct base_cx cx;

static inline void fill(float *x, int *k, float *y, int *z) {
    uint32_t seed = 7;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)(int)(seed >> 16) / 4096.0f - 8.0f;
        k[i] = (int)(seed >> 24) % N;
        y[i] = (float)i;
        z[i] = i * 3;
    }
}

static inline struct ir_unit *compile(const char *text, const struct whorl_compile_options *user) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) return NULL;
    struct front_options options = {.path = "test.c", .text = text, .user = user};
    return front_compile(&cx, &options).unit;
}

static inline void judge(const char *name, const char *body, entry_fn *native) {
    float x[N], y[N], own_y[N];
    int k[N], z[N], own_z[N];
    fill(x, k, y, z);
    native(N, x, k, y, z);
    fill(x, k, own_y, own_z);
    size_t size = strlen(prologue) + strlen(body) + 1;
    char *text = malloc(size);
    snprintf(text, size, "%s%s", prologue, body);
    struct whorl_scalar n = {"n", N};
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.scalars = &n;
    user.scalar_count = 1;
    struct ir_unit *u = compile(text, &user);
    free(text);
    if (!u) check_end(1, __FILE__, __LINE__, "%s: %s", name, base_render_diags(&cx));
    void *arrays[5] = {NULL, x, k, own_y, own_z};
    size_t sizes[5] = {0, sizeof x, sizeof k, sizeof own_y, sizeof own_z};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err = {0};
    if (ir_interpret(u, &options, &err) != WHORL_OK)
        check_end(1, __FILE__, __LINE__, "%s: %s\n%s", name, err.message, ir_print(u));
    for (int i = 0; i < N; i++) {
        if (memcmp(&y[i], &own_y[i], 4) != 0)
            check_end(1, __FILE__, __LINE__, "%s: y[%d] want %.9g, got %.9g", name, i, (double)y[i], (double)own_y[i]);
        if (z[i] != own_z[i]) check_end(1, __FILE__, __LINE__, "%s: z[%d] want %d, got %d", name, i, z[i], own_z[i]);
    }
    base_cx_deinit(&cx);
}

// The program is a list of definitions that ends with the entry function `name`.
#define JUDGED(name, ...) \
    __VA_ARGS__           \
    TEST(name) { judge(#name, #__VA_ARGS__, name); }
#define ENTRY(name) void name(int n, const float x[n], const int k[n], float y[n], int z[n])

#endif
