// The meaning of `// check:` (grammar in verdict.h). The hard part is NaN: one that both sides have in the same place
// is counted and left out, and every comparison is written so that any other fails it.
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/near.h"
#include "verdict.h"

// ---- text ----

static enum whorl_status wrong(struct whorl_error *err, const char *text) {
    return base_set_error(err, WHORL_SOURCE, "data",
                          "cannot read `// check: %s`; it is [ARRAY] exact | abs X | rel X | near X | rank>=R | "
                          "moments X, then [except P%%] [teacher]",
                          text);
}

static const char *skip(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

static bool take_word(const char **text, const char *word) {
    size_t size = strlen(word);
    if (strncmp(*text, word, size) != 0 || isalnum((unsigned char)(*text)[size]) || (*text)[size] == '_') return false;
    *text = skip(*text + size);
    return true;
}

static bool take_bound(const char **text, double low, double high, double *out) {
    char *end;
    *out = strtod(*text, &end);
    if (end == *text || !(*out >= low && *out <= high)) return false;
    *text = skip(end);
    return true;
}

// True once a rule was read.
static bool take_rule(const char **text, struct check_rule *out, bool *out_bad) {
    static const struct {
        const char *word;
        enum check_kind kind;
        double low, high;
    } rules[] = {{"exact", CHECK_EXACT, 0, 0},   {"abs", CHECK_ABS, 0, DBL_MAX},
                 {"rel", CHECK_REL, 0, DBL_MAX}, {"near", CHECK_NEAR, 0, DBL_MAX},
                 {"rank", CHECK_RANK, -1, 1},    {"moments", CHECK_MOMENTS, 0, DBL_MAX}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *at = *text;
        if (!take_word(&at, rules[i].word)) continue;
        out->kind = rules[i].kind;
        if (out->kind == CHECK_RANK) {
            *out_bad = strncmp(at, ">=", 2) != 0;
            at = *out_bad ? at : skip(at + 2);
        }
        if (out->kind != CHECK_EXACT && !*out_bad)
            *out_bad = !take_bound(&at, rules[i].low, rules[i].high, &out->bound);
        *text = at;
        return true;
    }
    return false;
}

// "except 5%"; false where it is wrong.
static bool take_except(const char **text, struct check_rule *out) {
    if (!take_word(text, "except")) return true;
    double percent;
    if (out->kind > CHECK_NEAR || !take_bound(text, 0, 100, &percent) || **text != '%') return false;
    *text = skip(*text + 1);
    out->except = percent / 100;
    return true;
}

// All of the text is a rule.
static bool take_all(const char *at, struct check_rule *out) {
    bool bad = false;
    if (!take_rule(&at, out, &bad) || bad || !take_except(&at, out)) return false;
    out->teacher = take_word(&at, "teacher");
    return !*at;
}

enum whorl_status check_parse(const char *text, struct check_rule *out, struct whorl_error *err) {
    const char *at = skip(text);
    *out = (struct check_rule){0};
    if (take_all(at, out)) return WHORL_OK;
    *out = (struct check_rule){0}; // the array's name stands first, which may be a rule's
    size_t size = 0;
    while (isalnum((unsigned char)at[size]) || at[size] == '_')
        size++;
    if (size == 0 || size >= sizeof out->array) return wrong(err, text);
    memcpy(out->array, at, size);
    return take_all(skip(at + size), out) ? WHORL_OK : wrong(err, text);
}

// ---- comparing ----

size_t check_count(const struct whorl_param *param) {
    size_t count = 1;
    for (uint32_t d = 0; d < param->ndims; d++)
        count *= (size_t)param->dims[d]; // within memory: the array is there
    return count;
}

enum whorl_dtype check_type(const struct whorl_param *param, size_t i) {
    return param->words ? param->words[i % (size_t)param->dims[param->ndims - 1]] : param->dtype;
}

const void *check_element(const struct whorl_param *param, const void *data, size_t i) {
    return (const unsigned char *)data + i * whorl_dtype_size(param->dtype);
}

bool check_is_nothing(const struct whorl_param *param, size_t i) {
    return param->words && param->word_names && !*param->word_names[i % (size_t)param->dims[param->ndims - 1]];
}

static double number(const struct whorl_param *param, const void *data, size_t i) {
    return base_dtype_number(check_type(param, i), check_element(param, data, i), 0);
}

// By how much `got` misses `want`, neither of them NaN, in the rule's measure. A float below FLT_MIN may have become 0
// on the way, so it counts as the nearest of the numbers from -FLT_MIN to FLT_MIN.
static double miss(enum check_kind kind, double got, double want, double largest) {
    if (got == want) return 0;
    if (isinf(got) || isinf(want)) return INFINITY;
    if (kind == CHECK_NEAR) return base_near_miss(got, want, largest);
    if (kind != CHECK_REL) return fabs(got - want);
    bool got_small = fabs(got) < FLT_MIN, want_small = fabs(want) < FLT_MIN;
    if (got_small && want_small) return 0;
    if (got_small) got = copysign(FLT_MIN, want);
    if (want_small) want = copysign(FLT_MIN, got);
    return fabs(got - want) / fabs(want);
}

static bool is_judged(const struct check_rule *rule, const struct whorl_param *param, size_t i) {
    if (check_is_nothing(param, i)) return false;
    return rule->of == CHECK_ALL || (rule->of == CHECK_FLOATS) == base_dtype_is_float(check_type(param, i));
}

// Of the elements that the rule judges.
static double largest_of(const struct check_rule *rule, const struct whorl_param *param, size_t count,
                         const void *data) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double value = is_judged(rule, param, i) ? fabs(number(param, data, i)) : 0;
        if (isfinite(value) && value > largest) largest = value;
    }
    return largest;
}

