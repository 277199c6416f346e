// A linear variable steps with the iterations.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    int j = 0;
#pragma omp parallel for linear(j : 1)
    for (int i = 0; i < n; i++) {
        c[j] += a[i] * b[i];
        j++;
    }
}
