// A size that does not fit in 32 bits.
// test: -i n=5000000000
// error: 4:22: 'x' would have more than 2^31 elements
void f(long n, int x[n]) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        x[i] = 1;
}
