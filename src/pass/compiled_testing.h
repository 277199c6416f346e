// Tests of what the whole compiler makes of a program for a GPU that has lanes. Included after check.h and whorl.h,
// once.
#ifndef WHORL_PASS_COMPILED_TESTING_H
#define WHORL_PASS_COMPILED_TESTING_H

static whorl_program *program; // of the last call
static const char *said;       // what the compiler explains of it

// n: the value of the parameter of that name; 0: there is none.
static inline bool compile(const char *text, int n) {
    struct whorl_scalar scalars[] = {{"n", n}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    o.scalars = scalars;
    o.scalar_count = n != 0;
    o.target.subgroup_lanes = 32;
    o.target.workgroup_bytes = 32768;
    o.target.busy_invocations = 65536;
    whorl_program_destroy(program);
    program = NULL;
    said = "";
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return false;
    }
    said = whorl_program_text(program, WHORL_TEXT_EXPLAIN);
    return true;
}

#endif
