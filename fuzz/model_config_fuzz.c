// Configurations from outside, config.json and generation_config.json in one input, with a NUL between them: refused,
// or within the limits that later sizes rely on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/weights/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    const uint8_t *nul = size_bytes ? memchr(data, 0, size_bytes) : NULL;
    size_t first = nul ? (size_t)(nul - data) : size_bytes;
    const char *second = nul ? (const char *)nul + 1 : NULL;
    struct model_config c;
    enum whorl_status status =
        model_config_of_json((const char *)data, first, second, nul ? size_bytes - first - 1 : 0, &c, NULL);
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL) abort();
    if (status != WHORL_OK) return 0;
    if (!c.layers || c.layers > 1024 || !c.kv_heads || c.heads % c.kv_heads || c.heads > 1024) abort();
    if (c.head_size % 2 || c.head_size > 1024 || c.eos_count > MODEL_MAX_EOS || c.rope.kind == MODEL_ROPE_FACTORS)
        abort();
    static float frequencies[512];
    model_rope_frequencies(&c, NULL, frequencies);
    for (uint32_t i = 0; i < c.head_size / 2; i++)
        if (!(frequencies[i] >= 0 && frequencies[i] <= 1)) abort();
    return 0;
}
