// A model's weights as mapped files, whatever their format: a folder or a file of safetensors, or GGUF.
#ifndef WHORL_MODEL_OPEN_H
#define WHORL_MODEL_OPEN_H

#include "model/file/gguf.h"
#include "model/file/tensor.h"

enum { MODEL_MAX_SHARDS = 512 };
struct model_file {
    struct model_work work; // all that is not mapped
    struct model_map *maps;
    uint32_t map_count;
    struct model_tensors tensors;
    struct gguf gguf; // version 0: safetensors
};

// path: a folder with model.safetensors, or with model.safetensors.index.json and its shards; a .safetensors file; a
// GGUF file. *out is NULL on failure; else model_file_close frees it, and every tensor with it. Nothing is copied, and
// nothing is believed before the bytes that it speaks of were seen to be there.
// Errors: WHORL_IO (a file that cannot be read), WHORL_INVALID (damaged or hostile), WHORL_UNSUPPORTED (a version or a
// type, named), WHORL_LIMIT, WHORL_MEMORY.
enum whorl_status model_file_open(const char *path, struct model_file **out, struct whorl_error *err);
void model_file_close(struct model_file *file); // NULL is fine

// Of bytes in memory, for tests: one file of either format. The bytes must outlive the model_file.
enum whorl_status model_file_of_bytes(const void *data, size_t size_bytes, struct model_file **out,
                                      struct whorl_error *err);

#endif
