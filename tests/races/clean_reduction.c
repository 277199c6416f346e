// Sums and extremes by reductions.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    float sum = 0.0f, most = a[0];
#pragma omp parallel for reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < n; i++) {
        sum += a[i];
        most = a[i] > most ? a[i] : most;
    }
    b[0] = sum + most;
}
