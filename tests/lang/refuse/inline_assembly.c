// Assembly.
// test: -i n=16
// error: 7:9: assembler is not supported: write the operation in C
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        __asm__("nop");
        x[i] = 1.0f;
    }
}
