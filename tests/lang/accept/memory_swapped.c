// memcpy, memmove and memset by pointers that were swapped or chosen, so that they lead to one of several arrays.
// test: -i n=37 -i steps=5 -i a=arange -i b=const:100
// check: exact
#include <stdlib.h>
#include <string.h>

void swapped(int n, int steps, int a[n], int b[n], int out[n], int kept[n], int cleared[n], int rows[n][4]) {
    int *x = a, *y = b;
    int *scratch = malloc(n * sizeof *scratch);
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] = x[(i + 1) % n] + i;
        int *old = x;
        x = y;
        y = old;
    }
    memcpy(out, x, n * sizeof(int));                       // from one of two
    memcpy(steps % 2 ? kept : scratch, y, n * sizeof *y);  // from one of two to one of two
    memcpy(steps % 2 ? scratch : kept, x, sizeof(int) * n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        cleared[i] = scratch[i] + kept[i];
    int *half = steps % 3 ? cleared : kept;
    memset(half + 2, 0, 6 * sizeof(int));
    free(scratch);
    if (x != a)
        memmove(a, x, n * sizeof(int));
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int even[4] = {i, 2, 3, 4}, odd[4] = {5, i, 7, 8};
        int *from = i % 2 ? odd : even;
        memcpy(rows[i], from, sizeof even);
        memcpy(i % 3 ? even : odd, i % 3 ? odd : even, sizeof even);
        rows[i][3] += even[0] + odd[1];
    }
}
