// Structs that mix doubles with other types: as floats they stand elsewhere on the device, word by word; as pairs of floats everything but
// the doubles is the same bytes. What it does not change keeps all of its digits.
// build: -fdouble=float
// build, too: -fdouble=pair
#include <stdio.h>
#include <stdlib.h>

struct body {
    int id;
    double at[3];
    float mass;
    double speed;
    char kind;
    struct {
        unsigned count;
        double total;
    } met[2];
    long long ticks;
};
struct limits {
    double least;
    int found;
};
struct sample {
    float weight;
    double value;
};
static struct body bodies[200];

int main(void) {
    int n = 120;
    struct sample *samples = malloc((size_t)n * sizeof *samples);
    struct limits limits = {1.0 / 3, 7};
    struct body **rows = malloc(4 * sizeof *rows);
    for (int i = 0; i < 200; i++)
        bodies[i] = (struct body){i, {i / 3.0, 0.5 * i, 0.25}, 2.0f, 1.0 / 7, (char)(i % 3),
                                  {{(unsigned)i, 0.125}, {3, 1.0 / 9}}, (1LL << 40) + i};
    for (int i = 0; i < n; i++)
        samples[i] = (struct sample){(float)i, i / 8.0};
    for (int r = 0; r < 4; r++)
        rows[r] = malloc(50 * sizeof **rows);
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 50; i++)
            rows[r][i] = bodies[r * 50 + i];
#pragma omp parallel for // GPU
    for (int i = 0; i < 200; i++) {
        if (bodies[i].kind == 1) bodies[i].at[1] += bodies[i].mass;
        bodies[i].met[1].count += (unsigned)bodies[i].id;
        bodies[i].met[0].total *= 2;
        bodies[i].ticks += 5;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        samples[i].value = samples[i].value * 2 + samples[i].weight;
#pragma omp parallel for // GPU
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 50; i++)
            rows[r][i].met[0].count += (unsigned)r;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        samples[i].value += limits.found;
    double sum = 0;
    int found = 0;
#pragma omp parallel // GPU
    {
#pragma omp for reduction(+ : found)
        for (int i = 0; i < n; i++)
            found += samples[i].value > 100;
#pragma omp single
        limits.found = found;
    }
    for (int i = 0; i < 200; i++)
        sum += bodies[i].at[0] + bodies[i].at[1] + bodies[i].met[0].total + bodies[i].met[1].count +
               (double)(bodies[i].ticks - (1LL << 40)) + bodies[i].kind;
    printf("%.12f %d %.17g\n", sum, limits.found, limits.least);
    printf("%d %.17g %g %.17g %d %u %g %u %.17g %lld\n", bodies[199].id, bodies[199].at[0], (double)bodies[199].mass,
           bodies[199].speed, bodies[199].kind, bodies[199].met[0].count, bodies[199].met[0].total,
           bodies[199].met[1].count, bodies[199].met[1].total, bodies[199].ticks);
    printf("%u %.17g %g %g\n", rows[3][49].met[0].count, rows[3][49].speed, (double)samples[7].weight,
           samples[7].value);
    return 0;
}
