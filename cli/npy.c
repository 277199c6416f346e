// Reading and writing .npy. The hard part is that the header is a Python dictionary written by others: it is parsed
// strictly, every size in it is checked against the bytes that are there, and only the file's own length decides how
// much memory is taken.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dtype.h"
#include "npy.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, MAX_HEADER_BYTES = 1 << 16, ALIGNMENT = 64 };

static const struct {
    const char *code, *name, *advice;
} refused[] = {
    {"f16", "long double", "save it as float32: a.astype(np.float32)"},
    {"c8", "complex64", "save real and imaginary parts as float32: np.stack([a.real, a.imag], -1)"},
    {"c16", "complex128", "save real and imaginary parts as float32"},
    {"O", "Python objects", "save an array of numbers"},
};

// ---- the header's dictionary ----

struct cursor {
    const char *at, *end;
    const char *name; // of the file
    struct whorl_error *err;
};

static enum whorl_status invalid(struct cursor *c, const char *what) {
    return base_set_error(c->err, WHORL_INVALID, "data", "%s: %s", c->name, what);
}

static void skip_space(struct cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n'))
        c->at++;
}

static bool take(struct cursor *c, char wanted) {
    skip_space(c);
    if (c->at == c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

// A Python string without escapes into out[size].
static bool take_string(struct cursor *c, char *out, size_t size) {
    skip_space(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"')) return false;
    char quote = *c->at++;
    size_t n = 0;
    while (c->at < c->end && *c->at != quote) {
        if (n + 1 >= size || *c->at < ' ' || *c->at > '~' || *c->at == '\\') return false;
        out[n++] = *c->at++;
    }
    out[n] = 0;
    return take(c, quote);
}

static bool take_word(struct cursor *c, const char *word) {
    skip_space(c);
    size_t size = strlen(word);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, word, size) != 0) return false;
    c->at += size;
    return true;
}

static enum whorl_status take_descr(struct cursor *c, struct npy *out) {
    char text[32];
    skip_space(c);
    if (c->at < c->end && *c->at == '[')
        return invalid(c, "records (a structured dtype) are not supported; save each field as an array of its own");
    if (!take_string(c, text, sizeof text)) return invalid(c, "the header's 'descr' is no type");
    bool has_order = text[0] && strchr("<>|=", text[0]);
    const char *code = text + (has_order ? 1 : 0);
    for (int i = 0; i < BASE_DTYPES; i++) {
        if (strcmp(code, base_dtype((enum whorl_dtype)i)->npy) != 0) continue;
        if (text[0] == '>' && whorl_dtype_size((enum whorl_dtype)i) > 1)
            return base_set_error(c->err, WHORL_INVALID, "data", "%s is big endian ('%s'); save it as a.astype('<%s')",
                                  c->name, text, code);
        out->dtype = (enum whorl_dtype)i;
        return WHORL_OK;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(code, refused[i].code) == 0)
            return base_set_error(c->err, WHORL_INVALID, "data", "%s holds %s ('%s'), which whorl does not read; %s",
                                  c->name, refused[i].name, text, refused[i].advice);
    const char *kind = code[0] == 'U' || code[0] == 'S'   ? "text"
                       : code[0] == 'M' || code[0] == 'm' ? "dates"
                                                          : "elements of an unknown type";
    static const char names[] =
#define X(name, text, bytes, carrier, round, npy, lowest, highest) " " text
#include "base/dtype.def"
#undef X
        ;
    return base_set_error(c->err, WHORL_INVALID, "data", "%s holds %s ('%s'); whorl reads%s", c->name, kind, text,
                          names);
}

static enum whorl_status take_shape(struct cursor *c, struct npy *out) {
    static const char wrong[] = "the header's 'shape' is no tuple of sizes";
    if (!take(c, '(')) return invalid(c, wrong);
    for (out->ndims = 0; !take(c, ')'); out->ndims++) {
        uint64_t n = 0;
        skip_space(c);
        if (c->at == c->end || *c->at < '0' || *c->at > '9') return invalid(c, wrong);
        if (out->ndims == NPY_MAX_DIMS) return invalid(c, "more than 8 dimensions");
        for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
            if (n > (UINT64_MAX - 9) / 10) return invalid(c, "a dimension is too large");
            n = n * 10 + (uint64_t)(*c->at - '0');
        }
        out->dims[out->ndims] = n;
        if (!take(c, ',')) { // only the last one may do without
            out->ndims++;
            if (!take(c, ')')) return invalid(c, wrong);
            break;
        }
    }
    return WHORL_OK;
}

