// Calls on the CPU, and kernels in the making, that do not end in their time: what the caller gets, and that nothing of
// the caller's is touched afterwards.
#include <unistd.h>

#include "cached_device.h"
#include "run/api/api.h"
#include "run/execute/handmade.h"
#include "run/session/session.h"

// `| 2` keeps v from 1. What it wrote before is in its copies.
static const char endless_text[] = "void endless(int n, int x[n]) {\n"
                                   "#pragma omp parallel for\n"
                                   "    for (int i = 0; i < n; i++)\n"
                                   "        x[i] += 2;\n"
                                   "    int v = x[0];\n"
                                   "    while (v != 1)\n"
                                   "        v = (v * 4 + 2) | 2;\n"
                                   "    x[0] = v;\n"
                                   "}\n";
static const char talks_text[] = "#include <stdio.h>\n"
                                 "void talks(int n, int x[n]) {\n"
                                 "    int v = x[0];\n"
                                 "    for (unsigned k = 0; v != 1; k++) {\n"
                                 "        v = (v * 4 + 2) | 2;\n"
                                 "        if (k % 65536 == 0) printf(\"%d\\n\", v);\n"
                                 "    }\n"
                                 "#pragma omp parallel for\n"
                                 "    for (int i = 0; i < n; i++)\n"
                                 "        x[i] = v;\n"
                                 "}\n";
static const char quick_text[] = "void quick(int n, const int a[n], int x[n]) {\n"
                                 "#pragma omp parallel for\n"
                                 "    for (int i = 0; i < n; i++)\n"
                                 "        x[i] += a[i];\n"
                                 "}\n";
enum { N = 4 };

static whorl_program *compile(const char *text) {
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar n = {"n", N};
    whorl_program *program;
    options.scalars = &n;
    options.scalar_count = 1;
    CHECK_EQ_INT(WHORL_OK, whorl_compile("giveup.c", text, &options, &program, &err));
    return program;
}

static whorl_device *open_cpu(void) {
    whorl_device *device;
    make_cache();
    if (open_device("cpu", false, &device) != WHORL_OK) SKIP("no C compiler");
    return device;
}

static struct whorl_run_options limited(double max_s) {
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.max_s = max_s;
    return options;
}

TEST(a_run_on_the_cpu_is_given_up_at_its_time) {
    whorl_device *device = open_cpu();
    whorl_program *endless = compile(endless_text), *quick = compile(quick_text);
    struct whorl_run_options options = limited(0.3);
    int *x = malloc(N * sizeof *x), a[N] = {1, 2, 3, 4}, y[N] = {0};
    size_t sizes[] = {0, sizeof y, sizeof y};
    for (int i = 0; i < N; i++)
        x[i] = 4 * i;
    double start = run_now_s();
    CHECK_EQ_INT(WHORL_STOPPED, whorl_run(device, endless, (void *[]){NULL, x}, sizes, &options, NULL, &err));
    CHECK(run_now_s() - start < 30); // the C compiler has its part in it
    CHECK_HAS_STR("the time given to it is over", err.message);
    for (int i = 0; i < N; i++)
        CHECK_EQ_INT(4 * i, x[i]);
    free(x); // it has copies of its own
    options = limited(100);
    for (int again = 1; again <= 2; again++) { // and others run beside it
        CHECK_EQ_INT(WHORL_OK, whorl_run(device, quick, (void *[]){NULL, a, y}, sizes, &options, NULL, &err));
        CHECK_EQ_INT(4 * again, y[3]);
    }
    whorl_program_destroy(endless);
    whorl_program_destroy(quick);
    whorl_device_destroy(device);
    drop_cache();
}

TEST(a_session_whose_call_was_given_up_is_of_no_use) {
    whorl_device *device = open_cpu();
    whorl_program *endless = compile(endless_text);
    whorl_session *session;
    struct whorl_run_options options = limited(0.2);
    int x[N] = {0};
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, endless, WHORL_CPU, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 1, x, sizeof x, &err));
    CHECK_EQ_INT(WHORL_STOPPED, whorl_session_run(session, 1, &options, NULL, &err));
    CHECK_EQ_INT(WHORL_DEVICE, whorl_session_run(session, 1, &options, NULL, &err));
    CHECK_HAS_STR("make a new one", err.message);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_session_read(session, 1, x, sizeof x, &err));
    whorl_session_destroy(session);
    whorl_program_destroy(endless);
    whorl_device_destroy(device);
    drop_cache();
}

struct patience {
    int asked, most;
    double last_s;
};

