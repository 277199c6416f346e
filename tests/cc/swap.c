// Two buffers that change places in every step: the pointers are the program's own again afterwards.
// args: 7
#include <stdio.h>
#include <stdlib.h>

#define SWAP(type, a, b)   \
    do {                   \
        type swapped_ = a; \
        a = b;             \
        b = swapped_;      \
    } while (0)

int main(int argc, char **argv) {
    int n = 1000, steps = argc > 1 ? atoi(argv[1]) : 4;
    float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof(float)), *first = a;
    for (int i = 0; i < n; i++)
        a[i] = b[i] = (float)(i % 17);
    for (int t = 0; t < steps; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *old = a;
        a = b;
        b = old;
    }
    for (int t = 0; t < steps; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25f * (a[i - 1] + 2 * a[i] + a[i + 1]);
        SWAP(float *, a, b);
    }
    printf("%s\n", a == first ? "even" : "odd");
    for (int i = 0; i < n; i += 111)
        printf("%.4f %.4f\n", (double)a[i], (double)b[i]);
    free(a);
    free(b);
    return 0;
}
