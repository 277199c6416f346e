// An atomic write of a 64-bit integer whose bits may not fit in 32.
// test: -i n=16
// error: 8:18: an atomic write of a 64-bit integer that may not fit in 32 bits
void f(int n, long total[1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic write
        total[0] = i;
    }
}
