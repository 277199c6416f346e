// Rows of tensors as floats: one function a type takes a block apart. A block's layout stands beside each.
//
// Q4_K, Q5_K and Q6_K keep the scales of their parts as small integers, times a half float of the whole block. Products
// are taken in the order of the format's definition, scale times scale first, so that the floats have the same bits.
#include <math.h>
#include <string.h>

#include "model/file/tensor.h"

static float half_at(const unsigned char *p) { return base_f16_to_f32((uint16_t)(p[0] | p[1] << 8)); }

static uint32_t u32_at(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void block_f32(const unsigned char *p, float *out) { *out = base_bits_float(u32_at(p)); }
static void block_f16(const unsigned char *p, float *out) { *out = half_at(p); }
static void block_bf16(const unsigned char *p, float *out) {
    *out = base_bits_float((uint32_t)p[0] << 16 | (uint32_t)p[1] << 24);
}

// half d; int8 q[32]:  d q
static void block_q8_0(const unsigned char *p, float *out) {
    float d = half_at(p);
    for (int i = 0; i < 32; i++)
        out[i] = d * (float)(int8_t)p[2 + i];
}

// half d; 16 bytes, the low nibbles are elements 0 to 15:  d (q - 8)
static void block_q4_0(const unsigned char *p, float *out) {
    float d = half_at(p);
    for (int i = 0; i < 16; i++) {
        out[i] = d * (float)((p[2 + i] & 15) - 8);
        out[i + 16] = d * (float)((p[2 + i] >> 4) - 8);
    }
}

// half d, m; nibbles as above:  d q + m
static void block_q4_1(const unsigned char *p, float *out) {
    float d = half_at(p), m = half_at(p + 2);
    for (int i = 0; i < 16; i++) {
        out[i] = d * (float)(p[4 + i] & 15) + m;
        out[i + 16] = d * (float)(p[4 + i] >> 4) + m;
    }
}

// Element i of 32 with 5 bits: nibbles as above, the fifth bits side by side in a word.
static int five_bits(const unsigned char *nibbles, uint32_t fifth, int i) {
    return (nibbles[i % 16] >> (i / 16 * 4) & 15) | (int)(fifth >> i & 1) << 4;
}

// half d; a word of fifth bits; nibbles:  d (q - 16)
static void block_q5_0(const unsigned char *p, float *out) {
    float d = half_at(p);
    for (int i = 0; i < 32; i++)
        out[i] = d * (float)(five_bits(p + 6, u32_at(p + 2), i) - 16);
}

// half d, m; a word of fifth bits; nibbles:  d q + m
static void block_q5_1(const unsigned char *p, float *out) {
    float d = half_at(p), m = half_at(p + 2);
    for (int i = 0; i < 32; i++)
        out[i] = d * (float)five_bits(p + 8, u32_at(p + 4), i) + m;
}

// Part `part` of a q4_k or q5_k block: 6 bits of scale and of minimum. The first four stand plainly in bytes 0 to 3 and
// 4 to 7; the last four have their low nibbles in bytes 8 to 11 and their high bits on top of the first four's.
static void scale_q4_k(const unsigned char *scales, int part, int *out_scale, int *out_min) {
    if (part < 4) {
        *out_scale = scales[part] & 63;
        *out_min = scales[part + 4] & 63;
        return;
    }
    *out_scale = (scales[part + 4] & 15) | (scales[part - 4] >> 6) << 4;
    *out_min = scales[part + 4] >> 4 | (scales[part] >> 6) << 4;
}

// half d, dmin; 12 bytes of scales; 128 bytes of nibbles, 8 parts of 32:  (d scale) q - (dmin min)
static void block_q4_k(const unsigned char *p, float *out) {
    float d = half_at(p), dmin = half_at(p + 2);
    for (int part = 0; part < 8; part++) {
        const unsigned char *q = p + 16 + part / 2 * 32;
        int scale, min;
        scale_q4_k(p + 4, part, &scale, &min);
        float step = d * (float)scale, least = dmin * (float)min;
        for (int i = 0; i < 32; i++) {
            int nibble = part % 2 ? q[i] >> 4 : q[i] & 15;
            out[part * 32 + i] = step * (float)nibble - least;
        }
    }
}

// As q4_k, with 32 bytes of fifth bits before the nibbles: bit n of byte i belongs to element i of part n.
static void block_q5_k(const unsigned char *p, float *out) {
    float d = half_at(p), dmin = half_at(p + 2);
    for (int part = 0; part < 8; part++) {
        const unsigned char *fifth = p + 16, *q = p + 48 + part / 2 * 32;
        int scale, min;
        scale_q4_k(p + 4, part, &scale, &min);
        float step = d * (float)scale, least = dmin * (float)min;
        for (int i = 0; i < 32; i++) {
            int value = (part % 2 ? q[i] >> 4 : q[i] & 15) | (fifth[i] >> part & 1) << 4;
            out[part * 32 + i] = step * (float)value - least;
        }
    }
}

// 128 bytes of low nibbles; 64 of high bits, two each; int8 scales[16]; half d:  (d scale) (q - 32). Each half of the
// block has 4 rows of 32: rows 0 and 1 are the low nibbles, 2 and 3 the high ones, of 64 bytes.
static void block_q6_k(const unsigned char *p, float *out) {
    float d = half_at(p + 208);
    for (int i = 0; i < 256; i++) {
        int half = i / 128, row = i % 128 / 32, at = i % 32;
        int low = p[half * 64 + row % 2 * 32 + at] >> (row / 2 * 4) & 15;
        int high = p[128 + half * 32 + at] >> (row * 2) & 3;
        float step = d * (float)(int8_t)p[192 + i / 16];
        out[i] = step * (float)((low | high << 4) - 32);
    }
}

typedef void block_fn(const unsigned char *block, float *out);

static block_fn *block_of(enum model_element type) {
    switch (type) {
    case MODEL_F32: return block_f32;
    case MODEL_F16: return block_f16;
    case MODEL_BF16: return block_bf16;
    case MODEL_Q8_0: return block_q8_0;
    case MODEL_Q4_0: return block_q4_0;
    case MODEL_Q4_1: return block_q4_1;
    case MODEL_Q5_0: return block_q5_0;
    case MODEL_Q5_1: return block_q5_1;
    case MODEL_Q4_K: return block_q4_k;
    case MODEL_Q5_K: return block_q5_k;
    case MODEL_Q6_K: return block_q6_k;
    default: return NULL;
    }
}

// The first byte of the rows and their number of blocks; false where there are no such rows.
static bool find_rows(const struct model_tensor *t, uint64_t first, uint64_t rows, const unsigned char **out_data,
                      uint64_t *out_blocks) {
    const struct model_element_info *info = model_element_info(t->type);
    uint64_t row = model_row_elements(t), all = row ? t->elements / row : 0;
    if (first > all || rows > all - first) return false;
    *out_data = t->data + first * row / info->block_elements * info->block_bytes;
    *out_blocks = rows * row / info->block_elements;
    return true;
}

bool model_rows_f32(const struct model_tensor *t, uint64_t first, uint64_t rows, float *out) {
    const struct model_element_info *info = model_element_info(t->type);
    block_fn *block = block_of(t->type);
    const unsigned char *data;
    uint64_t blocks;
    if (!block || !find_rows(t, first, rows, &data, &blocks)) return false;
    for (uint64_t b = 0; b < blocks; b++)
        block(data + b * info->block_bytes, out + b * info->block_elements);
    return true;
}

bool model_rows_f16(const struct model_tensor *t, uint64_t first, uint64_t rows, uint16_t *out) {
    const struct model_element_info *info = model_element_info(t->type);
    block_fn *block = block_of(t->type);
    const unsigned char *data;
    uint64_t blocks;
    float some[256];
    if (!block || !find_rows(t, first, rows, &data, &blocks)) return false;
    for (uint64_t b = 0; b < blocks; b++) {
        const unsigned char *from = data + b * info->block_bytes;
        uint16_t *to = out + b * info->block_elements;
        if (t->type == MODEL_F16) { // as it is, NaNs too
            *to = (uint16_t)(from[0] | from[1] << 8);
            continue;
        }
        block(from, some);
        for (uint32_t i = 0; i < info->block_elements; i++)
            to[i] = base_f32_to_f16(some[i]);
    }
    return true;
}

// ---- whole numbers with a scale for 32 ------------------------------------------------------------------------------

bool model_is_q4(enum model_element type) { return type == MODEL_Q4_0; }
bool model_is_q8(enum model_element type) { return type == MODEL_Q8_0 || type == MODEL_Q5_0 || type == MODEL_Q4_0; }

// A block that has whole numbers already. -> its scale
static uint16_t take_whole(enum model_element type, const unsigned char *p, int8_t *out) {
    for (int i = 0; i < MODEL_BLOCK; i++)
        switch (type) {
        case MODEL_Q8_0: out[i] = (int8_t)p[2 + i]; break;
        case MODEL_Q5_0: out[i] = (int8_t)(five_bits(p + 6, u32_at(p + 2), i) - 16); break;
        default: out[i] = (int8_t)((p[2 + i % 16] >> (i / 16 * 4) & 15) - 8); break;
        }
    return (uint16_t)(p[0] | p[1] << 8);
}

// 32 numbers become whole ones, from `least` to `most`: `steps` away from zero is the one that is farthest, and below
// zero where `steps` is. -> their scale
static uint16_t quantise(const float *x, float steps, int least, int most, int8_t *out) {
    float far = 0;
    bool numbers = true;
    for (int i = 0; i < MODEL_BLOCK; i++) {
        numbers &= isfinite(x[i]) != 0;
        if (fabsf(x[i]) > fabsf(far)) far = x[i];
    }
    uint16_t half = base_f32_to_f16((steps < 0 ? far : fabsf(far)) / steps);
    float scale = base_f16_to_f32(half);
    bool good = numbers && isfinite(scale);
    for (int i = 0; i < MODEL_BLOCK; i++) {
        double q = good && scale != 0 ? round((double)x[i] / (double)scale) : 0;
        out[i] = (int8_t)(q > most ? most : q < least ? least : q);
    }
    return good ? half : 0x7e00;
}

static uint16_t quantise_q8(const float *x, int8_t *out) { return quantise(x, 127, -127, 127, out); }
static uint16_t quantise_q4(const float *x, int8_t *out) { return quantise(x, -8, -8, 7, out); }

// Blocks of 32 and their scales, one after the other; `stays`: the type has such numbers.
struct whole_rows {
    const struct model_tensor *t;
    const unsigned char *data;
    uint64_t left; // elements
    bool stays;
    uint16_t (*quantise)(const float *x, int8_t *out);
};
static bool find_whole(struct whole_rows *r, uint64_t first, uint64_t rows) {
    uint64_t blocks;
    if (!block_of(r->t->type) || model_row_elements(r->t) % MODEL_BLOCK ||
        !find_rows(r->t, first, rows, &r->data, &blocks))
        return false;
    r->left = blocks * model_element_info(r->t->type)->block_elements;
    return true;
}

// The next elements, up to 256 of them, with a scale for each 32. -> how many; 0: there are no more
static uint32_t next_whole(struct whole_rows *r, int8_t *out, uint16_t *out_scales) {
    const struct model_element_info *info = model_element_info(r->t->type);
    uint32_t each = info->block_elements < MODEL_BLOCK ? MODEL_BLOCK : info->block_elements;
    float some[256];
    if (r->left == 0) return 0;
    if (r->stays) *out_scales = take_whole(r->t->type, r->data, out);
    for (uint32_t i = 0; i < each; i += info->block_elements, r->data += info->block_bytes)
        if (!r->stays) block_of(r->t->type)(r->data, some + i);
    for (uint32_t i = 0; i < each && !r->stays; i += MODEL_BLOCK)
        out_scales[i / MODEL_BLOCK] = r->quantise(some + i, out + i);
    r->left -= each;
    return each;
}

bool model_rows_q8(const struct model_tensor *t, uint64_t first, uint64_t rows, int8_t *out, uint16_t *out_scales) {
    struct whole_rows r = {.t = t, .stays = model_is_q8(t->type), .quantise = quantise_q8};
    if (!find_whole(&r, first, rows)) return false;
    for (uint32_t n; (n = next_whole(&r, out, out_scales)) > 0; out += n)
        out_scales += n / MODEL_BLOCK;
    return true;
}

bool model_rows_q4(const struct model_tensor *t, uint64_t first, uint64_t rows, uint32_t *out, uint16_t *out_scales) {
    struct whole_rows r = {.t = t, .stays = model_is_q4(t->type), .quantise = quantise_q4};
    int8_t some[256];
    if (!find_whole(&r, first, rows)) return false;
    for (uint32_t n; (n = next_whole(&r, some, out_scales)) > 0; out_scales += n / MODEL_BLOCK)
        for (uint32_t i = 0; i < n; i += MODEL_Q4_WORD) {
            uint32_t word = 0;
            for (uint32_t k = 0; k < MODEL_Q4_WORD; k++)
                word |= ((uint32_t)some[i + k] & 15) << 4 * k;
            *out++ = word;
        }
    return true;
}
