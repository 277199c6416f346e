// With -fint64=int32 an array of 64-bit integers would not be the caller's.
// test: -i n=16 -fint64=int32
// error: 4:20: arrays of 64-bit integers cannot be passed; use a 32-bit type
void f(int n, long x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i;
}
