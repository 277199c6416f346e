// Summaries of results. One pass over the elements, all in double, in order, so that the same bytes give the same text.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "npy.h"
#include "summary.h"
#include "terminal.h"
#include "verdict.h"

struct summary summary_of(const struct whorl_param *param, const void *data) {
    struct summary s = {.min = NAN, .mean = NAN, .max = NAN, .hash = UINT64_C(0xcbf29ce484222325)};
    size_t count = check_count(param), bytes = count * whorl_dtype_size(param->dtype);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = check_element(param->dtype, data, i);
        if (isnan(x)) {
            s.nan_count++;
            continue;
        }
        sum += x;
        if (!(x >= s.min)) s.min = x;
        if (!(x <= s.max)) s.max = x;
    }
    if (s.nan_count < count) s.mean = sum / (double)(count - s.nan_count);
    for (size_t i = 0; i < bytes; i++)
        s.hash = (s.hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
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
static int number_text(char *out, size_t size, const struct whorl_param *param, double value) {
    bool is_float = param->dtype == WHORL_F32 || param->dtype == WHORL_F16;
    return snprintf(out, size, is_float ? "%.6g" : "%.0f", value);
}

void summary_print(FILE *out, const struct whorl_param *param, const void *data, int pad, int width) {
    struct summary s = summary_of(param, data);
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
    memcpy(text, "min ", 5);
    number_text(text + 4, sizeof text - 4, param, s.min);
    put(out, &column, indent, width, text);
    snprintf(text, sizeof text, "mean %.6g", s.mean);
    put(out, &column, indent, width, text);
    memcpy(text, "max ", 5);
    number_text(text + 4, sizeof text - 4, param, s.max);
    put(out, &column, indent, width, text);
    snprintf(text, sizeof text, "hash %08" PRIx64, s.hash >> 32);
    put(out, &column, indent, width, text);
    if (s.nan_count) {
        snprintf(text, sizeof text, "%s%" PRIu64 " NaN%s", cli_style(out, CLI_RED), s.nan_count,
                 cli_style(out, CLI_PLAIN));
        put(out, &column, indent, width, text);
    }
    // As many of the first values as one line takes.
    size_t count = check_count(param);
    fprintf(out, "\n%*s%s", indent, "", cli_style(out, CLI_DIM));
    column = indent;
    for (size_t i = 0; i < count; i++) {
        text[0] = ' ';
        int gap = i > 0,
            size = gap + number_text(text + gap, sizeof text - 1, param, check_element(param->dtype, data, i));
        if (column + size + (i + 1 < count ? 4 : 0) > width) {
            fputs(" ...", out);
            break;
        }
        fputs(text, out);
        column += size;
    }
    fprintf(out, "%s\n", cli_style(out, CLI_PLAIN));
}
