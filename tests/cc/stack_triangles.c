// Arrays on the stack of another function, of which loops use triangles: which elements these are is known, although parallel loops
// begin and end where a loop around them stands.
#include <stdio.h>

enum { N = 24 };

static void factor(int n, float a[n][n]) {
    int i, j, k;
    for (i = 0; i < n - 1; i++) { // GPU: 1 call
#pragma omp parallel for private(k)
        for (j = i + 1; j < n; j++) {
            float w = a[j][i];
            for (k = 0; k < i; k++)
                w -= a[j][k] * a[k][i];
            a[j][i] = w / a[i][i];
        }
#pragma omp parallel for private(k)
        for (j = i + 1; j < n; j++) {
            float w = a[i + 1][j];
            for (k = 0; k <= i; k++)
                w -= a[i + 1][k] * a[k][j];
            a[i + 1][j] = w;
        }
    }
}
static void diagonal(int n, float a[n][n]) {
    for (int i = 0; i < n - 1; i++) { // GPU: 1 call
#pragma omp parallel for
        for (int j = i + 1; j < n; j++)
            a[j][i] = a[j][i] / a[i][i] * 0.5f;
    }
}

int main(void) {
    int n = N;
    float a[n][n], sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (float)((i * j) % 7 + (i == j) * 30);
    factor(n, a);
    diagonal(n, a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i][j] * (float)(i + 2 * j);
    printf("%.1f\n", sum);
    return 0;
}
