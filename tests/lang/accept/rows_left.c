// Pointers to the first element of a row in the middle, and memcpy, memmove and memset from there, that go on over the rows behind it.
// test: -i n=8 -i first=1 -i u=arange
// check: exact
#include <string.h>

void rows(int n, int first, float u[n][n], float layers[6][n][n], float w[n][n], int part[3][4][5]) {
    memcpy(layers[first], u, sizeof(float[n][n]));
    memcpy(layers[first + 1], u, n * n * sizeof(float));
    float *p = &layers[3][0][0];
    for (int k = 0; k < n * n; k++)
        p[k] = u[k / n][k % n] * 2.0f;
    float(*q)[n] = layers[4], *r = q[0];
#pragma omp parallel for
    for (int i = 0; i < n * n; i++)
        r[i] = (float)i;
    memset(layers[4][2], 0, 3 * n * sizeof(float));
    memmove(layers[5][1], layers[4][5], 2 * n * sizeof(float));
    float(*a)[n] = u, (*b)[n] = w;
    for (int t = 0; t < 3; t++) {
        float(*old)[n] = a;
        a = b;
        b = old;
    }
    memcpy(a, layers[4], n * n * sizeof(float)); // w
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        u[i][0] += 1.0f;
        float *s = layers[0][i];
        s[i] = 3.0f;
    }
    memset(part[1], 0x11, 2 * sizeof part[0]);
    int *end = &part[2][1][0];
    for (int k = 0; k < 15; k++)
        end[k] += k;
}
