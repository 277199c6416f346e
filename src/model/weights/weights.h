// Which tensor of a file plays which part in the decoder, with shapes checked; and its rows as floats.
#ifndef WHORL_MODEL_WEIGHTS_H
#define WHORL_MODEL_WEIGHTS_H

#include "model/weights/config.h"

enum model_role {
#define X(role, layer, safetensors, gguf, rows, columns) MODEL_##role,
#include "model/weights/role.def"
#undef X
    MODEL_ROLES
};
struct model_weight {
    const struct model_tensor *tensor; // NULL: this model has none
    uint64_t rows, columns;            // a vector: one row
    // Not 0: the file has the rows of each head of this size in the order 0, h/2, 1, h/2 + 1, ... (neighbours are
    // rotated together). model_weight_f32 and _f16 give them in order, halves of a head rotated together.
    uint32_t paired_head;
};
struct model_weights {
    struct model_work work;
    struct model_weight *table; // [layer][role]; roles outside of layers stand in layer 0
    uint32_t layers;
    float *rope; // [head_size / 2] model_rope_frequencies
};

// Refuses a file that lacks a tensor, has one of a wrong shape or of a type that cannot be converted, or has one that
// this decoder would not read (then it would compute something else than the model's author meant). A tied head is the
// tensor of the embedding. On success model_weights_close frees it; `file` must stay open until then.
enum whorl_status model_weights_open(const struct model_file *file, const struct model_config *config,
                                     struct model_weights *out, struct whorl_error *err);
void model_weights_close(struct model_weights *weights); // of zeros: fine

const struct model_weight *model_weight_of(const struct model_weights *weights, enum model_role role, uint32_t layer);
// Rows [first, first + rows) in row-major order. False, and nothing is written, where there are no such rows.
bool model_weight_f32(const struct model_weight *weight, uint64_t first, uint64_t rows, float *out);
bool model_weight_f16(const struct model_weight *weight, uint64_t first, uint64_t rows, uint16_t *out);
// Of matrices, as model_rows_q8 and model_rows_q4 say.
bool model_weight_q8(const struct model_weight *weight, uint64_t first, uint64_t rows, int8_t *out,
                     uint16_t *out_scales);
bool model_weight_q4(const struct model_weight *weight, uint64_t first, uint64_t rows, uint32_t *out,
                     uint16_t *out_scales);

#endif
