// What the lowering refuses, with the position and the words a user sees, and what it makes of entry parameters.
#include "check.h"

#include "front/front.h"

static struct base_cx cx;

static struct front_result run(const char *text, const struct whorl_compile_options *user, bool inspect) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) return (struct front_result){0};
    struct front_options options = {.path = "t.c", .text = text, .user = user, .inspect = inspect};
    return front_compile(&cx, &options);
}

static struct whorl_compile_options with_n(void) {
    static const struct whorl_scalar n = {"n", 16};
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.scalars = &n;
    user.scalar_count = 1;
    return user;
}

// `what` must stand in the diagnostics: "line:col: error: words".
static void refused(const char *text, enum whorl_status status, const char *what) {
    struct whorl_compile_options user = with_n();
    struct ir_unit *unit = run(text, &user, false).unit;
    CHECK(unit == NULL);
    const char *diags = base_render_diags(&cx);
    if (!strstr(diags, what)) check_end(1, __FILE__, __LINE__, "want \"%s\" in: %s", what, diags);
    CHECK_EQ_INT(status, cx.status);
    base_cx_deinit(&cx);
}

static struct ir_unit *accepted(const char *text, const struct whorl_compile_options *user) {
    struct ir_unit *unit = run(text, user, false).unit;
    if (!unit) check_end(1, __FILE__, __LINE__, "refused: %s", base_render_diags(&cx));
    return unit;
}

#define LOOP(body)                                                                                                  \
    "void f(int n, const float x[n], float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n" body \
    "\n}\n}\n"
#define BAD WHORL_SOURCE
#define LATER WHORL_UNSUPPORTED

TEST(refuses_recursion) {
    refused(
        "static int g(int a);\nstatic int h(int a) { return g(a - 1); }\nstatic int g(int a) { return a ? h(a) : 0; }\n"
        "void f(int n, float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = (float)g(i);\n}\n",
        BAD, "recursion: g -> h -> g;");
}

TEST(refuses_what_does_not_fit) {
    refused(LOOP("float a[4]; a[4] = x[i]; y[i] = a[0];"), BAD,
            "4:15: error: index 4 is outside of 'a', which has 4 elements");
    refused(LOOP("int k = i / 0; y[i] = (float)k;"), BAD, "error: division by zero");
    refused(LOOP("y[i] = (float)(i << 40);"), BAD, "shift");
    refused(LOOP("float a[i + 1]; a[0] = x[i]; y[i] = a[0];"), LATER,
            "must follow from the entry function's parameters");
}

TEST(refuses_races) {
    refused("void f(int n, const float x[n], float y[n]) {\nfloat s = 0.0f;\n#pragma omp parallel for\nfor (int i = 0; "
            "i < n; i++)\n"
            "s += x[i];\ny[0] = s;\n}\n",
            BAD, "5:1: error: 's' is shared by all iterations of the parallel loop");
    refused("static int hits;\nvoid f(int n, float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; "
            "i++)\ny[i] = (float)hits++;\n}\n",
            BAD, "'hits' is shared by all iterations");
}

TEST(takes_64_bits_in_32_where_asked_for) {
    struct whorl_compile_options user = with_n();
    user.int64_as_int32 = true;
    accepted(LOOP("long s = 0; for (int j = 0; j < 9; j++) s = s * 3 + i; y[i] = (float)s;"), &user);
    base_cx_deinit(&cx);
}

TEST(refuses_large_integers_in_demoted_doubles) {
    refused(LOOP("int k = (int)x[i]; y[i] = 0.5 * k;"), BAD, "-fdouble=float");
    struct whorl_compile_options user = with_n();
    accepted(LOOP("y[i] = 0.5 * i + 0.25 * (int)((unsigned)i & 0xffffu);"), &user);
    base_cx_deinit(&cx);
}

