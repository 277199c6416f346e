// reduction of arrays by pointers: parameters of functions, rows of an array, a pointer into one; and in regions.
// test: -i n=5000 -i x=uniform:lo=0,hi=100,seed=2
// check: exact
static void tally(int n, const int *x, int *count) {
#pragma omp parallel for reduction(+ : count[:8])
    for (int i = 0; i < n; i++)
        count[x[i] & 7]++;
}

void places(int n, const int x[n], int a[8], int b[2][8], int m[4][8]) {
    int *row = m[2];
    tally(n, x, a);
    for (int k = 0; k < 2; k++)
        tally(n - k * 100, x, b[k]);
#pragma omp parallel for reduction(+ : row[:8])
    for (int i = 0; i < n; i++)
        row[x[i] & 7] += 2;
#pragma omp parallel for reduction(+ : m[1 : 2][:8])
    for (int i = 0; i < n; i++)
        *(m[1 + (i & 1)] + (x[i] & 7)) += i & 3;
#pragma omp parallel
    {
#pragma omp for reduction(max : m[3 : 1][:8])
        for (int i = 0; i < n; i++)
            if (m[3][x[i] & 7] < i)
                m[3][x[i] & 7] = i;
#pragma omp for reduction(+ : m[:1][:8]) nowait
        for (int i = 0; i < n; i++) {
            int last[4] = {0};
#pragma omp simd reduction(+ : last[:4]) // of one iteration: sequential code
            for (int k = 0; k < 6; k++)
                last[k & 3] += k * i;
            m[0][i & 7] += last[1];
        }
    }
}
