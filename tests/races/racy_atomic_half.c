// One update is atomic, the other one is not.
// test: -i n=32
void f(int n, int a[4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i & 1) {
#pragma omp atomic
            a[0] += 1;
        } else {
            a[0] += 1;
        }
    }
}
