// What tests share of kernels that not every device can run: a program of scalars n and steps, words of its kernels, and
// a device that refuses it. Included after check.h, once.
#ifndef WHORL_TESTS_REFUSED_KERNEL_H
#define WHORL_TESTS_REFUSED_KERNEL_H

#include "cached_device.h"
#include "plan/program.h"
#include "run/session/session.h"

// For a device that keeps memory coherent, and one that adds to floats in memory.
static inline whorl_program *compiled_for(const char *text, int n, int steps, bool coherent, bool float_atomics) {
    struct whorl_scalar scalars[] = {{.name = "n", .value = n}, {.name = "steps", .value = steps}};
    struct whorl_compile_options options = WHORL_COMPILE_OPTIONS_INIT;
    whorl_program *program = NULL;
    options.scalars = scalars;
    options.scalar_count = 2;
    options.target.coherent_memory = coherent;
    options.target.float_atomics = float_atomics;
    if (whorl_compile("test.c", text, &options, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    return program;
}

// A GPU that has no more than this does not run the program, and says why.
static inline void check_refused(whorl_program *program, bool coherent, bool float_atomics, const char *why) {
    make_cache();
    whorl_device *device;
    if (open_device("gpu", false, &device) != WHORL_OK) SKIP("no GPU: %s", err.message);
    whorl_session *session = NULL;
    device->gpu->is_software = false;
    device->gpu->has_coherent &= coherent;
    device->gpu->has_float_atomics &= float_atomics;
    CHECK_EQ_INT(WHORL_LIMIT, whorl_session_create(device, program, WHORL_SINGLE, &session, &err));
    CHECK_HAS_STR(why, err.message);
    whorl_program_destroy(program);
    whorl_device_destroy(device);
    drop_cache();
}

#endif
