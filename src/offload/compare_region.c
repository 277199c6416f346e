// WHORL=check: what the device made of an array beside what the CPU did. Integers are equal or not; base/near.h says
// how far floats may be apart; pairs of floats may be 1e-9 of the largest value of the array apart, and what a pair
// loses of the largest value of all arrays: where all of an array is what sums have left, that is all that is in it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/near.h"
#include "base/pairs.h"
#include "offload/offload.h"

static const double pair_share = 1e-9, pair_loss = 0x1p-42, most = 1e30; // most: of what sums are made of

static enum whorl_dtype type_of(const struct whorl_param *p, size_t k) {
    return p->words ? p->words[k % p->dims[p->ndims - 1]] : p->dtype;
}

// Padding, which C leaves open, fields of 8 and 16 bits, which no region writes, the second word of a double.
static bool is_nothing(const struct whorl_param *p, size_t k) {
    return p->words && !*p->word_names[k % p->dims[p->ndims - 1]];
}

// Element k of an array as a number. `host`: as the program has it. A word of structs is looked for where it stands.
static double element(const struct offload_variant *v, int i, bool host, const void *data, size_t k) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    const unsigned *layout = v->state->region->params[i].layout;
    enum offload_form form = v->form[i];
    if (is_nothing(p, k)) return 0;
    if (form == OFFLOAD_MIXED && host) {
        unsigned where = layout[2 + k % layout[1]];
        const char *at = (const char *)data + k / layout[1] * layout[0] + where / 2;
        return base_dtype_number(where == WHORL_CC_DOUBLE(where / 2) ? WHORL_F64 : type_of(p, k), at, 0);
    }
    if (form == OFFLOAD_MIXED_PAIRS && type_of(p, k) == WHORL_F64) {
        const char *at = (const char *)data + 4 * k;
        struct base_pair pair;
        memcpy(&pair, at, sizeof pair);
        return host ? base_dtype_number(WHORL_F64, at, 0) : base_pair_value(pair);
    }
    if (form == OFFLOAD_MIXED_PAIRS) return base_dtype_number(type_of(p, k), data, k);
    if (form == OFFLOAD_PAIRS && !host) return base_pair_value(((const struct base_pair *)data)[k]);
    return base_dtype_number(form != OFFLOAD_BYTES && host ? WHORL_F64 : type_of(p, k), data, k);
}

// 64-bit integers, whose doubles may be equal where they are not.
static bool same_bits(const struct whorl_param *p, const void *gpu, const void *cpu, size_t k) {
    return !base_dtype_is_long(p->dtype) || base_dtype_long(gpu, k) == base_dtype_long(cpu, k);
}

// `host`: the program's array, of which k is the element that is `cpu`.
static bool is_near(const struct offload_variant *v, int i, double gpu, double cpu, double largest, double loss,
                    const char *host, size_t k) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    if (!base_dtype_is_float(type_of(p, k))) return gpu == cpu && same_bits(p, v->results[i], host, k);
    bool is_pair = v->form[i] == OFFLOAD_PAIRS || type_of(p, k) == WHORL_F64;
    if (!is_pair && isinf(gpu) && (double)(float)cpu == gpu) return true; // a double beyond the range of floats
    if (!is_pair) return base_near_miss(gpu, cpu, largest) <= base_near_bound(type_of(p, k));
    const char *result = (const char *)v->results[i] + k * whorl_dtype_size(p->dtype);
    if (gpu == cpu || offload_is_same(OFFLOAD_PAIRS, cpu, result, 0)) return true;
    if (isnan(gpu) || isnan(cpu)) return isnan(gpu) && isnan(cpu);
    return fabs(gpu - cpu) <= fmax(pair_share * largest, loss);
}

