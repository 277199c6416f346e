// malloc and calloc of sizes that --uniform keeps open: products of scalars and the element's size.
// test: -i n=60 -i m=7 -i p=5 --uniform n --uniform m --uniform p
// check: exact
#include <stdlib.h>

struct cell {
    int value, count;
};

static int *squares(int n) {
    int *s = malloc((n + 1) * sizeof(int));
    if (!s) return NULL;
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        s[i] = i * i;
    return s;
}

void allocate(int n, int m, size_t p, int out[n]) {
    int *flat = malloc((size_t)n * m * sizeof *flat), (*rows)[m] = malloc(n * sizeof *rows);
    struct cell *cells = calloc(2 * (p + m), sizeof *cells);
    int *two = squares(2 * n);
    if (!flat || !rows || !cells || !two) return;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            flat[i * m + k] = i - k;
            rows[i][k] = 3 * i + k;
        }
#pragma omp parallel for
    for (int k = 0; k < (int)p + m; k++)
        cells[k] = (struct cell){k, 2};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = two[n + i] + cells[i % p + m].value + cells[2 * p + 2 * m - 1].value;
        for (int k = 0; k < m; k++)
            sum += flat[(n - 1 - i) * m + k] + rows[i][m - 1 - k];
        out[i] = sum + two[2 * n];
    }
    free(flat);
    free(rows);
    free(cells);
    free(two);
}
