// What a caller may hand over: every function of whorl.h with each of its pointers NULL in turn, with and without a
// place for the error; and options that cannot be meant. The table is held against the header itself, so that a new
// function, or a new pointer of an old one, has its row here.
#include <ctype.h>

#include "base/file.h"
#include "cached_device.h"

static const char text[] = "void f(int n, float rate, const float a[n], float x[n]) {\n"
                           "#pragma omp parallel for\n"
                           "    for (int i = 0; i < n; i++) x[i] += rate * a[i];\n}\n";
enum { N = 10 };
static const struct whorl_scalar values[] = {{"n", N}, {"rate", 0.5}};
static float a[N], x[N];
static void *arrays[] = {NULL, NULL, a, x};
static const size_t sizes[] = {0, 0, sizeof a, sizeof x};

// What the calls work on, made anew for each.
static whorl_program *program;
static whorl_device *device;
static whorl_session *session;
static struct whorl_compile_options compile;
static struct whorl_run_options run;
static struct whorl_device_options choice;
static struct whorl_error *where; // the calls' err

static void begin(void) {
    compile = (struct whorl_compile_options)WHORL_COMPILE_OPTIONS_INIT;
    run = (struct whorl_run_options)WHORL_RUN_OPTIONS_INIT;
    choice = (struct whorl_device_options)WHORL_DEVICE_OPTIONS_INIT;
    compile.scalars = values;
    compile.scalar_count = 2;
    choice.select = "cpu";
    choice.cache_dir = cache;
    if (whorl_compile("f.c", text, &compile, &program, &err) != WHORL_OK ||
        whorl_device_open(&choice, &device, &err) != WHORL_OK ||
        whorl_session_create(device, program, WHORL_AUTO, &session, &err) != WHORL_OK)
        FAIL("%s", err.message);
    memset(&err, 0, sizeof err);
    where = &err;
}

static void end(void) {
    whorl_session_destroy(session);
    whorl_device_destroy(device);
    whorl_program_destroy(program);
}

// ---- each pointer NULL ----------------------------------------------------------------------------------------------------------------

static int nil; // this one of the call's pointers, from 0
#define P(k, pointer) (nil == (k) ? NULL : (pointer))

