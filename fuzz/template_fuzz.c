// Chat templates from outside and, behind the first NUL, the JSON they are rendered with: refused, or a text that ends
// with its NUL.
#include <stdlib.h>
#include <string.h>

#include "model/chat/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    static const char otherwise[] =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"add_generation_prompt\":true}";
    const uint8_t *nul = size_bytes ? memchr(data, 0, size_bytes) : NULL;
    size_t first = nul ? (size_t)(nul - data) : size_bytes, size;
    const char *json = nul ? (const char *)nul + 1 : otherwise;
    struct model_template *t;
    char *text;
    enum whorl_status status = model_template_make((const char *)data, first, &t, NULL);
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL || (status == WHORL_OK) != (t != NULL)) abort();
    if (!t) return 0;
    status = model_template_render(t, json, nul ? size_bytes - first - 1 : sizeof otherwise - 1, 0, &text, &size, NULL);
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL || (status == WHORL_OK) != (text != NULL)) abort();
    if (text && text[size] != 0) abort();
    base_heap_free(text);
    model_template_destroy(t);
    return 0;
}
