// build: -O2
// Grids of several sizes behind each other in one array that is large enough to stay on the device: regions read one of them and write
// another, the program looks at them in between and writes to them.
#include <stdio.h>

enum { N = 160, M = N / 2, ALL = N * N + M * M + 40 };
static float r[ALL];

static void restrict_to(const float *from, int n, float *to, int m) {
    const float(*a)[n] = (const float(*)[n])from;
    float(*b)[m] = (float(*)[m])to;
#pragma omp parallel for // GPU: 6 calls
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            float sum = a[2 * i][2 * j] + a[2 * i + 1][2 * j] + a[2 * i][2 * j + 1] + a[2 * i + 1][2 * j + 1];
            b[i][j] = 0.25f * sum;
        }
}
static void prolong(float *to, int n, const float *from, int m) {
    float(*a)[n] = (float(*)[n])to;
    const float(*b)[m] = (const float(*)[m])from;
#pragma omp parallel for // GPU: 6 calls
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += b[i / 2][j / 2];
}

int main(void) {
    int start = N * N + 37; // no multiple of a row
    for (int i = 0; i < ALL; i++)
        r[i] = (float)(i % 19);
    for (int t = 0; t < 6; t++) {
        restrict_to(r, N, r + start, M);
        if (t % 2) r[start + t] += 3;
        printf("%g %g\n", (double)r[start], (double)r[start + M * M - 1]);
        prolong(r, N, r + start, M);
        r[t] = 1;
        printf("%g %g\n", (double)r[N], (double)r[N * N - 1]);
    }
    return 0;
}
