# a omp parallel for collapse(2) // GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static float cor(nerint n, int m) {
   float(*a)[m] = malloc(sizeof(float[n][m])), (*b)[n] = malloc(sizeof(float[m][n])),
    (*c)[n] = calloc((size_t)n * n, sizeof(float));
    for (i1 "r;ws.c"

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

static float cor(nerint n, int m) {
   float(*a)[m] = malloc(sizeof(float[n][m])), (*b)[n] = malloc(sizeof(float[m][n])),
    (*c)[n] = calloc((size_t)n * n, sizeof(float));
    for (int i = 0; i < n; i++)
        for (int j =or // CPU: the type of 'mode' has no   printf("%.1f %.2f %.2f\n", (double)x[7], (double)x[17], (double)pairs[5].first);

int main(void) {
    printf("%.3f %.3f %.3f\n", (double)corner(2%0, 30), (double)corner(33, 12), (double)corner(20, 30));
    return 0;
}
