// GGUF's metadata. Keys begin with the family's name; what is no key (tied, biases) shows in which tensors there are.
#include <stdio.h>
#include <string.h>

#include "model/weights/config.h"

struct keys {
    struct model_work *w;
    const struct gguf *g;
    const char *family;
};

static const char *key_of(struct keys *k, const char *name) { return base_format(&k->w->cx, "%s.%s", k->family, name); }

// 0 as `otherwise`: it must be there.
static uint32_t size_of(struct keys *k, const char *name, uint64_t otherwise) {
    const char *key = key_of(k, name);
    if (!otherwise && !gguf_find(k->g, key)) model_invalid(k->w, "it has no \"%s\"", key);
    return (uint32_t)gguf_uint(k->w, k->g, key, INT32_MAX, otherwise);
}

static double real_of(struct keys *k, const char *name, double otherwise) {
    return gguf_real(k->w, k->g, key_of(k, name), otherwise);
}

static void take_rope(struct keys *k, const struct model_file *file, struct model_config *out) {
    struct model_rope *r = &out->rope;
    r->theta = real_of(k, "rope.freq_base", 10000);
    r->factor = real_of(k, "rope.scaling.factor", real_of(k, "rope.scale_linear", 1));
    const char *kind = gguf_text(k->w, k->g, key_of(k, "rope.scaling.type"));
    if (kind && strcmp(kind, "linear") != 0 && strcmp(kind, "none") != 0)
        model_refuse(k->w, WHORL_UNSUPPORTED, "its rope scaling is \"%.60s\"; whorl computes none and linear in GGUF",
                     kind);
    bool linear = r->factor != 1 && (!kind || strcmp(kind, "linear") == 0);
    if (linear) r->kind = MODEL_ROPE_LINEAR;
    const struct model_tensor *factors = model_tensors_find(&file->tensors, "rope_freqs.weight");
    if (factors && linear) model_refuse(k->w, WHORL_UNSUPPORTED, "it has both rope_freqs.weight and a linear scaling");
    if (factors) r->kind = MODEL_ROPE_FACTORS;
    if (size_of(k, "rope.dimension_count", out->head_size) != out->head_size)
        model_refuse(k->w, WHORL_UNSUPPORTED,
                     "\"%s.rope.dimension_count\" is not the head size: whorl rotates whole heads", k->family);
}

static void take_eos(struct keys *k, struct model_config *out) {
    static const char *const names[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                        "tokenizer.ggml.eom_token_id"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!gguf_find(k->g, names[i])) continue;
        uint32_t id = (uint32_t)gguf_uint(k->w, k->g, names[i], UINT32_MAX, 0);
        bool known = false;
        for (uint32_t e = 0; e < out->eos_count; e++)
            known |= out->eos[e] == id;
        if (!known) out->eos[out->eos_count++] = id;
    }
}

void model_config_take_gguf(struct model_work *w, const struct model_file *file, struct model_config *out) {
    const char *family = gguf_text(w, &file->gguf, "general.architecture");
    if (!family) model_invalid(w, "it has no \"general.architecture\"");
    struct keys k = {w, &file->gguf, family};
    out->family = model_family_of(w, family);
    if (gguf_find(k.g, key_of(&k, "expert_count")) && size_of(&k, "expert_count", 1) > 0)
        model_refuse(w, WHORL_UNSUPPORTED, "it is a mixture of experts, which whorl does not run");
    if (gguf_find(k.g, key_of(&k, "attention.sliding_window")) && size_of(&k, "attention.sliding_window", 1) > 0)
        model_refuse(w, WHORL_UNSUPPORTED, "its attention has a sliding window, which whorl does not compute");
    out->layers = size_of(&k, "block_count", 0);
    out->hidden = size_of(&k, "embedding_length", 0);
    out->intermediate = size_of(&k, "feed_forward_length", 0);
    out->heads = size_of(&k, "attention.head_count", 0);
    out->kv_heads = size_of(&k, "attention.head_count_kv", out->heads);
    out->context = size_of(&k, "context_length", 0);
    bool given = gguf_find(k.g, key_of(&k, "attention.key_length")) != NULL;
    if (!out->heads || (!given && out->hidden % out->heads))
        model_invalid(w, "an embedding of %u cannot be %u heads", out->hidden, out->heads);
    out->head_size = size_of(&k, "attention.key_length", out->hidden / out->heads);
    if (size_of(&k, "attention.value_length", out->head_size) != out->head_size)
        model_refuse(w, WHORL_UNSUPPORTED, "keys and values of different sizes");
    out->rms_eps = real_of(&k, "attention.layer_norm_rms_epsilon", 1e-6);
    const struct model_tensor *embed = model_tensors_find(&file->tensors, "token_embd.weight");
    if (!embed || embed->ndims != 2 || embed->dims[0] > UINT32_MAX)
        model_invalid(w, "it has no matrix \"token_embd.weight\"");
    out->vocab = (uint32_t)embed->dims[0];
    out->tied = !model_tensors_find(&file->tensors, "output.weight");
    out->qkv_bias = model_tensors_find(&file->tensors, "blk.0.attn_q.bias") != NULL;
    out->o_bias = model_tensors_find(&file->tensors, "blk.0.attn_output.bias") != NULL;
    out->mlp_bias = model_tensors_find(&file->tensors, "blk.0.ffn_gate.bias") != NULL;
    out->qk_norm = out->family == MODEL_QWEN3;
    out->rope_pairs = out->family == MODEL_LLAMA;
    take_rope(&k, file, out);
    take_eos(&k, out);
    if (gguf_find(k.g, "tokenizer.ggml.bos_token_id")) {
        out->has_bos = true;
        out->bos = (uint32_t)gguf_uint(w, k.g, "tokenizer.ggml.bos_token_id", UINT32_MAX, 0);
    }
}
