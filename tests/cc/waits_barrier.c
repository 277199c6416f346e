// A target that does not wait is a task of the CPU, and no directive but a barrier, in a loop that the GPU runs, says that it must be done.
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static float a[N], b[N];

int main(void) {
    for (int v = 0; v < 3; v++) {
#pragma omp target teams distribute parallel for nowait map(a) // CPU: `snprintf`
        for (int i = 0; i < N; i++) {
            char text[20];
            snprintf(text, sizeof text, "%d", i % 10 + v);
            a[i] = (float)atof(text);
        }
        for (int t = 0; t < 2; t++) { // GPU
#pragma omp barrier
#pragma omp target teams distribute parallel for map(a, b)
            for (int i = 0; i < N; i++)
                b[i] += a[i];
        }
        printf("%g %g\n", (double)a[9], (double)b[N - 1]);
    }
    return 0;
}
