// colonies.c - colonies of 32 foragers, each with one generator of random numbers that all of its foragers draw from,
// one after the other; a colony remembers the richest place that one of them has found, and where it was going. After
// each season it hears of its neighbour's place.
//
// run: -i n=512 -i seasons=5 -i days=20
// test: -i n=5 -i seasons=3 -i days=3
// check: rel 1e-4
// dispatches: 1
#include <math.h>
#include <stdint.h>
#define ANTS 32
#define D 4

static float draw(uint32_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return (*s >> 8) * (1.0f / 16777216);
}

static float worth(const float at[D]) {
    float sum = 0;
    for (int d = 0; d < D; d++)
        sum += (at[d] - 0.3f * d) * (at[d] - 0.3f * d);
    return 1 / (0.1f + sum);
}

void forage(int n, int seasons, int days, float richest[n], float place[n][D], uint32_t seeds[n]) {
    float at[n][ANTS][D], found[n][ANTS], heard[n][D];
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        uint32_t seed = 77u + 1000u * c;
        richest[c] = -1;
        for (int a = 0; a < ANTS; a++)
            for (int d = 0; d < D; d++)
                at[c][a][d] = draw(&seed) - 0.5f;
        for (int d = 0; d < D; d++)
            place[c][d] = 0;
        seeds[c] = seed;
    }
    for (int season = 0; season < seasons; season++) {
#pragma omp parallel for
        for (int c = 0; c < n; c++) {
            uint32_t seed = seeds[c];
            float best = richest[c];
            for (int t = 0; t < days; t++) {
                for (int a = 0; a < ANTS; a++) {
                    for (int d = 0; d < D; d++)
                        at[c][a][d] += 0.2f * draw(&seed) * (place[c][d] - at[c][a][d]) + 0.02f * (draw(&seed) - 0.5f);
                    found[c][a] = worth(at[c][a]);
                }
                for (int a = 0; a < ANTS; a++)
                    if (found[c][a] > best) {
                        best = found[c][a];
                        for (int d = 0; d < D; d++)
                            place[c][d] = at[c][a][d];
                    }
            }
            richest[c] = best;
            seeds[c] = seed;
        }
#pragma omp parallel for
        for (int c = 0; c < n; c++)
            for (int d = 0; d < D; d++)
                heard[c][d] = place[(c + 1) % n][d];
#pragma omp parallel for
        for (int c = 0; c < n; c++)
            for (int d = 0; d < D; d++)
                place[c][d] = 0.5f * (place[c][d] + heard[c][d]);
    }
}
