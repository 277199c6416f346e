// Structs that each thread has for itself: an iteration sets the members that it reads, so the region needs no threads
// of the CPU's number; and one whose member goes from iteration to iteration, for which it does.
#include <omp.h>
#include <stdio.h>

struct place {
    float x, y, z;
};
struct pair {
    struct place from, to;
    float weight[2];
};

static struct place scale = {2.0f, 3.0f, 4.0f};
static float px[200], py[200], force[200], length[200], mixed[200];

static float next(struct place p) {
    p.x = p.x * 0.5f + 1.0f;
    return p.x;
}

static float scaled(float x) { return x * scale.x; }

int main(void) {
    struct place d;
    struct pair both;
    struct place goes = {1.0f, 2.0f, 3.0f};
    int i, j;
    for (i = 0; i < 200; i++)
        px[i] = (float)(i * 7 % 31), py[i] = (float)(i * 5 % 23);
#pragma omp parallel for private(j, d) // GPU: 1 call, 1 dispatch
    for (i = 0; i < 200; i++) {
        for (j = 0; j < 200; j++) {
            d.x = px[i] - px[j];
            d.y = py[i] - py[j];
            force[i] += d.x * d.x + d.y * d.y;
        }
    }
#pragma omp parallel for private(both) // GPU: 1 call, 1 dispatch
    for (i = 0; i < 200; i++) {
        both.from.x = px[i];
        both.to = (struct place){px[199 - i], py[199 - i], 0.0f};
        both.weight[0] = 2.0f;
        both.weight[1] = both.weight[0] * both.from.x;
        length[i] = both.to.x - both.from.x + both.weight[1] * both.to.y;
    }
#pragma omp parallel firstprivate(goes) num_threads(2) // GPU
    {
#pragma omp for schedule(static)
        for (int k = 0; k < 200; k++) {
            goes.y = px[k];
            mixed[k] = next(goes) + goes.x + goes.y;
            goes.x = goes.x * 0.75f + goes.y;
        }
    }
#pragma omp parallel for private(scale) // GPU
    for (i = 0; i < 200; i++) {
        scale.y = px[i];
        mixed[i] += scaled(scale.y); // the function means the other one
    }
    float sum = 0, lengths = 0, of = 0;
    for (i = 0; i < 200; i++)
        sum += force[i] * 1e-3f, lengths += length[i] * 1e-3f, of += mixed[i];
    printf("%.0f %.0f %.0f\n", sum, lengths, of);
    return 0;
}
