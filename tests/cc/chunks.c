// A time loop inside of a loop that prints: the inner one is one dispatch a chunk, and its arrays stay on the device.
#include <stdio.h>
#include <stdlib.h>

enum { N = 30000 };

int main(void) {
    float *now = malloc(N * sizeof *now), *next = malloc(N * sizeof *next);
    if (!now || !next) return 1;
    for (int i = 0; i < N; i++)
        now[i] = next[i] = (float)(i % 50);
    for (int chunk = 0; chunk < 8; chunk++) {
        for (int t = 0; t < 5; t++) { // GPU: 8 calls, 8 dispatches, 0.24 MB there, 0.24 MB back
#pragma omp parallel for
            for (int i = 1; i < N - 1; i++)
                next[i] = 0.5f * (now[i - 1] + now[i + 1]);
            float *old = now;
            now = next;
            next = old;
        }
        printf("%d\n", chunk);
    }
    float *other = malloc(N * sizeof *other), *p = other;
    if (!other) return 1;
    for (int i = 0; i < N; i++)
        other[i] = 1;
    for (int chunk = 0; chunk < 3; chunk++) {
        for (int t = 0; t < 3; t++) { // GPU: 3 calls, 6 dispatches, 0.12 MB there, 0.36 MB back
#pragma omp parallel for
            for (int i = 0; i < N / 2; i++)
                p[i] += (float)t;
            if (t > N) p = p + 1; // a pointer may end where none began, so what is at stake comes back before
        }
        printf("%d\n", chunk);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += now[i] * (i % 7) + other[i];
    printf("%g %d\n", sum, (int)(p - other));
    free(now), free(next), free(other);
    return 0;
}
