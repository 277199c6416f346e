// Element types, sizes with checked products, and tables of tensors by name.
#include "model/file/tensor.h"

#include <stdlib.h>
#include <string.h>

static const struct model_element_info infos[] = {
#define X(name, text, block, bytes, safetensors, gguf, convertible) \
    {text, safetensors, block, bytes, gguf, convertible},
#include "model/file/element.def"
#undef X
    {"?", "", 1, 0, -1, false},
};

const struct model_element_info *model_element_info(enum model_element type) {
    return &infos[(size_t)type < MODEL_ELEMENTS ? (size_t)type : MODEL_ELEMENTS];
}

enum model_element model_element_of_safetensors(const char *code) {
    for (int t = 0; t < MODEL_ELEMENTS; t++)
        if (*code && strcmp(infos[t].safetensors, code) == 0) return (enum model_element)t;
    return MODEL_ELEMENTS;
}

enum model_element model_element_of_gguf(uint32_t code) {
    for (int t = 0; t < MODEL_ELEMENTS; t++)
        if (infos[t].gguf >= 0 && (uint32_t)infos[t].gguf == code) return (enum model_element)t;
    return MODEL_ELEMENTS;
}

const char *model_tensor_measure(struct model_tensor *t) {
    const struct model_element_info *info = model_element_info(t->type);
    uint64_t elements = 1;
    for (uint32_t d = 0; d < t->ndims; d++) {
        if (t->dims[d] && elements > INT64_MAX / t->dims[d])
            return "its shape has more elements than memory can address";
        elements *= t->dims[d];
    }
    if (model_row_elements(t) % info->block_elements) return "its rows are no whole number of blocks of its type";
    uint64_t blocks = elements / info->block_elements;
    if (info->block_bytes && blocks > INT64_MAX / info->block_bytes)
        return "its shape has more bytes than memory can address";
    t->elements = elements;
    t->size_bytes = blocks * info->block_bytes;
    return NULL;
}

static int compare(const void *a, const void *b) {
    const struct model_tensor *x = a, *y = b;
    return strcmp(x->name, y->name);
}

void model_tensors_sort(struct model_work *w, struct model_tensors *tensors) {
    if (tensors->count) qsort(tensors->items, tensors->count, sizeof *tensors->items, compare);
    for (uint32_t i = 1; i < tensors->count; i++)
        if (compare(&tensors->items[i - 1], &tensors->items[i]) == 0)
            model_invalid(w, "the tensor \"%.200s\" is there twice", tensors->items[i].name);
}

const struct model_tensor *model_tensors_find(const struct model_tensors *tensors, const char *name) {
    struct model_tensor key = {.name = name};
    if (!tensors->count) return NULL;
    return bsearch(&key, tensors->items, tensors->count, sizeof key, compare);
}

uint64_t model_row_elements(const struct model_tensor *t) { return t->ndims ? t->dims[t->ndims - 1] : 1; }
