// Summaries of results. One pass over the elements, all in double, in order, so that the same bytes give the same text.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "npy.h"
#include "summary.h"
#include "terminal.h"
#include "verdict.h"

// Whether an element is below another of its type; neither is NaN. Doubles of two 64-bit integers may be equal where
// these are not.
static bool is_below(enum whorl_dtype dtype, const void *a, const void *b) {
    uint64_t x = 0, y = 0;
    if (!base_dtype_is_long(dtype)) return base_dtype_number(dtype, a, 0) < base_dtype_number(dtype, b, 0);
    x = base_dtype_long(a, 0);
    y = base_dtype_long(b, 0);
    return dtype == WHORL_I64 ? (int64_t)x < (int64_t)y : x < y;
}

struct summary summary_of(const struct whorl_param *param, const void *data, const enum whorl_dtype *only) {
    struct summary s = {.min = NAN, .mean = NAN, .max = NAN};
    size_t count = check_count(param), bytes = count * whorl_dtype_size(param->dtype), numbers = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        enum whorl_dtype dtype = check_type(param, i);
        if ((only && dtype != *only) || check_is_nothing(param, i)) continue;
        const void *element = check_element(param, data, i);
        double x = base_dtype_number(dtype, element, 0);
        if (isnan(x)) {
            s.nan_count++;
            continue;
        }
        sum += x;
        if (!numbers || is_below(dtype, element, check_element(param, data, s.at_min))) s.at_min = i;
        if (!numbers || is_below(dtype, check_element(param, data, s.at_max), element)) s.at_max = i;
        numbers++;
        if (!(x >= s.min)) s.min = x;
        if (!(x <= s.max)) s.max = x;
    }
    if (numbers) s.mean = sum / (double)numbers;
    s.hash = base_hash(BASE_HASH_START, data, bytes);
    return s;
}

static void put(FILE *out, int *column, int indent, int width, const char *text) {
    int size = (int)strlen(text);
    if (*column > indent && *column + 2 + size > width) {
        fprintf(out, "\n%*s", indent, "");
        *column = indent;
    } else if (*column > indent) {
        fputs("  ", out);
        *column += 2;
    }
    fputs(text, out);
    *column += size;
}

// Integers and bools exactly, floats to six digits.
static int number_text(char *out, size_t size, enum whorl_dtype dtype, const void *element) {
    if (dtype == WHORL_I64) return snprintf(out, size, "%" PRId64, (int64_t)base_dtype_long(element, 0));
    if (dtype == WHORL_U64) return snprintf(out, size, "%" PRIu64, base_dtype_long(element, 0));
    return snprintf(out, size, base_dtype_is_float(dtype) ? "%.6g" : "%.0f", base_dtype_number(dtype, element, 0));
}

// "nan" where the array has no number.
static int extreme_text(char *out, size_t size, enum whorl_dtype dtype, double value, const void *element) {
    return isnan(value) ? snprintf(out, size, "%g", value) : number_text(out, size, dtype, element);
}

static bool has_type(const struct whorl_param *param, enum whorl_dtype dtype) {
    for (size_t i = 0; param->words && i < param->dims[param->ndims - 1]; i++)
        if (param->words[i] == dtype && !check_is_nothing(param, i)) return true;
    return !param->words && param->dtype == dtype;
}

void summary_print(FILE *out, const struct whorl_param *param, const void *data, int pad, int width) {
    struct summary all = summary_of(param, data, NULL);
    char text[192];
    int indent = width < 60 ? 4 : pad + 4, column = indent;
    fprintf(out, "  %s%s%s", cli_style(out, CLI_BOLD), param->name, cli_style(out, CLI_PLAIN));
    int used = 2 + (int)strlen(param->name);
    if (used + 2 > indent)
        fprintf(out, "\n%*s", indent, "");
    else
        fprintf(out, "%*s", indent - used, "");
    npy_describe(param->dtype, param->ndims, param->dims, text, sizeof text);
    put(out, &column, indent, width, text);
    for (int t = 0; t < BASE_DTYPES; t++) { // several in structs of mixed types
        enum whorl_dtype dtype = (enum whorl_dtype)t;
        if (!has_type(param, dtype)) continue;
        struct summary s = summary_of(param, data, &dtype);
        int used_text = snprintf(text, sizeof text, "%s%smin ", param->words ? whorl_dtype_name(dtype) : "",
                                 param->words ? " " : "");
        extreme_text(text + used_text, sizeof text - (size_t)used_text, dtype, s.min,
                     check_element(param, data, s.at_min));
        put(out, &column, indent, width, text);
        snprintf(text, sizeof text, "mean %.6g", s.mean);
        put(out, &column, indent, width, text);
        memcpy(text, "max ", 5);
        extreme_text(text + 4, sizeof text - 4, dtype, s.max, check_element(param, data, s.at_max));
        put(out, &column, indent, width, text);
    }
    snprintf(text, sizeof text, "hash %08" PRIx64, all.hash >> 32);
    put(out, &column, indent, width, text);
    if (all.nan_count) {
        snprintf(text, sizeof text, "%s%" PRIu64 " NaN%s", cli_style(out, CLI_RED), all.nan_count,
                 cli_style(out, CLI_PLAIN));
        put(out, &column, indent, width, text);
    }
    // As many of the first values as one line takes.
    size_t count = check_count(param);
    fprintf(out, "\n%*s%s", indent, "", cli_style(out, CLI_DIM));
    column = indent;
    for (size_t i = 0; i < count; i++) {
        if (check_is_nothing(param, i)) continue;
        text[0] = ' ';
        int gap = i > 0,
            size = gap + number_text(text + gap, sizeof text - 1, check_type(param, i), check_element(param, data, i));
        if (column + size + (i + 1 < count ? 4 : 0) > width) {
            fputs(" ...", out);
            break;
        }
        fputs(text, out);
        column += size;
    }
    fprintf(out, "%s\n", cli_style(out, CLI_PLAIN));
}
