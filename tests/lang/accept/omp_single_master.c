// single, master and masked: run once; what follows sees it.
// test: -i n=40 -i steps=3
// check: exact
void once(int n, int steps, int x[n], int log[3]) {
    int shift = 1;
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] += i + shift;
#pragma omp single
        {
            shift = x[0] + 2;
            log[0] += shift;
        }
#pragma omp master
        log[1] = t;
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] ^= 1;
#pragma omp single nowait
        log[2]++;
    }
}
