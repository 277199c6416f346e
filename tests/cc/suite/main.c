// Two matrix products as the kernels of suites are written: arrays behind macros, a timer in another file, results printed by rows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timer.h"

static void init_arrays(int ni, int nj, int nk, VALUE *alpha, VALUE *beta, VALUE A[SIZE][SIZE + 2], VALUE B[SIZE + 2][SIZE],
                        VALUE C[SIZE][SIZE]) {
    int i, j;
    *alpha = 1.5f;
    *beta = 0.25f;
    for (i = 0; i < ni; i++)
        for (j = 0; j < nk; j++)
            A[i][j] = (VALUE)((i * j + 1) % ni) / (VALUE)ni;
    for (i = 0; i < nk; i++)
        for (j = 0; j < nj; j++)
            B[i][j] = (VALUE)(i * (j + 1) % nj) / (VALUE)nj;
    for (i = 0; i < ni; i++)
        for (j = 0; j < nj; j++)
            C[i][j] = (VALUE)((i * (j + 3) + 1) % nj);
}

static void print_array(int ni, int nj, VALUE C[SIZE][SIZE]) {
    fprintf(stdout, "begin dump: %s\n", "C");
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            if ((i * ni + j) % 20 == 0) fprintf(stdout, "\n");
            fprintf(stdout, VALUE_FORMAT, (double)C[i][j]);
        }
    fprintf(stdout, "\nend   dump: %s\n", "C");
}

static void kernel(int ni, int nj, int nk, VALUE alpha, VALUE beta, VALUE tmp[SIZE][SIZE], VALUE A[SIZE][SIZE + 2],
                   VALUE B[SIZE + 2][SIZE], VALUE C[SIZE][SIZE]) {
    int i, j, k;
#pragma omp parallel // GPU
    {
#pragma omp for private(j, k)
        for (i = 0; i < ni; i++)
            for (j = 0; j < nj; j++) {
                tmp[i][j] = 0;
                for (k = 0; k < nk; ++k)
                    tmp[i][j] += alpha * A[i][k] * B[k][j];
            }
#pragma omp for private(j, k)
        for (i = 0; i < ni; i++)
            for (j = 0; j < nj; j++) {
                C[i][j] *= beta;
                for (k = 0; k < nj; ++k)
                    C[i][j] += tmp[i][k] / (VALUE)nj;
            }
    }
}

int main(int argc, char **argv) {
    int ni = SIZE, nj = SIZE, nk = SIZE + 2;
    VALUE alpha, beta;
    MATRIX(tmp, SIZE, SIZE);
    MATRIX(A, SIZE, SIZE + 2);
    MATRIX(B, SIZE + 2, SIZE);
    MATRIX(C, SIZE, SIZE);
    init_arrays(ni, nj, nk, &alpha, &beta, ELEMENTS(A), ELEMENTS(B), ELEMENTS(C));
    start_timer();
    kernel(ni, nj, nk, alpha, beta, ELEMENTS(tmp), ELEMENTS(A), ELEMENTS(B), ELEMENTS(C));
    stop_timer();
    KEEP(strcmp(argv[1], "") == 0 ? (void)0 : (void)0;)
    print_array(ni, nj, ELEMENTS(C));
    free((void *)tmp);
    free((void *)A);
    free((void *)B);
    free((void *)C);
    return 0;
}
