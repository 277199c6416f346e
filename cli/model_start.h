// A language model on the device of the command line, for the commands that run one.
#ifndef WHORL_CLI_MODEL_START_H
#define WHORL_CLI_MODEL_START_H

#include "decode/decoder.h"
#include "options.h"

struct model_start {
    struct decoder decoder; // open by decoder_open; model_start does the rest
    whorl_device *device;
};

// The form of matrices that --quantize asks for, if it does.
enum whorl_status model_quantize(struct decoder *d, const struct cli_options *options, struct whorl_error *err);
// Compiles the open decoder for one text of `context` tokens and takes its weights to the device of the options.
// model_stop frees it, whatever came back.
enum whorl_status model_start(struct model_start *m, const struct cli_options *options, uint32_t context,
                              struct whorl_error *err);
// Ctrl-C and --max-time end a run between two slices.
bool model_progress(void *user, const struct whorl_progress *p);
// WHORL_CANCELLED or WHORL_STOPPED, if the command was told to end.
enum whorl_status model_stopped(struct whorl_error *err);
void model_stop(struct model_start *m); // of zeros: fine

#endif
