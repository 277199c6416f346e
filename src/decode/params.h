// The parameters of the decoder's program, by their names, for the files of this room.
#ifndef WHORL_DECODE_PARAMS_H
#define WHORL_DECODE_PARAMS_H

#include "decode/decoder.h"

// The whole array of the parameter `name`, to the device and back. There is such a parameter.
enum whorl_status decoder_write(struct decoder *d, const char *name, const void *data, struct whorl_error *err);
enum whorl_status decoder_read(struct decoder *d, const char *name, void *data, struct whorl_error *err);

// The parameter's index; whorl_program_param_count where there is none.
size_t decoder_find(const struct decoder *d, const char *name);
size_t decoder_param_bytes(const struct whorl_param *p);

// decoder_weights.c: Q8 where all matrices of the file are of that form.
enum decoder_form decoder_form_of_file(const struct decoder *d);
// All weights, in the decoder's form, to its session.
enum whorl_status decoder_upload(struct decoder *d, struct whorl_error *err);

#endif
