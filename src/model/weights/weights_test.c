// Roles of tensors: a small llama in both formats gives the same rows, whatever order GGUF keeps them in; and what is
// missing, misshapen or left over is named.
#include "check.h"
#include "model/file/made_testing.h"
#include "model/weights/weights.h"

static struct made m;
static struct model_file *file;
static struct model_config c;
static struct model_weights weights;
static struct whorl_error err;

enum { LAYERS = 2, HIDDEN = 8, HEADS = 2, KV = 1, HEAD = 4, INTER = 12, VOCAB = 10 };

struct part {
    const char *name;
    uint32_t rows, columns; // rows 0: a vector
};
static const struct part whole[] = {{"token_embd.weight", VOCAB, HIDDEN}, {"output_norm.weight", 0, HIDDEN}};
static const struct part layer[] = {
    {"attn_norm.weight", 0, HIDDEN},     {"attn_q.weight", HEADS *HEAD, HIDDEN}, {"attn_k.weight", KV *HEAD, HIDDEN},
    {"attn_v.weight", KV *HEAD, HIDDEN}, {"attn_output.weight", HIDDEN, HIDDEN}, {"ffn_norm.weight", 0, HIDDEN},
    {"ffn_gate.weight", INTER, HIDDEN},  {"ffn_up.weight", INTER, HIDDEN},       {"ffn_down.weight", HIDDEN, INTER},
    {"attn_q.bias", 0, HEADS *HEAD},     {"attn_k.bias", 0, KV *HEAD},           {"attn_v.bias", 0, KV *HEAD},
};
enum { WHOLE = sizeof whole / sizeof *whole, IN_LAYER = sizeof layer / sizeof *layer };

static uint64_t offset;

static void add(const char *name, const struct part *p) {
    const uint64_t dims[] = {p->columns, p->rows};
    made_tensor(&m, name, p->rows ? 2 : 1, dims, 0, offset);
    offset += (p->columns * (p->rows ? p->rows : 1) * 4 + 31) / 32 * 32;
}

// Element i of a tensor is i. skip: an index of a layer's parts that is left out of layer 1; extra: one more tensor.
static enum whorl_status make(const char *family, int skip, const char *extra) {
    static struct made kept;
    uint64_t tensors = WHOLE + LAYERS * IN_LAYER - (skip >= 0) + (extra != NULL);
    const struct part one = {extra, 0, HEAD / 2};
    char key[64];
    model_weights_close(&weights);
    model_file_close(file);
    made_gguf(&m, 3, tensors, 8);
    made_value_text(&m, "general.architecture", family);
    static const struct {
        const char *key;
        uint32_t value;
    } values[] = {{"block_count", LAYERS},         {"embedding_length", HIDDEN},    {"feed_forward_length", INTER},
                  {"attention.head_count", HEADS}, {"attention.head_count_kv", KV}, {"context_length", 64}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(key, sizeof key, "%s.%s", family, values[i].key);
        made_value_u32(&m, key, values[i].value);
    }
    made_value_u32(&m, "tokenizer.ggml.eos_token_id", 9);
    offset = 0;
    for (int i = 0; i < WHOLE; i++)
        add(whole[i].name, &whole[i]);
    for (int l = 0; l < LAYERS; l++)
        for (int i = 0; i < IN_LAYER; i++) {
            char name[64];
            snprintf(name, sizeof name, "blk.%d.%s", l, layer[i].name);
            if (l == 0 || i != skip) add(name, &layer[i]);
        }
    if (extra) add(extra, &one);
    made_pad(&m, 32);
    for (uint64_t e = 0; e < offset / 4; e++)
        made_u32(&m, base_float_bits(1.0f + (float)e));
    kept = m; // tensors point into it
    enum whorl_status status = model_file_of_bytes(kept.data, kept.size_bytes, &file, &err);
    if (status == WHORL_OK) status = model_config_read("x.gguf", file, &c, &err);
    return status == WHORL_OK ? model_weights_open(file, &c, &weights, &err) : status;
}

TEST(qwen_as_it_stands) {
    CHECK_EQ_INT(WHORL_OK, make("qwen2", -1, NULL));
    CHECK(c.tied && c.qkv_bias && !c.rope_pairs && c.eos_count == 1);
    const struct model_weight *embed = model_weight_of(&weights, MODEL_EMBED, 1);
    CHECK(embed->tensor && embed->tensor == model_weight_of(&weights, MODEL_HEAD, 0)->tensor);
    float row[HIDDEN];
    CHECK(model_weight_f32(embed, 3, 1, row) && row[0] == 25 && row[7] == 32);
    CHECK(!model_weight_f32(embed, VOCAB, 1, row) && !model_weight_f32(embed, 0, VOCAB + 1, row));
    CHECK(!model_weight_f32(model_weight_of(&weights, MODEL_O_BIAS, 0), 0, 1, row));
    CHECK_NEAR(0.01, weights.rope[1], 1e-9);
}

