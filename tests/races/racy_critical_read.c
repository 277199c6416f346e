// Writes are guarded, the read is not.
// test: -i n=32 -i a=arange
void f(int n, int a[n], int most[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (a[i] >= most[0]) {
#pragma omp critical
            if (a[i] >= most[0]) most[0] = a[i];
        }
    }
}
