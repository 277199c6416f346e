// Plain accesses beside atomics, to one element or not: what the indices hold decides.
// run: -i n=8 -i to=arange:8
void f(int n, const int to[n], int y[n], int z[n], int w[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        y[i] += 1;
        z[i] = y[to[i]];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int old;
#pragma omp atomic read
        old = w[i];
        w[to[i]] = old + 5;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic write
        w[to[i]] = i;
#pragma omp atomic
        z[to[i]] |= i;
    }
}
