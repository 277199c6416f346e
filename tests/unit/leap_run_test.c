// Loops most of whose passes do nothing, on the device of the tests, though the compiler leaves them as they are for a
// software GPU: it is told of a large one. The judge is the same text as sequential C.
#include <string.h>

#include "check.h"
#include "whorl.h"

enum { N = 5, W = 1100 };

#define PROGRAM                                                            \
    void rows(int n, const int x[n][1100], int y[n][1100], int z[n][8]) {  \
        _Pragma("omp parallel for") for (int i = 0; i < n; i++) {          \
            int have = 0, at = -1, low = 1000, second = 1000;              \
            for (int k = i; k < 1100 - i; k++) {                           \
                int near = 0;                                              \
                for (int c = 0; c < have; c++) {                           \
                    int d = x[i][y[i][c]] - x[i][k];                       \
                    if (d < 20 && d > -20) {                               \
                        near = 1;                                          \
                        break;                                             \
                    }                                                      \
                }                                                          \
                if (near) continue;                                        \
                y[i][have] = k;                                            \
                have++;                                                    \
                if (have == 20 + i) break;                                 \
            }                                                              \
            for (int k = 0; k < 1100; k++)                                 \
                if ((x[i][k] ^ i) % 97 == 96) {                            \
                    at = k;                                                \
                    break;                                                 \
                }                                                          \
            for (int k = 0; k < 1100; k++) {                               \
                int v = x[i][k] + (k & 3);                                 \
                if (v < low) {                                             \
                    second = low;                                          \
                    low = v;                                               \
                } else if (v < second) {                                   \
                    second = v;                                            \
                }                                                          \
            }                                                              \
            z[i][0] = have, z[i][1] = at, z[i][2] = low, z[i][3] = second; \
        }                                                                  \
    }
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
PROGRAM
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
static const char text[] = TEXT(PROGRAM);

static int x[N][W];

static void run(whorl_device *device, uint32_t lanes) {
    struct whorl_error err;
    struct whorl_compile_options c = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
    struct whorl_scalar scalars[] = {{"n", N}};
    static int want_y[N][W], want_z[N][8], y[N][W], z[N][8];
    void *arrays[] = {NULL, x, y, z};
    size_t sizes[] = {0, sizeof x, sizeof y, sizeof z};
    whorl_program *program;
    c.scalars = scalars;
    c.scalar_count = 1;
    c.lanes = lanes;
    c.target.busy_invocations = 65536;
    if (whorl_compile("rows.c", text, &c, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    const char *said = whorl_program_text(program, WHORL_TEXT_EXPLAIN);
    CHECK_HAS_STR("share: in 3 of them they look for the next pass that does something", said);
    CHECK_HAS_STR("lanes: an iteration", said);
    rows(N, x, want_y, want_z);
    memset(y, 0, sizeof y);
    memset(z, 0, sizeof z);
    options.strategy = WHORL_SINGLE;
    if (whorl_run(device, program, arrays, sizes, &options, NULL, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK(memcmp(y, want_y, sizeof y) == 0);
    CHECK(memcmp(z, want_z, sizeof z) == 0);
    whorl_program_destroy(program);
}

TEST(lanes_look_for_the_next_pass) {
    struct whorl_error err;
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    whorl_device *device;
    d.select = "gpu";
    if (whorl_device_open(&d, &device, &err) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < W; k++)
            x[i][k] = (i * 137 + k * 1013 + k * k) % 991;
    run(device, 0);
    run(device, 32);
    run(device, 64);
    whorl_device_destroy(device);
}
