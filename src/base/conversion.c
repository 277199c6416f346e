// Pieces of a printf format (C11 7.21.6.1).
#include "base/conversion.h"

#include <string.h>

static int number(const char **at) {
    int value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        value = value > 9999 ? value : value * 10 + (**at - '0');
    return value;
}

static void read_length(const char **at, char out[3]) {
    size_t n = 0;
    if (**at && strchr("hlzjtL", **at)) out[n++] = *(*at)++;
    if (n && (out[0] == 'h' || out[0] == 'l') && **at == out[0]) out[n++] = *(*at)++;
    out[n] = 0;
}

bool base_conversion_next(const char **at, struct base_conversion *out) {
    const char *start = *at;
    memset(out, 0, sizeof *out);
    out->text = start;
    out->width = out->precision = -1;
    if (!*start) return false;
    if (*start != '%') {
        out->size = strcspn(start, "%");
        *at = start + out->size;
        return true;
    }
    ++*at;
    for (size_t n = 0; **at && strchr("-+ #0", **at); ++*at)
        if (n + 1 < sizeof out->flags && !strchr(out->flags, **at)) out->flags[n++] = **at;
    if (**at == '*') {
        out->star = true;
        ++*at;
    } else if (**at >= '0' && **at <= '9') {
        out->width = number(at);
    }
    if (**at == '.') {
        ++*at;
        out->precision = 0;
        if (**at == '*') {
            out->star = true;
            ++*at;
        } else {
            out->precision = number(at);
        }
    }
    read_length(at, out->length);
    out->letter = **at && strchr("diouxXcfFeEgGaAspn%", **at) ? **at : '?';
    if (**at) ++*at;
    out->size = (size_t)(*at - start);
    return true;
}
