// What the library is told not to add to a kernel: as much as the compiler has shown, and nothing where a plan came
// from outside.
#include "check.h"
#include "run/device/device.h"
#include "whorl.h"

#define NEVER 99u // the library was not asked so

static whorl_device *device;
static WGPUShaderModule (*trusted)(WGPUDevice, WGPUShaderModuleDescriptor const *, WGPUShaderRuntimeChecks);
static WGPUShaderRuntimeChecks seen;

static WGPUShaderModule watch(WGPUDevice gpu, WGPUShaderModuleDescriptor const *module,
                              WGPUShaderRuntimeChecks checks) {
    seen = checks;
    return trusted(gpu, module, checks);
}

static void open_device(void) {
    static struct whorl_error why;
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = "gpu";
    if (!device && !why.message[0]) (void)whorl_device_open(&options, &device, &why);
    if (!device) SKIP("no GPU: %s", why.message);
    struct run_library *lib = &device->gpu->lib;
    if (!lib->DeviceCreateShaderModuleTrusted) SKIP("the library has no such call");
    if (!trusted) trusted = lib->DeviceCreateShaderModuleTrusted;
    lib->DeviceCreateShaderModuleTrusted = watch;
    seen = NEVER;
}

#define HEAD "void f(int n, const int a[n], const int x[n], int out[n]) {\n"
#define TEXT(INDEX) \
    HEAD "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { int k = x[i]; out[i] = a[" INDEX "]; }\n}\n"

static const char *off; // passes to skip
static void run(const char *text, bool from_outside) {
    enum { N = 16 };
    struct whorl_scalar n = {"n", N};
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    options.scalars = &n;
    options.scalar_count = 1;
    options.pass_off = off;
    struct whorl_error err;
    whorl_program *program, *plan;
    open_device();
    if (whorl_compile("test.c", text, &options, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    if (from_outside) {
        const char *json = whorl_program_text(program, WHORL_TEXT_PLAN);
        if (whorl_plan_read(json, strlen(json), &plan, &err) != WHORL_OK) FAIL("%s", err.message);
        whorl_program_destroy(program);
        program = plan;
    }
    int a[N], x[N], out[N];
    for (int i = 0; i < N; i++)
        a[i] = 100 + i, x[i] = N - 1 - i;
    void *arrays[] = {NULL, a, x, out};
    size_t sizes[] = {0, sizeof a, sizeof x, sizeof out};
    struct whorl_run_options how = WHORL_RUN_OPTIONS_INIT;
    how.strategy = WHORL_SINGLE;
    if (whorl_run(device, program, arrays, sizes, &how, NULL, &err) != WHORL_OK) FAIL("%s", err.message);
    for (int i = 0; i < N; i++)
        CHECK_EQ_INT(a[x[i]], out[i]);
    whorl_program_destroy(program);
}

TEST(proven_and_bounded) {
    run(TEXT("k & 15"), false);
    CHECK_EQ_INT(WGPUShaderRuntimeChecks_None, seen);
}

TEST(kept_inside_by_its_own_limit) {
    run(TEXT("k"), false);
    CHECK_EQ_INT(WGPUShaderRuntimeChecks_None, seen);
}

TEST(bounded_alone) {
    off = "bounds";
    run(TEXT("k"), false);
    off = NULL;
    CHECK_EQ_INT(WGPUShaderRuntimeChecks_BoundsChecks, seen);
}

TEST(proven_alone) { // nobody knows how long a sequential while runs
    run(HEAD "#pragma omp parallel for\nfor (int i = 0; i < n; i++) out[i] = 3;\n"
             "for (int i = 0; i < n; i++) { int k = x[i]; while (k > 200) k -= out[k & 15]; out[i] = a[k & 15]; }\n}\n",
        false);
    CHECK_EQ_INT(WGPUShaderRuntimeChecks_ForceLoopBounding, seen);
}

TEST(a_plan_from_outside) {
    run(TEXT("(unsigned)k % 16u"), true);
    CHECK_EQ_INT(NEVER, seen);
    run(TEXT("(unsigned)k % 16u"), false); // the same text: it is not the pipeline that was made before
    CHECK_EQ_INT(WGPUShaderRuntimeChecks_None, seen);
}
