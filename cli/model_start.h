// A language model on the device of the command line, for the commands that run one.
#ifndef WHORL_CLI_MODEL_START_H
#define WHORL_CLI_MODEL_START_H

#include "decode/decoder.h"
#include "hooks.h"
#include "options.h"

struct model_start {
    struct decoder decoder; // open by decoder_open; model_start does the rest
    whorl_device *device;
    struct hooks hooks;
    bool quiet;
};

// The form of matrices that --quantize asks for, if it does.
enum whorl_status model_quantize(struct decoder *d, const struct cli_options *options, struct whorl_error *err);
// Compiles the open decoder for `texts` texts of `context` tokens, with the hooks that the options ask for, and takes
// its weights to their device. model_stop frees it, whatever came back.
enum whorl_status model_start(struct model_start *m, const struct cli_options *options, uint32_t texts,
                              uint32_t context, struct whorl_error *err);
// Computes what is pending of prompts (decoder_pending), a fifth of a second at a time, and shows how far it is.
// WHORL_CANCELLED, WHORL_STOPPED: the command was told to end.
enum whorl_status model_prompt(struct model_start *m, bool judge, struct whorl_error *err);
// Ctrl-C and --max-time end a run between two slices.
bool model_progress(void *user, const struct whorl_progress *p);
// WHORL_CANCELLED or WHORL_STOPPED, if the command was told to end.
enum whorl_status model_stopped(struct whorl_error *err);
void model_stop(struct model_start *m); // of zeros: fine

#endif
