// With -fint64=int32 what needs the upper 32 bits is an error, not another result.
// test: -i n=16 -fint64=int32
// error: 10:41: this constant does not fit in 32 bits
// error: 11:22: shift by 33 bits of a type that has 32 with -fint64=int32
// error: 12:19: shift by 32 bits of a type that has 32 with -fint64=int32
void f(int n, const int k[n], int y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned long x = (unsigned long)k[i];
        unsigned long z = (x + 1) * x ^ 0xFF51AFD7ED558CCDul;
        z ^= (z * x) >> 33;
        z = z / x << 32;
        y[i] = z / 3 > 7;
    }
}
