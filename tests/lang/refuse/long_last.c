// lastprivate of a 64-bit integer that may not fit in 32 bits.
// test: -i n=16
// error: 6:13: lastprivate(last): not of a 64-bit integer that may not fit in 32 bits; store it in an array
void f(int n, const long k[n], long y[1]) {
    long last = 0;
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++)
        last = k[i];
    y[0] = last;
}
