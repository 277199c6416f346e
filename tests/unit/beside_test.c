// Two programs that share arrays on a device: what one writes the other reads, with arrays in buffers of their own and
// with many in few. What cannot be shared is refused.
#include "check.h"
#include "plan/program.h"
#include "whorl.h"

static struct whorl_error err;
static whorl_device *device;

// twelve arrays, more than a kernel may bind; w is the last to be packed
static const char first_text[] =
    "void first(int n, const _Float16 h[n], const float a[3], const float b[5], const float c[7], const float d[9],\n"
    "           const float e[11], const int i[n], float x[n], float y[n], float z[13], float v[15], float w[2 * n]) "
    "{\n"
    "#pragma omp parallel for\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        x[k] += a[k % 3] + b[k % 5] + c[k % 7] + d[k % 9] + e[k % 11] + (float)h[k] + (float)i[k];\n"
    "        y[k] = z[k % 13] + v[k % 15] + w[k];\n"
    "    }\n"
    "}\n";
// no array of first's stands at the same place here
static const char second_text[] =
    "void second(int n, int add, const float x[n], const float c[7], float y[n], const _Float16 h[n], float own[n]) {\n"
    "#pragma omp parallel for\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        own[k] = x[k] + (float)h[k] + (float)add;\n"
    "        y[k] = 2 * y[k] + c[k % 7];\n"
    "    }\n"
    "}\n";
enum { N = 64 };

static whorl_program *compile(const char *name, const char *text, const char *add, double n,
                              const whorl_program *beside) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    const struct whorl_scalar scalars[] = {{"n", n}, {add, 0}};
    whorl_program *program = NULL;
    o.scalars = scalars;
    o.scalar_count = add ? 2 : 1;
    o.uniform = &add;
    o.uniform_count = add ? 1 : 0;
    o.beside = beside;
    (void)whorl_compile(name, text, &o, &program, &err);
    return program;
}

static size_t find(const whorl_program *p, const char *name) {
    size_t i = 0;
    while (strcmp(whorl_program_param(p, i)->name, name) != 0)
        i++;
    return i;
}

static void fill(whorl_session *s, const whorl_program *p, const char *name, float first, size_t count) {
    float data[2 * N];
    for (size_t i = 0; i < count; i++)
        data[i] = first + (float)i;
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(s, find(p, name), data, count * sizeof *data, &err));
}

static const float *read(whorl_session *s, const whorl_program *p, const char *name) {
    static float data[N];
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(s, find(p, name), data, sizeof data, &err));
    return data;
}

static void share(const char *select) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    bool is_cpu = whorl_device_get_info(device)->is_cpu;
    whorl_program *first = compile("first.c", first_text, NULL, N, NULL),
                  *second = compile("second.c", second_text, "add", N, first);
    whorl_session *one = NULL, *two = NULL, *none = NULL;
    if (!first || !second) FAIL("%s", err.message);
    CHECK(first->plan->buffer_count < first->plan->array_count); // some are packed
    enum whorl_strategy strategy = is_cpu ? WHORL_CPU : WHORL_SINGLE;
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, first, strategy, &one, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_create_beside(device, second, strategy, one, &two, &err));
    fill(one, first, "x", 100, N); // through either session
    fill(one, first, "c", 1, 7);
    fill(two, second, "y", 7, N);
    fill(two, second, "own", -5, N);
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(one, 1, NULL, NULL, &err));
    struct whorl_run_options o = WHORL_RUN_OPTIONS_INIT;
    const struct whorl_scalar add = {"add", 1000};
    o.scalars = &add;
    o.scalar_count = 1;
    fill(one, first, "y", 50, N);
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(two, 1, &o, NULL, &err));
    for (int i = 0; i < N; i++) {
        float x = 100.0f + (float)i + 1.0f + (float)(i % 7);
        CHECK(read(one, first, "x")[i] == x);
        CHECK(read(two, second, "own")[i] == x + 1000.0f);
        CHECK(read(one, first, "y")[i] == 2 * (50.0f + (float)i) + 1.0f + (float)(i % 7));
    }
    o.max_s = 100;
    CHECK_EQ_INT(is_cpu ? WHORL_INVALID : WHORL_OK, whorl_session_run(two, 1, &o, NULL, &err));
    // compiled by itself it has other places on a GPU
    whorl_program *alone = compile("second.c", second_text, "add", N, NULL);
    CHECK_EQ_INT(is_cpu ? WHORL_OK : WHORL_INVALID,
                 whorl_session_create_beside(device, alone, strategy, one, &none, &err));
    if (!is_cpu) CHECK_HAS_STR("beside", err.message);
    whorl_session_destroy(none);
    whorl_session_destroy(two);
    whorl_program *shorter = compile("second.c", second_text, "add", N - 2, NULL);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_create_beside(device, shorter, strategy, one, &none, &err));
    CHECK_HAS_STR("two types or sizes", err.message);
    CHECK(read(one, first, "x")[0] == 101.0f); // what was shared is still there
    whorl_session_destroy(one);
    whorl_program_destroy(first);
    whorl_program_destroy(second);
    whorl_program_destroy(alone);
    whorl_program_destroy(shorter);
    whorl_device_destroy(device);
}
TEST(cpu) { share("cpu"); }
TEST(gpu) { share("gpu"); }

