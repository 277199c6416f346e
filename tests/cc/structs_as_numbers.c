// Arrays of structs that are seen as the numbers in them: complex numbers by a function on floats, points of three coordinates, pixels of
// bytes, records of integers that hold another record; and such as have no row of numbers in them, which stay.
#include <stdio.h>
typedef struct { float re, im; } complex_float;
typedef struct { float x, y, z; } point;
typedef struct { unsigned char r, g, b; } pixel;
typedef struct { int low, high; } range;
typedef struct { int id; range span; int last[2]; } record;
typedef struct { float weight; int count; } mixed;
typedef struct { double x; float y; } padded;

static complex_float u[64][32];
static point points[128];
static pixel pixels[40][30];
static record records[50];
static mixed pairs[20];
static padded wide[20];

static void butterfly(float *x, int n) {
    for (int i = 0; i < n; i += 2) {
        float a = x[2 * i] - x[2 * i + 2], b = x[2 * i + 1] - x[2 * i + 3];
        x[2 * i] += x[2 * i + 2];
        x[2 * i + 1] += x[2 * i + 3];
        x[2 * i + 2] = a;
        x[2 * i + 3] = b;
    }
}

static void move(point *p, int n, float by) {
    float *at = (float *)p;
#pragma omp parallel for // GPU
    for (int i = 0; i < 3 * n; i++)
        at[i] += by * (float)(i % 3);
}

int main(void) {
    for (int k = 0; k < 64; k++)
        for (int j = 0; j < 32; j++)
            u[k][j] = (complex_float){(float)(k - j), (float)(k * j % 7)};
    for (int i = 0; i < 1200; i++)
        ((unsigned char *)pixels)[3 * i + i % 3] = (unsigned char)(i % 251);
#pragma omp parallel for // GPU
    for (int k = 0; k < 64; k++) {
        butterfly((float *)&u[k][0], 32);
        u[k][3].im += 0.5f; // as a field, too
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 128; i++) {
        float *p = (float *)&points[i], *end = p + 3;
        for (int d = 0; p < end; p++, d++)
            *p = (float)(i * d + 1);
    }
    move(points, 128, 2);
#pragma omp parallel for // GPU
    for (int y = 1; y < 40; y++) {
        const unsigned char *row = (const unsigned char *)pixels[y];
        int sum = 0;
        for (int i = 0; i < 90; i++)
            sum += row[i] * i;
        records[y].id = sum;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 50; i++) {
        int *all = (int *)&records[i], *span = (int *)&records[i].span;
        all[4] = all[0] % 10;
        span[0] = i;
        span[1] = 2 * i;
        records[i].last[0] += all[1] + all[2];
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 50; i++) { // a number's place is that of its field
        const int *all = (int *)&records[i], *low = &records[i].span.low, *last = records[i].last;
        if (all + 1 == low && all != low && all + 5 > last) records[i].id += (int)(last - all) + 10 * (int)(low - all);
    }
#pragma omp parallel for // CPU: a pointer to 'struct (unnamed)' cannot be seen as a pointer to 'float'
    for (int i = 0; i < 20; i++)
        ((float *)&pairs[i])[0] = (float)i;
#pragma omp parallel for // CPU:
    for (int i = 0; i < 20; i++)
        ((float *)&wide[i])[2] = (float)i;

    double sum = 0;
    long all = 0;
    for (int k = 0; k < 64; k++)
        for (int j = 0; j < 32; j++)
            sum += u[k][j].re * (j + 1) + u[k][j].im * (k + 2);
    for (int i = 0; i < 128; i++)
        sum += points[i].x + points[i].y * 2 + points[i].z * i;
    for (int i = 0; i < 50; i++)
        all += records[i].id + records[i].span.low * 2 + records[i].span.high * 3 + records[i].last[0] * 5 + records[i].last[1] * 7;
    for (int i = 0; i < 20; i++)
        sum += pairs[i].weight + wide[i].y;
    printf("%.9g %ld\n", sum, all);
    return 0;
}
