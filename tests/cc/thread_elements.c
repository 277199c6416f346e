// Arrays of each thread of which regions set one element after the other: all of them, those that are read, and not all.
#include <stdio.h>

static float room[3], axes[2][2], kept[4];
#pragma omp threadprivate(room, axes, kept)
enum { N = 64 };
static float x[N], y[N], z[N], w[N];

static float length(const float *v) { return v[0] * v[0] + v[1] * v[1]; }

int main(void) {
#pragma omp parallel // GPU
    kept[0] = kept[1] = kept[2] = kept[3] = 5;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        kept[0] = (float)i;
        x[i] = kept[0] + kept[1];
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        room[0] = (float)i;
        room[1] = room[0] + 1;
        room[2] = room[1] * 2;
        for (int k = 0; k < 3; k++)
            y[i] += room[k];
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        axes[0][0] = (float)i;
        axes[0][1] = 2;
        z[i] = axes[0][1] - axes[0][0];
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        room[1] = 3;
        room[0] = (float)i;
        w[i] = length(room);
    }
    float sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * 2 + y[i] * 3 + z[i] + w[i] * (float)(i % 5);
    printf("%g\n", (double)sum);
    return 0;
}
