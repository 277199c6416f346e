// Reads a triangle of an input, writes one row.
// test: -i n=24 -i w=arange
// check: exact
void f(int n, const float w[n][n], float out[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i] = 0.0f;
        for (int j = 0; j <= i; j++)
            out[i] += w[i][j];
    }
}
