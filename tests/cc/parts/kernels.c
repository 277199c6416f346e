#include "parts.h"

void fill(int n, double *x) {
#pragma omp parallel // GPU
    {
        struct cell c;
#pragma omp master
        if (loud) say(__LINE__);
#pragma omp for
        for (int i = 0; i < n; i++) {
            exact(i * 0.01, &c);
            x[i] = c.value * c.weight;
        }
    }
}

void rows(double (*a)[SIZE]) {
#pragma omp parallel for // GPU
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            a[i][j] = i + j;
        eliminate(a[i], 0.5);
    }
}

void others(int n, double *x) {
#pragma omp parallel for // CPU at run time: 'scale' is not the function that was found beside this file
    for (int i = 0; i < n; i++)
        x[i] = scale(x[i]);
#pragma omp parallel for // CPU: 'counted' is called and defined nowhere
    for (int i = 0; i < n; i++)
        x[i] = counted(x[i]);
#pragma omp parallel for // CPU: 'mixed' of helpers.c names 'offset', which is static there
    for (int i = 0; i < n; i++)
        x[i] = mixed(x[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        x[i] = weighed(x[i]) + doubled(x[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        x[i] += quarter(x[i]) - halved(x[i]);
}