static enum whorl_status take_dictionary(struct cursor *c, struct npy *out) {
    enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
    int seen = 0;
    if (!take(c, '{')) return invalid(c, "the header is no dictionary");
    while (!take(c, '}')) {
        char key[32];
        if (!take_string(c, key, sizeof key) || !take(c, ':')) return invalid(c, "the header is cut or damaged");
        int which = strcmp(key, "descr") == 0           ? DESCR
                    : strcmp(key, "fortran_order") == 0 ? ORDER
                    : strcmp(key, "shape") == 0         ? SHAPE
                                                        : 0;
        if (!which || (seen & which))
            return base_set_error(c->err, WHORL_INVALID, "data", "%s: the header has %s key '%s'", c->name,
                                  which ? "twice the" : "an unknown", key);
        seen |= which;
        enum whorl_status status = which == DESCR ? take_descr(c, out) : which == SHAPE ? take_shape(c, out) : WHORL_OK;
        if (status != WHORL_OK) return status;
        if (which == ORDER && take_word(c, "True"))
            return invalid(c, "the array is in Fortran order; save it as np.ascontiguousarray(a)");
        if (which == ORDER && !take_word(c, "False"))
            return invalid(c, "the header's 'fortran_order' is neither True nor False");
        if (!take(c, ',')) {
            if (!take(c, '}')) return invalid(c, "the header is cut or damaged");
            break;
        }
    }
    skip_space(c);
    if (c->at != c->end) return invalid(c, "something stands behind the header's dictionary");
    return seen == (DESCR | ORDER | SHAPE) ? WHORL_OK : invalid(c, "the header lacks descr, fortran_order or shape");
}

// ---- the file ----

static enum whorl_status check_size(struct cursor *c, size_t available, struct npy *out) {
    size_t bytes = whorl_dtype_size(out->dtype);
    bool fits = true, empty = false;
    for (uint32_t d = 0; d < out->ndims; d++)
        empty |= out->dims[d] == 0;
    for (uint32_t d = 0; d < out->ndims && !empty; d++)
        fits = fits && out->dims[d] <= SIZE_MAX && base_mul_size(bytes, (size_t)out->dims[d], &bytes);
    if (empty) bytes = 0;
    out->size_bytes = bytes;
    char shape[160];
    npy_describe(out->dtype, out->ndims, out->dims, shape, sizeof shape);
    if (!fits || bytes > available)
        return base_set_error(c->err, WHORL_INVALID, "data",
                              "%s is cut: its header says %s%s, but only %zu bytes of elements are there", c->name,
                              shape, fits ? "" : " (more than any file holds)", available);
    if (bytes < available)
        return base_set_error(c->err, WHORL_INVALID, "data", "%s has %zu bytes more than its header says (%s)", c->name,
                              available - bytes, shape);
    return WHORL_OK;
}

enum whorl_status npy_parse(const char *name, const void *data, size_t size_bytes, struct npy *out,
                            struct whorl_error *err) {
    const unsigned char *bytes = data;
    struct cursor c = {.name = name, .err = err};
    *out = (struct npy){0};
    if (size_bytes < MAGIC_BYTES || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return invalid(&c, size_bytes == 0 ? "the file is empty"
                           : memcmp(bytes, "PK", size_bytes < 2 ? 1 : 2) == 0
                               ? "this is an .npz archive; save one array by np.save"
                           : memcmp(bytes, magic, size_bytes < MAGIC_BYTES ? size_bytes : MAGIC_BYTES) == 0
                               ? "the header is cut"
                               : "this is no .npy file (np.save makes one)");
    size_t start = MAGIC_BYTES + 4; // version, then the header's length in 2 bytes
    if (size_bytes < start) return invalid(&c, "the header is cut");
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return base_set_error(err, WHORL_INVALID, "data",
                              "%s: version %d.%d of the format is not known (1.0, 2.0 and 3.0 are)", name, bytes[6],
                              bytes[7]);
    size_t header = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] > 1) { // 4 bytes from version 2 on
        start += 2;
        if (size_bytes < start) return invalid(&c, "the header is cut");
        header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    }
    if (header > size_bytes - start) return invalid(&c, "the header is cut");
    if (header > MAX_HEADER_BYTES) return invalid(&c, "the header is longer than any array of numbers needs");
    c.at = (const char *)bytes + start;
    c.end = c.at + header;
    enum whorl_status status = take_dictionary(&c, out);
    out->offset_bytes = start + header;
    return status == WHORL_OK ? check_size(&c, size_bytes - out->offset_bytes, out) : status;
}

