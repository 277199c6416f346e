// Verdicts as text: see verdict.h.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "verdict.h"

void check_describe(const struct check_rule *rule, char *out, size_t size) {
    static const char *const names[] = {"exact", "abs", "rel", "near", "rank>=", "moments"};
    char except[32] = "";
    if (rule->except > 0) snprintf(except, sizeof except, " except %.3g%%", 100 * rule->except);
    if (rule->kind == CHECK_EXACT)
        snprintf(out, size, "exact%s", except);
    else
        snprintf(out, size, "%s%s%.9g%s", names[rule->kind], rule->kind == CHECK_RANK ? "" : " ", rule->bound, except);
}

static int put_index(const struct whorl_param *param, uint64_t index, char *out, size_t size) {
    uint64_t at[8];
    for (uint32_t d = param->ndims; d-- > 0; index /= param->dims[d])
        at[d] = index % param->dims[d];
    int used = 0;
    for (uint32_t d = 0; d < param->ndims && (size_t)used < size; d++)
        used += snprintf(out + used, size - (size_t)used, "[%llu]", (unsigned long long)at[d]);
    return used;
}

// With as many digits as tell two elements apart; integers whole.
static const char *number_text(enum whorl_dtype type, double value, uint64_t bits, char out[32]) {
    if (base_dtype_is_long(type))
        snprintf(out, 32, type == WHORL_I64 ? "%lld" : "%llu", (unsigned long long)bits);
    else if (!base_dtype_is_float(type))
        snprintf(out, 32, "%.0f", value);
    else
        snprintf(out, 32, "%.*g", type == WHORL_F64 ? 17 : 9, value);
    return out;
}

// What verdict->measured is. A scaled difference is what `near` bounds: of the magnitude and a tenth of the largest one.
static const char *const measures[] = {"difference",        "difference",       "relative difference",
                                       "scaled difference", "rank correlation", "distance in standard deviations"};

// "[7][2]: 1.25, the CPU has 1.5"
static void put_worst(const struct check_verdict *v, const struct whorl_param *param, char *out, size_t size) {
    enum whorl_dtype type = check_type(param, (size_t)v->worst);
    char got[32], want[32];
    size_t used = (size_t)put_index(param, v->worst, out, size);
    if (used < size)
        snprintf(out + used, size - used, ": %s, the CPU has %s", number_text(type, v->got, v->got_bits, got),
                 number_text(type, v->want, v->want_bits, want));
}

static void say_right(const struct check_rule *rule, const struct check_verdict *v, const struct whorl_param *param,
                      const char *text, char *out, size_t size) {
    char missed[48] = "", nan[64] = "", worst[240] = "";
    bool of_elements = rule->kind <= CHECK_NEAR;
    if (of_elements && v->measured > 0) {
        memcpy(worst, " at ", 4);
        put_worst(v, param, worst + 4, sizeof worst - 4);
    }
    if (v->differing)
        snprintf(missed, sizeof missed, "; %llu of %llu elements miss it", (unsigned long long)v->differing,
                 (unsigned long long)check_count(param));
    if (v->both_nan)
        snprintf(nan, sizeof nan, "; %llu %s NaN on both sides", (unsigned long long)v->both_nan,
                 v->both_nan == 1 ? "element is" : "elements are");
    snprintf(out, size, "ok (%s; %s%s %.*g%s%s%s)", text, of_elements ? "largest " : "", measures[rule->kind],
             rule->kind == CHECK_RANK ? 7 : 3, v->measured, worst, missed, nan);
}

void check_say(const struct check_rule *rule, const struct check_verdict *v, const struct whorl_param *param, char *out,
               size_t size) {
    char text[64], first[160] = "", worst[240] = "", by[64] = "";
    check_describe(rule, text, sizeof text);
    if (v->holds) {
        say_right(rule, v, param, text, out, size);
    } else if (rule->kind == CHECK_RANK || rule->kind == CHECK_MOMENTS) {
        if (v->one_nan)
            snprintf(out, size, "wrong (%s): %llu elements are NaN here or on the CPU, and not on both", text,
                     (unsigned long long)v->one_nan);
        else
            snprintf(out, size, "wrong (%s): %s %.7g", text, measures[rule->kind], v->measured);
    } else {
        put_index(param, v->first, first, sizeof first);
        put_worst(v, param, worst, sizeof worst);
        if (rule->kind == CHECK_REL || rule->kind == CHECK_NEAR) // which the two numbers do not show
            snprintf(by, sizeof by, ", a %s of %.3g", measures[rule->kind], v->measured);
        snprintf(out, size, "wrong (%s): %llu of %llu elements, the first %s; worst %s%s", text,
                 (unsigned long long)v->differing, (unsigned long long)check_count(param), first, worst, by);
    }
}

// `value` to two digits, not nearer to zero than it is; R of rank>= is rounded down.
static const char *rounded(double value, bool down, char out[32]) {
    double step = value == 0 ? 0 : pow(10, floor(log10(fabs(value))) - 1);
    for (int i = 0; i < 3; i++) { // printing rounds, too
        snprintf(out, 32, "%.2g", down ? floor(value / step - i) * step : ceil(value / step + i) * step);
        double read = strtod(out, NULL);
        if (step == 0 || (down ? read <= value : read >= value)) break;
    }
    return step == 0 ? strcpy(out, "0") : out;
}

static const double small_share = 0.05; // a `near` or `rel` of more says little

bool check_accepting(const struct check_rule *rule, const struct check_verdict *v, const struct whorl_param *param,
                     char *out, size_t size) {
    char number[32], rules[96];
    const char *teacher = rule->teacher ? " teacher" : "";
    double share = 100 * (double)v->differing / (double)check_count(param);
    // Integers that are to be the same and are not: no distance makes that right.
    if (rule->kind == CHECK_EXACT && !base_dtype_is_float(check_type(param, (size_t)v->worst))) return false;
    if (rule->kind == CHECK_RANK && !v->one_nan)
        snprintf(rules, sizeof rules, "rank>=%s", rounded(v->measured, true, number));
    else if (rule->kind == CHECK_MOMENTS && isfinite(v->measured))
        snprintf(rules, sizeof rules, "moments %s", rounded(v->measured, false, number));
    else if ((rule->kind == CHECK_REL || rule->kind == CHECK_NEAR) && !param->words && v->near_miss <= small_share)
        snprintf(rules, sizeof rules, "near %s", rounded(v->near_miss, false, number));
    else if (rule->kind <= CHECK_NEAR && isfinite(v->apart))
        snprintf(rules, sizeof rules, "abs %s", rounded(v->apart, false, number));
    else if (rule->kind <= CHECK_NEAR) { // NaN, infinities: no bound is large enough
        struct check_rule bare = *rule;
        char text[64];
        bare.except = 0;
        check_describe(&bare, text, sizeof text);
        snprintf(rules, sizeof rules, "%s except %s%%", text, share >= 99 ? "100" : rounded(share, false, number));
    } else {
        return false;
    }
    snprintf(out, size, "%s %s%s", param->name, rules, teacher);
    return true;
}
