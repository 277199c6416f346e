// Generators of random numbers, one of each thread: what comes out depends on how many threads there are, and is what
// the CPU has with as many.
// build: -fdouble=float
// build, too: -fdouble=pair
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint64_t state;
    uint32_t calls;
} stream;

static uint32_t draw(stream *s) { // of D. E. Knuth's MMIX, the high bits
    s->state = s->state * 6364136223846793005u + 1442695040888963407u;
    s->calls++;
    return (uint32_t)(s->state >> 33);
}

static double uniform(unsigned *seed) { return (rand_r(seed) % 4096 + 0.5) / 4096; }

static int walkers(int steps) {
    int far = 0;
#pragma omp parallel // GPU
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads(), own = 0;
        stream s = {(uint64_t)id * 977 + 3, 0};
        for (int w = id; w < 60; w += threads) {
            int x = 0, y = 0;
            for (int t = 0; t < steps; t++) {
                uint32_t way = draw(&s) & 3;
                x += way == 0 ? 1 : way == 1 ? -1 : 0;
                y += way == 2 ? 1 : way == 3 ? -1 : 0;
            }
            own += x * x + y * y;
        }
#pragma omp atomic
        far += own;
    }
    return far;
}

int main(int argc, char **argv) {
    int samples = argc > 1 ? atoi(argv[1]) : 3000, hits = 0, inside = 0, some = 0;
    unsigned seed = 42;
    static int histogram[8], tries[64];
#pragma omp parallel reduction(+ : hits) // GPU
    {
        unsigned int own = 1234 + 17 * (unsigned)omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < samples; i++) {
            double x = uniform(&own), y = uniform(&own);
            if (x * x + y * y <= 1.0) hits++;
        }
    }
#pragma omp parallel for firstprivate(seed) reduction(+ : inside) schedule(static) // GPU
    for (int i = 0; i < samples; i++)
        inside += rand_r(&seed) % 3 == 0;
#pragma omp parallel // GPU
    {
        unsigned own = (unsigned)omp_get_thread_num() + 1;
        int many = samples / omp_get_num_threads(), drawn = 0;
        for (int i = 0; i < many; i++) {
            double x, y, r;
            do { // inside of the circle, by as many tries as it takes
                x = 2 * uniform(&own) - 1;
                y = 2 * uniform(&own) - 1;
                r = x * x + y * y;
                drawn++;
            } while (r >= 1 || r == 0);
#pragma omp atomic
            histogram[(x < 0) * 4 + (y < 0) * 2 + (r < 0.5)]++;
        }
        tries[omp_get_thread_num()] = drawn;
    }
#pragma omp parallel num_threads(3) // GPU
    {
        unsigned own = 7;
#pragma omp for schedule(static, 5)
        for (int i = 0; i < samples; i++) {
            own ^= own << 13;
            own ^= own >> 17;
            own ^= own << 5;
            if (own % 10 == 3) {
#pragma omp critical
                some += 1;
            }
        }
    }
    printf("%d %d %d %d %d\n", hits, inside, some, walkers(50), tries[0]);
    for (int k = 0; k < 8; k++)
        printf("%d ", histogram[k]);
    printf("\n");
    return 0;
}
