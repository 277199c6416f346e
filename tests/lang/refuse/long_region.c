// A 64-bit reduction that a region itself adds to.
// test: -i n=16
// error: 6:36: the 64-bit integer, which may not fit in 32 bits, 'sum' is reduced by a region: put the clause on the loop
void f(int n, const long k[n], long y[1]) {
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        sum += k[0];
#pragma omp for
        for (int i = 0; i < n; i++)
            sum += k[i];
    }
    y[0] = sum;
}
