// Elements of small types as words, for arrays that kernels write: neighbours in one word could lose each other's
// writes. A word holds the scalar that the language computes with: i32, u32's bits, or f32 for f16.
#include "base/dtype.h"
#include "run/session/buffers.h"

void run_widen(enum whorl_dtype dtype, const void *from, size_t count, uint32_t *out) {
    for (size_t i = 0; i < count; i++)
        out[i] = base_dtype_load(dtype, from, i);
}

void run_narrow(enum whorl_dtype dtype, const uint32_t *from, size_t count, void *out) {
    for (size_t i = 0; i < count; i++)
        base_dtype_store(dtype, out, i, from[i]);
}
