// The parameters of the decoder's program, by their names, for the files of this room.
#ifndef WHORL_DECODE_PARAMS_H
#define WHORL_DECODE_PARAMS_H

#include "decode/decoder.h"

// The whole array of the parameter `name`, to the device and back. There is such a parameter.
enum whorl_status decoder_write(struct decoder *d, const char *name, const void *data, struct whorl_error *err);
enum whorl_status decoder_read(struct decoder *d, const char *name, void *data, struct whorl_error *err);

#endif
