// told_rows.c - each iteration fills a row of its own in memory, and every element of what it makes next reads all of
// that row: lanes of one loop need what lanes of the loop before stored.
//
// run: -i rows=512 -i m=256 -i steps=4
// test: -i rows=19 -i m=66 -i steps=3
// run: -i x=normal:seed=1
// test: -i x=normal:seed=1
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a step
void told_rows(int rows, int m, int steps, float x[rows][m], float y[rows][m], float z[rows][m]) {
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float most = y[i][0] + x[i][0];
#pragma omp simd reduction(max : most)
            for (int j = 1; j < m; j++)
                most = x[i][j] > most ? x[i][j] : most;
#pragma omp simd
            for (int j = 0; j < m; j++)
                y[i][j] = x[i][j] / (1.0f + most * most);
#pragma omp simd
            for (int k = 0; k < m; k++) {
                float s = 0.0f;
                for (int j = 0; j <= k; j++)
                    s += y[i][j] * (float)((j * 7 + k) % 5);
                z[i][k] = s / (float)m;
            }
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < m; j++)
                x[i][j] = 0.9f * x[i][j] + z[(i + 1) % rows][m - 1 - j];
    }
}
