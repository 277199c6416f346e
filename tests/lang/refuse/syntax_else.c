// else without if.
// test: -i n=16
// error: 8:9: 'else' without 'if' before it
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f;
        else
            x[i] = 2.0f;
    }
}
