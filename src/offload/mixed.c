// Arrays of structs that mix doubles with other types. Where doubles are floats on the device, word by word, as the
// table of region_abi.h says; where they are pairs of floats, in place, as the program's words say.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "offload/offload.h"

enum { MOST_GUARDED = 256 }; // words of a struct that a guard looks at

void offload_mixed_there(const unsigned *layout, unsigned *to, const char *from, size_t count) {
    const unsigned bytes = layout[0], words = layout[1], *where = layout + 2;
    for (size_t k = 0; k < count; k++, from += bytes, to += words)
        for (unsigned w = 0; w < words; w++) {
            double value;
            const char *at = from + where[w] / 2;
            if (where[w] == WHORL_CC_PADDING) {
                to[w] = 0;
            } else if (where[w] == WHORL_CC_DOUBLE(where[w] / 2)) {
                memcpy(&value, at, sizeof value);
                memcpy(&to[w], &(float){(float)value}, sizeof to[w]);
            } else {
                memcpy(&to[w], at, sizeof to[w]);
            }
        }
}

// Words that the device changed. `sent`: as they went there.
void offload_mixed_back(const unsigned *layout, char *to, const unsigned *from, const unsigned *sent, size_t count) {
    const unsigned bytes = layout[0], words = layout[1], *where = layout + 2;
    for (size_t k = 0; k < count; k++, to += bytes, from += words, sent += words)
        for (unsigned w = 0; w < words; w++) {
            float value;
            if (from[w] == sent[w] || where[w] == WHORL_CC_PADDING) continue;
            memcpy(&value, &from[w], sizeof value);
            if (where[w] == WHORL_CC_DOUBLE(where[w] / 2))
                memcpy(to + where[w] / 2, &(double){(double)value}, sizeof(double));
            else
                memcpy(to + where[w] / 2, &from[w], sizeof from[w]);
        }
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static bool is_double(const struct whorl_param *p, size_t word) {
    return p->words[word % p->dims[p->ndims - 1]] == WHORL_F64;
}

bool offload_mixes_doubles(const struct whorl_param *p) {
    for (size_t w = 0; p->words && w < p->dims[p->ndims - 1]; w++)
        if (is_double(p, w)) return true;
    return false;
}

size_t offload_rows_there(const struct whorl_param *p, bool may_be_unset, size_t first, void *to, const void *from,
                          size_t words) {
    unsigned *out = to;
    memcpy(to, from, 4 * words);
    for (size_t w = 0; w < words; w += 2) {
        double value;
        if (!is_double(p, first + w)) continue;
        memcpy(&value, (const unsigned *)from + w, sizeof value);
        if (offload_convert(OFFLOAD_PAIRS, may_be_unset, out + w, &value, 1) == 0) return w;
    }
    return words;
}

void offload_rows_back(const struct whorl_param *p, void *to, const void *from, const void *sent, size_t words) {
    const unsigned *now = from, *was = sent;
    for (size_t w = 0; w < words; w++) {
        char *place = (char *)to + 4 * w;
        if (w % 2 == 0 && is_double(p, w)) {
            double value;
            memcpy(&value, place, sizeof value);
            offload_update(OFFLOAD_PAIRS, &value, now + w, was + w, 1);
            if (memcmp(now + w, was + w, sizeof value) != 0) memcpy(place, &value, sizeof value);
            w++;
        } else if (now[w] != was[w]) {
            memcpy(place, &now[w], sizeof now[w]);
        }
    }
}

void offload_rows_update_own(const struct whorl_param *p, size_t first, void *to, const void *from, size_t words) {
    const unsigned *now = from;
    unsigned *own = to;
    for (size_t w = 0; w < words; w += 2) {
        double value;
        memcpy(&value, own + w, sizeof value);
        if (is_double(p, first + w))
            offload_update_own(OFFLOAD_PAIRS, &value, now + w, 1);
        else
            memcpy(&value, now + w, sizeof value);
        memcpy(own + w, &value, sizeof value);
    }
}

bool offload_rows_are_plain(const struct whorl_param *p, const void *from, size_t words) {
    for (size_t w = 0; w < words; w += 2) {
        double value;
        memcpy(&value, (const unsigned *)from + w, sizeof value);
        if (is_double(p, w) && !offload_are_plain(&value, 1)) return false;
    }
    return true;
}

bool offload_are_rows_alike(const struct whorl_param *p, const struct whorl_param *q) {
    size_t row = (size_t)p->dims[p->ndims - 1];
    return q->dims[q->ndims - 1] == row && memcmp(p->words, q->words, row * sizeof *p->words) == 0;
}

bool offload_rows_fields(const struct whorl_param *p, char **out_fields, char **out_test) {
    size_t row = (size_t)p->dims[p->ndims - 1], room = 64 + 32 * row;
    char *fields = row <= MOST_GUARDED ? malloc(room) : NULL, *test = fields ? malloc(room) : NULL;
    int at = test ? snprintf(fields, room, "FIELDS=") : 0, end = test ? snprintf(test, room, "IS_BAD(x)=(0") : 0;
    for (size_t w = 0; test && w < row; w++) {
        bool wide = w % 2 == 0 && is_double(p, w);
        at += snprintf(fields + at, room - (size_t)at, "%s f%zu; ", wide ? "double" : "unsigned", w);
        if (wide) end += snprintf(test + end, room - (size_t)end, "||!isfinite((x).f%zu)", w);
        w += wide;
    }
    if (test) snprintf(test + end, room - (size_t)end, ")");
    if (!test) free(fields);
    *out_fields = test ? fields : NULL;
    *out_test = test;
    return test != NULL;
}

size_t offload_rows_left_range(const struct whorl_param *p, const void *results, const void *sent, size_t words) {
    for (size_t w = 0; w < words; w += 2)
        if (is_double(p, w) && offload_left_range((const unsigned *)results + w, (const unsigned *)sent + w, 1) == 0)
            return w;
    return words;
}
