// Generators: see generate.h for what each element is.
#include <errno.h>
#include <math.h>
#include <philox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "generate.h"
#include "scalar_sum.h"

static const char *const names[] = {"zeros", "const", "arange", "uniform", "normal"};
enum { GENERATORS = sizeof names / sizeof *names };

bool generator_is(const char *text) { return (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'); }

// ---- reading the text ----

static enum whorl_status wrong(struct whorl_error *err, const char *name, const char *what, const char *part) {
    return base_set_error(
        err, WHORL_INVALID, "data",
        "-i %s: %s `%s`; generators are zeros, const:V, arange, uniform:lo=,hi=,seed=, "
        "normal:mean=,sd=,seed=; a size is "
        "written zeros:4096, zeros:64x3, uniform:4096,lo=0; a number may be a scalar, as in hi=n; values "
        "are 1,2,3, files @FILE.npy",
        name, what, part);
}

// What a part of the text is read with: its numbers by the scalars.
struct parts {
    const char *name;
    struct scalar_sum sum;
};

// All of `text`, without a blank, is one sum.
static bool is_sum(const char *text, struct parts *p) {
    p->sum.at = text;
    p->sum.problem = NULL;
    return *text && !strpbrk(text, " \t");
}

static bool take_number(const char *text, struct parts *p, double *out) {
    if (!is_sum(text, p)) return false;
    *out = scalar_sum_read(&p->sum);
    return !p->sum.problem && !*p->sum.at && !isnan(*out);
}

static bool take_whole(const char *text, struct parts *p, uint64_t *out) {
    if (!is_sum(text, p)) return false;
    *out = scalar_sum_count(&p->sum);
    return !p->sum.problem && !*p->sum.at;
}

// "64x163", or a sum of one dimension
static bool take_size(const char *text, struct parts *p, struct generator *g) {
    const char *at = text;
    for (g->ndims = 0; g->ndims < NPY_MAX_DIMS && *at >= '0' && *at <= '9'; at++) {
        char *end;
        errno = 0;
        g->dims[g->ndims++] = strtoull(at, &end, 10);
        at = end;
        if (errno || (*at && *at != 'x')) break;
        if (!*at) return true;
    }
    g->ndims = 1;
    return take_whole(text, p, &g->dims[0]);
}

static bool take_seed(const char *text, struct parts *p, uint64_t *out) {
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno) return true; // all of its 64 bits
    return take_whole(text, p, out);
}

static bool take_named(const char *part, struct parts *p, struct generator *g) {
    if (g->kind == GENERATE_UNIFORM && strncmp(part, "lo=", 3) == 0)
        return (g->has_lo = true) && take_number(part + 3, p, &g->lo);
    if (g->kind == GENERATE_UNIFORM && strncmp(part, "hi=", 3) == 0)
        return (g->has_hi = true) && take_number(part + 3, p, &g->hi);
    if (g->kind == GENERATE_NORMAL && strncmp(part, "mean=", 5) == 0) return take_number(part + 5, p, &g->mean);
    if (g->kind == GENERATE_NORMAL && strncmp(part, "sd=", 3) == 0) return take_number(part + 3, p, &g->sd);
    if (g->kind >= GENERATE_UNIFORM && strncmp(part, "seed=", 5) == 0) return take_seed(part + 5, p, &g->seed);
    return false;
}

// "1,-2.5,3": one number or more.
static enum whorl_status parse_list(const char *name, const char *text, struct generator *out,
                                    struct whorl_error *err) {
    out->kind = GENERATE_LIST;
    out->list = text;
    out->ndims = 1;
    for (const char *at = text;; at++) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || isnan(value) || (*end && *end != ','))
            return base_set_error(
                err, WHORL_INVALID, "data",
                "-i %s=%s: `%s` is an array: its values are numbers with commas between, as in 1,2,3; a file is "
                "@FILE.npy, and const:1 is 1 everywhere",
                name, text, name);
        out->dims[0]++;
        at = end;
        if (!*at) return WHORL_OK;
    }
}