TEST(lowers_what_is_printed) {
    struct whorl_compile_options user = with_n();
    struct ir_unit *u = accepted("#include <stdio.h>\n" LOOP("printf(\"%d %g\\n\", i, x[i]); y[i] = 0.0f;"), &user);
    if (u) {
        CHECK(u->log != 0);
        CHECK_EQ_INT(1, u->log_count);
        CHECK(!u->log_sites[0].is_assert);
        CHECK_EQ_INT(1, u->log_sites[0].loop_count);
        CHECK_EQ_INT(0, u->log_sites[0].parallel);
        CHECK_EQ_INT(2, u->log_sites[0].arg_count);
        CHECK_EQ_STR("%d %g\n", u->log_sites[0].text);
    }
    base_cx_deinit(&cx);
}

TEST(refuses_what_comes_later) {
    refused(LOOP("printf(\"%d\", i); y[i] = 0.0f;"), BAD, "printf"); // not declared: C's own error comes first
    refused("#include <stdio.h>\n" LOOP("int k = printf(\"%d\", i); y[i] = (float)k;"), LATER,
            "5:9: error: the result of 'printf' is not known on the GPU");
    refused("#include <stdio.h>\n" LOOP("printf(i ? \"%d\" : \"%x\", i); y[i] = 0.0f;"), LATER,
            "printf needs a string literal as its format");
    refused("#include <stdio.h>\n" LOOP("int k = 0; printf(\"%n\", &k); y[i] = 0.0f;"), LATER,
            "'%n' is not supported on the GPU");
    refused("#include <stdlib.h>\n" LOOP("float *p = malloc(4); y[i] = p[0];"), LATER,
            "'malloc' inside a parallel loop");
    refused("#include <stdlib.h>\n" LOOP("y[i] = (float)rand();"), LATER, "philox");
    refused("#include <omp.h>\n" LOOP("y[i] = (float)omp_get_max_threads();"), LATER, "use num_threads(N)");
    static const struct {
        const char *call, *remedy;
    } omp[] = {
        {"y[i] = (float)omp_get_num_procs();", "use num_threads(N)"},
        {"omp_set_num_threads(4); y[i] = 0;", "write num_threads(N) at the directive"},
        {"y[i] = (float)omp_in_parallel();", "write 1 inside of"},
        {"y[i] = (float)omp_get_level();", "write the number of"},
        {"y[i] = (float)omp_get_team_num();", "use `parallel` with omp_get_thread_num"},
        {"y[i] = (float)omp_get_num_teams();", "use `parallel` with omp_get_num_threads"},
        {"y[i] = (float)omp_is_initial_device();", "leave it out"},
        {"y[i] = (float)omp_get_num_devices();", "`whorl run --device` chooses one"},
        {"y[i] = (float)omp_get_default_device();", "`whorl run --device` chooses one"},
        {"omp_lock_t l; omp_set_lock(&l); y[i] = 0;", "use a reduction clause, or `#pragma omp atomic`"},
        {"omp_lock_t l; omp_unset_lock(&l); y[i] = 0;", "use a reduction clause, or `#pragma omp atomic`"},
    };
    refused("#include <omp.h>\n" LOOP("y[i] = (float)omp_get_wtick();"), BAD, "has no float form; time cannot be read");
    for (size_t k = 0; k < sizeof omp / sizeof *omp; k++) {
        char text[512];
        snprintf(text, sizeof text, "#include <omp.h>\n" LOOP("%s"), omp[k].call);
        refused(text, LATER, omp[k].remedy);
    }
    refused("#include <omp.h>\nvoid f(int n, float y[n], const int k[1]) {\n#pragma omp parallel num_threads(k[0])\n"
            "y[omp_get_thread_num()] = 1.0f;\n}\n",
            LATER, "num_threads must be a constant");
}

