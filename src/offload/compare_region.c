// WHORL=check: what the device made of an array beside what the CPU did. Integers are equal or not; base/near.h says
// how far floats may be apart; pairs of floats may be 1e-9 of the largest value of the array apart, and what a pair
// loses of the largest value of all arrays: where all of an array is what sums have left, that is all that is in it.
//
// Of floats the same is no reason to call them equal: a program may well need those digits. So such elements are
// reported, with how many roundings of the largest number they are apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/near.h"
#include "base/pairs.h"
#include "offload/offload.h"

static const double pair_share = 1e-9, pair_loss = 0x1p-42, most = 1e30; // most: of what sums are made of
// guess: roundings, each half of a float's last bit, that a few operations on a number leave
static const double float_rounding = 0x1p-24, few_roundings = 64;

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

// An element of a list, for sorting. `bits`: of 64-bit integers, whose doubles may be equal where they are not.
struct value {
    double number;
    uint64_t bits;
};
static int by_value(const struct value *a, const struct value *b) {
    if (a->number != b->number) return (a->number > b->number) - (a->number < b->number);
    return (a->bits > b->bits) - (a->bits < b->bits);
}

// Records of a list: what tells them apart are integers first, as floats may differ a little.
struct records {
    const struct offload_variant *v;
    int param;
    size_t width; // elements of one
    bool is_host;
    struct value *values;
};
static _Thread_local const struct records *sorted; // qsort hands nothing on

static bool is_float_at(const struct records *r, size_t k) {
    return base_dtype_is_float(type_of(whorl_program_param(r->v->program, (size_t)r->param), k));
}

static int by_record(const void *a, const void *b) {
    const struct value *x = a, *y = b;
    for (int floats = 0; floats < 2; floats++)
        for (size_t k = 0; k < sorted->width; k++) {
            int order = is_float_at(sorted, k) == floats ? by_value(&x[k], &y[k]) : 0;
            if (order) return order;
        }
    return 0;
}

static bool read_records(const struct records *r, const char *data, size_t first, size_t end) {
    const struct whorl_param *p = whorl_program_param(r->v->program, (size_t)r->param);
    for (size_t k = first; k < end; k++) {
        double number = element(r->v, r->param, r->is_host, data, k);
        if (isnan(number)) return false;
        r->values[k - first] =
            (struct value){number, base_dtype_is_long(p->dtype) ? base_dtype_long(data, k) : (uint64_t)0};
    }
    sorted = r;
    qsort(r->values, (end - first) / r->width, r->width * sizeof *r->values, by_record);
    return true;
}

// The same records in another order, where that is open.
static bool is_reordered(const struct offload_variant *v, int i, const char *host, size_t first, size_t end,
                         double largest, double loss) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    size_t width = 1;
    for (uint32_t d = v->order[i].depth; d < p->ndims; d++)
        width *= p->dims[d];
    if (!v->order[i].is_open || (end - first) % width || first % width) return false;
    struct records gpu = {v, i, width, false, calloc(end - first, sizeof(struct value))};
    struct records cpu = {v, i, width, true, calloc(end - first, sizeof(struct value))};
    bool same = gpu.values && cpu.values && read_records(&gpu, v->results[i], first, end) &&
                read_records(&cpu, host, first, end);
    for (size_t k = 0; k < end - first && same; k++) {
        double difference = fabs(gpu.values[k].number - cpu.values[k].number);
        same = is_float_at(&gpu, k) ? difference <= fmax(1e-4 * largest, loss)
                                    : by_value(&gpu.values[k], &cpu.values[k]) == 0;
    }
    free(gpu.values);
    free(cpu.values);
    return same;
}

// Of a list that was begun anew, what is certain: as much as its counter says. False: nothing.
static bool cut_list(const struct offload_variant *v, int i, const struct offload_array *arrays, size_t each,
                     size_t *io_first, size_t *io_end) {
    const struct offload_order *order = &v->order[i];
    if (order->is_cut) return false;
    if (!order->is_open || !order->is_anew) return true;
    const struct whorl_param *p = order->counter < 0 ? NULL : whorl_program_param(v->program, (size_t)order->counter);
    if (!p || (p->dtype != WHORL_I32 && p->dtype != WHORL_U32) || !arrays[order->counter].base) return false;
    if (order->begin != arrays[i].at || order->begin < 0) return false;
    double counted = base_dtype_number(p->dtype, arrays[order->counter].base, 0);
    size_t first = (size_t)order->begin * each, end = first + (counted > 0 ? (size_t)counted * each : 0);
    *io_first = first > *io_first ? first : *io_first;
    *io_end = end < *io_end ? end : *io_end;
    return *io_first < *io_end;
}