static bool is_list(const char *text) { return (*text >= '0' && *text <= '9') || (*text && strchr("+-.", *text)); }

// A part that could not be taken: a name that is no scalar is the most likely reason.
static enum whorl_status not_taken(struct whorl_error *err, const struct parts *p, const char *what, const char *part) {
    if (!*p->sum.unknown) return wrong(err, p->name, what, part);
    char list[512] = "the program has none";
    size_t used = 0;
    for (size_t i = 0; i < p->sum.scalar_count && used < sizeof list; i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "those are ", p->sum.scalars[i].name);
    return base_set_error(err, WHORL_INVALID, "data", "-i %s: %s `%s`: `%s` is no scalar parameter; %s", p->name, what,
                          part, p->sum.unknown, list);
}

static enum whorl_status take_part(const char *part, struct parts *p, bool *has_value, bool *has_size,
                                   struct generator *out, struct whorl_error *err) {
    if (strchr(part, '=')) {
        if (!take_named(part, p, out)) return not_taken(err, p, "cannot read", part);
        if (out->sd < 0)
            return base_set_error(err, WHORL_INVALID, "data", "-i %s: sd is a spread, 0 or more, not %g", p->name,
                                  out->sd);
    } else if (!*has_value) {
        *has_value = true;
        if (!take_number(part, p, &out->value)) return not_taken(err, p, "const needs a number, not", part);
    } else {
        if (*has_size || !take_size(part, p, out)) return not_taken(err, p, "cannot read", part);
        *has_size = true;
    }
    return WHORL_OK;
}

enum whorl_status generator_parse(const char *name, const char *text, const struct whorl_scalar *scalars,
                                  size_t scalar_count, struct generator *out, struct whorl_error *err) {
    *out = (struct generator){.hi = 1, .sd = 1};
    if (is_list(text)) return parse_list(name, text, out, err);
    size_t size = strcspn(text, ":");
    int kind = 0;
    while (kind < GENERATORS && (strlen(names[kind]) != size || strncmp(text, names[kind], size) != 0))
        kind++;
    if (kind == GENERATORS && strlen(text) > 4 && strcmp(text + strlen(text) - 4, ".npy") == 0)
        return base_set_error(err, WHORL_INVALID, "data", "-i %s=%s: a file is given as @%s", name, text, text);
    if (kind == GENERATORS) return wrong(err, name, "there is no generator", text);
    out->kind = (enum generator_kind)kind;
    struct parts p = {.name = name, .sum = {.scalars = scalars, .scalar_count = scalar_count}};
    bool has_value = out->kind != GENERATE_CONST, has_size = false;
    const char *at = text + size;
    while (*at) {
        at++; // ':' or ','
        char part[64];
        size = strcspn(at, ",");
        if (size >= sizeof part) return wrong(err, name, "cannot read", at);
        memcpy(part, at, size);
        part[size] = 0;
        at += size;
        enum whorl_status status = take_part(part, &p, &has_value, &has_size, out, err);
        if (status != WHORL_OK) return status;
    }
    if (!has_value) return wrong(err, name, "const needs a number, as in const:0.5, not", text);
    if (out->kind == GENERATE_UNIFORM && !(out->lo < out->hi))
        return base_set_error(err, WHORL_INVALID, "data", "-i %s: uniform needs lo < hi, not lo=%g, hi=%g", name,
                              out->lo, out->hi);
    return WHORL_OK;
}

// ---- making elements ----

static void store(enum whorl_dtype dtype, void *out, size_t i, double value) {
    if (dtype == WHORL_F64) {
        ((double *)out)[i] = value;
        return;
    }
    if (base_dtype_is_long(dtype)) {
        uint64_t most = dtype == WHORL_I64 ? INT64_MAX : UINT64_MAX; // of which the double is one more
        bool over = value >= base_dtype(dtype)->highest;
        ((uint64_t *)out)[i] = over ? most : value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
        return;
    }
    bool is_float = base_dtype_is_float(dtype), is_negative = value < 0;
    uint32_t word = is_float ? base_float_bits((float)value) : is_negative ? (uint32_t)(int32_t)value : (uint32_t)value;
    base_dtype_store(dtype, out, i, word);
}

