// Two loops write the same elements and nobody reads them: the later write is to stay.
// test: -i n=600 -i a=uniform:lo=0,hi=1000,seed=1 -i b=uniform:lo=0,hi=1000,seed=2
// check: exact
// dispatches: 1
// barriers: 1 in all
void write_after_write(int n, const int a[n], const int b[n], int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = a[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (b[i] % 3 != 0) x[n - 1 - i] = b[i] + 2000;
}
