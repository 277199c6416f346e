// Each iteration reads what the one before wrote.
// test: -i n=64
// error: 7:9: data race
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] + 1.0f;
}