// A loop that reduces an array knows its elements only in updates by the clause's operator.
TEST(refuses_other_uses_of_reduced_arrays) {
    static const struct {
        const char *body, *what;
    } rows[] = {
        {"y[i] = s[0];", "4:8: error: 's' is reduced: this loop can only update its elements"},
        {"s[0] += s[1];", "4:1: error: 's' is reduced: this loop can only update its elements"},
        {"s[s[0]] += 1;", "4:1: error: 's' is reduced: this loop can only update its elements"},
        {"s[0] = 1;", "4:1: error: 's' is reduced: this loop can only update its elements"},
        {"int *p = s; p[0] += 1;", "4:10: error: 's' is reduced: this loop can only update its elements"},
        {"s[0] |= 1;", "4:1: error: 's' is reduced by '+', this statement updates it by another operator"},
        {"if (s[0] < i) s[0] = i;", "4:1: error: 's' is reduced by '+', this statement updates it by another operator"},
        {"y[i] = (s[0]++, 1);", "4:9: error: 's' is reduced: this loop can only update its elements"},
        {"s[0]++, y[i] = s[0];", "4:16: error: 's' is reduced: this loop can only update its elements"},
        {"y[i] = s[0]++;", "4:8: error: 's' is reduced: this loop can only update its elements"},
        {"s[0] *= 2;", "4:1: error: 's' is reduced: this loop can only update its elements"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "void f(int n, int y[n], int s[4]) {\n#pragma omp parallel for reduction(+ : s[:4])\n"
                 "for (int i = 0; i < n; i++) {\n%s\n}\n}\n",
                 rows[k].body);
        refused(text, strstr(rows[k].what, "by '+'") ? BAD : LATER, rows[k].what);
    }
    refused("void f(int n, int y[n], short s[4]) {\n#pragma omp parallel for reduction(+ : s[:4])\n"
            "for (int i = 0; i < n; i++) s[0] += y[i];\n}\n",
            LATER, "use int, unsigned or float");
    refused("void f(int n, int y[n], int s[4]) {\n#pragma omp parallel reduction(+ : s[:4])\n"
            "{\n#pragma omp for\nfor (int i = 0; i < n; i++) s[0] += y[i];\n}\n}\n",
            LATER, "the array 's' is reduced by a region: put the clause on the loop");
}

TEST(refuses_pointers_it_cannot_follow) {
    refused(LOOP("float *p = 0; y[i] = *p;"), BAD, "this pointer is null here");
    refused(LOOP("const int *p = (const int *)&x[i]; y[i] = (float)*p;"), LATER,
            "cannot be seen as a pointer to 'const int'");
    refused(LOOP("float a = x[i], *p = &a; y[i] = p[1];"), BAD, "only its element 0 can be reached");
}

// ---- entry ----------------------------------------------------------------------------------------------------------

static const char two[] =
    "void a(int n, float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = 1.0f;\n}\n"
    "void b(int n, float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = 2.0f;\n}\n";

TEST(chooses_the_entry) {
    refused(two, BAD, "several functions have parallel loops");
    refused("void a(int n) { (void)n; }\n", BAD, "no function of this file has a parallel loop");
    struct whorl_compile_options user = with_n();
    user.entry = "b";
    CHECK_EQ_STR("b", accepted(two, &user)->entry);
    user.entry = NULL;
    CHECK_EQ_STR("all", accepted("static void part(int n, float *y) {\n#pragma omp parallel for\nfor (int i = 0; i < "
                                 "n; i++) y[i] = 1.0f;\n}\n"
                                 "void all(int n, float y[n]) { part(n, y); }\nint main(void) { return 0; }\n",
                                 &user)
                            ->entry);
    base_cx_deinit(&cx);
}

static const char scalars[] =
    "#include <stdbool.h>\n#include <stdint.h>\nvoid f(int n, unsigned u, float s, bool on, int8_t small, float y[n]) "
    "{\n"
    "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = on ? s + (float)u : (float)small;\n}\n";

static bool scalars_are(double n, double u, double s, double on, double small) {
    struct whorl_scalar given[] = {{"n", n}, {"u", u}, {"s", s}, {"on", on}, {"small", small}};
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.scalars = given;
    user.scalar_count = 5;
    return run(scalars, &user, false).unit != NULL;
}

