// An entry array of 64-bit integers.
// test: -i n=16
// error: 4:20: arrays of 64-bit integers cannot be passed; use a 32-bit type
void f(int n, long x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i;
}