enum whorl_status npy_read(const char *path, struct npy *out, void **out_data, struct whorl_error *err) {
    char *data;
    size_t size;
    struct stat info;
    *out_data = NULL;
    if (stat(path, &info) == 0 && (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))) // /dev/zero never ends
        return base_set_error(err, WHORL_INVALID, "data", "%s is a device, not an .npy file", path);
    enum whorl_status status = base_read_file(path, 0, &data, &size, err);
    if (status != WHORL_OK) return status;
    status = npy_parse(path, data, size, out, err);
    if (status == WHORL_OK) {
        memmove(data, data + out->offset_bytes, out->size_bytes); // aligned as the allocation is
        for (size_t i = 0; out->dtype == WHORL_BOOL && i < out->size_bytes && status == WHORL_OK; i++)
            if ((unsigned char)data[i] > 1)
                status = base_set_error(err, WHORL_INVALID, "data", "%s: element %zu is %d, not a bool (0 or 1)", path,
                                        i, (unsigned char)data[i]);
    }
    if (status != WHORL_OK) {
        base_heap_free(data);
        return status;
    }
    *out_data = data;
    return WHORL_OK;
}

enum whorl_status npy_write(const char *path, enum whorl_dtype dtype, uint32_t ndims, const uint64_t *dims,
                            const void *data, struct whorl_error *err) {
    const char *code = base_dtype(dtype)->npy;
    size_t bytes = whorl_dtype_size(dtype), start = MAGIC_BYTES + 4;
    char header[512];
    memcpy(header, magic, MAGIC_BYTES);
    header[6] = 1;
    header[7] = 0;
    int used = (int)start;
    used += snprintf(header + used, sizeof header - (size_t)used,
                     "{'descr': '%c%s', 'fortran_order': False, 'shape': (", bytes > 1 ? '<' : '|', code);
    for (uint32_t d = 0; d < ndims; d++) {
        used += snprintf(header + used, sizeof header - (size_t)used, "%s%llu%s", d ? ", " : "",
                         (unsigned long long)dims[d], ndims == 1 ? "," : "");
        if (dims[d] > SIZE_MAX || !base_mul_size(bytes, (size_t)dims[d], &bytes))
            return base_set_error(err, WHORL_INVALID, "data", "%s: the array is too large", path);
    }
    used += snprintf(header + used, sizeof header - (size_t)used, "), }");
    while ((used + 1) % ALIGNMENT) // the elements start at a multiple of 64, so that files can be mapped
        header[used++] = ' ';
    header[used++] = '\n';
    size_t length = (size_t)used - start;
    header[8] = (char)(length & 0xff);
    header[9] = (char)(length >> 8);
    struct base_span spans[] = {{header, (size_t)used}, {data, bytes}};
    return npy_write_spans(path, spans, 2, err);
}

static enum whorl_status write_stream(const char *path, const struct base_span *spans, size_t count,
                                      struct whorl_error *err) {
    bool is_stdout = strcmp(path, "-") == 0;
    FILE *out = is_stdout ? stdout : fopen(path, "wb");
    bool ok = out != NULL;
    errno = ok ? 0 : errno;
    for (size_t i = 0; i < count && ok; i++)
        ok = fwrite(spans[i].data, 1, spans[i].size, out) == spans[i].size;
    ok = ok && fflush(out) == 0;
    int code = errno;
    if (out && !is_stdout && fclose(out) != 0 && ok) {
        code = errno;
        ok = false;
    }
    return ok ? WHORL_OK
              : base_set_error(err, WHORL_IO, "data", "cannot write %s: %s", is_stdout ? "standard output" : path,
                               strerror(code));
}

// /dev/stdout is a link that may lead to a regular file: written beside and renamed, the link itself would be replaced.
enum whorl_status npy_write_spans(const char *path, const struct base_span *spans, size_t count,
                                  struct whorl_error *err) {
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return write_stream(path, spans, count, err);
    char *target = realpath(path, NULL);
    if (target && (strncmp(target, "/dev/", 5) == 0 || strncmp(target, "/proc/", 6) == 0)) {
        free(target);
        return write_stream(path, spans, count, err);
    }
    enum whorl_status status = base_write_file(target ? target : path, spans, count, err);
    free(target);
    return status;
}

void npy_describe(enum whorl_dtype dtype, uint32_t ndims, const uint64_t *dims, char *out, size_t size) {
    int used = snprintf(out, size, "%s", whorl_dtype_name(dtype));
    for (uint32_t d = 0; d < ndims && used > 0 && (size_t)used < size; d++)
        used += snprintf(out + used, size - (size_t)used, "[%llu]", (unsigned long long)dims[d]);
}
