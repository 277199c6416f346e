// Tokenizers from outside: a tokenizer.json and, behind the first NUL, a text for it; or a GGUF file, whose metadata are
// read as a configuration, as weights and as a tokenizer. A tokenizer that is taken encodes the text or says why not,
// and what it decodes to is UTF-8.
#include <stdlib.h>
#include <string.h>

#include "model/chat/template.h"
#include "model/token/tokenizer.h"
#include "model/token/unicode.h"
#include "model/weights/weights.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void check(enum whorl_status status, bool there) {
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL || (status == WHORL_OK) != there) abort();
}

static void decode(const struct model_tokenizer *t, const uint32_t *ids, size_t count) {
    struct model_detokenizer d = {.keep_special = true};
    char *out = malloc(model_detokenize_room(t));
    if (!out) abort();
    for (size_t i = 0; i < count; i++) {
        size_t size = model_detokenize(t, &d, ids[i], out);
        if (size > model_detokenize_room(t) || unicode_check(out, size) != size) abort();
    }
    if (model_detokenize_end(&d, out) > 12) abort();
    free(out);
}

static void use(struct model_tokenizer *t, const char *text, size_t size_bytes) {
    struct model_tokens tokens;
    enum whorl_status status = model_encode(t, text, size_bytes, true, &tokens, NULL);
    check(status, status == WHORL_OK);
    for (size_t i = 0; i < tokens.count; i++)
        if (tokens.ids[i] >= model_tokenizer_count(t)) abort();
    decode(t, tokens.ids, tokens.count);
    for (uint32_t id = 0; id < 300; id++)
        decode(t, &id, 1);
    model_tokens_free(&tokens);
    model_tokenizer_close(t);
}

static void read_gguf(const uint8_t *data, size_t size_bytes) {
    static const char text[] = "ab <s> \xc3\xa9 1's\n";
    struct model_file *file;
    struct model_tokenizer *t;
    struct model_chat chat;
    struct model_config config;
    struct model_weights weights;
    enum whorl_status status = model_file_of_bytes(data, size_bytes, &file, NULL);
    check(status, file != NULL);
    if (!file) return;
    status = model_tokenizer_open("fuzz.gguf", file, &t, NULL);
    check(status, t != NULL);
    if (t) use(t, text, sizeof text - 1);
    status = model_chat_open("fuzz.gguf", file, &chat, NULL);
    check(status, status == WHORL_OK);
    model_chat_close(&chat);
    status = model_config_read("fuzz.gguf", file, &config, NULL);
    check(status, status == WHORL_OK);
    if (status == WHORL_OK) {
        status = model_weights_open(file, &config, &weights, NULL);
        check(status, weights.table != NULL);
        model_weights_close(&weights);
    }
    model_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    const uint8_t *nul = size_bytes ? memchr(data, 0, size_bytes) : NULL;
    size_t first = nul ? (size_t)(nul - data) : size_bytes;
    struct model_tokenizer *t;
    if (size_bytes >= 4 && memcmp(data, "GGUF", 4) == 0) {
        read_gguf(data, size_bytes);
        return 0;
    }
    enum whorl_status status = model_tokenizer_of_json((const char *)data, first, &t, NULL);
    check(status, t != NULL);
    if (t) use(t, nul ? (const char *)nul + 1 : "", nul ? size_bytes - first - 1 : 0);
    return 0;
}
