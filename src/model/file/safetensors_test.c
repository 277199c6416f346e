// safetensors: what is read, every law of the header broken once, and files cut at every byte.
#include "check.h"
#include "model/file/made_testing.h"
#include "model/file/open.h"

static struct made m;
static struct model_file *file;
static struct whorl_error err;

static enum whorl_status open_made(void) {
    model_file_close(file);
    unsigned char *exact = malloc(m.size_bytes ? m.size_bytes : 1); // so that a read behind the end is seen
    memcpy(exact, m.data, m.size_bytes);
    enum whorl_status status = model_file_of_bytes(exact, m.size_bytes, &file, &err);
    if (status == WHORL_OK) { // as if it had been mapped
        model_file_close(file);
        status = model_file_of_bytes(m.data, m.size_bytes, &file, &err);
    }
    free(exact);
    return status;
}

#define TWO                                                                                                      \
    "{\"b\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[4,12]},\"a\":{\"dtype\":\"F16\",\"shape\":[2]," \
    "\"data_offsets\":[0,4]},\"__metadata__\":{\"format\":\"pt\"}}"

TEST(two_tensors) {
    made_safetensors(&m, TWO, 12);
    CHECK_EQ_INT(WHORL_OK, open_made());
    CHECK_EQ_INT(2, file->tensors.count);
    const struct model_tensor *b = model_tensors_find(&file->tensors, "b"),
                              *a = model_tensors_find(&file->tensors, "a");
    CHECK(a && b && !model_tensors_find(&file->tensors, "c"));
    CHECK_EQ_INT(MODEL_F16, a->type);
    CHECK_EQ_INT(2, b->ndims);
    CHECK_EQ_INT(2, b->dims[0]);
    CHECK_EQ_INT(4, b->data - a->data);
    CHECK_EQ_INT(8, b->size_bytes);
    CHECK_EQ_INT(4, b->data[0]);
    float rows[2];
    CHECK(model_rows_f32(b, 0, 2, rows) && !model_rows_f32(b, 1, 2, rows) && !model_rows_f32(b, 3, 0, rows));
    CHECK(base_float_bits(rows[1]) == 0x0b0a0908);
}

TEST(cut_at_every_byte) {
    made_safetensors(&m, TWO, 12);
    size_t whole = m.size_bytes;
    for (m.size_bytes = 0; m.size_bytes < whole; m.size_bytes++)
        CHECK_EQ_INT(WHORL_INVALID, open_made());
    CHECK_EQ_INT(WHORL_OK, open_made());
}

