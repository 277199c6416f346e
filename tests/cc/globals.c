// Functions of the region use arrays, numbers and pointers at file scope.
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 24 };
static float field[WIDTH][WIDTH], out[WIDTH][WIDTH];
static float rate = 0.5f;
static int border = 1;
static const float stencil[3] = {0.25f, 0.5f, 0.25f};
static float *extra;
static float total;

static float smooth(int i, int j) {
    float s = 0;
    for (int k = -1; k <= 1; k++)
        s += stencil[k + 1] * field[i][j + k] + extra[j] * rate;
    return s;
}

static void step(void) {
#pragma omp parallel for // GPU
    for (int i = border; i < WIDTH - border; i++)
        for (int j = border; j < WIDTH - border; j++)
            out[i][j] = smooth(i, j);
#pragma omp parallel for reduction(+ : total) // GPU
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j < WIDTH; j++)
            total += out[i][j];
}

int main(void) {
    extra = malloc(WIDTH * sizeof *extra);
    for (int i = 0; i < WIDTH; i++) {
        extra[i] = (float)i / 32;
        for (int j = 0; j < WIDTH; j++)
            field[i][j] = (float)((i * j) % 9);
    }
    step();
    printf("%.4f %.4f\n", (double)out[3][4], (double)total);
    rate = 2;
    border = 2;
    step();
    printf("%.4f %.4f %.4f\n", (double)out[3][4], (double)out[1][1], (double)total);
    free(extra);
    return 0;
}
