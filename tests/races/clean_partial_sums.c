// Each thread sums up for itself and adds under a critical section.
// test: -i n=32 -i x=arange
void f(int n, const int x[n], int sum[1]) {
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            mine += x[i];
#pragma omp critical
        sum[0] += mine;
    }
}
