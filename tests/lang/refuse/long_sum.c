// A 64-bit sum that may need more than 32 bits.
// test: -i n=16
// error: 7:31: -fint64=int32
void f(int n, const int k[n], float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long sum = (long)k[i] * 100000;
        x[i] = (float)(sum % 1000);
    }
}
