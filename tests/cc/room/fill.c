#include "room.h"

void fill(int n, double *x) {
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 32; k++)
            room[k] = 0.5 * (i + k);
        x[i] = room[i % 32] + room[31 - i % 32];
    }
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < n; i++) {
        set_room(i);
        x[i] += room[i % 32];
    }
}

void fill_kept(int n, double *x) {
#pragma omp parallel for schedule(static) // CPU at run time: 'kept' is a variable of each thread, and another file uses what is left in it
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 32; k++)
            kept[k] = 2 + k % 3;
        x[i] += kept[i % 32];
    }
}
