// Text to tokens and back: byte-level BPE and SentencePiece's BPE with byte fallback, from tokenizer.json or from GGUF.
#ifndef WHORL_MODEL_TOKENIZER_H
#define WHORL_MODEL_TOKENIZER_H

#include "model/file/open.h"

enum { MODEL_MAX_TEXT_BYTES = 64 << 20 };

// One thread at a time uses a tokenizer.
struct model_tokenizer;

// path: a folder with tokenizer.json, or that file; with a model_file, its folder or its own path. Or a model_file of
// GGUF, whose metadata hold the tokenizer (then path is only its name, and the bytes of the file must stay where they
// are; else file may be NULL). Kinds of tokenizers, normalisers, splits and decoders that whorl does not have are
// WHORL_UNSUPPORTED, by name.
enum whorl_status model_tokenizer_open(const char *path, const struct model_file *file, struct model_tokenizer **out,
                                       struct whorl_error *err);
// Of a tokenizer.json in memory, for tests.
enum whorl_status model_tokenizer_of_json(const char *text, size_t size_bytes, struct model_tokenizer **out,
                                          struct whorl_error *err);
void model_tokenizer_close(struct model_tokenizer *t); // NULL is fine

// Ids are below this; not every one need be a token.
uint32_t model_tokenizer_count(const struct model_tokenizer *t);
// The id of an added token, or of a token with exactly these bytes; UINT32_MAX: none.
uint32_t model_token_id(const struct model_tokenizer *t, const char *text);

struct model_tokens {
    uint32_t *ids; // freed by model_tokens_free
    size_t count;
};
// special: what the model wants around a text (a beginning token) is added; a chat template brings its own. Added
// tokens that stand in the text are found either way. Time grows as n log n at most, whatever the text is.
// Errors: WHORL_INVALID (text that is not UTF-8), WHORL_LIMIT (too long, or the tokenizer's patterns take too long).
enum whorl_status model_encode(struct model_tokenizer *t, const char *text, size_t size_bytes, bool special,
                               struct model_tokens *out, struct whorl_error *err);
void model_tokens_free(struct model_tokens *tokens);

// Tokens to text, one by one. What a call gives is whole UTF-8 characters: bytes of a character that is not complete
// wait for the next token, and bytes that can be part of none become U+FFFD. {0} begins a text.
struct model_detokenizer {
    unsigned char waiting[4];
    uint32_t count;
    bool begun;
    bool keep_special; // special tokens are text, too
};
// Bytes that a call may write: three for each byte of the longest token, and of those that wait.
size_t model_detokenize_room(const struct model_tokenizer *t);
size_t model_detokenize(const struct model_tokenizer *t, struct model_detokenizer *d, uint32_t id, char *out);
size_t model_detokenize_end(struct model_detokenizer *d, char *out); // the rest; out: room for 12 bytes

#endif
