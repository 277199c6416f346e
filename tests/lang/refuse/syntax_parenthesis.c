// A parenthesis that is not closed.
// test: -i n=16
// error: 7:28: expected ')'
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (1.0f + 2.0f;
    }
}
