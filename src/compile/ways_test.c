// Invocations of a workgroup, for iterations that go ways of their own and for others.
#include "check.h"
#include "plan/program.h"

// Of the kernel of a loop with this body, `n` iterations, on a device with 32,768 invocations.
static uint32_t workgroup(int n, const char *body) {
    char text[1000];
    struct whorl_scalar size = {"n", n};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = &size;
    o.scalar_count = 1;
    snprintf(text, sizeof text,
             "void f(int n, const int to[n], const int row[n][64], int found[n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) { int at = i, s = 0; %s found[i] = s + at; }\n"
             "}\n",
             body);
    whorl_program *program;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return 0;
    }
    uint32_t found = program->plan->kernels[0].workgroup_size;
    whorl_program_destroy(program);
    return found;
}

static const char *const search = "while (to[at] != i && s < n) { at = to[at]; s++; }";

TEST(searches_have_a_subgroup_each_where_there_is_room) {
    CHECK_EQ_INT(1, workgroup(1000, search));
    CHECK_EQ_INT(4, workgroup(3000, search));
    CHECK_EQ_INT(16, workgroup(16000, search));
    CHECK_EQ_INT(64, workgroup(40000, search)); // too many
}

TEST(what_neighbours_do_together_they_stay_together_for) {
    CHECK(workgroup(1000, "for (int k = 0; k < 9; k++) at = to[at];") >= 32);                  // all as long
    CHECK(workgroup(1000, "for (int k = 0; k < to[i]; k++) s += to[(k + to[k]) % n];") >= 32); // nearly
    CHECK(workgroup(1000, "if (to[i] > 3) for (int k = 0; k < 9; k++) at = to[at];") >= 32);   // a branch
    CHECK(workgroup(1000, "while (to[at] > s) { at++; s += at; at = at % n; "
                          "for (int k = 0; k < 500; k++) s ^= to[k] * at; }") >= 32); // all of a table each time
}

// A scan of an array of its own is made together, word by word.
TEST(local_arrays_lie_side_by_side) {
    CHECK(workgroup(1000, "int a[200]; for (int k = 0; k < 200; k++) a[k] = to[i] * k;\n"
                          "while (to[at] != i) { at = to[at];\n"
                          "for (int k = 0; k < 200; k++) if (a[k] < at) s += a[k] & k, a[k] ^= s; }") >= 32);
}
