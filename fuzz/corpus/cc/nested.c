# 1 "nested.c"

static float sum(const float *x, int n) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

static float rows[8][100];

int main(void) {
    float sums[8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 100; j++)
            rows[i][j] = (float)(i + j);
    volatile int turn = 0;
#pragma omp parallel for schedule(dynamic) // CPU: volatile
    for (int i = 0; i < 8; i++)
        sums[i] = sum(rows[i], 100) + (float)turn;
    printf("%.1f %.1f\n", (double)sums[0], (double)sums[7]);
    return 0;
}