TEST(checks_scalars) {
    CHECK(scalars_are(4, 4294967295.0, 0.1, 1, -128));
    CHECK(!scalars_are(4.5, 1, 0.1, 1, 0));
    CHECK(strstr(base_render_diags(&cx), "parameter 'n' is of type 'int' and cannot be 4.5"));
    CHECK(!scalars_are(4, -1, 0.1, 1, 0));
    CHECK(!scalars_are(4, 1, 0.1, 2, 0));
    CHECK(!scalars_are(4, 1, 0.1, 1, 128));
    CHECK(!scalars_are(0, 1, 0.1, 1, 0)); // y would be empty
    CHECK(!scalars_are(NAN, 1, 0.1, 1, 0));
    struct whorl_compile_options none = WHORL_COMPILE_OPTIONS_INIT;
    CHECK(!run(scalars, &none, false).unit);
    CHECK(strstr(base_render_diags(&cx), "3:12: error: parameter 'n' has no value"));
    CHECK(strstr(base_render_diags(&cx), "-i n=..."));
    struct whorl_scalar wrong[] = {{"m", 4}};
    none.scalars = wrong;
    none.scalar_count = 1;
    CHECK(!run(scalars, &none, false).unit);
    CHECK(strstr(base_render_diags(&cx), "'f' has no scalar parameter 'm'"));
    base_cx_deinit(&cx);
}

TEST(keeps_uniform_scalars) {
    struct whorl_compile_options user = with_n();
    static const char *const names[] = {"n"};
    user.uniform = names;
    user.uniform_count = 1;
    struct ir_unit *u = accepted(LOOP("y[i] = x[i];"), &user);
    CHECK(u->params[0].ref != 0);
    CHECK_EQ_INT(16, u->params[0].bits);
    CHECK(!ir_is_const(u, u->arrays[u->params[1].ref].dims[0], NULL));
    base_cx_deinit(&cx);
}

static const char unsized[] = "void f(int n, const float *x, float y[][4]) {\n#pragma omp parallel for\nfor (int i = "
                              "0; i < n; i++) y[i][1] = x[i];\n}\n";

TEST(takes_sizes_from_shapes) {
    struct whorl_compile_options user = with_n();
    CHECK(!run(unsized, &user, false).unit);
    CHECK(strstr(base_render_diags(&cx), "1:28: error: 'x' is an unsized pointer"));
    struct whorl_shape shapes[] = {{"x", 2, {8, 5}}, {"y", 2, {16, 4}}};
    user.shapes = shapes;
    user.shape_count = 2;
    struct ir_unit *u = accepted(unsized, &user);
    uint32_t bits = 0;
    CHECK(ir_is_const(u, u->arrays[u->params[1].ref].dims[0], &bits));
    CHECK_EQ_INT(40, bits);
    CHECK_EQ_INT(2, u->arrays[u->params[2].ref].ndims);
    shapes[1].dims[1] = 5;
    CHECK(!run(unsized, &user, false).unit);
    CHECK(strstr(base_render_diags(&cx), "'y' has rows of 4 elements"));
    base_cx_deinit(&cx);
}

// Arrays of structs: the fields are the last dimension.
static const char bodies[] =
    "struct p { float at[2]; int hits; };\nstruct q { float a, b; };\n"
    "void f(int n, struct p p[n], const struct q q[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
    "struct p own = p[i];\nown.at[1] += q[i].b;\nown.hits++;\np[i] = own;\np[i].at[0] = q[i].a;\n}\n}\n";

TEST(passes_structs) {
    struct {
        float at[2];
        int hits;
    } p[16] = {{{1, 2}, 3}, {{4, 5}, 6}};
    float q[16][2] = {{10, 20}, {30, 40}};
    struct whorl_compile_options user = with_n();
    struct ir_unit *u = accepted(bodies, &user);
    CHECK_EQ_INT(WHORL_U32, u->arrays[u->params[1].ref].elem);
    CHECK_EQ_INT(WHORL_F32, u->arrays[u->params[2].ref].elem);
    void *arrays[] = {NULL, p, q};
    size_t sizes[] = {0, sizeof p, sizeof q};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_OK, ir_interpret(u, &options, &err));
    CHECK(p[0].at[0] == 10 && p[0].at[1] == 22 && p[0].hits == 4);
    CHECK(p[1].at[0] == 30 && p[1].at[1] == 45 && p[1].hits == 7);
    base_cx_deinit(&cx);
}

