// some_of_many.c - products of the first `active` of several vectors, where a run says how many that are: lanes share the
// rows inside of a loop that ends there, and iterations of a dimension that does.
//
// run: -i n=2000 -i m=512 -i many=8 -i active=5 -i steps=4 --uniform active
// test: -i n=70 -i m=96 -i many=8 -i active=3 -i steps=2 --uniform active
// run: -i w=normal:sd=0.05,seed=1 -i four=uniform:lo=0,hi=2147483647,seed=2 -i x=normal:seed=3
// test: -i w=normal:sd=0.05,seed=1 -i four=uniform:lo=0,hi=2147483647,seed=2 -i x=normal:seed=3
// check: abs 1e-3
// dispatches: 1
void some_of_many(int n, int m, int many, int active, int steps, const _Float16 w[n][m], const unsigned four[n][m / 8],
                  float x[many][m], float y[many][n], float z[many][m]) {
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int b = 0; b < active; b++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < m; j++)
                    s += (float)w[i][j] * x[b][j];
                y[b][i] = s;
            }
#pragma omp parallel for
        for (int i = 0; i < m; i++)
            for (int b = 0; b < active; b++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < m; j++)
                    s += (float)(four[i % n][j / 8] >> j % 8 * 4 & 15) * x[b][j];
                z[b][i] = 0.01f * s;
            }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < active; b++)
            for (int j = 0; j < m; j++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int i = 0; i < n; i++)
                    s += y[b][i] * (float)w[i][j];
                z[b][j] += s;
            }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < active; b++)
            for (int j = 0; j < m; j++)
                x[b][j] = 0.5f * x[b][j] + 0.1f * z[b][j];
    }
}
