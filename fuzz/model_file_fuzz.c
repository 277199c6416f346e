// Model files from outside, safetensors and GGUF: whatever the bytes are, they are refused, or every tensor lies in
// them, as large as its shape says, and its first and last rows can be read.
#include <stdlib.h>

#include "model/file/open.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void check_tensor(const struct model_tensor *t, const uint8_t *data, size_t size_bytes) {
    enum { MOST = 4096 };
    static float out[MOST];
    if (t->data < data || t->size_bytes > size_bytes || (size_t)(t->data - data) > size_bytes - t->size_bytes) abort();
    const struct model_element_info *info = model_element_info(t->type);
    uint64_t row = model_row_elements(t);
    if (t->elements / info->block_elements * info->block_bytes != t->size_bytes) abort();
    if (!row || row > MOST || !t->elements) return;
    bool first = model_rows_f32(t, 0, 1, out), last = model_rows_f32(t, t->elements / row - 1, 1, out);
    if (first != info->convertible || last != first) abort();
    static int8_t eight[MOST];
    static uint32_t four[MOST / MODEL_Q4_WORD];
    static uint16_t scales[MOST / MODEL_BLOCK];
    bool whole = first && row % MODEL_BLOCK == 0;
    if (model_rows_q8(t, t->elements / row - 1, 1, eight, scales) != whole ||
        model_rows_q4(t, t->elements / row - 1, 1, four, scales) != whole)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    struct model_file *file;
    struct whorl_error err;
    enum whorl_status status = model_file_of_bytes(data, size_bytes, &file, &err);
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL || (status == WHORL_OK) != (file != NULL)) abort();
    if (!file) return 0;
    if (file->work.cx.arena.most_bytes > (64u << 20)) abort();
    for (uint32_t i = 0; i < file->tensors.count; i++)
        check_tensor(&file->tensors.items[i], data, size_bytes);
    model_file_close(file);
    return 0;
}
