// Choosing a device, and what is said when there is none; the probe's cache; the CPU device.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "run/api/api.h"
#include "run/device/device.h"
#include "run/device/process.h"
#include "run/execute/handmade.h"

static struct handmade h;
static struct whorl_error err;
static struct whorl_stats stats;

static enum whorl_status open_with(const char *select, const char *library, const char *cc, const char *cache,
                                   whorl_device **out) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    options.library = library;
    options.cc = cc;
    options.cache_dir = cache;
    memset(&err, 0, sizeof err);
    return whorl_device_open(&options, out, &err);
}

TEST(a_missing_library_is_told_with_what_to_do) {
    whorl_device *device = NULL;
    CHECK_EQ_INT(WHORL_DEVICE, open_with("gpu", "/nowhere/libwebgpu.so", NULL, NULL, &device));
    CHECK(device == NULL);
    CHECK_HAS_STR("/nowhere/libwebgpu.so", err.message);
    CHECK_HAS_STR("make setup", err.message);
    CHECK_EQ_INT(WHORL_DEVICE, open_with("gpu", "libm.so.6", NULL, NULL, &device));
    CHECK_HAS_STR("not a WebGPU library", err.message);
}

TEST(auto_takes_the_cpu_where_there_is_no_gpu_and_says_why) {
    whorl_device *device;
    CHECK_EQ_INT(WHORL_OK, open_with("auto", "/nowhere/libwebgpu.so", NULL, NULL, &device));
    CHECK(whorl_device_get_info(device)->is_cpu);
    CHECK_HAS_STR("/nowhere/libwebgpu.so", whorl_device_reason(device));
    CHECK(!strchr(whorl_device_reason(device), '\n'));
    whorl_device_destroy(device);
    CHECK_EQ_INT(WHORL_DEVICE, open_with("auto", "/nowhere/libwebgpu.so", "no-such-compiler", NULL, &device));
    CHECK_HAS_STR("no C compiler", err.message);
    CHECK_EQ_INT(WHORL_DEVICE, open_with("cpu", NULL, "no-such-compiler", NULL, &device));
    CHECK_HAS_STR("no-such-compiler", err.message);
}

TEST(unknown_names_and_numbers_are_refused) {
    whorl_device *device;
    CHECK_EQ_INT(WHORL_INVALID, open_with("tpu", NULL, NULL, NULL, &device));
    CHECK_HAS_STR("'tpu' is no device", err.message);
    CHECK_EQ_INT(WHORL_DEVICE, open_with("99", NULL, NULL, NULL, &device));
    CHECK_HAS_STR("no device 99", err.message);
}

TEST(the_list_ends_with_the_cpu) {
    struct whorl_device_info infos[8];
    size_t count = whorl_device_list(NULL, infos, 8, &err);
    CHECK(count >= 1 && count <= 8);
    CHECK(infos[count - 1].is_cpu);
    CHECK_EQ_INT(count, whorl_device_list(NULL, NULL, 0, NULL));
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.library = "/nowhere/libwebgpu.so";
    CHECK_EQ_INT(1, whorl_device_list(&options, infos, 8, &err));
    CHECK_HAS_STR("/nowhere", err.message);
}

static const struct whorl_builtin *builtin(const struct whorl_device_info *info, const char *name) {
    for (uint32_t i = 0; i < info->builtin_count; i++)
        if (strcmp(info->builtins[i].name, name) == 0) return &info->builtins[i];
    FAIL("%s was not measured", name);
}

static char *only_file(const char *dir, char *out, size_t size) {
    DIR *d = opendir(dir);
    out[0] = 0;
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (entry->d_name[0] != '.') snprintf(out, size, "%s/%s", dir, entry->d_name);
    if (d) closedir(d);
    return out;
}

TEST(a_larger_gpu_is_kept_busy_by_more) {
    struct run_probe probe = {0};
    CHECK_EQ_INT(64, run_busy_invocations(&probe, true));
    CHECK_EQ_INT(65536, run_busy_invocations(&probe, false)); // not measured
    probe.grid_groups_max = 1056;                             // an H200
    CHECK_EQ_INT(65536, run_busy_invocations(&probe, false));
    probe.grid_groups_max = 1023;
    CHECK_EQ_INT(32768, run_busy_invocations(&probe, false));
    probe.grid_groups_max = 42;
    CHECK_EQ_INT(4096, run_busy_invocations(&probe, false));
    probe.grid_groups_max = 65535;
    CHECK_EQ_INT(2097152, run_busy_invocations(&probe, false));
}

