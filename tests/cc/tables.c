// Rows behind pointers whose elements are found by what other arrays say, members in parentheses, as macros leave them, structs that are
// reached under a condition, and the sign of an infinity.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    unsigned rows, columns;
    float **me, *base;
} matrix;
#define AT(m, i, j) ((m)->me[(i)][(j)])
#define ROWS(m) ((m)->rows)

static matrix *make(unsigned rows, unsigned columns) {
    matrix *m = malloc(sizeof *m);
    m->rows = rows;
    m->columns = columns;
    m->base = calloc(rows * columns, sizeof(float));
    m->me = malloc(rows * sizeof(float *));
    for (unsigned i = 0; i < rows; i++)
        m->me[i] = m->base + i * columns;
    return m;
}

// What is behind a row is the next one, in the memory of C.
static float walk(matrix *m, const int *to) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 1 call
    for (unsigned i = 0; i < ROWS(m) / 2; i++)
        for (int j = 0; j < 9; j++)
            sum += AT(m, i, to[j]) + AT(m, to[j] % 4, j);
    return sum;
}

// Written, too.
static void scatter(matrix *m, const int *to) {
#pragma omp parallel for // GPU: 1 call
    for (unsigned i = 0; i < ROWS(m) / 2; i++)
        for (int j = 0; j < 3; j++)
            AT(m, i, to[j]) += (float)i;
}

static void edges(matrix *from, matrix *to, int height, int width) {
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) {
            int up = i ? i - 1 : 0, down = i == height - 1 ? i : i + 1, left = j != 0 ? j - 1 : 0;
            float all = AT(from, up, j) + AT(from, down, j) + AT(from, i, left);
            if (all > 1) AT(to, i, j) = all;
        }
}

static void maybe(matrix *to, int n) { // `to` may be NULL
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (n > 3) (to)->base[i] += 1;
}

int main(void) {
    matrix *a = make(16, 12), *b = make(16, 12);
    int to[9] = {3, 11, 20, 7, 1, 15, 22, 9, 0};
    int signs[6];
    float values[6] = {INFINITY, -INFINITY, 1, -1, NAN, 0};
    for (int i = 0; i < 16 * 12; i++)
        a->base[i] = (float)(i % 23);
    printf("%g\n", (double)walk(a, to));
    scatter(a, to);
    edges(a, b, 16, 12);
    maybe(NULL, 3);
    maybe(b, 20);
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < 6; i++)
        signs[i] = isinf(values[i]) * 2 + isnan(values[i]);
    for (int i = 0; i < 6; i++)
        printf("%d ", signs[i]);
    for (int i = 0; i < 16 * 12; i += 7)
        printf("%g %g ", (double)a->base[i], (double)b->base[i]);
    printf("\n");
    return 0;
}
