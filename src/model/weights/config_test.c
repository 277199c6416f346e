// Configurations: those of real models of each family, and every value that whorl does not run named.
#include "check.h"
#include "model/file/made_testing.h"
#include "model/weights/config.h"

static struct model_config c;
static struct whorl_error err;

static enum whorl_status take(const char *config, const char *generation) {
    return model_config_of_json(config, strlen(config), generation, generation ? strlen(generation) : 0, &c, &err);
}

#define SIZES                                                                                              \
    "\"num_hidden_layers\":16,\"hidden_size\":2048,\"intermediate_size\":8192,\"num_attention_heads\":32," \
    "\"num_key_value_heads\":8,\"vocab_size\":128256,\"max_position_embeddings\":131072"

TEST(the_tiny_model) {
    struct model_file *file;
    CHECK_EQ_INT(WHORL_OK, model_file_open("models/tiny", &file, &err));
    CHECK_EQ_INT(WHORL_OK, model_config_read("models/tiny", file, &c, &err));
    CHECK_EQ_INT(MODEL_QWEN2, c.family);
    CHECK(c.layers == 6 && c.hidden == 256 && c.intermediate == 704 && c.heads == 4 && c.kv_heads == 2);
    CHECK(c.head_size == 64 && c.vocab == 4096 && c.context == 1024 && c.tied && c.qkv_bias && !c.o_bias && !c.qk_norm);
    CHECK(c.rope.theta == 10000 && c.rope.kind == MODEL_ROPE_PLAIN && c.rms_eps == 1e-6);
    CHECK(c.eos_count == 1 && c.eos[0] == 4094 && c.has_bos && c.bos == 4094);
    struct model_config again = c;
    CHECK_EQ_INT(WHORL_OK, model_config_read("models/tiny/model.safetensors", file, &c, &err));
    CHECK(memcmp(&again, &c, sizeof c) == 0);
    model_file_close(file);
}

TEST(llama3_with_its_scaling) { // the numbers of Llama 3.2 1B
    CHECK_EQ_INT(WHORL_OK,
                 take("{\"model_type\":\"llama\"," SIZES
                      ",\"head_dim\":64,\"rms_norm_eps\":1e-05,\"rope_theta\":500000.0,"
                      "\"rope_scaling\":{\"factor\":32.0,\"high_freq_factor\":4.0,\"low_freq_factor\":1.0,"
                      "\"original_max_position_embeddings\":8192,\"rope_type\":\"llama3\"},\"hidden_act\":\"silu\","
                      "\"tie_word_embeddings\":true,\"attention_bias\":false,\"bos_token_id\":128000,"
                      "\"eos_token_id\":128001}",
                      "{\"eos_token_id\":[128001,128008,128009]}"));
    CHECK(c.rope.kind == MODEL_ROPE_LLAMA3 && c.eos_count == 3 && c.eos[2] == 128009 && !c.qkv_bias && c.tied);
    float f[32];
    model_rope_frequencies(&c, NULL, f);
    // against the definition, in numbers: the first is kept, the last is divided by 32, one between is blended
    CHECK_NEAR(1, f[0], 0);
    CHECK_NEAR(pow(500000, -62.0 / 64) / 32, f[31], 1e-13);
    double plain = pow(500000, -30.0 / 64), turns = 8192 * plain / (2 * 3.14159265358979), kept = (turns - 1) / 3;
    CHECK(kept > 0.1 && kept < 0.9);
    CHECK_NEAR(plain * (kept + (1 - kept) / 32), f[15], 1e-10);
}

TEST(qwen3_and_new_rope_parameters) {
    CHECK_EQ_INT(WHORL_OK,
                 take("{\"model_type\":\"qwen3\"," SIZES ",\"head_dim\":128,\"rope_parameters\":{\"rope_theta\":"
                      "1000000,\"rope_type\":\"linear\",\"factor\":4},\"sliding_window\":null}",
                      NULL));
    CHECK(c.qk_norm && !c.qkv_bias && c.head_size == 128 && c.rope.theta == 1e6 && c.rope.kind == MODEL_ROPE_LINEAR);
    CHECK(c.eos_count == 0 && !c.has_bos && !c.tied && c.rms_eps == 1e-6);
    float f[64];
    model_rope_frequencies(&c, NULL, f);
    CHECK_NEAR(0.25, f[0], 0);
}

static const char llama[] = "{\"model_type\":\"llama\"," SIZES;

static void refused(const char *more, enum whorl_status status, const char *why) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s}", llama, more);
    CHECK_EQ_INT(status, take(text, NULL));
    CHECK_HAS_STR(why, err.message);
}

