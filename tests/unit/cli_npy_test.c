// cli/npy.c: what is read, what is refused and how, and that no cut or hostile file is believed.
#include "../../cli/npy.c"

#include "check.h"

#include <unistd.h>

static struct whorl_error err;
static struct npy npy;

// A file with this header text, then `payload` zero bytes.
static size_t make(unsigned char *out, int version, const char *header, size_t payload) {
    size_t length = strlen(header), at = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (unsigned char)version;
    out[7] = 0;
    out[8] = (unsigned char)length;
    out[9] = (unsigned char)(length >> 8);
    if (version > 1) out[10] = out[11] = 0;
    memcpy(out + at, header, length);
    memset(out + at + length, 0, payload);
    return at + length + payload;
}

static enum whorl_status parse(const char *header, size_t payload) {
    static unsigned char file[1 << 17];
    return npy_parse("x.npy", file, make(file, 1, header, payload), &npy, &err);
}

static enum whorl_status parse_descr(const char *descr, size_t bytes) {
    char header[256];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }\n", descr);
    return parse(header, 2 * bytes);
}

TEST(every_type) {
    static const struct {
        const char *descr;
        enum whorl_dtype dtype;
    } types[] = {{"<f4", WHORL_F32}, {"<f2", WHORL_F16},  {"<i4", WHORL_I32}, {"<u4", WHORL_U32},
                 {"<i2", WHORL_I16}, {"<u2", WHORL_U16},  {"<f8", WHORL_F64}, {"|i1", WHORL_I8},
                 {"|u1", WHORL_U8},  {"|b1", WHORL_BOOL}, {"=f4", WHORL_F32}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        CHECK_EQ_INT(WHORL_OK, parse_descr(types[i].descr, whorl_dtype_size(types[i].dtype)));
        CHECK_EQ_INT(types[i].dtype, npy.dtype);
        CHECK_EQ_INT(1, npy.ndims);
        CHECK_EQ_INT(2, npy.dims[0]);
        CHECK_EQ_INT(2 * whorl_dtype_size(types[i].dtype), npy.size_bytes);
    }
}

TEST(refused_by_name) {
    CHECK_EQ_INT(WHORL_INVALID, parse_descr("<f16", 16));
    CHECK_HAS_STR("long double", err.message);
    CHECK_HAS_STR("a.astype(np.float32)", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse_descr(">f4", 4));
    CHECK_HAS_STR("big endian", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse_descr("|O", 8));
    CHECK_HAS_STR("Python objects", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse_descr("<U7", 28));
    CHECK_HAS_STR("text", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8));
    CHECK_HAS_STR("structured dtype", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8));
    CHECK_HAS_STR("ascontiguousarray", err.message);
    CHECK_EQ_INT(WHORL_INVALID, npy_parse("x.npz", "PK\3\4 and so on", 14, &npy, &err));
    CHECK_HAS_STR(".npz", err.message);
    CHECK_EQ_INT(WHORL_INVALID, npy_parse("x", "1,2,3,4,5,6,7\n", 14, &npy, &err));
    CHECK_HAS_STR("no .npy file", err.message);
    CHECK_EQ_INT(WHORL_INVALID, npy_parse("x", "", 0, &npy, &err));
    CHECK_HAS_STR("empty", err.message);
}

TEST(versions) {
    static unsigned char file[1024];
    const char *header = "{\"shape\": (3, 2), 'fortran_order': False, 'descr': '<u2'}";
    for (int version = 1; version <= 3; version++) {
        CHECK_EQ_INT(WHORL_OK, npy_parse("x", file, make(file, version, header, 12), &npy, &err));
        CHECK_EQ_INT(2, npy.ndims);
        CHECK_EQ_INT(3, npy.dims[0]);
    }
    CHECK_EQ_INT(WHORL_INVALID, npy_parse("x", file, make(file, 4, header, 12), &npy, &err));
    CHECK_HAS_STR("version 4.0", err.message);
}