// Rounding may reach hi, which is not part of the range.
static double below(enum whorl_dtype dtype, double value, double lo, double hi) {
    if (dtype == WHORL_F64 || (double)base_dtype_round(dtype, (float)value) < hi) return value;
    float low = (float)lo, high = (float)hi;
    while (nextafterf(low, high) < high) { // the largest float that does not
        float middle = (float)(((double)low + (double)high) / 2);
        *((double)base_dtype_round(dtype, middle) < hi ? &low : &high) = middle;
    }
    return fmax((double)base_dtype_round(dtype, low), lo);
}

static double element(const struct generator *g, enum whorl_dtype dtype, size_t i, uint32_t span) {
    if (g->kind == GENERATE_ZEROS || g->kind == GENERATE_CONST) return g->value;
    if (g->kind == GENERATE_ARANGE) return (double)i;
    uint32_t word =
        philox4x32((uint32_t)i, (uint32_t)((uint64_t)i >> 32), 0, 0, (uint32_t)g->seed, (uint32_t)(g->seed >> 32)).x;
    if (g->kind == GENERATE_NORMAL) return g->mean + g->sd * (double)philox_normal01(word);
    if (!base_dtype_is_float(dtype)) return g->lo + (double)philox_mulhi(word, span);
    return below(dtype, g->lo + (g->hi - g->lo) * (double)philox_uniform01(word), g->lo, g->hi);
}

// A number of a list as it is written: beyond 2^53 its double is another one. False: it is no whole number, or too large.
static bool take_long(const char *text, const char *end, enum whorl_dtype dtype, uint64_t *out) {
    char *stop;
    errno = 0;
    *out = dtype == WHORL_I64 ? (uint64_t)strtoll(text, &stop, 10) : strtoull(text, &stop, 10);
    return stop == end && errno == 0 && (dtype == WHORL_I64 || *text != '-');
}

static enum whorl_status check_list(const char *name, const struct generator *g, enum whorl_dtype dtype, size_t count,
                                    struct whorl_error *err) {
    double low, high;
    const char *at = g->list;
    low = base_dtype(dtype)->lowest;
    high = base_dtype(dtype)->highest;
    if (g->dims[0] != count) return base_set_error(err, WHORL_INVALID, "data", "-i %s: not %zu values", name, count);
    for (size_t i = 0; i < count; i++, at++) {
        char *end;
        double value = strtod(at, &end);
        bool fits = (value >= low && value <= high) || (base_dtype_is_float(dtype) && isinf(value));
        uint64_t whole;
        if (base_dtype_is_long(dtype)) fits = take_long(at, end, dtype, &whole);
        if (!fits || (!base_dtype_is_float(dtype) && value != floor(value)))
            return base_set_error(err, WHORL_INVALID, "data", "-i %s: %.*s is no %s", name, (int)(end - at), at,
                                  whorl_dtype_name(dtype));
        at = end;
    }
    return WHORL_OK;
}