static enum whorl_status compile_it(void) {
    whorl_program *made = NULL;
    enum whorl_status status = whorl_compile(P(0, "f.c"), P(1, text), P(2, &compile), P(3, &made), where);
    whorl_program_destroy(made);
    return status;
}
static enum whorl_status inspect(void) {
    whorl_program *made = NULL;
    enum whorl_status status = whorl_inspect(P(0, "f.c"), P(1, text), P(2, &compile), P(3, &made), where);
    whorl_program_destroy(made);
    return status;
}
static enum whorl_status read_plan(void) {
    whorl_program *made = NULL;
    const char *json = whorl_program_text(program, WHORL_TEXT_PLAN);
    enum whorl_status status = whorl_plan_read(P(0, json), strlen(json), P(1, &made), where);
    whorl_program_destroy(made);
    return status;
}
static enum whorl_status open_it(void) {
    whorl_device *made = NULL;
    enum whorl_status status = whorl_device_open(P(0, &choice), P(1, &made), where);
    whorl_device_destroy(made);
    return status;
}
static enum whorl_status list(void) {
    static struct whorl_device_info infos[8];
    return whorl_device_list(P(0, &choice), P(1, infos), 8, where) ? WHORL_OK : WHORL_DEVICE;
}
static enum whorl_status run_it(void) {
    struct whorl_stats stats;
    return whorl_run(P(0, device), P(1, program), P(2, arrays), P(3, sizes), P(4, &run), P(5, &stats), where);
}
static enum whorl_status find_races(void) {
    uint64_t iterations;
    return whorl_find_races(P(0, program), P(1, arrays), P(2, sizes), P(3, &iterations), where);
}
static enum whorl_status profile(void) {
    static struct whorl_profile out;
    return whorl_profile(P(0, device), P(1, program), P(2, arrays), P(3, sizes), P(4, &run), P(5, &out), where);
}
static enum whorl_status choose(void) {
    struct whorl_choice out;
    return whorl_auto(P(0, device), P(1, program), P(2, &run), P(3, &out), where);
}
static enum whorl_status predict(void) {
    struct whorl_choice out;
    struct whorl_device_info info = {0};
    return whorl_predict(P(0, &info), P(1, program), P(2, &out), where);
}
static enum whorl_status tune(void) {
    struct whorl_tuning out;
    return whorl_tune(P(0, device), P(1, program), P(2, arrays), P(3, sizes), P(4, &run), P(5, &out), where);
}
static enum whorl_status create_session(void) {
    whorl_session *made = NULL;
    enum whorl_status status = whorl_session_create(P(0, device), P(1, program), WHORL_AUTO, P(2, &made), where);
    whorl_session_destroy(made);
    return status;
}
static enum whorl_status create_beside(void) {
    whorl_session *made = NULL;
    enum whorl_status status =
        whorl_session_create_beside(P(0, device), P(1, program), WHORL_AUTO, P(2, session), P(3, &made), where);
    whorl_session_destroy(made);
    return status;
}
static enum whorl_status write_session(void) { return whorl_session_write(P(0, session), 2, P(1, a), sizeof a, where); }
static enum whorl_status read_session(void) { return whorl_session_read(P(0, session), 3, P(1, x), sizeof x, where); }
static enum whorl_status write_part(void) { return whorl_session_write_part(P(0, session), 2, 4, P(1, a), 8, where); }
static enum whorl_status read_part(void) { return whorl_session_read_part(P(0, session), 3, 0, P(1, x), 4, where); }
static enum whorl_status copy_session(void) {
    whorl_session *other = NULL;
    if (whorl_session_create(device, program, WHORL_AUTO, &other, where) != WHORL_OK) return WHORL_INTERNAL;
    enum whorl_status status = whorl_session_copy(P(0, session), 2, P(1, other), 2, where);
    whorl_session_destroy(other);
    return status;
}
static enum whorl_status exchange(void) { return whorl_session_exchange(P(0, session), 2, P(1, session), 2, where); }
static enum whorl_status run_session(void) {
    struct whorl_stats stats;
    return whorl_session_run(P(0, session), 1, P(1, &run), P(2, &stats), where);
}
// Those without a status: what they give for NULL is to be harmless.
static enum whorl_status destroy_all(void) {
    whorl_program_destroy(NULL);
    whorl_device_destroy(NULL);
    whorl_session_destroy(NULL);
    return WHORL_OK;
}
static enum whorl_status texts(void) {
    for (int what = -1; what <= WHORL_TEXT_COMMENTS + 1; what++)
        if (!whorl_program_text(P(0, program), (enum whorl_text)what)) return WHORL_INTERNAL;
    return WHORL_OK;
}
static enum whorl_status param_count(void) {
    return whorl_program_param_count(P(0, program)) == (nil == 0 ? 0 : 4) ? WHORL_OK : WHORL_INTERNAL;
}
static enum whorl_status param(void) {
    bool there = whorl_program_param(P(0, program), 3) != NULL, beyond = whorl_program_param(program, 4) != NULL;
    return there == (nil != 0) && !beyond ? WHORL_OK : WHORL_INTERNAL;
}
static enum whorl_status buffer_bytes(void) {
    return (whorl_program_buffer_bytes(P(0, program)) > 0) == (nil != 0) ? WHORL_OK : WHORL_INTERNAL;
}
static enum whorl_status barriers(void) { return whorl_program_barriers(P(0, program)) ? WHORL_INTERNAL : WHORL_OK; }
static enum whorl_status work(void) {
    struct whorl_work out;
    return whorl_program_work(P(0, program), P(1, &out)) == (nil < 0 || nil > 1) ? WHORL_OK : WHORL_INTERNAL;
}
static enum whorl_status info(void) {
    return (whorl_device_get_info(P(0, device)) != NULL) == (nil != 0) ? WHORL_OK : WHORL_INTERNAL;
}
static enum whorl_status reason(void) { return whorl_device_reason(P(0, device)) ? WHORL_OK : WHORL_INTERNAL; }
static enum whorl_status names(void) {
    static const int numbers[] = {-1, 0, 1, 99};
    for (size_t i = 0; i < 4; i++) {
        int n = numbers[i];
        if (!*whorl_status_name((enum whorl_status)n) || !*whorl_strategy_name((enum whorl_strategy)n) ||
            !*whorl_dtype_name((enum whorl_dtype)n) ||
            (whorl_dtype_size((enum whorl_dtype)n) == 0) != (n < 0 || n > WHORL_BOOL))
            return WHORL_INTERNAL;
    }
    return *whorl_version() ? WHORL_OK : WHORL_INTERNAL;
}

