// From a seed to a program, its inputs, and the function that calls it.
#include <stdlib.h>
#include <string.h>

#include "make.h"

const char gen_label[] = "random";

struct gen_program *gen_create(uint64_t seed) {
    struct gen_program *p = calloc(1, sizeof *p);
    struct maker *g = calloc(1, sizeof *g);
    if (!p || !g) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    p->seed = seed;
    snprintf(p->entry, sizeof p->entry, "entry_%llu", (unsigned long long)seed);
    p->root = gen_alloc(p, sizeof *p->root);
    g->p = p;
    g->random = gen_mix(seed);
    g->result_struct = -1;
    g->budget = 100;
    g->grid = chance(g, 40);
    make_preamble(g);
    make_functions(g);
    make_params(g);
    make_entry(g);
    free(g);
    return p;
}