// Parts of arrays, and copies from session to session, whatever the places are.
static void copy(const char *select) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    enum whorl_strategy strategy = whorl_device_get_info(device)->is_cpu ? WHORL_CPU : WHORL_SINGLE;
    whorl_program *first = compile("first.c", first_text, NULL, N, NULL),
                  *second = compile("second.c", second_text, "add", N, NULL);
    whorl_session *one = NULL, *two = NULL;
    if (!first || !second) FAIL("%s", err.message);
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, first, strategy, &one, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, second, strategy, &two, &err));
    size_t x = find(first, "x"), x2 = find(second, "x"), h = find(first, "h"), h2 = find(second, "h");
    fill(one, first, "x", 100, N);
    const float part[] = {-1, -2};
    float back[2] = {0};
    CHECK_EQ_INT(WHORL_OK, whorl_session_write_part(one, x, 12, part, sizeof part, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_copy(two, x2, one, x, &err));
    fill(one, first, "x", 0, N); // what was copied stays
    const float *copied = read(two, second, "x");
    CHECK(copied[2] == 102 && copied[3] == -1 && copied[4] == -2 && copied[5] == 105 && copied[N - 1] == 163);
    CHECK_EQ_INT(WHORL_OK, whorl_session_read_part(two, x2, 16, back, sizeof back, &err));
    CHECK(back[0] == -2 && back[1] == 105);
    CHECK_EQ_INT(WHORL_OK, whorl_session_read_part(two, x2, N * 4, back, 0, &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_read_part(two, x2, N * 4 - 4, back, 8, &err));
    CHECK_HAS_STR("256 bytes; 8 from 252 on", err.message);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_read_part(two, x2, SIZE_MAX - 3, back, 8, &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_write_part(two, x2, 2, part, 4, &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_write_part(one, h, 0, part, 4, &err)); // of two bytes each
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_write_part(one, 0, 0, part, 4, &err)); // a scalar
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_copy(two, x2, one, find(first, "c"), &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_copy(two, x2, one, find(first, "i"), &err)); // as large, of int
    CHECK_HAS_STR("two types", err.message);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_copy(one, x, one, find(first, "y"), &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_copy(two, h2, one, h, &err));
    whorl_session_destroy(one);
    whorl_session_destroy(two);
    whorl_program_destroy(first);
    whorl_program_destroy(second);
    whorl_device_destroy(device);
}
// Two sessions of a program with doubles.
struct halves {
    whorl_program *program;
    whorl_session *one, *two;
};
static struct halves open_halves(const char *select, const char *text) {
    struct halves h;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    enum whorl_strategy strategy = whorl_device_get_info(device)->is_cpu ? WHORL_CPU : WHORL_SINGLE;
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    const struct whorl_scalar scalars[] = {{"n", N}};
    o.scalars = scalars;
    o.scalar_count = 1;
    o.double_as_pair = true;
    if (whorl_compile("halve.c", text, &o, &h.program, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, h.program, strategy, &h.one, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, h.program, strategy, &h.two, &err));
    return h;
}
static void close_halves(struct halves *h) {
    whorl_session_destroy(h->one);
    whorl_session_destroy(h->two);
    whorl_program_destroy(h->program);
    whorl_device_destroy(device);
}

// Parts of arrays of doubles, which a GPU has as pairs of floats.
static void parts_of_doubles(const char *select) {
    static const char text[] = "void halve(int n, double x[n], float y[2 * n]) {\n"
                               "#pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) {\n"
                               "        x[i] = x[i] * 0.5;\n"
                               "        y[i] = 0;\n"
                               "    }\n"
                               "}\n";
    struct halves h = open_halves(select, text);
    whorl_session *one = h.one, *two = h.two;
    const double part[] = {1 + 0x1p-40, 3};
    double back[3] = {7, 7, 7};
    CHECK_EQ_INT(WHORL_OK, whorl_session_write_part(one, 1, 40, part, sizeof part, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(one, 1, NULL, NULL, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read_part(one, 1, 32, back, sizeof back, &err));
    CHECK(back[0] == 0 && back[1] == 0.5 + 0x1p-41 && back[2] == 1.5);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_read_part(one, 1, 4, back, 8, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_copy(two, 1, one, 1, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read_part(two, 1, 40, back, 8, &err));
    CHECK(back[0] == 0.5 + 0x1p-41);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_copy(two, 1, one, 2, &err)); // as large, of floats
    close_halves(&h);
}
TEST(doubles_on_the_cpu) { parts_of_doubles("cpu"); }
TEST(doubles_on_a_gpu) { parts_of_doubles("gpu"); }

struct mixed {
    int id, hits;
    double x;
};
// Parts of arrays of structs with doubles among other members.
static void parts_of_structs(const char *select) {
    static const char text[] = "struct mixed { int id, hits; double x; };\n"
                               "void halve(int n, struct mixed x[n], unsigned words[4 * n]) {\n"
                               "#pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) {\n"
                               "        x[i].x = x[i].x * 0.5;\n"
                               "        x[i].hits += words[4 * i] == 0;\n"
                               "    }\n"
                               "}\n";
    struct halves h = open_halves(select, text);
    whorl_session *one = h.one, *two = h.two;
    const struct whorl_param *p = whorl_program_param(h.program, 1);
    CHECK(p->dtype == WHORL_U32 && p->dims[1] == 4 && p->words[1] == WHORL_I32 && p->words[2] == WHORL_F64);
    CHECK(p->words[3] == WHORL_F64 && !strcmp(p->word_names[2], "x") && !strcmp(p->word_names[3], ""));
    const struct mixed part[] = {{7, 1, 1 + 0x1p-40}, {0x40490fdb, -1, 3}};
    struct mixed back[2];
    CHECK_EQ_INT(WHORL_OK, whorl_session_write_part(one, 1, 3 * sizeof *part, part, sizeof part, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(one, 1, NULL, NULL, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read_part(one, 1, 3 * sizeof *part, back, sizeof back, &err));
    CHECK(back[0].id == 7 && back[0].hits == 2 && back[0].x == 0.5 + 0x1p-41);
    CHECK(back[1].id == 0x40490fdb && back[1].hits == 0 && back[1].x == 1.5);
    CHECK_EQ_INT(WHORL_OK, whorl_session_read_part(one, 1, 3 * sizeof *part + 8, back, sizeof *back, &err));
    CHECK(!memcmp(back, &(double){0.5 + 0x1p-41}, 8) && back[0].x == 0x40490fdb * 0x1p-1074);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_read_part(one, 1, 4, back, 8, &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_copy(two, 1, one, 2, &err)); // as large, without doubles
    close_halves(&h);
}
TEST(structs_on_the_cpu) { parts_of_structs("cpu"); }
TEST(structs_on_a_gpu) { parts_of_structs("gpu"); }

// Steps from a to b and back, without a copy.
static void exchange(const char *select) {
    static const char text[] = "void step(int n, const float a[n], float b[n]) {\n#pragma omp parallel for\n"
                               "    for (int k = 0; k < n; k++)\n        b[k] = a[k] + a[(k + 1) % n];\n}\n";
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    enum whorl_strategy strategy = whorl_device_get_info(device)->is_cpu ? WHORL_CPU : WHORL_SINGLE;
    whorl_program *program = compile("step.c", text, NULL, N, NULL),
                  *many = compile("first.c", first_text, NULL, N, NULL);
    whorl_session *one = NULL, *two = NULL, *packed = NULL;
    if (!program || !many) FAIL("%s", err.message);
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, program, strategy, &one, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, program, strategy, &two, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, many, strategy, &packed, &err));
    fill(one, program, "a", 0, N);
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(one, 1, NULL, NULL, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_exchange(one, 1, one, 2, &err));
    CHECK(read(one, program, "a")[2] == 5 && read(one, program, "b")[2] == 2);
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(one, 1, NULL, NULL, &err));
    CHECK(read(one, program, "b")[2] == 12);
    CHECK_EQ_INT(WHORL_OK, whorl_session_exchange(two, 1, one, 2, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(two, 1, NULL, NULL, &err));
    CHECK(read(two, program, "b")[2] == 28 && read(one, program, "b")[2] == 0 && read(one, program, "a")[2] == 5);
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(one, 1, NULL, NULL, &err)); // what it was given works
    CHECK(read(one, program, "b")[2] == 12);
    CHECK_EQ_INT(strategy == WHORL_CPU ? WHORL_OK : WHORL_UNSUPPORTED,
                 whorl_session_exchange(one, 1, packed, find(many, "x"), &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_exchange(one, 1, packed, find(many, "c"), &err));
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_exchange(one, 0, one, 1, &err));
    whorl_session_destroy(one);
    whorl_session_destroy(two);
    whorl_session_destroy(packed);
    whorl_program_destroy(program);
    whorl_program_destroy(many);
    whorl_device_destroy(device);
}
TEST(exchange_cpu) { exchange("cpu"); }
TEST(exchange_gpu) { exchange("gpu"); }
TEST(copy_cpu) { copy("cpu"); }
TEST(copy_gpu) { copy("gpu"); }

TEST(refused) {
    whorl_program *first = compile("first.c", first_text, NULL, N, NULL);
    CHECK(!compile("second.c", second_text, "add", N - 2, first));
    CHECK_EQ_INT(WHORL_UNSUPPORTED, err.status);
    CHECK_HAS_STR("'x' is of another type or size", err.message);
    whorl_program_destroy(first);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_create_beside(NULL, NULL, WHORL_SINGLE, NULL, NULL, &err));
}
