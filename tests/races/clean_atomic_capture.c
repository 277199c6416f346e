// Each iteration takes a place of its own.
// test: -i n=32
void f(int n, int next[1], int a[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at;
#pragma omp atomic capture
        at = next[0]++;
        a[at] = i;
    }
}
