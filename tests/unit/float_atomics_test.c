// Atomics of floats from the options to the device: which kernels of a program are made with them, what its plan says,
// and who refuses it.
#include <string.h>

#include "check.h"
#include "refused_kernel.h"

// `sums` are added to in one loop and only loaded and stored in the other, `swapped` only exchanged.
static const char text[] = "void f(int n, int steps, int at[n], float sums[n], float swapped[n]) {\n"
                           "    for (int t = 0; t < steps; t++) {\n"
                           "#pragma omp parallel for\n"
                           "        for (int i = 0; i < n; i++) {\n"
                           "            float v;\n"
                           "#pragma omp atomic\n"
                           "            sums[at[i]] -= 2.0f;\n"
                           "#pragma omp atomic capture\n"
                           "            { v = swapped[at[i]]; swapped[at[i]] = 1.0f; }\n"
                           "            at[i] = (at[i] + (v > 5)) % n;\n"
                           "        }\n"
                           "#pragma omp parallel for\n"
                           "        for (int i = 0; i < n; i++)\n"
                           "            sums[i] *= 0.5f;\n"
                           "    }\n"
                           "}\n";

enum { N = 500 };

static whorl_program *compiled(bool offered) { return compiled_for(text, N, 3, false, offered); }

TEST(kernels_that_add_have_them) {
    for (int offered = 0; offered < 2; offered++) {
        whorl_program *program = compiled(offered);
        int grids = 0;
        for (uint32_t k = 0; k < program->plan->kernel_count; k++) {
            const struct plan_kernel *kernel = &program->plan->kernels[k];
            bool adds = strstr(kernel->wgsl, "atomicExchange") != NULL; // of the same loop
            grids += kernel->grid != NULL;
            CHECK_EQ_INT(offered && adds, kernel->float_atomics);
            CHECK_EQ_INT(kernel->float_atomics, check_times("array<atomic<f32>>", kernel->wgsl));
        }
        CHECK_EQ_INT(1, grids);
        whorl_program_destroy(program);
    }
}

// Twos and halves: exact in any order.
TEST(sums_are_those_of_exchanged_bits) {
    make_cache();
    whorl_device *device;
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    bool offered = whorl_device_get_info(device)->target.float_atomics;
    CHECK_EQ_INT(offered, device->gpu->has_float_atomics);
    static const enum whorl_strategy ways[] = {WHORL_SINGLE, WHORL_STEPS, WHORL_EAGER};
    static float sums[2][N], swapped[N];
    static int at[N];
    for (size_t way = 0; offered && way < sizeof ways / sizeof *ways; way++) {
        for (int floats = 0; floats < 2; floats++) {
            whorl_program *program = compiled(floats);
            struct whorl_run_options options = WHORL_RUN_OPTIONS_INIT;
            void *arrays[] = {NULL, NULL, at, sums[floats], swapped};
            static const size_t sizes[] = {0, 0, sizeof at, sizeof sums[0], sizeof swapped};
            options.strategy = ways[way];
            for (int i = 0; i < N; i++)
                at[i] = i * 7 % 50, sums[floats][i] = (float)i, swapped[i] = 0;
            if (whorl_run(device, program, arrays, sizes, &options, NULL, &err) != WHORL_OK) FAIL("%s", err.message);
            whorl_program_destroy(program);
        }
        CHECK(memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
        CHECK(sums[1][0] < -10);
    }
    whorl_device_destroy(device);
    drop_cache();
    if (!offered) SKIP("this GPU has no atomics of floats");
}

TEST(a_device_without_them_refuses_the_kernel) {
    check_refused(compiled(true), true, false, "adds to floats by atomics of the device, which");
}
