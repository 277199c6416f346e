// A character that C does not know.
// test: -i n=16
// error: 7:16: '$'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = $;
    }
}