TEST(probe_results_are_kept_and_damage_is_ignored) {
    char cache[] = "/tmp/whorl-test-XXXXXX", file[512];
    whorl_device *device;
    CHECK(mkdtemp(cache));
    if (open_with("gpu", NULL, NULL, cache, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    double first = device->probe.wait_us;
    struct whorl_builtin log = *builtin(&device->info, "log");
    CHECK(first > 0 && device->info.read_gbps > 0 && device->probe.ops_per_s > 0);
    double latency_ns = device->probe.latency_ns;
    CHECK(latency_ns > 0);
    whorl_device_destroy(device);
    CHECK_EQ_INT(WHORL_OK, open_with("gpu", NULL, NULL, cache, &device));
    CHECK_NEAR(first, device->probe.wait_us, first * 1e-6);
    CHECK_NEAR(latency_ns, device->info.latency_ns, latency_ns * 1e-6);
    CHECK_NEAR(log.worst_ulp, builtin(&device->info, "log")->worst_ulp, 1e-6);
    whorl_device_destroy(device);
    CHECK(only_file(cache, file, sizeof file)[0]);
    char *text, *at;
    size_t size;
    CHECK_EQ_INT(WHORL_OK, base_read_file(file, 0, &text, &size, NULL));
    at = strstr(text, "\"wait_us\": ");
    CHECK(at);
    memcpy(at + 11, "-1", 2); // out of range
    struct base_span span = {text, size};
    CHECK_EQ_INT(WHORL_OK, base_write_file(file, &span, 1, NULL));
    CHECK_EQ_INT(WHORL_OK, open_with("gpu", NULL, NULL, cache, &device));
    CHECK(device->probe.wait_us > 0);
    whorl_device_destroy(device);
    memcpy(at + 11, "10", 2);
    at = strstr(text, "\"atan2\""); // a function that this version does not ask for
    CHECK(at);
    memcpy(at, "\"atan3\"", 7);
    CHECK_EQ_INT(WHORL_OK, base_write_file(file, &span, 1, NULL));
    CHECK_EQ_INT(WHORL_OK, open_with("gpu", NULL, NULL, cache, &device));
    CHECK_EQ_INT(0, strcmp(builtin(&device->info, "atan2")->name, "atan2"));
    whorl_device_destroy(device);
    span.size = size / 2; // cut
    CHECK_EQ_INT(WHORL_OK, base_write_file(file, &span, 1, NULL));
    CHECK_EQ_INT(WHORL_OK, open_with("gpu", NULL, NULL, cache, &device));
    CHECK(device->probe.wait_us > 0);
    whorl_device_destroy(device);
    base_heap_free(text);
    unlink(file);
    rmdir(cache);
}

// What WGSL demands of every device, and C's rounding.
TEST(the_probe_measures_wgsl_s_own_functions) {
    whorl_device *device;
    char cache[] = "/tmp/whorl-test-XXXXXX", file[512];
    CHECK(mkdtemp(cache));
    if (open_with("gpu", NULL, NULL, cache, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    const struct whorl_device_info *info = whorl_device_get_info(device);
    CHECK_EQ_INT(WHORL_BUILTINS, info->builtin_count);
    static const char *const exact[] = {"floor", "ceil", "trunc", "round"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        CHECK(builtin(info, exact[i])->worst_ulp == 0 && builtin(info, exact[i])->wrong == 0);
    CHECK(builtin(info, "x / y")->worst_ulp > 0 && builtin(info, "x / y")->worst_ulp <= 3);
    CHECK(builtin(info, "sqrt")->worst_ulp > 0 && builtin(info, "sqrt")->worst_ulp <= 3);
    for (uint32_t i = 0; i < info->builtin_count; i++)
        CHECK(info->builtins[i].worst_ulp <= 1 << 24 && info->builtins[i].wrong <= 2048);
    whorl_device_destroy(device);
    unlink(only_file(cache, file, sizeof file));
    rmdir(cache);
}

TEST(an_adapter_that_fails_its_self_test_is_refused) {
    whorl_device *device = NULL;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    options.no_probe = true;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("no GPU: %s", err.message);
    bool refused = false;
    whorl_device_destroy(device);
    for (uint64_t n = 1; n < 200 && !refused; n++) { // one of these calls is the comparison
        (void)run_gpu_fail_at(n);
        if (whorl_device_open(&options, &device, &err) == WHORL_OK)
            whorl_device_destroy(device);
        else
            refused = strstr(err.message, "fails the self-test") != NULL;
    }
    (void)run_gpu_fail_at(0);
    CHECK(refused);
}

// ---- the CPU device ----
static whorl_device *cpu_device(const char *cache) {
    whorl_device *device;
    if (open_with("cpu", NULL, NULL, cache, &device) != WHORL_OK) SKIP("no C compiler: %s", err.message);
    return device;
}

enum { N = 1000 };
static float a[N], b[N], c[N];
static void *const arrays[] = {a, b, c};
static const size_t sizes[] = {sizeof a, sizeof b, sizeof c};

static void fill(void) {
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
        c[i] = -1;
    }
}

TEST(the_cpu_runs_the_c_text_and_keeps_the_object) {
    char cache[] = "/tmp/whorl-test-XXXXXX", file[512];
    CHECK(mkdtemp(cache));
    whorl_device *device = cpu_device(cache);
    handmade_add(&h, N);
    for (int round = 0; round < 2; round++) {
        fill();
        if (whorl_run(device, &h.program, arrays, sizes, NULL, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
        for (int i = 0; i < N; i++)
            CHECK(c[i] == a[i] + 0.5f);
        CHECK_EQ_INT(WHORL_CPU, stats.strategy);
        CHECK_EQ_INT(0, stats.dispatches);
        CHECK(round ? stats.pipeline_ms == 0 : stats.pipeline_ms > 0);
    }
    CHECK_HAS_STR(".so", only_file(cache, file, sizeof file));
    whorl_device_destroy(device);
    handmade_end(&h);
    unlink(file);
    rmdir(cache);
}

TEST(a_cache_that_cannot_be_written_is_no_error) {
    whorl_device *device = cpu_device("/proc/no-such-folder");
    handmade_add(&h, N);
    fill();
    if (whorl_run(device, &h.program, arrays, sizes, NULL, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK(c[7] == 7.5f);
    whorl_device_destroy(device);
    handmade_end(&h);
}

TEST(cpu_sessions_keep_their_arrays) {
    static const char text[] = "void __whorl_call(void **arrays, const void *scalars) {\n"
                               "    float *x = arrays[1]; int n = *(const int *)scalars; float k; \n"
                               "    __builtin_memcpy(&k, (const char *)scalars + 16, 4);\n"
                               "    for (int i = 0; i < n; i++) x[i] += k;\n}\n";
    whorl_device *device = cpu_device(NULL);
    handmade_begin(&h, "more");
    handmade_scalar(&h, (struct plan_scalar){
                            .name = "n", .kind = PLAN_SPECIALISED, .dtype = WHORL_I32, .bits = 3, .is_param = true});
    handmade_array(&h, "x", PLAN_INOUT, WHORL_F32, 3);
    handmade_scalar(
        &h,
        (struct plan_scalar){
            .name = "k", .kind = PLAN_UNIFORM, .dtype = WHORL_F32, .bits = 0x3f800000, .word = 8, .is_param = true});
    h.program.c_text = text;
    whorl_session *session;
    float x[3] = {1, 2, 3};
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, &h.program, WHORL_AUTO, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 1, x, sizeof x, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(session, 4, NULL, NULL, &err));
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.scalars = &(struct whorl_scalar){"k", 0.5};
    options.scalar_count = 1;
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(session, 1, &options, NULL, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(session, 1, x, sizeof x, &err));
    CHECK(x[0] == 5.5f && x[2] == 7.5f);
    CHECK_EQ_INT(WHORL_INVALID, whorl_session_read(session, 0, x, 4, &err));
    whorl_session_destroy(session);
    whorl_device_destroy(device);
    handmade_end(&h);
}

TEST(large_arrays_on_the_stack_are_fine) {
    static const char text[] = "void __whorl_call(void **arrays, const void *scalars) {\n"
                               "    long n = 50000000; (void)scalars;\n    float big[n];\n"
                               "    for (long i = 0; i < n; i += 1000) big[i] = (float)i;\n"
                               "    *(float *)arrays[0] = big[49999000];\n}\n";
    whorl_device *device = cpu_device(NULL);
    handmade_begin(&h, "large");
    handmade_array(&h, "x", PLAN_INOUT, WHORL_F32, 1);
    h.program.c_text = text;
    float x = 0;
    void *one[] = {&x};
    size_t size[] = {4};
    if (whorl_run(device, &h.program, one, size, NULL, &stats, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK(x == 49999000.0f);
    whorl_device_destroy(device);
    handmade_end(&h);
}

TEST(what_the_cpu_cannot_do_is_said) {
    whorl_device *device = cpu_device(NULL);
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    handmade_add(&h, N);
    options.strategy = WHORL_STEPS;
    CHECK_EQ_INT(WHORL_INVALID, whorl_run(device, &h.program, arrays, sizes, &options, &stats, &err));
    CHECK_HAS_STR("only the strategy cpu", err.message);
    h.program.c_text = "this is not C";
    CHECK_EQ_INT(WHORL_SOURCE, whorl_run(device, &h.program, arrays, sizes, NULL, &stats, &err));
    CHECK_HAS_STR("error:", err.message);
    h.program.c_text = NULL;
    CHECK_EQ_INT(WHORL_INVALID, whorl_run(device, &h.program, arrays, sizes, NULL, &stats, &err));
    CHECK_HAS_STR("no C text", err.message);
    whorl_device_destroy(device);
    handmade_end(&h);
}

TEST(processes_are_run_and_heard) {
    char text[64];
    char *echo[] = {"sh", "-c", "echo one; echo two >&2", NULL}, *fails[] = {"sh", "-c", "exit 3", NULL},
         *missing[] = {"no-such-program", NULL};
    CHECK(run_process(echo, text, sizeof text));
    CHECK_EQ_STR("one\ntwo\n", text);
    CHECK(run_process(echo, text, 4));
    CHECK_EQ_STR("one", text);
    CHECK(!run_process(fails, text, sizeof text));
    CHECK(!run_process(missing, text, sizeof text));
}
