// build: -fdouble=pair
// Arrays of three dimensions behind pointers to pointers: an allocation a row, all rows in one, and tables in one; a time loop over two of them
// that exchange nothing; one that is ragged, and one with a plane that is missing.
#include <stdio.h>
#include <stdlib.h>

static double ***separate(int a, int b, int c) {
    double ***x = malloc((size_t)a * sizeof *x);
    for (int i = 0; i < a; i++) {
        x[i] = malloc((size_t)b * sizeof **x);
        for (int j = 0; j < b; j++)
            x[i][j] = calloc((size_t)c, sizeof ***x);
    }
    return x;
}

static double ***together(int a, int b, int c) {
    double ***x = malloc((size_t)a * sizeof *x);
    x[0] = malloc((size_t)a * (size_t)b * sizeof **x);
    x[0][0] = calloc((size_t)a * (size_t)b * (size_t)c, sizeof ***x);
    for (int i = 0; i < a; i++) {
        x[i] = x[0] + i * b;
        for (int j = 0; j < b; j++)
            x[i][j] = x[0][0] + (i * b + j) * c;
    }
    return x;
}

static void relax(double ***u, double ***v, int a, int b, int c) {
    for (int t = 0; t < 3; t++) { // GPU
#pragma omp parallel for collapse(2)
        for (int i = 1; i < a - 1; i++)
            for (int j = 1; j < b - 1; j++)
                for (int k = 1; k < c - 1; k++)
                    v[i][j][k] = (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]) / 6.0;
#pragma omp parallel for
        for (int i = 1; i < a - 1; i++)
            for (int j = 1; j < b - 1; j++)
                for (int k = 1; k < c - 1; k++)
                    u[i][j][k] += 0.5 * (v[i][j][k] - u[i][j][k]);
    }
}

int main(void) {
    int a = 9, b = 7, c = 11;
    double ***u = separate(a, b, c), ***v = together(a, b, c);
#pragma omp parallel for collapse(3) // GPU
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                u[i][j][k] = v[i][j][k] = (i * 5 + j * 3 + k) % 7;
    relax(u, v, a, b, c);
    printf("%.9f %.9f\n", u[4][3][5], v[7][5][9]);
    for (int j = 0; j < b; j++) { // of another length
        u[2][j] = realloc(u[2][j], (size_t)(c + 4) * sizeof(double));
        for (int k = c; k < c + 4; k++)
            u[2][j][k] = 0; // what was there before need not be a number that a pair of floats holds
    }
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++)
                sum += u[i][j][k];
    printf("%.9f\n", sum);
    double **kept = u[3];
    u[3] = NULL;
#pragma omp parallel for // CPU at run time: pointers of 'u' are compared
    for (int i = 0; i < a; i++)
        if (u[i] != NULL) u[i][0][0] = 1;
    u[3] = kept;
    int ***table = malloc(4 * sizeof *table), at = 0;
    for (int i = 0; i < 4; i++) {
        table[i] = malloc(5 * sizeof **table);
        for (int j = 0; j < 5; j++)
            table[i][j] = calloc(6, sizeof ***table);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            table[i][j][(i + j) % 6] = 10 * i + j;
    for (int i = 0; i < 4; i++)
        at += table[i][4][(i + 4) % 6];
    printf("%d %.9f\n", at, u[3][0][0] + u[4][0][0]);
    return 0;
}