static bool ask(void *user, const struct whorl_progress *p) {
    struct patience *patience = user;
    CHECK(p->elapsed_s > patience->last_s && p->fraction == 0);
    patience->last_s = p->elapsed_s;
    return ++patience->asked < patience->most;
}

TEST(a_call_on_the_cpu_is_given_up_when_its_caller_says_so) {
    whorl_device *device = open_cpu();
    whorl_program *endless = compile(endless_text), *quick = compile(quick_text);
    whorl_session *session, *other;
    struct patience patience = {.most = 3}, none = {.most = 1};
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    int x[N] = {0}, a[N] = {1, 2, 3, 4}, y[N] = {0};
    options.progress = ask;
    options.user = &patience;
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, endless, WHORL_CPU, &session, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(session, 1, x, sizeof x, &err));
    double start = run_now_s();
    CHECK_EQ_INT(WHORL_CANCELLED, whorl_session_run(session, 1, &options, NULL, &err));
    CHECK(run_now_s() - start > 0.29);
    CHECK_EQ_INT(3, patience.asked);
    CHECK_HAS_STR("cancelled while the program ran on the CPU", err.message);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_session_run(session, 1, &options, NULL, &err));
    // One that is done before the first tenth of a second is not asked about.
    options.user = &none;
    CHECK_EQ_INT(WHORL_OK, whorl_session_create(device, quick, WHORL_CPU, &other, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_write(other, 1, a, sizeof a, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_run(other, 1, &options, NULL, &err));
    CHECK_EQ_INT(WHORL_OK, whorl_session_read(other, 2, y, sizeof y, &err));
    CHECK_EQ_INT(4, y[3]);
    whorl_session_destroy(session);
    whorl_session_destroy(other);
    whorl_program_destroy(endless);
    whorl_program_destroy(quick);
    whorl_device_destroy(device);
    drop_cache();
}

TEST(a_run_on_the_cpu_asks_its_caller_only_where_it_has_copies) {
    whorl_device *device = open_cpu();
    whorl_program *endless = compile(endless_text);
    struct patience patience = {.most = 2};
    struct whorl_run_options options = limited(100);
    int x[N] = {0, 4, 8, 12};
    size_t sizes[] = {0, sizeof x};
    options.progress = ask;
    options.user = &patience;
    CHECK_EQ_INT(WHORL_CANCELLED, whorl_run(device, endless, (void *[]){NULL, x}, sizes, &options, NULL, &err));
    CHECK_EQ_INT(2, patience.asked);
    for (int i = 0; i < N; i++)
        CHECK_EQ_INT(4 * i, x[i]);
    whorl_program_destroy(endless);
    whorl_device_destroy(device);
    drop_cache();
}

static void forbid(void *user, const char *text, size_t size_bytes) {
    (void)text;
    if (*(const int *)user) abort();
    (void)size_bytes;
}

TEST(a_program_that_was_given_up_is_no_longer_heard) {
    whorl_device *device = open_cpu();
    whorl_program *talks = compile(talks_text);
    struct whorl_run_options options = limited(0.2);
    static int is_over;
    int x[N] = {0};
    size_t sizes[] = {0, sizeof x};
    options.print = forbid;
    options.print_user = &is_over;
    CHECK_EQ_INT(WHORL_STOPPED, whorl_run(device, talks, (void *[]){NULL, x}, sizes, &options, NULL, &err));
    is_over = 1;
    usleep(200000);
    CHECK_EQ_INT(WHORL_DEVICE, whorl_run(device, talks, (void *[]){NULL, x}, sizes, &options, NULL, &err));
    CHECK_HAS_STR("only a new process", err.message);
    whorl_program_destroy(talks);
    whorl_device_destroy(device);
    drop_cache();
}

// ---- kernels that are never made ------------------------------------------------------------------------------------

// Of a device that was given up nothing is released.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:wgpu"; }
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }

static WGPUProcDeviceCreateComputePipeline make_pipeline;

static WGPUComputePipeline make_slowly(WGPUDevice d, const WGPUComputePipelineDescriptor *what) {
    usleep(1500000);
    return make_pipeline(d, what);
}

