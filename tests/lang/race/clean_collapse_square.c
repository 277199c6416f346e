// collapse(2) with the right stride.
// test: -i n=16 -i m=8
// check: exact
void f(int n, int m, int out[n * m]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i * m + j] = i - j;
}
