// GGUF: what is read, every count, length and offset wrong once, files cut at every byte, and rows of every type
// against what the Python package `gguf` makes of them (tests/models/make_fixtures.py).
#include "base/file.h"
#include "check.h"
#include "model/file/made_testing.h"
#include "model/file/open.h"

static struct made m;
static struct model_file *file;
static struct whorl_error err;

static enum whorl_status open_made(void) {
    model_file_close(file);
    unsigned char *exact = malloc(m.size_bytes ? m.size_bytes : 1);
    memcpy(exact, m.data, m.size_bytes);
    enum whorl_status status = model_file_of_bytes(exact, m.size_bytes, &file, &err);
    if (status == WHORL_OK) {
        model_file_close(file);
        status = model_file_of_bytes(m.data, m.size_bytes, &file, &err);
    }
    free(exact);
    return status;
}

static const uint64_t shape[] = {64, 3};

// Returns the bytes before the tensors' own.
static size_t make_whole(uint32_t version) {
    made_gguf(&m, version, 2, 6);
    made_value_u32(&m, "general.alignment", 64);
    made_value_text(&m, "general.architecture", "llama");
    made_value_f32(&m, "a.real", 0.5f);
    made_array(&m, "texts", GGUF_STRING, 2);
    made_string(&m, "one");
    made_string(&m, "");
    made_array(&m, "numbers", GGUF_I8, 3);
    made_bytes(&m, "\1\2\xff", 3);
    made_string(&m, "flag");
    made_u32(&m, GGUF_BOOL);
    made_bytes(&m, "\1", 1);
    made_tensor(&m, "b", 2, shape, 8, 0);
    made_tensor(&m, "a", 1, shape, 0, 256);
    made_pad(&m, 64);
    size_t header = m.size_bytes;
    made_zeros(&m, 2 * 34 * 3);
    made_pad(&m, 64);
    made_zeros(&m, 256);
    return header;
}

TEST(whole_files) {
    for (uint32_t version = 2; version <= 3; version++) {
        make_whole(version);
        CHECK_EQ_INT(WHORL_OK, open_made());
        CHECK_EQ_INT(version, file->gguf.version);
        const struct model_tensor *b = model_tensors_find(&file->tensors, "b");
        CHECK(b && b->type == MODEL_Q8_0 && b->ndims == 2 && b->dims[0] == 3 && b->dims[1] == 64);
        CHECK_EQ_INT(204, b->size_bytes);
        struct model_work w;
        model_work_init(&w, "test");
        CHECK_EQ_STR("llama", gguf_text(&w, &file->gguf, "general.architecture"));
        CHECK(gguf_real(&w, &file->gguf, "a.real", 1) == 0.5 && gguf_real(&w, &file->gguf, "none", 1) == 1);
        CHECK(gguf_bool(&w, &file->gguf, "flag", false) && gguf_uint(&w, &file->gguf, "none", 9, 7) == 7);
        const struct gguf_value *texts = gguf_array(&w, &file->gguf, "texts", GGUF_STRING);
        CHECK_EQ_INT(2, texts->count);
        struct gguf_string one = gguf_string_at(texts->data), two = gguf_string_at(one.next);
        CHECK(one.size_bytes == 3 && !memcmp(one.text, "one", 3) && two.size_bytes == 0);
        model_work_deinit(&w);
    }
}

TEST(cut_at_every_byte) {
    make_whole(3);
    size_t whole = m.size_bytes;
    for (m.size_bytes = 0; m.size_bytes < whole; m.size_bytes++) {
        enum whorl_status status = open_made();
        CHECK(status == WHORL_INVALID);
        CHECK_HAS_STR("model: ", err.message);
    }
    CHECK_EQ_INT(WHORL_OK, open_made());
}

