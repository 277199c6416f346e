// A clause that belongs to another directive.
// test: -i n=16
// error: 5:26: nowait
void f(int n, float x[n]) {
#pragma omp parallel for nowait
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
