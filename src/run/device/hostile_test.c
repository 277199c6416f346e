// A checkpoint whose words are whole, of the right program, and lies: what it says of a loop's counter is no value that
// the loop has. The kernel's indices are proven, the library checks none of them, so the kernel itself has to bring the
// counter back.
#include "base/file.h"
#include "cached_device.h"
#include "run/state/checkpoint.h"

enum { N = 40, STEPS = 5000, HEAD_BYTES = 256 };
static const char text[] = "void f(int n, int steps, const int w[steps], int out[n]) {\n"
                           "    #pragma omp parallel for\n"
                           "    for (int i = 0; i < n; i++) {\n"
                           "        int s = 0;\n"
                           "        for (int t = 1; t < steps; t += 3) s = w[t] + (s & i & 1);\n"
                           "        out[i] = s;\n"
                           "    }\n}\n";
static int w[STEPS], out[N];
static char path[128];

static bool some_more(void *user, const struct whorl_progress *p) {
    (void)p;
    return --*(int *)user > 0;
}

static enum whorl_status go(whorl_device *device, const whorl_program *program, struct whorl_run_options *options) {
    void *arrays[] = {NULL, NULL, w, out};
    size_t sizes[] = {0, 0, sizeof w, sizeof out};
    options->strategy = WHORL_SINGLE;
    options->slice_ticks = 100;
    memset(&err, 0, sizeof err);
    return whorl_run(device, program, arrays, sizes, options, NULL, &err);
}

// The saved words of all iterations stand at the file's end, before its sum: first the numbers of their resume points,
// which stay.
static void lie(uint32_t word) {
    char *file;
    size_t size;
    if (base_read_file(path, 1 << 24, &file, &size, &err) != WHORL_OK) FAIL("%s", err.message);
    size_t words = (size - HEAD_BYTES - 8) / 4, resume = 0;
    uint32_t *at = (uint32_t *)(void *)(file + HEAD_BYTES);
    for (size_t i = 0; i + N < words; i++) { // the last place where N of them say 1
        size_t same = 0;
        while (same < N && at[i + same] == 1)
            same++;
        if (same == N) resume = i;
    }
    CHECK(resume > 0);
    for (size_t i = resume + N; i < words; i++)
        at[i] = word;
    uint64_t sum = run_sum(run_sum(0, file, HEAD_BYTES), at, words * 4);
    const struct base_span spans[] = {{file, size - 8}, {&sum, sizeof sum}};
    if (base_write_file(path, spans, 2, &err) != WHORL_OK) FAIL("%s", err.message);
    base_heap_free(file);
}

TEST(counters_of_a_lying_checkpoint) {
    whorl_device *device;
    whorl_program *program;
    make_cache();
    enum whorl_status opened = open_device("gpu", false, &device);
    drop_cache();
    if (opened != WHORL_OK) SKIP("no GPU: %s", err.message);
    struct whorl_scalar scalars[] = {{"n", N}, {"steps", STEPS}};
    struct whorl_compile_options how = WHORL_COMPILE_OPTIONS_INIT;
    how.scalars = scalars;
    how.scalar_count = 2;
    if (whorl_compile("test.c", text, &how, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_HAS_STR("indices are proven", whorl_program_text(program, WHORL_TEXT_EXPLAIN));
    snprintf(path, sizeof path, "/tmp/whorl-test-%ld.ckpt", (long)getpid());
    for (int t = 0; t < STEPS; t++)
        w[t] = 2 * t;
    // The last pass is that of 4999, which is a multiple of the step away from the first. Whatever the file says, it is
    // the last one made.
    static const uint32_t lies[] = {4998, 4999, 5000, 0x7fffffffu, 0, 0xfffffffbu, 0x80000000u};
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        int slices = 3;
        struct whorl_run_options first = WHORL_RUN_OPTIONS_INIT, again = WHORL_RUN_OPTIONS_INIT;
        first.checkpoint = path;
        first.progress = some_more;
        first.user = &slices;
        memset(out, 0, sizeof out); // it is an input too
        CHECK_EQ_INT(WHORL_CANCELLED, go(device, program, &first));
        lie(lies[k]);
        memset(out, 0, sizeof out);
        again.resume = path;
        if (go(device, program, &again) != WHORL_OK) FAIL("%08x: %s", lies[k], err.message);
        for (int i = 0; i < N; i++)
            if (out[i] >> 1 != 4999) FAIL("%08x: iteration %d ended with %d", lies[k], i, out[i]);
    }
    unlink(path);
    whorl_program_destroy(program);
    whorl_device_destroy(device);
}
