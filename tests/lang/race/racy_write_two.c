// Each iteration writes its element and the next: two write the same one.
// test: -i n=64
// error: 7:9: data race: iterations i = 0 and i = 1 write different values to 'x[1]'
void f(int n, float x[n + 1]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        x[i + 1] = (float)(-i);
    }
}