TEST(rows_of_llama_are_put_in_order) {
    float q[HEADS * HEAD * HIDDEN], bias[HEADS * HEAD];
    uint16_t half[HEADS * HEAD];
    CHECK_EQ_INT(WHORL_OK, make("llama", -1, NULL));
    const struct model_weight *w = model_weight_of(&weights, MODEL_Q, 1);
    const struct model_weight *b = model_weight_of(&weights, MODEL_Q_BIAS, 1);
    CHECK(model_weight_f32(w, 0, 8, q) && model_weight_f32(b, 0, 1, bias) && model_weight_f16(b, 0, 1, half));
    float first, first_bias;
    model_rows_f32(w->tensor, 0, 1, q + 64 - HIDDEN); // the file's first number
    first = q[64 - HIDDEN];
    CHECK(model_weight_f32(w, 0, 8, q));
    static const int order[] = {0, 2, 1, 3, 4, 6, 5, 7}; // the file's row of each of ours
    float raw[8];
    model_rows_f32(b->tensor, 0, 1, raw);
    first_bias = raw[0];
    for (int r = 0; r < 8; r++) {
        CHECK(q[r * HIDDEN] == first + (float)(order[r] * HIDDEN));
        CHECK(bias[r] == first_bias + (float)order[r]);
        CHECK_EQ_INT(base_f32_to_f16(bias[r]), half[r]);
        CHECK(model_weight_f32(w, (uint64_t)r, 1, raw) && raw[0] == q[r * HIDDEN]);
    }
    CHECK(model_weight_of(&weights, MODEL_V, 0)->paired_head == 0);
}

TEST(factors_of_the_rope) {
    CHECK_EQ_INT(WHORL_OK, make("llama", -1, "rope_freqs.weight"));
    CHECK_EQ_INT(MODEL_ROPE_FACTORS, c.rope.kind);
    float factors[2];
    CHECK(model_rows_f32(model_tensors_find(&file->tensors, "rope_freqs.weight"), 0, 1, factors));
    CHECK_NEAR(1 / factors[0], weights.rope[0], 1e-9);
    CHECK_NEAR(0.01 / factors[1], weights.rope[1], 1e-9);
}

TEST(what_does_not_fit_is_named) {
    CHECK_EQ_INT(WHORL_INVALID, make("llama", 3, NULL));
    CHECK_HAS_STR("\"blk.1.attn_v.weight\" is missing", err.message);
    CHECK_EQ_INT(WHORL_UNSUPPORTED, make("llama", -1, "blk.0.attn_post_norm.weight"));
    CHECK_HAS_STR("\"blk.0.attn_post_norm.weight\" has no place", err.message);
    CHECK_EQ_INT(WHORL_INVALID, make("qwen3", -1, NULL));
    CHECK_HAS_STR("attn_q_norm.weight\" is missing", err.message);
    CHECK_EQ_INT(WHORL_UNSUPPORTED, make("gpt2", -1, NULL));
    CHECK_HAS_STR("\"gpt2\"", err.message);
    CHECK_EQ_INT(WHORL_OK, make("llama", -1, NULL));
    c.intermediate++;
    model_weights_close(&weights);
    CHECK_EQ_INT(WHORL_INVALID, model_weights_open(file, &c, &weights, &err));
    CHECK_HAS_STR("\"blk.0.ffn_gate.weight\" has another shape", err.message);
    c.intermediate--;
    c.kv_heads = 2;
    CHECK_EQ_INT(WHORL_INVALID, model_weights_open(file, &c, &weights, &err));
    model_file_close(file);
    file = NULL;
}

TEST(every_allocation_fails_once) {
    CHECK_EQ_INT(WHORL_OK, model_file_open("models/tiny", &file, &err));
    int failed = 0;
    for (uint64_t nth = 1;; nth++) {
        base_heap_fail_at(nth);
        enum whorl_status status = model_config_read("models/tiny", file, &c, &err);
        if (status == WHORL_OK) status = model_weights_open(file, &c, &weights, &err);
        base_heap_fail_at(0);
        if (status == WHORL_OK) break;
        CHECK_EQ_INT(WHORL_MEMORY, status);
        failed++;
    }
    CHECK(failed >= 4);
    model_weights_close(&weights);
    model_file_close(file);
    file = NULL;
}
