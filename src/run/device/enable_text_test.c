// Statements that sleep: who wakes them, and that nothing else of the text changes.
#include <string.h>

#include "check.h"
#include "run/device/device.h"

static struct run_gpu gpu;
static struct whorl_device device;

static const char text[] =
    "fn f() {\n    //! int64: a;\n    //! exp2 2.5: b;\n    //! sin 9: c;\n    // exp2 9: d\n    //! e\n}\n";

static char *woken(bool has_int64, double exp2_ulp, uint32_t exp2_wrong) {
    memset(&device, 0, sizeof device);
    gpu.has_int64 = has_int64;
    device.gpu = &gpu;
    device.probe.builtin_count = 1;
    device.probe.builtins[0] = (struct whorl_builtin){.name = "exp2", .worst_ulp = exp2_ulp, .wrong = exp2_wrong};
    return run_wake(&device, text);
}

static void expect(char *got, bool a, bool b) {
    CHECK_EQ_INT((int)strlen(text), (int)strlen(got));
    CHECK(!strstr(got, "//! int64: a;") == a);
    CHECK(!strstr(got, "//! exp2 2.5: b;") == b);
    CHECK(strstr(got, " a;\n") && strstr(got, " b;\n"));
    CHECK(strstr(got, "//! sin 9: c;\n    // exp2 9: d\n    //! e\n}\n") != NULL);
    base_heap_free(got);
}

TEST(a_feature_wakes) { expect(woken(true, 3, 0), true, false); }
TEST(a_measured_error_wakes) { expect(woken(false, 2.5, 0), false, true); }
TEST(a_wrong_result_does_not) { expect(woken(false, 1, 1), false, false); }

static void expect_mark(bool has_coherent, const char *without) {
    static const char marked[] = "@group(0) @binding(1) @coherent var<storage, read_write> a: u;\n@coherent var b;\n";
    memset(&device, 0, sizeof device);
    gpu.has_coherent = has_coherent;
    device.gpu = &gpu;
    char *got = run_wake(&device, marked);
    CHECK_EQ_STR(has_coherent ? marked : without, got);
    base_heap_free(got);
}

TEST(a_mark_that_the_library_does_not_know) {
    expect_mark(true, NULL);
    expect_mark(false, "@group(0) @binding(1)           var<storage, read_write> a: u;\n          var b;\n");
}
