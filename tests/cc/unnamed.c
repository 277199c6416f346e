// Structs without a tag: of variables at file scope and in functions, one by one and in arrays, const, with arrays in them, with
// members that have no name themselves.
#include <stdio.h>
#include <stdlib.h>

static struct {
    int lo, hi;
    float sum;
} ranges[4] = {{0, 16, 0}, {16, 20, 0}, {20, 60, 0}, {60, 64, 0}}, whole = {0, 64, 1};
static const struct { float at[3], weight; } points[] = {{{0.5f, 0, 0}, 1}, {{0, 0.25f, 0}, 2}, {{1, 1, 1}, 3}};
struct {
    struct {
        int n;
    };
    int *list;
} lists;

static float near(const float *x, int k) { return x[k] * points[k].weight + points[k].at[k]; }

int main(void) {
    float x[64];
    struct {
        int first;
        float w[2];
    } local[3] = {{1, {0.5f, 2}}, {4, {1, 3}}, {0, {0, 0}}}, one = {7, {8, 9}};
    const struct { int k; } fixed = {3};
    lists.n = 40;
    lists.list = calloc((size_t)lists.n, sizeof *lists.list);
#pragma omp parallel for // GPU
    for (int i = whole.lo; i < whole.hi; i++)
        x[i] = (float)i * 0.5f;
#pragma omp parallel for // GPU
    for (int r = 0; r < 4; r++)
        for (int i = ranges[r].lo; i < ranges[r].hi; i++)
            ranges[r].sum += x[i];
#pragma omp parallel for // GPU
    for (int i = 0; i < 3; i++) {
        local[i].w[1] += local[i].w[0] + near(x, i);
        if (i == 2) local[i] = one;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < lists.n; i++)
        lists.list[i] = i * fixed.k;
    for (int r = 0; r < 4; r++)
        printf("%.2f ", (double)ranges[r].sum);
    printf("%.2f %.2f %d %d\n", (double)local[0].w[1], (double)local[2].w[1], local[2].first, lists.list[39]);
    free(lists.list);
    return 0;
}
