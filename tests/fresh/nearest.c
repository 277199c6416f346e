// For each point of a cloud the distances to its K nearest neighbours, kept sorted while all others pass by.
// run: -i n=8192 -i cloud=uniform:lo=-1,hi=1,seed=7
// test: -i n=70 -i cloud=uniform:lo=-1,hi=1,seed=7
// check: rel 1e-5
#include <float.h>
#include <math.h>

#ifndef K
#define K 5
#endif

struct point {
    float x, y, z;
};

static void insert(float best[K], float d) {
    if (d >= best[K - 1])
        return;
    int at = K - 1;
    while (at > 0 && best[at - 1] > d) {
        best[at] = best[at - 1];
        at--;
    }
    best[at] = d;
}

void nearest(int n, const struct point cloud[n], float distance[n][K], float mean[K]) {
    static const float far = FLT_MAX;
    float sums[K];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const struct point *me = &cloud[i];
        float best[K];
        for (int k = 0; k < K; k++)
            best[k] = far;
        for (const struct point *p = cloud; p < cloud + n; p++) {
            if (p == me)
                continue;
            float dx = p->x - me->x, dy = p->y - me->y, dz = p->z - me->z;
            insert(best, dx * dx + dy * dy + dz * dz);
        }
        for (int k = 0; k < K; k++)
            distance[i][k] = sqrtf(best[k]);
    }
    for (int k = 0; k < K; k++) {
        float sum = 0.0f;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += distance[i][k];
        sums[k] = sum;
    }
    for (int k = 0; k < K; k++)
        mean[k] = sums[k] / (float)n;
}
