// A plain read beside atomic updates.
// test: -i n=32
void f(int n, int a[1], int b[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        a[0] += 1;
        b[i] = a[0];
    }
}
