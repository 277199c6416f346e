// build: -fdouble=float
// Structs of doubles that are seen as their doubles; what is a float on the device and a double here is not seen as floats.
#include <stdio.h>
typedef struct { double re, im; } complex_double;
typedef struct { double x; float y; } padded;
static complex_double u[20][16];
static padded wide[20];
int main(void) {
    for (int i = 0; i < 20; i++) {
        wide[i] = (padded){i, 2 * (float)i};
        for (int j = 0; j < 16; j++)
            u[i][j] = (complex_double){i, j};
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 20; i++) {
        double *p = (double *)&u[i][0];
        for (int j = 0; j < 32; j++)
            p[j] += j;
    }
#pragma omp parallel for // CPU: cannot be seen as a pointer to 'float'
    for (int i = 0; i < 20; i++)
        *(double *)&wide[i] += i;
#pragma omp parallel for // CPU: cannot be seen as a pointer to 'float'
    for (int i = 0; i < 10; i++)
        ((float *)&wide[i])[2] += (float)i;
#pragma omp parallel for // CPU: cannot be seen as a pointer to 'float'
    for (int i = 0; i < 10; i++)
        ((float *)&u[i][1])[1] += (float)i;
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        sum += wide[i].x * 100 + wide[i].y;
        for (int j = 0; j < 16; j++)
            sum += u[i][j].re * i + u[i][j].im * j;
    }
    printf("%g\n", sum);
    return 0;
}
