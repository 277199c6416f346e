// Tokenizers from outside: a tokenizer.json and, behind the first NUL, a text for it. A tokenizer that is taken encodes
// the text or says why not, and what it decodes to is UTF-8.
#include <stdlib.h>
#include <string.h>

#include "model/token/tokenizer.h"
#include "model/token/unicode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
    const uint8_t *nul = size_bytes ? memchr(data, 0, size_bytes) : NULL;
    size_t first = nul ? (size_t)(nul - data) : size_bytes;
    struct model_tokenizer *t;
    struct model_tokens tokens;
    enum whorl_status status = model_tokenizer_of_json((const char *)data, first, &t, NULL);
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL || (status == WHORL_OK) != (t != NULL)) abort();
    if (!t) return 0;
    status = model_encode(t, nul ? (const char *)nul + 1 : "", nul ? size_bytes - first - 1 : 0, true, &tokens, NULL);
    if (status == WHORL_MEMORY || status == WHORL_INTERNAL) abort();
    for (size_t i = 0; i < tokens.count; i++)
        if (tokens.ids[i] >= model_tokenizer_count(t)) abort();
    decode(t, tokens.ids, tokens.count);
    for (uint32_t id = 0; id < 300; id++)
        decode(t, &id, 1);
    model_tokens_free(&tokens);
    model_tokenizer_close(t);
    return 0;
}