TEST(what_cannot_be_run_is_named) {
    CHECK_EQ_INT(WHORL_OK, take("{\"model_type\":\"llama\"," SIZES "}", NULL));
    CHECK_EQ_INT(WHORL_UNSUPPORTED, take("{\"model_type\":\"gemma3\"," SIZES "}", NULL));
    CHECK_HAS_STR("family is \"gemma3\"", err.message);
    CHECK_EQ_INT(WHORL_INVALID, take("{" SIZES "}", NULL));
    CHECK_EQ_INT(WHORL_INVALID, take("[1]", NULL));
    CHECK_EQ_INT(WHORL_INVALID, take("{\"model_type\":\"llama\"}", NULL));
    CHECK_HAS_STR("no \"num_hidden_layers\"", err.message);
    refused(",\"hidden_act\":\"gelu\"", WHORL_UNSUPPORTED, "\"hidden_act\" is \"gelu\"");
    refused(",\"quantization_config\":{}", WHORL_UNSUPPORTED, "quantization_config");
    refused(",\"use_sliding_window\":true", WHORL_UNSUPPORTED, "use_sliding_window");
    refused(",\"layer_types\":[\"full_attention\",\"sliding_attention\"]", WHORL_UNSUPPORTED, "layer_types");
    refused(",\"rope_interleaved\":true", WHORL_UNSUPPORTED, "rope_interleaved");
    refused(",\"partial_rotary_factor\":0.5", WHORL_UNSUPPORTED, "partial_rotary_factor");
    refused(",\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4}", WHORL_UNSUPPORTED, "\"yarn\"");
    refused(",\"rope_scaling\":{\"type\":\"linear\"}", WHORL_INVALID, "factor");
    refused(",\"rope_scaling\":{\"type\":\"linear\",\"factor\":1e9}", WHORL_INVALID, "factor");
    refused(",\"rope_scaling\":[]", WHORL_INVALID, "not an object");
    refused(",\"rope_scaling\":{\"type\":\"llama3\",\"factor\":4}", WHORL_INVALID, "original_max_position");
    refused(",\"rope_theta\":0", WHORL_INVALID, "theta");
    refused(",\"head_dim\":63", WHORL_INVALID, "odd");
    refused(",\"head_dim\":1e2", WHORL_INVALID, "\"head_dim\" is not an integer");
    refused(",\"head_dim\":-1", WHORL_INVALID, "\"head_dim\" is not an integer");
    refused(",\"rms_norm_eps\":\"x\"", WHORL_INVALID, "not a number");
    refused(",\"tie_word_embeddings\":1", WHORL_INVALID, "neither true nor false");
    refused(",\"eos_token_id\":128256", WHORL_INVALID, "not in the vocabulary");
    refused(",\"eos_token_id\":[-1]", WHORL_INVALID, "no token");
    refused(",\"eos_token_id\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]", WHORL_LIMIT, "more than 16");
    refused(",\"vocab_size\":7", WHORL_INVALID, "\"vocab_size\" twice");
    CHECK_EQ_INT(WHORL_INVALID,
                 take("{\"model_type\":\"llama\",\"num_hidden_layers\":4000000000,\"hidden_size\":1}", NULL));
    CHECK_EQ_INT(WHORL_INVALID, take("{\"model_type\":\"llama\",\"num_hidden_layers\":2000,\"hidden_size\":64,"
                                     "\"intermediate_size\":64,\"num_attention_heads\":3,\"num_key_value_heads\":2,"
                                     "\"vocab_size\":10,\"max_position_embeddings\":10,\"head_dim\":2}",
                                     NULL));
    CHECK_HAS_STR("layers: 2000", err.message);
    CHECK_EQ_INT(WHORL_INVALID, take("{\"model_type\":\"llama\",\"num_hidden_layers\":2,\"hidden_size\":64,"
                                     "\"intermediate_size\":64,\"num_attention_heads\":3,\"num_key_value_heads\":2,"
                                     "\"vocab_size\":10,\"max_position_embeddings\":10,\"head_dim\":2}",
                                     NULL));
    CHECK_HAS_STR("share 2 key/value heads", err.message);
    CHECK_EQ_INT(WHORL_INVALID, take("{\"model_type\":\"llama\"," SIZES "}", "{\"eos_token_id\":\"x\"}"));
}

TEST(cut_at_every_byte) {
    char text[] = "{\"model_type\":\"llama\"," SIZES "}";
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        char *exact = malloc(size ? size : 1);
        memcpy(exact, text, size);
        CHECK_EQ_INT(WHORL_INVALID, model_config_of_json(exact, size, NULL, 0, &c, &err));
        free(exact);
    }
}
