// One critical section guards all uses.
// test: -i n=32 -i x=arange
void f(int n, const int x[n], int sum[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        sum[0] += x[i];
    }
}
