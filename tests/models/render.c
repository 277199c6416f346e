// For tests/models/compare_templates.py: `render TEMPLATE JSON` prints what the template makes of the JSON. The time is
// the first second of 2026.
#include <stdio.h>

#include "base/file.h"
#include "model/chat/template.h"

int main(int argc, char **argv) {
    struct whorl_error err;
    struct model_template *t = NULL;
    char *text, *json, *out = NULL;
    size_t text_bytes, json_bytes, out_bytes;
    if (argc != 3 || base_read_file(argv[1], 0, &text, &text_bytes, &err) != WHORL_OK) return 2;
    if (base_read_file(argv[2], 0, &json, &json_bytes, &err) != WHORL_OK) return 2;
    enum whorl_status status = model_template_make(text, text_bytes, &t, &err);
    if (status == WHORL_OK) status = model_template_render(t, json, json_bytes, 1767225600, &out, &out_bytes, &err);
    if (status == WHORL_OK)
        fwrite(out, 1, out_bytes, stdout);
    else
        printf("error: %s", err.message);
    base_heap_free(out);
    model_template_destroy(t);
    base_heap_free(json);
    base_heap_free(text);
    return status != WHORL_OK;
}
