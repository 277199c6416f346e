// Two phases that update one array by atomics, for every ordered pair of updates: where a barrier stands between them,
// and that all strategies, the interpreter and cc leave the same bits.
#include "../grid_text.h"
#include "cached_device.h"
#include "check.h"
#include "plan/program.h"

enum { N = 600, ELEMENTS = 16 };

// A statement on X; iteration i, `u` a number that it made of i. Forms of one group commute, group 0 commutes with
// nothing.
static const struct form {
    const char *name, *text;
    char group;
    bool reads_only, owned; // owned: its own element of X, whatever others do to theirs
} forms[] = {
    {"+=", "\n#pragma omp atomic\nX += u;\n", '+', false, false},
    {"-=", "\n#pragma omp atomic\nX -= u * 3u;\n", '+', false, false},
    {"++", "\n#pragma omp atomic\nX++;\n", '+', false, false},
    {"--", "\n#pragma omp atomic update\n--X;\n", '+', false, false},
    {"&=", "\n#pragma omp atomic\nX &= ~(1u << i % 32);\n", '&', false, false},
    {"|=", "\n#pragma omp atomic\nX |= 1u << i * 7 % 32;\n", '|', false, false},
    {"^=", "\n#pragma omp atomic\nX ^= u * 2654435761u;\n", '^', false, false},
    {"min", "\n#pragma omp atomic compare\nif (X > u * 5000u) { X = u * 5000u; }\n", '<', false, false},
    {"max", "\n#pragma omp atomic compare\nif (X < u * 3000u) { X = u * 3000u; }\n", '>', false, false},
    {"write", "\n#pragma omp atomic write\nX = 77u;\n", 0, false, false},
    {"read", "unsigned v;\n#pragma omp atomic read\nv = X;\nseen[i] = seen[i] * 3u + v;\n", 0, true, false},
    {"before", "unsigned v;\n#pragma omp atomic capture\nv = X++;\n#pragma omp atomic\ntotal[0] += v;\n", 0, false,
     false},
    {"behind", "unsigned v;\n#pragma omp atomic capture\n{ X -= 5u; v = X; }\n#pragma omp atomic\ntotal[0] += v;\n", 0,
     false, false},
    {"exchange", "unsigned v;\n#pragma omp atomic capture\n{ v = X; X = 77u; }\n#pragma omp atomic\ntotal[0] += v;\n",
     0, false, false},
    {"compare", "#pragma omp atomic compare\nif (X == 77u) { X = 78u; }\n", 0, false, false},
    {"claim",
     "unsigned v;\n#pragma omp atomic compare capture\n{ v = X; if (X == 78u) { X = 5u; } }\n#pragma omp atomic\n"
     "total[0] += v;\n",
     0, false, false},
    {"operand", "if (z != 0) {\n#pragma omp atomic\nX += x[K][0];\n}\n", 0, false, false},
    {"load", "seen[i] = seen[i] * 5u + X;\n", 0, true, false},
    {"store", "if (i < 16) x[K][i] = u * 9u;\n", 0, false, true},
};
enum { FORMS = sizeof forms / sizeof *forms };

static char text[100000];
static size_t used;

static void put(const char *words) {
    size_t size = strlen(words);
    if (used + size >= sizeof text) FAIL("a program that is too long");
    memcpy(text + used, words, size + 1);
    used += size;
}

// A parallel loop of the form, on row k of the array.
static void put_phase(const struct form *f, int k) {
    char row[16], element[32];
    snprintf(row, sizeof row, "%d", k);
    snprintf(element, sizeof element, "x[%d][z]", k);
    put("#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\nint z = at[i] % 16;\nunsigned u = (unsigned)(i + "
        "k);\n");
    for (const char *c = f->text; *c; c++) {
        char one[2] = {*c, 0};
        put(*c == 'X' ? element : *c == 'K' ? row : one);
    }
    put("}\n");
}

static void begin(int rows) {
    char head[200];
    used = 0;
    snprintf(head, sizeof head,
             "void f(int n, const int at[n], unsigned x[%d][16], unsigned total[1], unsigned seen[n]) {\n"
             "for (int k = 0; k < 2; k++) {\n",
             rows);
    put(head);
}

static whorl_program *compiled(void) {
    struct whorl_scalar n = {"n", N};
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    whorl_program *program = NULL;
    options.scalars = &n;
    options.scalar_count = 1;
    if (whorl_compile("pairs.c", text, &options, &program, &err) != WHORL_OK) FAIL("%s\n%s", err.message, text);
    return program;
}

static bool needs_barrier(const struct form *a, const struct form *b) {
    if ((a->reads_only && b->reads_only) || (a->owned && b->owned)) return false;
    return !a->group || a->group != b->group;
}

TEST(a_barrier_stands_between_all_that_do_not_commute) {
    for (int a = 0; a < FORMS; a++)
        for (int b = 0; b < FORMS; b++) {
            begin(1);
            put_phase(&forms[a], 0);
            put_phase(&forms[b], 0);
            put("}\n}\n");
            whorl_program *program = compiled();
            int want = needs_barrier(&forms[a], &forms[b]) ? 2 : 0, got = (int)whorl_program_barriers(program);
            whorl_program_destroy(program);
            if (want != got)
                FAIL("'%s', then '%s': %d barriers a pass, not %d", forms[a].name, forms[b].name, got, want);
        }
}

