// A model that speaks on standard output: what it says appears while it is made.
#ifndef WHORL_CLI_SPEAK_H
#define WHORL_CLI_SPEAK_H

#include "model_start.h"

struct speaker {
    const struct cli_options *o;
    struct model_start m;
    struct model_tokens prompt; // that the next answer belongs to
    char *said;                 // the last answer, NUL-terminated; NULL: none yet
    size_t said_bytes;
    uint32_t texts;            // side by side; 0: one
    uint32_t made;             // tokens of it; the one that ended it is none
    bool ended;                // the model ended it itself
    double s, all_s, prompt_s; // prompt_s: the part of s until its prompt was there but for the last token
    uint64_t all_made, all_positions;

    // its own
    struct model_detokenizer detokenizer;
    char *piece;
    size_t said_room;
};

// What the options say of sampling.
struct decoder_sampling speak_sampling(const struct cli_options *o);
// Tokens that an answer may have.
uint64_t speak_most(const struct cli_options *o);

// Opens the model of the command line. *s is zeros before; whatever comes back, speak_close frees it.
enum whorl_status speak_open(struct speaker *s, const struct cli_options *o, struct whorl_error *err);
// Tokens that there must be room for: those of --context, else those of one prompt and its answer, else `otherwise`.
// WHORL_INVALID, WHORL_LIMIT: prompt and answer do not fit.
enum whorl_status speak_context(const struct speaker *s, uint64_t otherwise, uint32_t *out, struct whorl_error *err);
// Opens the device and takes the model there.
enum whorl_status speak_start(struct speaker *s, uint32_t context, struct whorl_error *err);
// Makes and shows the answer to s->prompt.
enum whorl_status speak(struct speaker *s, const struct decoder_sampling *sampling, struct whorl_error *err);
void speak_close(struct speaker *s);

// Text of others on standard output: on a terminal without characters that would steer it.
void speak_show(const char *text, size_t size);

#endif
