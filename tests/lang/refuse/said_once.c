// What the parser warns of and lowering refuses is said once.
// test: -i n=16
// error: 7:47: division by zero
// error: 7:64: shift by 40 bits of a type that has 32
void f(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) { x[i] = x[i] % 0; x[i] = x[i] << 40; }
}
