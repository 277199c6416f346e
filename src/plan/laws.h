// Bounds that every plan keeps, wherever it comes from: what a reader may rely on before it allocates or recurses by a
// plan's numbers.
#ifndef WHORL_PLAN_LAWS_H
#define WHORL_PLAN_LAWS_H

#include "plan/plan.h"

enum {
    PLAN_MAX_EXPR_DEPTH = 64,
    PLAN_MAX_EXPR_SIZE =
        4096, // nodes of one expression written out as a tree: shared subtrees must not grow exponentially
    PLAN_MAX_NODE_DEPTH = 32,
    PLAN_MAX_NODES = 1 << 20, // of one strategy's tree
    PLAN_MAX_ITEMS = 4096,    // scalars, arrays, buffers, kernels
    PLAN_MAX_LOG_LOOPS = 64,  // around one line or assert
    PLAN_MAX_LOG_ARGS = 64,   // of one line
    PLAN_MAX_LOG_TEXT = 4096, // bytes of a format or condition
    PLAN_MAX_BINDINGS = 64,
    PLAN_MAX_PARAM_WORDS = 64,
    PLAN_MAX_WGSL_BYTES = 4 << 20,
    PLAN_MAX_WGSL_NESTING = 256, // of brackets and chains of operators around one place of a kernel's text
    PLAN_MAX_WGSL_DECLARATIONS = 2048,
    PLAN_MAX_WORKGROUP = 1024,
    PLAN_MAX_RESUME_WORDS = 32768,
    PLAN_MAX_ROUNDS = 64,
    PLAN_MAX_POINTS = 4096, // resume points of one fallback
};
#define PLAN_MAX_CONST ((int64_t)1 << 53) // every JSON reader keeps such integers exact
#define PLAN_MAX_BUFFER_BYTES ((int64_t)1 << 40)
#define PLAN_MAX_JSON_BYTES ((size_t)1 << 28)

// NULL, or what is wrong with a kernel's text ("is nested too deeply"); how near it is to the limits, if `out` is not
// NULL.
struct plan_text_size {
    uint32_t nesting, declarations;
};
const char *plan_check_text(const char *wgsl, struct plan_text_size *out);

#endif