// What the type cannot hold is refused before any element is made.
static enum whorl_status check_range(const char *name, const struct generator *g, enum whorl_dtype dtype, size_t count,
                                     struct whorl_error *err) {
    double low, high, least = g->value, most = g->value;
    const char *type = whorl_dtype_name(dtype);
    low = base_dtype(dtype)->lowest;
    high = base_dtype(dtype)->highest;
    if (g->kind == GENERATE_LIST) return check_list(name, g, dtype, count, err);
    if (!base_dtype_is_float(dtype) && g->kind == GENERATE_NORMAL)
        return base_set_error(err, WHORL_INVALID, "data",
                              "-i %s: normal makes floats, '%s' holds %s; use uniform:lo=,hi=", name, name, type);
    if (!base_dtype_is_float(dtype) && g->kind == GENERATE_UNIFORM && !g->has_hi && dtype != WHORL_BOOL)
        return base_set_error(err, WHORL_INVALID, "data",
                              "-i %s: integers in which range? write uniform:lo=0,hi=100 (hi is not reached)", name);
    if (g->kind == GENERATE_ARANGE) {
        least = 0;
        most = count ? (double)(count - 1) : 0;
    } else if (g->kind == GENERATE_UNIFORM) {
        least = g->lo;
        most = base_dtype_is_float(dtype) ? g->hi : dtype == WHORL_BOOL && !g->has_hi ? 1 : g->hi - 1;
    }
    bool whole =
        base_dtype_is_float(dtype) || (g->value == floor(g->value) && g->lo == floor(g->lo) && g->hi == floor(g->hi));
    bool fits = g->kind == GENERATE_NORMAL || (least >= low && most <= high) ||
                (g->kind == GENERATE_CONST && base_dtype_is_float(dtype) && isinf(g->value));
    if (fits && whole) return WHORL_OK;
    char asked[80];
    if (g->kind == GENERATE_UNIFORM)
        snprintf(asked, sizeof asked, "%.10g to %.10g", g->lo, g->hi);
    else if (g->kind == GENERATE_CONST)
        snprintf(asked, sizeof asked, "%.10g", g->value);
    else
        snprintf(asked, sizeof asked, "%.10g to %.10g", least, most);
    return base_set_error(err, WHORL_INVALID, "data", "-i %s: %s holds %s %.10g to %.10g, not %s", name, type,
                          base_dtype_is_float(dtype) ? "numbers from" : "integers from", low, high, asked);
}

enum whorl_status generator_fill(const char *name, const struct generator *g, enum whorl_dtype dtype, size_t count,
                                 void *out_data, struct whorl_error *err) {
    enum whorl_status status = check_range(name, g, dtype, count, err);
    if (status != WHORL_OK) return status;
    double hi = dtype == WHORL_BOOL && !g->has_hi ? 2 : g->hi;
    if (g->kind == GENERATE_LIST) {
        const char *at = g->list;
        for (size_t i = 0; i < count; i++, at++) { // as many as were counted: the shape has been compared
            char *end;
            double value = strtod(at, &end);
            if (base_dtype_is_long(dtype))
                (void)take_long(at, end, dtype, (uint64_t *)out_data + i); // check_list has seen it
            else
                store(dtype, out_data, i, value);
            at = end;
        }
        return WHORL_OK;
    }
    // lo..hi-1 may be all 2^32 values: then the span wraps to 0 and the word itself is the number.
    double wide = g->kind == GENERATE_UNIFORM && !base_dtype_is_float(dtype) ? hi - g->lo : 0;
    if (base_dtype_is_long(dtype) && wide > 0x1p32) {
        uint64_t span = wide < 0x1p64 ? (uint64_t)wide : UINT64_MAX;
        for (size_t i = 0; i < count; i++) {
            struct philox r = philox4x32((uint32_t)i, (uint32_t)((uint64_t)i >> 32), 0, 0, (uint32_t)g->seed,
                                         (uint32_t)(g->seed >> 32));
            uint64_t from = g->lo < 0 ? (uint64_t)(int64_t)g->lo : (uint64_t)g->lo;
            ((uint64_t *)out_data)[i] = from + ((uint64_t)r.x << 32 | r.y) % span;
        }
        return WHORL_OK;
    }
    if (wide >= 0x1p32) {
        for (size_t i = 0; i < count; i++) {
            uint32_t word = philox4x32((uint32_t)i, (uint32_t)((uint64_t)i >> 32), 0, 0, (uint32_t)g->seed,
                                       (uint32_t)(g->seed >> 32))
                                .x;
            store(dtype, out_data, i, g->lo + (double)word);
        }
        return WHORL_OK;
    }
    for (size_t i = 0; i < count; i++)
        store(dtype, out_data, i, element(g, dtype, i, (uint32_t)wide));
    return WHORL_OK;
}
