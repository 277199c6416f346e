// Hostile .npy files: whatever npy_parse accepts must describe bytes that are there.
#include <stdlib.h>

#include "../cli/npy.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    struct npy npy;
    struct whorl_error err;
    if (npy_parse("fuzz.npy", data, size_bytes, &npy, &err) != WHORL_OK) return 0;
    if (npy.ndims > NPY_MAX_DIMS || npy.offset_bytes > size_bytes || npy.size_bytes != size_bytes - npy.offset_bytes)
        abort();
    size_t bytes = whorl_dtype_size(npy.dtype);
    for (uint32_t d = 0; d < npy.ndims; d++)
        bytes *= (size_t)npy.dims[d];
    if (bytes != npy.size_bytes) abort();
    return 0;
}
