// Only the ordered part touches the sum.
// test: -i n=24
void f(int n, int a[n], int s[1]) {
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        int v = a[i] * 2;
#pragma omp ordered
        s[0] += v;
    }
}
