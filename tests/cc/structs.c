// Structs: arrays of them by pointer and by name, one passed by value, one that changes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float x, y, vx, vy;
    int hits;
} particle;
struct box {
    float width, height;
};
static particle fixed[10];

static particle move(particle p, struct box b) {
    p.x += p.vx;
    p.y += p.vy;
    if (p.x < 0 || p.x > b.width) {
        p.vx = -p.vx;
        p.hits++;
    }
    if (p.y < 0 || p.y > b.height) {
        p.vy = -p.vy;
        p.hits++;
    }
    return p;
}

int main(void) {
    int n = 200, hits = 0;
    particle *p = malloc((size_t)n * sizeof *p);
    struct box b = {10, 6};
    for (int i = 0; i < n; i++)
        p[i] = (particle){(float)(i % 10), (float)(i % 6), 0.3f + (float)i / 100, -0.2f, 0};
    for (int t = 0; t < 50; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            p[i] = move(p[i], b);
    }
#pragma omp parallel for reduction(+ : hits) // GPU
    for (int i = 0; i < n; i++)
        hits += p[i].hits;
#pragma omp parallel for // GPU
    for (int i = 0; i < 10; i++)
        fixed[i].x = sqrtf(b.width * (float)i);
    printf("%d %.3f %.3f %.3f\n", hits, (double)p[17].x, (double)p[18].y, (double)fixed[7].x);
    free(p);
    return 0;
}
