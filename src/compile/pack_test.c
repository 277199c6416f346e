// Arrays and the buffers they share: what every device binds first, what this device binds where that is too little.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"

// Arrays of a size that is known only at run time cannot share a buffer; the loop needs these ten and control and
// state.
static const char text[] =
    "void many(int n, int steps, const int a[n], const int b[n], const int c[n], const int d[n],\n"
    "          int p[n], int q[n], int r[n], int s[n], int t[n], int u[n]) {\n"
    "    for (int step = 0; step < steps; step++) {\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) {\n"
    "            p[i] += a[i] + b[i];\n"
    "            q[i] += c[i] + d[i];\n"
    "            r[i] += p[i] * q[i];\n"
    "            s[i] += r[i] ^ t[i];\n"
    "            t[i] += s[i] & u[i];\n"
    "            u[i] += t[i];\n"
    "        }\n"
    "    }\n"
    "}\n";

static enum whorl_status compiled_text(const char *source, uint32_t storage_buffers, bool sized, whorl_program **out,
                                       struct whorl_error *err) {
    static const struct whorl_scalar scalars[] = {{"n", 1000}, {"steps", 5}};
    static const char *const uniform[] = {"n"};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.uniform = uniform;
    o.uniform_count = sized ? 0 : 1;
    o.target.storage_buffers = storage_buffers;
    return whorl_compile("many.c", source, &o, out, err);
}
static enum whorl_status compiled(uint32_t storage_buffers, bool sized, whorl_program **out, struct whorl_error *err) {
    return compiled_text(text, storage_buffers, sized, out, err);
}

static uint32_t most_bindings(const whorl_program *program) {
    uint32_t most = 0;
    for (uint32_t k = 0; k < program->plan->kernel_count; k++)
        if (program->plan->kernels[k].binding_count > most) most = program->plan->kernels[k].binding_count;
    return most;
}

TEST(arrays_of_unknown_size_need_the_device_s_own_limit) {
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_UNSUPPORTED, compiled(0, false, &program, &err));
    CHECK_HAS_STR("binds 8 buffers", err.message);
    CHECK_EQ_INT(WHORL_UNSUPPORTED, compiled(9, false, &program, &err));
    CHECK_HAS_STR("binds 9 buffers", err.message);
    CHECK_EQ_INT(WHORL_OK, compiled(16, false, &program, &err));
    CHECK_EQ_INT(10, most_bindings(program));
    whorl_program_destroy(program);
}

TEST(loops_are_not_joined_beyond_the_limit) {
    static const char six[] =
        "void f(int n, int steps, const float a[n], float b[n], float c[n], float d[n], float e[n], float g[n],"
        " float h[n]) {\n"
#define COPY(to, from) "#pragma omp parallel for\nfor (int i = 0; i < n; i++) " #to "[i] = " #from "[i] + 1;\n"
        COPY(b, a) COPY(c, b) COPY(d, c) COPY(e, d) COPY(g, e) COPY(h, g) "}\n";
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_OK, compiled_text(six, 0, false, &program, &err));
    CHECK(most_bindings(program) <= 8);
    whorl_program_destroy(program);
}

TEST(arrays_that_can_share_do_so_on_every_device) {
    for (uint32_t buffers = 0; buffers <= 64; buffers += 64) {
        whorl_program *program = NULL;
        struct whorl_error err = {0};
        CHECK_EQ_INT(WHORL_OK, compiled(buffers, true, &program, &err));
        CHECK(most_bindings(program) <= 6);
        whorl_program_destroy(program);
    }
}

// The plan's expressions grow with its arrays, and not with the square of their number.
TEST(many_arrays_need_few_expressions) {
    enum { ARRAYS = 200 };
    static char many[ARRAYS * 128];
    size_t size = (size_t)sprintf(many, "void many(int out[1000]) {\n");
    for (int i = 0; i < ARRAYS; i++)
        size += (size_t)sprintf(many + size, "    int a%d[1000];\n", i);
    size += (size_t)sprintf(many + size, "#pragma omp parallel for\n    for (int i = 0; i < 1000; i++) {\n");
    for (int i = 0; i < ARRAYS; i++)
        size += (size_t)sprintf(many + size, "        a%d[i] = i ^ %d;\n", i, 3 * i);
    size += (size_t)sprintf(many + size, "    }\n#pragma omp parallel for\n    for (int i = 0; i < 1000; i++) {\n");
    for (int i = 0; i < ARRAYS; i++)
        size += (size_t)sprintf(many + size, "        out[i] += a%d[999 - i] * out[i];\n", i);
    sprintf(many + size, "    }\n}\n");
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_OK, whorl_compile("many.c", many, &o, &program, &err));
    CHECK(program->plan->array_count >= ARRAYS);
    CHECK(program->plan->expr_count < 40 * ARRAYS);
    whorl_program_destroy(program);
}

// A pointer walks through the whole of u and p: the compiler sees a row, callers the shape that is declared.
static const char walked[] =
    "struct at { float x; int k; };\n"
    "static void twice(int n, float *a) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) a[i] *= 2.0f;\n}\n"
    "static void next(int n, struct at *a) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) a[i].k++;\n}\n"
    "void walk(int n, float u[n][n + 1], struct at p[n][2]) {\n"
    "    twice(n * (n + 1), &u[0][0]);\n"
    "    next(2 * n, &p[0][0]);\n"
    "#pragma omp parallel for\n"
    "    for (int i = 0; i < n; i++) u[i][i] += p[i][1].x;\n"
    "}\n";

static void check_shapes(const whorl_program *program) {
    const struct whorl_param *u = whorl_program_param(program, 1), *p = whorl_program_param(program, 2);
    CHECK_EQ_INT(2, u->ndims);
    CHECK_EQ_INT(4, u->dims[0]);
    CHECK_EQ_INT(5, u->dims[1]);
    CHECK_EQ_INT(3, p->ndims);
    CHECK_EQ_INT(4, p->dims[0]);
    CHECK_EQ_INT(2, p->dims[1]);
    CHECK_EQ_INT(2, p->dims[2]); // words
}

TEST(arrays_that_a_pointer_walks_through_keep_their_shape) {
    static const struct whorl_scalar scalars[] = {{"n", 4}};
    static const char *const uniform[] = {"n"};
    for (uint32_t uniforms = 0; uniforms < 2; uniforms++) {
        struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
        whorl_program *program, *read;
        struct whorl_error err = {0};
        o.scalars = scalars;
        o.scalar_count = 1;
        o.uniform = uniform;
        o.uniform_count = uniforms;
        if (whorl_compile("walk.c", walked, &o, &program, &err) != WHORL_OK) {
            FAIL("%s", err.message);
            return;
        }
        check_shapes(program);
        const char *json = whorl_program_text(program, WHORL_TEXT_PLAN);
        CHECK_EQ_INT(WHORL_OK, whorl_plan_read(json, strlen(json), &read, &err));
        check_shapes(read);
        whorl_program_destroy(read);
        whorl_program_destroy(program);
    }
}
