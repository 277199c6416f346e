# 1 "rows.c"

static void multiply(int n, int m, float a[n][m], float b[m][n], float c[n][n]) {
#pragma omp parallel for collapse(2) // GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static float corner(int n, int m) {
    float(*a)[m] = malloc(sizeof(float[n][m])), (*b)[n] = malloc(sizeof(float[m][n])),
    (*c)[n] = calloc((size_t)n * n, sizeof(float));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j] = (float)(i + j) / 16;
            b[j][i] = (float)(i - j) / 8;
        }
    multiply(n, m, a, b, c);
    float x = c[n - 1][n - 2] + c[1][0];
    free(a);
    free(b);
    free(c);
    return x;
}

int main(void) {
    printf("%.3f %.3f %.3f\n", (double)corner(20, 30), (double)corner(33, 12), (double)corner(20, 30));
    return 0;
}
