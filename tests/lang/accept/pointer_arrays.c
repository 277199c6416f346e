// Arrays of pointers that the program fills: rows of a matrix, arrays to choose from, pointers in structs in arrays.
// test: -i n=24 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
#include <stdlib.h>

struct series {
    const int *from;
    int *to;
    int count;
};

static int total(int **rows, int count, int width) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < width; j++)
            sum = sum * 3 + rows[i][j];
    return sum;
}

void pointer_arrays(int n, const int x[n], int a[n], int b[n], int y[n][8], int out[4]) {
    // rows of memory in one piece
    int *data = malloc(sizeof(int) * (size_t)n * 8), **rows = malloc(sizeof *rows * (size_t)n);
    for (int i = 0; i < n; i++)
        rows[i] = data + i * 8;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            rows[i][j] = x[i] * (j + 1);
    int *first = rows[0];
    rows[0] = rows[n - 1];
    rows[n - 1] = first;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *row = rows[(i + 1) % n];
        for (int j = 0; j < 8; j++)
            y[i][j] = row[j] + rows[i][7 - j];
    }
    // several arrays
    int *both[2] = {a, b};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        both[i & 1][i] = x[i];
        *(both[x[i] & 1] + i) += 1;
    }
    // in structs
    struct series all[3] = {{x, a, n}, {x + 1, b, n - 1}};
    all[2] = all[0];
    all[2].from = x + 2;
    all[2].count -= 2;
#pragma omp parallel for
    for (int i = 0; i < n - 2; i++) {
        int sum = 0;
        for (int k = 0; k < 3; k++)
            sum += all[k].from[i] * (k + 1) + all[k].count;
        all[i % 2].to[i] += sum;
    }
#pragma omp parallel for
    for (int i = 0; i < 4; i++) { // an iteration's own
        int u[4] = {i, 2, 3, 4}, v[4] = {5, 6, 7, i}, *own[3] = {u, v, u + 1};
        own[1] = i > 1 ? u + 2 : v + 1;
        out[i] = *own[i % 3] * 100 + own[2][1] + (own[0] == u) + total((int *[]){u, v}, 2, 4);
    }
    free(rows);
    free(data);
}
