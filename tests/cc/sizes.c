// sizeof of arrays by their names, and how many elements they have, in regions and in functions: counted by an initialiser, local,
// of variable length, of rows; of doubles, which are smaller on the device.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
static double coefficients[] = {1, 0.5f, 0.25f, -0.125f};
static int table[3][5];

static float poly(float x) {
    float r = 0;
    for (int k = (int)COUNT(table) - 1; k >= 0; k--)
        r = r * x + table[k][1];
    return r + sizeof table;
}
int main(int argc, char **argv) {
    int n = argc > 5 ? 3 : 700;
    double local[8], vla[n];
    for (int i = 0; i < 15; i++)
        table[i / 5][i % 5] = i;
    for (int i = 0; i < 8; i++)
        local[i] = i;
    float *y = malloc(n * sizeof *y);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (size_t k = 0; k < COUNT(coefficients); k++)
            s = s * 0.5f + coefficients[k];
        for (unsigned k = 0; k < sizeof local / sizeof *local; k++)
            s += local[k];
        y[i] = s + poly(i * 0.001f) + sizeof(vla) / sizeof(double) + sizeof(table[0]) + sizeof table;
        vla[i] = s;
    }
    unsigned long bytes[9] = {0}, count = sizeof vla;
#pragma omp parallel for // CPU: sizeof of doubles, which are floats here, is another number
    for (int i = 0; i < 9; i++)
        bytes[i] = i * sizeof(double);
#pragma omp parallel for // CPU: sizeof of doubles, which are floats here
    for (int i = 0; i < 9; i++)
        bytes[i] += sizeof local;
#pragma omp parallel for // CPU: sizeof of doubles, which are floats here
    for (int i = 0; i < 9; i++)
        bytes[i] += count / sizeof *vla;
    double t = bytes[8];
    for (int i = 0; i < n; i++)
        t += y[i] + vla[i];
    printf("%.2f\n", t);
    free(y);
    return 0;
}
