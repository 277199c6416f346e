// Vectors that workgroups share: plain words marked @coherent where the options say that the device keeps them so,
// atomic words else.
#include <string.h>

#include "check.h"
#include "refused_kernel.h"

// `rows` are read and written in whole vectors, to `odd` one component is stored too, `count` has atomic updates.
static const char text[] =
    "void f(int n, int steps, float rows[n][32], float next[n][32], float odd[n][32], int count[n]) {\n"
    "    for (int t = 0; t < steps; t++) {\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) {\n"
    "            float sum = 0;\n"
    "#pragma omp simd reduction(+ : sum)\n"
    "            for (int d = 0; d < 32; d++) {\n"
    "                next[i][d] = rows[(i + 1) % n][d] + odd[(i + 2) % n][d];\n"
    "                sum += next[i][d];\n"
    "            }\n"
    "#pragma omp atomic\n"
    "            count[(int)sum & 3] += 1;\n"
    "        }\n"
    "#pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) {\n"
    "#pragma omp simd\n"
    "            for (int d = 0; d < 32; d++)\n"
    "                rows[i][d] = next[(i + 3) % n][d];\n"
    "            odd[i][5] = next[(i + 4) % n][7];\n"
    "        }\n"
    "    }\n"
    "}\n";

static whorl_program *compiled(bool offered) { return compiled_for(text, 64, 5, offered, false); }

TEST(only_shared_vectors_of_grid_kernels_are_coherent) {
    for (int coherent = 0; coherent < 2; coherent++) {
        whorl_program *program = compiled(coherent);
        int grids = 0;
        for (uint32_t k = 0; k < program->plan->kernel_count; k++) {
            const struct plan_kernel *kernel = &program->plan->kernels[k];
            grids += kernel->grid != NULL;
            CHECK_EQ_INT(coherent && kernel->grid, kernel->coherent);
            CHECK_EQ_INT(kernel->coherent ? 3 : 0, check_times("@coherent var<storage, read_write>", kernel->wgsl));
            if (kernel->grid) CHECK_EQ_INT(coherent ? 1 : 4, check_times("array<atomic<u32>>", kernel->wgsl));
        }
        CHECK_EQ_INT(1, grids);
        whorl_program_destroy(program);
    }
}

TEST(a_device_without_it_refuses_the_kernel) {
    check_refused(compiled(true), false, true, "needs memory that stays coherent");
}
