// The requests and answers of OpenAI's HTTP API that have to do with texts: /v1/completions, /v1/chat/completions.
#ifndef WHORL_SERVE_EXCHANGE_H
#define WHORL_SERVE_EXCHANGE_H

#include "model/chat/template.h"
#include "serve/job.h"

// What requests are read for. One thread at a time uses it.
struct api {
    const char *model; // its name in answers
    struct model_tokenizer *tokenizer;
    struct model_chat chat;
    uint32_t context, vocab;
    uint32_t most; // tokens of an answer; 0: as many as there is room for
};

// One text, from its request to the end of its answer.
struct exchange {
    struct job *job; // the caller's until worker_add
    bool is_chat, in_parts, usage, tokens;
    char id[40];
    int64_t created_s;
    // how much of the answer was sent in parts
    bool begun;
    size_t sent_bytes;
    uint32_t sent_tokens;
};

struct api_error {
    int status;        // of HTTP
    const char *param; // the field that is wrong, or NULL
    char message[400];
};

// Reads a request's JSON. False: *err says what is wrong, and nothing is to be freed; else the caller frees out->job.
bool api_read(struct api *api, bool is_chat, const char *body, size_t size_bytes, struct exchange *out,
              struct api_error *err);

// Answers as JSON text, freed by free(); NULL: out of memory. The worker's lock is held: they read the job.
char *api_answer(const struct api *api, const struct exchange *x, size_t *out_bytes);
// The next part of an answer in parts, with "data: " and what ends an event: all that is new. *out_ended: it was the
// last. NULL with *out_bytes 0: nothing is new.
char *api_part(const struct api *api, struct exchange *x, size_t *out_bytes, bool *out_ended);
char *api_error_text(const struct api_error *err, size_t *out_bytes);
char *api_model(const struct api *api, int64_t created_s, size_t *out_bytes);
char *api_models(const struct api *api, int64_t created_s, size_t *out_bytes);

#endif
