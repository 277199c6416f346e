// Local arrays in workgroup memory, and loops that lanes share under conditions, on the device of the tests, though the
// compiler leaves them out for a software GPU: it is told of a large one. The judge is the same text as sequential C.
#include <string.h>

#include "check.h"
#include "whorl.h"

enum { N = 45, W = 40 }; // the last workgroup has lanes of no iteration

#define PROGRAM                                                                                              \
    void rows(int n, int steps, const int x[n][40], int y[n][40], int z[n]) {                                \
        for (int t = 0; t < steps; t++) {                                                                    \
            _Pragma("omp parallel for") for (int i = 0; i < n; i++) {                                        \
                int a[40], b[40], m[6][6], p[6][6], best = -1, at = 0, s = i;                                \
                unsigned char small[40];                                                                     \
                for (int k = 0; k < 40; k++) {                                                               \
                    a[k] = x[i][k] + t;                                                                      \
                    b[k] = k * i & 31;                                                                       \
                    small[k] = (unsigned char)(x[i][39 - k] + k);                                            \
                }                                                                                            \
                for (int r = 0; r < 6; r++)                                                                  \
                    for (int c = 0; c < 6; c++)                                                              \
                        m[r][c] = x[i][r * 6 + c] & 7;                                                       \
                for (int j = i & 1; j < (x[i][0] & 3) + 2; j++) {                                            \
                    if ((a[j] & 3) == 1) continue;                                                           \
                    for (int k = 0; k < 40; k++)                                                             \
                        s += a[k] * (b[(k * 3 + j) % 40] & 3);                                               \
                    s &= 1023;                                                                               \
                    if (s & 4) {                                                                             \
                        for (int k = 0; k < 40; k++)                                                         \
                            a[k] = (a[k] + b[39 - k] + s) & 255;                                             \
                        b[j] = (b[j] + a[j + 1]) & 31;                                                       \
                    } else {                                                                                 \
                        for (int k = 0; k < 40; k++)                                                         \
                            if (a[k] > best) {                                                               \
                                best = a[k];                                                                 \
                                at = k;                                                                      \
                            }                                                                                \
                    }                                                                                        \
                    for (int r = 0; r < 6; r++)                                                              \
                        for (int c = 0; c < 6; c++) {                                                        \
                            int sum = 0;                                                                     \
                            for (int k = 0; k < 6; k++)                                                      \
                                sum += m[r][k] * m[k][c];                                                    \
                            p[r][c] = sum & 15;                                                              \
                        }                                                                                    \
                    for (int r = 0; r < 6; r++)                                                              \
                        for (int c = 0; c < 6; c++)                                                          \
                            m[r][c] = p[c][r];                                                               \
                }                                                                                            \
                for (int k = 0; k < 40; k++)                                                                 \
                    y[i][k] = a[k] + b[(k + at) % 40] + small[39 - k];                                       \
                for (int k = 0; k < 36; k++)                                                                 \
                    s += m[k / 6][k % 6];                                                                    \
                z[i] = s * 64 + at;                                                                          \
            }                                                                                                \
            _Pragma("omp parallel for") for (int i = 0; i < n; i++) z[i] += y[(i * 7 + 1) % n][i % 40] & 15; \
        }                                                                                                    \
    }
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
PROGRAM
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
static const char text[] = TEXT(PROGRAM);

static int x[N][W];

static void run(whorl_device *device, uint32_t lanes, bool one_step) {
    static const enum whorl_strategy strategies[] = {WHORL_SINGLE, WHORL_STEPS};
    struct whorl_error err;
    struct whorl_compile_options c = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_scalar scalars[] = {{"n", N}, {"steps", one_step ? 1 : 3}};
    static int want_y[N][W], want_z[N], y[N][W], z[N];
    whorl_program *program;
    c.scalars = scalars;
    c.scalar_count = 2;
    c.lanes = lanes;
    c.target.busy_invocations = 65536;
    if (whorl_compile("rows.c", text, &c, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    const char *said = whorl_program_text(program, WHORL_TEXT_EXPLAIN);
    CHECK_HAS_STR("near: lanes of the loop", said);
    CHECK_HAS_STR("each of which has a best of its own", said);
    rows(N, one_step ? 1 : 3, x, want_y, want_z);
    for (int k = 0; k < 2; k++) {
        struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
        void *arrays[] = {NULL, NULL, x, y, z};
        size_t sizes[] = {0, 0, sizeof x, sizeof y, sizeof z};
        memset(y, 0, sizeof y);
        memset(z, 0, sizeof z);
        options.strategy = strategies[k];
        if (whorl_run(device, program, arrays, sizes, &options, NULL, &err) != WHORL_OK) FAIL("%s", err.message);
        CHECK(memcmp(y, want_y, sizeof y) == 0);
        CHECK(memcmp(z, want_z, sizeof z) == 0);
    }
    whorl_program_destroy(program);
}

TEST(lanes_have_arrays_together) {
    struct whorl_error err;
    struct whorl_device_options d = WHORL_DEVICE_OPTIONS_INIT;
    whorl_device *device;
    d.select = "gpu";
    if (whorl_device_open(&d, &device, &err) != WHORL_OK) SKIP("no GPU: %s", err.message);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < W; k++)
            x[i][k] = (i * 37 + k * 101) % 61;
    run(device, 0, true);
    run(device, 32, false);
    run(device, 8, false);
    whorl_device_destroy(device);
}
