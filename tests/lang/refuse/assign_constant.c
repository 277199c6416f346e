// const variables keep their value.
// test: -i n=16
// error: 8:9: const-qualified
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int k = 3;
        k = 4;
        x[i] = (float)k;
    }
}
