// The same element gets a value that depends on the iteration.
// test: -i n=64
// error: 7:9: data race
void f(int n, float last[4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        last[2] = (float)i * 0.5f;
}
