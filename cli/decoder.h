// A language model that is ready to run: its files open, its decoder (programs/models/transformer.c) compiled for the
// device, its weights there.
#ifndef WHORL_CLI_DECODER_H
#define WHORL_CLI_DECODER_H

#include "model/token/tokenizer.h"
#include "model/weights/weights.h"
#include "options.h"

// How the next token is chosen. temperature 0: the most likely one.
struct decoder_sampling {
    float temperature, top_p, min_p, penalty; // top_p 1, min_p 0, penalty 1: off
    int32_t top_k, seed;                      // top_k 0: off
};

struct decoder {
    struct model_file *file;
    struct model_config config;
    struct model_weights weights;
    struct model_tokenizer *tokenizer;
    whorl_device *device;
    whorl_program *program;
    whorl_session *session;
    uint32_t context;                   // tokens that there is room for
    int32_t *tokens;                    // [context]
    double weights_bytes, memory_bytes; // on the device; memory: what is kept of `context` tokens, and all else
    uint64_t dispatches;                // so far
    bool fell_back;                     // some call needed more than one dispatch a slice
};

// Opens the model at `path`, a folder or a file; *d is zeros before. Whatever comes back, decoder_close frees it.
enum whorl_status decoder_open(struct decoder *d, const char *path, struct whorl_error *err);
// Makes its decoder for `context` tokens, on the device of the options, and takes the weights there.
enum whorl_status decoder_start(struct decoder *d, const struct cli_options *options, uint32_t context,
                                const struct decoder_sampling *sampling, struct whorl_error *err);
// Tokens [0, known) are given in d->tokens; decodes `count` of them from `position` on, after which
// d->tokens[position + count] is known. position + count < context.
enum whorl_status decoder_step(struct decoder *d, uint32_t position, uint32_t count, uint32_t known,
                               bool (*progress)(void *user, const struct whorl_progress *p), void *user,
                               struct whorl_error *err);
void decoder_close(struct decoder *d);

#endif
