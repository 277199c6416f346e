// C text in, IR out: the only door of this room. Behind it: lex and preprocess (token.h), parse and type (ast.h),
// lower.
//
// The entry function's scalars get their values here, so that the IR holds constants wherever the program used them;
// every call is expanded in place, structs are split into their leaves, pointers are resolved to arrays and indices.
#ifndef WHORL_FRONT_H
#define WHORL_FRONT_H

#include "base/base.h"
#include "ir/ir.h"

struct front_options {
    const char *path, *text; // text NULL: read the file
    const struct whorl_compile_options
        *user;    // entry, scalars, shapes, uniform, defines, include dirs, int64_as_int32, double_as_float
    bool inspect; // stop after the entry's declaration: params only, root empty, array dims that need scalars are 0
};
struct front_result {
    struct ir_unit *unit;
    struct ir_unit *marked; // the same with enum ir_mark, for those who look for races; NULL of front_options.inspect
    // printed C for the CPU device, ending in the wrapper `void __whorl_call(void **arrays, const void *scalars)`
    // documented in src/run/device/cpu.c: arrays by parameter index, scalars as an array of 8-byte slots
    const char *c_text;
    const char *comments; // directive comment lines of the main file ("// run: ...", "// test: ..."), one a line
};
// Bails through cx on errors. The caller has set cx->bail.
struct front_result front_compile(struct base_cx *cx, const struct front_options *options);

#endif
