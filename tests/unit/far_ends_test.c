// How often a parallel loop runs, near the ends of its type: alike for constants and for what only the run knows, as
// parts and as one dispatch. The judge is the same text as sequential C; a C compiler's own OpenMP counts in an int,
// which is too small for it.
#include "check.h"
#include "whorl.h"

enum { N = 8, OUT = 64 };

#define LOOP(...) _Pragma("omp parallel for") __VA_ARGS__
#define PROGRAM                                                                                                       \
    void ends(int n, const int one[n], int out[64]) {                                                                 \
        int low = -2147483647 * one[0], high = 2147483647 * one[1], step = 1000000000 * one[2];                       \
        unsigned first = 0u * (unsigned)one[3], bound = 4294967294u * (unsigned)one[4],                               \
                 each = 1431655765u * (unsigned)one[5];                                                               \
        LOOP(for (int i = low; i < 1147483647; i += step) out[i < 0 ? i / 1000000000 + 2 : 3] = i;)                   \
        LOOP(for (int i = -2000000000; i < 2000000000; i += 1000000000) out[4 + i / 1000000000 + 2] = i;)             \
        LOOP(for (int i = high; i > -1147483648; i -= step) out[8 + i / 1000000000 + (i < 0 ? 0 : 1)] = i;)           \
        LOOP(for (unsigned i = 0u; i < 4294967294u; i += 1431655765u) out[12 + i / 1431655765u] = (int)(i >> 1);)     \
        LOOP(for (unsigned i = first; i < bound; i += each) out[16 + i / 1431655765u] = (int)(i >> 1);)               \
        LOOP(for (unsigned i = bound + 1u; i > 1u; i -= each) out[20 + i / 1431655765u] = (int)(i >> 1);)             \
        for (int t = 0; t < 1 + one[6]; t++) {                                                                        \
            LOOP(for (unsigned i = first; i < bound; i += 1431655765u) out[24 + i / 1431655765u] += (int)(i >> 3);)   \
            LOOP(for (int i = low; i < high - 1000000000; i += 1000000000)                                            \
                     out[28 + (i > 0) + (i > -1500000000) + (i > -500000000)] -= 7;)                                  \
            _Pragma("omp parallel for collapse(2)") for (int k = 0; k < 2; k++) for (unsigned i = first; i < bound;   \
                                                                                     i += 1431655765u)                \
                out[32 + 3 * k + (int)(i / 1431655765u)] += (int)(i >> 3) + out[24];                                  \
        }                                                                                                             \
        int none = 0;                                                                                                 \
        _Pragma("omp parallel for reduction(+ : none)") for (int i = high; i < low; i += step) none++;                \
        _Pragma("omp parallel for reduction(+ : none)") for (int i = low; i > high; i -= step) none++;                \
        int up = 0, down = 0, wide = 0;                                                                               \
        _Pragma("omp parallel for reduction(+ : up)") for (int i = low; i < high - 1000000000; i += 1000000000) up += \
            i / 1000;                                                                                                 \
        _Pragma("omp parallel for reduction(+ : down)") for (int i = high; i > low + 1000000000; i -= 1000000000)     \
            down += i / 1000;                                                                                         \
        _Pragma("omp parallel for reduction(+ : wide)") for (unsigned i = first; i < bound; i += 1431655765u) wide += \
            (int)(i / 1000u);                                                                                         \
        out[41] = up;                                                                                                 \
        out[42] = down;                                                                                               \
        out[43] = wide;                                                                                               \
        int pairs = 0;                                                                                                \
        _Pragma("omp parallel for collapse(2) reduction(+ : pairs)") for (int k = 0; k < 3;                           \
                                                                          k++) for (int i = low;                      \
                                                                                    i < high - 1000000000;            \
                                                                                    i += 1000000000) pairs +=         \
            i / 1000 * (k + 1);                                                                                       \
        out[44] = pairs;                                                                                              \
        out[40] = none + 1;                                                                                           \
    }
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
PROGRAM
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
static const char text[] = TEXT(PROGRAM);

TEST(loops_run_as_often_as_their_ends_say) {
    static const enum whorl_strategy strategies[] = {WHORL_SINGLE, WHORL_STEPS, WHORL_EAGER};
    struct whorl_error err;
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_compile_options c = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar n = {"n", N};
    whorl_device *device;
    whorl_program *program;
    int one[N], want[OUT] = {0};
    for (int i = 0; i < N; i++)
        one[i] = 1;
    ends(N, one, want);
    d.select = "gpu";
    c.scalars = &n;
    c.scalar_count = 1;
    if (whorl_device_open(&d, &device, &err) != WHORL_OK) SKIP("no GPU: %s", err.message);
    if (whorl_compile("ends.c", text, &c, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    for (int k = 0; k < 3; k++) {
        int out[OUT] = {0};
        void *arrays[] = {NULL, one, out};
        size_t sizes[] = {0, sizeof one, sizeof out};
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        options.strategy = strategies[k];
        if (whorl_run(device, program, arrays, sizes, &options, NULL, &err) != WHORL_OK) FAIL("%s", err.message);
        for (int i = 0; i < OUT; i++)
            if (out[i] != want[i])
                FAIL("%s: out[%d] is %d, not %d", whorl_strategy_name(strategies[k]), i, out[i], want[i]);
    }
    whorl_program_destroy(program);
    whorl_device_destroy(device);
}
