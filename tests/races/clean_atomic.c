// Atomic updates of one element.
// test: -i n=32 -i x=arange
void f(int n, const int x[n], int bins[4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        bins[x[i] & 3]++;
    }
}
