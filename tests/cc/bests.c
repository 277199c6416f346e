// The best of all, kept by critical sections in functions that a region calls: in variables at file scope, and behind pointers that
// the region hands over.
#include <stdio.h>

enum { N = 50000 };
struct found {
    float value;
    int at;
};
struct box {
    float value, corner[4];
};
static float x[N];
static float low = 1e9f;
static int low_at = -1;

static void keep(struct found *best, float value, int at) {
#pragma omp critical
    if (value > best->value || (value == best->value && at < best->at)) {
        best->value = value;
        best->at = at;
    }
}

static void lowest(float value, int at) {
#pragma omp critical(low)
    if (value < low || (value == low && at < low_at)) {
        low = value;
        low_at = at;
    }
}

int main(void) {
    struct found best = {-1, -1};
    for (int i = 0; i < N; i++)
        x[i] = (float)((i * 7919) % 10007) - (float)(i % 13);
    for (int k = 0; k < 3; k++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            keep(&best, x[i] * (float)(k + 1), i);
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            lowest(x[i] * (float)(2 - k), i);
    }
    printf("%g %d %g %d\n", best.value, best.at, low, low_at);
    struct box largest = {-1, {0}};
#pragma omp parallel for // CPU: this 'critical' keeps 'largest' as a whole, with the array 'corner' in it
    for (int i = 0; i < N; i++) {
        struct box own = {x[i], {x[i], x[i] + 1, 0, 2}};
#pragma omp critical
        if (own.value > largest.value) largest = own;
    }
    printf("%g %g\n", largest.value, largest.corner[1]);
    return 0;
}
