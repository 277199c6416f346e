// build: -fdouble=pair
// build, too: -fdouble=float
// Rows of their own lengths behind pointers, whose indices come from data: in one allocation, as sparse matrices have them, in one each,
// as they are filled; and an index that goes from one row into the next.
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int rows, *lengths, **columns;
    double **values;
    double *all_values;
    int *all_columns;
};

static int length_of(int row) { return 1 + row * 7 % 5; }

static void fill(struct matrix *a, int row) {
    for (int k = 0; k < a->lengths[row]; k++) {
        a->columns[row][k] = (row * 3 + k * 11) % a->rows;
        a->values[row][k] = 1 + (row + k) % 4 * 0.25;
    }
}

static struct matrix in_one(int rows) {
    struct matrix a = {.rows = rows};
    int count = 0;
    a.lengths = malloc(sizeof(int) * (size_t)rows);
    a.columns = malloc(sizeof(int *) * (size_t)rows);
    a.values = malloc(sizeof(double *) * (size_t)rows);
    for (int i = 0; i < rows; i++)
        count += a.lengths[i] = length_of(i);
    double *value = a.all_values = malloc(sizeof(double) * (size_t)count);
    int *column = a.all_columns = malloc(sizeof(int) * (size_t)count);
    for (int i = 0; i < rows; i++) {
        a.values[i] = value;
        a.columns[i] = column;
        value += a.lengths[i];
        column += a.lengths[i];
        fill(&a, i);
    }
    return a;
}

static struct matrix in_each(int rows) {
    struct matrix a = {.rows = rows};
    a.lengths = malloc(sizeof(int) * (size_t)rows);
    a.columns = malloc(sizeof(int *) * (size_t)rows);
    a.values = malloc(sizeof(double *) * (size_t)rows);
    for (int i = 0; i < rows; i++) {
        a.lengths[i] = length_of(i);
        a.values[i] = malloc(sizeof(double) * (size_t)a.lengths[i]);
        a.columns[i] = malloc(sizeof(int) * (size_t)a.lengths[i]);
        fill(&a, i);
    }
    return a;
}

static void multiply(const struct matrix *a, const double *x, double *y) {
    const int rows = a->rows;
#pragma omp parallel for // GPU: 4 calls
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        const double *const values = (const double *const)a->values[i];
        const int *const columns = (const int *const)a->columns[i];
        const int length = a->lengths[i];
        for (int k = 0; k < length; k++)
            sum += values[k] * x[columns[k]];
        y[i] = sum;
    }
}

// Of one table alone, whose rows are as long as another array says.
static void scale(int rows, double **values, int *lengths, double by) {
#pragma omp parallel for default(none) shared(rows, values, lengths, by) // GPU: 2 calls
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < lengths[i]; k++)
            values[i][k] *= by;
}

static void turn(int rows, int **columns) {
#pragma omp parallel for // GPU
    for (int i = 0; i < 2 * rows; i++)
        columns[0][i] = (columns[0][i] + 1) % rows;
}

// Rows of which two are in one allocation, and others are not.
static void mixed(int rows, int *lengths) {
    int **table = malloc(sizeof(int *) * (size_t)rows), sum = 0;
    for (int i = 0; i < rows; i++)
        table[i] = i % 2 ? table[i - 1] + length_of(i - 1) : calloc(12, sizeof(int));
#pragma omp parallel for // CPU at run time: whether indices stay inside
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < lengths[i]; k++)
            table[i][k] = i + k;
    for (int i = 0; i < rows; i++)
        sum += table[i][lengths[i] - 1];
    printf("%d\n", sum);
}

// A table with less rows than pointers, found by numbers that come from data.
static void some(int rows, int *lengths, int *which) {
    int **table = malloc(sizeof(int *) * (size_t)rows * 2), sum = 0;
    for (int i = 0; i < 2 * rows; i++)
        table[i] = i < rows ? calloc((size_t)lengths[i], sizeof(int)) : NULL;
#pragma omp parallel for reduction(+ : sum) // CPU at run time: whether indices stay inside
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < lengths[which[i]]; k++)
            sum += table[which[i]][k] + k;
    printf("%d\n", sum);
}

static double sum_of(int n, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += y[i] * (i % 3 + 1);
    return sum;
}

int main(void) {
    enum { ROWS = 500 };
    struct matrix one = in_one(ROWS), each = in_each(ROWS);
    double *x = malloc(ROWS * sizeof(double)), *y = calloc(ROWS, sizeof(double));
    for (int i = 0; i < ROWS; i++)
        x[i] = i % 7 * 0.5;
    multiply(&one, x, y);
    printf("%g\n", sum_of(ROWS, y));
    multiply(&each, x, y);
    printf("%g\n", sum_of(ROWS, y));
    scale(ROWS, one.values, one.lengths, 0.5);
    scale(ROWS, each.values, each.lengths, 2.0);
    turn(ROWS, one.columns);
    multiply(&one, x, y);
    printf("%g %g\n", sum_of(ROWS, y), one.all_values[700]);
    multiply(&each, x, y);
    printf("%g\n", sum_of(ROWS, y));
    mixed(ROWS, one.lengths);
    some(ROWS, one.lengths, one.columns[0]);
    return 0;
}
