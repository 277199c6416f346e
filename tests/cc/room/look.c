#include "room.h"

void look(int n, double *x) {
#pragma omp parallel for schedule(static) // GPU
    for (int i = 0; i < n; i++)
        x[i] += kept[(i + 7) % 32];
}