TEST(reads_small_types) {
    static const char text[] = "#include <stdint.h>\n#include <stdbool.h>\nvoid f(int n, const _Float16 h[n], const "
                               "uint8_t u[n], const int16_t s[n], "
                               "const bool b[n], float y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n"
                               "y[i] = b[i] ? (float)h[i] * (float)u[i] : (float)s[i];\n}\n";
    uint16_t h[16];
    uint8_t u8[16], b[16];
    int16_t s[16];
    float y[16];
    for (int i = 0; i < 16; i++) {
        h[i] = base_f32_to_f16(0.5f * (float)i);
        u8[i] = (uint8_t)(i + 200);
        s[i] = (int16_t)(-i * 100);
        b[i] = i % 2;
    }
    struct whorl_compile_options user = with_n();
    struct ir_unit *u = accepted(text, &user);
    void *arrays[] = {NULL, h, u8, s, b, y};
    size_t sizes[] = {0, sizeof h, sizeof u8, sizeof s, sizeof b, sizeof y};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_OK, ir_interpret(u, &options, &err));
    for (int i = 0; i < 16; i++)
        CHECK(y[i] == (i % 2 ? 0.5f * (float)i * (float)(i + 200) : -100.0f * (float)i));
    base_cx_deinit(&cx);
}

TEST(inspects_without_values) {
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    struct front_result r = run("// run: -i n=4\n// a remark: no\n  // check: exact\n// test:x\nvoid f(int n, float s, "
                                "const float x[n][3], float *y) {\n"
                                "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = s * x[i][0];\n}\n",
                                &user, true);
    CHECK(r.unit);
    CHECK_EQ_STR("// run: -i n=4\n// check: exact\n// test:x\n", r.comments);
    CHECK_EQ_INT(4, r.unit->param_count);
    CHECK_EQ_INT(0, r.unit->root);
    const struct ir_array_info *x = &r.unit->arrays[r.unit->params[2].ref];
    uint32_t bits = 9;
    CHECK(ir_is_const(r.unit, x->dims[0], &bits));
    CHECK_EQ_INT(0, bits);
    CHECK(ir_is_const(r.unit, x->dims[1], &bits));
    CHECK_EQ_INT(3, bits);
    base_cx_deinit(&cx);
}

TEST(inspects_sizes_as_they_are_written) {
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    struct front_result r = run(
        "#define HALO 2\nstruct p { float at[3]; int kind; };\n"
        "void f(int n, unsigned m, const int k[4], float u[n + 2 * HALO][(m - 1) / 2], float *y, float z[n][k[0]],\n"
        "       struct p p[-n << 1], float v[n > 4 ? n : 4], float w[sizeof(float) * (long)n]) {\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = 1;\n}\n",
        &user, true);
    CHECK(r.unit);
    const struct ir_param *params = r.unit->params;
    CHECK(!params[0].dim_texts);
    CHECK_EQ_STR("4", params[2].dim_texts[0]);
    CHECK_EQ_STR("(n + 4)", params[3].dim_texts[0]);
    CHECK_EQ_STR("((m - 1) / 2)", params[3].dim_texts[1]);
    CHECK_EQ_STR("", params[4].dim_texts[0]);
    CHECK_EQ_STR("n", params[5].dim_texts[0]);
    CHECK_EQ_STR("", params[5].dim_texts[1]);
    CHECK_EQ_STR("((-n) << 1)", params[6].dim_texts[0]);
    CHECK_EQ_STR("4", params[6].dim_texts[1]);
    CHECK_EQ_STR("", params[7].dim_texts[0]);
    CHECK_EQ_STR("(4 * n)", params[8].dim_texts[0]);
    base_cx_deinit(&cx);
}

TEST(wraps_the_entry_for_c) {
    struct whorl_compile_options user = with_n();
    struct front_result r = run(LOOP("y[i] = x[i];"), &user, false);
    CHECK(r.unit);
    CHECK(strstr(
        r.c_text,
        "f(*(const int *)((const char *)__whorl_scalars + 0), (void *)__whorl_arrays[1], (void *)__whorl_arrays[2]);"));
    base_cx_deinit(&cx);
}
