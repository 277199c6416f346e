// malloc, calloc and free in the entry and in functions that it calls: arrays of the program's own.
// test: -i n=60 -i m=7
// check: exact
#include <stdlib.h>
#include <string.h>

struct cell {
    int value, count;
};

static int *squares(int n) {
    int *s = malloc(sizeof(int) * (unsigned)n);
    if (!s) return NULL;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        s[i] = i * i;
    return s;
}

void allocate(int n, int m, int x[n][m], int out[n]) {
    int *flat = malloc((size_t)n * m * sizeof *flat);
    int(*rows)[m] = malloc(sizeof(int[n][m]));
    struct cell *cells = (struct cell *)calloc(n, sizeof(struct cell));
    int *one = calloc(1, sizeof *one), *half = calloc((size_t)n, sizeof *half), *two = squares(n);
    if (flat == NULL || !rows || !cells || !one || !half || !two) {
        free(flat);
        return;
    }
    int *const again = squares(2 * n); // another array
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++)
        half[i] = i * 100 + 7; // the others are zeros
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                flat[i * m + j] = x[i][j] + t;
                rows[i][j] = flat[i * m + j] * j;
            }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int next = (i + 1) % n;
            cells[i].value += rows[next][t] + flat[next * m] + two[i] - again[n + i];
            cells[i].count++;
        }
        *one += cells[t].value;
    }
    int *swap = malloc(sizeof(int) * (size_t)n);
    int *const kept = malloc(sizeof(int) * (size_t)n);
    memcpy(kept, again, sizeof(int) * (size_t)n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        swap[i] = two[i] + kept[n - 1 - i];
    for (int t = 0; t < 5; t++) { // two of them change places
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            two[i] = swap[i] + swap[(i + t) % n];
        int *other = two;
        two = swap;
        swap = other;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = cells[i].value * cells[i].count + *one + swap[n - 1 - i] + half[i];
    free(flat);
    free(rows);
    free(cells);
    free(one);
    free(half);
    free(two);
    free(again);
    free(kept);
    free(swap);
}