// The same of two 64-bit integers, whose doubles may be equal where they are not.
static double miss_long(enum check_kind kind, enum whorl_dtype type, uint64_t got, uint64_t want) {
    bool above = type == WHORL_I64 ? (int64_t)got > (int64_t)want : got > want;
    double off = above ? (double)(got - want) : (double)(want - got);
    if (off == 0 || kind != CHECK_REL) return off;
    return off / fabs(type == WHORL_I64 ? (double)(int64_t)want : (double)want);
}

// True where element i is NaN on both sides: nothing is left to compare.
static bool both_nan(const struct whorl_param *param, const void *got, const void *want, size_t i,
                     struct check_verdict *out) {
    bool a = isnan(number(param, got, i)), b = isnan(number(param, want, i));
    out->both_nan += a && b;
    out->one_nan += a != b;
    return a && b;
}

static void compare_elements(const struct check_rule *rule, const struct whorl_param *param, size_t count,
                             const void *got, const void *want, struct check_verdict *out) {
    double bound = rule->kind == CHECK_EXACT ? 0 : rule->bound, worst = -1;
    double largest = largest_of(rule, param, count, want);
    for (size_t i = 0; i < count; i++) {
        if (!is_judged(rule, param, i) || both_nan(param, got, want, i, out)) continue;
        double a = number(param, got, i), b = number(param, want, i);
        enum whorl_dtype type = check_type(param, i);
        bool no_number = isnan(a) || isnan(b);
        double m = no_number ? INFINITY : miss(rule->kind, a, b, largest);
        if (base_dtype_is_long(type))
            m = miss_long(rule->kind, type, base_dtype_long(got, i), base_dtype_long(want, i));
        out->apart = fmax(out->apart, no_number ? INFINITY : miss(CHECK_ABS, a, b, largest));
        out->near_miss = fmax(out->near_miss, no_number ? INFINITY : base_near_miss(a, b, largest));
        if (!(m <= bound)) {
            if (!out->differing) out->first = i;
            out->differing++;
        }
        if (m > worst) {
            worst = m;
            out->got_bits = base_dtype_is_long(type) ? base_dtype_long(got, i) : 0;
            out->want_bits = base_dtype_is_long(type) ? base_dtype_long(want, i) : 0;
            out->worst = i;
            out->got = a;
            out->want = b;
        }
    }
    out->measured = worst < 0 ? 0 : worst;
    out->holds = (double)out->differing <= rule->except * (double)count;
}

struct ranked {
    double value;
    size_t index;
};

static int by_value(const void *a, const void *b) {
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return x < y ? -1 : x > y;
}

// Ranks from 1, ties share their mean, in place of the values.
static void rank(double *values, size_t count, struct ranked *sorted) {
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct ranked){values[i], i};
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].value == sorted[i].value; end++)
            ;
        for (size_t k = i; k < end; k++)
            values[sorted[k].index] = 0.5 * ((double)i + 1 + (double)end);
    }
}

// Of ranks, ties or not.
static double correlation(const double *a, const double *b, size_t count) {
    double mean = 0.5 * ((double)count + 1), ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < count; i++) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0; // all the same on one side says nothing about the other
}

static bool compare_ranks(const struct check_rule *rule, const struct whorl_param *param, size_t count, const void *got,
                          const void *want, struct check_verdict *out) {
    size_t bytes, kept = 0;
    struct ranked *sorted = base_mul_size(count, sizeof *sorted, &bytes) ? base_heap_alloc(bytes) : NULL;
    double *a = base_heap_alloc(count * sizeof *a), *b = base_heap_alloc(count * sizeof *b);
    bool ok = sorted && a && b, same = true;
    for (size_t i = 0; i < count && ok; i++) {
        if (check_is_nothing(param, i) || both_nan(param, got, want, i, out)) continue;
        a[kept] = number(param, got, i);
        b[kept] = number(param, want, i);
        same = same && a[kept] == b[kept];
        kept++;
    }
    out->measured = out->one_nan ? NAN : 1;
    if (ok && !same && !out->one_nan) {
        rank(a, kept, sorted);
        rank(b, kept, sorted);
        out->measured = correlation(a, b, kept);
    }
    out->holds = out->measured >= rule->bound;
    base_heap_free(sorted);
    base_heap_free(a);
    base_heap_free(b);
    return ok;
}