// Where several arrays stand in one memory, the others' elements are not this one's to compare.
static bool is_among_others(const struct offload_array *arrays, int i, int count) {
    for (int k = 0; k < count; k++)
        if (k != i && arrays[k].bytes && offload_share_memory(&arrays[i], &arrays[k])) return true;
    return false;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The same elements in another order, where that is open: places of a list that iterations get by a counter.
static bool is_reordered(const struct offload_variant *v, int i, const char *host, size_t first, size_t end,
                         double largest, double loss) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    size_t count = end - first;
    double *values = strstr(v->state->region->program, "atomic capture") && !p->words && !base_dtype_is_long(p->dtype)
                         ? malloc(2 * count * sizeof *values)
                         : NULL;
    bool same = values != NULL;
    for (size_t k = 0; k < count && same; k++) {
        values[k] = element(v, i, false, v->results[i], first + k);
        values[count + k] = element(v, i, true, host, first + k);
        same = !isnan(values[k]) && !isnan(values[count + k]);
    }
    if (same) qsort(values, count, sizeof *values, by_value);
    if (same) qsort(values + count, count, sizeof *values, by_value);
    for (size_t k = 0; k < count && same; k++)
        same = base_dtype_is_float(type_of(p, k)) ? fabs(values[k] - values[count + k]) <= fmax(1e-4 * largest, loss)
                                                  : values[k] == values[count + k];
    free(values);
    return same;
}

static uint64_t compare_array(const struct offload_variant *v, int i, const char *host, bool all, double loss,
                              char *text, size_t size) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    const struct offload_reach *r = &v->reach[i];
    size_t count = v->device_bytes[i] / whorl_dtype_size(p->dtype), each = v->outer[i] ? count / v->outer[i] : count;
    size_t first = all || !r->known ? 0 : (size_t)r->first * each;
    size_t end = all || !r->known ? count : (size_t)(r->last + 1) * each;
    double largest = 0;
    uint64_t differing = 0;
    char had = text[0];
    for (size_t k = first; k < end; k++) {
        double value = fabs(element(v, i, true, host, k));
        if (v->form[i] == OFFLOAD_FLOATS && !isfinite((float)value)) continue;
        if (base_dtype_is_float(type_of(p, k)) && isfinite(value) && value > largest) largest = value;
    }
    for (size_t k = first; k < end; k++) {
        double gpu = element(v, i, false, v->results[i], k);
        double cpu = element(v, i, true, host, k);
        if (is_near(v, i, gpu, cpu, largest, loss, host, k)) continue;
        if (differing++ == 0 && !text[0])
            snprintf(text, size, "element %zu of '%s' is %.9g on the CPU and %.9g on the GPU", k,
                     p->name + (strncmp(p->name, "ccv_", 4) == 0 ? 4 : 0), cpu, gpu);
    }
    if (differing && is_reordered(v, i, host, first, end, largest, loss)) {
        differing = 0;
        if (had == 0) text[0] = 0;
    }
    return differing;
}

// The largest number of doubles in the arrays that the region uses.
static double largest_of(const struct offload_state *state, const struct offload_variant *v,
                         const struct offload_array *arrays) {
    double largest = 0;
    for (int i = 0; i < state->region->param_count; i++) {
        if (v->form[i] != OFFLOAD_PAIRS || !arrays[i].base) continue;
        for (size_t k = 0; k < arrays[i].bytes / sizeof(double); k++) {
            double value = fabs(((const double *)(const void *)arrays[i].base)[k]);
            if (value < most && value > largest) largest = value;
        }
    }
    return largest;
}

uint64_t offload_compare(const struct offload_state *state, const struct offload_variant *v,
                         const struct offload_array *arrays, char *text, size_t size) {
    const struct whorl_cc_region *r = state->region;
    uint64_t differing = 0;
    double loss = pair_loss * largest_of(state, v, arrays);
    text[0] = 0;
    for (int i = 0; i < r->param_count; i++) {
        if (!v->written[i] || r->params[i].flags & WHORL_CC_LIST) continue; // a list's rest may be of other lists
        char *gathered = arrays[i].rows ? malloc(arrays[i].bytes) : NULL;
        if (gathered) offload_gather(arrays[i].rows, gathered);
        const char *host = gathered ? gathered : arrays[i].base;
        bool all = !is_among_others(arrays, i, r->param_count);
        if (host) differing += compare_array(v, i, host, all, loss, text, size);
        free(gathered);
    }
    return differing;
}
