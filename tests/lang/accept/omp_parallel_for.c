// parallel for: two loops in a row, the second reads what the first wrote; sequential code between them.
// test: -i n=100 -i x=arange
// check: exact
void twice(int n, const float x[n], float y[n], float z[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 0.5f + 1.0f;
    float shift = (float)n * 0.25f;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = y[n - 1 - i] + y[i] + shift;
}
