// The parameters of the decoder's program, by their names, for the files of this room.
#ifndef WHORL_DECODE_PARAMS_H
#define WHORL_DECODE_PARAMS_H

#include "base/embed.h"
#include "decode/decoder.h"

// The whole array of the parameter `name`, to the device and back. There is such a parameter.
enum whorl_status decoder_write(struct decoder *d, const char *name, const void *data, struct whorl_error *err);
enum whorl_status decoder_read(struct decoder *d, const char *name, void *data, struct whorl_error *err);

// The parameter's index; whorl_program_param_count where there is none.
size_t decoder_find(const whorl_program *program, const char *name);
size_t decoder_param_bytes(const struct whorl_param *p);

// The macros of both programs, which say what the model is; `out` has room for DECODER_DEFINES. -> how many
enum { DECODER_DEFINES = 12 };
size_t decoder_defines(const struct decoder *d, const char **out);
// programs/models/NAME, which the build embeds.
const struct base_embedded *decoder_source(const char *name);

// decode_run.c: who is asked during a call. On the CPU nobody: a call that is given up there ends its session, and
// calls are short.
void decoder_ask(const struct decoder *d, const struct decoder_run_options *options, struct whorl_run_options *out);
// decode_run.c: what decoder_begin changed, to the device; nothing, if that knows it.
enum whorl_status decoder_write_texts(struct decoder *d, struct whorl_error *err);

// prompt_tiles.c, for decoder_compile and decoder_load, which call it last. That a model or a device is not fit for
// tiles is no error: then there are none, and d->tiles.why says why.
enum whorl_status decoder_compile_tiles(struct decoder *d, struct whorl_error *err);
enum whorl_status decoder_load_tiles(struct decoder *d, enum whorl_strategy strategy, struct whorl_error *err);
void decoder_close_tiles(struct decoder *d);

// decoder_weights.c: each parameter in the form that all its matrices have in the file; F16 where that is none.
void decoder_keep_forms(struct decoder *d);
// The macros that say so: FORM_name of each parameter that is not F16. -> how many
size_t decoder_form_defines(const struct decoder *d, const char **out);
// All weights, in the decoder's form, to its session.
enum whorl_status decoder_upload(struct decoder *d, struct whorl_error *err);

#endif
