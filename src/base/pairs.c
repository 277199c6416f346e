// Doubles as pairs of floats.
#include "base/pairs.h"

#include <math.h>
#include <string.h>

struct base_pair base_pair_of(double value) {
    float high = (float)value;
    return (struct base_pair){high, isfinite(high) ? (float)(value - (double)high) : 0.0f};
}

double base_pair_value(struct base_pair pair) {
    return pair.low == 0.0f || !isfinite(pair.high) ? (double)pair.high : (double)pair.high + (double)pair.low;
}

void base_split_doubles(const void *doubles, size_t count, void *out_pairs) {
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, (const unsigned char *)doubles + 8 * i, 8);
        struct base_pair pair = base_pair_of(value);
        memcpy((unsigned char *)out_pairs + 8 * i, &pair, 8);
    }
}

void base_join_doubles(const void *pairs, size_t count, void *out_doubles) {
    for (size_t i = 0; i < count; i++) {
        struct base_pair pair;
        memcpy(&pair, (const unsigned char *)pairs + 8 * i, 8);
        double value = base_pair_value(pair);
        memcpy((unsigned char *)out_doubles + 8 * i, &value, 8);
    }
}

// `at` is where `words` begin. Calls `convert` for the doubles among them, in place.
static void each_run(const struct base_pair_rows *rows, uint64_t at, unsigned char *words, size_t count,
                     void (*convert)(const void *from, size_t count, void *to)) {
    uint64_t end = at + count;
    for (uint64_t row = at - at % rows->row_words; row < end; row += rows->row_words)
        for (uint32_t r = 0; r < rows->run_count; r++) {
            uint64_t first = row + rows->runs[2 * r], last = first + 2 * (uint64_t)rows->runs[2 * r + 1];
            first = first < at ? at : first;
            last = last > end ? end : last;
            unsigned char *place = words + 4 * (first - at);
            if (first < last) convert(place, (size_t)(last - first) / 2, place);
        }
}

static void convert_rows(const struct base_pair_rows *rows, uint64_t at, const void *from, size_t words, void *to,
                         void (*convert)(const void *from, size_t count, void *to)) {
    if (rows->run_count == 0) {
        convert(from, words / 2, to);
        return;
    }
    if (to != from && words) memcpy(to, from, 4 * words);
    each_run(rows, at, to, words, convert);
}

void base_split_rows(const struct base_pair_rows *rows, uint64_t at, const void *from, size_t words, void *to) {
    convert_rows(rows, at, from, words, to, base_split_doubles);
}

void base_join_rows(const struct base_pair_rows *rows, uint64_t at, const void *from, size_t words, void *to) {
    convert_rows(rows, at, from, words, to, base_join_doubles);
}
