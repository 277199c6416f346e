// How far the neighbour is comes from the counter of a sequential loop around.
// test: -i n=32
void f(int n, float a[n], float b[n], float c[n]) {
    for (int d = 1; d < n; d *= 2) {
#pragma omp parallel for
        for (int i = d; i < n; i++)
            a[i] += a[i - d];
    }
}
