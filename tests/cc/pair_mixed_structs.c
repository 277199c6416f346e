// build: -fdouble=pair
// Structs that mix doubles with other types (mixed_structs.c): a double that the device does not change keeps all of its bits, and one that no
// pair of floats can be keeps the region on the CPU.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
    int id;
    double at[3];
    float mass;
    double speed;
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
    struct limits limits = {1.0 / 7, 7};
    for (int i = 0; i < 200; i++)
        bodies[i] = (struct body){i, {i / 3.0, 0.5 * i, 0.25}, 2.0f, 1.0 / 7};
    for (int i = 0; i < n; i++)
        samples[i] = (struct sample){(float)i, i / 8.0};
    bodies[5].speed = 1e300;
    bodies[6].speed = 1e-200; // in what a region writes, as memory that nobody has set
#pragma omp parallel for // GPU
    for (int i = 0; i < 200; i++)
        bodies[i].at[2] = sqrt(bodies[i].at[2] + 1e-9 * bodies[i].id) * limits.least;
    printf("%.17g %.17g %.17g\n", bodies[5].speed, bodies[6].speed, bodies[7].speed);
#pragma omp parallel for // CPU at run time: 'speed' in element 5 of 'bodies' leaves the range of pairs of floats
    for (int i = 0; i < 200; i++)
        bodies[i].speed = bodies[i].speed * 0.5;
    samples[9].value = 1e-100;
    double most = 0;
#pragma omp parallel for reduction(max : most) // CPU at run time: 'value' in element 9 of 'samples' is 1e-100, too small for a pair of floats
    for (int i = 0; i < n; i++)
        most = fmax(most, samples[i].value * 2);
    samples[9].value = 7;
    int found = 0;
#pragma omp parallel // GPU
    {
#pragma omp for reduction(+ : found)
        for (int i = 0; i < n; i++)
            found += samples[i].value > 9;
#pragma omp single
        limits.found = found;
    }
    printf("%d %.17g %.6g %.9g\n", limits.found, limits.least, most, bodies[4].at[2]);
    printf("%.17g %.17g %.17g\n", bodies[5].speed, bodies[6].speed, bodies[199].at[0]);
    return 0;
}
