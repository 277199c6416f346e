// In place: each iteration reads the element that the next one writes.
// test: -i n=64
// error: 7:9: data race
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        x[i] = x[i + 1];
}
