// Sums of products of numbers and scalars: see scalar_sum.h.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalar_sum.h"

void scalar_sum_skip_space(struct scalar_sum *s) {
    while (*s->at == ' ' || *s->at == '\t')
        s->at++;
}

static double plain_number(struct scalar_sum *s) {
    char *end;
    double value = strtod(s->at, &end);
    if (end == s->at || isnan(value)) s->problem = "it is made of numbers, scalars, *, + and -";
    s->at = end;
    return value;
}

// A name of letters that is no scalar may still be a number: inf.
static double named_number(struct scalar_sum *s) {
    size_t size = 0;
    while (isalnum((unsigned char)s->at[size]) || s->at[size] == '_')
        size++;
    for (size_t i = 0; i < s->scalar_count; i++)
        if (strlen(s->scalars[i].name) == size && strncmp(s->scalars[i].name, s->at, size) == 0) {
            s->at += size;
            return s->scalars[i].value;
        }
    char *end;
    double value = strtod(s->at, &end);
    if (end == s->at + size && !isnan(value)) {
        s->at = end;
        return value;
    }
    s->problem = "a name in it is no scalar";
    snprintf(s->unknown, sizeof s->unknown, "%.*s", (int)size, s->at);
    return 0;
}

static double factor(struct scalar_sum *s) {
    scalar_sum_skip_space(s);
    return isalpha((unsigned char)*s->at) || *s->at == '_' ? named_number(s) : plain_number(s);
}

double scalar_sum_read(struct scalar_sum *s) {
    double total = 0, sign = 1;
    scalar_sum_skip_space(s);
    if (*s->at == '-' && (isalpha((unsigned char)s->at[1]) || s->at[1] == '_')) { // of a number strtod takes it
        sign = -1;
        s->at++;
    }
    for (;;) {
        double product = factor(s);
        for (scalar_sum_skip_space(s); *s->at == '*' && !s->problem; scalar_sum_skip_space(s)) {
            s->at++;
            product *= factor(s);
        }
        total += sign * product;
        if ((*s->at != '+' && *s->at != '-') || s->problem) return total;
        sign = *s->at == '-' ? -1 : 1;
        s->at++;
    }
}

uint64_t scalar_sum_count(struct scalar_sum *s) {
    double total = scalar_sum_read(s);
    if (!s->problem && total < 0) s->problem = "a sum is negative";
    if (!s->problem && !(total <= 0x1p53)) s->problem = "a number is too large";
    if (!s->problem && total != floor(total)) s->problem = "it is no whole number";
    return s->problem ? 0 : (uint64_t)total;
}
