// Tensors as they stand in a mapped file, of either format, and their rows as floats.
#ifndef WHORL_MODEL_TENSOR_H
#define WHORL_MODEL_TENSOR_H

#include "model/file/work.h"

enum model_element {
#define X(name, text, block, bytes, safetensors, gguf, convertible) MODEL_##name,
#include "model/file/element.def"
#undef X
    MODEL_ELEMENTS
};
struct model_element_info {
    const char *name, *safetensors;
    uint32_t block_elements, block_bytes;
    int gguf;
    bool convertible;
};
// Of any value: one that does not exist is called "?".
const struct model_element_info *model_element_info(enum model_element type);
// MODEL_ELEMENTS where there is no such type.
enum model_element model_element_of_safetensors(const char *code);
enum model_element model_element_of_gguf(uint32_t code);

enum { MODEL_MAX_DIMS = 8 };
struct model_tensor {
    const char *name;
    enum model_element type;
    uint32_t ndims;
    uint64_t dims[MODEL_MAX_DIMS]; // C order: the last is contiguous. GGUF has them the other way round
    uint64_t elements;             // their product
    const unsigned char *data;     // in the mapped file; aligned to nothing
    uint64_t size_bytes;
    uint32_t file; // which of the model's maps that is
};
struct model_tensors {
    struct model_tensor *items; // sorted by name
    uint32_t count;
};

// Sets elements and size_bytes from type and dims. NULL, or what is wrong with them.
const char *model_tensor_measure(struct model_tensor *t);
// Sorts; refuses a name that is there twice.
void model_tensors_sort(struct model_work *w, struct model_tensors *tensors);
const struct model_tensor *model_tensors_find(const struct model_tensors *tensors, const char *name); // NULL: none

// Elements of a row: the last dimension; a scalar has one row of one element.
uint64_t model_row_elements(const struct model_tensor *t);
// Rows [first, first + rows) as floats, row after row; out has room for rows x model_row_elements. Each number is what
// the format defines, rounded once (f16: to nearest even; over its range: infinity). False, and nothing is written,
// for a type that is not convertible, and for rows that do not exist.
bool model_rows_f32(const struct model_tensor *t, uint64_t first, uint64_t rows, float *out);
bool model_rows_f16(const struct model_tensor *t, uint64_t first, uint64_t rows, uint16_t *out);

// The same as whole numbers; blocks of 32 share a scale, a half float: a number is out[i] x out_scales[i / 32].
// q8_0, q5_0 and q4_0 are that, and are copied; of other types the largest of a block becomes 127 or -127, and each
// number is rounded to the nearest, halves away from zero. A block with a NaN or an infinity, or with a number that no
// scale reaches, gets the scale NaN. False, too, where rows are no whole number of blocks.
enum { MODEL_BLOCK = 32 };
bool model_rows_q8(const struct model_tensor *t, uint64_t first, uint64_t rows, int8_t *out, uint16_t *out_scales);

// The same with whole numbers of 4 bits, -8 to 7, as two's complements: eight in a word, the first in its lowest bits.
// q4_0 is copied; of other types the number that is farthest from 0 becomes -8, and each is rounded as above.
enum { MODEL_Q4_WORD = 8 };
bool model_rows_q4(const struct model_tensor *t, uint64_t first, uint64_t rows, uint32_t *out, uint16_t *out_scales);

// Whether rows of this type are what model_rows_q8 or model_rows_q4 gives, without rounding.
bool model_is_q8(enum model_element type);
bool model_is_q4(enum model_element type);

#endif
