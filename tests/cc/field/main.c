// A field of heat, in the files that people keep such things in: parameters from a file, aligned memory, a solver over members,
// statistics with a histogram of each thread.
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv) {
    params_t p;
    stats_t s;
    struct timespec a, b;
    FILE *f = fopen("in.txt", "w");
    if (f) fprintf(f, "n 40\nm 50\niters 60\ntol 1e-4\nalpha 0.2\n");
    if (f) fclose(f);
    if (!f || params_read(&p, argc > 1 ? argv[1] : "in.txt")) return 1;
    grid_t *g = grid_new(&p);
    clock_gettime(CLOCK_MONOTONIC, &a);
    double r = solve(g, &p);
    clock_gettime(CLOCK_MONOTONIC, &b);
    stats(g, &s);
    printf("residual %.3e min %.4f max %.4f mean %.4f\n", r, s.min, s.max, s.mean);
    for (int i = 0; i < 16; i++)
        printf("%ld%c", s.hist[i], i < 15 ? ' ' : '\n');
    fprintf(stderr, "%.3f s\n", (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec));
    grid_free(g);
    return 0;
}
