// Interventions of the command line: --steer, --ablate, --capture.
#ifndef WHORL_CLI_HOOKS_H
#define WHORL_CLI_HOOKS_H

#include "decode/decoder.h"
#include "options.h"

struct hook_words;
struct hooks {
    float *steer, *keep;         // as struct decoder_hooks has them; owned
    struct hook_words *captures; // what --capture says; owned
    size_t capture_count;
};

// Reads the options, and sets the hooks of the open decoder, which is not compiled yet. Errors name the option.
// hooks_close frees what it made, after decoder_load and hooks_capture.
enum whorl_status hooks_open(struct hooks *h, const struct cli_options *options, struct decoder *d,
                             struct whorl_error *err);
// Writes what --capture asks for: f32 [tokens computed][hidden], of the first text.
enum whorl_status hooks_capture(const struct hooks *h, struct decoder *d, struct whorl_error *err);
void hooks_close(struct hooks *h); // of zeros: fine

#endif
