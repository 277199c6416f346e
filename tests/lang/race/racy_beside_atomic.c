// One element is set by each iteration, and others are added to by atomics in the same loop.
// test: -i n=64
// error: 9:9: data race
void f(int n, const int x[n], int total[2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        total[0] += x[i];
        total[1] = i;
    }
}
