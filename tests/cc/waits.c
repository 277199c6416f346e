// Targets that do not wait, and others that depend on them: some of them are tasks of the CPU.
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static float a[N], b[N], c[N];

static void twice(int rounds) {
    for (int k = 0; k < rounds; k++) { // GPU
#pragma omp target teams distribute parallel for nowait depend(in : a[0]) depend(inout : c[0]) map(a, c)
        for (int i = 0; i < N; i++)
            c[i] += a[i];
#pragma omp target teams distribute parallel for nowait depend(inout : c[0]) map(c)
        for (int i = 0; i < N; i++)
            c[i] *= 2;
#pragma omp taskwait
    }
}

int main(void) {
    int n = N;
    for (int t = 0; t < 3; t++) {
#pragma omp target teams distribute parallel for nowait depend(out : a[0]) map(a) // CPU: `snprintf`
        for (int i = 0; i < n; i++) {
            char text[20];
            snprintf(text, sizeof text, "%d", i + t);
            a[i] = (float)atof(text);
        }
#pragma omp target teams distribute parallel for nowait depend(in : a[0]) depend(out : b[0]) map(a, b) // GPU
        for (int i = 0; i < n; i++)
            b[i] += 2 * a[i];
#pragma omp target teams distribute parallel for nowait depend(in : a[0]) map(a, c) // CPU: `snprintf`
        for (int i = 0; i < n; i++) {
            char text[20];
            snprintf(text, sizeof text, "%.0f", (double)a[i]);
            c[i] = (float)atof(text);
        }
#pragma omp target parallel for depend(out : a[0]) map(a) // GPU
        for (int i = 0; i < n; i++)
            a[i] = -1;
#pragma omp taskwait
        printf("%.1f %.1f %.1f\n", (double)a[9], (double)b[9], (double)c[9]);
    }
#pragma omp target teams distribute parallel for nowait depend(out : a[0]) map(a) // CPU: `snprintf`
    for (int i = 0; i < n; i++) {
        char text[20];
        snprintf(text, sizeof text, "%d", i % 10);
        a[i] = (float)atof(text);
    }
    twice(3);
    printf("%.1f %.1f\n", (double)c[9], (double)c[N - 1]);
    return 0;
}
