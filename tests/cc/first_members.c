// Two large arrays in one struct: the first begins where the struct does, and its pages are not those of the second.
// build: -fdouble=float
#include <stdio.h>

enum { NX = 100, NY = 90 };
static struct {
    double u[NX][NY], v[NX][NY];
    int nx;
} f;

int main(void) {
    double sum = 0;
    f.nx = NX;
#pragma omp parallel for // GPU
    for (int i = 0; i < f.nx; i++)
        for (int j = 0; j < NY; j++) {
            f.u[i][j] = i * 3 % 7 + j;
            f.v[i][j] = 0;
        }
    for (int t = 0; t < 3; t++) {
        printf("%g\n", f.u[t][t]);
#pragma omp parallel for // GPU
        for (int i = 1; i < f.nx - 1; i++)
            for (int j = 0; j < NY; j++)
                f.v[i][j] = f.u[i][j] + 0.25 * (f.u[i + 1][j] - 2 * f.u[i][j] + f.u[i - 1][j]);
        f.v[0][t] = t;
#pragma omp parallel for // GPU
        for (int i = 0; i < f.nx - 1; i++)
            for (int j = 0; j < NY; j++)
                f.u[i][j] = f.v[i][j] + 1;
    }
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            sum += f.u[i][j] + f.v[i][j];
    printf("%g %d\n", sum, f.nx);
    return 0;
}