// A phase of one pass and the same phase of the next, with another one between them that has nothing to do with it.
TEST(a_loop_carries_a_phase_to_itself) {
    for (int a = 0; a < FORMS; a++) {
        begin(1);
        put_phase(&forms[a], 0);
        put("#pragma omp parallel for\nfor (int i = 0; i < n / 2; i++)\n#pragma omp atomic\ntotal[0] += 1u;\n}\n}\n");
        whorl_program *program = compiled();
        int want = needs_barrier(&forms[a], &forms[a]), got = (int)whorl_program_barriers(program);
        whorl_program_destroy(program);
        if (want != got) FAIL("'%s': %d barriers a pass, not %d", forms[a].name, got, want);
    }
}

// ---- results --------------------------------------------------------------------------------------------------------

enum { OUTPUTS = 3 };
static int32_t at[N];
static uint32_t x[FORMS][ELEMENTS], total[1], seen[N];
static const size_t sizes[] = {0, sizeof at, sizeof x, sizeof total, sizeof seen};
static void *const arrays[] = {NULL, at, x, total, seen};
static unsigned char want[sizeof x + sizeof total + sizeof seen], got[sizeof want];

static void fill(void) {
    memset(total, 0, sizeof total);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < N; i++)
        at[i] = (int32_t)((uint32_t)i * 2654435761u >> 8);
    for (int k = 0; k < FORMS * ELEMENTS; k++)
        x[k / ELEMENTS][k % ELEMENTS] = (uint32_t)k * 1000003u;
}

static void take(unsigned char *out) {
    memcpy(out, x, sizeof x);
    memcpy(out + sizeof x, total, sizeof total);
    memcpy(out + sizeof x + sizeof total, seen, sizeof seen);
}

static void run(whorl_device *device, const whorl_program *program, enum whorl_strategy strategy, const char *form) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    options.strategy = strategy;
    options.groups = 1;
    fill();
    if (whorl_run(device, program, arrays, sizes, &options, &stats, &err) != WHORL_OK)
        FAIL("%s: %s", form, err.message);
    take(got);
    if (stats.fell_back) FAIL("'%s' fell back: %s", form, stats.note);
    for (size_t i = 0; i < sizeof want; i += 4)
        if (memcmp(want + i, got + i, 4) != 0)
            FAIL("'%s', %s: word %zu (x has %zu, in rows of 16 by the second phase) is wrong", form,
                 whorl_strategy_name(strategy), i / 4, sizeof x / 4);
}

// A few forms stand for the others, since drivers in software take seconds for a kernel of many phases; PAIRS=all takes
// all.
static bool is_run(const struct form *f) {
    const char *which = getenv("PAIRS");
    return (which && strcmp(which, "all") == 0) || strstr("+= |= write before load exchange compare", f->name);
}

TEST(every_strategy_has_the_same_bits) {
    whorl_device *gpu = NULL, *cpu = NULL;
    make_cache();
    if (open_device("gpu", false, &gpu) != WHORL_OK) SKIP("no GPU: %s", err.message);
    if (open_device("cpu", false, &cpu) != WHORL_OK) FAIL("%s", err.message);
    for (int a = 0; a < FORMS; a++) {
        if (!is_run(&forms[a])) continue;
        begin(FORMS);
        for (int b = 0; b < FORMS; b++) {
            if (!is_run(&forms[b])) continue;
            put_phase(&forms[a], b);
            put_phase(&forms[b], b);
        }
        put("}\n}\n");
        whorl_program *program = compiled();
        uint64_t iterations;
        fill();
        if (whorl_find_races(program, arrays, sizes, &iterations, &err) != WHORL_OK)
            FAIL("%s: %s", forms[a].name, err.message);
        take(want);
        run(cpu, program, WHORL_CPU, forms[a].name);
        run(gpu, program, WHORL_EAGER, forms[a].name);
        run(gpu, program, WHORL_SINGLE, forms[a].name);
        whorl_program_destroy(program);
    }
    whorl_device_destroy(gpu);
    whorl_device_destroy(cpu);
    drop_cache();
}

// What stood between the phases is taken out of the kernel. Nobody compares with the CPU: that the strategies differ is
// enough.
TEST(a_barrier_that_is_missing_is_told_by_tuning) {
    whorl_device *gpu = NULL;
    struct whorl_tuning tuning;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    make_cache();
    if (open_device("gpu", false, &gpu) != WHORL_OK) SKIP("no GPU: %s", err.message);
    begin(FORMS);
    put_phase(&forms[0], 0); // +=
    put_phase(&forms[5], 0); // |=
    put("}\n}\n");
    whorl_program *program = compiled();
    struct plan_kernel *kernel = &program->plan->kernels[program->plan->single.root.kernel];
    CHECK(strstr(kernel->wgsl, "let fences = true;") != NULL); // updates whose old values nobody takes
    char *mutant = all_replaced(strdup(kernel->wgsl), "whorl_barrier(li, groups, params[0].x, fences);", "", 0);
    CHECK(strcmp(mutant, kernel->wgsl) != 0);
    kernel->wgsl = mutant;
    options.groups = 1;
    fill();
    if (whorl_tune(gpu, program, arrays, sizes, &options, &tuning, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_HAS_STR("strategies disagree on integers: x[0][", tuning.disagreement);
    CHECK_EQ_INT(WHORL_STEPS, tuning.candidates[tuning.chosen].strategy);
    if (whorl_run(gpu, program, arrays, sizes, NULL, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    take(got);
    uint64_t iterations;
    fill();
    if (whorl_find_races(program, arrays, sizes, &iterations, &err) != WHORL_OK) FAIL("%s", err.message);
    take(want);
    CHECK(memcmp(want, got, sizeof want) == 0);
    whorl_program_destroy(program);
    free(mutant);
    whorl_device_destroy(gpu);
    drop_cache();
}
