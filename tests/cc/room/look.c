#include "room.h"

void look(int n, double *x) {
#pragma omp parallel for schedule(static) // CPU: 'kept' is a variable of each thread
    for (int i = 0; i < n; i++)
        x[i] += kept[(i + 7) % 32];
}
