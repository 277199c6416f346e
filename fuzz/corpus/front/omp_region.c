// parallel with several for loops: uniform code of the region between them, nowait, an explicit barrier, private variables.
// test: -i n=60 -i steps=3
// check: exact
void region(int n, int steps, int a[n], int b[n]) {
#pragma omp parallel
    {
        int scale = 3;
        for (int t = 0; t < steps; t++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                a[i] = a[i] + scale * i + b[(i + 1) % n];
#pragma omp for nowait
            for (int i = 0; i < n; i++)
                b[i] = a[i] % 7 + t;
#pragma omp barrier
        }
    }
}
