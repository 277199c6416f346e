// A const array is an input.
// test: -i n=16
// error: 7:10: cannot assign to this: its type 'const float' is const
void f(int n, const float w[n], float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        w[i] = 0.0f;
        x[i] = w[i];
    }
}
