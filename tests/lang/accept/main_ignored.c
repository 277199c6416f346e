// main, and functions that the entry does not call, may use all of C: only what the entry reaches is compiled.
// test: -i n=16
// check: exact
#include <stdio.h>
#include <stdlib.h>

void squares(int n, int out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = i * i;
}

static double average(const int *x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    int *x = malloc((size_t)n * sizeof *x);
    if (!x)
        return EXIT_FAILURE;
    squares(n, x);
    printf("%d values, mean %f\n", n, average(x, n));
    free(x);
    return 0;
}
