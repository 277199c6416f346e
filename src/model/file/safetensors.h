// safetensors: 8 bytes of length, that much JSON, then the tensors' bytes without gaps.
#ifndef WHORL_MODEL_SAFETENSORS_H
#define WHORL_MODEL_SAFETENSORS_H

#include "model/file/tensor.h"

enum { SAFETENSORS_HEADER_BYTES = 16 << 20 };

// Tensors of one mapped file, in the order of their bytes; names are memory of the work. Refused unless the ranges
// of the tensors, in order, are exactly the bytes after the header, each as large as its shape and type say.
void safetensors_read(struct model_work *w, const struct model_map *map, struct model_tensors *out);

#endif
