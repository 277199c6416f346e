// default(none): every variable of outside must be named.
// test: -i n=16
// error: 8:16: 'scale'
void f(int n, float x[n]) {
    float scale = 2.0f;
#pragma omp parallel for default(none) shared(n, x)
    for (int i = 0; i < n; i++)
        x[i] = scale;
}