TEST(every_bit_of_the_header_flipped) { // most are refused; none may crash or be read past the end
    made_safetensors(&m, TWO, 12);
    int refused = 0;
    for (size_t bit = 0; bit < (m.size_bytes - 12) * 8; bit++) {
        m.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        refused += open_made() != WHORL_OK;
        m.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    CHECK(refused > 700);
}

static void refused(const char *header, size_t body_bytes, enum whorl_status status, const char *why) {
    made_safetensors(&m, header, body_bytes);
    CHECK_EQ_INT(status, open_made());
    CHECK_HAS_STR(why, err.message);
    CHECK_EQ_STR("model", err.stage);
}

#define ONE(dtype, shape, offsets) "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

TEST(laws_of_the_header) {
    refused("[]", 0, WHORL_INVALID, "no JSON object");
    refused(" {}", 0, WHORL_INVALID, "no JSON object");
    refused("{} x", 0, WHORL_INVALID, "JSON is wrong at byte 3");
    refused("{}", 1, WHORL_INVALID, "1 bytes that belong to no tensor");
    refused("{\"a\":{},\"a\":{}}", 0, WHORL_INVALID, "\"a\" twice in one object");
    refused("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[0,4]}}", 4, WHORL_INVALID,
            "twice");
    refused("{\"a\":7}", 0, WHORL_INVALID, "not an object of dtype");
    refused("{\"a\\u0000\":{}}", 0, WHORL_INVALID, "contains a NUL");
    refused("{\"__metadata__\":{\"a\":1}}", 0, WHORL_INVALID, "more than texts");
    refused("{\"\xff\":{}}", 0, WHORL_INVALID, "JSON is wrong");
    refused(ONE("F99", "[1]", "[0,4]"), 4, WHORL_UNSUPPORTED, "the dtype \"F99\"");
    refused(ONE("F32", "[-1]", "[0,4]"), 4, WHORL_INVALID, "no whole number");
    refused(ONE("F32", "[1.5]", "[0,4]"), 4, WHORL_INVALID, "no whole number");
    refused(ONE("F32", "4", "[0,4]"), 4, WHORL_INVALID, "no list \"shape\"");
    refused(ONE("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4, WHORL_UNSUPPORTED, "more than 8 dimensions");
    refused(ONE("F32", "[4294967296,4294967296]", "[0,0]"), 0, WHORL_INVALID, "more elements than memory");
    refused(ONE("F32", "[4611686018427387904]", "[0,0]"), 0, WHORL_INVALID, "more bytes than memory");
    refused(ONE("F32", "[1]", "[0,8]"), 8, WHORL_INVALID, "has 8 bytes; its shape and type need 4");
    refused(ONE("F32", "[1]", "[0,4]"), 3, WHORL_INVALID, "ends at byte 4 of 3");
    refused(ONE("F32", "[1]", "[4,0]"), 4, WHORL_INVALID, "ends at byte");
    refused(ONE("F32", "[1]", "[0]"), 4, WHORL_INVALID, "no two numbers");
    refused(ONE("F32", "[1]", "[0,4.0]"), 4, WHORL_INVALID, "no two numbers");
    refused(ONE("F32", "[1]", "[4,8]"), 8, WHORL_INVALID, "begins behind bytes of no tensor");
    refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":[4],"
            "\"data_offsets\":[2,6]}}",
            6, WHORL_INVALID, "shares bytes");
}

TEST(hostile_sizes_cost_nothing) {
    m.size_bytes = 0;
    made_u64(&m, UINT64_MAX);
    made_bytes(&m, "{}", 2);
    CHECK_EQ_INT(WHORL_INVALID, open_made());
    made_safetensors(&m, "", 0);
    for (int i = 0; i < 30000; i++)
        made_bytes(&m, "[", 1);
    memcpy(m.data, &(uint64_t){30000}, 8);
    m.data[8] = '{';
    CHECK_EQ_INT(WHORL_LIMIT, open_made());
    CHECK_HAS_STR("nested more than 64 deep", err.message);
    size_t size = (40 << 20) + 8; // over the limit of a header
    unsigned char *big = calloc(1, size);
    memcpy(big, &(uint64_t){size - 8}, 8);
    memset(big + 8, ' ', size - 8);
    big[8] = '{';
    CHECK_EQ_INT(WHORL_LIMIT, model_file_of_bytes(big, size, &file, &err));
    memcpy(big, &(uint64_t){10 << 20}, 8); // many values
    for (size_t i = 9; i < (10 << 20); i += 2)
        memcpy(big + i, "1,", 2);
    CHECK_EQ_INT(WHORL_LIMIT, model_file_of_bytes(big, (10 << 20) + 8, &file, &err));
    free(big);
}

TEST(folders_and_shards) {
    made_safetensors(&m, ONE("F32", "[1]", "[0,4]"), 4);
    CHECK_EQ_INT(WHORL_IO, model_file_open(made_path("nothing"), &file, &err));
    made_file("x-1.safetensors", m.data, m.size_bytes);
    char root[64];
    strcpy(root, made_root);
    CHECK_EQ_INT(WHORL_IO, model_file_open(root, &file, &err));
    CHECK_HAS_STR("no model.safetensors", err.message);
    CHECK_EQ_INT(WHORL_OK, model_file_open(made_path("x-1.safetensors"), &file, &err));
    model_file_close(file);
    made_safetensors(&m, "{\"b\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", 4);
    made_file("x-2.safetensors", m.data, m.size_bytes);
    static const struct {
        const char *index;
        enum whorl_status status;
        const char *why;
    } indices[] = {
        {"{\"weight_map\":{\"a\":\"x-1.safetensors\",\"b\":\"x-2.safetensors\"}}", WHORL_OK, ""},
        {"{\"weight_map\":{\"a\":\"../x-1.safetensors\"}}", WHORL_INVALID, "not the name of a file beside the index"},
        {"{\"weight_map\":{\"a\":\"x-9.safetensors\"}}", WHORL_IO, "x-9.safetensors: cannot be read"},
        {"{\"weight_map\":{\"c\":\"x-1.safetensors\"}}", WHORL_INVALID, "\"c\" is in it, but it is not"},
        {"{\"weight_map\":{}}", WHORL_INVALID, "no object \"weight_map\""},
        {"{\"weight_map\":{\"a\":1}}", WHORL_INVALID, "not a string"},
        {"{\"weight_map\":", WHORL_INVALID, "JSON is wrong"},
    };
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        made_text("model.safetensors.index.json", indices[i].index);
        CHECK_EQ_INT(indices[i].status, model_file_open(root, &file, &err));
        if (indices[i].status) CHECK_HAS_STR(indices[i].why, err.message);
        if (!indices[i].status) CHECK_EQ_INT(2, file->tensors.count);
        model_file_close(file);
    }
    made_safetensors(&m, TWO, 12); // more tensors than the index names
    made_file("x-1.safetensors", m.data, m.size_bytes);
    made_text("model.safetensors.index.json", indices[0].index);
    CHECK_EQ_INT(WHORL_INVALID, model_file_open(root, &file, &err));
    made_file("model.safetensors", m.data, m.size_bytes);
    CHECK_EQ_INT(WHORL_OK, model_file_open(root, &file, &err));
    model_file_close(file);
    CHECK_EQ_INT(WHORL_IO, model_file_open("/dev/null", &file, &err));
    CHECK_EQ_INT(WHORL_IO, model_file_open(made_text("empty", ""), &file, &err));
    made_drop();
}

TEST(every_allocation_fails_once) {
    made_safetensors(&m, TWO, 12);
    int failed = 0;
    for (uint64_t nth = 1;; nth++) {
        base_heap_fail_at(nth);
        enum whorl_status status = model_file_of_bytes(m.data, m.size_bytes, &file, &err);
        base_heap_fail_at(0);
        if (status == WHORL_OK) break;
        CHECK_EQ_INT(WHORL_MEMORY, status);
        CHECK_HAS_STR("out of memory", err.message);
        failed++;
    }
    CHECK(failed >= 3);
    model_file_close(file);
    file = NULL;
}

TEST(the_tiny_model) {
    CHECK_EQ_INT(WHORL_OK, model_file_open("models/tiny", &file, &err));
    const struct model_tensor *t = model_tensors_find(&file->tensors, "model.embed_tokens.weight");
    CHECK(t && t->ndims == 2 && t->dims[0] == 4096 && t->dims[1] == 256 && t->type == MODEL_F16);
    model_file_close(file);
    file = NULL;
}