TEST(every_bit_of_the_header_flipped) {
    size_t header = make_whole(3), refused = 0;
    for (size_t bit = 0; bit < header * 8; bit++) {
        m.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        refused += open_made() != WHORL_OK;
        m.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    CHECK(refused > header * 3);
}

static void refused(enum whorl_status status, const char *why) {
    CHECK_EQ_INT(status, open_made());
    CHECK_HAS_STR(why, err.message);
}

TEST(heads) {
    made_gguf(&m, 1, 0, 0);
    refused(WHORL_UNSUPPORTED, "version 1");
    made_gguf(&m, 3u << 24, 0, 0);
    refused(WHORL_UNSUPPORTED, "big-endian");
    made_gguf(&m, 3, 0, 0);
    CHECK_EQ_INT(WHORL_OK, open_made());
    made_gguf(&m, 3, UINT64_MAX, 0);
    refused(WHORL_INVALID, "18446744073709551615 tensors");
    made_gguf(&m, 3, 0, UINT64_MAX / 2);
    refused(WHORL_INVALID, "entries of metadata");
}

TEST(metadata) {
    made_gguf(&m, 3, 0, 1);
    made_u64(&m, UINT64_MAX); // a key's length
    made_zeros(&m, 64);
    refused(WHORL_INVALID, "ends inside of a key");
    made_gguf(&m, 3, 0, 1);
    made_string(&m, "");
    made_zeros(&m, 64);
    refused(WHORL_INVALID, "is empty");
    made_gguf(&m, 3, 0, 1);
    made_string(&m, "k");
    made_u32(&m, 13);
    made_zeros(&m, 64);
    refused(WHORL_INVALID, "unknown type 13");
    made_gguf(&m, 3, 0, 1);
    made_array(&m, "k", GGUF_ARRAY, 1);
    made_zeros(&m, 64);
    refused(WHORL_UNSUPPORTED, "array of arrays");
    made_gguf(&m, 3, 0, 1);
    made_array(&m, "k", GGUF_U64, UINT64_MAX / 8 + 2); // count times 8 would wrap
    made_zeros(&m, 64);
    refused(WHORL_INVALID, "more than the file has bytes for");
    made_gguf(&m, 3, 0, 1);
    made_array(&m, "k", GGUF_STRING, 8);
    made_u64(&m, UINT64_MAX - 3);
    made_zeros(&m, 128);
    refused(WHORL_INVALID, "ends inside of a text");
    made_gguf(&m, 3, 0, 2);
    made_value_u32(&m, "k", 1);
    made_value_u32(&m, "k", 1);
    refused(WHORL_INVALID, "\"k\" is there twice");
    made_gguf(&m, 3, 0, 1);
    made_string(&m, "k");
    made_u32(&m, GGUF_BOOL);
    made_bytes(&m, "\2", 1);
    refused(WHORL_INVALID, "neither 0 nor 1");
    static const uint32_t alignments[] = {0, 1, 4, 24, 1u << 30};
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        made_gguf(&m, 3, 0, 1);
        made_value_u32(&m, "general.alignment", alignments[i]);
        refused(WHORL_INVALID, "general.alignment");
    }
    made_gguf(&m, 3, 0, 1);
    made_value_text(&m, "general.alignment", "32");
    refused(WHORL_INVALID, "not an integer");
    made_gguf(&m, 3, 0, 1);
    made_value_u32(&m, "split.count", 2);
    refused(WHORL_UNSUPPORTED, "one part of several");
}

static void one_tensor(uint32_t ndims, const uint64_t *dims, uint32_t type, uint64_t offset, size_t bytes,
                       enum whorl_status status, const char *why) {
    made_gguf(&m, 3, 1, 0);
    made_tensor(&m, "t", ndims, dims, type, offset);
    made_pad(&m, 32);
    made_zeros(&m, bytes);
    refused(status, why);
}

TEST(tensors) {
    one_tensor(2, shape, 8, 0, 203, WHORL_INVALID, "ends behind the end of the file");
    one_tensor(2, shape, 8, 0, 300, WHORL_INVALID, "bytes that belong to no tensor");
    one_tensor(2, shape, 8, 16, 220, WHORL_INVALID, "not aligned to 32");
    one_tensor(2, shape, 8, 32, 256, WHORL_INVALID, "begins behind bytes");
    one_tensor(2, shape, 8, UINT64_MAX - 31, 256, WHORL_INVALID, "ends behind the end");
    one_tensor(2, shape, 12, 0, 256, WHORL_INVALID, "no whole number of blocks");
    one_tensor(2, shape, 16, 0, 256, WHORL_UNSUPPORTED, "type 16 of ggml");
    one_tensor(5, (const uint64_t[]){1, 1, 1, 1, 1}, 0, 0, 4, WHORL_INVALID, "5 dimensions");
    one_tensor(2, (const uint64_t[]){0, 1}, 0, 0, 0, WHORL_INVALID, "dimension of 0");
    one_tensor(2, (const uint64_t[]){1ull << 33, 1ull << 33}, 0, 0, 0, WHORL_INVALID, "more elements");
    one_tensor(2, (const uint64_t[]){1ull << 31, 1ull << 31}, 0, 0, 0, WHORL_INVALID, "more bytes");
    made_gguf(&m, 3, 2, 0);
    made_tensor(&m, "t", 1, shape, 0, 0);
    made_tensor(&m, "u", 1, shape, 0, 224);
    made_pad(&m, 32);
    made_zeros(&m, 480);
    refused(WHORL_INVALID, "shares bytes");
    made_gguf(&m, 3, 2, 0);
    made_tensor(&m, "t", 1, shape, 0, 0);
    made_tensor(&m, "t", 1, shape, 0, 256);
    made_pad(&m, 32);
    made_zeros(&m, 512);
    refused(WHORL_INVALID, "\"t\" is there twice");
}

