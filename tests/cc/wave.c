// args: 300 -s 40
// A wave in two dimensions: options, static functions on the whole grid, a time loop on the CPU that prints, pointers that go round.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    int nx, ny, steps, every;
} options;

static void parse(int argc, char **argv, options *o) {
    int c;
    while ((c = getopt(argc, argv, "s:e:")) != -1)
        switch (c) {
        case 's': o->steps = atoi(optarg); break;
        case 'e': o->every = atoi(optarg); break;
        default: fprintf(stderr, "usage: %s [-s steps] [-e every] n\n", argv[0]); exit(2);
        }
    if (optind < argc) o->nx = o->ny = atoi(argv[optind]);
}

static void advance(int nx, int ny, const float *restrict now, const float *restrict before, float *restrict next, float c) {
    int i, j;
#pragma omp parallel for private(j) schedule(static) // GPU: 40 calls, 40 dispatches, 1.08 MB there, 1.8 MB back
    for (i = 1; i < nx - 1; i++)
        for (j = 1; j < ny - 1; j++) {
            int at = i * ny + j;
            float around = now[at - 1] + now[at + 1] + now[at - ny] + now[at + ny] - 4.0f * now[at];
            next[at] = 2.0f * now[at] - before[at] + c * around;
        }
}

static float energy(int n, const float *u) {
    float e = 0;
#pragma omp parallel for reduction(max : e) // GPU
    for (int i = 0; i < n; i++)
        e = fmaxf(e, fabsf(u[i]));
    return e;
}

int main(int argc, char **argv) {
    options o = {100, 100, 20, 10};
    parse(argc, argv, &o);
    size_t count = (size_t)o.nx * (size_t)o.ny;
    float *u[3];
    for (int k = 0; k < 3; k++)
        if (!(u[k] = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64))) return 1;
    for (size_t i = 0; i < count; i++)
        u[0][i] = u[1][i] = u[2][i] = 0;
    u[1][count / 2 + (size_t)o.ny / 2] = u[0][count / 2 + (size_t)o.ny / 2] = 64;
    clock_t from = clock();
    float *before = u[0], *now = u[1], *next = u[2];
    for (int t = 1; t <= o.steps; t++) {
        advance(o.nx, o.ny, now, before, next, 0.25f);
        float *free_one = before;
        before = now;
        now = next;
        next = free_one;
        if (t % o.every == 0) printf("step %4d: %.3f\n", t, (double)energy((int)count, now));
    }
    fprintf(stderr, "%.3f s\n", (double)(clock() - from) / CLOCKS_PER_SEC);
    printf("%.3f %.3f\n", (double)now[count / 2 + (size_t)o.ny / 2], (double)before[count / 2 + 1]);
    for (int k = 0; k < 3; k++)
        free(u[k]);
    return EXIT_SUCCESS;
}