// Of the elements that are marked 0 in `left_out`.
static void moments(const struct whorl_param *param, size_t count, const void *data, const uint8_t *left_out,
                    double *mean, double *sd) {
    double sum = 0, squares = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!left_out[i]) {
            sum += number(param, data, i);
            kept++;
        }
    *mean = kept > 0 ? sum / kept : 0;
    for (size_t i = 0; i < count; i++)
        if (!left_out[i]) squares += (number(param, data, i) - *mean) * (number(param, data, i) - *mean);
    *sd = kept > 0 ? sqrt(squares / kept) : 0;
}

// Infinities have no mean: the same one in the same place is left out, too, any other is infinitely far.
static bool compare_moments(const struct check_rule *rule, const struct whorl_param *param, size_t count,
                            const void *got, const void *want, struct check_verdict *out) {
    double got_mean, got_sd, want_mean, want_sd;
    uint8_t *left_out = base_heap_alloc(count);
    if (!left_out) return false;
    for (size_t i = 0; i < count; i++) {
        left_out[i] = check_is_nothing(param, i);
        if (left_out[i]) continue;
        double a = number(param, got, i);
        left_out[i] = both_nan(param, got, want, i, out) || (isinf(a) && a == number(param, want, i));
    }
    moments(param, count, got, left_out, &got_mean, &got_sd);
    moments(param, count, want, left_out, &want_mean, &want_sd);
    base_heap_free(left_out);
    double off_mean = fabs(got_mean - want_mean), off_sd = fabs(got_sd - want_sd), far = fmax(off_mean, off_sd);
    out->got = got_mean;
    out->want = want_mean;
    out->measured = isnan(off_mean + off_sd) ? INFINITY : far == 0 ? 0 : far / want_sd;
    out->holds = !out->one_nan && out->measured <= rule->bound;
    return true;
}

bool check_compare(const struct check_rule *rule, const struct whorl_param *param, const void *got, const void *want,
                   struct check_verdict *out) {
    size_t count = check_count(param);
    *out = (struct check_verdict){.holds = true};
    if (count == 0) return true;
    if (rule->kind == CHECK_RANK) return compare_ranks(rule, param, count, got, want, out);
    if (rule->kind == CHECK_MOMENTS) return compare_moments(rule, param, count, got, want, out);
    compare_elements(rule, param, count, got, want, out);
    return true;
}

// ---- all outputs ----

static bool holds_any(const struct whorl_param *param, int of) {
    size_t kinds = param->words ? (size_t)param->dims[param->ndims - 1] : 1;
    for (size_t i = 0; i < kinds; i++)
        if (!check_is_nothing(param, i) && base_dtype_is_float(check_type(param, i)) == (of == CHECK_FLOATS))
            return true;
    return false;
}

enum whorl_status check_outputs(const struct check_rule *rules, size_t rule_count, const whorl_program *program,
                                void *const *got, void *const *want,
                                void (*say)(void *user, const struct whorl_param *param, const struct check_rule *rule,
                                            const struct check_verdict *verdict),
                                void *user, bool *out_holds, struct whorl_error *err) {
    size_t param_count = whorl_program_param_count(program);
    *out_holds = true;
    for (size_t r = 0; r < rule_count; r++) {
        bool found = !rules[r].array[0];
        for (size_t p = 0; p < param_count && !found; p++) {
            const struct whorl_param *param = whorl_program_param(program, p);
            found = param->is_output && strcmp(param->name, rules[r].array) == 0;
        }
        if (!found)
            return base_set_error(err, WHORL_SOURCE, "data",
                                  "`// check:` names `%s`, which is no output of the program", rules[r].array);
    }
    for (size_t p = 0; p < param_count; p++) {
        const struct whorl_param *param = whorl_program_param(program, p);
        if (!param->is_output) continue;
        bool own = false, any = false;
        for (size_t r = 0; r < rule_count; r++)
            own = own || strcmp(rules[r].array, param->name) == 0;
        for (size_t r = 0; r < rule_count + 2; r++) { // the last two are what holds without a rule
            struct check_rule plain = {.kind = r == rule_count ? CHECK_EXACT : CHECK_NEAR,
                                       .bound = r == rule_count ? 0 : base_near_bound(param->dtype),
                                       .of = r == rule_count ? CHECK_INTEGERS : CHECK_FLOATS};
            const struct check_rule *rule = r < rule_count ? &rules[r] : &plain;
            if (r < rule_count ? strcmp(rule->array, own ? param->name : "") != 0 : any || !holds_any(param, rule->of))
                continue;
            any = any || r < rule_count;
            struct check_verdict verdict;
            if (!check_compare(rule, param, got[p], want[p], &verdict))
                return base_set_error(err, WHORL_MEMORY, "data", "out of memory comparing `%s`", param->name);
            *out_holds = *out_holds && verdict.holds;
            if (say) say(user, param, rule, &verdict);
        }
    }
    return WHORL_OK;
}
