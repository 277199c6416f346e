// reduction of arrays of floats: each element has one order of its sums, on every run. Whole numbers and quarters, so that the
// CPU's order comes to the same.
// test: -i n=30000 -i x=uniform:lo=0,hi=1000,seed=3
// check: exact
void sums(int n, const int x[n], float mass[4][8], float seen[3], int total[1]) {
    float local[5] = {0.5f, 1.5f};
    int all = 0;
    for (int t = 0; t < 2; t++) {
#pragma omp parallel for collapse(2) reduction(+ : mass[:4][:8], all, local)
        for (int i = 0; i < n / 100; i++)
            for (int j = 0; j < 100; j++) {
                int v = x[i * 100 + j];
                mass[i & 3][v & 7] += (float)(v % 50) * 0.25f;
                if (v > 100)
                    local[v % 5] -= 1.0f;
                all += v;
            }
    }
#pragma omp parallel
    {
#pragma omp for reduction(- : seen[:3])
        for (int i = 3; i < n; i += 7)
            seen[i % 3] = seen[i % 3] - (float)(x[i] % 4);
    }
    mass[3][7] += local[0] + local[1] + local[2] + local[3] + local[4];
    total[0] = all;
}