// One letter a pointer: n it is needed (WHORL_INVALID), o optional. `err` is always optional and has no letter.
static const struct {
    const char *name, *pointers;
    enum whorl_status (*call)(void);
    bool gpu; // the CPU device refuses it whatever it is given
} functions[] = {{"whorl_version", "", names, false},
                 {"whorl_status_name", "", names, false},
                 {"whorl_compile", "noon", compile_it, false}, // text: the file is read
                 {"whorl_program_destroy", "o", destroy_all, false},
                 {"whorl_program_text", "o", texts, false},
                 {"whorl_plan_read", "nn", read_plan, false},
                 {"whorl_program_param_count", "o", param_count, false},
                 {"whorl_program_barriers", "o", barriers, false},
                 {"whorl_program_work", "oo", work, false},
                 {"whorl_program_buffer_bytes", "o", buffer_bytes, false},
                 {"whorl_program_param", "o", param, false},
                 {"whorl_dtype_size", "", names, false},
                 {"whorl_dtype_name", "", names, false},
                 {"whorl_inspect", "noon", inspect, false},
                 {"whorl_device_list", "oo", list, false},
                 {"whorl_device_open", "on", open_it, false},
                 {"whorl_device_destroy", "o", destroy_all, false},
                 {"whorl_device_get_info", "o", info, false},
                 {"whorl_device_reason", "o", reason, false},
                 {"whorl_strategy_name", "", names, false},
                 {"whorl_run", "nnnnoo", run_it, false},
                 {"whorl_find_races", "nnno", find_races, false},
                 {"whorl_profile", "nnnnon", profile, true},
                 {"whorl_auto", "nnon", choose, false},
                 {"whorl_predict", "nnn", predict, false},
                 {"whorl_tune", "nnnnon", tune, false},
                 {"whorl_session_create", "nnn", create_session, false},
                 {"whorl_session_create_beside", "nnnn", create_beside, false},
                 {"whorl_session_write", "nn", write_session, false},
                 {"whorl_session_read", "nn", read_session, false},
                 {"whorl_session_write_part", "nn", write_part, false},
                 {"whorl_session_read_part", "nn", read_part, false},
                 {"whorl_session_copy", "nn", copy_session, false},
                 {"whorl_session_exchange", "nn", exchange, false},
                 {"whorl_session_run", "noo", run_session, false},
                 {"whorl_session_destroy", "o", destroy_all, false}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void call_with(size_t f, int pointer, bool tell) {
    nil = pointer;
    begin();
    where = tell ? &err : NULL;
    enum whorl_status status = functions[f].call();
    end();
    const char *name = functions[f].name;
    bool needed = pointer >= 0 && functions[f].pointers[pointer] == 'n';
    // a file by the name of the text is not there, and whorl_compile without options has no values
    bool other = strncmp(functions[f].pointers, "noon", 4) == 0 && (pointer == 1 || pointer == 2);
    if (functions[f].gpu && !needed)
        CHECK_EQ_INT(WHORL_INVALID, status);
    else if (other)
        CHECK(status == WHORL_IO || status == WHORL_SOURCE || strcmp(name, "whorl_inspect") == 0);
    else if (status != (needed ? WHORL_INVALID : WHORL_OK))
        FAIL("%s, pointer %d NULL: %s %s", name, pointer, whorl_status_name(status), tell ? err.message : "");
    if (needed && tell && (err.status != WHORL_INVALID || !*err.message || !*err.stage))
        FAIL("%s, pointer %d NULL: no message", name, pointer);
}

TEST(each_pointer_may_be_null) {
    make_cache();
    for (size_t f = 0; f < FUNCTIONS; f++)
        for (int pointer = -1; pointer < (int)strlen(functions[f].pointers); pointer++)
            for (int tell = 0; tell < 2; tell++)
                call_with(f, pointer, tell);
    drop_cache();
}

// The declarations of the header, without comments, macros and the bodies of structs.
static void strip(char *header) {
    char *to = header;
    int depth = 0;
    for (char *p = header; *p; p++) {
        if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
        if (*p == '#' && (p == header || p[-1] == '\n'))
            for (; *p && *p != '\n'; p++)
                if (*p == '\\') p++;
        if (strncmp(p, "extern \"C\" {", 12) == 0) p += 12;
        depth += *p == '{' ? 1 : *p == '}' && depth > 0 ? -1 : 0;
        if (depth == 0 || *p == '{') *to++ = *p;
        if (!*p) break;
    }
    *to = 0;
}

TEST(the_table_is_the_header) {
    char *header;
    size_t size, found = 0;
    if (base_read_file("include/whorl.h", 1 << 20, &header, &size, &err) != WHORL_OK) FAIL("%s", err.message);
    strip(header);
    for (char *p = header; (p = strstr(p, "whorl_")) != NULL;) {
        char name[64];
        size_t length = 0, pointers = 0;
        for (; (isalnum((unsigned char)p[length]) || p[length] == '_') && length < 63; length++)
            name[length] = p[length];
        name[length] = 0;
        p += length;
        if (*p != '(') continue;
        char *close = strchr(p, ')'), *last = NULL;
        CHECK(close);
        *close = 0;
        for (char *star = p; (star = strchr(star, '*')) != NULL; star++) {
            bool again = star[1] == '*' || (strncmp(star, "*const *", 8) == 0); // of one parameter
            if (!again) last = star;
            pointers += !again;
        }
        if (last && strcmp(last, "*err") == 0) pointers--;
        found++;
        size_t f = 0;
        while (f < FUNCTIONS && strcmp(functions[f].name, name) != 0)
            f++;
        if (f == FUNCTIONS) FAIL("%s has no row here", name);
        if (pointers != strlen(functions[f].pointers)) FAIL("%s has %zu pointers", name, pointers);
        p = close + 1;
    }
    CHECK_EQ_INT(FUNCTIONS, found);
    base_heap_free(header);
}

// ---- options that cannot be meant ------------------------------------------------------------------------------------------------------

static struct whorl_scalar some[3];
static struct whorl_shape shapes[2];
static const char *words[2];

static enum whorl_status compile_now(void) {
    nil = -1;
    return compile_it();
}
static enum whorl_status run_now(void) {
    nil = -1;
    return run_it();
}
static enum whorl_status use_scalars(size_t count) {
    compile.scalars = run.scalars = some;
    compile.scalar_count = run.scalar_count = count;
    return WHORL_OK;
}

#define MISUSE(id) static enum whorl_status id(void)
MISUSE(compile_size_0) { return compile.struct_size = 0, compile_now(); }
MISUSE(compile_size_less) { return compile.struct_size -= 8, compile_now(); }
MISUSE(compile_size_more) { return compile.struct_size += 8, compile_now(); }
MISUSE(run_size_0) { return run.struct_size = 0, run_now(); }
MISUSE(run_size_more) { return run.struct_size = SIZE_MAX, run_now(); }
MISUSE(device_size_0) { return choice.struct_size = 0, nil = -1, open_it(); }
MISUSE(list_size_0) { return choice.struct_size = 0, whorl_device_list(&choice, NULL, 0, where) == 0 ? err.status : 0; }
MISUSE(session_size_0) { return run.struct_size = 0, nil = -1, run_session(); }
MISUSE(auto_size_0) { return run.struct_size = 0, nil = -1, choose(); }
MISUSE(tune_size_0) { return run.struct_size = 0, nil = -1, tune(); }
MISUSE(profile_size_0) { return run.struct_size = 0, nil = -1, profile(); }
MISUSE(scalar_twice) {
    some[0] = values[0], some[1] = values[1], some[2] = values[0];
    return use_scalars(3), compile_now();
}
MISUSE(scalar_without_name) {
    some[0] = values[0], some[1] = (struct whorl_scalar){NULL, 1};
    return use_scalars(2), compile_now();
}
MISUSE(scalars_null) { return compile.scalars = NULL, compile_now(); }
MISUSE(scalars_negative) { return compile.scalar_count = (size_t)-1, compile_now(); }
MISUSE(run_scalar_twice) {
    some[0] = some[1] = values[1];
    return use_scalars(2), run_now();
}
MISUSE(run_scalar_without_name) {
    some[0] = (struct whorl_scalar){NULL, 1};
    return use_scalars(1), run_now();
}
MISUSE(run_scalars_null) { return run.scalar_count = 3, run_now(); }
MISUSE(run_scalars_negative) { return run.scalars = values, run.scalar_count = (size_t)-2, run_now(); }
MISUSE(run_scalar_unknown) {
    some[0] = (struct whorl_scalar){"nobody", 1};
    return use_scalars(1), run_now();
}
MISUSE(run_scalar_no_float) {
    some[0] = (struct whorl_scalar){"rate", 1e300};
    return use_scalars(1), run_now();
}
static enum whorl_status with_shape(uint32_t ndims, size_t count, const char *name) {
    shapes[0] = shapes[1] = (struct whorl_shape){.name = name, .ndims = ndims, .dims = {1, 1}};
    compile.shapes = shapes;
    compile.shape_count = count;
    return compile_now();
}
MISUSE(shape_without_name) { return with_shape(1, 1, NULL); }
MISUSE(shape_of_0) { return with_shape(0, 1, "x"); }
MISUSE(shape_of_9) { return with_shape(9, 1, "x"); }
MISUSE(shape_twice) { return with_shape(1, 2, "x"); }
MISUSE(shapes_null) { return compile.shape_count = 1, compile_now(); }
static enum whorl_status with_define(const char *word) {
    words[0] = word;
    compile.defines = words;
    compile.define_count = 1;
    return compile_now();
}
MISUSE(define_null) { return with_define(NULL); }
MISUSE(define_empty) { return with_define(""); }
MISUSE(define_number) { return with_define("3X=1"); }
MISUSE(define_words) { return with_define("A B"); }
MISUSE(define_lines) { return with_define("A=1\n#error"); }
MISUSE(defines_null) { return compile.define_count = 1, compile_now(); }
MISUSE(include_null) {
    return compile.include_dirs = words, words[0] = NULL, compile.include_dir_count = 1, compile_now();
}
MISUSE(includes_null) { return compile.include_dir_count = 1, compile_now(); }
MISUSE(uniform_null) { return compile.uniform = words, words[0] = NULL, compile.uniform_count = 1, compile_now(); }
MISUSE(uniforms_null) { return compile.uniform_count = 1, compile_now(); }
MISUSE(workgroup_huge) { return compile.workgroup_size = UINT32_MAX, compile_now(); }
MISUSE(doubles_twice) { return compile.double_as_float = compile.double_as_pair = true, compile_now(); }
MISUSE(target_of_one_buffer) { return compile.target.storage_buffers = 1, compile_now(); }
MISUSE(strategy_99) { return run.strategy = (enum whorl_strategy)99, run_now(); }
MISUSE(strategy_negative) { return run.strategy = (enum whorl_strategy) - 1, run_now(); }
MISUSE(session_strategy) {
    return whorl_session_create(device, program, (enum whorl_strategy)99, &(whorl_session *){0}, where);
}
MISUSE(slice_nan) { return run.slice_ms = NAN, run_now(); }
MISUSE(time_negative) { return run.max_s = -1, run_now(); }
MISUSE(time_nan) { return run.max_s = NAN, run_now(); }
MISUSE(checkpoints_negative) { return run.checkpoint_every_s = -1, run_now(); }
MISUSE(session_no_calls) { return whorl_session_run(session, 0, NULL, NULL, where); }
MISUSE(session_param) { return whorl_session_write(session, 77, a, sizeof a, where); }
MISUSE(session_scalar) { return whorl_session_write(session, 0, a, sizeof a, where); }
MISUSE(session_short) { return whorl_session_read(session, 3, x, 4, where); }
static enum whorl_status with_array(void *memory, size_t size) {
    void *given[] = {NULL, NULL, a, memory};
    size_t bytes[] = {0, 0, sizeof a, size};
    return whorl_run(device, program, given, bytes, NULL, NULL, where);
}
MISUSE(array_null) { return with_array(NULL, sizeof x); }
MISUSE(array_short) { return with_array(x, sizeof x - 4); }
MISUSE(array_long) { return with_array(x, sizeof x + 4); }
MISUSE(array_negative) { return with_array(x, (size_t)-4); }
static enum whorl_status with_races(void *memory, size_t size) {
    void *given[] = {NULL, NULL, a, memory};
    size_t bytes[] = {0, 0, sizeof a, size};
    return whorl_find_races(program, given, bytes, NULL, where);
}
MISUSE(races_array_null) { return with_races(NULL, sizeof x); }
MISUSE(races_array_short) { return with_races(x, sizeof x - 4); }
MISUSE(device_name) { return choice.select = "-1", nil = -1, open_it(); }
MISUSE(device_empty) { return choice.select = "", nil = -1, open_it(); }
MISUSE(plan_empty) { return whorl_plan_read("", 0, &(whorl_program *){0}, where); }

#define ROW(id, part) \
    { #id, part, id }
static const struct {
    const char *name, *part; // of the message
    enum whorl_status (*call)(void);
} misuses[] = {ROW(compile_size_0, "WHORL_COMPILE_OPTIONS_INIT"),
               ROW(compile_size_less, "WHORL_COMPILE_OPTIONS_INIT"),
               ROW(compile_size_more, "WHORL_COMPILE_OPTIONS_INIT"),
               ROW(run_size_0, "struct_size is 0"),
               ROW(run_size_more, "WHORL_RUN_OPTIONS_INIT"),
               ROW(device_size_0, "WHORL_DEVICE_OPTIONS_INIT"),
               ROW(list_size_0, "WHORL_DEVICE_OPTIONS_INIT"),
               ROW(session_size_0, "struct_size is 0"),
               ROW(auto_size_0, "struct_size is 0"),
               ROW(tune_size_0, "struct_size is 0"),
               ROW(profile_size_0, "struct_size is 0"),
               ROW(scalar_twice, "'n' is twice among the scalars"),
               ROW(scalar_without_name, "number 1 of the scalars has no name"),
               ROW(scalars_null, "2 scalars, but the list is NULL"),
               ROW(scalars_negative, "at most"),
               ROW(run_scalar_twice, "'rate' is twice"),
               ROW(run_scalar_without_name, "no name"),
               ROW(run_scalars_null, "3 scalars, but the list is NULL"),
               ROW(run_scalars_negative, "at most"),
               ROW(run_scalar_unknown, "'nobody' is no scalar parameter of f"),
               ROW(run_scalar_no_float, "1e+300 is no value for 'rate'"),
               ROW(shape_without_name, "no name"),
               ROW(shape_of_0, "'x' has 0 dimensions"),
               ROW(shape_of_9, "'x' has 9 dimensions"),
               ROW(shape_twice, "'x' is twice"),
               ROW(shapes_null, "NULL"),
               ROW(define_null, "number 0 of the defines is NULL"),
               ROW(define_empty, "defines no macro"),
               ROW(define_number, "defines no macro"),
               ROW(define_words, "'A B' defines no macro"),
               ROW(define_lines, "defines no macro"),
               ROW(defines_null, "NULL"),
               ROW(include_null, "include directories is NULL"),
               ROW(includes_null, "NULL"),
               ROW(uniform_null, "uniform scalars is NULL"),
               ROW(uniforms_null, "NULL"),
               ROW(workgroup_huge, "at most 256"),
               ROW(doubles_twice, "choose one"),
               ROW(target_of_one_buffer, "every device offers 8"),
               ROW(strategy_99, "no strategy 99"),
               ROW(strategy_negative, "no strategy -1"),
               ROW(session_strategy, "no strategy 99"),
               ROW(slice_nan, "slice_ms"),
               ROW(time_negative, "max_s is -1"),
               ROW(time_nan, "max_s"),
               ROW(checkpoints_negative, "checkpoint_every_s is -1"),
               ROW(session_no_calls, "calls"),
               ROW(session_param, "parameter 77"),
               ROW(session_scalar, "no array"),
               ROW(session_short, "4 were given"),
               ROW(array_null, "'x' has no memory"),
               ROW(array_short, "36 were given"),
               ROW(array_long, "44 were given"),
               ROW(array_negative, "were given"),
               ROW(races_array_null, "'x' has no memory"),
               ROW(races_array_short, "array x has 36 bytes"),
               ROW(device_name, "'-1' is no device"),
               ROW(device_empty, "'' is no device"),
               ROW(plan_empty, "empty")};

TEST(what_cannot_be_meant_is_refused) {
    make_cache();
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        begin();
        enum whorl_status status = misuses[i].call();
        if (status != WHORL_INVALID || err.status != WHORL_INVALID || !strstr(err.message, misuses[i].part))
            FAIL("%s: %s, \"%s\"", misuses[i].name, whorl_status_name(status), err.message);
        where = NULL;
        if (misuses[i].call != list_size_0) CHECK_EQ_INT(WHORL_INVALID, misuses[i].call());
        end();
    }
    drop_cache();
}
