// config.json and generation_config.json as Hugging Face writes them. A value that would change the computation and is
// not one that whorl computes is refused by its name; what only matters in training is not looked at.
#include <string.h>

#include "model/file/json_checked.h"
#include "model/weights/config.h"

static uint32_t size_of(struct model_work *w, yyjson_val *root, const char *key, uint64_t otherwise) {
    if (!otherwise && !model_json_get(root, key)) model_invalid(w, "it has no \"%s\"", key);
    return (uint32_t)model_json_uint(w, root, key, INT32_MAX, otherwise);
}

static void refuse_text(struct model_work *w, yyjson_val *root, const char *key, const char *wanted) {
    yyjson_val *value = model_json_get(root, key);
    if (!value) return;
    const char *text = model_json_text(w, value, key);
    if (strcmp(text, wanted) != 0)
        model_refuse(w, WHORL_UNSUPPORTED, "\"%s\" is \"%.60s\"; whorl computes \"%s\" only", key, text, wanted);
}

static void refuse_true(struct model_work *w, yyjson_val *root, const char *key) {
    if (model_json_bool(w, root, key, false))
        model_refuse(w, WHORL_UNSUPPORTED, "\"%s\" is true, which whorl does not compute", key);
}

// transformers 5 keeps theta and scaling in "rope_parameters"; before, they were "rope_theta" and "rope_scaling".
static void take_rope(struct model_work *w, yyjson_val *root, struct model_config *out) {
    yyjson_val *scaling = model_json_get(root, "rope_parameters");
    if (!scaling) scaling = model_json_get(root, "rope_scaling");
    if (scaling && !yyjson_is_obj(scaling)) model_invalid(w, "its rope scaling is not an object");
    struct model_rope *r = &out->rope;
    r->theta = model_json_real(w, root, "rope_theta", model_json_real(w, scaling, "rope_theta", 10000));
    yyjson_val *kind = model_json_get(scaling, "rope_type");
    if (!kind) kind = model_json_get(scaling, "type");
    const char *name = kind ? model_json_text(w, kind, "the type of the rope scaling") : "default";
    if (model_json_real(w, scaling, "partial_rotary_factor", model_json_real(w, root, "partial_rotary_factor", 1)) != 1)
        model_refuse(w, WHORL_UNSUPPORTED, "\"partial_rotary_factor\" is not 1: whorl rotates whole heads");
    if (strcmp(name, "default") == 0) return;
    r->factor = model_json_real(w, scaling, "factor", 0);
    if (strcmp(name, "linear") == 0) {
        r->kind = MODEL_ROPE_LINEAR;
    } else if (strcmp(name, "llama3") == 0) {
        r->kind = MODEL_ROPE_LLAMA3;
        r->low = model_json_real(w, scaling, "low_freq_factor", 1);
        r->high = model_json_real(w, scaling, "high_freq_factor", 4);
        r->original_context = size_of(w, scaling, "original_max_position_embeddings", 0);
    } else {
        model_refuse(w, WHORL_UNSUPPORTED, "its rope scaling is \"%.60s\"; whorl computes default, linear and llama3",
                     name);
    }
}

static void refuse_windows(struct model_work *w, yyjson_val *root) {
    refuse_true(w, root, "use_sliding_window");
    yyjson_val *types = model_json_get(root, "layer_types");
    yyjson_arr_iter iter = yyjson_arr_iter_with(types);
    for (yyjson_val *type; (type = yyjson_arr_iter_next(&iter));)
        if (!yyjson_equals_str(type, "full_attention"))
            model_refuse(w, WHORL_UNSUPPORTED, "\"layer_types\" names another kind of layer than \"full_attention\"");
}

static void take_eos(struct model_work *w, yyjson_val *value, struct model_config *out) {
    bool list = yyjson_is_arr(value);
    size_t count = list ? yyjson_arr_size(value) : 1;
    if (count > MODEL_MAX_EOS)
        model_refuse(w, WHORL_LIMIT, "\"eos_token_id\" lists more than %d tokens", MODEL_MAX_EOS);
    out->eos_count = 0;
    for (size_t i = 0; i < count; i++) {
        yyjson_val *id = list ? yyjson_arr_get(value, i) : value;
        if (!yyjson_is_uint(id) || yyjson_get_uint(id) > INT32_MAX) model_invalid(w, "\"eos_token_id\" is no token");
        out->eos[out->eos_count++] = (uint32_t)yyjson_get_uint(id);
    }
}

static void take_tokens(struct model_work *w, yyjson_val *root, struct model_config *out) {
    yyjson_val *eos = model_json_get(root, "eos_token_id");
    if (eos) take_eos(w, eos, out);
    if (!model_json_get(root, "bos_token_id")) return;
    out->has_bos = true;
    out->bos = size_of(w, root, "bos_token_id", 0);
}

void model_config_take_json(struct model_work *w, yyjson_val *root, struct model_config *out) {
    if (!yyjson_is_obj(root)) model_invalid(w, "it is not a JSON object");
    yyjson_val *type = model_json_get(root, "model_type");
    if (!type) model_invalid(w, "it has no \"model_type\"");
    out->family = model_family_of(w, model_json_text(w, type, "\"model_type\""));
    if (model_json_get(root, "quantization_config"))
        model_refuse(w, WHORL_UNSUPPORTED,
                     "its weights are quantised in a form that whorl does not read "
                     "(\"quantization_config\"); take the original weights or a GGUF file");
    refuse_text(w, root, "hidden_act", "silu");
    refuse_true(w, root, "rope_interleaved");
    refuse_windows(w, root);
    out->layers = size_of(w, root, "num_hidden_layers", 0);
    out->hidden = size_of(w, root, "hidden_size", 0);
    out->intermediate = size_of(w, root, "intermediate_size", 0);
    out->heads = size_of(w, root, "num_attention_heads", 0);
    out->kv_heads = size_of(w, root, "num_key_value_heads", out->heads);
    out->vocab = size_of(w, root, "vocab_size", 0);
    out->context = size_of(w, root, "max_position_embeddings", 0);
    if (!out->heads || (!model_json_get(root, "head_dim") && out->hidden % out->heads))
        model_invalid(w, "a hidden size of %u cannot be %u heads", out->hidden, out->heads);
    out->head_size = size_of(w, root, "head_dim", out->hidden / out->heads);
    out->rms_eps = model_json_real(w, root, "rms_norm_eps", 1e-6);
    out->tied = model_json_bool(w, root, "tie_word_embeddings", false);
    bool bias = model_json_bool(w, root, "attention_bias", false);
    out->qkv_bias = bias || out->family == MODEL_QWEN2;
    out->o_bias = bias && out->family != MODEL_QWEN2;
    out->mlp_bias = model_json_bool(w, root, "mlp_bias", false);
    out->qk_norm = out->family == MODEL_QWEN3;
    take_rope(w, root, out);
    take_tokens(w, root, out);
}

void model_config_take_generation(struct model_work *w, yyjson_val *root, struct model_config *out) {
    if (!yyjson_is_obj(root)) model_invalid(w, "it is not a JSON object");
    take_tokens(w, root, out);
}
