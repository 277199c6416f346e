// What both generators need beside their trees: the inputs of a program, and the function that calls it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

size_t gen_elem_size(enum gen_elem elem) {
    static const uint8_t sizes[] = {4, 4, 4, 2, 2, 2, 1, 1, 1, 8, 8};
    return sizes[elem];
}

// Halves of 16 * v, v a multiple of 1/16 up to 64: 11 bits, so the conversion is exact.
static uint16_t half_bits(double v) {
    if (v == 0) return 0;
    int exponent;
    double m = frexp(fabs(v), &exponent); // 0.5 <= m < 1
    return (uint16_t)((v < 0 ? 0x8000u : 0) | (uint32_t)(exponent + 14) << 10 | ((uint32_t)ldexp(m, 11) & 1023u));
}

void gen_input(const struct gen_program *p, uint32_t param, void *out) {
    const struct gen_param *a = &p->params[param];
    uint8_t *at = out;
    uint64_t key = gen_mix(p->seed * 31 + param);
    for (uint32_t i = 0; i < a->count; i++, at += gen_elem_size(a->elem)) {
        uint32_t u = (uint32_t)(gen_mix(key + i) >> 20);
        double dyadic = (int)(u % 2049) / 16.0 - 64.0;
        if (u % 7 == 0) dyadic = (int)(u % 5) - 2;
        float f = (float)dyadic;
        int32_t whole = (int32_t)(u % 2048) - 1024;
        uint32_t word = u % 11 == 0 ? 0xFFFFFFFFu - u % 4 : (uint32_t)gen_mix(u ^ key);
        uint16_t small = a->elem == GEN_F16 ? half_bits(dyadic) : (uint16_t)word;
        uint8_t byte = a->elem == GEN_BOOL ? (uint8_t)(u & 1) : (uint8_t)word;
        uint64_t wide = gen_mix(gen_mix(u) ^ key) >> (u >> 8) % 64;
        if (u % 3 == 0) wide = ~wide;
        const void *from = gen_elem_size(a->elem) == 8   ? (void *)&wide
                           : a->elem == GEN_F32          ? (void *)&f
                           : a->elem == GEN_I32          ? (void *)&whole
                           : a->elem == GEN_U32          ? (void *)&word
                           : gen_elem_size(a->elem) == 2 ? (void *)&small
                                                         : (void *)&byte;
        memcpy(at, from, gen_elem_size(a->elem));
    }
}

char *gen_wrapper(const struct gen_program *p) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out,
            "\nvoid call_%llu(void **arrays, const double *scalars);\nvoid call_%llu(void **arrays, const double "
            "*scalars) {\n    %s(",
            (unsigned long long)p->seed, (unsigned long long)p->seed, p->entry);
    for (uint32_t i = 0; i < p->param_count; i++) {
        const struct gen_param *a = &p->params[i];
        if (a->is_array)
            fprintf(out, "%sarrays[%u]", i ? ", " : "", i);
        else
            fprintf(out, "%s(%s)scalars[%u]", i ? ", " : "",
                    a->elem == GEN_F32   ? "float"
                    : a->elem == GEN_U32 ? "unsigned"
                                         : "int",
                    i);
    }
    fputs(");\n}\n", out);
    fclose(out);
    return text;
}
