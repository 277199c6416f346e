// Bins are counted without atomics.
// test: -i n=32 -i x=arange
void f(int n, const int x[n], int bins[4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        bins[x[i] & 3]++;
}
