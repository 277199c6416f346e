// Generators of random numbers whose state is the caller's, as the GNU C library has them. Whether the program's
// library has these is asked at the call.
#include <string.h>

#include "cc/region.h"

static const struct generator {
    const char *name, *text;
    const char *differs; // C text
} generators[] = {
    {"rand_r",
     "static int rand_r(unsigned *seed) { unsigned next = *seed * 1103515245u + 12345u, result = next / 65536 % 2048; "
     "next = next * 1103515245u + 12345u; result = result << 10 ^ next / 65536 % 1024; "
     "next = next * 1103515245u + 12345u; result = result << 10 ^ next / 65536 % 1024; "
     "*seed = next; return (int)result; }\n",
     "__extension__({ unsigned whorl_seed = 1; rand_r(&whorl_seed) != 476707713 || whorl_seed != 662824084u; })"},
    // the library computes modulo 2^48, and so does what is left of a product in 64 bits
    {"erand48",
     "static double erand48(unsigned short *seed) { unsigned long long next = ((unsigned long long)seed[2] << 32 | "
     "(unsigned long long)seed[1] << 16 | seed[0]) * 0x5deece66dull + 0xb; seed[0] = (unsigned short)next; "
     "seed[1] = (unsigned short)(next >> 16); seed[2] = (unsigned short)(next >> 32); "
     "return (double)(long long)(next & 0xffffffffffffull) * 0x1p-48; }\n",
     "__extension__({ unsigned short whorl_seed[3] = {1, 2, 3}; erand48(whorl_seed) != 0x1.c49aaf1b99ep-2 || "
     "whorl_seed[0] != 59000; })"},
    {"nrand48",
     "static long nrand48(unsigned short *seed) { unsigned long long next = ((unsigned long long)seed[2] << 32 | "
     "(unsigned long long)seed[1] << 16 | seed[0]) * 0x5deece66dull + 0xb; seed[0] = (unsigned short)next; "
     "seed[1] = (unsigned short)(next >> 16); seed[2] = (unsigned short)(next >> 32); "
     "return (long)(next >> 17 & 0x7fffffff); }\n",
     "__extension__({ unsigned short whorl_seed[3] = {1, 2, 3}; nrand48(whorl_seed) != 949179875; })"},
};

uint32_t cc_generator_at(const struct cc_source *s, uint32_t at) {
    if (!s->is_user[s->tokens[at].file] || cc_kind(s, at + 1) != FRONT_P_LPAREN) return 0;
    for (uint32_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (strcmp(s->tokens[at].text, generators[i].name) == 0)
            return cc_function_of(s, s->tokens[at].text) ? 0 : UINT32_C(1) << i;
    return 0;
}

void cc_put_generators(struct base_text *out, uint32_t set) {
    for (uint32_t i = 0; i < sizeof generators / sizeof *generators; i++)
        if (set >> i & 1) base_text_put(out, generators[i].text);
}

void cc_put_generator_bars(struct base_text *out, const char *program) {
    for (uint32_t i = 0; i < sizeof generators / sizeof *generators; i++) {
        size_t size = strcspn(generators[i].text, "(") + 1; // "static int rand_r("
        const char *head = base_strndup(out->cx, generators[i].text, size);
        if (strstr(program, head + 7))
            base_text_format(out, "%s ? \"the program's %s is not that of glibc\" : ", generators[i].differs,
                             generators[i].name);
    }
}