// The device that is opened in the place of the one that was given up has the library's own functions, so that a second
// try would do.
TEST(a_strategy_whose_kernel_was_given_up_is_not_tried_again) {
    static const enum whorl_strategy asked[] = {WHORL_AUTO, WHORL_SINGLE, WHORL_STEPS};
    static uint32_t x[64];
    static struct handmade h;
    size_t sizes[] = {sizeof x};
    make_cache();
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        whorl_device *device;
        if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
        handmade_steps(&h, 64, 3);
        device->kernel_s = 0.2;
        make_pipeline = device->gpu->lib.DeviceCreateComputePipeline;
        device->gpu->lib.DeviceCreateComputePipeline = make_slowly;
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        options.strategy = asked[k]; // none but steps exists
        enum whorl_status status = whorl_run(device, &h.program, (void *[]){x}, sizes, &options, NULL, &err);
        if (status != WHORL_TIMEOUT) FAIL("%s: status %d, %s", whorl_strategy_name(asked[k]), (int)status, err.message);
        CHECK_HAS_STR("was given up", err.message);
        CHECK_EQ_INT(0, x[1]);
        usleep(1500000); // the thread that makes it ends in a moment
        handmade_end(&h);
        whorl_device_destroy(device);
    }
    drop_cache();
}

static const char phases_text[] = "void phases(int n, int steps, int x[n], int y[n]) {\n"
                                  "    for (int t = 0; t < steps; t++) {\n"
                                  "#pragma omp parallel for\n"
                                  "        for (int i = 0; i < n; i++) y[i] = x[(i * 7 + t) % n];\n"
                                  "#pragma omp parallel for\n"
                                  "        for (int i = 0; i < n; i++) x[i] = y[(i * 5 + 1) % n] ^ t;\n"
                                  "    }\n"
                                  "}\n";

// A driver may make one kernel at a time: a self-test of the device that takes the place of the one that was given up
// would wait for the kernel that holds it up. A caller that asked for no other strategy hears what would be next.
TEST(a_device_that_takes_the_place_of_one_given_up_makes_no_kernel_of_its_own) {
    static int x[64], y[64];
    struct whorl_scalar scalars[] = {{"n", 64}, {"steps", 9}};
    struct whorl_compile_options compiled = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    size_t sizes[] = {0, 0, sizeof x, sizeof y};
    void *arrays[] = {NULL, NULL, x, y};
    whorl_device *device;
    whorl_program *program;
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    compiled.scalars = scalars;
    compiled.scalar_count = 2;
    CHECK_EQ_INT(WHORL_OK, whorl_compile("phases.c", phases_text, &compiled, &program, &err));
    device->kernel_s = 0.2;
    make_pipeline = device->gpu->lib.DeviceCreateComputePipeline;
    device->gpu->lib.DeviceCreateComputePipeline = make_slowly;
    options.strategy = WHORL_SINGLE;
    options.no_fallback = true;
    CHECK_EQ_INT(WHORL_TIMEOUT, whorl_run(device, program, arrays, sizes, &options, &stats, &err));
    CHECK_HAS_STR("took more than 0.2 s", stats.note);
    CHECK_EQ_INT(WHORL_STEPS, stats.strategy);
    CHECK_EQ_INT(WHORL_OK, run_device_renew(device, &err));
    CHECK_EQ_INT(0, device->pipelines.count);
    device->kernel_s = 60;
    CHECK_EQ_INT(WHORL_OK, whorl_run(device, program, arrays, sizes, &options, &stats, &err));
    CHECK_EQ_INT(8, x[63]);
    usleep(1500000); // the thread that makes the first ends in a moment
    whorl_program_destroy(program);
    whorl_device_destroy(device);
    drop_cache();
}

static WGPUComputePipeline make_very_slowly(WGPUDevice d, const WGPUComputePipelineDescriptor *what) {
    usleep(2600000);
    return make_pipeline(d, what);
}

static bool hear_doing(void *user, const struct whorl_progress *p) {
    if (p->doing) {
        CHECK(p->slice == 0 && p->elapsed_s > 1.9);
        CHECK_HAS_STR("making kernel", p->doing);
        ++*(int *)user;
    }
    return true;
}

// Nobody is told that a slice is waited for while there is no kernel yet.
TEST(progress_says_that_a_kernel_is_made) {
    static uint32_t x[64];
    static struct handmade h;
    whorl_device *device;
    size_t sizes[] = {sizeof x};
    int heard = 0;
    make_cache();
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    handmade_steps(&h, 64, 3);
    make_pipeline = device->gpu->lib.DeviceCreateComputePipeline;
    device->gpu->lib.DeviceCreateComputePipeline = make_very_slowly;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    options.progress = hear_doing;
    options.user = &heard;
    CHECK_EQ_INT(WHORL_OK, whorl_run(device, &h.program, (void *[]){x}, sizes, &options, NULL, &err));
    CHECK(heard >= 2);
    handmade_end(&h);
    whorl_device_destroy(device);
    drop_cache();
}