// tests/models/rows.gguf has a tensor NAME of each type, and NAME.f32, what its rows are.
// As whole numbers: what is q8_0 already stays as it is, all else is within half a step.
static void check_q8(const struct model_tensor *t, const float *want, uint64_t rows) {
    int8_t q[4096];
    uint16_t scales[4096 / MODEL_BLOCK];
    CHECK(model_rows_q8(t, 0, rows, q, scales));
    for (uint64_t e = 0; e < t->elements; e++) {
        float scale = base_f16_to_f32(scales[e / MODEL_BLOCK]);
        CHECK(fabsf((float)q[e] * scale - want[e]) <= (model_is_q8(t->type) ? 0 : scale * 0.5625f)); // scales: 11 bits
    }
    CHECK(!model_rows_q8(t, rows, 1, q, scales));
}

static int nibble(const uint32_t *words, uint64_t e) { return (int)((words[e / 8] >> e % 8 * 4 & 15) ^ 8) - 8; }

// In 4 bits: the number that is farthest from 0 is -8, and its opposite is one step away from 7.
static void check_q4(const struct model_tensor *t, const float *want, uint64_t rows) {
    uint32_t words[4096 / MODEL_Q4_WORD];
    uint16_t scales[4096 / MODEL_BLOCK];
    CHECK(model_rows_q4(t, 0, rows, words, scales));
    for (uint64_t e = 0; e < t->elements; e++) {
        float scale = fabsf(base_f16_to_f32(scales[e / MODEL_BLOCK])),
              got = (float)nibble(words, e) * base_f16_to_f32(scales[e / MODEL_BLOCK]);
        CHECK(fabsf(got - want[e]) <= (model_is_q4(t->type) ? 0 : scale * (nibble(words, e) == 7 ? 1.01f : 0.505f)));
    }
    uint32_t row = (uint32_t)model_row_elements(t), last[4096 / MODEL_Q4_WORD];
    CHECK(model_rows_q4(t, rows - 1, 1, last, scales));
    CHECK(memcmp(last, words + (rows - 1) * row / MODEL_Q4_WORD, row / 2) == 0);
    CHECK(!model_rows_q4(t, rows, 1, words, scales));
}

static void make_q8(const float *row, uint64_t columns, bool possible, int8_t *q, uint16_t *scales) {
    struct model_tensor t = {.name = "t", .type = MODEL_F32, .ndims = 2, .dims = {1, columns}};
    CHECK(model_tensor_measure(&t) == NULL);
    t.data = (const unsigned char *)row;
    CHECK_EQ_INT(possible, model_rows_q8(&t, 0, 1, q, scales));
}

TEST(quantised) {
    float row[64] = {[0] = -2.54f, [1] = 0.0101f, [2] = -0.0101f, [3] = 0.0099f, [40] = 1};
    int8_t q[64];
    uint16_t scales[2];
    make_q8(row, 64, true, q, scales);
    CHECK(q[0] == -127 && q[1] == 1 && q[2] == -1 && q[3] == 0 && q[31] == 0 && q[40] == 127);
    CHECK_EQ_INT(base_f32_to_f16(0.02f), scales[0]);
    make_q8(row, 48, false, q, scales);
    row[33] = NAN; // must not become a number: the other block is as before
    make_q8(row, 64, true, q, scales);
    CHECK(q[0] == -127 && isnan(base_f16_to_f32(scales[1])) && !isnan(base_f16_to_f32(scales[0])));
    row[33] = INFINITY;
    make_q8(row, 64, true, q, scales);
    CHECK(isnan(base_f16_to_f32(scales[1])));
    row[33] = 1e9f;
    make_q8(row, 64, true, q, scales);
    CHECK(isnan(base_f16_to_f32(scales[1])));
    for (int i = 0; i < 64; i++)
        row[i] = 1e-12f;
    make_q8(row, 64, true, q, scales);
    CHECK(q[5] == 0 && scales[0] == 0);
}

