// Variables that a region sets before it reads them bring no value along, and need none: a pointer that a swap goes through has none yet.
// A variable may have the name of a function; numbers that no call has are no reason to stay.
#include <stdio.h>
#include <stdlib.h>

void half(void);

static int rows, columns, *data, **wall, *result;
static float halved[9];

void half(void) {
#pragma omp parallel for
    for (int i = 0; i < 9; i++)
        halved[i] *= 0.5f;
}

static float sum_of(int n, const float *x) {
    float half, sum = 0;
#pragma omp parallel for private(half) reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++) {
        half = 0.5f * x[i];
        sum += half;
    }
    return sum;
}

// Blocks of a matrix: with more blocks than fit into `n` columns, they would be one another's.
static void blocks(float *x, int n, int at) {
    int count = (n - at - 16) / 16;
#pragma omp parallel for // GPU: 1 call
    for (int k = 0; k < count; k++) {
        int row = at + 16 * (k + 1);
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                x[n * (at + i) + row + j] -= x[n * (at + i) + at];
                x[n * (row + i) + at + j] += x[n * (row + i) + at + 15 - j] * 0.25f;
            }
    }
}

int main(void) {
    int *src, *dst, *temp = NULL, min, kept;
    rows = 12;
    columns = 150;
    data = malloc((size_t)(rows * columns) * sizeof *data);
    wall = malloc((size_t)rows * sizeof *wall);
    result = malloc((size_t)columns * sizeof *result);
    for (int i = 0; i < rows; i++)
        wall[i] = data + columns * i;
    for (int i = 0; i < rows * columns; i++)
        data[i] = i * 7919 % 11;
    for (int i = 0; i < columns; i++)
        result[i] = wall[0][i];
    dst = result;
    src = malloc((size_t)columns * sizeof *src);
    kept = 4;
    for (int t = 0; t < rows - 1; t++) { // GPU: 1 call, 1 dispatch
        temp = src;
        src = dst;
        dst = temp;
        kept = t;
#pragma omp parallel for private(min)
        for (int n = 0; n < columns; n++) {
            min = src[n];
            if (n > 0) min = min < src[n - 1] ? min : src[n - 1];
            if (n < columns - 1) min = min < src[n + 1] ? min : src[n + 1];
            dst[n] = wall[t + 1][n] + min + kept % 2;
        }
    }
    for (int i = 0; i < columns; i += 10)
        printf("%d ", dst[i]);
    printf("%d\n", kept); // the last one's
    static float x[64 * 64];
    for (int i = 0; i < 64 * 64; i++)
        x[i] = (float)(i % 17) * 0.25f;
    blocks(x, 64, 0);
    printf("%g %g %g\n", (double)x[70], (double)x[2000], (double)sum_of(256, x));
    half();
    return 0;
}