// *io_apart: the most that floats which differ are apart; infinite where it is not of them alone.
static uint64_t compare_array(const struct offload_variant *v, int i, const struct offload_array *arrays,
                              const char *host, bool all, double loss, double *io_apart, char *text, size_t size) {
    const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
    const struct offload_reach *r = &v->reach[i];
    size_t count = v->device_bytes[i] / whorl_dtype_size(p->dtype), each = v->outer[i] ? count / v->outer[i] : count;
    size_t first = all || !r->known ? 0 : (size_t)r->first * each;
    size_t end = all || !r->known ? count : (size_t)(r->last + 1) * each;
    if (end > count) end = count; // it is only known that no index goes beyond the last one
    double largest = 0;
    uint64_t differing = 0;
    double apart = 0;
    char had = text[0];
    if (!cut_list(v, i, arrays, v->outer[i] ? each : 1, &first, &end)) return 0;
    for (size_t k = first; k < end; k++) {
        double value = fabs(element(v, i, true, host, k));
        if (v->form[i] == OFFLOAD_FLOATS && !isfinite((float)value)) continue;
        if (base_dtype_is_float(type_of(p, k)) && isfinite(value) && value > largest) largest = value;
    }
    for (size_t k = first; k < end; k++) {
        double gpu = element(v, i, false, v->results[i], k);
        double cpu = element(v, i, true, host, k);
        if (is_near(v, i, gpu, cpu, largest, loss, host, k)) continue;
        bool is_float = type_of(p, k) == WHORL_F32 && v->form[i] != OFFLOAD_PAIRS && isfinite(gpu - cpu);
        apart = fmax(apart, is_float ? fabs(gpu - cpu) : INFINITY);
        if (differing++ == 0 && !text[0])
            snprintf(text, size, "element %zu of '%s' is %.9g on the CPU and %.9g on the GPU", k,
                     p->name + (strncmp(p->name, "ccv_", 4) == 0 ? 4 : 0), cpu, gpu);
    }
    if (differing && is_reordered(v, i, host, first, end, largest, loss)) {
        differing = 0;
        if (had == 0) text[0] = 0;
    }
    if (differing) *io_apart = fmax(*io_apart, apart);
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

// The largest float in the arrays that the region uses, as the CPU left them.
static double largest_float(const struct offload_state *state, const struct offload_variant *v,
                            const struct offload_array *arrays) {
    double largest = 0;
    for (int i = 0; i < state->region->param_count; i++) {
        const struct whorl_param *p = whorl_program_param(v->program, (size_t)i);
        if (!p->is_array || !arrays[i].base || arrays[i].rows || v->form[i] == OFFLOAD_PAIRS) continue;
        size_t count = v->device_bytes[i] / whorl_dtype_size(p->dtype);
        for (size_t k = 0; k < count; k++) {
            double value = type_of(p, k) == WHORL_F32 ? fabs(element(v, i, true, arrays[i].base, k)) : 0;
            if (value < most && value > largest) largest = value;
        }
    }
    return largest;
}

// Says it where all that differs is as small as rounding of the largest number makes it.
static void say_roundings(const struct offload_state *state, const struct offload_variant *v,
                          const struct offload_array *arrays, double apart, char *text, size_t size) {
    double largest = largest_float(state, v, arrays), roundings = apart / (largest * float_rounding);
    size_t used = strlen(text);
    if (!(roundings <= few_roundings)) return;
    snprintf(text + used, size - used,
             "; none is more than %.3g rounding%s of %.6g off, the largest number in its arrays: what is left of such "
             "numbers has no more digits",
             roundings, roundings <= 1 ? "" : "s", largest);
}

uint64_t offload_compare(const struct offload_state *state, const struct offload_variant *v,
                         const struct offload_array *arrays, char *text, size_t size) {
    const struct whorl_cc_region *r = state->region;
    uint64_t differing = 0;
    double loss = pair_loss * largest_of(state, v, arrays), apart = 0;
    text[0] = 0;
    for (int i = 0; i < r->param_count; i++) {
        if (!v->written[i]) continue;
        char *gathered = arrays[i].rows ? malloc(arrays[i].bytes) : NULL;
        if (gathered) offload_gather(arrays[i].rows, gathered);
        const char *host = gathered ? gathered : arrays[i].base;
        bool all = !is_among_others(arrays, i, r->param_count);
        if (host) differing += compare_array(v, i, arrays, host, all, loss, &apart, text, size);
        free(gathered);
    }
    if (differing) say_roundings(state, v, arrays, apart, text, size);
    return differing;
}
