// What a decoder is built from, as numbers: one struct, whether they stand in config.json or in GGUF's metadata.
#ifndef WHORL_MODEL_CONFIG_H
#define WHORL_MODEL_CONFIG_H

#include "model/file/open.h"

enum model_family { MODEL_LLAMA, MODEL_QWEN2, MODEL_QWEN3, MODEL_FAMILIES };
const char *model_family_name(enum model_family family); // "qwen2"

// How the angles of the rotary embedding are stretched for contexts longer than those of the training.
enum model_rope_kind {
    MODEL_ROPE_PLAIN,
    MODEL_ROPE_LINEAR, // all frequencies divided by factor
    MODEL_ROPE_LLAMA3, // low ones divided by factor, high ones kept, those between blended
    MODEL_ROPE_FACTORS // each divided by its own number, the tensor rope_freqs.weight of a GGUF file
};
struct model_rope {
    enum model_rope_kind kind;
    double theta;
    double factor;
    double low, high;          // llama3: borders, in wavelengths per original context
    uint32_t original_context; // llama3
};

enum { MODEL_MAX_EOS = 16 };
struct model_config {
    enum model_family family;
    uint32_t layers, hidden, intermediate;
    uint32_t heads, kv_heads, head_size; // heads is a multiple of kv_heads; head_size is even
    uint32_t vocab, context;             // tokens
    double rms_eps;
    struct model_rope rope;
    bool tied; // the head is the embedding
    bool qkv_bias, o_bias, mlp_bias;
    bool qk_norm;    // an RMS norm of each head's queries and keys
    bool rope_pairs; // rows of q and k stand so that neighbours are rotated (GGUF of llama), not halves of a head
    bool has_bos;
    uint32_t bos, eos[MODEL_MAX_EOS], eos_count;
};

// path: as given to model_file_open; file: what that opened. Errors: WHORL_UNSUPPORTED names the value that whorl
// cannot run, WHORL_INVALID what cannot be, WHORL_IO a file that is not there.
enum whorl_status model_config_read(const char *path, const struct model_file *file, struct model_config *out,
                                    struct whorl_error *err);

// Of texts in memory, for tests: config.json, and generation_config.json or NULL.
enum whorl_status model_config_of_json(const char *config, size_t config_bytes, const char *generation,
                                       size_t generation_bytes, struct model_config *out, struct whorl_error *err);

// The parts: config_json.c, config_gguf.c; config.c checks what both gave.
void model_config_take_json(struct model_work *w, yyjson_val *root, struct model_config *out);
void model_config_take_generation(struct model_work *w, yyjson_val *root, struct model_config *out);
void model_config_take_gguf(struct model_work *w, const struct model_file *file, struct model_config *out);
void model_config_check(struct model_work *w, const struct model_config *c);
// MODEL_FAMILIES: refused, with a list of those that there are.
enum model_family model_family_of(struct model_work *w, const char *name);

// Frequencies of the rotary embedding: angle = position x out[i] for the pair i of head_size / 2. factors: of
// MODEL_ROPE_FACTORS, else NULL. Computed in double, rounded once.
void model_rope_frequencies(const struct model_config *c, const float *factors, float *out);

#endif
