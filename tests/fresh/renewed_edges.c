// Heat in a plate whose edges are insulated, with a burner, until it is warm enough: a step copies its second array
// back, then gives the edges what stands beside them. The arrays take turns.
//
// run: -i n=1024 -i most=400 -i a=uniform:seed=1
// test: -i n=24 -i most=9 -i a=uniform:seed=1
// check: near 1e-4
void plate(int n, int most, float a[n][n], float b[n][n], float warm[1], int steps[1]) {
    int t = 0;
    float sum = 0.0f;
    while (t < most && sum < 1.0e9f) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i][j] + 0.2f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4.0f * a[i][j]);
        sum = 0.0f;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                sum += b[i][j] > 0.5f;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            a[i][0] = a[i][1];
            a[i][n - 1] = a[i][n - 2];
        }
#pragma omp parallel for
        for (int j = 0; j < n; j++) {
            a[0][j] = a[1][j];
            a[n - 1][j] = a[n - 2][j];
        }
        a[0][n / 2] = 1.0f + 0.001f * t;
        t++;
    }
    warm[0] = sum;
    steps[0] = t;
}
