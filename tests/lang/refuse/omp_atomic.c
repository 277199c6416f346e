// atomic comes in a later version.
// test: -i n=16
// error: 7:13: atomic
void f(int n, int count[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        count[i * i % n]++;
    }
}