TEST(shapes) {
    CHECK_EQ_INT(WHORL_OK, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4));
    CHECK_EQ_INT(0, npy.ndims);
    CHECK_EQ_INT(WHORL_OK, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9000000000000000000), }", 0));
    CHECK_EQ_INT(0, npy.size_bytes);
    CHECK_EQ_INT(WHORL_OK, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 2), }", 8));
    CHECK_EQ_INT(WHORL_INVALID,
                 parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1), }", 4));
    CHECK_HAS_STR("8 dimensions", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 4));
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1 1), }", 4));
    CHECK_EQ_INT(WHORL_INVALID,
                 parse("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,), }", 4));
    CHECK_HAS_STR("too large", err.message);
}

// Sizes that overflow, or that no file has, are found before anything is allocated for them.
TEST(sizes_are_checked) {
    CHECK_EQ_INT(WHORL_INVALID,
                 parse("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,), }", 16));
    CHECK_HAS_STR("cut", err.message);
    CHECK_EQ_INT(WHORL_INVALID,
                 parse("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 16));
    CHECK_HAS_STR("cut", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8));
    CHECK_HAS_STR("f32[3]", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 13));
    CHECK_HAS_STR("1 bytes more", err.message);
}

TEST(keys) {
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'shape': (1,), }", 4));
    CHECK_HAS_STR("lacks", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 4));
    CHECK_HAS_STR("twice", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", 4));
    CHECK_HAS_STR("'x'", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} import os", 4));
    CHECK_HAS_STR("behind", err.message);
    CHECK_EQ_INT(WHORL_INVALID, parse("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}", 4));
}

TEST(cut_at_every_byte) {
    static unsigned char file[1024];
    for (int version = 1; version <= 3; version++) {
        size_t size = make(file, version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }         \n", 24);
        for (size_t cut = 0; cut < size; cut++) {
            unsigned char *copy = malloc(cut ? cut : 1); // of its exact size, so that the sanitizer sees a step too far
            memcpy(copy, file, cut);
            enum whorl_status status = npy_parse("x", copy, cut, &npy, &err);
            free(copy);
            if (status != WHORL_INVALID) FAIL("%zu of %zu bytes were accepted", cut, size);
        }
        CHECK_EQ_INT(WHORL_OK, npy_parse("x", file, size, &npy, &err));
    }
}

TEST(write_then_read) {
    char path[] = "/tmp/whorl_npy_XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    float values[2][3] = {{1, 2, 3}, {4, 5, NAN}};
    uint64_t dims[] = {2, 3};
    void *data = NULL;
    enum whorl_status wrote = npy_write(path, WHORL_F32, 2, dims, values, &err),
                      got = npy_read(path, &npy, &data, &err);
    unlink(path);
    CHECK_EQ_INT(WHORL_OK, wrote);
    CHECK_EQ_INT(WHORL_OK, got);
    CHECK_EQ_INT(0, npy.offset_bytes % 64);
    bool same = npy.size_bytes == sizeof values && memcmp(data, values, sizeof values) == 0;
    base_heap_free(data);
    CHECK(same);
}

TEST(a_full_disk_is_told) {
    uint64_t dims[] = {2};
    float values[2] = {1, 2};
    if (access("/dev/full", W_OK) != 0) SKIP("no /dev/full here");
    CHECK_EQ_INT(WHORL_IO, npy_write("/dev/full", WHORL_F32, 1, dims, values, &err));
    CHECK_HAS_STR("No space left", err.message);
}

TEST(bools_are_0_or_1) {
    char path[] = "/tmp/whorl_npy_XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    uint8_t values[4] = {0, 1, 2, 0};
    uint64_t dims[] = {4};
    void *data = NULL;
    enum whorl_status wrote = npy_write(path, WHORL_BOOL, 1, dims, values, &err),
                      got = npy_read(path, &npy, &data, &err);
    unlink(path);
    CHECK_EQ_INT(WHORL_OK, wrote);
    CHECK_EQ_INT(WHORL_INVALID, got);
    CHECK(data == NULL);
    CHECK_HAS_STR("element 2", err.message);
}

TEST(no_such_file) {
    void *data;
    CHECK_EQ_INT(WHORL_IO, npy_read("/nowhere/x.npy", &npy, &data, &err));
    CHECK_HAS_STR("/nowhere/x.npy", err.message);
}
