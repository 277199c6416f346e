// Rows of four words that stand beside whole arrays, as those leave no room for vectors of their own: vectors among theirs where the arrays come in
// vectors, single words else.
// run: -i n=20 -i k=28 -i m=6800 -i r=2000 -i steps=20 -i a=uniform:lo=-1,hi=1,seed=1 -i x=uniform:lo=-1,hi=1,seed=2 -i q=uniform:lo=-1,hi=1,seed=3
// test: -i n=20 -i k=28 -i m=6800 -i r=2000 -i steps=2 -i a=uniform:lo=-1,hi=1,seed=1 -i x=uniform:lo=-1,hi=1,seed=2 -i q=uniform:lo=-1,hi=1,seed=3
// with --portable: --test -i m=2976 --lanes=16
// check: abs 1e-4
// dispatches: 1
// barriers: 3 a step
void rows_beside(int n, int k, int m, int r, int steps, const float a[n][m], float x[m], float q[r][4], float y[n],
                 float p[k], float s[k]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < m; j++)
                sum += a[i][j] * x[j];
            y[i] = 0.01f * sum + 0.5f * y[i];
        }
#pragma omp parallel for
        for (int i = 0; i < k; i++) {
            float sum = 0, all = 0;
#pragma omp simd reduction(+ : sum, all)
            for (int j = 0; j < r; j++) {
                float dx = q[j][0] - p[i], dy = q[j][1] - s[i], dz = q[j][2] - y[j % n];
                float near = 1.0f / (1.0f + dx * dx + dy * dy + dz * dz);
                sum += near * q[j][3];
                all += near;
            }
            p[i] = 0.9f * p[i] + 0.5f * sum / all;
            s[i] = 0.9f * s[i] + 0.01f * (float)i;
        }
#pragma omp parallel for
        for (int j = 0; j < m; j++)
            x[j] = 0.9f * x[j] + 0.1f * y[j % n] + p[j * 5 % k];
#pragma omp parallel for collapse(2)
        for (int j = 0; j < r; j++)
            for (int c = 0; c < 4; c++)
                q[j][c] = 0.9f * q[j][c] + 0.1f * p[(j * 3 + c) % k] + 0.1f * y[(j + c) % n];
    }
}