TEST(quantised_to_four_bits) {
    float row[64] = {[0] = 1.6f, [1] = -1.6f, [2] = 0.29f, [3] = -0.31f, [8] = 0.2f, [40] = -4};
    struct model_tensor t = {.name = "t", .type = MODEL_F32, .ndims = 2, .dims = {1, 64}};
    uint32_t q[8];
    uint16_t scales[2];
    CHECK(model_tensor_measure(&t) == NULL);
    t.data = (const unsigned char *)row;
    CHECK(model_rows_q4(&t, 0, 1, q, scales));
    CHECK_EQ_INT(base_f32_to_f16(-0.2f), scales[0]); // what is farthest is -8, whatever its sign
    CHECK_EQ_INT(base_f32_to_f16(0.5f), scales[1]);
    CHECK(nibble(q, 0) == -8 && nibble(q, 1) == 7 && nibble(q, 2) == -1 && nibble(q, 3) == 2 && nibble(q, 4) == 0);
    CHECK(nibble(q, 8) == -1 && nibble(q, 40) == -8 && (q[0] & 0xff) == 0x78);
    row[33] = NAN;
    CHECK(model_rows_q4(&t, 0, 1, q, scales));
    CHECK(isnan(base_f16_to_f32(scales[1])) && !isnan(base_f16_to_f32(scales[0])) && q[4] == 0);
    row[33] = 1e7f;
    CHECK(model_rows_q4(&t, 0, 1, q, scales) && isnan(base_f16_to_f32(scales[1])));
    for (int i = 0; i < 64; i++)
        row[i] = i % 2 ? 1e-12f : 0;
    CHECK(model_rows_q4(&t, 0, 1, q, scales) && q[0] == 0 && q[7] == 0 && scales[0] == 0x8000 && scales[1] == 0x8000);
    t.dims[1] = 48;
    CHECK(model_tensor_measure(&t) == NULL && !model_rows_q4(&t, 0, 1, q, scales));
}

TEST(rows_of_every_type) {
    static const char *const names[] = {"f32",  "f16",  "bf16", "q8_0", "q4_0", "q4_1",
                                        "q5_0", "q5_1", "q4_k", "q5_k", "q6_k"};
    static float want[4096], got[4096];
    static uint16_t halves[4096];
    CHECK_EQ_INT(WHORL_OK, model_file_open("tests/models/rows.gguf", &file, &err));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.f32", names[i]);
        const struct model_tensor *t = model_tensors_find(&file->tensors, names[i]);
        const struct model_tensor *w = model_tensors_find(&file->tensors, name);
        CHECK(t && w && w->elements == t->elements && w->elements <= 4096);
        CHECK_EQ_STR(names[i], model_element_info(t->type)->name);
        uint64_t rows = t->elements / model_row_elements(t);
        CHECK(rows >= 2 && model_rows_f32(w, 0, rows, want) && model_rows_f32(t, 0, rows, got));
        CHECK(memcmp(want, got, t->elements * sizeof *got) == 0);
        CHECK(model_rows_f32(t, 1, 1, got)); // a row from the middle
        CHECK(memcmp(want + model_row_elements(t), got, model_row_elements(t) * sizeof *got) == 0);
        CHECK(model_rows_f16(t, 0, rows, halves));
        for (uint64_t e = 0; e < t->elements; e++)
            CHECK_EQ_INT(base_f32_to_f16(want[e]), halves[e]);
        CHECK(!model_rows_f32(t, rows, 1, got) && !model_rows_f16(t, UINT64_MAX, 2, halves));
        check_q8(t, want, rows);
        check_q4(t, want, rows);
    }
    model_file_close(file);
    file = NULL;
}

TEST(every_allocation_fails_once) {
    make_whole(3);
    int failed = 0;
    for (uint64_t nth = 1;; nth++) {
        base_heap_fail_at(nth);
        enum whorl_status status = model_file_of_bytes(m.data, m.size_bytes, &file, &err);
        base_heap_fail_at(0);
        if (status == WHORL_OK) break;
        CHECK_EQ_INT(WHORL_MEMORY, status);
        failed++;
    }
    CHECK(failed >= 2);
    model_file_close(file);
    file = NULL;
}
